/** Notation in and out: the moves with their variations as a text to copy, paste, save and load; the board as text. */

import { post, sentence } from "./api.js";
import { button, icon, make } from "./elements.js";
import { emptyTree, lineAfter, treeOfSteps, treeWords } from "./moves.js";
import { visit } from "./position.js";

/** A game as a text: what it is, how it ended, and its moves. */
export function recordText(place, position) {
  const result = position?.over && !place.ahead.length ? `[Result "${position.result}"]\n` : "";
  return `[Game "${place.game}"]\n${result}\n${treeWords(place.tree || emptyTree())}\n`;
}

/** Show the panel for the game at a place. */
export function openNotation(place, position, say) {
  document.querySelector("dialog.notation")?.remove();
  const panel = new NotationPanel(place, position, say);
  document.body.append(panel.dialog);
  panel.dialog.showModal();
}

class NotationPanel {
  constructor(place, position, say) {
    Object.assign(this, { place, position, say });
    this.text = make("textarea", { id: "record-text", rows: "8", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    this.text.value = recordText(place, position);
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.file = make("input", { type: "file", accept: ".txt,.pgn,text/plain", hidden: true, onchange: () => this.load() });
    const board = position?.notation || position?.text || "";
    this.board = make("pre", { class: "board-as-text", tabindex: "0" }, board);
    this.dialog = make("dialog", { class: "dialog notation", "aria-labelledby": "notation-title" },
      make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "notation-title" }, "Notation"),
        make("button", { class: "tool", "aria-label": "Close" }, icon("close"))),
      make("form", { class: "dialog-body", onsubmit: (event) => this.submit(event) },
        make("div", { class: "field" }, make("label", { for: "record-text" }, "Moves, with variations in parentheses"), this.text),
        make("div", { class: "row" },
          button("Copy the moves", { onclick: () => this.copy(this.text.value, "The moves are copied.") }),
          button("Save a file", { onclick: () => this.save() }),
          button("Load a file", { onclick: () => this.file.click() }), this.file),
        make("p", { class: "field-help" }, "Paste a list of moves here, or a position as FEN for a chess endgame, and open it."),
        this.notice,
        make("div", { class: "field" }, make("strong", {}, position?.notation ? "The board as FEN" : "The board as text"), this.board),
        make("div", { class: "row" }, button("Copy the board", { onclick: () => this.copy(board, "The board is copied.") })),
        make("div", { class: "dialog-foot" }, make("button", { class: "button primary", type: "submit" }, "Open these moves"))));
    this.dialog.addEventListener("close", () => this.dialog.remove());
  }

  async copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(words);
      this.tell(words, "status");
    } catch {
      this.tell("The browser does not let this page copy: select the text and copy it yourself.");
    }
  }

  save() {
    const link = make("a", { download: `${this.place.game.replace(/[^a-z0-9]+/gi, "-")}.txt` });
    link.href = URL.createObjectURL(new Blob([this.text.value], { type: "text/plain" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async load() {
    const [file] = this.file.files;
    if (!file) return;
    if (file.size > 60_000) this.tell("This file is too large for a list of moves: choose another.");
    else this.text.value = await file.text();
  }

  async submit(event) {
    event.preventDefault();
    try {
      const named = /^\s*\[Game\s+"([^"]+)"\s*\]\s*$/im.exec(this.text.value)?.[1];
      const { game, steps } = await post("/api/record", { game: named || this.place.game, text: this.text.value });
      const tree = treeOfSteps(steps);
      this.dialog.close();
      visit({ ...this.place, game, tree, moves: lineAfter(tree), ahead: [], review: "" });
    } catch (error) {
      this.tell(sentence(error));
    }
  }

  tell(words, role = "alert") {
    this.notice.setAttribute("role", role);
    this.notice.textContent = words;
    this.notice.hidden = false;
  }
}
