"""Storing by rank: a finished tablebase without its states, for games that number theirs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadParameterError, BadTablebaseError, BrokenGameError
from perfectplay.game import Game, is_ranked
from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.file_names import ends_by_rank_file, sweep, values_by_rank_file
from perfectplay.tablebase.kernels import FAR, UNKNOWN
from perfectplay.tablebase.manifest import MOST_POSITIONS
from perfectplay.tablebase.ranks import Ranks
from perfectplay.tablebase.storage import (
    SUMS,
    Lock,
    nameless_array,
    read_manifest,
    write_arrays,
    write_manifest,
)
from perfectplay.tablebase.table import Tablebase

PART = 1 << 18  # positions whose ranks are asked for at a time
MEMORY = 2 << 30


def require_ranks(game: Game[Any, Any], *, symmetry: bool) -> None:
    """Refuse a game that does not number its states, or numbers representatives where all are kept."""
    name = type(game).__name__
    if not is_ranked(game):
        raise BadParameterError(
            f"{name} does not number its states: give the class rank(), unrank() and ranks(), or leave out "
            "by_rank."
        )
    if not symmetry and type(game).canonical is not Game.canonical:
        raise BadParameterError(
            f"{name} numbers representatives alone: a table by rank cannot have all positions; leave out "
            "by_rank, or keep symmetry."
        )


def store_by_rank(
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    memory: int = MEMORY,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Keep the values of a finished tablebase by the ranks of its states, and no states.

    It is for games that have `rank`, `unrank` and `ranks`, and where nearly every rank is that of a position.
    Nothing is lost before all of it is done.
    """
    directory = Path(path)
    read_manifest(directory)  # or else there is nothing to lock
    lock = Lock(directory)
    try:
        manifest = read_manifest(directory)
        if manifest.get("phase") != "done":
            raise BadTablebaseError(f"the tablebase in {str(directory)!r} is not finished: build it first.")
        if "by_rank" in manifest:
            return
        if any("blocks" in level for level in manifest["levels"]):
            raise BadTablebaseError(
                f"the tablebase in {str(directory)!r} is compressed with its states already: build another."
            )
        sweep(directory, manifest)
        (directory / SUMS).unlink(missing_ok=True)  # which would no longer be true
        with Tablebase(directory, game, compile="never") as table:
            require_ranks(table.game, symmetry=manifest["symmetry"])
            _Conversion(table, memory, report).run()
    finally:
        lock.release()


class _Conversion:
    """The tiers as they are written."""

    def __init__(self, table: Tablebase, memory: int, report: Callable[[Progress], None]) -> None:
        self.table = table
        self.manifest = table.manifest
        self.ranks = Ranks(table.game, table.encoding)
        self.memory = memory
        self.report = report
        self.done = 0
        self.began = monotonic()

    def run(self) -> None:
        """Write all tiers, and let the manifest name them."""
        manifest, known = self.manifest, self.manifest["levels"]
        groups = [[number] for number in range(len(known))] if manifest["tiers"] else [[*range(len(known))]]
        levels = []
        for number, group in enumerate(groups):
            first = known[group[0]]
            regular = len(group) == 1 and first["regular"]
            tier = first["tier"] if manifest["tiers"] else 0
            positions = sum(known[each]["positions"] for each in group)
            told = {"tier": tier, "regular": regular, "positions": positions}
            levels.append(told | self._written(number, tier, group, positions))
        example = manifest["description"]["example"]
        root = np.array([self.table.encoding.pack(self._root())], np.uint64)
        example["place"] = int(self.ranks.of_words(levels[0]["tier"], root)[0])
        manifest |= {"levels": levels, "by_rank": True}
        write_manifest(self.table.directory, manifest)
        sweep(self.table.directory, manifest)

    def _root(self) -> Any:
        table = self.table
        return table.game.canonical(table.start) if self.manifest["symmetry"] else table.start

    def _written(self, number: int, tier: int, group: Sequence[int], positions: int) -> dict[str, Any]:
        """Write the files of a tier; what the manifest should know of them."""
        count = self.table.game.ranks(tier)
        if not isinstance(count, int) or not positions <= count <= MOST_POSITIONS:
            raise self._broken(f"ranks({tier}) is {count!r}, and {positions:,} positions are in this tier")
        dtype = np.dtype(f"<u{self.manifest['value_bytes']}")
        nothing = UNKNOWN & (1 << 8 * dtype.itemsize) - 1
        values, ends = self._array(count, dtype, nothing), self._array(count, np.dtype("<u2"), FAR)
        for each in group:
            self._place(tier, each, values, ends)
        there = sum(int(np.count_nonzero(part != nothing)) for part in _parts(values))
        if there != positions:
            raise self._broken(f"rank() has one number for two states of tier {tier}")
        directory = self.table.directory
        return {
            "ranks": count,
            "values_by_rank": write_arrays(directory / values_by_rank_file(number), _parts(values)),
            "ends_by_rank": write_arrays(directory / ends_by_rank_file(number), _parts(ends)),
        }

    def _place(self, tier: int, number: int, values: NDArray[np.uint16], ends: NDArray[np.uint16]) -> None:
        """Put the positions of a level where their ranks are."""
        for words, some, until in self.table.levels()[number].parts(PART):
            ranks = self.ranks.of_words(tier, words)
            if (ranks < 0).any():
                state = self.table.encoding.unpack(words[int(np.argmin(ranks))].tolist())
                rank = self.table.game.rank(state)
                raise self._broken(f"rank() of {state!r} is {rank!r}, and unrank() does not lead back")
            values[ranks], ends[ranks] = some, until
            self.done += len(words)
            levels, seconds = len(self.manifest["levels"]), monotonic() - self.began
            self.report(Progress("rank", number, levels, self.done, self.manifest["positions"], seconds))

    def _array(self, count: int, dtype: np.dtype[Any], value: int) -> NDArray[Any]:
        """An array of so many, all the same, in memory or in a file without a name."""
        few = count * dtype.itemsize <= self.memory // 8
        array = np.empty(count, dtype) if few else nameless_array(count, dtype, self.table.directory)
        for part in _parts(array):
            part[:] = value
        return array

    def _broken(self, what: str) -> BrokenGameError:
        name = type(self.table.game).__name__
        return BrokenGameError(f"{name} does not number its states as it should: {what}.")


def _parts(array: NDArray[Any]) -> list[NDArray[Any]]:
    return [array[begin : begin + (1 << 22)] for begin in range(0, len(array), 1 << 22)]
