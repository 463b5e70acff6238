/** The tree of the search, as it grows: drawn once, and from then on only what a step has changed. */

import { counted, draw, make } from "./elements.js";
import { Folding, SHOWN_WITH_BOARDS } from "./folding.js";
import { placeNodes } from "./layout.js";
import { nodeWords, reasonWords } from "./narration.js";
import { BOARD_SIZE, BOTTOMS, edgePath, isShort, isSmall, NodeView, stretchOf, TOPS, valueText, windowText } from "./node.js";
import { nearestNode, Overview } from "./overview.js";
import { Viewport } from "./viewport.js";

const FEW_EVENTS = 400; // up to so many, only what they name is brought up to date
const FEW_NODES = 40; // up to so many, boards are drawn at them without being asked for
const MIDDLE = 0.55; // below this scale only the larger words are shown
const MANY_NODES = 600; // from so many on, nothing glides
const ON_A_SHEET = 64;
const TEXT_DOWN = { max: 7, min: -1, end: 5, chance: 5, player: 11 };
const VALUE_LETTER = 6.4; // about as wide as one of the values of a player
const NOTES = { table: "table", estimate: "estimate" };

export class Tree {
  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {{onPick: (node: number) => void, onFold: () => void}} told
   */
  constructor(timeline, told) {
    Object.assign(this, { timeline, told, step: 0, follow: true, boards: false });
    this.element = make("div", "tree");
    this.element.setAttribute("role", "img");
    this.world = this.element.appendChild(make("div", "world"));
    this.halo = this.sheet().appendChild(draw("circle", { class: "halo", r: 31 }));
    this.sheets = new Map();
    this.link = this.sheet().appendChild(draw("path", { class: "link hidden" }));
    this.overview = new Overview(this.element, () => this.drawOverview());
    /** @type {Map<number, NodeView>} */
    this.views = new Map();
    this.path = [];
    this.changed = new Set(); // the nodes whose classes are no longer right
    this.come = []; // those that have appeared
    this.gone = false; // have some disappeared?
    this.current = 0;
    this.line = new Set(this.bestLine());
    this.hasWindows = timeline.nodes.some((node) => node.alpha !== undefined);
    const longest = timeline.nodes.reduce((most, { alpha, beta }) => Math.max(most, windowText(alpha, beta).length), 0);
    this.half = halfOf(timeline);
    this.stretch = stretchOf(timeline);
    const wide = Math.max(6 * longest + 12, 2 * this.half + 12, 46 * this.stretch + 6); // so that the windows of neighbours do not touch
    this.gap = Math.min(Math.max(52, wide), 190);
    this.hasOdds = timeline.nodes.some((node) => node.probability !== undefined);
    this.viewport = new Viewport(this.element, this.world, {
      onMove: () => this.moved(),
      onDrag: () => told.onDrag?.(),
      onResize: () => this.resized(),
      onRefuse: () => told.onRefuse?.(),
    });
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("pointerover", (event) => { this.element.title = this.described(numberAt(event)); });
    this.folding = new Folding(timeline);
    const legible = isSmall(timeline.scene(0)) || (!timeline.trace.shapes.length && isShort(timeline.text(timeline.nodes[0].state)));
    this.boards = legible && this.folding.shown().length <= FEW_NODES;
    this.untried = true; // until its size is known
    this.rebuild();
    this.viewport.start();
  }

  /** The frame has another size. When that is known at first, boards give way if the tree cannot be read with them. */
  resized() {
    if (this.untried && this.boards && !this.viewport.isLegible(this.viewport.box)) {
      this.boards = false;
      this.rebuild();
      this.viewport.start();
      this.told.onBoards?.(false);
    }
    this.untried = false;
    if (this.follow && this.path.length) this.viewport.reveal(this.views.get(this.current), false);
  }

  destroy() {
    this.viewport.destroy();
    this.overview.destroy();
  }

  // Sheets: nodes that are visited one after the other lie on one, so that a step paints few of them anew.

  sheet() {
    return this.world.appendChild(draw("svg", { class: "sheet", width: 1, height: 1 }));
  }

  sheetOf(number) {
    const key = Math.floor(number / ON_A_SHEET);
    if (!this.sheets.has(key)) {
      const svg = this.sheet();
      this.world.append(this.link.parentNode); // it stays on top
      this.sheets.set(key, { svg, edges: svg.appendChild(draw("g")), nodes: svg.appendChild(draw("g")) });
    }
    return this.sheets.get(key);
  }

