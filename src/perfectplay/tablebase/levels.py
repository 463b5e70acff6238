"""Level: the positions of one level of a tablebase, in its files, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import DamagedTablebaseError
from perfectplay.tablebase.blocks import Blocks
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.compiled_kernels import arithmetic
from perfectplay.tablebase.kernels import DRAW
from perfectplay.tablebase.manifest import padding
from perfectplay.tablebase.rows import (
    Rows,
    Words,
    differ,
    number_at,
    place_after,
    place_before,
    places_before,
    stored,
)
from perfectplay.tablebase.storage import REMEDY

OUT_OF_ORDER = f"the positions of level {{}} are not in order: {REMEDY}."
PREFIXES = 16  # bits of the table that shortens the search in a level
FINE = 20  # the same, for whoever looks up all positions of another level


@dataclass
class Level:
    """One level: sorted rows, and for each a value (by number) and a remoteness; or all of it in blocks."""

    number: int
    rows: Rows
    some: tuple[int, ...]  # the bits, word by word, that some row has
    all: tuple[int, ...]  # and those that all rows have
    values: NDArray[np.uint16] | None = None
    ends: NDArray[np.uint16] | None = None
    blocks: Blocks | None = None  # where it is compressed: the arrays are empty then
    checksums: dict[str, Checksums] = field(default_factory=dict)  # of its files, as the manifest calls them
    _starts: NDArray[np.int64] | None = None
    _shift: int = 0
    _fine: tuple[NDArray[np.int64], int] | None = None

    def may_have(self, words: Words) -> NDArray[np.bool_]:
        """Which of these positions can be in it, by the bits that all or none of its rows have."""
        fits = np.ones(len(words), np.bool_)
        if not len(words) or not self._fits_some(words):
            return ~fits
        for column, (some, every) in enumerate(zip(self.some, self.all, strict=True)):
            word = words[:, column]
            fits &= (word & ~np.uint64(some)) == 0
            fits &= (~word & np.uint64(every)) == 0
        return fits

    def _fits_some(self, words: Words) -> bool:
        """A first look: has every one of them a bit that no row has, or lacks one that all have?"""
        for column, (some, every) in enumerate(zip(self.some, self.all, strict=True)):
            word = words[:, column]
            if int(np.bitwise_and.reduce(word)) & ~some or every & ~int(np.bitwise_or.reduce(word)):
                return False
        return True

    def find(self, words: Words) -> tuple[int, int]:
        """The value, by number, and the remoteness of one position; -1 if it is not there."""
        if self.blocks is not None:
            return self.blocks.find(words)
        rows, wanted = self.rows, number_at(words, 0)
        place = int(places_before(rows, words)[0])
        there = place < len(rows) and number_at(rows, place) == wanted
        first, last = (place, place + 1) if there else (max(place - 1, 0), min(place + 1, len(rows)))
        self._check("states", rows.row_bytes, first, last)
        if not there:
            below = place == 0 or number_at(rows, place - 1) < wanted
            if not below or (place < len(rows) and number_at(rows, place) < wanted):
                raise DamagedTablebaseError(OUT_OF_ORDER.format(self.number))
            return -1, 0
        assert self.values is not None
        assert self.ends is not None
        self._check("values", self.values.dtype.itemsize, first, last)
        self._check("ends", 2, first, last)
        return int(self.values[place]), int(self.ends[place])

    def _check(self, kind: str, size: int, first: int, last: int) -> None:
        """Refuse positions that are not what was written."""
        if kind in self.checksums:
            self.checksums[kind].check(size * first, size * last)

    def fault(self) -> str:
        """What a look-up has found wrong with it: a block, or that positions are not in order."""
        found = [fault for each in self.checksums.values() for fault in each.faults()]
        return found[0] if found else ""

    def place_of(self, words: Sequence[int]) -> int:
        """Where a position is among those of the level, which is solved and has it."""
        rows, wanted = self.rows, sum(word << 64 * number for number, word in enumerate(words))
        if self.blocks is not None:
            number = max(place_after(self.blocks.firsts, wanted) - 1, 0)
            return int(number * self.blocks.rows_each) + place_before(self.blocks.block(number)[0], wanted)
        return int(places_before(rows, np.array([words], np.uint64))[0])

    def worth_at(self, place: int) -> tuple[int, int]:
        """The value, by number, and the remoteness of the position at a place."""
        if self.blocks is not None:
            number, within = divmod(place, self.blocks.rows_each)
            _, values, ends = self.blocks.block(number)
            return int(values[within]), int(ends[within])
        assert self.values is not None
        assert self.ends is not None
        return int(self.values[place]), int(self.ends[place])

    def worth(self, places: NDArray[np.int64]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
        """The values, by number, and the remoteness of the positions at these places."""
        assert self.values is not None
        assert self.ends is not None
        values = self.values[places].astype(np.uint16)
        if self.values.dtype.itemsize == 1:
            values[values >= DRAW & 0xFF] |= 0xFF00
        return values, self.ends[places]

    def parts(self, size: int) -> Iterator[tuple[Words, NDArray[Any], NDArray[np.uint16]]]:
        """The rows, values and remoteness of all positions, some at a time, if they are what was written."""
        if self.blocks is not None:
            yield from map(self.blocks.block, range(len(self.blocks.firsts)))
        else:
            assert self.values is not None
            assert self.ends is not None
            for begin in range(0, len(self.rows), size):
                at = slice(begin, min(begin + size, len(self.rows)))
                self._check("states", self.rows.row_bytes, at.start, at.stop)
                self._check("values", self.values.dtype.itemsize, at.start, at.stop)
                self._check("ends", 2, at.start, at.stop)
                yield self.rows[at], self.values[at], self.ends[at]

    def unpacked(self, make: Callable[..., NDArray[Any]] = np.empty) -> Level:
        """The same level with its arrays as `make` makes them, if it is compressed."""
        if self.blocks is None:
            return self
        blocks = self.blocks
        count, (_, values, ends) = blocks.count, blocks.block(0)
        data = make(count * blocks.row_bytes + padding(blocks.row_bytes), np.dtype(np.uint8))
        data[count * blocks.row_bytes :] = 0
        whole = [make(count, array.dtype) for array in (values, ends)]
        place = 0
        for words, *worth in self.parts(0):
            after = place + len(words)
            data[place * blocks.row_bytes : after * blocks.row_bytes] = stored(words, blocks.row_bytes)
            for array, some in zip(whole, worth, strict=True):
                array[place:after] = some
            place = after
        return Level(self.number, Rows(data, blocks.row_bytes), self.some, self.all, whole[0], whole[1])

    def with_states(self) -> Level:
        """The same level with its states, as a search wants it: it has them."""
        return self

    def places(self, words: Words, *, compiled: bool) -> NDArray[np.int64]:
        """Where each of these positions is in it, or -1."""
        rows = self.rows
        if compiled:
            found = np.empty(len(words), np.int64)
            starts, shift = self._fine_index()
            wanted = np.ascontiguousarray(words).reshape(-1)
            known = (rows.data, len(rows), rows.row_bytes, rows.width, rows.top, starts, shift)
            arithmetic(compiled=True).find(*known, wanted, found)
            return found
        near = np.minimum(places_before(rows, words), len(rows) - 1)
        return np.where(differ(rows.take(near), words), -1, near)

    def _fine_index(self) -> tuple[NDArray[np.int64], int]:
        """The same as `index`, for as many look-ups as there are positions: with few rows for each prefix."""
        if self._fine is None:
            rows = self.rows
            base, last = (int(rows[place : place + 1][0, -1]) for place in (0, len(rows) - 1))
            bits = min(max(len(rows).bit_length() - 3, 1), FINE)
            shift = max((last - base).bit_length() - bits, 0)
            starts = np.empty((last - base >> shift) + 2, np.int64)
            known = (rows.data, len(rows), rows.row_bytes, rows.width, rows.top)
            arithmetic(compiled=True).begin_prefixes(*known, shift, starts)
            self._fine = starts, shift
        return self._fine

    def forget_index(self) -> None:
        """Give back the memory of that: it is made again where it is wanted."""
        self._fine = None

    def index(self) -> tuple[NDArray[np.int64], int]:
        """Where the rows of each prefix of the last word begin, counted from the first row."""
        if self._starts is None:
            rows = self.rows
            base, last = (int(rows[place : place + 1][0, -1]) for place in (0, len(rows) - 1))
            prefixes_bits = min(PREFIXES, len(rows).bit_length() + 1)  # of a small level, few
            self._shift = max((last - base).bit_length() - prefixes_bits, 0)
            prefixes = np.arange((last - base >> self._shift) + 1, dtype=np.uint64) << np.uint64(self._shift)
            words = np.zeros((len(prefixes), rows.width), np.uint64)
            words[:, -1] = prefixes + np.uint64(base)
            self._starts = np.append(places_before(rows, words), len(rows)).astype(np.int64)
        return self._starts, self._shift
