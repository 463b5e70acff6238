"""Packing: a state as one number of as few words as it needs, for tables of solved states.

The game itself packs it, or else the numbers that it is made of (its leaves) are put next to each other,
without the bits that are the same in all states.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import (
    is_packed_by_game,
    number_in,
    put_leaves,
    put_number,
    state_of,
    word,
)
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
    """How states are packed; the parts and what follows, where the game does not do it."""

    leaves: int  # numbers of a state
    width: int  # words of a packed one
    bits: int  # of a packed one
    parts: list[Part]
    parts_count: int
    lows: list[int]  # what each leaf is at least
    bases: list[int]  # the bits of a leaf, less that, which are always the same
    masks: list[int]  # and those that are not


def state_at(game: Any, form: Any, packing: Packing, words: list[Word], first: int, leaves: Any) -> Any:
    """The state whose words begin there; `leaves` is room for its numbers."""
    if is_packed_by_game(form):
        return game.unpack(number_in(words, first, packing.width, form))
    unpack(packing, words, first, leaves)
    return state_of(leaves, form)


def packed(game: Any, form: Any, packing: Packing, state: Any, leaves: Any, words: Any) -> bool:
    """Write the words of a state that may be none of the game's; False if it has none."""
    if not put_leaves(leaves, state, form):
        return False
    if is_packed_by_game(form):
        if not put_number(words, 0, packing.width, game.pack(state), form):
            return False
        top = packing.bits - 64 * (packing.width - 1)
        if top < 64 and words[packing.width - 1] >> top != 0:
            return False
        return bool(game.unpack(number_in(words, 0, packing.width, form)) == state)
    for leaf in range(packing.leaves):
        above = leaves[leaf] - packing.lows[leaf]
        if leaves[leaf] < packing.lows[leaf] or (above ^ packing.bases[leaf]) & ~packing.masks[leaf] != 0:
            return False
        leaves[leaf] = above
    pack(packing, leaves, words, 0)
    return True


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
