"""Hex 3x3: dict of neighbours made in __init__, flood fill with a stack and a set."""
from perfectplay import Game

EMPTY, RED, BLUE = range(3)


class FloodHex(Game):
    def __init__(self, size=3):
        self.size = size
        self.neighbours = {}
        for r in range(size):
            for c in range(size):
                self.neighbours[r, c] = [
                    (r + dr, c + dc)
                    for dr, dc in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
                    if 0 <= r + dr < size and 0 <= c + dc < size
                ]

    def initial(self):
        return (RED, ((EMPTY,) * self.size,) * self.size)

    def to_move(self, state):
        return 0 if state[0] == RED else 1

    def actions(self, state):
        turn, board = state
        return [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell == EMPTY]

    def result(self, state, action):
        turn, board = state
        r, c = action
        row = board[r][:c] + (turn,) + board[r][c + 1:]
        return (RED + BLUE - turn, board[:r] + (row,) + board[r + 1:])

    def connected(self, board, colour):
        n = self.size
        stack = []
        for i in range(n):
            start = (0, i) if colour == RED else (i, 0)
            if board[start[0]][start[1]] == colour:
                stack.append(start)
        seen = set(stack)
        while stack:
            here = stack.pop()
            if here[0 if colour == RED else 1] == n - 1:
                return True
            for there in self.neighbours[here]:
                r, c = there
                if there not in seen and board[r][c] == colour:
                    seen.add(there)
                    stack.append(there)
        return False

    def is_terminal(self, state):
        # only the player who just moved can have won
        return self.connected(state[1], RED + BLUE - state[0])

    def utility(self, state, player):
        winner = 0 if self.connected(state[1], RED) else 1
        return 1 if winner == player else -1
