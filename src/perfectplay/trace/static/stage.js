/** The player: a recorded run on the page, with its tree, its code, its variables and its table, step by step. */

import { drawBoard, drawText } from "./board.js";
import { commandOf, Controls, makeHelp, speedAt, USUAL_SPEED } from "./controls.js";
import { counted, make, makeButton, makePanel, say } from "./elements.js";
import { SHOWN_AT_FIRST } from "./folding.js";
import { Listing } from "./listing.js";
import { gameName, lastOf, Narrator } from "./narration.js";
import { Playouts } from "./playouts.js";
import { Table } from "./table.js";
import { Timeline } from "./timeline.js";
import { Tree } from "./tree.js";
import { Variables } from "./variables.js";

const TALKATIVE = 3; // steps a second up to which every sentence is read out
const COUNTED = [ // a count by its name, its words, and its name among the totals
  ["nodes", "nodes", "nodes"],
  ["cuts", "cuts", "prunings"],
  ["skipped", "skipped", "skipped"],
  ["hits", "table hits", "table_hits"],
  ["playouts", "playouts", "playouts"],
];
const listening = new Set(); // the players that have the keyboard where nothing else has it

/**
 * Show a trace in a container.
 *
 * `keys`: listen to the keyboard wherever the focus is, not only inside; `brief`: the game is named elsewhere;
 * `errata`: the address of the errata; `step`: where to begin; `onStep(step)` is told of every step.
 * @param {HTMLElement} container @param {object} trace
 * @param {{keys?: boolean, brief?: boolean, errata?: string, step?: number, onStep?: (step: number) => void}} [options]
 * @returns {Player}
 */
export function mountPlayer(container, trace, options = {}) {
  return new Player(container, trace, options);
}

export class Player {
  constructor(container, trace, options) {
    this.container = container;
    this.options = options;
    this.step_ = 0;
    this.notch = USUAL_SPEED;
    this.playing = false;
    this.timeline = new Timeline(trace);
    this.narrator = new Narrator(this.timeline);
    this.build();
    container.replaceChildren(this.element);
    this.pressed = (event) => this.key(event);
    document.addEventListener("keydown", this.pressed);
    this.element.addEventListener("pointerdown", () => this.listen(true));
    if (options.keys || !listening.size) this.listen(false);
    this.controls.showSpeed(this.notch);
    this.seek(options.step ?? 0);
    this.element.dataset.ready = "";
  }

  // What can be done from outside.

  /** The number of the step that is shown, from 0. */
  get position() {
    return this.step_;
  }

  get length() {
    return this.timeline.length;
  }

  /** Show a step. */
  seek(step) {
    const to = Math.min(Math.max(Math.round(step), 0), this.timeline.length - 1);
    this.step_ = to;
    this.tree.show(to);
    this.listing.show(this.timeline.line(to), this.timeline.kind(to));
    this.variables.show(to);
    this.table?.show(to);
    this.controls.show(to);
    this.showSentence(to);
    this.showCounts(to);
    this.showBoard(to);
    this.showInside();
    this.options.onStep?.(to);
  }

  step() {
    this.pause();
    this.seek(this.step_ + 1);
  }

  back() {
    this.pause();
    this.seek(this.step_ - 1);
  }

  start() {
    this.pause();
    this.seek(0);
  }

  end() {
    this.pause();
    this.seek(this.timeline.length - 1);
  }

  /** To the next event of a kind: cut, hit, return, try, warning; false if there is none. */
  next(kind) {
    return this.jump(this.timeline.next(kind, this.step_), `There is no ${kind} after this step.`);
  }

  previous(kind) {
    return this.jump(this.timeline.previous(kind, this.step_), `There is no ${kind} before this step.`);
  }