  // Which nodes are shown.

  /** How many nodes are drawn, and how many of them are there by now. */
  counts() {
    let born = 0;
    for (const view of this.views.values()) born += view.isThere ? 1 : 0;
    return { drawn: this.views.size, shown: born, folded: this.folded };
  }

  /** The node itself where it is drawn, or else the one that it is folded into. */
  seen(number) {
    let at = number;
    while (!this.views.has(at)) at = this.timeline.nodes[at].parent;
    return at;
  }

  /** Fold the subtree, or show it again. */
  toggle(number) {
    this.folding.toggle(number);
    this.rebuild(number);
  }

  /** The same for the node at which the search is, or for the one above where nothing hangs below it. */
  foldAt(number) {
    const seen = this.seen(number);
    this.toggle(this.timeline.children[seen].length || !seen ? seen : this.timeline.nodes[seen].parent);
  }

  /** Show the node at which the search is. */
  openCurrent() {
    this.folding.openPath(this.timeline.path(this.timeline.node(this.step)).slice(0, -1));
    this.rebuild(this.seen(0));
  }

  /** Show as much as can be drawn; false if some of it has to stay folded. */
  openAll() {
    const all = this.folding.openAll();
    this.rebuild();
    return all;
  }

  foldAgain() {
    this.folding.foldAgain();
    this.rebuild();
  }

  /** Draw the boards of the states at the nodes; where nodes are too many for it, some are folded. */
  showBoards(wanted) {
    const many = wanted && this.folding.makeRoomForBoards();
    this.boards = wanted;
    this.rebuild();
    return many;
  }

  // Drawing.

  /** Lay the tree out anew. The node that was folded or unfolded stays where it is on the screen. */
  rebuild(anchor = this.current) {
    const { timeline, folding } = this;
    const before = this.views.get(anchor);
    const numbers = folding.shown();
    const boards = this.boards && numbers.length <= SHOWN_WITH_BOARDS;
    this.crowded = this.boards && !boards;
    const places = placeNodes(timeline.children, folding.open, numbers, Math.max(this.gap, boards ? BOARD_SIZE + 20 : 0));
    const down = (this.hasWindows ? 130 : 104) + (this.hasOdds ? 18 : 0) + (boards ? BOARD_SIZE + 12 : 0);
    const kept = this.views;
    this.views = new Map();
    this.folded = 0;
    for (const number of numbers) {
      const view = kept.get(number) ?? new NodeView(number, timeline.nodes[number], this.half, this.stretch);
      view.place(places.across.get(number), places.ply.get(number) * down);
      this.views.set(number, view);
    }
    for (const [number, view] of kept) {
      if (this.views.has(number)) continue;
      view.group.remove();
      view.edge?.remove();
    }
    this.place(boards);
    const height = (places.plies - 1) * down + (boards ? 190 : 132);
    this.viewport.box = { x: -50, y: -72, width: places.width + 100, height };
    this.viewport.focus = this.views.get(0);
    const anchored = this.views.get(anchor);
    if (before && anchored) {
      const { x, y, scale } = this.viewport;
      this.viewport.still();
      this.viewport.put(x + (anchored.wasX - anchored.x) * scale, y + (anchored.wasY - anchored.y) * scale, scale);
    }
    this.path = [];
    this.element.classList.toggle("many", this.views.size >= MANY_NODES);
    this.show(this.step, true);
    this.told.onFold();
  }

  /** Put the nodes and edges where they belong. */
  place(boards) {
    const bottom = boards ? 20 + BOARD_SIZE : 0;
    for (const view of this.views.values()) {
      if (!view.group.isConnected) this.sheetOf(view.number).nodes.append(view.group);
      const folded = this.folding.isFolded(view.number);
      this.folded += folded ? 1 : 0;
      view.drawBadge(folded ? `+${counted(this.timeline.sizes[view.number] - 1)}` : "", bottom);
      view.drawBoard(boards, this.timeline);
      view.noteDown = bottom ? bottom + 16 : 44; // below the ring of the current node
      if (view.texts.note) {
        view.texts.note.down = view.noteDown;
        view.placeText("note");
      }
      if (!view.edge) continue;
      const parent = this.views.get(view.node.parent);
      const start = parent.y + (bottom || BOTTOMS[parent.node.role]);
      const end = view.y - TOPS[view.node.role];
      const bare = view.node.alpha === undefined || view.mark; // the line goes through no words
      const stop = bare && !view.lift ? end : view.y - (bare ? 51 : 63) - view.lift;
      view.edge.setAttribute("d", edgePath(parent.x, start, view.x, end, stop));
      if (!view.edge.isConnected) this.sheetOf(view.number).edges.append(view.edge);
    }
  }

