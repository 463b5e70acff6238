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
from threading import Lock, local
from typing import Any, ClassVar

import numpy as np
import zstandard
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError, DamagedTablebaseError
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.encoding import bits_in
from perfectplay.tablebase.file_names import blocks_file, index_file
from perfectplay.tablebase.kernels import DRAW, FAR
from perfectplay.tablebase.manifest import bytes_for, code_bytes, end_bytes
from perfectplay.tablebase.rows import (
    Rows,
    Words,
    is_ascending,
    number_at,
    place_after,
    place_before,
    stored,
)
from perfectplay.tablebase.storage import REMEDY

Block = tuple[Words, NDArray[Any], NDArray[np.uint16]]  # states, values, remoteness
_serials = count()  # so that no two levels are taken for each other
_mine = local()  # a decompressor for every thread: each is used by one at a time
KEPT = 256  # blocks that are kept unpacked, for all levels together


def packed(words: Words | None, row_bytes: int, values: NDArray[Any], ends: NDArray[Any] | None) -> bytes:
    """A block before it is compressed: byte planes of the steps, the values and the remoteness, if any."""
    if words is None:  # it is stored by rank
        return b"".join(_planes(array) for array in (values, ends) if array is not None)
    steps = np.zeros_like(words)
    if words.shape[1] == 1:
        steps[1:] = words[1:] - words[:-1]
    else:
        steps[1:] = words[1:] ^ words[:-1]
    rows = stored(steps, row_bytes).reshape(len(words), row_bytes)
    return b"".join(_planes(array) for array in (rows, values, ends) if array is not None)


def _planes(array: NDArray[Any]) -> bytes:
    """All first bytes, then all second bytes, and so on."""
    table = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1)
    return np.ascontiguousarray(table.T).tobytes()


def unpacked(
    data: bytes, count: int, first: Words, row_bytes: int, value_bytes: int, end_bytes: int = 2
) -> Block:
    """The words, values and remoteness of a block; `first` is an array of its first row alone.

    Where there is no remoteness, it is 0, and FAR of a draw.
    """
    table = np.frombuffer(data, np.uint8).reshape(row_bytes + value_bytes + end_bytes, count)
    steps = np.zeros((count, 8 * first.shape[1]), np.uint8)
    steps[:, :row_bytes] = table[:row_bytes].T
    words: Words = steps.view("<u8").astype(np.uint64, copy=False)
    begin, end = row_bytes, row_bytes + value_bytes
    values = np.ascontiguousarray(table[begin:end].T).view(f"<u{value_bytes}").reshape(count)
    if end_bytes:
        ends = np.ascontiguousarray(table[end:].T).view("<u2").reshape(count)
    else:
        ends = np.where(values >= DRAW & 0xFF, FAR, 0).astype(np.uint16)
    words[:1] = first
    if first.shape[1] == 1:
        return np.cumsum(words, axis=0, dtype=np.uint64), values, ends
    return np.bitwise_xor.accumulate(words, axis=0), values, ends


def inflated(frame: bytes | memoryview, size: int) -> bytes:
    """What a frame of zstd holds, if that is so many bytes: what it says of itself is looked at before."""
    if zstandard.frame_content_size(frame) != size:
        raise ValueError(size)
    if not hasattr(_mine, "zstd"):
        _mine.zstd = zstandard.ZstdDecompressor()
    data: bytes = _mine.zstd.decompress(frame, max_output_size=size, allow_extra_data=False)
    return data


class Blocks:
    """The compressed positions of a level; blocks that were read lately are kept."""

    _kept: ClassVar[OrderedDict[tuple[int, int], Block]] = OrderedDict()
    _mutex: ClassVar[Any] = Lock()

    def __init__(self, directory: Path, manifest: dict[str, Any], number: int) -> None:
        known = manifest["levels"][number]
        self._serial = next(_serials)
        by_rank = "by_rank" in manifest
        self.count, self.rows_each = known["ranks" if by_rank else "positions"], manifest["rows"]
        self.value_bytes, self.end_bytes = code_bytes(manifest), end_bytes(manifest)
        self.file = directory / blocks_file(number)
        self.data = np.memmap(self.file, np.uint8, "r")
        index = np.fromfile(directory / index_file(number), np.uint8)
        Checksums(index_file(number), index, manifest["block"], known["index"]["checksums"]).check()
        self._checksums = Checksums(
            blocks_file(number), self.data, manifest["block"], known["blocks"]["checksums"]
        )
        blocks = -(-self.count // self.rows_each)
        self.offsets = index[: 8 * (blocks + 1)].view("<u8")
        self.row_bytes = 0 if by_rank else bytes_for(bits_in(manifest["layout"]))
        self.block_bytes = self.row_bytes + self.value_bytes + self.end_bytes  # of each position
        self._view = memoryview(self.data.data)  # which is quicker to cut than an array
        self._offsets = self.offsets.tolist()
        self.firsts: Words = np.zeros((blocks, 1), np.uint64)  # nobody goes by them where there are no states
        if not by_rank:
            self.firsts = Rows(index[8 * (blocks + 1) :], self.row_bytes)[:]
        if (
            self.offsets[0] != 0
            or self.offsets[-1] != len(self.data)
            or not np.all(self.offsets[1:] > self.offsets[:-1])
            or not (by_rank or is_ascending(self.firsts))
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
        first = self.firsts[number : number + 1]
        sizes = (self.row_bytes, self.value_bytes, self.end_bytes)
        found = unpacked(self.inflated(number), self.size(number), first, *sizes)
        with self._mutex:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def size(self, number: int) -> int:
        """The positions of a block."""
        return int(min(self.rows_each, self.count - number * self.rows_each))

    def inflated(self, number: int) -> bytes:
        """The bytes of a block, as they were before they were compressed."""
        begin, end = self._offsets[number], self._offsets[number + 1]
        self._checksums.check(begin, end)
        size = self.size(number)
        try:
            data = inflated(self._view[begin:end], size * self.block_bytes)
            if any(data[: self.row_bytes * size : size]):  # the first step, by which nobody goes
                raise ValueError(number)
            return data
        except (zstandard.ZstdError, ValueError):
            raise DamagedTablebaseError(f"{str(self.file)!r} is damaged: {REMEDY}.") from None

    def find(self, words: Words) -> tuple[int, int]:
        """The value, by number, and the remoteness of a row (an array of one); -1 if it is not there."""
        wanted = number_at(words, 0)
        number = place_after(self.firsts, wanted) - 1
        if number < 0:
            return -1, 0
        rows, values, ends = self.block(number)
        place = place_before(rows, wanted)
        if place >= len(rows) or number_at(rows, place) != wanted:
            return -1, 0
        return int(values[place]), int(ends[place])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Blocks.renew)
