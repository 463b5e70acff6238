"""States as numbers: games' own, the default, and what tables make of them."""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import packing_games
from perfectplay import GAMES, Game, load_game
from perfectplay.errors import BadParameterError, BrokenGameError, UnwritableError
from perfectplay.game import choices, default_key, packs
from perfectplay.tablebase import (
    Tablebase,
    build_state,
    build_tablebase,
    compress,
    export,
    statistics,
    storage,
    verify,
)
from perfectplay.tablebase.file_names import written_in
from perfectplay.tablebase.rows import (
    Rows,
    _in_order_by_digits,
    in_memory,
    is_ascending,
    merged,
    number_at,
    place_after,
    place_before,
    places_before,
    sorted_once,
    stored,
    without,
)
from perfectplay.tablebase.storage import indented, read_manifest


def positions(game: Game[Any, Any], most: int = 20_000) -> list[Any]:
    """All that play comes to, nearest first, or so many of them."""
    found = dict.fromkeys([game.initial()])
    for state in (states := [game.initial()]):
        for action in () if game.is_terminal(state) or len(found) >= most else game.actions(state):
            child = game.result(state, action)
            if child not in found:
                found[child] = None
                states.append(child)
    return states


def played(game: Game[Any, Any], games: int) -> list[Any]:
    """States of games at random, some of which last long."""
    random, states = Random(3), []
    for _ in range(games):
        state = game.initial()
        for _ in range(150):
            states.append(state)
            if game.is_terminal(state):
                break
            state = game.result(state, random.choice([*choices(game, state)]))
    return states


# The games that are here.


@pytest.mark.parametrize(
    ("name", "bits", "count"),
    [  # the counts of Connect Four are John Tromp's, OEIS A212693 for squares
        ("connect-four:rows=4,cols=3", 15, 6_000),
        ("connect-four:rows=3,cols=4", 16, 12_031),
        ("connect-four:rows=8,cols=2", 18, 13_343),
        ("connect-four:rows=1,cols=8", 16, None),
        ("othello:size=4", 25, None),
        ("three-mens-morris", 13, None),
        ("three-mens-morris:moves=anywhere", 13, None),
        ("dots-and-boxes:rows=1,cols=2", 10, None),
        ("dots-and-boxes:rows=2,cols=2", 16, None),
        ("nine-mens-morris", 40, None),
    ],
)
def test_every_position_of_a_small_board_has_a_number_of_its_own_within_its_bits(name, bits, count):
    game = load_game(name)
    states = positions(game, 14_000)
    numbers = [*map(game.pack, states)]
    assert [*map(game.unpack, numbers)] == states
    assert len(set(numbers)) == len(states)
    assert max(numbers).bit_length() <= bits
    assert min(numbers) >= 0
    assert count in (None, len(states))


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("connect-four", 49),
        ("connect-four:rows=9,cols=8", 80),
        ("connect-four:rows=20,cols=20", 420),
        ("othello:size=6", 56),
        ("othello:size=8", 101),
        ("nine-mens-morris", 40),
        ("dots-and-boxes:rows=4,cols=4", 46),
        ("dots-and-boxes:rows=7,cols=6", 104),
    ],
)
def test_a_large_board_has_numbers_that_come_back(name, bits):
    game = load_game(name)
    for state in played(game, 6):
        number = game.pack(state)
        assert game.unpack(number) == state
        assert [*map(type, game.unpack(number))] == [*map(type, state)]
        assert 0 <= number < 1 << bits


def test_the_key_is_the_number_where_the_game_gives_one():
    game = load_game("connect-four")
    state = played(game, 1)[9]
    assert game.key(state) == game.pack(state)
    wide = packing_games.HeapOfTwoWords()
    assert wide.key((3, 1)) == default_key(wide.pack((3, 1))) < 1 << 64
    assert load_game("nim").key((1, 2)) == default_key((1, 2))
    assert packs(game)
    assert not packs(load_game("nim"))


# The default.


class Colour(Enum):
    RED, BLUE = "r", "b"


class Point(NamedTuple):
    x: int
    far: bool


