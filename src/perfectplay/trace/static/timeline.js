/**
 * A trace made ready for looking at any of its steps.
 *
 * What a node, a call or the table is at step n is looked up in lists that are made once, so that a step back costs
 * what a step forward costs. Step n is the moment of event n: its line is lit, and what it says has happened.
 */

const LOWS = ["highest", "alpha"]; // the variables that hold the window, the one that moves first
const HIGHS = ["lowest", "beta"];
const SO_FAR = new Set(["v", "best_minimax_so_far", "best_so_far"]);
const CHOSEN = new Set(["move", "best_move_for_state"]);
const WORDS = new Set([ // the names of what is no number, though it may be called "inf"
  "a", "a2", "action", "move", "best_move_for_state", "state", "child_state", "function", "reason", "warning", "outcome", "r",
]);
const VERSIONS = [1, 2];
const NOTHING = Object.freeze({});

/** How many numbers of an ascending list are at most n? */
export function countUpTo(ascending, n) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number of a trace, where infinities are words. */
function revived(value, name = "") {
  if (WORDS.has(name)) return value;
  if (Array.isArray(value)) return value.map((each) => revived(each));
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : value;
}

/** Something that changes at some steps: ask what it is at any. */
class Series {
  constructor() {
    this.steps = [];
    this.values = [];
  }

  add(step, value) {
    if (this.steps.at(-1) === step) this.values[this.values.length - 1] = value;
    else {
      this.steps.push(step);
      this.values.push(value);
    }
  }

  /** What it is then; undefined before it is anything. */
  at(step) {
    return this.values[countUpTo(this.steps, step) - 1];
  }

  /** The step at which it became what it is then. */
  since(step) {
    return this.steps[countUpTo(this.steps, step) - 1];
  }
}

/** A call of a function: where it is in the run, and its variables. */
class Frame {
  constructor(number, caller, node, name, start) {
    Object.assign(this, { number, caller, node, name, start, end: Infinity });
    this.depth = caller ? caller.depth + 1 : 0;
    /** @type {Map<string, Series>} */
    this.variables = new Map();
  }

  /** @param {string} name @param {number} step */
  value(name, step) {
    return this.variables.get(name)?.at(step);
  }

  learn(step, name, value) {
    if (!this.variables.has(name)) this.variables.set(name, new Series());
    this.variables.get(name).add(step, value);
  }

  /** The variables then, in the order in which they came up: name, value, and whether this step set it. */
  variablesAt(step) {
    const found = [];
    for (const [name, series] of this.variables) {
      const value = series.at(step);
      if (value !== undefined) found.push({ name, value, fresh: series.since(step) === step });
    }
    return found;
  }

  /** The window then, or null for a function that has none. */
  window(step) {
    const pick = (names) => names.map((name) => this.value(name, step)).find((value) => value !== undefined);
    const [low, high] = [pick(LOWS), pick(HIGHS)];
    return low === undefined || high === undefined ? null : { low, high };
  }
}

/** @typedef {{status: "unborn" | "tried" | "open" | "done" | "skipped", value?: number, soFar?: number,
 *    window?: {low: number, high: number} | null, cut?: string, leaf?: string, best?: string | null}} Look */

export class Timeline {
  /** @param {any} trace as docs/trace-format.md describes it */
  constructor(trace) {
    if (trace?.format !== "perfectplay-trace" || !VERSIONS.includes(trace.version)) {
      throw new Error("This is no trace of version 1 or 2: record it again, or update perfectplay.");
    }
    this.trace = trace;
    this.players = trace.players ?? []; // by name, where each has values of its own
    this.hasPlayouts = Boolean(trace.playouts);
    this.events = trace.events;
    this.length = trace.events.length;
    if (!this.length) throw new Error("This trace has no events: record it again with a higher limit.");
    this.nodes = trace.nodes.map(nodeRevived);
    this.entries = trace.entries.map((each) => ({ ...each, lower: revived(each.lower), upper: revived(each.upper) }));
    const count = this.nodes.length;
    const last = this.length - 1;
    this.born = new Int32Array(count).fill(last); // what the record broke off at appears at its end
    this.entered = new Int32Array(count).fill(this.length);
    this.done = new Int32Array(count).fill(this.length);
    this.cutAt = new Int32Array(count).fill(this.length);
    this.answeredAt = new Int32Array(count).fill(this.length);
    this.born[0] = 0;
    this.values = new Array(count);
    this.soFar = new Array(count);
    this.chosen = new Array(count);
    this.windows = new Array(count);
    this.limits = new Array(count);
    this.visitsOf = new Array(count);
    this.ends = new Int32Array(this.length).fill(-1); // of the playout that a step belongs to: its deepest node
    /** @type {Frame[]} */
    this.frames = [];
    this.frameOf = new Int32Array(this.length);
    this.nextInFrame = new Int32Array(this.length).fill(this.length);
    /** The steps of each kind of event, and those at which the algorithm believes what it should not. */
    this.steps = { call: [], line: [], try: [], miss: [], hit: [], store: [], cut: [], return: [], warning: [],
      select: [], expand: [], simulate: [], backup: [], playout: [] };
    this.storedAt = new Int32Array(this.entries.length).fill(this.length);
    this.replay();
    this.family();
  }

