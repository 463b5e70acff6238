"""Calls of classes: named tuples, dataclasses, numbers, members of enums; some fields replaced."""

from __future__ import annotations

import collections
import dataclasses
import inspect
import operator
from enum import Enum, Flag
from functools import partial
from types import FunctionType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering import keywords
from perfectplay.compiler.lowering.functions import Functions
from perfectplay.compiler.lowering.keywords import UNPACKED
from perfectplay.compiler.lowering.objects import is_object_class
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.prelude.chains import Chain
from perfectplay.compiler.records import is_record_class
from perfectplay.compiler.shapes import (
    BOTTOM,
    Atom,
    Const,
    Dict,
    Shape,
    Struct,
    Union,
    general,
    is_struct_class,
    struct_names,
)
from perfectplay.compiler.value_classes import value_fields


class Constructing(Functions):
    """Values made by their classes."""

    def construct(self, cls: type, arguments: list[Value], named: dict[str, Value]) -> Value:
        """cls(arguments)"""
        if issubclass(cls, Enum):
            return self.enum_member(cls, arguments[0])
        if cls is collections.ChainMap:
            return self.make_object(Chain, [self.own_copy(value) for value in arguments], named)
        if is_record_class(cls):
            return self.make_record(cls, arguments, named)
        if kind := kind_of_number(cls):
            return self.make_number(kind, cls, arguments, named)
        if value_fields(cls) is not None:
            return self.make_value(cls, arguments, named)
        if not is_struct_class(cls) and is_object_class(cls):
            return self.make_object(cls, arguments, named)
        if not is_struct_class(cls) or _has_own_init(cls):
            raise self.refuse(f"makes a {cls.__name__}", "make tuples, named tuples or frozen dataclasses")
        names = struct_names(cls)
        named = dict(named)
        items = named.pop(UNPACKED, None)
        if len(arguments) > len(names) or set(named) - set(names[len(arguments) :]):
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        given = dict(zip(names, arguments, strict=False)) | named
        defaults = defaults_of(cls)
        if items is not None:
            given = self.given_by_dict(cls, given, items)
        parts = []
        for name in names:
            if name in given:
                parts.append(self.plain(given[name]))
            elif name in defaults:
                parts.append(constant(defaults[name]))
            elif name in (factories := factories_of(cls)):
                parts.append(self.plain(self.call(constant(factories[name]), [], {})))
            else:
                self.fail(traps.code_of(TypeError))
                return Value(BOTTOM)
        made = self.struct(cls, parts)
        if isinstance(after := inspect.getattr_static(cls, "__post_init__", None), FunctionType):
            self.call_python(after, [made], {})
        return made

    def make_number(self, kind: str, cls: type, arguments: list[Value], named: dict[str, Value]) -> Value:
        """complex(...), Fraction(...)"""
        if not named and all(isinstance(value.shape, Const) for value in arguments):
            try:
                return constant(cls(*(value.shape.value for value in arguments)))  # type: ignore[attr-defined]
            except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
                self.fail(traps.code_of(type(error)))
                return Value(BOTTOM)
        return self.call_function(self.program.prelude_named(f"{kind}_new"), arguments, named, {})

    def own_copy(self, value: Value) -> Value:
        """A dict that may be among others that change: of a constant, which nobody changes, a copy."""
        value = self.in_form(value)
        frozen = isinstance(value.shape, Dict) and any(cell.frozen for cell in value.shape.cells)
        return self.method(value, "copy", [], {}) if frozen else value

    def given_by_dict(self, cls: Any, given: dict[str, Value], items: Value) -> dict[str, Value]:
        """The fields of an object that a dict has, beside those that are given."""
        defaults, factories = defaults_of(cls), factories_of(cls)

        def default(name: str) -> Value | None:
            if name in defaults:
                return constant(defaults[name])
            return self.plain(self.call(constant(factories[name]), [], {})) if name in factories else None

        names = struct_names(cls)
        wanted = {name: partial(default, name) for name in names if name not in given}
        found = keywords.found_in(self, items, wanted) or {}
        shown = dict(zip(names, self.program.shown_fields.get(cls, ()), strict=False))
        for name, value in found.items():
            given[name] = keywords.narrowed(self, value, shown.get(name, value.shape))
        return given

    def made_of_row(self, cls: Any, arguments: list[Value]) -> Value:
        """cls._make(row)"""
        row = self.as_tuple(arguments[0])
        size = len(struct_names(cls))
        parts = self.fields(row) if isinstance(general(row.shape), Struct) else None
        if parts is None:
            parts = self.spread_out(self.in_form(row), size, size)
        if len(parts) != size:
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        return self.struct(cls, parts)

    def make_record(self, cls: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """A record of the search's own."""
        raise NotImplementedError

    def enum_member(self, cls: type[Enum], value: Value) -> Value:
        """The member of an enum that has a value."""
        if isinstance(value.shape, Const):
            try:
                return constant(cls(value.shape.value))
            except ValueError:
                self.fail(traps.code_of(ValueError))
                return Value(BOTTOM)
        if value.shape == Atom(cls):
            return value
        if issubclass(cls, Flag):
            every = sum({member.value for member in cls})
            number = self.integer(value)
            self.require(self.op("b", "cmp", "ule", number, every), traps.UNDECIDED)
            self.require(
                self.op("b", "cmp", "eq", self.op("i", "bin", "and", number, every), number), traps.UNDECIDED
            )
            return Value(Atom(cls), (number,))
        members = list(cls)
        number = self.key_number([member.value for member in members], value)
        self.require(self.op("b", "cmp", "ge", number, 0), traps.code_of(ValueError))
        return Value(Atom(cls), (number,))

    def replaced(self, value: Value, named: dict[str, Value]) -> Value:
        """A named tuple or dataclass with some fields replaced."""
        if UNPACKED in named and not isinstance(value.shape, Union):
            return self.replaced_by_dict(value, dict(named))
        if isinstance(value.shape, Union):
            return self.each_member(
                value,
                lambda one: self.replaced(one, named) if isinstance(general(one.shape), Struct) else None,
            )
        shape = general(value.shape)
        if not isinstance(shape, Struct):
            raise self.refuse(f"replaces fields of {shape!r}", "make a new one by its name")
        names = struct_names(shape.cls)
        if set(named) - set(names):
            self.fail(traps.code_of(ValueError))
            return Value(BOTTOM)
        parts = [named.get(name, part) for name, part in zip(names, self.fields(value), strict=True)]
        return self.made_again(shape.cls, parts)

    def made_again(self, cls: type, parts: list[Value]) -> Value:
        """An object with other fields: a dataclass looks at them anew."""
        if not issubclass(cls, tuple) and _has_own_init(cls):
            raise self.refuse(f"makes a {cls.__name__}", "make tuples, named tuples or frozen dataclasses")
        made = self.struct(cls, parts)
        if isinstance(after := inspect.getattr_static(cls, "__post_init__", None), FunctionType):
            self.call_python(after, [made], {})
        return Value(BOTTOM) if self.dead else made

    def replaced_by_dict(self, value: Value, named: dict[str, Value]) -> Value:
        """The same for **changes: every field that they have is taken from them."""
        changes = named.pop(UNPACKED)
        shape = general(value.shape)
        if not isinstance(shape, Struct) or set(named) - set(struct_names(shape.cls)):
            self.fail(traps.UNDECIDED)
            return Value(BOTTOM)
        parts: list[Value] = []
        found = self.ir.slot("i", "found")
        self.emit("set", found, 0)
        for name, kept in zip(struct_names(shape.cls), self.fields(value), strict=True):
            old = named.get(name, kept)
            key = self.in_form(constant(name))
            yes, no = self.split(self.truth(self.call(constant(operator.contains), [changes, key], {})))
            names = dict(self.names)
            self.enter(yes)
            changed = self.index(changes, key)
            fitting = self.fitting(changed.shape, general(old.shape))
            if name in named or fitting is BOTTOM:
                self.fail(traps.UNDECIDED)  # a field given twice, or a value of another kind
                self.enter(no)
                self.names = names
                parts.append(old)
                continue
            new = self.coerce(changed, fitting)
            self.emit("set", found, self.op("i", "bin", "add", self.op("i", "get", found), 1))
            ends = [self.end(new)]
            self.enter(no)
            self.names = names
            ends.append(self.end(old))
            parts.append(self.merge(ends) or Value(BOTTOM))
        size = self.length(changes)
        self.require(self.op("b", "cmp", "eq", self.op("i", "get", found), size), traps.UNDECIDED)
        return self.made_again(shape.cls, parts)

    def fitting(self, old: Shape, new: Shape) -> Shape:
        """Of the kinds that a value may be of, those of which one of another shape may be, too."""
        members = old.members if isinstance(old, Union) else (old,)
        wanted = new.members if isinstance(new, Union) else (new,)
        fitting: Shape = BOTTOM
        for mine in members:
            if any(self.fits(mine, theirs) for theirs in wanted):
                fitting = self.join(fitting, mine)
        return fitting

    # Filled in by the other parts of the lowering.

    def method(self, receiver: Value, name: str, arguments: list[Value], named: dict[str, Value]) -> Value:
        """receiver.name(arguments)"""
        raise NotImplementedError


def _has_own_init(cls: type) -> bool:
    """Does making one do more than filling its fields?"""
    if dataclasses.is_dataclass(cls):
        own = own_method(Const(object.__new__(cls)), "__init__")
        return own is not None or any(not field.init for field in dataclasses.fields(cls))
    return "__new__" in vars(cls) and not hasattr(cls, "_field_defaults")


def factories_of(cls: Any) -> dict[str, Any]:
    """What makes the defaults of fields that have no value for all."""
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {one.name: one.default_factory for one in fields if one.default_factory is not dataclasses.MISSING}


def defaults_of(cls: type) -> dict[str, Any]:
    """What fields have that are not given."""
    if dataclasses.is_dataclass(cls):
        return {
            field.name: field.default
            for field in dataclasses.fields(cls)
            if field.default is not dataclasses.MISSING
        }
    return dict(getattr(cls, "_field_defaults", {}))
