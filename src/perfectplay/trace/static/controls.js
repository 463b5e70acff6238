/** How the run is steered: buttons, a scrubber, a slider for the speed, and a key for everything. */

import { counted, draw, make, makeButton, say } from "./elements.js";

const ICONS = {
  start: "M6 5v14M19 5L9 12l10 7z",
  back: "M16 5L6 12l10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  step: "M8 5l10 7-10 7z",
  end: "M18 5v14M5 5l10 7-10 7z",
};
const FASTEST = 2000; // steps a second
const SLOWEST = 0.5;
const NOTCHES = 40; // of the slider
export const USUAL_SPEED = 12; // its notch at the start

/** What the keys do: what is pressed, the name of the command, and what it does in words. */
export const KEYS = [
  ["→", "step", "step"],
  ["←", "back", "step back"],
  ["Space", "toggle", "play, pause"],
  ["Home", "start", "to the start"],
  ["End", "end", "run to the end"],
  ["c", "cut", "next cut (with Shift: the one before)"],
  ["h", "hit", "next hit in the table"],
  ["r", "return", "next value that goes up"],
  ["n", "try", "next action tried"],
  ["p", "playout", "next playout"],
  ["w", "warning", "next bound taken for a value"],
  ["[ ]", "speed", "slower, faster"],
  ["+ −", "zoom", "zoom in, out"],
  ["0", "fit", "show all that was visited"],
  ["f", "fold", "fold or unfold where the search is"],
  ["o", "open", "show where the search is"],
  ["u", "unfold", "unfold all, or fold again"],
  ["l", "follow", "let the view follow the search, or not"],
  ["b", "boards", "boards at the nodes, or not"],
  ["?", "help", "this list"],
];
const JUMPS = { c: "cut", h: "hit", r: "return", n: "try", w: "warning", p: "playout" };
const PRESSES = {
  ArrowRight: "step", ArrowLeft: "back", " ": "toggle", Home: "start", End: "end", "+": "zoomIn", "=": "zoomIn",
  "-": "zoomOut", "−": "zoomOut", 0: "fit", f: "fold", o: "open", u: "unfold", l: "follow", b: "boards", "?": "help",
  "[": "slower", "]": "faster", Escape: "escape",
};

/** The command that a key stands for, as [name, argument]; null if it is none, or the element needs it itself. */
export function commandOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target;
  const tag = target instanceof Element ? target.tagName : "";
  const slides = tag === "INPUT" && target.type === "range";
  if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && !slides)) return null;
  if (slides && /^(Arrow|Home|End|Page)/.test(event.key)) return null;
  if (event.key === "Enter" && ["BUTTON", "A", "SUMMARY"].includes(tag)) return null; // and the space bar always plays
  const letter = event.key.toLowerCase();
  if (JUMPS[letter]) return [event.shiftKey ? "previous" : "next", JUMPS[letter]];
  const name = PRESSES[event.key] ?? PRESSES[letter];
  return name ? [name] : null;
}

/** Steps a second at a notch of the slider. */
export function speedAt(notch) {
  return SLOWEST * (FASTEST / SLOWEST) ** (notch / NOTCHES);
}

