"""What a search found out."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

NOT_A_NUMBER = "evaluate() or utility() gave nan, which is no value: give a number."


@dataclass(frozen=True)
class Analysis:
    """The answer of a search, to the player who moves in the state it was asked about."""

    value: float
    action: Any
    line: tuple[Any, ...]  # the actions that both sides are expected to play
    depth: int  # plies searched; of a solved state, the length of the line
    nodes: int  # states visited
    seconds: float
    exact: bool  # is it the value of the game, whatever is beyond the depth?
    hits: int = 0  # states that the table answered
    lower: float = -inf  # the value is proven to be at least this
    upper: float = inf  # and at most this
    proof: str = ""  # what keeps states apart in the table that an exact value rests on
    values: tuple[float, ...] | None = None  # to every player, where each has a utility of its own

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Ranked:
    """An action with the value of playing it, to the player who does."""

    action: Any
    value: float
    best: bool  # is no other action better?
    exact: bool
    lower: float = -inf  # the value is proven to be at least this
    upper: float = inf  # and at most this


@dataclass(frozen=True)
class Ranking:
    """Every action with its value, as far as it is known by then."""

    found: Analysis  # the best of them, and the line of play that it begins
    moves: list[Ranked]  # the best first

    @property
    def exact(self) -> bool:
        """Is nothing left to find out?"""
        return all(move.exact for move in self.moves)


def nearest_to_tie(lower: float, upper: float) -> float:
    """The value where the limits are equal, and the one nearest to a tie where they are not."""
    return max(lower, min(upper, 0.0))


def plain(value: float) -> float:
    """A whole number as an int."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
