"""A race with power-ups in nested dict tables, dict.get with tuple defaults, any/all with generators, sum of bools."""
from perfectplay import Game

TRACK = {3: {"kind": "boost", "by": 2}, 5: {"kind": "trap", "by": -3}, 7: {"kind": "swap"}}
GOAL = 10


class Race(Game):
    def initial(self):
        return {"a": 0, "b": 0}["a"], 0, 0, frozenset()

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        mine = state[state[2] % 2]
        used = state[3]
        steps = [s for s in (1, 2, 3) if mine + s <= GOAL and (state[2] % 2, s) not in used]
        return steps or [0]

    def result(self, state, action):
        spots = list(state[:2])
        who = state[2] % 2
        spots[who] += action
        cell = TRACK.get(spots[who], {})
        if cell.get("kind") in ("boost", "trap"):
            spots[who] = max(0, min(GOAL, spots[who] + cell.get("by", 0)))
        elif cell.get("kind") == "swap":
            spots.reverse()
        used = state[3]
        if action == 3:
            used = used | {(who, 3)}
        return (*spots, state[2] + 1, used)

    def is_terminal(self, state):
        return GOAL in state[:2] or state[2] >= 10

    def utility(self, state, player):
        a, b = state[:2]
        lead = (a > b) - (a < b)
        return (lead * 10 + a - b) * (1, -1)[player]
