/** Whom one plays with: four levels of strength, and under Advanced every algorithm that there is. */

import { isAbort, sentence, stream } from "./api.js";
import { choice, field, make } from "./elements.js";

const PERFECT = "perfect";
const proofs = new Map(); // by game: a promise of nothing, or of the sentence why nobody plays it perfectly

/** The name of an opponent for people: Easy, but sound-alpha-beta. */
export function opponentName(catalogue, name) {
  const level = catalogue.opponents.find((each) => each.name === name)?.kind === "level";
  return level ? name[0].toUpperCase() + name.slice(1) : name;
}

/** Can a game be played perfectly here? Nothing, or the sentence that says why not; asked of the server once. */
export function whyNotPerfect(game) {
  if (!proofs.has(game)) {
    const asked = stream("/api/reply", { game, moves: [], player: PERFECT }).then(() => "", (error) => {
      if (isAbort(error)) proofs.delete(game);
      return sentence(error);
    });
    proofs.set(game, asked);
  }
  return proofs.get(game);
}

/** The choice of an opponent; `wanted` is its name, and stays what it is while it is not offered. */
export class OpponentChoice {
  /** @param {any} catalogue @param {{opponent: string, seconds: string, depth: string}} place */
  constructor(catalogue, { opponent, seconds, depth }) {
    Object.assign(this, { catalogue, seconds, depth });
    this.wanted = opponent;
    this.levels = new Map(catalogue.opponents.filter(({ kind }) => kind === "level").map((each) => [each.name, this.levelButton(each)]));
    this.strength = make("p", { class: "setup-summary", "aria-live": "polite" });
    this.algorithm = choice("algorithm", [], "");
    this.summary = make("p", { class: "setup-summary" });
    this.terms = make("div", { class: "fields" });
    this.advanced = make("details", { class: "advanced" }, make("summary", {}, "Advanced"),
      field("An algorithm instead", this.algorithm), this.summary, this.terms);
    this.advanced.open = !this.levels.has(opponent);
    this.algorithm.addEventListener("change", () => this.choose(this.algorithm.value || "medium"));
    this.element = make("div", { class: "against" },
      make("fieldset", { class: "sides levels" }, make("legend", {}, "Against"), ...this.levels.values()), this.strength, this.advanced);
  }

  levelButton({ name, summary }) {
    const radio = make("input", { type: "radio", name: "level", value: name, id: `level-${name}`, onchange: () => this.choose(name) });
    return make("label", { class: "side-choice", for: radio.id, title: summary }, radio,
      make("strong", {}, opponentName(this.catalogue, name)));
  }

  choose(name) {
    this.wanted = name;
    this.draw();
  }

  /** Offer those who can play: a tablebase only where there is one. */
  offer(solved) {
    const offered = this.catalogue.opponents.filter(({ name, kind }) => kind !== "level" && (name !== "tablebase" || solved));
    // Made outside of any list: options that leave one make it choose another, which they keep.
    this.algorithm.replaceChildren(make("option", { value: "" }, "none: a level, as above"),
      ...offered.map(({ name }) => make("option", { value: name }, name)));
    this.draw();
  }

  /** The one that is chosen, as far as it is offered. */
  get value() {
    if (this.levels.has(this.wanted)) return this.wanted;
    return this.algorithm.value || "medium";
  }

  draw() {
    const level = this.levels.has(this.wanted);
    this.algorithm.value = level ? "" : this.wanted;
    for (const [name, label] of this.levels) label.querySelector("input").checked = name === this.value;
    const summary = level ? this.catalogue.opponents.find(({ name }) => name === this.value).summary : "";
    this.strength.textContent = summary && `${summary[0].toUpperCase()}${summary.slice(1)}.`;
    this.strength.hidden = !summary;
    this.drawTerms();
  }

  drawTerms() {
    const chosen = this.catalogue.opponents.find(({ name, kind }) => kind !== "level" && name === this.value);
    if (chosen?.name === this.termsOf) return; // what was typed for the same one stays
    this.termsOf = chosen?.name;
    this.summary.textContent = chosen?.summary || "";
    const fields = [];
    if (chosen?.takes_seconds) {
      const control = make("input", { name: "seconds", type: "number", min: "0.1", max: "60", step: "any", value: this.seconds });
      fields.push(field("Seconds a move", control));
    }
    if (chosen?.takes_depth) {
      const control = make("input", { name: "depth", type: "number", min: "1", max: "64", step: "1", value: this.depth });
      fields.push(field("Depth in moves", control, "empty: no limit"));
    }
    this.terms.replaceChildren(...fields);
  }

  /** Why the chosen one cannot play that game, if it cannot; only for a perfect one there is something to prove. */
  async refusal(game) {
    return this.value === PERFECT ? whyNotPerfect(game) : "";
  }
}
