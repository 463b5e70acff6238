"""Traffic lights: cells change green, yellow, red; str.translate-free, a dict of next letters."""
from perfectplay import Game

NEXT = {" ": "g", "g": "y", "y": "r"}
LINES = ((0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5))


class TrafficLights(Game):
    """On 2x3 three alike in a row of three win; a red light stays."""

    def initial(self):
        return " " * 6 + "0"

    def to_move(self, s):
        return int(s[-1])

    def actions(self, s):
        return [i for i in range(6) if s[i] in NEXT]

    def result(self, s, i):
        cells = list(s)
        cells[i] = NEXT[cells[i]]
        cells[-1] = str(1 - int(cells[-1]))
        return "".join(cells)

    def three(self, s):
        for line in LINES:
            letters = "".join(s[i] for i in line)
            if len(letters) == 3 and letters in ("ggg", "yyy", "rrr"):
                return True
        return False

    def is_terminal(self, s):
        return self.three(s) or not self.actions(s)

    def utility(self, s, player):
        if not self.three(s):
            return 0
        return -1 if self.to_move(s) == player else 1
