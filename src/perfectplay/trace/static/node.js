/** A node of the tree as it is drawn, with the edge that leads to it. */

import { draw, say } from "./elements.js";

const CORNERS = {
  max: [[0, -20], [23, 15], [-23, 15]],
  min: [[0, 20], [23, -15], [-23, -15]],
  end: [[-16, -16], [16, -16], [16, 16], [-16, 16]],
};

/**
 * One node as it is drawn. What was written last is kept, to be compared with.
 *
 * Everything has its place in the coordinates of the tree: a transform for each node would make the browser keep
 * thousands of layers apart, which costs more than all the drawing.
 */
export class NodeView {
  constructor(number, node) {
    this.number = number;
    this.node = node;
    this.group = draw("g", { "data-node": number });
    this.shape = this.group.appendChild(draw("path", { class: "shape" }));
    this.edge = number ? draw("path", {}) : null;
    this.mark = node.skipped === undefined ? null : this.group.appendChild(draw("path", { class: "cut-mark" }));
    /** @type {Object<string, {text: SVGTextElement, down: number}>} */
    this.texts = {};
    this.flags = { status: "", best: false, path: false, line: false, lit: false };
    this.worn = "";
    this.bestChild = null;
    if (number) this.write("label", node.action, this.mark ? -24 : -37);
  }

  /** Put the node at its place in the tree. */
  place(x, y) {
    Object.assign(this, { wasX: this.x, wasY: this.y, x, y });
    const corners = CORNERS[this.node.role].map(([right, down]) => `${(x + right).toFixed(1)} ${y + down}`);
    this.shape.setAttribute("d", `M${corners.join("L")}Z`);
    this.mark?.setAttribute("d", `M${x - 7} ${y - 42}l14 -8M${x - 7} ${y - 36}l14 -8`);
    for (const name of Object.keys(this.texts)) this.placeText(name);
  }

  placeText(name) {
    const { text, down } = this.texts[name];
    text.setAttribute("x", this.x.toFixed(1));
    text.setAttribute("y", String(this.y + down));
  }

  /** Write one of the texts of the node, so far below its middle; it is made when there is something to write. */
  write(name, words, down) {
    if (!this.texts[name]) {
      if (!words) return;
      this.texts[name] = { text: this.group.appendChild(draw("text", { class: name })), down };
      if (this.x !== undefined) this.placeText(name);
    }
    say(this.texts[name].text, words);
  }

  /** Put on the classes that the flags call for. */
  dress() {
    const { status, best, path, line, lit } = this.flags;
    const edge = `edge ${status}${best ? " best" : ""}${path ? " path" : ""}${line ? " line" : ""}`;
    const unseen = this.node.generated === false ? " unseen" : "";
    const worn = `node ${this.node.role} ${status}${lit ? " lit" : ""}${unseen}`;
    if (worn + edge === this.worn) return;
    this.worn = worn + edge;
    this.group.setAttribute("class", worn);
    this.edge?.setAttribute("class", edge);
  }
}
