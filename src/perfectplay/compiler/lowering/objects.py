"""Objects of the rules' own classes that are made while they run: attributes in memory, as Python has them.

An object is the address of its attributes, each with a word before it that says whether it has a value.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
from enum import Enum
from functools import cached_property, singledispatchmethod
from types import FunctionType, MemberDescriptorType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.narrowing import Narrowing
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.reading import nodes_in
from perfectplay.compiler.shapes import (
    BOTTOM,
    Attributes,
    Cell,
    Const,
    Method,
    Object,
    Struct,
    struct_names,
    width,
)
from perfectplay.compiler.value_classes import value_fields

FLAG = 1  # words before the value of an attribute: has it one?


def is_object_class(cls: Any) -> bool:
    """Is it a plain class of the rules, whose objects are made by `__init__` and may change?"""
    if not isinstance(cls, type) or hasattr(cls, "initial") or type(cls) is type(Enum):
        return False
    if issubclass(cls, BaseException | tuple | list | dict | set | frozenset | str | int | float):
        return False
    plain = all(
        name not in own
        for own in map(vars, cls.__mro__[:-1])
        for name in ("__new__", "__setattr__", "__getattr__")
    )
    return plain and cls.__module__ not in (
        "builtins",
        "collections",
        "itertools",
        "functools",
        "operator",
        "random",
    )


class Objects(Narrowing):
    """Making objects, and reading and changing their attributes."""

    def make_object(self, cls: type, arguments: list[Value], named: dict[str, Value]) -> Value:
        """cls(arguments)"""
        place = ("object", self.node, self.path(), self.ordinal("object"))
        attributes = self.instance.objects.setdefault(place, Attributes()).root()
        self.instance.uses_cells = True
        made = self.new_object(cls, attributes)
        init = inspect.getattr_static(cls, "__init__")
        if dataclasses.is_dataclass(cls) and "__init__" not in _written(cls):
            self.fill_fields(made, cls, arguments, named)
        elif isinstance(init, FunctionType):
            self.call_python(init, [made, *arguments], named)
        elif arguments or named:
            self.fail(traps.code_of(TypeError))
        return Value(BOTTOM) if self.dead else made

    def make_value(self, cls: type, arguments: list[Value], named: dict[str, Value]) -> Value:
        """cls(arguments), of a class whose objects never change once they are made: what is in one."""
        made = self.make_object(cls, arguments, named)
        return made if self.dead or self.is_changed() else self.as_value(made)

    def is_changed(self) -> bool:
        """Is what this call makes given a name by which the function changes its attributes?"""
        names: set[str] = set()
        changed: set[str] = set()
        for part in nodes_in(self.frames[-1].function.node):
            match part:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is self.node:
                    names.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is self.node:
                    names.add(name)
                case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                    changed.add(name)
        return not names.isdisjoint(changed)

    def as_value(self, made: Value) -> Value:
        """An object of a class of values that changes no more: what is in it."""
        assert isinstance(made.shape, Object)
        parts = []
        for name in struct_names(made.shape.cls):
            if self.dead:
                return Value(BOTTOM)
            parts.append(self.object_attribute(made, name))
        return Value(BOTTOM) if self.dead else self.struct(made.shape.cls, parts)

    def as_object(self, value: Value) -> Value:
        """A copy of a value as an object that may be changed."""
        assert isinstance(value.shape, Struct)
        place = ("object", self.node, self.path(), self.ordinal("object"))
        attributes = self.instance.objects.setdefault(place, Attributes()).root()
        self.instance.uses_cells = True
        made = self.new_object(value.shape.cls, attributes)
        for name, part in zip(struct_names(value.shape.cls), self.fields(value), strict=True):
            self.set_object_attribute(made, name, part, by_object=True)
        return made

    def new_object(self, cls: type, attributes: Attributes) -> Value:
        """An object none of whose attributes has a value."""
        size = sum(FLAG + width(cell.root().elem) for cell in attributes.cells.values())
        pointer = self.alloc(max(size, 1))
        for name in attributes.cells:
            self.emit("store", 0, "i", pointer, self.attribute_place(attributes, name))
        return Value(Object(cls, attributes), (pointer,))

    def attribute_place(self, attributes: Attributes, wanted: str) -> int:
        """How many words of an object there are before an attribute."""
        place = 0
        for name, cell in attributes.cells.items():
            if name == wanted:
                break
            place += FLAG + width(cell.root().elem)
        return place

    def fill_fields(self, made: Value, cls: Any, arguments: list[Value], named: dict[str, Value]) -> None:
        """What the `__init__` does that a dataclass makes for itself."""
        fields = [field for field in dataclasses.fields(cls) if field.init]
        places = [field.name for field in fields if not field.kw_only]
        if len(arguments) > len(places) or set(named) - {field.name for field in fields} - set(
            places[: len(arguments)]
        ):
            self.fail(traps.code_of(TypeError))
            return
        given = dict(zip(places, arguments, strict=False)) | named
        for field in dataclasses.fields(cls):
            if field.name in given:
                value = given[field.name]
            elif field.default is not dataclasses.MISSING:
                value = constant(field.default)
            elif field.default_factory is not dataclasses.MISSING:
                value = self.call(constant(field.default_factory), [], {})
            elif field.init:
                self.fail(traps.code_of(TypeError))
                return
            else:
                continue
            self.set_object_attribute(made, field.name, self.plain(value))
        after = inspect.getattr_static(cls, "__post_init__", None)
        if isinstance(after, FunctionType):
            self.call_python(after, [made], {})

    def object_attribute(self, value: Value, name: str) -> Value:
        """value.name"""
        shape = value.shape
        assert isinstance(shape, Object)
        found = inspect.getattr_static(shape.cls, name, None)
        found = None if isinstance(found, MemberDescriptorType) else found  # a slot
        if isinstance(found, property):
            return self.call_python(found.fget, [value], {})
        if isinstance(found, cached_property):
            raise self.refuse(f"reads {name}, which an object keeps while it changes", "make it a property")
        cell = shape.attributes.cells.get(name)
        if cell is None or cell.root().elem is BOTTOM:
            return self.class_attribute(value, shape.cls, name)
        place = self.attribute_place(shape.attributes, name)
        has = self.op("b", "cmp", "ne", self.op("i", "load", value.regs[0], place), 0)
        if found is None:
            self.require(has, traps.code_of(AttributeError))
            return self.load(value.regs[0], place + FLAG, cell.root().elem)
        own, other = self.split(has)
        names = dict(self.names)
        self.enter(other)
        ends = [self.end(self.class_attribute(value, shape.cls, name))]
        self.enter(own)
        self.names = names
        ends.append(self.end(self.load(value.regs[0], place + FLAG, cell.root().elem)))
        return self.merge(ends) or Value(BOTTOM)

    def class_attribute(self, value: Value, cls: type, name: str) -> Value:
        """What an object has from its class."""
        if name == "__class__":
            return constant(cls)
        found = inspect.getattr_static(cls, name, None)
        if isinstance(found, FunctionType | singledispatchmethod):
            return Value(Method(found, value.shape), value.regs)
        if found is None and not hasattr(cls, name):
            self.fail(traps.code_of(AttributeError))
            return Value(BOTTOM)
        return constant(getattr(cls, name))

    def set_object_attribute(
        self, holder: Value, name: str, value: Value, *, by_object: bool = False
    ) -> None:
        """holder.name = value, or object.__setattr__(holder, name, value)"""
        shape = holder.shape
        assert isinstance(shape, Object)
        found = inspect.getattr_static(shape.cls, name, None)
        if isinstance(found, property):
            if found.fset is None:
                self.fail(traps.code_of(AttributeError))
            else:
                self.call_python(found.fset, [holder, value], {})
            return
        if inspect.getattr_static(shape.cls, "__setattr__", None) is not object.__setattr__ and not by_object:
            raise self.refuse(
                f"sets .{name} by a __setattr__ of its own", "make the class a frozen dataclass"
            )
        attributes = shape.attributes
        if name not in attributes.cells:
            attributes.cells[name] = Cell()
            self.program.cells_changed(self.instance)
        stored = self.coerce(value, self.put_into(attributes.cells[name], value.shape))
        self.note_change(attributes.cells[name])
        place = self.attribute_place(attributes, name)
        self.emit("store", 1, "i", holder.regs[0], place)
        self.store(stored, holder.regs[0], place + FLAG)

    def object_method(
        self, value: Value, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """value.name(arguments)"""
        shape = value.shape
        assert isinstance(shape, Object)
        found = inspect.getattr_static(shape.cls, name, None)
        if isinstance(found, FunctionType) and name not in shape.attributes.cells:
            return self.call_python(found, [value, *arguments], named)
        return self.call(self.object_attribute(value, name), arguments, named)

    def same_objects(self, one: Value, other: Value) -> Operand:
        """Are two objects equal? Those of a dataclass are if their fields are, others if they are one."""
        cls = one.shape.cls  # type: ignore[attr-defined]
        if cls is not other.shape.cls:  # type: ignore[attr-defined]
            return False
        compares = dataclasses.is_dataclass(cls) and getattr(cls, "__dataclass_params__").eq  # noqa: B009
        if not compares or own_method(one.shape, "__eq__"):
            return self.op("b", "cmp", "eq", one.regs[0], other.regs[0])
        same: Operand = True
        for field in dataclasses.fields(cls):
            if field.compare:
                pair = [self.object_attribute(value, field.name) for value in (one, other)]
                same = self.both(same, self.is_equal_item(*pair))
        return same

    def copied_object(self, value: Value, each: Any = None) -> Value:
        """Another object with the same attributes, or with what becomes of each."""
        shape = value.shape
        assert isinstance(shape, Object)
        attributes = shape.attributes
        place = ("object", self.node, self.path(), self.ordinal("object"))
        own = self.instance.objects.setdefault(place, Attributes()).root()  # what changes here stays here
        self.instance.uses_cells = True
        for name in attributes.cells.keys() - own.cells.keys():
            own.cells[name] = Cell()
            self.program.cells_changed(self.instance)
        made = self.new_object(shape.cls, own)
        for name, cell in [*attributes.cells.items()]:
            at, elem = self.attribute_place(attributes, name), cell.root().elem
            has = self.op("i", "load", value.regs[0], at)
            self.emit("store", has, "i", made.regs[0], self.attribute_place(own, name))
            if elem is BOTTOM:
                continue
            yes, no = self.split(self.op("b", "cmp", "ne", has, 0))
            self.enter(yes)
            part = self.load(value.regs[0], at + FLAG, elem)
            part = part if each is None else each(part)
            stored = self.coerce(part, self.put_into(own.cells[name], part.shape))
            self.store(stored, made.regs[0], self.attribute_place(own, name) + FLAG)
            self.close("br", no)
            self.enter(no)
        return made

    def assign_attributes(self, node: ast.Assign) -> None:
        """holder.__dict__ = copy.deepcopy(other.__dict__), or a plain copy: all that another object has."""
        holder = self.expression(node.targets[0].value)  # type: ignore[attr-defined]
        source = self.copied_attributes(node.value)
        if not isinstance(holder.shape, Object) or source is None:
            raise self.refuse("replaces the variables of an object", "set its attributes by their names")
        given: set[str] = set()
        if isinstance(source.shape, Object):
            for name in [*source.shape.attributes.cells]:
                self.copy_attribute(holder, source, name)
            given = {*source.shape.attributes.cells}
        elif isinstance(source.shape, Struct) and value_fields(source.shape.cls):
            for name, part in zip(struct_names(source.shape.cls), self.fields(source), strict=True):
                self.set_object_attribute(holder, name, part, by_object=True)
            given = {*struct_names(source.shape.cls)}
        elif not self.dead and source.shape is not BOTTOM:
            raise self.refuse(
                f"copies the variables of {source.shape!r}", "copy its attributes by their names"
            )
        for name in holder.shape.attributes.cells.keys() - given:
            self.emit("store", 0, "i", holder.regs[0], self.attribute_place(holder.shape.attributes, name))

    def copied_attributes(self, node: ast.expr) -> Value | None:
        """The object whose variables are given, or a deep copy of it; None if it is not that."""
        match node:
            case ast.Call(func=how, args=[ast.Attribute(value=other, attr="__dict__")], keywords=[]):
                function = self.expression(how).shape
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=other, attr="__dict__"), attr="copy"), args=[]
            ):
                function = Const(copy.copy)
            case _:
                return None
        if function == Const(copy.deepcopy):
            return self.call(Value(function), [self.expression(other)], {})
        return self.expression(other) if function in (Const(copy.copy), Const(dict)) else None

    def copy_attribute(self, holder: Value, source: Value, name: str) -> None:
        """holder.name = source.name, if it has a value; otherwise it has none either."""
        attributes = source.shape.attributes  # type: ignore[attr-defined]
        elem = attributes.cells[name].root().elem
        if elem is BOTTOM:
            return
        at = self.attribute_place(attributes, name)
        yes, no = self.split(self.op("b", "cmp", "ne", self.op("i", "load", source.regs[0], at), 0))
        names = dict(self.names)
        self.enter(no)
        own = holder.shape.attributes  # type: ignore[attr-defined]
        if name in own.cells:
            self.emit("store", 0, "i", holder.regs[0], self.attribute_place(own, name))
        ends = [self.end()]
        self.enter(yes)
        self.names = names
        part = self.load(source.regs[0], at + FLAG, elem)
        self.set_object_attribute(holder, name, part, by_object=True)
        self.merge([*ends, self.end()])

    # Filled in by the other parts of the lowering.

    def call(self, function: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a value."""
        raise NotImplementedError


def _written(cls: type) -> set[str]:
    """The functions that somebody wrote in a class: a dataclass keeps an `__init__` that it finds."""
    return {
        name
        for name, member in vars(cls).items()
        if isinstance(member, FunctionType) and own_method(Object(cls, Attributes()), name) is not None
    }
