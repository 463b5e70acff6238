"""A directory that someone else made: whatever is in it, there are right answers or one sentence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
import zstandard

import hostile_tables
from graph_games import Graph, Tiered, random_graph
from perfectplay import Game, load_game
from perfectplay.cli import main
from perfectplay.errors import BadTablebaseError, PerfectPlayError
from perfectplay.tablebase import Tablebase, build_state, build_tablebase, compress, seal, statistics, verify
from perfectplay.tablebase.encoding import bits_in, layout_from
from perfectplay.tablebase.merged_levels import MergedLevels
from perfectplay.tablebase.retrograde import open_edges
from perfectplay.tablebase.storage import MANIFEST, file_fault, manifest_bytes, read_manifest

NIM = "nim:heaps=1+2"


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> Path:
    """A small table, and the same compressed."""
    home = tmp_path_factory.mktemp("tables")
    build_tablebase(load_game(NIM), home / "plain", compile="never")
    shutil.copytree(home / "plain", home / "packed")
    compress(home / "packed")
    return home


@pytest.fixture
def plain(tables, tmp_path) -> Path:
    shutil.copytree(tables / "plain", tmp_path / "plain")
    return tmp_path / "plain"


@pytest.fixture
def packed(tables, tmp_path) -> Path:
    shutil.copytree(tables / "packed", tmp_path / "packed")
    return tmp_path / "packed"


def resealed(directory: Path, manifest: dict) -> None:
    """Write a manifest as if it were right, the checksums of the files included."""
    for number, level in enumerate(manifest["levels"]):
        for kind in ("states", "values", "ends", "blocks", "index"):
            file = directory / f"level-{number:04}.{kind}"
            if isinstance(level, dict) and isinstance(level.get(kind), dict) and file.exists():
                data = file.read_bytes()
                level[kind] |= {"bytes": len(data), "checksums": [crc32(data)]}
    (directory / MANIFEST).write_bytes(manifest_bytes(manifest))


def refused(directory: Path, words: str) -> None:
    """Everything that reads a table refuses this one, in a sentence with these words."""
    for ask in (lambda path: Tablebase(path, compile="never"), statistics, compress):
        with pytest.raises(BadTablebaseError, match=words):
            ask(directory)
    assert words in verify(directory)[0] or pytest.fail(verify(directory)[0])


# The text of a manifest.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": ' + "9" * 100 + "}", "a number of 100 digits, and 20 at most can be"),
        ('{"a": ' + "9" * 100_000 + "}", "a number of 100,000 digits, and 20 at most can be"),
        ('{"a": 1, "a": 1}', "it says 'a' twice"),
        ('{"a": NaN}', "'NaN' is no number for it"),
        ('{"a": 1e999}', "'1e999' is no number for it"),
        ('{"a": 1.' + "0" * 100 + "}", "is no number for it"),
        ("[" * 100_000, "it is no JSON in UTF-8, or nested without end"),
        ("[" * 100_000 + "]" * 100_000, "it is no JSON in UTF-8, or nested without end"),
        ("[" + "1," * (1 << 20) + "1]", "it has more than 1,048,576 values"),
        (" " * (1 << 24) + "1", "it has 16,777,217 bytes, and 16,777,216 at most can be"),
        ("[]", "is damaged"),
        ("\ud800", "it is no JSON in UTF-8"),
    ],
    ids=lambda each: each[:20],
)
def test_a_text_that_is_no_manifest_is_refused_at_once(plain, text, words):
    (plain / MANIFEST).write_bytes(text.encode("utf-8", "surrogatepass"))
    refused(plain, words)


CHANGES = {
    "masks of 100 digits": (("layout", "masks", 0), "f" * 100, "layout.masks[0] is 'fff"),
    "masks of 100,000 digits": (("layout", "masks", 0), "f" * 100_000, "layout.masks[0] is 'fff"),
    "a mask below 0": (("layout", "masks", 0), "-1", "layout.masks[0] is '-1', and is not below 0"),
    "a low of 65 bits": (("layout", "lows", 0), "-ffffffffffffffff", "has 64 bits with its sign"),
    "a word with a prefix": (("start", 0), "0x1", "start[0] is '0x1'"),
    "a word with a space": (("start", 0), " 1", "start[0] is ' 1'"),
    "no checksums": (
        ("levels", 1, "values", "checksums"),
        [],
        "levels[1].values has 0 checksums, and 1 block",
    ),
    "a checksum too many": (("levels", 1, "values", "checksums"), [1, 2], "has 2 checksums, and 1 block"),
    "a checksum that is true": (("levels", 1, "values", "checksums"), [True], "is a whole number of 32 bits"),
    "no positions": (("levels", 1, "positions"), 0, "levels[1].positions is 0, and is a whole number from 1"),
    "half a position": (("levels", 1, "positions"), 1.5, "levels[1].positions is 1.5, and is a whole number"),
    "one position more": (("levels", 1, "positions"), 5, "by its positions"),
    "blocks of nothing": (("block",), 0, "block is 0, and is a whole number from 4,096"),
    "values that fall": (("values",), [1, -1], "its values do not ascend"),
    "values that are words": (("values",), ["1"], "values[0] is '1', and is a number"),
    "values beyond exactness": (("values",), [-1, 2**53 + 1], "beyond 2**53 are not exact"),
    "wide values": (("value_bytes",), 2, "value_bytes is 2, and 1 for"),
    "a tier of another order": (("levels", 1, "tier"), -5, "not in the order of their tiers"),
    "a word for a flag": (("symmetry",), "yes", "symmetry is 'yes', and is true or false"),
    "a count of another sum": (("positions",), 7, "it counts 7 positions, not the sum of its levels"),
    "a phase of nobody's": (("phase",), "almost", "its phase is 'almost'"),
    "a game with a control code": (("game",), "nim\x1b[2J", "its game is 'nim\\x1b[2J'"),
    "rules of no digest": (("rules",), "../../x", "rules is '../../x'"),
    "a field of nobody's": (("zebra",), 1, "it has 'zebra', which means nothing here"),
    "a level that is none": (("levels", 1), 5, "levels[1] is 5, and is an object"),
    "an example of no board": (("description", "example", "board"), 5, "description.example.board is 5"),
    "a text with a control code": (("description", "symmetry"), "\x1b", "description.symmetry is "),
    "a turn by no number": (("description", "to_move"), {"even": 9}, "description.to_move.even is 9"),
    "a field of no kind": (("description", "fields", 0, "kind"), "code", "fields[0].kind is 'code'"),
    "no levels": (("levels",), [], "it has no levels"),
    "no list of levels": (("levels",), {}, "levels is a dict, and is a list"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_number_of_a_manifest_is_looked_at(plain, change):
    (*path, last), value, words = CHANGES[change]
    manifest = part = json.loads((plain / MANIFEST).read_text())
    for step in path:
        part = part[step]
    part[last] = value
    (plain / MANIFEST).write_bytes(manifest_bytes(manifest))
    with pytest.raises(BadTablebaseError) as told:
        read_manifest(plain)
    assert words in str(told.value)
    assert len(str(told.value)) < 300 + len(str(plain))
    assert verify(plain) == [str(told.value)]


@pytest.mark.parametrize("field", ["game", "levels", "positions", "values", "layout", "tiers"])
def test_a_manifest_without_a_field_is_refused(plain, field):
    manifest = read_manifest(plain)
    del manifest[field]
    (plain / MANIFEST).write_bytes(manifest_bytes(manifest))
    refused(plain, f"it has no {field}")


def test_a_build_goes_on_with_files_of_its_own_directory_alone(plain):
    manifest = read_manifest(plain)
    for name in ("positions", "values", "value_bytes"):
        del manifest[name]
    manifest |= {
        "phase": "discover",
        "levels": [],
        "parts": [],
        "expanded": [0, 0],
        "tier": 0,
        "regular": True,
    }
    manifest |= {"utilities": [], "runs": [{"file": "../secret", "tier": 0, "bytes": 8, "checksums": [0]}]}
    (plain / MANIFEST).write_bytes(manifest_bytes(manifest))
    with pytest.raises(PerfectPlayError, match=r"runs\[0\].file is '../secret'"):
        build_tablebase(load_game(NIM), plain, compile="never")


# Files that are no plain files.


@pytest.mark.parametrize("file", [MANIFEST, "level-0001.values"])
@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_links_pipes_and_directories_are_not_followed_read_or_waited_for(plain, tmp_path, file, kind):
    elsewhere = tmp_path / "elsewhere"
    (plain / file).rename(elsewhere)
    if kind == "link":
        (plain / file).symlink_to(elsewhere)
    elif kind == "pipe":
        os.mkfifo(plain / file)
    else:
        (plain / file).mkdir()
    told = verify(plain)
    assert len(told) == 1
    assert "plain file" in told[0] or "Too many levels of symbolic links" in told[0]
    for ask in (lambda path: Tablebase(path, compile="never"), statistics, compress):
        with pytest.raises(PerfectPlayError):
            ask(plain)


def test_nothing_is_written_through_a_link(plain, tmp_path):
    treasure = tmp_path / "treasure"
    treasure.write_text("mine")
    for name in ("manifest.json.part", "level-0000.blocks.part", "level-0000.blocks"):
        (plain / name).symlink_to(treasure)
    compress(plain)
    assert treasure.read_text() == "mine"
    assert verify(plain) == []
    (plain / "lock").unlink()
    (plain / "lock").symlink_to(treasure)
    with pytest.raises(PerfectPlayError, match="lock' is no plain file"):
        compress(plain)


# What is compressed.


def test_a_frame_that_says_it_holds_gigabytes_is_refused_before_it_is_unpacked(packed):
    file = packed / "level-0000.blocks"
    # magic number; one segment, and eight bytes that say how much it holds: 4 GB; a run of one byte
    file.write_bytes(bytes.fromhex("28b52ffd e0 0000000001000000 0300 00 00".replace(" ", "")))
    manifest = read_manifest(packed)
    index = bytearray((packed / "level-0000.index").read_bytes())
    index[8:16] = len(file.read_bytes()).to_bytes(8, "little")
    (packed / "level-0000.index").write_bytes(index)
    resealed(packed, manifest)
    with Tablebase(packed, compile="never") as table, pytest.raises(PerfectPlayError, match="is damaged"):
        table.probe(table.start)


@pytest.mark.parametrize("offsets", [(8, 16), (0, 1 << 60), (0, 3)])
def test_blocks_that_are_not_in_their_file_are_refused(packed, offsets):
    data = b"".join(offset.to_bytes(8, "little") for offset in offsets)
    file = packed / "level-0000.index"
    file.write_bytes(data + file.read_bytes()[16:])
    resealed(packed, read_manifest(packed))
    with pytest.raises(BadTablebaseError, match=r"level-0000.index is damaged, its blocks are not in order"):
        Tablebase(packed, compile="never")


def test_a_block_whose_first_step_is_not_0_is_refused(packed):
    file, index = packed / "level-0001.blocks", packed / "level-0001.index"
    data = bytearray(zstandard.ZstdDecompressor().decompress(file.read_bytes()))
    assert data[0] == 0
    data[0] = 4
    file.write_bytes(zstandard.ZstdCompressor().compress(bytes(data)))
    index.write_bytes(
        index.read_bytes()[:8] + file.stat().st_size.to_bytes(8, "little") + index.read_bytes()[16:]
    )
    resealed(packed, read_manifest(packed))
    assert "level-0001.blocks' is damaged" in verify(packed)[0]


# Verification cannot be fooled, whatever is sealed again.


def taken_out(directory: Path, manifest: dict, number: int, place: int) -> None:
    """Take a position out of a level, with its value and its remoteness."""
    level, states = manifest["levels"][number], states_of(directory, manifest, number)
    write_states(directory, manifest, number, [*states[:place], *states[place + 1 :]])
    for kind, size in (("values", 1), ("ends", 2)):
        file = directory / f"level-{number:04}.{kind}"
        data = bytearray(file.read_bytes())
        del data[place * size : (place + 1) * size]
        file.write_bytes(data)
    level["positions"] -= 1
    manifest["positions"] -= 1
    rewritten_bits(directory, manifest, number)


def put_in(directory: Path, manifest: dict, number: int, state: int, value: int, end: int) -> None:
    """Put a position into a level, after all others."""
    write_states(directory, manifest, number, [*states_of(directory, manifest, number), state])
    for kind, size, what in (("values", 1, value), ("ends", 2, end)):
        file = directory / f"level-{number:04}.{kind}"
        file.write_bytes(file.read_bytes() + what.to_bytes(size, "little"))
    manifest["levels"][number]["positions"] += 1
    manifest["positions"] += 1
    rewritten_bits(directory, manifest, number)


def rewritten_bits(directory: Path, manifest: dict, number: int) -> None:
    states = np.array(states_of(directory, manifest, number), np.uint64)
    manifest["levels"][number]["some"] = [f"{int(np.bitwise_or.reduce(states)):x}"]
    manifest["levels"][number]["all"] = [f"{int(np.bitwise_and.reduce(states)):x}"]


def row_bytes(manifest: dict) -> int:
    """The bytes of a packed state."""
    return -(-bits_in(manifest["layout"]) // 8)


def states_of(directory: Path, manifest: dict, number: int) -> list[int]:
    """The packed states of a level, read as the format says."""
    data, size = (directory / f"level-{number:04}.states").read_bytes(), row_bytes(manifest)
    count = (len(data) - -size % 8) // size
    return [int.from_bytes(data[place * size : (place + 1) * size], "little") for place in range(count)]


def write_states(directory: Path, manifest: dict, number: int, states: list[int]) -> None:
    """Write the packed states of a level."""
    size = row_bytes(manifest)
    data = b"".join(state.to_bytes(size, "little") for state in states) + bytes(-size % 8)
    (directory / f"level-{number:04}.states").write_bytes(data)


def told(directory: Path) -> str:
    faults = verify(directory)
    assert len(faults) == 1, faults
    return faults[0]


def test_bits_that_hide_positions_are_found(plain):
    manifest = read_manifest(plain)
    manifest["levels"][1]["some"] = ["0"]
    resealed(plain, manifest)
    assert told(plain) == "the bits that states of level 1 have are not those that the manifest names."


@pytest.mark.parametrize("number", [1, 2])
def test_a_position_that_was_taken_out_is_missed(plain, number):
    manifest = read_manifest(plain)
    taken_out(plain, manifest, number, 0)
    resealed(plain, manifest)
    assert "a successor that is not there, or in another level" in told(plain)


def test_a_position_that_no_game_comes_to_is_found_before_the_rules_are_asked_about_it(plain):
    manifest = read_manifest(plain)
    manifest["layout"]["masks"] = ["7fffffffffffffff"]  # so that states have room for anything
    for number in range(len(manifest["levels"])):
        before = read_manifest(plain)
        states = np.array(states_of(plain, before, number), np.uint64)
        (leaves,) = layout_from(before["layout"]).columns(states.reshape(-1, 1))
        write_states(plain, manifest, number, leaves.tolist())
        rewritten_bits(plain, manifest, number)
    manifest["description"]["example"]["packed"] = manifest["start"][0]
    resealed(plain, manifest)
    assert verify(plain) == [], "it is the same table in more bits"
    put_in(plain, manifest, 1, (1 << 63) - 1, 0, 1)
    resealed(plain, manifest)
    assert "no game comes to 1 position of level 1" in told(plain)


def test_values_that_no_game_ends_with_are_found(plain):
    manifest = read_manifest(plain)
    assert manifest["values"] == [-1, 1]
    for values, words in (
        ([-1, 5], "a game ends with the value 1, which the manifest does not have"),
        ([-1, 1, 5], "no game ends with the value 5, which the manifest has"),
        ([-2, 1], "a game ends with the value -1, which the manifest does not have"),
        ([-2, -1], "has a value that cannot be, by the successors"),
        ([-1], "a value or a remoteness of level"),
        ([], "a value or a remoteness of level"),
    ):
        resealed(plain, manifest | {"values": values})
        assert words in verify(plain)[0]


@pytest.mark.parametrize(
    ("kind", "byte", "words"), [("values", 77, "none that there is"), ("ends", 9, "cannot be")]
)
def test_values_that_there_are_not_and_those_that_cannot_be_are_found(plain, kind, byte, words):
    file = plain / f"level-0002.{kind}"
    file.write_bytes(bytes([byte]) + file.read_bytes()[1:])
    resealed(plain, read_manifest(plain))
    assert words in told(plain)


def test_states_that_are_not_in_order_or_there_twice_are_found(plain):
    manifest = read_manifest(plain)
    one, two, *others = states_of(plain, manifest, 1)
    for states in ([two, one, *others], [one, one, *others]):
        write_states(plain, manifest, 1, states)
        rewritten_bits(plain, manifest, 1)
        resealed(plain, manifest)
        assert told(plain) == "the positions of level 1 are not in order, or some are there twice."


def test_another_start_is_found(plain):
    manifest = read_manifest(plain)
    for start, words in (
        ("0", "the state that it begins at is not in its first level"),
        ("7ffffffffffffff0", "what it begins at is no state of the tablebase"),
    ):
        resealed(plain, manifest | {"start": [start]})
        assert words in told(plain)


def test_levels_that_are_said_to_be_regular_or_not_are_looked_at(plain):
    manifest = read_manifest(plain)
    for level in manifest["levels"]:
        level["regular"] = False
    resealed(plain, manifest)
    assert told(plain) == "level 0 is said to be not regular, and is."


def test_a_sample_is_of_positions_of_the_game(plain):
    assert verify(plain, sample=3) == []
    manifest = read_manifest(plain)
    taken_out(plain, manifest, 1, 0)
    resealed(plain, manifest)
    assert "has a successor that is not there" in verify(plain, sample=3)[0]


# What it tells people.


def test_an_example_and_who_moves_are_checked(plain):
    manifest = read_manifest(plain)
    assert manifest["description"]["fields"][0]["name"] == "heaps"
    assert manifest["description"]["to_move"] == {"even": 0}
    example = manifest["description"]["example"]
    for name, value in (
        ("value", -1),
        ("place", 7),
        ("packed", "0"),
        ("to_move", "MIN"),
        ("remoteness", None),
    ):
        changed = manifest["description"] | {"example": example | {name: value}}
        resealed(plain, manifest | {"description": changed})
        assert told(plain) == f"the example in the manifest has another {name!r} than its first position."


def test_a_wrong_word_about_who_moves_is_found(tmp_path):
    build_tablebase(load_game("connect-four:rows=2,cols=3,k=2"), tmp_path, compile="never")
    manifest = read_manifest(tmp_path)
    assert manifest["description"]["to_move"] == {"even": 2}
    assert "mirror image" in manifest["description"]["symmetry"]
    manifest["description"]["to_move"] = {"even": 1}
    resealed(tmp_path, manifest)
    assert told(tmp_path) == "who moves is not what the manifest says of it."


# Published with SHA256SUMS.


def test_a_sealed_directory_is_checked_by_sha256sum_and_by_verify(plain):
    (plain / "LICENSE").write_text("do as you like")
    file = seal(plain)
    assert file.name == "SHA256SUMS"
    names = [line.split("  ")[1] for line in file.read_text().splitlines()]
    assert names == sorted({each.name for each in plain.iterdir()} - {"lock", "SHA256SUMS"})
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], cwd=plain, check=True)
    assert verify(plain) == []
    (plain / "LICENSE").write_text("do as I like")
    assert told(plain).startswith("LICENSE is not what was published, by SHA256SUMS: get another copy")
    (plain / "LICENSE").unlink()
    assert told(plain).startswith("LICENSE cannot be read (No such file or directory)")
    seal(plain)
    assert verify(plain) == []
    compress(plain)
    assert not file.exists(), "it is no longer true"
    assert verify(plain) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{0:064}  ../secret\n", "is damaged: it has a digest and a name in every line"),
        ("nothing\n", "is damaged"),
        ("\xff\n", "is damaged"),
        ("{first}\n", "is damaged"),
        (f"{0:064}  nowhere\n", "nowhere cannot be read"),
    ],
)
def test_a_list_of_digests_that_someone_else_wrote_is_read_with_care(plain, line, words):
    file = seal(plain)
    text = file.read_text()
    file.write_bytes((text + line.format(first=text.splitlines()[0])).encode("latin-1"))
    assert words in told(plain)


def test_a_list_of_digests_has_all_files_of_the_table(plain):
    file = seal(plain)
    file.write_text(
        "".join(line for line in file.read_text().splitlines(True) if "level-0001.ends" not in line)
    )
    assert told(plain) == "SHA256SUMS does not have level-0001.ends: it is of another tablebase."
    file.unlink()
    os.mkfifo(file)
    assert "SHA256SUMS cannot be read" in told(plain)


def test_what_is_damaged_or_cannot_be_named_is_not_sealed(plain):
    (plain / "a\nb").write_text("")
    with pytest.raises(PerfectPlayError, match="cannot be published: give the file another name"):
        seal(plain)
    (plain / "a\nb").unlink()
    (plain / "level-0001.ends").write_bytes(bytes((plain / "level-0001.ends").stat().st_size))
    with pytest.raises(BadTablebaseError, match=r"level-0001.ends is damaged in block 0"):
        seal(plain)
    assert not (plain / "SHA256SUMS").exists()


# Whatever an enemy comes upon.


@pytest.mark.slow
@pytest.mark.parametrize(("kinds", "compiled"), [(None, False), (("plain", "plain-packed"), True)])
def test_tables_that_were_changed_at_random_are_right_or_refused(tmp_path, kinds, compiled):
    """`python tests/hostile_tables.py` tries ten thousand, of all kinds and in both ways."""
    made = [table for table in hostile_tables.tables(tmp_path) if kinds is None or table.name in kinds]
    if compiled:
        hostile_tables.warmed(made)
    outcomes, wrong, _ = hostile_tables.run_all(range(40), made, compiled=compiled)
    assert wrong == []
    assert outcomes.total() == 40
    assert {"right", "refused", "found by verify alone", "found"} <= outcomes.keys()


# Outcomes alone, which have no remoteness to tell by.


class Loop(Game):
    """Two positions that lead to each other, and to an end that neither player wants."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state & 1

    def actions(self, state):
        return ["on", "end"]

    def result(self, state, action):
        return 1 - state if action == "on" else 2 + state

    def is_terminal(self, state):
        return state > 1

    def utility(self, state, player):
        return (-1 if state == 2 else 1) * (1 if player == 0 else -1)


