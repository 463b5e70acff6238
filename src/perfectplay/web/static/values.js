/**
 * Values in one language, wherever a position or a move has one: always those of the player to move there, in
 * words, as a sign and in a colour. Only what is proven is called a win, a tie, a loss or a draw.
 *
 * @typedef {"win" | "tie" | "loss" | "draw" | "better" | "even" | "worse"} Verdict
 * @typedef {{verdict?: Verdict, outcome?: Verdict, value?: number | null, exact?: boolean,
 *            remoteness?: number | null, best?: boolean, chance?: number | null}} Valued a tablebase says `outcome`, a search `verdict`
 */

import { make } from "./elements.js";
import { counted, signed } from "./wording.js";

const VERDICTS = { // the sign, what such a move does, and what the other player's is called
  win: ["W", "wins", "loss"], tie: ["T", "ties", "tie"], loss: ["L", "loses", "win"], draw: ["D", "draws", "draw"],
  better: ["+", "better", "worse"], even: ["=", "about even", "even"], worse: ["−", "worse", "better"],
};
const PROVEN = ["win", "tie", "loss", "draw"];

/** The word for a value, if there is one. @param {Valued} valued */
export function verdictOf({ verdict, outcome }) {
  return verdict || outcome || null;
}

/** The same to the other player, a move later. @param {Valued} valued @returns {Valued} */
export function turned(valued, plies = 0) {
  const verdict = VERDICTS[verdictOf(valued)]?.[2] ?? null;
  const { value, remoteness } = valued;
  return { ...valued, verdict, outcome: undefined, value: value && -value,
    remoteness: remoteness === null || remoteness === undefined ? remoteness : remoteness + plies };
}

/** "wins in 5 plies, best"; "about even". @param {Valued} valued */
export function valueWords(valued) {
  return [standing(valued), valued.best ? "best" : ""].filter(Boolean).join(", ");
}

/** The same as a headline: "Wins in 5 plies". @param {Valued} valued */
export function valueTitle(valued) {
  const words = standing(valued);
  return words[0].toUpperCase() + words.slice(1);
}

/** Do dice decide, so that there is a chance and no outcome? @param {Valued} valued */
function isChance({ chance }) {
  return chance !== null && chance !== undefined;
}

/** "62 %"; only what is certain is 0 or 100. @param {number} share */
export function percent(share) {
  const open = share > 0 && share < 1;
  return `${Math.round(100 * (open ? Math.min(0.99, Math.max(0.01, share)) : share))} %`;
}

/** A move on a board: "W5" wins in five plies, "W+3" wins by three; of an estimate its number. @param {Valued} valued */
export function valueMark(valued) {
  const verdict = verdictOf(valued);
  const { value, remoteness, exact } = valued;
  if (!verdict) return "?";
  if (isChance(valued)) return percent(valued.chance);
  if (!PROVEN.includes(verdict)) return verdict === "even" ? "0" : signed(value);
  const [letter] = VERDICTS[verdict];
  return `${letter}${remoteness ?? (isPlain(value) || exact === false ? "" : signed(value))}`;
}

/** What is said and drawn on a board of every move. @param {(Valued & {action: string})[]} moves */
export function valueMarks(moves) {
  return moves.map((move, index) => ({ ...move, outcome: verdictOf(move), exact: isProven(move), rank: -index,
    text: valueMark(move), words: valueWords(move) }));
}

/** Is it more than an estimate? @param {Valued} valued */
export function isProven(valued) {
  return PROVEN.includes(verdictOf(valued));
}

/** The sign of a value in its colour. @param {Valued} valued */
export function chip(valued) {
  const verdict = verdictOf(valued);
  const kind = verdict ? `is-${verdict}${isProven(valued) ? "" : " is-guess"}` : "is-guess";
  return make("span", { class: `chip-outcome ${kind}`, "aria-hidden": "true" }, VERDICTS[verdict]?.[0] ?? "?");
}

/** A table of every move with its value, the best first. @param {(action: string) => void} [onPlay] */
export function valueTable(moves, onPlay) {
  const far = moves.some(({ remoteness }) => remoteness !== null && remoteness !== undefined);
  const isNews = (move) => (isProven(move) ? !far && !isPlain(move.value) && move.exact !== false : verdictOf(move) !== null);
  const worth = moves.some(isNews);
  const heads = ["Move", "Outcome", ...(far ? ["Plies"] : []), ...(worth ? [moves.some(isChance) ? "To win" : "Value"] : [])];
  return make("table", { class: "values" },
    make("caption", {}, "What every move leads to, for who makes it"),
    make("thead", {}, make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, ...moves.map((move) => row(move, far, worth && isNews(move), worth, onPlay))));
}

/** What the signs mean. */
export function legend() {
  const sign = (verdict) => make("li", {}, chip({ verdict }), ` ${verdict}`);
  return make("div", { class: "legend" }, make("ul", {}, ...PROVEN.map(sign)),
    make("p", {}, "For who moves. The number: plies to the end. ★ is best."));
}

/** In which order moves are shown: the best first. */
export function byValue(one, other) {
  const worth = (move) => (move.best ? 1e300 : (move.value ?? -1e299));
  return worth(other) - worth(one);
}

function row(move, far, isNews, worth, onPlay) {
  const { action, remoteness, value, best } = move;
  const verdict = verdictOf(move);
  const play = make("button", { type: "button", class: "ply", disabled: !onPlay, "aria-label": `${action}: ${valueWords(move)}`,
    onclick: () => onPlay(action) }, action);
  const said = verdict ? (isProven(move) ? verdict : VERDICTS[verdict][1]) : "not known yet";
  const distance = remoteness ?? (verdict === "draw" ? "no end" : "");
  const number = isChance(move) ? `${move.exact ? "" : "≈"}${percent(move.chance)}`
    : !isNews || verdict === "even" ? "" : `${isProven(move) ? "" : "≈"}${signed(value)}`;
  return make("tr", { class: best ? "best" : null }, make("th", { scope: "row" }, play),
    make("td", {}, chip(move), ` ${said}`, best ? make("span", { class: "star" }, " ★ best") : null),
    far ? make("td", { class: "value" }, String(distance)) : null,
    worth ? make("td", { class: "value" }, number) : null);
}

/** "wins in 5 plies", "wins by 3", "better, about +0.3", "about even". */
function standing(valued) {
  const verdict = verdictOf(valued);
  const { value, remoteness, exact } = valued;
  if (!verdict) return "not known yet";
  if (verdict === "draw") return "draws, for nobody can force an end";
  if (isChance(valued)) return `${exact ? "" : "about "}${percent(valued.chance)} to win`;
  if (verdict === "even") return "about even";
  if (!isProven(valued)) return `${VERDICTS[verdict][1]}, about ${signed(value)}`;
  const far = remoteness === null || remoteness === undefined ? "" : ` in ${plies(remoteness)}`;
  const by = isPlain(value) || far || exact === false ? "" : ` by ${Math.abs(value)}`;
  return `${VERDICTS[verdict][1]}${far}${by}`;
}

function plies(count) {
  return counted(count, "ply").replace(/plys$/, "plies");
}

/** Does a value say no more than the outcome? */
function isPlain(value) {
  return value === null || value === undefined || Math.abs(value) <= 1;
}
