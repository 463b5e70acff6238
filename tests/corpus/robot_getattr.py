"""A rule table of (predicate, effect) pairs; getattr dispatch; isinstance on actions of mixed types."""
from perfectplay import Game


class Robot(Game):
    """Program a robot in turn: ints move it, strings act."""

    def initial(self):
        return (3, 0, 0, ())  # place, energy, ply, log

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        place, energy, ply, log = state
        acts = [-1, 1, "charge"]
        if energy >= 2:
            acts.append("warp")
            acts.append(("jump", 3))
        return acts

    def do_charge(self, place, energy):
        return place, min(energy + 1, 3)

    def do_warp(self, place, energy):
        return 6 - place, energy - 2

    def do_jump(self, place, energy, far=2):
        return (place + far) % 7, energy - 2

    def result(self, state, action):
        place, energy, ply, log = state
        if isinstance(action, int):
            place, code = max(0, min(6, place + action)), action
        elif isinstance(action, str):
            place, energy = getattr(self, "do_" + action)(place, energy)
            code = len(action)
        else:
            name, far = action
            place, energy = self.do_jump(place, energy, far=far)
            code = far * 10
        return place, energy, ply + 1, (log + (code,))[-2:]

    def is_terminal(self, state):
        return state[2] == 7

    def utility(self, state, player):
        value = state[0] - 3 + (state[3][0] == state[3][1]) * 0.5
        return value if player == 0 else -value
