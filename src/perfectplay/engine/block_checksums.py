"""Checksums of blocks: a file is looked at where it is read for the first time, and believed after that.

The loops are compiled into a look-up; Python, which has CRC-32 in its library, needs the records alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from perfectplay.compiler.primitives import word, word_at
from perfectplay.compiler.records import Byte, Word, record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNSEEN, RIGHT, WRONG = 0, 1, 2
FULL = 0xFFFFFFFF
POLYNOMIAL = 0xEDB88320  # that of CRC-32, its lowest bit first


@record
class CheckedFile:
    """The bytes of a file, and for each block of them its checksum and whether that was found right."""

    data: list[Byte]
    size: int
    shift: int  # of a place, for the number of its block
    checksums: list[int]
    seen: list[Byte]  # UNSEEN, RIGHT or WRONG, of each block
    table: list[Word]  # of crc32_tables


def is_right(file: CheckedFile, begin: int, end: int) -> bool:
    """Are the bytes from here to there what was written? Blocks that were not seen before are looked at."""
    for block in range(begin >> file.shift, ((end - 1) >> file.shift) + 1):
        if file.seen[block] != RIGHT:
            if file.seen[block] == WRONG or crc32_of(file, block) != file.checksums[block]:
                file.seen[block] = WRONG
                return False
            file.seen[block] = RIGHT
    return True


def crc32_of(file: CheckedFile, block: int) -> int:
    """The checksum of a block, eight bytes at a time (slicing by eight, Kounavis and Berry 2005)."""
    data, table = file.data, file.table
    at, end = block << file.shift, min((block + 1) << file.shift, file.size)
    rest = word(FULL)
    while at + 8 <= end:
        eight = word_at(data, at) ^ rest
        rest = table[1792 + int(eight & 255)] ^ table[1536 + int(eight >> 8 & 255)]
        rest ^= table[1280 + int(eight >> 16 & 255)] ^ table[1024 + int(eight >> 24 & 255)]
        rest ^= table[768 + int(eight >> 32 & 255)] ^ table[512 + int(eight >> 40 & 255)]
        rest ^= table[256 + int(eight >> 48 & 255)] ^ table[int(eight >> 56)]
        at += 8
    while at < end:
        rest = table[int((rest ^ word(data[at])) & 255)] ^ rest >> 8
        at += 1
    return int(rest ^ FULL)


@cache
def crc32_tables() -> NDArray[np.uint64]:
    """For each byte the checksum of it alone, and then of it with one to seven zeros after it."""
    import numpy as np  # which a search without a tablebase does not need

    tables = np.zeros((8, 256), np.uint64)
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ (POLYNOMIAL if rest & 1 else 0)
        tables[0, byte] = rest
    for row in range(1, 8):
        before = tables[row - 1]
        tables[row] = tables[0, (before & 255).astype(np.int64)] ^ before >> 8
    return tables.reshape(-1)
