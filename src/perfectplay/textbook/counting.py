"""Counted: a game that counts what a search asks of it, so that the algorithms need not."""

from __future__ import annotations

from collections.abc import Iterator

from perfectplay.game import Action, Game, State


class Counted(Game[State, Action]):
    """The same game, with a count of the nodes a search visits and of the prunings it makes.

    A search that prunes leaves its loop over the actions before the loop has ended: those loops are
    the prunings, as the course counts them, a pruning after the last action included.
    """

    def __init__(self, game: Game[State, Action]) -> None:
        self.game = game
        self.players = game.players
        self.results = 0
        self.loops_begun = 0
        self.loops_ended = 0

    @property
    def nodes(self) -> int:
        """The states visited, one by one as often as they were: the root, and a result each."""
        return 1 + self.results

    @property
    def prunings(self) -> int:
        """The loops over actions that were left early."""
        return self.loops_begun - self.loops_ended

    def initial(self) -> State:
        return self.game.initial()

    def to_move(self, state: State) -> int:
        return self.game.to_move(state)

    def actions(self, state: State) -> Iterator[Action]:
        self.loops_begun += 1
        yield from self.game.actions(state)
        self.loops_ended += 1

    def result(self, state: State, action: Action) -> State:
        self.results += 1
        return self.game.result(state, action)

    def is_terminal(self, state: State) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: State, player: int) -> float:
        return self.game.utility(state, player)

    def evaluate(self, state: State, player: int) -> float:
        return self.game.evaluate(state, player)
