// The page of a workspace: files and folders are dropped or picked and sent as they are; jobs are told.
const drop = document.querySelector("#drop");
const workspace = drop.dataset.workspace;
const place = `/api/v1/workspaces/${workspace}/files`;
const sending = document.querySelector("#sending");
const bar = document.querySelector("#sent");
const announced = document.querySelector("#announced");
const MOST_NAMED = 500; // files in one request
const AT_ONCE = 2; // files that are sent at the same time
const TOLD_EVERY = 5000; // milliseconds between two words to a screen reader

const said = (name, values) => drop.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

// -- what was dropped or picked: [path, file] ---------------------------------------------------------------

const entriesOf = async (folder) => {
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // at most 100 at a time
    if (some.length === 0) return found;
    found.push(...some);
  }
};

const filesUnder = async (entry) => {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [[entry.fullPath.replace(/^\//, ""), file]];
  }
  const found = [];
  for (const one of await entriesOf(entry)) found.push(...(await filesUnder(one)));
  return found;
};

const dropped = async (data) => {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean); // before any await
  if (entries.length === 0) return [...data.files].map((file) => [file.name, file]);
  const found = [];
  for (const entry of entries) found.push(...(await filesUnder(entry)));
  return found;
};

const isHidden = ([path]) => path.split("/").some((name) => name.startsWith(".") || name === "Thumbs.db");

// -- sending ------------------------------------------------------------------------------------------------

class NotSent extends Error {}

const asked = (body) =>
  fetch(place, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// Files are named all or none: one that is refused is left out, and the others are named again.
const named = async (some, outcome) => {
  let left = some;
  while (left.length > 0) {
    const answer = await asked({ files: left.map(([path, file]) => ({ name: path, bytes: file.size })) });
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told.files.map((one, at) => [one.file, left[at][1]]);
    if (answer.status === 409) throw new NotSent("busyNow");
    if (answer.status === 413) throw new NotSent("full");
    const wrong = /^files\[(\d+)\]/.exec(told.field ?? "");
    if (answer.status !== 422 || !wrong) throw new NotSent("notSent");
    left = left.filter((_, at) => at !== Number(wrong[1]));
    outcome.refused += 1;
  }
  return [];
};

// The bytes of a file. A request of this kind alone tells how much has gone.
const sent = (id, file, gone) =>
  new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `${place}/${id}/content`);
    request.upload.addEventListener("progress", (event) => gone(event.loaded));
    request.addEventListener("loadend", () => done(request.status));
    request.send(file);
  });

const tell = (text) => { sending.textContent = text; };

const sendAll = async (found) => {
  const files = found.filter((one) => !isHidden(one));
  const outcome = { done: 0, refused: 0, failed: 0, hidden: found.length - files.length };
  if (files.length === 0) {
    tell(drop.dataset.nothing);
    return;
  }
  const bytes = Math.max(1, files.reduce((sum, [, file]) => sum + file.size, 0));
  let gone = 0, toldAt = 0;
  bar.hidden = false;
  bar.value = 0;
  const told = () => {
    bar.value = gone / bytes;
    if (Date.now() - toldAt < TOLD_EVERY) return;
    toldAt = Date.now();
    tell(said("going", { done: outcome.done, total: files.length }));
  };
  told();
  let ended = null;
  try {
    for (let at = 0; at < files.length; at += MOST_NAMED) {
      const waiting = await named(files.slice(at, at + MOST_NAMED), outcome);
      const worker = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [id, file] = next;
          let before = 0;
          const status = await sent(id, file, (loaded) => {
            gone += Math.min(loaded, file.size) - before;
            before = Math.min(loaded, file.size);
            told();
          });
          gone += file.size - before;
          if (status === 204) outcome.done += 1;
          else if (status === 415 || status === 422) outcome.refused += 1;
          else outcome.failed += 1;
          told();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    }
  } catch (error) {
    ended = error instanceof NotSent ? error.message : "notSent";
  }
  bar.hidden = true;
  const lines = ended ? [drop.dataset[ended]] : [];
  if (outcome.done > 0 || !ended) lines.push(said("done", outcome));
  for (const name of ["refused", "hidden", "failed"]) {
    if (outcome[name] > 0) lines.push(said(name, { count: outcome[name] }));
  }
  tell(lines.join(" "));
  await htmx.ajax("GET", `/workspaces/${workspace}/state`, { target: "#state", swap: "outerHTML" });
};

// One lot after the other: what comes meanwhile waits.
let last = Promise.resolve();
const send = (finding) => { last = last.then(async () => sendAll(await finding)).catch(() => tell(drop.dataset.notSent)); };

for (const button of drop.querySelectorAll("[data-pick]")) {
  const input = drop.querySelector(button.dataset.pick);
  button.addEventListener("click", () => input.click());
  const picked = () => {
    send([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
    input.value = "";
  };
  input.addEventListener("change", picked);
  if (input.files.length > 0) picked(); // before this page was ready
}

// A file that misses the place must not open in the page's stead.
addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.toggle("over", drop.contains(event.target));
});
addEventListener("dragleave", () => drop.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (drop.contains(event.target)) send(dropped(event.dataTransfer));
});
addEventListener("beforeunload", (event) => { if (!bar.hidden) event.preventDefault(); });

// -- what changed -------------------------------------------------------------------------------------------

let announcement = document.querySelector("#state").dataset.announce;
document.addEventListener("htmx:after:swap", () => {
  const state = document.querySelector("#state");
  if (state.dataset.announce !== announcement) {
    announcement = state.dataset.announce;
    announced.textContent = announcement.trim();
  }
  // Who pressed a button that is gone goes on at what came of it.
  if (document.activeElement === document.body) {
    (document.querySelector("#problem [data-outcome]") ?? state.querySelector("[data-outcome]"))?.focus();
  }
});
document.addEventListener("htmx:before:request", (event) => {
  if (event.target.closest?.("form")) document.querySelector("#problem").replaceChildren();
});
drop.dataset.ready = "";
