/** The table of the search: its entries as they are stored and found again, the newest first. */

import { counted, make, makePanel, say, scrollSoon } from "./elements.js";
import { isMisjudged, lastOf, truthOf, valueOf } from "./narration.js";
import { countUpTo } from "./timeline.js";

const MOST_ROWS = 40;
const ERRATA = "The errata say why: docs/errata.md.";

export class Table {
  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {{onPick: (step: number) => void, errata?: string}} told `errata`: where they are, if there is a page
   */
  constructor(timeline, told) {
    this.timeline = timeline;
    this.told = told;
    const { panel, title, body } = makePanel("table", "Table");
    this.element = panel;
    this.title = title;
    this.warning = make("p", "table-warning");
    panel.insertBefore(this.warning, body); // it stays in sight when the entries scroll
    this.warning.hidden = true;
    this.warningWords = this.warning.appendChild(make("span"));
    this.warning.append(" ", errataPointer(told.errata));
    const table = body.appendChild(make("table", "entries"));
    const head = table.createTHead().insertRow();
    for (const name of ["state after", "value", "by", "what it is"]) {
      const cell = head.appendChild(make("th", "", name));
      cell.scope = "col";
    }
    this.rows = table.createTBody();
    this.rest = body.appendChild(make("p", "table-rest"));
    this.made = new Map();
    this.listed = [];
  }

  static isNeeded(timeline) {
    return timeline.steps.miss.length + timeline.steps.hit.length + timeline.steps.store.length > 0;
  }

  show(step) {
    const { timeline } = this;
    const kind = timeline.kind(step);
    const data = timeline.data(step);
    const current = kind === "hit" || kind === "store" ? data.entry : undefined;
    const stored = timeline.counts(step).stores;
    if (stored !== this.stored || current !== this.current) this.list(step, stored, current);
    this.showWarning(kind, data);
  }

  /** The entries that stand in the table then, the newest first, and the one that is asked for on top. */
  list(step, stored, current) {
    const { timeline } = this;
    const numbers = [];
    for (let index = stored - 1; index >= 0 && numbers.length < MOST_ROWS; index -= 1) {
      if (timeline.replacedAt[index] > step) numbers.push(index);
    }
    const held = this.held(step, stored);
    if (current !== undefined && !numbers.includes(current)) numbers.unshift(current);
    const changed = numbers.length !== this.listed.length || numbers.some((each, index) => each !== this.listed[index]);
    if (changed) this.putRows(numbers);
    this.made.get(this.current)?.classList.remove("lit");
    if (current !== undefined) this.row(current).classList.add("lit");
    Object.assign(this, { stored, current, listed: numbers });
    say(this.title, `Table: ${counted(held)} ${held === 1 ? "entry" : "entries"}`);
    const older = Math.max(0, held - numbers.length);
    say(this.rest, older ? `and ${counted(older)} older ones` : held ? "" : "Nothing is stored yet.");
    if (changed || current !== undefined) this.reveal(current);
  }

  /** The rows in this order; those that are there already stay, which is nearly all of them. */
  putRows(numbers) {
    const wanted = numbers.map((number) => this.row(number));
    const kept = new Set(wanted);
    for (const number of this.listed) if (!kept.has(this.made.get(number))) this.made.get(number).remove();
    wanted.forEach((row, index) => {
      const there = this.rows.rows[index];
      if (there !== row) this.rows.insertBefore(row, there ?? null);
    });
  }

  /** How many states have an entry. */
  held(step, stored) {
    this.replacements ??= Int32Array.from(this.timeline.replacedAt).sort();
    return stored - countUpTo(this.replacements, step);
  }

  /** Scroll to the entry that is asked for; rows are equally high, so nothing has to be measured. */
  reveal(current) {
    const body = this.element.lastElementChild;
    const index = this.listed.indexOf(current);
    const top = index < 4 ? 0 : (index - 2) * 27;
    if (top === this.scrolled) return;
    this.scrolled = top;
    scrollSoon(body, top);
  }

  row(number) {
    if (this.made.has(number)) return this.made.get(number);
    const entry = this.timeline.entries[number];
    const row = make("tr", isMisjudged(entry) ? "misjudged" : entry.truth === "doubtful" ? "doubtful" : "");
    const route = this.timeline.route(entry.node);
    const place = row.insertCell();
    const step = this.timeline.storedAt[number];
    const name = route.length ? lastOf(route, 6) : "the root";
    const button = place.appendChild(make("button", "entry-place", name));
    button.type = "button";
    button.title = `stored at step ${counted(step + 1)}: go there`;
    button.addEventListener("click", () => this.told.onPick(step));
    row.insertCell().textContent = valueOf(entry);
    row.insertCell().textContent = entry.action ?? "";
    row.insertCell().textContent = isMisjudged(entry) ? `⚠ ${truthWords(entry)}` : truthWords(entry);
    this.made.set(number, row);
    return row;
  }

  showWarning(kind, data) {
    const entry = kind === "store" ? this.timeline.entries[data.entry] : undefined;
    let words = "";
    if (kind === "hit" && data.warning) words = `⚠ ${data.warning[0].toUpperCase()}${data.warning.slice(1)}.`;
    else if (entry && isMisjudged(entry)) {
      words = `⚠ A bound is stored as if it were the value: all that is known is "${entry.truth} ${valueOf(entry)}".`;
    }
    if (this.warning.hidden !== !words) this.warning.hidden = !words;
    if (words) say(this.warningWords, words);
  }
}

function truthWords(entry) {
  if (isMisjudged(entry)) return `${entry.truth}, believed exact`;
  return entry.truth === "doubtful" ? "doubtful" : truthOf(entry);
}

function errataPointer(address) {
  if (!address) return make("span", "", ERRATA);
  const link = make("a", "", "The errata say why.");
  link.href = address;
  return link;
}
