"""Breakthrough on 3 columns and 4 rows: pawns as sorted tuples of squares, moves as pairs of squares."""
from collections import namedtuple

from perfectplay import MAX, MIN, Game

State = namedtuple("State", ["white", "black", "turn"])


class MiniBreakthrough(Game):
    WIDTH = 3
    HEIGHT = 4

    def initial(self):
        white = tuple((x, 0) for x in range(self.WIDTH))
        black = tuple((x, self.HEIGHT - 1) for x in range(self.WIDTH))
        return State(white, black, MAX)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        mine, theirs, dy = (
            (state.white, state.black, 1) if state.turn == MAX else (state.black, state.white, -1)
        )
        moves = []
        for x, y in mine:
            for dx in (-1, 0, 1):
                target = (x + dx, y + dy)
                if not (0 <= target[0] < self.WIDTH and 0 <= target[1] < self.HEIGHT):
                    continue
                if target in mine or (dx == 0 and target in theirs):
                    continue
                moves.append(((x, y), target))
        return moves

    def result(self, state, move):
        start, target = move
        white, black, turn = state
        if turn == MAX:
            white = tuple(sorted(target if pawn == start else pawn for pawn in white))
            black = tuple(pawn for pawn in black if pawn != target)
        else:
            black = tuple(sorted(target if pawn == start else pawn for pawn in black))
            white = tuple(pawn for pawn in white if pawn != target)
        return State(white, black, MIN if turn == MAX else MAX)

    def has_won(self, state):
        if any(y == self.HEIGHT - 1 for _, y in state.white) or not state.black:
            return MAX
        if any(y == 0 for _, y in state.black) or not state.white:
            return MIN
        return None

    def is_terminal(self, state):
        return self.has_won(state) is not None or not self.actions(state)

    def utility(self, state, player):
        winner = self.has_won(state)
        if winner is None:  # whoever cannot move has lost
            winner = 1 - state.turn
        return 1 if winner == player else -1

    def evaluate(self, state, player):
        balance = len(state.white) - len(state.black)
        return balance if player == MAX else -balance
