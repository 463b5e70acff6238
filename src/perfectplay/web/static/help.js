/** Keys: which there are, a panel that lists them, and a switch for those who type with more than keys. */

import { icon, make } from "./elements.js";

const KEYS = [
  ["U", "undo: take the last move back"],
  ["R", "redo: make it again"],
  ["H", "hint: the best move"],
  ["T", "tablebase: how every move ends, where there is one"],
  ["S", "stop, or go on"],
  ["F", "flip the board"],
  ["N", "new game"],
  ["B", "go to the board"],
  ["M", "type a move"],
  ["L", "copy the link to this position"],
  ["X", "notation: copy, paste, save and load the moves"],
  ["?", "this panel"],
];
const BOARD_KEYS = [
  ["← ↑ → ↓", "from one place to the next"],
  ["Enter", "choose a piece, choose where it goes"],
  ["Esc", "give up what was chosen"],
];

let single = remembered();

/** Let single keys call what the current view offers: an object from a key to a function. */
export function addShortcuts(offered) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) return;
    const action = event.key === "?" ? openHelp : single && offered()[event.key.toUpperCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Does a key belong to a field or a panel? Not to one that is closed, which keeps the focus until it is removed. */
function isTyping(target) {
  if (target.closest?.("dialog:not([open])")) return false;
  return Boolean(target.closest?.("input, select, textarea, dialog, [contenteditable]"));
}

/** Show the panel. */
export function openHelp() {
  const panel = make("dialog", { class: "dialog help", "aria-labelledby": "help-title" });
  const box = make("input", { type: "checkbox", id: "single-keys", onchange: () => remember(box.checked) });
  box.checked = single;
  panel.append(
    make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "help-title" }, "Keys"),
      make("button", { class: "tool", "aria-label": "Close" }, icon("close"))),
    make("div", { class: "dialog-body" }, keyList(KEYS), make("h3", {}, "On the board"), keyList(BOARD_KEYS),
      make("div", { class: "check" }, box, make("label", { for: "single-keys" }, "Use single keys"))),
  );
  panel.addEventListener("close", () => panel.remove());
  document.body.append(panel);
  panel.showModal();
}

function keyList(keys) {
  return make("dl", { class: "keys" }, ...keys.flatMap(([key, words]) =>
    [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]));
}

function remembered() {
  try {
    return localStorage.getItem("perfectplay-keys") !== "no";
  } catch {
    return true;
  }
}

function remember(wanted) {
  single = wanted;
  try {
    localStorage.setItem("perfectplay-keys", wanted ? "yes" : "no");
  } catch {
    // then it holds for this page only
  }
}
