/**
 * Moves as a tree: what was played, and every variation that was tried beside it. Nothing here changes a tree:
 * what changes one gives back another.
 *
 * @typedef {{move: string, children: Tree[]}} Tree the first child is the main line; the root has no move
 */

const ESCAPES = { ".": "..", _: ".u", "-": "_", "(": ".o", ")": ".c" };
const PLAIN = Object.fromEntries(Object.entries(ESCAPES).map(([plain, written]) => [written, plain]));

/** @returns {Tree} */
export function emptyTree() {
  return { move: "", children: [] };
}

/** Moves as one word: 4-4-3; a hyphen within a move is written as an underscore: a1_a2-b3_b2. */
export function writeMoves(moves) {
  return moves.map(written).join("-");
}

/** The inverse of `writeMoves`. @param {string} text @returns {string[]} */
export function readMoves(text) {
  return text.split("-").filter(Boolean).map(plain);
}

/** A tree as one word, a variation in parentheses after the move that it replaces: 4-4(3-3)-3. @param {Tree} tree */
export function writeTree(tree) {
  return joined(tree, written, (move, rest) => (rest ? `${move}-${rest}` : move), (words) => `(${words})`);
}

/** The inverse of `writeTree`. @param {string} text @returns {Tree} */
export function readTree(text) {
  const root = emptyTree();
  const paths = [];
  let path = [root];
  for (const word of text.match(/[()]|[^()-]+/g) || []) {
    if (word === "(" && path.length > 1) {
      paths.push(path);
      path = path.slice(0, -1);
    } else if (word === ")") path = paths.pop() || path;
    else if (word !== "(") path = [...path, child(path.at(-1), plain(word))];
  }
  return root;
}

/** A tree for people: numbers, spaces, variations in parentheses. @param {Tree} tree */
export function treeWords(tree, ply = 1) {
  const [first, ...others] = tree.children;
  if (!first) return "";
  const variations = others.map((other) => `(${[`${ply}. ${other.move}`, treeWords(other, ply + 1)].filter(Boolean).join(" ")})`);
  return [`${ply}. ${first.move}`, ...variations, treeWords(first, ply + 1)].filter(Boolean).join(" ");
}

/** The tree of the steps of a record, each with the place of the one before it. */
export function treeOfSteps(steps) {
  const root = emptyTree();
  const made = [];
  for (const { move, parent } of steps) made.push(child(parent < 0 ? root : made[parent], move));
  return root;
}

/** The tree with a line in it, as a variation where it is new, or as the main line. @returns {Tree} */
export function withLine(tree, moves, asMain = false) {
  if (!moves.length) return tree;
  const [move, ...rest] = moves;
  const known = tree.children.find((each) => each.move === move);
  const grown = withLine(known || { move, children: [] }, rest, asMain);
  if (grown === known && (!asMain || tree.children[0] === known)) return tree;
  if (asMain) return { ...tree, children: [grown, ...tree.children.filter((each) => each !== known)] };
  const children = known ? tree.children.map((each) => (each === known ? grown : each)) : [...tree.children, grown];
  return { ...tree, children };
}

/** The tree without what begins with the last of these moves. @returns {Tree} */
export function without(tree, moves) {
  const [move, ...rest] = moves;
  const children = rest.length ? tree.children.map((each) => (each.move === move ? without(each, rest) : each))
    : tree.children.filter((each) => each.move !== move);
  return { ...tree, children };
}

/** The main line after these moves. @returns {string[]} */
export function lineAfter(tree, moves = []) {
  let node = moves.reduce((at, move) => at?.children.find((each) => each.move === move), tree);
  const line = [];
  while (node?.children.length) {
    [node] = node.children;
    line.push(node.move);
  }
  return line;
}

/** How many moves there are, those of variations included. */
export function countMoves(tree) {
  return tree.children.reduce((sum, each) => sum + 1 + countMoves(each), 0);
}

function joined(tree, name, follow, enclose) {
  const [first, ...others] = tree.children;
  if (!first) return "";
  const branch = (node) => follow(name(node.move), joined(node, name, follow, enclose));
  const aside = others.map((other) => enclose(branch(other))).join("");
  return follow(`${name(first.move)}${aside}`, joined(first, name, follow, enclose));
}

function child(node, move) {
  let found = node.children.find((each) => each.move === move);
  if (!found) node.children.push(found = { move, children: [] });
  return found;
}

function written(move) {
  return move.replace(/[._()-]/g, (sign) => ESCAPES[sign]);
}

function plain(text) {
  return text.replace(/\.[.uoc]|_/g, (sign) => PLAIN[sign]);
}
