/** The page of a single file: it holds one trace, or two to compare, and shows them. */

import { mountComparison } from "./comparison.js";
import { make } from "./elements.js";
import { mountPlayer } from "./stage.js";

function showPage() {
  const container = document.getElementById("theatre");
  const held = [...document.querySelectorAll("script[type='application/json']")];
  const traces = held.map((each) => JSON.parse(each.textContent));
  try {
    if (traces.length > 1) mountComparison(container, traces[0], traces[1], { keys: true });
    else mountPlayer(container, traces[0], { keys: true });
  } catch (error) {
    const message = make("p", "player-failed", error.message);
    message.setAttribute("role", "alert");
    container.replaceChildren(message);
  }
}

showPage();
