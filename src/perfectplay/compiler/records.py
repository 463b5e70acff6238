"""Records: plain classes with typed fields, for functions that Python runs and that are compiled as well.

    @record
    class Move:
        order: float = 0.0
        key: Word = 0
        state: State = None

Run by Python, a record is an object and an array of them a list. Compiled, a record is an address, a field
is a word at a fixed distance from it, and the elements of an array lie one after the other, so that
`moves[place].order` is a load. Memory for compiled functions is laid out by the same declaration, so that
whoever fills it in writes `workspace.limit = 100` in both cases.

A field is an `int`, a `float`, a `bool` or a `Word`; a `State` of the game; another record; or an array of
these, which is written as a list and holds as many as whoever allocates it says. `Atomic[...]` is a number
that several threads read and write. `Known[...]` is a constant of the compiled function, which takes no
memory; and if a field may be None, it is known when compiling whether it is.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, TypeVar, dataclass_transform, get_args, get_type_hints

T = TypeVar("T")


class Mark(NamedTuple):
    """What an annotation says besides the type that Python sees."""

    says: str


Word = Annotated[int, Mark("word")]  # 64 bits without a sign; what goes beyond is lost
Byte = Annotated[int, Mark("byte")]  # in arrays alone, as is the next
Short = Annotated[int, Mark("short")]  # 16 bits
State = Annotated[Any, Mark("state")]  # of the game
Atomic = Annotated[T, Mark("atomic")]
Known = Annotated[T, Mark("known")]

PLAIN = {int: "int", float: "float", bool: "bool"}
RAW: dict[str, Any] = {
    "int": ctypes.c_int64,
    "float": ctypes.c_double,
    "bool": ctypes.c_uint64,
    "word": ctypes.c_uint64,
    "byte": ctypes.c_uint8,
    "short": ctypes.c_uint16,
}
REFERENCES = ("record", "array")
RECORDS: dict[str, type] = {}  # by their full names


class FieldKind(NamedTuple):
    """What a field holds, or an element of an array."""

    name: str  # int, float, bool, word, byte, short, state, known, record or array
    of: Any = None  # the class of a record, the FieldKind of what is in an array
    atomic: bool = False
    optional: bool = False  # may it be None?


class Room(NamedTuple):
    """What the size of a record depends on: the words of a state, and of one that may be None."""

    state: int = 0
    optional_state: int = 0


@dataclass_transform(kw_only_default=True, eq_default=False)
def record(cls: type[T]) -> type[T]:
    """A class of records: its objects have the fields that are annotated, and no others."""
    made = dataclass(slots=True, eq=False, kw_only=True)(cls)
    made.__record__ = True  # type: ignore[attr-defined]
    RECORDS[full_name(made)] = made
    return made


def full_name(cls: type) -> str:
    """What a class of records is called, wherever it is."""
    return f"{cls.__module__}.{cls.__qualname__}"


def is_record_class(cls: Any) -> bool:
    """Was a class declared to be one of records?"""
    return isinstance(cls, type) and "__record__" in vars(cls)


@cache
def kinds_in(cls: type) -> dict[str, FieldKind]:
    """The fields of a record, in the order in which they lie in memory."""
    hints = get_type_hints(cls, include_extras=True)
    found = {each.name: kind_of(hints[each.name]) for each in fields(cls)}
    for name, kind in found.items():
        if kind.name in ("byte", "short"):
            raise TypeError(f"{cls.__name__}.{name} cannot be a {kind.name}: only elements of arrays can.")
    return found


def kind_of(hint: Any) -> FieldKind:
    """What an annotation stands for."""
    if hasattr(hint, "__metadata__"):
        says = {mark.says for mark in hint.__metadata__ if isinstance(mark, Mark)}
        plain = kind_of(hint.__origin__) if hint.__origin__ in PLAIN else FieldKind("state")
        name = next(iter(says - {"atomic"}), plain.name)
        if "atomic" not in says or name in ("int", "float", "word"):
            return FieldKind(name, atomic="atomic" in says)
    elif hint in PLAIN:
        return FieldKind(PLAIN[hint])
    if is_record_class(hint):
        return FieldKind("record", hint)
    inside = get_args(hint)
    if getattr(hint, "__origin__", None) is list and len(inside) == 1:
        return FieldKind("array", kind_of(inside[0]))
    if NoneType in inside and len(inside) == 2:
        (other,) = (kind_of(part) for part in inside if part is not NoneType)
        if other.name in ("record", "state"):
            return other._replace(optional=True)
    raise TypeError(f"a field of a record cannot be {hint!r}: see perfectplay.compiler.records.")


def words_of(kind: FieldKind, room: Room) -> int:
    """The words that a field takes in memory."""
    if kind.name == "state":
        return room.optional_state if kind.optional else room.state
    return 0 if kind.name == "known" else 1


def offset(cls: type, name: str, room: Room) -> int:
    """The words of a record before a field."""
    before = 0
    for other, kind in kinds_in(cls).items():
        if other == name:
            return before
        before += words_of(kind, room)
    raise AttributeError(f"a {cls.__name__} has no field {name!r}.")


def size(cls: type, room: Room) -> int:
    """The words of a record."""
    return sum(words_of(kind, room) for kind in kinds_in(cls).values())


# Records in memory, for compiled functions.


class Raw(ctypes.Structure):
    """A record in memory, as Python sees it; what it refers to lives as long as it does."""


def _reference(name: str) -> property:
    """A field that holds an address."""

    def get(self: Any) -> Any:
        return vars(self).get(name)

    def put(self: Any, value: Any) -> None:
        vars(self)[name] = value
        setattr(self, f"_{name}", address_of(value))

    return property(get, put)


@cache
def raw_class(cls: type, room: Room) -> type[Raw]:
    """A class of ctypes that lays out a record as compiled functions do."""
    inside: list[tuple[str, Any]] = []
    members: dict[str, Any] = {}
    for name, kind in kinds_in(cls).items():
        if kind.name in REFERENCES:
            inside.append((f"_{name}", ctypes.c_uint64))
            members[name] = _reference(name)
        elif kind.name == "state":
            inside.append((name, ctypes.c_uint64 * words_of(kind, room)))
        elif kind.name != "known":
            inside.append((name, RAW[kind.name]))
    return type(f"Raw{cls.__name__}", (Raw,), {**members, "_fields_": inside})


def address_of(value: Any) -> int:
    """Where something lies in memory: a record, an array of ctypes or of numpy, or nothing (0)."""
    if value is None:
        return 0
    return int(value.ctypes.data) if hasattr(value, "ctypes") else ctypes.addressof(value)


def raw_elements(hint: Any, room: Room) -> Any:
    """What an array in memory consists of, as ctypes names it."""
    kind = kind_of(hint)
    return raw_class(kind.of, room) if kind.name == "record" else RAW[kind.name]


def made_raw(cls: type, room: Room, memory: Any = None, /, **given: Any) -> Any:
    """A record in memory, its own or some that is given, with its fields as given or by default."""
    made = raw_class(cls, room)() if memory is None else raw_class(cls, room).from_buffer(memory)
    for each in fields(cls):
        kind = kinds_in(cls)[each.name]
        if kind.name not in ("known", "state"):
            setattr(made, each.name, given.get(each.name, each.default))
    return made
