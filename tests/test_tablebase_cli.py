"""perfectplay tablebase: build, ask, verify, count, compress and export."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from awaited import Command, until
from perfectplay.cli import main
from perfectplay.commands import progress_line
from perfectplay.commands.progress_line import ProgressLine
from perfectplay.commands.quantities import time_said
from perfectplay.tablebase import Tablebase
from perfectplay.tablebase.build_state import Progress

pytestmark = pytest.mark.slow

GAME = "connect-four:rows=3,cols=4,k=3"
NIM = f"{Path(__file__).parent.parent / 'examples' / 'my_nim.py'}:Nim"


def cli(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "perfectplay", "tablebase", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables") / "c4"
    done = cli("build", GAME, place, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["game"] == f"{GAME},score=distance"
    assert report["positions"] == len(Tablebase(place, compile="never"))
    return place


def test_building_again_finds_it_built(directory):
    assert "positions" in cli("build", GAME, directory).stdout


def test_an_estimate_counts_small_games_and_guesses_large_ones():
    small = json.loads(cli("estimate", "tic-tac-toe", "--json").stdout)
    assert (small["positions"], small["exact"]) == (765, True)
    large = json.loads(cli("estimate", "connect-four", "--seconds", "0.5", "--json").stdout)
    assert not large["exact"]
    assert large["positions"] > 10**9, "it has 4,531,985,219,092 without symmetry"


def test_an_estimate_never_takes_no_time():
    told = cli("estimate", "tic-tac-toe").stdout
    assert "a few seconds" in told, told
    assert "765 positions, which is all" in told


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "less than a second"),
        (3.0, "a few seconds"),
        (45.0, "about 45 seconds"),
        (3e3, "about 50 minutes"),
        (1e6, "about 12 days"),
        (1e11, "about 3,200 years"),
    ],
)
def test_times_are_said_as_one_would(seconds, words):
    assert time_said(seconds) == words


def test_a_table_of_the_end_of_a_game_is_told_from_where_it_begins(tmp_path):
    assert cli("build", GAME, tmp_path, "--moves", "1", "2", "--no-compile").returncode == 0
    done = cli("probe", tmp_path)
    assert "This tablebase does not begin where the game does" in done.stderr
    assert "X O . .\n1 2 3 4\n\nMAX to move: " in done.stdout
    assert cli("probe", tmp_path, "--moves", "1", "2").stdout == done.stdout
    assert "is not in the tablebase" in cli("probe", tmp_path, "--moves", "4").stderr


def test_a_build_that_is_stopped_goes_on(tmp_path):
    words = ["build", "connect-four:rows=5,cols=4", str(tmp_path / "c4"), "--no-compile"]  # for minutes
    build = Command(tmp_path, "tablebase", *words)
    until(lambda: (tmp_path / "c4" / "manifest.json").exists() or build.process.poll() is not None)
    assert build.interrupted()[1] == "perfectplay: stopped; run it again, and it goes on where it was.\n"


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables") / "nim"
    assert cli("build", NIM, place).returncode == 0
    return place


def test_a_game_of_your_own_is_asked_for_where_it_is_needed(nim, tmp_path):
    for words in (["probe", nim], ["verify", nim], ["export", nim, "--parquet", tmp_path / "nim.parquet"]):
        done = cli(*words)
        assert done.stderr == (
            "perfectplay: this is a tablebase of Nim(heaps=(3, 4, 5)), a game of your own: "
            "give it with --game FILE.py:CLASS.\n"
        )
        assert done.returncode == 2
    assert "MAX to move: win" in cli("probe", nim, "--game", NIM).stdout
    assert "All is well" in cli("verify", nim, "--game", NIM, "--sample", "9" * 400).stdout
    without, given = cli("stats", nim), cli("stats", nim, "--game", NIM)
    assert "With --game FILE.py:CLASS" in without.stdout
    assert "Win and loss are those of the player to move." in given.stdout


def test_a_directory_that_cannot_be_written_is_named(nim, tmp_path, monkeypatch, capsys):
    for file in nim.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "level-0000.blocks.part").mkdir()  # where the first file is to be written
    done = cli("compress", tmp_path)
    assert done.stderr.startswith(f"perfectplay: cannot write '{tmp_path}/level-0000.blocks.part': Is a dir")
    assert done.returncode == 2
    (tmp_path / "level-0000.blocks.part").rmdir()
    monkeypatch.setattr("perfectplay.tablebase.compress", _full)
    assert main(["tablebase", "compress", str(tmp_path)]) == 2
    assert f"cannot write '{tmp_path}': No space left on device" in capsys.readouterr().err


def _full(*arguments, **options):
    raise OSError(28, "No space left on device")


def test_progress_is_told_by_what_is_known(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(progress_line, "monotonic", lambda: clock[0])
    line = ProgressLine()
    assert line.text() == "beginning"
    line.note(Progress("discover", 3, 4, 5_000, 9_000, 1.0))  # a build that goes on
    assert line.text() == "discover: level 3, 5,000 positions"
    clock[0] += 2
    line.note(Progress("discover", 4, 5, 9_000, 20_000, 3.0))
    assert line.text() == "discover: level 4, 9,000 positions, 2,000 a second"
    line.note(Progress("verify", 0, 5, 0, 100, 0.0))
    assert line.text() == "verify: level 0 of 5, 0 of 100 (0%) positions"
    clock[0] += 1
    line.note(Progress("verify", 2, 5, 4, 100, 0.0))
    assert line.text() == (
        "verify: level 2 of 5, 4 of 100 (4%) positions, 4 a second, about 24 seconds to go"
    )


def test_a_position_is_told_with_all_its_moves(directory):
    told = json.loads(cli("probe", directory, "--moves", "1", "2", "--json").stdout)
    assert {move["action"] for move in told["moves"]} == {"1", "2", "3", "4"}
    best = [move for move in told["moves"] if move["best"]]
    assert best[0]["value"] == told["value"]
    assert "MAX to move: " in cli("probe", directory, "--moves", "1", "2").stdout


def test_a_table_is_verified_and_damage_is_exit_code_2(directory, tmp_path):
    assert "All is well" in cli("verify", directory, "--sample", "500").stdout
    for file in directory.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    file = tmp_path / "level-0004.values"
    file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    done = cli("verify", tmp_path)
    assert done.returncode == 2
    assert "level-0004.values is damaged in block 0" in done.stdout
    assert "is not right" in done.stderr


def test_positions_are_counted_and_drawn(directory, tmp_path):
    found = json.loads(cli("stats", directory, "--json").stdout)
    assert sum(found["outcomes"].values()) == found["positions"]
    assert sum(sum(counts.values()) for counts in found["remoteness"].values()) == found["positions"]
    done = cli("stats", directory, "--plot", tmp_path / "plot.svg")
    assert "The longest 'MAX wins'" in done.stdout
    ET.parse(tmp_path / "plot.svg")


def test_a_table_is_compressed_where_it_is(directory, tmp_path):
    for file in directory.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    told = json.loads(cli("compress", tmp_path, "--json").stdout)
    assert 0 < told["bytes"] < told["before"]
    assert told["bytes_a_position"] == round(told["bytes"] / told["positions"], 3)
    assert "a position" in cli("compress", tmp_path).stdout
    assert cli("probe", tmp_path, "--json").stdout == cli("probe", directory, "--json").stdout


def test_positions_are_exported_to_parquet(directory, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert "is ready" in cli("export", directory, "--parquet", tmp_path / "c4.parquet").stdout
    told = json.loads(cli("export", directory, "--parquet", tmp_path / "c4.parquet", "--json").stdout)
    table = parquet.read_table(tmp_path / "c4.parquet")
    assert (told["positions"], told["bytes"]) == (table.num_rows, (tmp_path / "c4.parquet").stat().st_size)
    with Tablebase(directory) as solved:
        assert table.num_rows == len(solved)
        columns = [name for name in table.column_names if name.startswith("state_")]
        for row in table.slice(0, 200).to_pylist():
            state = tuple(row[name] for name in columns)
            entry = solved.probe(state)
            assert entry.remoteness == row["remoteness"]
            assert abs(entry.value) == abs(row["value"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "tic-tac-toe", "{}", "--memory", "lots"], "'lots' is no size"),
        (["build", "tic-tac-toe", "{}", "--memory", "9" * 400], "99...' is no size: give a number of bytes"),
        (["build", "tic-tac-toe", "{}", "--memory", "0.1"], "'0.1' is no size"),
        (["stats", "{}", "--plot", "plot.png"], "cannot draw into 'plot.png': the plot is SVG"),
        (["stats", "{}", "--game", "tic-tac-toe"], "is of another game"),
        (["stats", "/nowhere"], "there is no tablebase in '/nowhere'"),
        (["compress", "/nowhere"], "there is no tablebase in '/nowhere'"),
        (["verify", "/nowhere"], "'/nowhere' is not right: 1 thing is wrong with it."),
        (["build", "tic-tac-toe", "{}"], "holds a tablebase of another game"),
        (["build", "tic-tac-toe", "/proc/nowhere"], "cannot write"),
        (["probe", "/nowhere"], "there is no tablebase in '/nowhere'"),
        (["probe", "{}", "--moves", "9"], "illegal move '9'"),
        (["probe", "{}", "--game", "tic-tac-toe"], "is of another game"),
        (["export", "{}", "--parquet", "/nowhere/x.parquet"], "cannot write"),
        ([], "the following arguments are required"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(directory, words, sentence):
    done = cli(*(word.format(directory) for word in words))
    assert sentence in done.stderr
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
