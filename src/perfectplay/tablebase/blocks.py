"""Blocks: the positions of a level, each block of them compressed on its own, so that any can be read alone.

A block has so many positions at most: what each differs by from the one before, its value and its
remoteness; of these all first bytes together, then all second bytes, and so on; and all of that compressed
by zstd.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import zstandard
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError
from perfectplay.tablebase.file_names import blocks_file, index_file
from perfectplay.tablebase.rows import Rows, dtype_of
from perfectplay.tablebase.storage import REMEDY

Block = tuple[Rows, NDArray[Any], NDArray[np.uint16]]  # rows, values, remoteness
_serials = count()  # so that no two levels are taken for each other
KEPT = 256  # blocks that are kept unpacked, for all levels together


def packed(rows: Rows, values: NDArray[Any], ends: NDArray[Any]) -> bytes:
    """A block before it is compressed: byte planes of the differences, the values and the remoteness."""
    if rows.dtype.kind == "u":
        steps = np.diff(rows, prepend=rows[:1]).astype("<u8")
    else:
        steps = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
        steps = np.concatenate([np.zeros_like(steps[:1]), steps[1:] ^ steps[:-1]])
    return b"".join(_planes(array) for array in (steps, values, ends))


def _planes(array: NDArray[Any]) -> bytes:
    """All first bytes, then all second bytes, and so on."""
    table = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1)
    return np.ascontiguousarray(table.T).tobytes()


def unpacked(data: bytes, count: int, first: Rows, value_bytes: int) -> Block:
    """The rows, values and remoteness of a block; `first` is an array of its first row alone."""
    size = first.dtype.itemsize
    table = np.frombuffer(data, np.uint8).reshape(size + value_bytes + 2, count)
    steps = np.ascontiguousarray(table[:size].T)
    values = np.ascontiguousarray(table[size : size + value_bytes].T).view(f"<u{value_bytes}").reshape(count)
    ends = np.ascontiguousarray(table[size + value_bytes :].T).view("<u2").reshape(count)
    if first.dtype.kind == "u":
        rows: Rows = np.cumsum(steps.view("<u8").reshape(count), dtype=np.uint64) + first[0]
        return rows, values, ends
    steps = np.concatenate([np.ascontiguousarray(first).view(np.uint8).reshape(1, -1), steps[1:]])
    rows = np.ascontiguousarray(np.bitwise_xor.accumulate(steps, axis=0)).view(first.dtype).reshape(count)
    return rows, values, ends


def inflated(frame: bytes, size: int) -> bytes:
    """What a frame of zstd holds, if that is so many bytes: what it says of itself is looked at before."""
    if zstandard.get_frame_parameters(frame).content_size != size:
        raise ValueError(size)
    return zstandard.ZstdDecompressor().decompress(frame, max_output_size=size, allow_extra_data=False)


class Blocks:
    """The compressed positions of a level; blocks that were read lately are kept."""

    _kept: ClassVar[OrderedDict[tuple[int, int], Block]] = OrderedDict()
    _mutex: ClassVar[Any] = Lock()

    def __init__(self, directory: Path, manifest: dict[str, Any], number: int) -> None:
        known = manifest["levels"][number]
        self._serial = next(_serials)
        self.count, self.rows_each = known["positions"], manifest["rows"]
        self.value_bytes = manifest["value_bytes"]
        self.file = directory / blocks_file(number)
        self.data = np.memmap(self.file, np.uint8, "r")
        index = np.fromfile(directory / index_file(number), np.uint8)
        blocks = -(-self.count // self.rows_each)
        self.offsets = index[: 8 * (blocks + 1)].view("<u8")
        self.firsts = index[8 * (blocks + 1) :].view(dtype_of(len(known["some"])))
        if (
            self.offsets[0] != 0
            or self.offsets[-1] != len(self.data)
            or not np.all(self.offsets[1:] > self.offsets[:-1])
            or not np.all(self.firsts[1:] > self.firsts[:-1])
        ):
            raise BadTablebaseError(
                f"{index_file(number)} is damaged, its blocks are not in order: {REMEDY}."
            )

    @classmethod
    def renew(cls) -> None:
        """A lock of its own after a fork: the other process's may be held by a thread that is not here."""
        cls._mutex = Lock()

    def block(self, number: int) -> Block:
        """The rows, values and remoteness of one block."""
        key = (self._serial, number)
        with self._mutex:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        size = min(self.rows_each, self.count - number * self.rows_each)
        begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
        try:
            whole = size * (self.firsts.dtype.itemsize + self.value_bytes + 2)
            data = inflated(self.data[begin:end].tobytes(), whole)
            found = unpacked(data, size, self.firsts[number : number + 1], self.value_bytes)
        except (zstandard.ZstdError, ValueError):
            raise BadTablebaseError(f"{str(self.file)!r} is damaged: {REMEDY}.") from None
        with self._mutex:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def find(self, row: Rows) -> tuple[int, int]:
        """The value, by number, and the remoteness of a row (an array of one); -1 if it is not there."""
        number = int(np.searchsorted(self.firsts, row, side="right")[0]) - 1
        if number < 0:
            return -1, 0
        rows, values, ends = self.block(number)
        place = int(np.searchsorted(rows, row)[0])
        if place >= len(rows) or rows[place] != row[0]:
            return -1, 0
        return int(values[place]), int(ends[place])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Blocks.renew)
