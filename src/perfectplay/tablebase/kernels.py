"""The loops over positions: their successors, and what they are worth by those.

It is run in two ways, as the search is: as it stands, on lists, and compiled, on flat arrays. The caller
allocates.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.compiler.primitives import mark, put_leaves, release, state_of, word
from perfectplay.engine.endgames import ProbeIndex, look_up
from perfectplay.game import MAX

PARTS = 5  # numbers of a part of a packed state: leaf, shift in the leaf, mask, word, shift in the word

# What is known of a position besides its successors.
MAX_MOVES = 1
MIN_MOVES = 2
OVER = 3

# What stands for a value or a remoteness that is not a number of its own.
UNKNOWN = 0xFFFF
DRAW = 0xFFFE  # as a value: nobody can force an end
FAR = 0xFFFF  # as a remoteness: there is no end


def expand(
    game: Any,
    form: Any,  # how a state is made of numbers
    parts: Any,  # int64[5 * parts]: how states are packed
    lows: Any,  # int64[leaves]: what each leaf is at least
    bases: Any,  # int64[leaves]: the bits of a leaf, less that, which are always the same
    width: Any,  # words of a packed state
    scratch: Any,  # int64[leaves]: room for the leaves of a state
    others: Any,  # int64[leaves]: and for those of a successor
    words: Any,  # uint64[n * width]: the positions
    first: Any,  # the first of them to look at
    successors: Any,  # uint64[room * width]
    tiers: Any,  # int64[room]: of the successors
    counts: Any,  # int64[n]: successors of each position
    kinds: Any,  # uint8[n]
    utilities: Any,  # float64[n]: to MAX, where it is over
    least: Any,  # int64[leaves]: the lowest value of each leaf of a successor
    varying: Any,  # int64[leaves]: its bits that are not always the same
    symmetry: Any,  # are representatives asked for?
) -> Any:
    """Write the successors of positions while there is room; the first position that is not done.

    If a successor is not made as the form says, it is -1 less the position.
    A successor that does not fit its layout is written wrong: `least` and `varying` tell.
    """
    room = len(tiers)
    used = 0
    for place in range(first, len(counts)):
        _unpack(words, place * width, parts, lows, bases, scratch)
        made = mark()
        state = state_of(scratch, form)
        counts[place] = 0
        if game.is_terminal(state):
            kinds[place] = OVER
            utilities[place] = float(game.utility(state, MAX))
            release(made)
            continue
        kinds[place] = MAX_MOVES if game.to_move(state) == MAX else MIN_MOVES
        begun = used
        for action in game.actions(state):
            if used == room:
                return place
            child = game.result(state, action)
            if symmetry:
                child = game.canonical(child)
            tiers[used] = game.tier(child)
            if not put_leaves(others, child, form):
                return -1 - place
            _pack(others, parts, lows, bases, successors, used * width, width, least, varying)
            used += 1
        counts[place] = used - begun
        release(made)
    return len(counts)


def _unpack(words: Any, place: Any, parts: Any, lows: Any, bases: Any, scratch: Any) -> None:
    """Write the leaves of a packed state."""
    for leaf in range(len(lows)):
        scratch[leaf] = bases[leaf]
    for part in range(0, len(parts), PARTS):
        leaf, up, mask = parts[part], parts[part + 1], parts[part + 2]
        number, down = parts[part + 3], parts[part + 4]
        scratch[leaf] |= (int(words[place + number] >> down) & mask) << up
    for leaf in range(len(lows)):
        scratch[leaf] += lows[leaf]


def _pack(
    scratch: Any,
    parts: Any,
    lows: Any,
    bases: Any,
    words: Any,
    place: Any,
    width: Any,
    least: Any,
    varying: Any,
) -> None:
    """Pack the leaves of a state, and note what they are."""
    for leaf in range(len(lows)):
        value = scratch[leaf]
        if value < least[leaf]:
            least[leaf] = value
        value -= lows[leaf]
        varying[leaf] |= value ^ bases[leaf]
        scratch[leaf] = value
    for number in range(width):
        words[place + number] = word(0)
    for part in range(0, len(parts), PARTS):
        leaf, up, mask = parts[part], parts[part + 1], parts[part + 2]
        number, down = parts[part + 3], parts[part + 4]
        words[place + number] |= word(scratch[leaf] >> up & mask) << down


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
        made = mark()
        answers[number] = look_up(game, state_of(scratch, form), index)
        release(made)
