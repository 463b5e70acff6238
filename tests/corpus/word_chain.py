"""Words: title, capitalize, format specs, zfill, sets of letters, dict of words, str.join of generators."""
import string
from perfectplay import Game

WORDS = """cat car cart care bat bar bare tar tare rate""".split()
INDEX = {}
for word in WORDS:
    INDEX.setdefault(word[0], []).append(word)
VOWELS = set("aeiou")


class WordChain(Game):
    """Say a word beginning with the last letter's successor group; no word twice; vowels count double."""

    def initial(self):
        return "", 0, 0

    def to_move(self, state):
        said, a, b = state
        return len(said.split(",")) % 2 if said else 0

    def last(self, said):
        return said.rsplit(",", 1)[-1]

    def actions(self, state):
        said = state[0]
        used = set(said.split(","))
        if not said:
            return WORDS[:3]
        letters = set(self.last(said))
        return [w for w in WORDS if w not in used and w[0] in letters and len(letters & set(w)) >= 2]

    def worth(self, word):
        return sum(2 if letter in VOWELS else 1 for letter in word) + string.ascii_lowercase.index(word[-1]) % 2

    def result(self, state, action):
        said, a, b = state
        who = self.to_move(state)
        points = self.worth(action)
        text = ",".join(filter(None, (said, action)))
        return (text, a + points, b) if who == 0 else (text, a, b + points)

    def is_terminal(self, state):
        return bool(state[0]) and (state[0].count(",") >= 3 or not self.actions(state))

    def utility(self, state, player):
        diff = state[1] - state[2]
        return diff if player == 0 else -diff

    def action_name(self, action):
        return f"{action.title():>6}"
