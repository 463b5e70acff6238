"""Files of positions as people have them, each line solved and compared with its score."""

from __future__ import annotations

import json

import pytest

from perfectplay import Engine, load_game
from perfectplay.cli import main
from perfectplay.commands.positions import PositionFile, read
from perfectplay.commands.solve import _mates
from perfectplay.errors import PerfectPlayError
from perfectplay.games import Nim
from perfectplay.play import Match

# The corners are Black's, one cell is left: f6 turns over three discs.
LATE = "XXXXXXXXXOOOOOOXXOOOOOOXXOOOOOOXXOOOOOOXXOOOO-OXXOOOOOOXXXXXXXXX"
SMALL = ".OX.XOXO.XOX.OX."


def written(tmp_path, *lines):
    path = tmp_path / "positions.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def solved(capsys, *words):
    code = main(["solve", *words])
    told = capsys.readouterr()
    return code, [line.split("\t") for line in told.out.splitlines()], told.err


def test_a_board_of_othello_is_what_its_moves_lead_to():
    game = load_game("othello:size=4")
    state = game.initial()
    for name in ("b1", "a1", "a2"):
        state = game.result(state, game.parse_action(state, name))
        marks = {".": "-"}
        rows = game.render(state).splitlines()[1:5]
        board = "".join(marks.get(mark, mark) for row in rows for mark in row[3:].split())
        assert game.parse_board(f"{board} {'XO'[state[3] & 1]}") == state
        assert game.parse_board(f"{board.replace('X', '*')} {'XO'[state[3] & 1].lower()}") == state


def test_boards_of_othello_are_compared_with_the_best_of_their_scores(tmp_path, capsys):
    value = "+48"
    path = written(tmp_path, "% a comment", f"{LATE} X; F6:{value}; A1:-64", f"{LATE} X; F6:+3", f"{LATE} X")
    code, rows, err = solved(capsys, "othello", "--positions", path, "--no-compile")
    assert code == 1
    assert [row[0] for row in rows] == [f"{LATE} X"] * 3
    assert [row[2] for row in rows] == ["f6"] * 3
    found = rows[0][1]
    assert [row[4:] for row in rows] == [["right" if found == "48" else "not 48"], ["not 3"], []]
    assert found == str(discs_after_f6())
    assert "scores" in err


def discs_after_f6():
    """The lead of Black once f6 is his, counted by hand on the text of the board."""
    rows = [list(LATE[8 * row : 8 * row + 8]) for row in range(8)]
    for step_row, step_col in [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]:
        row, col, between = 5 + step_row, 5 + step_col, []
        while 0 <= row < 8 and 0 <= col < 8 and rows[row][col] == "O":
            between.append((row, col))
            row, col = row + step_row, col + step_col
        if between and 0 <= row < 8 and 0 <= col < 8 and rows[row][col] == "X":
            for row, col in between:
                rows[row][col] = "X"
    rows[5][5] = "X"
    cells = [mark for row in rows for mark in row]
    return cells.count("X") - cells.count("O")


def test_fen_and_the_moves_to_mate_of_epd():
    game = load_game("chess-endgame:men=KQK")
    mate = "8/8/8/8/8/2K5/1Q6/3k4 w - -"
    for text, moves in (
        (f"{mate} dm 1;", 1),
        (f'{mate} bm Qd2; dm 12; id "one";', 12),
        (f"{mate} 0 1", None),
    ):
        line = read(game, text)
        assert line.match.state == game.parse_board(mate)
        assert (line.mate, line.score) == (moves, None)
    assert read(game, f"{mate} ce 4000;").score == 4000


def test_a_mate_is_right_if_it_takes_as_many_moves():
    game = load_game("connect-four")  # whose values tell how soon
    line = read(game, "1. 4 1 2. 4 1 3. 4 1")  # MAX wins at once
    found = Engine(game, compile=False).solve(line.match.state)
    assert [_mates(game, line._replace(mate=moves), found) for moves in (1, 2)] == [True, False]
    tic_tac_toe = load_game("tic-tac-toe")  # whose values tell nothing but that
    line = read(tic_tac_toe, "b2 a1 b1 a2")
    found = Engine(tic_tac_toe, compile=False).solve(line.match.state)
    assert _mates(tic_tac_toe, line._replace(mate=1), found)
    assert not _mates(tic_tac_toe, line._replace(mate=1), found.__class__(0, None, (), 0, 0, 0.0, exact=True))


def test_lists_of_moves_with_numbers_comments_and_results():
    game = load_game("connect-four")
    joined = Match(game, ["443"]).state
    for text in (
        "1. 4 4 2. 3",
        "1.4 4 2.3 *",
        "1. 4 {in the middle} 4 $1 2. 3 1-0",
        "1. 4 1... 4 (1... 3) 2. 3",
    ):
        assert read(game, text).match.state == joined


def test_games_with_tags_are_one_position_each(tmp_path):
    path = written(
        tmp_path,
        *('[White "a"]', '[Black "b"]', "", "1. 4 4", "2. 3 *", ""),
        *('[White "c"]', "", "1. 1 0-1"),
    )
    file = PositionFile(path)
    assert file.total == 2
    found = [(count, line.match.names) for count, line in file.positions(load_game("connect-four"))]
    assert found == [(1, ["4", "4", "3"]), (7, ["1"])]


def test_a_game_may_begin_at_a_board(tmp_path):
    path = written(tmp_path, '[SetUp "1"]', '[FEN "8/8/8/4k3/8/8/8/KR6 w - - 0 1"]', "", "1. Rb4 Kd5 *")
    game = load_game("chess-endgame:men=KRK")
    ((_, line),) = PositionFile(path).positions(game)
    assert line.match.names == ["Rb1-b4", "Ke5-d5"]
    assert line.board == "8/8/8/4k3/8/8/8/KR6 w - - 0 1"


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("othello", "XO-", "illegal move 'XO-'"),
        ("othello", f"{LATE} Z", "illegal move"),
        ("othello", f"{LATE[:-1]} X", "cannot set up '"),
        (
            "connect-four",
            f"{LATE} X",
            "ConnectFour has no notation for positions: give the moves that lead to",
        ),
        ("chess-endgame", "8/8/8/8 w - -", "cannot set up '8/8/8/8 w - -': a board has eight ranks"),
        ("connect-four", "1. 4 9", "after 4, illegal move '9'"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(game, text, sentence):
    with pytest.raises(PerfectPlayError) as refusal:
        read(load_game(game), text)
    assert str(refusal.value).startswith(sentence)


def test_json_tells_the_board_and_what_became_of_its_score(tmp_path, capsys):
    path = written(tmp_path, f"{SMALL} X; D1:+16")
    code = main(["solve", "othello:size=4", "--positions", path, "--json", "--no-compile"])
    told = json.loads(capsys.readouterr().out)
    assert told["board"] == f"{SMALL} X"
    assert told["right"] == (told["value"] == 16) == (code == 0)


def test_rules_that_run_interpreted_are_said_to_once(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Nim, "stays_in_python", "it reads files", raising=False)
    path = written(tmp_path, "a1", "b1")
    code, rows, err = solved(capsys, "nim:heaps=1+1", "--positions", path)
    assert (code, len(rows)) == (0, 2)
    assert err == "perfectplay: the rules run interpreted: it reads files.\n"
    *_, err = solved(capsys, "nim:heaps=1+1", "--positions", path, "--no-compile")
    assert err == ""
