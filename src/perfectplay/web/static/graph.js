/** A graph of how a game stood, from its first position to its last, that is also a way through it. */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [360, 112, 6];
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/**
 * Draw the graph: `points[ply]` is nothing until that position is valued.
 * @param {HTMLElement} container
 * @param {({balance: number, exact: boolean, judgement?: string | null} | undefined)[]} points
 * @param {{current: number, names: string[], words: (ply: number) => string, onGo: (ply: number) => void}} options
 */
export function drawGraph(container, points, { current, names, words, onGo }) {
  const focused = container.contains(document.activeElement);
  const svg = element("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  const step = WIDTH / Math.max(points.length, 1);
  const y = (balance) => EDGE + (1 - balance) * (HEIGHT - 2 * EDGE);
  points.forEach((point, ply) => {
    if (!point) return;
    const [from, to] = [y(Math.max(point.balance, 0.5)), y(Math.min(point.balance, 0.5))];
    const side = point.balance > 0.5 ? "max" : point.balance < 0.5 ? "min" : "even";
    const flat = to - from < 3;
    svg.append(element("rect", { class: `graph-bar graph-${side}${point.exact ? "" : " graph-guess"}`, x: ply * step,
      y: flat ? (from + to) / 2 - 1.5 : from, width: Math.max(step - Math.min(1, step / 5), 0.5), height: flat ? 3 : to - from }));
  });
  svg.append(element("line", { class: "graph-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  svg.append(element("rect", { class: "graph-current", x: current * step, y: 0, width: step, height: HEIGHT }));
  const marks = points.flatMap((point, ply) => (["mistake", "blunder"].includes(point?.judgement)
    ? [mark(point.judgement, (ply + 1.5) / points.length)] : []));
  const slider = html("div", { class: "graph-slider", role: "slider", tabindex: "0", "aria-label": "Moves of the game",
    "aria-valuemin": "0", "aria-valuemax": String(points.length - 1), "aria-valuenow": String(current), "aria-valuetext": words(current) });
  slider.append(svg, ...marks);
  const at = (event) => {
    const box = slider.getBoundingClientRect();
    return Math.min(points.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * points.length)));
  };
  slider.addEventListener("click", (event) => onGo(at(event)));
  slider.addEventListener("pointermove", (event) => { slider.title = words(at(event)); });
  slider.addEventListener("keydown", (event) => {
    const ply = event.key === "Home" ? 0 : event.key === "End" ? points.length - 1 : current + (KEYS[event.key] ?? NaN);
    if (!(ply >= 0 && ply < points.length)) return;
    event.preventDefault();
    event.stopPropagation();
    onGo(ply);
  });
  container.replaceChildren(side("max", names[0]), slider, side("min", names[1]));
  if (focused) slider.focus();
}

/** A sign above the move that gave something away. */
function mark(judgement, share) {
  const sign = html("span", { class: `graph-mark is-${judgement}`, "aria-hidden": "true" });
  sign.style.left = `${100 * Math.min(share, 0.985)}%`;
  sign.textContent = judgement === "blunder" ? "??" : "?";
  return sign;
}

/** Whose side is above, and whose is below. */
function side(which, name) {
  const words = html("span", { class: `graph-side graph-side-${which}`, "aria-hidden": "true" });
  words.textContent = `${which === "max" ? "▲" : "▼"} ${name} wins`;
  return words;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === "number" ? value.toFixed(2) : value);
  return made;
}

function html(name, attributes) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
