"""A recursive trie as nested dicts built at import; walking it with nested lookups and try/except KeyError."""
from perfectplay import Game


def build(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = {}
    return root


TRIE = build(["cab", "cat", "car", "cart", "dog", "do", "dot"])
WORDS = {"cab", "cat", "car", "cart", "dog", "do", "dot"}
PREFIXES = sorted({w[:i] for w in WORDS for i in range(len(w) + 1)})


class Ghost(Game):
    """Add a letter; whoever completes a word of at least three letters loses."""

    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        letters = []
        for p in PREFIXES:
            if len(p) == len(state) + 1 and p.startswith(state):
                letters.append(p[-1])
        return letters

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state in WORDS and len(state) >= 3

    def utility(self, state, player):
        loser = (len(state) - 1) % 2
        return -1 if player == loser else 1
