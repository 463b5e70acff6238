"""A solitaire made a duel: Bulgarian moves on a partition, sorted with a key, a Counter-free style."""
from perfectplay import Game


class BulgarianDuel(Game):
    """On your turn halve a pile (rounding down), or take one chip of every pile into a new one.

    After eight moves MAX gets the number of piles less the largest pile.
    """

    def initial(self):
        return (5, 3, 1), 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        piles, moves = state
        if moves >= 6:
            return []
        return ["solitaire"] + [("halve", i) for i, pile in enumerate(piles) if pile > 1 and pile not in piles[:i]]

    def result(self, state, action):
        piles, moves = state
        if action == "solitaire":
            rest = [pile - 1 for pile in piles if pile > 1]
            rest.append(len(piles))
        else:
            _, i = action
            rest = list(piles[:i]) + list(piles[i + 1:])
            rest += [piles[i] // 2, piles[i] - piles[i] // 2]
        rest.sort(key=lambda pile: -pile)
        return tuple(rest), moves + 1

    def is_terminal(self, state):
        return state[1] >= 6

    def utility(self, state, player):
        piles = state[0]
        worth = len(piles) - max(piles)
        return worth if player == 0 else -worth
