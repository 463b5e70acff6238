"""easyAI's side: the two games as its documentation writes games, and its Negamax on them.

They are written for speed, so that the searches are compared and not the boards: lists, which are faster
here than bits; moves that are taken back, where easyAI would copy the game; a win of Connect Four is looked
for only through the last stone.
"""

from __future__ import annotations

from importlib.metadata import version

from easyAI import Negamax, TranspositionTable, TwoPlayerGame

LIBRARY = f"easyAI {version('easyAI')}"

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

FOURS = [
    [(row + i * down) * 7 + col + i * right for i in range(4)]
    for row in range(6)
    for col in range(7)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < 6 and 0 <= col + 3 * right < 7
]
REST_OF_FOURS = [
    [tuple(c for c in four if c != cell) for four in FOURS if cell in four] for cell in range(42)
]


class TicTacToe(TwoPlayerGame):
    """Cells are numbered from 0 at the top left, row by row."""

    def __init__(self, players=None):
        self.players = players
        self.board = [0] * 9
        self.current_player = 1

    def possible_moves(self):
        return [cell for cell, stone in enumerate(self.board) if not stone]

    def make_move(self, cell):
        self.board[cell] = self.current_player

    def unmake_move(self, cell):
        self.board[cell] = 0

    def lose(self):
        board, opponent = self.board, self.opponent_index
        for a, b, c in ROWS:  # noqa: SIM110 (any() with a generator is slower)
            if board[a] == opponent and board[b] == opponent and board[c] == opponent:
                return True
        return False

    def is_over(self):
        return self.lose() or 0 not in self.board

    def scoring(self):
        return -1 if self.lose() else 0

    def ttentry(self):
        return tuple(self.board)


class ConnectFour(TwoPlayerGame):
    """Cells are numbered from 0 at the top left, row by row; a move is a column from 0."""

    def __init__(self, players=None):
        self.players = players
        self.board = [0] * 42
        self.free = list(range(35, 42))  # the cell where the next stone of each column comes to rest
        self.cells = []  # of the stones, in the order in which they were played
        self.current_player = 1

    def possible_moves(self):
        board = self.board
        return [column for column in range(7) if not board[column]]

    def make_move(self, column):
        cell = self.free[column]
        self.free[column] = cell - 7
        self.board[cell] = self.current_player
        self.cells.append(cell)

    def unmake_move(self, column):
        cell = self.cells.pop()
        self.free[column] = cell
        self.board[cell] = 0

    def lose(self):
        """Did the last stone, the opponent's, make four?"""
        if not self.cells:
            return False
        board, cell, opponent = self.board, self.cells[-1], self.opponent_index
        for a, b, c in REST_OF_FOURS[cell]:
            if board[a] == opponent and board[b] == opponent and board[c] == opponent:
                return True
        return False

    def is_over(self):
        return self.lose() or len(self.cells) == 42

    def scoring(self):
        return -1 if self.lose() else 0

    def ttentry(self):
        return tuple(self.board)


def position(name, actions):
    """The game of that name, after those actions."""
    game = {"tic-tac-toe": TicTacToe, "connect-four": ConnectFour}[name]()
    for action in actions:
        game.play_move(action)
    return game


def board(name, game):
    """The board as a string, row by row from the top."""
    return "".join(".XO"[stone] for stone in game.board)


def outcome(game, depth, with_table=False):
    """1, 0 or -1 to the player to move, and the move.

    With a `win_score`, easyAI searches the window from -1 to 1, so that its bonus for a quick win
    changes nothing: every win is enough.
    """
    negamax = Negamax(depth, win_score=1, tt=TranspositionTable() if with_table else None)
    move = negamax(game)
    return (negamax.alpha > 0) - (negamax.alpha < 0), move


def distance(game, depth, with_table=False):
    """The score to the player to move, as perfectplay's score="distance" has it, and the move.

    easyAI multiplies a score by 1 + 0.001 for each move of the depth that is left at the end: so it
    ranks wins by their distance too, and its value says how many stones the last position has.
    """
    negamax = Negamax(depth, tt=TranspositionTable() if with_table else None)
    move = negamax(game)
    value = negamax.alpha
    if value == 0:
        return 0, move
    moves_left = round((abs(value) - 1) / 0.001)
    stones = len(game.cells) + depth - moves_left
    worth = (42 + 2 - stones) // 2
    return worth if value > 0 else -worth, move


def nodes(search, game, *arguments):
    """The root and the moves that `search` makes."""
    made = 0
    make_move = game.make_move

    def counting(move):
        nonlocal made
        made += 1
        make_move(move)

    game.make_move = counting
    search(game, *arguments)
    del game.make_move
    return 1 + made
