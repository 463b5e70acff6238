/** The part of a drawing that is in sight: zoom and pan by wheel, drag, pinch, and by being told. */

import { isCalm } from "./elements.js";

export const FAR = 0.3; // below this scale nothing can be read, and a wide drawing is squeezed only across
const CLOSEST = 2.5;
const LEGIBLE = 0.9; // the scale at which a drawing starts that would not fit
const SMALLEST = 0.6; // below this scale, a drawing that would fit cannot be read well
const LARGEST = 1.4; // a small drawing is not blown up more
const RIM = 12; // pixels left free on both sides
const DRAG = 4; // pixels before a press is a drag and no click

export class Viewport {
  /**
   * @param {HTMLElement} frame @param {HTMLElement} world what moves in it
   * @param {{onMove: () => void, onDrag: () => void, onResize: () => void, onRefuse: () => void}} told
   */
  constructor(frame, world, told) {
    Object.assign(this, { frame, world, told, x: 0, y: 0, scale: 1, width: 800, height: 500, fitted: true });
    this.box = { x: 0, y: 0, width: 1, height: 1 };
    this.pointers = new Map();
    this.dragged = false;
    this.observer = new ResizeObserver(([entry]) => this.resized(entry.contentRect));
    this.observer.observe(frame);
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.release(event));
  }

  destroy() {
    this.observer.disconnect();
  }

  get isFar() {
    return this.scale < FAR;
  }

  /** Is all of the drawing in sight? */
  get isWhole() {
    return this.shows(this.box);
  }

  /** Is all of a box in sight? */
  shows({ x, y, width, height }) {
    const [first, last] = [this.seenAt({ x, y }), this.seenAt({ x: x + width, y: y + height })];
    return first.x >= -1 && first.y >= -1 && last.x <= this.width + 1 && last.y <= this.height + 1;
  }

  /** The scale of heights, which stays behind that of widths from afar, so that a wide tree is no thin line. */
  get tall() {
    return this.tallAt(this.scale);
  }

  tallAt(scale) {
    return Math.max(scale, Math.min(FAR, (0.9 * this.height) / this.box.height));
  }

  resized({ width, height }) {
    if (!width || !height || (width === this.width && height === this.height)) return;
    const [right, down] = [(width - this.width) / 2, (height - this.height) / 2];
    Object.assign(this, { width, height });
    if (this.fitted) this.start();
    else this.put(this.x + right, this.y + down, this.scale);
    this.told.onResize?.();
  }

  /** The scale at which all of the drawing is in sight, or of a box in it. */
  fitting(box = this.box) {
    const across = (this.width - 2 * RIM) / box.width;
    if (across < FAR) return across; // then heights have a scale of their own
    return Math.min(across, this.height / box.height, LARGEST);
  }

  /** Can a box be read when all of it is in sight? */
  isLegible(box) {
    return this.fitting(box) >= SMALLEST;
  }

  /** Show all of the drawing, or of a box in it, however small. */
  fit(box = this.box) {
    const scale = this.fitting(box);
    const tall = this.tallAt(scale);
    const { x, y, width, height } = box;
    this.put((this.width - width * scale) / 2 - x * scale, (this.height - height * tall) / 2 - y * tall, scale);
    this.fitted = true;
  }

  /** Show all of it if it is legible then, or else its top at a scale at which it is. */
  start() {
    if (this.fitting() >= SMALLEST || !this.focus) this.fit();
    else {
      const scale = Math.min(Math.max(LEGIBLE, this.height / this.box.height), 1);
      const high = this.box.height * scale;
      const top = high <= this.height ? (this.height - high) / 2 : 0;
      this.put(this.width / 2 - this.focus.x * scale, top - this.box.y * scale, scale);
    }
    this.fitted = true;
  }

  put(x, y, scale) {
    if (x === this.x && y === this.y && scale === this.scale) return;
    Object.assign(this, { x, y, scale });
    this.world.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(4)})`;
    this.told.onMove();
  }

  /** Zoom so that what is at this point of the view stays there. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    this.still();
    this.fitted = false;
    const scale = Math.min(Math.max(this.scale * factor, Math.min(this.fitting(), FAR)), CLOSEST);
    const [across, down] = [scale / this.scale, this.tallAt(scale) / this.tall];
    this.put(x - (x - this.x) * across, y - (y - this.y) * down, scale);
  }

  pan(right, down) {
    this.still();
    this.fitted = false;
    this.put(this.x + right, this.y + down, this.scale);
  }

  /** Where a point of the drawing is in the view. */
  seenAt({ x, y }) {
    return { x: x * this.scale + this.x, y: y * this.tall + this.y };
  }

  /**
   * Bring a point of the drawing into the middle if it is out of sight, or near the edge of it; or, where that can be
   * read, all of the box that `visited` gives into sight.
   */
  reveal(point, glide, visited = null) {
    if (this.isWhole) return;
    const { x, y } = this.seenAt(point);
    const [wide, high] = [Math.min(90, this.width / 5), Math.min(70, this.height / 5)];
    const right = x < wide || x > this.width - wide ? this.width / 2 - x : 0;
    const down = y < high ? this.height * 0.3 - y : y > this.height - high ? this.height * 0.7 - y : 0;
    if (!right && !down) return;
    this.world.classList.toggle("gliding", glide && !isCalm());
    const box = visited?.();
    if (box && this.isLegible(box)) this.fit(box);
    else this.put(this.x + right, this.y + down, this.scale);
  }

  /** Bring a point into the middle, large enough to read what is there. */
  approach(point) {
    this.still();
    this.fitted = false;
    this.put(this.width / 2 - point.x * LEGIBLE, this.height / 2 - point.y * LEGIBLE, LEGIBLE);
  }

  still() {
    this.world.classList.remove("gliding");
  }

  wheel(event) {
    const page = document.scrollingElement;
    if (!event.ctrlKey && !event.metaKey && page && page.scrollHeight > page.clientHeight + 2) {
      this.told.onRefuse(); // the page has to scroll
      return;
    }
    event.preventDefault();
    const { x, y } = this.inside(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.006 : 0.0018)), x, y);
  }

  inside(event) {
    const { left, top } = this.frame.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  press(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.inside(event));
    this.dragged = false;
    this.from = this.inside(event);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.inside(event);
    const others = [...this.pointers].filter(([pointer]) => pointer !== event.pointerId).map(([, place]) => place);
    if (!this.dragged && Math.hypot(now.x - this.from.x, now.y - this.from.y) > DRAG) {
      this.dragged = true;
      this.frame.setPointerCapture(event.pointerId);
      this.told.onDrag();
    }
    this.pointers.set(event.pointerId, now);
    if (others.length) {
      const [fixed] = others;
      const apart = (place) => Math.max(Math.hypot(place.x - fixed.x, place.y - fixed.y), 1);
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.zoom(apart(now) / apart(before), (now.x + fixed.x) / 2, (now.y + fixed.y) / 2);
    } else if (this.dragged) this.pan(now.x - before.x, now.y - before.y);
  }

  release(event) {
    this.pointers.delete(event.pointerId);
  }
}
