/** The player of recorded runs: what a page uses. */

export { mountComparison } from "./comparison.js";
export { mountPlayer } from "./stage.js";
