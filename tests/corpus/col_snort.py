"""Col and Snort on a path of regions: one class with a strategy given as a function in a dict."""
from perfectplay import Game

MAP = {
    "a": "bd",
    "b": "ace",
    "c": "bf",
    "d": "aeg",
    "e": "bdf",
    "f": "ce",
    "g": "d",
}
REGIONS = "".join(MAP)

ALLOWED = {
    "col": lambda mine, near: mine not in near,
    "snort": lambda mine, near: (1 - mine) not in near,
}


class Colouring(Game):
    """Colour a region; in Col no neighbour may have your colour, in Snort none the other's."""

    def __init__(self, rule="snort"):
        self.allowed = ALLOWED[rule]

    def initial(self):
        return (None,) * len(REGIONS), 0

    def to_move(self, state):
        return state[1]

    def near(self, paint, region):
        return [paint[REGIONS.index(other)] for other in MAP[region]]

    def actions(self, state):
        paint, turn = state
        return [
            region
            for region, colour in zip(REGIONS, paint)
            if colour is None and self.allowed(turn, self.near(paint, region))
        ]

    def result(self, state, region):
        paint, turn = state
        place = REGIONS.index(region)
        return paint[:place] + (turn,) + paint[place + 1:], 1 - turn

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state[1] == player else 1


class Col(Colouring):
    def __init__(self):
        super().__init__(rule="col")