  /** Something else is in sight, or in another size. */
  moved() {
    const size = this.viewport.isFar ? "far" : this.viewport.scale < MIDDLE ? "middle" : "near";
    if (this.element.dataset.size !== size) this.element.dataset.size = size;
    if (this.path.length) this.drawOverview();
  }

  drawOverview() {
    if (!this.viewport.isFar) return;
    this.overview.draw(this.views, this.viewport);
    this.overview.mark(this.views, this.path, this.viewport);
  }

  /** Bring the picture up to date: what has come is added, and only where something has gone all is drawn anew. */
  updateOverview(all) {
    const { come, gone } = this;
    [this.come, this.gone] = [[], false];
    if (!this.viewport.isFar) return;
    if (all || gone || !this.overview.nodes) this.overview.draw(this.views, this.viewport);
    else if (come.length) this.overview.add(come, this.views, this.viewport);
    this.overview.mark(this.views, this.path, this.viewport);
  }

  // Steps.

  /** Show the tree as it is at a step. */
  show(step, all = false) {
    const from = this.step;
    this.step = step;
    const [low, high] = [Math.min(from, step), Math.max(from, step)];
    if (all || high - low > FEW_EVENTS) for (const view of this.views.values()) this.update(view);
    else for (const number of this.touched(low, high)) this.update(this.views.get(number));
    this.showCurrent();
    this.showLink();
    for (const view of this.changed) view.dress();
    this.changed.clear();
    this.updateOverview(all);
  }

  /** The nodes that are drawn and that the events after one step and up to another are about. */
  touched(from, to) {
    const numbers = new Set();
    for (let step = from + 1; step <= to; step += 1) {
      const data = this.timeline.data(step);
      numbers.add(this.timeline.node(step));
      if (data.node !== undefined) numbers.add(data.node);
      else if (this.timeline.kind(step) === "return") numbers.add(this.timeline.nodes[this.timeline.node(step)].parent);
      else if (this.timeline.kind(step) === "cut") for (const number of data.nodes) numbers.add(number);
    }
    return [...numbers].filter((number) => this.views.has(number));
  }

  flag(view, name, value) {
    if (view.flags[name] === value) return;
    view.flags[name] = value;
    this.changed.add(view);
  }

  update(view) {
    const look = this.timeline.look(view.number, this.step);
    const [was, is] = [view.isThere, look.status !== "unborn"];
    if (is && !was) this.come.push(view);
    this.gone ||= was && !is;
    view.isThere = is;
    this.flag(view, "status", look.status + (look.leaf ? ` ${look.leaf}` : "") + (look.cut ? " cut" : ""));
    if (look.status === "unborn" || look.status === "skipped") {
      if (view.bestChild) this.markBest(view, null);
      return;
    }
    view.write("value", valueText(look), TEXT_DOWN[view.node.role]);
    const { window } = look;
    view.write("window", window ? windowText(window.low, window.high) : "", -37);
    const count = look.visits === undefined ? "" : `N ${counted(look.visits)}`;
    view.write("note", look.cut ? reasonWords(look.cut) : (NOTES[look.leaf] ?? count), view.noteDown);
    const best = look.best ?? null;
    if (view.bestName !== best || this.views.get(view.bestChild)?.flags.best === false) this.markBest(view, best);
    if (!view.number) for (const each of this.line) this.flagSeen(each, "line", look.status === "done");
  }

  markBest(view, best) {
    this.flagSeen(view.bestChild, "best", false);
    view.bestName = best;
    view.bestChild = this.childBy(view.number, best) ?? null;
    this.flagSeen(view.bestChild, "best", true);
  }

  childBy(number, action) {
    return this.timeline.childBy(number, action);
  }

