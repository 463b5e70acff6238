"""The engine against published values: those of examples/published_values.py, which names its sources."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from perfectplay.engine import Engine
from perfectplay.games import Breakthrough, ConnectFour, Kalah, Othello

SCRIPT = Path(__file__).parents[1] / "examples" / "published_values.py"
spec = importlib.util.spec_from_file_location("published_values", SCRIPT)
published: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(published)


@pytest.fixture(scope="module")
def connect_four():
    return Engine(ConnectFour(), compile="always", table_mb=16)


@pytest.mark.parametrize("name", published.PONS)
def test_positions_of_connect_four_have_the_scores_that_pons_published(connect_four, name):
    positions = published.built_in_pons()[name]
    assert len(set(positions)) == 25
    for columns, score in positions:
        state = published.after(connect_four.game, columns)
        answer = connect_four.solve(state)
        assert (answer.value, answer.exact) == (score, True), columns
        best = published.after(connect_four.game, f"{columns}{answer.action + 1}")
        if not connect_four.game.is_terminal(best):
            assert connect_four.solve(best).value == -score


def test_the_best_move_is_ranked_first_with_the_published_score(connect_four):
    for columns, score in published.built_in_pons()["L2_R1"]:
        ranked = connect_four.rank(published.after(connect_four.game, columns))
        assert ranked[0].value == score
        assert ranked[0].best
        assert [each.value for each in ranked] == sorted((each.value for each in ranked), reverse=True)


@pytest.mark.parametrize(("rows", "cols", "value"), published.BOARDS)
def test_boards_of_connect_four_end_as_tromp_published(rows, cols, value):
    game = ConnectFour(rows, cols, score="outcome")
    engine = Engine(game, compile="always" if rows * cols > 20 else "never", table_mb=8)
    answer = engine.solve(game.initial())
    assert (answer.value, answer.exact) == (value, True)


@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "lead"), published.KALAH[:2])
def test_kalah_is_won_by_as_many_seeds_as_published(pits, seeds, empty_capture, lead):
    game = Kalah(pits, seeds, empty_capture)
    answer = Engine(game, compile="never", table_mb=8).solve(game.initial(), line=False)
    assert (answer.value, answer.exact) == (lead, True)


def test_every_move_of_the_endgames_of_othello_has_its_published_score():
    game = Othello(empties_to_winner=True)
    engine = Engine(game, compile="always", table_mb=16)
    endgames = published.read_endgames(published.ENDGAMES)
    assert [endgame.empties for endgame in endgames] == [14, 14, 14, 15]
    for endgame in endgames:
        ranked = engine.rank(published.position(game, endgame))
        assert {game.action_name(each.action): each.value for each in ranked} == endgame.scores
        assert all(each.exact for each in ranked)
        assert {game.action_name(each.action) for each in ranked if each.best} == {
            name for name, score in endgame.scores.items() if score == max(endgame.scores.values())
        }


@pytest.mark.parametrize(
    ("game", "value"),
    [(game, value) for game, value, _ in published.OTHERS],
    ids=[repr(game) for game, *_ in published.OTHERS],
)
def test_the_second_or_the_first_player_wins_as_published(game, value):
    few_nodes = not isinstance(game, Breakthrough)  # Python is there sooner than the compiler
    answer = Engine(game, compile="never" if few_nodes else "always", table_mb=16).solve(
        game.initial(), line=False
    )
    assert (answer.value, answer.exact) == (value, True)


# The script.


def test_a_file_that_there_is_not_is_told_in_a_sentence(tmp_path, capsys):
    for option in ("--pons", "--othello", "--connect-four", "--kalah"):
        assert published.main([option, str(tmp_path / "nothing")]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"published_values.py: {tmp_path / 'nothing'}")
        assert said.err.endswith("cannot be read: No such file or directory.\n")


def test_a_file_of_something_else_is_told_in_a_sentence(tmp_path, capsys):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    for option in ("--connect-four", "--kalah", "--othello"):
        assert published.main([option, str(tmp_path / "other.csv")]) == 2
        assert capsys.readouterr().err.startswith("published_values.py: a file is not what was asked for: ")


def test_what_differs_is_counted_and_told(tmp_path, capsys, connect_four):
    """One of the scores is spoilt here."""
    for name, positions in published.built_in_pons().items():
        text = "".join(f"{columns} {score}\n" for columns, score in positions[:3])
        (tmp_path / f"Test_{name}.txt").write_text(text)
    assert published.main(["--pons", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("3 right, 0 wrong") == 3
    columns, score = published.built_in_pons()["L2_R1"][0]
    (tmp_path / "Test_L2_R1.txt").write_text(f"{columns} {score + 1}\n")
    assert published.main(["--pons", str(tmp_path)]) == 1
    assert "L2_R1: 0 right, 1 wrong" in capsys.readouterr().out


def test_boards_are_read_with_their_outcomes(tmp_path):
    text = (
        "width,height,tromp,steininger,last\n5,4,draw,draw,20\n4,4,,draw,16\n6,4,second,second,24\n9,9,,,\n"
    )
    boards = published.connect_four_boards(text)
    assert [(game.cols, game.rows, value) for game, value in boards] == [(4, 4, 0), (5, 4, 0), (6, 4, -1)]
    (board,) = published.kalah_boards("pits,seeds,empty_capture,value_for_first\n4,3,1,8\n")
    assert board == (Kalah(4, 3, True), 8)


def test_endgames_are_read_as_edax_writes_them():
    (endgame,) = published.read_endgames(f"% a comment\n{'-' * 63}X O; A1:+18; H8:-2;\n")
    assert endgame == ("-" * 63 + "X", "O", {"a1": 18, "h8": -2})
    (same,) = published.read_endgames(
        f'[{{"board": "{"-" * 63}X", "side": "O", "moves": [["A1", 18], ["H8", -2]]}}]'
    )
    assert same == endgame
