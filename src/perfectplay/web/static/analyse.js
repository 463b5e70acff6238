/** Analyse: what every move of a position is worth, deeper and deeper, and how a game went. */

import { isAbort, sentence, stream } from "./api.js";
import { button, choice, make, sideSign } from "./elements.js";
import { Match } from "./match.js";
import { lineAfter } from "./moves.js";
import { openNotation } from "./notation.js";
import { amend, visit, writePlace } from "./position.js";
import { judgementSign, ReviewPanel } from "./review.js";
import { resultWords, sideColour, sideName } from "./sides.js";
import { SolutionPanel } from "./solution.js";
import { byValue, chip, isProven, valueMarks, valueTable, valueTitle, verdictOf } from "./values.js";
import { counted, lasting, short, waitingWords } from "./wording.js";

const TIMES = ["1", "3", "10", "30", "60"];
const BALANCE = { win: 1, tie: 0.5, draw: 0.5, loss: 0 }; // of what a tablebase says

/** @param {HTMLElement} main @param {any} catalogue @param {(words: string) => void} say */
export function openAnalyse(main, catalogue, say) {
  return new AnalyseView(main, catalogue, say);
}

class AnalyseView {
  constructor(main, catalogue, say) {
    this.say = say;
    this.running = null;
    this.found = null;
    this.paused = false;
    this.match = new Match(catalogue, say, { keepsAhead: true });
    this.go = button("Stop", { drawing: "stop", key: "S", class: "button primary", onclick: () => this.toggle() });
    this.time = choice("time", TIMES.map((time) => [time, `${time} s`]), "10");
    this.time.setAttribute("aria-label", "Time to think");
    this.words = make("p", { class: "turn-words" });
    this.bar = makeBar();
    this.facts = make("dl", { class: "facts" });
    this.line = make("p", { class: "line" });
    this.values = make("div", { class: "values-frame", tabindex: "0", role: "group", "aria-label": "Values of the moves" });
    this.moves = make("div", { class: "panel every-move" }, make("h2", {}, "Every move"), this.values, make("h2", {}, "Best line"), this.line, this.facts);
    this.table = new SolutionPanel(say, true, () => this.place);
    this.search = make("div", { class: "row" }, this.go, this.time);
    this.review = new ReviewPanel(say, {
      goTo: (ply) => this.goTo(ply), tryLine: (ply, line) => this.tryLine(ply, line),
      begin: () => visit({ ...this.place, review: "yes" }, { replace: true }), changed: () => this.match.drawRecord(),
    });
    this.match.signOf = (moves) => judgementSign(this.review.judgementOf(moves));
    const notation = button("Notation", { drawing: "text", key: "X", onclick: () => this.openNotation() });
    main.append(this.match.stage, make("aside", { class: "side", "aria-label": "Analysis" },
      make("div", { class: "panel" }, this.bar.element, make("div", { class: "search-row" }, this.words, this.search)),
      make("div", { class: "tools", role: "group", "aria-label": "Tools" }, ...this.match.tools(), notation),
      make("div", { class: "panel" }, make("h2", {}, "Moves"), this.match.record, this.match.entry),
      this.review.element, this.table.element, this.moves));
  }

  close() {
    this.stop();
    this.review.close();
  }

  keys() {
    return { ...this.match.keys(), S: () => this.toggle(), T: () => this.table.toggle(), X: () => this.openNotation() };
  }

  async show(place) {
    this.place = place;
    const before = this.match.position;
    const switched = this.table.place && this.table.isWanted(place) !== this.table.isWanted(this.table.place);
    if (!(await this.match.load(place)) && !(switched && this.place === place && this.match.shows(place))) {
      if (!this.match.position) this.rest("No position");
      if (!this.match.position || this.match.position !== before) this.stop();
      if (this.place === place) this.showReview();
      return;
    }
    this.stop();
    this.found = null;
    const { position } = this.match;
    this.match.draw({ playable: !position.over });
    this.draw();
    this.showReview();
    const solution = await this.table.show(place, position);
    if (!this.isStillAt(place)) return;
    if (position.over) this.rest(""); // the headline says how
    else if (solution) this.solve(solution);
    else if (this.paused) this.rest("Stopped.");
    else await this.think(Number(this.time.value));
  }

