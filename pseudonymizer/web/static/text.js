// Reading views: one tab stop a text, arrow keys from mention to mention, the same person shown everywhere.
import { textOf } from "./offsets.js";

const BUTTON = ".m[role=button]";
const FORWARD = new Set(["ArrowRight", "ArrowDown"]);
const BACK = new Set(["ArrowLeft", "ArrowUp"]);

const shown = (view) => [...view.querySelectorAll(BUTTON)].filter((one) => !one.classList.contains("off"));
const resultOf = (element) => element.closest(".result");

const stopAt = (view, mention) => {
  for (const one of view.querySelectorAll(`${BUTTON}[tabindex="0"]`)) one.tabIndex = -1;
  mention.tabIndex = 0;
};

const goTo = (view, mention) => {
  if (!mention) return;
  stopAt(view, mention);
  mention.focus();
};

const clear = (result) => {
  for (const one of result.querySelectorAll(".same")) one.classList.remove("same");
  for (const one of result.querySelectorAll("[aria-pressed]")) one.removeAttribute("aria-pressed");
  result.querySelector("[data-told]").textContent = "";
};

const choose = (mention) => {
  const result = resultOf(mention);
  const wasChosen = mention.getAttribute("aria-pressed") === "true";
  clear(result);
  if (wasChosen) return;
  const key = CSS.escape(mention.dataset.key);
  for (const one of result.querySelectorAll(`.m[data-key="${key}"]`)) one.classList.add("same");
  mention.setAttribute("aria-pressed", "true");
  result.querySelector("[data-told]").textContent = mention.getAttribute("aria-label");
};

document.addEventListener("keydown", (event) => {
  const mention = event.target.closest?.(BUTTON);
  const view = mention?.closest("[data-view]");
  if (!view || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = shown(view);
  const at = all.indexOf(mention);
  if (FORWARD.has(event.key)) goTo(view, all[at + 1]);
  else if (BACK.has(event.key)) goTo(view, all[at - 1]);
  else if (event.key === "Home") goTo(view, all[0]);
  else if (event.key === "End") goTo(view, all.at(-1));
  else if (event.key === "Enter" || event.key === " ") choose(mention);
  else if (event.key === "Escape") clear(resultOf(view));
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const mention = event.target.closest?.(".m")?.closest(BUTTON);
  if (mention) {
    goTo(mention.closest("[data-view]"), mention);
    choose(mention);
    return;
  }
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button);
});

const copy = async (button) => {
  const view = resultOf(button).querySelector(`[data-view="${button.dataset.copy}"]`);
  const told = button.parentElement.querySelector("[data-copied]");
  try {
    await navigator.clipboard.writeText(textOf(view));
    told.textContent = told.dataset.copied;
  } catch {
    told.textContent = told.dataset.notCopied;
  }
};

// The legend: a kind that is switched off loses its colours and is passed by the arrow keys.
document.addEventListener("change", (event) => {
  const kind = event.target.dataset?.showKind;
  if (!kind) return;
  const result = resultOf(event.target);
  for (const one of result.querySelectorAll(`.m[data-kind="${CSS.escape(kind)}"]`)) {
    one.classList.toggle("off", !event.target.checked);
  }
  for (const view of result.querySelectorAll("[data-view]")) {
    const first = shown(view)[0];
    const stop = view.querySelector(`${BUTTON}[tabindex="0"]`);
    if (first && stop?.classList.contains("off")) stopAt(view, first);
  }
});
