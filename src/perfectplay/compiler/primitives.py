"""What the search says to the machine that Python has no word for: each is an instruction or two, compiled.

Here is what they mean to Python; what they are in machine code is in `lowering/primitives.py`.
"""

from __future__ import annotations

import ctypes
from math import inf, isnan
from struct import pack, unpack
from typing import Any

from perfectplay.compiler.records import Room, Word, raw_class
from perfectplay.compiler.traps import ASKING, Misfit, Trap
from perfectplay.errors import BrokenGameError
from perfectplay.game import WORD, Game, _digest

# A function that machine code asks: it takes three numbers, and returns FOUND if it knows what was asked. It
# returns 0 if it is interrupted where it cannot say so.
ASKED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
FOUND = 1
EXACT = 1 << 53  # beyond it, not every integer is a float


def word(number: int) -> Word:
    """An integer modulo 2**64. Arithmetic with a word is arithmetic modulo 2**64, compiled."""
    return number & WORD


def exact_float(utility: Any) -> float:
    """A utility as a float, if it is one: an integer that no float is would be another value."""
    try:
        number = float(utility)
        if abs(number) < EXACT or number == utility:
            return number
        if isnan(number):
            raise BrokenGameError("utility() gave nan, which is no value: give a number.")
    except OverflowError:
        pass
    told = str(utility) if abs(utility) < 10**30 else "an integer of more than 30 digits"
    raise BrokenGameError(f"utility() gave {told}, which no float is: give integers up to 2**53, or floats.")


def single_bits(value: float) -> Word:
    """The 32 bits of the nearest number of single precision."""
    try:
        return int(unpack("<I", pack("<f", value))[0])
    except OverflowError:  # beyond single precision: the infinity on that side
        return int(unpack("<I", pack("<f", inf if value > 0 else -inf))[0])


def from_single_bits(bits: Word) -> float:
    """The number of single precision that has these 32 bits."""
    return float(unpack("<f", pack("<I", bits & 0xFFFFFFFF))[0])


def double_bits(value: float) -> Word:
    """The 64 bits of a number."""
    return int(unpack("<Q", pack("<d", value))[0])


def from_double_bits(bits: Word) -> float:
    """The number that has these 64 bits."""
    return float(unpack("<d", pack("<Q", bits))[0])


def arena_mark() -> int:
    """How far the arena is in use, where the rules make their lists; Python has no such thing."""
    return 0


def arena_release(mark: int) -> None:
    """Give back what the rules have made since."""


def prefetch(record: Any) -> None:
    """Ask for a record before it is needed, so that the processor need not wait for it then."""


def record_at(cls: type, address: int) -> Any:
    """The record of a class, without states, at an address."""
    return raw_class(cls, Room()).from_address(address)


def ask(function: int, number: int, what: int, which: int) -> None:
    """Have Python find out what is not known yet, by the function at an address."""
    if ASKED(function)(number, what, which) != FOUND:
        raise Trap(ASKING)


def has_candidates(game: Game[Any, Any]) -> bool:
    """Does the game say which actions are worth trying?"""
    return type(game).candidates is not Game.candidates


def action_slot(action: Any, size: int) -> int:
    """A place for an action among `size` of them, a power of two."""
    return (action if isinstance(action, int) else _digest(action)) & (size - 1)


def put_leaves(array: Any, state: Any, form: Any) -> bool:
    """Write the numbers that a form makes of a state into an array; False if it is not made so."""
    try:
        leaves = form.leaves(state)
    except Misfit:
        return False
    array[: len(leaves)] = leaves
    return True


def state_of(array: Any, form: Any) -> Any:
    """The state whose numbers were written into an array."""
    return form.state(array)


def is_packed_by_game(form: Any) -> bool:
    """Does the game itself pack the states of a form into numbers? That is known when compiling."""
    return bool(form.by_game)


def put_number(words: Any, first: int, width: int, number: int, form: Any) -> bool:
    """Write a number as so many words, the lowest first; False if it is negative or needs more bits."""
    if not 0 <= number < 1 << form.most:
        return False
    for place in range(width):
        words[first + place] = number >> 64 * place & WORD
    return True


def number_in(words: Any, first: int, width: int, form: Any) -> int:
    """The number that was written as so many words."""
    number = 0
    for place in range(width):
        number |= int(words[first + place]) << 64 * place
    return number


def word_at(data: Any, place: int) -> Word:
    """The eight bytes of an array from a place on, as a word whose lowest byte comes first."""
    return int.from_bytes(bytes(data[place : place + 8]), "little")
