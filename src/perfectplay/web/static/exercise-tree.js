/**
 * The tree of an exercise, to be filled in: shapes and branches as SVG, and over them fields and buttons for the answers.
 *
 * @typedef {{name: string, role: "max" | "min" | "chance" | "player" | "leaf", parent: string | null, action: string, children: string[],
 *            ply: number, across: number, text: string, scene: any, value: number | null, leaf: string | null,
 *            probability?: string, player?: number, values?: number[]}} TreeNode
 */

import { make } from "./elements.js";
import { drawBoard } from "/theatre/board.js";

const SVG = "http://www.w3.org/2000/svg";
const SLOT = 84; // from leaf to leaf, in pixels
const DOWN = 158; // from ply to ply
const SIDE = 32; // half of a node
const OWN = 50; // half of the width of a node with the values of all players
const SQUARE = 20; // half of a leaf
const FIELD = 34; // the height of the field for a window
const BOARD = { inner: 56, leaf: 68 };
const TEXT = { lines: 8, letters: 18, largest: 13, wide: 0.62, high: 1.15 }; // boards of text: no more can be read so small
const MARGIN = 14;
const SHORT = 9; // characters of a move that fit on a branch

/** A tree on the page. `onChange` is called after every answer. */
export class ExerciseTree {
  /** @param {{kind: string, nodes: TreeNode[]}} exercise */
  constructor(exercise, onChange) {
    this.prunes = exercise.kind === "alpha-beta";
    this.several = exercise.kind === "max-n"; // has every player values of its own?
    this.counts = exercise.kind === "uct"; // has every node its playouts beside it?
    this.asked = new Set(exercise.questions.map((each) => each.name));
    this.nodes = new Map(exercise.nodes.map((node) => [node.name, node]));
    this.root = exercise.nodes[0];
    this.onChange = onChange;
    this.fields = new Map(); // the controls, by the names of their questions
    this.cut = new Set(); // the nodes whose branches are marked as cut
    this.settled = new Set(); // the nodes of which it is said which branches are cut, if any
    this.nones = new Map(); // the buttons that say that no branch of a node is cut
    this.branches = new Map(); // button and lines, by the node they lead to
    this.drawn = new Map(); // what is greyed with a node
    this.hasBoards = exercise.nodes.some((node) => node.scene || isShort(node.text));
    this.letter = Math.min(TEXT.largest, ...exercise.nodes.filter((node) => isShort(node.text)).map(letterOf));
    this.places = this.arrange(exercise.nodes);
    this.svg = this.paint("svg", { class: "tree-lines", width: this.width, height: this.height, "aria-hidden": "true" });
    this.sheet = make("div", { class: "tree-sheet" }, this.svg);
    this.sheet.style.width = `${this.width}px`;
    this.sheet.style.height = `${this.height}px`;
    this.element = make("div", { class: "tree-frame", role: "group", "aria-label": "The tree", tabindex: "0" }, this.sheet);
    for (const node of exercise.nodes) if (node.parent) this.drawLine(node);
    this.drawNode(this.root);
  }

  arrange(nodes) {
    const left = MARGIN + Math.max(SLOT / 2, this.hasBoards ? BOARD.inner + SIDE + 12 : 62);
    const top = MARGIN + SIDE + (this.prunes ? FIELD + 6 : 0);
    const lone = (node) => node.parent && this.nodes.get(node.parent).children.length === 1;
    const room = this.several ? (2 * OWN + 14) / SLOT : nodes.some(lone) || this.counts ? 2 : 1; // an only child leaves too little room for the node above it
    const places = new Map(nodes.map(({ name, across, ply }) => [name, [left + across * SLOT * room, top + ply * DOWN]]));
    const all = [...places.values()];
    this.width = Math.max(...all.map(([x]) => x)) + 66 + MARGIN;
    this.height = Math.max(...all.map(([, y]) => y)) + SIDE + MARGIN + (this.hasBoards ? BOARD.leaf : 0);
    return places;
  }

  // Drawing.

