"""Random games that compile: rules by arithmetic, and the seed in the state, to compile but once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import inf

from perfectplay.engine.workspace import RESTLESS
from perfectplay.game import MAX, Game

State = tuple[int, int, int]  # the seed, the layer, the node in it


def scrambled(a: int, b: int, c: int) -> int:
    word = 12345
    for number in (a, b, c):
        word = ((word ^ number) * 1103515245 + 12345) % 2147483648
        word = word ^ word >> 13
    return word


@dataclass(frozen=True)
class Hashed(Game[State, int]):
    """Layers of nodes; moves lead to any node of the next one, or the one after it.

    Turns are drawn at random, so that players move twice running; few values make ties.
    """

    layers: int = 6
    width: int = 4
    values: int = 3

    def initial(self) -> State:
        return 0, 0, 0

    def luck(self, state: State, salt: int) -> int:
        seed, layer, node = state
        return scrambled(seed, layer * 64 + node, salt)

    def to_move(self, state: State) -> int:
        return self.luck(state, 1) % 2

    def is_terminal(self, state: State) -> bool:
        return state[1] >= self.layers or (state[1] > 0 and self.luck(state, 2) % 8 == 0)

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            for action in range(1 + self.luck(state, 3) % 4):
                yield action

    def result(self, state: State, action: int) -> State:
        seed, layer, _ = state
        luck = self.luck(state, 10 + action)
        return seed, layer + 1 + (luck >> 8) % 2, luck % self.width

    def utility(self, state: State, player: int) -> int:
        worth = self.luck(state, 4) % (2 * self.values + 1) - self.values
        return worth if player == MAX else -worth

    def evaluate(self, state: State, player: int) -> int:
        worth = self.luck(state, 5) % (2 * self.values + 1) - self.values
        return worth if player == MAX else -worth

    def order(self, state: State, action: int) -> int:
        return self.luck(state, 20 + action) % 3


class HashedTree(Hashed):
    """No two lines meet, as far as luck goes."""

    def result(self, state: State, action: int) -> State:
        seed, layer, _ = state
        return seed, layer + 1, self.luck(state, 10 + action)


class Knowing(Hashed):
    """With everything a game may know: bounds, symmetry, candidates, and states that are not quiet."""

    def luck(self, state: State, salt: int) -> int:
        seed, layer, node = state
        return scrambled(seed, layer * 64 + node // 2, salt)

    def canonical(self, state: State) -> State:
        return state[0], state[1], state[2] // 2 * 2

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        if state[1] == self.layers - 1:  # whatever comes is the end
            lower = -self.values
            upper = self.values
            best = -100
            mine = self.to_move(state) == player
            for action in self.actions(state):
                worth = self.utility(self.result(state, action), self.to_move(state))
                best = max(best, worth)
            if self.luck(state, 6) % 2:
                lower = best if mine else -best
            if self.luck(state, 7) % 2:
                upper = best if mine else -best
            return lower, upper
        return -self.values, self.values

    def candidates(self, state: State) -> Iterator[int]:
        """Not the second of two actions that lead to the same state, or to its twin."""
        for action in self.actions(state):
            fresh = True
            for other in range(action):
                if self.canonical(self.result(state, other)) == self.canonical(self.result(state, action)):
                    fresh = False
            if fresh:
                yield action

    def is_quiet(self, state: State) -> bool:
        return self.luck(state, 8) % 3 > 0


class Fractional(Hashed):
    """Utilities that no number of single precision is equal to."""

    def utility(self, state: State, player: int) -> float:
        worth = (self.luck(state, 4) % 19 - 9) / 7
        return worth if player == MAX else -worth

    def evaluate(self, state: State, player: int) -> float:
        worth = (self.luck(state, 5) % 19 - 9) / 11
        return worth if player == MAX else -worth


class Recurring(Hashed):
    """A game that never ends: states come back."""

    def is_terminal(self, state: State) -> bool:
        return self.luck(state, 2) % 16 == 0 and state[1] > 0

    def result(self, state: State, action: int) -> State:
        seed, layer, _ = state
        luck = self.luck(state, 10 + action)
        return seed, (layer + luck // 64) % 4, luck % self.width


@dataclass(frozen=True)
class Packed(Game[int, int]):
    """The same as Hashed with the state in one integer, which is its own key."""

    layers: int = 6
    width: int = 4
    values: int = 3

    def opened(self, state: int) -> State:
        return state >> 16, state >> 8 & 255, state & 255

    def inner(self, state: int, salt: int) -> int:
        return scrambled(state >> 16, (state >> 8 & 255) * 64 + (state & 255), salt)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.inner(state, 1) % 2

    def is_terminal(self, state: int) -> bool:
        layer = state >> 8 & 255
        return layer >= self.layers or (layer > 0 and self.inner(state, 2) % 8 == 0)

    def actions(self, state: int) -> list[int]:
        if self.is_terminal(state):
            return []
        return [action for action in range(1 + self.inner(state, 3) % 4)]  # noqa: C416

    def result(self, state: int, action: int) -> int:
        luck = self.inner(state, 10 + action)
        layer = (state >> 8 & 255) + 1 + (luck >> 8) % 2
        return state >> 16 << 16 | layer << 8 | luck % self.width

    def utility(self, state: int, player: int) -> int:
        worth = self.inner(state, 4) % (2 * self.values + 1) - self.values
        return worth if player == MAX else -worth


def start(game: Game, seed: int):
    """The start of the game of that seed."""
    return seed << 16 if isinstance(game, Packed) else (seed, 0, 0)


def value_to_depth(game: Game, state, depth: float) -> float:
    """The value to the player who moves by plain minimax: the definition that a search must agree with."""
    known = {}

    def value(state, depth):  # to MAX
        if (state, depth) not in known:
            known[state, depth] = fresh(state, depth)
        return known[state, depth]

    def fresh(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        mover = game.to_move(state)  # the bounds are asked for whoever moves
        lower, upper = game.bounds(state, mover)
        if mover != MAX:
            lower, upper = -upper, -lower
        if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
            return max(lower, min(upper, game.evaluate(state, MAX)))
        best = max if mover == MAX else min
        found = best(value(game.result(state, action), depth - 1) for action in game.actions(state))
        return max(lower, min(upper, found))

    found = value(state, depth)
    return found if game.to_move(state) == MAX else -found


@cache
def solved(game: Game, state) -> float:
    """The value to the player who moves."""
    return value_to_depth(game, state, inf)


class Diced(Hashed):
    """Chance moves as often as the players: several times in a row, at the start, before the end."""

    def to_move(self, state: State) -> int:
        return self.luck(state, 1) % 3 - 1

    def chances(self, state: State) -> Iterator[tuple[int, float]]:
        total = 0
        for action in self.actions(state):
            total += 1 + self.luck(state, 30 + action) % 5
        for action in self.actions(state):
            yield action, (1 + self.luck(state, 30 + action) % 5) / total


class DicedWithin(Diced):
    """With bounds, so that Star1 and Star2 can cut, and estimates and utilities that are no whole numbers."""

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        return -self.values, self.values

    def is_quiet(self, state: State) -> bool:
        return self.luck(state, 8) % 4 > 0


class Shared(Hashed):
    """Three players, each with a utility of its own, and chance."""

    players = 3
    zero_sum = False

    def to_move(self, state: State) -> int:
        return self.luck(state, 1) % 4 - 1

    def chances(self, state: State) -> Iterator[tuple[int, float]]:
        count = 1 + self.luck(state, 3) % 4
        for action in range(count):
            yield action, 1 / count

    def utility(self, state: State, player: int) -> int:
        return self.luck(state, 40 + player) % 7

    def evaluate(self, state: State, player: int) -> int:
        return self.luck(state, 50 + player) % 7


class Unforeseen(Diced):
    """All games are equally long, and nothing is known of a state before the end."""

    def is_terminal(self, state: State) -> bool:
        return state[1] >= self.layers

    def result(self, state: State, action: int) -> State:
        return state[0], state[1] + 1, self.luck(state, 10 + action) % self.width

    def evaluate(self, state: State, player: int) -> int:
        return 0

    def chances(self, state: State) -> Iterator[tuple[int, float]]:
        count = 0
        for _ in self.actions(state):
            count += 1
        for action in self.actions(state):
            yield action, 1 / count
