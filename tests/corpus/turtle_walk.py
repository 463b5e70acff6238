"""Two turtles on a grid of complex numbers: each turns or goes on, and none may go where one has been."""

from perfectplay import Game

SIDE = 3
TURNS = {"left": 1j, "right": -1j, "on": 1 + 0j}


class Turtles(Game):
    """A state: where both are and look, where anyone has been, and whose turn it is."""

    def initial(self):
        return ((0j, 1 + 0j), (complex(SIDE - 1, SIDE - 1), -1 + 0j), frozenset({0j, complex(SIDE - 1, SIDE - 1)}), 0)

    def to_move(self, state):
        return state[3]

    def _after(self, state, turn):
        at, way = state[state[3]]
        way = way * TURNS[turn]
        return at + way, way

    def _free(self, state, place):
        inside = 0 <= place.real < SIDE and 0 <= place.imag < SIDE
        return inside and place not in state[2]

    def actions(self, state):
        return [turn for turn in TURNS if self._free(state, self._after(state, turn)[0])]

    def result(self, state, action):
        place, way = self._after(state, action)
        turtles = [state[0], state[1]]
        turtles[state[3]] = (place, way)
        return (*turtles, state[2] | {place}, 1 - state[3])

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        (one, _), (other, _) = state[:2]
        far = abs(one - other)
        return -far if player == state[3] else far

    def evaluate(self, state, player):
        return abs(state[player][0] - complex(1, 1)) - (state[1 - player][0].conjugate() * 1j).imag
