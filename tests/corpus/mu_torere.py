"""Mu Torere: a ring of eight kewai and the putahi in the middle, as strings and slices."""
from perfectplay import Game

RING = 8


class MuTorere(Game):
    def initial(self):
        return "BBBBWWWW.", "B", 0

    def to_move(self, state):
        return "BW".index(state[1])

    def actions(self, state):
        points, colour, ply = state
        empty = points.find(".")
        found = []
        for i, stone in enumerate(points):
            if stone != colour:
                continue
            if empty == RING:
                beside = points[(i - 1) % RING], points[(i + 1) % RING]
                if any(s not in (colour, ".") for s in beside):
                    found.append(i)
            elif i == RING or (i - empty) % RING in (1, RING - 1):
                found.append(i)
        return found

    def result(self, state, i):
        points, colour, ply = state
        empty = points.find(".")
        lo, hi = min(i, empty), max(i, empty)
        points = points[:lo] + points[hi] + points[lo + 1:hi] + points[lo] + points[hi + 1:]
        return points, "W" if colour == "B" else "B", ply + 1

    def is_terminal(self, state):
        return state[2] >= 10 or not self.actions(state)

    def utility(self, state, player):
        if state[2] >= 10 and self.actions(state):
            return 0
        return -1 if self.to_move(state) == player else 1

    def canonical(self, state):
        """Turn the ring to the least of its rotations."""
        points, colour, ply = state
        ring, middle = points[:RING], points[RING]
        return min(ring[k:] + ring[:k] for k in range(RING)) + middle, colour, ply
