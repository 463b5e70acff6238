"""The argument `compile` means the same wherever it is taken."""

from __future__ import annotations

import pytest

from broken_games import Takeaway
from perfectplay import Engine
from perfectplay.compiler import compile_mode
from perfectplay.engine.method_comparison import MethodComparison
from perfectplay.errors import BadParameterError, CompileError
from perfectplay.games import Nim
from perfectplay.play import find_player
from perfectplay.tablebase import Tablebase, build_tablebase


class Texts(Takeaway):
    """A game whose states are texts."""

    def initial(self):
        return "....."

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return [take for take in (1, 2) if take <= len(state)]

    def result(self, state, action):
        return state[action:]

    def is_terminal(self, state):
        return state == ""

    def utility(self, state, player):
        return -1 if player == 0 else 1


class Loud(Texts):
    """One that says what it does, which machine code cannot."""

    def actions(self, state):
        print(end="")
        return super().actions(state)


def test_true_is_always_and_false_is_never():
    assert [compile_mode(asked) for asked in ("auto", "always", "never")] == ["auto", "always", "never"]
    assert (compile_mode(True), compile_mode(False)) == ("always", "never")


def test_an_engine_takes_true_and_false():
    never = Engine(Nim((1, 2)), compile=False, table_mb=1)
    assert (never.compiled, never.why_not) == (False, 'compile="never" was asked for')
    assert Engine(Texts(), compile=True, table_mb=1).compiled
    with pytest.raises(CompileError, match=r"Loud cannot be compiled: `actions` line .* prints or reads"):
        Engine(Loud(), compile=True, table_mb=1)


def test_a_tablebase_takes_them_too(tmp_path):
    build_tablebase(Nim((1, 2)), tmp_path / "nim", compile=False)
    assert (
        Tablebase(tmp_path / "nim", Nim((1, 2)), compile=False).probe(Nim((1, 2)).initial()).outcome == "win"
    )
    assert find_player(f"tablebase:{tmp_path / 'nim'}", compile=False).compile == "never"


QUESTIONS = {
    "an engine": lambda path: Engine(Nim((1, 2)), compile="sometimes"),
    "building": lambda path: build_tablebase(Nim((1, 2)), path / "new", compile="sometimes"),
    "reading": lambda path: Tablebase(path / "new", compile="sometimes"),
    "a player": lambda path: find_player("engine", compile="sometimes"),
    "a comparison": lambda path: MethodComparison(Nim((1, 2)), Nim((1, 2)).initial(), compile="sometimes"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_whatever_takes_it_answers_a_wrong_one_alike_and_does_nothing(question, tmp_path):
    with pytest.raises(BadParameterError, match=r"compile=.sometimes. cannot be: there are"):
        QUESTIONS[question](tmp_path)
    assert not any(tmp_path.iterdir())


def test_a_print_that_a_library_has_put_in_place_of_pythons_is_a_print(monkeypatch):
    monkeypatch.setattr("builtins.print", lambda *words, **options: None)
    with pytest.raises(CompileError, match=r"Loud cannot be compiled: `actions` line .* prints or reads"):
        Engine(Loud(), compile=True, table_mb=1)
