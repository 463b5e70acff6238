/** A match on the page: its board, the moves so far, a field to type the next one, and the ways through them. */

import { sentence } from "./api.js";
import { button, make } from "./elements.js";
import { positionAfter, visit, writePlace } from "./position.js";
import { recordItems } from "./record.js";
import { Prompt } from "./prompt.js";
import { openSetup } from "./setup.js";
import { resultWords, sideWords } from "./sides.js";
import { sound } from "./sound.js";
import { takenApart } from "./wording.js";
import { drawBoard, drawText } from "/theatre/board.js";

const HOVER = 140; // milliseconds before what a move does is shown

export class Match {
  /** `keepsAhead`: does a move that was taken back stay in the list when it is made again? */
  constructor(catalogue, say, { keepsAhead = false } = {}) {
    Object.assign(this, { catalogue, say, keepsAhead });
    this.place = null;
    this.loaded = null; // the place whose position is shown
    this.position = null;
    this.board = null;
    this.playable = false;
    this.marks = [];
    this.signOf = () => null; // what is said of the move that leads to a position
    this.prompt = new Prompt(say);
    this.title = make("h1", {});
    this.settings = make("p", { class: "settings" });
    this.frame = make("div", { class: "frame" });
    this.list = make("div", { class: "legal", role: "group", "aria-label": "Legal moves" });
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.record = make("ol", { class: "record", "aria-label": "Moves so far" });
    this.entry = this.makeEntry();
    this.stage = this.makeStage();
  }

  makeStage() {
    return make("section", { class: "stage stage-waiting", "aria-label": "Board" },
      make("div", { class: "stage-head" }, make("div", { class: "stage-title" }, this.title, this.settings),
        button("New game", { drawing: "new", key: "N", onclick: () => this.setUp() })),
      this.prompt.element, make("div", { class: "frame-scroll" }, this.frame), this.list, this.notice);
  }

  makeEntry() {
    this.typed = make("input", { name: "move", id: "typed-move", autocomplete: "off", autocapitalize: "off",
      spellcheck: "false", maxlength: "32", "aria-keyshortcuts": "M", disabled: true }); // until there is a position
    const enter = (event) => {
      event.preventDefault();
      this.enter(this.typed.value.trim());
    };
    return make("form", { class: "entry", onsubmit: enter },
      make("label", { for: "typed-move" }, "Type a move"), this.typed,
      make("button", { class: "button", type: "submit", disabled: true }, "Move"));
  }

  /** The buttons that every match has. */
  tools() {
    this.undoButton = button("Undo", { drawing: "undo", key: "U", onclick: () => this.undo(), disabled: true });
    this.redoButton = button("Redo", { drawing: "redo", key: "R", onclick: () => this.redo(), disabled: true });
    this.flipButton = button("Flip", { drawing: "flip", key: "F", onclick: () => this.flip(), disabled: true });
    this.linkButton = button("Link", { drawing: "link", key: "L", onclick: () => this.copyLink() });
    return [this.undoButton, this.redoButton, this.flipButton, this.linkButton];
  }

  keys() {
    return {
      U: () => this.undo(), R: () => this.redo(), F: () => this.flip(), L: () => this.copyLink(),
      N: () => this.setUp(), B: () => this.focusBoard(), M: () => this.typed.focus(),
    };
  }

  /** Get the position of a place and show it; true if it is a new one and nothing else came in between. */
  async load(place) {
    const same = this.shows(place) && place.ahead.length === this.loaded.ahead.length;
    this.place = place;
    if (same) {
      this.loaded = place;
      this.draw();
      return false;
    }
    this.tell("");
    this.entitle();
    try {
      const position = await positionAfter(place.game, place.moves);
      if (this.place !== place) return false;
      if (this.loaded?.game === place.game && place.moves.length === this.loaded.moves.length + 1) sound(position.over ? "end" : "move");
      Object.assign(this, { position, loaded: place, marks: [], playable: false });
    } catch (error) {
      if (this.place === place) this.fail(error);
      return false;
    }
    this.describe();
    return true;
  }

