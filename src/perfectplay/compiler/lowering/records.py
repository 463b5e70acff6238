"""Records and their arrays in machine code: fields at fixed distances, elements one after the other."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from types import FunctionType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.memory import Memory
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.records import FieldKind, kinds_in, offset, size
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    WORD,
    Const,
    Elements,
    Method,
    Record,
    Shape,
    Struct,
    kinds,
)

NUMBERS: dict[str, Shape] = {"int": INT, "float": FLOAT, "bool": BOOL, "word": WORD}
SMALL = {"byte": 1, "short": 2}  # bytes of an element of an array


class Records(Memory):
    """Reading and writing fields and elements."""

    def record_attribute(self, value: Value, name: str) -> Value:
        """value.name"""
        assert isinstance(value.shape, Record)
        cls = value.shape.cls
        kind = kinds_in(cls).get(name)
        if kind is not None:
            return self.field_in(value.regs[0], kind, name, offset(cls, name, self.program.room))
        found = inspect.getattr_static(cls, name, None)
        if isinstance(found, FunctionType):
            return Value(Method(found, value.shape), value.regs)
        raise self.refuse(f"reads .{name} of a {cls.__name__}", "use its fields")

    def field_in(self, pointer: Operand, kind: FieldKind, name: str, at: int) -> Value:
        """What a field holds that lies so many words after an address."""
        if kind.name == "known":
            return constant(self.program.known[name])
        if kind.optional and not self.is_there(kind):
            return constant(None)
        if kind.name == "state":
            return self.revive(self.program.layout, pointer, at)
        if kind.name == "record":
            return Value(Record(kind.of), (self.op("p", "load", pointer, at),))
        if kind.name == "array":
            return Value(Elements(kind.of), (self.op("p", "load", pointer, at),))
        shape = NUMBERS[kind.name]
        if kind.atomic:
            return Value(shape, (self.op(kinds(shape), "load_atomic", pointer, at),))
        return self.load(pointer, at, shape)

    def is_there(self, kind: FieldKind) -> bool:
        """Is there something in a field that may be None?"""
        if kind.name == "state":
            return self.program.room.optional_state > 0
        return self.program.endgames is kind.of

    def set_record_attribute(self, holder: Value, name: str, value: Value) -> None:
        """holder.name = value"""
        assert isinstance(holder.shape, Record)
        cls = holder.shape.cls
        if name not in kinds_in(cls):
            raise self.refuse(f"changes .{name} of a {cls.__name__}", "declare it as a field")
        self.put_field(holder.regs[0], kinds_in(cls)[name], offset(cls, name, self.program.room), value)

    def put_field(self, pointer: Operand, kind: FieldKind, at: int, value: Value) -> None:
        """Write a field that lies so many words after an address."""
        if kind.name in ("known", "record", "array"):
            raise self.refuse("changes what a record refers to", "change what is in there")
        if kind.name == "state":
            if not kind.optional or self.is_there(kind):
                self.persist(value, self.program.layout, pointer, at)
            return
        shape = NUMBERS[kind.name]
        stored = self.as_field(value, shape)
        if kind.atomic:
            self.emit("store_atomic", stored.regs[0], kinds(shape), pointer, at)
        else:
            self.store(stored, pointer, at)

    def as_field(self, value: Value, shape: Shape) -> Value:
        """A number as it is kept in memory."""
        if shape == FLOAT:
            return Value(FLOAT, (self.real(value),))
        if shape == BOOL:
            return Value(BOOL, (self.truth(value),))
        if isinstance(value.shape, Const):
            return self.coerce(value, shape)
        return Value(shape, (self.integer(value),))

    # Arrays.

    def elements_index(self, value: Value, place: Value) -> Value:
        """An element of an array, whose index is right if Python's is."""
        assert isinstance(value.shape, Elements)
        kind, index, pointer = value.shape.kind, self.integer(place), value.regs[0]
        if kind.name in SMALL:
            return Value(INT, (self.op("i", "load_small", pointer, index, SMALL[kind.name]),))
        if kind.name == "record":
            stride = size(kind.of, self.program.room)
            return Value(Record(kind.of), (self.op("p", "at", pointer, index, stride, 0),))
        return self.field_in(self.op("p", "at", pointer, index, 1, 0), kind, "", 0)

    def set_element(self, target: Value, place: Value, item: Value) -> None:
        """target[place] = item"""
        assert isinstance(target.shape, Elements)
        kind, index, pointer = target.shape.kind, self.integer(place), target.regs[0]
        if kind.name in SMALL:
            self.emit("store_small", self.integer(item), pointer, index, SMALL[kind.name])
        elif kind.name == "record":
            stride = size(kind.of, self.program.room)
            self.put_record(self.op("p", "at", pointer, index, stride, 0), kind.of, item)
        else:
            self.put_field(self.op("p", "at", pointer, index, 1, 0), kind, 0, item)

    def put_record(self, pointer: Operand, cls: type, item: Value) -> None:
        """Write all fields of a record that was made here."""
        if not isinstance(item.shape, Struct) or item.shape.cls is not cls:
            raise self.refuse(f"puts {item.shape!r} where a {cls.__name__} belongs", "make one there")
        for (name, kind), part in zip(kinds_in(cls).items(), self.fields(item), strict=True):
            if kind.name != "known":
                self.put_field(pointer, kind, offset(cls, name, self.program.room), part)

    def make_record(self, cls: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """cls(name=value, ...): its fields, to be put somewhere."""
        if arguments or set(named) - set(kinds_in(cls)):
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        parts = []
        for each in fields(cls):
            if each.name not in named and each.default is MISSING:
                self.fail(traps.code_of(TypeError))
                return Value(BOTTOM)
            parts.append(self.plain(named[each.name]) if each.name in named else constant(each.default))
        return self.struct(cls, parts)
