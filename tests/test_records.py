"""Records of games: lists of moves as people write them, with variations, and positions of chess."""

from __future__ import annotations

import pytest

from perfectplay import load_game
from perfectplay.errors import IllegalActionError
from perfectplay.play.records import Step, is_fen, men_of, read_record, read_tags

LINE = [Step("4", -1), Step("4", 0), Step("3", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "4 4 3",
        "443",
        "4,4,3",
        "1. 4 4 2. 3 *",
        "1.4 4 2.3 1-0",
        '[Game "connect-four"]\n[Result "*"]\n\n1. 4! {the middle} 4?? 2. 3 $4 ; and so on\n*',
    ],
)
def test_a_list_of_moves_is_read_as_people_write_it(text):
    assert read_record(load_game("connect-four"), text).steps == LINE


def test_variations_stand_after_the_move_that_they_replace():
    steps = read_record(load_game("connect-four"), "1. 4 4 (1... 3 2. 3 (2. 5)) 2. 3").steps
    assert steps == [Step("4", -1), Step("4", 0), Step("3", 0), Step("3", 2), Step("5", 2), Step("3", 1)]


def test_what_was_written_twice_is_there_once():
    assert read_record(load_game("connect-four"), "4 4 (4) (4 3) 3").steps == [*LINE[:2], Step("3", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4 4 9", "move 3, illegal move '9'"),
        ("4 (5", r"there is a '\(' too many"),
        ("4 ) 5", r"there is a '\)' too many"),
        ("(4) 5", "before the first move"),
        ("hello", "move 1, illegal move"),
    ],
)
def test_a_text_that_is_no_record_is_refused(text, message):
    with pytest.raises(IllegalActionError, match=message):
        read_record(load_game("connect-four"), text)


def test_moves_with_hyphens_and_captures_are_read():
    record = read_record(load_game("hexapawn"), "1. b1-b2 a3xb2 2. a1xb2")
    assert [step.move for step in record.steps] == ["b1-b2", "a3xb2", "a1xb2"]


def test_tags_and_fens_are_known():
    assert read_tags('[Game "nim:heaps=1+2"]\n[White "me"]\n1. a1') == {
        "game": "nim:heaps=1+2",
        "white": "me",
    }
    assert is_fen("8/8/8/4k3/8/8/8/KR6 w")
    assert is_fen(" 8/8/8/4k3/8/8/8/KR6 w - - 0 1\n")
    assert not is_fen("4 4 3")
    assert men_of("8/8/8/4k3/8/2n5/8/KR6 w") == "KRKN"
