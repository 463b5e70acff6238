"""Tables of games with chance: published figures, limits that hold, files that were damaged, and refusals."""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import cache
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from hashed_games import DicedWithin
from perfectplay import CHANCE, MAX, Engine, Game
from perfectplay.cli import main
from perfectplay.errors import (
    BadParameterError,
    BadTablebaseError,
    BrokenGameError,
    EndlessGameError,
    GameOverError,
    UnknownStateError,
)
from perfectplay.games import BearOff, Pig
from perfectplay.games.pig import HOLD, ROLL
from perfectplay.play import find_player
from perfectplay.tablebase import ExpectationTable, build_tablebase, compress, verify
from perfectplay.tablebase.expectation_files import MANIFEST
from perfectplay.tablebase.storage import REMEDY, manifest_bytes
from perfectplay.textbook import Counted


@pytest.fixture(scope="module")
def pig(tmp_path_factory: Any) -> Path:
    return build_tablebase(Pig(goal=20), tmp_path_factory.mktemp("pig") / "20")


def share(table: ExpectationTable, state: Any) -> float:
    """How often MAX wins, where a win is worth 1 and a loss -1."""
    return (table.probe(state).value + 1) / 2


def test_pig_has_the_published_figures(pig: Path, tmp_path: Path) -> None:
    assert round(share(ExpectationTable(pig), Pig(goal=20).initial()), 7) == 0.6155585
    ten = ExpectationTable(build_tablebase(Pig(goal=10), tmp_path / "10"), Pig(goal=10))
    assert round(share(ten, Pig(goal=10).initial()), 7) == 0.7094243
    assert ten.error < 1e-9


@pytest.mark.slow
def test_pig_to_100_has_the_published_figure(tmp_path: Path) -> None:
    game = Pig()
    table = ExpectationTable(build_tablebase(game, tmp_path / "100"), game)
    assert round(share(table, game.initial()), 7) == 0.5305927


@pytest.mark.slow
def test_the_bear_off_is_solved_without_an_error(tmp_path: Path) -> None:
    game = BearOff()
    table = ExpectationTable(build_tablebase(game, tmp_path / "off", compile="never"), game)
    assert round(share(table, game.initial()), 4) == 0.6711
    assert table.error < 1e-12
    assert verify(tmp_path / "off", game) == []


@pytest.mark.slow
def test_two_players_who_hold_at_20_have_the_published_figure(tmp_path: Path) -> None:
    class HoldAt20(Pig):
        def actions(self, state: Any) -> Any:
            for action in super().actions(state):
                if (action == HOLD) == (state[2] >= 20 or state[state[3]] + state[2] >= self.goal):
                    yield action

    game = HoldAt20()
    table = ExpectationTable(build_tablebase(game, tmp_path / "20"), game)
    assert round(share(table, game.initial()), 4) == 0.5347


@pytest.mark.slow
def test_limits_hold_the_values_of_random_games_compiled_or_not(tmp_path: Path) -> None:
    class Seeded(DicedWithin):
        def __init__(self, seed: int) -> None:
            super().__init__(layers=5)
            object.__setattr__(self, "seed", seed)

        def initial(self) -> Any:
            return self.seed, 0, self.seed % 4

    for seed in range(40):
        game = Seeded(seed)
        if game.is_terminal(game.initial()):
            continue
        mode = "always" if seed < 2 else "never"
        table = ExpectationTable(build_tablebase(game, tmp_path / str(seed), compile=mode), game)
        value = Engine(game, compile="never", table_mb=1).solve(game.initial()).value
        assert table.probe(game.initial()).value == pytest.approx(value, abs=1e-9)


def test_every_value_follows_from_its_successors_and_the_best_action_is_worth_it(pig: Path) -> None:
    game = Pig(goal=20)
    table = ExpectationTable(pig, game)
    for state in product((0, 7, 15), (3, 18), (0, 4), (0, 1), (0,)):
        moves = table.explain(state)
        assert moves[0].value == pytest.approx(table.probe(state).value, abs=1e-9)
        assert moves[0].best
        rolled = game.result(state, ROLL)
        if ROLL in game.actions(state):
            average = sum(each.value / 6 for each in table.explain(rolled))
            assert average == pytest.approx(table.probe(rolled).value, abs=1e-9)  # to MAX
            assert table.best(rolled) == []


def test_it_plays(pig: Path) -> None:
    game = Pig(goal=20)
    player = find_player(f"tablebase:{pig}")
    assert player.choose(Counted(game), (0, 0, 19, 0, 0)) in (ROLL, HOLD)
    assert player.choose(Counted(game), (0, 0, 0, 0, 0)) == ROLL
    assert player.account().startswith("average 0.23")


