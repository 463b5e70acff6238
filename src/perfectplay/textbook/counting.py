"""Counted: a game that counts what a search asks of it, so that the algorithms need not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfectplay.game import Action, Game, State


class Counted(Game[State, Action]):
    """The same game, with a count of the nodes a search visits and of the prunings it makes.

    A search that prunes leaves its loop over the actions before the loop has ended: those loops are
    the prunings, as the course counts them, a pruning after the last action included. With `listing`,
    the states that a search generates are listed in `generated`, in their order; its root is not among
    them.
    """

    def __init__(self, game: Game[State, Action], *, listing: bool = False) -> None:
        self.game = game
        self.players = game.players
        self.zero_sum = game.zero_sum
        self.results = 0
        self.loops_begun = 0
        self.loops_ended = 0
        self.listing = listing
        self.generated: list[State] = []

    @property
    def nodes(self) -> int:
        """The states visited, one by one as often as they were: the root, and a result each."""
        return 1 + self.results

    @property
    def prunings(self) -> int:
        """The loops over actions that were left early."""
        return self.loops_begun - self.loops_ended

    @property
    def has_chance(self) -> bool:
        """As in the game itself."""
        return self.game.has_chance

    def initial(self) -> State:
        return self.game.initial()

    def to_move(self, state: State) -> int:
        return self.game.to_move(state)

    def actions(self, state: State) -> Iterator[Action]:
        self.loops_begun += 1
        yield from self.game.actions(state)
        self.loops_ended += 1

    def chances(self, state: State) -> Iterable[tuple[Action, float]]:
        return self.game.chances(state)

    def result(self, state: State, action: Action) -> State:
        self.results += 1
        successor = self.game.result(state, action)
        if self.listing:
            self.generated.append(successor)
        return successor

    def is_terminal(self, state: State) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: State, player: int) -> float:
        return self.game.utility(state, player)

    def evaluate(self, state: State, player: int) -> float:
        return self.game.evaluate(state, player)

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        return self.game.bounds(state, player)
