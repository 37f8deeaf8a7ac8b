// The page of a file: a mention is chosen in the text (text.js) and corrected, missed words are added; the place
// is kept.
import { placesOf, textOf } from "./offsets.js";

const seen = document.querySelector("#seen");
const announced = document.querySelector("#announced");
const MENTION = ".m[data-mention]";
// Keys that make a mention longer or shorter by a word, on the side to which the arrow points.
const LONGER = { ArrowLeft: "wider-start", ArrowRight: "wider-end" };
const SHORTER = { ArrowLeft: "narrower-end", ArrowRight: "narrower-start" };
let lastAt = -1; // place among the mentions of that which was chosen last
let wasInText = false;
let isOpen = false; // whether the further corrections were in sight

const all = () => [...seen.querySelectorAll(MENTION)];
const form = () => seen.querySelector("[data-correct]");

const noteChosen = () => {
  const chosen = seen.querySelector(`${MENTION}[aria-pressed="true"]`);
  const { mention, kind, person } = form().elements;
  mention.value = chosen?.dataset.mention ?? "";
  if (!chosen) return;
  lastAt = all().indexOf(chosen);
  kind.value = chosen.dataset.kind;
  if ([...person.options].some((one) => one.value === chosen.dataset.key)) person.value = chosen.dataset.key;
};

document.addEventListener("click", (event) => {
  if (event.target.closest?.(MENTION)) noteChosen();
});

const press = (mention, button) => {
  form().elements.mention.value = mention.dataset.mention;
  wasInText = true;
  lastAt = all().indexOf(mention);
  button.click();
};
document.addEventListener("keydown", (event) => {
  const mention = event.target.closest?.(MENTION);
  if (!mention || event.metaKey) return;
  const moved = event.shiftKey && !event.ctrlKey ? (event.altKey ? SHORTER : LONGER)[event.key] : undefined;
  if (moved) {
    press(mention, form().querySelector(`[value=${moved}]`));
  } else if (event.altKey) return;
  else if (event.ctrlKey) {
    const by = { z: event.shiftKey ? "redo" : "undo", Z: "redo", y: "redo" }[event.key];
    if (!by) return;
    press(mention, seen.querySelector(`[data-turn] [value=${by}]`));
  } else if (event.key === "Delete") press(mention, form().querySelector("[value=reject]"));
  else {
    noteChosen();
    return;
  }
  event.preventDefault();
});

// What is selected in the text is what was missed; its place is sent along.
document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  const view = seen.querySelector("[data-view=before]");
  if (selection.isCollapsed || !view?.contains(selection.anchorNode) || !view.contains(selection.focusNode)) return;
  const [start, end] = placesOf(selection.getRangeAt(0));
  if (start === null || end === null) return;
  const from = Number(view.querySelector(".line").dataset.start);
  const words = [...textOf(view)].slice(start - from, end - from).join("");
  const shown = words.trim();
  if (!shown) return;
  const { words: field, selected, place } = seen.querySelector("[data-add]").elements;
  field.value = shown.replace(/\s+/g, " ");
  selected.value = shown;
  place.value = start + [...words].length - [...words.trimStart()].length + Number(form().elements.start.value);
});
document.addEventListener("input", (event) => {
  if (event.target.name !== "words") return;
  event.target.form.elements.selected.value = "";
  event.target.form.elements.place.value = "";
});

// Nothing is chosen: it is said, and nothing is sent.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-correct]") || event.target.elements.mention.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const told = event.target.querySelector("[data-told]");
  told.textContent = told.dataset.nothing;
  announced.textContent = told.dataset.nothing;
}, true);

document.addEventListener("htmx:before:request", () => {
  document.querySelector("#problem").replaceChildren();
  isOpen = seen.querySelector("#more").open;
});
document.addEventListener("htmx:after:swap", () => {
  const problem = document.querySelector("#problem [data-outcome]");
  if (problem) {
    problem.focus();
    return;
  }
  announced.textContent = seen.querySelector("[data-announce]").dataset.announce;
  seen.querySelector("#more").open = isOpen;
  const mentions = all();
  const next = mentions[Math.min(Math.max(lastAt, 0), mentions.length - 1)];
  if (!next) return;
  for (const one of mentions) one.tabIndex = one === next ? 0 : -1;
  if (wasInText || document.activeElement === document.body) next.focus();
  wasInText = false;
});
