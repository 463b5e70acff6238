/* Light or dark: as the system has it, or as the visitor last chose. Run before the page is drawn, so that it does not flash. */
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("perfectplay-theme");
    } catch {
      return null; // storage may be forbidden
    }
  };
  const chosen = kept();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const isDark = () => getComputedStyle(root).colorScheme === "dark"
    || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-switch]")) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("perfectplay-theme", root.dataset.theme);
    } catch {
      // then it holds for this page only
    }
  });
})();
