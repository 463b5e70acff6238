"""Games with dice and for three, played in a terminal and by name on the command line."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from perfectplay.cli import main


class Typed:
    """Standard input that is not a terminal."""

    def __init__(self, text: str) -> None:
        self.lines = iter(text.splitlines(keepends=True))

    def readline(self) -> str:
        return next(self.lines, "")

    def isatty(self) -> bool:
        return False


@pytest.fixture
def run(capsys: Any, monkeypatch: Any) -> Any:
    def command(line: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", Typed(typed))
        code = main(line.split())
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_dice_are_rolled_and_the_same_seed_rolls_them_again(run: Any) -> None:
    games = [
        run(f"play pig:goal=6 --with mcts --playouts 50 --seed {seed}", "roll\nhold\n" * 20)[1]
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]
    assert "You are MAX, against mcts." in games[0]
    assert "\nchance: " in games[0]
    assert "mcts plays roll (average " in games[0]
    assert "You win: MAX wins" in games[0] or "You lose: MIN wins" in games[0]


def test_dice_may_be_typed(run: Any) -> None:
    code, out, _ = run("play bear-off --dice typed --with star2", "moves\nhint\n99\n55\n5/off\n2/off5\n")
    assert code == 0
    assert "what came up? moves\n66 65 64 63 62 61 55 " in out
    assert "Nobody chooses here: roll, and type what came up." in out
    assert "illegal move '99': the legal moves are 66 65" in out
    assert "MAX to move, dice: 5 5 5 5" in out
    assert "You win: MAX wins (utility 1 to MAX)." in out


def test_undo_goes_back_to_ones_own_move_and_the_dice_are_rolled_anew(run: Any) -> None:
    typed = "roll\n3\nhold\nundo\nhold\nundo\nquit\n"
    _, out, _ = run("play pig:goal=20 --with random --dice typed --seed 1", typed)
    assert out.count("MAX    0 of 20   this turn 3") >= 2
    assert out.rstrip().endswith("Goodbye.")


def test_min_does_not_move_where_the_dice_do(run: Any) -> None:
    _, out, _ = run("play pig:goal=5 --first computer --with random --seed 4", "roll\nhold\n" * 30)
    assert "You are MIN, against random." in out
    assert "MIN, your move: " in out
    assert "what came up?" not in out


@pytest.mark.slow
def test_the_computer_plays_all_the_others_of_three(run: Any) -> None:
    _, out, _ = run(
        "play chinese-checkers:moves=4 --with mcts --playouts 20 --seed 1", "moves\n" + "11-7\n7-11\n" * 3
    )
    assert "You are player 0, against mcts." in out
    assert "player 0, your move: " in out
    assert "plays " in out
    assert "(averages 0." in out
    assert "The game is over, and you are player 0: player 0 has 0.333333, player 1 has 0.333333" in out


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("textbook expectiminimax pig:goal=10 --depth 4", ["4 moves ahead", "(to MAX)", "an estimate"]),
        (
            "textbook star2 bear-off",
            ["0.3422497 (to MAX)", "none: chance moves", "on average, with best play"],
        ),
        ("textbook value pacman --depth 1", ["value, 1 move ahead", "best action"]),
        ("textbook max-n chinese-checkers:moves=3", ["0.333333, 0.333333, 0.333333 (to players 0, 1, 2)"]),
        ("textbook paranoid chinese-checkers:moves=3", ["(to player 0)", "what one is sure of"]),
        ("textbook monte-carlo-tree-search pig --playouts 20 --seed 2", ["an average of play at random"]),
        ("games pig", ["moves at the start: roll", "MAX    0 of 100"]),
        ("games bear-off", ["moves at the start: 66 65"]),
    ],
)
def test_they_are_asked_about_by_name(run: Any, line: str, shown: list[str]) -> None:
    code, out, err = run(line)
    assert (code, err) == (0, "")
    for words in shown:
        assert words in out


def test_values_to_all_players_are_in_the_json(run: Any) -> None:
    report = json.loads(run("textbook max-n chinese-checkers:moves=2 --json")[1])
    assert (report["to_move"], report["winner"]) == ("player 0", None)
    assert report["values"] == [pytest.approx(1 / 3)] * 3
    report = json.loads(run("textbook expectiminimax bear-off --json")[1])
    assert (report["to_move"], report["winner"], report["action"]) == ("chance", None, None)
    assert "values" not in report


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "textbook expectiminimax pig:goal=10",
            "so expectiminimax has no end to reach: use expectiminimax or",
        ),
        ("textbook minimax pig", "minimax cannot play dice, and in Pig chance moves too: use expectiminimax"),
        ("textbook star2 chinese-checkers", "in ChineseCheckers every player has a utility of its own"),
        ("play pig --with deepening", "deepening cannot play dice"),
        (
            "play tic-tac-toe --playouts 5",
            "engine plays nothing out: use mcts or monte-carlo-tree-search",
        ),
        (
            "textbook monte-carlo-tree-search pig --playouts 0",
            "'0' cannot be: give a whole number of 1 or more",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(run: Any, line: str, sentence: str) -> None:
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert sentence in err
