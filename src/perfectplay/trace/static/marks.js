/** What is written on the places of a board: which can be clicked, and what the moves through them are worth. */

import { BOARD_GROUNDS, BOARD_MOVABLE, BOARD_PIECES, boardBox, boardHolds, boardMiddle } from "./geometry.js";
import { boardElement, boardShape } from "./shapes.js";

// The widths of letters; a digit's is 0.66.
const BOARD_LETTERS = { "★": 0.95, "≈": 0.86, "+": 0.86, "−": 0.86, ".": 0.36, W: 1, D: 0.78 };
const BOARD_SMALLEST = 9; // pixels of a value: below that the best moves alone have theirs
const BOARD_TINY = 0.1; // of its ground: so small is a seed in a pit
const BOARD_BEST = 1.15; // times as large as the others
const BOARD_OVER = 1.3; // of its place: so wide may the value of the best move be

/** Places that can be clicked now: a dot where something may go, a ring around what may be chosen or taken, or has words on it. */
export function boardHint(target, scene) {
  const { box, shape, taken } = boardAnchor(target, scene);
  const piece = taken || !BOARD_GROUNDS.has(shape.style) ? boardRinged(target) : null;
  const ringed = piece ?? (boardLettered(target) ? shape : null);
  if (ringed) return [boardShape({ ...ringed, style: "hint-ring", text: "" })];
  const { x, y } = boardMiddle(box);
  const radius = Math.min(0.13, 0.3 * Math.max(Math.min(box.width, box.height), 0.24));
  return [boardShape({ kind: "circle", numbers: [x, y, radius], style: "hint" })];
}

/** Are there words on a target, as on a button? */
function boardLettered(target) {
  return target.shapes.some(({ kind, text }) => kind === "text" && text);
}

/** What the ring of a target is drawn around: its largest piece, or its ground where they are many and small. */
function boardRinged(target) {
  const size = (shape) => boardBox(shape).width * boardBox(shape).height;
  const pieces = target.shapes.filter((shape) => BOARD_PIECES.has(shape.style) && shape.kind !== "line");
  const [piece] = pieces.sort((one, other) => size(other) - size(one));
  const ground = target.shapes.find((shape) => BOARD_GROUNDS.has(shape.style));
  return piece && ground && size(piece) < BOARD_TINY * size(ground) ? ground : piece;
}

/** The size of the letters in which the values of these moves are written, and the same of the best. */
export function boardLetters(marked, scene, unit) {
  let size = 0.27;
  for (const [target, mark] of marked) {
    const { box, taken } = boardAnchor(target, scene);
    const fits = (0.94 * Math.max(box.width, 0.8)) / boardWide(boardText(mark, false));
    size = Math.min(size, taken ? 0.23 : 0.27, fits);
  }
  const tiny = unit > 0 && size * unit < BOARD_SMALLEST;
  return { size, best: tiny ? BOARD_SMALLEST / unit : BOARD_BEST * size, tiny };
}

function boardText(mark, starred) {
  return `${starred && mark.best ? "★" : ""}${mark.exact ? "" : "≈"}${mark.text}`;
}

function boardWide(text) {
  return [...text].reduce((sum, letter) => sum + (BOARD_LETTERS[letter] ?? 0.66), 0.8);
}

/** The value of a move, on its target: solid where it is exact, dashed and with a sign where it is a guess. */
export function boardMark(target, mark, scene, letters) {
  const { box, shape, taken } = boardAnchor(target, scene);
  const middle = boardMiddle(box);
  const group = boardElement("g", `board-mark board-${mark.exact ? "exact" : "guess"}`);
  if (mark.best) group.classList.add("board-best");
  if (mark.outcome) group.classList.add(`board-is-${mark.outcome}`);
  const around = boardAround(target, mark, taken ? null : shape);
  if (letters.tiny && !mark.best) { // nobody could read it: a dot in its colour, and the words for a screen reader
    group.append(boardShape({ kind: "circle", numbers: [middle.x, middle.y, 0.14], style: "pill" }));
    return [...around, group];
  }
  const text = boardText(mark, true);
  const room = (BOARD_OVER * Math.max(box.width, 0.8)) / boardWide(text);
  const size = mark.best ? (letters.tiny ? letters.best : Math.max(letters.size, Math.min(letters.best, room))) : letters.size;
  const [width, height] = [size * boardWide(text), 1.5 * size];
  const low = box.y + box.height - 0.4 * height; // where it hides neither a piece nor words
  const y = (taken || boardLettered(target)) && box.height > 0.5 ? low : middle.y;
  const numbers = [middle.x - width / 2, y - height / 2, width, height];
  const pill = group.appendChild(boardShape({ kind: "rect", numbers, style: "pill" }));
  pill.setAttribute("rx", String(height / 2));
  group.append(boardShape({ kind: "text", numbers: [middle.x, y, size], style: "value", text }));
  return [...around, group];
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

/** Where something is written on a target: in its free place that is lowest, as a stone falls there. */
function boardAnchor(target, scene) {
  const pieces = scene.shapes.filter((shape) => BOARD_MOVABLE.has(shape.style)).map(boardBox).map(boardMiddle);
  const taken = (box) => pieces.some(({ x, y }) => boardHolds(box, x, y));
  const grounds = target.shapes.filter((shape) => BOARD_GROUNDS.has(shape.style));
  const free = grounds.filter((shape) => !taken(boardBox(shape))).sort((one, other) => boardBox(other).y - boardBox(one).y);
  const shape = free[0] || target.outline[0];
  const box = boardBox(shape);
  return { box, shape, taken: !free.length && taken(box) };
}