  /** Go through the events once. */
  replay() {
    let frame = null;
    const before = []; // the last event of each frame
    for (let step = 0; step < this.length; step += 1) {
      const [kind, node] = this.events[step];
      const data = this.data(step);
      if (kind === "call") {
        frame = new Frame(this.frames.length, frame, node, data.function, step);
        this.frames.push(frame);
        this.entered[node] = Math.min(this.entered[node], step);
      }
      this.frameOf[step] = frame.number;
      if (before[frame.number] !== undefined) this.nextInFrame[before[frame.number]] = step;
      before[frame.number] = step;
      this.steps[kind].push(step);
      if (kind === "call" || kind === "line") this.learn(frame, step, data);
      else this.note(kind, node, step, data);
      if (kind === "return") {
        if (frame.caller && frame.caller.node !== node) this.addUp(node, step, revived(data.values ?? data.value));
        frame.end = step;
        frame = frame.caller ?? frame;
      }
    }
    for (const { end, caller, node } of this.frames) {
      if (end < Infinity && caller?.node !== node) this.done[node] = end;
    }
  }

  learn(frame, step, data) {
    for (const name of Object.keys(data)) {
      if (name === "function" && step === frame.start) continue;
      const value = revived(data[name], name);
      frame.learn(step, name, value);
      if (SO_FAR.has(name)) this.say(frame.node, step, value);
      else if (CHOSEN.has(name)) this.series(this.chosen, frame.node).add(step, value);
    }
    const window = frame.window(step);
    if (window && (step === frame.start || LOWS.concat(HIGHS).some((name) => name in data))) {
      this.series(this.windows, frame.node).add(step, window);
    }
  }

  /** The value so far, as the function itself has it. */
  say(number, step, value) {
    const series = this.series(this.soFar, number);
    series.said = true;
    series.add(step, value);
  }

  note(kind, node, step, data) {
    if (kind === "try") this.born[data.node] = step;
    else if (kind === "select" || kind === "expand" || kind === "simulate" || kind === "backup") this.noteInPlayout(kind, node, step, data);
    else if (kind === "cut") {
      this.cutAt[node] = step;
      for (const child of data.nodes) this.born[child] = Math.min(this.born[child], step);
    } else if (kind === "store") this.storedAt[data.entry] = step;
    else if (kind === "hit") {
      if (this.nodes[node].leaf === "table") this.answeredAt[node] = step;
      if (data.warning) this.steps.warning.push(step);
    } else if (kind === "return") {
      const found = revived(data.values ?? data.value);
      if (found !== undefined) this.series(this.values, node).add(step, found);
      if (data.limits) this.series(this.limits, node).add(step, revived(data.limits));
      if (data.move !== undefined) this.series(this.chosen, node).add(step, data.move);
    }
  }

  /** What happens in a playout, and where in the tree it has come to. */
  noteInPlayout(kind, node, step, data) {
    if (kind === "select" && this.kind(step - 1) !== "select") this.steps.playout.push(step);
    if (kind === "expand" && data.node !== undefined) {
      this.born[data.node] = this.entered[data.node] = step;
      this.done[data.node] = step;
    }
    if (kind === "backup") {
      const averages = revived(data.totals).map((total) => total / data.visits);
      this.series(this.visitsOf, node).add(step, data.visits);
      this.series(this.values, node).add(step, this.players.length ? averages : averages[0]);
      this.ends[step] = this.ends[step - 1];
    } else this.ends[step] = data.node ?? data.chosen ?? node;
  }

  /** The value so far of a node whose function has no variable for it: what came back from its children by now. */
  addUp(child, step, found) {
    const { parent, probability, probe } = this.nodes[child];
    if (parent === undefined || probe || found === undefined) return;
    const { role, player } = this.nodes[parent];
    const series = this.series(this.soFar, parent);
    if (series.said) return;
    const before = series.values.at(-1);
    const better = (one, other) => (role === "min" ? one < other : Array.isArray(one) ? one[player] > other[player] : one > other);
    if (role === "chance") {
      const weighted = (each, index) => probability * each + (Array.isArray(before) ? before[index] : before ?? 0);
      series.add(step, Array.isArray(found) ? found.map(weighted) : weighted(found));
    } else if (before === undefined || better(found, before)) series.add(step, found);
  }

  series(kept, number) {
    kept[number] ??= new Series();
    return kept[number];
  }

