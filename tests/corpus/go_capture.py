"""Capture Go on 3x3 (first capture wins): nested functions, nonlocal, mutual recursion."""
from perfectplay import Game

N = 3


def neighbours(p):
    x, y = p % N, p // N
    if x > 0:
        yield p - 1
    if x < N - 1:
        yield p + 1
    if y > 0:
        yield p - N
    if y < N - 1:
        yield p + N


class CaptureGo(Game):
    def __init__(self, plies=6):
        self.plies = plies

    def initial(self):
        return "." * (N * N), 0, None

    def to_move(self, state):
        return state[1] % 2

    def has_liberty(self, board, start):
        colour = board[start]
        seen = [False] * len(board)

        def visit(p):
            if board[p] == ".":
                return True
            if board[p] != colour or seen[p]:
                return False
            seen[p] = True
            return around(p)

        def around(p):
            for q in neighbours(p):
                if visit(q):
                    return True
            return False

        return visit(start)

    def stones(self, board):
        count = 0

        def add(letter):
            nonlocal count
            if letter != ".":
                count += 1

        for letter in board:
            add(letter)
        return count

    def play(self, board, p, turn):
        me, foe = "XO" if turn == 0 else "OX"
        board = board[:p] + me + board[p + 1:]
        captured = any(board[q] == foe and not self.has_liberty(board, q) for q in neighbours(p))
        suicide = not captured and not self.has_liberty(board, p)
        return board, captured, suicide

    def actions(self, state):
        board, ply, won = state
        return [p for p in range(N * N) if board[p] == "." and not self.play(board, p, ply % 2)[2]]

    def result(self, state, p):
        board, ply, _ = state
        board, captured, _ = self.play(board, p, ply % 2)
        return board, ply + 1, ply % 2 if captured else None

    def is_terminal(self, state):
        if state[2] is not None:
            return True
        return self.stones(state[0]) >= self.plies or not self.actions(state)

    def utility(self, state, player):
        winner = state[2]
        return 0 if winner is None else (1 if winner == player else -1)