  paint(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  /** Put an element where its middle is to be. */
  place(element, x, y) {
    element.classList.add("tree-item");
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    return element;
  }

  drawLine(node) {
    const [[x1, above], [x2, below]] = [this.places.get(node.parent), this.places.get(node.name)];
    const ends = { x1, y1: above + SIDE, x2,
      y2: below - (node.role === "leaf" ? SQUARE : SIDE + (this.prunes ? FIELD + 6 : 0)) };
    const line = this.paint("line", { ...ends, class: "tree-line" });
    const [x, y] = [x1 + (x2 - x1) * 0.3, ends.y1 + (ends.y2 - ends.y1) * 0.3];
    const strokes = this.paint("path", { d: `M${x - 10} ${y + 4}l16 -10M${x - 6} ${y + 10}l16 -10`, class: "tree-strokes" });
    this.svg.append(line, strokes);
    if (this.prunes) { // a wide line that is easy to hit
      const hit = this.paint("line", { ...ends, class: "tree-hit" });
      hit.addEventListener("click", () => this.toggle(node.name));
      this.svg.append(hit);
    }
    const middle = [x1 + (x2 - x1) * 0.62, ends.y1 + (ends.y2 - ends.y1) * 0.62];
    this.branches.set(node.name, { node, line, strokes, middle });
  }

  /** A node with all that hangs below it, in the order in which the algorithm comes to it. */
  drawNode(node) {
    if (node.role === "leaf") return this.drawLeaf(node);
    const [x, y] = this.places.get(node.name);
    const shape = this.shapeOf(node, x, y);
    this.svg.append(shape);
    const own = node.role === "player";
    const words = own ? `${node.name} P${node.player}` : node.name;
    const name = this.place(make("span", { class: "tree-name", "aria-hidden": "true" }, words), own ? x : x + SIDE + 6,
      own ? y - SIDE / 2 - 1 : node.role === "max" ? y - SIDE / 2 : y + SIDE / 2);
    const drawn = [shape, name, ...this.board(node, x - SIDE - 8 - BOARD.inner / 2, y, BOARD.inner)];
    this.drawn.set(node.name, drawn);
    this.sheet.append(...drawn.slice(1), make("h3", { class: "unseen" }, this.told(node)));
    if (this.prunes) this.addField(`window:${node.name}`, `alpha and beta on entering ${node.name}`, "α, β", "tree-window",
      x, y - SIDE - FIELD / 2 - 3);
    for (const child of node.children) {
      this.drawBranch(child);
      this.drawNode(this.nodes.get(child));
    }
    if (this.prunes && node.children.length > 1) this.addNone(node, x, y);
    if (!this.asked.has(`value:${node.name}`)) return;
    const label = this.prunes ? `value that ${node.name} returns` : `${this.several ? "values" : "value"} of ${node.name}`;
    const down = { max: 12, min: -12, chance: 0, player: 11 }[node.role];
    this.addField(`value:${node.name}`, label, "", `tree-value${own ? " tree-values" : ""}`, x, y + down);
  }

  /** A triangle up for MAX, down for MIN, a circle for chance, and a box where everybody plays for itself. */
  shapeOf(node, x, y) {
    const { role, player } = node;
    if (role === "chance") return this.paint("circle", { cx: x, cy: y, r: SIDE, class: "tree-node tree-chance" });
    if (role === "player") {
      return this.paint("rect", { x: x - OWN, y: y - SIDE, width: 2 * OWN, height: 2 * SIDE, rx: 12, class: `tree-node tree-player-${player % 3}` });
    }
    const tip = role === "max" ? -SIDE : SIDE;
    const corners = `${x},${y + tip} ${x - SIDE - 6},${y - tip} ${x + SIDE + 6},${y - tip}`;
    return this.paint("polygon", { points: corners, class: `tree-node tree-${role}` });
  }

  drawLeaf(node) {
    const [x, y] = this.places.get(node.name);
    const more = node.values ? OWN - SQUARE : 0; // for several numbers
    const box = (half) => ({ x: x - half - more, y: y - half, width: 2 * (half + more), height: 2 * half });
    const shapes = [this.paint("rect", { ...box(SQUARE), class: "tree-node tree-leaf" })];
    if (node.leaf === "end") shapes.push(this.paint("rect", { ...box(SQUARE - 4), class: "tree-node tree-end" }));
    this.svg.append(...shapes);
    const value = numberOfLeaf(node);
    const number = this.place(make("span", { class: "tree-number" }, make("span", { class: "unseen" }, "leaf "), value), x, y);
    const drawn = [...shapes, number, ...this.board(node, x, y + SQUARE + 5 + BOARD.leaf / 2, BOARD.leaf)];
    this.sheet.append(...drawn.slice(shapes.length));
    this.drawn.set(node.name, drawn);
  }

  /** The move on a branch; where branches can be cut, it is a button that does so. */
  drawBranch(child) {
    const { node, middle } = this.branches.get(child);
    const move = node.action.length > SHORT ? `${node.action.slice(0, SHORT - 1)}…` : node.action;
    const words = node.probability ? `${move}\n${node.probability}` : move;
    const label = this.prunes
      ? make("button", { type: "button", class: "tree-branch", "aria-pressed": "false", title: `cut ${node.action}?`,
        "aria-label": `branch ${node.action} of ${node.parent} is cut`, "data-branch": child,
        onclick: () => this.toggle(child) }, words)
      : make("span", { class: "tree-branch" }, words);
    this.branches.get(child).label = label;
    this.sheet.append(this.place(label, ...middle));
  }

  board(node, x, y, size) {
    if (!node.scene && !isShort(node.text)) return [];
    const frame = this.place(make("div", { class: "tree-board", "aria-hidden": "true", inert: true }), x, y);
    frame.style.width = `${size}px`;
    frame.style.height = `${size}px`;
    if (node.scene) drawBoard(frame, node.scene);
    else {
      frame.classList.add("tree-text");
      frame.style.fontSize = `${this.letter}px`; // the same at every node
      frame.append(make("pre", {}, node.text.replace(/\s+$/, "")));
    }
    return [frame];
  }

  addNone(node, x, y) {
    const none = make("button", { type: "button", class: "tree-none", "aria-pressed": "false", "data-none": node.name,
      "aria-label": `no branch of ${node.name} is cut`, title: "No branch is cut here",
      onclick: () => this.settle(node.name) }, "no cut");
    this.nones.set(node.name, none);
    this.sheet.append(this.place(none, x + SIDE + 34, y + (node.role === "max" ? 12 : -14)));
  }

  addField(question, label, placeholder, kind, x, y) {
    const field = make("input", { class: `tree-field ${kind}`, "aria-label": label, placeholder, autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", maxlength: "40", name: question, oninput: () => this.changed(question) });
    const mark = make("span", { class: "tree-mark", "aria-hidden": "true" });
    this.sheet.append(this.place(make("span", { class: "tree-answer" }, field, mark), x, y));
    this.fields.set(question, { field, mark });
  }

  /** A node in words, for those who do not see the tree. */
  told(node) {
    const branches = node.children.map((name) => this.nodes.get(name)).map((child) =>
      `${child.action}${child.probability ? `, probability ${child.probability},` : ""} to ${child.role === "leaf" ? `leaf ${numberOfLeaf(child)}` : child.name}`);
    const from = node.parent ? `, by ${node.action} from ${node.parent}` : "";
    const who = node.role === "player" ? `player ${node.player}` : node.role.toUpperCase();
    const below = branches.length ? ` Branches: ${branches.join(", ")}.` : ` ${node.text.replace("\n", ", ")}.`;
    return `${node.name}, ${who}${from}.${below}`;
  }

  // Answers.

  toggle(child) {
    if (this.cut.has(child)) this.cut.delete(child);
    else this.cut.add(child);
    this.settled.delete(this.nodes.get(child).parent);
    this.changed(`cuts:${this.nodes.get(child).parent}`);
  }

  /** Say that no branch of a node is cut, or take that back. */
  settle(name) {
    if (this.settled.has(name)) this.settled.delete(name);
    else {
      this.settled.add(name);
      for (const child of this.nodes.get(name).children) this.cut.delete(child);
    }
    this.changed(`cuts:${name}`);
  }

  changed(question) {
    this.mark(question, null);
    this.redraw();
    this.onChange();
  }

  /** Does a marked branch lie above the node? Then nobody comes to it. */
  isSpared(node) {
    for (let each = node; each; each = this.nodes.get(each.parent)) if (this.cut.has(each.name)) return true;
    return false;
  }

  redraw() {
    for (const node of this.nodes.values()) {
      const spared = this.isSpared(node);
      for (const part of this.drawn.get(node.name)) part.classList.toggle("tree-spared", spared);
      for (const kind of ["window", "value"]) {
        const { field } = this.fields.get(`${kind}:${node.name}`) || {};
        if (field) field.disabled = spared;
      }
      const none = this.nones.get(node.name);
      if (none) {
        none.disabled = spared;
        none.setAttribute("aria-pressed", String(this.settled.has(node.name) && !node.children.some((child) => this.cut.has(child))));
      }
      const branch = this.branches.get(node.name);
      if (!branch) continue;
      const isCut = this.cut.has(node.name);
      branch.line.classList.toggle("tree-spared", spared);
      for (const part of [branch.line, branch.strokes, branch.label]) part.classList.toggle("tree-cut", isCut);
      if (this.prunes) {
        branch.label.setAttribute("aria-pressed", String(isCut));
        branch.label.disabled = spared && !isCut;
      }
    }
  }

  /** The answers so far, and nothing that nobody gave: below a branch that is marked as cut none is needed. */
  read() {
    const answers = {};
    for (const node of this.nodes.values()) {
      if (node.role === "leaf" || this.isSpared(node)) continue;
      for (const kind of ["window", "value"]) {
        const question = `${kind}:${node.name}`;
        const text = this.fields.get(question)?.field.value.trim();
        if (text) answers[question] = text;
      }
      if (!this.prunes || node.children.length < 2) continue;
      const marked = node.children.filter((child) => this.cut.has(child));
      if (marked.length || this.settled.has(node.name)) answers[`cuts:${node.name}`] = marked;
    }
    return answers;
  }

  /** All that was written, to be kept. */
  state() {
    const fields = {};
    for (const [question, { field }] of this.fields) if (field.value) fields[question] = field.value;
    return { fields, cut: [...this.cut], settled: [...this.settled] };
  }

  /** The inverse: what does not belong to this tree is left out. */
  restore({ fields = {}, cut = [], settled = [] }) {
    for (const [question, { field }] of this.fields) field.value = fields[question] || "";
    this.cut = new Set(cut.filter((name) => this.branches.has(name)));
    this.settled = new Set(settled.filter((name) => this.nodes.has(name)));
    this.redraw();
  }

  /** Write an answer into the tree, as somebody wrote it. @param {string[]} cut nodes whose branches are cut */
  write(question, text, cut = []) {
    const [kind, name] = question.split(":");
    if (kind === "cuts") {
      this.settled.add(name);
      for (const child of this.nodes.get(name).children) {
        if (cut.includes(child)) this.cut.add(child);
        else this.cut.delete(child);
      }
    } else this.fields.get(question).field.value = text;
    this.changed(question);
  }

  /** Show that an answer is right (true), wrong (false), or not judged (null). */
  mark(question, right, about = "") {
    const [kind, name] = question.split(":");
    const parts = kind === "cuts"
      ? [...this.nodes.get(name).children.map((child) => ({ field: this.branches.get(child).label })), { field: this.nones.get(name) }]
      : [this.fields.get(question)].filter(Boolean);
    for (const { field, mark } of parts) {
      field.classList.toggle("is-right", right === true);
      field.classList.toggle("is-wrong", right === false);
      if (field instanceof HTMLInputElement) field.setAttribute("aria-invalid", String(right === false));
      if (about && right !== null) field.setAttribute("aria-describedby", about);
      else field.removeAttribute("aria-describedby");
      if (mark) mark.textContent = right === null ? "" : right ? "✓" : "✗";
    }
  }

  /** Bring the root into view, where the tree is wider than the page. */
  centre() {
    this.element.scrollLeft = this.places.get(this.root.name)[0] - this.element.clientWidth / 2;
  }

  /** Go to the place of an answer. */
  focus(question) {
    const [kind, name] = question.split(":");
    const control = kind === "cuts" ? this.branches.get(this.nodes.get(name).children.at(-1)).label
      : this.fields.get(question)?.field;
    control?.scrollIntoView({ block: "nearest", inline: "center" });
    control?.focus({ preventScroll: true });
  }
}

/** What a leaf is worth, as it is written. */
function numberOfLeaf({ value, values }) {
  return (values ? `(${values.join(", ")})` : String(value)).replaceAll("-", "−");
}

function linesOf(text) {
  return text.replace(/\s+$/, "").split("\n");
}

/** Can this board be read where it is as small as a node? */
function isShort(text) {
  const lines = linesOf(text);
  return text.trim() !== "" && lines.length <= TEXT.lines && lines.every((line) => line.length <= TEXT.letters);
}

/** The largest letters in which a board has room at its node. */
function letterOf({ text, role }) {
  const lines = linesOf(text);
  const size = role === "leaf" ? BOARD.leaf : BOARD.inner;
  return Math.min(size / lines.length / TEXT.high, size / Math.max(...lines.map((line) => line.length)) / TEXT.wide);
}
