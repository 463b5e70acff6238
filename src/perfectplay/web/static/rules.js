/** How a game is played, beside its board, in the few sentences that its class has for players. */

import { make } from "./elements.js";
import { takenApart } from "./wording.js";

const KEPT = "perfectplay-rules";

/** A panel that shows the rules of a game; who closes it finds it closed with every game. */
export class RulesPanel {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.words = make("p", {});
    this.element = make("details", { class: "panel how-to-play", open: remembered() }, make("summary", {}, "How to play"), this.words);
    this.element.addEventListener("toggle", () => remember(this.element.open));
  }

  show(game) {
    const [name] = takenApart(game);
    const found = this.catalogue.games.find((each) => each.name === name);
    this.words.textContent = found?.how_to_play || "";
    this.element.hidden = !found?.how_to_play;
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) !== "closed";
  } catch {
    return true;
  }
}

function remember(open) {
  try {
    localStorage.setItem(KEPT, open ? "open" : "closed");
  } catch {
    // then it holds for this page only
  }
}
