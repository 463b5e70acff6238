"""Methods: of Python's own kinds, of the rules' classes, of constants, and of super()."""

from __future__ import annotations

import functools
import inspect
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering import bytestrings, library, thawing
from perfectplay.compiler.lowering.comparisons import is_text_enum
from perfectplay.compiler.lowering.constructing import Constructing
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.intrinsics import INTRINSICS
from perfectplay.compiler.lowering.keywords import UNPACKED
from perfectplay.compiler.lowering.own_methods import class_of
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.reading import Function, uncached
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LARGE,
    RANGE,
    WIDE,
    Atom,
    Const,
    Dict,
    Frozen,
    List,
    Method,
    Object,
    Plain,
    Record,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    general,
)

HAVING_METHODS = (str, tuple, list, dict, set, frozenset, int, float, range, complex, bytes)
KINDS = ("str", "tuple", "list", "dict", "deque", "bytes", "bytearray")  # that have methods of Python's
CHANGING = {
    *("append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear"),
    *("add", "discard", "update", "setdefault", "popitem", "difference_update", "intersection_update"),
    *("symmetric_difference_update", "appendleft", "popleft", "extendleft", "rotate", "move_to_end"),
}


class Super:
    """super(), in a method."""

    def __init__(self, function: Function) -> None:
        self.function = function


