/**
 * Where the visitor is: view, game, moves, sides. The address says it all, so that it can be shared, loaded again,
 * and left and come back to with the browser's own buttons. Only which way leads on from here is kept beside it.
 *
 * @typedef {{view: string, game: string, moves: string[], ahead: string[], side: string, opponent: string,
 *            seconds: string, depth: string, flipped: boolean, algorithm: string, compare: string, plies: string,
 *            seed: string, kind: string, students: string, first: string, from: string, tablebase: string, review: string,
 *            tree: import("./moves.js").Tree}} Place
 *            `moves` lead here, `ahead` is how it went on, and `tree` has these and all variations; `depth` is the opponent's, `plies` that of the
 *            theatre, `from` "late" where it shows a late position; `students` and `first` make the seed one of a class's;
 *            `tablebase` "yes", "no", or nothing where a view does as it usually does
 */

import { post } from "./api.js";
import { countMoves, emptyTree, lineAfter, readMoves, readTree, withLine, writeMoves, writeTree } from "./moves.js";

const DEFAULTS = { view: "play", side: "max", opponent: "medium", seconds: "1" };
const QUERY = [ // the names in the address, in their order there
  ["view", "view"], ["game", "game"], ["side", "side"], ["with", "opponent"], ["seconds", "seconds"],
  ["depth", "depth"], ["algorithm", "algorithm"], ["compare", "compare"], ["plies", "plies"],
  ["kind", "kind"], ["seed", "seed"], ["class", "students"], ["first", "first"], ["from", "from"],
  ["tablebase", "tablebase"], ["review", "review"],
];
const SIDES = ["max", "min", "both", "none"];
const REMEMBERED = 300; // positions
const LONGEST = 6000; // characters of a tree in the address: servers and browsers take no endless ones

const known = new Map();
const listeners = new Set();

/** The place that the address names. @returns {Place} */
export function readPlace(search = location.search, kept = history.state) {
  const query = new URLSearchParams(search);
  const place = { moves: readMoves(query.get("moves") || ""), flipped: query.get("flip") === "yes" };
  for (const [name, property] of QUERY) place[property] = query.get(name) || DEFAULTS[property] || "";
  if (!SIDES.includes(place.side)) place.side = DEFAULTS.side; // of nobody's side, the machine would play itself
  place.tree = withLine(readTree(query.get("tree") || ""), place.moves);
  place.ahead = kept?.ahead || lineAfter(place.tree, place.moves);
  return place;
}

/** The query of the address that names a place. @param {Place} place */
export function writePlace(place) {
  const parts = [];
  for (const [name, property] of QUERY) {
    const value = place[property];
    if (value && (value !== DEFAULTS[property] || name === "view")) parts.push(`${name}=${legible(value)}`);
    if (name === "game") parts.push(...writtenMoves(place));
  }
  if (place.flipped) parts.push("flip=yes");
  return `?${parts.join("&")}`;
}

/** Go to a place: the address changes and the view follows. @param {Place} place */
export function visit(target, { replace = false } = {}) {
  const place = { ...target, tree: grownTree(target) };
  const address = writePlace(place);
  const kept = { ahead: place.ahead };
  if (replace || address === location.search) history.replaceState(kept, "", address);
  else history.pushState(kept, "", address);
  for (const listener of listeners) listener(place);
}

/** Let the address say more of where one is, without going anywhere. @param {Place} place */
export function amend(place) {
  history.replaceState({ ahead: place.ahead }, "", writePlace(place));
}

/** Be told of every place that is gone to, the browser's back and forward included. */
export function onVisit(listener) {
  if (!listeners.size) addEventListener("popstate", () => listeners.forEach((each) => each(readPlace())));
  listeners.add(listener);
}

/** The position after some moves, from the server or from memory. */
export async function positionAfter(game, moves) {
  const name = JSON.stringify([game, moves]);
  if (!known.has(name)) remember(name, await post("/api/position", { game, moves }));
  return known.get(name);
}

/** The position that a game begins with, or why there is no such board: `[position, ""]` or `[null, sentence]`. */
export async function startOf(game) {
  const name = JSON.stringify([game, []]);
  if (!known.has(name)) {
    const { position, why_not: whyNot } = await post("/api/start", { game });
    if (!position) return [null, whyNot];
    remember(name, position);
  }
  return [known.get(name), ""];
}

function remember(name, position) {
  if (known.size >= REMEMBERED) known.delete(known.keys().next().value);
  known.set(name, position);
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

/** The moves to a place and, where there are more, the tree that they are in. */
function writtenMoves({ moves, tree }) {
  const parts = moves.length ? [`moves=${legible(writeMoves(moves))}`] : [];
  const whole = tree && countMoves(tree) > moves.length ? legible(writeTree(tree)) : "";
  if (whole && whole.length <= LONGEST) parts.push(`tree=${whole}`);
  return parts;
}

/** The tree with the line of a place in it; while one plays, that line is the main one. Another game begins anew. */
function grownTree({ game, moves, ahead, tree, view }) {
  const fresh = !tree || (!moves.length && game !== readPlace().game);
  return withLine(fresh ? emptyTree() : tree, [...moves, ...ahead], view === "play");
}

function legible(text) {
  return encodeURIComponent(text).replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%2C/g, ",");
}