@dataclass(frozen=True)
class Piece:
    at: Point
    colour: Colour
    name: str = "k"


class Begins(Game[Any, Any]):
    def __init__(self, state: Any) -> None:
        self.state = state

    def initial(self) -> Any:
        return self.state

    to_move = actions = result = is_terminal = utility = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("first", "others"),
    [
        (0, [1, -1, 2**70, -(2**70), 127, 128]),
        ((0, False), [(5, True), (-3, False), (2**64, True)]),
        ("..", ["", "x.", "\N{BLACK CHESS KNIGHT}", "\ud800"]),
        (((), None), [((1,), 2.5), ((1, (2, "a")), None), ((), b"b")]),
        (Point(1, True), [Point(-9, False), Point(0, True)]),
        (frozenset({1, 2}), [frozenset(), frozenset({(1, "a"), 7}), frozenset({2, 1, 300})]),
        (Piece(Point(1, False), Colour.RED), [Piece(Point(2, True), Colour.BLUE, "q")]),
        ((Colour.RED, (Piece(Point(0, True), Colour.RED),)), [(Colour.BLUE, ()), (Colour.RED, (None,))]),
    ],
)
def test_any_plain_state_has_a_number_by_default_and_comes_back(first, others):
    game = Begins(first)
    states = [first, *others]
    numbers = [*map(game.pack, states)]
    assert len(set(numbers)) == len(states)
    for number, state in zip(numbers, states, strict=True):
        assert game.unpack(number) == state
    assert repr(game.unpack(numbers[0])) == repr(first)


def test_equal_states_have_the_same_number_by_default():
    game = Begins((1, 0.5, frozenset({1, 2, 3})))
    assert game.pack((True, 0.5, frozenset({3, 1.0, 2}))) == game.pack((1, 0.5, frozenset({1, 2, 3})))
    assert Begins(Point(0, False)).pack((4, 1)) == Begins(Point(0, False)).pack(Point(4, True))


def test_what_has_no_number_and_what_is_none_is_said_in_a_sentence():
    game = Begins((0, 0))
    with pytest.raises(BadParameterError, match="a Colour, which the first state has none of: give"):
        game.pack((0, Colour.RED))
    for number in (0, 1, -5, 3 << 200, game.pack((0, 0)) << 8):
        with pytest.raises(BadParameterError, match="is the number of no state: give one that pack"):
            game.unpack(number)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_default_takes_the_states_of_every_game_that_is_here(name):
    game = load_game(name)
    for state in played(game, 1)[:40]:
        number = Game.pack(game, state)
        assert Game.unpack(game, number) == state


# Rows of numbers.


def rows_of(numbers: list[int], width: int) -> Any:
    return np.array([[number >> 64 * k & 2**64 - 1 for k in range(width)] for number in numbers], np.uint64)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24])
