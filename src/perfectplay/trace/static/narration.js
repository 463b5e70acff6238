/** What happens at a step, in one sentence of plain English, told from the events and from the line that is lit. */

import { capital, odds, shown } from "./elements.js";
import { chanceQuestion, chanceSentence } from "./chances.js";
import { playoutSentence } from "./playouts.js";

const OPERATORS = { "<": "below", ">": "above", "<=": "at most", ">=": "at least", "==": "equal to" };
const BOUNDS = new Set(["alpha", "beta"]);
const ANSWERS = new Set(["v2", "minimax_of_child", "value_of_child"]); // what came back from a child
const RUNNING = new Set(["v", "best_minimax_so_far", "best_so_far"]); // the value so far
const RAISED = { alpha: "rises", highest: "rises", beta: "falls", lowest: "falls" };
const TRUTHS = {
  exact: "exact",
  "at most": "only an upper bound",
  "at least": "only a lower bound",
  between: "a lower and an upper bound",
  estimate: "an estimate",
  doubtful: "doubtful, for it may rest on a bound that was taken for a value",
};

/** What is really known of an entry of the table, in words. */
export function truthOf(entry) {
  return TRUTHS[entry.truth] ?? entry.truth;
}

/** Does the algorithm take the entry for the value, though it is a bound? */
export function isMisjudged(entry) {
  return entry.believed && (entry.truth === "at most" || entry.truth === "at least");
}

/** What an entry says of the value: 3, at least 3, or 1 to 3. */
export function valueOf(entry) {
  if (entry.lower === entry.upper) return shown(entry.upper);
  if (entry.upper === Infinity) return `≥ ${shown(entry.lower)}`;
  if (entry.lower === -Infinity) return `≤ ${shown(entry.upper)}`;
  return `${shown(entry.lower)} to ${shown(entry.upper)}`;
}

/** The comparison of a cut with its signs and its numbers as they are shown elsewhere. */
export function reasonWords(reason) {
  return reason.replace(/-(?=\d|inf)/g, "−").replace(/\binf\b/g, "∞");
}

/** The name of a game; Python's brackets around what has no better name are left out. */
export function gameName(trace) {
  return trace.game.replace(/^<([^<>]*)>$/, "$1");
}

/** What came out, in a few words. */
export function resultOf(trace) {
  if (trace.values) return `${shown(trace.values)}${trace.action ? `, by ${trace.action}` : ""}`;
  if (trace.value === undefined || trace.value === null) return "not known";
  const value = trace.value === "inf" ? Infinity : trace.value === "-inf" ? -Infinity : trace.value;
  return `${shown(value)} to ${trace.values_to}${trace.action ? `, by ${trace.action}` : ""}`;
}

