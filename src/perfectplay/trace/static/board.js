/**
 * The board of a game, drawn from its scene: shapes, click targets, the last move, values on the moves.
 *
 * @typedef {{kind: string, numbers: number[], style: string, text?: string, at?: string, label?: string}} Shape
 * @typedef {{width: number, height: number, shapes: Shape[], clicks: {action: string, targets: string[]}[]}} Scene
 * @typedef {{action: string, text: string, value?: number, exact?: boolean, best?: boolean, words?: string,
 *            outcome?: "win" | "tie" | "loss" | "draw", rank?: number}} Mark `rank` orders them where values do not
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{onAction?: (action: string) => void, onSelect?: (targets: string[]) => void, marks?: Mark[],
 *            last?: Scene | null, flipped?: boolean, label?: string}} BoardOptions
 */

import { BOARD_GROUNDS, BOARD_MOVABLE, BOARD_PIECES } from "./geometry.js";
import { boardBox, boardCovers, boardFlipped, boardHolds, boardMiddle, boardUnion } from "./geometry.js";

const BOARD_SVG = "http://www.w3.org/2000/svg";
const BOARD_MARGIN = 0.06; // of a cell, for strokes on the rim
// The widths of letters; a digit's is 0.66.
const BOARD_LETTERS = { "★": 0.95, "≈": 0.86, "+": 0.86, "−": 0.86, ".": 0.36, W: 1, D: 0.78 };
const BOARD_ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Draw a scene into a container, in place of what was there.
 *
 * With `onAction` the targets of the legal actions can be clicked, or reached by keyboard; `last` is the scene
 * before the last move, whose changes are highlighted; `marks` are values to write on the moves.
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
    const changes = this.last ? boardChanges(this.last, this.scene) : new Map();
    const interactive = new Set(this.clicks.flatMap((click) => click.targets));
    for (const shape of shapes) {
      const drawn = boardShape(shape, this.scene);
      if (changes.has(shape)) drawn.classList.add(changes.get(shape));
      if (shape.label && !interactive.has(shape.at)) {
        drawn.setAttribute("role", "img");
        drawn.setAttribute("aria-label", shape.label);
      } else if (shape.kind === "text") drawn.setAttribute("aria-hidden", "true");
      svg.append(drawn);
    }
    for (const name of interactive) svg.append(this.drawTarget(this.targets.get(name)));
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
    group.addEventListener("click", () => this.click(target.name));
    group.addEventListener("focus", () => this.settle(group));
    target.element = group;
    return group;
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
    else if (starts.has(name)) this.select([name]);
  }

  select(names) {
    this.chosen = names;
    const left = this.continuing();
    if (names.length && left.length === 1 && left[0].targets.length === names.length) {
      this.act(left[0].action);
      return;
    }
    this.update();
    this.options.onSelect?.(names);
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
    for (const group of this.svg.querySelectorAll(".board-target")) group.remove();
    this.found = undefined;
    this.update();
    if (focus) this.focusNear(focus);
    this.options.onAction(action);
  }

  /** Bring the targets and the marks in line with what is chosen. */
  update() {
    this.layer.replaceChildren();
    if (!this.clicks.length && !this.marks.size) return;
    const { starts, next } = this.open();
    let reachable = null;
    for (const target of this.targets.values()) {
      if (target.element) {
        const open = next.has(target.name) || starts.has(target.name);
        const chosen = this.chosen.includes(target.name);
        target.element.classList.toggle("board-open", open);
        target.element.classList.toggle("board-chosen", chosen);
        target.element.classList.toggle("board-next", this.chosen.length > 0 && next.has(target.name));
        target.element.setAttribute("aria-disabled", String(!open && !chosen));
        target.element.setAttribute("aria-pressed", String(chosen));
        target.element.setAttribute("tabindex", "-1");
        if (open && (!reachable || target.element === document.activeElement)) reachable = target.element;
      }
      const mark = this.markOf(target);
      if (mark) this.layer.append(...boardMark(target, mark, this.scene));
      if (target.element) target.element.setAttribute("aria-label", boardWords(target, mark, this.chosen));
    }
    reachable?.setAttribute("tabindex", "0");
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

function boardElement(name, className) {
  const element = document.createElementNS(BOARD_SVG, name);
  if (className) element.setAttribute("class", className);
  return element;
}

/** One shape as SVG; a mark that lies on a piece is told from one that stands alone. */
function boardShape(shape, scene = null) {
  const attributes = {
    rect: ["x", "y", "width", "height"],
    circle: ["cx", "cy", "r"],
    line: ["x1", "y1", "x2", "y2"],
    text: ["x", "y", "font-size"],
  }[shape.kind];
  const element = boardElement(shape.kind, `board-shape board-${shape.style}`);
  if (shape.kind === "polygon") element.setAttribute("points", shape.numbers.join(" "));
  else attributes.forEach((name, index) => element.setAttribute(name, String(shape.numbers[index])));
  if (shape.kind === "rect" && shape.style !== "place") boardRound(element, shape);
  if (shape.kind === "text") element.textContent = shape.text || "";
  if (scene && shape.kind === "text" && shape.style === "label") boardShrink(element, shape, scene);
  const detail = shape.style.endsWith("-mark") || shape.style === "count";
  if (scene && detail && boardLiesOnPiece(shape, scene)) element.classList.add("board-on");
  return element;
}

function boardRound(element, { numbers, style }) {
  const radius = { board: 0.12, cell: 0, dark: 0, hole: 0.16, win: 0 }[style] ?? 0.08;
  element.setAttribute("rx", String(Math.min(radius, numbers[2] / 2, numbers[3] / 2)));
}

/** On a board of few cells, which are drawn large, the coordinates need not be. */
function boardShrink(element, { numbers }, { width }) {
  element.setAttribute("font-size", (numbers[2] * Math.min(1, 0.42 + width / 14)).toFixed(3));
}

function boardLiesOnPiece(mark, scene) {
  const { x, y } = boardMiddle(boardBox(mark));
  const before = scene.shapes.slice(0, scene.shapes.indexOf(mark));
  return before.some((shape) => BOARD_PIECES.has(shape.style) && boardHolds(boardBox(shape), x, y));
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

/** The shapes that a move changed, and the cells that it left and reached, with the class that highlights each. */
function boardChanges(last, scene) {
  const said = (shape) => [shape.kind, shape.numbers.join(" "), shape.style, shape.text || ""].join("|");
  const place = (shape) => Object.values(boardMiddle(boardBox(shape))).map((at) => at.toFixed(2)).join(" ");
  const [before, after] = [new Set(last.shapes.map(said)), new Set(scene.shapes.map(said))];
  const gone = last.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style) && !after.has(said(shape)));
  const come = scene.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style) && !before.has(said(shape)));
  const [emptied, filled] = [new Set(gone.map(place)), new Set(come.map(place))];
  const fresh = come.filter((shape) => !emptied.has(place(shape)));
  const main = fresh.length ? fresh : come; // discs that a move turned over are less than the one it set
  const changes = new Map(come.map((shape) => [shape, "board-turned"]));
  const grounds = scene.shapes.filter((shape) => BOARD_GROUNDS.has(shape.style));
  const groundOf = (shape) => {
    const { x, y } = boardMiddle(boardBox(shape));
    return grounds.find((candidate) => boardHolds(boardBox(candidate), x, y));
  };
  for (const shape of main) {
    const ground = groundOf(shape);
    const hidden = !ground || boardCovers(boardBox(shape), boardBox(ground));
    changes.set(shape, hidden ? "board-last" : "board-set");
    if (ground) changes.set(ground, "board-trace");
  }
  for (const shape of gone.filter((each) => !filled.has(place(each)))) {
    const ground = groundOf(shape);
    if (ground) changes.set(ground, "board-trace");
  }
  return changes;
}