  /** Children, sizes of subtrees, and what the counts are counted from. */
  family() {
    this.children = this.nodes.map(() => []);
    this.sizes = new Int32Array(this.nodes.length).fill(1);
    for (let number = this.nodes.length - 1; number > 0; number -= 1) {
      this.sizes[this.nodes[number].parent] += this.sizes[number];
    }
    for (let number = 1; number < this.nodes.length; number += 1) {
      this.children[this.nodes[number].parent].push(number);
    }
    const births = (skipped) =>
      Int32Array.from(this.born.filter((_, number) => (this.nodes[number].skipped !== undefined) === skipped)).sort();
    this.visits = births(false);
    this.spared = births(true);
    this.replacedAt = new Int32Array(this.entries.length).fill(this.length);
    const newest = new Map();
    this.entries.forEach((entry, number) => {
      if (newest.has(entry.state)) this.replacedAt[newest.get(entry.state)] = this.storedAt[number];
      newest.set(entry.state, number);
    });
    const values = this.nodes.flatMap((node) => [node.value, node.alpha, node.beta]).filter(Number.isFinite);
    this.least = values.reduce((one, other) => Math.min(one, other), Infinity);
    this.most = values.reduce((one, other) => Math.max(one, other), -Infinity);
  }

  kind(step) {
    return this.events[step][0];
  }

  node(step) {
    return this.events[step][1];
  }

  line(step) {
    return this.events[step][2];
  }

  data(step) {
    return this.events[step][3] ?? NOTHING;
  }

  frame(step) {
    return this.frames[this.frameOf[step]];
  }

  /** What a node looks like then. @returns {Look} */
  look(number, step) {
    if (step < this.born[number]) return { status: "unborn" };
    const node = this.nodes[number];
    if (node.skipped !== undefined) return { status: step >= this.cutAt[node.parent] ? "skipped" : "tried" };
    const done = step >= this.done[number];
    const value = this.values[number]?.at(step);
    return {
      status: done ? "done" : step >= this.entered[number] ? "open" : "tried",
      value: value ?? (done && !this.hasPlayouts ? node.values ?? node.value : undefined),
      limits: this.limits[number]?.at(step),
      visits: this.visitsOf[number]?.at(step),
      soFar: this.soFar[number]?.at(step),
      window: done && node.alpha !== undefined ? { low: node.alpha, high: node.beta } : this.windows[number]?.at(step) ?? null,
      cut: step >= this.cutAt[number] ? node.cut : "",
      leaf: step >= this.answeredAt[number] ? "table" : done && node.leaf !== "end" ? node.leaf : "",
      best: done ? node.best : this.chosen[number]?.at(step),
    };
  }

  /** What the run has cost by then. */
  counts(step) {
    return {
      nodes: countUpTo(this.visits, step),
      cuts: countUpTo(this.steps.cut, step),
      skipped: countUpTo(this.spared, step),
      hits: countUpTo(this.steps.hit, step),
      stores: countUpTo(this.steps.store, step),
      warnings: countUpTo(this.steps.warning, step),
      playouts: countUpTo(this.steps.simulate, step),
    };
  }

  /** The next step of a kind after this one; undefined if there is none. */
  next(kind, step) {
    return this.steps[kind][countUpTo(this.steps[kind], step)];
  }

  /** The one before. */
  previous(kind, step) {
    return this.steps[kind][countUpTo(this.steps[kind], step - 1) - 1];
  }

  /** The node at the end of the way that is lit at a step: where the search is, or how deep its playout went. */
  tip(step) {
    return this.ends[step] < 0 ? this.node(step) : this.ends[step];
  }

  /** Who is to move at a node, as it is told. */
  mover(number) {
    const { player } = this.nodes[number];
    if (player < 0) return "chance";
    return this.players[player] ?? (player === 0 ? "MAX" : "MIN");
  }

  /** The child of a node by an action; where one was looked at twice, the one that counts. */
  childBy(number, action) {
    const ways = this.children[number].filter((child) => this.nodes[child].action === action);
    return ways.find((child) => !this.nodes[child].probe) ?? ways[0];
  }

  /** The nodes from the root to this one. */
  path(number) {
    const path = [];
    for (let at = number; at !== undefined; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /** How a node is reached, in the game's notation; empty at the root. */
  route(number) {
    return this.path(number).slice(1).map((each) => this.nodes[each].action);
  }

  /** The board of a state in letters; empty where it was not kept. */
  text(state) {
    return this.trace.states[state]?.text || "";
  }

  /** The board of a state, as `drawBoard` wants it; null where the game has no scene. */
  scene(state) {
    const board = this.trace.states[state];
    if (!board?.width) return null;
    const shapes = board.shapes.map((number) => this.trace.shapes[number]);
    return { width: board.width, height: board.height, shapes, clicks: [], colours: board.colours };
  }
}

function nodeRevived(node) {
  const { alpha, beta, value, values } = node;
  return { ...node, alpha: revived(alpha), beta: revived(beta), value: revived(value), values: revived(values) };
}
