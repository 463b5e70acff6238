# my first game: three in a row on a 3x3 with moves like "a1", deepcopy everywhere
import copy
from perfectplay import Game

EMPTY = " "
SIZE = 3
LETTERS = "abc"


class MyGame(Game):
    def initial(self):
        board = []
        for i in range(SIZE):
            row = []
            for j in range(SIZE):
                row.append(EMPTY)
            board.append(row)
        return self.freeze(board, "X")

    def freeze(self, board, player):
        rows = []
        for i in range(len(board)):
            rows.append("".join(board[i]))
        return ("\n".join(rows), player)

    def thaw(self, state):
        board = []
        for line in state[0].split("\n"):
            board.append(list(line))
        return board

    def to_move(self, state):
        if state[1] == "X":
            return 0
        else:
            return 1

    def actions(self, state):
        board = self.thaw(state)
        moves = []
        for i in range(len(board)):
            for j in range(len(board[i])):
                if (board[i][j] == EMPTY) == True:
                    moves.append(f"{LETTERS[j]}{i + 1}")
        return moves

    def result(self, state, action):
        board = copy.deepcopy(self.thaw(state))
        col = LETTERS.index(action[0])
        row = int(action[1:]) - 1
        board[row][col] = state[1]
        if state[1] == "X":
            next_player = "O"
        else:
            next_player = "X"
        return self.freeze(board, next_player)

    def check_win(self, state, player):
        board = self.thaw(state)
        win = False
        for i in range(SIZE):
            if board[i][0] == player and board[i][1] == player and board[i][2] == player:
                win = True
            if board[0][i] == player and board[1][i] == player and board[2][i] == player:
                win = True
        if board[0][0] == player and board[1][1] == player and board[2][2] == player:
            win = True
        if board[0][2] == player and board[1][1] == player and board[2][0] == player:
            win = True
        return win

    def is_terminal(self, state):
        if self.check_win(state, "X") == True:
            return True
        elif self.check_win(state, "O") == True:
            return True
        elif EMPTY not in state[0]:
            return True
        return False

    def utility(self, state, player):
        if self.check_win(state, "X"):
            score = 1
        elif self.check_win(state, "O"):
            score = -1
        else:
            score = 0
        if player == 1:
            score = score * -1
        return score

    def render(self, state):
        return "  " + " ".join(LETTERS) + "\n" + "\n".join(f"{i+1} {'|'.join(r)}" for i, r in enumerate(state[0].split("\n")))