def test_what_is_not_in_it_and_what_is_over_is_said(pig: Path) -> None:
    table = ExpectationTable(pig, Pig(goal=20))
    assert (99, 0, 0, 0, 0) not in table
    with pytest.raises(UnknownStateError, match="is not in the tablebase of pig:goal=20: no game"):
        table.probe((99, 0, 0, 0, 0))
    with pytest.raises(GameOverError):
        table.explain((20, 3, 0, 1, 0))
    with pytest.raises(BadTablebaseError, match="of another game, or of other rules"):
        ExpectationTable(pig, Pig(goal=21))


def resealed(path: Path, **changes: Any) -> None:
    """Have a manifest say something else, with files and checksum as they would be then."""
    manifest = json.loads((path / MANIFEST).read_text())
    for name, known in manifest["files"].items():
        known["checksums"] = [crc32((path / f"expectations.{name}").read_bytes())]
    (path / MANIFEST).write_bytes(manifest_bytes(manifest | changes))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return build_tablebase(Pig(goal=5), tmp_path / "5", compile="never")


def test_what_was_changed_is_found_and_no_probe_answers_by_it(small: Path) -> None:
    game = Pig(goal=5)
    assert verify(small, game) == []
    right = ExpectationTable(small, game).probe(game.initial())
    for name in ("keys", "lower", "upper"):
        file = small / f"expectations.{name}"
        data = bytearray(file.read_bytes())
        for at in (0, len(data) // 2, len(data) - 1):
            data[at] ^= 4
            file.write_bytes(data)
            damaged = f"expectations.{name} is damaged in block 0: {REMEDY}."
            assert verify(small, game) == [damaged]
            with pytest.raises(BadTablebaseError, match="is damaged in block 0"):
                ExpectationTable(small, game).probe(game.initial())
            data[at] ^= 4
        file.write_bytes(data)
    assert ExpectationTable(small, game).probe(game.initial()) == right


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"positions": 7}, "files.keys has .* bytes, and 56 by its positions"),
        ({"positions": 1.5}, "positions is 1.5, and is a whole number"),
        ({"positions": True}, "positions is True, and is a whole number"),
        ({"error": -1}, "error is -1, and is not below 0"),
        ({"error": 10**17}, "error is 1000.*, and whole numbers beyond"),
        ({"error": "0"}, "error is '0', and is a number"),
        ({"format": "x"}, "its format is 'x', version 2"),
        ({"files": {}}, "files has no keys"),
        ({"files": {"keys": [], "lower": {}, "upper": {}}}, "files.keys is a list, and is an object"),
        ({"start": "../x"}, "start is '../x'"),
        ({"game": 7}, "its game is 7"),
        ({"more": 7}, "it has 'more', which means nothing here"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused(small: Path, change: Any, what: str) -> None:
    resealed(small, **change)
    (fault,) = verify(small, Pig(goal=5))
    assert re.search(rf"is no table of a game with chance: {what}", fault)


def test_a_manifest_that_is_no_file_or_of_no_end_is_refused(small: Path, capsys: Any) -> None:
    manifest = small / MANIFEST
    text = manifest.read_bytes()
    twice = text.replace(b'"game"', b'"game": 1,\n "game"')
    for odd in (b"[" * 100_000, twice, text[:-9], b"7" * 100_000, text + b" "):
        manifest.write_bytes(odd)
        (fault,) = verify(small, Pig(goal=5))
        assert "is no table of a game with chance" in fault
    manifest.write_text(json.dumps({"format": "perfectplay expectations", "version": 1}))
    assert "holds a table of format 1" in verify(small, Pig(goal=5))[0]
    manifest.unlink()
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir):
        make(manifest)
        assert main(["tablebase", "probe", str(small)]) == 2
        assert "there is no tablebase in" in capsys.readouterr().err
        manifest.rmdir() if manifest.is_dir() and not manifest.is_symlink() else manifest.unlink()


def test_files_that_are_links_or_holes_are_refused(small: Path) -> None:
    keys = small / "expectations.keys"
    elsewhere = keys.rename(small / "elsewhere")
    keys.symlink_to(elsewhere)
    assert verify(small, Pig(goal=5)) == [f"expectations.keys is no plain file: {REMEDY}."]
    keys.unlink()
    with open(keys, "wb") as file:
        file.truncate(1 << 40)
    assert "expectations.keys has 1,099,511,627,776 bytes" in verify(small, Pig(goal=5))[0]