  /** Is the position that is shown that of a place, however it is looked at? */
  shows(place) {
    const told = (each) => writePlace({ ...each, flipped: false, tablebase: "", review: "", tree: null });
    return this.position !== null && this.loaded !== null && told(place) === told(this.loaded);
  }

  /** Say what went wrong, in place of a position. */
  fail(error) {
    this.position = null;
    this.board = null;
    this.describe();
    this.prompt.show(this.place, null, {});
    this.frame.replaceChildren();
    this.list.replaceChildren();
    this.tell(sentence(error));
  }

  /** Name the game, before its board is here. */
  entitle() {
    const [name, settings] = takenApart(this.place.game);
    const game = this.catalogue.games.find((each) => each.name === name);
    this.title.textContent = game?.title || name;
    const told = Object.entries(settings).map(([key, value]) => make("span", { class: "chip" }, `${key} ${value}`));
    this.settings.replaceChildren(...told);
  }

  describe() {
    this.stage.classList.remove("stage-waiting");
    this.entitle();
    this.drawRecord();
    if (this.undoButton) {
      this.undoButton.disabled = !this.position || !this.place.moves.length;
      this.redoButton.disabled = !this.position || !this.place.ahead.length;
      this.flipButton.disabled = !this.position?.scene;
    }
    const off = !this.position || this.position.over;
    for (const control of this.entry.elements) control.disabled = off;
    this.typed.placeholder = off ? "" : `for example ${this.position.actions[0]}`;
    this.typed.value = "";
  }

  /** Draw the board again, with the same position. */
  draw({ playable = this.playable, marks = this.marks } = {}) {
    Object.assign(this, { playable, marks });
    if (!this.position) return;
    const { scene, previous, text } = this.position;
    if (scene) {
      this.board = drawBoard(this.frame, scene, {
        onAction: playable ? (action) => this.play(action) : undefined,
        onSelect: (places, action) => this.chosen(places, action),
        onRefuse: (places) => this.prompt.refuse(places),
        onHover: (action) => this.foresee(action),
        marks, last: previous, flipped: this.place.flipped, label: this.boardWords(),
      });
      this.frame.style.setProperty("--shape", String(scene.width / scene.height));
      this.frame.style.setProperty("--cells", String(scene.width));
      this.list.replaceChildren();
    } else {
      drawText(this.frame, text, this.boardWords());
      this.drawList(playable);
    }
    this.frame.classList.toggle("frame-text", !scene);
    this.prompt.show(this.place, this.position, { playable, mine: ["max", "min"].includes(this.place.side) });
  }

  /** Places were chosen that moves begin with: what they have in common is shown, a man that was set, say. */
  async chosen(places, action) {
    this.prompt.choose(places);
    const { board, place } = this;
    if (!places.length || action === null) return;
    const next = await positionAfter(place.game, [...place.moves, action]).catch(() => null);
    if (this.board === board && board.chosen.join() === places.join() && next?.scene) board.preview(next.scene, places);
  }

  /** Show on the board what a move would do, once somebody points at it for a moment. */
  foresee(action) {
    clearTimeout(this.foreseeing);
    const { board, place } = this;
    board?.preview(null);
    if (action === null) return;
    this.foreseeing = setTimeout(async () => {
      const next = await positionAfter(place.game, [...place.moves, action]).catch(() => null);
      if (this.board === board && board.hovered === action) board.preview(next?.scene ?? null);
    }, HOVER);
  }

  /** Write other values on the moves. */
  mark(marks) {
    this.marks = marks;
    if (this.board && this.position?.scene) this.board.mark(marks);
    else this.draw();
  }

  boardWords() {
    const { to_move: side, over } = this.position;
    return `The board of ${this.title.textContent}, ${over ? resultWords(this.position) : `${sideWords(this.position, side)} to move`}`;
  }

