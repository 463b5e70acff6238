"""An exception in the rules is Python's own, compiled or not, and says what was asked, after which moves."""

from __future__ import annotations

import textwrap
import traceback
from pathlib import Path
from typing import Any, ClassVar

import pytest

from perfectplay import Engine, Game
from perfectplay.cli import main
from perfectplay.tablebase import build_tablebase

MODES = ("always", "auto", "never")


class Steps(Game[Any, Any]):
    """Twelve moves, five times: a search comes to a, a, b early, and a look at the rules never."""

    def initial(self) -> Any:
        return 0, 0, 0

    def to_move(self, state: Any) -> Any:
        return state[2]

    def actions(self, state: Any) -> Any:
        return range(12)

    def result(self, state: Any, action: Any) -> Any:
        return state[0] * 12 + action, state[1] + 1, 1 - state[2]

    def is_terminal(self, state: Any) -> Any:
        return state[1] == 5

    def utility(self, state: Any, player: int) -> Any:
        return (state[0] % 3 - 1) * (1 if player == 0 else -1)

    def action_name(self, action: Any) -> Any:
        return "abcdefghijkl"[action]


class NoSuchKey(Steps):
    """A KeyError in `result`."""

    table: ClassVar = {number: number for number in range(12) if number != 1}
    raised, method = KeyError, "result"
    broken = (1, 3)

    def result(self, state: Any, action: Any) -> Any:
        if state[:2] == self.broken:
            return self.table[state[0]], 0, 0
        return super().result(state, action)


class NoSuchPlace(Steps):
    """An IndexError in `is_terminal`, of a child."""

    row = (0,) * 3
    raised, method = IndexError, "is_terminal"

    def is_terminal(self, state: Any) -> Any:
        if state[:2] == (1, 3):
            return self.row[state[1]] > 0
        return state[1] == 5


class Asserted(Steps):
    """An AssertionError in `evaluate`."""

    raised, method = AssertionError, "evaluate"

    def evaluate(self, state: Any, player: int) -> Any:
        assert state[:2] != (1, 3), "never so"
        return state[0] % 3


class Refused(Steps):
    """A ValueError while actions are made."""

    raised, method = ValueError, "actions"

    def actions(self, state: Any) -> Any:
        yield 0
        if state[:2] == (1, 3):
            raise ValueError("no more of these")
        yield from range(1, 12)


class OnlyInPython(NoSuchKey):
    """The same for rules that stay in Python."""

    raised, method = KeyError, "result"

    def __init__(self) -> None:
        self.asked = 0

    def to_move(self, state: Any) -> Any:
        self.asked += 1
        return state[2]


BROKEN = [NoSuchKey, NoSuchPlace, Asserted, Refused]


def failure(game: Any, ask: Any, mode: str) -> Any:
    engine = Engine(game, compile=mode, table_mb=1)
    assert engine.compiled == (mode == "always" or (mode == "auto" and not isinstance(game, OnlyInPython)))
    with pytest.raises(game.raised) as caught:
        ask(engine, game.initial())
    return caught.value


QUESTIONS = {
    "search": lambda engine, state: engine.search(state),
    "solve": lambda engine, state: engine.solve(state),
    "rank": lambda engine, state: engine.rank(state),
    "rankings": lambda engine, state: [*engine.rankings(state, depth=5)],
}


def noted(error: BaseException) -> str:
    (note,) = error.__notes__
    return str(note)


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kind", BROKEN)
def test_the_same_exception_comes_compiled_and_interpreted(kind: Any, question: str) -> None:
    if kind is Asserted and question in ("solve", "rank"):
        pytest.skip("which asks for no estimates")
    told = []
    for mode in MODES:
        error = failure(kind(), QUESTIONS[question], mode)
        told.append((type(error), error.args))
        note = noted(error)
        assert note.startswith(f"asked for {kind.method}((1, 3, 1)"), note
        moves = note.partition("after the moves ")[2].partition(" from ")[0].split()
        assert moves == ["a", "a", "b"][question.startswith("rank") :], note
        root = (0, 1, 1) if question.startswith("rank") else (0, 0, 0)
        assert note.endswith(f" from {root!r}")
        frames = traceback.extract_tb(error.__traceback__)
        assert Path(frames[-1].filename) == Path(__file__)
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("question", ["search", "solve"])
def test_rules_that_stay_in_python_say_it_too(question: str) -> None:
    notes = [noted(failure(OnlyInPython(), QUESTIONS[question], mode)) for mode in ("auto", "never")]
    assert notes[0] == notes[1]
    assert notes[0].startswith("asked for result((1, 3, 1), ")


