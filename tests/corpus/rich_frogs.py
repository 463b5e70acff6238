"""The state does everything (a rich model), the Game only delegates; __slots__, replace by hand, classmethod parse."""
from perfectplay import Game


class Frogs:
    __slots__ = ("_row", "_turn")

    def __init__(self, row, turn):
        self._row = row
        self._turn = turn

    @classmethod
    def parse(cls, text):
        row, turn = text.split()
        return cls(tuple(row), int(turn))

    def moves(self):
        me, step = ("T", 1) if self._turn == 0 else ("F", -1)
        out = []
        for i, piece in enumerate(self._row):
            if piece != me:
                continue
            for hop in (1, 2):
                j = i + hop * step
                if 0 <= j < len(self._row) and self._row[j] == "_":
                    if hop == 1 or self._row[i + step] not in (me, "_"):
                        out.append((i, j))
        return out

    def play(self, i, j):
        row = list(self._row)
        row[i], row[j] = row[j], row[i]
        return Frogs(tuple(row), 1 - self._turn)

    def over(self):
        return not self.moves()

    def loser(self):
        return self._turn

    def __eq__(self, other):
        return isinstance(other, Frogs) and (self._row, self._turn) == (other._row, other._turn)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self._row, self._turn))

    def __str__(self):
        return "".join(self._row)

    def __repr__(self):
        return f"Frogs({''.join(self._row)!r}, {self._turn})"


class RichFrogs(Game):
    def initial(self):
        return Frogs.parse("TTT__FFF 0")

    def to_move(self, state):
        return state._turn

    def actions(self, state):
        return state.moves()

    def result(self, state, action):
        return state.play(*action)

    def is_terminal(self, state):
        return state.over()

    def utility(self, state, player):
        return 1 if state.loser() != player else -1

    def render(self, state):
        return f"{state!s:^20}|{state._turn:>3}"
