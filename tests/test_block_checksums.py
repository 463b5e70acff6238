"""Checksums of blocks: the same in machine code and in Python, and no answer is from one that is wrong."""

from __future__ import annotations

import shutil
from random import Random
from zlib import crc32

import numpy as np
import pytest

from perfectplay import Engine, Game, load_game
from perfectplay.engine.block_checksums import (
    RIGHT,
    UNSEEN,
    WRONG,
    CheckedFile,
    crc32_of,
    crc32_tables,
    is_right,
)
from perfectplay.errors import BadTablebaseError, BrokenGameError
from perfectplay.tablebase import Tablebase, build_tablebase, compress, export, statistics

GAME = "connect-four:rows=3,cols=4,k=3"


@pytest.mark.parametrize("size", [1, 7, 8, 9, 4095, 4096, 4097, 10_001])
def test_a_checksum_is_that_of_the_library(size):
    data = Random(size).randbytes(size)
    sums = [crc32(data[at : at + 4096]) for at in range(0, size, 4096)]
    file = CheckedFile(
        data=[*data],
        size=size,
        shift=12,
        checksums=sums,
        seen=[UNSEEN] * len(sums),
        table=crc32_tables().tolist(),
    )
    assert [crc32_of(file, block) for block in range(len(sums))] == sums
    assert is_right(file, 0, size)
    assert file.seen == [RIGHT] * len(sums)


def test_a_block_that_is_wrong_stays_so_and_others_are_not_looked_at():
    data = bytes(3 * 4096)
    sums = [crc32(data[:4096]), 0, 1]
    file = CheckedFile(
        data=[*data],
        size=len(data),
        shift=12,
        checksums=sums,
        seen=[UNSEEN] * 3,
        table=crc32_tables().tolist(),
    )
    assert is_right(file, 4000, 4096)
    assert not is_right(file, 4000, 4097)
    assert file.seen == [RIGHT, WRONG, UNSEEN]
    file.checksums[1] = crc32(data[:4096])
    assert not is_right(file, 5000, 5001)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    home = tmp_path_factory.mktemp("tables")
    build_tablebase(load_game(GAME), home / "plain")
    shutil.copytree(home / "plain", home / "packed")
    compress(home / "packed")
    return home


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "packed"])
@pytest.mark.parametrize("mode", ["never", "auto"])
def test_a_flipped_bit_is_never_a_wrong_answer(whole, tmp_path, kind, mode):
    random, refused = Random(1), 0
    with Tablebase(whole / kind, compile=mode) as table:
        states = states_of(table.game)
        right = table.probe_many(states)
    for _ in range(9):
        shutil.rmtree(tmp_path / "table", ignore_errors=True)
        shutil.copytree(whole / kind, tmp_path / "table")
        file = random.choice(
            [each for each in sorted((tmp_path / "table").iterdir()) if each.suffix != ".json"]
        )
        data = bytearray(file.read_bytes())
        if not data:  # the lock
            continue
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        file.write_bytes(data)
        told = ""
        try:
            with Tablebase(tmp_path / "table", compile=mode) as table:
                for state, entry in zip(states, right, strict=True):
                    assert table.get(state) == entry
        except BadTablebaseError as error:
            told = str(error)
        if told:
            assert told.startswith(f"{file.name} is damaged in block 0: get another copy")
            refused += 1
    assert refused > 4


def states_of(game: Game) -> list:
    """Positions of some games, and some that are none."""
    random, states = Random(0), []
    for _ in range(10):
        state = game.initial()
        while not game.is_terminal(state):
            states.append(state)
            state = game.result(state, random.choice([*game.actions(state)]))
    return [*states, *((*(random.randrange(4096) for _ in states[0][:-1]), True) for _ in range(20))]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["never", "always"])
def test_a_search_finds_for_itself_what_is_damaged(tmp_path, mode):
    game = load_game("connect-four:rows=3,cols=3,k=3")
    value = Engine(game).solve(game.initial()).value
    start = game.result(game.initial(), 1)
    build_tablebase(game, tmp_path, start=start, compile="never")
    for file in tmp_path.glob("*.values"):
        file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    with Tablebase(tmp_path) as table:
        with pytest.raises(BadTablebaseError, match=r"level-0000.values is damaged in block 0"):
            table.probe(start)
        assert Engine(game, tablebase=table, compile=mode).solve(game.initial()).value == value


def test_what_is_damaged_is_neither_counted_nor_exported(whole, tmp_path):
    shutil.copytree(whole / "plain", tmp_path / "table")
    file = tmp_path / "table" / "level-0003.ends"
    file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    for ask in (statistics, lambda path: export(path, tmp_path / "table.parquet")):
        with pytest.raises(
            BadTablebaseError, match=r"level-0003.ends is damaged in block 0: get another copy"
        ):
            ask(tmp_path / "table")


# Utilities that are no floats.


class Great(Game):
    """One move, to one of two ends."""

    def __init__(self, worths):
        self.worths = worths

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return state > 0

    def utility(self, state, player):
        return self.worths[state - 1] * (1 if player == 0 else -1)


@pytest.mark.parametrize("worth", [2**53, -(2**53), 2**60, 1e300, 0.1, 3 * 2**70])
def test_a_utility_that_is_a_float_is_exact(worth, tmp_path):
    build_tablebase(Great((worth, worth)), tmp_path, compile="never")
    with Tablebase(tmp_path, Great((worth, worth)), compile="never") as table:
        assert table.probe(0).value == worth


@pytest.mark.parametrize(
    ("worth", "told"),
    [
        (2**53 + 1, "9007199254740993"),
        (-(2**60) - 1, "-1152921504606846977"),
        (10**400, "an integer of more than 30"),
    ],
)
def test_an_integer_that_no_float_is_is_refused(worth, told, tmp_path):
    with pytest.raises(
        BrokenGameError, match=rf"utility\(\) gave {told}.*, which no float is: give integers up to 2"
    ):
        build_tablebase(Great((1, worth)), tmp_path, compile="never")


def test_the_tables_of_the_checksum_are_those_of_each_byte():
    first = crc32_tables()[:256]
    assert [int(first[byte ^ 0xFF]) ^ 0x00FFFFFF ^ 0xFFFFFFFF for byte in (0, 1, 97)] == [
        crc32(bytes([byte])) for byte in (0, 1, 97)
    ]
    assert first.dtype == np.uint64
