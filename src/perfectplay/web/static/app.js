/** The page: what the server offers, the views by their names, and going from one to another. */

import { get, sentence } from "./api.js";
import { button, icon, make } from "./elements.js";
import { openGallery } from "./gallery.js";
import { addShortcuts, openHelp } from "./help.js";
import { leadTo, onVisit, readPlace } from "./position.js";
import { openPlay } from "./play.js";
import { soundSwitch } from "./sound.js";
import { takenApart } from "./wording.js";

/** Each view is loaded when it is first wanted, but for the one that everybody wants. */
const VIEWS = {
  play: ["Play", async () => openPlay],
  analyse: ["Analyse", async () => (await import("./analyse.js")).openAnalyse],
  theatre: ["Theatre", async () => (await import("./theatre.js")).openTheatre],
  exercises: ["Exercises", async () => (await import("./exercises.js")).openExercises],
  about: ["About", async () => (await import("./about.js")).openAbout],
};

const main = document.getElementById("main");
const status = document.getElementById("status");
let catalogue = null;
let shown = { name: "", view: null };
let visits = 0;

/** Say something to those who listen, and to those who look at the foot of the page. */
function say(words) {
  status.textContent = words;
}

async function show(place) {
  visits += 1;
  const visitNow = visits;
  const name = place.game ? (place.view in VIEWS ? place.view : "play") : "gallery";
  drawViews(place, name);
  entitle(place, name);
  if (shown.name !== name) {
    const open = name === "gallery" ? openGallery : await VIEWS[name][1]();
    if (visitNow !== visits) return;
    shown.view?.close?.();
    main.className = `view-${name}`;
    main.replaceChildren();
    say("");
    shown = { name, view: open(main, catalogue, say) };
  }
  await shown.view.show(place);
}

function drawViews(place, name) {
  const nav = document.querySelector(".views");
  const game = place.game || firstGame().name;
  nav.replaceChildren(...Object.entries(VIEWS).map(([view, [words]]) => {
    const link = make("a", { "aria-current": view === name ? "page" : null }, words);
    return leadTo(link, { ...place, game, view });
  }));
}

function entitle(place, name) {
  const game = catalogue.games.find((each) => each.name === takenApart(place.game)[0]);
  const words = [game?.title, VIEWS[name]?.[0], "perfectplay"].filter(Boolean);
  document.title = words.join(" · ");
}

function firstGame() {
  return catalogue.games.find((game) => game.own) || catalogue.games.find((game) => game.name === "connect-four")
    || catalogue.games[0];
}

function drawTools() {
  document.querySelector(".top-tools").replaceChildren(soundSwitch(),
    make("button", { type: "button", class: "tool", "data-theme-switch": true, title: "Light or dark",
      "aria-label": "Light or dark" }, icon("theme")),
    make("button", { type: "button", class: "tool", title: "Keys and help (?)", "aria-label": "Keys and help",
      onclick: openHelp }, icon("help")),
  );
}

async function start() {
  drawTools();
  try {
    catalogue = await get("/api/games");
  } catch (error) {
    main.replaceChildren(make("p", { class: "notice", role: "alert" }, sentence(error)),
      button("Try again", { onclick: () => location.reload() }));
    return;
  }
  addShortcuts(() => shown.view?.keys?.() || {});
  onVisit(show);
  await show(readPlace());
}

start();
