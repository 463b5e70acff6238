"""Ranked levels: the positions of a tier by their ranks, without states: what is not there is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.blocks import Blocks
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.file_names import FILES
from perfectplay.tablebase.kernels import UNKNOWN
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.ranks import Places, Ranks
from perfectplay.tablebase.row_files import mapped
from perfectplay.tablebase.rows import Rows, Words, in_memory
from perfectplay.tablebase.unverified import unverified

FULL = (1 << 64) - 1
AT_ONCE = 1 << 18  # positions that are looked at together


class RankedRows(Rows):
    """The states of a tier, made of their ranks when they are wanted; without rules, the ranks alone."""

    def __init__(self, ranks: Ranks | None, tier: int, count: int) -> None:
        super().__init__(np.empty(0, np.uint8), 8 if ranks is None else ranks.encoding.row_bytes)
        self.ranks = ranks
        self.tier = tier
        self.count = count

    def __getitem__(self, at: slice) -> Words:
        """The words of the states of some ranks."""
        return self.take(np.arange(*at.indices(self.count)))

    def take(self, places: Places) -> Words:
        """The words of the states of these ranks."""
        if self.ranks is None:
            return places.astype(np.uint64).reshape(-1, 1)
        return self.ranks.words(self.tier, places)


@dataclass
class RankedLevel(Level):
    """One tier: for every rank a value (by number) and a remoteness, or a mark that no position has it."""

    directory: Path = Path()

    @property
    def by_rank(self) -> RankedRows:
        """Its rows as what they are."""
        assert isinstance(self.rows, RankedRows)
        return self.rows

    def _rank_of(self, words: Words) -> Places:
        rows = self.by_rank
        assert rows.ranks is not None
        return rows.ranks.of_words(rows.tier, words)

    def find(self, words: Words) -> tuple[int, int]:
        """The value, by number, and the remoteness of one position; -1 if it is not there."""
        rank = self.place_of(words[0].tolist())
        if rank < 0:
            return -1, 0
        if self.blocks is None:
            assert self.values is not None
            self._check("values", self.values.dtype.itemsize, rank, rank + 1)
            self._check("ends", 2, rank, rank + 1)
        value, end = self.worth_at(rank)
        return (-1, 0) if value == self._nothing else (value, end)

    @property
    def _nothing(self) -> int:
        """What stands in the place of a value where no position has the rank."""
        size = self.values.dtype.itemsize if self.blocks is None and self.values is not None else 0
        return UNKNOWN & (1 << 8 * (size or self._blocks.value_bytes)) - 1

    @property
    def _blocks(self) -> Blocks:
        assert self.blocks is not None
        return self.blocks

    def place_of(self, words: Sequence[int]) -> int:
        """The rank of a position; -1 if it has none."""
        return int(self._rank_of(np.array([words], np.uint64))[0])

    def places(self, words: Words, *, compiled: bool) -> Places:
        """The rank of each of these positions, or -1 where it is not there."""
        assert self.values is not None
        ranks = self._rank_of(words)
        there = ranks >= 0
        there[there] = self.values[ranks[there]] != self._nothing
        return np.where(there, ranks, -1)

    def there(self) -> NDArray[np.bool_]:
        """Which ranks are those of positions; it is not compressed."""
        assert self.values is not None
        found: NDArray[np.bool_] = np.asarray(self.values) != self._nothing
        return found

    def by_ranks(self, size: int) -> Iterator[tuple[NDArray[Any], NDArray[np.uint16]]]:
        """The values and the remoteness of all ranks, some at a time, if they are what was written."""
        if self.blocks is not None:
            for number in range(len(self.blocks.firsts)):
                yield self.blocks.block(number)[1:]
            return
        assert self.values is not None
        assert self.ends is not None
        for begin in range(0, len(self.rows), size):
            at = slice(begin, min(begin + size, len(self.rows)))
            self._check("values", self.values.dtype.itemsize, at.start, at.stop)
            self._check("ends", 2, at.start, at.stop)
            yield self.values[at], self.ends[at]

    def parts(self, size: int) -> Iterator[tuple[Words, NDArray[Any], NDArray[np.uint16]]]:
        """The rows, values and remoteness of all positions, some at a time."""
        begin, nothing, ranks = 0, self._nothing, self.by_rank.ranks
        for values, ends in self.by_ranks(size):
            there = np.flatnonzero(values != nothing)
            if len(there):
                with unverified(self.directory, lambda: ranks and ranks.asked):
                    words = self.rows.take(begin + there)
                yield words, values[there], ends[there]
            begin += len(values)

    def unpacked(self, make: Callable[..., NDArray[Any]] = np.empty) -> RankedLevel:
        """The same level with its arrays as `make` makes them, if it is compressed."""
        if self.blocks is None:
            return self
        _, values, ends = self.blocks.block(0)
        whole = [make(len(self.rows), array.dtype) for array in (values, ends)]
        place = 0
        for some in self.by_ranks(0):
            for array, part in zip(whole, some, strict=True):
                array[place : place + len(part)] = part
            place += len(some[0])
        return RankedLevel(
            self.number, self.rows, self.some, self.all, whole[0], whole[1], directory=self.directory
        )

    def with_states(self) -> Level:
        """The same positions in order of their packed states, in memory, as a search wants them."""
        parts = [*zip(*self.unpacked().parts(AT_ONCE), strict=True)]
        words, values, ends = (np.concatenate(arrays) for arrays in parts)
        order = np.lexsort(words.T)
        words = words[order]
        some, every = (
            tuple(map(int, reduced(words, axis=0)))
            for reduced in (np.bitwise_or.reduce, np.bitwise_and.reduce)
        )
        rows = in_memory(words, self.rows.row_bytes)
        return Level(self.number, rows, some, every, values[order], ends[order])


def open_ranked(directory: Path, manifest: dict[str, Any], number: int, ranks: Ranks | None) -> RankedLevel:
    """A tier of a tablebase by rank, its files mapped into memory."""
    known = manifest["levels"][number]
    rows = RankedRows(ranks, known["tier"], known["ranks"])
    level = RankedLevel(number, rows, (FULL,) * rows.width, (0,) * rows.width, directory=directory)
    if "blocks" in known:
        level.blocks = Blocks(directory, manifest, number)
        return level
    kinds = {"values": np.dtype(f"<u{manifest['value_bytes']}"), "ends": np.dtype("<u2")}
    for name, dtype in kinds.items():
        kind = f"{name}_by_rank"
        array = mapped(directory / FILES[kind](number), dtype)
        setattr(level, name, array)
        level.checksums[name] = Checksums(
            FILES[kind](number), array, manifest["block"], known[kind]["checksums"]
        )
    return level
