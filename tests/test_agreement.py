"""Machine code is compared with Python before it is trusted, and after it has answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from perfectplay.compiler.agreement import CALLS, Agreement, Comparison

from perfectplay import MAX, Game, check_game, load_game
from perfectplay.cli import main
from perfectplay.compiler import agreement_of, compiled_rules
from perfectplay.engine import Engine
from perfectplay.errors import CompileError
from perfectplay.tablebase import Tablebase, build_tablebase
from perfectplay.textbook import value as textbook_value

INTEREST = f"{Path(__file__).parent / 'overflowing_games.py'}:Interest"
DIFFERS = (
    r"^`utility` gives 16777216 in Python and 0 in machine code for the state \(0, 4398046511104, 14, 0\)$"
)


@pytest.fixture(autouse=True)
def unknown(monkeypatch):
    """Nothing was compared before."""
    monkeypatch.setattr("perfectplay.compiler.agreement._known", {})


@pytest.fixture
def blind(monkeypatch):
    """As if the difference were so rare that no line of play comes there."""
    monkeypatch.setattr(Comparison, "of_lines", lambda self: None)


@pytest.fixture
def game():
    return load_game(INTEREST)


# The engine.


def test_rules_that_differ_in_machine_code_run_in_python(game):
    assert textbook_value(game, game.initial()) == 3
    engine = Engine(game, table_mb=1)
    assert not engine.compiled
    assert re.search(DIFFERS, engine.why_not)
    found = engine.solve(game.initial())
    assert (found.value, found.exact) == (3, True)
    with pytest.raises(
        CompileError, match=r"^Interest cannot be compiled: `utility` gives 16777216 in Python"
    ):
        Engine(game, table_mb=1, compile="always")


@pytest.mark.parametrize("driver", ["mtdf", "bisection", "proof-number"])
@pytest.mark.parametrize("later", [32, 0])
def test_a_contradiction_on_the_best_line_leads_to_another_answer(game, blind, monkeypatch, driver, later):
    engine = Engine(game, table_mb=1)
    assert engine.compiled
    agreement_of(game).left = later  # of 0, only the value at the end of the line is looked at
    found = engine.solve(game.initial(), driver=driver)
    assert (found.value, found.exact, engine.compiled) == (3, True, False)
    assert "16777216 in Python and 0 in machine code" in engine.why_not.replace("1.67772e+07", "16777216")
    assert not Engine(game, table_mb=1).compiled  # whoever asks next knows it


def test_a_contradiction_while_deepening_begins_again(game, blind):
    engine = Engine(game, table_mb=1)
    agreement_of(game).left = 0
    *_, last = engine.deepen(game.initial())
    assert (last.value, last.exact, engine.compiled) == (3, True, False)


def test_a_contradiction_in_a_ranking_begins_again(game, blind):
    engine = Engine(game, table_mb=1)
    agreement_of(game).left = 0
    *_, last = engine.rankings(game.initial())
    assert [(each.action, each.value, each.exact) for each in last.moves] == [(0, 3, True), (1, -3, True)]
    assert not engine.compiled


def test_a_contradiction_is_an_error_where_machine_code_was_asked_for(game, blind):
    engine = Engine(game, table_mb=1, compile="always")
    with pytest.raises(
        CompileError, match=r"Interest cannot be compiled: .* in Python and 0 in machine code"
    ):
        engine.solve(game.initial())


def test_a_candidate_that_python_does_not_have_is_a_contradiction(game, blind, monkeypatch):
    engine = Engine(game, table_mb=1)
    monkeypatch.setattr(engine, "_candidates", lambda state: [] if engine.compiled else [0, 1])
    agreement_of(game).left = 0
    assert engine.solve(game.initial()).value == 3
    assert not engine.compiled
    assert engine.why_not == ("the state (0, 1, 0, 0) has 0 candidates in Python and more in machine code")


# Tablebases, and the command line.


@pytest.mark.parametrize("rare", [False, True])
def test_a_tablebase_is_built_by_the_rules_in_python_where_machine_code_differs(
    game, tmp_path, request, rare
):
    if rare:
        request.getfixturevalue("blind")
    build_tablebase(game, tmp_path / "table")
    build_tablebase(game, tmp_path / "plain", compile="never")
    for file in (tmp_path / "plain").iterdir():
        assert (tmp_path / "table" / file.name).read_bytes() == file.read_bytes()
    with Tablebase(tmp_path / "table", game) as table:
        assert table.probe(game.initial()).value == 3


def test_the_command_line_goes_on_in_python_and_says_why(capsys):
    assert main(["solve", INTEREST, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["value"], told["exact"], told["compiled"]) == (3, True, False)
    assert re.search(DIFFERS, told["why_not"])


def test_the_check_finds_differences_that_only_lines_of_play_come_to(game):
    report = check_game(game, states=3, playouts=0, compiled=True)
    (finding,) = report.findings
    assert (finding.kind, report.machine) == ("compiled-differs", "compiles, but to another game")
    assert "`utility` gives 16777216 in Python and 0 in machine code" in finding.message


# What is compared.


def of_python(game: Game[Any, Any], **others: Any) -> Any:
    """Rules as if they were compiled: those of the game, but for some."""
    names = [*compiled_rules(game)]
    rules = {name: getattr(type(game), name) for name in names} | others
    rules["actions"] = others.get("actions", lambda game, state: [*game.actions(state)])
    rules["candidates"] = others.get("candidates", lambda game, state: [*game.candidates(state)])
    return {name: (rule, "") for name, rule in rules.items()}


class Tower(Game[Any, Any]):
    """Three blocks on or off a tower of at most 20; with hooks of every kind."""

    def initial(self) -> Any:
        return (0, 0)

    def to_move(self, state: Any) -> int:
        return state[0]

    def actions(self, state: Any) -> Any:
        return [] if self.is_terminal(state) else [1, 2, 3]

    def result(self, state: Any, action: Any) -> Any:
        return (1 - state[0], state[1] + action)

    def is_terminal(self, state: Any) -> bool:
        return state[1] >= 20

    def utility(self, state: Any, player: int) -> float:
        return -1.5 if player == state[0] else 1.5

    def evaluate(self, state: Any, player: int) -> float:
        return 0.25 if player == MAX else -0.25

    def order(self, state: Any, action: Any) -> int:
        return -action

    def candidates(self, state: Any) -> Any:
        return self.actions(state)

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        return (-1.5, 1.5)

    def canonical(self, state: Any) -> Any:
        return state

    def key(self, state: Any) -> int:
        return 2 * state[1] + state[0]

    def is_quiet(self, state: Any) -> bool:
        return True


def test_rules_that_agree_have_no_difference():
    comparison = Comparison(Tower(), of_python(Tower()))
    assert comparison.of_lines() is None
    assert len(comparison.seen) > 20


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("to_move", lambda game, state: 1),
        ("is_terminal", lambda game, state: state[1] >= 21),
        ("actions", lambda game, state: [1, 2]),
        ("result", lambda game, state, action: (1 - state[0], state[1] + action & 15)),
        ("utility", lambda game, state, player: 1),
        ("evaluate", lambda game, state, player: 0),
        ("order", lambda game, state, action: action),
        ("candidates", lambda game, state: [1]),
        ("bounds", lambda game, state, player: (-1, 1)),
        ("canonical", lambda game, state: (state[0], 0)),
        ("key", lambda game, state: state[1]),
        ("is_quiet", lambda game, state: False),
    ],
)
def test_every_method_is_compared(method, wrong):
    found = Comparison(Tower(), of_python(Tower(), **{method: wrong})).of_lines()
    assert found is not None
    assert found.method == method


def test_an_error_in_machine_code_is_a_difference_and_one_in_python_is_for_the_check():
    def fails(game: Any, *given: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    found = Comparison(Tower(), of_python(Tower(), evaluate=fails)).of_lines()
    assert found is not None
    assert str(found).startswith("`evaluate` gives 0.25 in Python and ZeroDivisionError(")

    class Fails(Tower):
        evaluate = fails

    assert Comparison(Fails(), of_python(Tower())).of_lines() is None


def test_a_word_without_a_sign_is_the_same_word_with_one():
    high = 1 << 63

    class High(Tower):
        def key(self, state: Any) -> int:
            return high + state[1]

    rules = of_python(High(), key=lambda game, state: state[1] - high)
    assert Comparison(High(), rules).of_lines() is None


def differs_from(least: int) -> Any:
    """Machine code in which a number that is too large is no end."""
    return lambda game, state: game.is_terminal(state) and state[1] < least


class Narrow(Tower):
    """All moves but one, which is neither the first nor the last, end the game; the twelfth always does."""

    def actions(self, state: Any) -> Any:
        return [] if self.is_terminal(state) else [*range(20)]

    def result(self, state: Any, action: Any) -> Any:
        return (1 - state[0], state[1] + 1 if action == 7 or state[1] == 11 else -1)

    def is_terminal(self, state: Any) -> bool:
        return state[1] == -1 or state[1] >= 12


class Steep(Tower):
    """Six moves, of which the third makes a number nine times as large, and the others twice."""

    def actions(self, state: Any) -> Any:
        return [] if self.is_terminal(state) else [*range(6)]

    def result(self, state: Any, action: Any) -> Any:
        number, moves = divmod(state[1], 100)
        return (1 - state[0], 100 * (9 if action == 3 else 2) * max(1, number) + moves + 1)

    def is_terminal(self, state: Any) -> bool:
        return state[1] % 100 >= 12


@pytest.mark.parametrize(("game", "least"), [(Narrow(), 12), (Steep(), 100 * 9**12)])
def test_lines_lead_to_what_chance_does_not(game, least):
    found = Comparison(game, of_python(game, is_terminal=differs_from(least))).of_lines()
    assert found is not None
    assert found.method == "is_terminal"


def test_a_power_of_a_negative_number_is_noticed():
    game = load_game(INTEREST.replace("Interest", "Patience"))
    rules = {"utility": compiled_rules(game)["utility"]}
    found = Comparison(game, rules).of_lines()
    assert found is not None
    assert (abs(found.interpreted), found.compiled) == (2 ** -found.state[2], 0)


# How much is compared.


@pytest.mark.parametrize("name", ["connect-four", "othello", "breakthrough", "nine-mens-morris"])
def test_a_comparison_takes_few_calls(name):
    comparison = Comparison(load_game(name), of_python(load_game(name)))
    assert comparison.of_lines() is None
    assert len(comparison.seen) >= 16
    assert comparison.calls < 2 * CALLS


def test_rules_are_compared_once_in_a_process(game, monkeypatch):
    Engine(game, table_mb=1)
    monkeypatch.setattr(Comparison, "of_lines", lambda self: pytest.fail("once more"))
    assert not Engine(load_game(INTEREST), table_mb=1).compiled


def test_fewer_best_lines_are_compared_the_more_there_were():
    game = Tower()
    known = Agreement(of_python(game), left=3)
    states = [(0, number) for number in range(10)]
    assert known.compare_some(game, states[:2]) is None
    assert known.compare_some(game, states) is None
    assert (known.left, known.seen) == (0, set(states[:3]))
    known.rules = of_python(game, key=lambda game, state: 0)
    assert known.compare_some(game, states) is None
    assert known.compare(game, states) is not None
