"""The few things that machine code is not made of, each with what is said of it; the rest compiles."""

from __future__ import annotations

import importlib.util
import itertools
import sys

import pytest

from perfectplay.compiler import hindrances, why_not

GAME = '''
import asyncio
import collections
import datetime
import decimal
import fractions
import hashlib
import json
import logging
import math
import os
import random
import re
import statistics
import threading
import time

from perfectplay import Game

LOCK = threading.Lock()
LOG = logging.getLogger("few")
CACHE = {{}}

SEEN = []
COUNT = 0


class Few(Game):
    """Take one or two of five; the last one wins."""

    calls = 0
    made = {{}}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    async def later(self):
        return True

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

LINE = 1 + GAME.splitlines().index("        {line}")
USABLE = "write it with what rules can use"
VALUES = "compare and return values, not texts made of them"
TUPLES = "make tuples, named tuples or frozen dataclasses"
STATE = "  # in result(), with a field of that name"

# A line of a rule, the part of it that is meant, what is said, what to do, and what to write instead.
LINES = {
    "print(end='')": (
        "print(end='')",
        "prints or reads",
        "leave that to render()",
        "def render(self, state):\n    return ...  # the board as text",
    ),
    "state > 9 and input()": (
        "input()",
        "prints or reads",
        "leave that to render()",
        "def render(self, state):\n    return ...  # the board as text",
    ),
    "import perfectplay": (
        "import perfectplay",
        "imports perfectplay within a rule",
        "import it at the top of the file",
        "import perfectplay{top}",
    ),
    "row = memoryview(b'abc')": ("memoryview(b'abc')", "makes a memoryview", TUPLES, ""),
    "SEEN.append(state)": (
        "SEEN.append(state)",
        "changes a list, set or dict that is a constant",
        "change a copy: list(...)",
        "seen = [*SEEN, state]",
    ),
    "CACHE[state] = 1": (
        "CACHE[state] = 1",
        "changes a list or dict that is a constant",
        "change a copy: list(...)",
        "cache = {**CACHE, state: 1}",
    ),
    "global COUNT; COUNT += 1": (
        "COUNT += 1",
        "changes COUNT, a variable of the module",
        "keep everything in the state",
        f"return state._replace(count=state.count + 1){STATE}",
    ),
    "self.calls += 1": (
        "self.calls += 1",
        "changes .calls of an object",
        "keep what changes in the state",
        f"return state._replace(calls=state.calls + 1){STATE}",
    ),
    "self.last = state": (
        "self.last = state",
        "changes .last of an object",
        "keep what changes in the state",
        f"return state._replace(last=state){STATE}",
    ),
    "number = eval('1')": ("eval('1')", "calls eval", USABLE, "1"),
    "exec('number = 1')": ("exec('number = 1')", "calls exec", USABLE, "number = 1"),
    "state > 9 and open(os.devnull).read()": (
        "open(os.devnull)",
        "opens a file",
        "read it once, at the top of the file",
        "TEXT = open(os.devnull).read(){top}",
    ),
    "state > 9 and open(os.devnull, 'w')": (
        "open(os.devnull, 'w')",
        "opens a file",
        "read it once, at the top of the file",
        "",
    ),
    "with LOCK: pass": ("with LOCK: pass", "uses with", "leave it out of the rules", "pass"),
    "with open(os.devnull) as file: pass": (
        "with open(os.devnull) as file: pass",
        "uses with",
        "leave it out of the rules",
        "TEXT = open(os.devnull).read(){top}",
    ),
    "with self as game: pass": ("with self as game: pass", "uses with", "leave it out of the rules", "pass"),
    "Few.made[state] = 1": (
        "Few.made[state] = 1",
        "changes a list or dict that is a constant",
        "change a copy: list(...)",
        "made = {**Few.made, state: 1}",
    ),
    "class Inner: pass": ("class Inner: pass", "makes a class", "make it at the top of the file", ""),
    "text = str(state / 2)": ("str(state / 2)", "makes a text of float", VALUES, ""),
    "text = f'{state / 2}'": ("f'{state / 2}'", "makes a text of float", VALUES, ""),
    "middle = statistics.mean([state, 1])": ("statistics.mean([state, 1])", "calls mean", USABLE, ""),
    "same = (state, 1) is (state, 1)": (
        "(state, 1) is (state, 1)",
        "asks with `is` whether two values are one object",
        "compare with ==",
        "(state, 1) == (state, 1)",
    ),
    "near = math.gamma(state + 1)": ("math.gamma(state + 1)", "calls gamma", USABLE, ""),
    "drawn = random.random()": ("random.random()", "draws at random", "leave chance out of the rules", ""),
    "drawn = random.Random(1)": ("random.Random(1)", "makes a Random", TUPLES, ""),
    "found = re.match('a', 'a')": ("re.match('a', 'a')", "calls re.match", USABLE, ""),
    "LOG.debug('%s', state)": ("LOG.debug('%s', state)", "calls debug", USABLE, ""),
    "began = time.time()": ("time.time()", "calls time", USABLE, ""),
    "half = decimal.Decimal('0.5')": ("decimal.Decimal('0.5')", "makes a Decimal", TUPLES, "float('0.5')"),
    "made = hashlib.md5()": ("hashlib.md5()", "calls openssl_md5", USABLE, ""),
    "over = asyncio.run(self.later())": (
        "self.later()",
        "calls `later`, which is async",
        "write it with def alone",
        "",
    ),
}
numbers = itertools.count()


def few(tmp_path, line, text=GAME):
    path = tmp_path / "few.py"
    path.write_text(text.format(line=line))
    spec = importlib.util.spec_from_file_location(f"few_{next(numbers)}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Few()


def told(line: str) -> str:
    """What is said of a line of `is_terminal`."""
    part, what, remedy, code = LINES[line]
    code = code.replace("{top}", "  # at the top of the file")
    rows = [f"few.py:{LINE}, in `is_terminal`: {what}", f"    {line}"]
    rows += [f"    {' ' * line.index(part)}{'^' * len(part)}", f"  instead: {remedy}"]
    return "\n".join([*rows, *(f"    {row}" for row in code.splitlines())])


@pytest.mark.parametrize("line", LINES)
def test_what_does_not_compile_is_shown_with_what_to_write_instead(tmp_path, monkeypatch, line):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    game = few(tmp_path, line)
    _, what, remedy, _ = LINES[line]
    assert hindrances(game) == [told(line)]
    assert why_not(game) == f"`is_terminal` line {LINE} {what}; {remedy}"


SEVERAL = """number = eval('1')
        double = 2 * number
        import perfectplay
        if double > 1:
            self.last = double
        for count in range(state):
            SEEN.append(count)"""


def test_all_lines_are_shown_at_once_without_those_that_only_follow(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    shown = [one.splitlines()[1].strip() for one in hindrances(few(tmp_path, SEVERAL))]
    assert shown == ["number = eval('1')", "import perfectplay", "SEEN.append(count)"]


def test_a_name_that_gets_another_value_is_poisoned_no_longer(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    lines = "number = eval('1')\n        number = 2\n        number = number + eval('1')"
    shown = [one.splitlines()[1].strip() for one in hindrances(few(tmp_path, lines))]
    assert shown == ["number = eval('1')", "number = number + eval('1')"]


def test_a_rule_that_takes_more_than_the_contract_says_has_its_defaults(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    game = few(
        tmp_path, "pass", GAME.replace("def actions(self, state):", "def actions(self, state, most=2):")
    )
    assert why_not(game) is None
    text = GAME.replace(
        "def actions(self, state):", "def actions(self, state, seen=[]):\n        seen.append(1)"
    )
    game = few(tmp_path, "pass", text)
    assert [one.splitlines()[1] for one in hindrances(game)] == ["    seen.append(1)"]


def test_nothing_of_ours_is_ever_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    for line in ("mixed = max([(state, 'a'), ('b', state)])", "mixed = sorted([None, 'a', state])"):
        game = few(tmp_path, f"if state > 99: {line}")
        for said in [why_not(game) or "", *hindrances(game)]:
            for name in (
                "prelude",
                "Seq",
                "Struct",
                "letter",
                "BOTTOM",
                "nothing",
                "arithmetic.py",
                "sorting.py",
            ):
                assert name not in said


def test_numbers_beyond_128_bits_are_left_to_python(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    game = few(tmp_path, "large = state * 2**62 * 2**62 * 2**62")
    (said,) = hindrances(game)
    assert said.startswith(
        f"few.py:{LINE}, in `is_terminal`: a number needs more than 64 bits\n    large = state *"
    )
    assert said.endswith("number % (2**61 - 1), say, where only its digits matter")
    assert why_not(game) == f"`is_terminal` line {LINE}: a number needs more than 64 bits"
    game = few(tmp_path, "large = state ** 100")  # which is computed by a function of ours
    assert why_not(game) == f"`is_terminal` line {LINE - 1}: a number needs more than 64 bits"


def test_the_same_game_without_them_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_CACHE", "")
    assert why_not(few(tmp_path, "pass")) is None
