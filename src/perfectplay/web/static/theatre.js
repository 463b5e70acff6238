/** Theatre: a textbook algorithm at work on the current position, step by step. */

import { isAbort, post, sentence, stream, text } from "./api.js";
import { button, choice, field, make } from "./elements.js";
import { anotherGame, boardChanges, boardField, gameField } from "./game-choice.js";
import { positionAfter, visit } from "./position.js";
import { takenApart, waitingWords } from "./wording.js";

const STYLES = ["/theatre/player.css", "/theatre/parts.css"];
const OPTIONS = { keys: true, brief: true }; // the game is named above
const FIRST = "alpha-beta-search"; // what is shown when nobody has chosen
const FIRST_LIMITED = "alpha-beta-with-heuristics"; // the same where the tree has to end somewhere
const FIRST_WITH_DICE = "expectiminimax";
const FIRST_OF_MANY = "max-n"; // where every player has a utility of its own
const FEW = 10; // moves that are told one by one

/** @param {HTMLElement} main @param {any} catalogue @param {(words: string) => void} say */
export function openTheatre(main, catalogue, say) {
  return new TheatreView(main, catalogue, say);
}

class TheatreView {
  constructor(main, catalogue, say) {
    this.catalogue = { ...catalogue, games: [...catalogue.games, ...catalogue.others] };
    this.say = say;
    this.running = null;
    this.title = make("h1", {}, "Theatre");
    this.where = make("p", { class: "settings" });
    this.notice = make("p", { class: "notice", role: "status", hidden: true });
    this.saveButton = button("Save", { "aria-label": "Save as one file", title: "Save as one file",
      onclick: () => this.save(), disabled: true });
    this.form = make("form", { class: "bar-form", onsubmit: (event) => this.submit(event) });
    this.stage = make("div", { class: "player-frame" });
    main.append(make("div", { class: "wide" }, make("div", { class: "stage-head" },
      make("div", { class: "stage-title" }, this.title, this.where)), this.form, this.notice, this.stage));
  }

  close() {
    this.running?.abort();
    this.player?.destroy?.();
  }

  async show(place) {
    this.close();
    this.player = null;
    this.asked = place;
    const [algorithm, compare] = [place.algorithm, place.compare].map((name) => (this.isUnsuited(name) ? "" : name));
    this.asked = { ...place, algorithm, compare };
    this.place = { ...this.asked, algorithm: algorithm || this.first(false) };
    this.late = null;
    this.drawForm();
    this.describe();
    const shown = this.asked;
    if (this.wantsLate()) await this.goLate();
    if (shown === this.asked) await this.run();
  }

  get game() {
    const [name] = takenApart(this.asked.game);
    return this.catalogue.games.find((each) => each.name === name);
  }

  /** The algorithms that the game is for. */
  suited() {
    const { dice, two_sides: sides } = this.game ?? { dice: false, two_sides: true };
    return this.catalogue.algorithms.filter((each) => (each.takes_chance || !dice) && (each.takes_utilities || sides));
  }

  /** Is this an algorithm, and one for other games? Then it was chosen for another one. */
  isUnsuited(name) {
    return Boolean(this.algorithm(name)) && !this.suited().some((each) => each.name === name);
  }

  /** What is shown when nobody has chosen. */
  first(limited) {
    if (this.game && !this.game.two_sides) return FIRST_OF_MANY;
    if (this.game?.dice) return FIRST_WITH_DICE;
    return limited ? FIRST_LIMITED : FIRST;
  }

  /** Is a late position to be shown? So it is when nobody has chosen anything: its tree can be seen whole. */
  wantsLate() {
    return this.asked.from === "late" || (!this.asked.from && !this.asked.algorithm);
  }

  async goLate() {
    const { asked } = this;
    this.tell("Looking for a tree that can be seen whole…");
    try {
      const late = await post("/api/late", { game: asked.game, moves: asked.moves });
      if (this.asked !== asked) return;
      this.late = late;
      const plies = late.depth ? String(late.depth) : asked.plies;
      const algorithm = asked.algorithm || this.first(late.depth);
      this.place = { ...asked, algorithm, plies, moves: late.moves };
      this.fillForm();
      this.describe();
    } catch {
      // then the position itself is shown, or it is said why it cannot be
    }
  }

  describe() {
    const { game } = this;
    const [name] = takenApart(this.place.game);
    const { moves } = this.place;
    const after = moves.length > FEW ? `after ${moves.length} moves, the last ${moves.slice(-4).join(" ")}` : `after ${moves.join(" ")}`;
    const late = this.late && !this.late.here ? "a late position, " : "";
    this.where.textContent = `${game?.title || name}: ${late}${moves.length ? after : "from the start"}`;
  }

