// A receipt that is shown can be kept as a file.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-keep]");
  if (!button) return;
  const text = button.closest("section").querySelector("[data-receipt]").textContent;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = button.dataset.keep;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