def test_rows_are_stored_in_as_many_bytes_as_they_need(size):
    random = Random(size)
    numbers = sorted({random.randrange(1 << 8 * size) for _ in range(200)} | {0, (1 << 8 * size) - 1})
    width = -(-size // 8)
    words = rows_of(numbers, width)
    data = stored(words, size).tobytes()
    assert data == b"".join(number.to_bytes(size, "little") for number in numbers)
    rows = in_memory(words, size)
    assert (len(rows), rows.width) == (len(numbers), width)
    assert len(rows.data) == len(data) + -size % 8
    assert (rows[:] == words).all()
    assert (rows[3:9] == words[3:9]).all()
    assert (rows.take(np.array([5, 0, 5])) == words[[5, 0, 5]]).all()
    assert len(rows[7:7]) == len(Rows(rows.data[:0], size).data) == 0
    for number in (numbers[0], numbers[9], numbers[9] + 1, numbers[-1]):
        below = sum(each < number for each in numbers)
        assert place_before(rows, number) == place_before(words, number) == below
        assert place_after(rows, number) == below + (number in numbers)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_rows_are_sorted_and_merged_as_the_integers_that_they_are(width):
    random = Random(width)
    pool = [random.randrange(1 << random.choice((3, 20, 63, 64 * width))) for _ in range(400)]
    numbers = [random.choice(pool) for _ in range(1000)]
    ordered = sorted_once(rows_of(numbers, width))
    assert [number_at(ordered, place) for place in range(len(ordered))] == sorted({*numbers})
    assert is_ascending(ordered)
    assert not is_ascending(ordered[::-1])
    parts = [sorted_once(rows_of(numbers[at : at + 130], width)) for at in range(0, 1000, 130)]
    runs = [in_memory(part, 8 * width) if at % 2 else part for at, part in enumerate(parts)]
    blocks = [*merged(runs, 40)]
    assert (np.concatenate(blocks) == ordered).all()
    assert all(number_at(one, len(one) - 1) < number_at(other, 0) for one, other in pairwise(blocks))
    some = sorted_once(rows_of(numbers[:300], width))
    left = without(ordered, in_memory(some, 8 * width))
    assert len(left) == len(ordered) - len(some)
    assert not {*map(tuple, left.tolist())} & {*map(tuple, some.tolist())}
    wanted = rows_of([*numbers[:50], 0, (1 << 64 * width) - 1], width)
    places = [sum(number < number_at(wanted, at) for number in {*numbers}) for at in range(len(wanted))]
    assert places_before(ordered, wanted).tolist() == places
    assert places_before(in_memory(ordered, 8 * width), wanted).tolist() == places


@pytest.mark.slow
@pytest.mark.parametrize("width", [2, 3])
def test_numbers_of_several_words_are_sorted_alike_in_machine_code(width):
    random = Random(width)
    words = rows_of(
        [random.getrandbits(64 * width) >> random.choice((0, 50, 99)) for _ in range(3000)], width
    )
    assert (_in_order_by_digits(words) == words[np.lexsort(words.T)]).all()


# Tables.


def bytes_of(directory: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in directory.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "size"),
    [
        (packing_games.Heap(), 1),
        (packing_games.HeapOf64Bits(), 8),
        (packing_games.HeapOfTwoWords(), 13),
        (packing_games.HeapOfThreeWords(), 20),
        (packing_games.LateHeap(), 6),
        (packing_games.LateWideHeap(), 16),
        (packing_games.LateLargeHeap(), 16),
        (packing_games.Unlike(), 1),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Game) else str(each),
)
def test_a_game_that_packs_its_states_is_solved_compiled_or_not_with_the_same_bytes(game, size, tmp_path):
    build_tablebase(game, tmp_path / "one", workers=1, compile="never")
    build_tablebase(game, tmp_path / "two", workers=2)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert verify(tmp_path / "one", game) == []
    assert "bits" in read_manifest(tmp_path / "one")["layout"]
    states = positions(game)
    compress(tmp_path / "two")
    with Tablebase(tmp_path / "one", game) as table, Tablebase(tmp_path / "two", game) as packed:
        assert table.encoding.row_bytes == size
        assert len(table) == len(states)
        for state in states:
            assert table.probe(state) == packed.probe(state) == table._slow(state)
        many = table.probe_many(states)
        assert many == [table.probe(state) for state in states]
    assert statistics(tmp_path / "one", game).positions == len(states)


@pytest.mark.slow
def test_a_state_that_is_none_is_not_taken_for_another_one_with_its_number(tmp_path):
    game = load_game("connect-four:rows=3,cols=3,k=3")
    build_tablebase(game, tmp_path / "table")
    state = game.result(game.initial(), 1)
    mover, mask, stones, won = state
    for compiled in ("auto", "never"):
        with Tablebase(tmp_path / "table", compile=compiled) as table:
            assert table.get(state) is not None
            odd = [(mover, mask, stones + 1, won), (mover, mask, stones, True), (mask, mover, stones, won)]
            odd += [(mover - 1, mask + 1, stones, won), (2**62, 2**62, 2, False)]
            assert [*map(table.get, odd)] == [None] * 5
            assert table.probe_many([state, *odd])[1:] == [None] * 5
            rows = np.array([[int(leaf) for leaf in each] for each in [state, *odd]])
            assert np.isnan(table.probe_arrays(rows)[0]).tolist() == [False, *[True] * 5]


