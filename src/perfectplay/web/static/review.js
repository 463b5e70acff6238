/** Review: how a game stood at every move, which moves gave something away, and what would have been better. */

import { isAbort, sentence, stream } from "./api.js";
import { button, make } from "./elements.js";
import { drawGraph } from "./graph.js";
import { isProven, percent, valueWords } from "./values.js";
import { waitingWords } from "./wording.js";

const JUDGEMENTS = { // a sign, and words for one and for many
  best: ["★", "best", "best"], good: ["", "good", "good"],
  mistake: ["?", "mistake", "mistakes"], blunder: ["??", "blunder", "blunders"],
};
const SECONDS = [5, 20, 60]; // for a game, and for each time that somebody wants to know more

/** The sign of a judgement, for a list of moves; nothing for what needs none. */
export function judgementSign(judgement) {
  if (judgement !== "mistake" && judgement !== "blunder") return null;
  return make("span", { class: `judged is-${judgement}`, title: judgement, role: "img", "aria-label": judgement }, JUDGEMENTS[judgement][0]);
}

/** What a move with dice gave away. */
function gift({ gave, chance }) {
  return `${percent(gave)} of ${chance === null ? "what can be won" : "the chance to win"}`;
}

export class ReviewPanel {
  /**
   * @param {(words: string) => void} say
   * @param {{goTo: (ply: number) => void, tryLine: (ply: number, line: string[]) => void, begin: () => void, changed: () => void}} ways
   */
  constructor(say, ways) {
    Object.assign(this, { say, ways });
    this.key = ""; // of the game and the line that is reviewed
    this.plies = [];
    this.running = null;
    this.done = null;
    this.rounds = 0;
    this.words = make("p", { class: "review-words" });
    this.graph = make("div", { class: "graph-frame" });
    this.move = make("p", { class: "review-move", "aria-live": "polite" });
    this.counts = make("div", { class: "review-counts" });
    this.begin = button("Review this game", { class: "button primary", onclick: () => ways.begin() });
    this.previous = button("Previous mistake", { onclick: () => this.step(-1) });
    this.next = button("Next mistake", { onclick: () => this.step(1) });
    this.more = button("Look deeper", { onclick: () => this.run() });
    this.tools = make("div", { class: "row review-tools" }, this.previous, this.next, this.more);
    this.details = make("div", { class: "review-details", hidden: true }, this.words, this.graph, this.move, this.tools, this.counts);
    this.element = make("div", { class: "panel review" }, make("h2", {}, "Review"), this.begin, this.details);
  }

  close() {
    this.running?.abort();
    this.running = null;
  }

  /** Review a line of moves, unless it is the one that is reviewed already. */
  show(game, line, { wanted, current, onLine, names, side, dice = false, colours = "" }) {
    this.graph.dataset.colours = colours;
    Object.assign(this, { current, onLine, names, side, dice });
    this.element.hidden = !line.length;
    this.begin.hidden = wanted;
    this.details.hidden = !wanted;
    if (!wanted) {
      this.close();
      return;
    }
    const key = JSON.stringify([game, line]);
    if (key !== this.key) {
      this.close();
      Object.assign(this, { key, game, line, plies: [], done: null, rounds: 0 });
      this.run();
    }
    this.draw();
  }

  async run() {
    this.close();
    const running = new AbortController();
    this.running = running;
    const seconds = SECONDS[Math.min(this.rounds, SECONDS.length - 1)];
    this.rounds += 1;
    this.said = "";
    const onEvent = (name, data) => {
      if (this.running !== running) return;
      if (name === "ply") this.take(data);
      else this.said = `${waitingWords(name, data, "Looking at every move, from the last")}…`;
      this.expect();
    };
    this.draw();
    try {
      const done = await stream("/api/review", { game: this.game, moves: this.line, seconds }, { signal: running.signal, onEvent });
      if (this.running !== running) return;
      this.running = null;
      this.done = done;
      this.said = "";
      this.draw();
      this.say(this.summary());
    } catch (error) {
      if (isAbort(error) || this.running !== running) return;
      this.running = null;
      this.said = sentence(error);
      this.draw();
    }
  }

