/* A part of the page that cannot be loaded is said so: without it the page would stay blank. Run before everything else. */
(() => {
  const tell = () => {
    if (document.querySelector("#unloaded")) return;
    const words = document.createElement("p");
    words.id = "unloaded";
    words.className = "notice";
    words.setAttribute("role", "alert");
    words.textContent = "A part of this page could not be loaded: the server is busy or has gone. ";
    const again = document.createElement("button");
    again.type = "button";
    again.className = "button";
    again.textContent = "Load it again";
    again.addEventListener("click", () => location.reload());
    words.append(again);
    document.querySelector("main").prepend(words);
  };
  const tellSoon = () => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", tell);
    else tell();
  };
  addEventListener("error", (event) => {
    if (event.target instanceof HTMLScriptElement) tellSoon();
  }, true);
  addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof TypeError && /module/.test(event.reason.message)) tellSoon();
  });
})();
