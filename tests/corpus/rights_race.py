"""Rights held in an IntFlag, castling-like: each right may be used once."""
from enum import Flag, IntFlag, auto

from perfectplay import Game


class Right(IntFlag):
    NONE = 0
    DOUBLE = auto()
    SKIP = auto()
    STEAL = auto()


class RightsRace(Game):
    """Count up to 12; a right gives a special step once."""

    def initial(self):
        return 0, (int(Right.DOUBLE | Right.SKIP), int(Right.SKIP | Right.STEAL)), 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        total, rights, turn = state
        mine = rights[turn]
        moves = ["one", "two"]
        if mine & Right.DOUBLE and total:
            moves.append("double")
        if mine & Right.SKIP:
            moves.append("skip")
        if mine & Right.STEAL and total >= 3:
            moves.append("steal")
        return moves

    def result(self, state, move):
        total, rights, turn = state
        mine = rights[turn]
        if move == "one":
            total += 1
        elif move == "two":
            total += 2
        elif move == "double":
            total, mine = total * 2, mine & ~int(Right.DOUBLE)
        elif move == "skip":
            mine &= ~int(Right.SKIP)
        else:
            total, mine = total - 3, mine & ~int(Right.STEAL)
        rights = tuple(mine if p == turn else r for p, r in enumerate(rights))
        return total, rights, 1 - turn

    def is_terminal(self, state):
        return state[0] >= 12

    def utility(self, state, player):
        return -1 if state[2] == player else 1