class Methods(Constructing):
    """Whatever is called by a dot."""

    def method(self, receiver: Value, name: str, arguments: list[Value], named: dict[str, Value]) -> Value:
        """receiver.name(arguments)"""
        shape = receiver.shape
        if any(value.shape is BOTTOM for value in (receiver, *arguments, *named.values())):
            return Value(BOTTOM)
        if isinstance(shape, Union):
            return self.each_member(
                receiver,
                lambda one: self.method(one, name, arguments, named) if one.shape != Const(None) else None,
            )
        if isinstance(shape, Const) and thawing.is_rule(self, shape.value, name):
            rule = getattr(type(shape.value), name, None)
            given = [thawing.thawed_for(self, rule, value) for value in arguments]
            found = self.call(self.constant_attribute(shape.value, name), given, named)
            thawing.require_unchanged(self, arguments, given, found)
            return thawing.given_back(self, name, found)
        if UNPACKED in named and _has_methods_of_python(shape) and name != "_replace":
            raise self.refuse("calls a method of Python's with **", "write the arguments out")
        if name == "_asdict" and isinstance(general(shape), Struct):
            return library.fields_by_name(self, receiver)
        if isinstance(shape, Const):
            known = shape.value
            if isinstance(known, Super):
                return self.call_super(known, name, arguments, named)
            if not isinstance(known, HAVING_METHODS) or (
                hasattr(type(known), "_fields") and name not in ("index", "count")
            ):
                return self.call(self.constant_attribute(known, name), arguments, named)
            if isinstance(known, Enum) and isinstance(known, str) and hasattr(str, name):
                own = inspect.getattr_static(type(known), name)
                if not isinstance(own, FunctionType):
                    return self.method(self.as_text(receiver), name, arguments, named)
            if isinstance(known, Enum):
                found = self.constant_attribute(known, name)
                if isinstance(found.shape, Const) and isinstance(found.shape.value, BuiltinFunctionType):
                    return self.method(self.as_text(receiver), name, arguments, named)
                return self.call(found, arguments, named)
            if isinstance(known, str) and name == "format":
                return INTRINSICS["str_format"](self, [receiver, *arguments], named)
            as_whole(self, known)
            if all(isinstance(value.shape, Const) for value in (*arguments, *named.values())):
                folded = self.folded_method(known, name, arguments, named)
                if folded is not None:
                    return folded
            if isinstance(known, dict):
                return self.constant_dict_method(known, name, arguments)
            receiver = self.in_form(receiver)
            shape = receiver.shape
        if isinstance(shape, Object):
            return self.object_method(receiver, name, arguments, named)
        if isinstance(shape, Record):
            return self.call(self.record_attribute(receiver, name), arguments, named)
        if isinstance(shape, Struct) and name == "_replace":
            return self.replaced(receiver, named)
        if isinstance(shape, Struct | Atom) and not (isinstance(shape, Atom) and shape.kind is str):
            cls = shape.cls if isinstance(shape, Struct) else shape.kind
            own = inspect.getattr_static(cls, name, None)
            if isinstance(own, FunctionType | functools.singledispatchmethod) and not kind_of_number(cls):
                return self.call_python(own, [receiver, *arguments], named)
            if isinstance(own, staticmethod | classmethod):
                return self.call(constant(getattr(cls, name)), arguments, named)
        if is_text_enum(shape):
            return self.method(self.as_text(receiver), name, arguments, named)
        kind = self.kind_of(receiver)
        if kind == "other":
            return self.call(self.attribute(receiver, name), arguments, named)
        if kind == "bytearray":
            return bytestrings.array_method(self, receiver, name, arguments, named)
        ours = f"{kind}_{name}"
        if ours in INTRINSICS:
            return INTRINSICS[ours](self, [receiver, *arguments], named)
        function = self.program.prelude_named(ours, missing_ok=True)
        if function is None:
            raise self.refuse(f"calls .{name}() of {receiver.shape!r}", "write it as a loop")
        if isinstance(shape, List | Set | Dict) and name in CHANGING:
            self.change(*shape.cells)
        if kind == "str" or kind == "tuple":
            receiver = self.in_memory(receiver)
        return self.call_function(function, [receiver, *arguments], named, {})

    def kind_of(self, value: Value) -> str:
        """The first word of the names of prelude functions that are a value's methods."""
        shape = value.shape
        if isinstance(shape, Set):
            return "set"
        if isinstance(shape, Frozen):
            return "frozenset"
        if shape in (INT, BOOL, WIDE, LARGE) or (isinstance(shape, Atom) and issubclass(shape.kind, int)):
            return "int"
        if shape == FLOAT:
            return "float"
        if shape == RANGE:
            return "range"
        if isinstance(shape, Struct) and not issubclass(shape.cls, tuple):
            return kind_of_number(shape.cls) or "other"
        found = family(shape)
        if isinstance(shape, Struct):
            return "tuple"
        return found if found in KINDS else "other"

    def folded_method(
        self, known: Any, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value | None:
        """A method of a constant with constant arguments; None where it is better done while running."""
        if isinstance(known, list | dict | set) and name not in ("index", "count", "get"):
            return None
        values = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
        more = {key: value.shape.value for key, value in named.items()}  # type: ignore[attr-defined]
        try:
            answer = getattr(known, name)(*values, **more)
        except Exception as error:
            self.fail(traps.code_of(type(error)))
            return Value(BOTTOM)
        simple = isinstance(answer, str | int | float | tuple | frozenset) or answer is None
        return constant(answer) if simple or name == "get" else None

    def constant_dict_method(self, known: dict[Any, Any], name: str, arguments: list[Value]) -> Value:
        """A method of a dict that no rule writes to."""
        if name == "get":
            default = arguments[1] if len(arguments) > 1 else constant(None)
            number = self.key_number(known, arguments[0])
            if isinstance(number, int):
                return default if number < 0 else constant(list(known.values())[number])
            yes, no = self.split(self.op("b", "cmp", "ge", number, 0))
            names = dict(self.names)
            self.enter(yes)
            found = self.end(self.numbered(list(known.values()), number))
            self.enter(no)
            self.names = names
            return self.merge([found, self.end(default)]) or Value(BOTTOM)
        views = {"keys": tuple(known), "values": tuple(known.values()), "items": tuple(known.items())}
        if name in views:
            return constant(views[name])
        form = self.in_form(constant(known))
        if isinstance(form.shape, Const):
            raise self.refuse(
                f"calls .{name}() of a dict with values of several kinds", "keep values of one kind in it"
            )
        return self.method(form, name, arguments, {})

    def call_super(self, above: Super, name: str, arguments: list[Value], named: dict[str, Value]) -> Value:
        """super().name(arguments)"""
        receiver = self.lookup(above.function.parameters[0])
        found = self.found_above(above, receiver, name)
        if isinstance(found, staticmethod):
            return self.call_python(found.__func__, arguments, named)
        if found is object.__init__:
            return constant(None)
        if found is None:
            raise self.refuse(f"calls super().{name}()", "call the other method by a name of its own")
        return self.call_python(found, [receiver, *arguments], named)

    def found_above(self, above: Super, receiver: Value, name: str) -> Any:
        """What a name means in the classes above the one that a method is written in."""
        shape = receiver.shape
        known = shape.value if isinstance(shape, Const) else None
        cls = known if isinstance(known, type) else type(known) if known is not None else class_of(shape)
        lineage = cls.__mro__ if cls is not None else ()
        homes = [
            place
            for place, home in enumerate(lineage)
            for member in vars(home).values()
            if above.function.python in _functions_in(member)
        ]
        for home in lineage[homes[0] + 1 :] if homes else ():
            if name in vars(home):
                return vars(home)[name]
        return None

    def super_attribute(self, above: Super, name: str) -> Value:
        """super().name"""
        receiver = self.lookup(above.function.parameters[0])
        found = self.found_above(above, receiver, name)
        if isinstance(found, property):
            return self.call_python(found.fget, [receiver], {})
        if isinstance(found, FunctionType | functools.singledispatchmethod):
            return Value(Method(found, receiver.shape), receiver.regs)
        if found is None or hasattr(found, "__get__"):
            raise self.refuse(f"reads super().{name}", "read the other value by a name of its own")
        return constant(found)


def _has_methods_of_python(shape: Shape) -> bool:
    """Are its methods Python's own?"""
    return class_of(shape) is None and isinstance(
        general(shape), Plain | Seq | Frozen | List | Set | Dict | Struct
    )


def _functions_in(member: Any) -> list[Any]:
    """The function of a method or a property; all of a generic method."""
    if isinstance(member, functools.singledispatchmethod):
        return [part for one in member.dispatcher.registry.values() for part in _functions_in(one)]
    member = member.fget if isinstance(member, property) else member
    if callable(member) or hasattr(member, "__func__"):
        return [uncached(getattr(member, "__func__", member))[0]]
    return []
