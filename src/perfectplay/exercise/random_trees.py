"""Trees by chance alone, whose numbers come out round: for expectiminimax, max^n and UCB1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from perfectplay.errors import NoExerciseError
from perfectplay.exercise.growing import Chance
from perfectplay.exercise.tree import Tree, TreeNode, name_nodes

ATTEMPTS = 2000
PLAYERS = 3
ODDS = tuple(  # of what chance may bring, in parts of the whole
    tuple(Fraction(part, sum(parts)) for part in parts)
    for parts in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 1, 2), (2, 1, 1), (1, 1, 1), (1, 4), (2, 3))
)
FACES = {2: ("heads", "tails"), 3: ("red", "green", "blue")}
LETTERS = "abcdefghij"


def random_tree(kind: str, seed: int) -> Tree:
    """A tree for an exercise of this kind: the same one for the same seed, on every machine."""
    make = MAKERS[kind]
    for attempt in range(ATTEMPTS):
        tree = make(Chance(kind, seed, attempt))
        if tree is not None:
            return tree
    raise NoExerciseError(f"no tree for {kind} was found with seed {seed}: try another.")


class _Growing:
    """Nodes ply by ply, each with the number of its parent."""

    def __init__(self, role: str) -> None:
        self.nodes = [TreeNode(None, "", 0, None, role)]
        self.parents = [0]

    def add(self, parent: int, action: str, role: str) -> int:
        self.nodes.append(TreeNode(None, action, self.nodes[parent].ply + 1, None, role))
        self.parents.append(parent)
        return len(self.nodes) - 1

    def tree(self) -> Tree:
        name_nodes(self.nodes, self.parents)
        for leaf in self.nodes:
            leaf.leaf = "end" if leaf.role == "leaf" else ""
        return Tree(self.nodes, "")


def _with_chance(chance: Chance) -> Tree | None:
    """MAX, then chance, then MIN or the end; averages are whole, and one action is the best."""
    grown = _Growing("max")
    odds = [chance.one(ODDS) for _ in range(2 + chance.below(2))]
    circles = [grown.add(0, f"a{number}", "chance") for number in range(1, len(odds) + 1)]
    outcomes: list[tuple[int, list[int]]] = []
    for circle, shares in zip(circles, odds, strict=True):
        below = []
        for share, face in zip(shares, FACES[len(shares)], strict=True):
            role = "min" if len(shares) == 2 and chance.below(2) else "leaf"
            below.append(grown.add(circle, face, role))
            grown.nodes[below[-1]].probability = share
        outcomes.append((circle, below))
    averages = []
    for _, below in outcomes:
        total = Fraction(0)
        for number in below:
            node = grown.nodes[number]
            worth = 2 * chance.below(11) - 4 if chance.below(2) else 3 * chance.below(8) - 6
            if node.role == "min":
                worths = [worth, worth + 1 + chance.below(9)]
                for action, each in zip("xy", chance.shuffled(worths), strict=True):
                    grown.nodes[grown.add(number, action, "leaf")].value = each
            node.value = worth
            assert node.probability is not None
            total += node.probability * worth
        averages.append(total)
    kinds = {node.role for node in grown.nodes}
    lively = len(set(averages)) == len(averages) and "min" in kinds
    if not lively or any(average.denominator != 1 for average in averages):
        return None
    return grown.tree()


def _for_three(chance: Chance) -> Tree | None:
    """Three players, one after the other, two actions each; nobody has a choice between equals."""
    grown = _Growing("player")
    level, letters = [0], iter(LETTERS * 2)
    for player in range(1, PLAYERS):
        level = [grown.add(above, next(letters), "player") for above in level for _ in range(2)]
        for number in level:
            grown.nodes[number].player = player
    leaves = [grown.add(above, action, "leaf") for above in level for action in "xy"]
    for leaf in leaves:
        grown.nodes[leaf].values = tuple(chance.below(10) for _ in range(PLAYERS))
    return grown.tree() if _has_no_ties(grown, 0) else None


def _has_no_ties(grown: _Growing, number: int) -> bool:
    return _chosen(grown, number) is not None


def _chosen(grown: _Growing, number: int) -> tuple[int, ...] | None:
    """The values of a node, or None where somebody below has a choice between equals."""
    node = grown.nodes[number]
    if node.role == "leaf":
        return node.values
    below = [each for each, parent in enumerate(grown.parents) if parent == number and each]
    values = [_chosen(grown, each) for each in below]
    if None in values or len({each[node.player] for each in values if each}) < len(values):
        return None
    return max((each for each in values if each), key=lambda each: each[node.player])


def _playouts(chance: Chance) -> Tree | None:
    """A node with three or four children, each with its playouts and what they were worth to MAX."""
    grown = _Growing("max")
    for number in range(3 + chance.below(2)):
        child = grown.nodes[grown.add(0, f"a{number + 1}", "min")]
        child.visits = chance.one((2, 3, 4, 5, 6, 8, 10, 12, 20))
        child.total = chance.below(2 * child.visits + 1) - child.visits
        child.text = f"U = {child.total}\nN = {child.visits}"
    root = grown.nodes[0]
    root.visits = sum(node.visits for node in grown.nodes[1:])
    root.text = f"N = {root.visits}"
    averages = {Fraction(node.total, node.visits) for node in grown.nodes[1:]}
    counts = {node.visits for node in grown.nodes[1:]}
    return grown.tree() if len(averages) > 1 and len(counts) == len(grown.nodes) - 1 else None


MAKERS: dict[str, Callable[[Chance], Tree | None]] = {
    "expectiminimax": _with_chance,
    "max-n": _for_three,
    "uct": _playouts,
}
RANDOM_KINDS = tuple(MAKERS)
