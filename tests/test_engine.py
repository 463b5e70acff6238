"""From class to machine code: the bridge, the digest of the rules, and why a class does not compile."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any, NamedTuple

import pytest

import uncompilable
from perfectplay import MAX, MIN, Game, load_game
from perfectplay.check import check_game
from perfectplay.compiler import compiled_rules
from perfectplay.engine import Engine, perft, rules_digest, why_not
from perfectplay.engine.perft import compiled_perft
from perfectplay.game import default_key
from perfectplay.games import ConnectFour, Kalah, Nim, TicTacToe

LIMIT = 10  # a constant of the module, which rules may read


def double(number: int) -> int:
    """A function of the module, which rules may call."""
    return 2 * number


class Pile(NamedTuple):
    """A state with named fields."""

    left: int
    turn: int


class Named(Game[Any, Any]):
    """Take 1 or 2; states are NamedTuples, rules call helpers, functions, and read constants."""

    most = 2

    def __init__(self, start: int = 7) -> None:
        self.start = start

    def initial(self) -> Any:
        return Pile(self.start, MAX)

    def to_move(self, state: Any) -> Any:
        return state.turn

    def actions(self, state: Any) -> Any:
        for take in range(1, self.most + 1):
            if self.fits(state, take):
                yield take

    def fits(self, state: Any, take: int) -> bool:
        return take <= state.left

    def result(self, state: Any, action: Any) -> Any:
        return Pile(state.left - action, 1 - state.turn)

    def is_terminal(self, state: Any) -> Any:
        return state.left == 0

    def utility(self, state: Any, player: int) -> Any:
        return -LIMIT if player == state.turn else LIMIT

    def evaluate(self, state: Any, player: int) -> Any:
        return double(state.left) % 3 - 1 if player == MAX else 1 - double(state.left) % 3


class Listed(Named):
    """The same with a list of tuples for actions, and nested tuples for states."""

    most = 3

    def initial(self) -> Any:
        return (self.start, 0), MAX

    def to_move(self, state: Any) -> Any:
        return state[1]

    def actions(self, state: Any) -> Any:
        return [(take, state[1]) for take in range(1, min(self.most, state[0][0]) + 1)]

    def result(self, state: Any, action: Any) -> Any:
        (left, moves), turn = state
        return (left - action[0], moves + 1), 1 - turn

    def is_terminal(self, state: Any) -> Any:
        return state[0][0] == 0

    def utility(self, state: Any, player: int) -> Any:
        return state[0][1] if player == MAX else -state[0][1]

    def evaluate(self, state: Any, player: int) -> Any:
        return 0


GAMES = [
    ConnectFour(),
    ConnectFour(4, 5, 3, score="course"),
    TicTacToe(),
    Nim((1, 2), misere=True),
    Kalah(3, 2, empty_capture=True),
    Named(),
    Listed(),
]


def asked(game, method, *arguments):
    """What a method of a game answers in machine code."""
    return compiled_rules(game)[method][0](game, *arguments)


def name_of(game):
    return repr(game).partition(" at ")[0]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_a_compiled_game_gives_the_answers_of_the_class(game):
    """Every method, on random lines of play: the slow twin and the fast one."""
    assert why_not(game) is None
    rules = compiled_rules(game)
    random = Random(0)
    for _ in range(20):
        state = game.initial()
        while True:
            actions = list(game.actions(state))
            for method, (probe, arguments) in rules.items():
                if method in ("utility", "evaluate") and (method == "utility") == bool(actions):
                    continue
                if method == "unpack":
                    assert probe(game, game.pack(state)) == state
                    continue
                if method in ("unrank", "ranks"):
                    tier = game.tier(state)
                    asked = (tier, game.rank(game.canonical(state))) if method == "unrank" else (tier,)
                    assert probe(game, *asked) == getattr(game, method)(*asked)
                    continue
                for second in {"s": [()], "a": [(a,) for a in actions], "p": [(MAX,), (MIN,)]}[arguments[-1]]:
                    wanted = getattr(game, method)(state, *second)
                    wanted = list(wanted) if method in ("actions", "candidates") else wanted
                    assert probe(game, state, *second) == wanted, (method, state, second)
            if not actions:
                break
            state = game.result(state, random.choice(actions))


@pytest.mark.slow
def test_perft_counts_lines_of_play():
    """Tic-tac-toe, lines of n moves: 9, 72, 504, 3024, 15120, 54720; nobody wins before the fifth."""
    game = TicTacToe()
    counts = [1, 9, 72, 504, 3024, 15120, 54720]
    assert [perft(game, game.initial(), depth) for depth in range(5)] == counts[:5]
    assert [compiled_perft(game, game.initial(), depth) for depth in range(7)] == counts


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES[:6], ids=name_of)
def test_perft_is_the_same_compiled(game):
    assert compiled_perft(game, game.initial(), 4) == perft(game, game.initial(), 4)


@pytest.mark.slow
def test_two_configurations_of_a_game_live_side_by_side():
    for start in (3, 4, 5):
        game = Named(start)
        assert compiled_perft(game, game.initial(), 2) == perft(game, game.initial(), 2)
        assert asked(game, "actions", Pile(1, MAX)) == [1]


@pytest.mark.slow
def test_two_classes_of_the_same_name_live_side_by_side():
    def made(most):
        class Named2(Named):
            pass

        Named2.most = most
        return Named2()

    for most in (1, 2, 3):
        assert asked(made(most), "actions", Pile(9, MAX)) == list(range(1, most + 1))


def test_the_default_key_is_the_same_in_machine_code():
    class Keyed(Named):
        def key(self, state):
            return default_key(state)

    game = Keyed()
    for state in [Pile(0, 0), Pile(-5, 1), Pile(2**62, 7)]:
        assert asked(game, "key", state) == default_key(state)

    class KeyedNim(Nim):
        def key(self, state):
            return default_key(state)

    assert asked(KeyedNim(), "key", 12345) == 12345


def test_bits_are_counted_and_properties_read_as_in_python():
    class Bits(Named):
        @property
        def mask(self) -> int:
            return self.start * 5

        @property
        def broken(self) -> int:
            raise KeyError("no such thing")

        def evaluate(self, state, player):
            worth = (state.left - 3).bit_count() + (self.mask ^ state.left).bit_count()
            return worth if player == MAX else -worth

    game = Bits()
    for left in range(8):
        assert asked(game, "evaluate", Pile(left, 0), MAX) == game.evaluate(Pile(left, 0), MAX)


# The digest.

RULES = """
    from perfectplay import Game
    import {helper}
    from {helper} import STEP, ROWS

    class Rules(Game):
        {comment}
        def initial(self): return 0
        def to_move(self, state): return state % 2
        def actions(self, state): return [{action}] if state < 5 else [0][:0]
        def result(self, state, action): return state + {helper}.step(action)
        def is_terminal(self, state): return state >= ROWS[0]
        def utility(self, state, player): return STEP if player == 0 else -STEP
