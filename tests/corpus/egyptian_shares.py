"""Two heirs cut shares off an estate, by fractions; who takes the last part has won, and both keep accounts."""

from fractions import Fraction
from typing import NamedTuple

from perfectplay import MAX, MIN, Game

CUTS = (Fraction(1, 2), Fraction(1, 3), Fraction("1/4"), Fraction(1, 6))


class Estate(NamedTuple):
    left: Fraction
    shares: tuple[Fraction, Fraction]
    turn: int


class Shares(Game):
    """Cut a part of what the whole was, never more than is left; what is below a twelfth goes to who cuts last."""

    def initial(self):
        return Estate(Fraction(5, 4), (Fraction(0), Fraction(0)), MAX)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [cut for cut in CUTS if cut <= state.left]

    def result(self, state, action):
        shares = list(state.shares)
        shares[state.turn] += action
        left = state.left - action
        if left < Fraction(1, 12):
            shares[state.turn] += left
            left = Fraction(0)
        return Estate(left, tuple(shares), MIN if state.turn == MAX else MAX)

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        mine, other = state.shares[player], state.shares[1 - player]
        return float(mine - other) * 12

    def evaluate(self, state, player):
        return round(state.shares[player] * 12) - int(state.shares[1 - player] * 12)

    def render(self, state):
        return f"{state.left} left, {state.shares[0]} and {state.shares[1]}"
