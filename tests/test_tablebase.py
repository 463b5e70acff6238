"""A tablebase is right: its values are minimax, its draws are draws, and its bytes are always the same."""

from __future__ import annotations

import functools
import hashlib
import operator
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from graph_games import Graph, Tiered, naive_solution, random_graph
from perfectplay import MAX, Game, PerfectPlayError, load_game
from perfectplay.games import Dodgem
from perfectplay.tablebase import (
    Entry,
    Tablebase,
    build_state,
    build_tablebase,
    discovery,
    level_solver,
    retrograde,
    solution,
)
from perfectplay.tablebase.storage import read_manifest
from perfectplay.textbook import minimax


def bytes_of(directory: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.iterdir())
        if path.name != "lock"
    }


def built(game: Game, directory: Path, **options) -> Tablebase:
    build_tablebase(game, directory, **options)
    return Tablebase(directory, game, compile=options.get("compile", "auto"))


# Against minimax, and against the definition.

SMALL = [
    "tic-tac-toe",
    "connect-four:rows=4,cols=4,k=3",
    "connect-four:rows=3,cols=4,k=3,score=outcome",
    "connect-four:rows=3,cols=3,k=3,score=course",
    "kalah:pits=3,seeds=2",
    "nim:heaps=3+4+5",
    "hexapawn:rows=3,cols=3",
    "domineering:rows=4,cols=4",
    "dots-and-boxes:rows=1,cols=2",
    "breakthrough:rows=4,cols=2",
    "mnk:m=3,n=2,k=3",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_value_is_the_minimax_value(name, tmp_path):
    game = load_game(name)
    table = {}
    minimax(game, game.initial(), table)
    with built(game, tmp_path) as solved:
        for state, entry in table.items():
            sign = 1 if game.to_move(state) == MAX else -1
            assert solved.probe(state).value == sign * entry.value


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Graph, Tiered])
@pytest.mark.parametrize("circles", [False, True])
def test_values_outcomes_and_remoteness_are_those_of_the_definition(kind, circles, tmp_path):
    for seed in range(20):
        game = random_graph(seed, circles=circles, kind=kind, values=seed % 3 + 1)
        with built(game, tmp_path / str(seed), compile="never") as solved:
            truth = naive_solution(game)
            assert len(solved) == len(truth)
            for state, (value, ends, far) in truth.items():
                sign = 1 if game.to_move(state) == MAX else -1
                outcome = (
                    ["loss", "tie", "win"][(sign * value > 0) - (sign * value < 0) + 1] if ends else "draw"
                )
                assert solved._slow(state) == Entry(sign * value, outcome, far if ends else None), (
                    seed,
                    state,
                )


# The same bytes, however it is built.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah:pits=2,seeds=2", "nim:heaps=2+3", "hexapawn"])
def test_interpreted_and_compiled_rules_give_the_same_bytes(name, tmp_path):
    game = load_game(name)
    build_tablebase(game, tmp_path / "compiled", compile="always")
    build_tablebase(game, tmp_path / "plain", compile="never")
    assert bytes_of(tmp_path / "compiled") == bytes_of(tmp_path / "plain")


@pytest.fixture(scope="module")
def four_by_four(tmp_path_factory):
    """Connect Four on 4x4, all positions, built without limits."""
    directory = tmp_path_factory.mktemp("tables") / "c4"
    build_tablebase(load_game("connect-four:rows=4,cols=4"), directory, symmetry=False, workers=2)
    return directory


def test_one_worker_and_many_give_the_same_bytes(four_by_four, tmp_path):
    build_tablebase(load_game("connect-four:rows=4,cols=4"), tmp_path, symmetry=False, workers=1)
    assert bytes_of(tmp_path) == bytes_of(four_by_four)


@pytest.mark.slow
def test_little_memory_gives_the_same_bytes(four_by_four, tmp_path, monkeypatch):
    monkeypatch.setattr(build_state, "LEAST", 1 << 16)
    monkeypatch.setattr(solution, "PIECE", 5000)
    spilled = []
    original = discovery.Discovery.spill
    monkeypatch.setattr(discovery.Discovery, "spill", lambda self: (spilled.append(1), original(self)))
    build_tablebase(load_game("connect-four:rows=4,cols=4"), tmp_path, symmetry=False, memory=1)
    assert len(spilled) > 5
    assert bytes_of(tmp_path) == bytes_of(four_by_four)


