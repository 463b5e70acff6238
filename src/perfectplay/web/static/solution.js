/** What a tablebase says of a position: a switch for it, a sentence, and a legend. */

import { post, sentence } from "./api.js";
import { make } from "./elements.js";
import { visit } from "./position.js";
import { legend } from "./values.js";

const REMEMBERED = 300; // positions

const known = new Map();

/** What the tablebase says of the position after some moves; nothing where it does not have that position. */
export async function solutionAfter(game, moves) {
  const name = JSON.stringify([game, moves]);
  if (!known.has(name)) {
    const solution = await post("/api/tablebase", { game, moves });
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value);
    known.set(name, solution);
  }
  return known.get(name);
}

/** The switch of a view, and what there is to see while it is on; it is hidden where there is no tablebase. */
export class SolutionPanel {
  /** `usual`: is it on until somebody says otherwise? `here` is where the view is, and `content` what it adds. */
  constructor(say, usual, here, content = null) {
    Object.assign(this, { say, usual, here });
    this.place = null;
    this.on = false;
    this.words = make("p", { class: "solved-words" });
    this.switch = make("button", { type: "button", role: "switch", class: "switch", "aria-checked": "false",
      "aria-label": "Tablebase", "aria-keyshortcuts": "T", title: "Show how every move ends (T)",
      onclick: () => this.toggle() });
    this.details = make("div", { class: "solved-details", hidden: true }, this.words, content, legend());
    this.element = make("div", { class: "panel solved", hidden: true },
      make("div", { class: "solved-head" }, make("h2", {}, "Tablebase"), this.switch), this.details);
  }

  isWanted({ tablebase }) {
    return tablebase ? tablebase === "yes" : this.usual;
  }

  toggle() {
    if (this.element.hidden) return;
    const place = this.here();
    const on = !this.isWanted(place);
    this.spoken = on; // whoever turns it on hears what it says
    visit({ ...place, tablebase: on ? "yes" : "no" }, { replace: true });
  }

  /** Show what it says of a position, if it is on; that, or nothing where there is none or another place by now. */
  async show(place, position) {
    this.place = place;
    this.element.hidden = !position?.tablebase;
    this.on = !this.element.hidden && this.isWanted(place);
    this.switch.setAttribute("aria-checked", String(this.on));
    this.details.hidden = !this.on;
    if (!this.on) return null;
    try {
      const solution = await solutionAfter(place.game, place.moves);
      if (this.place !== place) return null;
      this.tell(solution.sentence);
      return solution.known ? solution : null;
    } catch (error) {
      if (this.place === place) this.tell(sentence(error));
      return null;
    }
  }

  tell(words) {
    this.words.textContent = words;
    if (this.spoken) this.say(words);
    this.spoken = false;
  }
}
