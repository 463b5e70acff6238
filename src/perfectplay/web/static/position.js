/**
 * Where the visitor is: view, game, moves, sides. The address says it all, so that it can be shared, loaded again,
 * and left and come back to with the browser's own buttons. Only moves that were taken back are kept beside it.
 *
 * @typedef {{view: string, game: string, moves: string[], ahead: string[], side: string, opponent: string,
 *            seconds: string, depth: string, flipped: boolean, algorithm: string, compare: string, plies: string,
 *            seed: string, kind: string, tablebase: string}} Place `depth` is the opponent's, `plies` that of the
 *            theatre, `tablebase` "yes", "no", or nothing where a view does as it usually does
 */

import { post } from "./api.js";

const DEFAULTS = { view: "play", side: "max", opponent: "medium", seconds: "1" };
const QUERY = [ // the names in the address, in their order there
  ["view", "view"], ["game", "game"], ["side", "side"], ["with", "opponent"], ["seconds", "seconds"],
  ["depth", "depth"], ["algorithm", "algorithm"], ["compare", "compare"], ["plies", "plies"],
  ["kind", "kind"], ["seed", "seed"], ["tablebase", "tablebase"],
];
const SIDES = ["max", "min", "both", "none"];
const REMEMBERED = 300; // positions

const known = new Map();
const listeners = new Set();

/** The place that the address names. @returns {Place} */
export function readPlace(search = location.search, kept = history.state) {
  const query = new URLSearchParams(search);
  const place = { moves: readMoves(query.get("moves") || ""), flipped: query.get("flip") === "yes" };
  for (const [name, property] of QUERY) place[property] = query.get(name) || DEFAULTS[property] || "";
  if (!SIDES.includes(place.side)) place.side = DEFAULTS.side; // of nobody's side, the machine would play itself
  place.ahead = kept?.ahead || [];
  return place;
}

/** The query of the address that names a place. @param {Place} place */
export function writePlace(place) {
  const parts = [];
  for (const [name, property] of QUERY) {
    const value = place[property];
    if (value && (value !== DEFAULTS[property] || name === "view")) parts.push(`${name}=${legible(value)}`);
    if (name === "game" && place.moves.length) parts.push(`moves=${legible(writeMoves(place.moves))}`);
  }
  if (place.flipped) parts.push("flip=yes");
  return `?${parts.join("&")}`;
}

/** Moves as one word: 4-4-3; a hyphen within a move is written as an underscore: a1_a2-b3_b2. */
export function writeMoves(moves) {
  return moves.map((move) => move.replaceAll(".", "..").replaceAll("_", ".u").replaceAll("-", "_")).join("-");
}

/** The inverse of `writeMoves`. @param {string} text @returns {string[]} */
export function readMoves(text) {
  const plain = { "..": ".", ".u": "_", _: "-" };
  return text.split("-").filter(Boolean).map((move) => move.replace(/\.[.u]|_/g, (sign) => plain[sign]));
}

/** Go to a place: the address changes and the view follows. @param {Place} place */
export function visit(place, { replace = false } = {}) {
  const address = writePlace(place);
  const kept = { ahead: place.ahead };
  if (replace || address === location.search) history.replaceState(kept, "", address);
  else history.pushState(kept, "", address);
  for (const listener of listeners) listener(place);
}

/** Be told of every place that is gone to, the browser's back and forward included. */
export function onVisit(listener) {
  if (!listeners.size) addEventListener("popstate", () => listeners.forEach((each) => each(readPlace())));
  listeners.add(listener);
}

/** The position after some moves, from the server or from memory. */
export async function positionAfter(game, moves) {
  const name = JSON.stringify([game, moves]);
  if (!known.has(name)) {
    const position = await post("/api/position", { game, moves });
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value);
    known.set(name, position);
  }
  return known.get(name);
}

/** A link that is followed on this page, and opens anywhere else like any other. */
export function leadTo(link, place) {
  link.href = writePlace(place);
  link.onclick = (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(place);
  };
  return link;
}

function legible(text) {
  return encodeURIComponent(text).replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%2C/g, ",");
}
