"""Copies, plain and deep: of lists, sets, dicts and objects that may change."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.iterating import walk_all
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    INT,
    ByteArray,
    Cell,
    Dict,
    Frozen,
    List,
    Object,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    general,
)
from perfectplay.compiler.value_classes import value_fields


@intrinsic(copy.copy)
def _copy(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    shape = general(value.shape)
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: _copy(low, [one], {}))
    if isinstance(shape, ByteArray):
        return low.method(value, "copy", [], {})
    if isinstance(shape, List):
        return INTRINSICS[list](low, [value], {})
    if isinstance(shape, Set | Dict):
        return low.method(low.in_form(value), "copy", [], {})
    if isinstance(shape, Object):
        if own_method(shape, "__copy__") is not None:
            raise low.refuse("copies by a method of its own", "call that method")
        return low.copied_object(value)
    if isinstance(shape, Reference):
        raise low.refuse(f"copies {shape!r}", "make a new one")
    return _changeable(low, value)


def _changeable(low: Any, value: Value) -> Value:
    """A copy of what never changes, unless it is an object that the function may change."""
    shape = general(value.shape)
    if not isinstance(shape, Struct) or not value_fields(shape.cls) or not low.is_changed():
        return value
    if own_method(shape, "__copy__") is not None or own_method(shape, "__deepcopy__") is not None:
        raise low.refuse("copies by a method of its own", "call that method")
    return low.as_object(low.in_form(value))


@intrinsic(copy.deepcopy)
def deep_copy(low: Any, arguments: list[Value], named: Any) -> Value:
    """What is in two places of a value is one thing in the copy, too: where it happens, Python goes on."""
    (value,) = arguments
    places = _places(value.shape)
    if not any(count > 1 for count in places.values()):
        return _deeply(low, value, _Apart("", places))
    held = low.fresh("%apart")
    cell = low.cell(low.node, "apart", low.ordinal("apart"))
    low.put_into(cell, INT)
    low.set_name(held, low.new_list(cell, 0))
    made = _deeply(low, value, _Apart(held, places))
    low.names.pop(held, None)
    return made


class _Apart:
    """What one deep copy has come by: the name of a list of addresses, and in how many places cells are."""

    def __init__(self, held: str, places: Counter[Cell]) -> None:
        self.held = held
        self.places = places

    def note(self, low: Any, value: Value) -> None:
        """Leave to Python where this was copied before."""
        if self.places[value.shape.cells[0]] > 1:  # type: ignore[attr-defined]
            address = Value(INT, (low.op("i", "cast", "address", value.regs[0]),))
            low.call_prelude("note_apart", [low.get_name(self.held), address])


def _deeply(low: Any, value: Value, apart: _Apart) -> Value:
    shape = general(value.shape)
    if isinstance(shape, Reference) and not isinstance(value.shape, Reference):
        value = low.in_form(value)  # a constant
        shape = value.shape
    if isinstance(shape, Reference):
        apart.note(low, value)
    match shape:
        case ByteArray():
            return low.method(value, "copy", [], {})
        case List() if not _references(shape.cells[0].elem):
            return INTRINSICS[list](low, [value], {})
        case List() if isinstance(shape.cells[0].elem, Reference):
            return _deep_list(low, value, apart)
        case Dict() | Set() if not _references(shape.cells[-1].elem):
            return low.method(low.in_form(value), "copy", [], {})
        case Dict(cells=(_, row)) if isinstance(row.elem, List) and not _references(row.elem.cells[0].elem):
            items = low.in_form(value)
            walk_all(low, low.method(items, "values", [], {}), lambda one: apart.note(low, one))
            return low.call_prelude("dict_of_lists_copied", [items])
        case Struct(cls=cls) if value_fields(cls) and own_method(shape, "__deepcopy__") is None:
            parts = [_deeply(low, part, apart) for part in low.fields(low.in_form(value))]
            return _changeable(low, low.struct(cls, parts))
        case Object() if own_method(shape, "__deepcopy__") is None:
            return low.copied_object(value, lambda part: _deeply(low, part, apart))
    if not _references(shape):
        return _changeable(low, value)
    raise low.refuse(f"makes a deep copy of {shape!r}", "copy what changes: [row[:] for row in board]")


def _deep_list(low: Any, value: Value, apart: _Apart) -> Value:
    """A list of deep copies."""
    held = low.fresh("%deep")
    low.set_name(held, low.new_list(low.cell(low.node, "deep", low.ordinal("deep")), 0))
    each = low.in_form(value)
    walk_all(low, each, lambda item: low.append(low.get_name(held), _deeply(low, item, apart)))
    return low.taken(held)


def _places(shape: Shape) -> Counter[Cell]:
    """In how many places of a value what a cell stands for may be; in a list, in any number of them."""
    found: Counter[Cell] = Counter()

    def look(shape: Shape, times: int, above: tuple[Cell, ...]) -> None:
        match general(shape):
            case Reference(cells=cells) as inner:
                found[cells[0]] += times
                if cells[0] not in above:
                    times = times if isinstance(inner, Object) else 2
                    for cell in cells:
                        look(cell.elem, times, (*above, cells[0]))
            case Struct(fields=parts) | Union(members=parts):
                for part in parts:
                    look(part, times, above)
            case Seq(elem=elem) | Frozen(elem=elem):
                look(elem, 2, above)

    look(shape, 1, ())
    return found


def _references(shape: Shape) -> bool:
    """Is there something in a value that has an identity?"""
    match shape:
        case Reference():
            return True
        case Struct(fields=parts) | Union(members=parts):
            return any(map(_references, parts))
        case Seq(elem=elem) | Frozen(elem=elem):
            return _references(elem)
    return False
