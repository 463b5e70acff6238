"""A tablebase knows its game: any change of the rules is noticed, and nothing else is."""

from __future__ import annotations

import importlib.util
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from perfectplay import Game, load_game
from perfectplay.compiler import rules_digest
from perfectplay.errors import BadTablebaseError
from perfectplay.tablebase import Tablebase, build_tablebase
from perfectplay.tablebase.identity import game_name, identity

numbers = itertools.count()

RULES = '''
import enum, functools, math
from dataclasses import dataclass
from typing import NamedTuple
from perfectplay import Game

LIMIT = [1, 2]
DELTA = {"a": {1: 2}}
GOALS = frozenset({"x", "y", "z"})
TALLY = {}

@functools.lru_cache
def helper(state):
    return state + 1

def counted(function):
    @functools.wraps(function)
    def wrapper(*given):
        TALLY[given] = 1
        return 3 + function(*given)
    return wrapper

def made(step):
    def inner(state):
        return state + step
    return inner

inner = made(5)
half = functools.partial(max, 6)

def up(state):
    return state + 1

def down(state):
    return state - 1

class Color(enum.Enum):
    RED = 1
    def shift(self):
        return 7

class Pair(NamedTuple):
    left: int = 8
    def total(self):
        return self.left + 9

@dataclass(frozen=True)
class Rule:
    size: int = 10

class Other:
    K = 11

class Base(Game):
    def result(self, state, action):
        return state + action

class G(Base):
    """A game."""
    MOVES = (up, down)
    L = [1, 2, 3]
    S = frozenset({1})
    seen = set()

    def __init__(self, size=3, *, words=("a", "b")):
        self.size, self._words = size, words
        self.memo, self.other, self.rule, self.calls = {}, {}, Rule(), 0
        self.table = [[size] * 3 for _ in range(3)]

    @staticmethod
    def limit():
        return 12

    @classmethod
    def of_class(cls):
        return 13

    @property
    def width(self):
        return 14

    @functools.cached_property
    def lines(self):
        return 15

    @counted
    def noted(self, state):
        return 16

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        if state not in self.memo:
            self.memo[state] = (1, 2) if state < 6 else ()
        other = self.other
        other[state] = 1
        self.seen.add(state)
        self.calls += 1
        if state > 100:  # never, but these are its rules
            return [
                *LIMIT, *self.L, *self.S, *GOALS, DELTA["a"][1], helper(state), inner(state), half(state),
                self.limit(), self.of_class(), self.width, self.lines, self.noted(state), self._words,
                Color.RED.shift(), Pair().total(), self.rule.size, Other.K, self.MOVES[0](state), self.table,
            ]
        return self.memo[state]

    def result(self, state, action):
        return super().result(state, action)

    def is_terminal(self, state):
        return state >= 6

    def utility(self, state, player):  # a comment
        return 1 if player == 0 else -1

    def render(self, state):
        return "board"
'''

CHANGES = {
    "a method": ("state >= 6", "state >= 7"),
    "a method of the base class": ("return state + action", "return state + 1 * action"),
    "a global list": ("LIMIT = [1, 2]", "LIMIT = [1, 3]"),
    "a global dict": ("{1: 2}", "{1: 3}"),
    "a global set": ('"x", "y", "z"', '"x", "y", "w"'),
    "a list of the class": ("L = [1, 2, 3]", "L = [1, 2, 4]"),
    "a frozenset of the class": ("S = frozenset({1})", "S = frozenset({2})"),
    "a static method": ("return 12", "return 120"),
    "a class method": ("return 13", "return 130"),
    "a property": ("return 14", "return 140"),
    "a cached property": ("return 15", "return 150"),
    "a decorated method": ("return 16", "return 160"),
    "a decorator": ("return 3 + function", "return 4 + function"),
    "a cached helper": ("@functools.lru_cache\ndef helper(state):\n    return state + 1", "helper = abs"),
    "inside a cached helper": (
        "def helper(state):\n    return state + 1",
        "def helper(state):\n    return 0",
    ),
    "a closure": ("made(5)", "made(6)"),
    "a partial": ("functools.partial(max, 6)", "functools.partial(max, 7)"),
    "a function in a tuple": ("return state - 1", "return state - 2"),
    "the order of functions": ("(up, down)", "(down, up)"),
    "an enumeration": ("RED = 1", "RED = 2"),
    "a method of an enumeration": ("return 7", "return 70"),
    "a method of a named tuple": ("self.left + 9", "self.left + 90"),
    "a default of a named tuple": ("left: int = 8", "left: int = 80"),
    "a dataclass": ("size: int = 10", "size: int = 100"),
    "a constant of another class": ("K = 11", "K = 110"),
    "what the constructor computes": ("[[size] * 3 for", "[[size] * 4 for"),
}

NO_CHANGES = {
    "a comment": ("# a comment", "# another one"),
    "a docstring": ('"""A game."""', '"""The game."""'),
    "how it is drawn": ('return "board"', 'return "picture"'),
    "types": ("def initial(self):", "def initial(self) -> int:"),
    "empty lines": ("LIMIT = [1, 2]\n", "\n\n\nLIMIT = [1, 2]\n"),
}


