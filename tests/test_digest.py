"""The digest of rules: by their source for what is kept for good, by their code for what is compiled."""

from __future__ import annotations

import importlib.util
import itertools
import os.path
import re
import sys
from array import array
from collections import deque
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from pathlib import Path
from string import Template

import pytest

from broken_games import Takeaway
from perfectplay import Engine
from perfectplay.compiler import rules_digest
from perfectplay.compiler.digest import code_dependencies, code_digest
from perfectplay.tablebase.identity import identity

numbers = itertools.count()


class UsesFiles(Takeaway):
    """A game one of whose methods asks for a path, inside the rules or beside them."""

    def render(self, state):
        return os.path.join("boards", os.path.basename(str(state)))


class PlaysWithFiles(Takeaway):
    def is_terminal(self, state):
        return os.path.basename(str(state)) == "" or super().is_terminal(state)


@pytest.mark.slow
@pytest.mark.parametrize("game_class", [UsesFiles, PlaysWithFiles])
def test_a_game_that_uses_paths_has_a_digest_and_an_engine(game_class):
    game = game_class()
    assert len(rules_digest(game)) == len(code_digest(game)) == 32
    assert identity(game)["rules"] == rules_digest(game)
    assert Engine(game, table_mb=1).solve(game.initial()).exact


class Asserts(Takeaway):
    def is_terminal(self, state):
        assert state[0] >= 0, state
        return super().is_terminal(state)


def test_what_a_test_runner_puts_into_an_assertion_is_no_part_of_the_rules():
    assert any("@" in name for name in Asserts.is_terminal.__code__.co_names)
    modules = {function.__module__ for function in code_dependencies(Asserts()).functions}
    assert not [name for name in modules if "pytest" in name]


def test_how_a_board_is_drawn_is_no_rule():
    assert rules_digest(UsesFiles()) == rules_digest(Takeaway())
    assert rules_digest(PlaysWithFiles()) != rules_digest(Takeaway())


HOOKS = """
from perfectplay import Game

class Rules(Game):
    def initial(self): return 0
    def to_move(self, state): return 0
    def actions(self, state): return (1, 2)
    def result(self, state, action): return state + action
    def is_terminal(self, state): return state > 3
    def utility(self, state, player): return 0
    def order(self, state, action): return action
"""


def loaded(path: Path):
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{next(numbers)}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_a_search_calls_counts_for_what_is_compiled_and_not_for_what_is_solved(tmp_path):
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(HOOKS)
    after.write_text(HOOKS.replace("return action\n", "return -action\n"))
    one, other = loaded(before).Rules(), loaded(after).Rules()
    assert rules_digest(one) == rules_digest(other)
    assert code_digest(one) != code_digest(other)


def test_rules_whose_file_was_edited_after_they_were_loaded_keep_their_digest(tmp_path):
    """Or else the old rules, compiled, would be found on disk under the digest of the new ones."""
    path = tmp_path / "edited.py"
    path.write_text(HOOKS)
    game = loaded(path).Rules()
    before = code_digest(game)
    path.write_text(HOOKS.replace("state > 3", "state > 4"))
    assert code_digest(game) == before
    assert code_digest(loaded(path).Rules()) != before


class Holding(Takeaway):
    """A game whose rules read what it was given."""

    def __init__(self, given):
        self.given = given

    def is_terminal(self, state):
        return bool(self.given) and super().is_terminal(state)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (array("q", [1]), array("q", [2])),
        (array("q", [1]), array("d", [5e-324])),  # the same bytes
        (bytearray(b"a"), bytearray(b"b")),
        (deque([1]), deque([2])),
        (Fraction(1, 2), Fraction(1, 3)),
    ],
)
@pytest.mark.parametrize("digest", [rules_digest, code_digest])
def test_containers_of_the_standard_library_count_by_what_is_in_them(one, other, digest):
    assert digest(Holding(one)) == digest(Holding(type(one)(one) if not isinstance(one, array) else one[:]))
    assert digest(Holding(one)) != digest(Holding(other))


@pytest.mark.parametrize(
    ("make", "one", "other"),
    [
        (itemgetter, (1,), (2,)),
        (attrgetter, ("a",), ("a", "b")),
        (methodcaller, ("get", 1), ("get", 2)),
        (partial(methodcaller, "split", maxsplit=1), (" ",), (",",)),
        (Template, ("$a",), ("$b",)),
        (date, (2026, 1, 1), (2026, 1, 2)),
        (timedelta, (1,), (2,)),
        (re.compile, ("a",), ("b",)),
        (Path, ("a",), ("b",)),
    ],
)
@pytest.mark.parametrize("digest", [rules_digest, code_digest])
def test_getters_and_templates_count_by_what_they_get(make, one, other, digest):
    assert digest(Holding(make(*one))) == digest(Holding(make(*one)))
    assert digest(Holding(make(*one))) != digest(Holding(make(*other)))


class Square:
    """A place on a board that knows its neighbours, and they know it."""

    def __init__(self, name):
        self.name, self.near = name, []


def board(size, name="square"):
    squares = {(row, col): Square(f"{name} {row} {col}") for row in range(size) for col in range(size)}
    for (row, col), square in squares.items():
        near = ((row, col + 1), (row + 1, col), (row, col - 1))
        square.near = [squares[to] for to in near if to in squares]
    return [*squares.values()]


@pytest.mark.parametrize("digest", [rules_digest, code_digest])
def test_objects_that_know_each_other_are_read_once_each_and_not_by_every_path(digest):
    """There are more paths through this board than there are atoms."""
    assert digest(Holding(board(12))) == digest(Holding(board(12)))
    assert digest(Holding(board(12))) != digest(Holding(board(12, "place")))


@pytest.mark.parametrize("digest", [rules_digest, code_digest])
def test_what_is_shared_counts_as_if_it_were_not(digest):
    pair = (1, [2])
    assert digest(Holding([pair, pair])) == digest(Holding([(1, [2]), (1, [2])]))
