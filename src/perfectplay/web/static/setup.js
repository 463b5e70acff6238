/** The panel in which a new game is chosen: game, parameters, side and opponent. */

import { sentence } from "./api.js";
import { field, icon, make, sideSign } from "./elements.js";
import { gameOptions, nameInForm, parameterField } from "./game-choice.js";
import { OpponentChoice } from "./opponents.js";
import { startOf, visit } from "./position.js";
import { sideColour, sideWords } from "./sides.js";
import { takenApart } from "./wording.js";

const SIDES = ["max", "min", "both", "none"];
const UNNAMED = { to_move: "MAX", names: ["First", "Second"], scene: null }; // until the board is known

/** Show the panel; it goes to the new game when that is a possible one. */
export function openSetup(catalogue, place) {
  document.querySelector("dialog.setup")?.remove();
  const panel = new SetupPanel(catalogue, place);
  document.body.append(panel.dialog);
  panel.dialog.showModal();
}

class SetupPanel {
  constructor(catalogue, place) {
    Object.assign(this, { catalogue, place });
    const [name, settings] = takenApart(place.game);
    this.settings = settings;
    this.game = make("select", { name: "game" }, ...gameOptions(catalogue, name));
    this.game.setAttribute("autofocus", "");
    this.parameters = make("div", { class: "fields" });
    this.summary = make("p", { class: "setup-summary" });
    this.opponent = new OpponentChoice(catalogue, place);
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.game.addEventListener("change", () => this.drawParameters({}));
    this.parameters.addEventListener("input", () => this.drawOpponents());
    this.parameters.addEventListener("change", () => this.nameSides());
    this.sideParts = {}; // the elements with the words for each
    this.dialog = this.makeDialog();
    this.drawParameters(settings);
    this.drawOpponent();
  }

  makeDialog() {
    this.start = make("button", { class: "button primary", type: "submit" }, "Start");
    const dialog = make("dialog", { class: "dialog setup", "aria-labelledby": "setup-title" });
    const sides = make("fieldset", { class: "sides", onchange: () => this.drawOpponent() },
      make("legend", {}, "You play"), ...SIDES.map((side) => this.sideButton(side)));
    this.drawSides(UNNAMED);
    this.form = make("form", { class: "dialog-body", onsubmit: (event) => this.submit(event) },
      field("Game", this.game), this.summary, this.parameters, this.notice, sides, this.opponent.element,
      make("div", { class: "dialog-foot" }, this.start));
    dialog.append(
      make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "setup-title" }, "New game"),
        make("button", { class: "tool", "aria-label": "Close" }, icon("close"))), this.form);
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  sideButton(value) {
    this.sideParts[value] = [make("strong", {}), make("small", {})];
    const radio = make("input", { type: "radio", name: "side", value, id: `side-${value}` });
    radio.checked = value === this.place.side;
    return make("label", { class: "side-choice", for: radio.id }, radio, ...this.sideParts[value]);
  }

  /** Call the sides as the board does, where `position` is the one that the game begins with. */
  drawSides(position) {
    const first = position.to_move;
    const named = (side) => [[sideSign(side, sideColour(position, side)), " ", sideWords(position, side)],
      first === "chance" ? "the dice are rolled first" : side === first ? "you move first" : "you move second"];
    const words = { max: named("MAX"), min: named("MIN"), both: [["Both"], "two people at this screen"], none: [["Neither"], "watch it play itself"] };
    for (const [side, [name, help]] of Object.entries(words)) {
      this.sideParts[side][0].replaceChildren(...name);
      this.sideParts[side][1].textContent = help;
    }
  }

  /** Names and colours are those of the board with the parameters that are chosen; where there is no such board, say why. */
  async nameSides() {
    if (!this.chosenGame) return;
    const asked = this.chosenName;
    const [position, whyNot] = await startOf(asked).catch(() => [null, ""]);
    if (asked !== this.chosenName) return;
    this.refuse(whyNot);
    if (position) this.drawSides(position);
  }

  get chosenGame() {
    return this.catalogue.games.find((game) => game.name === this.game.value);
  }

  /** The chosen game with the parameters that the fields say. */
  get chosenName() {
    return nameInForm(this.form, this.chosenGame);
  }

  drawParameters(settings) {
    const { parameters, how_to_play: rules } = this.chosenGame || this.catalogue.games[0];
    this.summary.textContent = rules;
    this.parameters.replaceChildren(...parameters.map((each) => parameterField(each, settings[each.name])));
    this.drawOpponents();
    this.nameSides();
  }

  /** Whom one can play with: the tablebase is there for the boards that it was built for. */
  drawOpponents() {
    const compared = this.chosenGame?.parameters.filter((each) => each.compared);
    this.opponent.offer(this.chosenGame?.tablebases.includes(nameInForm(this.form, this.chosenGame, compared)));
  }

  drawOpponent() {
    const side = new FormData(this.form).get("side");
    this.opponent.element.hidden = side === "both";
  }

  async submit(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    const game = this.chosenName;
    const [position, whyNot] = await startOf(game).catch((error) => [null, sentence(error)]);
    this.refuse(whyNot);
    if (!position) return;
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

  /** Say why there is no such game; nothing, where there is. */
  refuse(words) {
    this.notice.textContent = words;
    this.notice.hidden = !words;
    if (words) this.notice.scrollIntoView({ block: "nearest" });
  }
}
