/** Every game with a small picture of its board: where a visit begins. */

import { sentence } from "./api.js";
import { make } from "./elements.js";
import { leadTo, positionAfter } from "./position.js";
import { drawBoard, drawText } from "/theatre/board.js";

// A few moves each, since an empty board says little of its game.
const OPENINGS = {
  "breakthrough": ["d2-d3", "e7-e6", "e2-f3", "d7-c6", "d3-d4"],
  "connect-four": ["4", "4", "3", "5", "3", "3", "2", "5", "5"],
  "domineering": ["c3-c4", "e4-f4", "f5-f6", "b6-c6", "d2-d3"],
  "dots-and-boxes": ["a1-b1", "a1-a2", "b1-b2", "a2-b2", "b3-c3"],
  "hexapawn": ["b1-b2", "a3xb2"],
  "kalah": ["3", "1", "2"],
  "mnk": ["b2", "c3", "b3"],
  "othello": ["d3", "c5", "e6"],
  "tic-tac-toe": ["b2", "a1", "c3", "a3", "a2"],
};

/** @param {HTMLElement} main @param {any} catalogue */
export function openGallery(main, catalogue) {
  const grid = make("ul", { class: "gallery" });
  main.append(
    make("div", { class: "welcome" }, make("h1", {}, "Choose a game"),
      make("p", {}, "Play it against the engine or any algorithm of the textbook, see what every move is worth, "
        + "and watch the search at work.")),
    grid,
  );
  return {
    show(place) {
      const own = (game) => (game.own ? 0 : 1);
      const games = [...catalogue.games].sort((one, other) => own(one) - own(other));
      grid.replaceChildren(...games.map((game) => card(game, place)));
    },
  };
}

function card(game, place) {
  const picture = make("div", { class: "card-board", "aria-hidden": "true", inert: true });
  const link = make("a", { class: "card" }, picture,
    make("span", { class: "card-words" }, make("strong", {}, game.title),
      game.own ? make("span", { class: "chip" }, "yours") : null,
      make("span", { class: "card-summary" }, game.summary)));
  draw(picture, game.name);
  return make("li", {}, leadTo(link, { ...place, game: game.name, moves: [], ahead: [] }));
}

async function draw(picture, name) {
  try {
    const position = await positionAfter(name, OPENINGS[name] || []).catch(() => positionAfter(name, []));
    if (position.scene) drawBoard(picture, position.scene, { last: position.previous });
    else drawText(picture, position.text);
  } catch (error) {
    picture.textContent = sentence(error);
  }
}
