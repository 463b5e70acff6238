"""Endgames: what a solved table says of a state, for a search that meets it there.

The table is made of raw words, and is read compiled alone.
Where Python runs the search, it asks the table itself.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import object_memory as machine

# An index for probes is a block of what is needed to look a state up, in these places. One thread uses it
# at a time.
LEAVES, WIDTH, PARTS_COUNT, LEVELS, VALUE_BYTES, SYMMETRY, WORTHS = 0, 1, 2, 3, 4, 5, 6
PARTS_AT, LOWS_AT, BASES_AT, MASKS_AT, LEVELS_AT, WORTHS_AT = 7, 8, 9, 10, 11, 12
SCRATCH_AT, WORDS_AT = 13, 14  # room for the leaves of a state, and for its packed words
PLACES = 15

# Of each level, one after the other: after these, a word of SOME and of ALL for every word of a state.
ROWS_AT, COUNT, STARTS_AT, STARTS_COUNT, SHIFT, VALUES_AT, ENDS_AT, BITS = 0, 1, 2, 3, 4, 5, 6, 7

PARTS = 5  # numbers of a part of a packed state: leaf, shift in the leaf, mask, word, shift in the word


def narrowed(game: Any, probe_index: Any, state: Any, low: Any, high: Any) -> Any:
    """The limits of the value of a state to the player who moves: both are the value if the table has it."""
    if low >= high:
        return low, high
    found = look_up(game, state, probe_index)
    if found < 0:
        return low, high
    worths = machine.number(probe_index, WORTHS_AT)  # beyond the last there is a 0, for a draw
    worth = machine.real(worths, min(found & 0xFFFF, machine.number(probe_index, WORTHS)))
    value = worth if found >> 32 == 0 else 0.0 - worth
    return value, value


def look_up(game: Any, state: Any, probe_index: Any) -> Any:
    """The value, by number, and 65536 times the remoteness, and 2**32 if MIN is to move; -1: not there.

    The rules are asked about states that are there alone: of others, they may say anything, or stumble.
    Only `canonical` must come first.
    """
    if machine.number(probe_index, SYMMETRY) != 0:
        fits = machine.put_leaves(machine.number(probe_index, SCRATCH_AT), game.canonical(state), None)
    else:
        fits = machine.put_leaves(machine.number(probe_index, SCRATCH_AT), state, None)
    if not fits or not packed(probe_index):
        return -1
    width, words = machine.number(probe_index, WIDTH), machine.number(probe_index, WORDS_AT)
    levels = machine.number(probe_index, LEVELS_AT)
    level = 0
    for _ in range(machine.number(probe_index, LEVELS)):
        if may_have(levels, level, words, width):
            place = place_in(levels, level, words, width)
            if place >= 0:
                values = machine.number(levels, level + VALUES_AT)
                narrow = machine.number(probe_index, VALUE_BYTES) == 1
                value = machine.byte(values, place) if narrow else machine.short(values, place)
                until = machine.short(machine.number(levels, level + ENDS_AT), place)
                mover = 0 if machine.for_max(game.to_move(state)) else 1
                return value | until << 16 | mover << 32
        level += BITS + 2 * width
    return -1


def packed(probe_index: Any) -> Any:
    """Pack the leaves in an index into its words; False if they do not fit."""
    scratch, words = machine.number(probe_index, SCRATCH_AT), machine.number(probe_index, WORDS_AT)
    lows, bases = machine.number(probe_index, LOWS_AT), machine.number(probe_index, BASES_AT)
    masks, parts = machine.number(probe_index, MASKS_AT), machine.number(probe_index, PARTS_AT)
    for leaf in range(machine.number(probe_index, LEAVES)):
        value, low = machine.number(scratch, leaf), machine.number(lows, leaf)
        if value < low or ((value - low) ^ machine.number(bases, leaf)) & ~machine.number(masks, leaf) != 0:
            return False
        machine.put(scratch, leaf, value - low)
    for word in range(machine.number(probe_index, WIDTH)):
        machine.put(words, word, machine.as_word(0))
    for part in range(0, PARTS * machine.number(probe_index, PARTS_COUNT), PARTS):
        leaf, up = machine.number(parts, part), machine.number(parts, part + 1)
        word, down = machine.number(parts, part + 3), machine.number(parts, part + 4)
        bits = machine.as_word((machine.number(scratch, leaf) >> up) & machine.number(parts, part + 2))
        machine.put(words, word, machine.word(words, word) | bits << machine.as_word(down))
    return True


def may_have(levels: Any, level: Any, words: Any, width: Any) -> Any:
    """Can a level have this state, by the bits that none or all of its states have?"""
    for place in range(width):
        word = machine.word(words, place)
        some = machine.word(levels, level + BITS + place)
        every = machine.word(levels, level + BITS + width + place)
        if word & ~some != 0 or every & ~word != 0:
            return False
    return True


def place_in(levels: Any, level: Any, words: Any, width: Any) -> Any:
    """Where a state is in a level, or -1."""
    rows, starts = machine.number(levels, level + ROWS_AT), machine.number(levels, level + STARTS_AT)
    base, word = stored(rows, 0, width), machine.word(words, width - 1)
    if word < base:
        return -1
    prefix = machine.as_number((word - base) >> machine.as_word(machine.number(levels, level + SHIFT)))
    if prefix >= machine.number(levels, level + STARTS_COUNT) - 1:
        return -1
    low, high = machine.number(starts, prefix), machine.number(starts, prefix + 1)
    while low < high:
        middle = (low + high) >> 1
        if compared(rows, middle, words, width) < 0:
            low = middle + 1
        else:
            high = middle
    if low < machine.number(levels, level + COUNT) and compared(rows, low, words, width) == 0:
        return low
    return -1


def compared(rows: Any, place: Any, words: Any, width: Any) -> Any:
    """-1, 0 or 1: is the row in this place before the state, the state itself, or after it?"""
    for number in range(width):
        row, word = stored(rows, place * width + number, width), machine.word(words, width - 1 - number)
        if row != word:
            return -1 if row < word else 1
    return 0


def stored(rows: Any, place: Any, width: Any) -> Any:
    """A word of the rows: where a state has several, the last comes first, and its highest byte."""
    word = machine.word(rows, place)
    return word if width == 1 else machine.swapped(word)
