"""A tablebase read by its format alone: examples/read_tablebase.py knows nothing of perfectplay."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from hostile_tables import Ring, Wider
from perfectplay import MAX, load_game
from perfectplay.game import same_side
from perfectplay.tablebase import Tablebase, build_tablebase, compress

READER = Path(__file__).parent.parent / "examples" / "read_tablebase.py"
GAMES = {
    "numbers": load_game("nim:heaps=2+3"),
    "symmetry": load_game("hexapawn"),
    "tiers": load_game("kalah:pits=2,seeds=2"),
    "circles": Ring(),
    "words": load_game("figure-5.2"),
    "two words": Wider(),
}


def reader():
    spec = importlib.util.spec_from_file_location("read_tablebase", READER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reader_imports_nothing_of_ours():
    program = f"import runpy, sys; sys.argv = ['x']; runpy.run_path({str(READER)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert not {name.partition(".")[0] for name in done.stdout.split()} & {
        "perfectplay",
        "numpy",
        "zstandard",
    }


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "compressed"])
@pytest.mark.parametrize("kind", GAMES)
def test_every_position_is_read_as_it_is_stored(kind, packed, tmp_path):
    game = GAMES[kind]
    build_tablebase(game, tmp_path, compile="never")
    if packed:
        compress(tmp_path)
    table, count = reader().Table(tmp_path), 0
    turn = table.manifest["description"]["to_move"].get("even")
    with Tablebase(tmp_path, game, compile="never") as ours:
        for number in range(len(table.manifest["levels"])):
            for packed_state in table.level(number)[0]:
                leaves = table.unpack(packed_state)
                assert table.pack(leaves) == packed_state
                state = ours.form.state(leaves)
                entry, mover = ours.probe(state), 0 if same_side(game.to_move(state), MAX) else 1
                value, remoteness = table.probe(packed_state)
                assert remoteness == entry.remoteness
                assert value == (
                    None if entry.outcome == "draw" else entry.value if mover == 0 else -entry.value
                )
                if turn is not None and not game.is_terminal(state):
                    assert leaves[turn] & 1 == mover
                count += 1
        assert count == len(ours)
    assert table.probe((1 << 8 * table.size) - 1) is None


def test_a_game_that_packs_its_states_is_read_by_what_the_format_says_of_it(tmp_path):
    game = load_game("connect-four:rows=2,cols=3,k=3,score=outcome")
    build_tablebase(game, tmp_path, compile="never", symmetry=False)
    table, columns = reader().Table(tmp_path), reader().connect_four
    with Tablebase(tmp_path, game, compile="never") as ours:
        for moves in ([], ["1"], ["1", "1", "3"], ["2", "2", "1", "3"]):
            state, cells = game.initial(), ["", "", ""]
            for number, move in enumerate(moves):
                state = game.result(state, game.parse_action(state, move))
                cells[int(move) - 1] += "XO"[number % 2]
            entry = ours.probe(state)
            value, remoteness = table.probe(columns(cells, "XO"[len(moves) % 2], 2))
            assert (value, remoteness) == (entry.value * (-1) ** len(moves), entry.remoteness)


def test_what_is_damaged_is_refused(tmp_path):
    build_tablebase(GAMES["numbers"], tmp_path, compile="never")
    file = tmp_path / "level-0001.values"
    file.write_bytes(bytes(len(file.read_bytes())))
    with pytest.raises(AssertionError, match="values of level 1 is damaged"):
        reader().Table(tmp_path).level(1)
    text = (tmp_path / "manifest.json").read_text()
    (tmp_path / "manifest.json").write_text(text.replace("nim", "nom"))
    with pytest.raises(AssertionError, match="the manifest is damaged"):
        reader().Table(tmp_path)
