"""Recursion on tuples: expression trees as nested tuples rewritten by the players... fixed depth; string building of brackets."""
from perfectplay import Game


def depth_ok(text):
    level = 0
    for ch in text:
        level += (ch == "(") - (ch == ")")
        if level < 0:
            return False
    return True


def matching(text, i):
    level = 0
    for j in range(i, len(text)):
        level += {"(": 1, ")": -1}.get(text[j], 0)
        if level == 0:
            return j
    return None


class Brackets(Game):
    """Append a bracket; the word must be a prefix of a balanced one of length 8; points for nesting."""

    LENGTH = 8

    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def open_count(self, text):
        return text.count("(") - text.count(")")

    def actions(self, state):
        left = self.LENGTH - len(state)
        return [b for b in "()" if depth_ok(state + b) and self.open_count(state + b) <= left - 1]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return len(state) == self.LENGTH

    def score(self, text):
        if not text:
            return 0
        j = matching(text, 0)
        inner, rest = text[1:j], text[j + 1:]
        return max(1 + self.score(inner), self.score(rest))

    def utility(self, state, player):
        value = 2 * self.score(state) - 5
        return value if player == 0 else -value
