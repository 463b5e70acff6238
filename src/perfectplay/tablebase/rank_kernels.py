"""Ranks in machine code: the ranks of packed states, the states of ranks, and probes of a table by rank.

Where such a table is compressed, zstd stays outside: a look-up that needs a block that is not there says
which, and is asked again when it is.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, put_leaves, state_of
from perfectplay.compiler.records import Byte, Short, State, Word, record
from perfectplay.engine.block_checksums import CheckedFile, is_right
from perfectplay.engine.endgames import ABSENT, DAMAGED
from perfectplay.engine.packing import Packing, packed, state_at
from perfectplay.game import MAX
from perfectplay.tablebase.block_kernels import NO_SLOT

WANTED = -3  # and below: a block is to be unpacked first
NARROW_NOTHING, NOTHING = 0xFF, 0xFFFF  # in the place of a value, where no position has the rank


@record
class RankedLevel:
    """A tier of the table: what the position of every rank is worth, or where that is in slots."""

    tier: int
    count: int  # ranks
    narrow_values: list[Byte]  # by number; these if they fit into a byte
    values: list[Short]
    ends: list[Short]  # how many plies are left
    values_file: CheckedFile
    ends_file: CheckedFile
    slots: list[int]  # of every block


@record
class RankIndex:
    """What is needed to look a state up. One thread uses it at a time."""

    levels: list[RankedLevel]
    levels_count: int
    value_bytes: int
    symmetry: bool  # are representatives alone in the table?
    compressed: bool
    rows_each: int  # ranks of a block
    values: list[Short]  # [slots * rows_each], where it is compressed
    ends: list[Short]  # likewise
    leaves: list[int]  # room for those of a state


def look_up_by_rank(game: Any, state: State, index: RankIndex) -> int:
    """What `endgames.look_up` says of a state; or WANTED less the block, and 2**32 times the level."""
    chosen = game.canonical(state) if index.symmetry else state
    if not put_leaves(index.leaves, chosen, None):
        return ABSENT
    tier = game.tier(chosen)
    for number in range(index.levels_count):
        level = index.levels[number]
        if level.tier == tier:
            rank = game.rank(chosen)
            if rank < 0 or rank >= level.count or game.unrank(tier, rank) != chosen:
                return ABSENT
            if index.compressed:
                return _in_slots(game, state, index, number, rank)
            return _in_files(game, state, index, level, rank)
    return ABSENT


def _in_files(game: Any, state: State, index: RankIndex, level: RankedLevel, rank: int) -> int:
    size = index.value_bytes
    if not is_right(level.values_file, rank * size, (rank + 1) * size):
        return DAMAGED
    value = level.narrow_values[rank] if size == 1 else level.values[rank]
    if value == (NARROW_NOTHING if size == 1 else NOTHING):
        return ABSENT
    if not is_right(level.ends_file, 2 * rank, 2 * rank + 2):
        return DAMAGED
    mover = 0 if game.to_move(state) == MAX else 1
    return value | level.ends[rank] << 16 | mover << 32


def _in_slots(game: Any, state: State, index: RankIndex, number: int, rank: int) -> int:
    block = rank // index.rows_each
    slot = index.levels[number].slots[block]
    if slot == NO_SLOT:
        return WANTED - (number << 32 | block)
    place = slot * index.rows_each + rank % index.rows_each
    if index.values[place] == NOTHING:
        return ABSENT
    mover = 0 if game.to_move(state) == MAX else 1
    return index.values[place] | index.ends[place] << 16 | mover << 32


def look_up_all_by_rank(
    game: Any, form: Any, index: RankIndex, scratch: Any, states: Any, leaves: Any, answers: Any
) -> None:
    """The same of states whose leaves are in the rows of a flat array."""
    for number in range(len(answers)):
        for leaf in range(leaves):
            scratch[leaf] = states[number * leaves + leaf]
        mark = arena_mark()
        answers[number] = look_up_by_rank(game, state_of(scratch, form), index)
        arena_release(mark)


def put_ranks(
    game: Any, form: Any, packing: Packing, tier: int, count: int, words: Any, scratch: Any, ranks: Any
) -> None:
    """Write the ranks of packed states of a tier that has so many; -1 of one that does not come back."""
    for number in range(len(ranks)):
        mark = arena_mark()
        state = state_at(game, form, packing, words, number * packing.width, scratch)
        rank = game.rank(state)
        ranks[number] = rank if 0 <= rank < count and game.unrank(tier, rank) == state else -1
        arena_release(mark)


def put_states(
    game: Any,
    form: Any,
    packing: Packing,
    tier: int,
    ranks: Any,
    scratch: Any,
    row: list[Word],
    words: list[Word],
) -> int:
    """Write the packed states of some ranks; the first that cannot be packed, or how many there are."""
    for number in range(len(ranks)):
        mark = arena_mark()
        if not packed(game, form, packing, game.unrank(tier, ranks[number]), scratch, row):
            return number
        for place in range(packing.width):
            words[number * packing.width + place] = row[place]
        arena_release(mark)
    return len(ranks)
