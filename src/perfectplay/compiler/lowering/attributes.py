"""Attributes: of values, constants, numbers and members of enums."""

from __future__ import annotations

import ast
import inspect
from enum import Enum, Flag
from functools import cached_property, singledispatchmethod
from types import FunctionType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.closures import Closures
from perfectplay.compiler.lowering.intrinsics import INTRINSICS
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.shapes import (
    BOTTOM,
    CHAR,
    FLOAT,
    INT,
    RANGE,
    STR,
    Atom,
    Const,
    Deque,
    Frozen,
    Method,
    Object,
    Record,
    Reference,
    Seq,
    Struct,
    Union,
    members_of,
    struct_names,
)


class Attributed(Closures):
    """What a value has under a name."""

    def on_attribute(self, node: ast.Attribute) -> Value:
        """value.name"""
        return self.attribute(self.expression(node.value), node.attr)

    def attribute(self, value: Value, name: str) -> Value:
        """What a value has under a name."""
        shape = value.shape
        if isinstance(shape, Union):
            return self.each_member(
                value, lambda one: self.attribute(one, name) if one.shape != Const(None) else None
            )
        if shape is BOTTOM:
            return value
        if name == "__class__" and not isinstance(shape, Const | Iter):
            return INTRINSICS[type](self, [value], {})
        if isinstance(shape, Object):
            return self.object_attribute(value, name)
        if isinstance(shape, Record):
            return self.record_attribute(value, name)
        if isinstance(shape, Const):
            return self.constant_attribute(shape.value, name)
        if shape == RANGE and name in ("start", "stop", "step"):
            return Value(INT, (value.regs[("start", "stop", "step").index(name)],))
        if (part := self.part_of_number(value, name)) is not None:
            return part
        if isinstance(shape, Struct) and name in struct_names(shape.cls):
            return self.fields(value)[struct_names(shape.cls).index(name)]
        if isinstance(shape, Atom) and shape.kind is not str and name in ("value", "name"):
            if issubclass(shape.kind, Flag) and name == "value":
                return self.enum_value(value)
            members = members_of(shape.kind)
            return self.numbered([getattr(member, name) for member in members], value.regs[0])
        if isinstance(shape, Struct | Atom):
            cls = shape.cls if isinstance(shape, Struct) else shape.kind
            found = inspect.getattr_static(cls, name, None)
            if isinstance(found, property):
                return self.call_python(found.fget, [value], {})
            if isinstance(found, cached_property):
                return self.call_python(found.func, [value], {})
            if isinstance(found, FunctionType | singledispatchmethod):
                return Value(Method(found, shape), value.regs)
            if isinstance(found, staticmethod | classmethod) or found is not None:
                return constant(getattr(cls, name))
            if isinstance(shape, Atom) and not issubclass(cls, Flag):
                members = list(cls)  # type: ignore[call-overload]
                if all(hasattr(member, name) for member in members):  # given to each by `__init__`
                    return self.numbered([getattr(member, name) for member in members], value.regs[0])
        if isinstance(shape, Deque) and name == "maxlen":
            return self.call_prelude("deque_maxlen", [value])
        is_text = shape in (STR, CHAR, Atom(str))
        if is_text and not hasattr(str, name):
            self.fail(traps.code_of(AttributeError))
            return Value(BOTTOM)
        if is_text or isinstance(shape, Reference | Frozen | Seq):
            return Value(Method(name, shape), value.regs)
        raise self.refuse(f"reads .{name} of {shape!r}", "use its fields")

    def part_of_number(self, value: Value, name: str) -> Value | None:
        """What a number has under a name: its parts, of which a plain number is the first."""
        shape = value.shape
        kind = kind_of_number(shape.cls) if isinstance(shape, Struct) else ""
        if kind == "fraction" and name in ("numerator", "denominator"):
            return self.fields(value)[name == "denominator"]
        if not kind and not self.is_number(shape):
            return None
        if kind != "complex" and name in ("real", "imag"):
            return self.unary(ast.UAdd, value) if name == "real" else constant(0.0 if shape == FLOAT else 0)
        if not kind and name in ("numerator", "denominator") and self.is_whole(shape):
            return self.unary(ast.UAdd, value) if name == "numerator" else constant(1)
        return None

    def constant_attribute(self, known: Any, name: str) -> Value:
        """An attribute of a constant; a property of the game is a constant too."""
        if known is None:
            self.fail(traps.code_of(AttributeError))
            return Value(BOTTOM)
        if type(known).__name__ == "Super":
            return self.super_attribute(known, name)
        owner = known if isinstance(known, type) else type(known)
        if isinstance(found := inspect.getattr_static(owner, name, None), singledispatchmethod):
            return Value(Method(found, Const(known)))
        if isinstance(found, property) and isinstance(known, Enum):
            return constant(getattr(known, name))
        try:
            return constant(getattr(known, name))
        except AttributeError:
            self.fail(traps.code_of(AttributeError))
            return Value(BOTTOM)

    def record_attribute(self, value: Value, name: str) -> Value:
        """What a record has under a name."""
        raise NotImplementedError
