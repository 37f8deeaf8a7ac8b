// The page /restore: a file is sent as it is, and what comes back can be fetched until the page is left.
const form = document.querySelector("#restore");
const problem = document.querySelector("#problem");
const result = document.querySelector("#restored");
const busy = document.querySelector("#restoring");
const link = result.querySelector("a");
const told = result.querySelector("p");

const forget = () => {
  if (link.href) URL.revokeObjectURL(link.href);
  link.removeAttribute("href");
  result.hidden = true;
};

const sent = async (file) => {
  const { project, purpose, ticket, grant } = form.elements;
  return fetch("/restore/file", {
    method: "POST",
    body: file,
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      "HX-Request": "true",
      "Nymlink-Project": encodeURIComponent(project?.value ?? ""),
      "Nymlink-Purpose": encodeURIComponent(purpose.value),
      "Nymlink-Ticket": encodeURIComponent(ticket.value),
      "Nymlink-Grant": encodeURIComponent(grant.value),
    },
  });
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  const file = form.elements.file.files[0];
  forget();
  problem.replaceChildren();
  button.disabled = true;
  busy.textContent = busy.dataset.text;
  try {
    const answer = await sent(file);
    if (answer.ok) {
      link.href = URL.createObjectURL(await answer.blob());
      link.download = file.name;
      told.textContent = decodeURIComponent(answer.headers.get("Nymlink-Told") ?? "");
      result.hidden = false;
      told.focus();
    } else {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      problem.replaceChildren(...page.body.childNodes);
      problem.querySelector("[data-outcome]")?.focus();
    }
  } catch {
    problem.textContent = form.dataset.failed;
  } finally {
    button.disabled = false;
    busy.textContent = "";
  }
});
addEventListener("pagehide", forget);
