"""Tree: the small tree that a student sees, its nodes named and its leaves numbered for reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from math import isnan
from numbers import Real
from string import ascii_uppercase
from typing import Any

from perfectplay.errors import BrokenGameError
from perfectplay.game import CHANCE, MAX, MIN, Game
from perfectplay.games import ExplicitTree
from perfectplay.scene import Scene

MOST = 100  # the largest number that a leaf is given, where the game's own are not whole
MOST_OWN = 999  # the largest of the game's own numbers that are left as they are
SCALES = (1, 10, 100)


@dataclass
class TreeNode:
    """A position of the game where it stands in the tree."""

    parent: str | None
    action: str  # the move that leads here, in the game's notation
    ply: int
    state: Any
    role: str  # "max" or "min": who moves; "chance"; "player", who plays for itself; "leaf"
    leaf: str = ""  # why nothing hangs below: "end" of the game, or "estimate"
    worth: float = 0  # of a leaf, to MAX, as the game has it
    value: int = 0  # of a leaf: the number that is shown for it
    omitted: int = 0  # moves that are not drawn
    name: str = ""  # A, B, C, ... ply by ply; a leaf is called after its parent: B1, B2
    children: list[str] = field(default_factory=list)
    text: str = ""  # the board
    scene: Scene | None = None
    probability: Fraction | None = None  # of the branch that leads here, where chance moves
    player: int = 0  # who moves, where everybody plays for itself
    values: tuple[int, ...] = ()  # of a leaf, to every player, where each has its own
    visits: int = 0  # playouts through it, and what they were worth to whoever moves above
    total: int = 0

    @property
    def mover(self) -> str:
        """Who moves, in capital letters."""
        return f"PLAYER {self.player}" if self.role == "player" else self.role.upper()


class Unseen(ExplicitTree):
    """A tree that nobody looks at: pictures of it would take longer than the search."""

    def render(self, state: Any) -> str:
        """No board."""
        return ""

    def scene(self, state: Any) -> None:  # type: ignore[override]
        """No board either."""


class Tree:
    """Nodes by name, the root first and every parent before its children."""

    def __init__(self, nodes: Iterable[TreeNode], numbering: str, *, guessed: bool = True) -> None:
        self.nodes = {node.name: node for node in nodes}
        self.numbering = numbering  # how the numbers of the leaves came about; empty: the game has them so
        self.guessed = guessed  # has the game a heuristic that estimates where it goes on?

    @property
    def root(self) -> TreeNode:
        """Where the search begins."""
        return next(iter(self.nodes.values()))

    @property
    def inner(self) -> list[TreeNode]:
        """The nodes at which somebody moves."""
        return [node for node in self.nodes.values() if node.role != "leaf"]

    @property
    def leaves(self) -> list[TreeNode]:
        """The nodes that show a number."""
        return [node for node in self.nodes.values() if node.role == "leaf"]

    @property
    def below(self) -> dict[str, list[str]]:
        """The children of every node."""
        return {name: node.children for name, node in self.nodes.items()}

    def children(self, name: str) -> list[TreeNode]:
        """The nodes below a node, in the order in which they are tried."""
        return [self.nodes[child] for child in self.nodes[name].children]

    def branch(self, name: str) -> str:
        """What the branch to a node is called: the move, or the node where two moves are called the same."""
        node = self.nodes[name]
        assert node.parent is not None
        namesakes = [other for other in self.children(node.parent) if other.action == node.action]
        return node.action if len(namesakes) == 1 else name

    def spoken(self, names: Sequence[str]) -> str:
        """Branches in a sentence: c2 and c3; where moves are mere numbers, moves 2 and 3."""
        words = [self.branch(name) for name in names]
        listed = " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
        if any(character.isalpha() for character in listed.replace(" and ", "")):
            return listed
        return f"move{'s' if len(words) > 1 else ''} {listed}"

    def explicit(self) -> ExplicitTree:
        """The same tree as a game of its own; an action is called like the node that it leads to."""
        moves = {node.name: {child: child for child in node.children} for node in self.inner}
        sides = {"max": MAX, "min": MIN, "chance": CHANCE}
        turns = {node.name: sides.get(node.role, node.player) for node in self.inner}
        worths: dict[str, Any] = {leaf.name: leaf.values or leaf.value for leaf in self.leaves}
        odds: dict[str, dict[str, Any]] = {
            node.name: {child.name: child.probability or 0 for child in self.children(node.name)}
            for node in self.inner
            if node.role == "chance"
        }
        return Unseen(moves, worths, turns, probabilities=odds)

    def explicit_children(self) -> ExplicitTree:
        """The root and its children alone, as a game that is over after one move."""
        root = self.root
        worths = dict.fromkeys(root.children, 0.0)
        return Unseen({root.name: {child: child for child in root.children}}, worths, {root.name: MAX})


# Naming.


def name_nodes(nodes: list[TreeNode], parents: list[int]) -> None:
    """Name nodes that come ply by ply; `parents` has the number of each one's parent."""
    letters = 0
    for node, parent in zip(nodes, parents, strict=True):
        above = nodes[parent] if node.ply else None
        if node.role == "leaf" and above is not None:
            node.name = f"{above.name}{len(above.children) + 1}"
        else:
            node.name = _letters(letters)
            letters += 1
        if above is not None:
            node.parent = above.name
            above.children.append(node.name)


