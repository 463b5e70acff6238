/** The panel in which a new game is chosen: game, parameters, side and opponent. */

import { sentence } from "./api.js";
import { choice, field, icon, make } from "./elements.js";
import { OpponentChoice } from "./opponents.js";
import { positionAfter, visit } from "./position.js";
import { putTogether, takenApart } from "./wording.js";

const SIDES = [
  ["max", "▲ MAX", "you move first"],
  ["min", "▼ MIN", "you move second"],
  ["both", "Both", "two people at this screen"],
  ["none", "Neither", "watch it play itself"],
];

/** Show the panel; it goes to the new game when that is a possible one. */
export function openSetup(catalogue, place) {
  document.querySelector("dialog.setup")?.remove();
  const panel = new SetupPanel(catalogue, place);
  document.body.append(panel.dialog);
  panel.dialog.showModal();
}

/** The control for one parameter of a game. */
export function parameterField({ name, kind, choices, default: usual, help }, given) {
  const value = given ?? usual ?? "";
  const words = name.replaceAll("_", " ");
  const key = `parameter-${name}`; // a game may call its own by any name, "side" or "depth" among them
  if (choices) return field(words, choice(key, choices.map((each) => [each, each]), value));
  const number = kind === "int" || kind === "float";
  const control = make("input", { name: key, value, required: usual === null, autocomplete: "off", maxlength: "64",
    ...(number ? { type: "number", step: kind === "int" ? "1" : "any" } : { type: "text" }) });
  return field(words, control, number ? "" : help);
}

class SetupPanel {
  constructor(catalogue, place) {
    Object.assign(this, { catalogue, place });
    const [name, settings] = takenApart(place.game);
    this.settings = settings;
    this.game = choice("game", [], name);
    for (const own of [true, false]) {
      const games = catalogue.games.filter((game) => Boolean(game.own) === own);
      const options = games.map((game) => make("option", { value: game.name, selected: game.name === name }, game.title));
      if (options.length) this.game.append(make("optgroup", { label: own ? "Yours" : "Games" }, ...options));
    }
    this.game.setAttribute("autofocus", "");
    this.parameters = make("div", { class: "fields" });
    this.summary = make("p", { class: "setup-summary" });
    this.opponent = new OpponentChoice(catalogue, place);
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.game.addEventListener("change", () => this.drawParameters({}));
    this.parameters.addEventListener("input", () => this.drawOpponents());
    this.dialog = this.makeDialog();
    this.drawParameters(settings);
    this.drawOpponent();
  }

  makeDialog() {
    this.start = make("button", { class: "button primary", type: "submit" }, "Start");
    const dialog = make("dialog", { class: "dialog setup", "aria-labelledby": "setup-title" });
    const sides = make("fieldset", { class: "sides", onchange: () => this.drawOpponent() },
      make("legend", {}, "You play"), ...SIDES.map((side) => this.sideButton(...side)));
    dialog.append(
      make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "setup-title" }, "New game"),
        make("button", { class: "tool", "aria-label": "Close" }, icon("close"))),
      make("form", { class: "dialog-body", onsubmit: (event) => this.submit(event) },
        field("Game", this.game), this.summary, this.parameters, sides, this.opponent.element, this.notice,
        make("div", { class: "dialog-foot" }, this.start)));
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  sideButton(value, words, help) {
    const radio = make("input", { type: "radio", name: "side", value, id: `side-${value}` });
    radio.checked = value === this.place.side;
    return make("label", { class: "side-choice", for: radio.id }, radio,
      make("strong", {}, words), make("small", {}, help));
  }

  get chosenGame() {
    return this.catalogue.games.find((game) => game.name === this.game.value);
  }

  /** The chosen game with the parameters that the fields say. */
  get chosenName() {
    return this.named(this.chosenGame.parameters);
  }

  named(parameters) {
    const given = Object.fromEntries(new FormData(this.dialog.querySelector(".dialog-body")));
    const settings = Object.fromEntries(parameters.map(({ name }) => [name, (given[`parameter-${name}`] ?? "").trim()]));
    return putTogether(this.chosenGame.name, settings, parameters);
  }

  drawParameters(settings) {
    const { parameters, summary } = this.chosenGame || this.catalogue.games[0];
    this.summary.textContent = summary;
    this.parameters.replaceChildren(...parameters.map((each) => parameterField(each, settings[each.name])));
    this.drawOpponents();
  }

  /** Whom one can play with: the tablebase is there for the boards that it was built for. */
  drawOpponents() {
    const compared = this.chosenGame?.parameters.filter((each) => each.compared);
    this.opponent.offer(this.chosenGame?.tablebases.includes(this.named(compared)));
  }

  drawOpponent() {
    const side = new FormData(this.dialog.querySelector(".dialog-body")).get("side");
    this.opponent.element.hidden = side === "both";
  }

  async submit(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    const game = this.chosenName;
    try {
      await positionAfter(game, []);
    } catch (error) {
      this.refuse(sentence(error));
      return;
    }
    if (given.side !== "both" && !(await this.isPlayable(game))) return;
    this.dialog.close();
    const view = ["play", "analyse"].includes(this.place.view) ? this.place.view : "play";
    visit({ ...this.place, view, game, moves: [], ahead: [], tree: null, review: "", side: given.side, opponent: this.opponent.value,
      seconds: given.seconds || "1", depth: given.depth || "" });
  }

  /** Can the chosen opponent play that game? A perfect one may have to prove its first move. */
  async isPlayable(game) {
    this.start.disabled = true;
    this.start.textContent = this.opponent.value === "perfect" ? "Proving the first move…" : "Start";
    const refusal = await this.opponent.refusal(game);
    this.start.disabled = false;
    this.start.textContent = "Start";
    if (refusal) this.refuse(refusal);
    return !refusal && this.dialog.open;
  }

  refuse(words) {
    this.notice.textContent = words;
    this.notice.hidden = false;
  }
}
