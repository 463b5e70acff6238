"""Sampling: how large the levels of a game are that are too large to be counted.

A state that *k* positions of a level lead to is found *k* times by whoever expands them all, and is one
position of the next level. So if every successor weighs 1 over the number of its predecessors, the mean
weight of all successors of a position is how many times larger the next level is; and successors that are
chosen by these weights are a fair sample of it, from which to go on.

No game can be asked for predecessors. Those of a state are searched for where they must be: among the
descendants of its known ancestors of some moves before. Most are found there, since moves that lead to
the same state are mostly the same ones in another order.

After Knuth, Estimating the efficiency of backtrack programs (1975), and Chen, Heuristic sampling (1992),
which count the nodes of trees; here, transpositions are counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.encoding import Encoding, ShapeEncoding
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.layout import Layout
from perfectplay.tablebase.rows import Words

BACK = 6  # moves before a position from which its predecessors are searched for
LEAST_BACK = 2  # the same, where there are too many states
MOST_STATES = 1 << 18  # of a level that are looked at, for all particles together
SHIFT = np.uint64(32)
FULL = np.uint64((1 << 64) - 1)
LOW = np.uint64((1 << 32) - 1)
MOST_LEAVES = 8  # that are looked at one by one
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)  # odd, and of no pattern

Keys = NDArray[np.uint64]  # the number of a particle in the high half, the place of a state in the low half
Places = NDArray[np.int64]


class NarrowError(Exception):
    """A successor does not fit the encoding: one that it fits."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self.encoding = encoding


class Drift:
    """Which bits of packed states no move sets, or none clears; the same of two moves; as far as was seen.

    What leads to a state has no bit that the state lacks and no move clears, and so on: elsewhere,
    predecessors need not be searched for.
    """

    def __init__(self, expander: Expander, shown: Sequence[Any]) -> None:
        encoding = expander.encoding
        assert isinstance(encoding, ShapeEncoding)
        self.leaves = _leaf_masks(encoding.layout)
        self.one = Changes(encoding.width, len(self.leaves))
        self.two = Changes(encoding.width, len(self.leaves))
        words = np.array([encoding.pack(state) for state in shown], np.uint64)
        found = expander.expand(words)
        self._see(self.one, np.repeat(words, found.counts, axis=0), found.words)
        later = expander.expand(found.words)
        before = np.repeat(np.repeat(words, found.counts, axis=0), later.counts, axis=0)
        self._see(self.two, before, later.words)

    def _see(self, changes: Changes, words: Words, after: Words) -> None:
        """Learn from states and what they have become."""
        if not len(words):
            return
        new, gone = ~words & after, words & ~after
        changes.set |= np.bitwise_or.reduce(new, axis=0)
        changes.cleared |= np.bitwise_or.reduce(gone, axis=0)
        for leaf, mask in enumerate(self.leaves):
            changes.gains[leaf] = int(_bits(new & ~changes.cleared & mask).max())
            changes.losses[leaf] = int(_bits(gone & ~changes.set & mask).max())

    def leads(self, words: Words, moves: int, kin: Kin) -> NDArray[np.bool_]:
        """Which of these can lead, in so many moves, to a state or a sibling of it, and to a successor."""
        one, two = self.one, self.two
        fits = self._few(one, words, kin.own)
        beyond, lacking = words & ~kin.own & ~one.cleared, kin.own & ~words & ~one.set
        fits &= (((beyond & ~kin.some) | (lacking & kin.every)) == 0).all(axis=1)
        if moves % 2:  # and so an even number to the successors
            beyond, lacking = words & ~kin.next_some & ~two.cleared, kin.next_every & ~words & ~two.set
            fits &= ((beyond | lacking) == 0).all(axis=1)
            return fits
        return fits & self._few(two, words, kin.own)

    def _few(self, changes: Changes, words: Words, own: Words) -> NDArray[np.bool_]:
        """Which of these have not more bits that others lack, leaf by leaf, than moves set at once?"""
        beyond, lacking = words & ~own & ~changes.cleared, own & ~words & ~changes.set
        fits = np.ones(len(words), np.bool_)
        for leaf, mask in enumerate(self.leaves):
            if (mask & ~changes.cleared).any():
                fits &= _bits(beyond & mask) <= changes.gains[leaf]
            if (mask & ~changes.set).any():
                fits &= _bits(lacking & mask) <= changes.losses[leaf]
        return fits


class Changes:
    """The bits that moves set and clear; of bits that moves only set, or only clear, how many at once."""

    def __init__(self, width: int, leaves: int) -> None:
        self.set = np.zeros(width, np.uint64)
        self.cleared = np.zeros(width, np.uint64)
        self.gains = [0] * leaves
        self.losses = [0] * leaves


