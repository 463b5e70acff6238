"""Match: a game in progress, and how its moves are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perfectplay.errors import IllegalActionError
from perfectplay.game import CHANCE, MAX, MIN, Game


class Match:
    """A game in progress: its moves so far, from the start or another state, and what they led through."""

    def __init__(self, game: Game[Any, Any], moves: Iterable[str] = (), start: Any = None) -> None:
        self.game = game
        self.states = [game.initial() if start is None else start]
        self.actions: list[Any] = []
        for text in moves:
            try:
                self.read_all(text)
            except IllegalActionError as error:
                after = f"after {' '.join(self.names)}, " if self.actions else ""
                raise IllegalActionError(f"{after}{error}") from None

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.game.is_terminal(self.state)

    @property
    def names(self) -> list[str]:
        """The moves so far, in the game's notation."""
        return [self.game.action_name(action) for action in self.actions]

    def play(self, action: Any) -> None:
        """Make a legal move."""
        self.states.append(self.game.result(self.state, action))
        self.actions.append(action)

    def undo(self) -> None:
        """Take the last move back."""
        self.states.pop()
        self.actions.pop()

    def read(self, text: str) -> None:
        """Make the move that `text` names."""
        if self.over:
            raise IllegalActionError(f"illegal move {text!r}: the game is over.")
        try:
            action = self.game.parse_action(self.state, text)
        except ValueError as error:
            raise IllegalActionError(str(error)) from None
        self.play(action)

    def read_all(self, text: str) -> None:
        """Make the move that `text` names or, where it names none, the moves of its characters."""
        try:
            self.read(text)
        except IllegalActionError:
            if len(text) < 2:
                raise
            before = len(self.actions)
            for character in text:
                try:
                    self.read(character)
                except IllegalActionError:
                    if len(self.actions) > before:
                        raise
                    break
            else:
                return
            raise


def side_name(player: int) -> str:
    """What a player is called: MAX, or MIN, or chance."""
    return "chance" if player == CHANCE else "MAX" if player == MAX else "MIN"


def mover_name(game: Game[Any, Any], player: int) -> str:
    """The same, by number in a game without MIN."""
    return side_name(player) if game.zero_sum or player == CHANCE else f"player {player}"


def verdict(value: float) -> str:
    """Who wins, in words, where a state is worth `value` to MAX."""
    return "a tie" if value == 0 else f"{side_name(MAX if value > 0 else MIN)} wins"
