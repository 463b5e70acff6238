"""Permutations and combinations: sort a line by swaps, inversions counted."""
from itertools import combinations, permutations, pairwise
from perfectplay import Game

ALL = {p: i for i, p in enumerate(permutations("abcd"))}


def inversions(word):
    return sum(x > y for x, y in combinations(word, 2))


class SwapSort(Game):
    """Swap two neighbours; no swap may be undone at once; 5 plies; even inversions for MAX."""

    def initial(self):
        return "cadb", None, 0

    def to_move(self, state):
        return state[2] & 1

    def actions(self, state):
        word, last, _ = state
        return [i for i, (x, y) in enumerate(pairwise(word)) if i != last]

    def result(self, state, action):
        word, _, n = state
        letters = [*word]
        letters[action], letters[action + 1] = letters[action + 1], letters[action]
        return "".join(letters), action, n + 1

    def is_terminal(self, state):
        return state[2] == 6 or (word := state[0]) == "abcd" and len(word) == 4

    def utility(self, state, player):
        index = ALL[tuple(state[0])]
        value = 3 - inversions(state[0]) + (index % 3) / 4
        return value if player == 0 else -value