  play() {
    if (this.playing) return;
    if (this.step_ === this.timeline.length - 1) this.seek(0);
    this.setPlaying(true);
    let last = performance.now();
    let owed = 0;
    const tick = (now) => {
      if (!this.playing) return;
      owed += ((now - last) / 1000) * speedAt(this.notch);
      last = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps) this.seek(this.step_ + steps);
      if (this.step_ === this.timeline.length - 1) this.pause();
      else this.ticking = requestAnimationFrame(tick);
    };
    this.ticking = requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.ticking);
    this.setPlaying(false);
    this.showSentence(this.step_);
  }

  /** Have the keyboard where nothing else has it, alone or with other players. */
  listen(alone) {
    if (alone) listening.clear();
    listening.add(this);
  }

  /** What the run has cost so far, and how much of the tree is drawn. */
  counts() {
    return { step: this.step_, ...this.timeline.counts(this.step_), tree: this.tree.counts() };
  }

  destroy() {
    this.pause();
    document.removeEventListener("keydown", this.pressed);
    this.tree.destroy();
    this.listing.destroy();
    listening.delete(this);
    this.element.remove();
  }

  // Commands of the buttons and keys.

  command(name, argument) {
    const commands = {
      toggle: () => (this.playing ? this.pause() : this.play()),
      seek: () => { this.pause(); this.seek(argument); },
      speed: () => this.setSpeed(argument),
      slower: () => this.setSpeed(this.notch - 2),
      faster: () => this.setSpeed(this.notch + 2),
      zoomIn: () => this.tree.viewport.zoom(1.3),
      zoomOut: () => this.tree.viewport.zoom(1 / 1.3),
      fit: () => { this.setFollow(false); this.tree.fit(); },
      fold: () => this.tree.foldAt(this.timeline.node(this.step_)),
      open: () => this.tree.openCurrent(),
      unfold: () => this.unfold(),
      follow: () => this.setFollow(!this.tree.follow),
      boards: () => this.setBoards(!this.tree.boards),
      help: () => this.showHelp(this.help.hidden),
      escape: () => this.showHelp(false),
    };
    if (commands[name]) commands[name]();
    else this[name](argument);
  }

  key(event) {
    const inside = this.element.contains(event.target);
    const nowhere = event.target === document.body || event.target === document.documentElement;
    if (!inside && !(nowhere && listening.has(this) && this.element.isConnected)) return;
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    this.command(...command);
  }

  jump(step, otherwise) {
    this.pause();
    if (step === undefined) this.hint(otherwise);
    else this.seek(step);
    return step !== undefined;
  }

  setPlaying(playing) {
    this.playing = playing;
    this.controls.showPlaying(playing);
    const quiet = playing && speedAt(this.notch) > TALKATIVE;
    this.sentence.setAttribute("aria-live", quiet ? "off" : "polite");
  }

  setSpeed(notch) {
    this.notch = Math.min(Math.max(notch, 0), 40);
    this.controls.showSpeed(this.notch);
  }

  setFollow(follow) {
    this.tree.follow = follow;
    this.followButton.setAttribute("aria-pressed", String(follow));
    if (follow) this.tree.show(this.step_);
  }

  setBoards(boards) {
    const folded = this.tree.showBoards(boards);
    this.boardsButton?.setAttribute("aria-pressed", String(boards));
    if (folded) this.hint("Some nodes are folded, so that boards have room.");
  }

  unfold() {
    if (!this.tree.counts().folded) this.tree.foldAgain();
    else if (!this.tree.openAll()) this.hint("The tree is too large to show all of it: a part stays folded.");
    this.tree.viewport.still();
    this.tree.show(this.step_);
  }

  showHelp(visible) {
    if (this.help.hidden === !visible) return;
    this.help.hidden = !visible;
    (visible ? this.help.querySelector("button") : this.helpButton).focus();
  }

  /** Say something for a moment, beside the tree. */
  hint(words) {
    say(this.hints, words);
    this.hints.hidden = false;
    clearTimeout(this.hinting);
    this.hinting = setTimeout(() => { this.hints.hidden = true; }, 3500);
  }

  // What is on the page.

  build() {
    const { timeline } = this;
    const command = (name, argument) => this.command(name, argument);
    this.element = make("div", "player");
    this.tree = new Tree(timeline, {
      onPick: (number) => { this.pause(); this.seek(timeline.born[number]); },
      onFold: () => this.folded(),
      onDrag: () => this.setFollow(false),
      onBoards: (boards) => this.boardsButton?.setAttribute("aria-pressed", String(boards)),
      onRefuse: () => this.hint("Hold Ctrl to zoom with the wheel."),
    });
    this.listing = new Listing(timeline);
    this.variables = timeline.hasPlayouts ? new Playouts(timeline) : new Variables(timeline);
    this.controls = new Controls(timeline, command);
    this.table = Table.isNeeded(timeline)
      ? new Table(timeline, { onPick: (step) => this.command("seek", step), errata: this.options.errata })
      : null;
    this.help = makeHelp(() => this.showHelp(false));
    const sides = make("div", "player-stage");
    sides.append(this.treePanel(), this.listing.element, this.variables.element, this.boardPanel());
    if (this.table) sides.append(this.table.element);
    sides.classList.toggle("without-table", !this.table);
    const desk = make("div", "player-desk");
    desk.append(this.sentencePanel(), this.controls.element);
    const frame = this.element.appendChild(make("div", "player-whole"));
    frame.append(this.header(), desk, sides, this.help); // the keyboard comes to the buttons before the table
    this.folded();
  }

  header() {
    const { trace } = this.timeline;
    const head = make("header", "player-header");
    const words = head.appendChild(make("div", "player-heading"));
    const { brief } = this.options;
    words.append(make("h2", "", brief ? trace.algorithm : `${trace.algorithm} on ${gameName(trace)}`));
    const parts = [trace.summary, trace.depth ? `depth ${trace.depth}` : ""];
    if (trace.moves.length && !brief) parts.push(`after ${trace.moves.join(" ")}`);
    if (trace.values_to === "MIN") parts.push("values to MIN, who is to move at the root and maximizes");
    else if (trace.values_to !== "MAX") parts.push(`values to ${trace.values_to}`);
    words.append(make("p", "", parts.filter(Boolean).join(" · ")));
    const counts = head.appendChild(make("dl", "player-counts"));
    this.counters = [];
    for (const [name, label, total] of COUNTED) {
      if (!trace.totals[total] && name !== "nodes") continue;
      const pair = counts.appendChild(make("div", `count-${name}`));
      pair.append(make("dt", "", label));
      const value = pair.appendChild(make("dd"));
      const now = value.appendChild(make("b"));
      value.append(make("span", "", ` of ${counted(trace.totals[total])}`));
      this.counters.push([name, now]);
    }
    this.helpButton = makeButton("?", "Keys and signs (?)", () => this.command("help"), "player-help-button");
    head.append(this.helpButton);
    if (!trace.complete) {
      const note = head.appendChild(make("p", "player-note", trace.note || "This record is not complete."));
      note.setAttribute("role", "note");
    }
    return head;
  }

  treePanel() {
    const { panel, title, body } = makePanel("tree", "Tree");
    this.treeTitle = title;
    const head = make("div", "player-tree-head");
    const tools = make("div", "player-tools");
    panel.prepend(head);
    head.append(title, tools);
    const tool = (face, name, command) => tools.appendChild(makeButton(face, name, () => this.command(command)));
    tool("+", "Zoom in (+)", "zoomIn");
    tool("−", "Zoom out (−)", "zoomOut");
    tool("fit", "Show the whole tree (0)", "fit");
    this.followButton = tool("follow", "Let the view follow the search (l)", "follow");
    this.followButton.setAttribute("aria-pressed", "true");
    if (this.timeline.trace.shapes.length || this.timeline.text(this.timeline.nodes[0].state)) {
      this.boardsButton = tool("boards", "Boards at the nodes (b)", "boards");
      this.boardsButton.setAttribute("aria-pressed", String(this.tree.boards));
    }
    this.unfoldButton = tool("unfold all", "Unfold all, or fold again (u)", "unfold");
    this.inside = make("div", "player-inside");
    this.insideWords = this.inside.appendChild(make("span"));
    this.inside.append(makeButton("open it", "Show where the search is (o)", () => this.command("open")));
    this.hints = make("div", "player-hint");
    this.hints.setAttribute("role", "status");
    this.hints.hidden = true;
    body.append(this.tree.element, this.inside, this.hints);
    return panel;
  }

  boardPanel() {
    const { panel, title, body } = makePanel("board", "State");
    this.boardTitle = title;
    this.board = body.appendChild(make("div", "player-board-holder"));
    return panel;
  }

  sentencePanel() {
    const panel = make("div", "player-say");
    this.sentence = panel.appendChild(make("p", "player-sentence"));
    this.sentence.setAttribute("aria-live", "polite");
    this.sentence.setAttribute("aria-atomic", "true");
    return panel;
  }

  folded() {
    if (!this.treeTitle) return;
    const { drawn, folded } = this.tree.counts();
    const all = this.timeline.nodes.length;
    say(this.treeTitle, `Tree: ${drawn < all ? `${counted(drawn)} of ` : ""}${counted(all)} nodes`);
    this.unfoldButton.hidden = !folded && all <= SHOWN_AT_FIRST;
    say(this.unfoldButton, folded ? "unfold all" : "fold");
    const words = `the tree of the search, ${counted(drawn)} of ${counted(all)} nodes drawn`;
    this.tree.element.setAttribute("aria-label", `${words}; what happens in it is told in words`);
    this.showInside();
  }

  showInside() {
    const deep = this.tree.inside;
    if (this.inside.hidden !== !deep) this.inside.hidden = !deep;
    if (deep) say(this.insideWords, `The search is ${deep} ${deep === 1 ? "ply" : "plies"} inside a folded part.`);
  }

  showSentence(step) {
    const kind = this.timeline.data(step).warning ? "warning" : this.timeline.kind(step);
    if (this.sentence.dataset.kind !== kind) this.sentence.dataset.kind = kind;
    say(this.sentence, this.narrator.tell(step));
  }

  showCounts(step) {
    const counts = this.timeline.counts(step);
    for (const [name, element] of this.counters) say(element, counted(counts[name]));
  }

  /** The board of the node at which the search is. */
  showBoard(step) {
    const number = this.timeline.node(step);
    const { state: played, moves } = this.timeline.data(step); // where a simulation has ended
    const ended = this.timeline.kind(step) === "simulate";
    if (number === this.boardNode && !ended && !this.boardEnded) return;
    Object.assign(this, { boardNode: number, boardEnded: ended });
    const node = this.timeline.nodes[number];
    const route = [...this.timeline.route(number), ...(ended ? moves : [])];
    const mover = this.timeline.mover(number);
    const turn = ended ? "the end of the playout" : node.role === "end" ? "the game is over"
      : mover === "chance" ? "chance moves" : `${mover} to move`;
    const place = route.length ? `after ${lastOf(route, 6)}` : "at the root";
    say(this.boardTitle, `State ${place}: ${turn}`);
    const state = ended ? played : node.state;
    if (state === this.boardState) return;
    this.boardState = state;
    const scene = this.timeline.scene(state);
    const last = node.parent === undefined || ended ? null : this.timeline.scene(this.timeline.nodes[node.parent].state);
    const label = `the board ${place}`;
    if (scene) drawBoard(this.board, scene, { last, label });
    else drawText(this.board, this.timeline.trace.states[state].text || "This board was not kept.", label);
    this.board.classList.toggle("wide", Boolean(scene) && scene.width > 1.6 * scene.height);
  }
}
