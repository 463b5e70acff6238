"""Calls: of the rules' own functions, of constructors, of what is built in, and of methods."""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import functools
import inspect
import itertools
import math
import operator
from enum import Enum, Flag
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType
from typing import Any, NewType

from perfectplay.compiler import traps
from perfectplay.compiler.hashing import text_key
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering import (  # noqa: F401 - they add to INTRINSICS
    bytestrings,
    copying,
    dicts,
    iterating,
    keywords,
    library,
    reals,
    texts,
    thawing,
)
from perfectplay.compiler.lowering.builder import REMEDY, alike, cells_in, is_passing
from perfectplay.compiler.lowering.cursors import MANY, cursor, is_cursor, is_settled, uses
from perfectplay.compiler.lowering.generic_functions import call_generic, call_generic_method, is_generic
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.identity import has_shortcut, require_decided
from perfectplay.compiler.lowering.intrinsics import INTRINSICS
from perfectplay.compiler.lowering.keywords import UNPACKED
from perfectplay.compiler.lowering.objects import Objects, is_object_class
from perfectplay.compiler.lowering.own_methods import class_of, own_method
from perfectplay.compiler.lowering.sequences import is_text_enum
from perfectplay.compiler.lowering.sets import any_order
from perfectplay.compiler.lowering.values import End, Frame, Iter, Spread, Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.prelude.chains import Chain
from perfectplay.compiler.program import ExactOrder
from perfectplay.compiler.reading import COMPREHENSIONS, Function, Obstacle, function_of, uncached
from perfectplay.compiler.records import is_record_class
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LARGE,
    RANGE,
    WIDE,
    Atom,
    Box,
    Cell,
    Closure,
    Const,
    Dict,
    Frozen,
    List,
    Method,
    Object,
    Plain,
    Record,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    general,
    holds_kept,
    is_struct_class,
    kinds,
    struct_names,
)
from perfectplay.compiler.value_classes import value_fields

WORDS = "perfectplay.games.words"  # boards in words of 64 bits: some of its functions are instructions
ORDER_FREE = {any, all, sum, min, max, sorted, set, frozenset}
SPREAD = {
    zip: "transposed",
    itertools.chain: "flattened",
    itertools.product: "products_of",
    max: "greatest_of",
    min: "least_of",
    math.gcd: "gcd_of_all",
}
SPREAD_METHODS = {"set_union_all", "set_update_all", "set_intersection_all", "set_difference_all"}
HANDING_ON = {list, tuple, map, filter, iter}
HAVING_METHODS = (str, tuple, list, dict, set, frozenset, int, float, range, complex, bytes)
KINDS = ("str", "tuple", "list", "dict", "deque", "bytes", "bytearray")  # that have methods of Python's
WITHIN = 6  # times that a function is written within itself
DEEP = 3  # times that a function is written for other shapes while it is being written
SMALL = 8  # elements of a constant tuple that is handed over as a value


