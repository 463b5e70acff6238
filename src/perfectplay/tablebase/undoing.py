"""Undoing: the predecessors of states, of games whose moves change packed states in few ways.

A move often does the same to every state (the players change places, say) and one of a few things more
(one stone is set). Over the field of two elements that is `after = M before + d`, where *d* is one of a few
differences. What play has shown gives *M*, the differences and which bits the states after each always have;
a state has no other predecessors than the inverse of *M* gives; those are that the rules lead on to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.encoding import ShapeEncoding
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.layout import Layout
from perfectplay.tablebase.rows import Words
from perfectplay.tablebase.sampling import NarrowError, digests_of, named

Bits = NDArray[np.uint8]  # [n, bits]: of packed states, one by one
Places = NDArray[np.int64]

MOST_BITS = 256
MOST_MOVES = 1 << 15  # that are learned from, the last ones first
MOST_LEAVES = 8  # numbers of a state of which each may become another
ENOUGH = 0.5  # so many times as few bits must differ if another number is to be what one becomes
MOST_DIFFERENCES = 1024
RARE = 0.002  # so few moves may have a difference that no other move has
OFTEN = 200  # moves that show which bits are always there


class Difference(NamedTuple):
    """One of the things that moves do."""

    undone: NDArray[np.uint64]  # what leads back, once M is undone
    known: NDArray[np.uint64]  # the bits that are the same in all states after it
    values: NDArray[np.uint64]


class UnsuitedError(Exception):
    """Moves do too many things, or a state may be in several levels."""


class Undoing:
    """What leads back from states to those that may lead to them, as far as moves have shown."""

    def __init__(self, expander: Expander, words: Words) -> None:
        self.expander = expander
        self.before, self.after = words[:0], words[:0]
        self.grades = np.zeros(64 * words.shape[1])
        found = expander.expand(words)
        if (wider := expander.encoding.widened(found.least, found.varying)) is not None:
            raise NarrowError(wider)
        if 64 * words.shape[1] > MOST_BITS or not len(found.words):
            raise UnsuitedError
        chosen = np.random.default_rng(0).permutation(len(found.words))[:MOST_MOVES]
        self.learn(np.repeat(words, found.counts, axis=0)[chosen], found.words[chosen])

    def learn(self, before: Words, after: Words) -> None:
        """Go by these moves, too."""
        new = len(before)
        before = self.before = np.concatenate([before, self.before])[:MOST_MOVES]
        after = self.after = np.concatenate([after, self.after])[:MOST_MOVES]
        if not _rise_by_one(self.grades, before[:new], after[:new]):
            self.grades = _grades(before, after)
            if not _rise_by_one(self.grades, before, after):
                raise UnsuitedError
        encoding = self.expander.encoding
        assert isinstance(encoding, ShapeEncoding)
        self.level_bits = _level_bits(encoding.layout, before, after)  # the same in all states of a level
        every, some = np.bitwise_and.reduce(before, axis=0), np.bitwise_or.reduce(before, axis=0)
        self.free = some & ~every & ~self.level_bits
        self.constant = every & ~self.level_bits
        matrix = _matrix(encoding.layout, before, after)
        self.inverse = _shifts(_inverse(matrix))
        changes = (_product(_shifts(matrix), before) ^ after) & self.free
        self.differences = _differences(after, changes, self.inverse)

    def candidates(self, states: Words, level: Words) -> tuple[Words, Places]:
        """What may lead to these states from the level of a state, and to which of them each."""
        undone = _product(self.inverse, states)
        fixed = self.constant | level & self.level_bits
        found, origins = [states[:0]], [np.empty(0, np.int64)]
        for difference in self.differences:
            at = np.flatnonzero(_equal(states & difference.known, difference.values))
            found.append((undone[at] ^ difference.undone) & self.free | fixed)
            origins.append(at)
        return np.concatenate(found), np.concatenate(origins)

    def predecessors(self, states: Words, level: Words) -> tuple[Words, Places]:
        """Those of the candidates that lead on to the states by the rules, be they reached or not."""
        words, origins = self.candidates(states, level)
        try:
            found = self.expander.expand(words)
        except Exception as error:  # rules may fail in any way on states that no game comes to
            raise UnsuitedError from error
        which = np.repeat(np.arange(len(words)), found.counts)
        leads = np.zeros(len(words), np.bool_)
        leads[which[_equal(found.words, states[origins[which]])]] = True
        return words[leads], origins[leads]


def _grades(before: Words, after: Words) -> NDArray[np.float64]:
    """A weight for each bit, so that every move raises the sum of them by one, if that can be."""
    change = _bits(after).astype(np.float32) - _bits(before)
    squares, sums = change.T @ change, change.sum(axis=0)  # integers that are exact in this type
    found: NDArray[np.float64] = np.linalg.lstsq(squares.astype(float), sums.astype(float), rcond=None)[0]
    return found


def _rise_by_one(grades: NDArray[np.float64], before: Words, after: Words) -> bool:
    """Do all these moves? Then a state is in one level alone."""
    rises = (_bits(after).astype(np.float32) - _bits(before)) @ grades
    return bool(np.abs(rises - 1).max() < 1e-4)


def _level_bits(layout: Layout, before: Words, after: Words) -> NDArray[np.uint64]:
    """The bits of the numbers that every move raises by the same."""
    bits = np.zeros(layout.width, np.uint64)
    columns = zip(layout.columns(before), layout.columns(after), strict=True)
    rises = [set(np.unique(new - old)[:2].tolist()) for old, new in columns]
    for leaf, _, mask, word, down in layout.parts:
        if len(rises[leaf]) == 1 and rises[leaf] != {0}:
            bits[word] |= np.uint64(mask << down)
    return bits


def _matrix(layout: Layout, before: Words, after: Words) -> Bits:
    """What moves do to all states alike: a number stays, becomes another, or both without carry."""
    matrix = np.eye(64 * layout.width, dtype=np.uint8)
    places = _places(layout)
    if len(places) > MOST_LEAVES:
        return matrix
    old, new = layout.columns(before), layout.columns(after)
    for leaf, own in enumerate(places):
        least = ENOUGH * _changes(old[leaf] ^ new[leaf])
        for other, theirs in enumerate(places):
            if other == leaf or not own.keys() & theirs.keys():
                continue
            for stays in (0, 1):
                changes = _changes(new[leaf] ^ old[other] ^ stays * old[leaf])
                if changes < least:
                    least = changes
                    for place in own.keys() & theirs.keys():
                        matrix[own[place]] = 0
                        matrix[own[place], own[place]] = stays
                        matrix[own[place], theirs[place]] = 1
    return matrix


def _changes(numbers: NDArray[np.int64]) -> int:
    return int(np.bitwise_count(numbers.view(np.uint64)).sum())


def _places(layout: Layout) -> list[dict[int, int]]:
    """For each number, where its bits are among those of a packed state."""
    found: list[dict[int, int]] = [{} for _ in layout.lows]
    for leaf, up, mask, word, down in layout.parts:
        for step in range(mask.bit_length()):
            found[leaf][up + step] = 64 * word + down + step
    return found


def _inverse(matrix: Bits) -> Bits:
    """Over the field of two elements."""
    count = len(matrix)
    both = np.concatenate([matrix, np.eye(count, dtype=np.uint8)], axis=1)
    for column in range(count):
        pivots = np.flatnonzero(both[column:, column])
        if not len(pivots):
            raise UnsuitedError
        pivot = column + int(pivots[0])
        both[[column, pivot]] = both[[pivot, column]]
        others = both[:, column].astype(np.bool_)
        others[column] = False
        both[others] ^= both[column]
    return both[:, count:]


def _differences(after: Words, changes: Words, inverse: list[Shift]) -> list[Difference]:
    """All that moves do beside M, with what is always there afterwards."""
    _, first, which = named(digests_of(changes))
    rows, counts = changes[first], np.bincount(which)
    if len(rows) > MOST_DIFFERENCES or (counts == 1).sum() > RARE * len(after):
        raise UnsuitedError
    undone = _product(inverse, rows)
    order = np.argsort(which, kind="stable")
    found = []
    for row, states in zip(undone, np.split(after[order], np.cumsum(counts)[:-1]), strict=True):
        every, some = np.bitwise_and.reduce(states, axis=0), np.bitwise_or.reduce(states, axis=0)
        known = every | ~some if len(states) >= OFTEN else np.zeros_like(every)
        found.append(Difference(row, known, every & known))
    return found


class Shift(NamedTuple):
    """Bits of one word that go to another word, all as far."""

    source: int
    target: int
    mask: np.uint64
    up: np.uint64
    down: np.uint64


def _shifts(matrix: Bits) -> list[Shift]:
    """A matrix as few shifts of words: neighbours mostly go the same way."""
    masks: dict[tuple[int, int, int], int] = {}
    for to, by in np.argwhere(matrix).tolist():
        key = by // 64, to // 64, to % 64 - by % 64
        masks[key] = masks.get(key, 0) | 1 << by % 64
    return [
        Shift(source, target, np.uint64(mask), np.uint64(max(up, 0)), np.uint64(max(-up, 0)))
        for (source, target, up), mask in masks.items()
    ]


def _product(shifts: list[Shift], words: Words) -> Words:
    """A matrix times states."""
    found = np.zeros_like(words)
    for source, target, mask, up, down in shifts:
        found[:, target] ^= (words[:, source] & mask) << up >> down
    return found


def _equal(words: Words, others: Words | NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which states are the same, word by word: there are few of these."""
    same = np.ones(len(words), np.bool_)
    for word in range(words.shape[1]):
        same &= words[:, word] == others[..., word]
    return same


def _bits(words: Words) -> Bits:
    rows = np.ascontiguousarray(words, "<u8").view(np.uint8).reshape(len(words), -1)
    return np.unpackbits(rows, axis=1, bitorder="little")