def test_wins_that_only_follow_from_each_other_are_found(tmp_path):
    game = Loop()
    build_tablebase(game, tmp_path, compile="never")
    compress(tmp_path, outcomes=True)
    assert verify(tmp_path, game) == []
    with Tablebase(tmp_path, game, compile="never") as table:
        assert [table.probe(state).outcome for state in (0, 1)] == ["draw", "draw"]
    manifest = read_manifest(tmp_path)
    for number in (0, 1):  # both are said to be won by MAX: 0 moves on to 1, and there MIN has nothing better
        file = tmp_path / f"level-{number:04}.blocks"
        data = bytearray(zstandard.ZstdDecompressor().decompress(file.read_bytes()))
        data[data.index(254)] = 2
        file.write_bytes(zstandard.ZstdCompressor().compress(bytes(data)))
        index = bytearray((tmp_path / f"level-{number:04}.index").read_bytes())
        index[8:16] = len(file.read_bytes()).to_bytes(8, "little")
        (tmp_path / f"level-{number:04}.index").write_bytes(index)
    manifest["description"]["example"] |= {"value": 1, "outcome": "MAX wins"}
    resealed(tmp_path, manifest)
    assert verify(tmp_path, game) == ["outcomes of level 0 follow from no end of a game: that of 0 first."]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Graph, Tiered])
