// Before anything is drawn: the theme that the reader chose. Nothing else of a reader is kept in the browser.
(() => {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
