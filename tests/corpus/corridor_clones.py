"""States of a class with setters that holds lists and a set, cloned and then changed; equal by all three."""

from perfectplay import Game


class Position:
    def __init__(self):
        self.men = [0, 0]
        self.burnt = set()
        self.mover = 0

    def clone(self):
        new = Position()
        new.set_men(list(self.men))
        new.set_burnt(set(self.burnt))
        new.set_mover(self.mover)
        return new

    def set_men(self, men):
        self.men = men

    def set_burnt(self, burnt):
        self.burnt = burnt

    def set_mover(self, mover):
        self.mover = mover

    def get_burnt(self):
        return self.burnt

    def __eq__(self, other):
        if self is other:
            return True
        if other is None or type(self) != type(other):
            return False
        return self.men == other.men and self.burnt == other.burnt and self.mover == other.mover

    def __hash__(self):
        return hash((tuple(self.men), frozenset(self.burnt), self.mover))

    def __repr__(self):
        return f"Position({self.men}, {sorted(self.burnt)}, {self.mover})"


class Corridor(Game):
    """Two men in a corridor of nine; a step of one or two burns the place that is left."""

    def initial(self):
        start = Position()
        start.set_men([1, 7])
        return start

    def to_move(self, state):
        return state.mover

    def actions(self, state):
        here = state.men[state.mover]
        free = [here + step for step in (-2, -1, 1, 2) if 0 <= here + step < 9]
        return [to for to in free if to not in state.get_burnt() and to not in state.men]

    def result(self, state, action):
        new = state.clone()
        new.get_burnt().add(new.men[new.mover])
        new.men[new.mover] = action
        new.set_mover(1 - state.mover)
        return new

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state.mover == player else 1
