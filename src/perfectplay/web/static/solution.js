/** What a tablebase says of a position: a switch for it, a sentence, every move by its outcome, and a legend. */

import { post, sentence } from "./api.js";
import { make } from "./elements.js";
import { visit } from "./position.js";
import { counted, signed } from "./wording.js";

const OUTCOMES = { // to the player to move: the letter, and what such a move does
  win: ["W", "wins"], tie: ["T", "ties"], loss: ["L", "loses"], draw: ["D", "draws"],
};
const REMEMBERED = 300; // positions

const known = new Map();

/** What the tablebase says of the position after some moves; nothing where it does not have that position. */
export async function solutionAfter(game, moves) {
  const name = JSON.stringify([game, moves]);
  if (!known.has(name)) {
    const solution = await post("/api/tablebase", { game, moves });
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value);
    known.set(name, solution);
  }
  return known.get(name);
}

/** The moves as marks for a board: "W5" on one that wins in five plies. */
export function solvedMarks({ moves }) {
  return moves.map((move, index) => ({ ...move, exact: true, rank: -index, text: shortly(move), words: inWords(move) }));
}

/** "wins in 5 plies, best". */
export function inWords({ outcome, value, remoteness, best }) {
  const words = outcome === "draw" ? "draws, for nobody can force an end"
    : `${OUTCOMES[outcome][1]} in ${plies(remoteness)}`;
  return [words, isPlain(value) ? "" : `worth ${signed(value)}`, best ? "best" : ""].filter(Boolean).join(", ");
}

/** A table of every move with its outcome, the best first. @param {(action: string) => void} [onPlay] */
export function solvedTable({ moves }, onPlay) {
  const worth = moves.some(({ value }) => !isPlain(value));
  const heads = ["Move", "Outcome", "Plies", ...(worth ? ["Value"] : [])];
  return make("table", { class: "values solved-moves" },
    make("caption", {}, "What every move leads to, for who makes it"),
    make("thead", {}, make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, ...moves.map((move) => solvedRow(move, worth, onPlay))));
}

function solvedRow(move, worth, onPlay) {
  const { action, outcome, remoteness, value, best } = move;
  const play = make("button", { type: "button", class: "ply", disabled: !onPlay, "aria-label": `${action}: ${inWords(move)}`,
    onclick: () => onPlay(action) }, action);
  return make("tr", { class: best ? "best" : null }, make("th", { scope: "row" }, play),
    make("td", {}, chip(outcome), ` ${outcome}`, best ? make("span", { class: "star" }, " ★ best") : null),
    make("td", { class: "value" }, remoteness === null ? "no end" : String(remoteness)),
    worth ? make("td", { class: "value" }, signed(value)) : null);
}

/** The switch of a view, and what there is to see while it is on; it is hidden where there is no tablebase. */
export class SolutionPanel {
  /** `usual`: is it on until somebody says otherwise? `here` is where the view is, and `content` what it adds. */
  constructor(say, usual, here, content = null) {
    Object.assign(this, { say, usual, here });
    this.place = null;
    this.on = false;
    this.words = make("p", { class: "solved-words" });
    this.switch = make("button", { type: "button", role: "switch", class: "switch", "aria-checked": "false",
      "aria-label": "Tablebase", "aria-keyshortcuts": "T", title: "Show how every move ends (T)",
      onclick: () => this.toggle() });
    this.details = make("div", { class: "solved-details", hidden: true }, this.words, content, legend());
    this.element = make("div", { class: "panel solved", hidden: true },
      make("div", { class: "solved-head" }, make("h2", {}, "Tablebase"), this.switch), this.details);
  }

  isWanted({ tablebase }) {
    return tablebase ? tablebase === "yes" : this.usual;
  }

  toggle() {
    if (this.element.hidden) return;
    const place = this.here();
    const on = !this.isWanted(place);
    this.spoken = on; // whoever turns it on hears what it says
    visit({ ...place, tablebase: on ? "yes" : "no" }, { replace: true });
  }

  /** Show what it says of a position, if it is on; that, or nothing where there is none or another place by now. */
  async show(place, position) {
    this.place = place;
    this.element.hidden = !position?.tablebase;
    this.on = !this.element.hidden && this.isWanted(place);
    this.switch.setAttribute("aria-checked", String(this.on));
    this.details.hidden = !this.on;
    if (!this.on) return null;
    try {
      const solution = await solutionAfter(place.game, place.moves);
      if (this.place !== place) return null;
      this.tell(solution.sentence);
      return solution.known ? solution : null;
    } catch (error) {
      if (this.place === place) this.tell(sentence(error));
      return null;
    }
  }

  tell(words) {
    this.words.textContent = words;
    if (this.spoken) this.say(words);
    this.spoken = false;
  }
}

function legend() {
  return make("div", { class: "legend" },
    make("ul", {}, ...Object.keys(OUTCOMES).map((outcome) => make("li", {}, chip(outcome), ` ${outcome}`))),
    make("p", {}, "For who moves. The number: plies to the end. ★ is best."));
}

function chip(outcome) {
  return make("span", { class: `chip-outcome is-${outcome}`, "aria-hidden": "true" }, OUTCOMES[outcome][0]);
}

function shortly({ outcome, remoteness }) {
  return `${OUTCOMES[outcome][0]}${remoteness ?? ""}`;
}

function plies(count) {
  return counted(count, "ply").replace(/plys$/, "plies");
}

/** Does a value say no more than the outcome? */
function isPlain(value) {
  return value === null || Math.abs(value) <= 1;
}
