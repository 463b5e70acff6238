"""The transposition table: what a search found out about a state, in two words.

    word 0    the key, xor word 1: words of two different writers do not fit together
    word 1    63     57 56    51 50     49 48   47     40 39    32 31          0
              age      work      proven   bound    depth     action   value

`value` is a number of single precision. A lower bound that is not one is rounded down and an upper bound
up, so that both stay true. `bound` has a bit for a lower and one for an upper bound: EXACT is both.
`depth` is that of the search, plus 32, and the value holds for searches of that depth alone; if `proven`
it is how many plies the proof needs, and the value holds for all searches as deep, or for none but those
to the end where it is 255. `work` is the number of binary digits of the nodes that the answer took.
`action` counts from 0 among the candidates. Four entries make a bucket, a line of the processor's cache.
Where a key may be another state's too, the whole state follows the two words.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import object_memory as machine
from perfectplay.engine.workspace import AGE, FULL, SHIFT, SOLVING, TABLE, UNPROVEN

BUCKET = 4
LOWER, UPPER, EXACT = 1, 2, 3
NO_ACTION = 255
ENDLESS = 255  # the height of a proof that nobody counted


def prefetch(game: Any, workspace: Any, state: Any, key: Any) -> None:
    """Ask for the bucket of a state before it is needed."""
    table = machine.number(workspace, TABLE)
    slot = machine.scattered(key, machine.number(workspace, SHIFT)) * BUCKET
    machine.prefetch(
        table, machine.entry(table, slot, state, machine.stores_states(game, machine.number(workspace, FULL)))
    )


def find(game: Any, workspace: Any, state: Any, key: Any) -> Any:
    """What is known of a state: word 1 of its entry, or 0."""
    table = machine.number(workspace, TABLE)
    full = machine.stores_states(game, machine.number(workspace, FULL))
    slot = machine.scattered(key, machine.number(workspace, SHIFT)) * BUCKET
    for place in range(BUCKET):
        entry = machine.entry(table, slot + place, state, full)
        data = machine.entry_word(table, entry, 1)
        if machine.entry_word(table, entry, 0) ^ data == key and (
            not full or machine.entry_holds(table, entry, state)
        ):
            return data
    return machine.as_word(0)


def keep(
    game: Any,
    workspace: Any,
    state: Any,
    key: Any,
    value: Any,
    bound: Any,
    depth: Any,
    height: Any,
    action: Any,
    work: Any,
) -> None:
    """Write what was found out about a state, over what is least worth keeping."""
    if bound == EXACT and machine.double(machine.single(value)) != value:
        bound = LOWER
    proven = 1
    if depth == SOLVING:
        height = ENDLESS
    elif height >= ENDLESS:
        proven = 0
        height = depth + 32
    data = (
        rounded(value, bound)
        | machine.as_word(min(action, NO_ACTION)) << machine.as_word(32)
        | machine.as_word(height) << machine.as_word(40)
        | machine.as_word(bound) << machine.as_word(48)
        | machine.as_word(proven) << machine.as_word(50)
        | machine.as_word(work) << machine.as_word(51)
        | machine.as_word(machine.number(workspace, AGE)) << machine.as_word(57)
    )
    write(game, workspace, state, key, data)


def write(game: Any, workspace: Any, state: Any, key: Any, data: Any) -> None:
    """Write the entry of a state: word 1 is `data`, of which age and work matter here."""
    table = machine.number(workspace, TABLE)
    full = machine.stores_states(game, machine.number(workspace, FULL))
    age = machine.number(workspace, AGE)
    slot = machine.scattered(key, machine.number(workspace, SHIFT)) * BUCKET
    chosen = slot
    least = 1 << 20
    for place in range(BUCKET):
        entry = machine.entry(table, slot + place, state, full)
        old = machine.entry_word(table, entry, 1)
        if machine.entry_word(table, entry, 0) ^ old == key:
            chosen = slot + place
            break
        worth = machine.as_number((old >> machine.as_word(51)) & machine.as_word(63))
        if machine.as_number(old >> machine.as_word(57)) == age:
            worth += 64
        if worth < least:
            least = worth
            chosen = slot + place
    entry = machine.entry(table, chosen, state, full)
    machine.put_entry_word(table, entry, 0, key ^ data)
    machine.put_entry_word(table, entry, 1, data)
    if full:
        machine.put_entry_state(table, entry, state)


def rounded(value: Any, bound: Any) -> Any:
    """The bits of a value that is a lower bound (or exact) or an upper one, and stays it."""
    bits = machine.single(value)
    kept = machine.double(bits)
    if (bound == UPPER and kept < value) or (bound != UPPER and kept > value):
        one = machine.as_word(1)
        bits = bits + one if abs(kept) < abs(value) else bits - one
    return bits


def value_in(data: Any) -> Any:
    """The value of an entry."""
    return machine.double(data & machine.as_word(0xFFFFFFFF))


def bound_in(data: Any, depth: Any) -> Any:
    """What the value is to a search of that depth: LOWER, UPPER, EXACT, or nothing (0)."""
    height = machine.as_number((data >> machine.as_word(40)) & machine.as_word(255))
    bound = machine.as_number((data >> machine.as_word(48)) & machine.as_word(3))
    proven = machine.as_number((data >> machine.as_word(50)) & machine.as_word(1))
    if proven:
        usable = depth == SOLVING or (height <= depth and height < ENDLESS)
    else:
        usable = height == depth + 32
    return bound if usable else 0


def height_in(data: Any) -> Any:
    """How many plies the proof of an entry needs."""
    height = machine.as_number((data >> machine.as_word(40)) & machine.as_word(255))
    proven = machine.as_number((data >> machine.as_word(50)) & machine.as_word(1))
    return height if proven else UNPROVEN


def action_in(data: Any) -> Any:
    """The number of the action that was found best, NO_ACTION if there is none."""
    return machine.as_number((data >> machine.as_word(32)) & machine.as_word(255))