def loaded(source: str, directory: Path):
    path = directory / f"rules_{next(numbers)}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_of_the_rules_is_noticed(change, tmp_path):
    old, new = CHANGES[change]
    assert RULES.count(old) == 1
    before, after = loaded(RULES, tmp_path), loaded(RULES.replace(old, new), tmp_path)
    assert rules_digest(before.G()) == rules_digest(loaded(RULES, tmp_path).G())
    assert rules_digest(before.G()) != rules_digest(after.G())


@pytest.mark.parametrize("change", NO_CHANGES)
def test_what_is_not_a_rule_may_change(change, tmp_path):
    old, new = NO_CHANGES[change]
    assert RULES.count(old) == 1
    before, after = loaded(RULES, tmp_path), loaded(RULES.replace(old, new), tmp_path)
    assert identity(before.G()) == identity(after.G())


def test_changed_rules_are_refused_with_a_sentence(tmp_path):
    before, after = loaded(RULES, tmp_path), loaded(RULES.replace("K = 11", "K = 12"), tmp_path)
    build_tablebase(before.G(), tmp_path / "table", compile="never")
    with pytest.raises(
        BadTablebaseError, match=r"is of other rules \(G\(size=3, words=\('a', 'b'\)\)\) than"
    ):
        Tablebase(tmp_path / "table", after.G(), compile="never")
    with pytest.raises(BadTablebaseError, match="the rules have changed since; give another directory"):
        build_tablebase(after.G(), tmp_path / "table", compile="never")
    with pytest.raises(BadTablebaseError, match="is of another game"):
        Tablebase(tmp_path / "table", before.G(4), compile="never")


def test_memos_do_not_count_wherever_they_are(tmp_path):
    """In the game, in its class, in the module; and a cached property that was asked, and a counter."""
    rules = loaded(RULES, tmp_path)
    game = rules.G()
    fresh = identity(game)
    build_tablebase(game, tmp_path / "table", compile="never")
    assert game.memo
    assert game.other
    assert game.calls
    assert rules.G.seen
    game.noted(1)
    assert rules.TALLY
    assert game.lines == 15
    assert identity(game) == identity(rules.G()) == fresh
    assert Tablebase(tmp_path / "table", rules.G(), compile="never").probe(0).outcome == "win"


@pytest.mark.slow
def test_the_digest_is_the_same_in_every_process(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(RULES)
    program = "import rules; from perfectplay.tablebase.identity import identity; print(identity(rules.G()))"
    told = set()
    for seed in ("0", "1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
        command = [sys.executable, "-c", program]
        told.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert told == {f"{identity(loaded(RULES, tmp_path).G())}\n"}


def test_rules_that_have_no_source_are_told_apart_too():
    """As where they were typed at a prompt."""
    source = RULES.replace("from __future__", "")
    digests = []
    for text in (source, source, source.replace("state >= 6", "state >= 7"), source.replace("[1, 2]", "[1]")):
        space = {"__name__": "typed"}
        sys.modules["typed"] = type(sys)("typed")
        exec(compile(text, "<typed>", "exec"), space)
        digests.append(rules_digest(space["G"]()))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


class Holding(Game):
    """A game that reads what it was given."""

    def __init__(self, given):
        self.given = given

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return (self.given,)

    def result(self, state, action):
        return 1

    def is_terminal(self, state):
        return state == 1

    def utility(self, state, player):
        return 0


class Board:
    def __init__(self, size):
        self.size = size
        self.memo = {}

    def ask(self, key):
        self.memo[key] = 1
        return self.memo[key]


def test_large_arrays_count_by_all_that_is_in_them():
    one, other = np.zeros(2000, int), np.zeros(2000, int)
    other[1000] = 7
    assert identity(Holding(one)) == identity(Holding(one.copy()))
    for different in (other, one.astype(np.int32), one.reshape(2, -1)):
        assert game_name(Holding(one)) != game_name(Holding(different))
        assert rules_digest(Holding(one)) != rules_digest(Holding(different))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1, 2}, {1, 3}),
        ({"a": [1]}, {"a": [2]}),
        (b"a", b"b"),
        (1, 1.0),
        (1, True),
        (Board(3), Board(4)),
        (Holding(1), Holding(2)),
        (len, abs),
        (np.float64(1), np.float64(2)),
    ],
)
def test_parameters_count_by_what_is_in_them(one, other):
    assert identity(Holding(one)) != identity(Holding(other))
    assert " at 0x" not in game_name(Holding(one))


def test_the_memo_of_a_part_of_the_game_does_not_count():
    board = Board(3)
    before = identity(Holding(board))
    board.ask(5)
    assert identity(Holding(board)) == before


def test_a_game_that_knows_itself_has_an_identity():
    game = Holding([])
    game.given += [game, game.given]
    assert identity(game) == identity(game)


def test_a_parameter_that_has_another_name_inside_is_told_by_that():
    class Renamed(Holding):
        def __init__(self, size):
            self.given, self.unread, self.given_twice = (size,), {}, 2 * size

    assert game_name(Renamed(3)).endswith("Renamed(given=(3,))")


@pytest.mark.parametrize("name", ["connect-four:rows=4,cols=4,k=4,score=distance", "tic-tac-toe"])
def test_registered_games_are_named_as_they_are_loaded(name):
    assert game_name(load_game(name)) == name
