/**
 * The board of a game, drawn from its scene: shapes, click targets, the last move, values on the moves.
 *
 * @typedef {{kind: string, numbers: number[], style: string, text?: string, at?: string, label?: string}} Shape
 * @typedef {{width: number, height: number, shapes: Shape[], clicks: {action: string, targets: string[]}[]}} Scene
 * @typedef {{action: string, text: string, value?: number, exact?: boolean, best?: boolean, words?: string,
 *            outcome?: "win" | "tie" | "loss" | "draw", rank?: number}} Mark `rank` orders them where values do not
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{onAction?: (action: string) => void, onSelect?: (places: string[], action: string | null) => void, marks?: Mark[],
 *            last?: Scene | null, flipped?: boolean, label?: string, onRefuse?: (places: string[]) => void,
 *            onHover?: (action: string | null) => void}} BoardOptions
 */

import { BoardDragging } from "./dragging.js";
import { boardBox, boardCovers, boardFlipped, boardMiddle, boardUnion } from "./geometry.js";
import { boardHint, boardLetters, boardMark } from "./marks.js";
import { boardChanges, boardDifference, boardElement, boardShape } from "./shapes.js";

const BOARD_MARGIN = 0.06; // of a cell, for strokes on the rim
const BOARD_MANY = 30; // places from which on their dots are fainter
const BOARD_ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Draw a scene into a container, in place of what was there.
 *
 * With `onAction` the targets of the legal actions can be clicked, or reached by keyboard; `last` is the scene
 * before the last move, whose changes are highlighted; `marks` are values to write on the moves. `onRefuse` is told
 * of places that were clicked and begin no move, `onHover` of the move that a click would make.
 * @param {Element} container @param {Scene} scene @param {BoardOptions} [options] @returns {BoardView}
 */
export function drawBoard(container, scene, options = {}) {
  return new BoardView(container, scene, options);
}

/** Write the text board of a game that has no scene. @param {Element} container @param {string} text */
export function drawText(container, text, label = "the board") {
  const board = document.createElement("pre");
  board.className = "board-text";
  board.tabIndex = 0; // a wide board scrolls, also by keyboard
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", label);
  board.textContent = text;
  const longest = Math.max(...text.split("\n").map((line) => line.length), 1);
  board.dataset.size = longest <= 24 ? "large" : longest <= 48 ? "middle" : "small";
  container.replaceChildren(board);
}

/** A board on the page: what is drawn, and what has been chosen on it so far. */
class BoardView {
  constructor(container, scene, options) {
    this.options = options;
    this.scene = options.flipped ? boardFlipped(scene) : scene;
    this.last = options.last && options.flipped ? boardFlipped(options.last) : options.last;
    this.clicks = options.onAction ? scene.clicks : [];
    this.marks = new Map((options.marks || []).map((mark) => [mark.action, mark]));
    /** @type {string[]} */
    this.chosen = [];
    // Pixels a cell. A mere picture of a board is not measured: that would have the page laid out at every step of a run.
    this.unit = options.onRefuse ? container.clientWidth / this.scene.width : 0;
    this.drawn = new Map(); // the elements of the shapes
    this.dragging = new BoardDragging(this);
    const focus = boardFocus(container);
    this.svg = this.draw();
    container.replaceChildren(this.svg);
    this.update();
    if (focus) this.focusNear(focus);
  }

  /** The click targets, looked for when they are first needed: a mere picture of a board has no use for them. */
  get targets() {
    this.found ??= boardTargets(this.scene, new Set(this.scene.clicks.flatMap((click) => click.targets)));
    return this.found;
  }

  /** Show other values on the moves. @param {Mark[]} marks */
  mark(marks) {
    this.marks = new Map(marks.map((mark) => [mark.action, mark]));
    this.update();
  }

