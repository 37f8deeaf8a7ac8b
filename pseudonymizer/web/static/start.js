// Turns the one-time code behind # into a session.
const state = document.getElementById("state");
const code = location.hash.slice(1);
if (code) {
  const told = state.textContent;
  state.textContent = state.dataset.oneMoment;
  history.replaceState(null, "", "/");
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/api/v1/session", { method: "POST", headers, body: JSON.stringify({ code }) });
  if (answer.ok) location.replace("/");
  else state.textContent = told;
}