/** The value of a move, on its target: solid where it is exact, dashed and with a sign where it is a guess. */
function boardMark(target, mark, scene) {
  const { box, shape, taken } = boardAnchor(target, scene);
  const middle = boardMiddle(box);
  const text = `${mark.best ? "★" : ""}${mark.exact ? "" : "≈"}${mark.text}`;
  const letters = [...text].reduce((sum, letter) => sum + (BOARD_LETTERS[letter] ?? 0.66), 0.8);
  const size = Math.min(taken ? 0.23 : 0.27, (0.94 * Math.max(box.width, 0.8)) / letters);
  const [width, height] = [size * letters, 1.5 * size];
  const y = taken && box.height > 0.5 ? box.y + box.height - 0.4 * height : middle.y;
  const group = boardElement("g", `board-mark board-${mark.exact ? "exact" : "guess"}`);
  if (mark.best) group.classList.add("board-best");
  if (mark.outcome) group.classList.add(`board-is-${mark.outcome}`);
  const numbers = [middle.x - width / 2, y - height / 2, width, height];
  const pill = group.appendChild(boardShape({ kind: "rect", numbers, style: "pill" }));
  pill.setAttribute("rx", String(height / 2));
  group.append(boardShape({ kind: "text", numbers: [middle.x, y, size], style: "value", text }));
  return [...boardAround(target, mark, taken ? null : shape), group];
}

/** What is drawn around the value: a tint of the outcome on a free place, and a ring if the move is best. */
function boardAround(target, mark, free) {
  const tints = mark.outcome && free ? [{ ...free, style: "tint", text: "" }] : [];
  const rings = mark.best ? target.outline.map((each) => ({ ...each, style: "ring" })) : [];
  return [...tints, ...rings].map((shape) => {
    const drawn = boardShape(shape);
    if (mark.outcome) drawn.classList.add(`board-is-${mark.outcome}`);
    return drawn;
  });
}

/** Where a move's value is written: in the free place of its target that is lowest, as a stone falls there. */
function boardAnchor(target, scene) {
  const pieces = scene.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style)).map(boardBox).map(boardMiddle);
  const taken = (box) => pieces.some(({ x, y }) => boardHolds(box, x, y));
  const grounds = target.shapes.filter((shape) => BOARD_GROUNDS.has(shape.style));
  const free = grounds.filter((shape) => !taken(boardBox(shape))).sort((one, other) => boardBox(other).y - boardBox(one).y);
  const shape = free[0] || target.outline[0];
  const box = boardBox(shape);
  return { box, shape, taken: !free.length && taken(box) };
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
