"""Equality, truth and order of any values; tuples, lists and strings: indexed, sliced, joined, repeated."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from enum import Flag
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.arithmetic import BITS
from perfectplay.compiler.lowering.bytestrings import as_array, as_bytes, as_row, is_bytes
from perfectplay.compiler.lowering.comparisons import Comparisons, _is_none, is_counter, is_text_enum
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.representation import HEADER
from perfectplay.compiler.lowering.tables import constant_row, key_number, look_up
from perfectplay.compiler.lowering.texts import percent
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    INT,
    RANGE,
    STR,
    Array,
    Atom,
    ByteArray,
    Const,
    Dict,
    Elements,
    List,
    Seq,
    Shape,
    Struct,
    Union,
    family,
    fields_of,
    general,
    is_row,
    width,
)

COUNTED: dict[type[ast.operator], str] = {
    ast.Add: "counter_plus",
    ast.Sub: "counter_minus",
    ast.BitOr: "counter_or",
    ast.BitAnd: "counter_and",
}
SLICED = (str, bytes, tuple, range)  # constants that are, when compiling
FEW = 16  # elements that are compared one by one, without a loop


class Sequences(Comparisons):
    """What can be done with values in a row."""

    # Indices.

    def index(self, value: Value, place: Value) -> Value:
        """value[place]"""
        shape = value.shape
        if isinstance(shape, Union):
            return self.each_member(
                value, lambda member: self.index(member, place) if not _is_none(member) else None
            )
        if BOTTOM in (shape, place.shape):
            return Value(BOTTOM)
        if (method := own_method(shape, "__getitem__")) is not None:
            return self.call_python(method, [value, place], {})
        if is_text_enum(shape):
            return self.index(self.as_text(value), place)
        if isinstance(place.shape, Union) and not isinstance(shape, Dict):
            return self.each_member(place, lambda one: self.index(value, one) if not _is_none(one) else None)
        if (limits := self.limits_of(place)) is not None and not isinstance(shape, Dict):
            return self.slice(value, *limits)
        if isinstance(shape, Const):
            return self.index_constant(value, shape.value, place)
        if isinstance(shape, Dict):
            return self.call_prelude("dict_index", [value, self.in_form(place)])
        if isinstance(shape, Struct) and isinstance(place.shape, Const):
            parts = self.fields(value)
            number = place.shape.value
            if issubclass(shape.cls, tuple) and isinstance(number, int):
                if -len(parts) <= number < len(parts):
                    return parts[number]
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
        if isinstance(shape, Struct) and issubclass(shape.cls, tuple):
            if not shape.fields:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.index(self.in_memory(value), place)
        if isinstance(shape, Array):
            return self.array_index(value, place)
        if isinstance(shape, Elements):
            return self.elements_index(value, place)
        if shape == RANGE:
            at = self.valid_index(self.integer(place), self.range_length(value))
            start, _, step = value.regs
            return Value(INT, (self.op("i", "bin", "add", start, self.op("i", "bin", "mul", at, step)),))
        if family(shape) == "str":
            value = self.coerce(value, STR)
        if isinstance(value.shape, List) or is_row(value.shape):
            if self.element_shape(value.shape) is BOTTOM:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.element(value, self.valid_index(self.integer(place), self.length(value)))
        raise self.refuse(f"takes a place of {shape!r}", "index tuples, lists, strings and dicts")

    def array_index(self, value: Value, place: Value) -> Value:
        """An element of a caller's array."""
        raise NotImplementedError

    def elements_index(self, value: Value, place: Value) -> Value:
        """An element of an array of a record."""
        raise NotImplementedError

    def set_element(self, target: Value, place: Value, item: Value) -> None:
        """Write an element of such an array."""
        raise NotImplementedError

    def limits_of(self, place: Value) -> list[Value] | None:
        """The limits of a slice that is a value; None if it is none."""
        if isinstance(place.shape, Const) and isinstance(place.shape.value, slice):
            return [constant(limit) for limit in fields_of(place.shape.value)]
        is_slice = isinstance(place.shape, Struct) and place.shape.cls is slice
        return self.fields(place) if is_slice else None

    def index_constant(self, value: Value, known: Any, place: Value) -> Value:
        """A place of a constant."""
        if isinstance(place.shape, Const) and not (
            isinstance(known, defaultdict) and place.shape.value not in known
        ):
            try:
                return constant(known[place.shape.value])
            except (LookupError, TypeError) as error:
                self.fail(traps.code_of(type(error)))
                return Value(BOTTOM)
        if isinstance(known, dict):
            return self.look_up(known, place)
        if isinstance(known, tuple | list):
            if not known:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.index(constant_row(self, known), place)
        if isinstance(known, str | range):
            return self.index(self.materialise(known, STR if isinstance(known, str) else RANGE), place)
        if isinstance(known, bytes):
            return self.index(constant_row(self, tuple(known)), place)
        raise self.refuse(f"takes a place of the constant {type(known).__name__}", "use a tuple or a dict")

    def look_up(self, known: dict[Any, Any], key: Value) -> Value:
        """The value of a constant dict under a key."""
        return look_up(self, known, key)

    def key_number(self, known: Any, key: Value) -> Operand:
        """The number of a key among those of a constant dict, or -1."""
        return key_number(self, known, key)

    def numbered(self, values: list[Any], number: Operand) -> Value:
        """The constant with a number among several."""
        if all(value is values[0] for value in values):
            return constant(values[0])
        return self.element(constant_row(self, values), number)

    def valid_index(self, index: Operand, size: Operand) -> Operand:
        """An index from the front, which is known to be below the length."""
        if isinstance(index, int) and isinstance(size, int):
            index = index + size if index < 0 else index
            self.require(0 <= index < size, traps.code_of(IndexError))
            return index
        if not isinstance(index, int):
            behind = self.op("i", "bin", "add", index, size)
            index = self.op("i", "select", self.op("b", "cmp", "lt", index, 0), behind, index)
        elif index < 0:
            index = self.op("i", "bin", "add", size, index)
        self.require(self.op("b", "cmp", "ult", index, size), traps.code_of(IndexError))
        return index

    def set_index(self, target: Value, place: Value, item: Value) -> None:
        """target[place] = item"""
        shape = target.shape
        if isinstance(shape, Union):
            self.each_member(target, lambda one: self.index_set(one, place, item))
            return
        if (method := own_method(shape, "__setitem__")) is not None:
            self.call_python(method, [target, place, item], {})
            return
        if (limits := self.limits_of(place)) is not None and not isinstance(shape, Dict):
            self.set_slice(target, limits, item)
            return
        if isinstance(shape, Array):
            self.set_array_element(target, place, item)
        elif isinstance(shape, Elements):
            self.set_element(target, place, item)
        elif isinstance(shape, Dict):
            self.change(*shape.cells)
            self.call_prelude("dict_set", [target, self.in_form(place), self.in_form(item)])
        elif isinstance(shape, List):
            self.change(*shape.cells)
            if isinstance(shape, ByteArray):
                item = self.call_prelude("required_byte", [item])
            elem = self.put_into(shape.cells[0], item.shape)
            stored = self.coerce(item, elem)
            at = self.valid_index(self.integer(place), self.length(target))
            pointer, skipped = self.data(target)
            self.store(stored, self.op("p", "at", pointer, at, width(elem), skipped), 0)
        elif isinstance(shape, Const) and isinstance(shape.value, list | dict):
            raise self.refuse("changes a list or dict that is a constant", "change a copy: list(...)")
        elif shape is BOTTOM:
            return
        else:
            raise self.refuse(f"changes a place of {shape!r}", "change lists and dicts only")

    def index_set(self, target: Value, place: Value, item: Value) -> Value | None:
        """The same for one of the kinds that a value may be of; None if it has no places to change."""
        if not isinstance(target.shape, List | Dict) and own_method(target.shape, "__setitem__") is None:
            return None
        self.set_index(target, place, item)
        return constant(None)

    def of_limits(self, limits: list[Value], do: Callable[[list[Value]], Value]) -> Value:
        """What becomes of a slice whose limits may be numbers or None, whichever they are."""
        place = next((at for at, limit in enumerate(limits) if isinstance(limit.shape, Union)), None)
        if place is None:
            return do(limits)
        before, after = limits[:place], limits[place + 1 :]
        return self.each_member(limits[place], lambda one: self.of_limits([*before, one, *after], do))

    def set_slice(self, target: Value, limits: list[Value], value: Value) -> None:
        """target[first:last:step] = value"""
        if not isinstance(target.shape, List):
            raise self.refuse(f"assigns to a slice of {target.shape!r}", "assign to slices of lists")
        self.change(*target.shape.cells)
        items = self.listed(value)
        self.of_limits(limits, lambda each: self.slice_set(target, each, items))

    def slice_set(self, target: Value, limits: list[Value], items: Value) -> Value:
        """The same, where it is known which limits are None."""
        first, last, step = limits
        if step.shape == Const(None):
            return self.call_prelude("list_set_slice", [target, first, last, items])
        return self.call_prelude("list_set_slice_by", [target, *limits, items])

    def listed(self, value: Value) -> Value:
        """A list of what a generator gives."""
        raise NotImplementedError

    def call(self, function: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a value."""
        raise NotImplementedError

    def set_array_element(self, target: Value, place: Value, item: Value) -> None:
        """The same in a caller's array."""
        raise NotImplementedError

    # Slices, sums and products.

    def slice(self, value: Value, first: Value, last: Value, step: Value) -> Value:
        """value[first:last:step]"""
        shape = value.shape
        if isinstance(shape, Union):
            return self.each_member(
                value, lambda one: self.slice(one, first, last, step) if not _is_none(one) else None
            )
        if shape is BOTTOM:
            return value
        if is_text_enum(shape):
            return self.slice(self.as_text(value), first, last, step)
        if (method := own_method(shape, "__getitem__")) is not None:
            return self.call_python(method, [value, self.struct(slice, [first, last, step])], {})
        if any(isinstance(limit.shape, Union) for limit in (first, last, step)):
            return self.of_limits([first, last, step], lambda each: self.slice(value, *each))
        limits = [
            limit.shape.value if isinstance(limit.shape, Const) else ... for limit in (first, last, step)
        ]
        if limits[2] == 0:
            self.fail(traps.code_of(ValueError))
            return Value(BOTTOM)
        if ... not in limits and isinstance(shape, Const) and isinstance(shape.value, SLICED):
            return constant(shape.value[slice(*limits)])  # type: ignore[arg-type]
        if ... not in limits and isinstance(shape, Struct) and issubclass(shape.cls, tuple):
            return self.struct(tuple, self.fields(value)[slice(*limits)])  # type: ignore[arg-type]
        value = self.in_form(value)
        if family(value.shape) == "str":
            value = self.coerce(value, STR)
        value = self.in_memory(value)
        if isinstance(value.shape, ByteArray):
            row = self.slice(as_row(self, as_bytes(self, value)), first, last, step)
            return Value(BOTTOM) if self.dead else as_array(self, row)
        if value.shape == BYTES:
            row = self.slice(as_row(self, value), first, last, step)
            return Value(BYTES, row.regs) if row.regs else row
        if not isinstance(value.shape, Seq | List) and value.shape != STR:
            raise self.refuse(f"takes a slice of {shape!r}", "slice tuples, lists and strings")
        if limits[2] not in (None, 1):
            return self.call_prelude("sliced", [value, first, last, step])
        size = self.length(value)
        begin = self.clamped(first, size, 0)
        end = self.clamped(last, size, size)
        count = self.op("i", "bin", "sub", end, begin)
        count = self.op("i", "op", "smax", count, 0)
        if isinstance(value.shape, List):
            cell = self.cell(self.node, "slice")
            made = self.new_list(cell, count)
            elem = self.put_into(cell, value.shape.cells[0].elem)
            self.emit("store", count, "i", made.regs[0], 0)
            pointer, skipped = self.data(made)
            self.copy_elements(value, begin, count, elem, pointer, skipped)
            return made
        return self.copied(value, value.shape, begin, count)

    def clamped(self, limit: Value, size: Operand, default: Operand) -> Operand:
        """A limit of a slice: from the front, and from 0 to the length."""
        if isinstance(limit.shape, Const) and limit.shape.value is None:
            return default
        if isinstance(limit.shape, Union):
            return self.each_member(limit, lambda one: Value(INT, (self.clamped(one, size, default),))).regs[
                0
            ]
        at = self.integer(limit)
        if isinstance(at, int):
            if at < 0:
                at = self.op("i", "bin", "add", size, at)
        else:
            behind = self.op("i", "bin", "add", at, size)
            at = self.op("i", "select", self.op("b", "cmp", "lt", at, 0), behind, at)
        at = self.op("i", "op", "smax", at, 0)
        return self.op("i", "op", "smin", at, size)

    def new_list(self, cell: Any, room: Operand) -> Value:
        """An empty list with room for so many elements."""
        elem = cell.root().elem
        pointer = self.alloc(3)
        words = self.op("i", "bin", "mul", room, max(width(elem), 1))
        data = self.alloc(words)
        for place, (word, kind) in enumerate(((0, "i"), (room, "i"), (data, "p"))):
            self.emit("store", word, kind, pointer, place)
        return Value(List(cell), (pointer,))

    def append(self, target: Value, item: Value) -> None:
        """Put an item at the end of a list, which may be one that is just being made."""
        assert isinstance(target.shape, List)
        elem = self.put_into(target.shape.cells[0], item.shape)
        stored = self.coerce(item, elem)
        header = target.regs[0]
        size, room = self.op("i", "load", header, 0), self.op("i", "load", header, 1)
        full, fits = self.split(self.op("b", "cmp", "eq", size, room), "yes")
        names = dict(self.names)
        self.enter(full)
        wider = self.op("i", "op", "smax", self.op("i", "bin", "shl", room, 1), 8)
        old = self.op("p", "load", header, 2)
        new = self.alloc(self.op("i", "bin", "mul", wider, max(width(elem), 1)))
        words = self.op("i", "bin", "mul", size, width(elem))

        def move(index: Operand) -> None:
            word = self.op("i", "load", self.op("p", "at", old, index, 1, 0), 0)
            self.emit("store", word, "i", self.op("p", "at", new, index, 1, 0), 0)

        self.counted(words, move)
        self.emit("store", wider, "i", header, 1)
        self.emit("store", new, "p", header, 2)
        self.close("br", fits)
        self.enter(fits)
        self.names = names
        data = self.op("p", "load", header, 2)
        self.store(stored, self.op("p", "at", data, size, width(elem), 0), 0)
        self.emit("store", self.op("i", "bin", "add", size, 1), "i", header, 0)

    def on_others(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Operators on tuples, lists, strings, sets, dicts and flags."""
        left, right = self.as_text(left), self.as_text(right)
        if isinstance(general(left.shape), Atom) and general(left.shape) != Atom(str):
            return self.on_flags(op, left, right)
        a, b = general(left.shape), general(right.shape)
        if op is ast.Add and self.is_tuple(a) and self.is_tuple(b):
            return self.tuples_joined(left, right)
        if op is ast.Add and family(a) == family(b) == "str":
            pair = [self.coerce(one, STR) for one in (left, right)]
            return self.joined(pair[0], pair[1], STR)
        if is_bytes(left) and (is_bytes(right) or self.is_whole(right.shape)):
            return self.on_bytes(op, left, right)
        if is_bytes(right) and self.is_whole(left.shape) and op is ast.Mult:
            return self.on_bytes(op, right, left)
        if op is ast.Add and isinstance(a, List) and isinstance(b, List):
            return self.call_prelude("lists_joined", [self.in_form(left), self.in_form(right)])
        if op is ast.Mult:
            for one, other in ((left, right), (right, left)):
                if self.is_whole(other.shape) and (
                    self.is_tuple(one.shape) or family(general(one.shape)) in ("str", "list")
                ):
                    return self.repeated(one, other)
        names = {
            ast.BitOr: "union",
            ast.BitAnd: "intersection",
            ast.Sub: "difference",
            ast.BitXor: "symmetric_difference",
        }
        if op in names and "keys" in (getattr(a, "side", ""), getattr(b, "side", "")):
            left, right = (self.call(constant(set), [one], {}) for one in (left, right))
            a, b = left.shape, right.shape
        if op in names and {family(a), family(b)} <= {"set", "frozenset"}:
            return self.call_prelude(f"{names[op]}_of", [self.in_form(left), self.in_form(right)])
        if op in COUNTED and is_counter(a) and is_counter(b):
            return self.call_prelude(COUNTED[op], [left, right])
        if op is ast.BitOr and family(a) == family(b) == "dict":
            if is_counter(a) or is_counter(b):
                raise self.refuse("joins a counter with a dict", "use .update()")
            return self.call_prelude("dict_union_of", [self.in_form(left), self.in_form(right)])
        if op is ast.Mod and family(a) == "str":
            return percent(self, left, right)
        self.has_no_operator(left, right)
        return Value(BOTTOM)

    def on_bytes(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Bytes + bytes, bytes * number: what the left one is."""
        one = as_row(self, as_bytes(self, left))
        if op is ast.Add and is_bytes(right):
            made = self.joined(one, as_row(self, as_bytes(self, right)), Seq(INT))
        elif op is ast.Mult and self.is_whole(right.shape):
            made = self.call_prelude("tuple_repeated", [one, right])
        else:
            raise self.refuse("uses an operator on bytes", "use it on numbers or texts")
        return as_array(self, made) if isinstance(left.shape, ByteArray) else Value(BYTES, made.regs)

    def on_flags(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Flags joined, in common, or in one only."""
        shape = general(left.shape)
        assert isinstance(shape, Atom)
        if op not in BITS or not issubclass(shape.kind, Flag) or general(right.shape) != shape:
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        bits = [self.coerce(value, shape).regs[0] for value in (left, right)]
        return Value(shape, (self.op("i", "bin", BITS[op], *bits),))

    def tuples_joined(self, left: Value, right: Value) -> Value:
        """Tuple + tuple"""
        a, b = general(left.shape), general(right.shape)
        if isinstance(a, Struct) and isinstance(b, Struct) and len(a.fields) + len(b.fields) <= 4 * FEW:
            return self.struct(tuple, [*self.fields(left), *self.fields(right)])
        pair = [self.in_memory(self.in_form(one)) for one in (left, right)]
        elem = self.join(self.element_shape(pair[0].shape), self.element_shape(pair[1].shape))
        return self.joined(pair[0], pair[1], Seq(elem))

    def joined(self, one: Value, other: Value, shape: Shape) -> Value:
        """A new tuple or string of the elements of two."""
        elem = self.element_shape(shape)
        mine, theirs = self.length(one), self.length(other)
        count = self.op("i", "bin", "add", mine, theirs)
        words = self.op("i", "bin", "mul", count, width(elem))
        pointer = self.alloc(self.op("i", "bin", "add", words, HEADER))
        self.emit("store", count, "i", pointer, 0)
        self.copy_elements(one, 0, mine, elem, pointer, HEADER)
        second = self.op("p", "at", pointer, mine, width(elem), HEADER)
        self.copy_elements(other, 0, theirs, elem, second, 0)
        return Value(shape, (pointer,))

    def repeated(self, value: Value, times: Value) -> Value:
        """Tuple * n, list * n, string * n"""
        shape = value.shape
        if isinstance(times.shape, Const) and isinstance(general(shape), Struct):
            parts = self.fields(value) * max(times.shape.value, 0)
            if len(parts) <= FEW:
                return self.struct(tuple, parts)
        if family(general(shape)) == "str":
            return self.call_prelude("text_repeated", [self.coerce(value, STR), times])
        if family(general(shape)) == "list":
            return self.call_prelude("list_repeated", [self.in_form(value), times])
        return self.call_prelude("tuple_repeated", [self.in_memory(self.in_form(value)), times])