def test_limits_that_say_nothing_or_something_else_are_found(small: Path) -> None:
    game = Pig(goal=5)
    lower, upper = (np.fromfile(small / f"expectations.{name}", "<f8") for name in ("lower", "upper"))
    (upper + 10).tofile(small / "expectations.upper")
    (lower - 10).tofile(small / "expectations.lower")
    resealed(small, error=11)  # the limits hold all values, and tell nothing
    assert verify(small, game) == ["its error is 11, and a build leaves 5e-11 at most."]
    resealed(small, error=1e-12)
    assert "further apart than the error of 1e-12 allows" in verify(small, game)[0]
    (upper + 0.001).tofile(small / "expectations.upper")
    (upper + 0.001).tofile(small / "expectations.lower")
    resealed(small, error=0)
    assert "have limits that do not hold their value" in verify(small, game)[0]
    (lower * np.nan).tofile(small / "expectations.lower")
    resealed(small)
    assert "further apart than the error of" in verify(small, game)[0]
    with pytest.raises(BadTablebaseError, match="are none"):
        ExpectationTable(small, game).probe(game.initial())


def test_positions_that_are_not_those_of_the_game_are_found(small: Path) -> None:
    game = Pig(goal=5)
    keys = np.fromfile(small / "expectations.keys", "<u8")
    keys[[3, 4]] = keys[[4, 3]]
    keys.tofile(small / "expectations.keys")
    resealed(small)
    assert verify(small, game) == ["the keys are not in order, or some are there twice."]
    keys.sort()
    keys[-1] += 1
    keys.tofile(small / "expectations.keys")
    resealed(small)
    assert verify(small, game) == ["its positions are not those that the game comes to."]
    resealed(small, start=f"{5:016x}")
    assert "it begins at another state than the game" in verify(small, game)[0]


def test_a_table_that_was_closed_says_so(small: Path) -> None:
    with ExpectationTable(small, Pig(goal=5)) as table:
        pass
    with pytest.raises(BadTablebaseError, match="was closed: open it again"):
        table.probe(Pig(goal=5).initial())


class StoppedError(Exception):
    """Raised in the middle of a build."""


def files_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def stop_after(solved: int) -> Any:
    """A report that ends a build after so many tiers."""
    told: list[str] = []

    def report(progress: Any) -> None:
        told.append(progress.phase)
        if told.count("solve") > solved:
            raise StoppedError

    return report


@pytest.mark.parametrize("compile", ["always", "never"])
def test_a_build_that_was_stopped_goes_on_to_the_same_bytes(
    tmp_path: Path,
    monkeypatch: Any,
    compile: str,  # noqa: A002
) -> None:
    game = Pig(goal=5)
    whole = files_of(build_tablebase(game, tmp_path / "whole", compile=compile))
    monkeypatch.setattr("perfectplay.tablebase.build_state.PAUSE", -1)  # everything is kept at once
    path = tmp_path / "stopped"
    for solved in (1, 1, 2):
        with pytest.raises(StoppedError):
            build_tablebase(game, path, compile=compile, report=stop_after(solved))
    assert verify(path, game) == [f"the tablebase in {str(path)!r} is not finished: build it first."]
    phases: list[str] = []
    build_tablebase(game, path, compile=compile, report=lambda progress: phases.append(progress.phase))
    assert 0 < phases.count("solve") < 6  # of 9 tiers
    assert files_of(path) == whole


def test_what_is_kept_of_a_build_and_was_damaged_is_as_good_as_nothing(
    tmp_path: Path, monkeypatch: Any
) -> None:
    game = Pig(goal=5)
    whole = files_of(build_tablebase(game, tmp_path / "whole", compile="never"))
    monkeypatch.setattr("perfectplay.tablebase.build_state.PAUSE", -1)
    path = tmp_path / "stopped"
    with pytest.raises(StoppedError):
        build_tablebase(game, path, compile="never", report=stop_after(2))
    kept = files_of(path)
    targets = np.frombuffer(kept["expectations.unfinished-targets"], "<i8") + 10**6
    known = json.loads(kept["expectations.unfinished"])
    known["files"]["targets"]["checksum"] = blake2b(targets.tobytes(), digest_size=16).hexdigest()
    damages = [
        {"expectations.unfinished": b"{}"},
        {"expectations.unfinished-kinds": b"x" + kept["expectations.unfinished-kinds"][1:]},
        {  # whose checksum is right
            "expectations.unfinished-targets": targets.tobytes(),
            "expectations.unfinished": json.dumps(known).encode(),
        },
    ]
    for damage in damages:
        for name, data in (kept | damage).items():
            (path / name).write_bytes(data)
        build_tablebase(game, path, compile="never")
        assert files_of(path) == whole


