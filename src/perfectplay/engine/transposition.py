"""The transposition table: what a search found out about a state, in two words.

    check     the key, xor data: words of two different writers do not fit together
    data      63     57 56    51 50     49 48   47     40 39    32 31          0
              age      work      proven   bound    height    action   value

`value` is a number of single precision. A lower bound that is not one is rounded down and an upper bound
up, so that both stay true. `bound` has a bit for a lower and one for an upper bound: EXACT is both.
`height` is the depth of the search, plus 32, and the value holds for searches of that depth alone; if
`proven` it is how many plies the proof needs, and the value holds for all searches as deep, or for none but
those to the end where it is 255. `work` is the number of binary digits of the nodes that the answer took.
`action` counts from 0 among the candidates. Four entries make a bucket, a line of the processor's cache.
Where a key may be another state's too, the whole state follows the two words.
"""

from __future__ import annotations

from perfectplay.compiler.primitives import from_single_bits, prefetch, single_bits, word
from perfectplay.compiler.records import Atomic, Known, State, Word, record

BUCKET = 4
LOWER, UPPER, EXACT = 1, 2, 3
NO_ACTION = 255
ENDLESS = 255  # the height of a proof that nobody counted
SPREAD = 0x9E3779B97F4A7C15  # an odd number that spreads keys over a table (2**64 / golden ratio)

SOLVING = 10_000  # the depth of a search to the end of the game: it never shrinks
UNPROVEN = 1 << 20  # the height of what rests on an estimate

NOTHING = 0  # the data of an entry that was never written


@record
class Entry:
    """What is known of one state."""

    check: Atomic[Word] = 0
    data: Atomic[Word] = 0
    state: State | None = None


@record
class Table:
    """All entries, which the threads share."""

    entries: list[Entry]
    shift: int  # 64 less the binary digits of the number of buckets
    age: int = 0  # of the search, modulo 128
    stores_states: Known[bool] = False


# Finding and writing.


def find(table: Table, state: State, key: Word) -> Word:
    """What is known of a state: the data of its entry, or NOTHING."""
    first = first_place(table, key)
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        data = entry.data
        if entry.check ^ data == key and (not table.stores_states or entry.state == state):
            return data
    return NOTHING


def write(table: Table, state: State, key: Word, data: Word) -> None:
    """Write the entry of a state, over what is least worth keeping."""
    first = first_place(table, key)
    chosen = first
    least = 1 << 20
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        old = entry.data
        if entry.check ^ old == key:
            chosen = place
            break
        worth = work_in(old)
        if age_in(old) == table.age:
            worth += 64
        if worth < least:
            least = worth
            chosen = place
    stored = state if table.stores_states else None
    table.entries[chosen] = Entry(check=key ^ data, data=data, state=stored)


def fetch(table: Table, key: Word) -> None:
    """Ask for the bucket of a state before it is needed."""
    prefetch(table.entries[first_place(table, key)])


def first_place(table: Table, key: Word) -> int:
    """Where the bucket of a state begins."""
    return scattered(key, table.shift) * BUCKET


def scattered(key: Word, shift: int) -> int:
    """The first 64 - shift bits of a key's multiplicative hash."""
    return int(word(key * SPREAD) >> shift)


# Entries of alpha-beta.


def keep(
    table: Table,
    state: State,
    key: Word,
    value: float,
    bound: int,
    depth: int,
    height: int,
    action: int,
    work: int,
) -> None:
    """Write what was found out about a state."""
    if bound == EXACT and from_single_bits(single_bits(value)) != value:
        bound = LOWER
    proven = 1
    if depth == SOLVING:
        height = ENDLESS
    elif height >= ENDLESS:
        proven = 0
        height = depth + 32
    action = min(action, NO_ACTION)
    rest = action << 32 | height << 40 | bound << 48 | proven << 50 | work << 51 | table.age << 57
    write(table, state, key, rounded(value, bound) | word(rest))


def rounded(value: float, bound: int) -> Word:
    """The bits of a value that is a lower bound (or exact) or an upper one, and stays it."""
    bits = single_bits(value)
    kept = from_single_bits(bits)
    if (bound == UPPER and kept < value) or (bound != UPPER and kept > value):
        bits = bits + 1 if abs(kept) < abs(value) else bits - 1
    return bits


def usable_bound(data: Word, depth: int) -> int:
    """What the value is to a search of that depth: LOWER, UPPER, EXACT, or nothing (0)."""
    height = bits_in(data, 40, 8)
    if bits_in(data, 50, 1):
        usable = depth == SOLVING or (height <= depth and height < ENDLESS)
    else:
        usable = height == depth + 32
    return bound_in(data) if usable else 0


def height_in(data: Word) -> int:
    """How many plies the proof of an entry needs."""
    return bits_in(data, 40, 8) if bits_in(data, 50, 1) else UNPROVEN


def action_in(data: Word) -> int:
    """The number of the action that was found best, NO_ACTION if there is none."""
    return bits_in(data, 32, 8)


# What all entries have.


def value_in(data: Word) -> float:
    """The value."""
    return from_single_bits(data)


def bound_in(data: Word) -> int:
    """LOWER, UPPER or EXACT."""
    return bits_in(data, 48, 2)


def work_in(data: Word) -> int:
    """The binary digits of the nodes it took."""
    return bits_in(data, 51, 6)


def age_in(data: Word) -> int:
    """The age of the search that wrote it."""
    return bits_in(data, 57, 7)


def bits_in(data: Word, first: int, count: int) -> int:
    """The number in so many bits of a word."""
    return int(data >> first) & ((1 << count) - 1)