  /**
   * Show what a move would do, as a shadow on the board, or the board as it is again. With `places`, only what it
   * does there, and until something else is chosen: that much of the move has been made.
   * @param {Scene | null} next @param {string[] | null} [places]
   */
  preview(next, places = null) {
    const layer = places ? this.staged : this.shadow;
    layer.replaceChildren();
    for (const element of this.drawn.values()) element.classList.remove(places ? "board-left" : "board-leaving");
    this.svg.classList.toggle("board-previewing", Boolean(next) && !places);
    if (!next) return;
    const { gone, come } = boardDifference(this.scene, this.options.flipped ? boardFlipped(next) : next);
    const wanted = (shape) => !places || places.includes(shape.at);
    for (const shape of gone.filter(wanted)) this.drawn.get(shape)?.classList.add(places ? "board-left" : "board-leaving");
    layer.append(...come.filter(wanted).map((shape) => boardShape(shape, next, this.unit)));
  }

  /** Forget what was chosen. */
  unselect() {
    this.select([]);
  }

  /** Put the keyboard's focus on the board. */
  focus() {
    this.svg.querySelector('.board-target[tabindex="0"]')?.focus();
  }

  draw() {
    const { x = 0, y = 0, width, height, shapes } = this.scene;
    const svg = boardElement("svg", "board");
    const box = [x - BOARD_MARGIN, y - BOARD_MARGIN, width + 2 * BOARD_MARGIN, height + 2 * BOARD_MARGIN];
    svg.setAttribute("viewBox", box.join(" "));
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", this.options.label || "the board");
    svg.setAttribute("tabindex", "-1");
    svg.dataset.colours = this.scene.colours || "blue-orange";
    const changes = this.last ? boardChanges(this.last, this.scene) : new Map();
    const interactive = new Set(this.clicks.flatMap((click) => click.targets));
    for (const shape of shapes) {
      const drawn = boardShape(shape, this.scene, this.unit);
      this.drawn.set(shape, drawn);
      if (changes.has(shape)) drawn.classList.add(changes.get(shape));
      if (shape.label && !interactive.has(shape.at)) {
        drawn.setAttribute("role", "img");
        drawn.setAttribute("aria-label", shape.label);
      } else if (shape.kind === "text") drawn.setAttribute("aria-hidden", "true");
      svg.append(drawn);
    }
    this.hints = svg.appendChild(boardElement("g", "board-hints"));
    this.staged = svg.appendChild(boardElement("g", "board-staged"));
    this.shadow = svg.appendChild(boardElement("g", "board-shadow"));
    if (this.options.onRefuse) svg.append(...this.drawClosed(interactive));
    for (const name of interactive) svg.append(this.drawTarget(this.targets.get(name)));
    for (const layer of [this.hints, this.staged, this.shadow]) layer.setAttribute("aria-hidden", "true");
    this.layer = svg.appendChild(boardElement("g", "board-marks"));
    this.layer.setAttribute("aria-hidden", "true");
    svg.addEventListener("keydown", (event) => this.pressed(event));
    return svg;
  }

  drawTarget(target) {
    const group = boardElement("g", "board-target");
    group.dataset.target = target.name;
    group.setAttribute("role", "button");
    for (const shape of target.outline) group.append(boardShape({ ...shape, style: "place", text: "" }));
    group.addEventListener("click", () => { if (!this.justDragged) this.click(target.name); });
    group.addEventListener("pointerdown", (event) => this.dragging.press(target.name, event));
    group.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") this.hover(target.name); });
    group.addEventListener("pointerleave", () => this.hover(null));
    group.addEventListener("blur", () => this.hover(null));
    group.addEventListener("focus", () => {
      this.settle(group);
      if (group.matches(":focus-visible")) this.hover(target.name);
    });
    target.element = group;
    return group;
  }

  /** Places that no move begins with: a click there is answered with why. */
  drawClosed(interactive) {
    const names = new Set(this.scene.shapes.map((shape) => shape.at).filter((name) => name && !interactive.has(name)));
    return [...boardTargets(this.scene, names).values()].map((target) => {
      const group = boardElement("g", "board-closed");
      group.dataset.place = target.name;
      group.setAttribute("aria-hidden", "true");
      for (const shape of target.outline) group.append(boardShape({ ...shape, style: "place", text: "" }));
      group.addEventListener("click", () => { if (!this.justDragged) this.click(target.name); });
      return group;
    });
  }

  /** Tell which move a click here would make, if it makes one. */
  hover(name) {
    if (!this.options.onHover) return;
    const path = [...this.chosen, name];
    const { starts, next } = this.open();
    const from = next.has(name) ? path : starts.has(name) ? [name] : [];
    const moves = this.clicks.filter((click) => from.every((each, index) => click.targets[index] === each));
    const only = from.length && moves.length === 1 && moves[0].targets.length === from.length ? moves[0].action : null;
    if (only !== this.hovered) this.options.onHover(only);
    this.hovered = only;
  }

