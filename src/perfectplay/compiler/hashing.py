"""Hashes and the tables of sets, as Python has them: the order of a set's elements follows from both.

Hashes of numbers and of tuples of numbers are the same in every process, and so is the order of a set of
them. Hashes of strings, of enum members and of None are not: such a set can be asked and compared, but
what comes first in it is known to nobody. Its elements get hashes of our own.

Where rules walk through such a set all the same, the hashes are those of this process (`exact`): machine
code computes them as Python does, and is not kept for other processes.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import FunctionType
from typing import Any
from zlib import crc32

from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.value_classes import value_fields

WORD = 2**64 - 1
MODULUS = 2**61 - 1  # of the hashes of numbers
NONE_HASH = 0xFCA86420  # what None has since Python 3.12
FIRST, SECOND, FIFTH = 11400714785074694791, 14029467366897019727, 2870177450012600261  # of xxHash
LENGTH_MIX = FIFTH ^ 3527539
TEXT_SEED, TEXT_PRIME = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93  # of strings, by our own rule
SIP = 0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573  # of SipHash
EMPTY, USED, DUMMY = 0, 1, 2  # what a slot of a table is
SMALLEST, PROBES, SHIFT = 8, 9, 5  # slots of the smallest table; how collisions go on


def is_ordered(value: Any) -> bool:
    """Has a value the same hash in every process?"""
    if value is None:
        return sys.version_info >= (3, 12)
    if isinstance(value, float):
        return value == value
    if isinstance(value, int):
        return type(value).__hash__ is int.__hash__
    if isinstance(value, tuple | frozenset):
        return all(map(is_ordered, value))
    if kind_of_number(type(value)):
        return bool(value == value)
    if (names := value_fields(type(value))) is not None and own_hash(type(value)):
        return all(is_ordered(getattr(value, name)) for name in names)
    if is_dataclass(value) and not isinstance(value, type):
        return all(is_ordered(getattr(value, one.name)) for one in fields(value))
    return False


def hash_word(value: Any, exact: bool = False) -> int:
    """The hash of a value as 64 bits: Python's own if that is the same in every process, or if `exact`."""
    if exact:
        return hash(value) & WORD
    if value is None:
        return NONE_HASH
    if isinstance(value, str | bytes):
        return text_hash(value if isinstance(value, str) else value.decode("latin-1"))
    if isinstance(value, Enum) and not isinstance(value, int):
        return text_hash(f"{type(value).__qualname__}.{value.name}")
    if isinstance(value, int | float) or kind_of_number(type(value)):
        return hash(value) & WORD
    if isinstance(value, tuple):
        return tuple_hash(map(hash_word, value))
    if isinstance(value, frozenset):
        return set_hash([hash_word(item) for item in value])
    if is_dataclass(value) and has_plain_hash(type(value)):
        return tuple_hash(hash_word(getattr(value, name)) for name in hashed_fields(type(value)))
    if value_fields(type(value)) is not None and is_ordered(value):
        return hash(value) & WORD
    hash(value)
    raise ValueError(value)


def own_hash(cls: type) -> bool:
    """Has somebody written a `__hash__` for a class?"""
    return isinstance(cls.__hash__, FunctionType)


def text_hash(text: str) -> int:
    """Our own hash of a string."""
    mixed = TEXT_SEED
    for letter in text:
        mixed = (mixed ^ ord(letter)) * TEXT_PRIME & WORD
    return mixed ^ mixed >> 32


def tuple_hash(hashes: Iterable[int]) -> int:
    """The hash of a tuple from those of its items."""
    mixed, count = FIFTH, 0
    for one in hashes:
        mixed = mixed + one * SECOND & WORD
        mixed = (mixed << 31 | mixed >> 33) & WORD
        mixed = mixed * FIRST & WORD
        count += 1
    mixed = mixed + (count ^ LENGTH_MIX) & WORD
    return 1546275796 if mixed == WORD else mixed


def set_hash(hashes: list[int]) -> int:
    """The hash of a frozenset from those of its elements, in whatever order."""
    mixed = 0
    for one in hashes:
        mixed ^= ((one ^ 89869747) ^ (one << 16 & WORD)) * 3644798167 & WORD
    mixed ^= (len(hashes) + 1) * 1927868237 & WORD
    mixed ^= mixed >> 11 ^ mixed >> 25
    mixed = mixed * 69069 + 907133923 & WORD
    return 590923713 if mixed == WORD else mixed


def has_plain_hash(cls: type) -> bool:
    """Is the hash of a dataclass the one that Python wrote for it?"""
    code = getattr(cls.__hash__, "__code__", None)
    return code is not None and code.co_filename == "<string>"


def hashed_fields(cls: Any) -> list[str]:
    """The fields of a dataclass that its hash is made of."""
    return [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]


def kind_number(kind: type) -> int:
    """A number for a class, the same in every process."""
    return crc32(kind.__qualname__.encode())


