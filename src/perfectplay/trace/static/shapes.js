/** The shapes of a scene as SVG, and which of them a move changes. */

import { BOARD_GROUNDS, BOARD_MOVABLE, BOARD_PIECES, boardBox, boardCovers, boardHolds, boardMiddle } from "./geometry.js";

const BOARD_SVG = "http://www.w3.org/2000/svg";
const BOARD_LEGIBLE = 10; // pixels of a letter, below which nobody can read it

export function boardElement(name, className) {
  const element = document.createElementNS(BOARD_SVG, name);
  if (className) element.setAttribute("class", className);
  return element;
}

/** One shape as SVG; a mark that lies on a piece is told from one that stands alone. `unit`: pixels a cell, if known. */
export function boardShape(shape, scene = null, unit = 0) {
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
  if (scene && shape.kind === "text" && shape.style === "label") boardResize(element, shape, scene, unit);
  const detail = shape.style.endsWith("-mark") || shape.style === "count";
  const below = scene && detail ? boardPieceBelow(shape, scene) : null;
  if (below) element.classList.add("board-on", `board-on-${below.style}`);
  return element;
}

function boardRound(element, { numbers, style }) {
  const radius = { board: 0.12, cell: 0, dark: 0, hole: 0.16, win: 0 }[style] ?? 0.08;
  element.setAttribute("rx", String(Math.min(radius, numbers[2] / 2, numbers[3] / 2)));
}

/** On a board of few cells, which are drawn large, the coordinates need not be; on one of many they stay legible. */
function boardResize(element, { numbers }, { width }, unit) {
  const wanted = numbers[2] * Math.min(1, 0.42 + width / 14);
  const least = unit ? Math.min(BOARD_LEGIBLE / unit, 0.6) : 0;
  element.setAttribute("font-size", Math.max(wanted, least).toFixed(3));
}

function boardPieceBelow(mark, scene) {
  const { x, y } = boardMiddle(boardBox(mark));
  const before = scene.shapes.slice(0, scene.shapes.indexOf(mark));
  return before.findLast((shape) => BOARD_PIECES.has(shape.style) && boardHolds(boardBox(shape), x, y));
}

const boardSaid = (shape) => [shape.kind, shape.numbers.join(" "), shape.style, shape.text || ""].join("|");
const boardPlace = (shape) => Object.values(boardMiddle(boardBox(shape))).map((at) => at.toFixed(2)).join(" ");

/** What is on one board and not on the other: the pieces and numbers that have gone, and those that have come. */
export function boardDifference(before, after) {
  const [old, fresh] = [new Set(before.shapes.map(boardSaid)), new Set(after.shapes.map(boardSaid))];
  const gone = before.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style) && !fresh.has(boardSaid(shape)));
  const come = after.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style) && !old.has(boardSaid(shape)));
  return { gone, come };
}

/** The shapes that a move changed, and the cells that it left and reached, with the class that highlights each. */
export function boardChanges(last, scene) {
  const { gone, come } = boardDifference(last, scene);
  const [emptied, filled] = [new Set(gone.map(boardPlace)), new Set(come.map(boardPlace))];
  const fresh = come.filter((shape) => !emptied.has(boardPlace(shape)));
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
  for (const shape of gone.filter((each) => !filled.has(boardPlace(each)))) {
    const ground = groundOf(shape);
    if (ground) changes.set(ground, "board-trace");
  }
  return changes;
}
