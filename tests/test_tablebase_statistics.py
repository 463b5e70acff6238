"""What is told of a tablebase: estimates before it is built, counts, plots and Parquet files after."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from perfectplay import Game, load_game
from perfectplay.errors import BadParameterError, BadTablebaseError, UnwritableError
from perfectplay.tablebase import (
    Tablebase,
    build_tablebase,
    compress,
    crowds,
    estimate,
    export,
    exporting,
    growth,
    statistics,
)
from perfectplay.tablebase import level_statistics as counting
from perfectplay.tablebase.crowds import Crowd
from perfectplay.tablebase.estimation import by_shape
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.forming import played
from perfectplay.tablebase.level_statistics import plotted
from perfectplay.tablebase.sampling import Drift, Particles
from perfectplay.tablebase.undoing import Undoing, UnsuitedError

SVG = "{http://www.w3.org/2000/svg}"


class Count(Game[Any, Any]):
    """Count to a number, one at a time: no game played at random is as long as this one can be."""

    def __init__(self, last: int = 2000) -> None:
        self.last = last

    def initial(self) -> Any:
        return 0

    def to_move(self, state: Any) -> Any:
        return state & 1

    def actions(self, state: Any) -> Any:
        return range(0 if state == self.last else 1)

    def result(self, state: Any, action: Any) -> Any:
        return state + 1

    def is_terminal(self, state: Any) -> Any:
        return state == self.last

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == 0 else -1


class Round(Count):
    """Three states in a circle: it never ends."""

    def actions(self, state: Any) -> Any:
        return range(1)

    def result(self, state: Any, action: Any) -> Any:
        return (state + 1) % 3

    def is_terminal(self, state: Any) -> Any:
        return False


class Wide(Count):
    """A game without end that grows twelvefold with every move."""

    def actions(self, state: Any) -> Any:
        return range(12)

    def result(self, state: Any, action: Any) -> Any:
        return (state * 12 + action + 1) % (1 << 62)

    def is_terminal(self, state: Any) -> Any:
        return False


class Account(NamedTuple):
    """A state with a float and a truth value in it."""

    money: float
    spent: bool
    turn: int


class Money(Game[Any, Any]):
    """Half a coin up, or spend: utilities are far beyond 64 bits."""

    def initial(self) -> Any:
        return Account(-0.5, False, 0)

    def to_move(self, state: Any) -> Any:
        return state.turn

    def actions(self, state: Any) -> Any:
        return range(0 if self.is_terminal(state) else 2)

    def result(self, state: Any, action: Any) -> Any:
        return Account(state.money + 0.5, state.spent or action == 1, 1 - state.turn)

    def is_terminal(self, state: Any) -> Any:
        return state.spent or state.money >= 2.0

    def utility(self, state: Any, player: int) -> Any:
        worth = 1e30 * state.money
        return worth if player == 0 else -worth


@pytest.fixture(scope="module")
def morris(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return build_tablebase(load_game("three-mens-morris"), tmp_path_factory.mktemp("tables") / "morris")


# Estimates.


@pytest.mark.slow
def test_an_exact_estimate_is_what_a_build_finds() -> None:
    found = estimate(load_game("kalah:pits=4,seeds=2"), seconds=60)
    assert (found.positions, found.exact, found.circles) == (303_327, True, True)


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [False, True])
def test_samples_tell_how_large_levels_are(symmetry: bool) -> None:
    expander = Expander(load_game("tic-tac-toe"), symmetry=symmetry, compile="never")
    drift = Drift(expander, played(expander.game, expander.first, symmetry=symmetry)[:300])
    totals = []
    for seed in range(3):
        particles, size, total = Particles(expander, 24, seed, drift), 1.0, 1.0
        while ratio := particles.step():
            size *= ratio
            total += size
        totals.append(total)
    known = 765 if symmetry else 5478
    assert 0.7 * known < np.mean(totals) < 1.4 * known, totals


def undoing_of(game: Game[Any, Any]) -> Undoing:
    expander = Expander(game, symmetry=False, compile="never", encoding=by_shape(game).encoding)
    shown = played(game, expander.first, symmetry=False)[:2000]
    return Undoing(expander, np.array([expander.encoding.pack(state) for state in shown], np.uint64))


def test_moves_that_are_taken_back_lead_to_all_predecessors() -> None:
    game = load_game("tic-tac-toe")
    undoing = undoing_of(game)
    pack = undoing.expander.encoding.pack
    level: list[Any] = [game.initial()]
    for _ in range(4):
        before: dict[Any, set[Any]] = {}
        for state in level:
            for action in game.actions(state) if not game.is_terminal(state) else ():
                before.setdefault(game.result(state, action), set()).add(pack(state))
        states = np.array([pack(state) for state in before], np.uint64)
        found, origins = undoing.predecessors(states, np.array(pack(level[0]), np.uint64))
        for number, known in enumerate(before.values()):
            assert known <= {tuple(row) for row in found[origins == number].tolist()}
        level = list(before)


@pytest.mark.slow
def test_crowds_count_small_levels_and_judge_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    undoing = undoing_of(load_game("tic-tac-toe"))

    def total(count: int, seed: int, *, thinned: bool = False) -> float:
        crowd, size, found = Crowd(count, seed, undoing), 1.0, 1.0
        while ratio := crowd.step():
            size *= ratio
            found += size
            if thinned:
                crowd.thin()
        assert crowd.count == (64 if thinned else count)
        return found

    assert total(24, 0) == pytest.approx(5478)
    monkeypatch.setattr(crowds, "WHOLE", 20)
    totals = [total(64, seed) for seed in range(3)]
    assert 0.8 * 5478 < np.mean(totals) < 1.25 * 5478, totals
    assert 0.7 * 5478 < total(256, 0, thinned=True) < 1.4 * 5478


def test_moves_are_not_taken_back_where_a_state_may_be_in_two_levels() -> None:
    with pytest.raises(UnsuitedError):
        undoing_of(load_game("nim"))


@pytest.mark.slow
def test_states_that_no_playout_shows_are_counted() -> None:
    found = estimate(Count(), seconds=60)
    assert (found.positions, found.levels, found.exact, found.circles) == (2001, 2001, True, False)


@pytest.mark.slow
def test_circles_are_seen_with_tiers_and_without() -> None:
    assert estimate(load_game("dodgem"), seconds=60).circles  # its moves stay in a tier
    assert estimate(Round()).circles
    assert not estimate(load_game("tic-tac-toe"), seconds=60).circles


@pytest.mark.slow
def test_an_estimate_takes_no_longer_than_it_may_and_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "PLAYOUTS", 3)
    found = estimate(Wide(), seconds=0.001)
    assert not found.exact
    assert 10**30 <= found.positions < 10**33


# Counts.


def test_a_game_that_never_ends_is_counted_and_drawn(tmp_path: Any) -> None:
    found = statistics(build_tablebase(Round(), tmp_path), Round())
    assert found.outcomes == {"MAX wins": 0, "MIN wins": 0, "tie": 0, "draw": 3, "win": 0, "loss": 0}
    assert (found.remoteness, found.longest) == ({}, {})
    ET.fromstring(plotted(found, "round"))


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
def test_the_counts_are_those_of_all_positions_one_by_one(
    morris: Any, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    monkeypatch.setattr(counting, "MANY", 0 if compiled else 10**9)
    found = statistics(morris)
    wins: Counter[str] = Counter()
    ends: Counter[tuple[int, str]] = Counter()
    with Tablebase(morris, compile="never") as table:
        game = table.game
        for level in table.levels():
            for row in level.rows[:].tolist():
                state = table.encoding.unpack(row)
                entry = table.probe(state)
                winner = "MAX wins" if (game.to_move(state) == 0) == (entry.outcome == "win") else "MIN wins"
                for name in (entry.outcome, *([winner] if entry.value else [])):
                    wins[name] += 1
                    if entry.remoteness is not None:
                        ends[entry.remoteness, name] += 1
        assert found.longest["MAX wins"][0] == table.probe(found.longest["MAX wins"][1]).remoteness
    assert found.outcomes == {name: wins[name] for name in found.outcomes}
    assert {(end, name): n for end, row in found.remoteness.items() for name, n in row.items()} == ends
    told = found.to_dict()
    assert told["for_player_to_move"]["outcomes"] == {"win": wins["win"], "loss": wins["loss"]}
    assert sum(told["outcomes"].values()) == sum(sum(level.values()) for level in told["levels"]) == 744


@pytest.mark.slow
def test_a_compressed_table_has_the_same_counts(tmp_path: Any) -> None:
    build_tablebase(load_game("nim:heaps=3+4"), tmp_path)
    before = statistics(tmp_path)
    compress(tmp_path)
    assert statistics(tmp_path).to_dict() == before.to_dict()


@pytest.mark.slow
def test_the_game_need_not_be_known(tmp_path: Any) -> None:
    build_tablebase(Count(6), tmp_path)
    found = statistics(tmp_path)
    assert found.longest == {"MAX wins": (6, (0,))}
    assert "for_player_to_move" not in found.to_dict()
    (tmp_path / "level-0002.ends").unlink()
    with pytest.raises(BadTablebaseError, match=r"is damaged, level-0002\.ends (has|cannot)"):
        statistics(tmp_path)


def test_a_plot_has_a_bar_for_every_level_and_every_remoteness(morris: Any) -> None:
    found = statistics(morris)
    picture = ET.fromstring(plotted(found, "a < b"))
    assert picture.find(f"{SVG}title").text == "a < b"  # type: ignore[union-attr]
    levels, ends = picture.findall(f"{SVG}g")
    kinds = ("MAX wins", "MIN wins", "tie", "draw")
    for panel, counts in ((levels, found.levels), (ends, found.remoteness.values())):
        assert len(panel.findall(f"{SVG}rect")) == sum(kind in each for each in counts for kind in kinds)
    assert any("draw: 188" in (text.text or "") for text in picture.iter(f"{SVG}text"))


# Parquet.


@pytest.mark.slow
def test_floats_truth_values_and_great_values_are_exported_as_they_are(tmp_path: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    build_tablebase(Money(), tmp_path / "table")
    with Tablebase(tmp_path / "table", Money()) as table:
        export(table, tmp_path / "money.parquet")
        rows = parquet.read_table(tmp_path / "money.parquet").to_pylist()
        assert len(rows) == len(table) == 11
        for row in rows:
            state = Account(row["state_money"], row["state_spent"], row["state_turn"])
            entry = table.probe(state)
            assert type(row["state_spent"]) is bool
            assert row["value"] == (entry.value if state.turn == 0 else -entry.value)
            assert row["remoteness"] == entry.remoteness
        assert {row["state_money"] for row in rows} == {-0.5, 0.0, 0.5, 1.0, 1.5, 2.0}


def test_a_draw_is_exported_with_a_remoteness_of_minus_one(morris: Any, tmp_path: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with Tablebase(morris, compile="never") as table:
        export(table, tmp_path / "m.parquet")
        rows = parquet.read_table(tmp_path / "m.parquet").to_pylist()
        drawn = [row["remoteness"] for row in rows if row["outcome"] == "draw"]
        assert drawn == [-1] * statistics(morris).outcomes["draw"]
        assert all(row["remoteness"] >= 0 for row in rows if row["outcome"] != "draw")


def test_positions_are_exported_in_words_or_without(tmp_path: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    game = load_game("connect-four:rows=2,cols=3,k=2")
    build_tablebase(game, tmp_path / "table", compile="never")
    with Tablebase(tmp_path / "table", compile="never") as table:
        export(table, tmp_path / "words.parquet")
        export(table, tmp_path / "numbers.parquet", words=False)
        rows = parquet.read_table(tmp_path / "words.parquet").to_pylist()
        words = ("to_move", "board", "best_moves")
        plain = parquet.read_table(tmp_path / "numbers.parquet").to_pylist()
        assert plain == [{name: row[name] for name in row if name not in words} for row in rows]
        for row in rows:
            state = tuple(row[f"state_{number}"] for number in range(4))
            over = game.is_terminal(state)
            assert row["board"] == game.render(state)
            assert row["to_move"] == ("MAX", "MIN")[game.to_move(state)]
            assert row["best_moves"] == ([] if over else [game.action_name(a) for a in table.best(state)])
        assert rows[0]["board"] == ". . .\n. . .\n1 2 3"
        assert rows[0]["best_moves"] == ["1", "2", "3"]


def test_small_blocks_are_gathered_into_row_groups(
    morris: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(exporting, "PART_OF_WORDS", 100)
    with Tablebase(morris, compile="never") as table:
        export(table, tmp_path / "m.parquet")
        file = parquet.ParquetFile(tmp_path / "m.parquet")
        sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        file.close()
        assert sizes == [1, 3, 12, 38, 100, 8, 100, 74, 100, 100, 100, 100, 8]
        level = table.levels()[-1]
        parts = [tuple(array[at : at + 30] for array in next(level.parts(1000))) for at in range(0, 408, 30)]
        monkeypatch.setattr(type(level), "parts", lambda self, size: iter(parts))
        assert [len(rows) for rows, *_ in exporting._gathered(level, 100)] == [90, 90, 90, 90, 48]


def test_an_interrupted_export_leaves_what_was_there(morris: Any, tmp_path: Any) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "m.parquet"
    file.write_text("before")

    def stop(progress: Any) -> None:
        raise KeyboardInterrupt

    with Tablebase(morris, compile="never") as table:
        with pytest.raises(KeyboardInterrupt):
            export(table, file, report=stop)
        assert [path.name for path in tmp_path.iterdir()] == ["m.parquet"]
        assert file.read_text() == "before"
        with pytest.raises(UnwritableError, match=r"cannot write .*nowhere.* No such file"):
            export(table, tmp_path / "nowhere" / "m.parquet")
        with pytest.raises(UnwritableError, match="it is no file"):
            export(table, tmp_path)


def test_without_pyarrow_it_is_said_how_to_get_it(
    morris: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with (
        Tablebase(morris, compile="never") as table,
        pytest.raises(BadParameterError, match=r'pip install "perfectplay\[parquet\]"'),
    ):
        export(table, tmp_path / "m.parquet")
