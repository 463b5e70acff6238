"""Value iteration: all positions of a game with chance, in memory, and the limits of what each is worth.

It is run in two ways, as the search is: as it stands, on Python's objects, and compiled, on raw memory.
Limits begin at the least and the most that any end of the game is worth, and what follows from those of the
successors narrows them until they meet: the value is between them at any time, whatever circles there are.

Source: Haddad and Monmege, Interval Iteration Algorithm for MDPs and IMDPs, 2018; for two sides, Eisentraut,
Kelmendi, Kretinsky and Weininger, Value Iteration for Simple Stochastic Games, 2022.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, exact_float, word
from perfectplay.compiler.records import State, Word, record
from perfectplay.engine.transposition import scattered
from perfectplay.game import CHANCE, MAX

OVER, ROLLS, MAX_MOVES, MIN_MOVES = 0, 1, 2, 3  # what happens in a position
DONE, GOING, FULL, SAME_KEY = 0, 1, 2, 3  # how exploring ended


@record
class Position:
    """A state."""

    key: Word = 0
    state: State = None


@record
class Space:
    """All positions that were found, and where their actions and outcomes lead."""

    positions: list[Position]
    slots: list[int]  # by the hash of a key: 1 more than the number of a position, 0 for none
    shift: int  # 64 less the binary digits of the number of slots
    kinds: list[int]
    tiers: list[int]
    firsts: list[int]  # the first edge of each, and of the one after the last
    targets: list[int]  # of edges: where they lead
    chances: list[float]  # and how likely that is, where chance moves
    lower: list[float]  # limits of the value to MAX
    upper: list[float]
    room: int  # for positions
    edge_room: int
    used: int = 0
    edges: int = 0
    explored: int = 0
    least: float = inf  # of all utilities to MAX
    most: float = -inf


def explore(game: Any, space: Space, state: State, count: int) -> int:
    """Find the positions that can be reached from a state, and where so many of them lead.

    DONE if that is all, GOING if more are left, FULL if there is no room, SAME_KEY if two have one key.
    """
    if space.used == 0 and place_of(game, space, state) < 0:
        return FULL
    while space.explored < space.used:
        if count == 0:
            return GOING
        count -= 1
        number = space.explored
        mark = arena_mark()
        state = space.positions[number].state
        space.firsts[number] = space.edges
        space.tiers[number] = game.tier(state)
        found = DONE
        if game.is_terminal(state):
            worth = exact_float(game.utility(state, MAX))
            space.kinds[number] = OVER
            space.lower[number] = space.upper[number] = worth
            space.least = min(space.least, worth)
            space.most = max(space.most, worth)
        elif game.to_move(state) == CHANCE:
            space.kinds[number] = ROLLS
            for outcome, chance in game.chances(state):
                found = join(game, space, game.result(state, outcome), float(chance))
                if found != DONE:
                    break
        else:
            space.kinds[number] = MAX_MOVES if game.to_move(state) == MAX else MIN_MOVES
            for action in game.actions(state):
                found = join(game, space, game.result(state, action), 1.0)
                if found != DONE:
                    break
        arena_release(mark)
        if found != DONE:
            return found
        space.explored += 1
        space.firsts[space.explored] = space.edges
    return DONE


def join(game: Any, space: Space, child: State, chance: float) -> int:
    """Write an edge to a state; DONE, or why not."""
    place = place_of(game, space, game.canonical(child))
    if place < 0:
        return -place
    if space.edges >= space.edge_room:
        return FULL
    space.targets[space.edges] = place
    space.chances[space.edges] = chance
    space.edges += 1
    return DONE


def place_of(game: Any, space: Space, state: State) -> int:
    """The number of a position, a new one if it is new; or less than 0: why there is none."""
    key = word(game.key(state))
    slot = scattered(key, space.shift)
    while space.slots[slot] > 0:
        number = space.slots[slot] - 1
        if space.positions[number].key == key:
            return number if space.positions[number].state == state else -SAME_KEY
        slot = slot + 1 if slot + 1 < len_of(space) else 0
    if space.used >= space.room:
        return -FULL
    space.slots[slot] = space.used + 1
    space.positions[space.used] = Position(key=key, state=state)
    space.used += 1
    return space.used - 1


def len_of(space: Space) -> int:
    """How many slots there are."""
    return 1 << (64 - space.shift)


def narrow(game: Any, space: Space, first: int, last: int, tolerance: float, sweeps: int) -> int:
    """Narrow the limits of some positions until none are wider than the tolerance; how many sweeps it took.

    They are those from `first` to before `last`; all that they lead to is among them, or narrow already. It
    is more than `sweeps` if that many were not enough.
    """
    for sweep in range(sweeps):
        widest = 0.0
        for number in range(last - 1, first - 1, -1):
            if space.upper[number] - space.lower[number] <= tolerance / 2:
                continue
            lower, upper = implied(space, number)
            upper = min(upper, space.upper[number])
            lower = min(max(lower, space.lower[number]), upper)  # sums of chances are rounded
            space.lower[number] = lower
            space.upper[number] = upper
            widest = max(widest, upper - lower)
        if widest <= tolerance:
            return sweep + 1
    return sweeps + 1


def implied(space: Space, number: int) -> tuple[float, float]:
    """The limits of a position that follow from those of its successors."""
    kind = space.kinds[number]
    lower = upper = 0.0 if kind == ROLLS else -inf if kind == MAX_MOVES else inf
    for edge in range(space.firsts[number], space.firsts[number + 1]):
        target = space.targets[edge]
        if kind == ROLLS:
            lower += space.chances[edge] * space.lower[target]
            upper += space.chances[edge] * space.upper[target]
        elif kind == MAX_MOVES:
            lower = max(lower, space.lower[target])
            upper = max(upper, space.upper[target])
        else:
            lower = min(lower, space.lower[target])
            upper = min(upper, space.upper[target])
    return lower, upper