class Calls(Objects):
    """Whatever has parentheses behind it."""

    def on_call(self, node: ast.Call) -> Value:
        """function(arguments)"""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return constant(_Super(self.frames[-1].function))
        if (ones := texts.ones_in(self, node)) is not None:
            return ones
        if isinstance(node.func, ast.Attribute):
            receiver = self.expression(node.func.value)
            self.node = node
            if (spread := self.spread_method(node, receiver)) is not None:
                return spread
            arguments, named = self.arguments(node)
            return self.method(receiver, node.func.attr, arguments, named)
        function = self.expression(node.func)
        known = function.shape.value if isinstance(function.shape, Const) else None
        if (spread := self.spread(node, known)) is not None:
            return spread
        free = self.is_order_free(node, known)
        if free:
            self.note_any_order(node.args)
        arguments, named = self.arguments(node)
        self.node = node
        if free:
            arguments = [any_order(self, value) for value in arguments]
        result = self.call(function, arguments, named)
        if free and known is sum and result.shape == FLOAT and any(map(self.is_unordered, arguments)):
            if text_key() is not None:
                raise ExactOrder
            raise self.refuse(
                "adds up floats in an order that is another one in every process", "use whole numbers"
            )
        return result

    def spread(self, node: ast.Call, known: Any) -> Value | None:
        """function(*items), for any number of them; None if it is not that."""
        try:
            ours = SPREAD.get(known)
        except TypeError:
            return None
        if ours is None or len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Starred):
            return None
        given = node.args[0].value
        if isinstance(given, ast.GeneratorExp | ast.ListComp):
            return self.call_prelude(ours, [self.rows_of(given)])
        value = self.expression(given)
        self.node = node
        if isinstance(general(value.shape), Struct):
            return self.call(constant(known), self.fields(value), {})
        return self.call_prelude(ours, [iterating.row_of(self, value)])

    def rows_of(self, node: ast.GeneratorExp | ast.ListComp) -> Value:
        """A list of what a comprehension gives; of generators, all that each of them gives."""
        held = self.fresh("%rows")
        self.set_name(held, self.new_list(self.cell(node, "rows"), 0))

        def item() -> None:
            value = self.expression(node.elt)
            if isinstance(value.shape, Iter) and not is_cursor(value) and is_settled(self, value.shape):
                value = self.listed(value)
            if not self.dead:
                self.append(self.get_name(held), self.plain(value))

        self.comprehension(node, item)
        return self.taken(held)

    def spread_method(self, node: ast.Call, receiver: Value) -> Value | None:
        """receiver.method(*items) of sets, for any number of them; None if it is not that."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if (
            len(node.args) != 1
            or not isinstance(node.args[0], ast.Starred)
            or f"set_{name}_all" not in SPREAD_METHODS
        ):
            return None
        if receiver.shape in (Const(set), Const(frozenset)):
            first, rest = "all_sets_" + name, self.expression(node.args[0].value)
            return self.call_prelude(first, [iterating.row_of(self, rest)])
        if not isinstance(general(receiver.shape), Set | Frozen):
            return None
        value = self.expression(node.args[0].value)
        if isinstance(general(value.shape), Struct):
            return self.method(receiver, name, self.fields(value), {})
        return self.call_prelude(f"set_{name}_all", [self.in_form(receiver), iterating.row_of(self, value)])

    def is_equal(self, one: Value, other: Value) -> Operand:
        """Are two values equal, as Python has it? What is kept is compared as rules know it."""
        if holds_kept(one.shape) or holds_kept(other.shape):
            one, other = thawing.thawed(self, one), thawing.thawed(self, other)
        return super().is_equal(one, other)

    def is_order_free(self, node: ast.Call, known: Any) -> bool:
        """Is the order in which a function goes through its arguments no matter?"""
        if self.frames[-1].function.space.get("__prelude__") or any(
            word.arg == "key" for word in node.keywords
        ):
            return False
        try:
            return known in ORDER_FREE or (known in HANDING_ON and node in self.program.any_order)
        except TypeError:
            return False

    def is_unordered(self, value: Value) -> bool:
        """Is it something to walk through in any order?"""
        return isinstance(value.shape, Iter)

    def note_any_order(self, nodes: list[ast.expr]) -> None:
        """Note that the order of what these give is no matter."""
        for node in nodes:
            self.program.any_order.add(node)
            if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
                self.program.any_order.update(node.generators)
                self.note_any_order([part.iter for part in node.generators])

    def arguments(self, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
        """The values that a call hands over."""
        arguments: list[Value] = []
        rows: Value | None = None  # all arguments from the first on of which there may be any number
        for part in node.args:
            if (
                isinstance(part, ast.Starred)
                and isinstance(part.value, ast.List | ast.Tuple)
                and not any(isinstance(one, ast.Starred) for one in part.value.elts)
            ):
                given = [self.expression(one) for one in part.value.elts]
            elif isinstance(part, ast.Starred):
                value = self.as_tuple(self.expression(part.value))
                if not isinstance(general(value.shape), Struct):
                    if not isinstance(value.shape, Seq):
                        raise self.refuse(
                            "calls with *, for any number of arguments", "write the arguments out"
                        )
                    rows = value if rows is None else self.binary(ast.Add, rows, value)
                    continue
                given = self.fields(value)
            else:
                given = [self.expression(part)]
            if rows is None:
                arguments += given
            elif given:
                rows = self.binary(ast.Add, rows, self.struct(tuple, list(map(self.plain, given))))
        if rows is not None:
            arguments.append(Value(Spread(rows)))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                keywords.take(self, named, keyword.value)
            elif keyword.arg in named:
                self.fail(traps.code_of(TypeError))
            else:
                named[keyword.arg] = self.expression(keyword.value)
        return arguments, named

    def call(self, function: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a value."""
        shape = function.shape
        if any(value.shape is BOTTOM for value in (*arguments, *named.values())):
            return Value(BOTTOM)
        if isinstance(shape, Union):
            return self.each_member(
                function, lambda one: self.call(one, arguments, named) if one.shape != Const(None) else None
            )
        match shape:
            case Const(value=known):
                return self.call_constant(known, arguments, named)
            case Closure(scope=scope, captured=captured):
                return self.call_function(scope, arguments, named, self.by_name(captured, function))
            case Method(function=str() as name, receiver=receiver):
                if name in CHANGING and isinstance(receiver, Reference):
                    self.note_change(*receiver.cells, by_value=True)
                return self.method(Value(receiver, function.regs), name, arguments, named)
            case Method(function=python, receiver=receiver):
                return self.call_python(python, [Value(receiver, function.regs), *arguments], named)
        if (method := own_method(shape, "__call__")) is not None:
            return self.call_python(method, [function, *arguments], named)
        raise self.refuse(f"calls {shape!r}", "call functions only")

    def by_name(self, parts: tuple[tuple[str, Shape], ...], value: Value) -> dict[str, Value]:
        """The values that a value holds by their names."""
        found, at = {}, 0
        for name, part in parts:
            found[name] = Value(part, value.regs[at : at + len(kinds(part))])
            at += len(kinds(part))
        return found

    def call_constant(self, known: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a function, class or method that is known when compiling."""
        if arguments and isinstance(arguments[-1].shape, Spread):
            made = self.call_spread(known, arguments, named)
            if made is not None:
                return made
        if known is builtins.print:  # which libraries put their own in place of
            raise self.refuse("prints or reads", "leave that to render()")
        try:
            intrinsic = INTRINSICS.get(known)
        except TypeError:
            intrinsic = None
        if intrinsic is None and getattr(known, "__module__", "") == WORDS:
            intrinsic = INTRINSICS.get(f"words.{known.__name__}")
        if intrinsic is None and getattr(known, "__globals__", {}).get("__prelude__"):
            intrinsic = INTRINSICS.get(known.__name__)
        if intrinsic is not None:
            if UNPACKED in named and known is dict:
                named = dict(named)
                arguments = [*arguments, named.pop(UNPACKED)]
            return self.call_intrinsic(known, intrinsic, arguments, named)
        if (ours := self.program.prelude_for(known)) is not None:
            if ours.name in CHANGING_FIRST and arguments and isinstance(arguments[0].shape, Reference):
                self.change(*arguments[0].shape.cells)
            return self.call_function(ours, arguments, named, {})
        if (gotten := library.call_getter(self, known, arguments)) is not None:
            return gotten
        if isinstance(known, NewType) and len(arguments) == 1 and not named:
            return arguments[0]
        if isinstance(known, partial):
            given = [constant(part) for part in known.args]
            more = {name: constant(part) for name, part in known.keywords.items()}
            return self.call_constant(known.func, [*given, *arguments], {**more, **named})
        if isinstance(known, MethodType) and known.__name__ == "_make" and is_struct_class(known.__self__):
            return self.made_of_row(known.__self__, arguments)
        if isinstance(known, MethodType):
            if is_struct_class(known.__self__):  # a class method
                return self.call_python(known.__func__, [constant(known.__self__), *arguments], named)
            return self.call_python(known.__func__, [constant(known.__self__), *arguments], named)
        if isinstance(known, MethodDescriptorType) and arguments:
            return self.method(arguments[0], known.__name__, arguments[1:], named)
        if isinstance(known, BuiltinFunctionType) and isinstance(known.__self__, type):
            raise self.refuse(f"calls {known.__qualname__}", "write it with what rules can use")
        if isinstance(known, BuiltinFunctionType) and isinstance(known.__self__, HAVING_METHODS):
            return self.method(constant(known.__self__), known.__name__, arguments, named)
        if isinstance(known, type):
            return self.construct(known, arguments, named)
        if callable(known) and (hasattr(known, "__code__") or hasattr(known, "__wrapped__")):
            return self.call_python(known, arguments, named)
        if isinstance(method := inspect.getattr_static(type(known), "__call__", None), FunctionType):
            return self.call_python(method, [constant(known), *arguments], named)
        name = getattr(known, "__name__", type(known).__name__)
        raise self.refuse(f"calls {name}", "write it with what rules can use")

    def call_intrinsic(
        self, known: Any, intrinsic: Any, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """Call a function that is done when compiling; what Python raises for such constants is a trap."""
        if UNPACKED in named and known is not dataclasses.replace:
            raise self.refuse("calls a function of Python's with **", "write the arguments out")
        try:
            return intrinsic(self, arguments, named)
        except (ArithmeticError, ValueError, TypeError, LookupError) as error:
            if named or not all(isinstance(value.shape, Const) for value in arguments):
                raise
            try:
                known(*(value.shape.value for value in arguments))  # type: ignore[attr-defined]
            except type(error):
                self.fail(self.program.exception(type(error)))
                return Value(BOTTOM)
            raise

    def call_spread(self, known: Any, arguments: list[Value], named: dict[str, Value]) -> Value | None:
        """Call a function with as many arguments as a sequence has; None where it is the rules' own."""
        rows = arguments[-1].shape.inner  # type: ignore[attr-defined]
        if known is zip and len(arguments) == 1 and not named:
            return self.call_prelude("transposed", [rows])
        if known is itertools.chain and len(arguments) == 1:
            return self.call_prelude("chained", [rows])
        if known in (min, max):
            if len(arguments) > 1:
                rows = self.binary(ast.Add, self.struct(tuple, arguments[:-1]), rows)
            self.require(self.op("b", "cmp", "gt", self.length(rows), 1), traps.UNDECIDED)
            return self.call_constant(known, [rows], named)
        if is_struct_class(known):
            wanted = [name for name in struct_names(known)[len(arguments) - 1 :] if name not in named]
            free = _defaults(known).keys() | _factories(known).keys() if not value_fields(known) else wanted
            least = sum(name not in free for name in wanted)
            return self.construct(known, [*arguments[:-1], *self.spread_out(rows, least, len(wanted))], named)
        if not isinstance(known, FunctionType | MethodType) or known in INTRINSICS:
            raise self.refuse("calls with *, for any number of arguments", "write the arguments out")
        return None

    def spread_out(self, rows: Value, least: int, most: int) -> list[Value]:
        """The first arguments that a sequence holds, of which there must be so many."""
        size = self.length(rows)
        if least < most:
            self.require(self.op("b", "cmp", "eq", size, most), traps.UNDECIDED)
        self.require(self.op("b", "cmp", "eq", size, most), traps.code_of(TypeError))
        return [self.element(rows, place) for place in range(max(most, 0))]

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
        defaults = _defaults(cls)
        if items is not None:
            given = self.given_by_dict(cls, given, items)
        parts = []
        for name in names:
            if name in given:
                parts.append(self.plain(given[name]))
            elif name in defaults:
                parts.append(constant(defaults[name]))
            elif name in (factories := _factories(cls)):
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
        defaults, factories = _defaults(cls), _factories(cls)

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

    # Functions.

    def call_python(self, function: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a function of the rules, or one of ours that stands for Python's."""
        if (ours := self.program.prelude_for(function)) is not None:
            return self.call_function(ours, arguments, named, {})
        if isinstance(function, functools.singledispatchmethod):
            return call_generic_method(self, function, arguments, named)
        if is_generic(function):
            return call_generic(self, function, arguments, named)
        if isinstance(function, functools.partialmethod):
            raise self.refuse("calls a partial method", "write it out")
        if isinstance(function, staticmethod | classmethod):
            function = function.__func__
        try:
            read = function_of(function)
        except Obstacle as obstacle:
            raise self.refuse(obstacle.what, obstacle.remedy) from None
        answer = self.call_function(read, arguments, named, {})
        if has_shortcut(read):
            require_decided(self, arguments, answer)
        return answer

    def call_prelude(self, name: str, arguments: list[Value], *cells: Cell) -> Value:
        """Call a function of the prelude, or an intrinsic of that name."""
        if name in INTRINSICS:
            return INTRINSICS[name](self, arguments, {}, *cells)
        return self.call_function(self.program.prelude_named(name), arguments, {}, {})

    def call_function(
        self, function: Function, arguments: list[Value], named: dict[str, Value], around: dict[str, Value]
    ) -> Value:
        """Call a function whose syntax is known."""
        given = self.bound(function, arguments, named, around)
        if given is None:
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        given = {**around, **given}
        recursive = any(node is function.node for node, _ in self.inlining)
        if function.is_generator and function.cached:
            raise self.refuse("calls a generator that is cached", "return a tuple")
        if function.is_generator:
            use = self.frames[-1].function.node, getattr(self.node, "lineno", 0)
            uses = self.program.generators.setdefault(function.node, {})
            uses[use] = new_arguments(function, self.node)
            if recursive or any(frame.function.node is function.node for frame in self.frames):
                return self.call_instance(function, given, collects=True)
            return self.generator(function, given)
        if function.name in function.space.get("__inlined__", ()):
            return self.inline(function, given)
        if any(is_passing(value.shape) for value in given.values()):
            if recursive and function.parent is None and not function.space.get("__prelude__"):
                given = {name: self.listed(value) for name, value in given.items()}
            else:
                return self.inline(function, given)
        if not recursive and _is_alias(function) and not function.cached:
            return self.inline(function, given)
        return self.call_instance(function, given)

    def listed(self, value: Value) -> Value:
        """A list of what a generator gives; other values as they are."""
        if isinstance(value.shape, Struct) and is_passing(value.shape):
            return self.struct(value.shape.cls, map(self.listed, self.fields(value)))
        return self.call_prelude("list_of", [value]) if isinstance(value.shape, Iter) else value

    def bound(
        self, function: Function, arguments: list[Value], named: dict[str, Value], around: dict[str, Value]
    ) -> dict[str, Value] | None:
        """The parameters of a function with their values, or None where they do not fit."""
        named = dict(named)
        items = named.pop(UNPACKED, None)
        given = function.node.args
        positional = [*given.posonlyargs, *given.args]
        bound: dict[str, Value] = {}
        rest: Value | None = None
        if arguments and isinstance(arguments[-1].shape, Spread):
            rows = arguments[-1].shape.inner
            left = len([one for one in positional if one.arg not in named]) - len(arguments) + 1
            if given.vararg is not None and left <= 0:
                rest = self.binary(ast.Add, self.struct(tuple, arguments[len(positional) : -1]), rows)
                arguments = arguments[: len(positional)]
            elif given.vararg is not None:
                code = traps.UNDECIDED if given.defaults else traps.code_of(TypeError)
                self.require(self.op("b", "cmp", "ge", self.length(rows), left), code)
                first = [self.element(rows, place) for place in range(left)]
                rest = self.slice(rows, constant(left), constant(None), constant(None))
                arguments = [*arguments[:-1], *first]
            else:
                arguments = [*arguments[:-1], *self.spread_out(rows, left - len(given.defaults), left)]
        if len(arguments) > len(positional) and given.vararg is None:
            return None
        for parameter, value in zip(positional, arguments, strict=False):
            bound[parameter.arg] = value
        if given.vararg is not None:
            bound[given.vararg.arg] = rest or self.struct(tuple, arguments[len(positional) :])
        extra: dict[str, Value] = {}
        for name, value in named.items():
            if name in bound:
                return None
            own = name in {one.arg for one in (*given.args, *given.kwonlyargs)}
            if not own and given.kwarg is None:
                return None
            (bound if own else extra)[name] = value
        if given.kwarg is not None:
            bound[given.kwarg.arg] = keywords.rest(self, function, extra, items)
        defaults = function.defaults
        if items is not None:
            wanted = [one.arg for one in (*given.args, *given.kwonlyargs)]
            found = keywords.found_in(
                self,
                items,
                {name: self.default_of(function, name, around) for name in wanted if name not in bound},
                [name for name in wanted if name in bound],
                all_used=given.kwarg is None,
            )
            if found is None:
                return None
            bound |= found
        for parameter in (*positional, *given.kwonlyargs):
            if parameter.arg not in bound:
                if parameter.arg not in defaults:
                    return None
                bound[parameter.arg] = self.default(function, parameter.arg, defaults[parameter.arg], around)
        return bound

    def default_of(self, function: Function, name: str, around: dict[str, Value]) -> keywords.Default:
        """What gives the default of a parameter, if it has one."""
        node = function.defaults.get(name)
        return lambda: None if node is None else self.default(function, name, node, around)

    def default(self, function: Function, name: str, node: ast.expr, around: dict[str, Value]) -> Value:
        """The default of a parameter: the object that Python has kept since the definition."""
        if f"={name}" in around:
            return around[f"={name}"]
        if function.python is not None:
            parameter = inspect.signature(function.python).parameters[name]
            return constant(parameter.default)
        assert isinstance(node, ast.Constant)
        return constant(node.value)

    def inline(self, function: Function, given: dict[str, Value]) -> Value:
        """Write the statements of a function here; what it returns."""
        if sum(node is function.node for node, _ in self.inlining) > WITHIN:
            raise self.refuse("calls itself with a generator", "hand a list over")
        for name, value in given.items():
            if isinstance(value.shape, Iter) and not function.space.get("__prelude__"):
                self.require_one_use(function, name)
        frame = Frame(function, self.numbered_place(f"{function.name}'"), {}, inlined=True)
        call, before = self.node, self.node
        self.inlining.append((function.node, call))
        self.frames.append(frame)
        handlers = self.handlers
        self.open(frame, given)
        self.statements(function.body)
        if not self.dead:
            frame.returns.append(self.end(constant(None)))
        self.frames.pop()
        self.inlining.pop()
        self.handlers, self.node = handlers, before
        if len(frame.returns) == 1:
            end = frame.returns[0]
            self.block, self.dead, self.names = end.block, False, end.names
            if not is_passing((end.value or constant(None)).shape):
                self.forget(frame)
            return end.value or constant(None)
        value = self.merge(frame.returns) or Value(BOTTOM)
        if not is_passing(value.shape):
            self.forget(frame)
        return value

    def require_one_use(self, function: Function, name: str) -> None:
        """A generator is used up by whoever walks through it: a parameter that is one may be used once."""
        if not used_at_most_once(function.node, name):
            raise self.refuse(
                f"hands a generator to {function.name}, which uses it twice", "hand a list over"
            )

    def forget(self, frame: Frame) -> None:
        """Drop the names of a function that was written here and is done."""
        for name in [name for name in self.names if name.startswith(frame.prefix)]:
            del self.names[name]

    def bind(self, frame: Frame, name: str, value: Value) -> None:
        """Give a parameter of a frame its value."""
        key = frame.prefix + name
        if isinstance(value.shape, Iter):
            function = frame.function
            once = function.space.get("__prelude__") or uses(function.body, name) < MANY
            self.names[key] = (value if once else cursor(self, value)).shape
        elif name in self.shared_in(frame) and not isinstance(value.shape, Box):
            self.make_box(key, name)
            self.set_box(key, value)
        else:
            self.set_name(key, value)

    def open(self, frame: Frame, given: dict[str, Value]) -> None:
        """Begin a function: its parameters, and the variables that it shares with functions within it."""
        for name in [one for one in self.instance.loose if frame.prefix and one.startswith(frame.prefix)]:
            self.emit("set", self.bound_slot(name), False)
        for name, value in given.items():
            self.bind(frame, name, value)
        for name in sorted(self.shared_in(frame)):
            if name not in given:
                self.make_box(frame.prefix + name, name)

    def shared_in(self, frame: Frame) -> set[str]:
        """The variables that a function shares with functions within it."""
        boxed = {name for name in frame.function.bindings if frame.prefix + name in self.instance.boxed}
        return frame.function.shared | boxed

    def make_box(self, key: str, name: str) -> None:
        """A variable that closures share: whether it has a value, and the value."""
        cell = self.cell("box", name)
        pointer = self.alloc(1 + len(kinds(cell.elem)))
        self.emit("store", 0, "i", pointer, 0)
        self.set_name(key, Value(Box(cell), (pointer,)))

    def set_box(self, key: str, value: Value) -> None:
        """Give such a variable a value."""
        box = self.get_name(key)
        assert isinstance(box.shape, Box)
        shape = self.put_into(box.shape.cells[0], value.shape)
        self.note_change(box.shape.cells[0])
        self.emit("store", 1, "i", box.regs[0], 0)
        self.store(self.coerce(value, shape), box.regs[0], 1)

    def call_instance(self, function: Function, given: dict[str, Value], *, collects: bool = False) -> Value:
        """Call a function that is written on its own, for the shapes of these arguments."""
        passed = {name: self.passed(value) for name, value in given.items()}
        if self.dead:
            return Value(BOTTOM)
        passed = self.as_before(function, passed, collects)
        shapes = tuple((name, value.shape) for name, value in passed.items())
        callee = self.program.called(
            self.program.instance(function, shapes, collects=collects), self.instance
        )
        if self.program.explaining and (found := callee.obstacle) is not None:
            if callee.function.is_ours:
                raise self.follow_on() if found.follows else self.refuse(found.what, found.remedy)
            if not callee.function.is_of_rules:
                raise self.refuse(f"calls {callee.function.name}", REMEDY)
            if callee.result is BOTTOM:
                raise self.follow_on()
        regs = [
            (kind, reg)
            for value in passed.values()
            for kind, reg in zip(kinds(value.shape), value.regs, strict=True)
        ]
        result = callee.result
        if result is BOTTOM and callee.obstacle is not None:
            raise _Follow(callee.obstacle)
        results = [self.ir.reg(kind) for kind in kinds(result)]
        catcher = None
        if self.handlers:
            block = self.ir.block()
            self.handlers[-1].ends.append(End(block, dict(self.names)))
            catcher = (self.handlers[-1].status, block)
        elif self.watching is not None:
            block = self.ir.block()
            self.watching.ends.append(End(block, {}))
            catcher = (self.watching.status, block)
        frames = len(self.frames) + sum(len(frame.scopes) for frame in self.frames)  # that Python would have
        self.emit("call", results, callee, regs, catcher, frames)
        for cell in cells_in(result) if function.cached else ():
            cell.cached = True
        if result is BOTTOM:
            self.close("br", self.trap_block(traps.UNSEEN))
            self.die()
        return Value(result, tuple(results))

    def as_before(self, function: Function, passed: dict[str, Value], collects: bool) -> dict[str, Value]:
        """The arguments of a function that is being written, in shapes that serve the calls within it too.

        Otherwise a function that calls itself with a new list, or with a longer tuple, would be written for
        each of them, without end.
        """
        busy = [
            one
            for one in self.program.busy(function, collects)
            if [name for name, _ in one.arguments] == list(passed)
        ]
        if not busy:
            return passed
        for one in reversed(busy):
            if all(alike(shape, passed[name].shape) for name, shape in one.arguments):
                for name, shape in one.arguments:
                    self.join(shape, passed[name].shape)
                return {name: self.coerce(passed[name], shape) for name, shape in one.arguments}
        if len(busy) < DEEP:
            return passed
        return {
            name: self.coerce(passed[name], self.join(shape, passed[name].shape))
            for name, shape in busy[-1].arguments
        }

    def passed(self, value: Value) -> Value:
        """A value as it is handed over: small constants as values, so that one function serves all."""
        if not isinstance(value.shape, Const):
            return value
        known = value.shape.value
        if isinstance(known, bool | int | float | str) and not isinstance(known, Enum):
            shape: Shape = general(value.shape)
            if isinstance(known, int) and isinstance(shape, Const):
                return self.as_number(value)
            return self.coerce(value, shape)
        if (
            type(known) is tuple
            and len(known) <= SMALL
            and all(isinstance(part, int | float) for part in known)
        ):
            return self.coerce(value, general(value.shape))
        if isinstance(known, Enum):
            return self.coerce(value, Atom(type(known)))
        if kind_of_number(type(known)):
            return self.coerce(value, general(value.shape))
        return value

    # Methods.

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
            given = [thawing.thawed(self, value) for value in arguments]
            found = self.call(self.constant_attribute(shape.value, name), given, named)
            thawing.require_unchanged(self, arguments, given, found)
            return thawing.given_back(self, name, found)
        if UNPACKED in named and _has_methods_of_python(shape) and name != "_replace":
            raise self.refuse("calls a method of Python's with **", "write the arguments out")
        if name == "_asdict" and isinstance(general(shape), Struct):
            return library.fields_by_name(self, receiver)
        if isinstance(shape, Const):
            known = shape.value
            if isinstance(known, _Super):
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

    def call_super(self, above: _Super, name: str, arguments: list[Value], named: dict[str, Value]) -> Value:
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

    def found_above(self, above: _Super, receiver: Value, name: str) -> Any:
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

    def super_attribute(self, above: _Super, name: str) -> Value:
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


CHANGING = {
    *("append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear"),
    *("add", "discard", "update", "setdefault", "popitem", "difference_update", "intersection_update"),
    *("symmetric_difference_update", "appendleft", "popleft", "extendleft", "rotate", "move_to_end"),
}
CHANGING_FIRST = {  # functions of Python's library that change what they are given first
    *("heappush", "heappop", "heapify", "heappushpop", "heapreplace", "insort_left", "insort_right"),
}


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


class _Super:
    """super(), in a method."""

    def __init__(self, function: Function) -> None:
        self.function = function


class _Follow(Obstacle):
    """An obstacle in a function that is called: it is said there, and not again here."""

    def __init__(self, first: Obstacle) -> None:
        super().__init__(first.what, first.remedy, first.node)
        self.function = first.function


def new_arguments(function: Function, node: ast.AST | None) -> frozenset[str]:
    """The parameters of a function for which a call makes new lists, which nobody else has."""
    if not isinstance(node, ast.Call):
        return frozenset()
    names = function.parameters
    if isinstance(node.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    given = [*zip(names, node.args, strict=False), *((one.arg, one.value) for one in node.keywords)]
    made = (ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Dict, ast.DictComp)
    return frozenset(name for name, part in given if name is not None and isinstance(part, made))


def used_at_most_once(function: ast.AST, name: str) -> bool:
    """Is a parameter used once, no more often than the function runs?"""
    uses: list[bool] = []

    def look(node: ast.AST, again: bool) -> None:
        if isinstance(node, ast.Name) and node.id == name:
            uses.append(again)
        repeats = isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.Lambda, *COMPREHENSIONS))
        first = node.iter if isinstance(node, ast.For) else None
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0].iter
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.comprehension):
                for inner in ast.iter_child_nodes(part):
                    look(inner, again if inner is first else True)
            else:
                look(part, again if part is first else again or repeats)

    for part in ast.iter_child_nodes(function):
        look(part, False)
    return len(uses) <= 1 and not any(uses)


def _is_alias(function: Function) -> bool:
    """Does it only hand on what another call gives? It may be a generator."""
    body = [part for part in function.body if not _is_docstring(part)]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return False
    return isinstance(body[0].value, ast.Call | ast.GeneratorExp)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_own_init(cls: type) -> bool:
    """Does making one do more than filling its fields?"""
    if dataclasses.is_dataclass(cls):
        own = own_method(Const(object.__new__(cls)), "__init__")
        return own is not None or any(not field.init for field in dataclasses.fields(cls))
    return "__new__" in vars(cls) and not hasattr(cls, "_field_defaults")


def _factories(cls: Any) -> dict[str, Any]:
    """What makes the defaults of fields that have no value for all."""
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {one.name: one.default_factory for one in fields if one.default_factory is not dataclasses.MISSING}


def _defaults(cls: type) -> dict[str, Any]:
    if dataclasses.is_dataclass(cls):
        return {
            field.name: field.default
            for field in dataclasses.fields(cls)
            if field.default is not dataclasses.MISSING
        }
    return dict(getattr(cls, "_field_defaults", {}))
