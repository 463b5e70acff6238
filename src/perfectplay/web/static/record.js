/** The moves of a game as a list: the line that is looked at, and in a view that keeps them, all variations beside it. */

import { make } from "./elements.js";
import { emptyTree } from "./moves.js";

/**
 * @param {{moves: string[], ahead: string[], tree?: import("./moves.js").Tree}} place
 * @param {{variations: boolean, onGo: (moves: string[], ahead: string[]) => void,
 *          signOf?: (moves: string[]) => HTMLElement | null}} options
 */
export function recordItems(place, { variations, onGo, signOf = () => null }) {
  const { moves, ahead } = place;
  const line = [...moves, ...ahead];
  const start = item("Start", 0, { current: !moves.length, onGo: () => onGo([], line) });
  if (!variations) {
    return [start, ...line.map((move, index) => item(move, index + 1, { current: index + 1 === moves.length,
      ahead: index >= moves.length, sign: signOf(line.slice(0, index + 1)), onGo: () => onGo(line.slice(0, index + 1), line.slice(index + 1)) }))];
  }
  return [start, ...branch(place.tree || emptyTree(), [], { moves, line, onGo, signOf })];
}

/** The items from a place of the tree on: its main line, each move followed by what might have been instead. */
function branch(tree, before, looking) {
  const items = [];
  let [node, path] = [tree, before];
  while (node.children.length) {
    const [main, ...others] = node.children;
    items.push(treeItem(main, path, looking));
    for (const other of others) {
      items.push(make("li", { class: "variation" }, make("ol", { class: "variation-moves", "aria-label": `A variation of move ${path.length + 1}` },
        treeItem(other, path, looking), ...branch(other, [...path, other.move], looking))));
    }
    [node, path] = [main, [...path, main.move]];
  }
  return items;
}

function treeItem({ move }, before, { moves, line, onGo, signOf }) {
  const path = [...before, move];
  const along = path.every((each, index) => each === line[index]);
  return item(move, path.length, { current: along && path.length === moves.length, ahead: along && path.length > moves.length,
    aside: !along, sign: signOf(path), onGo: () => onGo(path, along ? line.slice(path.length) : []) });
}

function item(words, ply, { current, ahead = false, aside = false, sign = null, onGo }) {
  return make("li", { class: ahead ? "ahead" : aside ? "aside" : null },
    make("button", { type: "button", class: "ply", "aria-current": current ? "step" : null, onclick: onGo },
      ply ? make("span", { class: "ply-number" }, `${ply}.`) : null, words, sign));
}
