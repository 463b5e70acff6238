"""The tree of a trace as indented text."""

from __future__ import annotations

from collections.abc import Iterator

from perfectplay.trace.document import Node, Trace
from perfectplay.trace.source import odds, worth, written

ENDS = {"end": "end of the game", "estimate": "estimate", "table": "from the table"}


def drawn(trace: Trace, most: int | None = None) -> str:
    """The tree, of at most so many lines, and under it what came out and what it cost."""
    lines = list(_lines(trace))
    left = 0 if most is None else max(len(lines) - most, 0)
    kept = lines[: len(lines) - left] + ([f"... and {left:,} lines more"] if left else [])
    return "\n".join([*kept, "", *_summary(trace)])


def _lines(trace: Trace) -> Iterator[str]:
    """The nodes from the root down, depth first, without recursion: a tree may be deep."""
    children = trace.children
    waiting = [(0, "", "")]
    while waiting:
        number, branch, indent = waiting.pop()
        yield branch + _node(trace.nodes[number])
        below = children[number]
        last = below[-1] if below else None
        for child in reversed(below):
            joint, deeper = ("└─ ", "   ") if child == last else ("├─ ", "│  ")
            waiting.append((child, indent + joint, indent + deeper))


def _node(node: Node) -> str:
    """A node in one line: how it was reached, who chooses, the window, the value, and why it ends."""
    words = [f"{_reached(node)}:"] if node.action is not None else []
    if node.skipped is not None:
        return " ".join([*words, f"skipped, for {node.skipped}"])
    if node.role != "end":
        words.append(f"PLAYER {node.player}" if node.role == "player" else node.role.upper())
    if node.alpha is not None and node.beta is not None:
        words.append(f"({written(node.alpha)}, {written(node.beta)})")
    if node.visits is not None:
        words.append(f"{node.visits:,} playout{'s' * (node.visits != 1)}")
    if (found := node.values or node.value) is not None:
        words.append(f"= {worth(found)}")
    elif node.limits is not None:
        words.append(f"between {written(node.limits[0])} and {written(node.limits[1])}")
    if node.best is not None:
        words.append(f"by {node.best}")
    if node.leaf is not None:
        words.append(f"[{ENDS[node.leaf]}]")
    if node.cut is not None:
        words.append(f"[cut: {node.cut}]")
    return " ".join(words)


def _reached(node: Node) -> str:
    """The action that leads to a node; with its probability where chance takes it."""
    probed = ", probed" if node.probe else ""
    likely = f" ({odds(node.probability)})" if node.probability is not None else ""
    return f"{node.action}{likely}{probed}"


def _summary(trace: Trace) -> Iterator[str]:
    totals = trace.totals
    if (found := trace.values or trace.value) is not None:
        move = f", by {trace.action}" if trace.action else ""
        what = "average" if trace.playouts else "value"
        yield f"{what:9} {worth(found)} to {trace.values_to}{move}"
    if trace.playouts:
        yield f"playouts  {totals['playouts']:,}, which made {totals['nodes']:,} nodes"
    else:
        chance = f", {totals['chance_nodes']:,} of chance" if totals["chance_nodes"] else ""
        yield f"nodes     {totals['nodes']:,}, {totals['leaves']:,} of them leaves{chance}"
    if totals["prunings"]:
        never = f", {totals['never_generated']:,} never generated" if totals["never_generated"] else ""
        yield f"prunings  {totals['prunings']:,}, which skipped {totals['skipped']:,} actions{never}"
    if totals["table_misses"]:
        yield (
            f"table     {totals['table_entries']:,} entries, {totals['table_hits']:,} hits, "
            f"{totals['table_misses']:,} misses"
        )
    if totals["bounds_believed"]:
        yield f"errata    {totals['bounds_believed']:,} bounds are stored as if they were values"
    if trace.note:
        yield trace.note