def _letters(number: int) -> str:
    """A to Z, and then AA, AB, ..."""
    more, letter = divmod(number, 26)
    return (_letters(more - 1) if more else "") + ascii_uppercase[letter]


# Numbers for reading.


def worth_to_max(game: Game[Any, Any], state: Any, leaf: str) -> float:
    """What a leaf is worth to MAX, by the rules or by the heuristic."""
    worth: Any = game.utility(state, MAX) if leaf == "end" else game.evaluate(state, MAX)
    if not isinstance(worth, Real) or isnan(worth):
        method = "utility" if leaf == "end" else "evaluate"
        raise BrokenGameError(f"{method} gave {worth!r}, which is no number: check_game says where.")
    return float(worth)


def has_heuristic(game: Game[Any, Any]) -> bool:
    """Does the game itself estimate, or does the default say 0 of every state?"""
    while isinstance(inner := getattr(game, "game", None), Game):  # what stands around it only looks on
        game = inner
    return type(game).evaluate is not Game.evaluate


def number_leaves(leaves: list[TreeNode]) -> str:
    """Give the leaves small whole numbers in the order of their worths; how that was done, in a sentence."""
    worths = [leaf.worth for leaf in leaves]
    numbers, how = _whole(worths)
    for leaf, number in zip(leaves, numbers, strict=True):
        leaf.value = number
    return how


def _whole(worths: list[float]) -> tuple[list[int], str]:
    """The worths themselves where they are whole, or else scaled and rounded, or else their ranks."""
    if all(abs(worth) <= MOST_OWN and worth == int(worth) for worth in worths):
        return [int(worth) for worth in worths], ""
    distinct = sorted(set(worths))
    for scale in SCALES:
        if max(map(abs, worths)) * scale > MOST:
            break
        rounded = [round(worth * scale) for worth in distinct]
        signs = [(worth != 0) == (number != 0) for worth, number in zip(distinct, rounded, strict=True)]
        if len(set(rounded)) == len(distinct) and all(signs):
            times = f"multiplied by {scale} and rounded" if scale > 1 else "rounded"
            return [round(worth * scale) for worth in worths], f"The numbers at the leaves are {times}."
    negative = [worth for worth in distinct if worth < 0]
    ranks = {worth: rank for rank, worth in enumerate(negative, -len(negative))}
    ranks |= dict(zip((worth for worth in distinct if worth > 0), count(1), strict=False))
    return [ranks.get(worth, 0) for worth in worths], "The numbers at the leaves only say which are larger."
