"""load_game: names, parameters, and files of people's own."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from perfectplay import GAMES, load_game
from perfectplay.errors import BadParameterError, BrokenGameError, PerfectPlayError, UnknownGameError
from perfectplay.games import ConnectFour, Kalah, Nim, parameters

COUNTDOWN = '''
"""Take one or two; whoever takes the last one wins."""
from dataclasses import dataclass
from perfectplay import Game

@dataclass(frozen=True)
class Countdown(Game):
    """Take one or two."""
    start: int = 4

    def initial(self): return (self.start, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, min(2, state[0]) + 1)
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1
'''


@pytest.fixture
def written(tmp_path):
    """Write a file of Python and give its path."""

    def write(source: str, name: str = "my_game.py") -> str:
        (tmp_path / name).write_text(dedent(source))
        return str(tmp_path / name)

    return write


def test_a_name_alone_makes_the_game_with_its_defaults():
    assert load_game("connect-four") == ConnectFour(6, 7, 4, "distance")
    assert load_game("Kalah") == Kalah()
    assert load_game("connect_four") == ConnectFour()


def test_parameters_of_every_kind_are_read():
    assert load_game("connect-four:rows=4, cols=5,k=3,score=Course") == ConnectFour(4, 5, 3, "course")
    assert load_game("nim:heaps=1+2+3,misere=yes") == Nim((1, 2, 3), misere=True)
    assert load_game("kalah:empty_capture=no,pits=2") == Kalah(2)


def test_what_a_parameter_writes_it_can_read():
    for game_class in GAMES.values():
        for parameter in parameters(game_class).values():
            assert parameter.read(parameter.write(parameter.default)) == parameter.default


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("conect-four", UnknownGameError, "no game 'conect-four': did you mean 'connect-four'?"),
        ("chess-endgames", UnknownGameError, "did you mean 'chess-endgame'?"),
        ("xiangqi", UnknownGameError, "there are: bear-off, breakthrough, chess-endgame, "),
        ("", UnknownGameError, "no game ''"),
        ("connect-four:row=4", BadParameterError, "no parameter 'row': did you mean 'rows'?"),
        ("connect-four:rows", BadParameterError, "cannot read 'rows': give parameters as"),
        ("connect-four:rows=", BadParameterError, "cannot read 'rows='"),
        ("connect-four:rows=six", BadParameterError, "cannot take rows='six': give a whole number"),
        ("connect-four:score=points", BadParameterError, "give course or distance or outcome"),
        ("connect-four:rows=4,rows=5", BadParameterError, "connect-four was given rows twice"),
        ("connect-four:rows=99", BadParameterError, "a board of 99 rows"),
        ("nim:heaps=3-4", BadParameterError, "give whole numbers, as in 3+4+5"),
        ("nim:misere=perhaps", BadParameterError, "give yes or no"),
        ("tic-tac-toe:m=4", BadParameterError, "tic-tac-toe has no parameter 'm': it takes none"),
        ("nowhere.py:Game", UnknownGameError, "there is no file 'nowhere.py'"),
        ("__import__('os')", UnknownGameError, "there is no game"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_one_sentence(name, error, message):
    with pytest.raises(error) as refused:
        load_game(name)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_game_of_ones_own_is_a_class_in_a_file(written):
    path = written(COUNTDOWN)
    assert load_game(f"{path}:Countdown").initial() == (4, 0)
    assert load_game(path).initial() == (4, 0)
    assert load_game(f"{path}:Countdown:start=9").initial() == (9, 0)


def test_a_parameter_without_a_type_is_read_as_its_default_is(written):
    source = COUNTDOWN.replace("@dataclass(frozen=True)", "").replace(
        "    start: int = 4", "    def __init__(self, start=4, name='x'): self.start, self.name = start, name"
    )
    game = load_game(written(source) + ":Countdown:start=9,name=nine")
    assert (game.start, game.name) == (9, "nine")


def test_a_choice_may_be_of_words_in_capitals_or_of_numbers(written):
    source = COUNTDOWN.replace(
        "    start: int = 4", "    start: Literal[3, 4] = 4\n    mode: Literal['Normal', 'Misere'] = 'Normal'"
    )
    path = written("from typing import Literal\n" + source)
    game = load_game(f"{path}:Countdown:start=3,mode=misere")
    assert (game.start, game.mode) == (3, "Misere")
    with pytest.raises(BadParameterError, match="give 3 or 4"):
        load_game(f"{path}:Countdown:start=5")


def test_an_optional_parameter_is_read_as_what_it_may_be(written):
    game = load_game(
        written(COUNTDOWN.replace("start: int = 4", "start: int | None = 4")) + ":Countdown:start=7"
    )
    assert game.start == 7


def test_a_relative_path_has_line_numbers_too(written, monkeypatch, tmp_path):
    written("x = 1\ny = x / 0")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BrokenGameError, match=r"\(line 2\)"):
        load_game("my_game.py")


def test_a_file_may_import_what_stands_beside_it_and_shadow_nothing(written):
    written("START = 3", "beside.py")
    path = written("from beside import START\n" + COUNTDOWN.replace("= 4", "= START"), "json.py")
    import json

    before = list(sys.path)
    assert load_game(path).initial() == (3, 0)
    assert sys.modules["json"] is json
    assert sys.path == before


@pytest.mark.parametrize(
    ("source", "suffix", "message"),
    [
        ("def broken(:", ":Game", "cannot be imported: invalid syntax"),
        ("x = 1\ny = x / 0", ":Game", "ZeroDivisionError: division by zero (line 2)"),
        ("import no_such_module", ":Game", "No module named 'no_such_module'"),
        ("import sys; sys.exit(3)", ":Game", "it exits by itself"),
        (COUNTDOWN, ":CountDown", "has no class 'CountDown': did you mean 'Countdown'?"),
        (COUNTDOWN, ":Countdown:stat=3", "Countdown has no parameter 'stat': did you mean 'start'?"),
        ("class Plain: pass", "", "has 0 game classes: write class MyGame(perfectplay.Game)"),
        ("x = 1", ":Plain", "has no class 'Plain': write class MyGame(perfectplay.Game)"),
        (COUNTDOWN + "\nclass Other(Countdown): pass", "", "2 game classes: name one of Countdown, Other"),
        (
            "import perfectplay\nclass G(perfectplay.Game): pass",
            ":G",
            "G has no actions, initial, is_terminal,",
        ),
        (COUNTDOWN.replace("start: int = 4", "start: int"), ":Countdown", "Countdown needs start"),
        (
            COUNTDOWN + "\n    def __post_init__(self): raise KeyError('x')",
            ":Countdown",
            "Countdown cannot be made: KeyError",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(written, source, suffix, message):
    with pytest.raises(PerfectPlayError) as refused:
        load_game(written(source) + suffix)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_plain_class_is_told_to_be_a_game(written):
    with pytest.raises(BrokenGameError, match=r"is not a Game: write class Plain\(perfectplay.Game\)"):
        load_game(written("class Plain: pass") + ":Plain")
