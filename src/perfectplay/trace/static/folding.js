/** Which subtrees of a search are open, and which are folded into their root so that the tree can be read. */

import { chooseOpen, shownNodes } from "./layout.js";

export const SHOWN_AT_FIRST = 300; // nodes, before subtrees are folded
export const SHOWN_AT_MOST = 3000;
export const SHOWN_WITH_BOARDS = 120;
const OPENED_AT_ONCE = 60;

export class Folding {
  /** @param {{children: number[][], sizes: number[]}} timeline */
  constructor({ children, sizes }) {
    Object.assign(this, { children, sizes });
    this.foldAgain();
  }

  /** The nodes that are shown. */
  shown() {
    return shownNodes(this.children, this.open);
  }

  isFolded(number) {
    return this.children[number].length > 0 && !this.open.has(number);
  }

  /** Fold the subtree, or show it again; a small one is shown to its leaves. */
  toggle(number) {
    if (this.open.delete(number)) return;
    this.openPath([number]);
    this.openPath(chooseOpen(this.children, this.sizes, number, OPENED_AT_ONCE));
  }

  openPath(numbers) {
    for (const number of numbers) this.open.add(number);
  }

  /** Show as much as can be drawn; false if some of it has to stay folded. */
  openAll() {
    this.choose(SHOWN_AT_MOST);
    return this.children.length <= SHOWN_AT_MOST;
  }

  foldAgain() {
    this.choose(SHOWN_AT_FIRST);
  }

  /** Fold some where nodes are too many for boards at them; were they? */
  makeRoomForBoards() {
    const many = this.shown().length > SHOWN_WITH_BOARDS;
    if (many) this.choose(SHOWN_WITH_BOARDS / 1.2);
    return many;
  }

  choose(most) {
    this.open = chooseOpen(this.children, this.sizes, 0, most);
  }
}
