"""Three players, MIN coalition; player names in an enum; turns by a dict."""
from enum import Enum
from perfectplay import Game


class Seat(Enum):
    ANN = 0
    BOB = 1
    CAT = 2

    @property
    def next(self):
        members = list(Seat)
        return members[(members.index(self) + 1) % len(members)]


class Thirst(Game):
    """Draw 1 to 3 drops from a well; who draws a multiple of 4 scores a point for ANN or against her."""

    players = 3

    def initial(self):
        return {"drops": 11}["drops"], Seat.ANN, 0

    def to_move(self, state):
        return state[1].value

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        drops, seat, score = state
        drops -= action
        if drops % 4 == 0:
            score += 2 if seat is Seat.ANN else -1
        return drops, seat.next, score

    def is_terminal(self, state):
        drops, *_ = state
        return drops == 0

    def utility(self, state, player):
        score = state[2]
        return score if Seat(player) == Seat.ANN else -score
