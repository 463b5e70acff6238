"""String scanning with index loops and str.find in while, slicing windows, 'step' variables, and a scoreboard in a list of lists."""
from perfectplay import Game


class SOS(Game):
    """Write S or O in a row of 5; every SOS scores and gives another move."""

    N = 5

    def initial(self):
        return "_" * self.N, (0, 0), 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [(i, ch) for i in range(self.N) for ch in "SO" if state[0][i] == "_"]

    def count(self, text):
        total, at = 0, text.find("SOS")
        while at != -1:
            total += 1
            at = text.find("SOS", at + 1)
        return total

    def result(self, state, action):
        text, scores, turn = state
        i, ch = action
        new = text[:i] + ch + text[i + 1:]
        gained = self.count(new) - self.count(text)
        board = [list(scores), [0, 0]]
        board[0][turn] += gained
        return new, tuple(board[0]), turn if gained else 1 - turn

    def is_terminal(self, state):
        return "_" not in state[0]

    def utility(self, state, player):
        return state[1][player] - state[1][1 - player]

    def evaluate(self, state, player):
        windows = [state[0][i:i + 3] for i in range(self.N - 2)]
        hot = sum(w.count("_") == 1 and w.replace("_", "") in ("SO", "OS", "SS") for w in windows)
        lead = state[1][player] - state[1][1 - player]
        return lead + (hot if state[2] == player else -hot) * 0.1
