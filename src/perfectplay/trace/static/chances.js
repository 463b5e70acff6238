/** What the lines of the textbook say where chance moves, or everybody plays for itself. */

import { capital, shown } from "./elements.js";

const TURN = /^(game\.to_move\(state\)|next_agent|player) [!=]= (MAX|CHANCE|player)$/;
const LINES = [ // how a line begins, and what it is about
  ["successors =", "Everything that chance may bring is looked up first, with the probabilities."],
  ["limits =", "What is proven of each of them, before any search?"],
  ["rest =", "What may still come up after this one?"],
  ["others =", "What else may come up?"],
  ["limits[i] = probe", "A look at one action may be enough: probe looks."],
  ["outcomes =", "Everything that chance may bring is searched, one after the other."],
  ["first =", "The first action alone is looked at."],
];

/** A line that sets variables, where it is one of those; null otherwise. @param {import("./narration.js").Narrator} narrator */
export function chanceSentence(narrator, step, text) {
  const found = LINES.find(([start]) => text.startsWith(start));
  if (found) return found[1];
  const { timeline } = narrator;
  const frame = timeline.frame(step);
  const next = Math.min(timeline.nextInFrame[step], timeline.length - 1);
  if (text.startsWith("v += ")) return `The value is weighted by its probability and added: the sum is ${shown(frame.value("v", next))} so far.`;
  const searched = /^w = (\w+)\(game, successor/.exec(text);
  if (searched) return `What is this outcome worth? That is for ${searched[1]} to say, in the window that matters here.`;
  if (/^(least|most) =/.test(text)) {
    const word = text.startsWith("least") ? "least" : "most";
    return `The others add ${shown(frame.value(word, next))} to the average at ${word}.`;
  }
  return null;
}

/** A question that is asked where chance or several players are in the game; null if it is another. */
export function chanceQuestion(narrator, step, test, yes) {
  const { timeline } = narrator;
  const frame = timeline.frame(step);
  if (TURN.test(test)) {
    const mover = timeline.mover(frame.node);
    return `Whose turn is it? ${mover === "chance" ? "Chance moves" : `${capital(mover)} is to move`}.`;
  }
  if (test.startsWith("best is None or")) return chosen(frame, step, timeline.mover(frame.node), yes);
  const part = /^(w|limits\[i\]\[[01]\]) (<=|>=) (low|high)$/.exec(test);
  if (!part || yes === null) return null;
  const bound = `${part[3]} ${shown(frame.value(part[3], step))}`;
  const [way, limit] = part[2] === "<=" ? ["at most", "alpha"] : ["at least", "beta"];
  if (!yes) return `It is not ${way} ${bound}, so the average may still end up on either side of ${limit}.`;
  return `It is ${way} ${bound}: whatever else comes up, the average cannot cross ${limit} any more.`;
}

/** A player of max^n compares what an action is worth to itself. */
function chosen(frame, step, who, yes) {
  const [values, best, action] = ["values", "best", "a"].map((name) => frame.value(name, step));
  if (best === null || best === undefined) return `${action} is the first action that ${who} looks at, so ${values} is the best so far.`;
  if (yes) return `${values} gives ${who} more than ${best}, so it takes ${action}.`;
  return `${values} gives ${who} no more than ${best}, which stays.`;
}
