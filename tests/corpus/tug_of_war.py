"""A tug of war with chained comparisons, conditional expressions, and/or as values, star-assignment."""
from perfectplay import Game


class TugOfWar(Game):
    def initial(self):
        return 0, (5, 5), 0

    def to_move(self, state):
        *_, ply = state
        return ply % 2

    def actions(self, state):
        rope, strength, ply = state
        mine = strength[ply % 2]
        return [pull for pull in range(4) if pull <= mine] or [0]

    def result(self, state, pull):
        rope, (first, second), ply = state
        if ply % 2:
            rope -= pull
            second = second - pull + (pull == 0 and 2)
        else:
            rope += pull
            first = first - pull + (pull == 0 and 2)
        clamp = lambda x: x if -4 < x < 4 else (4 if x > 0 else -4)
        return clamp(rope), (first, second), ply + 1

    def is_terminal(self, state):
        rope, strength, ply = state
        return not -4 < rope < 4 or ply >= 7

    def utility(self, state, player):
        rope = state[0]
        sign = rope > 0 and 1 or rope < 0 and -1 or 0
        return sign if player == 0 else -sign
