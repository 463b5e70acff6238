"""The memory of a search, as Python objects: what machine code does with addresses, in plain words.

A block is a list, and a place in it holds anything: a number, another block, a state. The search is
written once, against these few functions; compiled, they are instructions (`lowering/memory.py`).
"""

from __future__ import annotations

from itertools import islice
from math import inf, nextafter
from random import Random
from struct import pack, unpack
from typing import Any

from perfectplay.compiler.traps import Misfit
from perfectplay.game import MAX, WORD, Game, _digest, default_key

Block = list[Any]
INFINITE = inf
PLAYOUTS, PLIES, MOST_ACTIONS = 4, 200, 1000  # of a look at how large states become
STATE = 9  # the place of a record where its state begins
ORDERS = 0x9E3779B97F4A7C15  # the odd multiplier that spreads keys over a table (2**64 / golden ratio)


def number(block: Block, place: int) -> Any:
    """The integer, or the block, in a place of a block."""
    return block[place]


def word(block: Block, place: int) -> Any:
    """The 64-bit word without a sign in a place of a block."""
    return block[place]


def real(block: Block, place: int) -> Any:
    """The floating-point number in a place of a block."""
    return block[place]


def byte(block: Block, place: int) -> Any:
    """A byte of a block of bytes."""
    return block[place]


def short(block: Block, place: int) -> Any:
    """A number of 16 bits of a block of these."""
    return block[place]


def put(block: Block, place: int, value: Any) -> None:
    """Write into a place of a block."""
    block[place] = value


def record(block: Block, index: int, state: Any) -> Block:
    """The record of that index in a block of records, each of which has room for a state."""
    while len(block) <= index:
        block.append([None] * 10)
    return block[index]


def state_in(record: Block, state: Any) -> Any:
    """The state that a record holds, of the same type as `state`."""
    return record[9]


def put_state(record: Block, state: Any, like: Any) -> None:
    """Write the state of a record, one of the same type as `like`."""
    record[9] = state


def has_digests(game: Game[Any, Any], start: Any) -> bool:
    """Are the keys of a game digests, which two states may share?

    Not if the game gives its word for them, with a key of its own, or if states are their own keys.
    """
    if isinstance(start, int) and (type(game).key is not Game.key or not _outgrows_words(game, start)):
        return False
    return game.key(start) == default_key(start)


def _outgrows_words(game: Game[Any, Any], start: int) -> bool:
    """Has a state more than 64 bits in some games at random, always the same ones?"""
    random = Random(2)  # noqa: S311 - nothing secret hangs on it
    for _ in range(PLAYOUTS):
        state = start
        for _ in range(PLIES):
            if not isinstance(state, int) or not -(2**63) <= state <= WORD:
                return True
            if game.is_terminal(state):
                break
            actions = list(islice(game.actions(state), MOST_ACTIONS))
            if not actions:
                break
            state = game.result(state, random.choice(actions))
    return False


def stores_states(game: Game[Any, Any], full: int) -> bool:
    """Must an entry hold the whole state, because its key is a digest? `full` is 0 if not."""
    return bool(full)


def has_candidates(game: Game[Any, Any]) -> bool:
    """Does the game say which actions are worth trying?"""
    return type(game).candidates is not Game.candidates


def endgame(game: Game[Any, Any], endgames: Any, state: Any, low: float, high: float) -> tuple[float, float]:
    """The limits of the value of a state: both are the value if there is a table of endgames that has it."""
    if endgames is None or low >= high:
        return low, high
    found = endgames.get(state)
    return (low, high) if found is None else (float(found.value), float(found.value))


def mark() -> int:
    """How much memory the rules have taken for what they make: nothing to count here."""
    return 0


def release(mark: int) -> None:
    """Give back what the rules have taken since: nothing to do here."""


def entry(table: Any, slot: int, state: Any, full: bool) -> int:
    """The place of an entry of a table: two words, and the state after them where it is stored in full."""
    return slot * (3 if full else 2)


def entry_word(table: Any, entry: int, place: int) -> int:
    """A word of an entry."""
    return table[entry + place]


def put_entry_word(table: Any, entry: int, place: int, value: int) -> None:
    """Write a word of an entry."""
    table[entry + place] = value


def entry_holds(table: Any, entry: int, state: Any) -> bool:
    """Is this the state that the entry was written for?"""
    return table[entry + 2] == state


def put_entry_state(table: Any, entry: int, state: Any) -> None:
    """Write the state of an entry."""
    table[entry + 2] = state


def prefetch(table: Any, entry: int) -> None:
    """Ask for an entry before it is needed: nothing to do here."""


def as_word(value: int) -> int:
    """An integer modulo 2**64."""
    return value & WORD


def swapped(word: int) -> int:
    """A word with its bytes in the opposite order."""
    return int.from_bytes(word.to_bytes(8, "little"), "big")


def as_number(value: int) -> int:
    """A small word as an integer."""
    return value


def as_real(value: float) -> float:
    """A number as a floating-point number."""
    return float(value)


def scattered(key: int, shift: int) -> int:
    """The first 64 - shift bits of a key's multiplicative hash."""
    return (key * ORDERS & WORD) >> shift


def single(value: float) -> int:
    """The 32 bits of the nearest number of single precision."""
    try:
        return int(unpack("<I", pack("<f", value))[0])
    except OverflowError:  # beyond single precision: the infinity on that side
        return int(unpack("<I", pack("<f", inf if value > 0 else -inf))[0])


def double(bits: int) -> float:
    """The number of single precision that has these bits."""
    return float(unpack("<f", pack("<I", bits & 0xFFFFFFFF))[0])


def above(value: float) -> float:
    """The next greater number."""
    return nextafter(value, inf)


def length(value: int) -> int:
    """How many binary digits a positive integer has."""
    return value.bit_length()


def action_slot(action: Any, size: int) -> int:
    """A place for an action among `size` of them, a power of two."""
    return (action if isinstance(action, int) else _digest(action)) & (size - 1)


def for_max(player: int) -> bool:
    """Is it MAX?"""
    return player == MAX


def put_leaves(block: Any, state: Any, form: Any) -> bool:
    """Write the numbers that a form makes of a state into a block; False if it is not made so."""
    try:
        leaves = form.leaves(state)
    except Misfit:
        return False
    block[: len(leaves)] = leaves
    return True


def state_of(block: Any, form: Any) -> Any:
    """The state whose numbers were written into a block."""
    return form.state(block)
