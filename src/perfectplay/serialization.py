"""Serialization: a plain value as one number and back, the same in every process.

It is what `Game.pack` does where the rules say nothing of their own. Values that are equal have the same
number, so a truth value counts as an integer and a named tuple as a tuple; a value of the same kind says what
comes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from struct import pack, unpack
from typing import Any

from perfectplay.errors import BadParameterError

WHOLE, REAL, TEXT, BYTES, NOTHING, TUPLE, SET, MEMBER, OBJECT = range(9)  # what comes next
MORE = 0x80  # of a byte: another one follows


def number_of(value: Any, like: Any) -> int:
    """A value of the kind of another one as a number above 0 that no other value has."""
    row = bytearray([1])  # so that no leading zero is lost
    _write(row, value, [*dict.fromkeys(_classes(like))])
    return int.from_bytes(row, "big")


def value_of(number: int, like: Any) -> Any:
    """The value that has this number."""
    try:
        row = iter(number.to_bytes((number.bit_length() + 7) // 8, "big"))
        if next(row) != 1:
            raise ValueError
        value = _read(row, like, [*dict.fromkeys(_classes(like))])
        if next(row, None) is not None:
            raise ValueError
    except (StopIteration, ValueError, LookupError, TypeError, OverflowError):
        raise BadParameterError(f"{number} is the number of no state: give one that pack() gave.") from None
    return value


def _classes(like: Any) -> Iterator[type]:
    """The classes of objects in a value, in the order in which they come."""
    if isinstance(like, tuple | frozenset):
        parts = like if isinstance(like, tuple) else sorted(like, key=repr)
        for part in parts:
            yield from _classes(part)
    elif isinstance(like, Enum):
        yield type(like)
    elif is_dataclass(like):
        yield type(like)
        for part in _parts(like):
            yield from _classes(part)


def _parts(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in fields(value)]


def _write(row: bytearray, value: Any, classes: list[type]) -> None:
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        whole = int(value)
        row.append(WHOLE)
        _write_count(row, 2 * whole if whole >= 0 else -2 * whole - 1)
    elif isinstance(value, float):
        row.append(REAL)
        row += pack(">d", value)
    elif value is None:
        row.append(NOTHING)
    elif isinstance(value, tuple):
        row.append(TUPLE)
        _write_count(row, len(value))
        for part in value:
            _write(row, part, classes)
    elif isinstance(value, frozenset):
        row.append(SET)
        _write_count(row, len(value))
        parts = [bytearray() for _ in value]
        for each, part in zip(parts, value, strict=True):
            _write(each, part, classes)
        row += b"".join(sorted(parts))
    elif type(value) in classes and isinstance(value, Enum):
        row.append(MEMBER)
        _write_count(row, classes.index(type(value)))
        _write_bytes(row, value.name.encode())
    elif isinstance(value, str):
        row.append(TEXT)
        _write_bytes(row, value.encode("utf-8", "surrogatepass"))
    elif isinstance(value, bytes):
        row.append(BYTES)
        _write_bytes(row, value)
    elif type(value) in classes:
        row.append(OBJECT)
        _write_count(row, classes.index(type(value)))
        for part in _parts(value):
            _write(row, part, classes)
    else:
        raise BadParameterError(
            f"{value!r} in a state is a {type(value).__name__}, which the first state has none of: "
            "give the game a pack() and an unpack() of its own."
        )


def _write_count(row: bytearray, count: int) -> None:
    """A number of 0 or more, seven bits a byte, the lowest first."""
    while count >= MORE:
        row.append(count & MORE - 1 | MORE)
        count >>= 7
    row.append(count)


def _write_bytes(row: bytearray, data: bytes) -> None:
    _write_count(row, len(data))
    row += data


def _read(row: Iterator[int], like: Any, classes: list[type]) -> Any:
    kind = next(row)
    if kind == WHOLE:
        count = _read_count(row)
        whole = count >> 1 if count & 1 == 0 else -(count + 1 >> 1)
        return type(like)(whole) if isinstance(like, int | float) else whole
    if kind == REAL:
        return unpack(">d", _read_bytes(row, 8))[0]
    if kind == NOTHING:
        return None
    if kind == TUPLE:
        size = _read_count(row)
        likes = [*like] if isinstance(like, tuple) else []
        alike = likes if len(likes) == size else (likes[:1] or [None]) * size
        parts = [_read(row, each, classes) for each in alike]
        return type(like)(*parts) if len(likes) == size and hasattr(like, "_fields") else tuple(parts)
    if kind == SET:
        some = next(iter(like), None) if isinstance(like, frozenset) else None
        return frozenset(_read(row, some, classes) for _ in range(_read_count(row)))
    if kind == MEMBER:
        cls: Any = classes[_read_count(row)]
        return cls[_read_bytes(row, _read_count(row)).decode()]
    if kind == TEXT:
        return _read_bytes(row, _read_count(row)).decode("utf-8", "surrogatepass")
    if kind == BYTES:
        return _read_bytes(row, _read_count(row))
    return _read_object(row, like, classes[_read_count(row)], classes)


def _read_object(row: Iterator[int], like: Any, cls: Any, classes: list[type]) -> Any:
    """A dataclass, whatever its `__init__` takes."""
    made = object.__new__(cls)
    for field in fields(cls):
        part = _read(row, getattr(like, field.name, None), classes)
        object.__setattr__(made, field.name, part)
    return made


def _read_count(row: Iterator[int]) -> int:
    count, shift = 0, 0
    while True:
        byte = next(row)
        count |= (byte & MORE - 1) << shift
        shift += 7
        if byte < MORE:
            return count


def _read_bytes(row: Iterator[int], size: int) -> bytes:
    return bytes(next(row) for _ in range(size))
