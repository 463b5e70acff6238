"""Compiled rules are those that Python would run now: nothing that changed is served from before."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from functools import cached_property

import pytest

from broken_games import Takeaway
from perfectplay import Engine
from perfectplay.engine import why_not
from perfectplay.errors import BadParameterError

pytestmark = pytest.mark.slow

CELL = """
from perfectplay import Game, Engine

K = {k}

def worth(state):
    return state * K

class C(Game):
    def initial(self):
        return 0
    def to_move(self, state):
        return 0
    def actions(self, state):
        if state == 0:
            yield 1
    def result(self, state, action):
        return action
    def is_terminal(self, state):
        return state > 0
    def utility(self, state, player):
        return worth(state) if player == 0 else -worth(state)
"""
CLASS_ONLY = CELL[CELL.index("class C") :]


def run(program, cache):
    environment = os.environ | {"PERFECTPLAY_CACHE": str(cache)}
    path = cache / "program.py"  # rules are compiled from their source
    path.write_text(program)
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_constant_that_changes_under_a_helper_changes_the_compiled_rules_here_and_on_disk(tmp_path):
    asked = "print(Engine(C(), compile='always', table_mb=1).solve(0).value)\n"
    program = f"{CELL.format(k=10)}\n{asked}K = 20\n{CLASS_ONLY}\n{asked}"
    assert run(program, tmp_path) == ["10", "20"]
    assert run(f"{CELL.format(k=20)}\n{asked}", tmp_path) == ["20"]


class Sized(Takeaway):
    """A game that can be changed after it was made."""

    def __init__(self, most):
        self.most = most

    def utility(self, state, player):
        return -self.most if player == state[1] else self.most


def test_a_game_that_changes_is_not_searched_by_its_old_rules():
    game = Sized(3)
    engine = Engine(game, compile="always", table_mb=1)
    start = game.initial()
    assert engine.solve(start).value == 3
    game.most = 5
    with pytest.raises(BadParameterError, match="the Sized was changed after its engine was made"):
        engine.solve(start)
    assert Engine(game, compile="always", table_mb=1).solve(start).value == 5
    assert Engine(Sized(3), compile="always", table_mb=1).solve(start).value == 3


def test_a_method_that_is_replaced_is_compiled_anew(monkeypatch):
    game = Sized(2)
    assert Engine(game, compile="always", table_mb=1).solve(game.initial()).value == 2

    def nine(self, state, player):
        return -9 if player == state[1] else 9

    monkeypatch.setattr(Sized, "utility", nine)
    assert Engine(game, compile="always", table_mb=1).solve(game.initial()).value == 9


def test_a_method_of_the_object_alone_is_not_passed_over():
    game = Sized(2)
    game.utility = lambda state, player: 7
    assert why_not(game) == "`utility` is set on the object; define it in the class"


@pytest.mark.parametrize("compile_", ["always", "never"])
def test_an_infinite_value_is_a_value(compile_):
    class Endgame(Sized):
        def utility(self, state, player):
            return float("-inf") if player == state[1] else float("inf")

    engine = Engine(Endgame(1), compile="never" if compile_ == "never" else "auto", table_mb=1)
    assert engine.search(engine.game.initial(), depth=6).value == float("inf")
    assert engine.solve(engine.game.initial()).value == float("inf")


class Neighbours(Takeaway):
    """Asks a dict that makes up what it does not have."""

    def __init__(self):
        self.steps = defaultdict(set, {3: {1, 2}, 2: {1, 2}, 1: {1}, 0: set()})

    def actions(self, state):
        return sorted(self.steps[state[0]])

    def is_terminal(self, state):
        return not self.steps[state[0]]


@pytest.mark.parametrize("mode", ["always", "never"])
def test_a_dict_that_grows_by_being_asked_is_no_change_of_the_game_and_another_entry_is(mode):
    game = Neighbours()
    engine = Engine(game, compile=mode, table_mb=1)
    first = engine.search((3, 0), depth=2)
    assert game.is_terminal((7, 0))
    assert 7 in game.steps
    assert engine.search((3, 0), depth=2).value == first.value
    game.steps[7] = {1}
    if mode == "always":
        with pytest.raises(BadParameterError, match="was changed after its engine was made"):
            engine.search((3, 0), depth=2)


class Stepped(Takeaway):
    """Reckons its steps when they are first asked for."""

    @cached_property
    def steps(self):
        return (1, 2)

    def actions(self, state):
        return [step for step in self.steps if step <= state[0]]


def test_a_property_that_is_kept_when_it_is_first_asked_is_no_change_of_the_game():
    for _ in range(2):  # the second one is not compiled, so that nobody has asked before
        game = Stepped()
        engine = Engine(game, compile="always", table_mb=1)
        vars(game).pop("steps", None)
        first = engine.solve(game.initial())
        assert game.steps == (1, 2)
        assert engine.solve(game.initial()).value == first.value


STAKE = 1
STAKES = {0: 1, 1: (2, {0: 3})}
MORE = [0, 0]


class Holder:
    def __init__(self):
        self.stakes = {"a": 4}


class Staked(Takeaway):
    """Reads constants of every kind that can be changed."""

    factor = 2
    holder = Holder()

    def utility(self, state, player):
        worth = STAKE + sum(MORE) + STAKES[0] + STAKES[1][1][0] + self.factor * self.holder.stakes["a"]
        return -worth if player == state[1] else worth


CHANGES = [
    ("STAKE", lambda patch: patch.setitem(globals(), "STAKE", 5)),
    ("STAKE", lambda patch: patch.setitem(globals(), "STAKE", True)),
    ("STAKES", lambda patch: patch.setitem(STAKES, 0, 1.0)),
    ("STAKES", lambda patch: patch.setitem(STAKES[1][1], 0, 9)),
    ("factor", lambda patch: patch.setattr(Staked, "factor", 7)),
    ("stakes", lambda patch: patch.setitem(Staked.holder.stakes, "b", 7)),
    ("stakes", lambda patch: patch.setattr(Staked.holder, "stakes", {"a": 0})),
    ("utility", lambda patch: patch.setattr(Staked, "utility", lambda self, state, player: 0)),
]


def test_constants_that_change_are_not_searched_by_the_old_ones():
    game = Staked()
    compiled, interpreted = (Engine(game, compile=mode, table_mb=1) for mode in ("always", "never"))
    start = game.initial()
    assert compiled.solve(start).value == interpreted.solve(start).value == 13
    for name, change in CHANGES:
        with pytest.MonkeyPatch.context() as patch:
            change(patch)
            with pytest.raises(BadParameterError, match=f"{name} was changed after its engine was made"):
                compiled.solve(start)
            assert interpreted.solve(start).value == -game.utility((0, 0), 0)
        assert compiled.solve(start).value == interpreted.solve(start).value == 13
    MORE[1] = 6
    with pytest.raises(BadParameterError, match="MORE was changed after its engine was made"):
        compiled.solve(start)
    assert interpreted.solve(start).value == 19
    MORE[1] = 0
    assert compiled.solve(start).value == 13
