"""Packing: the numbers of a state (its leaves) in as few bits as they need, for tables of solved states."""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import word
from perfectplay.compiler.records import Word, record


@record
class Part:
    """Bits that are moved together: those of a leaf, from `up` on, to a word, from `down` on."""

    leaf: int
    up: int
    mask: int
    word: int
    down: int


@record
class Packing:
    """How states are packed."""

    leaves: int  # numbers of a state
    width: int  # words of a packed one
    parts: list[Part]
    parts_count: int
    lows: list[int]  # what each leaf is at least
    bases: list[int]  # the bits of a leaf, less that, which are always the same
    masks: list[int]  # and those that are not


def pack(packing: Packing, leaves: Any, words: Any, first: int) -> None:
    """Write the words of a state, from the first one on, whose leaves are given less their lows."""
    parts = packing.parts
    for place in range(packing.width):
        words[first + place] = word(0)
    for number in range(packing.parts_count):
        part = parts[number]
        words[first + part.word] |= word(leaves[part.leaf] >> part.up & part.mask) << part.down


def unpack(packing: Packing, words: list[Word], first: int, leaves: Any) -> None:
    """Write the leaves of a packed state, which has its words from the first one on."""
    parts, lows, bases = packing.parts, packing.lows, packing.bases
    for leaf in range(packing.leaves):
        leaves[leaf] = bases[leaf]
    for number in range(packing.parts_count):
        part = parts[number]
        leaves[part.leaf] |= (int(words[first + part.word] >> part.down) & part.mask) << part.up
    for leaf in range(packing.leaves):
        leaves[leaf] += lows[leaf]
