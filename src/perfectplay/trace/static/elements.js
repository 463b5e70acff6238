/** Elements of the page, made without markup: whatever a trace says is text and nothing else. */

const SVG_NAMES = "http://www.w3.org/2000/svg";

/** An HTML element. @param {string} tag @param {string} [className] @param {string} [text] */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** An SVG element with its attributes. @param {string} tag @param {Object<string, string | number>} [attributes] */
export function draw(tag, attributes = {}) {
  const element = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** A button with a face, and a name for those who do not see it. */
export function makeButton(face, name, press, className = "") {
  const button = make("button", `player-button ${className}`.trim(), face);
  button.type = "button";
  button.title = name;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", press);
  return button;
}

/** A panel with a heading. Its parts are `panel`, `title` and `body`. */
export function makePanel(name, heading) {
  const panel = make("section", `player-panel player-${name}`);
  const title = panel.appendChild(make("h3", "player-title", heading));
  const body = panel.appendChild(make("div", `player-body player-${name}-body`));
  panel.setAttribute("aria-label", heading);
  return { panel, title, body };
}

/** Set a text only where it differs, which spares the browser a layout. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const scrolls = new Map(); // what is to be scrolled, and how far

/**
 * Scroll an element when the next picture is made. To scroll at once may have to wait for the last picture to be
 * handed over, which takes longer than all the rest of a step.
 */
export function scrollSoon(element, top) {
  if (!scrolls.size) requestAnimationFrame(scrollNow);
  scrolls.set(element, top);
}

function scrollNow() {
  for (const [element, top] of scrolls) element.scrollTop = top;
  scrolls.clear();
}

/** A number as people write it, with so many digits: 3, −0.25, ∞. What is no number stays what it is. */
export function shown(value, digits = 4) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return `(${value.map((each) => shown(each, digits)).join(", ")})`;
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}

/** A probability as people write it: 1/6, 0.05. */
export function odds(probability) {
  for (let parts = 1; parts < 100; parts += 1) {
    const share = Math.round(probability * parts);
    if (Math.abs(share / parts - probability) < 1e-9) return parts === 1 ? String(share) : `${share}/${parts}`;
  }
  return String(Number(probability.toPrecision(3)));
}

/** Words at the beginning of a sentence. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A count with its thousands apart. */
export function counted(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Is the reader spared of motion? */
export function isCalm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
