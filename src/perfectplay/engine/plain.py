"""The memory of a search, as Python objects: what `native` does with raw addresses, in plain words.

A block is a list, and a place in it holds anything: a number, another block, a state. The search is
written once, against these few functions, and runs on either module.
"""

from __future__ import annotations

from math import inf, nextafter
from struct import pack, unpack
from typing import Any

from perfectplay.engine.desk import FULL
from perfectplay.game import MAX, WORD, Game, _digest, default_key

Block = list[Any]
ORDERS = 0x9E3779B97F4A7C15  # the odd multiplier that spreads keys over a table (2**64 / golden ratio)


def number(block: Block, place: int) -> Any:
    """The integer, or the block, in a place of a block."""
    return block[place]


word = real = number  # a 64-bit word; a floating-point number


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
    return not isinstance(start, int) and game.key(start) == default_key(start)


def stores_states(game: Game[Any, Any], desk: Block) -> bool:
    """Must an entry hold the whole state, because its key is a digest?"""
    return bool(desk[FULL])


def has_candidates(game: Game[Any, Any]) -> bool:
    """Does the game say which actions are worth trying?"""
    return type(game).candidates is not Game.candidates


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
