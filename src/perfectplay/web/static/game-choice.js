/** A game and its parameters as fields of a form: of a new game, of the theatre and of the exercises. */

import { choice, field, make } from "./elements.js";
import { putTogether, takenApart } from "./wording.js";

/** All games, one's own first. */
export function gameOptions(catalogue, name) {
  const groups = [["Yours", catalogue.games.filter((each) => each.own)], ["Games", catalogue.games.filter((each) => !each.own)]];
  return groups.filter(([, games]) => games.length).map(([label, games]) =>
    make("optgroup", { label }, ...games.map((each) => make("option", { value: each.name, selected: each.name === name }, each.title))));
}

/** A field with all games; `onChoose(name)` is told of another one. */
export function gameField(catalogue, game, onChoose) {
  const [name] = takenApart(game);
  const control = make("select", { name: "game" }, ...gameOptions(catalogue, name));
  control.addEventListener("change", () => onChoose(control.value));
  return field("Game", control);
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

/** The parameters of a game behind one field of a bar, with what differs from the usual on it; nothing where it has none. */
export function boardField(catalogue, game) {
  const [name, settings] = takenApart(game);
  const parameters = catalogue.games.find((each) => each.name === name)?.parameters ?? [];
  if (!parameters.length) return null;
  const differs = game.slice(name.length + 1).replaceAll(",", ", ").replaceAll("=", " ");
  const summary = make("summary", { "aria-label": `Board: ${differs || "the usual one"}`, title: differs || null }, differs || "the usual one");
  const details = make("details", { class: "board-choice" }, summary,
    make("div", { class: "board-fields panel" }, ...parameters.map((each) => parameterField(each, settings[each.name])),
      make("button", { class: "button", type: "submit" }, "Use this board")));
  details.addEventListener("invalid", () => { details.open = true; }, true); // the browser points at what it can see
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  });
  return make("div", { class: "field" }, make("span", { class: "field-name", "aria-hidden": "true" }, "Board"), details);
}

/** The name of a game with those parameters that a form has fields for. */
export function nameInForm(form, { name, parameters }, named = parameters) {
  const given = Object.fromEntries(new FormData(form));
  const settings = Object.fromEntries(named.map(({ name: key }) => [key, (given[`parameter-${key}`] ?? "").trim()]));
  return putTogether(name, settings, named);
}

/** The changes of a place to the board that a form says: none where it is the same, however the address spells it. */
export function boardChanges(form, catalogue, game) {
  const [name, settings] = takenApart(game);
  const offered = catalogue.games.find((each) => each.name === name);
  if (!offered) return {};
  const chosen = nameInForm(form, offered);
  return chosen === putTogether(name, settings, offered.parameters) ? {} : anotherGame(chosen);
}

/** The changes of a place to the start of another game. */
export function anotherGame(game) {
  return { game, moves: [], ahead: [], tree: null, review: "" };
}
