"""Endgames: what a solved table says of a state, for a search that meets it there.

The table is made of raw words, and is read compiled alone.
Where Python runs the search, it asks the table itself (`endgame_table.AskedEndgames`).
"""

from __future__ import annotations

from math import nan
from typing import Any

from perfectplay.compiler.primitives import word_at
from perfectplay.compiler.records import Byte, Short, State, Word, record
from perfectplay.engine.block_checksums import CheckedFile, is_right
from perfectplay.engine.packing import Packing, packed
from perfectplay.game import MAX

ABSENT, DAMAGED = -1, -2  # instead of what is stored of a state


@record
class SolvedLevel:
    """A level of the table: packed states in order, and what they are worth."""

    tier: int
    rows: list[Byte]  # so many bytes each, the lowest first
    count: int
    starts: list[int]  # where the rows of every prefix of the last word begin
    starts_count: int
    shift: int  # of the last word, for its prefix
    narrow_values: list[Byte]  # by number; these if they fit into a byte
    values: list[Short]
    ends: list[Short]  # how many plies are left
    rows_file: CheckedFile
    values_file: CheckedFile
    ends_file: CheckedFile
    some: list[Word]  # the bits that some state has
    every: list[Word]  # and those that all states have


@record
class ProbeIndex:
    """What is needed to look a state up. One thread uses it at a time."""

    packing: Packing
    row_bytes: int  # of a packed state in the rows
    top: Word  # the bits of its last word that are stored
    tiers: bool  # is a level a tier of the game?
    levels: list[SolvedLevel]
    levels_count: int
    value_bytes: int
    symmetry: bool  # are representatives alone in the table?
    worths: list[float]  # what each value is worth to MAX; beyond the last there is a 0, for a draw
    worths_count: int
    leaves: list[int]  # room for those of a state
    words: list[Word]  # and for its packed words

    def value(self, game: Any, state: State) -> float:
        """What a state is worth to the player who moves; not a number if the table does not have it."""
        found = look_up(game, state, self)
        if found < 0:
            return nan
        worth = self.worths[min(found & 0xFFFF, self.worths_count)]
        return worth if found >> 32 == 0 else 0.0 - worth


def narrowed(
    game: Any, endgames: ProbeIndex | None, state: State, low: float, high: float
) -> tuple[float, float]:
    """The limits of the value of a state to the player who moves: both are the value if the table has it."""
    if endgames is None or low >= high:
        return low, high
    value = endgames.value(game, state)
    return (value, value) if value == value else (low, high)


def look_up(game: Any, state: State, index: ProbeIndex) -> int:
    """The value, by number, and 65536 times the remoteness, and 2**32 if MIN is to move; or ABSENT, DAMAGED.

    The rules are asked about states that are there alone: of others, they may say anything, or stumble.
    Only `canonical` must come first, and `tier` where it says in which level to look.
    """
    chosen = game.canonical(state) if index.symmetry else state
    if not packed(game, None, index.packing, chosen, index.leaves, index.words):
        return ABSENT
    width = index.packing.width
    tier = game.tier(chosen) if index.tiers else 0
    for number in range(index.levels_count):
        level = index.levels[number]
        if (not index.tiers or level.tier == tier) and may_have(level, index.words, width):
            place = place_in(level, index, index.words, width)
            if not is_as_written(level, index, index.words, width, place):
                return DAMAGED
            if place >= 0:
                value = level.narrow_values[place] if index.value_bytes == 1 else level.values[place]
                mover = 0 if game.to_move(state) == MAX else 1
                return value | level.ends[place] << 16 | mover << 32
    return ABSENT


def is_as_written(level: SolvedLevel, index: ProbeIndex, words: list[Word], width: int, place: int) -> bool:
    """Is it what was written, by which a state is in this place, or before it if that is -1 less the place?

    A state is not there if the rows beside its place are what was written, and less and more than it.
    """
    size = index.row_bytes
    if place >= 0:
        return (
            is_right(level.rows_file, place * size, (place + 1) * size)
            and is_right(level.values_file, place * index.value_bytes, (place + 1) * index.value_bytes)
            and is_right(level.ends_file, 2 * place, 2 * place + 2)
        )
    after = -1 - place
    return (
        is_right(level.rows_file, max(after - 1, 0) * size, min(after + 1, level.count) * size)
        and (after == 0 or compared(level, index, after - 1, words, width) < 0)
        and (after == level.count or compared(level, index, after, words, width) > 0)
    )


def may_have(level: SolvedLevel, words: list[Word], width: int) -> bool:
    """Can a level have this state, by the bits that none or all of its states have?"""
    for place in range(width):
        if words[place] & ~level.some[place] != 0 or level.every[place] & ~words[place] != 0:
            return False
    return True


def place_in(level: SolvedLevel, index: ProbeIndex, words: list[Word], width: int) -> int:
    """Where a state is in a level, or -1 less the place before which it would be."""
    base, last = stored(level, index, 0, width - 1, width), words[width - 1]
    if last < base:
        return -1
    prefix = int((last - base) >> level.shift)
    if prefix >= level.starts_count - 1:
        return -1 - level.count
    low, high = level.starts[prefix], level.starts[prefix + 1]
    while low < high:
        middle = (low + high) >> 1
        if compared(level, index, middle, words, width) < 0:
            low = middle + 1
        else:
            high = middle
    if low < level.count and compared(level, index, low, words, width) == 0:
        return low
    return -1 - low


def compared(level: SolvedLevel, index: ProbeIndex, place: int, words: list[Word], width: int) -> int:
    """-1, 0 or 1: is the row in this place before the state, the state itself, or after it?"""
    for number in range(width - 1, -1, -1):
        row, wanted = stored(level, index, place, number, width), words[number]
        if row != wanted:
            return -1 if row < wanted else 1
    return 0


def stored(level: SolvedLevel, index: ProbeIndex, place: int, number: int, width: int) -> Word:
    """A word of a row."""
    found = word_at(level.rows, place * index.row_bytes + 8 * number)
    return found & index.top if number == width - 1 else found
