"""A state of lists and dicts with plain attributes, deep copied, changed by name, equal by its text."""

import copy

from perfectplay import Game

FIELDS = {"north": 3, "south": 2, "hill": 1}


class Farm:
    def __init__(self, left, baskets, turn, taken):
        self.left = left
        self.baskets = baskets
        self.turn = turn
        self.taken = taken

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        left = "-".join(name + str(self.left[name]) for name in sorted(self.left))
        return "left " + left + " baskets " + str(self.baskets) + " turn " + str(self.turn) + str(self.taken)

    __repr__ = __str__


class Harvest(Game):
    def initial(self):
        return Farm(dict(FIELDS), [0, 0], 0, [])

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [name for name, much in state.left.items() if much > 0]

    def result(self, state, action):
        s = copy.deepcopy(state)
        s.left[action] -= 1
        s.baskets[s.turn] += FIELDS[action] - s.left[action]
        s.taken.append(action)
        s.taken.sort()
        if s.left[action] == 0:
            del s.left[action]
        else:
            s.turn = 1 - s.turn
        return s

    def is_terminal(self, state):
        return not state.left

    def utility(self, state, player):
        mine, yours = state.baskets[player], state.baskets[1 - player]
        return mine - yours
