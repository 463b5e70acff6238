# a board as one long list; try/except ValueError and IndexError; global constants
from perfectplay import Game

ROAD_LENGTH = 9
START_A = 0
START_B = 8
DICE = [1, 2, 3]


class Chase(Game):
    """A thief and a cop on a ring road; the cop lands on the thief, or the time is over."""

    def initial(self):
        road = ["."] * ROAD_LENGTH
        road[START_A] = "T"
        road[5] = "C"
        return (tuple(road), 0, 6)

    def to_move(self, state):
        road, turn, time = state
        return turn

    def find(self, road, what):
        try:
            return road.index(what)
        except ValueError:
            return -1

    def actions(self, state):
        result = []
        for d in DICE:
            result.append(d)
            if d != 3:
                result.append(-d)
        return result

    def result(self, state, action):
        road = list(state[0])
        if state[1] == 0:
            me = "T"
        else:
            me = "C"
        here = self.find(road, me)
        road[here] = "."
        there = here + action
        while True:
            if there >= ROAD_LENGTH:
                there = there - ROAD_LENGTH
                continue
            if there < 0:
                there = there + ROAD_LENGTH
                continue
            break
        if road[there] == "." or me == "C":
            road[there] = me
        else:
            road[here] = me
        return (tuple(road), 1 - state[1], state[2] - 1)

    def is_terminal(self, state):
        if self.find(state[0], "T") == -1:
            return True
        if state[2] == 0:
            return True
        return False

    def utility(self, state, player):
        caught = self.find(state[0], "T") == -1
        left = state[2]
        if caught:
            value = -1 - left
        else:
            value = 1
        if player == 0:
            return value
        else:
            return -value
