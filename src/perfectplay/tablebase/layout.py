"""Layout: how the numbers of a state are packed into as few words as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WORD = 64
SIGN = 1 << 63
FULL = (1 << 64) - 1


@dataclass(frozen=True)
class Layout:
    """Of every number of a state (a leaf): what it is at least, and which bits of the rest vary.

    Bits that are the same in all states are not stored. The others of leaf 0 come first, from the lowest
    of word 0 on, then those of leaf 1, and so on.
    """

    lows: tuple[int, ...]
    bases: tuple[int, ...]  # a leaf less its low, in the first state
    masks: tuple[int, ...]  # the bits of that which vary

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Layout:
        """The smallest layout that holds states with these leaves."""
        lows = tuple(min(0, *column) for column in zip(*rows, strict=True))
        bases = tuple(leaf - low for leaf, low in zip(rows[0], lows, strict=True))
        masks = [0] * len(lows)
        for row in rows:
            for place, leaf in enumerate(row):
                masks[place] |= (leaf - lows[place]) ^ bases[place]
        return cls(lows, bases, tuple(masks))

    def widened(self, least: Sequence[int], varying: Sequence[int]) -> Layout:
        """A layout that also holds leaves of so little, and with these varying bits; itself if it does."""
        if all(low <= new for low, new in zip(self.lows, least, strict=True)):
            wider = (mask | int(new) & FULL for mask, new in zip(self.masks, varying, strict=True))
            return Layout(self.lows, self.bases, tuple(wider))
        lows, bases, masks = [], [], []
        for low, base, mask, new, bits in zip(self.lows, self.bases, self.masks, least, varying, strict=True):
            if new < low:  # where a leaf begins lower, any bit of it may vary up to the highest
                high = ((mask | bits | base) & FULL) + low - int(new)
                lows.append(int(new))
                bases.append(base + low - int(new))
                masks.append((1 << min(high.bit_length() + 1, WORD)) - 1)
            else:
                lows.append(low)
                bases.append(base)
                masks.append(mask | int(bits) & FULL)
        return Layout(tuple(lows), tuple(bases), tuple(masks))

    @property
    def constants(self) -> list[int]:
        """The bits of each leaf that are the same in all states."""
        return [base & ~mask for base, mask in zip(self.bases, self.masks, strict=True)]

    @property
    def bits(self) -> int:
        """Of a packed state."""
        return sum(mask.bit_count() for mask in self.masks)

    @property
    def width(self) -> int:
        """Words of a packed state."""
        return max(1, -(-self.bits // WORD))

    @property
    def parts(self) -> list[tuple[int, int, int, int, int]]:
        """The bits that are moved together: leaf, shift in the leaf, mask, word, shift in the word."""
        found = []
        used = 0
        for leaf, mask in enumerate(self.masks):
            up = 0
            while mask >> up:
                if not mask >> up & 1:
                    up += 1
                    continue
                length = 0
                while length < WORD - used % WORD and length < 63 and mask >> up + length & 1:
                    length += 1
                found.append((leaf, up, (1 << length) - 1, used // WORD, used % WORD))
                used += length
                up += length
        return found

    def pack(self, leaves: Sequence[int]) -> tuple[int, ...] | None:
        """The words of a state with these leaves, or None if they do not fit."""
        words = [0] * self.width
        rest = [leaf - low for leaf, low in zip(leaves, self.lows, strict=True)]
        if any(
            value < 0 or (value ^ base) & FULL & ~mask
            for value, base, mask in zip(rest, self.bases, self.masks, strict=True)
        ):
            return None
        for leaf, up, mask, word, down in self.parts:
            words[word] |= (rest[leaf] >> up & mask) << down
        return tuple(words)

    def columns(self, words: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
        """The leaves of many packed states, leaf by leaf."""
        found = [np.full(len(words), constant, np.int64) for constant in self.constants]
        for leaf, up, mask, word, down in self.parts:
            found[leaf] |= ((words[:, word] >> np.uint64(down)).astype(np.int64) & mask) << up
        return [column + low for column, low in zip(found, self.lows, strict=True)]

    def unpack(self, words: Sequence[int]) -> list[int]:
        """The leaves that were packed into these words."""
        rest = self.constants
        for leaf, up, mask, word, down in self.parts:
            rest[leaf] |= (int(words[word]) >> down & mask) << up
        return [value + low for value, low in zip(rest, self.lows, strict=True)]


def signed(word: int) -> int:
    """The lowest 64 bits of an integer as a number with a sign, as machine code has it."""
    return (word & FULL ^ SIGN) - SIGN
