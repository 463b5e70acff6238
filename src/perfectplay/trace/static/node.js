/** A node of the tree as it is drawn, with the edge that leads to it. */

import { drawBoard } from "./board.js";
import { draw, odds, shown } from "./elements.js";

export const BOARD_SIZE = 66;
const CORNERS = {
  max: [[0, -20], [23, 15], [-23, 15]],
  min: [[0, 20], [23, -15], [-23, -15]],
  end: [[-16, -16], [16, -16], [16, 16], [-16, 16]],
};
const ROUND = 20; // half of a circle of chance
const BROAD = 19; // half of the height of a node with the values of all players
export const PLAYER_COLOURS = 6; // for more players they begin again

/** How far a node reaches above and below its middle. */
export const TOPS = { max: 20, min: 15, end: 16, chance: ROUND, player: BROAD };
export const BOTTOMS = { max: 15, min: 20, end: 16, chance: ROUND, player: BROAD };

/** The outline of a node: MAX points up, MIN down, chance is a circle, and where all have values there is room for them. */
function outlineOf(role, x, y, half, stretch) {
  if (role === "chance" && !half) return `M${x - ROUND} ${y}a${ROUND} ${ROUND} 0 1 0 ${2 * ROUND} 0a${ROUND} ${ROUND} 0 1 0 ${-2 * ROUND} 0Z`;
  if (half) {
    const [r, high] = [role === "end" ? 2 : role === "chance" ? BROAD : 9, role === "end" ? 16 : BROAD];
    return `M${x - half + r} ${y - high}h${2 * (half - r)}q${r} 0 ${r} ${r}v${2 * (high - r)}q0 ${r} ${-r} ${r}`
      + `h${-2 * (half - r)}q${-r} 0 ${-r} ${-r}v${-2 * (high - r)}q0 ${-r} ${r} ${-r}Z`;
  }
  const corners = CORNERS[role].map(([right, down]) => `${(x + stretch * right).toFixed(1)} ${y + down}`);
  return `M${corners.join("L")}Z`;
}

/**
 * One node as it is drawn. What was written last is kept, to be compared with.
 *
 * Everything has its place in the coordinates of the tree: a transform for each node would make the browser keep
 * thousands of layers apart, which costs more than all the drawing.
 */
export class NodeView {
  /**
   * @param {number} half of its width, where it has to have room for the values of all players
   * @param {number} stretch how much wider than high, so that its value is inside
   */
  constructor(number, node, half = 0, stretch = 1) {
    this.number = number;
    this.node = node;
    this.half = half;
    this.stretch = stretch;
    this.group = draw("g", { "data-node": number });
    this.shape = this.group.appendChild(draw("path", { class: "shape" }));
    this.edge = number ? draw("path", {}) : null;
    this.mark = node.skipped === undefined ? null : this.group.appendChild(draw("path", { class: "cut-mark" }));
    /** @type {Object<string, {text: SVGTextElement, down: number}>} */
    this.texts = {};
    this.flags = { status: "", best: false, path: false, line: false, lit: false };
    this.worn = "";
    this.isThere = false;
    this.bestChild = null;
    const top = node.alpha === undefined || this.mark ? -39 : -51;
    this.lift = node.probability === undefined ? 0 : 15;
    if (number) this.write("label", node.action + (node.probe ? "?" : ""), this.mark && !this.lift ? -24 : top - this.lift);
    if (this.lift) this.write("odds", odds(node.probability), top);
    if (node.role === "player") this.write("player", `P${node.player}`, -5);
  }

  /** Put the node at its place in the tree. */
  place(x, y) {
    Object.assign(this, { wasX: this.x, wasY: this.y, x, y });
    this.shape.setAttribute("d", outlineOf(this.node.role, x, y, this.half, this.stretch));
    const cut = y - (this.lift ? 18 : 36);
    this.mark?.setAttribute("d", `M${x - 7} ${cut - 6}l14 -8M${x - 7} ${cut}l14 -8`);
    for (const name of Object.keys(this.texts)) this.placeText(name);
  }

  placeText(name) {
    const { text, down } = this.texts[name];
    text.setAttribute("x", this.x.toFixed(1));
    text.setAttribute("y", String(this.y + down));
  }

  /** Write one of the texts of the node, so far below its middle; it is made when there is something to write. */
  write(name, words, down) {
    if (!this.texts[name]) {
      if (!words) return;
      this.texts[name] = { text: this.group.appendChild(draw("text", { class: name })), down };
      if (this.x !== undefined) this.placeText(name);
    }
    const { text } = this.texts[name];
    if (text.textContent === words) return;
    text.textContent = words;
    if (name === "value") text.setAttribute("class", words.length > 4 ? `value long${this.half ? " broad" : words.length > 6 ? " tiny" : ""}` : "value");
  }

  /** A badge below the node and what is `bottom` high at it, to say what is folded into it; none without words. */
  drawBadge(words, bottom) {
    this.badge?.remove();
    this.badge = null;
    if (!words) return;
    const width = 7 * words.length + 12;
    const y = this.y + (bottom || 16) + 16;
    this.badge = this.group.appendChild(draw("g", { class: "badge" }));
    this.badge.append(draw("rect", { x: this.x - width / 2, y: y - 9, width, height: 18, rx: 9 }));
    this.badge.appendChild(draw("text", { x: this.x, y: y + 4 })).textContent = words;
  }

