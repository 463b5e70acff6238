/** Exercises: a tree from the current position, filled in by hand, checked and explained. */

import { isAbort, post, sentence } from "./api.js";
import { button, choice, field, make } from "./elements.js";
import { ExerciseTree } from "./exercise-tree.js";
import { leadTo, visit } from "./position.js";
import { counted, takenApart } from "./wording.js";

const KINDS = [["alpha-beta", "Alpha-beta"], ["minimax", "Minimax"]];
const SEEDS = 100_000;
let rulesOpen = true; // as the visitor left them
const THINGS = { window: "window", cuts: "cuts", value: "value", move: "the move" };

/** @param {HTMLElement} main @param {any} catalogue @param {(words: string) => void} say */
export function openExercises(main, catalogue, say) {
  return new ExercisesView(main, catalogue, say);
}

/**
 * Put an exercise into a container.
 * @param {HTMLElement} container @param {{game: string, moves: string[], seed: number, kind: string}} question
 * @param {{say?: (words: string) => void, signal?: AbortSignal}} [options]
 */
export async function mountExercise(container, question, { say = () => {}, signal } = {}) {
  const [exercise] = await Promise.all([post("/api/exercise", question, signal), styled()]);
  signal?.throwIfAborted(); // another tree was asked for while the style was loading
  const mounted = new ExerciseOnPage(question, exercise, say);
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
    if (!/^\d{1,9}$/.test(place.seed)) {
      visit({ ...place, seed: randomSeed() }, { replace: true });
      return;
    }
    const { game, moves } = place;
    const question = { game, moves, seed: Number(place.seed), kind: place.kind === "minimax" ? "minimax" : "alpha-beta" };
    this.describe();
    this.drawForm(question);
    if (this.shown === JSON.stringify(question)) return;
    this.shown = JSON.stringify(question);
    await this.mount(question);
  }

  async mount(question) {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.notice.hidden = true;
    this.stage.replaceChildren();
    try {
      await mountExercise(this.stage, question, { say: this.say, signal: running.signal });
    } catch (error) {
      if (isAbort(error) || this.running !== running) return;
      this.refuse(sentence(error));
    }
  }

  /** Say why there is no exercise, and where there are some. */
  refuse(words) {
    this.shown = "";
    this.notice.textContent = words;
    this.notice.hidden = false;
    const start = make("a", { class: "button" }, "From the start of the game");
    if (this.place.moves.length) this.stage.replaceChildren(leadTo(start, { ...this.place, moves: [], ahead: [] }));
  }

  describe() {
    const [name] = takenApart(this.place.game);
    const game = this.catalogue.games.find((each) => each.name === name);
    const { moves } = this.place;
    this.where.textContent = `${game?.title || name}, ${moves.length ? `from ${moves.join(" ")} on` : "from any position"}`;
  }

  drawForm({ kind, seed }) {
    const number = make("input", { name: "seed", type: "number", min: "0", max: "999999999", step: "1", required: true,
      value: seed });
    this.form.replaceChildren(
      field("About", choice("kind", KINDS, kind)),
      field("Number of the tree", number),
      make("button", { class: "button", type: "submit" }, "Show"),
      button("New tree", { drawing: "new", class: "button primary", onclick: () => this.go({ seed: randomSeed() }) }));
    this.form.elements.kind.onchange = () => this.go({ kind: this.form.elements.kind.value });
  }

  submit(event) {
    event.preventDefault();
    this.go({ seed: this.form.elements.seed.value, kind: this.form.elements.kind.value });
  }

  go(changes) {
    visit({ ...this.place, ...changes });
  }
}