def test_outcomes_of_games_that_go_round_in_circles_are_verified(kind, tmp_path):
    for seed in range(6):
        game = random_graph(seed, states=30, circles=True, kind=kind)
        build_tablebase(game, tmp_path / str(seed), compile="never")
        compress(tmp_path / str(seed), outcomes=True)
        assert verify(tmp_path / str(seed), game) == []


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ({"file": "edges-0000-000000000000"}, "has no begin"),
        ({"file": "edges-0000-000000000000", "begin": 0, "level": 9, "positions": 1}, "level is 9"),
        (
            {"file": "edges-0000-000000000000", "begin": 1, "level": 0, "positions": 1},
            "more positions than its level",
        ),
        ({"file": "/etc/passwd", "begin": 0, "level": 0, "positions": 1}, "file is '/etc/passwd'"),
    ],
)
def test_what_an_unfinished_build_says_of_its_files_is_looked_at(plain, piece, words):
    manifest = read_manifest(plain) | {"phase": "solve", "utilities": [-1, 1]}
    manifest["pieces"] = [piece | {"bytes": 13, "checksums": [0], "edges": 1}]
    (plain / MANIFEST).write_bytes(manifest_bytes(manifest))
    with pytest.raises(BadTablebaseError, match=words):
        build_tablebase(load_game(NIM), plain, compile="never")


