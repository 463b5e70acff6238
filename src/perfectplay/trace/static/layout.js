/** Where the nodes of a tree are, and which of its subtrees are folded when it is large. */

/** Which nodes show their children if at most `limit` may be drawn: the first plies, then as the search went. */
export function chooseOpen(children, sizes, root, limit) {
  const open = new Set();
  if (sizes[root] <= 1.2 * limit) limit = Infinity; // nothing is folded for a few nodes more
  let count = 1;
  const unfold = (number, most) => {
    const below = children[number].length;
    if (!below || open.has(number) || count + below > most) return;
    open.add(number);
    count += below;
  };
  for (const number of breadthFirst(children, open, root, () => count < limit / 3)) unfold(number, limit / 3);
  const waiting = [root];
  while (waiting.length && count < limit) {
    const number = waiting.pop();
    unfold(number, limit);
    if (!open.has(number)) continue;
    for (let index = children[number].length - 1; index >= 0; index -= 1) waiting.push(children[number][index]);
  }
  return open;
}

/** The nodes ply by ply, as far as those before them have been opened. */
function* breadthFirst(children, open, root, goesOn) {
  const queue = [root];
  for (let index = 0; index < queue.length && goesOn(); index += 1) {
    yield queue[index];
    if (open.has(queue[index])) queue.push(...children[queue[index]]);
  }
}

/** The nodes that are shown, each before those below it. */
export function shownNodes(children, open) {
  const found = [0];
  for (let index = 0; index < found.length; index += 1) {
    if (open.has(found[index])) for (const child of children[found[index]]) found.push(child);
  }
  return found;
}

/**
 * A place for every node: subtrees as close as they go, and every node above the middle of its children.
 *
 * The outline of a subtree is what lies furthest left and right at each of its plies, seen from its root.
 * @returns {{across: Map<number, number>, ply: Map<number, number>, width: number, plies: number}}
 */
export function placeNodes(children, open, shownOnes, gap) {
  const outlines = new Map();
  const shift = new Map([[0, 0]]);
  for (let index = shownOnes.length - 1; index >= 0; index -= 1) {
    const number = shownOnes[index];
    const below = open.has(number) ? children[number] : [];
    outlines.set(number, below.length ? joined(below, outlines, shift, gap) : { left: [0], right: [0] });
    for (const child of below) outlines.delete(child);
  }
  const { left, right } = outlines.get(0);
  const start = Math.min(...left);
  const across = new Map([[0, -start]]);
  const ply = new Map([[0, 0]]);
  for (const number of shownOnes) {
    if (!open.has(number)) continue;
    for (const child of children[number]) {
      across.set(child, across.get(number) + shift.get(child));
      ply.set(child, ply.get(number) + 1);
    }
  }
  return { across, ply, width: Math.max(...right) - start, plies: left.length };
}

/** The outline of a node from those of its children, which are shifted so that they just do not touch. */
function joined(below, outlines, shift, gap) {
  const left = [];
  const right = [];
  for (const child of below) {
    const own = outlines.get(child);
    let by = 0;
    for (let ply = 0; ply < Math.min(right.length, own.left.length); ply += 1) {
      by = Math.max(by, right[ply] - own.left[ply] + gap);
    }
    shift.set(child, by);
    for (let ply = 0; ply < own.left.length; ply += 1) {
      if (ply >= left.length) left.push(by + own.left[ply]);
      right[ply] = Math.max(right[ply] ?? -Infinity, by + own.right[ply]);
    }
  }
  const middle = (shift.get(below[0]) + shift.get(below.at(-1))) / 2;
  for (const child of below) shift.set(child, shift.get(child) - middle);
  return { left: [0, ...left.map((x) => x - middle)], right: [0, ...right.map((x) => x - middle)] };
}
