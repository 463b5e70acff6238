"""The tree of an exercise as SVG: with blanks to fill in, or filled in."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from perfectplay.exercise.exercise import Exercise
from perfectplay.exercise.run import Run, Visit
from perfectplay.exercise.tree import TreeNode
from perfectplay.scene import scene_group
from perfectplay.trace.picture import PLAYERS, broad, outline, tree_places
from perfectplay.trace.source import worth, written

SLOT = 64  # from leaf to leaf
DOWN = 132  # from ply to ply
SIDE = 22  # half of a node
SQUARE = 16  # half of a leaf
WINDOW = (92, 20)  # the box above a node in which its window is written
BOARD = 46  # beside a node
LEAF_BOARD = 54  # below a leaf
LINES, CHARACTERS = 8, 16  # the most of a board in characters that can be drawn so small
LETTER = 13.0  # the largest letters of such a board
WIDE = 0.62  # of a letter's height
MARGIN = 12
MILLIMETRES = 0.24  # of paper for one unit of the drawing, while it fits
PAGE = 180.0  # millimetres across that there are for it
HEIGHT, SOLVED_HEIGHT = 125.0, 100.0  # and down; in a solution, there are explanations below it
INK, FAINT, CUT, PAPER = "#22262b", "#6b7178", "#b3261e", "#fff"
FILLS = {"max": "#e9f0f9", "min": "#fcefe6", "chance": "#eef4e2", "leaf": "#faf8f3"}
OWN = 38  # half of a node with the values of all players
LONGEST = 9  # characters of a move that fit on a branch


def drawn(exercise: Exercise, *, solved: bool = False) -> str:
    """The tree: triangles up for MAX and down for MIN, squares for leaves, branches with their moves."""
    return "".join(Drawing(exercise, exercise.run if solved else None).parts())


class Drawing:
    """One drawing; where there is a run, its answers are filled in."""

    def __init__(self, exercise: Exercise, run: Run | None) -> None:
        self.exercise = exercise
        self.tree = exercise.tree
        self.run = run
        self.has_windows = exercise.kind == "alpha-beta"
        shown = [node for node in self.tree.nodes.values() if _fits(node)]
        self.has_boards = bool(shown)
        self.letter = min((_letter(node) for node in shown if node.scene is None), default=LETTER)
        only = [node.children[0] for node in self.tree.inner if len(node.children) == 1]
        places = tree_places(self.tree.below, self.tree.root.name, dict.fromkeys(only, 2))
        self.slot = 2 * OWN + 14 if exercise.kind == "max-n" else SLOT * (2 if exercise.kind == "uct" else 1)
        left = MARGIN + (BOARD + SIDE + 4 if self.has_boards else WINDOW[0] / 2)
        top = MARGIN + SIDE + (WINDOW[1] if self.has_windows else 0)
        self.places = {name: (left + x * self.slot, top + ply * DOWN) for name, (x, ply) in places.items()}

    def parts(self) -> Iterator[str]:
        """The whole picture: the branches first, and the nodes over them."""
        deepest = max(y for _, y in self.places.values())
        height = deepest + SIDE + MARGIN + (LEAF_BOARD if self.has_boards else 0)
        width = max(x for x, _ in self.places.values()) + WINDOW[0] / 2 + MARGIN
        scale = min(MILLIMETRES, PAGE / width, (SOLVED_HEIGHT if self.run else HEIGHT) / height)
        size = f'width="{width * scale:.4g}mm" viewBox="0 0 {width:g} {height:g}"'
        filled = ", filled in" if self.run else ""
        yield f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" {size} role="img"'
        yield f' font-family="system-ui,sans-serif"><title>The tree{filled}</title>'
        for node in self.tree.nodes.values():
            if node.parent is not None:
                yield from self._branch(node, node.parent)
        for node in self.tree.nodes.values():
            yield from self._leaf(node) if node.role == "leaf" else self._inner(node)
        yield "</svg>\n"

    def _visit(self, node: TreeNode) -> Visit | None:
        return self.run.visits.get(node.name) if self.run else None

    def _is_spared(self, node: TreeNode) -> bool:
        return self.run is not None and node.name not in self.run.visits

    def _branch(self, node: TreeNode, parent: str) -> Iterator[str]:
        """The line from the node above; in a solution, struck through where it is cut, thick where chosen."""
        (x1, y1), (x2, y2) = self.places[parent], self.places[node.name]
        y1 += SIDE
        y2 -= SQUARE if node.role == "leaf" else SIDE + (WINDOW[1] if self.has_windows else 0)
        above = self._visit(self.tree.nodes[parent])
        is_cut = above is not None and node.name in above.skipped
        chosen = above is not None and parent == self.tree.root.name and above.best == node.name
        colour = CUT if is_cut else FAINT if self._is_spared(node) else INK
        dashes = ' stroke-dasharray="5 4"' if self._is_spared(node) else ""
        line = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"{dashes}'
        yield f'<line {line} stroke-width="{3.5 if chosen else 1.2}"/>'
        if is_cut:
            x, y = x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.3
            yield f'<path d="M{x - 9:g} {y + 3:g}l14 -8M{x - 6:g} {y + 8:g}l14 -8" stroke="{CUT}" '
            yield 'stroke-width="2.2" fill="none"/>'
        move = node.action if len(node.action) <= LONGEST else f"{node.action[: LONGEST - 1]}…"
        x, y = x1 + (x2 - x1) * 0.64, y1 + (y2 - y1) * 0.64
        yield _text(x, y + 4, move, 11, halo=True)
        if node.probability is not None:
            yield _text(x, y + 18, str(node.probability), 12, bold=True, halo=True)

    def _inner(self, node: TreeNode) -> Iterator[str]:
        x, y = self.places[node.name]
        visit, spared = self._visit(node), self._is_spared(node)
        ink = f'stroke="{FAINT}" stroke-dasharray="4 3"' if spared else f'stroke="{INK}"'
        own = node.role == "player"
        fill = PAPER if spared else PLAYERS[node.player % len(PLAYERS)] if own else FILLS[node.role]
        shape = broad(x, y, OWN, SIDE, 9) if own else outline(node.role, x, y, SIDE)
        yield f'{shape} fill="{fill}" {ink} stroke-linejoin="round"/>'
        side = y - SIDE / 2 + 4 if node.role == "max" else y + SIDE / 2 + 4
        yield _text(x + (OWN + 9 if own else SIDE + 2), side, node.name, 14, bold=True)
        if own:
            yield _text(x - OWN + 12, y - 8, f"P{node.player}", 11, bold=True)
        if visit and not (node.visits and node.parent is None):
            found = f"{visit.value:.2f}" if node.visits else worth(visit.values or visit.value)
            down = {"max": 10, "chance": 5, "player": 12}.get(node.role, 0)
            yield _text(x, y + down, found, 14, bold=True)
        if self.has_windows:
            yield from self._window(x, y - SIDE - WINDOW[1], visit, spared=spared)
        if node.parent is not None or self.run:  # on a sheet, the root has a larger one
            yield from self._board(node, x - SIDE - 4 - BOARD, y - BOARD / 2, BOARD)

    def _window(self, x: float, y: float, visit: Visit | None, *, spared: bool) -> Iterator[str]:
        """The box for alpha and beta, empty or filled in."""
        width, height = WINDOW
        box = f'x="{x - width / 2:g}" y="{y:g}" width="{width}" height="{height}" rx="4"'
        yield f'<rect {box} fill="{PAPER}" stroke="{FAINT}" stroke-width="0.8"/>'
        if visit:
            low, high = map(_short, visit.window)
            yield _text(x, y + 15, f"({low}, {high})", 13)
        elif spared:
            yield _text(x, y + 15, "\N{EN DASH}", 13)
        else:
            yield _text(x - width / 2 + 7, y + 15, "(", 14)
            yield _text(x, y + 15, ",", 14)
            yield _text(x + width / 2 - 7, y + 15, ")", 14)

    def _leaf(self, node: TreeNode) -> Iterator[str]:
        x, y = self.places[node.name]
        spared = self._is_spared(node)
        ink = f'stroke="{FAINT}" stroke-dasharray="4 3"' if spared else f'stroke="{INK}"'
        if node.values:
            yield f'{broad(x, y, OWN, SQUARE, 0)} fill="{FILLS["leaf"]}" {ink}/>'
        else:
            yield f'{outline("leaf", x, y, SQUARE)} fill="{FILLS["leaf"]}" {ink}/>'
        if node.leaf == "end" and not node.values:
            yield f'{outline("leaf", x, y, SQUARE - 3)} fill="none" {ink} stroke-width="0.7"/>'
        value = worth(node.values or node.value).replace("-", "\N{MINUS SIGN}")
        yield _text(x, y + 5, value, 13, bold=True, faint=spared)
        yield from self._board(node, x - LEAF_BOARD / 2, y + SQUARE + 4, LEAF_BOARD)

    def _board(self, node: TreeNode, x: float, y: float, size: float) -> Iterator[str]:
        """The board in a square of that size: as a scene, or in characters if they are few.

        All boards of a tree have letters of one size: the same piece is not large here and small there.
        """
        if not _fits(node):
            return
        if node.scene is not None:
            scale = size / max(node.scene.width, node.scene.height)
            across, down = node.scene.width * scale, node.scene.height * scale
            top = y if node.role == "leaf" else y + (size - down) / 2
            yield scene_group(node.scene, x + (size - across) / 2, top, scale)
            return
        lines, letter = node.text.splitlines(), self.letter
        left = x + (size - max(map(len, lines)) * letter * WIDE) / 2
        top = y if node.role == "leaf" else y + (size - len(lines) * letter) / 2
        yield f'<g font-family="ui-monospace,monospace" font-size="{letter:.3g}" xml:space="preserve">'
        for number, line in enumerate(lines, 1):
            yield f'<text x="{left:g}" y="{top + number * letter:g}">{clean(line)}</text>'
        yield "</g>"


def _fits(node: TreeNode) -> bool:
    lines = node.text.splitlines()
    small = len(lines) <= LINES and max(map(len, lines), default=0) <= CHARACTERS
    return node.scene is not None or (bool(lines) and small)


def _letter(node: TreeNode) -> float:
    """The largest letters in which the board of a node has room beside it."""
    lines, size = node.text.splitlines(), LEAF_BOARD if node.role == "leaf" else BOARD
    return min(LETTER, size / len(lines), size / max(1, *map(len, lines)) / WIDE)


def _short(value: float) -> str:
    return written(value).replace("inf", "∞").replace("-", "\N{MINUS SIGN}")


def _text(
    x: float, y: float, words: str, size: int, *, bold: bool = False, halo: bool = False, faint: bool = False
) -> str:
    more = ' font-weight="600"' if bold else ""
    more += f' paint-order="stroke" stroke="{PAPER}" stroke-width="4"' if halo else ""
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle"'
    return f'<text {place} fill="{FAINT if faint else INK}"{more}>{clean(words)}</text>'


def clean(words: str) -> str:
    """Words that somebody else chose, as HTML and SVG may hold them."""
    shown = (character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in words)
    return escape("".join(shown))
