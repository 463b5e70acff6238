"""Witnesses: a game and a table that tell a recorder what a search asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from perfectplay.game import Game


class Listener(Protocol):
    """Whom the witnesses tell."""

    def looping(self, state: Any, *, lazy: bool) -> None:
        """A loop over the actions of a state begins; lazy: they are generated one by one."""

    def taking(self) -> None:
        """The loop takes its next action."""

    def chancing(self, chances: Iterable[tuple[Any, float]]) -> None:
        """What chance may do in a state is asked for."""

    def trying(self, state: Any, action: Any, child: Any) -> None:
        """An action is tried."""

    def ending(self, leaf: str) -> None:
        """The state got its worth from the rules ("end") or from the heuristic ("estimate")."""

    def looking(self, state: Any, *, found: bool) -> None:
        """The table is asked whether it knows a state."""

    def storing(self, state: Any, entry: Any) -> None:
        """The table is given an entry."""


class WatchedGame(Game[Any, Any]):
    """The same game, with a listener."""

    def __init__(self, game: Game[Any, Any], listener: Listener) -> None:
        self.game = game
        self.players = game.players
        self.zero_sum = game.zero_sum
        self.listener = listener

    def initial(self) -> Any:
        """The state at the start."""
        return self.game.initial()

    def to_move(self, state: Any) -> int:
        """Whose turn it is."""
        return self.game.to_move(state)

    def actions(self, state: Any) -> Iterator[Any]:
        """The legal actions, each told when it is taken."""
        actions = self.game.actions(state)
        self.listener.looping(state, lazy=isinstance(actions, Iterator))
        for action in actions:
            self.listener.taking()
            yield action

    @property
    def has_chance(self) -> bool:
        """As in the game itself."""
        return self.game.has_chance

    def chances(self, state: Any) -> list[tuple[Any, float]]:
        """What chance may do, told when it is asked for."""
        chances = list(self.game.chances(state))
        self.listener.chancing(chances)
        return chances

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        """What is proven of the value."""
        return self.game.bounds(state, player)

    def result(self, state: Any, action: Any) -> Any:
        """The state after `action`."""
        child = self.game.result(state, action)
        self.listener.trying(state, action, child)
        return child

    def is_terminal(self, state: Any) -> bool:
        """Is the game over?"""
        return self.game.is_terminal(state)

    def is_quiet(self, state: Any) -> bool:
        """May a search stop here?"""
        return self.game.is_quiet(state)

    def utility(self, state: Any, player: int) -> float:
        """The final worth."""
        self.listener.ending("end")
        return self.game.utility(state, player)

    def evaluate(self, state: Any, player: int) -> float:
        """The guessed worth."""
        self.listener.ending("estimate")
        return self.game.evaluate(state, player)


class WatchedTable(dict[Any, Any]):
    """A table with a listener."""

    def __init__(self, entries: dict[Any, Any], listener: Listener) -> None:
        super().__init__(entries)
        self.listener = listener

    def __contains__(self, state: object) -> bool:
        found = super().__contains__(state)
        self.listener.looking(state, found=found)
        return found

    def __setitem__(self, state: Any, entry: Any) -> None:
        super().__setitem__(state, entry)
        self.listener.storing(state, entry)
