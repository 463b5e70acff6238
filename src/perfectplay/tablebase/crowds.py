"""Crowds: samples of levels as large as there is time for, where the predecessors of states can be found.

Levels are counted while they are small. From then on, a sample of each gives one of the next, as in
`sampling`: successors are chosen by 1 over the number of their predecessors. Those that `undoing` finds may
be ones that no game comes to: a state counts if one of its own predecessors does, and so on, down to states
that were met. Few of them are followed at once: where a game comes to a state, it mostly can in many ways.
Where ways end, as they often do on high boards, it is at states that few moves lead to: those that many may
lead to are followed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.rows import Words, sorted_once
from perfectplay.tablebase.sampling import NarrowError, among, digests_of, named, once
from perfectplay.tablebase.undoing import Places, Undoing, UnsuitedError

BACK = 64  # moves that are taken back to find out whether a state can be reached
WIDTH, NARROW = 8, 4  # predecessors followed at once, for each state that is asked about: first, later
FIRST = 4  # moves that are taken back before fewer are followed
WHOLE = 1 << 13  # states of a level that are counted
LEAST = 64  # states of a sample that time is short for
MISSED = 0.01  # of the moves that were made, so many may not be found again: else they are learned from
MOST_MISSED = 0.05  # the same, after that

Keys = NDArray[np.uint64]


class Crowd:
    """A fair sample of a level."""

    def __init__(self, count: int, seed: int, undoing: Undoing) -> None:
        self.expander = expander = undoing.expander
        self.count = count
        self.random = np.random.default_rng(seed)
        self.undoing = undoing
        self.words = np.array([expander.packed_root()], np.uint64)
        self.whole = True  # are these all states of the level?
        self.past = Past(self.words, undoing, self.random)

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

    def thin(self) -> None:
        """Go on with half as many states, from the next level on."""
        self.count = max(self.count // 2, min(self.count, LEAST))

    def _go_to(self, words: Words, reached: Keys) -> None:
        self.words = words
        self.past.add(words[0], reached)

    def _weights(self, after: Words, origins: Places) -> NDArray[np.float64]:
        """Of each move, 1 over the number of states that lead to where it leads; 0 if it was there before."""
        names, first, which = named(digests_of(after))
        moves = _pairs(which, digests_of(self.words)[origins])
        before, of = self.undoing.predecessors(after[first], self.past.levels[-1])
        found = _pairs(of, digests_of(before))
        if (~among(moves, np.sort(found))).mean() > MISSED:
            self.undoing.learn(self.words[origins], after)
            before, of = self.undoing.predecessors(after[first], self.past.levels[-1])
            found = _pairs(of, digests_of(before))
        if (~among(moves, np.sort(found))).mean() > MOST_MISSED:
            raise UnsuitedError
        reached = self.past.are_reached(before)
        single = named(np.concatenate([moves, found[reached]]))[1]
        parents = np.bincount(np.concatenate([which, of[reached]])[single], minlength=len(names))
        weights: NDArray[np.float64] = 1.0 / parents[which]
        again = np.ones(len(moves), np.bool_)  # actions of a state that another one is as good as
        again[named(_pairs(origins, moves))[1]] = False
        weights[again] = 0.0
        return weights


class Past:
    """The last levels, and of which of their states it is known whether a game comes to them."""

    def __init__(self, root: Words, undoing: Undoing, random: np.random.Generator) -> None:
        self.undoing = undoing
        self.random = random
        self.levels = [root[0]]  # a state of each
        self.reached: list[Keys] = [digests_of(root)]  # in order
        self.refused: list[Keys] = [digests_of(root[:0])]  # no game comes to these, as far as was looked

    def add(self, state: NDArray[np.uint64], reached: Keys) -> None:
        """Go on to the next level: one of its states, and the digests of those that were met."""
        self.levels = [*self.levels, state][-BACK - 1 :]
        self.reached = [*self.reached, once(reached)][-BACK - 1 :]
        self.refused = [*self.refused, reached[:0]][-BACK - 1 :]

    def are_reached(self, words: Words) -> NDArray[np.bool_]:
        """Which of these states of the last level does a game come to?"""
        names, first, which = named(digests_of(words))
        known = among(names, self.reached[-1])
        asked = np.flatnonzero(~known & ~among(names, self.refused[-1]))
        found = self._asked(words[first[asked]])
        known[asked[found]] = True
        self.refused[-1] = _with(self.refused[-1], [names[asked[~found]]])
        return known[which]

    def _asked(self, states: Words) -> NDArray[np.bool_]:
        """The same of some that nothing is known of: their predecessors are followed, some of each."""
        found, left_out = np.zeros(len(states), np.bool_), np.zeros(len(states), np.bool_)
        of = after = np.arange(len(states))  # which of those asked about; which of the states before
        level, trail, asked_by = len(self.levels) - 1, [], []
        new: list[list[Keys]] = [[] for _ in self.levels]
        while level and len(states):
            trail.append((digests_of(states), after))
            asked_by.append(of)
            level -= 1
            states, after = self.undoing.predecessors(states, self.levels[level])
            of, digests = of[after], digests_of(states)
            met = among(digests, self.reached[level])
            found[of[met]] = True
            on = after[met]
            for above, (theirs, further) in enumerate(reversed(trail), level + 1):
                on = np.flatnonzero(np.bincount(on, minlength=len(theirs)))
                new[above].append(theirs[on])
                on = further[on]
            left = np.flatnonzero(~found[of] & ~among(digests, self.refused[level]))
            left = left[named(_pairs(of[left], digests[left]))[1]]
            ways = self._ways(states[left], level)
            some = self._some(of[left], ways, WIDTH if len(trail) < FIRST else NARROW)
            left_out[of[np.delete(left, some)]] = True
            left = left[some]
            states, of, after = states[left], of[left], after[left]
        left_out[of] = True
        self.reached = [_with(keys, more) for keys, more in zip(self.reached, new, strict=True)]
        in_vain = ~found & ~left_out  # no game comes to any of the states on their ways
        for above, ((theirs, _), by) in enumerate(zip(trail, asked_by, strict=True)):
            place = len(self.levels) - 1 - above
            self.refused[place] = _with(self.refused[place], [theirs[in_vain[by]]])
        return found

    def _ways(self, states: Words, level: int) -> Places:
        """How many moves may lead to each of these states of a level, by their bits."""
        if not level:
            return np.zeros(len(states), np.int64)
        _, origins = self.undoing.candidates(states, self.levels[level - 1])
        return np.bincount(origins, minlength=len(states))

    def _some(self, of: Places, ways: Places, most: int) -> Places:
        """The places of at most so many of those that belong together, those with the most ways."""
        order = self.random.permutation(len(of))
        order = order[np.lexsort((-ways[order], of[order]))]
        ordered = of[order]
        return order[np.arange(len(of)) - np.searchsorted(ordered, ordered) < most]


def _with(keys: Keys, more: list[Keys]) -> Keys:
    """Keys in order, with some more."""
    return once(np.concatenate([keys, *more])) if any(map(len, more)) else keys


def _pairs(states: Places, digests: Keys) -> Keys:
    """A word for each pair that hardly another one has."""
    return digests ^ states.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