def test_successors_that_are_no_positions_do_not_reach_machine_code(tmp_path):
    children, counts, kinds = np.array([5], np.int64), np.array([1], np.uint32), np.array([1], np.uint8)
    piece = {
        "file": "edges-0000-000000000000",
        "begin": 0,
        "level": 0,
        "positions": 1,
        "edges": 1,
        "bytes": 13,
    }
    (tmp_path / piece["file"]).write_bytes(children.tobytes() + counts.tobytes() + kinds.tobytes())
    assert open_edges(tmp_path, piece).children.tolist() == [5]
    for wrong in ({"bytes": 12}, {"positions": 2}, {"edges": 2}):
        with pytest.raises(BadTablebaseError, match="is not what a build has left"):
            open_edges(tmp_path, piece | wrong)
    (tmp_path / piece["file"]).write_bytes(children.tobytes() + counts.tobytes() + bytes([9]))
    with pytest.raises(BadTablebaseError, match="is not what a build has left"):
        open_edges(tmp_path, piece)


def test_a_position_that_is_in_two_levels_is_found(tmp_path):
    game = hostile_tables.Ring()
    build_tablebase(game, tmp_path / "right", compile="never")
    manifest = read_manifest(tmp_path / "right")
    found = set()
    for one, level in enumerate(manifest["levels"]):
        for other in range(len(manifest["levels"])):
            for place in range(min(level["positions"], 2) if one != other else 0):
                shutil.copytree(tmp_path / "right", tmp_path / "table")
                twice = read_manifest(tmp_path / "table")
                row = np.fromfile(tmp_path / f"table/level-{one:04}.values", np.uint8)[place]
                end = np.fromfile(tmp_path / f"table/level-{one:04}.ends", "<u2")[place]
                state = states_of(tmp_path / "table", twice, one)[place]
                put_in(tmp_path / "table", twice, other, state, int(row), int(end))
                resealed(tmp_path / "table", twice)
                (fault,) = verify(tmp_path / "table", game)
                found.add(fault)
                shutil.rmtree(tmp_path / "table")
    assert "a position is in two levels, and is counted twice." in found


