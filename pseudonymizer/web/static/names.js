// Names that were shown are hidden again: after their time, by a button, and when the page is left.
const timers = new WeakMap();

const hide = (box) => {
  clearInterval(timers.get(box));
  const hadFocus = box.contains(document.activeElement);
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  told.tabIndex = -1;
  told.textContent = box.dataset.hidden;
  box.replaceWith(told);
  if (hadFocus) told.focus();
};

const watch = (box) => {
  if (timers.has(box)) return;
  const ends = Date.now() + 1000 * Number(box.dataset.hideAfter);
  const tick = () => {
    const left = Math.ceil((ends - Date.now()) / 1000);
    const shown = box.querySelector("[data-left]");
    if (shown) shown.textContent = Math.max(0, left);
    if (left <= 0) hide(box);
  };
  timers.set(box, setInterval(tick, 1000));
};

document.addEventListener("htmx:after:swap", () => {
  for (const box of document.querySelectorAll("[data-hide-after]")) watch(box);
});
document.addEventListener("click", (event) => {
  const box = event.target.closest?.("[data-hide-now]")?.closest("[data-hide-after]");
  if (box) hide(box);
});
addEventListener("pagehide", () => {
  for (const box of document.querySelectorAll("[data-hide-after]")) hide(box);
});
