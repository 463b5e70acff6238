/** Exercises for a class: a link under which everybody has a tree of their own, its file of links, sheets and solutions. */

import { button, choice, field, icon, make } from "./elements.js";
import { save, table } from "./exercise-memory.js";
import { writePlace } from "./position.js";

const MOST = 500; // students
const SHEETS = 40; // in one file to print
const NAME = "perfectplay-student";

/** How many students the link is for, and the tree of the first; null where it is for nobody in particular. */
export function classOf({ students, first }) {
  if (!/^\d{1,3}$/.test(students) || !/^\d{1,9}$/.test(first)) return null;
  const size = Number(students);
  return size >= 1 && size <= MOST ? { size, first: Number(first) } : null;
}

/** Which student a tree is for, from 1; 0 if for none. */
export function numberOf(place) {
  const group = classOf(place);
  const number = group && place.seed ? Number(place.seed) - group.first + 1 : 0;
  return group && number >= 1 && number <= group.size ? number : 0;
}

/** Where a student says who they are. `go(seed)` shows that tree. */
export function studentFields(place, go) {
  const { size, first } = classOf(place);
  const number = numberOf(place);
  const numbers = Array.from({ length: size }, (_, index) => [String(index + 1), String(index + 1)]);
  const chosen = choice("student", [["", "…"], ...numbers], number ? String(number) : "");
  chosen.addEventListener("change", () => { if (chosen.value) go(String(first + Number(chosen.value) - 1)); });
  const name = make("input", { name: "name", type: "text", maxlength: "60", autocomplete: "name", value: studentName(),
    oninput: () => keepName(name.value) });
  return [field("Your number in the class", chosen), field("Your name", name)];
}

export function studentName() {
  try {
    return localStorage.getItem(NAME) || "";
  } catch {
    return "";
  }
}

function keepName(name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // then it is not in the file of the score
  }
}

/** The panel in which a teacher gets it all. */
export function openClass(place, question) {
  document.querySelector("dialog.class")?.remove();
  const dialog = make("dialog", { class: "dialog class", "aria-labelledby": "class-title" });
  const size = make("input", { name: "size", type: "number", min: "1", max: String(MOST), value: "30", required: true });
  const first = make("input", { name: "first", type: "number", min: "0", max: "999000000", value: question.seed, required: true });
  const address = make("input", { class: "class-link", readonly: true, "aria-label": "The link for the class",
    onfocus: () => address.select() });
  const printed = make("div", { class: "class-sheets" });
  const group = () => ({ students: String(Math.min(Math.max(Number(size.value) || 1, 1), MOST)), first: String(Number(first.value) || 0) });
  const link = (changes) => `${location.origin}${location.pathname}${writePlace({ ...place, ...group(), ...changes })}`;
  const show = () => {
    address.value = link({ seed: "" });
    printed.replaceChildren(...sheets(question, group()));
  };
  const rows = () => Array.from({ length: Number(group().students) }, (_, index) => {
    const seed = Number(group().first) + index;
    return [index + 1, seed, link({ seed: String(seed) }), `${location.origin}${sheetAddress("solution", question, seed, 1)}`];
  });
  const file = () => save("class.csv", table([["number", "tree", "link", "solution"], ...rows()]));
  const copy = button("Copy", { drawing: "link", onclick: async () => {
    address.select();
    await navigator.clipboard?.writeText(address.value).catch(() => {}); // it is selected, and can be copied by hand
  } });
  for (const control of [size, first]) control.addEventListener("input", show);
  dialog.append(
    make("form", { method: "dialog", class: "dialog-head" }, make("h2", { id: "class-title" }, "For a class"),
      make("button", { class: "tool", "aria-label": "Close" }, icon("close"))),
    make("div", { class: "dialog-body" },
      make("p", {}, "Everybody gets a tree of their own: the first student that of the first number, the next one that of the next."),
      make("div", { class: "fields" }, field("Students", size), field("Number of the first tree", first)),
      make("h3", {}, "One link for all"),
      make("p", { class: "setup-summary" }, "Whoever opens it chooses their number in the class, and can save a score."),
      make("div", { class: "row" }, address, copy),
      make("h3", {}, "For you"),
      make("div", { class: "row" }, button("File of links and solutions (CSV)", { onclick: file })), printed));
  dialog.addEventListener("close", () => dialog.remove());
  show();
  document.body.append(dialog);
  dialog.showModal();
}

/** Links to sheets to print and to their solutions, so many in a file. */
function sheets(question, { students, first }) {
  const rows = [];
  for (let from = 0; from < Number(students); from += SHEETS) {
    const count = Math.min(SHEETS, Number(students) - from);
    const open = (page, words) => make("a", { class: "button", target: "_blank", rel: "noopener",
      href: sheetAddress(page, question, Number(first) + from, count) }, words);
    const range = count === 1 ? `${from + 1}` : `${from + 1} to ${from + count}`;
    rows.push(make("div", { class: "row" }, open("sheet", `Sheets ${range}`), open("solution", `Solutions ${range}`)));
  }
  return rows;
}

/** The address of pages to print. */
export function sheetAddress(page, { game, moves, kind }, seed, count = 1) {
  const query = new URLSearchParams({ game, seed: String(seed), kind, ...(count > 1 ? { count: String(count) } : {}) });
  for (const move of moves) query.append("moves", move);
  return `/exercise/${page}?${query}`;
}
