// What every page does: theme, end of a session, waiting for the model, telling that something works.
const root = document.documentElement;
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

document.querySelector("[data-theme-switch]")?.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

document.querySelector("[data-logout]")?.addEventListener("click", async () => {
  try {
    await fetch("/api/v1/session", { method: "DELETE" });
  } finally {
    location.replace("/"); // it shows whether somebody is logged in
  }
});

// A page that comes back from the browser's memory may show names after the session has ended.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

const isLoaded = async () => {
  try {
    return (await (await fetch("/loaded")).json()).is_ready;
  } catch {
    return false;
  }
};
const waiting = document.querySelector("[data-waiting]");
if (waiting) {
  waiting.hidden = true;
  while (!(await isLoaded())) {
    waiting.hidden = false;
    await new Promise((done) => setTimeout(done, 1000));
  }
  if (waiting.dataset.waiting === "reload") location.reload();
  waiting.hidden = true;
}

// Somebody who works on while nothing is stored would lose it.
const unreached = document.querySelector("#unreached > p");
document.addEventListener("htmx:error", (event) => { if (event.detail?.ctx) unreached.hidden = false; });
document.addEventListener("htmx:after:request", () => { unreached.hidden = true; });

const busyOf = (event) => {
  const form = event.target.closest?.("[data-busy]");
  return form && document.querySelector(form.dataset.busy);
};
document.addEventListener("htmx:before:request", (event) => {
  const busy = busyOf(event);
  if (busy) busy.textContent = busy.dataset.text;
});
document.addEventListener("htmx:finally:request", (event) => {
  const busy = busyOf(event);
  if (busy) busy.textContent = "";
});
// The button that was pressed cannot be pressed meanwhile and loses the focus: it goes to what came.
document.addEventListener("htmx:after:swap", (event) => {
  const target = event.target.closest?.("[hx-target]")?.getAttribute("hx-target");
  if (target) document.querySelector(target)?.querySelector("[data-outcome]")?.focus();
});
