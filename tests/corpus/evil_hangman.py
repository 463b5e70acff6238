"""Hangman-like guessing with perfect information: word masks, string.ascii, set operations, sorted unique letters."""
from string import ascii_lowercase
from perfectplay import Game

WORDS = ("bead", "fade", "cafe", "deaf")
LETTERS = sorted(set("".join(WORDS)))


class EvilHangman(Game):
    """The guesser names letters, the keeper narrows the words to a pattern; the guesser pays for misses."""

    def initial(self):
        return WORDS, "", None, 0

    def to_move(self, state):
        return 0 if state[2] is None else 1

    def pattern(self, word, guessed):
        return "".join(ch if ch in guessed else "_" for ch in word)

    def actions(self, state):
        words, guessed, asked, _ = state
        if asked is None:
            return [ch for ch in LETTERS if ch not in guessed]
        shown = {}
        for word in words:
            shown.setdefault(self.pattern(word, guessed + asked), []).append(word)
        return sorted(shown)

    def result(self, state, action):
        words, guessed, asked, misses = state
        if asked is None:
            return words, guessed, action, misses
        guessed = "".join(sorted(guessed + asked))
        left = tuple(w for w in words if self.pattern(w, guessed) == action)
        return left, guessed, None, misses + (asked not in action)

    def is_terminal(self, state):
        words, guessed, asked, misses = state
        return asked is None and (misses >= 2 or len(guessed) >= 4 or (len(words) == 1 and set(words[0]) <= set(guessed)))

    def utility(self, state, player):
        words, guessed, _, misses = state
        value = len([c for c in guessed if all(c in w for w in words)]) - 2 * misses
        value += ascii_lowercase.find(guessed[0]) if guessed else 0
        return value if player == 0 else -value
