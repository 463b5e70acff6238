"""A chess-like game on 3x4: piece letters by case, sliding generators, moves as 'a1b2'."""
from typing import NamedTuple
from perfectplay import Game

FILES = "abc"
ROWS = 4
SLIDES = {"R": ((0, 1), (1, 0), (0, -1), (-1, 0)), "B": ((1, 1), (1, -1), (-1, 1), (-1, -1))}
SLIDES["K"] = SLIDES["R"] + SLIDES["B"]
VALUE = {"K": 100, "R": 5, "B": 3, "P": 1}


class Position(NamedTuple):
    board: str
    white: bool
    half: int = 0


def name(square):
    return FILES[square % 3] + str(square // 3 + 1)


def square(text):
    return FILES.index(text[0]) + (int(text[1]) - 1) * 3


class Minichess(Game):
    """Take the king, or have more after eight plies."""

    def initial(self):
        return Position("RKBP....prkb", True)

    def to_move(self, state):
        return 0 if state.white else 1

    def slides(self, state, at, piece):
        x, y = at % 3, at // 3
        for dx, dy in SLIDES[piece.upper()]:
            for step in range(1, 4):
                nx, ny = x + dx * step, y + dy * step
                if not (0 <= nx < 3 and 0 <= ny < ROWS):
                    break
                target = state.board[ny * 3 + nx]
                if target != "." and target.isupper() == piece.isupper():
                    break
                yield ny * 3 + nx
                if target != "." or piece in "Kk":
                    break

    def pawn(self, state, at, piece):
        forward = 3 if piece.isupper() else -3
        to = at + forward
        if 0 <= to < 12 and state.board[to] == ".":
            yield to
        for side in (-1, 1):
            if 0 <= at % 3 + side < 3 and 0 <= to < 12:
                target = state.board[to + side]
                if target.isalpha() and target.isupper() != piece.isupper():
                    yield to + side

    def actions(self, state):
        moves = []
        for at, piece in enumerate(state.board):
            if piece == "." or piece.isupper() != state.white:
                continue
            gen = self.pawn if piece in "Pp" else self.slides
            moves.extend(name(at) + name(to) for to in gen(state, at, piece))
        return moves

    def result(self, state, action):
        source, target = square(action[:2]), square(action[2:])
        board = list(state.board)
        piece = board[source]
        board[source] = "."
        if piece in "Pp" and target // 3 in (0, ROWS - 1):
            piece = "R" if piece == "P" else "r"
        board[target] = piece
        return Position("".join(board), not state.white, state.half + 1)

    def is_terminal(self, state):
        return "K" not in state.board or "k" not in state.board or state.half >= 6 or not self.actions(state)

    def material(self, state):
        return sum(VALUE[p.upper()] * (1 if p.isupper() else -1) for p in state.board if p != ".")

    def utility(self, state, player):
        return self.material(state) if player == 0 else -self.material(state)

    def evaluate(self, state, player):
        m = self.material(state)
        return m if player == 0 else -m

    def is_quiet(self, state):
        return True

    def order(self, state, action):
        taken = state.board[square(action[2:])]
        return VALUE.get(taken.upper(), 0)