@dataclass
class Kin:
    """Bits of particles; those that they or some successors have, and all; those of successors alone."""

    own: Words
    some: Words
    every: Words
    next_some: Words
    next_every: Words

    def of(self, which: Places) -> Kin:
        """Those of some particles."""
        return Kin(*(words[which] for words in vars(self).values()))


@dataclass
class Generation:
    """States of a level, each once, and their successors by their places among those of the next level."""

    words: Words
    digests: Keys  # of the words, in order
    starts: Places  # [n + 1]: of the successors of each
    successors: Keys

    def narrow(self, used: Keys) -> None:
        """Keep these of the successors alone, and number them anew."""
        at = np.minimum(np.searchsorted(used, self.successors), len(used) - 1)
        kept = used[at] == self.successors
        self.successors = at[kept].astype(np.uint64)
        self.starts = np.concatenate([[0], np.cumsum(kept)])[self.starts]

    def edges(self, keys: Keys) -> tuple[Keys, Places]:
        """The successors of states, by particle; and of which of the keys each is one."""
        at = _places(keys)
        counts = self.starts[at + 1] - self.starts[at]
        origin = np.repeat(np.arange(len(keys)), counts)
        places = np.arange(len(origin)) + np.repeat(self.starts[at] - (np.cumsum(counts) - counts), counts)
        return _particles(keys)[origin] | self.successors[places], origin


class Particles:
    """A fair sample of a level: each particle is a state, with those ancestors of it that are known.

    `cones` has these, level by level, as keys; the last level has the particles themselves.
    """

    def __init__(self, expander: Expander, count: int, seed: int, drift: Drift) -> None:
        self.expander = expander
        self.random = np.random.default_rng(seed)
        self.count = count
        self.drift = drift
        self.words = [np.array([expander.packed_root()], np.uint64)]
        self.cones: list[Keys] = [np.arange(count, dtype=np.uint64) << SHIFT]

    def step(self) -> float:
        """Go on to the next level; how many times larger it is than this one."""
        generations, members, children = self._descendants()
        last = generations[-1]
        own = np.searchsorted(last.digests, digests_of(self.words[-1][_places(self.cones[-1])]))
        family, _ = last.edges(_particles(self.cones[-1]) | own.astype(np.uint64))
        everyone = np.sort(last.edges(members[-1])[0])
        parents = np.searchsorted(everyone, family, "right") - np.searchsorted(everyone, family, "left")
        weights = 1.0 / parents
        weights[_are_old(generations, members, children, family)] = 0.0
        ratio = float(weights.sum()) / self.count
        if ratio:
            order = self.random.permutation(len(family))
            steps = (np.arange(self.count) + self.random.random()) / self.count  # evenly, which varies least
            chosen = np.searchsorted(np.cumsum(weights[order]) / weights.sum(), steps)
            chosen = order[np.minimum(chosen, len(family) - 1)]
            self._go_to(generations, members, children, family[chosen])
        return ratio

    def _descendants(self) -> tuple[list[Generation], list[Keys], Words]:
        """The descendants of the earliest ancestors, to the level of the particles; and all of the next."""
        kin = self._kin()
        words, members, generations = self.words[0], [self.cones[0]], []
        while True:
            generation, words = self._expanded(words)
            generations.append(generation)
            if len(generations) == len(self.cones):
                return generations, members, words
            keys = once(generation.edges(members[-1])[0])
            which = (keys >> SHIFT).astype(np.int64)
            moves = len(self.cones) - 1 - len(members)
            keys = keys[self.drift.leads(words[_places(keys)], moves, kin.of(which))]
            if len(keys) > MOST_STATES and self._lighten():
                return self._descendants()
            used = once(keys & LOW)
            generation.narrow(used)
            words = words[used.astype(np.int64)]
            members.append(_particles(keys) | np.searchsorted(used, keys & LOW).astype(np.uint64))

    def _kin(self) -> Kin:
        """The bits of the particles, and of their successors."""
        own = self.words[-1][_places(self.cones[-1])]
        found = self.expander.expand(own)
        which = np.repeat(np.arange(len(own)), found.counts)
        some, every = np.zeros_like(own), np.full_like(own, FULL)
        np.bitwise_or.at(some, which, found.words)
        np.bitwise_and.at(every, which, found.words)
        over = found.counts == 0
        some[over], every[over] = FULL, 0
        return Kin(own, own | some, own & every, some, every)

    def _lighten(self) -> bool:
        """Look less far back, or go on with fewer particles; False if neither can be."""
        if len(self.cones) > LEAST_BACK + 1:
            del self.cones[0], self.words[0]
        elif self.count > 1:
            self.count //= 2
            self.cones = [keys[keys >> SHIFT < self.count] for keys in self.cones]
        else:
            return False
        return True

    def _expanded(self, words: Words) -> tuple[Generation, Words]:
        """States with their successors, and these, each once."""
        found = self.expander.expand(words)
        wider = self.expander.encoding.widened(found.least, found.varying)
        if wider is not None:
            raise NarrowError(wider)
        digests = digests_of(found.words)
        order = np.argsort(digests)
        reached = digests[order]
        first = np.ones(len(reached), np.bool_)
        first[1:] = reached[1:] != reached[:-1]
        places = np.empty(len(reached), np.uint64)
        places[order] = np.cumsum(first) - 1
        origin = np.repeat(np.arange(len(words), dtype=np.uint64), found.counts)
        edges = once(origin << SHIFT | places)
        starts = np.searchsorted(edges, np.arange(len(words) + 1, dtype=np.uint64) << SHIFT)
        return Generation(words, digests_of(words), starts, edges & LOW), found.words[order[first]]

    def _go_to(
        self, generations: list[Generation], members: list[Keys], children: Words, chosen: Keys
    ) -> None:
        """Make the chosen successors the particles, and keep what leads to each."""
        before = chosen >> SHIFT  # which particle each comes from
        new = np.arange(len(chosen), dtype=np.uint64) << SHIFT
        cone = new | chosen & LOW
        cones, words = [cone], [children]
        for generation, keys in zip(reversed(generations), reversed(members), strict=True):
            begins, ends = (np.searchsorted(keys, at << SHIFT) for at in (before, before + np.uint64(1)))
            counts = ends - begins
            places = np.arange(int(counts.sum())) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
            theirs = np.repeat(new, counts) | keys[places] & LOW
            reached, origin = generation.edges(theirs)
            leads = np.zeros(len(theirs), np.bool_)
            leads[origin[among(reached, cone)]] = True
            cone = theirs[leads]
            cones.append(cone)
            words.append(generation.words)
        kept = min(BACK + 1, len(cones))
        self.cones, self.words = [], []
        for keys, states in zip(cones[kept - 1 :: -1], words[kept - 1 :: -1], strict=True):
            used = once(keys & LOW)
            self.cones.append(_particles(keys) | np.searchsorted(used, keys & LOW).astype(np.uint64))
            self.words.append(states[used.astype(np.int64)])