  /** The targets that can be clicked now: the next ones of what is chosen, and those that begin a move. */
  open() {
    const starts = new Set(this.clicks.map((click) => click.targets[0]));
    const next = new Set(this.continuing().map((click) => click.targets[this.chosen.length]));
    next.delete(undefined);
    return { starts, next };
  }

  /** The actions whose targets begin with the chosen ones. */
  continuing() {
    return this.clicks.filter((click) => this.chosen.every((name, index) => click.targets[index] === name));
  }

  click(name) {
    const { starts, next } = this.open();
    if (next.has(name)) this.select([...this.chosen, name]);
    else if (this.chosen.at(-1) === name) this.confirm();
    else if (starts.has(name) && !(this.chosen.length && this.isMove(name))) this.select([name]);
    else this.options.onRefuse?.([...this.chosen, name]);
  }

  /** Would a click there make a move at once? In the middle of another one, that is a slip: the mill would be lost. */
  isMove(name) {
    const moves = this.clicks.filter(({ targets }) => targets[0] === name);
    return moves.length === 1 && moves[0].targets.length === 1;
  }

  /** May what stands at a place be dragged: does a move begin, or go on, there, and lead somewhere else? */
  canLift(name) {
    return this.chosen.at(-1) === name || this.clicks.some(({ targets }) => targets[0] === name && targets.length > 1);
  }

  /** A piece is lifted: it is chosen, and stays so. */
  take(name) {
    if (this.chosen.at(-1) !== name) this.select([name]);
  }

  /** Something is dragged over a place. */
  dragOver(name) {
    for (const element of this.svg.querySelectorAll(".board-over")) element.classList.remove("board-over");
    const { next } = this.open();
    if (next.has(name)) this.targets.get(name).element?.classList.add("board-over");
  }

  select(names) {
    this.chosen = names;
    this.preview(null, []);
    const left = this.continuing();
    if (names.length && left.length === 1 && left[0].targets.length === names.length) {
      this.act(left[0].action);
      return;
    }
    this.update();
    this.options.onSelect?.(names, left[0]?.action ?? null);
  }

  /** A second click on the last target plays the move that ends there, or else gives the piece up. */
  confirm() {
    const whole = this.continuing().find((click) => click.targets.length === this.chosen.length);
    if (whole) this.act(whole.action);
    else this.select([]);
  }

  /** Play an action. From here on this board is a picture: the next position brings its own. */
  act(action) {
    const focus = boardFocus(this.svg.parentElement);
    this.chosen = [];
    this.clicks = [];
    this.options.onHover?.(null);
    for (const group of this.svg.querySelectorAll(".board-target")) group.remove();
    this.found = undefined;
    this.update();
    if (focus) this.focusNear(focus);
    this.options.onAction(action);
  }

  /** Bring the targets and the marks in line with what is chosen. */
  update() {
    this.layer.replaceChildren();
    this.hints.replaceChildren();
    if (!this.clicks.length && !this.marks.size) return;
    const { starts, next } = this.open();
    let reachable = null;
    const marked = [];
    for (const target of this.targets.values()) {
      if (target.element) {
        const open = next.has(target.name) || starts.has(target.name);
        const chosen = this.chosen.includes(target.name);
        target.element.classList.toggle("board-open", open);
        target.element.classList.toggle("board-chosen", chosen);
        target.element.classList.toggle("board-lift", this.canLift(target.name));
        target.element.classList.toggle("board-next", this.chosen.length > 0 && next.has(target.name));
        target.element.setAttribute("aria-disabled", String(!open && !chosen));
        target.element.setAttribute("aria-pressed", String(chosen));
        target.element.setAttribute("tabindex", "-1");
        if (open && (!reachable || target.element === document.activeElement)) reachable = target.element;
      }
      const mark = this.markOf(target);
      if (mark) marked.push([target, mark]);
      else if (target.element && (this.chosen.length ? next : starts).has(target.name)) this.hints.append(...boardHint(target, this.scene));
      if (target.element) target.element.setAttribute("aria-label", boardWords(target, mark, this.chosen));
    }
    reachable?.setAttribute("tabindex", "0");
    this.hints.classList.toggle("board-faint", this.hints.childElementCount > BOARD_MANY);
    const letters = boardLetters(marked, this.scene, this.unit);
    marked.sort(([, one], [, other]) => Number(Boolean(one.best)) - Number(Boolean(other.best))); // the best are on top
    for (const [target, mark] of marked) this.layer.append(...boardMark(target, mark, this.scene, letters));
  }

