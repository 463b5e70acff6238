"""The few things that machine code is not made of, each with what is said of it; the rest compiles."""

from __future__ import annotations

import importlib.util
import itertools
import sys

import pytest

from perfectplay.compiler import hindrances, why_not

GAME = '''
import math

from perfectplay import Game

SEEN = []
COUNT = 0


class Basket:
    def __init__(self, size):
        self.size = size


class Few(Game):
    """Take one or two of five; the last one wins."""

    calls = 0

    def initial(self):
        return 5

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [take for take in (1, 2) if take <= state]

    def result(self, state, action):
        return state - action

    def is_terminal(self, state):
        {line}
        return state == 0

    def utility(self, state, player):
        return 1 if player == 0 else -1
'''

# A line of a rule, what is said of it, and what to write instead.
LINES = {
    "print(end='')": ("prints or reads", "leave that to render()"),
    "import perfectplay": ("imports perfectplay within a rule", "import it at the top of the file"),
    "SEEN.append(state)": ("changes a list, set or dict that is a constant", "change a copy: list(...)"),
    "global COUNT; COUNT += 1": ("changes COUNT, a variable of the module", "keep everything in the state"),
    "self.calls += 1": ("changes .calls of an object", "keep what changes in the state"),
    "row = bytearray(state)": ("makes a bytearray", "make tuples, named tuples or frozen dataclasses"),
    "far = math.hypot(state, 2)": ("calls hypot", "write it with what rules can use"),
    "number = eval('1')": ("calls eval", "write it with what rules can use"),
}
numbers = itertools.count()


def few(tmp_path, line):
    path = tmp_path / "few.py"
    path.write_text(GAME.format(line=line))
    spec = importlib.util.spec_from_file_location(f"few_{next(numbers)}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Few()


@pytest.mark.parametrize("line", LINES)
def test_what_does_not_compile_is_shown_with_what_to_write_instead(tmp_path, monkeypatch, line):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    game = few(tmp_path, line)
    what, remedy = LINES[line]
    assert hindrances(game) == [f"few.py:33, in `is_terminal`: {what}\n    {line}\n  instead: {remedy}"]
    assert why_not(game) == f"`is_terminal` line 33 {what}; {remedy}"


def test_numbers_beyond_128_bits_are_left_to_python(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    game = few(tmp_path, "large = state ** 100")
    assert hindrances(game) == []
    assert why_not(game).endswith("a number needs more than 64 bits")


def test_the_same_game_without_them_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    assert why_not(few(tmp_path, "pass")) is None
