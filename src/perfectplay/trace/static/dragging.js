/** Pieces that are dragged: a press that moves takes what stands there along, and lets it go where it is released. */

import { BOARD_MOVABLE } from "./geometry.js";
import { boardElement, boardShape } from "./shapes.js";

const BOARD_DRAG = 6; // pixels before a press is a drag and no click

export class BoardDragging {
  /** @param {any} board the view of a board, whose targets are pressed */
  constructor(board) {
    Object.assign(this, { board, from: null, piece: null, name: "" });
    this.moved = (event) => this.move(event);
    this.released = (event) => this.release(event);
    this.given = () => this.end();
  }

  /** A target was pressed. */
  press(name, event) {
    if (event.button || this.from || !this.board.canLift(name)) return;
    this.from = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    this.name = name;
    addEventListener("pointermove", this.moved);
    addEventListener("pointerup", this.released);
    addEventListener("pointercancel", this.given);
  }

  move(event) {
    if (event.pointerId !== this.from.pointer) return;
    const [right, down] = [event.clientX - this.from.x, event.clientY - this.from.y];
    if (!this.piece && Math.hypot(right, down) < BOARD_DRAG) return;
    if (!this.piece) this.lift();
    if (!this.piece) return;
    const scale = this.board.svg.getScreenCTM()?.a || 1;
    this.piece.setAttribute("transform", `translate(${(right / scale).toFixed(3)} ${(down / scale).toFixed(3)})`);
    this.board.dragOver(boardPlaceAt(event));
  }

  lift() {
    const { board, name } = this;
    board.take(name);
    this.piece = boardElement("g", "board-dragged");
    for (const shape of board.scene.shapes) {
      if (shape.at !== name || !BOARD_MOVABLE.has(shape.style)) continue;
      this.piece.append(boardShape(shape, board.scene));
      board.drawn.get(shape)?.classList.add("board-lifted");
    }
    board.svg.append(this.piece);
  }

  release(event) {
    if (event.pointerId !== this.from.pointer) return;
    const { piece, name, board } = this;
    this.end(false);
    if (!piece) return;
    board.justDragged = true; // the click that follows on the same place is none
    setTimeout(() => { board.justDragged = false; });
    board.dragOver(null);
    const place = boardPlaceAt(event);
    if (place && place !== name) board.click(place);
    if (board.clicks.length) this.drop(piece); // no move was made of it
  }

  drop(piece) {
    piece.remove();
    for (const element of this.board.svg.querySelectorAll(".board-lifted")) element.classList.remove("board-lifted");
  }

  end(drops = true) {
    removeEventListener("pointermove", this.moved);
    removeEventListener("pointerup", this.released);
    removeEventListener("pointercancel", this.given);
    if (drops && this.piece) this.drop(this.piece);
    Object.assign(this, { from: null, piece: null });
  }
}

/** The place of a board that a pointer is on. */
function boardPlaceAt({ clientX, clientY }) {
  const element = document.elementFromPoint(clientX, clientY)?.closest("[data-target], [data-place]");
  return element ? element.dataset.target ?? element.dataset.place : null;
}
