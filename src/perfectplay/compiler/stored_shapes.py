"""Shapes as plain data: what a file holds of them, with classes by name, and the shapes that this says.

What a file cannot hold is Unstorable, and what it says amiss is a ValueError, KeyError or TypeError: then it
is compiled again.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from perfectplay.compiler import shapes
from perfectplay.compiler.kernels import Made
from perfectplay.compiler.layouts import Layout, Lengths
from perfectplay.compiler.number_classes import fraction_class
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.records import RECORDS, full_name
from perfectplay.compiler.shapes import (
    KEPT,
    Array,
    Atom,
    ByteArray,
    Cell,
    Const,
    Dict,
    Frozen,
    List,
    Plain,
    Record,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    fields_of,
    is_struct_class,
    struct_names,
)
from perfectplay.compiler.value_classes import note_kept, note_seen

PLAIN = {one.name: one for one in vars(shapes).values() if isinstance(one, Plain)}
REFERENCES: dict[str, type[Reference]] = {"list": List, "set": Set, "dict": Dict, "bytearray": ByteArray}
NUMBERS = {"bool": bool, "int": int, "str": str, "NoneType": type(None)}
OUR_OWN: dict[str, type] = {cls.__name__: cls for cls in (*KEPT, tuple, str, complex)}


class Unstorable(Exception):  # noqa: N818 - then it is compiled in every process
    """Something that cannot be found again in another process."""


class Storing:
    """Writes and reads shapes that refer to the classes of one game."""

    def __init__(self, game: Any = None, classes: Iterable[type] = ()) -> None:
        self.game = game
        self.classes: dict[str, type | None] = dict(OUR_OWN)
        if (fraction := fraction_class()) is not None:
            self.classes[fraction.__qualname__] = fraction
        for cls in classes:
            known = self.classes.setdefault(cls.__qualname__, cls)
            if known is not cls:
                self.classes[cls.__qualname__] = None  # which of them is not to be said

    # Writing.

    def shape(self, shape: Shape) -> list[Any]:
        """A shape as plain data."""
        match shape:
            case Plain(name=name) if PLAIN.get(name) == shape:
                return ["plain", name]
            case Const(value=value):
                return ["const", self._value(value)]
            case Atom(kind=kind):
                return ["atom", self._name(kind)]
            case Struct(cls=cls, fields=parts):
                return ["struct", self._name(cls), *map(self.shape, parts)]
            case Seq(elem=elem):
                return ["seq", self.shape(elem)]
            case Frozen(elem=elem):
                return ["frozen", self.shape(elem)]
            case Union(members=members):
                return ["union", *map(self.shape, members)]
            case Array(kind=kind):
                return ["array", kind]
            case Record(cls=cls):
                return ["record", full_name(cls)]
            case List() | Set() | Dict() if type(shape) is REFERENCES.get(shape.name):
                return [shape.name, *(self.shape(cell.elem) for cell in shape.cells)]
        raise Unstorable(shape)

    def _value(self, value: Any) -> list[Any]:
        if value is self.game and value is not None:
            return ["game"]
        if isinstance(value, Enum):
            return ["member", self._name(type(value)), value.name]
        if type(value) is tuple:
            return ["tuple", *map(self._value, value)]
        if type(value) is float:
            return ["float", value.hex()]
        if type(value).__name__ in NUMBERS and type(value) is NUMBERS[type(value).__name__]:
            return [type(value).__name__, value]
        raise Unstorable(value)

    def _name(self, cls: type) -> str:
        if self.classes.get(cls.__qualname__) is not cls:
            raise Unstorable(cls)
        return cls.__qualname__

    def layout(self, layout: Layout | None) -> Any:
        """A layout as plain data."""
        if layout is None:
            return None
        return [self.shape(layout.shape), layout.words, [*map(self.layout, layout.parts)], layout.room]

    def made(self, made: Made) -> dict[str, Any]:
        """A function in machine code, without the code."""
        return {
            "entry": made.entry,
            "shapes": [*map(self.shape, made.shapes)],
            "result": self.shape(made.result),
            "words": made.words,
            "layout": self.layout(made.layout),
        }

    def observed(self, observed: Observed) -> dict[str, Any]:
        """What was found out about a game, without the states that showed it."""
        lengths = observed.lengths
        return {
            "state": self.shape(observed.state),
            "action": self.shape(observed.action),
            "words": list(observed.words),
            "wide_lines": sorted(observed.wide_lines),
            "lengths": [[[*path], most, lengths.shortest[path]] for path, most in lengths.longest.items()],
        }

    # Reading.

    def read_shape(self, data: Any) -> Shape:
        """The shape that plain data stands for."""
        kind, *rest = data
        match kind, rest:
            case "plain", [name]:
                return PLAIN[name]
            case "const", [value]:
                return Const(self._read_value(value))
            case "atom", [name]:
                return Atom(self._class(name))
            case "struct", [name, *parts]:
                note_seen(self._class(name))
                if not is_struct_class(self._class(name)):
                    note_kept(self._class(name))
                return Struct(self._class(name), tuple(map(self.read_shape, parts)))
            case "seq", [elem]:
                return Seq(self.read_shape(elem))
            case "frozen", [elem]:
                return Frozen(self.read_shape(elem))
            case "union", members:
                return Union(tuple(map(self.read_shape, members)))
            case "array", [str() as name]:
                return Array(name)
            case "record", [str() as name]:
                return Record(RECORDS[name])
        cells = [Cell() for _ in rest]
        for cell, part in zip(cells, rest, strict=True):
            cell.elem = self.read_shape(part)
        return REFERENCES[kind](*cells)

    def _read_value(self, data: Any) -> Any:
        kind, *rest = data
        match kind, rest:
            case "game", []:
                return self.game
            case "member", [name, member]:
                return self._class(name)[member]  # type: ignore[index]
            case "tuple", parts:
                return tuple(map(self._read_value, parts))
            case "float", [text]:
                return float.fromhex(text)
            case _, [value] if type(value) is NUMBERS[kind]:
                return value
        raise ValueError(data)

    def _class(self, name: str) -> type:
        cls = self.classes[name]
        if cls is None:
            raise ValueError(name)
        return cls

    def read_layout(self, data: Any) -> Layout | None:
        """The layout that plain data stands for."""
        if data is None:
            return None
        shape, words, parts, room = data
        read = [part for part in map(self.read_layout, parts) if part is not None]
        return Layout(self.read_shape(shape), int(words), tuple(read), int(room))

    def read_made(self, data: Any, code: bytes) -> Made:
        """A function in machine code."""
        return Made(
            code,
            str(data["entry"]),
            [*map(self.read_shape, data["shapes"])],
            self.read_shape(data["result"]),
            [*map(str, data["words"])],
            self.read_layout(data["layout"]),
        )

    def read_observed(self, data: Any) -> Observed:
        """What was found out about a game; the states that showed it are to be observed again if needed."""
        lengths = Lengths()
        for path, longest, shortest in data["lengths"]:
            lengths.longest[(*path,)] = int(longest)
            lengths.shortest[(*path,)] = int(shortest)
        return Observed(
            state=self.read_shape(data["state"]),
            action=self.read_shape(data["action"]),
            words=dict.fromkeys(map(str, data["words"])),
            wide_lines={*map(int, data["wide_lines"])},
            lengths=lengths,
        )


def classes_in(value: Any) -> list[type]:
    """The classes of a value and of its parts."""
    if type(value) is dict:
        return [dict, *(cls for item in value.items() for cls in classes_in(item))]
    if isinstance(value, tuple | frozenset | list | set):
        return [type(value), *(cls for part in value for cls in classes_in(part))]
    if struct_names(type(value)):
        return [type(value), *(cls for part in fields_of(value) for cls in classes_in(part))]
    return [type(value)] if isinstance(value, Enum) else []
