"""Machine code is compared with Python before it is trusted, and after it has answered."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perfectplay import MAX, Game, check_game, load_game
from perfectplay.cli import main
from perfectplay.compiler import traps
from perfectplay.compiler.comparing import Difference, chosen, disagreement, first_difference
from perfectplay.compiler.observing import CHOICES, observe
from perfectplay.compiler.reading import Untrusted
from perfectplay.compiler.rules import QUESTIONS
from perfectplay.compiler.traps import Trap
from perfectplay.engine import Engine
from perfectplay.engine.confirmation import contradiction
from perfectplay.errors import CompileError
from perfectplay.tablebase import Tablebase, build_tablebase
from perfectplay.textbook import value as textbook_value

HERE = Path(__file__).parent / "overflowing_games.py"
OVERFLOWING = {"Interest": 3, "Patience": 0.03125, "Compound": -1, "Halving": 0.5}


def game_of(name: str) -> Game[Any, Any]:
    return load_game(f"{HERE}:{name}")


# Games whose numbers machine code has no room for, or makes into others.


@pytest.mark.parametrize("name", OVERFLOWING)
def test_the_values_are_those_of_the_textbook(name):
    game = game_of(name)
    assert textbook_value(game, game.initial()) == OVERFLOWING[name]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "never"])
@pytest.mark.parametrize("driver", ["mtdf", "bisection", "proof-number"])
@pytest.mark.parametrize("name", OVERFLOWING)
def test_the_engine_has_these_values(name, driver, mode):
    engine = Engine(game_of(name), table_mb=1, compile=mode)
    found = engine.solve(engine.game.initial(), driver=driver)
    assert (found.value, found.exact) == (OVERFLOWING[name], True)
    *_, last = Engine(game_of(name), table_mb=1, compile=mode).deepen(engine.game.initial())
    assert (last.value, last.exact) == (OVERFLOWING[name], True)


@pytest.mark.parametrize("name", OVERFLOWING)
def test_tablebases_have_these_values_and_the_same_bytes_compiled_or_not(name, tmp_path):
    game = game_of(name)
    build_tablebase(game, tmp_path / "table")
    build_tablebase(game, tmp_path / "plain", compile="never")
    for file in (tmp_path / "plain").iterdir():
        assert (tmp_path / "table" / file.name).read_bytes() == file.read_bytes()
    with Tablebase(tmp_path / "table", game) as table:
        assert table.probe(game.initial()).value == OVERFLOWING[name]


@pytest.mark.parametrize("name", OVERFLOWING)
def test_the_command_line_has_these_values(name, capsys):
    assert main(["solve", f"{HERE}:{name}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["value"], told["exact"]) == (OVERFLOWING[name], True)


# Where to look.


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

    def tier(self, state: Any) -> int:
        return state[1]


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
def test_lines_of_play_lead_to_what_chance_does_not_and_it_is_compared(game, least):
    assert max(number for _, number in observe(game, playouts=len(CHOICES)).late) >= least
    assert max(number for _, number in chosen(observe(game))) >= least


def test_slow_rules_are_played_and_compared_less(monkeypatch):
    monkeypatch.setattr("perfectplay.compiler.observing.SECONDS", 0.0)
    monkeypatch.setattr("perfectplay.compiler.comparing.SECONDS", 0.0)
    monkeypatch.setattr("perfectplay.compiler.comparing.FEWEST", 3)
    observed = observe(Narrow())
    assert len(observed.states) < len(observe(Tower()).states)
    rules = Fake(Narrow())
    assert disagreement(rules, observed) is None
    assert len({arguments[0] for rule, arguments in rules.asked if rule not in ("unpack", "unrank")}) == 3


# What to compare.


class Fake:
    """Rules as if they were compiled: those of the game, but for one."""

    def __init__(self, game: Game[Any, Any], rule: str = "", wrong: Any = None) -> None:
        self.game = game
        self.questions, self.keeps, self.has_chance = QUESTIONS, False, False
        self.program = SimpleNamespace(wide_lines=set())
        self.rule, self.wrong = rule, wrong
        self.asked: list[Any] = []

    def ask(self, name: str, *arguments: Any) -> Any:
        self.asked.append((name, arguments))
        answer = getattr(self.game, name) if name != self.rule else self.wrong
        return list(answer(*arguments)) if name in ("actions", "candidates") else answer(*arguments)


def test_rules_that_agree_have_no_difference():
    rules = Fake(Tower())
    assert disagreement(rules, observe(Tower())) is None
    assert {name for name, _ in rules.asked} == set(QUESTIONS) - {"chances"}


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("to_move", lambda state: 1),
        ("is_terminal", lambda state: state[1] >= 21),
        ("actions", lambda state: [1, 2]),
        ("result", lambda state, action: (1 - state[0], state[1] + action & 15)),
        ("utility", lambda state, player: 1),
        ("evaluate", lambda state, player: 0),
        ("order", lambda state, action: action),
        ("candidates", lambda state: [1]),
        ("bounds", lambda state, player: (-1, 1)),
        ("canonical", lambda state: (state[0], 0)),
        ("key", lambda state: state[1]),
        ("is_quiet", lambda state: False),
        ("tier", lambda state: 0),
    ],
)
def test_every_rule_is_compared(rule, wrong):
    observed = observe(Tower())
    found = first_difference(Fake(Tower(), rule, wrong), observed.states)
    assert found is not None
    assert found.rule == rule
    with pytest.raises(Untrusted, match=rf"^`{rule}\(.* in Python and .* in machine code$"):
        disagreement(Fake(Tower(), rule, wrong), observed)


def test_what_machine_code_leaves_to_python_is_no_difference_but_what_python_raises_is():
    def trapped(*given: Any) -> Any:
        raise Trap(traps.status(traps.OVERFLOW, 7))

    observed = observe(Tower())
    assert first_difference(Fake(Tower(), "evaluate", trapped), observed.states) is None
    rules = Fake(Tower(), "evaluate", trapped)
    assert traps.line_in(disagreement(rules, observed).status) == 7
    rules.program.wide_lines.add(7)
    assert disagreement(rules, observed) is not None  # in all states
    rules.wrong = lambda state, player: trapped() if state[1] == 19 else Tower().evaluate(state, player)
    assert disagreement(rules, observed) is None  # in few of them: Python is asked when it happens

    class Fails(Tower):
        def evaluate(self, state: Any, player: int) -> float:
            raise ZeroDivisionError

    found = first_difference(Fake(Fails(), "evaluate", lambda state, player: 0.25), observed.states)
    assert found is not None
    assert found.interpreted == "ZeroDivisionError"
    assert first_difference(Fake(Fails(), "evaluate", trapped), observed.states) is None


def test_a_word_without_a_sign_is_the_same_word_with_one():
    high = 1 << 63

    class High(Tower):
        def key(self, state: Any) -> int:
            return high + state[1]

    rules = Fake(High(), "key", lambda state: state[1] - high)
    assert first_difference(rules, observe(High()).states) is None


# Exact lines are played again in Python.


def test_a_line_that_ends_the_game_must_be_worth_the_value():
    game = load_game("nim:heaps=1+2")
    found = Engine(game, table_mb=1).solve(game.initial())
    assert game.is_terminal(after(game, found.line))
    assert contradiction(game, game.initial(), found.line, found.value) is None
    assert contradiction(game, game.initial(), found.line[:1], -found.value) is None  # it does not end there
    reason = contradiction(game, game.initial(), found.line, -found.value)
    assert reason is not None
    assert reason.endswith("which is worth 1 in Python and -1 in machine code")


def after(game: Game[Any, Any], line: Any) -> Any:
    state = game.initial()
    for action in line:
        state = game.result(state, action)
    return state


@pytest.fixture
def doubted(monkeypatch):
    """As if the first exact line were worth something else in Python."""
    reasons = iter(["machine code has it wrong"])
    doubt = "perfectplay.engine.engine.contradiction"
    monkeypatch.setattr(doubt, lambda *given: next(reasons, None))
    return load_game("nim:heaps=1+2")


@pytest.mark.parametrize("driver", ["mtdf", "bisection", "proof-number"])
def test_python_goes_on_where_its_word_is_another(doubted, driver):
    engine = Engine(doubted, table_mb=1)
    assert engine.compiled
    found = engine.solve(doubted.initial(), driver=driver)
    assert (found.value, found.exact) == (1, True)
    asked = engine._prover if driver == "proof-number" else engine
    assert (asked.compiled, asked.why_not) == (False, "machine code has it wrong")


def test_python_goes_on_while_deepening(doubted):
    engine = Engine(doubted, table_mb=1)
    *_, last = engine.deepen(doubted.initial())
    assert (last.value, last.exact, engine.compiled) == (1, True, False)


def test_it_is_an_error_where_machine_code_was_asked_for(doubted):
    engine = Engine(doubted, table_mb=1, compile="always")
    with pytest.raises(CompileError, match=r"^Nim cannot go on compiled: machine code has it wrong\.$"):
        engine.solve(doubted.initial())


# The check.


def test_the_check_tells_of_a_difference_with_its_state(monkeypatch):
    game = Tower()
    difference = Difference("result", ((1, 2), 1), "(0, 3)", "(0, 4)")
    monkeypatch.setattr("perfectplay.check.machine.compared", lambda game, states: difference)
    report = check_game(game, compiled=True)
    (finding,) = report.findings
    assert (finding.kind, finding.state, finding.line) == ("compiled-differs", (1, 2), ("2",))
    assert "`result((1, 2), 1)` is (0, 3) in Python and (0, 4) in machine code" in finding.message
    assert report.machine == "compiles, but to another game"


def test_the_check_compares_the_states_of_the_best_line_of_the_engine(monkeypatch):
    game = load_game("connect-four:rows=4,cols=4")
    asked: list[list[Any]] = []
    monkeypatch.setattr("perfectplay.check.machine.compared", lambda game, states: asked.append([*states]))
    report = check_game(game, states=3, playouts=0, compiled=True)
    assert report.ok
    _, line = asked
    assert line[0] == game.initial()
    assert len(line) > 4
    assert all(len(children(game, one) & {other}) == 1 for one, other in pairwise(line))


def children(game: Game[Any, Any], state: Any) -> set[Any]:
    return {game.result(state, action) for action in game.actions(state)}


@pytest.mark.slow
def test_the_check_says_what_is_gained():
    report = check_game(load_game("connect-four"), states=50, playouts=2, compiled=True)
    assert "; the engine is " in report.machine
    assert report.machine.endswith(" times as fast as in Python")
