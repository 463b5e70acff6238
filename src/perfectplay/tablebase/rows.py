"""Rows: packed states as sorted arrays of one value each, in memory and in files."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.expansion import Words

Rows = NDArray[Any]  # one word a state, or a string of bytes where a state needs more than one


def dtype_of(width: int) -> np.dtype[Any]:
    """What a state of so many words is in a file: a little-endian word, or bytes in the order of sorting."""
    return np.dtype("<u8") if width == 1 else np.dtype(f"S{8 * width}")


def to_rows(words: Words) -> Rows:
    """Words as something that sorts as one: of several words, the last counts most."""
    count, width = words.shape
    if width == 1:
        return words.reshape(count)
    return np.ascontiguousarray(words[:, ::-1]).astype(">u8").view(f"S{8 * width}").reshape(count)


def to_words(rows: Rows) -> Words:
    """The words of rows."""
    if rows.dtype.kind == "u":
        return np.asarray(rows, np.uint64).reshape(-1, 1)
    width = rows.dtype.itemsize // 8
    words = np.ascontiguousarray(rows).view(">u8").reshape(-1, width)[:, ::-1]
    return np.ascontiguousarray(words).astype(np.uint64)


def release(*arrays: Rows | None) -> None:
    """Let the system have back what was read of mapped files: it is read again where it is wanted."""
    for array in arrays:
        mapped = getattr(array, "_mmap", None)
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)


def sorted_once(rows: Rows) -> Rows:
    """The rows in order, each once. (`np.unique` is many times slower on words.)"""
    ordered = np.sort(rows)
    if len(ordered) < 2:
        return ordered
    first = np.empty(len(ordered), np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def merged(runs: Sequence[Rows], block: int) -> Iterator[Rows]:
    """The rows of several sorted runs in order, each once, in blocks of about so many."""
    places = [0] * len(runs)
    while True:
        left = [number for number, run in enumerate(runs) if places[number] < len(run)]
        if not left:
            return
        step = max(block // len(left), 1)
        ends = [runs[number][min(places[number] + step, len(runs[number])) - 1] for number in left]
        pivot = min(ends)
        pieces = []
        for number in left:
            run, place = runs[number], places[number]
            end = place + int(np.searchsorted(run[place : place + step], pivot, side="right"))
            pieces.append(run[place:end])
            places[number] = end
        yield sorted_once(np.concatenate(pieces))


def without(rows: Rows, known: Rows) -> Rows:
    """The rows, in order, that are not among the known ones, which are in order too."""
    if not len(known) or not len(rows):
        return rows
    first = int(np.searchsorted(known, rows[0]))
    last = int(np.searchsorted(known, rows[-1], side="right"))
    near = known[first:last]
    if not len(near):
        return rows
    places = np.minimum(np.searchsorted(near, rows), len(near) - 1)
    left: Rows = rows[near[places] != rows]
    return left
