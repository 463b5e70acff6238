/** The source that ran, with the line lit that is being executed. */

import { make, makePanel, scrollSoon } from "./elements.js";

const NAMES = "def|if|elif|else|for|in|return|break|not|and|or|is|lambda|None|True|False";
const PIECES = new RegExp(`(#.*$)|("[^"]*"|'[^']*')|\\b(${NAMES})\\b|\\b(\\d+(?:\\.\\d+)?|inf)\\b`, "g");
const COLOURS = ["comment", "string", "keyword", "number"];

export class Listing {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    const { panel, body } = makePanel("code", timeline.trace.file);
    this.element = panel;
    this.body = body;
    this.rows = new Map();
    this.lit = null;
    body.tabIndex = 0; // it scrolls, also by keyboard
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", `the source, ${timeline.trace.file}`);
    const list = body.appendChild(make("ol", "listing"));
    for (const [number, text] of timeline.trace.code) list.append(this.row(number, text));
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(body);
    this.observer.observe(list);
  }

  destroy() {
    this.observer.disconnect();
  }

  row(number, text) {
    const row = make("li", number ? "listing-line" : "listing-gap");
    if (!number) return row;
    row.append(make("span", "listing-number", String(number)));
    const code = row.appendChild(make("code", "listing-code"));
    const indent = text.length - text.trimStart().length;
    code.style.setProperty("--indent", String(indent)); // a long line goes on under itself
    code.append(...coloured(text.trimStart()));
    this.rows.set(number, row);
    return row;
  }

  /** Where the lines are: read when the panel changes, never in a step. */
  measure() {
    this.height = this.body.clientHeight;
    this.tops = new Map([...this.rows].map(([number, row]) => [number, row.offsetTop]));
    if (this.lit) this.scroll(this.lit);
  }

  show(number, kind) {
    const row = this.rows.get(number);
    if (number !== this.lit) {
      this.rows.get(this.lit)?.classList.remove("lit");
      this.rows.get(this.lit)?.removeAttribute("aria-current");
      row?.classList.add("lit");
      row?.setAttribute("aria-current", "step");
      this.lit = number;
      this.scroll(number);
    }
    if (row && row.dataset.kind !== kind) row.dataset.kind = kind;
  }

  scroll(number) {
    const top = this.tops?.get(number);
    if (top === undefined) return;
    const at = this.scrolled ?? 0;
    if (top > at + 20 && top < at + this.height - 50) return;
    this.scrolled = Math.max(0, Math.round(top - this.height / 2.5));
    scrollSoon(this.body, this.scrolled);
  }
}

/** The text of a line with its keywords, numbers and comments told apart. */
function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const kind = COLOURS[match.slice(1).findIndex((each) => each !== undefined)];
    parts.push(make("span", `code-${kind}`, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