@dataclass
class Table:
    """The table of a set, slot by slot: a hash, what the slot is, and the element."""

    mask: int = SMALLEST - 1
    fill: int = 0
    used: int = 0
    slots: list[tuple[int, int, Any]] = field(default_factory=lambda: [(0, EMPTY, None)] * SMALLEST)

    def add(self, item: Any, exact: bool = False) -> None:
        """Add an element that is not in it yet."""
        word = hash_word(item, exact)
        self._insert(word, item)
        self.fill += 1
        self.used += 1
        if self.fill * 5 >= self.mask * 3:
            self._resize(self.used * 2 if self.used > 50000 else self.used * 4)

    def _insert(self, word: int, item: Any) -> None:
        perturb, start = word, word & self.mask
        while True:
            end = start + PROBES if start + PROBES <= self.mask else start
            for at in range(start, end + 1):
                if self.slots[at][1] == EMPTY:
                    self.slots[at] = word, USED, item
                    return
            perturb >>= SHIFT
            start = start * 5 + 1 + perturb & self.mask

    def _resize(self, least: int) -> None:
        size = SMALLEST
        while size <= least:
            size <<= 1
        old, self.slots, self.mask = self.slots, [(0, EMPTY, None)] * size, size - 1
        for word, state, item in old:
            if state == USED:
                self._insert(word, item)

    @property
    def is_plain(self) -> bool:
        """Would the same elements lie in the same order however they came?"""
        ordered = all(state != USED or is_ordered(item) for _, state, item in self.slots)
        return ordered and all(
            state == EMPTY or word & self.mask == at for at, (word, state, _) in enumerate(self.slots)
        )

    def items(self) -> list[Any]:
        """The elements, in the order of the table."""
        return [item for _, state, item in self.slots if state == USED]


def table_of(collection: Any, exact: bool = False) -> Table:
    """The table of a set as Python has it, or one of our own where the order of its elements is not known."""
    if not collection:
        return Table()
    if exact or all(map(is_ordered, collection)):
        if sets_can_be_read():
            return _read(collection)
        table = _rebuilt(collection, exact)
        if table.items() != list(collection):
            raise ValueError(collection)
        return table
    return _rebuilt(collection)


def _rebuilt(collection: Any, exact: bool = False) -> Table:
    table = Table()
    for item in collection:
        table.add(item, exact)
    return table


def _read(collection: Any) -> Table:
    """The table of a set, from Python's own memory."""
    fill, used, mask, address = (ctypes.c_uint64 * 4).from_address(id(collection) + 16)
    row = (ctypes.c_uint64 * (2 * (mask + 1))).from_address(address)
    known = {id(item): item for item in collection}
    slots = []
    for at in range(mask + 1):
        key, word = row[2 * at], row[2 * at + 1]
        if key in known:
            slots.append((word, USED, known[key]))
        else:
            slots.append((word, DUMMY if key else EMPTY, None))
    return Table(mask, fill, used, slots)


@cache
def sets_can_be_read() -> bool:
    """Do sets lie in memory as we know them?"""
    if (
        sys.implementation.name != "cpython"
        or ctypes.sizeof(ctypes.c_void_p) != 8
        or (hasattr(sys, "abiflags") and "t" in sys.abiflags)
    ):
        return False
    if sys.getsizeof(set()) < 200:
        return False
    for sample in (set(range(20)), {7, 15, 23, 31}, {(1, 2), (3, 4)}):
        size = sys.getsizeof(sample) - sys.getsizeof(set())
        fill, used, mask, address = (ctypes.c_uint64 * 4).from_address(id(sample) + 16)
        if fill != used or used != len(sample) or mask + 1 != (size // 16 or SMALLEST):
            return False
        if mask + 1 == SMALLEST and address != id(sample) + 64:
            return False
        if _read(sample).items() != list(sample):
            return False
    return True


def _reused_dummy() -> int:
    """How many numbers come before one that could take the place of either of two that were taken out."""
    sample = set(range(12))
    sample -= {0, 2}
    sample.add(2**20)
    return list(sample).index(2**20)


REUSES_DUMMIES = _reused_dummy() == 1  # a new element takes the last free place that was passed, if any


@cache
def text_key() -> tuple[int, int] | None:
    """What the hashes of strings depend on in this process, if they are what we take them for."""
    if sys.hash_info.algorithm != "siphash13" or not order_is_known():
        return None
    try:
        first, second = (ctypes.c_uint64 * 2).in_dll(ctypes.pythonapi, "_Py_HashSecret")
    except (ValueError, AttributeError):
        return None
    samples = ("a", "white", "some eight", "x" * 16, "caf\xe9")
    same = all(siphash(text.encode("latin-1"), first, second) == hash(text) & WORD for text in samples)
    return (first, second) if same else None


def siphash(text: bytes, first: int, second: int) -> int:
    """The hash of a string of bytes (Aumasson and Bernstein's SipHash-1-3), never 2**64 - 1."""
    v = [first ^ SIP[0], second ^ SIP[1], first ^ SIP[2], second ^ SIP[3]]

    def turned(word: int, by: int) -> int:
        return (word << by | word >> 64 - by) & WORD

    def mix() -> None:
        for a, b, c, d, s, t in ((0, 1, 2, 3, 13, 16), (2, 1, 0, 3, 17, 21)):
            v[a] = v[a] + v[b] & WORD
            v[c] = v[c] + v[d] & WORD
            v[b] = turned(v[b], s) ^ v[a]
            v[d] = turned(v[d], t) ^ v[c]
            v[a] = turned(v[a], 32)

    whole = len(text) // 8 * 8
    blocks = [int.from_bytes(text[at : at + 8], "little") for at in range(0, whole, 8)]
    for block in [*blocks, int.from_bytes(text[whole:], "little") | (len(text) << 56 & WORD)]:
        v[3] ^= block
        mix()
        v[0] ^= block
    v[2] ^= 0xFF
    for _ in range(3):
        mix()
    mixed = v[0] ^ v[1] ^ v[2] ^ v[3]
    return WORD - 1 if mixed == WORD else mixed


@cache
def order_is_known() -> bool:
    """Does this Python put numbers into sets by the rule that we know?"""
    if _reused_dummy() == 0:
        return False
    samples = [
        range(0, 4000, 7),
        range(0, 64, 8),
        (-1, -2, 2**61, 5, 8, 2**62 + 3),
        [(a, b) for a in range(9) for b in range(7)],
    ]
    for sample in samples:
        table = Table()
        grown: set[Any] = set()
        for item in sample:
            table.add(item)
            grown.add(item)
        if table.items() != list(grown):
            return False
    return True
