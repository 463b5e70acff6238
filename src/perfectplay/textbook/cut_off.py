"""CutOff: a game that is over after so many moves, and is worth what `evaluate` says then.

Every algorithm that looks to the end of a game looks so far ahead in this one, which is what the book
calls H-MINIMAX: EVAL in the place of UTILITY, and IS-CUTOFF in that of IS-TERMINAL.

Source: Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, section 5.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from perfectplay.game import Action, Game, State


class CutOff(Game[tuple[State, int], Action]):
    """The same game, cut off after `moves`; a state has with it the moves that are left.

    What chance does counts as a move. `reached` says whether a search has come to where it is cut off.
    """

    def __init__(self, game: Game[State, Action], moves: int) -> None:
        self.game = game
        self.moves = moves
        self.players = game.players
        self.zero_sum = game.zero_sum
        self.reached = False

    @property
    def has_chance(self) -> bool:
        """As in the game itself."""
        return self.game.has_chance

    def initial(self) -> tuple[State, int]:
        return self.game.initial(), self.moves

    def to_move(self, state: tuple[State, int]) -> int:
        return self.game.to_move(state[0])

    def actions(self, state: tuple[State, int]) -> Iterable[Action]:
        return self.game.actions(state[0])

    def chances(self, state: tuple[State, int]) -> Iterable[tuple[Action, float]]:
        return self.game.chances(state[0])

    def result(self, state: tuple[State, int], action: Action) -> tuple[State, int]:
        return self.game.result(state[0], action), state[1] - 1

    def is_terminal(self, state: tuple[State, int]) -> bool:
        return state[1] <= 0 or self.game.is_terminal(state[0])

    def utility(self, state: tuple[State, int], player: int) -> float:
        if self.game.is_terminal(state[0]):
            return self.game.utility(state[0], player)
        self.reached = True
        return self.game.evaluate(state[0], player)

    def bounds(self, state: tuple[State, int], player: int) -> tuple[float, float]:
        """None that are proven: an estimate may be wrong."""
        return -inf, inf
