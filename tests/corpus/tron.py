"""Tron: two snakes that leave walls, on a grid held in one integer; moves are letters."""
from perfectplay import Game

W, H = 4, 3
MOVES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def bit(x, y):
    return 1 << (y * W + x)


def free(x, y, walls):
    return 0 <= x < W and 0 <= y < H and not walls & bit(x, y)


class Tron(Game):
    def initial(self):
        heads = ((0, 0), (W - 1, H - 1))
        return heads, bit(*heads[0]) | bit(*heads[1]), 0

    def to_move(self, state):
        *_, turn = state
        return turn

    def actions(self, state):
        heads, walls, turn = state
        x, y = heads[turn]
        return [letter for letter, (dx, dy) in MOVES.items() if free(x + dx, y + dy, walls)]

    def result(self, state, letter):
        (first, second), walls, turn = state
        dx, dy = MOVES[letter]
        if turn == 0:
            first = (first[0] + dx, first[1] + dy)
            walls |= bit(*first)
        else:
            second = (second[0] + dx, second[1] + dy)
            walls |= bit(*second)
        return (first, second), walls, 1 - turn

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state[-1] == player else 1
