"""Compiling in the background: Python begins to answer, and machine code goes on."""

from __future__ import annotations

import threading

import pytest

from held_compiler import HeldBack
from perfectplay import load_game
from perfectplay.engine import Engine
from perfectplay.engine.background import BEING_COMPILED, FIRST_NODES
from perfectplay.errors import BrokenGameError


@pytest.fixture
def held_back(monkeypatch):
    """A compiler that comes to nothing, when it is allowed to."""
    compiler = HeldBack(monkeypatch, (None, "not today"))
    yield compiler
    compiler.gate.set()


def test_there_are_estimates_before_anything_is_compiled(held_back):
    game = load_game("tic-tac-toe")
    engine = Engine(game, compile="background")
    assert (engine.compiled, engine.compiling, engine.why_not) == (False, True, BEING_COMPILED)
    first = next(engine.analyse(game.initial()))
    assert first.found.depth == 1
    assert len(first.moves) == 9
    assert engine.search(game.initial(), depth=2).depth == 2
    assert engine.search(game.initial(), nodes=100).depth >= 1
    assert engine.compiling


def test_whoever_asks_for_more_waits_no_longer_than_allowed(held_back):
    engine = Engine(load_game("tic-tac-toe"), compile="background")
    last = engine.search(engine.game.initial(), seconds=0.05)
    assert not last.exact
    assert last.nodes <= FIRST_NODES
    assert engine.compiling


def test_a_question_that_waits_for_the_compiler_can_be_stopped(held_back):
    engine = Engine(load_game("tic-tac-toe"), compile="background")
    answers = []
    asking = threading.Thread(target=lambda: answers.append(engine.solve(engine.game.initial())), daemon=True)
    asking.start()
    while asking.is_alive():
        engine.stop()
        asking.join(0.01)
    assert not answers[0].exact


@pytest.mark.parametrize("threads", [1, 2])
def test_python_goes_on_where_nothing_comes_of_it(held_back, threads):
    game = load_game("tic-tac-toe")
    engine = Engine(game, compile="background", threads=threads)
    next(engine.analyse(game.initial()))
    held_back.gate.set()
    assert engine.solve(game.initial()).value == 0
    assert (engine.compiled, engine.compiling, engine.why_not) == (False, False, "not today")


def test_an_error_of_the_rules_is_a_reason(monkeypatch):
    compiler = HeldBack(monkeypatch, BrokenGameError("a rule of the game does not return."))
    compiler.gate.set()
    engine = Engine(load_game("tic-tac-toe"), compile="background")
    assert engine.solve(engine.game.initial()).value == 0
    assert engine.why_not == "a rule of the game does not return"


def test_an_error_of_ours_is_not_hidden(monkeypatch):
    compiler = HeldBack(monkeypatch, RuntimeError("a bug"))
    compiler.gate.set()
    engine = Engine(load_game("tic-tac-toe"), compile="background")
    with pytest.raises(RuntimeError, match="a bug"):
        engine.solve(engine.game.initial())


@pytest.mark.slow
def test_machine_code_goes_on_in_the_midst_of_a_question(monkeypatch):
    compiler = HeldBack(monkeypatch)
    game = load_game("connect-four:rows=4,cols=4")
    engine = Engine(game, compile="background", table_mb=4)
    rankings = engine.analyse(game.initial())
    first = next(rankings)
    assert not engine.compiled
    compiler.gate.set()
    nodes = first.found.nodes
    for ranking in rankings:
        assert ranking.found.nodes >= nodes
        nodes = ranking.found.nodes
    assert (engine.compiled, engine.compiling, engine.why_not) == (True, False, None)
    assert ranking.exact
    wanted = Engine(game, table_mb=4).rank(game.initial())
    assert {move.action: move.value for move in ranking.moves} == {move.action: move.value for move in wanted}


@pytest.mark.slow
def test_proof_numbers_wait_for_the_compiler():
    game = load_game("tic-tac-toe")
    engine = Engine(game, compile="background")
    assert engine.solve(game.initial(), driver="proof-number").value == 0
    assert engine.compiled


@pytest.mark.slow
def test_other_methods_are_compiled_before_they_begin():
    engine = Engine(load_game("tic-tac-toe"), compile="background", method="mcts")
    assert not engine.compiling