  drawList(playable) {
    const marks = new Map(this.marks.map((mark) => [mark.action, mark]));
    this.list.replaceChildren(...this.position.actions.map((action) => {
      const mark = marks.get(action);
      const kind = mark ? ` ${mark.exact ? "exact" : "guess"}${mark.best ? " best" : ""}${mark.outcome ? ` is-${mark.outcome}` : ""}` : "";
      const value = mark ? make("span", { class: "legal-value" }, `${mark.best ? "★" : ""}${mark.exact ? "" : "≈"}${mark.text}`) : null;
      const label = mark?.outcome ? `${action}: ${mark.words}` : null;
      return make("button", { type: "button", class: `move${kind}`, disabled: !playable, "aria-label": label,
        onclick: () => this.play(action) }, action, value);
    }));
  }

  drawRecord() {
    const onGo = (moves, ahead) => visit({ ...this.place, moves, ahead });
    this.record.replaceChildren(...recordItems(this.place, { variations: this.keepsAhead, onGo, signOf: (moves) => this.signOf(moves) }));
    const current = this.record.querySelector('[aria-current="step"]');
    if (current) this.record.scrollTop = Math.max(0, current.offsetTop - this.record.clientHeight / 2);
  }

  /** Is the board that is shown that of the place we are at? Not while the next position is on its way. */
  get isCurrent() {
    return this.position !== null && this.place.moves.join(" ") === this.position.moves.join(" ");
  }

  /** Make a legal move. */
  play(action) {
    if (!this.isCurrent) return;
    const { moves, ahead } = this.place;
    const left = this.keepsAhead && ahead[0] === action ? ahead.slice(1) : [];
    visit({ ...this.place, moves: [...moves, action], ahead: left });
  }

  /** Make a move that was typed, if it is one. */
  async enter(text) {
    const { place } = this;
    if (!text || !this.isCurrent) return;
    try {
      const after = await positionAfter(place.game, [...place.moves, text]);
      if (this.place === place) this.play(after.moves.at(-1));
    } catch (error) {
      this.tell(sentence(error));
      this.typed.select();
    }
  }

  goTo(ply) {
    const all = [...this.place.moves, ...this.place.ahead];
    visit({ ...this.place, moves: all.slice(0, ply), ahead: all.slice(ply) });
  }

  /** Whose positions undo and redo stop at: a view with an opponent stops at one's own. */
  stopsAt() {
    return true;
  }

  async undo() {
    const { game, moves } = this.place;
    if (!moves.length || !this.position) return;
    for (let ply = moves.length - 1; ply >= 0; ply -= 1) {
      if (this.stopsAt(await positionAfter(game, moves.slice(0, ply)))) return this.goTo(ply);
    }
    this.goTo(moves.length - 1);
  }

  async redo() {
    const { game, moves, ahead } = this.place;
    if (!ahead.length || !this.position) return;
    const all = [...moves, ...ahead];
    for (let ply = moves.length + 1; ply < all.length; ply += 1) {
      if (this.stopsAt(await positionAfter(game, all.slice(0, ply)))) return this.goTo(ply);
    }
    this.goTo(all.length);
  }

  flip() {
    if (this.position?.scene) visit({ ...this.place, flipped: !this.place.flipped }, { replace: true });
  }

  setUp() {
    openSetup(this.catalogue, this.place);
  }

  focusBoard() {
    if (this.board && this.position?.scene) this.board.focus();
    else (this.list.querySelector("button") || this.frame.firstElementChild)?.focus();
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.linkButton.classList.add("done");
      this.say("The link to this position is copied.");
      setTimeout(() => this.linkButton.classList.remove("done"), 1500);
    } catch {
      this.tell(`Copy this link: ${location.href}`);
    }
  }

  /** A sentence under the board, or none. */
  tell(words) {
    this.notice.textContent = words;
    this.notice.hidden = !words;
  }
}