class Untiered(Dodgem):
    """The same game, without saying what its tiers are."""

    tier = Game.tier


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Dodgem, Untiered])
def test_a_game_in_circles_gives_the_same_bytes_in_every_way(kind, tmp_path, monkeypatch):
    """In plain Python by one worker, and compiled by three in little memory, with much of it in files."""
    game = kind(3)
    build_tablebase(game, tmp_path / "one", compile="never", workers=1)
    monkeypatch.setattr(build_state, "LEAST", 1 << 11)
    monkeypatch.setattr(retrograde, "SWEPT", 50)
    spilled = []
    original = retrograde.Retrograde._spill
    monkeypatch.setattr(retrograde.Retrograde, "_spill", lambda self: (spilled.append(1), original(self)))
    build_tablebase(game, tmp_path / "two", compile="always", workers=3, memory=1)
    assert spilled
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


class HighTiers(Tiered):
    """Its first tier is not 0, and the last ones are below 0."""

    def tier(self, state):
        return state // 5 - 3


@pytest.mark.slow
@pytest.mark.parametrize("offset", [False, True])
def test_tables_of_tiers_may_begin_anywhere(offset, tmp_path):
    """At a later state, to which the game can come back, or in a tier that is not the first by its number."""
    for seed in range(30):
        game = random_graph(seed, circles=True, kind=HighTiers if offset else Tiered)
        truth = naive_solution(game)
        start = 0 if offset else sorted(truth)[len(truth) // 3]
        build_tablebase(game, tmp_path / str(seed), start=start, compile="never")
        with Tablebase(tmp_path / str(seed), game, compile="never") as solved:
            reached = [state for state in truth if state in solved]
            assert len(reached) == len(solved)
            for state in reached:
                value, ends, far = truth[state]
                sign = 1 if game.to_move(state) == MAX else -1
                entry = solved.probe(state)
                assert (entry.value, entry.remoteness) == (sign * value, far if ends else None), (seed, state)


@pytest.mark.parametrize("kind", [Graph, Tiered])
def test_a_position_without_actions_is_no_draw(kind, tmp_path):
    stuck = kind((0, 2, 3, 3, 3), (1, 3, 0), (0, 1, 0, 2), (0, 0, 0, 1))
    stuck.targets = (1, 2, 0)
    with pytest.raises(PerfectPlayError, match="has no actions and is not terminal"):
        build_tablebase(stuck, tmp_path, compile="never")


def test_a_game_that_can_be_drawn_out_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(level_solver, "FAR", 20)  # as if that were the last number that a file can hold
    last = 30
    starts, targets = (*range(last + 1), last), tuple(range(1, last + 1))
    game = Graph(starts, targets, (0,) * last + (2,), (0,) * last + (1,))
    with pytest.raises(PerfectPlayError, match="last 20 plies or more"):
        build_tablebase(game, tmp_path, compile="never")


MEASURED = """if True:
    import re, sys
    from perfectplay import load_game
    from perfectplay.tablebase import build_tablebase
    build_tablebase(load_game(sys.argv[1]), sys.argv[2], symmetry=False, memory=int(sys.argv[3]) << 20)
    status = open("/proc/self/status").read()  # resource's maximum includes that of the parent
    print(re.search(r"VmHWM:\\s*(\\d+) kB", status)[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize(
    ("name", "positions", "megabytes"),
    [("connect-four:rows=4,cols=5", 3_945_711, 320), ("{}:Round:size=1200007", 1_200_007, 400)],
)
def test_memory_is_kept(name, positions, megabytes, tmp_path):
    """Of levels one after the other, and of levels that are solved together, with 115 MB of successors."""
    here = Path(__file__).parent / "round_game.py"
    peaks = []
    for directory in (tmp_path / "first", tmp_path / "second"):  # the first one may have to compile
        command = [sys.executable, "-c", MEASURED, name.format(here), str(directory), str(megabytes)]
        peaks.append(int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) << 10)
    assert peaks[1] <= megabytes << 20  # it takes 360 and 637 MB where there is no limit
    assert read_manifest(tmp_path / "second")["positions"] == positions


# Counts that others published.


@pytest.mark.parametrize(
    ("name", "symmetry", "positions"),
    [
        ("tic-tac-toe", False, 5478),
        ("tic-tac-toe", True, 765),
        ("connect-four:rows=4,cols=4", False, 161_029),
    ],
)
def test_as_many_positions_as_are_known(name, symmetry, positions, tmp_path):
    with built(load_game(name), tmp_path, symmetry=symmetry) as solved:
        assert len(solved) == positions


def test_with_and_without_symmetry_the_values_are_the_same(four_by_four, tmp_path):
    game = load_game("connect-four:rows=4,cols=4")
    with built(game, tmp_path) as small, Tablebase(four_by_four) as whole:
        assert len(small) < len(whole)
        for match in playouts(game, 300):
            for state in match:
                assert small.probe(state) == whole.probe(state)


def playouts(game: Game, count: int):
    random = Random(7)
    for _ in range(count):
        states = [game.initial()]
        while not game.is_terminal(states[-1]):
            states.append(game.result(states[-1], random.choice(list(game.actions(states[-1])))))
        yield states


def test_nim_is_lost_where_the_heaps_cancel_out(tmp_path):
    game = load_game("nim:heaps=3+4+5")
    with built(game, tmp_path) as solved:
        for states in playouts(game, 100):
            for state in states:
                sizes = {}
                for action in game.actions(state):  # a3 takes three of heap a
                    name = game.action_name(action)
                    sizes[name[0]] = max(sizes.get(name[0], 0), int(name[1:]))
                lost = functools.reduce(operator.xor, sizes.values(), 0) == 0
                assert solved.probe(state).outcome == ("loss" if lost else "win")


# Asking.


def test_a_state_that_no_game_comes_to_is_refused_or_defaulted(four_by_four):
    with Tablebase(four_by_four) as solved:
        stranger = (1 << 40, 1 << 41, 3, False)
        with pytest.raises(PerfectPlayError, match="no game comes there"):
            solved.probe(stranger)
        assert solved.get(stranger) is None
        assert solved.get(stranger, Entry(0, "tie", 0)) == Entry(0, "tie", 0)
        assert stranger not in solved
        assert solved.game.initial() in solved


def test_compiled_and_plain_probes_agree(four_by_four):
    with Tablebase(four_by_four) as fast, Tablebase(four_by_four, compile="never") as slow:
        states = [state for states in playouts(fast.game, 40) for state in states]
        assert [fast.probe(state) for state in states] == [slow.probe(state) for state in states]
        assert fast.probe_many(states) == slow.probe_many(states) == [fast.probe(state) for state in states]
        rows = np.array([[*map(int, state)] for state in states])
        values, ends = fast.probe_arrays(rows)
        assert values.tolist() == [fast.probe(state).value for state in states]
        assert ends.tolist() == [fast.probe(state).remoteness for state in states]
        rows[0, 0] = 1 << 50
        assert np.isnan(fast.probe_arrays(rows)[0][0])


def test_the_line_is_a_perfect_game_of_the_length_that_was_said(four_by_four):
    with Tablebase(four_by_four) as solved:
        for states in playouts(solved.game, 30):
            for state in states[:-1]:
                line = solved.line(state)
                assert len(line) == solved.probe(state).remoteness
                assert line[0] in solved.best(state)


def test_every_action_is_explained_and_all_the_best_are_marked(four_by_four):
    with Tablebase(four_by_four) as solved:
        game = solved.game
        for states in playouts(game, 30):
            for state in states[:-1]:
                entry, explained = solved.probe(state), solved.explain(state)
                assert {each.action for each in explained} == set(game.actions(state))
                assert explained[0].best
                assert all(
                    (each.value, each.remoteness) == (entry.value, entry.remoteness)
                    for each in explained
                    if each.best
                )


def test_threads_may_share_a_table(four_by_four):
    with Tablebase(four_by_four) as solved:
        states = [state for states in playouts(solved.game, 60) for state in states]
        wanted = [solved.probe(state) for state in states]
        with ThreadPoolExecutor(4) as pool:
            for answers in pool.map(lambda _: [solved.probe(state) for state in states], range(8)):
                assert answers == wanted


def test_processes_after_a_fork_may_share_a_table(four_by_four):
    program = (
        "import os, sys; from perfectplay.tablebase import Tablebase; table = Tablebase(sys.argv[1]); "
        "start = table.game.initial(); before = table.probe(start); child = os.fork(); "
        "same = table.probe(start) == before; "
        "os._exit(not same) if child == 0 else sys.exit(not same or os.waitpid(child, 0)[1])"
    )
    assert subprocess.run([sys.executable, "-c", program, str(four_by_four)], check=False).returncode == 0
