"""Watched: a game whose search ends when its time is up, or when nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from time import monotonic
from typing import Any

from perfectplay.errors import PerfectPlayError
from perfectplay.game import Game
from perfectplay.scene import Scene


class OutOfTimeError(PerfectPlayError):
    """A search took longer, or grew larger, than it may."""


class Watched(Game[Any, Any]):
    """The same game; every step of a search asks whether it may go on.

    The algorithms of the textbook look at no clock, and on a large board they would never end.
    """

    def __init__(self, game: Game[Any, Any], check: Callable[[], None]) -> None:
        self.game = game
        self.players = game.players
        self.zero_sum = game.zero_sum
        self.check = check
        self.asked = 0  # questions: what stays the same while a rule does not return
        self.limit(inf, inf, "")

    def limit(self, seconds: float, states: float, message: str) -> None:
        """Let the search go on for so long, and visit so many states, and say this where it would not end."""
        self.deadline = monotonic() + seconds
        self.states_left = states
        self.message = message

    def __str__(self) -> str:
        return str(self.game)

    def result(self, state: Any, action: Any) -> Any:
        """The successor, if there is still time for it."""
        self.check()
        self.asked += 1
        self.states_left -= 1
        if self.states_left < 0 or monotonic() > self.deadline:
            raise OutOfTimeError(self.message)
        return self.game.result(state, action)

    def initial(self) -> Any:
        """The state at the start."""
        self.asked += 1
        return self.game.initial()

    def to_move(self, state: Any) -> int:
        """Whose turn it is."""
        self.asked += 1
        return self.game.to_move(state)

    def actions(self, state: Any) -> Iterable[Any]:
        """The legal actions."""
        self.asked += 1
        return self.game.actions(state)

    @property
    def has_chance(self) -> bool:
        """As in the game itself."""
        return self.game.has_chance

    def chances(self, state: Any) -> Iterable[tuple[Any, float]]:
        """What chance may do."""
        self.asked += 1
        return self.game.chances(state)

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        """What is proven of the value."""
        self.asked += 1
        return self.game.bounds(state, player)

    def is_terminal(self, state: Any) -> bool:
        """Is the game over?"""
        self.asked += 1
        return self.game.is_terminal(state)

    def utility(self, state: Any, player: int) -> float:
        """What a terminal state is worth."""
        self.asked += 1
        return self.game.utility(state, player)

    def evaluate(self, state: Any, player: int) -> float:
        """A guess at the worth of any other."""
        self.asked += 1
        return self.game.evaluate(state, player)

    def order(self, state: Any, action: Any) -> float:
        """How promising an action looks."""
        self.asked += 1
        return self.game.order(state, action)

    def is_quiet(self, state: Any) -> bool:
        """May a search stop here?"""
        self.asked += 1
        return self.game.is_quiet(state)

    def render(self, state: Any) -> str:
        """The board as text."""
        return self.game.render(state)

    def scene(self, state: Any) -> Scene | None:
        """The board as shapes."""
        return self.game.scene(state)

    def action_name(self, action: Any) -> str:
        """The action in the game's notation."""
        return self.game.action_name(action)
