"""What people try with an engine by mistake, or because they can."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys

import pytest

from awaited import NET
from broken_games import Takeaway
from perfectplay import Engine, check_game
from perfectplay.engine import why_not
from perfectplay.errors import BadParameterError
from perfectplay.games import ConnectFour, TicTacToe

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")


_engines = []  # what is forked needs no pickling


@FORKS
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_engine_that_was_used_works_on_in_a_forked_process():
    engine = Engine(TicTacToe(), compile="never", table_mb=1)
    wanted = engine.search(engine.game.initial(), depth=3).value
    _engines.append(engine)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_value_in_child).get(timeout=NET) == wanted


def _value_in_child():
    (engine,) = _engines
    return engine.search(engine.game.initial(), depth=3).value


def test_ctrl_c_ends_a_compilation_at_once_and_the_next_one_works():
    pressed = []

    class Interrupted(Takeaway):
        def is_terminal(self, state):
            if not pressed:
                pressed.append(state)
                signal.raise_signal(signal.SIGINT)
            return super().is_terminal(state)

    with pytest.raises(KeyboardInterrupt):
        Engine(Interrupted(), table_mb=1)
    assert Engine(Takeaway(), table_mb=1).compiled


class Spoken(Takeaway):
    """Actions in words."""

    def actions(self, state):
        return ["one", "two"][: state[0]]

    def result(self, state, action):
        return state[0] - (1 if action == "one" else 2), 1 - state[1]


class Endless(Takeaway):
    """More actions than anyone can count."""

    def actions(self, state):
        take = 0
        while state[0]:
            take += 1
            yield take


class Static(Takeaway):
    """A helper without self."""

    @staticmethod
    def other(player):
        return 1 - player

    def result(self, state, action):
        return state[0] - action, self.other(state[1])


class Large(Takeaway):
    """A state that no machine word holds."""

    start = 2**200


@pytest.mark.parametrize("kind", [Spoken, Static])
def test_words_and_helpers_without_self_are_compiled(kind):
    assert why_not(kind()) is None
    answers = [
        Engine(kind(), compile=mode, table_mb=1).solve(kind().initial()) for mode in ("never", "always")
    ]
    assert len({(answer.value, answer.line, answer.nodes) for answer in answers}) == 1


@pytest.mark.slow
def test_a_state_that_no_machine_word_holds_is_told_and_searched_by_python():
    engine = Engine(Large(), table_mb=1)
    assert not engine.compiled
    assert engine.why_not == why_not(Large())
    assert engine.search(Large().initial(), depth=2).action in [*Large().actions(Large().initial())]


def test_endless_actions_do_not_hold_up_the_check():
    report = check_game(Endless(), seconds=5, compiled=True)
    assert "actions-endless" in {finding.kind for finding in report.findings}
    assert "let them come to an end" in str(report)


@pytest.mark.parametrize("state", [[0, 0, 0, False], (1, 2), 5, "44", (0, 0, 0, "no"), None])
def test_what_is_no_state_is_refused(state):
    engine = Engine(ConnectFour(), compile="never", table_mb=1)
    for ask in (engine.search, engine.solve, engine.rank):
        with pytest.raises(BadParameterError, match="is no state of ConnectFour: give one like"):
            ask(state)


def test_what_is_no_game_is_refused():
    for given, told in (("connect-four", "not 'connect-four'"), (ConnectFour, "not the class ConnectFour")):
        with pytest.raises(BadParameterError, match=told):
            Engine(given)


@pytest.mark.parametrize(
    "limits", [{"depth": "3"}, {"seconds": "1"}, {"nodes": -1}, {"seconds": float("nan")}]
)
def test_limits_that_are_none_are_refused(limits):
    engine = Engine(TicTacToe(), compile="never", table_mb=1)
    with pytest.raises(BadParameterError, match="cannot be: give a number of 0 or more"):
        engine.search(engine.game.initial(), **limits)


def test_an_engine_says_what_it_is():
    engine = Engine(TicTacToe(), compile="never", table_mb=1)
    assert repr(engine) == f"<Engine of {TicTacToe()!r}, alpha-beta, interpreted, 1 MB, threads=1>"
    assert sys.getrecursionlimit() < 5000