  /** The board of the state below the node, where it is wanted. @param {import("./timeline.js").Timeline} timeline */
  drawBoard(wanted, timeline) {
    if (!wanted) {
      this.board?.remove();
      this.board = null;
      return;
    }
    const [scene, text] = [timeline.scene(this.node.state), timeline.text(this.node.state)];
    if (!scene && !text) return;
    if (!this.board) {
      this.board = this.group.appendChild(draw("g", { class: "node-board" }));
      if (scene) drawBoard(this.board, scene, { label: "" });
      else this.board.append(drawLetters(text));
    }
    const drawn = this.board.firstElementChild;
    const attributes = { x: this.x - BOARD_SIZE / 2, y: this.y + 21, width: BOARD_SIZE, height: BOARD_SIZE };
    for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, String(value));
  }

  /** Put on the classes that the flags call for. */
  dress() {
    const { status, best, path, line, lit } = this.flags;
    const edge = `edge ${status}${best ? " best" : ""}${path ? " path" : ""}${line ? " line" : ""}`;
    const unseen = this.node.generated === false ? " unseen" : "";
    const { role, player } = this.node;
    const whose = role === "player" ? ` p${player % PLAYER_COLOURS}` : "";
    const worn = `node ${role}${whose} ${status}${lit ? " lit" : ""}${unseen}`;
    if (worn + edge === this.worn) return;
    this.worn = worn + edge;
    this.group.setAttribute("class", worn);
    this.edge?.setAttribute("class", edge);
  }
}

/** Down from the parent in a curve, and the last part straight, as far as `end`: above the words, where a window is one. */
export function edgePath(x1, y1, x2, y2, end = y2) {
  const [from, to] = [x1.toFixed(1), x2.toFixed(1)];
  const turn = Math.max(y2 - 46, y1 + 10);
  const half = (turn - y1) / 2;
  return `M${from} ${y1}C${from} ${y1 + half} ${to} ${turn - half} ${to} ${turn}V${end}`;
}

/** The value, or what it is so far, or the limits of it that are proven. */
export function valueText({ value, soFar, leaf, limits }) {
  if (value !== undefined) return (leaf === "estimate" ? "≈" : "") + short(value);
  if (soFar !== undefined && (Array.isArray(soFar) || Number.isFinite(soFar))) return `${short(soFar)}…`;
  return limits ? limitsText(limits) : "";
}

/** A value in a few letters: what is long has two digits. */
function short(value) {
  const text = shown(value, 3);
  return text.length > 5 || Array.isArray(value) ? shown(value, 2) : text;
}

/** What is proven of a value, in a few letters. */
function limitsText([lower, upper]) {
  if (lower === upper) return shown(lower, 3);
  if (!Number.isFinite(lower)) return Number.isFinite(upper) ? `≤${shown(upper, 3)}` : "";
  return Number.isFinite(upper) ? `${shown(lower, 3)}…${shown(upper, 3)}` : `≥${shown(lower, 3)}`;
}

/** How much wider nodes are than others, so that the longest value is inside. */
export function stretchOf({ nodes, hasPlayouts }) {
  const most = nodes.reduce((longest, { value, leaf }) => Math.max(longest, valueText({ value, leaf }).length), hasPlayouts ? 5 : 0);
  return [1, 1, 1, 1.2, 1.45][most] ?? 1.6;
}

/** The window at a node. */
export function windowText(low, high) {
  return low === undefined ? "" : `(${shown(low, 3)}, ${shown(high, 3)})`;
}

/** Is this a board, and can it be made out where it is as small as a node? */
export function isSmall(scene) {
  if (!scene || Math.max(scene.width, scene.height) > 9) return false;
  let covered = 0;
  for (const { kind, style, numbers } of scene.shapes) {
    if (!["board", "cell", "dark", "hole"].includes(style)) continue;
    covered += kind === "rect" ? numbers[2] * numbers[3] : kind === "circle" ? 3 * numbers[2] ** 2 : 0;
  }
  return covered > (scene.width * scene.height) / 2;
}

/** A board that is only text, as small as a node: the letters keep one size from node to node where they can. */
export function drawLetters(text, least = { across: 10, down: 3 }) {
  const lines = text.replace(/\s+$/, "").split("\n");
  const [across, down] = [Math.max(least.across, ...lines.map((line) => line.length)), Math.max(least.down, lines.length)];
  const [wide, high] = [6.1 * across, 11 * down];
  const left = (wide - 6.1 * Math.max(...lines.map((line) => line.length))) / 2;
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: "xMidYMin meet" });
  lines.forEach((line, index) => {
    svg.appendChild(draw("text", { class: "letters", x: left, y: 11 * index + 9 })).textContent = line;
  });
  return svg;
}

/** Can these letters be read where they are as small as a node? */
export function isShort(text) {
  const lines = text ? text.split("\n") : [];
  return lines.length > 0 && lines.length <= 8 && lines.every((line) => line.length <= 18);
}
