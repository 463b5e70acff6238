"""perfectplay tablebase: build, ask, verify, count, compress and export."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from perfectplay.tablebase import Tablebase

GAME = "connect-four:rows=3,cols=4,k=3"


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
    assert "a position" in cli("compress", tmp_path).stdout
    assert cli("probe", tmp_path, "--json").stdout == cli("probe", directory, "--json").stdout


def test_positions_are_exported_to_parquet(directory, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert "is ready" in cli("export", directory, "--parquet", tmp_path / "c4.parquet").stdout
    table = parquet.read_table(tmp_path / "c4.parquet")
    with Tablebase(directory) as solved:
        assert table.num_rows == len(solved)
        columns = [name for name in table.column_names if name.startswith("state_")]
        for row in table.slice(0, 200).to_pylist():
            state = tuple(row[name] for name in columns)
            entry = solved.probe((*state[:3], bool(state[3])))
            assert entry.remoteness == row["remoteness"]
            assert abs(entry.value) == abs(row["value"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "tic-tac-toe", "{}", "--memory", "lots"], "'lots' is no size"),
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
