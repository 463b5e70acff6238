"""State changes through a helper update(**changes) built on dict(vars) / _replace(**changes), kwargs everywhere."""
from collections import namedtuple
from perfectplay import Game

S = namedtuple("S", "hp shield turn clock", defaults=((6, 6), (0, 0), 0, 0))


def put(pair, index, value):
    return pair[:index] + (value,) + pair[index + 1:]


class KwDuel(Game):
    def initial(self):
        return S()

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return ["hit", "guard"] + (["smash"] if state.clock > 1 else [])

    def result(self, state, action):
        me, foe = state.turn, 1 - state.turn
        changes = dict(turn=foe, clock=state.clock + 1)
        if action == "guard":
            changes["shield"] = put(state.shield, me, min(3, state.shield[me] + 2))
        else:
            damage = {"hit": 2, "smash": 3}[action]
            blocked = min(damage, state.shield[foe])
            changes["shield"] = put(state.shield, foe, state.shield[foe] - blocked)
            changes["hp"] = put(state.hp, foe, max(0, state.hp[foe] - damage + blocked))
        return state._replace(**changes)

    def is_terminal(self, state):
        return min(state.hp) == 0 or state.clock >= 7

    def utility(self, state, player):
        return state.hp[player] - state.hp[1 - player]
