/** Analyse: what the engine finds in a position, deeper and deeper, with the value of every legal move. */

import { isAbort, sentence, stream } from "./api.js";
import { button, choice, make } from "./elements.js";
import { Match } from "./match.js";
import { visit, writePlace } from "./position.js";
import { SolutionPanel, solvedMarks, solvedTable } from "./solution.js";
import { counted, lasting, meaning, short, signed, waitingWords } from "./wording.js";

const TIMES = ["1", "3", "10", "30", "60"];

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
    this.rows = make("tbody", {});
    this.searched = make("table", { class: "values" }, make("caption", {}, "What every move is worth to who makes it"),
      make("thead", {}, make("tr", {}, ...["Move", "Value", "How sure"].map((words) => make("th", { scope: "col" }, words)))),
      this.rows);
    this.values = make("div", { class: "values-frame", tabindex: "0", role: "group", "aria-label": "Values of the moves" }, this.searched);
    this.table = new SolutionPanel(say, true, () => this.place);
    this.search = make("div", { class: "row" }, this.go, this.time);
    main.append(this.match.stage, make("aside", { class: "side", "aria-label": "Analysis" },
      this.table.element,
      make("div", { class: "panel" }, this.bar.element, this.words, this.search,
        this.facts, make("h2", {}, "Best line"), this.line, make("h2", {}, "Every move"), this.values),
      make("div", { class: "tools", role: "group", "aria-label": "Tools" }, ...this.match.tools()),
      make("div", { class: "panel" }, make("h2", {}, "Moves"), this.match.record, this.match.entry)));
  }

  close() {
    this.stop();
  }

  keys() {
    return { ...this.match.keys(), S: () => this.toggle(), T: () => this.table.toggle() };
  }

  async show(place) {
    this.place = place;
    const before = this.match.position;
    const switched = this.table.place && this.table.isWanted(place) !== this.table.isWanted(this.table.place);
    if (!(await this.match.load(place)) && !(switched && this.place === place && this.match.shows(place))) {
      if (!this.match.position) this.rest("No position");
      if (!this.match.position || this.match.position !== before) this.stop();
      return;
    }
    this.stop();
    this.found = null;
    const { position } = this.match;
    this.match.draw({ playable: !position.over });
    this.draw();
    const solution = await this.table.show(place, position);
    if (!this.isStillAt(place)) return;
    if (position.over) {
      this.bar.show(position.value, true);
      this.rest(`The game is over: ${position.result}.`);
    } else if (solution) this.solve(solution);
    else if (this.paused) this.rest("Stopped.");
    else await this.think(Number(this.time.value));
  }

  /** Is the view at a place even now, flipped or not? */
  isStillAt(place) {
    return this.match.shows(place) && writePlace({ ...place, flipped: false }) === writePlace({ ...this.place, flipped: false });
  }

  /** What a tablebase says takes the place of a search. */
  solve(solution) {
    this.found = { ...solution, exact: true, solved: true };
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
    this.say(words);
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
    this.bar.show(found ? found.value_to_max : null, found?.exact, found?.outcome);
    this.search.hidden = Boolean(found?.solved);
    this.facts.replaceChildren(...(found && !found.solved ? facts(found) : []));
    this.line.replaceChildren(...(found ? this.lineButtons(found.line) : []));
    if (found?.solved) {
      this.values.replaceChildren(solvedTable(found, (action) => this.match.play(action)));
      this.match.mark(solvedMarks(found));
      return;
    }
    this.values.replaceChildren(this.searched);
    const best = (move) => (move.best ? 1e300 : (move.value ?? -1e299));
    const moves = found ? [...found.moves].sort((one, other) => best(other) - best(one)) : [];
    this.rows.replaceChildren(...moves.map((move) => this.row(move)));
    if (this.match.position) this.match.mark(moves.map(markOf));
  }

  lineButtons(line) {
    const { moves } = this.place;
    return line.map((move, index) => make("button", { type: "button", class: "ply",
      onclick: () => visit({ ...this.place, moves: [...moves, ...line.slice(0, index + 1)], ahead: line.slice(index + 1) }) },
    make("span", { class: "ply-number" }, `${moves.length + index + 1}.`), move));
  }

  row(move) {
    const play = make("button", { type: "button", class: "ply", onclick: () => this.match.play(move.action) }, move.action);
    return make("tr", { class: move.best ? "best" : null }, make("th", { scope: "row" }, play),
      make("td", { class: "value" }, valueText(move)),
      make("td", {}, move.best ? make("span", { class: "star" }, "★ best, ") : null, surety(move)));
  }
}

/** How sure a value is, in words. */
function surety(move) {
  return move.exact ? "exact" : "estimate";
}

function valueText({ value, exact }) {
  return value === null || value === undefined ? "?" : `${exact ? "" : "≈"}${signed(value)}`;
}

function markOf(move) {
  const text = move.value === null || move.value === undefined ? "?" : signed(move.value);
  const words = `worth ${text}, ${move.best ? "best, " : ""}${surety(move)}`;
  return { ...move, text, words };
}

function facts({ depth, nodes, seconds, speed, compiled, why_not: why }) {
  const pairs = [["Depth", String(depth)], ["Nodes", short(nodes)], ["Time", lasting(seconds)],
    ["Speed", `${short(speed)}/s`]];
  const told = pairs.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  if (!compiled && why) told.push(make("div", { class: "why" }, make("dt", {}, "Interpreted"), make("dd", {}, why)));
  return told;
}

function endWords({ reason, exact, depth, nodes }) {
  if (exact) return `Solved: the value is exact, after ${counted(nodes, "node")}.`;
  if (reason === "depth") return `Searched to depth ${depth}.`;
  return `Time is up at depth ${depth}.`;
}

/** A bar from MIN's side to MAX's: how far it is filled shows who stands better, and words say so. */
function makeBar() {
  const fill = make("div", { class: "bar-fill" });
  const words = make("p", { class: "bar-words" });
  const number = make("span", { class: "bar-value" });
  const bar = make("div", { class: "bar", "aria-hidden": "true" }, fill);
  const element = make("div", { class: "value-bar" },
    make("div", { class: "bar-head" }, number, words),
    make("div", { class: "bar-row", "aria-hidden": "true" }, make("span", { class: "sign-min" }, "▼ MIN"), bar,
      make("span", { class: "sign-max" }, "▲ MAX")));
  const show = (value, exact, outcome) => {
    const known = value !== null && value !== undefined;
    fill.style.width = `${100 * (known ? share(value, exact) : 0.5)}%`;
    bar.classList.toggle("bar-exact", Boolean(known && exact));
    number.textContent = known ? `${exact ? "" : "≈"}${signed(value)}` : "…";
    words.textContent = known ? (outcome === "draw" ? "A draw with best play" : meaning(value, exact)) : "No value yet";
    element.classList.toggle("exact", Boolean(known && exact));
  };
  return { element, show };
}

/** The part of the bar that is MAX's; only an exact win or loss comes near its ends. */
function share(value, exact) {
  const grown = value / (Math.abs(value) + 1);
  return exact ? 0.5 + 0.5 * (Math.sign(value) * 0.8 + grown * 0.2) : 0.5 + 0.4 * grown;
}
