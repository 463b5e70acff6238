"""Tic-tac-toe on 3x3 with classes all over, by someone who writes Java at work."""
from abc import ABC, abstractmethod
from perfectplay import Game


class Player:
    NONE = 0
    FIRST = 1
    SECOND = 2

    @staticmethod
    def opponent_of(player):
        return Player.SECOND if player == Player.FIRST else Player.FIRST


class Cell:
    def __init__(self, row, column):
        self._row = row
        self._column = column

    def get_row(self):
        return self._row

    def get_column(self):
        return self._column

    def __eq__(self, other):
        return isinstance(other, Cell) and self._row == other._row and self._column == other._column

    def __hash__(self):
        return hash((self._row, self._column))

    def __repr__(self):
        return "Cell(%d, %d)" % (self._row, self._column)


class Board:
    SIZE = 3

    def __init__(self, cells, current_player):
        self._cells = cells
        self._current_player = current_player

    @classmethod
    def empty(cls):
        return cls(tuple([Player.NONE] * (cls.SIZE * cls.SIZE)), Player.FIRST)

    @property
    def current_player(self):
        return self._current_player

    def get(self, row, column):
        return self._cells[row * Board.SIZE + column]

    def with_move(self, cell):
        copy = list(self._cells)
        copy[cell.get_row() * Board.SIZE + cell.get_column()] = self._current_player
        return Board(tuple(copy), Player.opponent_of(self._current_player))

    def is_full(self):
        return Player.NONE not in self._cells

    def winner(self):
        for line in WinChecker.lines():
            first = self.get(*line[0])
            if first != Player.NONE and all(self.get(r, c) == first for r, c in line):
                return first
        return Player.NONE

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return self._cells == other._cells and self._current_player == other._current_player

    def __hash__(self):
        return hash((self._cells, self._current_player))

    def __repr__(self):
        return f"Board({self._cells}, {self._current_player})"


class WinChecker:
    @staticmethod
    def lines():
        result = []
        for i in range(Board.SIZE):
            result.append([(i, j) for j in range(Board.SIZE)])
            result.append([(j, i) for j in range(Board.SIZE)])
        result.append([(i, i) for i in range(Board.SIZE)])
        result.append([(i, Board.SIZE - 1 - i) for i in range(Board.SIZE)])
        return result


class AbstractBoardGame(Game, ABC):
    def is_terminal(self, state):
        return state.winner() != Player.NONE or state.is_full()

    def to_move(self, state):
        return 0 if state.current_player == Player.FIRST else 1

    def result(self, state, action):
        return state.with_move(action)

    @abstractmethod
    def score_for_win(self):
        ...

    def utility(self, state, player):
        winner = state.winner()
        if winner == Player.NONE:
            return 0
        mine = Player.FIRST if player == 0 else Player.SECOND
        return self.score_for_win() if winner == mine else -self.score_for_win()


class JavaTicTacToe(AbstractBoardGame):
    def initial(self):
        return Board.empty()

    def actions(self, state):
        moves = []
        for row in range(Board.SIZE):
            for column in range(Board.SIZE):
                if state.get(row, column) == Player.NONE:
                    moves.append(Cell(row, column))
        return moves

    def score_for_win(self):
        return 10