def test_a_compressed_table_says_the_same_but_for_its_error(pig: Path, tmp_path: Path) -> None:
    game, plain = Pig(goal=20), ExpectationTable(pig)
    path = tmp_path / "20"
    shutil.copytree(pig, path)
    compress(path)
    compress(path)  # which changes nothing
    table = ExpectationTable(path, game)
    assert table.is_compressed
    assert sum(file.stat().st_size for file in path.iterdir()) < 12 * len(
        table
    )  # from 24; its keys are digests
    assert plain.error < table.error < 1e-10
    for key, lower, upper in zip(*plain.columns(), strict=True):
        low, high = table.blocks.limits(int(key))
        assert low <= lower <= upper <= high
        assert high - low <= 2 * table.error
    assert (99, 0, 0, 0, 0) not in table
    assert table.best(game.initial()) == [ROLL]
    assert verify(path, game) == []
    with pytest.raises(BadParameterError, match="averages, and no outcomes to keep"):
        compress(path, outcomes=True)


def test_a_compressed_table_that_was_damaged_is_found(small: Path) -> None:
    game, lower = Pig(goal=5), small / "expectations.lower"
    data = lower.read_bytes()
    lower.write_bytes(b"\0" * len(data))
    with pytest.raises(BadTablebaseError, match=r"expectations\.lower is damaged"):
        compress(small)
    lower.write_bytes(data)
    compress(small)
    for name in ("blocks", "index"):
        file = small / f"expectations.{name}"
        right = file.read_bytes()
        file.write_bytes(bytes([right[0] ^ 1]) + right[1:])
        assert verify(small, game) == [f"expectations.{name} is damaged in block 0: {REMEDY}."]
        resealed(small)  # now the checksums are right
        with pytest.raises(BadTablebaseError, match=r"is damaged in frame 0|its blocks are not in order"):
            ExpectationTable(small, game).columns()
        file.write_bytes(right)
        resealed(small)
    for change, what in (
        ({"rows": 0}, "rows is 0"),
        ({"rows": 1}, "files.index has .* by its positions"),
        ({"unit": 0}, "unit is 0, and is above 0"),
    ):
        manifest = (small / MANIFEST).read_bytes()
        resealed(small, **change)
        assert re.search(what, verify(small, game)[0])
        (small / MANIFEST).write_bytes(manifest)
    assert verify(small, game) == []


def test_a_directory_with_another_table_is_left_alone(pig: Path) -> None:
    before = files_of(pig)
    with pytest.raises(BadTablebaseError, match="holds a tablebase of pig:goal=20, or of other rules"):
        build_tablebase(Pig(goal=21), pig)
    assert files_of(pig) == before


def test_what_cannot_be_built_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameterError, match="a game with chance is solved here, as it is"):
        build_tablebase(Pig(), tmp_path / "a", outcomes_only=True)
    with pytest.raises(BadParameterError, match="give more memory than 100,000 bytes"):
        build_tablebase(Pig(), tmp_path / "b", memory=100_000)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "mine.txt").write_text("")
    with pytest.raises(BadTablebaseError, match=r"holds other files, 'mine\.txt' for one"):
        build_tablebase(Pig(goal=5), tmp_path / "c")


class Endless(Game[int, int]):
    """MAX may wait for ever for a coin that MIN lets fall."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return CHANCE if state == 1 else MAX

    def actions(self, state: int) -> list[int]:
        return [0, 1]

    def chances(self, state: int) -> list[tuple[int, float]]:
        return [(2, 0.5), (3, 0.5)]

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state > 1

    def utility(self, state: int, player: int) -> int:
        return (2 * state - 5) * (1 if player == MAX else -1)


class OneKey(Endless):
    def key(self, state: int) -> int:
        return 0


def test_a_game_that_never_ends_has_no_values(tmp_path: Path) -> None:
    with pytest.raises(EndlessGameError, match="can go on for ever"):
        build_tablebase(Endless(), tmp_path / "a")
    with pytest.raises(BrokenGameError, match="two positions have one key"):
        build_tablebase(OneKey(), tmp_path / "b")


def test_the_command_line_builds_probes_and_verifies(tmp_path: Path, capsys: Any) -> None:
    where = str(tmp_path / "pig")

    @cache
    def told(*words: str) -> str:
        assert main(["tablebase", *words]) == 0
        return str(capsys.readouterr().out)

    built = told("build", "pig:goal=10", where)
    assert "0.418848645" in built
    assert "with an error below " in built
    probed = told("probe", where, "--moves", "roll", "4")
    assert "MAX to move: average, value 0.586169" in probed
    assert "* roll" in probed
    assert "All is well" in told("verify", where)
