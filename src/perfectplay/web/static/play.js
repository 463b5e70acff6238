/** Play: a match against the engine or an algorithm, of two people at one screen, or of the machine with itself. */

import { isAbort, sentence, stream } from "./api.js";
import { button, make, sideSign } from "./elements.js";
import { Match } from "./match.js";
import { opponentName } from "./opponents.js";
import { leadTo, visit } from "./position.js";
import { RulesPanel } from "./rules.js";
import { resultWords, sideColour, sideName, sideWords } from "./sides.js";
import { SolutionPanel, solutionAfter } from "./solution.js";
import { isProven, turned, valueMarks, valueTable, valueWords, verdictOf } from "./values.js";
import { waitingWords } from "./wording.js";

const HINT_SECONDS = 1;
const PAUSE = 450; // milliseconds between the moves of a match that is watched

/** @param {HTMLElement} main @param {any} catalogue @param {(words: string) => void} say */
export function openPlay(main, catalogue, say) {
  return new PlayView(main, catalogue, say);
}

class PlayView {
  constructor(main, catalogue, say) {
    Object.assign(this, { catalogue, say });
    this.running = null;
    this.held = false;
    this.remark = ""; // what the opponent says of the move that leads to the next position
    this.match = new Match(catalogue, say);
    this.match.stopsAt = (position) => this.isOurs(position);
    this.state = make("div", { class: "turn" });
    this.account = make("p", { class: "account" });
    this.hintButton = button("Hint", { drawing: "hint", key: "H", onclick: () => this.hint(), disabled: true });
    this.solved = make("div", { class: "values-frame", tabindex: "0", role: "group", "aria-label": "Outcomes of the moves" });
    this.table = new SolutionPanel(say, false, () => this.place, this.solved);
    this.rules = new RulesPanel(catalogue);
    const [undo, redo, flip, link] = this.match.tools();
    main.append(this.match.stage, make("aside", { class: "side", "aria-label": "Match" },
      make("div", { class: "panel" }, this.state, this.account),
      make("div", { class: "tools", role: "group", "aria-label": "Tools" }, undo, redo, this.hintButton, flip, link),
      make("div", { class: "panel" }, make("h2", {}, "Moves"), this.match.record, this.match.entry),
      this.table.element,
      this.rules.element));
  }

  close() {
    this.stop();
  }

  keys() {
    return { ...this.match.keys(), H: () => this.hint(), T: () => this.table.toggle(),
      S: () => (this.running ? this.hold() : this.goOn()) };
  }

  async show(place) {
    this.place = place;
    if (this.isSamePosition(place)) {
      await this.match.load(place);
      await this.solve();
      return;
    }
    this.stop();
    this.rules.show(place.game);
    this.hintButton.disabled = true; // until the position is here
    if (this.isNewTurn(place)) this.held = false;
    const { remark } = this;
    this.remark = "";
    this.shown = place;
    if (!(await this.match.load(place))) {
      if (!this.match.position) this.state.replaceChildren(make("p", { class: "turn-words" }, "No position"));
      this.hintButton.disabled = true;
      if (this.place === place) await this.table.show(place, this.match.position);
      return;
    }
    const { position } = this.match;
    this.account.textContent = position.over ? "" : remark;
    const ours = this.isOurs(position) && !position.over;
    this.match.draw({ playable: ours });
    this.hintButton.disabled = position.over || !ours;
    this.describe();
    const solving = this.solve();
    if (!position.over && !ours && !this.held && !place.ahead.length) await this.reply();
    await solving;
  }

  /** Show what the tablebase says of every move, while it is on. */
  async solve() {
    const { place } = this;
    const was = this.table.on;
    const solution = await this.table.show(place, this.match.position);
    if (this.place !== place) return;
    const { over } = this.match.position;
    this.solved.hidden = !solution || over;
    if (solution) this.solved.replaceChildren(valueTable(solution.moves, this.match.playable ? (action) => this.match.play(action) : null));
    if (solution || was) this.match.mark(solution ? valueMarks(solution.moves) : []);
  }

