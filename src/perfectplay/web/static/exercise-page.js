/** One exercise on the page: its tree, what to do with it, what became of the answers. */

import { post, sentence } from "./api.js";
import { button, choice, field, make } from "./elements.js";
import { sheetAddress } from "./exercise-class.js";
import { keep, recall, save, scoreFile } from "./exercise-memory.js";
import { ExerciseTree } from "./exercise-tree.js";
import { counted } from "./wording.js";

const THINGS = { window: "window", cuts: "cuts", value: "value", move: "the move" };
const HOW = { // where it is not plain values
  expectiminimax: "Write the value of every node into it: at a circle the average, weighted by the probabilities on its branches.",
  "max-n": "Write the values of all players into every node, as in 1, 2, 3.",
  uct: "Write UCB1 of every child of A into it, with two digits after the point, and choose the one that is selected.",
};
const SIGNS = { expectiminimax: "▲ is MAX, ▼ is MIN, ○ is chance.", "max-n": "P1 is player 1.", uct: "▲ is MAX, who chooses at A." };
let rulesOpen = true; // as the visitor left them

/** One exercise: its tree, what to do with it, and what became of the answers. */
export class ExerciseOnPage {
  /** @param {{name: () => string, number: number} | null} student who it is for, if it is one of a class */
  constructor(question, exercise, say, student = null) {
    Object.assign(this, { question, exercise, say, student, shown: new Set(), checks: 0, counts: null });
    this.tree = new ExerciseTree(exercise, () => this.changed());
    this.tree.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) this.check();
    });
    this.verdicts = make("div", { class: "verdicts", "aria-live": "polite" });
    this.score = make("p", { class: "score", role: "status" });
    this.move = this.makeMove();
    this.saveButton = button("Save the score (CSV)", { onclick: () => this.saveScore(), disabled: true });
    this.elements = [this.makeRules(), this.tree.element, make("div", { class: "exercise-foot" }, this.move,
      make("div", { class: "row" },
        button("Check", { class: "button primary", onclick: () => this.check() }),
        button("Show the next step", { drawing: "hint", onclick: () => this.hint() }),
        this.saveButton, button("Begin again", { onclick: () => this.empty() }),
        this.printed("sheet", "Sheet to print"), student ? null : this.printed("solution", "Its solution"))),
    this.score, this.verdicts];
    this.restore();
  }

  /** Bring back what was written here before. */
  restore() {
    const kept = recall(this.question);
    if (!kept) return;
    this.tree.restore(kept);
    this.move.querySelector("select").value = kept.move || "";
    this.shown = new Set(kept.shown);
    this.checks = kept.checks || 0;
  }

  keep() {
    const move = this.move.querySelector("select").value;
    keep(this.question, { ...this.tree.state(), move, shown: [...this.shown], checks: this.checks });
  }

  /** Take all answers back. What was shown stays known. */
  empty() {
    this.tree.restore({ fields: {}, cut: [], settled: [] });
    this.move.querySelector("select").value = "";
    this.clear();
    this.verdicts.replaceChildren();
    this.report("");
    this.changed();
  }

  makeRules() {
    const { rules, position, notes, kind } = this.exercise;
    const how = HOW[kind] ?? (kind === "alpha-beta"
      ? "Write alpha and beta on entering above every node, and the value it returns into it. Click the branches that "
        + "are cut: what lies below them needs no answer."
      : "Write the value of every node into it.");
    const panel = make("details", { class: "panel exercise-rules", open: rulesOpen }, make("summary", {}, "What to do"),
      make("p", {}, how), make("ul", {}, ...rules.map((rule) => make("li", {}, rule))),
      make("p", { class: "account" }, [position, SIGNS[kind] ?? "▲ is MAX, ▼ is MIN.", ...notes].join(" ")));
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
    const href = sheetAddress(page, this.question, this.question.seed);
    return make("a", { class: "button", href, target: "_blank", rel: "noopener" }, words);
  }

  read() {
    const answers = this.tree.read();
    const chosen = this.move.querySelector("select").value;
    if (chosen) answers.move = chosen;
    return answers;
  }

  changed() {
    this.score.textContent = "";
    this.saveButton.disabled = true;
    this.keep();
  }

  /** Have the answers judged; with `reveal`, one that is wrong is put right. */
  async check(reveal = "") {
    const answers = this.read();
    const checked = await this.ask("check", answers, reveal ? { reveal: [reveal] } : {});
    if (!checked) return;
    if (reveal) this.shown.add(reveal);
    else this.checks += 1;
    const about = new Map(this.exercise.questions.map((each) => [each.name, each]));
    const { verdicts, right, missing, questions } = checked;
    const wrong = verdicts.filter((each) => !each.right).length;
    this.clear();
    const items = verdicts.map((verdict, number) => this.judged(verdict, about.get(verdict.question), `verdict-${number}`));
    this.verdicts.replaceChildren(...sections(items));
    this.counts = { questions, right, wrong, missing };
    this.saveButton.disabled = false;
    this.keep();
    this.report([`${right} of ${counted(questions, "answer")} right`, wrong ? `${wrong} wrong` : "",
      missing ? `${missing} still missing` : "", this.shown.size ? `${this.shown.size} shown` : ""].filter(Boolean).join(", ") + ".");
  }

  /** Hand out the score of the last check as a file. */
  saveScore() {
    const { moves, kind, seed } = this.question;
    const { game } = this.exercise; // a tree by chance is of none
    const name = this.student?.name() || "";
    save(`score-${[name, seed].filter(String).join("-").replace(/[^\w.-]+/g, "-")}.csv`, scoreFile({ ...this.counts, name,
      number: this.student?.number || "", game, moves: moves.join(" "), kind, tree: seed, shown: this.shown.size,
      checks: this.checks, date: new Date().toISOString() }));
    this.say("The score is saved.");
  }

  /** An answer in the list of verdicts, with a mark at its place in the tree. */
  judged({ question, right, given, wanted, explanation, readable }, { kind, node }, id) {
    this.mark(question, right, id);
    const place = kind === "move" ? THINGS.move : `${node}, ${THINGS[kind]}`;
    const words = right ? `right: ${given}.` : !readable ? "cannot be read." : wanted === null ? `${given} is not right.`
      : `you say ${given}, it is ${wanted}.`;
    const reveal = !right && readable && wanted === null
      ? make("button", { type: "button", class: "verdict-reveal", onclick: () => this.check(question) }, "Show the answer") : null;
    const item = make("li", { id, class: `verdict ${right ? "verdict-right" : "verdict-wrong"}` },
      make("span", { class: "verdict-mark", "aria-hidden": "true" }, right ? "✓" : "✗"),
      make("div", {}, make("button", { type: "button", class: "verdict-place", onclick: () => this.go(question) }, place),
        ` ${words} `, make("span", { class: "verdict-why" }, explanation), reveal));
    return { right, item };
  }

  async hint() {
    const found = await this.ask("hint", this.read());
    if (!found) return;
    const { hint, cut } = found;
    this.clear();
    if (!hint) {
      this.verdicts.replaceChildren();
      this.report("All is right: there is no next step.");
      return;
    }
    this.shown.add(hint.question);
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

  async ask(what, answers, more = {}) {
    try {
      return await post(`/api/exercise/${what}`, { ...this.question, answers, ...more });
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
