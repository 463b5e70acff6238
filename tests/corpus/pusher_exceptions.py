"""Custom exceptions as control flow, try/except/else/finally, raise from rules, assert."""
from perfectplay import Game


class IllegalMove(Exception):
    pass


class OutOfBoard(IllegalMove):
    def __init__(self, where):
        super().__init__(f"{where} is off the board")
        self.where = where


class Pusher(Game):
    """Push a row of boxes; a push off the board is illegal."""

    LENGTH = 6

    def initial(self):
        return ("M", "b", ".", "b", ".", "m"), 0, 0

    def to_move(self, state):
        return state[1]

    def try_move(self, row, who, step):
        row = list(row)
        here = row.index(who)
        there = here + step
        if there < 0 or there >= self.LENGTH:
            raise OutOfBoard(there)
        if row[there] == "b":
            beyond = there + step
            if not 0 <= beyond < self.LENGTH:
                raise OutOfBoard(beyond)
            if row[beyond] != ".":
                raise IllegalMove("blocked")
            row[beyond] = "b"
            row[there] = "."
        elif row[there] != ".":
            raise IllegalMove("occupied")
        row[here], row[there] = ".", who
        return tuple(row)

    def actions(self, state):
        moves = []
        for step in (-1, 1, 2):
            try:
                self.try_move(state[0], "Mm"[state[1]], step)
            except OutOfBoard:
                continue
            except IllegalMove:
                pass
            else:
                moves.append(step)
        moves.append(0)
        return moves

    def result(self, state, action):
        row, turn, ply = state
        assert action in (-1, 0, 1, 2), "no such step"
        if action:
            row = self.try_move(row, "Mm"[turn], action)
        return row, 1 - turn, ply + 1

    def is_terminal(self, state):
        return state[2] == 6

    def utility(self, state, player):
        row = state[0]
        try:
            value = row.index("b") - (self.LENGTH - 1 - row[::-1].index("b"))
        except ValueError:
            value = 0
        finally:
            assert len(row) == self.LENGTH
        value += row.index("M")
        return value if player == 0 else -value
