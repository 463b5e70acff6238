"""Pong Hau K'i: five points, two stones each, the player who cannot move loses."""
from perfectplay import Game

GRAPH = [[1, 2, 3], [0, 2, 4], [0, 1, 3, 4], [0, 2], [1, 2]]
GRAPH = [[2, 3], [2, 4], [0, 1, 3, 4], [0, 2, 4], [1, 2, 3]]


class PongHauKi(Game):
    def initial(self):
        # who is where, whose turn, moves left
        return ((0, 0, -1, 1, 1), 0, 12)

    def to_move(self, s):
        return s[1]

    def actions(self, s):
        hole = s[0].index(-1)
        return [p for p in GRAPH[hole] if s[0][p] == s[1]]

    def result(self, s, p):
        points, turn, left = s
        hole = points.index(-1)
        points = tuple(-1 if i == p else turn if i == hole else x for i, x in enumerate(points))
        return points, 1 - turn, left - 1

    def is_terminal(self, s):
        return s[2] == 0 or len(self.actions(s)) == 0

    def utility(self, s, player):
        if self.actions(s):
            return 0
        return -1 if s[1] == player else 1
