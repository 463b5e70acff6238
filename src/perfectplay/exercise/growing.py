"""Growing a tree from a real position: some moves on, some of the moves, by chance that a seed decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from random import Random
from typing import Any, TypeVar

from perfectplay.errors import BrokenGameError
from perfectplay.exercise.tree import Tree, TreeNode, has_heuristic, name_nodes, number_leaves, worth_to_max
from perfectplay.game import MAX, Game, same_side

LEAVES = range(5, 15)  # so many of them make a tree that fits on a page and in a quarter of an hour
WHOLE = (4, 4, 4, 4)  # the most moves at each ply of a game that is drawn to its end
SHAPES = ((3, 3), (3, 4), (4, 3), (2, 3, 2), (3, 2, 2), (2, 2, 3), (2, 2, 2, 2))  # moves at each ply
ORDERS = 12  # attempts at another order of the moves, where the whole game is small
NEAR = 20  # attempts at a position that was asked for, before moving on from it
ATTEMPTS = 160
LONGEST = 120  # moves that are played to find a position
MOST_ACTIONS = 1000  # that are looked at in a position
STAGES = (  # up to that share of the attempts: values that differ at least, nodes with one move at most
    (0.4, 5, 0),
    (0.7, 3, 1),
    (1.0, 2, 99),
)

Item = TypeVar("Item")


class Chance:
    """Chance that comes out the same for the same words, on every machine and in every Python.

    Python promises that of `random()` after an integer seed, and not of choosing or shuffling.
    """

    def __init__(self, *words: object) -> None:
        digest = blake2b(":".join(map(str, words)).encode(), digest_size=8).digest()
        self._random = Random(int.from_bytes(digest, "big"))  # noqa: S311 - nothing secret hangs on it

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1."""
        return int(self._random.random() * count)

    def one(self, items: Sequence[Item]) -> Item:
        """Any of them."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """All of them in any order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]


def trees(game: Game[Any, Any], state: Any, seed: int, *, stay: bool) -> Iterator[tuple[list[str], Tree]]:
    """Trees that may do, one after the other, each with the moves that lead to its root.

    A small game is drawn whole, in another order of its moves for every seed but 0. Of any other, some
    moves of some position are drawn; `stay` prefers the position itself to those further on.
    """
    for order in range(ORDERS):
        grown = _grown(game, state, WHOLE, Chance("order", seed, order), mixed=bool(seed or order))
        if grown is None or any(node.omitted or node.leaf == "estimate" for node in grown.nodes.values()):
            break  # in no order is it better
        if _is_lively(grown, len(STAGES) - 1):
            yield [], grown
    around = NEAR if stay else ATTEMPTS
    for attempt in range(ATTEMPTS):
        share = attempt % around / around
        stage = next(number for number, (last, _, _) in enumerate(STAGES) if share < last)
        chance = Chance("tree", seed, attempt)
        line, position = _played(game, state, chance, attempt // NEAR if stay else None)
        shape = chance.one(SHAPES)
        grown = _grown(game, position, shape, chance)
        if grown and _is_lively(grown, stage):
            yield line, grown


def _played(game: Game[Any, Any], state: Any, chance: Chance, count: int | None) -> tuple[list[str], Any]:
    """So many moves from the state, or any number of them, but not to the end of the game."""
    states, names = [state], list[str]()
    while len(names) < (LONGEST if count is None else count):
        action = chance.one(_actions(game, states[-1]))
        after = game.result(states[-1], action)
        if game.is_terminal(after):
            break
        states.append(after)
        names.append(str(game.action_name(action)))
    kept = len(names) if count is not None else chance.below(len(states))
    return names[:kept], states[kept]


def _grown(
    game: Game[Any, Any], state: Any, shape: Sequence[int], chance: Chance, *, mixed: bool = True
) -> Tree | None:
    """The tree below a state, ply by ply, or None if it has too few leaves or too many.

    So many moves are drawn at each ply as the shape says; mixed: in any order, and not always the first.
    """
    nodes = [_node(game, state, "", 0, len(shape))]
    parents = [0]
    for number, node in enumerate(nodes):
        if node.role == "leaf":
            continue
        actions = _actions(game, node.state)
        width = shape[node.ply]
        if width > 2 and shape is not WHOLE and chance.below(4) == 0:
            width -= 1  # not all families are of one size
        chosen = (chance.shuffled(actions) if mixed else actions)[:width]
        node.omitted = len(actions) - len(chosen)
        for action in chosen:
            after = game.result(node.state, action)
            nodes.append(_node(game, after, str(game.action_name(action)), node.ply + 1, len(shape)))
            parents.append(number)
        if sum(each.role == "leaf" for each in nodes) >= LEAVES.stop:
            return None
    leaves = [node for node in nodes if node.role == "leaf"]
    if len(leaves) not in LEAVES or max(node.ply for node in leaves) < 2:
        return None
    name_nodes(nodes, parents)
    guessed = has_heuristic(game) or any(leaf.worth for leaf in leaves if leaf.leaf == "estimate")
    return Tree(nodes, number_leaves(leaves), guessed=guessed)


def _node(game: Game[Any, Any], state: Any, action: str, ply: int, deepest: int) -> TreeNode:
    leaf = "end" if game.is_terminal(state) else "estimate" if ply == deepest else ""
    if leaf:
        return TreeNode(None, action, ply, state, "leaf", leaf, worth_to_max(game, state, leaf))
    return TreeNode(None, action, ply, state, "max" if same_side(game.to_move(state), MAX) else "min")


def _actions(game: Game[Any, Any], state: Any) -> list[Any]:
    actions = list(islice(game.actions(state), MOST_ACTIONS))
    if not actions:
        raise BrokenGameError("a state has no actions and is not terminal: check_game says where.")
    return actions


def _is_lively(tree: Tree, stage: int) -> bool:
    """Is there something to choose, and something to compare?"""
    _, differing, lone = STAGES[stage]
    if len(tree.root.children) < 2 or len(tree.inner) < 3:
        return False
    if sum(len(node.children) == 1 for node in tree.inner) > lone:
        return False
    return len({leaf.value for leaf in tree.leaves}) >= differing
