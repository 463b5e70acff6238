"""Crowds: samples of levels as large as there is time for, where the predecessors of states can be found.

Levels are counted while they are small. From then on, a sample of each gives one of the next, as in
`sampling`: successors are chosen by 1 over the number of their predecessors. Those that `undoing` finds may
be ones that no game comes to: a state counts if one of its own predecessors does, and so on, down to states
that were met.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.rows import Words, sorted_once
from perfectplay.tablebase.sampling import NarrowError, among, digests_of, named, once
from perfectplay.tablebase.undoing import Places, Undoing, UnsuitedError

BACK = 10  # moves that are taken back to find out whether a state can be reached
WHOLE = 1 << 13  # states of a level that are counted
MOST_ASKED = 128  # states that are asked about at once, for each of a sample
MISSED = 0.01  # of the moves that were made, so many may not be found again: else they are learned from
MOST_MISSED = 0.05  # the same, after that

Keys = NDArray[np.uint64]


class Crowd:
    """A fair sample of a level, and the states of the last levels that are known to be reached."""

    def __init__(self, count: int, seed: int, undoing: Undoing) -> None:
        self.expander = expander = undoing.expander
        self.count = count
        self.random = np.random.default_rng(seed)
        self.undoing = undoing
        self.words = np.array([expander.packed_root()], np.uint64)
        self.whole = True  # are these all states of the level?
        self.levels = [self.words[0]]  # a state of each of the last levels
        self.known: list[Keys] = [digests_of(self.words)]  # the digests of those that are reached, in order

    def step(self) -> float:
        """Go on to the next level; how many times larger it is than this one."""
        found = self.expander.expand(self.words)
        wider = self.expander.encoding.widened(found.least, found.varying)
        if wider is not None:
            raise NarrowError(wider)
        if not len(found.words):
            return 0.0
        origins = np.repeat(np.arange(len(self.words)), found.counts)
        if self.whole:
            after = sorted_once(found.words)
            ratio = len(after) / len(self.words)
            self.whole = len(after) <= WHOLE
            chosen = (
                after if self.whole else self.random.choice(after, min(self.count, len(after)), replace=False)
            )
            self._go_to(chosen, digests_of(after))
            return ratio
        weights = self._weights(found.words, origins)
        ratio = float(weights.sum()) / len(self.words)
        order = np.lexsort(found.words.T)  # alike states are neighbours, of which some are chosen
        steps = (np.arange(self.count) + self.random.random()) / self.count  # evenly, which varies least
        at = np.searchsorted(np.cumsum(weights[order]) / weights.sum(), steps)
        self._go_to(found.words[order[np.minimum(at, len(order) - 1)]], digests_of(found.words))
        return ratio

    def _go_to(self, words: Words, reached: Keys) -> None:
        self.words = words
        self.levels = [*self.levels, words[0]][-BACK - 1 :]
        self.known = [*self.known, once(reached)][-BACK - 1 :]

    def _weights(self, after: Words, origins: Places) -> NDArray[np.float64]:
        """Of each move, 1 over the number of states that lead to where it leads; 0 if it was there before."""
        names, first, which = named(digests_of(after))
        moves = _pairs(which, digests_of(self.words)[origins])
        before, of = self.undoing.predecessors(after[first], self.levels[-1])
        found = _pairs(of, digests_of(before))
        if (~among(moves, np.sort(found))).mean() > MISSED:
            self.undoing.learn(self.words[origins], after)
            before, of = self.undoing.predecessors(after[first], self.levels[-1])
            found = _pairs(of, digests_of(before))
        if (~among(moves, np.sort(found))).mean() > MOST_MISSED:
            raise UnsuitedError
        reached = self._are_reached(before, len(self.levels) - 1)
        single = named(np.concatenate([moves, found[reached]]))[1]
        parents = np.bincount(np.concatenate([which, of[reached]])[single], minlength=len(names))
        weights: NDArray[np.float64] = 1.0 / parents[which]
        again = np.ones(len(moves), np.bool_)  # actions of a state that another one is as good as
        again[named(_pairs(origins, moves))[1]] = False
        weights[again] = 0.0
        return weights

    def _are_reached(self, words: Words, level: int) -> NDArray[np.bool_]:
        """Which of these states of a level does a game come to, as far as moves are taken back?"""
        names, first, which = named(digests_of(words))
        reached = among(names, self.known[level])
        asked = np.flatnonzero(~reached)
        if level and 0 < len(asked) <= MOST_ASKED * self.count:
            before, of = self.undoing.predecessors(words[first[asked]], self.levels[level - 1])
            reached[asked[of[self._are_reached(before, level - 1)]]] = True
            self.known[level] = once(np.concatenate([self.known[level], names[reached]]))
        return reached[which]


def _pairs(states: Places, digests: Keys) -> Keys:
    """A word for each pair that hardly another one has."""
    return digests ^ states.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
