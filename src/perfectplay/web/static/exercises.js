/** Exercises: a tree from the current position, filled in by hand, checked and explained. */

import { isAbort, post, sentence } from "./api.js";
import { button, choice, field, make } from "./elements.js";
import { classOf, numberOf, openClass, studentFields, studentName } from "./exercise-class.js";
import { ExerciseOnPage } from "./exercise-page.js";
import { anotherGame, boardChanges, boardField, gameField } from "./game-choice.js";
import { leadTo, visit } from "./position.js";
import { takenApart } from "./wording.js";

const KINDS = [["alpha-beta", "Alpha-beta"], ["minimax", "Minimax"], ["expectiminimax", "Expectiminimax"], ["max-n", "max^n"],
  ["uct", "UCB1"]];
const BY_CHANCE = ["expectiminimax", "max-n", "uct"]; // their trees belong to no game
const USUAL = "connect-four"; // the game of who comes from one that has no such trees
const SEEDS = 100_000;

/** @param {HTMLElement} main @param {any} catalogue @param {(words: string) => void} say */
export function openExercises(main, catalogue, say) {
  return new ExercisesView(main, catalogue, say);
}

/**
 * Put an exercise into a container.
 * @param {HTMLElement} container @param {{game: string, moves: string[], seed: number, kind: string}} question
 * @param {{say?: (words: string) => void, signal?: AbortSignal, student?: any}} [options]
 */
export async function mountExercise(container, question, { say = () => {}, signal, student = null } = {}) {
  const [exercise] = await Promise.all([post("/api/exercise", question, signal), styled()]);
  signal?.throwIfAborted(); // another tree was asked for while the style was loading
  const mounted = new ExerciseOnPage(question, exercise, say, student);
  container.replaceChildren(...mounted.elements);
  mounted.tree.centre();
  return mounted;
}

/** The style of exercises, loaded with the first of them. */
function styled() {
  const address = "/static/exercises.css";
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  const link = make("link", { rel: "stylesheet", href: address });
  const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
  document.head.append(link);
  return loaded;
}

class ExercisesView {
  constructor(main, catalogue, say) {
    Object.assign(this, { catalogue, say });
    this.running = null;
    this.shown = "";
    this.where = make("p", { class: "settings" });
    this.form = make("form", { class: "bar-form", onsubmit: (event) => this.submit(event) });
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.stage = make("div", { class: "exercise" });
    main.append(make("div", { class: "wide" }, make("div", { class: "stage-head" },
      make("div", { class: "stage-title" }, make("h1", {}, "Exercises"), this.where)), this.form, this.notice, this.stage));
  }

  close() {
    this.running?.abort();
  }

  async show(place) {
    this.place = place;
    const group = classOf(place);
    if (!group && !/^\d{1,9}$/.test(place.seed)) {
      visit({ ...place, seed: randomSeed() }, { replace: true });
      return;
    }
    const { game, moves } = place;
    const question = { game, moves, seed: Number(place.seed), kind: KINDS.some(([kind]) => kind === place.kind) ? place.kind : this.usualKind() };
    this.describe(question.kind);
    this.drawForm(question);
    if (group && !numberOf(place)) return this.askWho();
    if (this.shown === JSON.stringify(question)) return;
    this.shown = JSON.stringify(question);
    await this.mount(question);
  }

  /** A student of a class has opened the link, and has not said which one. */
  askWho() {
    this.running?.abort();
    this.shown = "";
    this.notice.hidden = true;
    this.stage.replaceChildren(make("p", { class: "empty" }, "Choose your number in the class, and your tree appears here."));
  }

  async mount(question) {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.notice.hidden = true;
    this.stage.replaceChildren();
    try {
      await mountExercise(this.stage, question, { say: this.say, signal: running.signal, student: this.student() });
    } catch (error) {
      if (isAbort(error) || this.running !== running) return;
      this.refuse(sentence(error));
    }
  }

  student() {
    return classOf(this.place) ? { name: studentName, number: numberOf(this.place) } : null;
  }

  /** Say why there is no exercise, and where there are some. */
  refuse(words) {
    this.shown = "";
    this.notice.textContent = words;
    this.notice.hidden = false;
    const start = make("a", { class: "button" }, "From the start of the game");
    if (this.place.moves.length) this.stage.replaceChildren(leadTo(start, { ...this.place, moves: [], ahead: [] }));
  }

  get game() {
    const [name] = takenApart(this.place.game);
    return [...this.catalogue.games, ...this.catalogue.others].find((each) => each.name === name);
  }

  /** What is asked where nobody has chosen: of dice and of many players, what they are for. */
  usualKind() {
    if (this.game?.two_sides === false) return "max-n";
    return this.game?.dice ? "expectiminimax" : "alpha-beta";
  }

  describe(kind) {
    const { game } = this;
    const [name] = takenApart(this.place.game);
    const { moves } = this.place;
    this.where.textContent = BY_CHANCE.includes(kind) ? "A tree by chance, whose numbers come out round" : `${game?.title || name}, ${moves.length ? `from ${moves.join(" ")} on` : "from any position"}`;
  }

  drawForm(question) {
    const { kind, seed } = question;
    if (classOf(this.place)) {
      this.form.replaceChildren(...studentFields(this.place, (chosen) => this.go({ seed: chosen })));
      return;
    }
    const number = make("input", { name: "seed", type: "number", min: "0", max: "999999999", step: "1", required: true,
      value: seed });
    const suited = this.catalogue.games.filter((each) => !each.dice || each === this.game);
    const ofGame = BY_CHANCE.includes(kind) ? [] : [
      gameField({ games: suited }, this.place.game, (game) => this.go({ ...anotherGame(game), seed: randomSeed() })),
      boardField(this.catalogue, this.place.game)].filter(Boolean);
    this.form.replaceChildren(...ofGame, field("About", choice("kind", KINDS, kind)),
      field("Number of the tree", number),
      make("button", { class: "button", type: "submit" }, "Show"),
      button("New tree", { drawing: "new", class: "button primary", onclick: () => this.go({ seed: randomSeed() }) }),
      button("For a class", { onclick: () => openClass(this.place, question) }));
    this.form.elements.kind.onchange = () => this.choose(this.form.elements.kind.value);
  }

  /** Another kind of question; with a game that it can be asked about. */
  choose(kind) {
    const unsuited = this.game && (this.game.dice || !this.game.two_sides) && !BY_CHANCE.includes(kind);
    this.go({ kind, ...(unsuited ? anotherGame(USUAL) : {}) });
  }

  submit(event) {
    event.preventDefault();
    const kind = this.form.elements.kind.value;
    this.go({ seed: this.form.elements.seed.value, kind,
      ...(BY_CHANCE.includes(kind) ? {} : boardChanges(this.form, this.catalogue, this.place.game)) });
  }

  go(changes) {
    visit({ ...this.place, ...changes });
  }
}

function randomSeed() {
  return String(Math.floor(Math.random() * SEEDS));
}
