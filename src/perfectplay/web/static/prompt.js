/** The line above a board: what is to be done next and, after a click that is no move, why it is none. */

import { post } from "./api.js";
import { make } from "./elements.js";
import { sideName, sideWords } from "./sides.js";
import { sound } from "./sound.js";

export class Prompt {
  /** @param {(words: string) => void} say to those who listen */
  constructor(say) {
    this.say = say;
    this.asked = 0; // only the last click is answered
    this.element = make("p", { class: "prompt" });
  }

  /** A position is shown, and may be played on or not. `mine`: is a single person playing, and is it their turn? */
  show(place, position, { playable, mine }) {
    Object.assign(this, { place, position, playable, mine });
    this.asked += 1;
    this.write(this.first(), false, false); // the view says who moves
  }

  /** What is to be done before anything is clicked. */
  first() {
    const { position, playable, mine } = this;
    if (!position || position.over || !playable) return "";
    const again = position.moved === position.to_move
      ? `${mine ? "You move" : `${sideName(position, position.to_move)} moves`} again. ` : "";
    return again + (position.prompt || this.usual());
  }

  usual() {
    const { scene } = this.position;
    if (!scene) return "Choose a move below.";
    return scene.clicks.some(({ targets }) => targets.length > 1) ? "Choose one of the marked pieces." : "Choose a marked place.";
  }

  /** Places were clicked that some moves begin with; none: what was chosen is given up. */
  async choose(places) {
    if (!places.length) {
      this.asked += 1;
      this.write(this.first());
      return;
    }
    this.write(`${places.at(-1)} is chosen: now choose where to.`);
    await this.ask(places);
  }

  /** Places were clicked that no move begins with. */
  async refuse(places) {
    const { position, playable } = this;
    this.asked += 1;
    if (!position) return;
    sound("wrong");
    if (position.over) this.write("The game is over.", true);
    else if (!playable) this.write(`It is the turn of ${sideWords(position, position.to_move)}.`, true);
    else {
      this.write(this.guess(places), true);
      await this.ask(places, true);
    }
  }

  /** Why a click is no move, as far as the drawing tells. */
  guess(places) {
    const { scene, to_move: side } = this.position;
    const last = places.at(-1);
    const styles = scene.shapes.filter((shape) => shape.at === last).map((shape) => shape.style.split("-")[0]);
    const other = side === "MAX" ? "MIN" : "MAX";
    if (places.length > 1) return `There is no move from ${places.at(-2)} to ${last}.`;
    if (styles.includes(other.toLowerCase())) return `That is ${sideName(this.position, other)}'s: you play ${sideWords(this.position, side)}.`;
    if (styles.includes(side.toLowerCase())) return `${last} cannot move now.`;
    return `No move begins at ${last}: choose one of the marked places.`;
  }

  /** What the game itself says to a click takes the place of a guess. */
  async ask(places, wrong = false) {
    this.asked += 1;
    const { asked } = this;
    const { game, moves } = this.place;
    try {
      const { words } = await post("/api/prompt", { game, moves, places });
      if (words && asked === this.asked) this.write(words, wrong);
    } catch {
      // the guess stays
    }
  }

  write(words, wrong = false, aloud = true) {
    this.element.textContent = words;
    this.element.classList.toggle("prompt-wrong", wrong);
    if (words && aloud) this.say(words);
  }
}