  drawForm() {
    const { algorithm, compare, plies } = this.place;
    const names = this.suited().map((each) => [each.name, each.name]);
    const here = this.asked.moves.length ? "yours" : "the start";
    this.form.replaceChildren(
      gameField(this.catalogue, this.place.game, (game) => this.go({ ...anotherGame(game), from: "late", plies: "" })),
      ...[boardField(this.catalogue, this.place.game)].filter(Boolean),
      field("Position", choice("from", [["late", "a late one"], ["here", here]], this.wantsLate() && !this.late?.here ? "late" : "here")),
      field("Algorithm", choice("algorithm", names, algorithm)),
      field("Compare with", choice("compare", [["", "nothing"], ...names], compare)),
      field("Depth", make("input", { name: "depth", type: "number", min: "1", max: "64", value: plies, placeholder: "all" })),
      make("button", { class: "button primary", type: "submit" }, "Watch"), this.saveButton);
    const depthField = this.form.elements.depth;
    const update = () => {
      const chosen = ["algorithm", "compare"].map((name) => this.form.elements[name].value).filter(Boolean);
      depthField.disabled = !chosen.some((name) => this.algorithm(name)?.takes_depth);
    };
    this.form.onchange = update;
    update();
  }

  /** Say in the form what was found meanwhile, and leave what the visitor is at. */
  fillForm() {
    const { algorithm, plies } = this.place;
    const found = { from: this.late.here ? "here" : "late", algorithm, depth: plies };
    for (const [name, value] of Object.entries(found)) {
      const control = this.form.elements[name];
      if (control !== document.activeElement) control.value = value;
    }
    this.form.onchange();
  }

  algorithm(name) {
    return this.catalogue.algorithms.find((each) => each.name === name);
  }

  submit(event) {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(this.form));
    this.go({ algorithm: given.algorithm, compare: given.compare, plies: given.depth || "", from: given.from,
      ...boardChanges(this.form, this.catalogue, this.place.game) });
  }

  /** Somewhere else; the moves of the visitor's own game stay what they are. */
  go(changes) {
    visit({ ...this.asked, ...changes });
  }

  async run() {
    const running = new AbortController();
    this.running = running;
    const names = [this.place.algorithm, this.place.compare].filter(Boolean);
    this.tell("Recording…");
    this.stage.replaceChildren();
    this.saveButton.disabled = true;
    try {
      if (this.game?.two_sides !== false) await positionAfter(this.place.game, this.place.moves);
      const traces = [];
      for (const name of names) traces.push(await this.trace(name, running.signal));
      const player = await import("/theatre/player.js");
      await Promise.all(STYLES.map(addStyle));
      if (this.running !== running) return;
      this.tell("");
      this.recorded = traces.map((each) => JSON.stringify(each));
      this.saveButton.disabled = false;
      const [one, other] = traces;
      this.player = other ? player.mountComparison(this.stage, one, other, OPTIONS)
        : player.mountPlayer(this.stage, one, OPTIONS);
    } catch (error) {
      if (isAbort(error) || this.running !== running) return;
      this.tell(error instanceof TypeError ? "The player cannot be loaded: load this page again." : sentence(error));
    }
  }

  trace(algorithm, signal) {
    const { game, moves, plies } = this.place;
    const wanted = plies && this.algorithm(algorithm)?.takes_depth ? Number(plies) : null;
    const onEvent = (name, data) => this.tell(`${waitingWords(name, data, "Recording")}…`);
    return stream("/api/trace", { game, moves, algorithm, depth: wanted }, { signal, onEvent });
  }

  /** Hand out what is shown as a file that needs no server: the player, and the traces in it. */
  async save() {
    const { game, algorithm, compare } = this.place;
    const names = [algorithm, compare].filter(Boolean);
    try {
      const empty = await text("/trace/page.html");
      const held = this.recorded.map((json) => `<script type="application/json">${inert(json)}</script>`).join("\n");
      const title = `<title>${inHtml(`${names.join(" and ")} on ${game}`)}</title>`;
      const page = empty.replace("<!-- traces -->", () => held).replace(/<title>.*<\/title>/, () => title);
      const address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      make("a", { href: address, download: `${[...names, game].join("-").replace(/[^\w.-]+/g, "-")}.html` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser has begun to read it by then
      this.say("The file is saved.");
    } catch (error) {
      this.tell(sentence(error));
    }
  }

  tell(words) {
    this.notice.textContent = words;
    this.notice.hidden = !words;
    this.say(words);
  }
}

/** JSON without a letter that means something in HTML: these only occur within its strings. */
function inert(json) {
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function inHtml(words) {
  return words.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Waits for the style: the player measures what it has drawn. */
function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = make("link", { rel: "stylesheet", href });
  const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
  document.head.append(link);
  return loaded;
}