"""
HELPER = """
    from array import array
    STEP = {constant}
    ROWS = {rows}
    def step(action): return inner(action)
    def inner(action): return action {change}
"""


def digest_of(tmp_path, number, *, comment="", action="1", constant="1", rows="[5]", change=""):
    helper = f"helper_{tmp_path.name.replace('-', '_')}_{number}"
    (tmp_path / f"{helper}.py").write_text(dedent(HELPER.format(constant=constant, rows=rows, change=change)))
    path = tmp_path / f"rules_{number}.py"
    path.write_text(dedent(RULES.format(helper=helper, comment=comment, action=action)))
    source = path.read_text().replace(helper, "helper")
    path.write_text(source)
    (tmp_path / "helper.py").write_text((tmp_path / f"{helper}.py").read_text())
    sys.modules.pop("helper", None)
    return rules_digest(type(load_game(f"{path}:Rules")))


def test_the_digest_changes_with_the_rules_and_all_that_they_depend_on_and_with_nothing_else(tmp_path):
    first = digest_of(tmp_path, 0)
    assert digest_of(tmp_path, 1) == first
    assert digest_of(tmp_path, 2, comment="# the same rules, one line down\n") == first
    edits = [
        {"action": "2"},
        {"constant": "3"},
        {"change": "+ 1"},
        {"rows": "[5, 6]"},
        {"rows": "array('q', [5])"},
        {"rows": "array('q', [6])"},
    ]
    digests = {digest_of(tmp_path, 3 + number, **edit) for number, edit in enumerate(edits)}
    assert len(digests | {first}) == 7


# What compiles, and what does not.


@pytest.mark.slow
@pytest.mark.parametrize("game", uncompilable.COMPILABLE, ids=lambda game: game.__name__)
def test_what_compilers_are_said_not_to_like_is_compiled(game):
    assert why_not(game()) is None
    engine = Engine(game(), compile="always", table_mb=1)
    wanted = Engine(game(), compile="never", table_mb=1).solve((0, 0))
    found = engine.solve((0, 0))
    assert (found.value, found.nodes, found.line) == (wanted.value, wanted.nodes, wanted.line)
    assert engine.compiled


@pytest.mark.slow
@pytest.mark.parametrize("game", uncompilable.GALLERY, ids=lambda game: game.__name__)
def test_what_cannot_be_compiled_is_told_with_its_line_and_a_remedy(game):
    source = Path(uncompilable.__file__).read_text().splitlines()
    told = why_not(game())
    start = next(number for number, line in enumerate(source) if line.startswith(f"class {game.__name__}("))
    line = next(number for number in range(start, len(source)) if "# here" in source[number]) + 1
    assert told == game.told.format(line=line)


def test_states_of_another_kind_are_compiled():
    assert why_not(load_game("figure-5.2")) is None


# check_game.


@pytest.mark.slow
def test_the_check_says_how_a_game_runs():
    machine = check_game(TicTacToe(), compiled=True).machine
    assert machine.startswith("compiles to the same game, in 1,0")
    assert machine.endswith(" times as fast as in Python")
    machine = check_game(uncompilable.UsesEval(), compiled=True).machine
    assert machine.startswith("runs interpreted: one line stands in the way\nas it is, the engine visits ")
    assert " states a second\n\nuncompilable.py:" in machine
    assert "in `ending`: calls eval" in machine


@pytest.mark.slow
def test_without_a_compiler_everything_runs_interpreted(monkeypatch):
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    report = check_game(TicTacToe(), compiled=True)
    assert report.ok
    assert report.machine.startswith("runs interpreted: llvmlite cannot be imported here\nas it is, ")


def test_the_check_knows_integers_of_more_than_64_bits():
    class Grows(Named):
        def evaluate(self, state, player):
            worth = (1 << 60 + state.left) % 1000
            return worth if player == MAX else -worth

    report = check_game(Grows(), compiled=True)
    assert report.machine == f"compiles to the same game, in {report.states} states"
    assert report.ok
