/** Where the shapes of a board are: boxes around them, and the board seen from the other side. */

export const BOARD_GROUNDS = new Set(["cell", "dark", "hole"]);
export const BOARD_PIECES = new Set(["max", "min", "piece"]);
export const BOARD_MOVABLE = new Set([...BOARD_PIECES, "max-mark", "min-mark", "max-area", "min-area", "count"]);
const BOARD_FIELD = new Set([...BOARD_GROUNDS, "board", "edge", "piece", "max-area", "min-area"]);

/** The smallest box around a shape; that of a text is a guess. @returns {Box} */
export function boardBox({ kind, numbers, text = "" }) {
  if (kind === "rect") return { x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3] };
  if (kind === "circle") {
    const [x, y, radius] = numbers;
    return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  }
  if (kind === "text") {
    const width = 0.6 * numbers[2] * text.length;
    return { x: numbers[0] - width / 2, y: numbers[1] - numbers[2] / 2, width, height: numbers[2] };
  }
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

export function boardMiddle({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

export function boardHolds(box, x, y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

export function boardCovers(outer, inner) {
  const slack = 0.001;
  return (
    boardHolds(outer, inner.x + slack, inner.y + slack) &&
    boardHolds(outer, inner.x + inner.width - slack, inner.y + inner.height - slack)
  );
}

export function boardUnion(boxes) {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The scene seen from the other side, its words readable: all is turned by half around the middle of the board, but
 * for a tally beside it. Where stones fall, or what is drawn is no board but a tree, up stays up.
 */
export function boardFlipped(scene) {
  const ground = scene.shapes.filter((shape) => BOARD_FIELD.has(shape.style)).map(boardBox);
  if (!ground.length) return scene;
  const field = boardUnion(ground);
  const filled = ground.reduce((sum, box) => sum + box.width * box.height, 0) / (field.width * field.height);
  const upright = filled < 0.3 || boardHasColumns(scene);
  const turn = ({ x, y }) => ({
    x: 2 * field.x + field.width - x,
    y: upright ? y : 2 * field.y + field.height - y,
  });
  const isTally = (shape) => {
    const { x, y } = boardMiddle(boardBox(shape));
    return BOARD_MOVABLE.has(shape.style) && !boardHolds(field, x, y);
  };
  const turned = scene.shapes.filter((shape) => !isTally(shape)).map((shape) => boardTurned(shape, turn));
  const tally = boardBelow(scene.shapes.filter(isTally), boardUnion(turned.map(boardBox)));
  const shapes = [...turned, ...tally];
  return { ...scene, ...boardUnion(shapes.map(boardBox)), shapes };
}

/** The shapes moved down, if they must be to clear a box. */
function boardBelow(shapes, box) {
  const top = Math.min(...shapes.map((shape) => boardBox(shape).y));
  const down = Math.max(0, box.y + box.height + 0.1 - top);
  return shapes.map((shape) => boardTurned(shape, ({ x, y }) => ({ x, y: y + down })));
}

/** The shape with its points turned; sizes stay. */
function boardTurned(shape, turn) {
  const { kind, numbers } = shape;
  if (kind === "rect") {
    const middle = turn(boardMiddle(boardBox(shape)));
    return { ...shape, numbers: [middle.x - numbers[2] / 2, middle.y - numbers[3] / 2, numbers[2], numbers[3]] };
  }
  const points = kind === "line" || kind === "polygon" ? numbers.length / 2 : 1;
  const turned = [...numbers];
  for (let index = 0; index < points; index += 1) {
    const point = turn({ x: numbers[2 * index], y: numbers[2 * index + 1] });
    [turned[2 * index], turned[2 * index + 1]] = [point.x, point.y];
  }
  return { ...shape, numbers: turned };
}

function boardHasColumns(scene) {
  const rows = new Map();
  for (const shape of scene.shapes) {
    if (!shape.at || !BOARD_GROUNDS.has(shape.style)) continue;
    const y = boardMiddle(boardBox(shape)).y;
    if (rows.has(shape.at) && rows.get(shape.at) !== y) return true;
    rows.set(shape.at, y);
  }
  return false;
}
