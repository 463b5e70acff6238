/** The variables of the call that is running, its window on a line of numbers, and the calls it is made in. */

import { draw, make, makePanel, say, shown } from "./elements.js";

const VALUES = ["v", "best_minimax_so_far", "best_so_far"];
const MOST_CALLS = 12;
const LETTER = 8; // about as wide as one
const LEFT = 22;
const RIGHT = 238; // of the line of numbers, which is 260 wide

export class Variables {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    const { panel, title, body } = makePanel("variables", "Variables");
    this.element = panel;
    this.title = title;
    this.scale = new Scale(timeline);
    this.table = make("table", "variables");
    this.rows = this.table.appendChild(make("tbody"));
    this.held = [];
    this.calls = make("ol", "calls");
    this.callsHeading = make("h4", "player-subtitle", "Calls");
    body.append(this.scale.element, this.table, this.callsHeading, this.calls);
  }

  show(step) {
    const frame = this.timeline.frame(step);
    say(this.title, `Variables of ${frame.name}`);
    const found = frame.variablesAt(step);
    found.forEach((each, index) => this.showRow(index, each));
    for (let index = found.length; index < this.held.length; index += 1) this.held[index].row.hidden = true;
    this.scale.show(frame, step);
    this.showCalls(frame, step);
  }

  showRow(index, { name, value, fresh }) {
    if (!this.held[index]) {
      const row = this.rows.appendChild(make("tr"));
      const heading = row.appendChild(make("th"));
      heading.scope = "row";
      this.held.push({ row, heading, cell: row.appendChild(make("td")), worn: "" });
    }
    const { row, heading, cell } = this.held[index];
    say(heading, name);
    say(cell, name === "player" ? this.playerWords(value) : value === null ? "None" : shown(value));
    const worn = fresh ? "fresh" : "";
    if (row.className !== worn) row.className = worn;
    if (row.hidden) row.hidden = false;
  }

  playerWords(player) {
    if (this.timeline.players.length) return String(player);
    return `${player} (${player === 0 ? "MAX" : player < 0 ? "chance" : "MIN"})`;
  }

  showCalls(frame, step) {
    if (this.shownFrame === frame && !this.timeline.frame(step).window(step)) return;
    this.shownFrame = frame;
    const calls = [];
    for (let at = frame; at && calls.length < MOST_CALLS; at = at.caller) calls.push(at);
    const words = calls.map((each) => this.callWords(each, step));
    if (calls.at(-1).caller) words.push(`and ${calls.at(-1).depth} more`);
    while (this.calls.children.length < words.length) this.calls.append(make("li"));
    while (this.calls.children.length > words.length) this.calls.lastChild.remove();
    words.forEach((each, index) => say(this.calls.children[index], each));
  }

  callWords(frame, step) {
    const window = frame.window(step);
    const place = this.timeline.nodes[frame.node].action ?? "root";
    return `${frame.name} · ${place}${window ? ` · (${shown(window.low)}, ${shown(window.high)})` : ""}`;
  }
}

/** The window and the value so far on a line of numbers: what is outside the window does not matter above. */
class Scale {
  constructor(timeline) {
    this.least = Math.min(timeline.least, timeline.most);
    this.most = Math.max(timeline.least, timeline.most);
    this.element = make("div", "scale");
    this.element.hidden = !timeline.windows.some(Boolean) || !Number.isFinite(this.least);
    this.svg = this.element.appendChild(draw("svg", { viewBox: "0 0 260 58", role: "img" }));
    this.svg.append(draw("line", { class: "scale-axis", x1: 4, y1: 32, x2: 256, y2: 32 }));
    for (const value of new Set([this.least, this.most])) {
      const x = this.place(value);
      this.svg.append(draw("line", { class: "scale-tick", x1: x, y1: 28, x2: x, y2: 36 }));
      this.svg.appendChild(draw("text", { class: "scale-end", x, y: 50 })).textContent = shown(value);
    }
    this.span = this.svg.appendChild(draw("path", { class: "scale-window" }));
    this.low = this.svg.appendChild(draw("text", { class: "scale-alpha", y: 16 }));
    this.high = this.svg.appendChild(draw("text", { class: "scale-beta", y: 16 }));
    this.value = this.svg.appendChild(draw("path", { class: "scale-value", d: "M0 -6L6 0L0 6L-6 0Z" }));
    this.valueText = this.svg.appendChild(draw("text", { class: "scale-value-text", y: 50 }));
  }

  /** Where a number is on the line; infinities are at its ends. */
  place(value) {
    if (value === Infinity) return 256;
    if (value === -Infinity) return 4;
    const span = this.most - this.least;
    return span ? LEFT + ((value - this.least) / span) * (RIGHT - LEFT) : (LEFT + RIGHT) / 2;
  }

  show(frame, step) {
    if (this.element.hidden) return;
    const window = frame.window(step);
    const value = VALUES.map((name) => frame.value(name, step)).find((each) => each !== undefined);
    const words = window ? `${window.low} ${window.high} ${value}` : "";
    if (words === this.words) return;
    this.words = words;
    for (const part of [this.span, this.low, this.high]) part.classList.toggle("hidden", !window);
    const known = window && value !== undefined && Number.isFinite(value);
    for (const part of [this.value, this.valueText]) part.classList.toggle("hidden", !known);
    if (!window) return;
    const [left, right] = [this.place(window.low), this.place(window.high)];
    const empty = window.low >= window.high;
    const brackets = `M${left + 5} 22H${left}V42H${left + 5}M${right - 5} 22H${right}V42H${right - 5}`;
    this.span.setAttribute("d", `${brackets}M${left} 32H${right}`);
    this.span.classList.toggle("empty", empty);
    this.putBeside(`alpha ${shown(window.low)}`, left, `beta ${shown(window.high)}`, right);
    if (known) {
      this.value.setAttribute("transform", `translate(${this.place(value)} 32)`);
      this.put(this.valueText, `v ${shown(value)}`, this.place(value), 54);
    }
    this.svg.setAttribute("aria-label", `alpha is ${shown(window.low)}, beta is ${shown(window.high)}`);
  }

  /** The names of both ends over their places, moved apart where they would touch. */
  putBeside(low, left, high, right) {
    const [one, other] = [low.length * LETTER, high.length * LETTER];
    const swapped = left > right;
    const [first, last] = swapped ? [other, one] : [one, other];
    const apart = (first + last) / 2 + 8;
    const push = Math.max(0, apart - Math.abs(right - left)) / 2;
    let near = Math.max(first / 2, Math.min(left, right) - push);
    const far = Math.min(260 - last / 2, Math.max(Math.max(left, right) + push, near + apart));
    near = Math.min(near, far - apart);
    this.put(this.low, low, swapped ? far : near, 16);
    this.put(this.high, high, swapped ? near : far, 16);
  }

  put(text, words, x, y) {
    say(text, words);
    text.setAttribute("x", String(x));
    text.setAttribute("y", String(y));
  }
}
