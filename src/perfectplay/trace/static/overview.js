/** The whole of a large tree from afar: a picture of dots and lines, as no word could be read there. */

import { make } from "./elements.js";

const INKS = ["faint", "max", "min", "soft", "cut", "accent"];
const CIRCLE = 2 * Math.PI;

export class Overview {
  /** @param {HTMLElement} frame that it lies in @param {() => void} redraw */
  constructor(frame, redraw) {
    this.canvas = frame.appendChild(make("canvas", "overview"));
    this.pen = this.canvas.getContext("2d");
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

  /** The nodes that are there by now, and the way to the current one. */
  draw(views, path, { x, y, scale, tall, width, height }) {
    const sharp = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * sharp), Math.round(height * sharp)];
    if (this.canvas.width !== across) this.canvas.width = across;
    if (this.canvas.height !== down) this.canvas.height = down;
    this.inks ??= Object.fromEntries(INKS.map((name, index) => [name, getComputedStyle(this.probes[index]).color]));
    this.pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    this.pen.clearRect(0, 0, width, height);
    const place = (view) => [view.x * scale + x, view.y * tall + y];
    const there = [...views.values()].filter((view) => !view.flags.status.startsWith("unborn"));
    const below = there.filter((view) => view.number);
    const edges = (wanted) => below.filter(wanted).map((view) => [views.get(view.node.parent), view]);
    this.lines(edges((view) => !view.mark), place, this.inks.faint, 0.7);
    this.lines(edges((view) => view.mark), place, this.inks.cut, 0.5);
    const size = Math.min(Math.max(40 * scale, 2), 9);
    for (const role of ["end", "min", "max"]) {
      this.dots(there.filter((view) => view.node.role === role && !view.mark), place, size, role);
    }
    this.lines(edges((view) => view.flags.line), place, this.inks.accent, 2);
    const way = path.map((number) => views.get(number));
    this.lines(way.slice(1).map((view, index) => [way[index], view]), place, this.inks.accent, 2.5);
    this.ring(place(way.at(-1)));
  }

  lines(edges, place, ink, width) {
    this.pen.beginPath();
    for (const [from, to] of edges) {
      this.pen.moveTo(...place(from));
      this.pen.lineTo(...place(to));
    }
    this.pen.strokeStyle = ink;
    this.pen.lineWidth = width;
    this.pen.stroke();
  }

  /** MAX points up, MIN down, and the end is a square, as far as there is room for it. */
  dots(views, place, size, role) {
    const half = size / 2;
    const tip = role === "max" ? -half : half;
    this.pen.beginPath();
    for (const view of views) {
      const [x, y] = place(view);
      if (role === "end" || size < 4) this.pen.rect(x - half, y - half, size, size);
      else {
        this.pen.moveTo(x, y + tip);
        this.pen.lineTo(x + half, y - tip);
        this.pen.lineTo(x - half, y - tip);
      }
    }
    this.pen.fillStyle = role === "end" ? this.inks.soft : this.inks[role];
    this.pen.fill();
  }

  ring([x, y]) {
    this.pen.beginPath();
    this.pen.arc(x, y, 8, 0, CIRCLE);
    this.pen.lineWidth = 3;
    this.pen.stroke();
  }
}

/** The node nearest to a point of the view. */
export function nearestNode(views, point, { x, y, scale, tall }) {
  let [nearest, least] = [null, Infinity];
  for (const view of views.values()) {
    if (view.flags.status.startsWith("unborn")) continue;
    const distance = Math.hypot(view.x * scale + x - point.x, view.y * tall + y - point.y);
    if (distance < least) [nearest, least] = [view, distance];
  }
  return nearest;
}
