"""The table of expectiminimax: what a search found out about a state, in three words.

    check     the key, xor the other two: words of two different writers do not fit together
    value     a number of double precision, to MAX: an average is seldom one of single precision
    data      63     57 56    51 50      49 48 47 46  45     32 31 16 15     0
              age      work      proven   bound          height         action

`bound`, `work` and `age` are those of `transposition`. `height` is the depth of the search, plus 32, and the
value holds for searches of that depth alone; if `proven` it is how many plies the proof needs, and the value
holds for all searches as deep, or for none but those to the end where nobody counted.
Where a key may be another state's too, the whole state follows.
"""

from __future__ import annotations

from perfectplay.compiler.primitives import double_bits, from_double_bits, prefetch, word
from perfectplay.compiler.records import Atomic, Known, State, Word, record
from perfectplay.engine.memory import Memory
from perfectplay.engine.transposition import (
    BUCKET,
    NOTHING,
    SOLVING,
    UNPROVEN,
    age_in,
    bits_in,
    bound_in,
    scattered,
    work_in,
)
from perfectplay.engine.workspace import Workspace

NO_ACTION = (1 << 16) - 1
ENDLESS = (1 << 14) - 1  # the height of a proof that nobody counted


@record
class Expectation:
    """What is known of one state."""

    check: Atomic[Word] = 0
    value: Atomic[Word] = 0
    data: Atomic[Word] = 0
    state: State | None = None


@record
class Expectations:
    """All entries, which the threads share."""

    entries: list[Expectation]
    shift: int  # 64 less the binary digits of the number of buckets
    age: int = 0  # of the search, modulo 128
    stores_states: Known[bool] = False


@record
class Branch:
    """An action or an outcome, and what is known of the state it leads to."""

    order: float = 0.0  # of an action: the most promising is tried first
    chance: float = 0.0  # of an outcome
    key: Word = 0
    index: int = 0  # among the candidates
    least: float = 0.0  # the value to MAX is known to be from here
    most: float = 0.0  # to here,
    height: int = 0  # by a proof of so many plies
    rest_least: float = 0.0  # of an outcome: what those after it add to the average, at least
    rest_most: float = 0.0  # and at most
    state: State = None


@record
class ExpectationWorkspace(Workspace):
    """The work of a thread that looks for expected values."""

    table: Expectations  # type: ignore[assignment] # in the place of the other
    moves: list[Branch]  # type: ignore[assignment] # likewise
    probes: int = 0  # chance nodes where one action after every outcome was looked at first,
    cuts: int = 0  # and those where that was enough


class ExpectationMemory(Memory):
    """A table of expected values, and workspaces for threads that share it."""

    table_class = Expectations
    entry_class = Expectation
    entry_bytes = 24
    move_class = Branch


def find(table: Expectations, state: State, key: Word) -> tuple[float, Word]:
    """What is known of a state: a value, and the data of its entry, or NOTHING."""
    first = scattered(key, table.shift) * BUCKET
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        value = entry.value
        data = entry.data
        if entry.check ^ value ^ data == key and (not table.stores_states or entry.state == state):
            return from_double_bits(value), data
    return 0.0, word(NOTHING)


def keep(
    table: Expectations,
    state: State,
    key: Word,
    value: float,
    bound: int,
    depth: int,
    height: int,
    action: int,
    work: int,
) -> None:
    """Write what was found out about a state, over what is least worth keeping."""
    proven = 1
    if depth == SOLVING:
        height = ENDLESS
    elif height >= ENDLESS:
        proven = 0
        height = depth + 32
    rest = min(action, NO_ACTION) | height << 32 | bound << 48 | proven << 50 | work << 51 | table.age << 57
    data = word(rest)
    bits = double_bits(value)
    first = scattered(key, table.shift) * BUCKET
    chosen = first
    least = 1 << 20
    for place in range(first, first + BUCKET):
        entry = table.entries[place]
        old = entry.data
        if entry.check ^ entry.value ^ old == key:
            chosen = place
            break
        worth = work_in(old)
        if age_in(old) == table.age:
            worth += 64
        if worth < least:
            least = worth
            chosen = place
    stored = state if table.stores_states else None
    table.entries[chosen] = Expectation(check=key ^ bits ^ data, value=bits, data=data, state=stored)


def fetch(table: Expectations, key: Word) -> None:
    """Ask for the bucket of a state before it is needed."""
    prefetch(table.entries[scattered(key, table.shift) * BUCKET])


def usable_bound(data: Word, depth: int) -> int:
    """What the value is to a search of that depth: LOWER, UPPER, EXACT, or nothing (0)."""
    height = bits_in(data, 32, 14)
    if bits_in(data, 50, 1):
        usable = depth == SOLVING or (height <= depth and height < ENDLESS)
    else:
        usable = height == depth + 32
    return bound_in(data) if usable else 0


def height_in(data: Word) -> int:
    """How many plies the proof of an entry needs."""
    return bits_in(data, 32, 14) if bits_in(data, 50, 1) else UNPROVEN


def action_in(data: Word) -> int:
    """The number of the action that was found best, NO_ACTION if there is none."""
    return bits_in(data, 0, 16)
