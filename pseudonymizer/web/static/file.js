// The page of a file: a mention is chosen in the text (text.js), and confirmed or rejected; the place is kept.
const seen = document.querySelector("#seen");
const announced = document.querySelector("#announced");
const MENTION = ".m[data-mention]";
let lastAt = -1; // place among the mentions of that which was chosen last
let wasInText = false;

const all = () => [...seen.querySelectorAll(MENTION)];
const form = () => seen.querySelector("[data-correct]");

const noteChosen = () => {
  const chosen = seen.querySelector(`${MENTION}[aria-pressed="true"]`);
  form().elements.mention.value = chosen?.dataset.mention ?? "";
  if (chosen) lastAt = all().indexOf(chosen);
};

document.addEventListener("click", (event) => {
  if (event.target.closest?.(MENTION)) noteChosen();
});
document.addEventListener("keydown", (event) => {
  const mention = event.target.closest?.(MENTION);
  if (!mention || event.altKey || event.metaKey) return;
  if (event.ctrlKey) {
    if (event.key !== "z") return;
    wasInText = true;
    lastAt = all().indexOf(mention);
    seen.querySelector("[data-turn] [value=undo]").click();
  } else if (event.key === "Delete") {
    form().elements.mention.value = mention.dataset.mention;
    wasInText = true;
    lastAt = all().indexOf(mention);
    form().querySelector("[value=reject]").click();
  } else {
    noteChosen();
    return;
  }
  event.preventDefault();
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

document.addEventListener("htmx:before:request", () => document.querySelector("#problem").replaceChildren());
document.addEventListener("htmx:after:swap", () => {
  const problem = document.querySelector("#problem [data-outcome]");
  if (problem) {
    problem.focus();
    return;
  }
  announced.textContent = seen.querySelector("[data-announce]").dataset.announce;
  const mentions = all();
  const next = mentions[Math.min(Math.max(lastAt, 0), mentions.length - 1)];
  if (!next) return;
  for (const one of mentions) one.tabIndex = one === next ? 0 : -1;
  if (wasInText || document.activeElement === document.body) next.focus();
  wasInText = false;
});