/** Words in a row: "c1", "c1 and c2", "c1, c2 and c3", "c1, c2, c3 and 9 more". */
export function listed(words, most = 4) {
  const named = words.length > most + 1 ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

/** The last actions of a route, with a sign that there were others before them. */
export function lastOf(route, most) {
  return `${route.length > most ? "… " : ""}${route.slice(-most).join(" ")}`;
}

export class Narrator {
  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    this.statements = statementsOf(timeline.trace.code);
  }

  /** The sentence of a step. */
  tell(step) {
    const { complete, note } = this.timeline.trace;
    if (!complete && step === this.timeline.length - 1) return `Recording stopped here. ${note || ""}`.trim();
    if (this.timeline.ends[step] >= 0) return playoutSentence(this.timeline, step);
    return this[`on_${this.timeline.kind(step)}`](step);
  }

  /** Who chooses at a node. */
  chooser(number) {
    const { role, player } = this.timeline.nodes[number];
    if (role === "chance" || this.timeline.players.length) return this.timeline.mover(number);
    if (role === "end") return player === 0 ? "MAX" : "MIN";
    return (role === "max") === (this.timeline.trace.values_to === "MAX") ? "MAX" : "MIN";
  }

  /** The same, and what that player does where the values are to MIN: then MIN maximizes. */
  choosing(number) {
    const who = this.chooser(number);
    const { role } = this.timeline.nodes[number];
    if (role === "chance") return who === "chance" ? "chance moves" : `${who} moves at random`;
    if (this.timeline.trace.values_to === "MAX" || role === "player") return `${who} chooses`;
    return `${who}, who ${this.timeline.nodes[number].role === "max" ? "maximizes" : "minimizes"} here, chooses`;
  }

  /** How a node is called: by the action that leads to it. */
  place(number) {
    return number === 0 ? "the root" : this.timeline.nodes[number].action;
  }

  on_call(step) {
    const number = this.timeline.node(step);
    const frame = this.timeline.frame(step);
    const window = frame.window(step);
    const within = window ? ` with the window (${shown(window.low)}, ${shown(window.high)})` : "";
    if (frame.caller && frame.caller.node === number) return `The same state goes on to ${frame.name}${within}.`;
    const called = `${frame.name} is called${within}`;
    if (!number) return `The search begins at the root, where ${this.choosing(0)}: ${called}.`;
    const ends = this.timeline.nodes[number].role === "end";
    const what = ends ? "the game is over" : this.choosing(number);
    return `At ${this.place(number)} ${what}: ${called}.`;
  }

  on_try(step) {
    const { action, node: child } = this.timeline.data(step);
    const { probability, probe } = this.timeline.nodes[child];
    if (probability !== undefined) return `${action} may come up, with probability ${odds(probability)}.`;
    if (probe) return `${action} is looked at alone, for a limit of what this is worth.`;
    return `${capital(this.chooser(this.timeline.node(step)))} tries ${action}.`;
  }

  on_miss() {
    return "The table does not know this state, so it has to be searched.";
  }

  on_hit(step) {
    const { entry: number, usable, warning } = this.timeline.data(step);
    if (number === undefined) return "The table knew this state before the search began.";
    const entry = this.timeline.entries[number];
    if (usable === false) return `The table knows this state, but from depth ${entry.depth}: that is no use here.`;
    const what = `The table knows this state: ${valueOf(entry)}, stored at ${this.stored(entry)}`;
    if (warning) return `${what}. But beware: ${warning}.`;
    return entry.believed ? `${what}. Nothing below it is looked at again.` : `${what}.`;
  }

  /** The place where an entry was stored. */
  stored(entry) {
    const route = this.timeline.route(entry.node);
    return route.length ? lastOf(route, 4) : "the root";
  }

  on_store(step) {
    const entry = this.timeline.entries[this.timeline.data(step).entry];
    const by = entry.action ? `, by ${entry.action},` : "";
    const what = `The table keeps ${valueOf(entry)}${by} for this state`;
    if (isMisjudged(entry)) {
      return `${what} as if it were the value, but all that is known is "${entry.truth} ${shown(entry.upper)}".`;
    }
    return `${what}. It is ${truthOf(entry)}.`;
  }

  on_cut(step) {
    const { reason, nodes } = this.timeline.data(step);
    const words = reasonWords(reason) + this.unmoved(step);
    if (!nodes.length) return `${words}: the loop ends here, though ${this.isChance(step) ? "nothing" : "no action"} is left to skip.`;
    const { nodes: all } = this.timeline;
    const names = listed(nodes.map((number) => all[number].action));
    const never = all[nodes[0]].generated === false ? "not even generated" : "never looked at";
    return `${words}: ${names} ${nodes.length > 1 ? "are" : "is"} ${never}.`;
  }

  isChance(step) {
    return this.timeline.nodes[this.timeline.node(step)].role === "chance";
  }

  /** Why a cut at a chance node is one: whatever comes, the average stays out of the window. */
  unmoved(step) {
    if (!this.isChance(step)) return "";
    const { low, high } = this.timeline.frame(step).window(step) ?? {};
    const below = this.timeline.data(step).reason.includes("<=");
    return `, so that the average stays ${below ? `at or below alpha ${shown(low)}` : `at or above beta ${shown(high)}`}, whatever else may come up`;
  }

  on_return(step) {
    const { value: single, values, limits, move } = this.timeline.data(step);
    const value = values ?? single;
    const number = this.timeline.node(step);
    const frame = this.timeline.frame(step);
    const by = move === undefined ? "" : `, by ${move}`;
    if (!frame.caller) return this.done(move, by);
    if (limits) return this.narrowed(number, limits);
    if (value === undefined) return `${frame.name} gives what may happen, with the probabilities.`;
    if (frame.caller.node === number) return `The same ${values ? "values" : "value"}, ${shown(value)}${by}, goes back to ${frame.caller.name}.`;
    const above = frame.caller.node;
    const found = `The ${values ? "values" : "value"} at ${this.place(number)} ${values ? "are" : "is"} ${shown(value)}${by}.`;
    const { probability } = this.timeline.nodes[number];
    if (probability !== undefined && !values) {
      return `${found} With its probability ${odds(probability)} it adds ${shown(probability * value)} to the average at ${this.place(above)}.`;
    }
    if (probability !== undefined) return `${found} They count ${odds(probability)} in the averages at ${this.place(above)}.`;
    return `${found} ${values ? "They go" : "It goes"} up to ${this.chooser(above)} at ${this.place(above)}.`;
  }

  done(move, by) {
    const { trace, nodes } = this.timeline;
    if (trace.playouts) return this.playedOut(move);
    const { value, values } = nodes[0];
    if (values) return `Done: the values are ${shown(values)}${by}, one for every player.`;
    if (value === undefined) return `Done: the move is ${move}.`;
    const found = by || (trace.action ? `, by ${trace.action}` : "");
    return `Done: the value is ${shown(value)} to ${trace.values_to}${found}.`;
  }

  playedOut(move) {
    const { nodes } = this.timeline;
    if (move === undefined) return "Done: there is no action to choose here.";
    const { visits } = nodes[this.timeline.childBy(0, move)];
    return `Done: ${move} was tried most often, in ${visits} of ${nodes[0].visits} playouts, so that is the move.`;
  }

  /** What a probe of Star2 has found. */
  narrowed(number, [lower, upper]) {
    const place = this.place(number);
    if (lower === upper) return `The game is over at ${place}: it is worth ${shown(lower)}.`;
    return `After that look, ${place} is known to be worth ${shown(lower)} to ${shown(upper)}.`;
  }

  on_line(step) {
    const line = this.timeline.line(step);
    const statement = this.statements.get(line);
    if (!statement) return `Line ${line} is next.`;
    const { text } = statement;
    if (/^(if|elif) /.test(text)) return this.question(step, statement);
    if (text.startsWith("for ")) return this.loop(step, statement);
    if (text.startsWith("return ")) return this.returning(step, text);
    if (text === "break") return "There is no need to look at the other actions.";
    return chanceSentence(this, step, text) ?? this.assignment(step, text);
  }

  /** Did the line that follows belong to the block of this one? */
  enters(step, statement) {
    const timeline = this.timeline;
    let next = timeline.nextInFrame[step];
    while (next < timeline.length && timeline.kind(next) !== "line") next = timeline.nextInFrame[next];
    if (next >= timeline.length) return null;
    return timeline.line(next) === statement.body;
  }

  question(step, statement) {
    const test = statement.text.replace(/^(if|elif) /, "").replace(/:\s*(#.*)?$/, "");
    const number = this.timeline.node(step);
    const who = this.chooser(number);
    const yes = this.enters(step, statement);
    const answer = yes === null ? "" : yes ? "Yes" : "No";
    const special = chanceQuestion(this, step, test, yes);
    if (special) return special;
    if (test === "game.is_terminal(state)") return `Is the game over here? ${answer}.`;
    if (test === "state in table") return "Does the table know this state?";
    if (test.startsWith("(game.to_move(state) == MAX)")) {
      return `Is the same player to move again? ${yes ? "Yes" : `No, it is ${who}'s turn`}.`;
    }
    if (test.includes("cutoff_test")) return `Is this deep enough to stop and estimate? ${answer}.`;
    const parts = /^(\w+) (<=|>=|<|>|==) (\w+)$/.exec(test);
    return this.comparison(step, parts, yes) ?? `Is ${test}? ${answer}.`;
  }

  comparison(step, parts, yes) {
    if (!parts || yes === null) return null;
    const [, left, sign, right] = parts;
    const frame = this.timeline.frame(step);
    const [one, other] = [frame.value(left, step), frame.value(right, step)];
    if (typeof one !== "number" || typeof other !== "number") return null;
    const who = this.chooser(frame.node);
    const rival = who === "MAX" ? "MIN" : "MAX";
    const action = frame.value("a", step);
    if (ANSWERS.has(left) && RUNNING.has(right)) {
      const rest = yes ? `so ${who} takes it` : `so the value stays ${shown(other)}`;
      const compared = `${shown(one)} is ${yes ? "" : "not "}${OPERATORS[sign]} ${shown(other)}`;
      return `${who} looks at ${action}: ${compared}, ${rest}.`;
    }
    const reached = `${shown(one)} is ${yes ? "" : "not "}${OPERATORS[sign]} ${right} ${shown(other)}`;
    if (RUNNING.has(left) && BOUNDS.has(right) && !sign.includes("=")) {
      const [failed, bound] = right === "alpha" ? ["failed low", "at least"] : ["failed high", "at most"];
      if (yes) return `${reached}: the search has not ${failed}, so the value is ${bound} ${shown(one)}.`;
      return `${reached}: the search has ${failed}, so this is only a bound.`;
    }
    if (RUNNING.has(left) && BOUNDS.has(right)) {
      const elsewhere = `${rival} has something at least as good elsewhere and will not let it come to this`;
      return yes ? `${reached}: ${elsewhere}.` : `${reached}, so ${who} goes on.`;
    }
    return `Is ${left} ${sign} ${right}? ${shown(one)} ${sign} ${shown(other)}: ${yes ? "yes" : "no"}.`;
  }

  loop(step, statement) {
    const timeline = this.timeline;
    const frame = timeline.frame(step);
    const who = this.chooser(frame.node);
    const returned = step > 0 && timeline.kind(step - 1) === "return" ? timeline.data(step - 1).value : undefined;
    const so_far = [...RUNNING].map((name) => frame.value(name, step)).find((value) => value !== undefined);
    const back = returned === undefined || so_far === undefined ? ""
      : `${shown(returned)} came back, and the value is ${shown(so_far)} now. `;
    const chance = timeline.nodes[frame.node].role === "chance";
    if (this.enters(step, statement) === false) return `${back}${chance ? "Nothing else can come up." : `${capital(who)} has no action left.`}`;
    const variable = /^for (\w+)(?:, \w+)? in/.exec(statement.text)?.[1];
    const next = timeline.nextInFrame[step];
    const action = next < timeline.length ? frame.value(variable, next) : undefined;
    if (chance) return `${back}What may come up next${action === undefined ? "?" : ` is ${action}.`}`;
    return `${back}${capital(who)} takes the next action${action === undefined ? "" : `, ${action}`}.`;
  }

  returning(step, text) {
    const who = this.chooser(this.timeline.node(step));
    const summed = this.overAll(step, text);
    if (summed) return summed;
    if (text.includes("lambda")) return `${who} looks for the action with the highest value.`;
    if (text.includes("game.utility")) return "The rules say what the end of the game is worth.";
    if (text.includes("table[state]")) return "The answer of the table is returned as it is.";
    const call = /^return (\w+)\(game, state/.exec(text);
    if (call && who === "chance") return `Chance moves, so ${call[1]} takes over.`;
    if (call) return `${capital(who)} is to move, so ${call[1]} takes over.`;
    if (who === "chance") return "The average is ready to go up.";
    return `What ${who} has found is ready to go up.`;
  }

  /** A line that goes through all actions or outcomes at once, and what has come of it so far. */
  overAll(step, text) {
    const kind = /^return (max|min|sum|tuple)\((?:sum\()?/.exec(text)?.[1];
    if (!kind || text.includes("lambda") || text.includes("game.utility")) return null;
    const so_far = this.timeline.soFar[this.timeline.node(step)]?.at(step);
    const words = so_far === undefined ? "" : shown(so_far);
    const who = this.chooser(this.timeline.node(step));
    if (kind === "max" || kind === "min") {
      return words ? `The best so far is ${words}.` : `${who} looks for the action with the ${kind === "max" ? "highest" : "lowest"} value.`;
    }
    return words ? `The weighted sum is ${words} so far.` : "The values of all that may come up are weighted by their probabilities and added up.";
  }

  /** What a line that sets variables is about to make of them. */
  assignment(step, text) {
    const frame = this.timeline.frame(step);
    const who = capital(this.chooser(frame.node));
    if (/\bgame\.result\(/.test(text)) return `${who} goes on to the state after ${this.action(frame, step)}.`;
    if (text.startsWith("table[")) return "What is known of the state goes into the table.";
    const same = /= (\w+)\(game, state\b/.exec(text);
    if (same) return `What is this state worth? That is for ${same[1]} to say.`;
    const call = /= (\w+)\(\s*game, child_state/.exec(text);
    if (call) return `What is the state after ${this.action(frame, step)} worth? That is for ${call[1]} to say.`;
    if (text.includes("game.utility")) return "The rules say what the end of the game is worth.";
    if (text.includes("evaluate(")) return "The heuristic guesses what the state is worth.";
    const sides = /^([\w, ]+?) = (.+)$/.exec(text);
    if (!sides) return `Line ${this.timeline.line(step)} is next.`;
    const names = sides[1].split(", ").filter((name) => name !== "_");
    const next = Math.min(this.timeline.nextInFrame[step], this.timeline.length - 1);
    return `Now ${listed(names.map((name) => this.change(frame, name, step, next)))}.`;
  }

  action(frame, step) {
    return frame.value("a", step) ?? frame.value("action", step) ?? "the action";
  }

  change(frame, name, step, next) {
    const [before, after] = [frame.value(name, step), frame.value(name, next)];
    if (after === undefined) return `${name} is set`;
    const words = RUNNING.has(name) ? "the value" : name === "player" || name === "next_agent" ? "the player to move" : name;
    const named = () => (after < 0 ? "chance" : this.timeline.players[after] ?? (after === 0 ? "MAX" : "MIN"));
    const worth = after === null ? "nothing" : name === "player" || name === "next_agent" ? named() : shown(after);
    if (before === undefined) {
      if (after === null) return "no move is known";
      return `${words} ${Math.abs(after) === Infinity ? "starts at" : "is"} ${worth}`;
    }
    if (before === after) return after === null ? "no move is known" : `${words} stays ${worth}`;
    return RAISED[name] ? `${words} ${RAISED[name]} to ${worth}` : `${words} becomes ${worth}`;
  }
}

/** The statement that each line belongs to, a long one joined, and the line that its block begins with. */
function statementsOf(code) {
  const statements = new Map();
  let lines = [];
  let text = "";
  let depth = 0;
  code.forEach(([number, line], index) => {
    if (!number) return;
    const bare = line.trim();
    lines.push(number);
    text += bare;
    for (const letter of bare.replace(/#.*$/, "")) {
      if ("([{".includes(letter)) depth += 1;
      else if (")]}".includes(letter)) depth -= 1;
    }
    if (depth > 0) return;
    const body = code.slice(index + 1).find(([, following]) => following.trim())?.[0];
    for (const each of lines) statements.set(each, { text, body });
    [lines, text, depth] = [[], "", 0];
  });
  return statements;
}

/** What is known of a node at a step, a line for each thing. @param {import("./timeline.js").Timeline} timeline */
export function nodeWords(timeline, number, step) {
  const { role, skipped, probability } = timeline.nodes[number];
  const { window, value, cut, leaf, visits, limits } = timeline.look(number, step);
  const words = [`${timeline.route(number).join(" ") || "the root"}:`];
  const mover = timeline.mover(number);
  const does = { max: " and maximizes", min: " and minimizes", player: ", for itself", chance: ", at random" }[role];
  words.push(role === "end" ? "the game is over" : mover === "chance" ? "chance moves" : `${mover} is to move${does}`);
  if (probability !== undefined) words.push(`probability ${odds(probability)}`);
  if (visits !== undefined) words.push(`${visits} ${visits === 1 ? "playout" : "playouts"}`);
  if (window) words.push(`window (${shown(window.low)}, ${shown(window.high)})`);
  if (value !== undefined) words.push(`${visits === undefined ? "value" : "average"} ${shown(value)}`);
  else if (limits) words.push(`worth ${shown(limits[0])} to ${shown(limits[1])}`);
  if (leaf) words.push(leaf === "table" ? "from the table" : "an estimate");
  if (skipped ?? cut) words.push(`${skipped === undefined ? "cut" : "skipped"}: ${reasonWords(skipped ?? cut)}`);
  return words.join("\n");
}
