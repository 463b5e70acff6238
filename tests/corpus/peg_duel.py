"""Peg solitaire for two on a triangle: while/else, tuple surgery, generators with yield from."""
from perfectplay import Game


def hops():
    """Triples (from, over, to) on a triangle with four rows."""
    number = {}
    for r in range(4):
        for c in range(r + 1):
            number[r, c] = len(number)
    for (r, c), start in number.items():
        for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if to in number:
                yield start, number[over], number[to]


HOPS = tuple(hops())


class PegDuel(Game):
    def initial(self):
        return tuple(i != 0 for i in range(10)), 0

    def to_move(self, state):
        return state[1]

    def hops_of(self, pegs, start):
        for a, b, c in HOPS:
            if a == start and pegs[a] and pegs[b] and not pegs[c]:
                yield a, b, c

    def all_hops(self, pegs):
        for start in range(len(pegs)):
            yield from self.hops_of(pegs, start)

    def actions(self, state):
        yield from self.all_hops(state[0])

    def result(self, state, hop):
        pegs = list(state[0])
        for place, value in zip(hop, (False, False, True)):
            pegs[place] = value
        return tuple(pegs), 1 - state[1]

    def is_terminal(self, state):
        pegs = state[0]
        i = 0
        while i < len(HOPS):
            a, b, c = HOPS[i]
            if pegs[a] and pegs[b] and not pegs[c]:
                break
            i += 1
        else:
            return True
        return False

    def utility(self, state, player):
        left = sum(state[0])
        worth = (10 - left) if state[1] == 1 else (left - 10)  # the last to hop gets what was taken
        return worth if player == 0 else -worth
