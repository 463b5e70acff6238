/** The whole of a large tree from afar: a picture of dots and lines, as no word could be read there. */

import { make } from "./elements.js";

const INKS = ["faint", "max", "min", "chance", "player", "soft", "cut", "accent"];
const CIRCLE = 2 * Math.PI;
const AT_ONCE = 40; // lines in one stroke: the longer a path is, the longer each of its lines takes

/**
 * Two sheets: the nodes that are there by now, and on top of them the way to the current one. The first is drawn
 * anew where the view changes or nodes go, and otherwise gets what a step adds.
 */
export class Overview {
  /** @param {HTMLElement} frame that it lies in @param {() => void} redraw */
  constructor(frame, redraw) {
    this.sheets = ["nodes", "marks"].map((name) => frame.appendChild(make("canvas", `overview overview-${name}`)));
    this.probes = INKS.map((name) => frame.appendChild(make("i", `probe probe-${name}`)));
    this.inks = null;
    this.turned = () => { // from light to dark: the colours are looked up again
      this.inks = null;
      redraw();
    };
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", this.turned);
    this.observer = new MutationObserver(this.turned);
    this.observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  destroy() {
    this.system.removeEventListener("change", this.turned);
    this.observer.disconnect();
  }

  /** Draw all the nodes that are there. */
  draw(views, viewport) {
    this.inks ??= Object.fromEntries(INKS.map((name, index) => [name, getComputedStyle(this.probes[index]).color]));
    this.nodes = this.clean(0, viewport);
    this.add(views.values(), views, viewport);
  }

  /** Draw these nodes on top of the others, each with the edge to it. */
  add(some, views, viewport) {
    const there = [...some].filter((view) => view.isThere);
    const below = there.filter((view) => view.number);
    const edges = (wanted) => below.filter(wanted).map((view) => [views.get(view.node.parent), view]);
    this.lines(this.nodes, edges((view) => !view.mark), viewport, this.inks.faint, 0.7);
    this.lines(this.nodes, edges((view) => view.mark), viewport, this.inks.cut, 0.5);
    const size = Math.min(Math.max(40 * viewport.scale, 2), 9);
    for (const view of there) if (!view.mark) this.dot(view, viewport, size);
  }

  /** Draw the line of best play, once it is known, and the way to the current node. */
  mark(views, path, viewport) {
    const pen = this.clean(1, viewport);
    const line = [...views.values()].filter((view) => view.flags.line && view.number);
    this.lines(pen, line.map((view) => [views.get(view.node.parent), view]), viewport, this.inks.accent, 2);
    const way = path.map((number) => views.get(number));
    this.lines(pen, way.slice(1).map((view, index) => [way[index], view]), viewport, this.inks.accent, 2.5);
    const { x, y } = viewport.seenAt(way.at(-1));
    pen.beginPath();
    pen.arc(x, y, 8, 0, CIRCLE);
    pen.lineWidth = 3;
    pen.stroke();
  }

  clean(index, { width, height }) {
    const sheet = this.sheets[index];
    const sharp = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * sharp), Math.round(height * sharp)];
    if (sheet.width !== across) sheet.width = across;
    if (sheet.height !== down) sheet.height = down;
    const pen = sheet.getContext("2d");
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  lines(pen, edges, viewport, ink, width) {
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    for (let start = 0; start < edges.length; start += AT_ONCE) {
      pen.beginPath();
      for (const [from, to] of edges.slice(start, start + AT_ONCE)) {
        const [one, other] = [viewport.seenAt(from), viewport.seenAt(to)];
        pen.moveTo(one.x, one.y);
        pen.lineTo(other.x, other.y);
      }
      pen.stroke();
    }
  }

  /** MAX points up, MIN down, and the end is a square, as far as there is room for it. */
  dot(view, viewport, size) {
    const { role } = view.node;
    const { x, y } = viewport.seenAt(view);
    const half = size / 2;
    this.nodes.fillStyle = role === "end" ? this.inks.soft : this.inks[role];
    if (role === "chance" || role === "player") {
      this.nodes.beginPath();
      this.nodes.arc(x, y, half, 0, CIRCLE);
      this.nodes.fill();
      return;
    }
    if (role === "end" || size < 4) {
      this.nodes.fillRect(x - half, y - half, size, size);
      return;
    }
    const tip = role === "max" ? -half : half;
    this.nodes.beginPath();
    this.nodes.moveTo(x, y + tip);
    this.nodes.lineTo(x + half, y - tip);
    this.nodes.lineTo(x - half, y - tip);
    this.nodes.fill();
  }
}

/** The node nearest to a point of the view. */
export function nearestNode(views, point, viewport) {
  let [nearest, least] = [null, Infinity];
  for (const view of views.values()) {
    if (!view.isThere) continue;
    const { x, y } = viewport.seenAt(view);
    const distance = Math.hypot(x - point.x, y - point.y);
    if (distance < least) [nearest, least] = [view, distance];
  }
  return nearest;
}
