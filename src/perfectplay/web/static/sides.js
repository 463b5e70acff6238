/** What the players are called: by name and colour, as the board draws them. MAX and MIN are the textbook's words. */

const COLOURS = { "blue-orange": ["blue", "orange"], "white-black": ["white", "black"], "black-white": ["black", "white"] };

/** The name of a side at the board: "White", "X"; "MAX" where the game has none. @param {"MAX" | "MIN"} side */
export function sideName({ names }, side) {
  return side === "chance" ? side : names?.[side === "MAX" ? 0 : 1] ?? side;
}

/** The colour in which the pieces of a side are drawn; empty where nothing on the board is anybody's. */
export function sideColour({ scene }, side) {
  return (scene && side !== "chance" && COLOURS[scene.colours]?.[side === "MAX" ? 0 : 1]) || "";
}

/** The name with the colour, where it is another word: "X (blue)", "White". */
export function sideWords(position, side) {
  const [name, colour] = [sideName(position, side), sideColour(position, side)];
  return colour && name.toLowerCase() !== colour ? `${name} (${colour})` : name;
}

/** Who has won, in these words. */
export function resultWords(position) {
  if (!position.over || position.value === null) return position.result ?? "";
  return position.value === 0 ? "A tie" : `${sideName(position, position.value > 0 ? "MAX" : "MIN")} wins`;
}
