"""Numbered: states of no plain shape, each by its number in the order in which the rules lead to them.

The rules are asked once for each state; after that, its successors are numbers in an array. A file has the
numbers alone: who reads it asks the rules again, and compares what they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.forms import Misfit
from perfectplay.compiler.primitives import exact_float
from perfectplay.errors import BadParameterError
from perfectplay.game import Game, same_side
from perfectplay.tablebase.kernels import MAX_MOVES, MIN_MOVES, OVER


class Numbered:
    """All states of a game, with what the rules say of them."""

    count = 1
    layout = None
    by_game = False

    def __init__(self, game: Game[Any, Any], *, symmetry: bool, most: int | None = None) -> None:
        first = game.table_start()
        self.states = [game.canonical(first) if symmetry else first]
        self.numbers = {self.states[0]: 0}
        kinds, utilities, tiers, starts, successors = [], [], [], [0], []
        for state in self.states:
            tiers.append(game.tier(state))
            over = game.is_terminal(state)
            utilities.append(exact_float(game.utility(state, 0)) if over else np.nan)
            mine = not over and same_side(game.to_move(state), 0)
            kinds.append(OVER if over else MAX_MOVES if mine else MIN_MOVES)
            for action in [] if over else game.actions(state):
                child = game.result(state, action)
                child = game.canonical(child) if symmetry else child
                number = self.numbers.setdefault(child, len(self.states))
                if number == len(self.states):
                    if number == most:
                        raise Misfit(most)  # a file says that there are fewer
                    self.states.append(child)
                successors.append(number)
            starts.append(len(successors))
        self.first = first
        self.kinds_of = np.array(kinds, np.uint8)
        self.utilities = np.array(utilities, np.float64)
        self.tiers = np.array(tiers, np.int64)
        self.starts = np.array(starts, np.int64)
        self.successors = np.array(successors, np.int64)
        digest = blake2b(digest_size=16)
        for array in (self.kinds_of, self.utilities, self.tiers, self.starts, self.successors):
            digest.update(np.ascontiguousarray(array).tobytes())
        self.data: Any = {"numbered": len(self.states), "digest": digest.hexdigest()}

    @classmethod
    def of(cls, game: Game[Any, Any], first: Any, *, symmetry: bool) -> Numbered:
        """The states of a game, from its beginning: elsewhere, a file could not say where that is."""
        if first != game.table_start():
            raise BadParameterError(
                f"the states of {type(game).__name__} are of no plain shape: build it from its beginning."
            )
        return cls(game, symmetry=symmetry)

    def kinds(self) -> list[type]:
        """What the number is."""
        return [int]

    def leaves(self, state: Any) -> list[int]:
        """The number of a state."""
        try:
            return [0 if state == self.first else self.numbers[state]]
        except (KeyError, TypeError):
            raise Misfit(state) from None

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of a number."""
        if not 0 <= leaves[0] < len(self.states):
            raise Misfit(leaves[0])
        return self.states[leaves[0]]

    def expanded(
        self, chosen: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8], NDArray[np.float64]]:
        """The successors of states, how many each has, who moves, and what it is worth where it is over."""
        counts = self.starts[chosen + 1] - self.starts[chosen]
        ends = np.cumsum(counts)
        places = np.repeat(self.starts[chosen] - (ends - counts), counts) + np.arange(counts.sum())
        return self.successors[places], counts, self.kinds_of[chosen], self.utilities[chosen]


class Unshaped:
    """States of no plain shape whose game packs them: to whoever asks what they are made of, that number.

    It is given in two parts of 63 bits, since a column has signed numbers of 64.
    """

    count = 2
    layout: Any = None
    by_game = False
    data: Any = {"unshaped": 2}  # noqa: RUF012 - nobody changes it

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def kinds(self) -> list[type]:
        """What the parts are."""
        return [int, int]

    def leaves(self, state: Any) -> list[int]:
        """The parts of the number of a state."""
        number = self.game.pack(state)
        if not isinstance(number, int) or not 0 <= number < 1 << 126:
            raise Misfit(state)
        return [number & (1 << 63) - 1, number >> 63]

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of a number."""
        low, high = (int(leaf) for leaf in leaves)
        if low < 0 or high < 0:
            raise Misfit(leaves)
        return self.game.unpack(high << 63 | low)
