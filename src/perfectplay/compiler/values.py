"""Values between Python and machine code: a value of a shape as words, and back as the user's own object."""

from __future__ import annotations

import ctypes
import struct
from enum import Enum
from typing import Any

from perfectplay.compiler.hashing import USED, Table, table_of
from perfectplay.compiler.records import address_of
from perfectplay.compiler.shapes import (
    BOOL,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    KEPT,
    LARGE,
    RANGE,
    STR,
    WORD,
    Atom,
    ByteArray,
    Const,
    Dict,
    Frozen,
    List,
    Record,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    family_of,
    fields_of,
    general,
    in_row,
    is_row,
    member_of,
    number_of,
    same_constant,
    struct_names,
    width,
)
from perfectplay.compiler.traps import Misfit

SIGN = 1 << 63
SET_HEAD = 3  # words before the slots of a set


class Coder:
    """Writes values as words and reads them; what it writes lives as long as it does."""

    def __init__(self, words: dict[str, int], exact: bool = False) -> None:
        self.words = words
        self.exact = exact  # are hashes those of this process?
        self.texts = list(words)
        self.kept: list[Any] = []

    def encode(self, value: Any, shape: Shape) -> list[int]:
        """The words of a value, without a sign; Misfit if the shape does not hold it."""
        if isinstance(shape, Const):
            if not same_constant(value, shape.value):
                raise Misfit(value)
            return []
        if isinstance(shape, Union):
            return self._member(value, shape)
        if isinstance(shape, Record):
            return [address_of(value)]
        if shape == INT and isinstance(value, int) and not isinstance(value, Enum):
            if not -SIGN <= value < SIGN:
                raise Misfit(value)
            return [value & 2 * SIGN - 1]
        if shape == LARGE and isinstance(value, int) and not isinstance(value, Enum):
            if not -SIGN * SIGN * 2 <= value < SIGN * SIGN * 2:
                raise Misfit(value)
            return [value & 2 * SIGN - 1, value >> 64 & 2 * SIGN - 1]
        if shape == WORD and isinstance(value, int):
            return [value & 2 * SIGN - 1]
        if shape == BOOL and isinstance(value, bool):
            return [int(value)]
        if shape == FLOAT and isinstance(value, int | float):
            return [_bits(float(value))]
        if shape == CHAR and isinstance(value, str) and len(value) == 1:
            return [ord(value)]
        if isinstance(shape, Atom):
            if shape.kind is str and isinstance(value, str) and value in self.words:
                return [self.words[value]]
            if shape.kind is not str and isinstance(value, shape.kind):
                return [number_of(value) & 2 * SIGN - 1]  # type: ignore[arg-type]
            raise Misfit(value)
        if isinstance(shape, Struct) and type(value) is shape.cls:
            parts = fields_of(value)
            if len(parts) == len(shape.fields):
                return [
                    word
                    for part, one in zip(parts, shape.fields, strict=True)
                    for word in self.encode(part, one)
                ]
        if isinstance(shape, Seq) and type(value) is tuple:
            return [self.place([len(value), *(w for item in value for w in self.encode(item, shape.elem))])]
        if shape == STR and isinstance(value, str):
            return [self.place([len(value), *map(ord, value)])]
        if shape == BYTES and isinstance(value, bytes):
            return [self.place([len(value), *value])]
        if isinstance(shape, Frozen) and isinstance(value, frozenset):
            return [self.place(self._table(value, shape.elem))]
        if isinstance(shape, List) and isinstance(value, list):
            inside = [w for item in value for w in self.encode(item, shape.cells[0].elem)]
            return [self.place([len(value), len(value), self.place(inside or [0])])]
        raise Misfit(value)

    def table(self, value: frozenset[Any]) -> Table:
        """The table of a frozenset, as it lies in Python; Misfit if there is no telling."""
        try:
            return table_of(value, self.exact)
        except (ValueError, TypeError):
            raise Misfit(value) from None

    def _table(self, value: frozenset[Any], elem: Shape) -> list[int]:
        """The words of the table of a frozenset, as it lies in Python."""
        table = self.table(value)
        words = [table.used, table.mask, table.fill]
        for mixed, state, item in table.slots:
            words += [mixed, state, *(self.encode(item, elem) if state == USED else [0] * width(elem))]
        return words

    def _member(self, value: Any, shape: Union) -> list[int]:
        wanted = family(general(Const(value))), family_of(value)
        words: list[int] = []
        tag = -1
        for number, member in enumerate(shape.members):
            if family(member) in wanted:
                tag = number
                words += self.encode(value, member)
            else:
                words += [0] * width(member)
        if tag < 0:
            raise Misfit(value)
        return [tag, *words]

    def place(self, words: list[int]) -> int:
        """The address of memory with these words."""
        block = (ctypes.c_uint64 * len(words))(*words)
        self.kept.append(block)
        return ctypes.addressof(block)

    def decode(self, words: list[int], shape: Shape) -> Any:
        """The value that words stand for."""
        value, rest = self._decode(words, shape)
        assert not rest
        return value

    def _decode(self, words: list[int], shape: Shape) -> tuple[Any, list[int]]:
        if isinstance(shape, Const):
            return shape.value, words
        if isinstance(shape, Struct):
            parts = []
            for one in shape.fields:
                part, words = self._decode(words, one)
                parts.append(part)
            return built(shape.cls, parts), words
        if isinstance(shape, Union):
            tag, words = words[0], words[1:]
            found = None
            for number, member in enumerate(shape.members):
                if number == tag:
                    found, _ = self._decode(words, member)
                words = words[width(member) :]
            return found, words
        if shape == RANGE:
            start, stop, step = (word - 2 * SIGN if word >= SIGN else word for word in words[:3])
            return range(start, stop, step), words[3:]
        if shape == LARGE:
            low, high = words[:2]
            return (high - 2 * SIGN if high >= SIGN else high) << 64 | low, words[2:]
        word, rest = words[0], words[1:]
        if shape == INT:
            return word - 2 * SIGN if word >= SIGN else word, rest
        if shape == WORD:
            return word, rest
        if shape == BOOL:
            return bool(word & 1), rest
        if shape == FLOAT:
            return struct.unpack("<d", struct.pack("<Q", word))[0], rest
        if shape == CHAR:
            return chr(word), rest
        if isinstance(shape, Atom):
            if shape.kind is str:
                return self.texts[word], rest
            return member_of(shape.kind, word - 2 * SIGN if word >= SIGN else word), rest
        if is_row(shape):
            size = read(word, 1)[0]
            items = self.items(word + 8, size, in_row(shape))
            made = tuple(items) if isinstance(shape, Seq) else None
            return (made if made is not None else "".join(items) if shape == STR else bytes(items)), rest
        if isinstance(shape, List):
            size, _, data = read(word, 3)
            inside = self.items(data, size, shape.cells[0].elem)
            return (bytearray(inside) if isinstance(shape, ByteArray) else inside), rest
        if isinstance(shape, Frozen | Set):
            block = read(word, 1)[0] if isinstance(shape, Set) else word
            items = self.elements(block, shape.elem if isinstance(shape, Frozen) else shape.cells[0].elem)
            return (frozenset(items) if isinstance(shape, Frozen) else set(items)), rest
        if isinstance(shape, Dict):
            return self.entries(word, shape), rest
        raise Misfit(shape)

    def elements(self, block: int, elem: Shape) -> list[Any]:
        """The elements of a set, in the order of its table."""
        slots, step = read(block, 2)[1] + 1, 2 + width(elem)
        words = read(block + 8 * SET_HEAD, slots * step)
        rows = [words[at * step : (at + 1) * step] for at in range(slots)]
        return [self.decode(row[2:], elem) for row in rows if row[1] == USED]

    def entries(self, header: int, shape: Dict) -> dict[Any, Any]:
        """The dict of which this is the header."""
        _, fill, _, address = read(header, 4)
        keys, values = (cell.elem for cell in shape.cells)
        step = 2 + width(keys) + width(values)
        words = read(address, fill * step)
        rows = [words[at * step : (at + 1) * step] for at in range(fill)]
        return {
            self.decode(row[2 : 2 + width(keys)], keys): self.decode(row[2 + width(keys) :], values)
            for row in rows
            if row[1] == USED
        }

    def items(self, address: int, count: int, shape: Shape) -> list[Any]:
        """So many values in a row."""
        step = width(shape)
        words = read(address, count * step)
        return [self.decode(words[place * step : (place + 1) * step], shape) for place in range(count)]


def read(address: int, count: int) -> list[int]:
    """So many words from memory."""
    return list((ctypes.c_uint64 * count).from_address(address)) if count else []


def built(cls: type, parts: list[Any]) -> Any:
    """A tuple, named tuple or dataclass of these parts, or an object of a class that works like one."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, parts)
    if cls in KEPT:
        return cls(parts[0])
    if cls is complex:
        return complex(*parts)
    made = object.__new__(cls)
    for name, part in zip(struct_names(cls), parts, strict=True):
        object.__setattr__(made, name, part)
    return made


def _bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])
