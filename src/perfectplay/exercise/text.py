"""An exercise as text: the boards if they are small, and the tree with blanks."""

from __future__ import annotations

from collections.abc import Iterator

from perfectplay.exercise.exercise import Exercise
from perfectplay.exercise.tree import TreeNode
from perfectplay.trace.source import worth

WIDTH = 78  # characters across
LINES, CHARACTERS = 9, 24  # the largest boards that are shown of every node
GAP = "    "
BLANKS = {
    "alpha-beta": "  ( ___ , ___ )  value ___",
    "max-n": "  values ( ___ , ___ , ___ )",
    "uct": "  UCB1 ___",
}
BLANK = "  value ___"


def tree_text(exercise: Exercise, *, blanks: bool = False) -> str:
    """The tree, node by node, with room for answers if so wished."""
    after = BLANKS.get(exercise.kind, BLANK) if blanks else ""
    return "\n".join(_lines(exercise, exercise.tree.root, "", "", after))


def boards_text(exercise: Exercise) -> str:
    """The boards of the nodes side by side, or only that of the root where they are large."""
    shown = [node for node in exercise.tree.inner if node.text and not node.visits]
    if any(len(node.text.splitlines()) > LINES or _width(node) > CHARACTERS for node in shown):
        shown = shown[:1]
    rows: list[list[TreeNode]] = []
    for node in shown:
        if not rows or sum(_width(each) + len(GAP) for each in rows[-1]) + _width(node) > WIDTH:
            rows.append([])
        rows[-1].append(node)
    return "\n\n".join("\n".join(_row(row)) for row in rows)


def sheet_text(exercise: Exercise) -> str:
    """Everything that a student needs: the rules, the boards, the tree, and what there is to know of it."""
    parts = ["\n".join(f"- {rule}" for rule in exercise.rules), exercise.position]
    parts += [boards_text(exercise), tree_text(exercise, blanks=True), " ".join(exercise.notes)]
    return "\n\n".join(filter(None, parts))


def _lines(exercise: Exercise, node: TreeNode, branch: str, indent: str, blanks: str) -> Iterator[str]:
    likely = f" ({node.probability})" if node.probability is not None else ""
    reached = f"{branch}{node.action}{likely}: " if node.parent is not None else ""
    if node.role == "leaf":
        yield f"{reached}[{worth(node.values or node.value)}]"
        return
    playouts = f"  {', '.join(node.text.splitlines())}" if node.visits else ""
    yield f"{reached}{node.name} {node.mover}{playouts}{'' if node.visits and not node.parent else blanks}"
    children = exercise.tree.children(node.name)
    for child in children:
        joint, deeper = ("└─ ", "   ") if child is children[-1] else ("├─ ", "│  ")
        yield from _lines(exercise, child, indent + joint, indent + deeper, blanks)


def _width(node: TreeNode) -> int:
    return max(map(len, [node.name, *node.text.splitlines()]))


def _row(nodes: list[TreeNode]) -> Iterator[str]:
    """Boards side by side under their names, each with its lower edge on the same line."""
    columns = []
    height = max(len(node.text.splitlines()) for node in nodes)
    for node in nodes:
        lines = node.text.splitlines()
        padded = [node.name, *lines, *[""] * (height - len(lines))]
        columns.append([line.ljust(_width(node)) for line in padded])
    for parts in zip(*columns, strict=True):
        yield GAP.join(parts).rstrip()