  isSamePosition(place) {
    const told = ({ game, moves, ahead, side, opponent, seconds, depth }) =>
      JSON.stringify([game, moves, ahead, side, opponent, seconds, depth]);
    return this.shown && this.match.shows(place) && told(place) === told(this.shown);
  }

  /** Did a person move, or begin another match? Then an opponent who was stopped may answer again. */
  isNewTurn(place) {
    const told = ({ game, side, opponent, seconds, depth }) => JSON.stringify([game, side, opponent, seconds, depth]);
    if (!this.shown || told(place) !== told(this.shown)) return true;
    return place.side !== "none" && place.moves.length > this.shown.moves.length;
  }

  /** Is it a person's turn? */
  isOurs({ to_move: side }) {
    const { side: chosen } = this.place;
    if (side === "chance") return false;
    return chosen === "both" || chosen === side.toLowerCase();
  }

  /** Who moves, or how it ended. */
  describe(words = "", busy = false) {
    const { position } = this.match;
    if (position.over) return this.describeEnd(position);
    const ours = this.isOurs(position);
    const mover = sideWords(position, position.to_move);
    const turn = ours && this.place.side !== "both" ? `Your turn: you are ${mover}.`
      : position.to_move === "chance" ? "The dice are to be rolled." : `It is the turn of ${mover}.`;
    const spoken = words || turn;
    const parts = [this.players(position),
      make("p", { class: "turn-words" }, busy ? make("span", { class: "spinner", "aria-hidden": "true" }) : null, spoken)];
    if (!ours) parts.push(this.controls(busy));
    this.state.replaceChildren(...parts);
    this.state.classList.remove("turn-end");
    this.say(this.lastMove(position) + spoken);
  }

  describeEnd(position) {
    const { side } = this.place;
    const winner = position.value > 0 ? "max" : "min";
    const personal = side === "max" || side === "min";
    const result = resultWords(position);
    const headline = !position.value || !personal ? result : winner === side ? "You win" : "You lose";
    const again = { ...this.place, moves: [], ahead: [], tree: null, review: "" };
    const detail = position.value === 0 ? "Nobody wins." : `${result}${position.margin ? `, by ${position.margin}` : ""}.`;
    this.state.classList.add("turn-end");
    this.state.replaceChildren(
      make("p", { class: "result" }, headline), make("p", { class: "result-detail" }, detail),
      make("div", { class: "row" },
        button("Play again", { drawing: "new", class: "button primary", onclick: () => visit(again) }),
        leadTo(make("a", { class: "button" }, "Review"), { ...this.place, view: "analyse", review: "yes" })));
    this.say(`${this.lastMove(position)}${headline}. ${detail}`);
  }

  lastMove({ moves }) {
    return moves.length ? `Move ${moves.length}: ${moves.at(-1)}. ` : "";
  }

  players(position) {
    const { to_move: moving } = position;
    const { side, opponent } = this.place;
    const { seconds, depth } = this.terms();
    const machine = [opponentName(this.catalogue, opponent), seconds && `${seconds} s a move`, depth && `depth ${depth}`].filter(Boolean).join(" · ");
    const who = (name) => (side === "both" ? "a person" : side === name.toLowerCase() ? "you" : machine);
    return make("ul", { class: "players" }, ...["MAX", "MIN"].map((name) =>
      make("li", { class: name === moving ? "moving" : null }, sideSign(name, sideColour(position, name)),
        make("strong", { title: name }, sideName(position, name)), make("span", { class: "who" }, who(name)))));
  }

  /** How long or how deep the opponent may look; the address may ask for what it does not take. */
  terms() {
    const { opponent, seconds, depth } = this.place;
    const offered = this.catalogue.opponents.find((each) => each.name === opponent);
    const plies = offered?.takes_depth && depth ? Number(depth) : null;
    return { depth: plies, seconds: offered?.takes_seconds && !plies ? Number(seconds) : undefined };
  }

