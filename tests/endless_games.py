"""Games that never end: by a rule that does not return in one state, or since play goes round and round."""

import os
from pathlib import Path

from perfectplay import Game

if mark := os.environ.get("AT_WORK"):  # whoever waits for the command that reads this file
    Path(mark).touch()


class Bits(Game):
    """Fourteen bits in turn; MAX wants their sum by places to leave much when it is divided by eleven."""

    def initial(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [0, 1] if len(state) < 14 else []

    def result(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        while self.is_trap(state):
            pass
        return len(state) == 14

    def utility(self, state, player):
        worth = sum((place + 1) * bit for place, bit in enumerate(state)) % 11
        return worth if player == 0 else -worth

    def is_trap(self, state):
        return len(state) == 13 and sum(bit << place for place, bit in enumerate(state)) * 7919 % 503 == 5


class BitsInPython(Bits):
    """The same; it does not compile."""

    def is_terminal(self, state):
        eval("0")
        return super().is_terminal(state)


class TwoBits(Bits):
    """It loops after two moves."""

    def is_trap(self, state):
        return state == (1, 0)


class Circle(Game):
    """Round and round for ever, or one step to a win for whoever takes it."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return ["round", "out"] if state == 0 else ["round"]

    def result(self, state, action):
        return 8 if action == "out" else (state + 1) % 8

    def is_terminal(self, state):
        return state == 8

    def utility(self, state, player):
        return 1 if player == 0 else -1