  /** The best mark of the actions that go on through a target. */
  markOf(target) {
    const step = this.chosen.length;
    const clicks = this.scene.clicks.filter(
      (click) =>
        click.targets[step] === target.name && this.chosen.every((name, index) => click.targets[index] === name),
    );
    const marks = clicks.map((click) => this.marks.get(click.action)).filter(Boolean);
    const worth = (mark) => (mark.best ? 1e300 : (mark.rank ?? mark.value ?? 0));
    return marks.reduce((best, mark) => (best && worth(best) >= worth(mark) ? best : mark), null);
  }

  settle(group) {
    for (const other of this.svg.querySelectorAll(".board-target")) other.setAttribute("tabindex", "-1");
    group.setAttribute("tabindex", "0");
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.target.closest?.(".board-target")?.dataset.target;
    if (name !== undefined && (event.key === "Enter" || event.key === " ")) this.click(name);
    else if (event.key === "Escape" && this.chosen.length) this.unselect();
    else if (name !== undefined && BOARD_ARROWS[event.key]) this.step(name, BOARD_ARROWS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the focus to the nearest target that lies in a direction. */
  step(name, [right, down]) {
    const from = boardMiddle(this.targets.get(name).box);
    let nearest = null;
    let least = Infinity;
    for (const target of this.openTargets()) {
      const to = boardMiddle(target.box);
      const along = (to.x - from.x) * right + (to.y - from.y) * down;
      const across = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
      if (along > 0.01 && along + 2 * across < least) [nearest, least] = [target, along + 2 * across];
    }
    nearest?.element.focus();
  }

  focusNear({ x, y }) {
    const distance = ({ box }) => Math.round(100 * Math.hypot(boardMiddle(box).x - x, boardMiddle(box).y - y));
    const [nearest] = this.openTargets().sort((one, other) => distance(one) - distance(other));
    this.svg.dataset.focus = `${x} ${y}`; // where to go on, if nothing can be clicked in this position
    (nearest ? nearest.element : this.svg).focus({ preventScroll: true });
  }

  openTargets() {
    if (!this.clicks.length) return [];
    return [...this.targets.values()].filter((target) => target.element?.classList.contains("board-open"));
  }
}

/** The click targets by name: their box, the shapes that outline them, and what is said of them. */
function boardTargets(scene, names) {
  const targets = new Map();
  for (const name of names) {
    const shapes = scene.shapes.filter((shape) => shape.at === name);
    const solid = shapes.filter((shape) => shape.kind !== "text");
    const outline = (solid.length ? solid : shapes).filter((shape, index, all) => {
      const box = boardBox(shape);
      return !all.some((other, place) => other !== shape && boardCovers(boardBox(other), box)
        && (place < index || !boardCovers(box, boardBox(other))));
    });
    const label = [...new Set(shapes.map((shape) => shape.label).filter(Boolean))].join(", ") || name;
    targets.set(name, { name, shapes, outline, box: boardUnion(outline.map(boardBox)), label, element: null });
  }
  return targets;
}

/** What a screen reader says of a target. */
function boardWords(target, mark, chosen) {
  const words = [target.label];
  if (mark) words.push(mark.words || mark.text);
  if (chosen.includes(target.name)) words.push("chosen");
  return words.join(", ");
}

/** Where the focus was on the board that is about to be replaced, if it was there. */
function boardFocus(container) {
  const active = document.activeElement;
  if (!active || !container.contains(active)) return null;
  const group = active.closest(".board-target");
  if (group) return boardMiddle(group.getBBox());
  const kept = active.dataset?.focus?.split(" ").map(Number);
  return kept ? { x: kept[0], y: kept[1] } : null;
}