export class Controls {
  /** @param {import("./timeline.js").Timeline} timeline @param {(name: string, argument?: any) => void} command */
  constructor(timeline, command) {
    this.timeline = timeline;
    this.command = command;
    this.element = make("div", "player-controls");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "steps");
    this.element.append(this.scrubber(), this.transport(), this.jumps(), this.speed());
  }

  transport() {
    const group = make("div", "player-group player-transport");
    const button = (icon, name, command, key) => iconButton(icon, `${name} (${key})`, () => this.command(command));
    this.playing = button("play", "Play", "toggle", "space");
    this.playing.classList.add("primary");
    group.append(
      button("start", "To the start", "start", "Home"),
      button("back", "Step back", "back", "left arrow"),
      this.playing,
      button("step", "Step", "step", "right arrow"),
      button("end", "Run to the end", "end", "End"),
    );
    return group;
  }

  jumps() {
    const group = make("div", "player-group player-jumps");
    const { steps } = this.timeline;
    const kinds = [["cut", "cut", "c"], ["hit", "table hit", "h"], ["return", "return", "r"], ["playout", "playout", "p"]];
    for (const [kind, words, key] of kinds) {
      if (!steps[kind].length || (kind === "return" && this.timeline.hasPlayouts)) continue;
      const pair = group.appendChild(make("span", `player-jump player-jump-${kind}`));
      const back = makeButton("‹", `Previous ${words} (Shift+${key})`, () => this.command("previous", kind));
      const on = makeButton(`${words} ›`, `Next ${words} (${key})`, () => this.command("next", kind));
      pair.append(back, on);
    }
    return group;
  }

  speed() {
    const label = make("label", "player-group player-speed");
    label.append(make("span", "", "speed"));
    this.pace = label.appendChild(slider(0, NOTCHES, USUAL_SPEED));
    this.paceWords = label.appendChild(make("output", "player-speed-words"));
    this.pace.addEventListener("input", () => this.command("speed", Number(this.pace.value)));
    return label;
  }

  scrubber() {
    const group = make("div", "player-scrubber");
    const last = this.timeline.length - 1;
    this.range = slider(0, last, 0);
    this.range.setAttribute("aria-label", "the step that is shown");
    this.range.addEventListener("input", () => this.command("seek", Number(this.range.value)));
    this.counter = make("output", "player-counter");
    const track = make("div", "player-track");
    track.append(this.ticks(last), this.range);
    group.append(track, this.counter);
    return group;
  }

  /** Marks over the scrubber where something is cut, found in the table, or taken for what it is not. */
  ticks(last) {
    const svg = draw("svg", { class: "ticks", viewBox: "0 0 1000 10", preserveAspectRatio: "none" });
    svg.setAttribute("aria-hidden", "true");
    for (const kind of ["hit", "cut", "warning"]) {
      const places = new Set(this.timeline.steps[kind].map((step) => Math.round((1000 * step) / Math.max(last, 1))));
      const d = [...places].map((x) => `M${x} ${kind === "hit" ? 5 : 0}v${kind === "warning" ? 10 : 5}`).join("");
      if (d) svg.append(draw("path", { class: `tick-${kind}`, d }));
    }
    return svg;
  }

  show(step) {
    const words = `step ${counted(step + 1)} of ${counted(this.timeline.length)}`;
    this.range.value = String(step);
    this.range.setAttribute("aria-valuetext", words);
    say(this.counter, words);
  }

  showPlaying(playing) {
    const [icon, name] = playing ? ["pause", "Pause"] : ["play", "Play"];
    this.playing.querySelector("path").setAttribute("d", ICONS[icon]);
    this.playing.title = `${name} (space)`;
    this.playing.setAttribute("aria-label", `${name} (space)`);
  }

  showSpeed(notch) {
    this.pace.value = String(notch);
    const speed = speedAt(notch);
    const words = `${counted(speed < 2 ? Number(speed.toFixed(1)) : Math.round(speed))} a second`;
    this.pace.setAttribute("aria-valuetext", words);
    say(this.paceWords, words);
  }
}

function slider(least, most, value) {
  const range = make("input", "player-range");
  Object.assign(range, { type: "range", min: String(least), max: String(most), step: "1", value: String(value) });
  return range;
}

/** A button with a drawn face. */
export function iconButton(icon, name, press) {
  const button = makeButton("", name, press);
  const svg = button.appendChild(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }));
  svg.append(draw("path", { d: ICONS[icon] }));
  return button;
}

/** The keys and the signs, explained. */
export function makeHelp(close) {
  const help = make("div", "player-help");
  help.setAttribute("role", "dialog");
  help.setAttribute("aria-label", "Keys and signs");
  help.hidden = true;
  const head = help.appendChild(make("div", "player-help-head"));
  head.append(make("h3", "", "Keys"), makeButton("✕", "Close this list (Escape)", close));
  const keys = help.appendChild(make("dl", "player-keys"));
  for (const [key, , words] of KEYS) {
    const name = keys.appendChild(make("dt"));
    for (const each of key.split(" ")) name.append(make("kbd", "", each));
    keys.append(make("dd", "", words));
  }
  help.append(make("h3", "", "Signs"));
  const signs = help.appendChild(make("dl", "player-signs"));
  const rows = [
    ["△", "the one who maximizes chooses here"],
    ["▽", "the one who minimizes chooses here"],
    ["○", "chance moves: on each branch its probability, inside the average"],
    ["P1", "player 1 chooses, for itself; (2, 0, 1): the values to players 0, 1 and 2"],
    ["N 12", "12 playouts went through it; above, what they were worth on average"],
    ["□", "the game is over"],
    ["3…", "the value so far"],
    ["(3, ∞)", "the window: alpha and beta"],
    ["┄ //", "skipped, and never looked at"],
    ["+12", "12 nodes are folded below"],
    ["≈", "an estimate"],
    ["⚠", "a bound that the algorithm takes for the value"],
  ];
  for (const [sign, words] of rows) signs.append(make("dt", "", sign), make("dd", "", words));
  const mouse = "Click a node to fold or unfold it, and a leaf, or any node with Shift, to go to its step. "
    + "Drag to move; the wheel (with Ctrl where the page scrolls) or two fingers zoom.";
  help.append(make("p", "", mouse));
  return help;
}
