// The page of open questions: one key an answer, as long as the question has the focus.
const section = () => document.querySelector("[data-question]");
const BUTTONS = {
  Enter: "[name=answer][value=yes]",
  Delete: "[name=answer][value=no]",
  ArrowRight: "[data-turn=on]",
  ArrowLeft: "[data-turn=back]",
};

document.addEventListener("keydown", (event) => {
  if (!section()?.contains(event.target) || event.altKey || event.metaKey || event.shiftKey || event.repeat) return;
  if (event.key === "Enter" && event.target !== section()) return; // presses what has the focus
  const wanted = event.ctrlKey ? (event.key === "z" ? "[value=undo]" : null) : BUTTONS[event.key];
  const button = wanted && section().querySelector(wanted);
  if (!button) return;
  event.preventDefault();
  if (section().hasAttribute("aria-busy")) return; // an answer is on its way: the next key is for the next question
  section().setAttribute("aria-busy", "true");
  button.click();
});
document.addEventListener("htmx:finally:request", () => section()?.removeAttribute("aria-busy"));
document.addEventListener("htmx:before:request", () => document.querySelector("#problem").replaceChildren());
// What was pressed is gone: the next question takes the focus, unless a problem is told.
document.addEventListener("htmx:after:swap", () => {
  const problem = document.querySelector("#problem [data-outcome]");
  (problem ?? section()).focus();
});
section().focus();
