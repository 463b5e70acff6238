"""Rows: packed states in ascending order, each once: words in memory, as few bytes as they need in files.

A packed state is one number. In memory it has one word of 64 bits, or several, the lowest first; they are
compared and sorted as the integers that they are.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.compiled_kernels import arithmetic, has_compiler
from perfectplay.tablebase.manifest import padding, width_for

Words = NDArray[np.uint64]  # [n, width]
Run = Any  # Words, or Rows: what has a length, and words where it is cut
DIGIT = 11  # bits that a round of sorting looks at


class Rows:
    """Rows as they lie in a file: so many bytes each, the lowest first, and some zeros at the end."""

    def __init__(self, data: NDArray[np.uint8], row_bytes: int) -> None:
        self.data = data
        self.row_bytes = row_bytes
        self.width = width_for(row_bytes)
        self.top = np.uint64((1 << 8 * (row_bytes - 8 * (self.width - 1))) - 1)
        self.count = (len(data) - padding(row_bytes)) // row_bytes

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: slice) -> Words:
        """The words of some rows."""
        begin, end, _ = at.indices(self.count)
        return self._words(max(end - begin, 0), begin, slice(None))

    def part(self, begin: int, end: int) -> Rows:
        """Rows next to each other, still as they lie in the file."""
        size = self.row_bytes
        return Rows(self.data[begin * size : end * size + padding(size)], size)

    def take(self, places: NDArray[np.int64]) -> Words:
        """The words of the rows at these places."""
        return self._words(self.count, 0, places)

    def _words(self, count: int, begin: int, which: Any) -> Words:
        chosen = count if isinstance(which, slice) else len(which)
        words = np.empty((chosen, self.width), np.uint64)
        if chosen:
            for place in range(self.width):
                column: NDArray[np.uint64] = np.ndarray(
                    (count,),
                    "<u8",
                    self.data.data,
                    begin * self.row_bytes + 8 * place,
                    (self.row_bytes,),
                )
                words[:, place] = column[which]
            words[:, -1] &= self.top
        return words


def stored(words: Words, row_bytes: int) -> NDArray[np.uint8]:
    """Words as the bytes of a file, without the zeros at its end."""
    count = len(words)
    if row_bytes % 8 == 0:
        return np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8).reshape(-1)
    data = np.empty(count * row_bytes, np.uint8)
    at = 0
    while at < row_bytes and count:
        size = next(size for size in (8, 4, 2, 1) if at + size <= row_bytes and at % size == 0)
        part: NDArray[Any] = np.ndarray((count,), f"<u{size}", data, at, (row_bytes,))
        part[:] = words[:, at // 8] >> np.uint64(8 * (at % 8))
        at += size
    return data


def in_memory(words: Words, row_bytes: int) -> Rows:
    """Rows as a file would have them."""
    return Rows(np.concatenate([stored(words, row_bytes), np.zeros(padding(row_bytes), np.uint8)]), row_bytes)


def release(*arrays: Any) -> None:
    """Let the system have back what was read of mapped files: it is read again where it is wanted."""
    for array in arrays:
        mapped = getattr(array.data if isinstance(array, Rows) else array, "_mmap", None)
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)


# Order.


def in_order(words: Words) -> Words:
    """The words sorted as integers."""
    if words.shape[1] == 1:
        return np.sort(words.reshape(-1)).reshape(-1, 1)
    if has_compiler() and len(words) > 1:
        return _in_order_by_digits(words)
    return words[np.lexsort(words.T)]


def _in_order_by_digits(words: Words) -> Words:
    """The same of several words in machine code: by the lowest digits first, but for those that are alike."""
    width, sort = words.shape[1], arithmetic(compiled=True).sort_by_digit
    flat = np.array(words, np.uint64).reshape(-1)
    other, counts = np.empty_like(flat), np.zeros(1 << DIGIT, np.int64)
    for column in range(width):
        every, some = np.bitwise_and.reduce(words[:, column]), np.bitwise_or.reduce(words[:, column])
        varying = int(every ^ some)
        for shift in range(0, 64, DIGIT):
            if varying >> shift & (1 << DIGIT) - 1:
                counts[:] = 0
                sort(flat, other, counts, width, column, shift)
                flat, other = other, flat
    return flat.reshape(-1, width)


def differ(one: Words, other: Words) -> NDArray[np.bool_]:
    """Where two arrays have different rows."""
    if one.shape[1] == 1:
        return np.asarray(one != other).reshape(-1)
    found: NDArray[np.bool_] = (one != other).any(axis=1)
    return found


def sorted_once(words: Words) -> Words:
    """The rows in order, each once. (`np.unique` is many times slower on words.)"""
    return once(in_order(words))


def once(ordered: Words) -> Words:
    """The rows of an array in order, each once."""
    if len(ordered) < 2:
        return ordered
    first = np.empty(len(ordered), np.bool_)
    first[0] = True
    first[1:] = differ(ordered[1:], ordered[:-1])
    return ordered if first.all() else ordered[first]


def different(numbers: NDArray[np.int64]) -> list[int]:
    """The numbers of an array, each once, in order."""
    if not len(numbers) or (numbers == numbers[0]).all():
        return [*map(int, numbers[:1])]
    ordered = np.sort(numbers)
    found: list[int] = ordered[np.append(True, ordered[1:] != ordered[:-1])].tolist()
    return found


def sampled(run: Run, many: int) -> Words:
    """About so many rows of a run, or all if there are fewer, at equal distances."""
    places = np.arange(0, len(run), max(1, len(run) // many))
    return run.take(places) if isinstance(run, Rows) else run[places]


def number_at(run: Run, place: int) -> int:
    """A row as the number that it is."""
    (words,) = run[place : place + 1].tolist()
    return sum(word << 64 * number for number, word in enumerate(words))


class _Numbers:
    """A run as a sequence of numbers."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __len__(self) -> int:
        return len(self.run)

    def __getitem__(self, place: int) -> int:
        return number_at(self.run, place)


