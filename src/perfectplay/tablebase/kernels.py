"""The loops over positions: their successors, and what they are worth by those.

It is run in two ways, as the search is: as it stands, on lists, and compiled, on flat arrays. The caller
allocates.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler.primitives import (
    arena_mark,
    arena_release,
    is_packed_by_game,
    put_leaves,
    put_number,
    state_of,
    word,
    word_at,
)
from perfectplay.compiler.records import Byte, Word, record
from perfectplay.engine.endgames import ProbeIndex, look_up
from perfectplay.engine.packing import Packing, pack, state_at
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
    least: list[int]  # the lowest value of each leaf; or has a number needed another word?
    varying: list[int]  # its bits that are not always the same; or the bits of each word
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
    A successor that does not fit its packing is written wrong: `least` and `varying` tell. Where the game
    packs it, these are -1 for a number that needs another word, and the bits of its words.
    """
    used, width = 0, packing.width
    for place in range(first, positions.count):
        mark = arena_mark()
        state = state_at(game, form, packing, positions.words, place * width, reached.parent_leaves)
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
            if is_packed_by_game(form):
                if put_number(reached.words, used * width, width, game.pack(child), form):
                    for number in range(width):
                        reached.varying[number] |= int(reached.words[used * width + number])
                else:
                    reached.least[0] = -1
            else:
                _note(packing, reached)
                pack(packing, reached.leaves, reached.words, used * width)
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


def find(
    rows: Any,  # bytes: of sorted rows, and some more
    count: Any,  # rows
    row_bytes: Any,  # of each
    width: Any,  # words of each
    top: Any,  # the bits of the last of them that are stored
    starts: Any,  # int64[prefixes + 1]: where the rows of every prefix of the last word begin
    shift: Any,  # of the last word, for its prefix
    queries: Any,  # uint64[n * width]
    found: Any,  # int64[n]
) -> None:
    """Where each query is among sorted rows, or -1."""
    last = 8 * (width - 1)
    base = word_at(rows, last) & top
    for query in range(len(found)):
        wanted = queries[query * width + width - 1]
        found[query] = -1
        prefix = int((wanted - base) >> shift)
        if wanted < base or prefix >= len(starts) - 1:
            continue
        low, high = starts[prefix], starts[prefix + 1]
        while low < high:
            middle = (low + high) >> 1
            row = word_at(rows, middle * row_bytes + last) & top
            if row < wanted or (
                width > 1
                and row == wanted
                and _compared(rows, middle * row_bytes, queries, query * width, width - 1) < 0
            ):
                low = middle + 1
            else:
                high = middle
        if low == count or word_at(rows, low * row_bytes + last) & top != wanted:
            continue
        if width == 1 or _compared(rows, low * row_bytes, queries, query * width, width - 1) == 0:
            found[query] = low


def _compared(rows: Any, row: Any, queries: Any, query: Any, words: Any) -> Any:
    """-1, 0 or 1: is a row below a query, the same, or above it, by so many of its lower words?"""
    for number in range(words - 1, -1, -1):
        one, other = word_at(rows, row + 8 * number), queries[query + number]
        if one != other:
            return -1 if one < other else 1
    return 0


def begin_prefixes(
    rows: Any, count: Any, row_bytes: Any, width: Any, top: Any, shift: Any, starts: Any
) -> None:
    """Write where the rows of every prefix of the last word begin, as `find` wants it: it reads them all."""
    last = 8 * (width - 1)
    base = word_at(rows, last) & top
    begun = 0
    for row in range(count):
        prefix = int(((word_at(rows, row * row_bytes + last) & top) - base) >> shift)
        while begun <= prefix:
            starts[begun] = row
            begun += 1
    while begun < len(starts):
        starts[begun] = count
        begun += 1


def sort_by_digit(words: Any, into: Any, counts: Any, width: Any, column: Any, shift: Any) -> None:
    """Write rows of so many words in the order of one digit of one word; those with the same digit stay so.

    `counts` has a 0 for every digit.
    """
    digits = word(len(counts) - 1)
    rows = len(words) // width
    for row in range(rows):
        counts[int(words[row * width + column] >> shift & digits)] += 1
    begin = 0
    for digit in range(len(counts)):
        begin, counts[digit] = begin + counts[digit], begin
    for row in range(rows):
        digit = int(words[row * width + column] >> shift & digits)
        place = counts[digit]
        counts[digit] = place + 1
        for number in range(width):
            into[place * width + number] = words[row * width + number]


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


def fields(game: Any, form: Any, packing: Packing, words: Any, scratch: Any, leaves: Any, count: int) -> None:
    """Write the leaves of packed states, so many each."""
    for number in range(len(leaves) // count):
        mark = arena_mark()
        put_leaves(scratch, state_at(game, form, packing, words, number * packing.width, scratch), form)
        for leaf in range(count):
            leaves[number * count + leaf] = scratch[leaf]
        arena_release(mark)


def movers(game: Any, form: Any, packing: Packing, words: Any, scratch: Any, answers: Any) -> None:
    """Write whose turn it is in packed states: 0 for MAX, 1 for MIN."""
    for number in range(len(answers)):
        mark = arena_mark()
        state = state_at(game, form, packing, words, number * packing.width, scratch)
        answers[number] = 0 if game.to_move(state) == MAX else 1
        arena_release(mark)
