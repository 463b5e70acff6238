"""Card-driven moves on 3x3: dict of cards to offsets, hands as frozensets of names, sorted for order."""
from typing import NamedTuple
from perfectplay import Game

CARDS = {
    "tiger": [(2, 0), (-1, 0)],
    "crab": [(0, 2), (0, -2), (1, 0)],
    "boar": [(0, 1), (0, -1), (1, 0)],
    "crane": [(1, 0), (-1, 1), (-1, -1)],
}


class Pos(NamedTuple):
    masters: tuple
    hands: tuple
    spare: str
    turn: int
    ply: int


class MiniOnitama(Game):
    size = 3

    def initial(self):
        return Pos(((0, 1), (2, 1)), (frozenset({"tiger"}), frozenset({"crab"})), "boar", 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        r, c = state.masters[state.turn]
        sign = 1 if state.turn == 0 else -1
        moves = []
        for card in sorted(state.hands[state.turn]):
            for dr, dc in CARDS[card]:
                nr, nc = r + sign * dr, c + sign * dc
                if nr in range(self.size) and nc in range(self.size):
                    moves.append((card, (nr, nc)))
        return moves or [("pass", None)]

    def result(self, state, action):
        card, where = action
        if where is None:
            return state._replace(turn=1 - state.turn, ply=state.ply + 1)
        masters = list(state.masters)
        masters[state.turn] = where
        hands = list(state.hands)
        hands[state.turn] = (hands[state.turn] - {card}) | {state.spare}
        return Pos(tuple(masters), tuple(hands), card, 1 - state.turn, state.ply + 1)

    def is_terminal(self, state):
        return state.masters[0] == state.masters[1] or state.ply >= 9

    def utility(self, state, player):
        if state.masters[0] != state.masters[1]:
            return 0
        winner = 1 - state.turn
        return 1 if player == winner else -1
