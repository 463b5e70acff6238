/** Elements of the page, made without markup in strings: whatever a game says stays text. */

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.5 10.9c-.6.5-1 1.2-1 2v.1h-5v-.1c0-.8-.4-1.5-1-2A6 6 0 0 1 12 3z",
  flip: "M7 4v14M3.5 7.5 7 4l3.5 3.5M17 20V6M13.5 16.5 17 20l3.5-3.5",
  new: "M12 5v14M5 12h14",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6l1.2-1.2",
  play: "M8 5v14l11-7z",
  stop: "M7 7h10v10H7z",
  help: "M9.5 9.2a2.6 2.6 0 1 1 3.7 2.6c-.8.4-1.2 1-1.2 1.9v.3M12 17.2v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  theme: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M12 8.5l5.5-2.4M12 13l8.8-3.6M12 17.5l8-3.2",
  done: "M5 12.5l4.5 4.5L19 7.5",
  text: "M5 6h14M5 10h14M5 14h14M5 18h9",
  sound: "M4 10v4h3l5 4V6l-5 4zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  silence: "M4 10v4h3l5 4V6l-5 4zM16 9.5l5 5M21 9.5l-5 5",
  close: "M6 6l12 12M18 6 6 18",
};

/**
 * An element with attributes, listeners (onclick: f) and children; null and false are left out.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node | string | null | false)} children
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A small drawing that says nothing to a screen reader. @param {keyof typeof ICONS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = svg.appendChild(document.createElementNS(SVG, "path"));
  path.setAttribute("d", ICONS[name]);
  return svg;
}

/** The sign of a side: a disc in the colour of its pieces, or else the triangle by which trees tell MAX from MIN. */
export function sideSign(side, colour = "") {
  if (colour) return make("span", { class: `disc disc-${colour}`, "aria-hidden": "true" });
  return make("span", { class: `sign sign-${side.toLowerCase()}`, "aria-hidden": "true" }, side === "MAX" ? "▲" : "▼");
}

/** A button with a drawing and words; `key` is its shortcut, shown as a tip. */
export function button(words, { drawing, key, onclick, ...attributes }) {
  const tip = key ? { title: `${words} (${key})`, "aria-keyshortcuts": key } : {};
  return make("button", { type: "button", class: "button", ...tip, onclick, ...attributes },
    drawing ? icon(drawing) : null, make("span", { class: "button-words" }, words));
}

/** A field of a form under its label. */
export function field(words, control, help = "") {
  control.id ||= `field-${control.getAttribute("name")}`;
  const note = help ? make("small", { class: "field-help", id: `${control.id}-help` }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return make("div", { class: "field" }, make("label", { for: control.id }, words), control, note);
}

/** A list to choose from. @param {[value: string, words: string][]} choices */
export function choice(name, choices, chosen) {
  return make("select", { name }, ...choices.map(([value, words]) =>
    make("option", { value, selected: value === chosen }, words)));
}