  flagSeen(number, name, value) {
    const view = this.views.get(number);
    if (view) this.flag(view, name, value);
  }

  /** The nodes that best play goes through, once the search is over. */
  bestLine() {
    const line = [];
    for (let at = 0; at !== undefined; at = this.childBy(at, this.timeline.nodes[at].best)) line.push(at);
    return line;
  }

  /** Light the node at which the search is, and the way to it. */
  showCurrent() {
    const number = this.timeline.node(this.step);
    const seen = this.seen(number);
    const path = this.timeline.path(this.seen(this.timeline.tip(this.step)));
    for (const each of this.path) if (!path.includes(each)) this.flagSeen(each, "path", false);
    for (const each of path) this.flagSeen(each, "path", true);
    this.path = path;
    this.flagSeen(this.current, "lit", false);
    const view = this.views.get(seen);
    this.flag(view, "lit", true);
    this.inside = seen === number ? 0 : this.timeline.nodes[number].ply - this.timeline.nodes[seen].ply;
    this.halo.style.cx = `${view.x.toFixed(1)}px`;
    this.halo.style.cy = `${view.y.toFixed(1)}px`;
    this.halo.classList.toggle("inside", this.inside > 0);
    this.current = seen;
    if (this.follow) this.followSearch(view);
  }

  /** Keep the search in sight: with all that it has visited while that can be read, and at the end in any case. */
  followSearch(view) {
    if (this.step === this.timeline.length - 1 && this.step) this.fit();
    else this.viewport.reveal(view, this.views.size < MANY_NODES, () => this.visited());
  }

  /** Show the whole tree if it can be read then, or else all that has been visited by now. */
  fit() {
    const { viewport } = this;
    viewport.still();
    viewport.fit(viewport.isLegible(viewport.box) ? viewport.box : this.visited());
  }

  /** The box around the nodes that are there. */
  visited() {
    const { height: whole, y: top } = this.viewport.box;
    let [left, right, low] = [Infinity, -Infinity, 0];
    for (const { isThere, x, y } of this.views.values()) {
      if (!isThere) continue;
      [left, right, low] = [Math.min(left, x), Math.max(right, x), Math.max(low, y)];
    }
    const below = this.boards && !this.crowded ? 130 : 60; // a board, and the words under a node
    return { x: left - 50, y: top, width: right - left + 100, height: Math.min(whole, low + below - top) };
  }

  /** From a node that the table answers for to the one where the answer was found. */
  showLink() {
    const data = this.timeline.data(this.step);
    const entry = this.timeline.kind(this.step) === "hit" ? this.timeline.entries[data.entry] : undefined;
    const [from, to] = entry ? [this.views.get(this.current), this.views.get(this.seen(entry.node))] : [];
    const shows = Boolean(from && to && from !== to);
    this.link.setAttribute("class", `link${shows ? "" : " hidden"}${data.warning ? " warning" : ""}`);
    if (!shows) return;
    const lift = Math.max(from.y, to.y) + 46 + Math.min(Math.abs(from.x - to.x) / 8, 60);
    this.link.setAttribute("d", `M${to.x} ${to.y + 22}C${to.x} ${lift} ${from.x} ${lift} ${from.x} ${from.y + 22}`);
  }

  /** A node in words, for those who point at it. */
  described(number) {
    return number === null || !this.views.has(number) ? "" : nodeWords(this.timeline, number, this.step);
  }

  clicked(event) {
    if (this.viewport.dragged) return;
    if (this.viewport.isFar) {
      const nearest = nearestNode(this.views, this.viewport.inside(event), this.viewport);
      if (nearest) this.viewport.approach(nearest);
      return;
    }
    const number = numberAt(event);
    if (number === null) return;
    if (event.altKey || event.shiftKey || !this.timeline.children[number].length) this.told.onPick(number);
    else this.toggle(number);
  }
}

/** Half of the width of nodes that hold the values of all players; 0 where each has one value. */
function halfOf({ nodes }) {
  const most = nodes.reduce((longest, { values }) => (values ? Math.max(longest, valueText({ value: values }).length) : longest), 0);
  return most ? Math.max((VALUE_LETTER * (most + 1)) / 2 + 6, 34) : 0;
}

/** The node that the pointer is on. */
function numberAt(event) {
  const group = event.target.closest?.("[data-node]");
  return group ? Number(group.dataset.node) : null;
}
