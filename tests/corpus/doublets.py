"""A word ladder as a duel: change one letter, no word twice; a dict of words made in __init__."""
from perfectplay import Game


def differ_by_one(one: str, other: str) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other)) == 1


class Doublets(Game):
    WORDS = ["cat", "cot", "cog", "dog", "dot", "hot", "hat", "hog", "bat", "bag"]

    def __init__(self):
        self.links = {word: tuple(w for w in self.WORDS if differ_by_one(word, w)) for word in self.WORDS}

    def initial(self):
        return ("cat",)

    def to_move(self, path):
        return (len(path) + 1) % 2

    def actions(self, path):
        return [word for word in self.links[path[-1]] if word not in path]

    def result(self, path, word):
        return (*path, word)

    def is_terminal(self, path):
        return len(self.actions(path)) == 0

    def utility(self, path, player):
        return -1 if self.to_move(path) == player else 1