@pytest.mark.slow
def test_what_is_exported_are_the_fields_of_states_and_not_their_numbers(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    game = load_game("connect-four:rows=3,cols=4")
    build_tablebase(game, tmp_path / "table", symmetry=False)
    written = []
    for many in (1, 10**9):
        monkeypatch.setattr("perfectplay.tablebase.encoding.MANY", many)
        export(tmp_path / "table", tmp_path / f"{many}.parquet")
        written.append(parquet.read_table(tmp_path / f"{many}.parquet"))
    assert written[0].equals(written[1])
    rows = written[0].select([f"state_{leaf}" for leaf in range(len(game.initial()))]).to_pylist()
    assert {tuple(row.values()) for row in rows} == {*positions(game)}


class LosesTheTurn(packing_games.Heap):
    def unpack(self, number: int) -> Any:
        return number // 2, 0


class CountsDown(packing_games.Heap):
    def pack(self, state: Any) -> int:
        return -super().pack(state)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            LosesTheTurn(),
            r"unpack\(\) of LosesTheTurn gave \(\d+, 0\) for the number of \(\d+, 1\): let",
        ),
        (CountsDown(), r"pack\(\) of CountsDown gave -24 for \(12, 0\): give an integer of 0 or more"),
    ],
)
def test_a_pair_that_loses_states_is_refused_before_anything_is_built(game, words, tmp_path):
    with pytest.raises(BrokenGameError, match=words):
        build_tablebase(game, tmp_path / "table", compile="never")


# Files.


@pytest.mark.parametrize("links", [True, False])
def test_a_part_that_is_a_level_is_named_again_or_written_again_with_the_same_bytes(
    tmp_path, monkeypatch, links
):
    game = load_game("connect-four:rows=3,cols=3,k=3")
    build_tablebase(game, tmp_path / "whole", compile="never", workers=1)
    named = []

    def link(one: Any, other: Any, original: Any = os.link) -> None:
        named.append(Path(other).name)
        if not links:
            raise OSError("no such thing here")
        original(one, other)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(build_state, "PAUSE", 0.0)  # so that parts are written
    build_tablebase(game, tmp_path / "parts", compile="never", workers=1)
    assert "level-0004.states" in named
    assert bytes_of(tmp_path / "parts") == bytes_of(tmp_path / "whole")


def test_a_file_that_does_not_reach_the_disk_is_said_before_a_manifest_names_it(tmp_path, monkeypatch):
    game = load_game("connect-four:rows=3,cols=3,k=3")

    def fsync(handle: int, original: Any = os.fsync) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise OSError(28, "No space left on device")
        original(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(UnwritableError, match="No space left on device; free some space or mend it"):
            build_tablebase(game, tmp_path / "table", compile="never", workers=1)
    named = [file for file, _ in written_in(read_manifest(tmp_path / "table"))]
    assert named == []
    build_tablebase(game, tmp_path / "table", compile="never", workers=1)
    assert verify(tmp_path / "table") == []


def test_a_manifest_is_written_as_the_library_would_write_it():
    for data in (
        {},
        {"a": [], "b": {}, "c": [[], {}]},
        {"levels": [{"tier": -1, "all": ["f", "0"], "regular": True}], "values": [-1, 0.5, 1e300, None]},
        {"\u00e9\n": 'a "word"', "1": False},
    ):
        assert indented(data, "\n") == json.dumps(data, indent=1, sort_keys=True)


def test_many_small_files_go_to_the_disk_together_or_one_by_one(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(storage, "_flush_disk", lambda place: bool(asked.append(place)) or len(asked) == 1)
    monkeypatch.setattr(storage, "MANY", 3)
    game = load_game("nim:heaps=2+2")
    for name in ("together", "apart"):
        build_tablebase(game, tmp_path / name, compile="never", workers=1)
    assert tmp_path / "together" in asked
    assert tmp_path / "apart" in asked
    assert bytes_of(tmp_path / "together") == bytes_of(tmp_path / "apart")


def test_a_disk_can_be_asked_for_all_that_was_written_to_it(tmp_path):
    assert storage._flush_disk(tmp_path) == (sys.platform == "linux")
