"""Probes of a compressed table: the look-up of a state in the blocks that are unpacked, and the unpacking.

Compiled with the rules of a game. What must stay outside is zstd: a look-up that needs another block says
which, the caller has its bytes put into the index, and the next call makes rows of them before it looks.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, state_of, word, word_at
from perfectplay.compiler.records import Byte, State, Word, record
from perfectplay.engine.packing import Packing, packed
from perfectplay.game import MAX

NOWHERE = -1  # the state is in no block
NO_SLOT = -1  # of a block that is not unpacked


@record
class PackedLevel:
    """A level of the table: the first state of every block, and which slot a block is unpacked in."""

    tier: int
    firsts: list[Byte]  # so many bytes each, the lowest first
    count: int  # blocks
    slots: list[int]  # [count]
    some: list[Word]  # the bits that some state has
    every: list[Word]  # and those that all states have


@record
class BlockIndex:
    """What is needed to look a state up. One thread uses it at a time."""

    packing: Packing
    row_bytes: int  # of a packed state
    top: Word  # the bits of its last word that are stored
    tiers: bool  # is a level a tier of the game?
    levels: list[PackedLevel]
    levels_count: int
    value_bytes: int
    end_bytes: int  # 0: there is no remoteness
    symmetry: bool  # are representatives alone in the table?
    leaves: list[int]  # room for those of a state
    words: list[Word]  # and for its packed words
    rows_each: int  # of a slot
    rows: list[Word]  # [slots * rows_each * width]: states, the lowest word first
    counts: list[int]  # [slots]: rows that are there
    planes_each: int  # bytes of a slot
    planes: list[Byte]  # [slots * planes_each]: the bytes of the blocks, of which rows are made
    level: int  # of a block whose bytes were put there
    block: int  # its number
    slot: int  # where it goes; NO_SLOT if there is none


def look_up_in_blocks(game: Any, state: State, index: BlockIndex) -> int:
    """What `endgames.look_up` says of a state; or less than -1: another block is needed.

    That is -2 less the number of the block, less 2**32 times that of the level.
    """
    if index.slot != NO_SLOT:
        _unpack(index)
    chosen = game.canonical(state) if index.symmetry else state
    if not packed(game, None, index.packing, chosen, index.leaves, index.words):
        return NOWHERE
    width = index.packing.width
    tier = game.tier(chosen) if index.tiers else 0
    for number in range(index.levels_count):
        level = index.levels[number]
        if (index.tiers and level.tier != tier) or not _may_have(level, index.words, width):
            continue
        block = _block_of(level, index, width)
        if block < 0:
            continue
        slot = level.slots[block]
        if slot == NO_SLOT:
            return -2 - (number << 32 | block)
        place = _place_in(index, slot, width)
        if place >= 0:
            mover = 0 if game.to_move(state) == MAX else 1
            return _stored_at(index, slot, place - slot * index.rows_each) | mover << 32
    return NOWHERE


def look_up_all_in_blocks(
    game: Any, form: Any, index: BlockIndex, scratch: Any, states: Any, leaves: Any, answers: Any
) -> None:
    """The same of states whose leaves are in the rows of a flat array."""
    for number in range(len(answers)):
        for leaf in range(leaves):
            scratch[leaf] = states[number * leaves + leaf]
        mark = arena_mark()
        answers[number] = look_up_in_blocks(game, state_of(scratch, form), index)
        arena_release(mark)


def _may_have(level: PackedLevel, words: list[Word], width: int) -> bool:
    """Can a level have this state, by the bits that none or all of its states have?"""
    for place in range(width):
        if words[place] & ~level.some[place] != 0 or level.every[place] & ~words[place] != 0:
            return False
    return True


def _block_of(level: PackedLevel, index: BlockIndex, width: int) -> int:
    """The last block whose first state is not after the one in the index; -1 if there is none."""
    low, high = 0, level.count
    while low < high:
        middle = (low + high) >> 1
        after = False
        for number in range(width - 1, -1, -1):
            first = word_at(level.firsts, middle * index.row_bytes + 8 * number)
            if number == width - 1:
                first &= index.top
            if first != index.words[number]:
                after = first > index.words[number]
                break
        if after:
            high = middle
        else:
            low = middle + 1
    return low - 1


def _place_in(index: BlockIndex, slot: int, width: int) -> int:
    """Where the state in the index is among the rows of a slot, counted through all slots; or -1."""
    begin = slot * index.rows_each
    low, high = begin, begin + index.counts[slot]
    end = high
    while low < high:
        middle = (low + high) >> 1
        before = False
        for number in range(width - 1, -1, -1):
            row = index.rows[middle * width + number]
            if row != index.words[number]:
                before = row < index.words[number]
                break
        if before:
            low = middle + 1
        else:
            high = middle
    if low == end:
        return -1
    for number in range(width):
        if index.rows[low * width + number] != index.words[number]:
            return -1
    return low


def _unpack(index: BlockIndex) -> None:
    """Make rows of the bytes of a block, in its slot, and keep values and remoteness as they are there.

    One plane is gone through after the other, which machine code does many rows at a time.
    """
    width, row_bytes, slot = index.packing.width, index.row_bytes, index.slot
    level, rows, planes = index.levels[index.level], index.rows, index.planes
    count, first_plane = index.counts[slot], slot * index.planes_each
    for number in range(width):
        at = slot * index.rows_each * width + number
        plane = first_plane + 8 * number * count
        for place in range(count):
            rows[at + place * width] = word(planes[plane + place])
        for byte in range(1, min(row_bytes - 8 * number, 8)):
            plane += count
            for place in range(count):
                rows[at + place * width] |= word(planes[plane + place]) << (8 * byte)
        value = word_at(level.firsts, index.block * row_bytes + 8 * number)
        if number == width - 1:
            value &= index.top
        for place in range(count):
            step = rows[at + place * width]
            value = value + step if width == 1 else value ^ step
            rows[at + place * width] = value
    level.slots[index.block] = slot
    index.slot = NO_SLOT


def _stored_at(index: BlockIndex, slot: int, place: int) -> int:
    """The value, by number, and 65536 times the remoteness, of a place in a slot."""
    count = index.counts[slot]
    at = slot * index.planes_each + index.row_bytes * count + place
    found = int(index.planes[at])
    if index.value_bytes == 2:
        at += count
        found |= int(index.planes[at]) << 8
    if index.end_bytes == 2:
        found |= int(index.planes[at + count]) << 16 | int(index.planes[at + 2 * count]) << 24
    return found
