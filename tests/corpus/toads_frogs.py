"""Toads and Frogs on a strip held in a string, with str.replace and find."""
from perfectplay import Game


class ToadsAndFrogs(Game):
    def initial(self):
        return "TTT__FFF", 0

    def to_move(self, s):
        return s[1]

    def actions(self, s):
        strip, turn = s
        patterns = ("T_", "TF_") if turn == 0 else ("_F", "_TF")
        moves = []
        for pattern in patterns:
            start = strip.find(pattern)
            while start != -1:
                moves.append((start, pattern))
                start = strip.find(pattern, start + 1)
        return moves

    def result(self, s, a):
        strip, turn = s
        start, pattern = a
        end = start + len(pattern)
        moved = pattern[::-1] if len(pattern) == 2 else pattern[2] + pattern[1] + pattern[0]
        return strip[:start] + moved + strip[end:], 1 - turn

    def is_terminal(self, s):
        return not self.actions(s)

    def utility(self, s, player):
        return -1 if player == s[1] else 1
