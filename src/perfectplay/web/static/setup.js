/** The panel in which a new game is chosen: game, parameters, side and opponent. */

import { sentence } from "./api.js";
import { choice, field, icon, make } from "./elements.js";
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
    this.wanted = place.opponent; // stays what it is while it is not offered
    this.game = choice("game", [], name);
    for (const own of [true, false]) {
      const games = catalogue.games.filter((game) => Boolean(game.own) === own);
      const options = games.map((game) => make("option", { value: game.name, selected: game.name === name }, game.title));
      if (options.length) this.game.append(make("optgroup", { label: own ? "Yours" : "Games" }, ...options));
    }
    this.game.setAttribute("autofocus", "");
    this.parameters = make("div", { class: "fields" });
    this.summary = make("p", { class: "setup-summary" });
    this.opponent = choice("opponent", [], place.opponent);
    this.opponentSummary = make("p", { class: "setup-summary" });
    this.terms = make("div", { class: "fields" });
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.game.addEventListener("change", () => this.drawParameters({}));
    this.parameters.addEventListener("input", () => this.drawOpponents());
    this.opponent.addEventListener("change", () => {
      this.wanted = this.opponent.value;
      this.drawTerms();
    });
    this.dialog = this.makeDialog();
    this.drawParameters(settings);
    this.drawOpponent();
  }

  makeDialog() {
    const dialog = make("dialog", { class: "dialog setup", "aria-labelledby": "setup-title" });
    this.against = make("div", { class: "against" }, field("Against", this.opponent), this.opponentSummary, this.terms);
    const sides = make("fieldset", { class: "sides", onchange: () => this.drawOpponent() },
      make("legend", {}, "You play"), ...SIDES.map((side) => this.sideButton(...side)));
    dialog.append(
      make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "setup-title" }, "New game"),
        make("button", { class: "tool", "aria-label": "Close" }, icon("close"))),
      make("form", { class: "dialog-body", onsubmit: (event) => this.submit(event) },
        field("Game", this.game), this.summary, this.parameters, sides, this.against, this.notice,
        make("div", { class: "dialog-foot" },
          make("button", { class: "button primary", type: "submit" }, "Start"))));
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
    const solved = this.chosenGame?.tablebases.includes(this.named(this.chosenGame.parameters.filter((each) => each.compared)));
    const offered = this.catalogue.opponents.filter(({ name }) => name !== "tablebase" || solved);
    const before = this.opponent.value;
    // Made outside of any list: options that leave one make it choose another, which they keep.
    this.opponent.replaceChildren(...offered.map(({ name }) => make("option", { value: name }, name)));
    const named = offered.find(({ name }) => name === this.wanted) || offered[0];
    this.opponent.value = named.name;
    if (this.opponent.value !== before) this.drawTerms(); // what was typed for the same one stays
  }

  drawTerms() {
    const chosen = this.catalogue.opponents.find((each) => each.name === this.opponent.value);
    this.opponentSummary.textContent = chosen?.summary || "";
    const { seconds, depth } = this.place;
    const fields = [];
    if (chosen?.takes_seconds) {
      const control = make("input", { name: "seconds", type: "number", min: "0.1", max: "60", step: "any", value: seconds });
      fields.push(field("Seconds a move", control));
    }
    if (chosen?.takes_depth) {
      const control = make("input", { name: "depth", type: "number", min: "1", max: "64", step: "1", value: depth });
      fields.push(field("Depth in moves", control, "empty: no limit"));
    }
    this.terms.replaceChildren(...fields);
  }

  drawOpponent() {
    const side = new FormData(this.dialog.querySelector(".dialog-body")).get("side");
    this.against.hidden = side === "both";
  }

  async submit(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    const game = this.chosenName;
    try {
      await positionAfter(game, []);
    } catch (error) {
      this.notice.textContent = sentence(error);
      this.notice.hidden = false;
      return;
    }
    this.dialog.close();
    const view = ["play", "analyse"].includes(this.place.view) ? this.place.view : "play";
    visit({ ...this.place, view, game, moves: [], ahead: [], side: given.side, opponent: given.opponent,
      seconds: given.seconds || "1", depth: given.depth || "" });
  }
}
