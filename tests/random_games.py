"""Random games for the tests: trees and DAGs, repeated turns, ties, several MIN players."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random
from typing import Any

from perfectplay import CHANCE
from perfectplay.games import ExplicitTree


def random_game(
    seed: int,
    *,
    states: int = 14,
    width: int = 3,
    players: int = 2,
    values: int = 5,
    tree: bool = False,
) -> ExplicitTree:
    """A random game whose states are 0, 1, 2, ... and whose moves lead to later states only.

    Few values make ties; turns are drawn at random, so that players move twice running.
    """
    random = Random(seed)
    terminal = random.randint(2, max(2, states // 2))  # so many at the end have no moves
    inner = states - terminal
    moves: dict[int, dict[str, int]] = {}
    for state in range(inner):
        later = range(state + 1, states)
        chosen = random.sample(later, min(len(later), random.randint(1, width)))
        moves[state] = {f"{state}-{successor}": successor for successor in chosen}
    if tree:
        return unfolded(moves, random, players, values)
    reached = reachable(moves)
    moves = {state: below for state, below in moves.items() if state in reached}
    return ExplicitTree(
        moves,
        {state: random.randrange(-values, values + 1) for state in reached if state not in moves},
        {state: random.randrange(players) for state in moves},
        start=0,
        estimates={state: random.randrange(-values, values + 1) for state in moves},
    )


def random_chance_game(
    seed: int,
    *,
    states: int = 14,
    width: int = 3,
    players: int = 2,
    values: int = 5,
    zero_sum: bool = True,
    bounds: bool = True,
    exact: bool = True,
) -> ExplicitTree:
    """A random game in which chance moves too: several times in a row, at the root, before the end.

    The probabilities are fractions, or floating-point numbers where it need not be `exact`.
    """
    random = Random(seed)
    terminal = random.randint(2, max(2, states // 2))
    moves: dict[int, dict[str, int]] = {}
    for state in range(states - terminal):
        later = range(state + 1, states)
        chosen = random.sample(later, min(len(later), random.randint(1, width)))
        moves[state] = {f"{state}-{successor}": successor for successor in chosen}
    reached = reachable(moves)
    moves = {state: below for state, below in moves.items() if state in reached}
    turns = {state: CHANCE if random.random() < 0.4 else random.randrange(players) for state in moves}
    weights = {
        state: {action: random.randint(1, 5) for action in moves[state]}
        for state, turn in turns.items()
        if turn == CHANCE
    }
    probabilities = {
        state: {action: Fraction(each, sum(those.values())) for action, each in those.items()}
        for state, those in weights.items()
    }
    if not exact:
        probabilities = {
            state: {action: float(p) for action, p in those.items()} for state, those in probabilities.items()
        }

    def worth() -> Any:
        drawn = [random.randrange(-values, values + 1) for _ in range(players)]
        return drawn[0] if zero_sum else tuple(drawn)

    return ExplicitTree(
        moves,
        {state: worth() for state in reached if state not in moves},
        turns,
        start=0,
        estimates={state: worth() for state in moves},
        probabilities=probabilities,
        bounds=(-values, values) if bounds else (-inf, inf),
        agents=players,
    )


def reachable(moves: dict[int, dict[str, int]]) -> set[int]:
    """The states that can be reached from state 0."""
    found = [0]
    for state in found:
        found.extend(below for below in moves.get(state, {}).values() if below not in found)
    return set(found)


def unfolded(moves: dict[int, dict[str, int]], random: Random, players: int, values: int) -> ExplicitTree:
    """The tree of all lines of play: a state is the path to it."""
    paths: list[tuple[int, ...]] = [(0,)]
    below: dict[tuple[int, ...], dict[int, tuple[int, ...]]] = {}
    for path in paths:
        if path[-1] in moves:
            below[path] = {state: (*path, state) for state in moves[path[-1]].values()}
            paths.extend(below[path].values())
    return ExplicitTree(
        below,
        {path: random.randrange(-values, values + 1) for path in paths if path not in below},
        {path: random.randrange(players) for path in below},
        start=(0,),
        estimates={path: random.randrange(-values, values + 1) for path in below},
    )