def place_before(run: Run, number: int) -> int:
    """How many rows of a run are below a number."""
    return bisect_left(_Numbers(run), number)


def place_after(run: Run, number: int) -> int:
    """How many rows of a run are no higher than a number."""
    return bisect_right(_Numbers(run), number)


def places_before(run: Run, words: Words) -> NDArray[np.int64]:
    """How many rows of a run are below each of these."""
    if isinstance(run, np.ndarray) and words.shape[1] == 1:
        return np.searchsorted(run.reshape(-1), words.reshape(-1))
    low, high = np.zeros(len(words), np.int64), np.full(len(words), len(run), np.int64)
    while len(open_ := np.flatnonzero(low < high)):
        middle = (low[open_] + high[open_]) >> 1
        below = _is_below(run.take(middle) if isinstance(run, Rows) else run[middle], words[open_])
        low[open_[below]] = middle[below] + 1
        high[open_[~below]] = middle[~below]
    return low


def ranges_of(words: Words, begins: Words) -> NDArray[np.int64]:
    """How many of these beginnings, which are in order, each row is not below."""
    if words.shape[1] == 1:
        return np.searchsorted(begins.reshape(-1), words.reshape(-1), side="right")
    found = np.zeros(len(words), np.int64)
    for begin in begins:
        found += ~_is_below(words, np.broadcast_to(begin, words.shape))
    return found


def is_ascending(words: Words) -> bool:
    """Are rows in order, each once?"""
    return bool(_is_below(words[:-1], words[1:]).all())


def _is_below(one: Words, other: Words) -> NDArray[np.bool_]:
    """Where the rows of an array are below those of another one."""
    below = np.zeros(len(one), np.bool_)
    for column in range(one.shape[1]):  # the last counts most
        same = one[:, column] == other[:, column]
        below = np.where(same, below, one[:, column] < other[:, column])
    return below


def merged(runs: Sequence[Run], block: int) -> Iterator[Words]:
    """The rows of several sorted runs in order, each once, in blocks of about so many."""
    places = [0] * len(runs)
    while True:
        left = [number for number, run in enumerate(runs) if places[number] < len(run)]
        if not left:
            return
        step = max(block // len(left), 1)
        pivot = min(number_at(runs[n], min(places[n] + step, len(runs[n])) - 1) for n in left)
        pieces = []
        for number in left:
            run, place = runs[number], places[number]
            words = run[place : place + step]
            end = place_after(words, pivot)
            pieces.append(words[:end])
            places[number] = place + end
        yield once(pieces[0]) if len(pieces) == 1 else sorted_once(np.concatenate(pieces))


def without(words: Words, known: Run) -> Words:
    """The rows, in order, that are not among the known ones, which are in order too."""
    if not len(known) or not len(words):
        return words
    first, last = (
        place_before(known, number_at(words, 0)),
        place_after(known, number_at(words, len(words) - 1)),
    )
    near = known[first:last]
    if not len(near):
        return words
    places = np.minimum(places_before(near, words), len(near) - 1)
    left: Words = words[differ(near[places], words)]
    return left