class Aside(NoSuchKey):
    """The same after a, b, a, where a proof comes early."""

    broken = (12, 3)


class AsideOnlyInPython(OnlyInPython, Aside):
    """The same for rules that stay in Python."""


@pytest.mark.slow
def test_proof_numbers_say_it_too() -> None:
    notes = set()
    for kind, mode in ((Aside, "always"), (Aside, "never"), (AsideOnlyInPython, "auto")):
        error = failure(kind(), lambda engine, state: engine.solve(state, driver="proof-number"), mode)
        notes.add(noted(error))
    (note,) = notes
    assert note.startswith("asked for result((12, 3, 1), ")
    assert note.endswith("after the moves a b a from (0, 0, 0)")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [NoSuchKey, NoSuchPlace, Refused])
def test_a_tablebase_says_it_too(kind: Any, mode: str, tmp_path: Path) -> None:
    with pytest.raises(kind.raised) as caught:
        build_tablebase(kind(), tmp_path, compile=mode)
    note = noted(caught.value)
    assert note.startswith(f"asked for {kind.method}((1, 3, 1)"), note
    assert note.endswith("after the moves a a b from (0, 0, 0)")


class AtOnce(Steps):
    """Nothing works from the first move on."""

    def result(self, state: Any, action: Any) -> Any:
        raise RuntimeError("not written yet")


def test_a_fault_at_the_first_move_is_said_to_be_there() -> None:
    with pytest.raises(RuntimeError, match="not written yet") as caught:
        Engine(AtOnce()).search(AtOnce().initial())
    assert noted(caught.value) == "asked for result((0, 0, 0), 0) at the position that was asked about"


class Turned(Steps):
    """Representatives: the moves that lead there are those of the game all the same."""

    def canonical(self, state: Any) -> Any:
        return min(state[0], 12 ** state[1] - 1 - state[0]), state[1], state[2]

    def actions(self, state: Any) -> Any:
        return range(11, -1, -1)

    def is_terminal(self, state: Any) -> Any:
        return {0: 0, 1: 0, 2: 0}[state[1]] > 0


def test_the_moves_are_those_of_play_where_states_have_representatives() -> None:
    game = Turned()
    with pytest.raises(KeyError) as caught:
        Engine(game, compile="never").solve(game.initial())
    asked, _, moves = noted(caught.value).partition(" after the moves ")
    state = game.initial()
    for name in moves.partition(" from ")[0].split():
        state = game.result(state, "abcdefghijkl".index(name))
    assert asked == f"asked for is_terminal({game.canonical(state)!r})"
    assert state[1] == 3


@pytest.mark.slow
@pytest.mark.parametrize("option", [[], ["--no-compile"]])
def test_the_command_line_says_it_in_one_sentence(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "steps.py"
    file.write_text(
        textwrap.dedent(
            """
            from perfectplay import Game

            class Steps(Game):
                def initial(self): return 0, 0
                def to_move(self, state): return state[1] % 2
                def actions(self, state): return range(12 if state[1] < 9 else 0)
                def result(self, state, action):
                    assert state != (0, 7) or action < 5, "too far"
                    return state[0] * 12 + action, state[1] + 1
                def is_terminal(self, state): return state[1] == 9
                def utility(self, state, player): return (state[0] % 3 - 1) * (1 if player == 0 else -1)
            """
        )
    )
    assert main(["solve", f"{file}:Steps", *option]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(
        "perfectplay: the game's result failed with AssertionError: too far (steps.py, line 9), "
        "asked for result((0, 7), 5) after the moves 0 0 0 0 0 0 0 from (0, 0): perfectplay check says more."
    )
