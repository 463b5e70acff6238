/** The list of games in the forms of the theatre and of the exercises, to go on with another one. */

import { field, make } from "./elements.js";
import { takenApart } from "./wording.js";

/** A field with all games, one's own first; `onChoose(name)` is told of another one. */
export function gameField(catalogue, game, onChoose) {
  const [name] = takenApart(game);
  const groups = [["Yours", catalogue.games.filter((each) => each.own)], ["Games", catalogue.games.filter((each) => !each.own)]];
  const control = make("select", { name: "game" }, ...groups.filter(([, games]) => games.length).map(([label, games]) =>
    make("optgroup", { label }, ...games.map((each) => make("option", { value: each.name, selected: each.name === name }, each.title)))));
  control.addEventListener("change", () => onChoose(control.value));
  return field("Game", control);
}
