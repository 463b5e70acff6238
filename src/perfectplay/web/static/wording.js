/** Values, sides and counts in words. */

/** A value with its sign: +3, 0, −0.25. @param {number} value */
export function signed(value) {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 0.1 ? 1 : 2));
  const text = Math.abs(rounded) >= 1e6 ? Math.abs(rounded).toExponential(1) : String(Math.abs(rounded));
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${text}`;
}

/** A large number in short: 950, 12.3 k, 8.5 M. @param {number} count */
export function short(count) {
  for (const [size, sign] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (count >= size) return `${(count / size).toFixed(count < 10 * size ? 1 : 0)} ${sign}`;
  }
  return String(Math.round(count));
}

/** How long something took. @param {number} seconds */
export function lasting(seconds) {
  return seconds < 0.0995 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`;
}

/** "1 node", "2 nodes". */
export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The name of a game apart from its parameters: connect-four:rows=5 gives ["connect-four", {rows: "5"}]. */
export function takenApart(game) {
  const colon = game.indexOf(":");
  if (colon < 0) return [game, {}];
  const settings = game.slice(colon + 1).split(",").filter(Boolean);
  const pairs = settings.map((setting) => setting.split(/=(.*)/s).slice(0, 2).map((part) => part.trim()));
  return [game.slice(0, colon), Object.fromEntries(pairs)];
}

/** The inverse; what is as the game has it anyway is left out. */
export function putTogether(name, settings, parameters) {
  const told = parameters.filter(({ name: key, default: usual }) =>
    settings[key] !== undefined && settings[key] !== "" && settings[key] !== (usual ?? null));
  const text = told.map(({ name: key }) => `${key}=${settings[key]}`).join(",");
  return text ? `${name}:${text}` : name;
}

/** What goes on before an answer comes, in words; nothing for an event that needs none. */
export function waitingWords(name, data, thinking) {
  if (name === "queued") return data.ahead > 0 ? `Waiting: ${data.ahead} before you` : "Waiting: you are next";
  if (name === "compiling") return "Compiling the rules, only the first time";
  if (name === "started") return thinking;
  return "";
}