def test_a_position_that_is_in_two_of_many_levels_is_found(tmp_path):
    game = hostile_tables.Ring()
    build_tablebase(game, tmp_path, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        merged = MergedLevels(1000)
        assert not merged.have_doubles()
        assert all(merged.take(level) for level in table.levels())
        assert not merged.have_doubles()
        assert merged.take(table.levels()[1])
        assert merged.have_doubles()


def test_a_build_that_somebody_stopped_and_changed_says_why_it_cannot_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(build_state, "PAUSE", 0.0)

    class StopError(BaseException):
        pass

    def stopped(game: Game, directory: Path, saves: int) -> dict:
        """What a build says that ended after so many times that it made its manifest true."""
        left = iter(range(saves - 1))

        def save(build, original=build_state.Build.save):
            original(build)
            if next(left, None) is None:
                raise StopError

        with monkeypatch.context() as patch:
            patch.setattr(build_state.Build, "save", save)
            with pytest.raises(StopError):
                build_tablebase(game, directory, compile="never", workers=1)
        return read_manifest(directory)

    def goes_on(game: Game, directory: Path, manifest: dict, words: str) -> None:
        resealed(directory, manifest)
        with pytest.raises(BadTablebaseError, match=words):
            build_tablebase(game, directory, compile="never", workers=1)

    game = hostile_tables.Ring()
    board = load_game("tic-tac-toe")
    manifest = stopped(board, tmp_path / "size", 2)
    (run,) = manifest["runs"] or manifest["parts"]
    for size, words in ((9, "which is no number of states"), (2, "has no states")):
        goes_on(board, tmp_path / "size", manifest | {"runs": [run | {"bytes": size, "tier": 0}]}, words)
    manifest = stopped(game, tmp_path / "odd", 4)
    write_states(tmp_path / "odd", manifest, 0, [255])
    file = next(iter(sorted((tmp_path / "odd").glob("level-0001.states"))))
    file.write_bytes(b"\xff" * file.stat().st_size)
    goes_on(game, tmp_path / "odd", manifest, "cannot go on")


def test_a_file_that_is_a_hole_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "level-0000.states"
    with open(file, "wb") as opened:
        opened.truncate(1 << 40)
    said = file_fault(file, {"bytes": 1 << 40, "checksums": [0] * (1 << 20)}, 1 << 20)
    assert (
        said
        == "level-0000.states has 1,099,511,627,776 bytes and takes 0, so that nearly all of it is a hole"
    )


def test_more_files_than_can_be_open_are_a_sentence(plain, monkeypatch):
    def full(*arguments, **settings):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(np, "fromfile", full)
    with pytest.raises(BadTablebaseError, match="level 0 of"):
        Tablebase(plain, compile="never")
    assert "cannot be opened" in verify(plain)[0]


def test_verify_says_where_a_table_begins_if_it_is_not_where_its_game_does(tmp_path, capsys):
    game = load_game("nim:heaps=1+2")
    start = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    build_tablebase(game, tmp_path, start=start, compile="never")
    assert main(["tablebase", "verify", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "All is well" in said.out
    assert "does not begin where the game does" in said.err