  /** The line of the game: what was played, whatever variation is looked at. */
  get game() {
    return lineAfter(this.place.tree);
  }

  /** Review the game where somebody wants that, where it is over, and where a tablebase knows all anyway. */
  showReview() {
    const { position } = this.match;
    if (!position) return;
    if (position.over && this.place.review !== "yes") {
      this.place = { ...this.place, review: "yes" };
      this.match.place = this.place;
      amend(this.place); // so that the address that is shared shows it, too
    }
    const { game, moves, side, review } = this.place;
    const line = this.game;
    const apart = moves.findIndex((move, index) => move !== line[index]);
    const solved = position.tablebase && this.table.isWanted(this.place);
    this.review.show(game, line, { wanted: review === "yes" || solved, current: apart < 0 ? moves.length : apart,
      onLine: apart < 0, names: position.names, side,
      dice: position.dice, colours: position.scene?.colours ?? "" });
  }

  goTo(ply) {
    const line = this.game;
    visit({ ...this.place, moves: line.slice(0, ply), ahead: line.slice(ply) });
  }

  /** Look at another way to go on from a position of the game, as a variation. */
  tryLine(ply, line) {
    visit({ ...this.place, moves: [...this.game.slice(0, ply), line[0]], ahead: line.slice(1) });
  }

  openNotation() {
    openNotation(this.place, this.match.position, this.say);
  }

  /** Is the view at a place even now, flipped or not? */
  isStillAt(place) {
    const told = (each) => writePlace({ ...each, flipped: false, review: "", tree: null });
    return this.match.shows(place) && told(place) === told(this.place);
  }

  /** What a tablebase says takes the place of a search. */
  solve(solution) {
    const toMover = BALANCE[solution.outcome];
    const balance = this.match.position.to_move === "MAX" ? toMover : 1 - toMover;
    this.found = { ...solution, balance, exact: true, solved: true };
    this.draw();
    this.rest("Known from the tablebase: no search is needed.");
    this.say(solution.sentence);
  }

