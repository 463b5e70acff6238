"""A still picture of the tree of a trace, for a lecture or a paper."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from perfectplay.scene import xml_text
from perfectplay.trace.document import Node, Trace
from perfectplay.trace.source import odds, written

LEAVES = 26  # side by side on a page; what is below them is folded
PLIES = 9  # likewise, one below the other
ACROSS, DOWN = 56, 84  # from leaf to leaf, and from a ply to the next
WIDEST = 110  # where the names of actions are long
MARGIN = 44
SIDE = 15  # half of a node
INK, FAINT, CUT = "#22262b", "#8a9099", "#b3261e"
Name = TypeVar("Name", bound=Hashable)  # of a node: its number, or whatever it is called
FILLS = {"max": "#dbe8f7", "min": "#fbe3d3", "chance": "#e9f0dc", "end": "#f4f1ea"}
PLAYERS = ("#dbe8f7", "#fbe3d3", "#eadcf5", "#dcefe4", "#f7e9c6", "#f3d9e2")  # and again from the first on
LETTER = 6.6  # about as wide as one
LONG, DIGITS = 6, 3  # values of more letters are rounded to so many digits


def drawn(trace: Trace) -> str:
    """The tree as SVG: MAX points up and MIN down, windows at the edges, cut branches dashed."""
    shown = _shown(trace)
    wide = _wide(trace, shown)
    longest = max(len(trace.nodes[number].action or "") for number in shown)
    across = max(ACROSS, 2 * wide + 10, min(9 * longest + 18, WIDEST))
    margin = max(MARGIN, wide + 8)
    places = {
        number: (margin + x * across, MARGIN + ply * DOWN)
        for number, (x, ply) in tree_places(shown, 0).items()
    }
    width = 2 * margin + max(x for x, _ in places.values())
    legend = MARGIN + max(y for _, y in places.values()) + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {legend + 20:g}" width="{width:g}" '
        f'height="{legend + 20:g}" font-family="system-ui,sans-serif" font-size="12" role="img">',
        f"<title>{xml_text(trace.algorithm)} on {xml_text(trace.game)}</title>",
        f'<rect width="{width:g}" height="{legend + 20:g}" fill="#fff"/>',
    ]
    for number in shown:
        parts += _edge(trace.nodes[number], places, number)
    children = trace.children
    below = _below(children)
    for number in shown:
        folded = below[number] if not shown[number] else 0
        parts += _node(trace.nodes[number], *places[number], wide, folded=folded)
    totals = trace.totals
    cost = f"{totals['playouts']:,} playouts" if trace.playouts else f"{totals['prunings']:,} prunings"
    words = f"{trace.algorithm}: {totals['nodes']:,} nodes, {cost}"
    parts.append(_text(MARGIN - SIDE, legend, words, INK, "start", 12))
    if trace.note:
        parts.append(
            f'<text x="{MARGIN - SIDE}" y="{legend + 15:g}" fill="{CUT}">{xml_text(trace.note)}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def _shown(trace: Trace) -> dict[int, list[int]]:
    """The nodes of the picture, each with those below it, so many as a page has room for.

    Whole families are shown: those of the line of best play first, and then as many as there are, ply by ply.
    """
    children = trace.children
    shown: dict[int, list[int]] = {0: []}
    leaves = 1
    for number in [*_best_line(trace), *_by_plies(children)]:
        below = children[number]
        room = leaves - 1 + len(below) <= LEAVES and trace.nodes[number].ply < PLIES
        if number in shown and below and not shown[number] and (room or number == 0):
            shown[number] = below
            shown |= {child: [] for child in below}
            leaves += len(below) - 1
    return shown


def _best_line(trace: Trace) -> Iterator[int]:
    """The root, and after each node the one that its best action leads to."""
    at: int | None = 0
    while at is not None:
        yield at
        best = trace.nodes[at].best
        ways = [child for child in trace.children[at] if not trace.nodes[child].probe]
        at = next((child for child in ways if trace.nodes[child].action == best), None)


def _by_plies(children: Sequence[Sequence[int]]) -> Iterator[int]:
    order = [0]
    for number in order:
        yield number
        order += children[number]


def tree_places(
    below: Mapping[Name, Sequence[Name]], root: Name, room: Mapping[Name, float] | None = None
) -> dict[Name, tuple[float, float]]:
    """Where each node of a tree is: leaves side by side, each other node above the middle of its children.

    Across, the unit is the room of one leaf, of which `room` may give some leaves more; down, it is one ply.
    """
    across: dict[Name, float] = {}
    depth = {root: 0}
    taken = 0.0
    waiting = [root]
    while waiting:
        name = waiting.pop()
        children = below[name]
        if not children:
            wanted = (room or {}).get(name, 1)
            across[name] = taken + (wanted - 1) / 2
            taken += wanted
        elif children[0] in depth:  # its children have been placed
            across[name] = (across[children[0]] + across[children[-1]]) / 2
        else:
            depth |= dict.fromkeys(children, depth[name] + 1)
            waiting += [name, *reversed(children)]
    return {name: (x, depth[name]) for name, x in across.items()}


def outline(role: str, x: float, y: float, side: float) -> str:
    """The shape of a node as SVG, without its end.

    A triangle points up for MAX and down for MIN; a circle is chance; else it is a square.
    """
    if role == "chance":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{side + 2:g}"'
    if role not in ("max", "min"):
        return f'<rect x="{x - side:g}" y="{y - side:g}" width="{2 * side:g}" height="{2 * side:g}"'
    tip = -side if role == "max" else side
    corners = f"{x:g},{y + tip:g} {x - side - 4:g},{y - tip:g} {x + side + 4:g},{y - tip:g}"
    return f'<polygon points="{corners}"'


def broad(x: float, y: float, half: float, side: float, rx: float) -> str:
    """A rectangle with room for the values of all players, as SVG, without its end."""
    place = f'x="{x - half:g}" y="{y - side:g}" width="{2 * half:g}" height="{2 * side:g}"'
    return f'<rect {place} rx="{rx:g}"'


def _wide(trace: Trace, shown: Mapping[int, Sequence[int]]) -> float:
    """Half of what the widest node needs; nothing where all values are single numbers."""
    letters = [len(_value(trace.nodes[number])) for number in shown if trace.nodes[number].values]
    return LETTER * max(letters) / 2 + 7 if letters else 0


def _value(node: Node) -> str:
    """What is written into a node, in a few letters."""
    if node.values is not None:
        return f"({', '.join(map(rounded, node.values))})"
    if node.value is None and node.limits is not None:  # all that is known is what a probe has found
        lower, upper = map(rounded, node.limits)
        return lower if lower == upper else f"{lower}..{upper}"
    return "" if node.value is None else rounded(node.value)


def rounded(value: float) -> str:
    """A number in a few letters."""
    text = written(value)
    return text if len(text) < LONG else f"{float(value):.{DIGITS}g}"


def _edge(node: Node, places: dict[int, tuple[float, float]], number: int) -> Iterator[str]:
    """The line from the parent with the action on it, or a dashed one if it was cut."""
    if node.parent is None:
        return
    (x1, y1), (x2, y2) = places[node.parent], places[number]
    skipped = node.skipped is not None
    ink = f'stroke="{CUT}" stroke-dasharray="4 4"' if skipped else f'stroke="{FAINT}"'
    yield f'<line x1="{x1:g}" y1="{y1 + SIDE:g}" x2="{x2:g}" y2="{y2 - SIDE:g}" {ink}/>'
    x, y = x1 + (x2 - x1) * 0.62, y1 + (y2 - y1) * 0.62
    if skipped:
        yield f'<path d="M{x - 6:g} {y + 4:g}l12 -8" stroke="{CUT}" stroke-width="2"/>'
    likely = node.probability is not None
    yield _text(x + 4, y - (11 if likely else 5), node.action or "", FAINT, "start", 10)
    if node.probability is not None:
        yield _text(x + 4, y + 1, odds(node.probability), INK, "start", 11, bold=True)


def _below(children: Sequence[Sequence[int]]) -> list[int]:
    """How many nodes hang below each: a child has a higher number than its parent."""
    count = [0] * len(children)
    for number in reversed(range(len(children))):
        count[number] = sum(1 + count[child] for child in children[number])
    return count


def _node(node: Node, x: float, y: float, wide: float, *, folded: int) -> Iterator[str]:
    """Its shape, by who chooses, with its value, its window and what else is known of it."""
    skipped = node.skipped is not None
    ink = f'stroke="{CUT}" stroke-dasharray="3 3"' if skipped else f'stroke="{INK}"'
    own = node.role == "player"
    fill = "#fff" if skipped else PLAYERS[node.player % len(PLAYERS)] if own else FILLS[node.role]
    joined = "" if node.role == "end" else ' stroke-linejoin="round"'
    shape = outline(node.role, x, y, SIDE)
    if wide and (own or node.values):
        shape = broad(x, y, wide, SIDE + (4 if own else 0), 0 if node.role == "end" else 10)
    yield f'{shape} fill="{fill}"{joined} {ink}/>'
    if skipped:
        return
    if own:
        yield _text(x, y - 5, f"P{node.player}", INK, "middle", 10, bold=True)
    shift = {"max": 4, "min": -4, "player": 7}.get(node.role, 0)
    if value := _value(node):
        size = 12 if len(value) < LONG or node.values else 10
        yield _text(x, y + shift + 4, value, INK, "middle", size, bold=True)
    if node.alpha is not None and node.beta is not None:
        yield _text(x, y - SIDE - 4, f"({_short(node.alpha)}, {_short(node.beta)})", FAINT, "middle", 9)
    below = node.cut or {"table": "table", "estimate": "estimate"}.get(node.leaf or "", "")
    if node.visits is not None:
        below = f"N = {node.visits:,}"
    down = SIDE + (15 if own else 11)
    if below:
        yield _text(x, y + down, below, CUT if node.cut else FAINT, "middle", 9)
    if folded:
        yield _text(x, y + down + (11 if below else 1), f"+{folded:,}", FAINT, "middle", 9)


def _short(value: float) -> str:
    return rounded(value).replace("inf", "∞").replace("-", "\N{MINUS SIGN}")


def _text(x: float, y: float, words: str, ink: str, anchor: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"'
    halo = 'stroke="#fff" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'
    return f'<text {place} fill="{ink}"{weight} {halo}>{xml_text(words)}</text>'
