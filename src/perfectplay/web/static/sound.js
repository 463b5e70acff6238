/** Sounds, made and not loaded: a click for a move, two notes for the end. They are off until somebody wants them. */

import { icon, make } from "./elements.js";

const KEPT = "perfectplay-sound";
const NOTES = { // frequency in hertz, when it begins and how long it lasts in seconds
  move: [[330, 0, 0.07]],
  end: [[392, 0, 0.16], [523, 0.14, 0.3]],
  wrong: [[150, 0, 0.09]],
};

let on = remembered();
let context = null;

/** Play a sound, if sounds are on. @param {keyof typeof NOTES} name */
export function sound(name) {
  if (!on) return;
  context ??= new AudioContext();
  document.documentElement.dataset.sound = name;
  for (const [pitch, begin, length] of NOTES[name]) {
    const [note, volume] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + begin;
    note.type = "triangle";
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.14, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    note.connect(volume).connect(context.destination);
    note.start(at);
    note.stop(at + length);
  }
}

/** The button that turns sounds on and off. */
export function soundSwitch() {
  const control = make("button", { type: "button", class: "tool", title: "Sounds", onclick: () => {
    on = !on;
    remember();
    show();
    sound("move");
  } });
  const show = () => {
    control.replaceChildren(icon(on ? "sound" : "silence"));
    control.classList.toggle("sound-on", on);
    control.setAttribute("aria-label", "Sounds");
    control.setAttribute("aria-pressed", String(on));
  };
  show();
  return control;
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // then it holds for this page only
  }
}