def _are_old(
    generations: list[Generation], members: list[Keys], children: Words, family: Keys
) -> NDArray[np.bool_]:
    """Which of these successors are in an earlier level, and so not in the next."""
    old = np.zeros(len(family), np.bool_)
    digests = digests_of(children[_places(family)])
    for generation, keys in zip(generations, members, strict=True):
        at = np.minimum(np.searchsorted(generation.digests, digests), len(generation.digests) - 1)
        there = generation.digests[at] == digests
        if there.any():
            old |= there & among(_particles(family) | at.astype(np.uint64), keys)
    return old


def _places(keys: Keys) -> Places:
    return (keys & LOW).astype(np.int64)


def _particles(keys: Keys) -> Keys:
    return keys >> SHIFT << SHIFT


def once(keys: Keys) -> Keys:
    """Keys in order, each once."""
    keys = np.sort(keys)
    first = np.ones(len(keys), np.bool_)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first]


def named(digests: Keys) -> tuple[Keys, Places, Places]:
    """The digests in order, each once; where each is first; and which of them each is."""
    order = np.argsort(digests, kind="stable")
    ordered = digests[order]
    new = np.ones(len(ordered), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    which = np.empty(len(ordered), np.int64)
    which[order] = np.cumsum(new) - 1
    return ordered[new], order[new], which


def among(wanted: Keys, keys: Keys) -> NDArray[np.bool_]:
    """Which of these are among keys that are in order."""
    if not len(keys):
        return np.zeros(len(wanted), np.bool_)
    found: NDArray[np.bool_] = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
    return found


def digests_of(words: Words) -> Keys:
    """A word for each state that hardly another one has; of states of one word, no other."""
    found = np.zeros(len(words), np.uint64)
    for column in range(words.shape[1]):
        found ^= words[:, column]
        for multiplier in MULTIPLIERS:
            found = (found ^ found >> SHIFT) * np.uint64(multiplier)
    return found


def _bits(words: Words) -> Places:
    """How many bits each state has."""
    counts: Places = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return counts


def _leaf_masks(layout: Layout) -> list[NDArray[np.uint64]]:
    """The bits of packed states that belong to each leaf; of very many leaves, all as one."""
    few = len(layout.lows) <= MOST_LEAVES
    masks = [np.zeros(layout.width, np.uint64) for _ in (layout.lows if few else [0])]
    for leaf, _, mask, word, down in layout.parts:
        masks[leaf if few else 0][word] |= np.uint64(mask << down)
    return masks
