"""Knights that burn the squares they leave: algebraic names such as "b3" everywhere."""
from perfectplay import Game

FILES = "abcd"
RANKS = "123"
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def squares_from(square):
    file, rank = FILES.index(square[0]), RANKS.index(square[1])
    for df, dr in JUMPS:
        f, r = file + df, rank + dr
        if 0 <= f < len(FILES) and 0 <= r < len(RANKS):
            yield FILES[f] + RANKS[r]


class KnightWalk(Game):
    def initial(self):
        # burnt squares, MAX's knight, MIN's knight, who is to move
        return ("a1", "d3"), "a1", "d3", "white"

    def to_move(self, state):
        return {"white": 0, "black": 1}[state[3]]

    def actions(self, state):
        burnt, white, black, colour = state
        here = white if colour == "white" else black
        return [square for square in squares_from(here) if square not in burnt]

    def result(self, state, square):
        burnt, white, black, colour = state
        burnt = tuple(sorted([*burnt, square]))
        if colour == "white":
            return burnt, square, black, "black"
        return burnt, white, square, "white"

    def is_terminal(self, state):
        return not any(True for _ in self.actions(state))

    def utility(self, state, player):
        stuck = self.to_move(state)
        return -1 if stuck == player else 1
