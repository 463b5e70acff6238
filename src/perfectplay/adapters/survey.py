"""A game as learners want it, found out by play at random: actions numbered, states as rows of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from math import inf, isfinite
from random import Random
from typing import Any

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game

PLAYOUTS = 300  # at random, always the same
STATES = 30_000  # met in them at the most
SETTLED = 60  # playouts that showed nothing new: then there is nothing new
LONGEST = 2_000  # moves of a playout
SMALL = 4096  # actions below this are their own numbers
WIDE = 1 << 15  # a number beyond this is shown by its bits
GIVE_ACTIONS = "give actions=[...], all there are, in the order of their numbers"


class Survey:
    """What play at random has shown of a game."""

    def __init__(self, game: Game[Any, Any], actions: Sequence[Any] | None = None) -> None:
        self.game = game
        self.longest = 0  # moves of a playout
        self.low, self.high = inf, -inf  # utilities
        self.choices = 1  # outcomes of chance, the most at once
        seen: dict[Any, None] = {}
        self.rows: list[list[int | float]] = []  # states, as far as they are numbers
        self.unreadable: str | None = None  # why states are none
        self._play(seen)
        self.actions = list(actions) if actions is not None else _numbered(game, seen)
        self.numbers = {action: number for number, action in enumerate(self.actions) if action is not None}

    def number(self, action: Any) -> int:
        """The number of an action."""
        try:
            return self.numbers[action]
        except KeyError:
            name, action_name = type(self.game).__name__, self.game.action_name(action)
            raise BadParameterError(
                f"{name} has an action {action_name!r} that play at random did not show: {GIVE_ACTIONS}."
            ) from None

    def utilities(self) -> tuple[float, float]:
        """The least and the greatest utility: what the game promises of its start, or what play has shown."""
        low, high = self.game.bounds(self.game.initial(), MAX)
        if self.game.zero_sum and isfinite(low) and isfinite(high):
            return min(low, -high), max(high, -low)
        if self.low > self.high:  # no playout came to its end
            return -1.0, 1.0
        if self.game.zero_sum:
            most = max(abs(self.low), abs(self.high)) or 1
            return -most, most
        return self.low, self.high

    def _play(self, seen: dict[Any, None]) -> None:
        game, random = self.game, Random(0)  # noqa: S311 - nothing secret hangs on it
        states = settled = 0
        for _ in range(PLAYOUTS):
            state, moves, known = game.initial(), 0, len(seen)
            while not game.is_terminal(state) and moves < LONGEST:
                self._look_at(state)
                if game.to_move(state) == CHANCE:
                    legal = [outcome for outcome, _ in game.chances(state)]
                    self.choices = max(self.choices, len(legal))
                else:
                    legal = list(game.actions(state))
                    seen.update(dict.fromkeys(legal))
                state = game.result(state, random.choice(legal))
                moves += 1
            self._look_at(state)
            self.longest = max(self.longest, moves)
            if game.is_terminal(state):
                worths = [game.utility(state, player) for player in range(game.players)]
                self.low, self.high = min(self.low, *worths), max(self.high, *worths)
            states += moves
            settled = settled + 1 if len(seen) == known else 0
            if states > STATES or settled == SETTLED:
                break

    def _look_at(self, state: Any) -> None:
        if self.unreadable is None and len(self.rows) < SMALL:
            try:
                self.rows.append([*leaves(state)])
            except TypeError as error:
                self.unreadable = str(error)


def _numbered(game: Game[Any, Any], seen: dict[Any, None]) -> list[Any]:
    """The actions by their numbers: small whole numbers are their own, others go by their names."""
    if all(isinstance(action, int) and 0 <= action < SMALL for action in seen):
        return [number if number in seen else None for number in range(max(seen, default=0) + 1)]
    return sorted(seen, key=lambda action: (game.action_name(action), repr(action)))


def leaves(value: Any) -> Iterator[int | float]:
    """The numbers that a state is made of, in their order; TypeError for what is none."""
    if isinstance(value, Enum):
        yield list(type(value)).index(value)
    elif isinstance(value, int | float):
        yield value
    elif value is None:
        yield -1
    elif isinstance(value, str):
        yield from map(ord, value)
    elif isinstance(value, bytes):
        yield from value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, frozenset | set):
        yield from sorted(number for each in value for number in leaves(each))
    elif is_dataclass(value):
        for field in fields(value):
            yield from leaves(getattr(value, field.name))
    else:
        raise TypeError(f"a {type(value).__name__} is no number")


class Features:
    """States as rows of numbers of one length: whole numbers beyond 15 bits by their bits.

    The last number says whether it is the observer's turn.
    """

    def __init__(self, survey: Survey) -> None:
        self.name = type(survey.game).__name__
        if survey.unreadable is not None:
            raise BadParameterError(
                f"states of {self.name} are not made of numbers ({survey.unreadable}): "
                "give observe=, a function of a state and a player."
            )
        count = max(map(len, survey.rows))
        largest = [0] * count
        for row in survey.rows:
            for place, number in enumerate(row):
                if isinstance(number, int):
                    largest[place] = max(largest[place], abs(number))
        self.bits = [_bits(most) for most in largest]
        self.length = sum(max(1, bits) for bits in self.bits) + 1

    def row(self, state: Any, *, turn: bool) -> list[float]:
        """The numbers of a state."""
        row: list[float] = []
        numbers = [*leaves(state)]
        if len(numbers) > len(self.bits):
            raise BadParameterError(
                f"a state of {self.name} has {len(numbers)} numbers, and play at random showed at most "
                f"{len(self.bits)}: give observe=, a function of a state and a player."
            )
        for number, bits in zip(numbers, self.bits, strict=False):
            if bits:
                row += [float(int(number) >> place & 1) for place in range(bits)]
            else:
                row.append(float(max(-WIDE, min(WIDE, number))))
        row += [0.0] * (self.length - 1 - len(row))
        return [*row, float(turn)]


def _bits(most: int) -> int:
    """How many bits show whole numbers up to this; 0 if the number itself does."""
    return 0 if most <= WIDE else -(-(most.bit_length() + 1) // 32) * 32
