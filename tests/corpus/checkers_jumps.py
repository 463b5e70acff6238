"""Checkers on 4x4 with forced multi-jumps found by recursion; a move is the tuple of squares it visits."""
from perfectplay import Game

SIZE = 4


class TinyCheckers(Game):
    """Men only; captures are compulsory; whoever cannot move loses."""

    def initial(self):
        return (
            (".", "b", ".", "b"),
            (".", ".", ".", "."),
            (".", ".", ".", "."),
            ("w", ".", "w", "."),
        ), "w"

    def to_move(self, state):
        return 0 if state[1] == "w" else 1

    def jumps(self, board, at, piece):
        """All ways to go on jumping from a square, as tuples of squares."""
        r, c = at
        forward = -1 if piece == "w" else 1
        enemy = "b" if piece == "w" else "w"
        ways = []
        for dc in (-1, 1):
            over_r, over_c = r + forward, c + dc
            to_r, to_c = r + 2 * forward, c + 2 * dc
            if 0 <= to_r < SIZE and 0 <= to_c < SIZE:
                if board[over_r][over_c] == enemy and board[to_r][to_c] == ".":
                    after = [row[:] for row in board]
                    after[r][c] = "."
                    after[over_r][over_c] = "."
                    after[to_r][to_c] = piece
                    further = self.jumps(after, (to_r, to_c), piece)
                    if further:
                        ways.extend((at,) + way for way in further)
                    else:
                        ways.append((at, (to_r, to_c)))
        return ways

    def actions(self, state):
        board, turn = state
        grid = [list(row) for row in board]
        captures = []
        for r in range(SIZE):
            for c in range(SIZE):
                if board[r][c] == turn:
                    captures += self.jumps(grid, (r, c), turn)
        if captures:
            return captures
        forward = -1 if turn == "w" else 1
        steps = []
        for r in range(SIZE):
            for c in range(SIZE):
                if board[r][c] == turn:
                    for dc in (-1, 1):
                        if 0 <= r + forward < SIZE and 0 <= c + dc < SIZE and board[r + forward][c + dc] == ".":
                            steps.append(((r, c), (r + forward, c + dc)))
        return steps

    def result(self, state, action):
        board, turn = state
        grid = [list(row) for row in board]
        for (r, c), (to_r, to_c) in zip(action, action[1:]):
            grid[r][c] = "."
            if abs(to_r - r) == 2:
                grid[(r + to_r) // 2][(c + to_c) // 2] = "."
            grid[to_r][to_c] = turn
        return tuple(map(tuple, grid)), "b" if turn == "w" else "w"

    def is_terminal(self, state):
        return len(self.actions(state)) == 0

    def utility(self, state, player):
        return -1 if player == self.to_move(state) else 1

    def is_quiet(self, state):
        return not any(abs(way[0][0] - way[1][0]) == 2 for way in self.actions(state))
