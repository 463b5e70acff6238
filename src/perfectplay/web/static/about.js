/** About the game: its rules, its parameters, its notation, and how to write one's own. */

import { sentence } from "./api.js";
import { button, make } from "./elements.js";
import { leadTo, positionAfter } from "./position.js";
import { openSetup } from "./setup.js";
import { takenApart } from "./wording.js";
import { drawBoard, drawText } from "/theatre/board.js";

const EXAMPLE = `from perfectplay import MAX, MIN, Game

class Stones(Game):
    """Take one, two or three stones; whoever takes the last one wins."""

    def initial(self):
        return 10, MAX                      # the stones, and whose turn it is

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, MIN if state[1] == MAX else MAX

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1`;

/** @param {HTMLElement} main @param {any} catalogue */
export function openAbout(main, catalogue) {
  return { show: (place) => draw(main, catalogue, place) };
}

async function draw(main, catalogue, place) {
  const [name] = takenApart(place.game);
  const game = catalogue.games.find((each) => each.name === name);
  if (!game) {
    main.replaceChildren(make("p", { class: "notice", role: "alert" },
      `There is no game ${name} here: choose another.`),
    button("New game", { drawing: "new", onclick: () => openSetup(catalogue, place) }));
    return;
  }
  const board = make("div", { class: "about-board" });
  const notation = make("p", {}, "…");
  main.replaceChildren(make("article", { class: "about" },
    make("div", { class: "about-head" }, make("div", {}, make("h1", {}, game.title), make("p", {}, game.how_to_play),
      make("div", { class: "row" },
        leadTo(make("a", { class: "button primary" }, "Play"), { ...place, view: "play" }),
        button("Other game or board", { drawing: "new", onclick: () => openSetup(catalogue, place) }))), board),
    make("h2", {}, "Notation"), notation,
    make("h2", {}, "Parameters"), parameterTable(game),
    make("h2", {}, "A game of your own"), ...ownGame(game)));
  await drawStart(place, board, notation);
}

function parameterTable({ name, own, parameters }) {
  if (!parameters.length) return make("p", {}, "It has none.");
  const rows = parameters.map((each) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, each.name)),
    make("td", {}, each.default === null ? "must be given" : make("code", {}, each.default)), make("td", {}, each.help)));
  const example = `perfectplay play ${own ? "my_game.py:" : ""}${name}:${parameters[0].name}=${parameters[0].default ?? "…"}`;
  return make("div", {},
    make("table", { class: "plain" }, make("thead", {}, make("tr", {}, ...["Name", "Usually", "Give"].map((words) =>
      make("th", { scope: "col" }, words)))), make("tbody", {}, ...rows)),
    make("p", {}, "In the terminal they follow a colon: ", make("code", {}, example)));
}

function ownGame(game) {
  return [
    make("p", {}, game.own ? "This one is a class in a file of whoever started this server. "
      : "Every game is a class with six methods. ",
    "Write one in a file, stones.py say, and everything here runs on it: the engine, the textbook's algorithms, "
      + "the analysis and the theatre."),
    make("pre", { class: "code", tabindex: "0", "aria-label": "A whole game" }, EXAMPLE),
    make("p", {}, "Then start the server with it: ", make("code", {}, "perfectplay serve --game stones.py:Stones")),
    make("p", {}, "Its board is what its ", make("code", {}, "render"), " writes, or what its ", make("code", {}, "scene"),
      " draws. Is it lawful? ", make("code", {}, "perfectplay check stones.py:Stones"), " tells."),
  ];
}

async function drawStart(place, board, notation) {
  try {
    const position = await positionAfter(place.game, []);
    const label = "the board at the start";
    if (position.scene) drawBoard(board, position.scene, { label });
    else drawText(board, position.text, label);
    const [some, more] = [position.actions.slice(0, 12), position.actions.length - 12];
    notation.replaceChildren("Moves at the start: ",
      ...some.flatMap((action) => [make("code", {}, action), " "]), more > 0 ? `and ${more} more.` : "");
  } catch (error) {
    notation.textContent = sentence(error);
  }
}
