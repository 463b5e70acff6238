"""Merged levels: the positions of many small levels in a few sorted runs, to be looked in together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.rows import Words, differ, in_order, places_before, without

SMALL = 1 << 14  # positions of a level that is worth merging: there are not many larger ones


class MergedLevels:
    """Positions with the numbers of their levels; every run is at least twice as long as the next."""

    def __init__(self, most: int) -> None:
        self.left = most  # positions that may still be taken
        self.runs: list[tuple[Words, NDArray[np.int64]]] = []

    def take(self, level: Level) -> bool:
        """Take a level in, if it is small enough; False if it is to be looked in by itself."""
        count = len(level.rows)
        if count > min(SMALL, self.left):
            return False
        self.left -= count
        self.runs.append((level.rows[:], np.full(count, level.number, np.int64)))
        while len(self.runs) > 1 and len(self.runs[-2][0]) < 2 * len(self.runs[-1][0]):
            words, numbers = (np.concatenate(both) for both in zip(*self.runs[-2:], strict=True))
            order = np.lexsort(words.T)
            self.runs[-2:] = [(words[order], numbers[order])]
        return True

    def without(self, words: Words) -> Words:
        """Those of these positions, which are in order, that are in none of the levels."""
        for run, _ in self.runs:
            words = without(words, run)
        return words

    def have_doubles(self) -> bool:
        """Is a position in two of them?"""
        if not self.runs:
            return False
        words = in_order(np.concatenate([words for words, _ in self.runs]))
        return not differ(words[1:], words[:-1]).all()

    def levels_of(self, words: Words) -> NDArray[np.int64]:
        """The level that each of these positions is in; -1: in none of these."""
        found = np.full(len(words), -1, np.int64)
        for run, numbers in self.runs:
            near = np.minimum(places_before(run, words), len(run) - 1)
            found = np.where(differ(run[near], words), found, numbers[near])
        return found