/** One exercise: its tree, what to do with it, and what became of the answers. */
class ExerciseOnPage {
  constructor(question, exercise, say) {
    Object.assign(this, { question, exercise, say });
    this.tree = new ExerciseTree(exercise, () => this.changed());
    this.tree.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) this.check();
    });
    this.verdicts = make("div", { class: "verdicts", "aria-live": "polite" });
    this.score = make("p", { class: "score", role: "status" });
    this.move = this.makeMove();
    this.elements = [this.makeRules(), this.tree.element, make("div", { class: "exercise-foot" }, this.move,
      make("div", { class: "row" },
        button("Check", { class: "button primary", onclick: () => this.check() }),
        button("Show the next step", { drawing: "hint", onclick: () => this.hint() }),
        this.printed("sheet", "Sheet to print"), this.printed("solution", "Its solution"))),
    this.score, this.verdicts];
  }

  makeRules() {
    const { rules, position, notes, kind } = this.exercise;
    const how = kind === "alpha-beta"
      ? "Write alpha and beta on entering above every node, and the value it returns into it. Click the branches that "
        + "are cut: what lies below them needs no answer."
      : "Write the value of every node into it.";
    const panel = make("details", { class: "panel exercise-rules", open: rulesOpen }, make("summary", {}, "What to do"),
      make("p", {}, how), make("ul", {}, ...rules.map((rule) => make("li", {}, rule))),
      make("p", { class: "account" }, [position, "▲ is MAX, ▼ is MIN.", ...notes].join(" ")));
    panel.addEventListener("toggle", () => { rulesOpen = panel.open; });
    return panel;
  }

  makeMove() {
    const root = this.tree.root;
    const moves = root.children.map((name) => this.tree.nodes.get(name).action);
    const names = root.children.map((name, number) => [moves.indexOf(moves[number]) === moves.lastIndexOf(moves[number])
      ? moves[number] : name, moves[number]]);
    const control = choice("move", [["", "…"], ...names], "");
    control.addEventListener("change", () => {
      control.classList.remove("is-right", "is-wrong");
      this.changed();
    });
    const labelled = field(`The move chosen at ${root.name}`, control);
    labelled.classList.add("move-field");
    labelled.append(make("span", { class: "tree-mark", "aria-hidden": "true" }));
    return labelled;
  }

  printed(page, words) {
    const { game, moves, seed, kind } = this.question;
    const query = new URLSearchParams({ game, seed, kind });
    for (const move of moves) query.append("moves", move);
    return make("a", { class: "button", href: `/exercise/${page}?${query}`, target: "_blank", rel: "noopener" }, words);
  }

  read() {
    const { answers, implied } = this.tree.read();
    const chosen = this.move.querySelector("select").value;
    if (chosen) answers.move = chosen;
    return { answers, implied };
  }

  changed() {
    this.score.textContent = "";
  }

  async check() {
    const { answers, implied } = this.read();
    const checked = await this.ask("check", answers);
    if (!checked) return;
    const about = new Map(this.exercise.questions.map((each) => [each.name, each]));
    const written = checked.verdicts.filter((each) => !implied.has(each.question));
    const wrong = checked.verdicts.filter((each) => !each.right).length;
    this.clear();
    const items = written.map((verdict, number) => this.judged(verdict, about.get(verdict.question), `verdict-${number}`));
    this.verdicts.replaceChildren(...sections(items));
    const left = checked.questions - checked.verdicts.length;
    this.report([`${checked.right} of ${counted(checked.questions, "answer")} right`, wrong ? `${wrong} wrong` : "",
      left ? `${left} still missing` : ""].filter(Boolean).join(", ") + ".");
  }

  /** An answer in the list of verdicts, with a mark at its place in the tree. */
  judged({ question, right, given, wanted, explanation, readable }, { kind, node }, id) {
    this.mark(question, right, id);
    const place = kind === "move" ? THINGS.move : `${node}, ${THINGS[kind]}`;
    const words = right ? `right: ${given}.` : readable ? `you say ${given}, it is ${wanted}.` : "cannot be read.";
    const item = make("li", { id, class: `verdict ${right ? "verdict-right" : "verdict-wrong"}` },
      make("span", { class: "verdict-mark", "aria-hidden": "true" }, right ? "✓" : "✗"),
      make("div", {}, make("button", { type: "button", class: "verdict-place", onclick: () => this.go(question) }, place),
        ` ${words} `, make("span", { class: "verdict-why" }, explanation)));
    return { right, item };
  }

  async hint() {
    const { answers } = this.read();
    const found = await this.ask("hint", answers);
    if (!found) return;
    const { hint, cut } = found;
    this.clear();
    if (!hint) {
      this.verdicts.replaceChildren();
      this.report("All is right: there is no next step.");
      return;
    }
    this.write(hint, cut);
    const { kind, node } = this.exercise.questions.find((each) => each.name === hint.question);
    const place = kind === "move" ? THINGS.move : `${node}, ${THINGS[kind]}`;
    this.verdicts.replaceChildren(make("p", { class: "panel hint" }, make("strong", {}, `Next step: ${place} is ${hint.wanted}. `),
      hint.explanation));
    this.report("");
    this.go(hint.question);
  }

  write({ question, wanted }, cut) {
    if (question === "move") this.move.querySelector("select").value = wanted;
    else this.tree.write(question, wanted, cut);
  }

  async ask(what, answers) {
    try {
      return await post(`/api/exercise/${what}`, { ...this.question, answers });
    } catch (error) {
      this.report(sentence(error));
      return null;
    }
  }

  clear() {
    for (const { name } of this.exercise.questions) this.mark(name, null);
  }

  mark(question, right, about = "") {
    if (question !== "move") {
      this.tree.mark(question, right, about);
      return;
    }
    const control = this.move.querySelector("select");
    control.classList.toggle("is-right", right === true);
    control.classList.toggle("is-wrong", right === false);
    control.setAttribute("aria-invalid", String(right === false));
    this.move.querySelector(".tree-mark").textContent = right === null ? "" : right ? "✓" : "✗";
  }

  go(question) {
    if (question === "move") this.move.querySelector("select").focus();
    else this.tree.focus(question);
  }

  report(words) {
    this.score.textContent = words;
    this.say(words);
  }
}

/** What is wrong first and in full; what is right can be opened. */
function sections(items) {
  const list = (right) => items.filter((each) => each.right === right).map(({ item }) => item);
  const [wrong, right] = [list(false), list(true)];
  return [
    wrong.length ? make("ul", { class: "verdict-list" }, ...wrong) : null,
    right.length ? make("details", { class: "panel" }, make("summary", {}, `Why ${counted(right.length, "answer")} ${
      right.length === 1 ? "is" : "are"} right`), make("ul", { class: "verdict-list" }, ...right)) : null,
  ].filter(Boolean);
}

function randomSeed() {
  return String(Math.floor(Math.random() * SEEDS));
}
