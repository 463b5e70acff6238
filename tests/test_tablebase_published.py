"""Tablebases against what others have published: counts of positions, values of games, and a whole table."""

from __future__ import annotations

from hashlib import sha256

import pytest

from perfectplay import MAX, load_game
from perfectplay.games import ConnectFour
from perfectplay.tablebase import Tablebase, build_tablebase
from test_textbook import COURSE_TABLE

pytestmark = pytest.mark.slow

# Rows, columns, stones in a line, positions that can be reached, and whether who begins wins. Rhodes College,
# "Build 2: Connect Four" (P. Kirlin); those of four in a line also in OEIS A212693 and Tromp's table.
BOARDS = [
    (3, 3, 3, 694, False),
    (3, 4, 3, 7157, True),
    (4, 4, 3, 41_750, True),
    (5, 4, 3, 195_472, True),
    (4, 4, 4, 161_029, False),
    (5, 4, 4, 1_706_255, False),
    (6, 3, 4, 235_781, False),
]

# Positions of Connect Four on 7x6 after so many moves: the counts of Tromp and Böck.
BY_PLY = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275]

# Pits, seeds, and what the first player gets more: output of Irving's solver (github.com/girving/kalah).
KALAH = [
    (2, 4, -12),
    (2, 5, 6),
    (3, 3, 2),
    (4, 1, 2),
]


@pytest.mark.parametrize(("rows", "cols", "line", "positions", "wins"), BOARDS)
def test_connect_four_has_as_many_positions_as_others_found(rows, cols, line, positions, wins, tmp_path):
    build_tablebase(ConnectFour(rows, cols, line), tmp_path, symmetry=False)
    with Tablebase(tmp_path) as solved:
        assert len(solved) == positions
        assert solved.probe(solved.start).outcome == ("win" if wins else "tie")


class Opening(ConnectFour):
    """Connect Four that is over after eight moves."""

    def is_terminal(self, state):
        return state[3] or state[2] == 8


def test_the_opening_of_connect_four_has_as_many_positions_after_every_move_as_others_found(tmp_path):
    game = Opening()
    build_tablebase(game, tmp_path, symmetry=False)
    with Tablebase(tmp_path, game) as solved:
        assert [level["positions"] for level in solved.manifest["levels"]] == BY_PLY


def test_all_694_values_of_the_courses_table_come_out(tmp_path):
    """Its value to MAX, and the first action that has it, of every board; by the digest of all rows."""
    game = load_game("connect-four:rows=3,cols=3,k=3,score=course")
    build_tablebase(game, tmp_path, symmetry=False)
    rows = []
    with Tablebase(tmp_path, game) as solved:
        for level in solved.levels():
            for words in level.rows[:].tolist():
                state = solved.encoding.unpack(words)
                sign = 1 if game.to_move(state) == MAX else -1
                value, action = solved.probe(state).value, ""
                if not game.is_terminal(state):
                    worths = {each.action: each.value for each in solved.explain(state)}
                    action = next(each for each in game.actions(state) if worths[each] == value)
                board = game.render(state).replace(" ", "").splitlines()[:-1]
                rows.append(f"{'|'.join(board)}|,{sign * value},{action}")
    assert len(rows) == 694
    assert sha256("\n".join(sorted(rows)).encode()).hexdigest() == COURSE_TABLE


@pytest.mark.parametrize(("pits", "seeds", "value"), KALAH)
def test_kalah_is_worth_what_others_found(pits, seeds, value, tmp_path):
    game = load_game(f"kalah:pits={pits},seeds={seeds},empty_capture=yes")
    build_tablebase(game, tmp_path)
    with Tablebase(tmp_path, game) as solved:
        assert solved.probe(solved.start).value == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dots-and-boxes:rows=2,cols=2", 2),  # three boxes to one: the encyclopedia's example
        ("dots-and-boxes:rows=1,cols=2", 0),
        ("hexapawn:rows=3,cols=3", -1),  # Gardner, 1962
        ("hexapawn:rows=4,cols=4", 1),
        ("tic-tac-toe", 0),
    ],
)
def test_small_games_are_worth_what_others_found(name, value, tmp_path):
    build_tablebase(load_game(name), tmp_path)
    with Tablebase(tmp_path) as solved:
        assert solved.probe(solved.start).value == value
