/** Exercises: a tree from the current position, to be filled in by hand. */

import { make } from "./elements.js";
import { takenApart } from "./wording.js";

/** @param {HTMLElement} main @param {any} catalogue */
export function openExercises(main, catalogue) {
  const where = make("p", { class: "settings" });
  const stage = make("div", { class: "player-frame" });
  main.append(make("div", { class: "wide" }, make("div", { class: "stage-head" },
    make("div", { class: "stage-title" }, make("h1", {}, "Exercises"), where)), stage));
  return {
    async show(place) {
      const [name] = takenApart(place.game);
      const game = catalogue.games.find((each) => each.name === name);
      where.textContent = `${game?.title || name}, ${place.moves.length ? `after ${place.moves.join(" ")}` : "from the start"}`;
      stage.replaceChildren(make("p", { class: "empty" }, "The exercises are not here yet."));
    },
  };
}
