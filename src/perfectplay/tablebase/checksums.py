"""Checksums of the files of a level, each block of which is looked at when it is first read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.records import Room, made_raw
from perfectplay.engine.block_checksums import RIGHT, UNSEEN, WRONG, CheckedFile, crc32_tables
from perfectplay.errors import DamagedTablebaseError
from perfectplay.tablebase.storage import REMEDY


class Checksums:
    """A file in memory with the checksums of its blocks, and which of them were found right."""

    def __init__(self, name: str, data: NDArray[Any], block: int, checksums: Sequence[int]) -> None:
        self.name = name
        self.data = data.view(np.uint8)
        self.shift = block.bit_length() - 1
        self.checksums = np.array(checksums, np.int64)
        self.seen = np.full(len(checksums), UNSEEN, np.uint8)

    def check(self, begin: int = 0, end: int | None = None) -> None:
        """Refuse the file if the bytes from here to there, or all, are not what was written."""
        last = len(self.data) if end is None else end
        for block in range(begin >> self.shift, ((last - 1) >> self.shift) + 1):
            if self.seen[block] == UNSEEN:
                part = self.data[block << self.shift : (block + 1) << self.shift]
                self.seen[block] = RIGHT if crc32(part.data) == self.checksums[block] else WRONG
            if self.seen[block] == WRONG:
                raise DamagedTablebaseError(f"{self.name} is damaged in block {block}: {REMEDY}.")

    def faults(self) -> Iterator[str]:
        """What was found wrong until now."""
        for block in np.flatnonzero(self.seen == WRONG).tolist():
            yield f"{self.name} is damaged in block {block}: {REMEDY}."

    def record(self) -> Any:
        """What machine code needs of it; what either finds, both know."""
        return _record(self.data, self.shift, self.checksums, self.seen)


def believed(data: NDArray[Any]) -> Any:
    """The same of what is no file, and needs no look."""
    return _record(data.view(np.uint8), 62, np.zeros(1, np.int64), np.full(1, RIGHT, np.uint8))


def _record(
    data: NDArray[np.uint8], shift: int, checksums: NDArray[np.int64], seen: NDArray[np.uint8]
) -> Any:
    return made_raw(
        CheckedFile,
        Room(),
        data=data,
        size=len(data),
        shift=shift,
        checksums=checksums,
        seen=seen,
        table=crc32_tables(),
    )
