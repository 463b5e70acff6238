"""A position whose tree can be seen whole: this one, a late one that play leads to, or one to a depth."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from perfectplay.game import Game, choices

MOST = 80  # nodes of a tree that can be taken in at a glance
LEAST_PLIES = 3  # that a tree should have, to be one
MOST_PLIES, MOST_LEAVES = 5, 24  # that fit on a page with letters that can be read
MOST_BROAD = 9  # leaves that do where each has the values of all players
PLAYOUTS = 60
LIMITED = 12  # playouts of them are looked at where trees have to end somewhere
LONGEST = 160  # moves of a playout
SAMPLES = 12  # positions of each
DEEPEST = 4


class Late(NamedTuple):
    """Where to begin: the actions that lead there, and how deep to look if not to the ends."""

    line: tuple[Any, ...]
    depth: int | None
    nodes: int  # of the whole tree


def late_position(game: Game[Any, Any], state: Any, *, seed: int = 0) -> Late:
    """A position that `state` may lead to, with a tree of at most MOST nodes; the same one for the same seed.

    It is `state` itself where its tree is small enough. Of the others those are better where minimax has
    something to find: three plies or more, and values that differ. Where no playout ends so, as in games
    that go round in circles, the tree is limited in depth.
    """
    whole = _seen(game, state, LONGEST)
    if whole:
        return Late((), None, whole.nodes)
    random = Random(seed)  # noqa: S311 - nothing secret hangs on it
    playouts = [_playout(game, state, random) for _ in range(PLAYOUTS)]
    found = [each for line, states in playouts for each in _walked_back(game, line, states)]
    if not found:
        found = [each for line, states in playouts[:LIMITED] for each in _limited(game, line, states)]
    return max(found, key=lambda each: each[0])[1] if found else Late((), 2, 0)


Worth = tuple[bool, bool, int]  # does it fit on a page, is there something to find, and how many nodes has it


class _Tree(NamedTuple):
    nodes: int
    leaves: int
    plies: int
    values: frozenset[float]  # at its ends, to MAX


def _seen(game: Game[Any, Any], state: Any, depth: int) -> _Tree | None:
    """The tree below a state to that depth, or None where it has more than MOST nodes."""
    nodes, leaves, plies, values = 0, 0, 0, set()
    waiting = [(state, 0)]
    while waiting:
        each, ply = waiting.pop()
        nodes, plies = nodes + 1, max(plies, ply)
        if nodes + len(waiting) > MOST:
            return None
        over = game.is_terminal(each)
        if over:
            values.add(game.utility(each, 0))
        if over or ply == depth:
            leaves += 1
        else:
            waiting += [(game.result(each, action), ply + 1) for action in choices(game, each)]
    return _Tree(nodes, leaves, plies, frozenset(values))


def _playout(game: Game[Any, Any], state: Any, random: Random) -> tuple[list[Any], list[Any]]:
    """Actions chosen at random, and the states they lead through."""
    line: list[Any] = []
    states = [state]
    while len(line) < LONGEST and not game.is_terminal(states[-1]):
        line.append(random.choice(list(choices(game, states[-1]))))
        states.append(game.result(states[-1], line[-1]))
    return line, states


def _walked_back(game: Game[Any, Any], line: list[Any], states: list[Any]) -> list[tuple[Worth, Late]]:
    """The last states of a playout whose trees can be seen whole, and how good each is."""
    found: list[tuple[Worth, Late]] = []
    if not game.is_terminal(states[-1]):
        return found
    for index in range(len(line) - 1, -1, -1):
        tree = _seen(game, states[index], LONGEST)
        if tree is None:
            break
        if tree.plies >= LEAST_PLIES:
            worth = _fits(game, tree), len(tree.values) > 1, tree.nodes
            found.append((worth, Late(tuple(line[:index]), None, tree.nodes)))
    return found


def _limited(game: Game[Any, Any], line: list[Any], states: list[Any]) -> list[tuple[Worth, Late]]:
    """States of a playout that can be looked at some plies deep with few nodes, and how good each is."""
    step = max(1, len(line) // SAMPLES)
    return [
        ((_fits(game, tree), depth > 2, tree.nodes), Late(tuple(line[:index]), depth, tree.nodes))
        for index in range(0, len(line), step)
        for depth in range(2, DEEPEST + 1)
        if (tree := _seen(game, states[index], depth)) and tree.plies == depth
    ]


def _fits(game: Game[Any, Any], tree: _Tree) -> bool:
    return tree.plies <= MOST_PLIES and tree.leaves <= (MOST_LEAVES if game.zero_sum else MOST_BROAD)
