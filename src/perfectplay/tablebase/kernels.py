"""The loops over positions: their successors, and what they are worth by those.

It is run in two ways, as the search is: as it stands, on lists, and compiled, on flat arrays. The caller
allocates.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler.primitives import arena_mark, arena_release, put_leaves, state_of
from perfectplay.compiler.records import Byte, Word, record
from perfectplay.engine.endgames import ProbeIndex, look_up
from perfectplay.engine.packing import Packing, pack, unpack
from perfectplay.game import MAX

# What is known of a position besides its successors.
MAX_MOVES = 1
MIN_MOVES = 2
OVER = 3

# What stands for a value or a remoteness that is not a number of its own.
UNKNOWN = 0xFFFF
DRAW = 0xFFFE  # as a value: nobody can force an end
FAR = 0xFFFF  # as a remoteness: there is no end


@record
class Positions:
    """Packed positions, and what becomes known of them."""

    count: int
    words: list[Word]  # [count * width]
    counts: list[int]  # [count]: successors of each
    kinds: list[Byte]  # [count]
    utilities: list[float]  # [count]: to MAX, where it is over


@record
class Reached:
    """Their successors, packed, and what these are made of."""

    room: int
    words: list[Word]  # [room * width]
    tiers: list[int]  # [room]
    least: list[int]  # the lowest value of each leaf
    varying: list[int]  # its bits that are not always the same
    parent_leaves: list[int]  # for the leaves of a position
    leaves: list[int]  # and for those of a successor


def expand(
    game: Any,
    form: Any,  # how a state is made of numbers
    packing: Packing,
    positions: Positions,
    first: int,  # the first of them to look at
    reached: Reached,
    symmetry: bool,  # are representatives asked for?
) -> int:
    """Write the successors of positions while there is room; the first position that is not done.

    If a successor is not made as the form says, it is -1 less the position.
    A successor that does not fit its packing is written wrong: `least` and `varying` tell.
    """
    used = 0
    for place in range(first, positions.count):
        unpack(packing, positions.words, place * packing.width, reached.parent_leaves)
        mark = arena_mark()
        state = state_of(reached.parent_leaves, form)
        positions.counts[place] = 0
        if game.is_terminal(state):
            positions.kinds[place] = OVER
            positions.utilities[place] = float(game.utility(state, MAX))
            arena_release(mark)
            continue
        positions.kinds[place] = MAX_MOVES if game.to_move(state) == MAX else MIN_MOVES
        begun = used
        for action in game.actions(state):
            if used == reached.room:
                return place
            child = game.result(state, action)
            if symmetry:
                child = game.canonical(child)
            reached.tiers[used] = game.tier(child)
            if not put_leaves(reached.leaves, child, form):
                return -1 - place
            _note(packing, reached)
            pack(packing, reached.leaves, reached.words, used * packing.width)
            used += 1
        positions.counts[place] = used - begun
        arena_release(mark)
    return positions.count


def _note(packing: Packing, reached: Reached) -> None:
    """Note what the leaves of a successor are, and take their lows away."""
    leaves, lows, bases = reached.leaves, packing.lows, packing.bases
    least, varying = reached.least, reached.varying
    for leaf in range(packing.leaves):
        value = leaves[leaf]
        least[leaf] = min(least[leaf], value)
        value -= lows[leaf]
        varying[leaf] |= value ^ bases[leaf]
        leaves[leaf] = value


def choose(
    kinds: Any,  # uint8[n]
    counts: Any,  # uint32[n]: successors of each position
    children: Any,  # int64[successors]: where in the group each is, or if it is negative, what is known of it
    worths: Any,  # float64[values]: what each value is worth to MAX
    group_values: Any,  # uint16[]: of the positions that are solved together
    group_ends: Any,  # uint16[]
    values: Any,  # uint16[n]: UNKNOWN where it is to be found
    ends: Any,  # uint16[n]
) -> Any:
    """Give every position whose successors are all known its value and remoteness; how many got one.

    Where the game is over, the one successor is the position itself.
    """
    found = 0
    begin = 0
    for place in range(len(counts)):
        end = begin + int(counts[place])
        if values[place] == UNKNOWN:
            if kinds[place] == OVER:
                value, far = known(children[begin], group_values, group_ends)
            else:
                value, far = _best(kinds[place], worths, children, begin, end, group_values, group_ends)
            if value != UNKNOWN:
                values[place] = value
                ends[place] = far
                found += 1
        begin = end
    return found


def known(child: Any, group_values: Any, group_ends: Any) -> Any:
    """The value and the remoteness of a successor, as far as they are known."""
    if child < 0:
        packed = -1 - child
        return packed >> 16, packed & FAR
    return int(group_values[child]), int(group_ends[child])


def _best(
    kind: Any, worths: Any, children: Any, begin: Any, end: Any, group_values: Any, group_ends: Any
) -> Any:
    """The best value among successors, and when the game ends: who wins hurries, and who loses does not."""
    sign = 1.0 if kind == MAX_MOVES else -1.0
    best, value, far = -inf, UNKNOWN, FAR
    for place in range(begin, end):
        child, until = known(children[place], group_values, group_ends)
        if child == UNKNOWN:
            return UNKNOWN, FAR
        worth = 0.0 if child == DRAW else sign * worths[child]
        until = FAR if until == FAR else until + 1
        if worth > best or (worth == best and (until > far if worth < 0 else until < far)):
            best, value, far = worth, child, until
    return value, far


def force(
    kinds: Any,
    counts: Any,
    children: Any,
    worths: Any,
    group_values: Any,
    group_ends: Any,
    values: Any,
    ends: Any,
    wanted: Any,  # the value, by its number
    sign: Any,  # 1 if MAX wants it, -1 if MIN does, 0 where both would rather end the game than not
    moment: Any,  # plies from the end
) -> Any:
    """Give every position from which the end can be forced in so many plies its value; how many got one.

    All values that are better for whoever wants it are known by now.
    """
    found = 0
    begin = 0
    for place in range(len(counts)):
        end = begin + int(counts[place])
        if values[place] == UNKNOWN:
            chooses = sign == 0 or (kinds[place] == MAX_MOVES) == (sign > 0)
            if chooses:
                forced = _can_choose(children, begin, end, group_values, group_ends, wanted, moment)
            else:
                forced = _must_allow(
                    children, begin, end, worths, group_values, group_ends, wanted, sign, moment
                )
            if forced:
                values[place] = wanted
                ends[place] = moment
                found += 1
        begin = end
    return found


def _can_choose(
    children: Any, begin: Any, end: Any, group_values: Any, group_ends: Any, wanted: Any, moment: Any
) -> Any:
    for place in range(begin, end):
        value, until = known(children[place], group_values, group_ends)
        if value == wanted and until < moment:
            return True
    return False


def _must_allow(
    children: Any,
    begin: Any,
    end: Any,
    worths: Any,
    group_values: Any,
    group_ends: Any,
    wanted: Any,
    sign: Any,
    moment: Any,
) -> Any:
    """Is every successor worth what is wanted, or more, and known early enough?"""
    some = False
    for place in range(begin, end):
        value, until = known(children[place], group_values, group_ends)
        if value >= DRAW:
            return False
        if value == wanted:
            some = True
            if until >= moment:
                return False
        elif sign * worths[value] < sign * worths[wanted]:
            return False
    return some


def find(rows: Any, base: Any, starts: Any, shift: Any, queries: Any, found: Any) -> None:
    """Where each query is among sorted words, or -1; `starts` has the place of every prefix, less `base`."""
    for query in range(len(queries)):
        wanted = queries[query]
        found[query] = -1
        prefix = int((wanted - base) >> shift)
        if wanted < base or prefix >= len(starts) - 1:
            continue
        low, high = starts[prefix], starts[prefix + 1]
        while low < high:
            middle = (low + high) >> 1
            if rows[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        if low < len(rows) and rows[low] == wanted:
            found[query] = low


def look_up_all(
    game: Any, form: Any, index: ProbeIndex, scratch: Any, states: Any, leaves: Any, answers: Any
) -> None:
    """What `look_up` says of states whose leaves are in the rows of a flat array."""
    for number in range(len(answers)):
        for leaf in range(leaves):
            scratch[leaf] = states[number * leaves + leaf]
        mark = arena_mark()
        answers[number] = look_up(game, state_of(scratch, form), index)
        arena_release(mark)