  controls(busy) {
    if (busy) return button("Stop", { drawing: "stop", key: "S", onclick: () => this.hold() });
    if (this.match.position.to_move === "chance") return button("Roll", { drawing: "play", key: "S", onclick: () => this.goOn() });
    return button(`Let ${opponentName(this.catalogue, this.place.opponent)} move`, { drawing: "play", key: "S", onclick: () => this.goOn() });
  }

  hold() {
    this.held = true;
    this.stop();
    this.describe();
  }

  goOn() {
    if (!this.match.position || this.match.position.over || this.isOurs(this.match.position)) return;
    this.held = false;
    this.reply();
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  /** Ask a player for a move; nothing comes back if it was called off, or failed and said so. */
  async ask(player, seconds, depth, thinking) {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const { game, moves } = this.place;
    const onEvent = (name, data) => {
      const words = waitingWords(name, data, thinking);
      if (words && this.running === running) this.describe(`${words}…`, true);
    };
    this.describe(`${thinking}…`, true);
    try {
      return await stream("/api/reply", { game, moves, player, seconds, depth }, { signal: running.signal, onEvent });
    } catch (error) {
      if (isAbort(error)) return null;
      this.held = true;
      this.match.tell(sentence(error));
      return null;
    } finally {
      if (this.running === running) {
        this.running = null;
        this.describe();
      }
    }
  }

  async reply() {
    const { place } = this;
    const { opponent, side } = place;
    const { seconds, depth } = this.terms();
    const began = performance.now();
    const name = opponentName(this.catalogue, opponent);
    const answer = await this.ask(opponent, seconds, depth, this.match.position.to_move === "chance" ? "The dice roll" : `${name} is thinking`);
    if (!answer || this.place.moves !== place.moves) return; // the board may have been flipped meanwhile
    const left = side === "none" ? PAUSE - (performance.now() - began) : 0;
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    if (this.place.moves !== place.moves || this.held) return;
    // The answer takes the place of the position before it, so that one step back is one's own move.
    this.remark = this.expectation(name, answer);
    visit({ ...this.place, moves: [...place.moves, answer.action], ahead: [] }, { replace: true });
  }

  /** What the opponent thinks of the position now, as the one who moves there next would say it. */
  expectation(name, answer) {
    if (!verdictOf(answer)) return answer.account ? `${name}: ${answer.account}.` : "";
    const { names, to_move: mover } = this.match.position;
    if (answer.verdict === "even") return `${name} thinks: about even.`;
    if (answer.verdict === "tie" || answer.verdict === "draw") return `${name} expects a ${answer.verdict}.`;
    const winning = answer.verdict === "win" || answer.verdict === "better";
    const who = names[(mover === "MAX") === winning ? 0 : 1];
    const after = turned(answer, -1); // the move that was made is one of the plies
    return isProven(answer) ? `${name} expects: ${who} ${valueWords(winning ? turned(after) : after)}.` : `${name} thinks: ${who} stands better.`;
  }

  async hint() {
    if (this.hintButton.disabled || this.running || !this.match.isCurrent) return;
    const { place } = this;
    this.hintButton.disabled = true;
    const solution = this.match.position.tablebase && await solutionAfter(place.game, place.moves).catch(() => null);
    if (this.place.moves !== place.moves) return;
    if (solution?.known) {
      this.hintButton.disabled = false;
      if (!this.table.on) this.match.draw({ marks: valueMarks(solution.moves).slice(0, 1) });
      this.describe(hintWords(solution.moves[0]));
      return;
    }
    const answer = await this.ask("engine", HINT_SECONDS, null, "Looking for the best move");
    if (this.place.moves !== place.moves) return;
    this.hintButton.disabled = false;
    if (!answer) return;
    this.match.draw({ marks: valueMarks([{ ...answer, best: true }]) });
    this.describe(hintWords(answer));
  }
}

/** "Hint: c1, which wins in 5 plies." */
function hintWords(move) {
  const words = valueWords({ ...move, best: false });
  const verb = /^(wins|ties|loses|draws)/.test(words) ? "which" : "which is";
  return `Hint: ${move.action}${verdictOf(move) ? `, ${verb} ${words}` : ""}.`;
}
