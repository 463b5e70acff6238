"""Run: what the algorithm did at every node of the tree, read off its trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from perfectplay.exercise.random_trees import RANDOM_KINDS
from perfectplay.exercise.tree import Tree
from perfectplay.game import MAX
from perfectplay.textbook import Node, expectiminimax, max_n
from perfectplay.textbook.alpha_beta_search import max_value as alpha_beta_value
from perfectplay.textbook.minimax_search import max_value as minimax_value
from perfectplay.textbook.monte_carlo_tree_search import C, ucb1
from perfectplay.trace import Trace, trace

# Called for MAX at any root, the book's functions give all values to MAX, whoever is to move there.
FUNCTIONS: dict[str, Callable[..., Any]] = {"minimax": minimax_value, "alpha-beta": alpha_beta_value}
PLAIN: dict[str, Callable[..., Any]] = {"expectiminimax": expectiminimax, "max-n": max_n}
KINDS = (*FUNCTIONS, *RANDOM_KINDS)

Window = tuple[float, float]


class Step(NamedTuple):
    """A branch that was looked at."""

    child: str
    value: float  # that came back
    so_far: float  # the value of the node after it


@dataclass
class Visit:
    """What happened at a node that was looked at."""

    value: float
    best: str | None  # the child whose value it is
    values: tuple[float, ...] = ()  # to every player, where each has its own
    window: Window = (-inf, inf)  # on entering
    left_with: Window = (-inf, inf)  # when the node was done
    cut: str = ""  # the comparison that ended the loop over its branches, as in "2 <= alpha 3"
    steps: list[Step] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # children that were never looked at


class Run:
    """The visits by the names of their nodes; a node that was never looked at has none."""

    def __init__(self, tree: Tree, kind: str) -> None:
        self.tree = tree
        if kind in FUNCTIONS:
            self.visits = _visits(trace(FUNCTIONS[kind], tree.explicit(), seconds=inf, player=MAX))
        elif kind in PLAIN:
            self.visits = _plain_visits(trace(PLAIN[kind], tree.explicit(), seconds=inf))
        else:
            self.visits = _scores(tree)

    @property
    def has_cut(self) -> bool:
        """Was anything skipped?"""
        return len(self.visits) < len(self.tree.nodes)

    def cutter(self, name: str) -> str | None:
        """The node whose cut spared a node, or None if it was looked at."""
        above = self.tree.nodes[name].parent
        if name in self.visits or above is None:
            return None
        return above if above in self.visits else self.cutter(above)


def _plain_visits(recorded: Trace) -> dict[str, Visit]:
    """The same of an algorithm that looks at everything and has no window."""
    names = [node.action or "A" for node in recorded.nodes]
    visits = {
        name: Visit(node.value or 0, node.best, tuple(node.values or ()))
        for name, node in zip(names, recorded.nodes, strict=True)
    }
    for name, below in zip(names, recorded.children, strict=True):
        for child in below:
            value = visits[names[child]].value
            visits[name].steps.append(Step(names[child], value, value))
    return visits


def _scores(tree: Tree) -> dict[str, Visit]:
    """What UCB1 says of every child, by the textbook's own function on nodes with these playouts."""
    game = tree.explicit_children()
    root = Node(game, game.initial(), None)
    root.playouts = tree.root.visits
    found: dict[str, Visit] = {}
    for child in tree.children(tree.root.name):
        node = Node(game, child.name, root)
        node.playouts, node.totals = child.visits, [float(child.total), -float(child.total)]
        found[child.name] = Visit(ucb1(node, C), None)
    best = max(found, key=lambda name: found[name].value)
    steps = [Step(name, visit.value, visit.value) for name, visit in found.items()]
    return {tree.root.name: Visit(found[best].value, best, steps=steps), **found}


def _visits(recorded: Trace) -> dict[str, Visit]:
    """The nodes of a trace by their names in the tree, which are those of the actions that lead to them."""
    names = [node.action or "A" for node in recorded.nodes]
    visits: dict[str, Visit] = {}
    for name, node in zip(names, recorded.nodes, strict=True):
        if node.skipped is None:
            assert node.value is not None
            visits[name] = Visit(node.value, node.best, cut=node.cut or "")
            if node.alpha is not None and node.beta is not None:
                visits[name].window = visits[name].left_with = (node.alpha, node.beta)
        else:
            visits[names[node.parent or 0]].skipped.append(name)
    _add_steps(recorded, names, visits)
    return visits


def _add_steps(recorded: Trace, names: list[str], visits: dict[str, Visit]) -> None:
    """What the variables of each node were when its next branch was tried, and at its end."""
    variables: dict[str, dict[str, Any]] = {name: {} for name in visits}
    tried: dict[str, str] = {}  # the last branch of each node

    def end_step(name: str, so_far: float) -> None:
        if name in tried:
            child = tried.pop(name)
            visits[name].steps.append(Step(child, visits[child].value, so_far))

    for event in recorded.events:
        name = names[event.node]
        if event.kind in ("call", "line"):
            variables[name] |= event.data
        elif event.kind == "try":
            end_step(name, variables[name]["v"])
            tried[name] = names[event.data["node"]]
    for name, visit in visits.items():
        end_step(name, visit.value)
        if "alpha" in variables[name]:
            visit.left_with = variables[name]["alpha"], variables[name]["beta"]