  toggle() {
    if (this.go.disabled) return;
    if (this.running) {
      this.paused = true;
      this.stop();
      this.rest(this.found ? `Stopped at depth ${this.found.depth}.` : "Stopped.");
    } else {
      this.paused = false;
      // To go on is to think longer than it took to get here; what is known stays until more is.
      this.think(Math.min(60, Math.max(Number(this.time.value), 2 * (this.found?.seconds || 0))));
    }
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  rest(words) {
    const { position } = this.match;
    this.words.textContent = words;
    this.words.hidden = !words;
    if (words) this.say(words);
    const over = !position || position.over || this.found?.exact;
    this.setButton(this.found?.exact ? "Solved" : this.found ? "Go on" : "Go", this.found?.exact ? "done" : "play");
    this.go.disabled = Boolean(over);
  }

  setButton(words, drawing) {
    const fresh = button(words, { drawing, key: "S" });
    this.go.replaceChildren(...fresh.childNodes);
    this.go.title = fresh.title;
  }

  async think(seconds) {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const { game, moves } = this.place;
    this.setButton("Stop", "stop");
    this.go.disabled = false;
    this.tell("Starting…");
    const onEvent = (name, data) => {
      if (this.running !== running) return;
      if (name === "depth") this.take(data);
      else this.tell(`${waitingWords(name, data, "Thinking")}…`);
    };
    try {
      const done = await stream("/api/analyse", { game, moves, seconds }, { signal: running.signal, onEvent });
      if (this.running !== running) return;
      this.running = null;
      this.take(done);
      this.rest(endWords(done));
    } catch (error) {
      if (isAbort(error) || this.running !== running) return;
      this.running = null;
      this.match.tell(sentence(error));
      this.rest("The analysis has ended.");
    }
  }

  tell(words) {
    this.words.hidden = false;
    this.words.replaceChildren(make("span", { class: "spinner", "aria-hidden": "true" }), words);
  }

  /** Take what a depth brought, unless a longer search has already brought more. */
  take(found) {
    if (!found.moves || (this.found && found.depth < this.found.depth && !found.exact)) return;
    this.found = found;
    if (this.running) this.tell(`Thinking, depth ${found.depth}…`);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { found } = this;
    const { position } = this.match;
    if (position) this.bar.show(found, position);
    this.search.hidden = Boolean(found?.solved) || Boolean(position?.over);
    this.moves.hidden = Boolean(position?.over);
    this.facts.replaceChildren(...(found && !found.solved ? facts(found) : []));
    this.line.replaceChildren(...(found ? this.lineButtons(found.line) : []));
    const moves = found?.solved ? found.moves : [...(found?.moves || [])].sort(byValue);
    this.values.replaceChildren(valueTable(moves, (action) => this.match.play(action)));
    if (position) this.match.mark(valueMarks(moves));
  }

  lineButtons(line) {
    const { moves } = this.place;
    return line.map((move, index) => make("button", { type: "button", class: "ply",
      onclick: () => visit({ ...this.place, moves: [...moves, ...line.slice(0, index + 1)], ahead: line.slice(index + 1) }) },
    make("span", { class: "ply-number" }, `${moves.length + index + 1}.`), move));
  }
}

function facts({ depth, nodes, seconds, speed, compiled, why_not: why }) {
  const pairs = [["Depth", String(depth)], ["Nodes", short(nodes)], ["Time", lasting(seconds)],
    ["Speed", `${short(speed)}/s`]];
  const told = pairs.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  if (!compiled && why) told.push(make("div", { class: "why" }, make("dt", {}, "Interpreted"), make("dd", {}, why)));
  return told;
}

function endWords({ reason, exact, depth, nodes, remembered }) {
  if (remembered) return "Solved: the value is exact, and known from before.";
  if (exact) return `Solved: the value is exact, after ${counted(nodes, "node")}.`;
  if (reason === "depth") return `Searched to depth ${depth}.`;
  return `Time is up at depth ${depth}.`;
}

/** How the position stands, in words to the player to move, and as a bar from MIN's side to MAX's. */
function makeBar() {
  const fill = make("div", { class: "bar-fill" });
  const words = make("p", { class: "bar-words" });
  const title = make("span", { class: "bar-value" });
  const bar = make("div", { class: "bar", "aria-hidden": "true" }, fill);
  const ends = [make("span", { class: "sign-min" }), make("span", { class: "sign-max" })];
  const element = make("div", { class: "value-bar" }, make("div", { class: "bar-head" }, title, words),
    make("div", { class: "bar-row", "aria-hidden": "true" }, ends[0], bar, ends[1]));
  const show = (found, position) => {
    const { to_move: mover, over, value } = position;
    const side = mover === "chance" ? "MAX" : mover; // before the dice are rolled values are to the first
    const balance = over ? 0.5 + Math.sign(value) / 2 : (found?.balance ?? 0.5);
    fill.style.width = `${100 * balance}%`;
    element.dataset.colours = position.scene?.colours ?? "";
    bar.classList.toggle("bar-exact", over || Boolean(found && isProven(found)));
    ["MIN", "MAX"].forEach((each, index) => ends[index].replaceChildren(sideSign(each, sideColour(position, each)), sideName(position, each)));
    if (over) {
      title.replaceChildren(resultWords(position));
      words.replaceChildren("The game is over.");
      return;
    }
    const known = found && verdictOf(found);
    title.replaceChildren(...(known ? [chip(found), " ", valueTitle(found)] : ["…"]));
    const when = mover === "chance" ? ", before the dice are rolled," : " to move,";
    words.replaceChildren("for ", sideSign(side, sideColour(position, side)), ` ${sideName(position, side)}${when} like all values here`);
  };
  return { element, show };
}
