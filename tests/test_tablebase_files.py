"""A tablebase on disk: killed builds go on, damage is found, and other people's files are left alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from itertools import pairwise

import pytest

from graph_games import Graph, random_graph
from perfectplay import Engine, Game, PerfectPlayError, load_game
from perfectplay.games import Dodgem
from perfectplay.tablebase import Tablebase, build_tablebase, compress, statistics, verify
from perfectplay.tablebase.storage import MANIFEST, Lock, manifest_bytes, read_manifest
from test_tablebase import Untiered, bytes_of
from test_tablebase_cli import cli

SMALL = "connect-four:rows=3,cols=4,k=3"

BUILDER = """if True:
    import sys
    from perfectplay import load_game
    from perfectplay.tablebase import build_state, build_tablebase, solution
    build_state.PAUSE = 0.0      # save after every piece of work
    solution.PIECE = 3000
    build_state.LEAST = 1 << 16  # and work in small pieces
    print("ready", flush=True)
    build_tablebase(load_game(sys.argv[2]), sys.argv[1], symmetry=False, memory=1)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A small table, built in one go."""
    directory = tmp_path_factory.mktemp("tables") / "whole"
    build_tablebase(load_game(SMALL), directory, symmetry=False)
    return directory


# Crash safety.


@pytest.mark.slow
def test_a_build_that_is_killed_again_and_again_ends_with_the_same_bytes(whole, tmp_path):
    kills = 0
    command = [sys.executable, "-c", BUILDER, str(tmp_path), SMALL]
    for attempt in range(100):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as build:
            assert build.stdout.readline() == "ready\n"
            try:  # a little longer every time
                build.wait(0.05 * attempt)
            except subprocess.TimeoutExpired:
                build.send_signal(signal.SIGKILL)
                kills += 1
        if build.returncode == 0:
            break
    assert kills > 3
    assert bytes_of(tmp_path) == bytes_of(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [load_game(SMALL), Dodgem(3), Untiered(3)], ids=lambda game: type(game).__name__
)
def test_a_build_goes_on_from_the_last_piece(game, tmp_path, monkeypatch):
    """Stopped after any number of saved pieces, it ends with the same bytes, and does not begin again."""
    from perfectplay.tablebase import build_state, retrograde

    class StopError(Exception):
        pass

    build_tablebase(game, tmp_path / "whole", symmetry=False)
    monkeypatch.setattr(build_state, "PAUSE", 0.0)
    monkeypatch.setattr(build_state, "LEAST", 1 << 12)
    monkeypatch.setattr(retrograde, "SWEPT", 60)
    saves, stop_at, most = 0, 1, {Untiered: 6, Dodgem: 20}.get(type(game), 60)
    original = build_state.Build.save

    def save(self):
        nonlocal saves
        original(self)
        saves += 1
        if saves >= stop_at:
            raise StopError

    monkeypatch.setattr(build_state.Build, "save", save)
    seen = []
    for attempt in range(500):
        saves, stop_at = 0, 1 + attempt % most
        try:
            build_tablebase(game, tmp_path / "again", memory=1, symmetry=False)
            break
        except StopError:
            known = read_manifest(tmp_path / "again")
            asked = known.get("together", {}).get("asked", {})
            levels = known["levels"]
            place = (len(levels), sum("values" in level for level in levels))
            seen.append((*place, asked.get("question", 0), asked.get("moment", 0)))
    assert [each[:2] for each in seen] == sorted(each[:2] for each in seen), "what was found is never lost"
    assert len(seen) > 5
    if isinstance(game, Dodgem):
        assert len({each[2:] for each in seen}) > 10, "it was stopped between questions"
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "whole")


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_nothing_is_lost(whole, tmp_path):
    full = subprocess.run(
        [sys.executable, "-m", "perfectplay", "tablebase", "build", SMALL, str(tmp_path), "--no-symmetry"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # which would be cut off, and found by others
        preexec_fn=lambda: _limit_files(5_000),
    )
    assert full.returncode == 2
    assert full.stderr.count("perfectplay: cannot write") == 1
    assert "it goes on where it stopped" in full.stderr
    assert "Traceback" not in full.stderr
    build_tablebase(load_game(SMALL), tmp_path, symmetry=False)
    assert bytes_of(tmp_path) == bytes_of(whole)


def _limit_files(size: int) -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_second_builder_is_refused(tmp_path):
    tmp_path.mkdir(exist_ok=True)
    lock = Lock(tmp_path)
    with pytest.raises(PerfectPlayError, match="another process is building"):
        build_tablebase(load_game(SMALL), tmp_path)
    lock.release()
    build_tablebase(load_game(SMALL), tmp_path)


@pytest.mark.slow
def test_a_changed_class_is_noticed(tmp_path):
    game = random_graph(1, circles=False)
    build_tablebase(game, tmp_path, compile="never")

    class Changed(Graph):
        def utility(self, state, player):
            return 2 * super().utility(state, player)

    Changed.__qualname__ = "Graph"
    changed = Changed(game.starts, game.targets, game.turns, game.worths)
    for ask in (lambda: build_tablebase(changed, tmp_path), lambda: Tablebase(tmp_path, changed)):
        with pytest.raises(PerfectPlayError, match="rules"):
            ask()


def test_other_parameters_and_other_games_are_refused(whole):
    with pytest.raises(PerfectPlayError, match=r"a tablebase of (another|something)"):
        build_tablebase(load_game("connect-four:rows=4,cols=4,k=3"), whole, symmetry=False)
    with pytest.raises(PerfectPlayError, match=r"a tablebase of (another|something)"):
        build_tablebase(load_game(SMALL), whole, symmetry=True)
    with pytest.raises(PerfectPlayError, match="another game"):
        Tablebase(whole, load_game("tic-tac-toe"))


def test_a_directory_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("three years of work")
    with pytest.raises(PerfectPlayError, match=r"holds other files, 'thesis.txt'"):
        build_tablebase(load_game(SMALL), tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "three years of work"


def test_a_build_that_is_not_finished_cannot_be_asked(whole, tmp_path):
    manifest = read_manifest(whole) | {"phase": "solve"}
    (tmp_path / MANIFEST).write_bytes(manifest_bytes(manifest))
    with pytest.raises(PerfectPlayError, match="not finished"):
        Tablebase(tmp_path)
    with pytest.raises(PerfectPlayError, match="there is no tablebase"):
        Tablebase(tmp_path / "nowhere")


# Verification.


@pytest.fixture
def tiny(tmp_path):
    """A table of a few positions."""
    directory = tmp_path / "tiny"
    build_tablebase(load_game("nim:heaps=1+2"), directory)
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("compressed", [False, True])
def test_flipped_bits_in_every_file_are_found(tiny, compressed):
    if compressed:
        compress(tiny)
    assert verify(tiny) == []
    flipped = 0
    for file in sorted(tiny.iterdir()):
        if file.name == "lock":
            continue
        right = file.read_bytes()
        for bit in range(0, 8 * len(right), 5):  # in turn every place of a byte
            wrong = bytearray(right)
            wrong[bit // 8] ^= 1 << bit % 8
            file.write_bytes(wrong)
            flipped += 1
            if file.name == MANIFEST:
                with pytest.raises(PerfectPlayError, match="damaged"):
                    read_manifest(tiny)
            else:
                assert verify(tiny), f"bit {bit} of {file.name}"
        file.write_bytes(right)
    assert flipped > 1_800
    assert verify(tiny) == []


def test_wrong_values_are_found_even_if_the_checksums_are_right(whole, tmp_path):
    from zlib import crc32

    for kind in ("values", "ends"):
        directory = tmp_path / kind
        directory.mkdir()
        for file in whole.iterdir():
            (directory / file.name).write_bytes(file.read_bytes())
        manifest = read_manifest(directory)
        file = directory / f"level-0005.{kind}"
        data = bytearray(file.read_bytes())
        data[0] ^= 1
        file.write_bytes(data)
        manifest["levels"][5][kind]["checksums"] = [crc32(bytes(data))]
        (directory / MANIFEST).write_bytes(manifest_bytes(manifest))
        faults = verify(directory)
        assert any("cannot be, by the successors" in fault for fault in faults), faults


def test_missing_short_and_strange_files_are_found(whole, tmp_path):
    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "level-0003.ends").unlink()
    (tmp_path / "level-0004.values").write_bytes(b"")
    (tmp_path / "level-0099.states").write_text("left behind")
    (tmp_path / "LICENSE").write_text("do as you like")
    faults = " ".join(verify(tmp_path))
    assert "level-0003.ends cannot be read" in faults
    assert "level-0004.values has 0 bytes" in faults
    assert "level-0099.states does not belong" in faults
    assert "LICENSE" not in faults


@pytest.mark.slow
def test_draws_and_remoteness_are_verified_where_games_go_round_in_circles(tmp_path):
    game = random_graph(5, states=60, circles=True)
    build_tablebase(game, tmp_path, compile="never")
    assert verify(tmp_path, game) == []


# Other people's files, and damage.


def test_nobody_elses_file_is_ever_taken_away(tiny):
    (tiny / "LICENSE").write_text("do as you like")
    (tiny / "level-0099.states").write_text("left behind by a build that was killed")
    build_tablebase(load_game("nim:heaps=1+2"), tiny)
    compress(tiny)
    assert (tiny / "LICENSE").read_text() == "do as you like"
    assert not (tiny / "level-0099.states").exists()
    assert verify(tiny) == []


def test_a_refused_directory_is_left_as_it_was(tmp_path):
    (tmp_path / "thesis.txt").write_text("three years of work")
    for change in (lambda: build_tablebase(load_game(SMALL), tmp_path), lambda: compress(tmp_path)):
        with pytest.raises(PerfectPlayError):
            change()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("damage", ["short", "flipped"])
def test_a_damaged_level_is_not_compressed_and_nothing_is_lost(tiny, damage):
    file = tiny / "level-0002.values"
    data = bytearray(file.read_bytes())
    if damage == "short":
        del data[-1]
    else:
        data[0] ^= 1
    file.write_bytes(data)
    with pytest.raises(PerfectPlayError, match=r"level-0002.values (has|is damaged).*get another copy"):
        compress(tiny)
    assert file.read_bytes() == data


def test_a_damaged_table_is_not_taken_for_a_finished_one(tiny):
    (tiny / "level-0002.values").write_bytes(b"")
    with pytest.raises(PerfectPlayError, match=r"level-0002.values has 0 bytes.*take the directory away"):
        build_tablebase(load_game("nim:heaps=1+2"), tiny)
    (tiny / MANIFEST).write_bytes(b"{")
    with pytest.raises(PerfectPlayError, match=r"damaged.*take the directory away"):
        build_tablebase(load_game("nim:heaps=1+2"), tiny)


def test_a_damaged_block_is_told_when_it_is_read(tiny):
    compress(tiny)
    file = tiny / "level-0000.blocks"
    file.write_bytes(bytes(len(file.read_bytes())))
    with (
        Tablebase(tiny) as table,
        pytest.raises(PerfectPlayError, match=r"0000.blocks is damaged in block 0"),
    ):
        table.probe(table.start)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 3}, "another format"),
        ({"version": 1}, "of format 1, and this is perfectplay for format 2: build it again"),
        ({"format": "zzz"}, "another format"),
        ({"levels": None}, "damaged"),
    ],
)
def test_other_formats_and_versions_are_refused_by_all(tiny, change, words):
    manifest = read_manifest(tiny) | change
    if change.get("levels", ...) is None:
        del manifest["levels"]
    (tiny / MANIFEST).write_bytes(manifest_bytes(manifest))
    for ask in (
        Tablebase,
        compress,
        lambda path: build_tablebase(load_game("nim:heaps=1+2"), path),
    ):
        with pytest.raises(PerfectPlayError, match=words):
            ask(tiny)
    assert words in verify(tiny)[0]


def more(numbers):
    return [*numbers, numbers[-1]]


def fewer(numbers):
    return numbers[:-1]


@pytest.mark.parametrize("change", [more, fewer])
@pytest.mark.parametrize("where", [("lows", "bases", "masks"), ("masks",), ("start",)])
def test_a_manifest_with_more_or_fewer_numbers_than_the_game_is_refused_by_all(tiny, change, where):
    manifest = read_manifest(tiny)
    for name in where:
        part = manifest if name == "start" else manifest["layout"]
        part[name] = change(part[name])
    (tiny / MANIFEST).write_bytes(manifest_bytes(manifest))
    words = (
        r"^manifest.json describes states of (0|2|0 or 1|1 or 2) numbers, and those of the game have 1: get"
    )
    asked = [Tablebase, verify, statistics]
    if where != ("start",):  # to begin elsewhere is another build
        asked.append(lambda path: build_tablebase(load_game("nim:heaps=1+2"), path))
    for ask in asked:
        with pytest.raises(PerfectPlayError, match=words):
            ask(tiny)
    if len(where) == 3:
        done = cli("verify", tiny)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.match(f"perfectplay: {words[1:]}", done.stderr)


def test_a_manifest_with_longer_states_in_a_level_is_refused(tiny):
    manifest = read_manifest(tiny)
    manifest["levels"][2]["some"].append("0")
    (tiny / MANIFEST).write_bytes(manifest_bytes(manifest))
    for ask in (Tablebase, statistics):
        with pytest.raises(PerfectPlayError, match="states of 2 words in level 2, and its layout has 1; get"):
            ask(tiny)


def test_a_manifest_cannot_name_a_file_to_be_run(tiny, tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit('it was run')")
    for name in (f"{tmp_path}/evil.py:X", "evil.py:X"):
        (tiny / MANIFEST).write_bytes(manifest_bytes(read_manifest(tiny) | {"game": name}))
        with pytest.raises(PerfectPlayError, match="a game of your own: give it"):
            Tablebase(tiny)


def test_a_process_after_a_fork_reads_a_compressed_table_whatever_the_others_hold(tiny):
    from multiprocessing import get_context

    from perfectplay.tablebase.blocks import Blocks

    compress(tiny)
    with Tablebase(tiny) as table, Blocks._mutex:  # as if a thread were just reading
        child = get_context("fork").Process(target=table.probe, args=(table.start,))
        child.start()
        child.join(20)
        assert child.exitcode == 0


def test_verification_of_a_compressed_table_in_little_memory(whole, tmp_path, monkeypatch):
    from perfectplay.tablebase import build_state

    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    compress(tmp_path)
    monkeypatch.setattr(build_state, "LEAST", 1 << 12)
    seen = []
    assert verify(tmp_path, memory=1, sample=100, report=seen.append) == []
    assert {each.phase for each in seen} == {"verify"}
    assert seen[-1].done == seen[-1].total < 200


# Compression.


def test_a_compressed_table_answers_the_same(whole, tmp_path):
    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    compress(tmp_path)
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < 0.6 * sum(
        f.stat().st_size for f in whole.iterdir()
    )
    with Tablebase(whole) as before, Tablebase(tmp_path) as after:
        for number, (one, other) in enumerate(zip(before.levels(), after.levels(), strict=True)):
            rows, values, ends = (x.tolist() for x in (one.rows[:], one.values, one.ends))
            loaded = other.unpacked()
            assert loaded.rows[:].tolist() == rows, number
            assert (loaded.values.tolist(), loaded.ends.tolist()) == (values, ends), number
        assert after.probe(after.game.initial()) == before.probe(before.game.initial())
    assert verify(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 64 << 20])
def test_blocks_are_probed_in_machine_code_as_in_python_however_few_are_kept(
    whole, tmp_path, monkeypatch, kept
):
    from perfectplay.tablebase import block_index, compression

    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(compression, "ROWS", 16)
    monkeypatch.setattr(block_index, "CACHE", kept)
    compress(tmp_path)
    with Tablebase(whole, compile="never") as before, Tablebase(tmp_path, compile="always") as after:
        states = [before.encoding.unpack(row) for level in before.levels() for row in level.rows[:].tolist()]
        odd = [tuple(leaf + 1 for leaf in state) for state in states[:50]]
        odd = [type(states[0])(*state) if hasattr(states[0], "_fields") else state for state in odd]
        wanted = [*map(before.get, states), *map(before.get, odd)]
        assert [*map(after.get, states), *map(after.get, odd)] == wanted
        assert after.probe_many([*states, *odd]) == wanted
        assert after.probe_many([*states, "odd", None]) == [*wanted[: len(states)], None, None]


# Very many levels.


class Line(Game):
    """A walk of so many steps, forwards alone or back as well, whose states name no tiers."""

    def __init__(self, steps, back=False):
        self.steps = steps
        self.back = back

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        yield 1
        if self.back and state[0] > 0:
            yield -1

    def result(self, state, action):
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] >= self.steps

    def utility(self, state, player):
        return 1 if player == state[1] else -1


@pytest.mark.parametrize("back", [False, True])
def test_levels_that_are_looked_in_together_give_the_same_table(tmp_path, monkeypatch, back):
    from perfectplay.tablebase import level_solver, merged_levels

    game = Line(60, back)
    build_tablebase(game, tmp_path / "together", compile="never")
    monkeypatch.setattr(merged_levels, "SMALL", 0)
    monkeypatch.setattr(level_solver, "MANY_LEVELS", 1 << 20)
    build_tablebase(game, tmp_path / "alone", compile="never")
    assert bytes_of(tmp_path / "together") == bytes_of(tmp_path / "alone")
    monkeypatch.undo()
    assert verify(tmp_path / "together", game) == []
    with Tablebase(tmp_path / "together", game, compile="never") as table:
        assert len(table) == 61
        entry = table.probe(game.initial())
        assert (entry.outcome, entry.remoteness) == (("draw", None) if back else ("win", 60))


# Outcomes alone.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "dodgem", "connect-four:rows=3,cols=4,k=3"])
def test_a_table_of_outcomes_says_who_wins_and_no_more(tmp_path, name):
    game = load_game(name)
    build_tablebase(game, tmp_path / "values", compile="never")
    build_tablebase(game, tmp_path / "outcomes", compile="never", outcomes_only=True)
    assert verify(tmp_path / "outcomes") == []
    with (
        Tablebase(tmp_path / "values", compile="never") as values,
        Tablebase(tmp_path / "outcomes", compile="never") as outcomes,
    ):
        assert len(values) == len(outcomes)
        for level in values.levels():
            for row in level.rows[:50].tolist():
                state = values.encoding.unpack(row)
                one, other = values.probe(state), outcomes.probe(state)
                assert (other.outcome, other.remoteness) == (one.outcome, None)
                assert other.value == (one.value > 0) - (one.value < 0)
        counts = [statistics(tmp_path / kind) for kind in ("values", "outcomes")]
        assert counts[0].outcomes == counts[1].outcomes
        assert (counts[1].remoteness, counts[1].longest) == ({}, {})
        assert outcomes.exact == (name != "connect-four:rows=3,cols=4,k=3")
    build_tablebase(game, tmp_path / "outcomes", compile="never", outcomes_only=True)  # as it is


def test_outcomes_are_not_made_of_what_is_compressed_and_searches_want_values(tiny, tmp_path):
    compress(tiny)
    with pytest.raises(PerfectPlayError, match="is compressed with its values already: build another"):
        compress(tiny, outcomes=True)
    game = load_game("connect-four:rows=3,cols=3,k=3")
    build_tablebase(game, tmp_path / "c", compile="never", outcomes_only=True)
    with Tablebase(tmp_path / "c", compile="never") as table:
        with pytest.raises(PerfectPlayError, match="it has outcomes alone, and a search compares values"):
            Engine(game, tablebase=table, compile="never")
        assert table.best(game.initial())


def test_a_wrong_outcome_is_found(tmp_path, monkeypatch):
    from perfectplay.tablebase import compression

    monkeypatch.setattr(compression, "_sign", lambda value: 0)
    build_tablebase(load_game("tic-tac-toe"), tmp_path, compile="never", outcomes_only=True)
    assert "has a value that cannot be" in verify(tmp_path)[0] or "have a value" in verify(tmp_path)[0]


def test_progress_says_how_much_is_done_and_how_long_it_takes(tmp_path):
    seen = []
    build_tablebase(load_game("dodgem"), tmp_path, compile="never", report=seen.append)
    solved = [each for each in seen if each.phase == "solve"]
    assert solved[-1].share == 1.0
    assert solved[-1].left == 0.0
    assert all(one.done <= other.done for one, other in pairwise(solved))
    assert 0 < solved[len(solved) // 2].share < 1
    compress(tmp_path, report=seen.append)
    assert (seen[-1].phase, seen[-1].share) == ("compress", 1.0)


def test_compressing_twice_changes_nothing(tiny):
    compress(tiny)
    once = bytes_of(tiny)
    compress(tiny)
    assert bytes_of(tiny) == once


# States of more than one word.


@pytest.mark.slow
def test_states_of_several_words_are_kept_in_order_and_found(tmp_path):
    from wide_games import Wide

    game = Wide()
    build_tablebase(game, tmp_path / "plain", compile="never")
    build_tablebase(game, tmp_path / "fast", compile="always")
    assert bytes_of(tmp_path / "plain") == bytes_of(tmp_path / "fast")
    with Tablebase(tmp_path / "fast", game) as table:
        assert table.encoding.width > 1
        assert table.probe(game.initial()).outcome == "win"
    assert verify(tmp_path / "fast", game) == []
    compress(tmp_path / "fast")
    assert verify(tmp_path / "fast", game) == []
    with Tablebase(tmp_path / "plain", game) as one, Tablebase(tmp_path / "fast", game) as other:
        states = [one.encoding.unpack(row) for level in one.levels() for row in level.rows[:].tolist()]
        assert [*map(other.get, states)] == [*map(one.get, states)]
        assert None not in other.probe_many(states)
