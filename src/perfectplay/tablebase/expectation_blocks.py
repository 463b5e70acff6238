"""Limits of values in blocks, each compressed on its own, so that any can be read alone.

A block has `rows` positions: what the key of each differs by from the one before; its lower limit, in units,
as it differs from the lowest of the block; and how many units the upper one is above it. Limits are rounded
outwards to a multiple of the unit, so that they stay true. Of each column all first bytes come together,
then all second bytes, and so on, and all of that is compressed by zstd. The index has where each block
begins, and the last one ends; and the first key and the lowest limit of each.
"""

from __future__ import annotations

from collections import OrderedDict
from math import frexp
from threading import Lock
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError, DamagedTablebaseError
from perfectplay.tablebase.blocks import inflated
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.storage import REMEDY

BLOCKS, INDEX = "blocks", "index"  # what the two files are called
ROWS = 1 << 11
MOST_ROWS = 1 << 16
STRENGTH = 12  # of zstd, from 1 to 19
FINENESS = 36  # binary digits of a value that are kept, where utilities are about 1
KEPT = 64  # blocks that are kept unpacked
MOST_UNITS = 1 << 62
Columns = tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]  # keys, lower, upper


def unit_for(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> float:
    """What limits are rounded to: a power of two."""
    largest = max(float(np.abs(lower).max()), float(np.abs(upper).max()))
    return float(2.0 ** (max(frexp(largest)[1] - 1, 0) - FINENESS))


def index_bytes(count: int, rows: int) -> int:
    """How large the index is."""
    return 8 * (3 * -(-count // rows) + 1)


def packed(
    keys: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any], unit: float
) -> tuple[dict[str, NDArray[np.uint8]], float]:
    """The blocks and their index, as they are in files; and the error of the limits that they have."""
    low, high = np.floor(lower / unit).astype(np.int64), np.ceil(upper / unit).astype(np.int64)
    compressor = zstandard.ZstdCompressor(level=STRENGTH)
    frames, offsets, firsts, lowest = [], [0], [], []
    for begin in range(0, len(keys), ROWS):
        at = slice(begin, begin + ROWS)
        least = int(low[at].min())
        steps = np.diff(keys[at], prepend=keys[begin])
        columns = steps, (low[at] - least).view(np.uint64), (high[at] - low[at]).view(np.uint64)
        frames.append(compressor.compress(b"".join(_planes(column) for column in columns)))
        offsets.append(offsets[-1] + len(frames[-1]))
        firsts.append(int(keys[begin]))
        lowest.append(least)
    index = [np.array(offsets, "<u8"), np.array(firsts, "<u8"), np.array(lowest, "<i8")]
    files = {BLOCKS: b"".join(frames), INDEX: b"".join(each.tobytes() for each in index)}
    error = float((high - low).max()) * unit / 2
    return {name: np.frombuffer(data, np.uint8) for name, data in files.items()}, error


def _planes(column: NDArray[np.uint64]) -> bytes:
    """All first bytes, then all second bytes, and so on."""
    return np.ascontiguousarray(column.astype("<u8").view(np.uint8).reshape(-1, 8).T).tobytes()


class Blocks:
    """The compressed positions of a table."""

    def __init__(self, files: dict[str, Checksums], count: int, rows: int, unit: float) -> None:
        self.count, self.rows, self.unit = count, rows, unit
        self.file = files[BLOCKS]
        files[INDEX].check()
        blocks = -(-count // rows)
        words = files[INDEX].data.view("<u8")
        self.offsets, self.firsts = words[: blocks + 1].astype(np.int64), words[blocks + 1 : 2 * blocks + 1]
        self.lowest = words[2 * blocks + 1 :].view("<i8")
        self.kept: OrderedDict[int, Columns] = OrderedDict()
        self.mutex = Lock()
        if (
            self.offsets[0] != 0
            or self.offsets[-1] != len(self.file.data)
            or not (np.diff(self.offsets) > 0).all()
            or not (self.firsts[:-1] < self.firsts[1:]).all()
        ):
            raise BadTablebaseError(f"{files[INDEX].name} is damaged, its blocks are not in order: {REMEDY}.")

    def limits(self, key: int) -> tuple[float, float] | None:
        """Between which limits the value is of the position with this key; None where there is none."""
        number = int(np.searchsorted(self.firsts, np.uint64(key), "right")) - 1
        if number < 0:
            return None
        keys, lower, upper = self.block(number)
        place = int(np.searchsorted(keys, np.uint64(key)))
        if place == len(keys) or int(keys[place]) != key:
            return None
        return float(lower[place]), float(upper[place])

    def block(self, number: int) -> Columns:
        """One block; those that were read lately are kept."""
        with self.mutex:
            if number in self.kept:
                self.kept.move_to_end(number)
                return self.kept[number]
        found = self._read(number)
        with self.mutex:
            self.kept[number] = found
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        return found

    def _read(self, number: int) -> Columns:
        size = min(self.rows, self.count - number * self.rows)
        begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
        self.file.check(begin, end)
        try:
            data = inflated(self.file.data[begin:end].data, 24 * size)
        except (ValueError, zstandard.ZstdError):
            raise DamagedTablebaseError(f"{self.file.name} is damaged in frame {number}: {REMEDY}.") from None
        planes = np.frombuffer(data, np.uint8).reshape(3, 8, size)
        steps, low, above = (np.ascontiguousarray(each.T).view("<u8").reshape(size) for each in planes)
        keys = np.cumsum(steps, dtype=np.uint64) + self.firsts[number]
        low = low.view("<i8") + self.lowest[number]
        return keys, low * self.unit, (low + above.view("<i8")) * self.unit

    def columns(self) -> Columns:
        """All of them."""
        blocks = [self._read(number) for number in range(len(self.firsts))]
        keys, lower, upper = (np.concatenate(each) for each in zip(*blocks, strict=True))
        return keys, lower, upper
