"""Calls: of the rules' own functions, of constructors, of what is built in, and of methods."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
import itertools
import math
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
from perfectplay.compiler.lowering.constructing import defaults_of, factories_of
from perfectplay.compiler.lowering.cursors import is_cursor, is_settled
from perfectplay.compiler.lowering.intrinsics import INTRINSICS
from perfectplay.compiler.lowering.keywords import UNPACKED
from perfectplay.compiler.lowering.methods import CHANGING, HAVING_METHODS, Methods, Super
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.sets import any_order
from perfectplay.compiler.lowering.values import Iter, Spread, Value, constant
from perfectplay.compiler.program import ExactOrder
from perfectplay.compiler.shapes import (
    BOTTOM,
    FLOAT,
    Closure,
    Const,
    Frozen,
    Method,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
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


class Calls(Methods):
    """Whatever has parentheses behind it."""

    def on_call(self, node: ast.Call) -> Value:
        """function(arguments)"""
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return constant(Super(self.frames[-1].function))
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
            one, other = (thawing.thawed_for(self, None, value) for value in (one, other))
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
            free = (
                defaults_of(known).keys() | factories_of(known).keys() if not value_fields(known) else wanted
            )
            least = sum(name not in free for name in wanted)
            return self.construct(known, [*arguments[:-1], *self.spread_out(rows, least, len(wanted))], named)
        if not isinstance(known, FunctionType | MethodType) or known in INTRINSICS:
            raise self.refuse("calls with *, for any number of arguments", "write the arguments out")
        return None


CHANGING_FIRST = {  # functions of Python's library that change what they are given first
    *("heappush", "heappop", "heapify", "heappushpop", "heapreplace", "insort_left", "insort_right"),
}
