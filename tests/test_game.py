"""The contract: its defaults, and what a class that lacks something hears."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfectplay import MAX, MIN, Game
from perfectplay.errors import IllegalActionError, PerfectPlayError, did_you_mean
from perfectplay.game import TUPLE, WORD, same_side


class OneMove(Game):
    """The smallest game: one move, and MAX has won."""

    def initial(self):
        return 0

    def to_move(self, state):
        return MAX

    def actions(self, state):
        return ["Go", "go"] if state == 0 else []

    def result(self, state, action):
        return 1

    def is_terminal(self, state):
        return state == 1

    def utility(self, state, player):
        return 1 if player == MAX else -1


def test_every_optional_method_has_a_default_that_works():
    game = OneMove()
    assert game.players == 2
    assert game.evaluate(0, MAX) == game.order(0, "go") == 0
    assert game.bounds(0, MAX) == (-inf, inf)
    assert game.canonical(0) == 0
    assert game.is_quiet(0)
    assert game.render(0) == "0"
    assert game.scene(0) is None
    assert game.action_name("go") == "go"


def test_parsing_prefers_the_exact_name_and_refuses_what_is_ambiguous():
    game = OneMove()
    assert game.parse_action(0, " Go ") == "Go"
    assert game.parse_action(0, "go") == "go"
    with pytest.raises(IllegalActionError, match="illegal move 'GO': the legal moves are Go go"):
        game.parse_action(0, "GO")
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.parse_action(1, "go")


def test_a_class_without_a_rule_cannot_be_made():
    class Unfinished(Game):
        def initial(self):
            return 0

    with pytest.raises(TypeError, match="actions"):
        Unfinished()


@given(st.integers(0, WORD))
def test_the_default_key_of_an_integer_below_2_to_the_64_is_itself(state):
    assert OneMove().key(state) == state


fields = st.recursive(  # the digest of a tuple begins as that of a number near TUPLE, and no other, does
    st.integers(-(2**63), WORD).filter(lambda number: not TUPLE <= number <= TUPLE + 4),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.lists(fields.filter(lambda state: isinstance(state, tuple)), min_size=2, max_size=30, unique=True))
def test_the_default_key_tells_tuples_apart(states):
    keys = {OneMove().key(state) for state in states}
    wrapped = {tuple_wrapped(state) for state in states}  # -1 and 2**64 - 1 are one word
    assert len(keys) == len(wrapped)
    assert all(0 <= key <= WORD for key in keys)


def test_the_default_key_tells_an_empty_tuple_from_nothing():
    states = (0,), ((),), ((0,),), (((),),), (0, 0), (0, ()), ((), 0), ()
    assert len({OneMove().key(state) for state in states}) == len(states)


def tuple_wrapped(state):
    return tuple(map(tuple_wrapped, state)) if isinstance(state, tuple) else state & WORD


@dataclass(frozen=True)
class Position:
    """A state as a dataclass, with a field that does not count."""

    cell: int
    drawn: str = field(default="", compare=False)


@pytest.mark.slow
def test_the_default_key_is_the_same_in_every_process_for_strings_and_sets_too():
    program = """
from test_game import OneMove, Position
states = ("a", 1), ("b", 1), frozenset({"a", "b", "c"}), (0, frozenset(range(0, 64, 8))), Position(1)
print([OneMove().key(state) for state in states])
"""
    printed = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, check=True
        )
        printed.add(done.stdout)
    assert len(printed) == 1
    assert len(set(eval(printed.pop()))) == 5


def test_equal_states_have_one_default_key():
    key = OneMove().key
    assert key(frozenset([0, 8, 16])) == key(frozenset([16, 8, 0]))
    assert key(Position(1, "one")) == key(Position(1, "eins")) != key(Position(2))


def test_all_min_players_are_on_one_side():
    assert same_side(MAX, MAX)
    assert same_side(MIN, 2)
    assert not same_side(MAX, 2)


def test_every_error_is_a_value_error():
    assert issubclass(PerfectPlayError, ValueError)
    assert issubclass(IllegalActionError, PerfectPlayError)


def test_a_near_miss_is_guessed_and_a_far_one_gets_the_list():
    assert did_you_mean("kala", ["kalah", "nim"]) == "did you mean 'kalah'?"
    assert did_you_mean("chess", ["kalah", "nim"]) == "there are: kalah, nim."
