/** What a student has written, kept in this browser from one visit to the next, and the score as a file. */

const PREFIX = "perfectplay-exercise ";
const KEPT = 60; // exercises; the oldest are forgotten
const COLUMNS = ["name", "number", "game", "moves", "kind", "tree", "questions", "right", "wrong", "missing", "shown", "checks", "date"];

/** What is kept of an exercise; nothing where there is none, or the browser keeps nothing. */
export function recall(question) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + JSON.stringify(question)) || "null");
  } catch {
    return null;
  }
}

export function keep(question, answers) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    const age = (name) => JSON.parse(localStorage.getItem(name)).at || 0;
    for (const name of names.sort((one, other) => age(one) - age(other)).slice(0, -KEPT)) localStorage.removeItem(name);
    localStorage.setItem(PREFIX + JSON.stringify(question), JSON.stringify({ ...answers, at: Date.now() }));
  } catch {
    // then it holds until the page is left
  }
}

export function forget(question) {
  try {
    localStorage.removeItem(PREFIX + JSON.stringify(question));
  } catch {
    // nothing was kept
  }
}

/** A score as the two lines of a CSV file: what the columns are, and what they hold. @param {Record<string, any>} score */
export function scoreFile(score) {
  return table([COLUMNS, COLUMNS.map((name) => score[name] ?? "")]);
}

/** Rows as CSV, which no spreadsheet takes for a formula. */
export function table(rows) {
  const cell = (value) => {
    const text = String(value);
    const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** Hand out a text as a file. */
export function save(name, text, type = "text/csv") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser has begun to read it by then
}
