/** A search by playouts: its phases told in words, and UCB1 with its terms beside the tree. */

import { counted, make, makePanel, odds, say, shown } from "./elements.js";
import { countUpTo } from "./timeline.js";

const PHASE_NAMES = [["select", "Selection"], ["expand", "Expansion"], ["simulate", "Simulation"], ["backup", "Back-propagation"]];
const TOLD_MOVES = 8; // of a simulation that are told
const MOST_CHILDREN = 60; // in the table

/** Two digits after the point, as all terms of UCB1 have them. */
function hundredths(value) {
  return value.toFixed(2).replace("-", "−");
}

/** What happens in a playout, in one sentence. @param {import("./timeline.js").Timeline} timeline */
export function playoutSentence(timeline, step) {
  const number = timeline.node(step);
  const place = number ? timeline.nodes[number].action : "the root";
  const data = timeline.data(step);
  return {
    select: () => selectionSentence(timeline, number, place, data),
    expand: () => expansionSentence(timeline, number, place, data),
    simulate: () => simulationSentence(timeline, place, data),
    backup: () => backupSentence(timeline, place, data),
  }[timeline.kind(step)]();
}

function selectionSentence(timeline, number, place, { chosen, scores, why }) {
  const chance = timeline.nodes[number].role === "chance";
  if (why === "over") return `Selection ends at ${place}: the game is over there.`;
  if (why) return `Selection ends at ${place}, ${chance ? "where something new comes up" : "which has an action that was never tried"}.`;
  const { action, probability } = timeline.nodes[chosen];
  if (chance) return `Selection: at ${place} chance brings ${action}, which has probability ${odds(probability)}.`;
  const [, average, bonus, sum] = scores.find(([child]) => child === chosen);
  const terms = `${hundredths(average)} + ${hundredths(bonus)} = ${hundredths(sum)}`;
  return `Selection: at ${place} ${timeline.mover(number)} takes ${action}, whose UCB1 is highest: ${terms}.`;
}

function expansionSentence(timeline, number, place, { node, action }) {
  if (node === undefined) return "Expansion: the game is over here, so there is nothing to add.";
  if (timeline.nodes[number].role === "chance") return `Expansion: ${place} gets a child for ${action}, which has come up for the first time.`;
  return `Expansion: ${place} gets a child for ${action}, the first action there that was never tried.`;
}

function simulationSentence(timeline, place, { moves, more, result }) {
  const worth = resultWords(timeline, result);
  if (!moves.length) return `Simulation: the game is over at ${place}, and worth ${worth}.`;
  const told = moves.length > TOLD_MOVES ? `${moves.slice(0, TOLD_MOVES).join(" ")} …` : moves.join(" ");
  const count = more ? "" : `, ${moves.length} ${moves.length === 1 ? "move" : "moves"}`;
  return `Simulation: from ${place} the game is played to its end at random (${told}${count}). It is worth ${worth}.`;
}

function backupSentence(timeline, place, { visits, totals }) {
  const averages = totals.map((total) => total / visits);
  const count = `${counted(visits)} ${visits === 1 ? "playout" : "playouts"}`;
  return `Back-propagation: ${place} has ${count} now, worth ${resultWords(timeline, averages)} on average.`;
}

/** What a playout is worth: to MAX, or to all. */
function resultWords(timeline, values) {
  return timeline.players.length ? `${shown(values, 3)} to the players` : `${shown(values[0], 3)} to MAX`;
}

/** The phases of the playout that goes on, and UCB1 with its terms where somebody has chosen last. */
export class Playouts {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    const { panel, title, body } = makePanel("variables", "Playouts");
    this.element = panel;
    this.title = title;
    this.phases = body.appendChild(make("ol", "phases"));
    for (const [, name] of PHASE_NAMES) this.phases.append(make("li", "", name));
    this.caption = body.appendChild(make("p", "ucb-caption"));
    const table = body.appendChild(make("table", "ucb"));
    this.table = table;
    const head = table.createTHead().insertRow();
    for (const name of ["action", "N", "average", "+ bonus", "= UCB1"]) head.appendChild(make("th", "", name)).scope = "col";
    this.rows = table.createTBody();
    this.formula = body.appendChild(make("p", "ucb-formula", `UCB1 = average + C √(ln N(parent) / N), with C = ${shown(timeline.trace.c, 3)}`));
  }

  show(step) {
    const { timeline } = this;
    const { playout } = timeline.steps;
    const number = countUpTo(playout, step);
    const over = timeline.kind(step) === "return";
    say(this.title, `Playout ${counted(number)} of ${counted(playout.length)}${over ? ": done" : ""}`);
    const phase = PHASE_NAMES.findIndex(([kind]) => kind === timeline.kind(step));
    [...this.phases.children].forEach((item, index) => {
      const worn = index === phase ? "now" : index < phase ? "past" : "";
      if (item.className !== worn) item.className = worn;
      if (index === phase) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.showScores(this.lastChoice(step, playout[number - 1] ?? 0));
  }

  /** The step of this playout at which UCB1 was last asked; undefined if it was not. */
  lastChoice(step, first) {
    const { timeline } = this;
    const { select } = timeline.steps;
    for (let index = countUpTo(select, step) - 1; index >= 0 && select[index] >= first; index -= 1) {
      if (timeline.data(select[index]).scores) return select[index];
    }
    return undefined;
  }

  showScores(step) {
    if (step === this.shownStep) return;
    this.shownStep = step;
    const { timeline } = this;
    const known = step !== undefined;
    this.table.hidden = this.formula.hidden = !known;
    if (!known) {
      say(this.caption, "Nobody has chosen in this playout yet: an action that was never tried comes first.");
      return;
    }
    const number = timeline.node(step);
    const { chosen, scores } = timeline.data(step);
    const place = number ? timeline.nodes[number].action : "the root";
    const visits = timeline.visitsOf[number].at(step);
    say(this.caption, `UCB1 at ${place}, with ${counted(visits)} playouts, to ${timeline.mover(number)}, who chooses`);
    const rows = scores.slice(0, MOST_CHILDREN).map(([child, average, bonus, sum]) => {
      const row = make("tr", child === chosen ? "lit" : "");
      row.appendChild(make("th", "", timeline.nodes[child].action)).scope = "row";
      const cells = [counted(timeline.visitsOf[child].at(step)), hundredths(average), hundredths(bonus), hundredths(sum)];
      for (const words of cells) row.insertCell().textContent = words;
      return row;
    });
    this.rows.replaceChildren(...rows);
  }
}
