/** Two runs side by side: each with its own controls, both with common ones, and their counts in a table. */

import { counted, make, makeButton } from "./elements.js";
import { gameName, resultOf } from "./narration.js";
import { mountPlayer } from "./stage.js";

const COLUMNS = [
  ["nodes", "nodes"], ["leaves", "leaves"], ["prunings", "cuts"], ["skipped", "actions skipped"],
  ["table_hits", "table hits"], ["table_entries", "table entries"], ["bounds_believed", "bounds taken for values"],
  ["playouts", "playouts"], ["events", "steps"],
];

/**
 * Show two traces of the same position beside each other.
 * @param {HTMLElement} container @param {object} one @param {object} other @param {object} [options] as of a player
 */
export function mountComparison(container, one, other, options = {}) {
  const element = make("div", "comparison");
  const head = element.appendChild(make("div", "comparison-head"));
  const pair = element.appendChild(make("div", "comparison-pair"));
  const players = [one, other].map((trace) => {
    const side = pair.appendChild(make("div", "comparison-side"));
    return mountPlayer(side, trace, { ...options, brief: true });
  });
  const both = (action) => () => players.forEach(action);
  const controls = make("div", "comparison-controls");
  controls.setAttribute("role", "group");
  controls.setAttribute("aria-label", "both runs");
  const running = () => players.some((player) => player.playing);
  controls.append(
    makeButton("To the start", "Both to the start", both((player) => player.start())),
    makeButton("Back both", "Step both back", both((player) => player.back())),
    makeButton("Step both", "Step both", both((player) => player.step()), "primary"),
    makeButton("Play both", "Play or pause both", () => {
      const stop = running();
      players.forEach((player) => (stop ? player.pause() : player.play()));
    }),
    makeButton("Run both to the end", "Run both to the end", both((player) => player.end())),
  );
  const titles = make("div", "comparison-titles");
  const names = `${one.algorithm} and ${other.algorithm}`;
  titles.append(make("h2", "", options.brief ? names : `${names} on ${gameName(one)}`));
  if (one.moves.length && !options.brief) titles.append(make("p", "comparison-moves", `after ${one.moves.join(" ")}`));
  if (one.game !== other.game || one.moves.join(" ") !== other.moves.join(" ")) {
    titles.append(make("p", "player-note", "These are runs on different positions: their counts do not compare."));
  }
  titles.append(controls);
  head.append(titles, countTable(one, other));
  head.addEventListener("pointerdown", () => players.forEach((player) => player.listen(false))); // keys go to both
  container.replaceChildren(element);
  return {
    players,
    step: both((player) => player.step()),
    seek: (step) => players.forEach((player) => player.seek(step)),
    destroy: () => {
      players.forEach((player) => player.destroy());
      element.remove();
    },
  };
}

/** A row for each run and one for the difference, so that the table is wide and not high. */
function countTable(one, other) {
  const holder = make("div", "comparison-holder");
  const table = holder.appendChild(make("table", "comparison-counts"));
  const head = table.createTHead().insertRow();
  const [first, second, apart] = [one.algorithm, other.algorithm, "difference"].map((name) => {
    const row = table.createTBody().insertRow();
    row.appendChild(make("th", "", name)).scope = "row";
    return row;
  });
  const column = (name, cells) => {
    head.appendChild(make("th", "", name)).scope = "col";
    [first, second, apart].forEach((row, index) => { row.insertCell().textContent = cells[index]; });
  };
  head.append(make("td"));
  const [result, otherResult] = [resultOf(one), resultOf(other)];
  column("value", [result, otherResult, result === otherResult ? "the same" : "not the same"]);
  for (const [name, words] of COLUMNS) {
    const [here, there] = [one.totals[name], other.totals[name]];
    if (here || there) column(words, [counted(here), counted(there), difference(here, there)]);
  }
  holder.tabIndex = 0; // on a narrow page it scrolls, also by keyboard
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", "what both runs cost");
  return holder;
}

/** By how much the second number is more or less than the first. */
function difference(first, second) {
  if (first === second) return "the same";
  const sign = second > first ? "+" : "−";
  const percent = first ? ` (${sign}${Math.round((100 * Math.abs(second - first)) / first)} %)` : "";
  return `${sign}${counted(Math.abs(second - first))}${percent}`;
}