  /** Take what is known of a position; what was proven before stays. */
  take(shown) {
    const before = this.plies[shown.ply];
    this.plies[shown.ply] = before?.exact && !shown.exact ? { ...before, judgement: shown.judgement } : shown;
  }

  /** Draw with the next picture, however many positions come until then. */
  expect() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const busy = this.running !== null;
    const words = busy ? this.said || "Starting…" : this.said || this.summary();
    this.words.replaceChildren(...(busy ? [make("span", { class: "spinner", "aria-hidden": "true" })] : []), words);
    const points = Array.from({ length: this.line.length + 1 }, (_, ply) => this.plies[ply]);
    drawGraph(this.graph, points, { current: this.current, names: this.names, words: (ply) => this.plyWords(ply),
      onGo: (ply) => this.ways.goTo(ply) });
    this.drawMove();
    this.drawCounts();
    this.previous.disabled = this.mistakes(-1) < 0;
    this.next.disabled = this.mistakes(1) < 0;
    this.more.hidden = busy || !this.done || this.done.exact > this.done.plies || this.rounds > SECONDS.length;
    this.ways.changed();
  }

  /** What is to be said of the move that led here. */
  drawMove() {
    const before = this.plies[this.current - 1];
    if (this.onLine && before?.to_move === "chance") {
      const now = this.plies[this.current];
      this.move.replaceChildren(make("strong", {}, `Move ${this.current}, ${before.played}: the dice.`), now ? ` ${this.chances(now)}.` : "");
      return;
    }
    if (!this.onLine || !before?.judgement) {
      this.move.replaceChildren(this.onLine ? "" : "A variation: the graph is that of the game.");
      return;
    }
    const { judgement, played, line, ply } = before;
    const said = judgement === "best" ? "the best move" : judgement === "good" ? "a good move" : `a ${judgement}`;
    const parts = [make("strong", {}, `Move ${ply + 1}, ${played}: ${said}.`), ` ${this.before(before)}`];
    if (judgement !== "best" && line.length && line[0] !== played) {
      parts.push(" ", make("button", { type: "button", class: "link", onclick: () => this.ways.tryLine(ply, line) }, `${line[0]} was better`));
    }
    this.move.replaceChildren(...parts);
  }

  /** How the mover stood before a move. */
  before(ply) {
    if (this.dice && ply.gave !== null) return ply.judgement === "best" ? `${this.chances(ply)}.` : `It gave away ${gift(ply)}.`;
    const name = this.nameOf(ply);
    if (ply.verdict === "win") return `${name} was winning${ply.remoteness ? ` ${ply.remoteness === 1 ? "with one move" : `in ${ply.remoteness} plies`}` : ""}.`;
    if (ply.verdict === "loss") return `${name} was losing anyway.`;
    if (ply.verdict === "tie" || ply.verdict === "draw") return "It was a tie with best play.";
    return ply.verdict === "even" ? "It was about even." : `${name} stood ${ply.verdict}, by estimate.`;
  }

  drawCounts() {
    const tally = (side) => Object.keys(JUDGEMENTS).map((kind) =>
      this.plies.filter((ply) => ply?.judgement === kind && ply.to_move === side).length);
    const heads = Object.values(JUDGEMENTS).map(([sign, , many]) => make("th", { scope: "col" }, sign ? `${sign} ${many}` : many));
    const row = (side) => make("tr", {}, make("th", { scope: "row" }, this.who(side)),
      ...tally(side).map((count) => make("td", {}, String(count))));
    this.counts.replaceChildren(make("table", { class: "plain" }, make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
      make("tbody", {}, row("MAX"), row("MIN"))));
  }

  /** The one sentence that matters: where it was lost. */
  summary() {
    if (!this.done) return "";
    const last = this.plies[this.line.length];
    if (!last) return "";
    const loser = last.balance > 0.5 ? "MIN" : last.balance < 0.5 ? "MAX" : null;
    const serious = this.plies.filter((ply) => ply?.judgement === "mistake" || ply?.judgement === "blunder");
    const of = (side) => serious.filter((ply) => ply.to_move === side);
    if (this.dice) return this.summaryWithDice(loser ? of(loser) : serious, last);
    const turning = loser ? of(loser).at(-1) : serious.at(-1);
    if (!turning) return loser && isProven(last) ? `No mistakes: ${this.isPerson(loser) ? "you" : this.who(loser)} could do nothing better.` : "No mistakes.";
    const whose = this.isPerson(turning.to_move) ? "Your" : `${this.nameOf(turning)}'s`;
    const was = { win: "this was winning", tie: "this was even", draw: "this was even", better: "this was better", worse: "this was worse" }[turning.verdict] ?? "this was about even";
    return `${whose} ${turning.judgement}: move ${turning.ply + 1}, ${was}${isProven(turning) ? "" : ", by estimate"}.`;
  }

  /** The same where the dice have a say: the most that was given away, or that it was luck. */
  summaryWithDice(serious, last) {
    const [worst] = serious.toSorted((one, other) => other.gave - one.gave);
    if (!worst) return last.remoteness === 0 ? "Whoever lost made no mistake: the dice decided." : "No mistakes.";
    const whose = this.isPerson(worst.to_move) ? "Your" : `${this.nameOf(worst)}'s`;
    return `${whose} largest mistake: move ${worst.ply + 1}, which gave away ${gift(worst)}.`;
  }

  /** How likely it is that either wins, of a game with dice. */
  chances(ply) {
    const { balance, chance, exact } = ply;
    const side = balance >= 0.5 ? 0 : 1;
    if (chance === null) return `${this.names[side]} stands better`;
    return `${this.names[side]} has ${exact ? "" : "about "}${percent(side ? 1 - balance : balance)} to win`;
  }

  /** What a screen reader says of a place in the graph. */
  plyWords(ply) {
    const at = this.plies[ply];
    const move = ply ? `After move ${ply}, ${this.line[ply - 1]}` : "The start";
    if (!at) return `${move}: not known yet`;
    const judged = this.plies[ply - 1]?.judgement;
    const over = ply === this.line.length && at.remoteness === 0;
    const stands = over ? "the game is over" : this.dice ? this.chances(at) : `${this.nameOf(at)}, to move, ${isProven(at) ? "" : "stands "}${valueWords(at)}`;
    return `${move}${judged ? `, ${JUDGEMENTS[judged][1]}` : ""}: ${stands}`;
  }

  /** The number of the next move that gave something away, or of the one before; -1 where there is none. */
  mistakes(direction) {
    const numbers = this.plies.flatMap((ply) => (["mistake", "blunder"].includes(ply?.judgement) ? [ply.ply + 1] : []));
    const found = direction > 0 ? numbers.find((ply) => ply > this.current) : numbers.findLast((ply) => ply < this.current);
    return found ?? -1;
  }

  step(direction) {
    const ply = this.mistakes(direction);
    if (ply >= 0) this.ways.goTo(ply);
  }

  /** The judgement of the move that leads to a position of the line. */
  judgementOf(moves) {
    const here = moves.length && moves.every((move, index) => move === this.line?.[index]);
    return here && !this.details.hidden ? this.plies[moves.length - 1]?.judgement : null;
  }

  isPerson(side) {
    return this.side === side.toLowerCase();
  }

  who(side) {
    return this.isPerson(side) ? "You" : this.names[side === "MAX" ? 0 : 1];
  }

  nameOf({ to_move: side }) {
    return this.names[side === "MAX" ? 0 : 1];
  }
}
