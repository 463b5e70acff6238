"""Calls of functions whose syntax is known: parameters bound, written here or on their own."""

from __future__ import annotations

import ast
import functools
import inspect
from enum import Enum
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.cells import cells_in
from perfectplay.compiler.lowering import keywords
from perfectplay.compiler.lowering.blocks import REMEDY, is_passing
from perfectplay.compiler.lowering.coercion import alike
from perfectplay.compiler.lowering.cursors import MANY, cursor, uses
from perfectplay.compiler.lowering.generic_functions import call_generic, call_generic_method, is_generic
from perfectplay.compiler.lowering.identity import has_shortcut, require_decided
from perfectplay.compiler.lowering.intrinsics import INTRINSICS
from perfectplay.compiler.lowering.keywords import UNPACKED
from perfectplay.compiler.lowering.objects import Objects
from perfectplay.compiler.lowering.values import End, Frame, Iter, Spread, Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.reading import COMPREHENSIONS, Function, Obstacle, function_of
from perfectplay.compiler.shapes import (
    BOTTOM,
    Atom,
    Box,
    Cell,
    Const,
    Shape,
    Struct,
    general,
    kinds,
)

WITHIN = 6  # times that a function is written within itself
DEEP = 3  # times that a function is written for other shapes while it is being written
SMALL = 8  # elements of a constant tuple that is handed over as a value


class _Follow(Obstacle):
    """An obstacle in a function that is called: it is said there, and not again here."""

    def __init__(self, first: Obstacle) -> None:
        super().__init__(first.what, first.remedy, first.node)
        self.function = first.function


class Functions(Objects):
    """Functions of the rules, and of the prelude."""

    def spread_out(self, rows: Value, least: int, most: int) -> list[Value]:
        """The first arguments that a sequence holds, of which there must be so many."""
        size = self.length(rows)
        if least < most:
            self.require(self.op("b", "cmp", "eq", size, most), traps.UNDECIDED)
        self.require(self.op("b", "cmp", "eq", size, most), traps.code_of(TypeError))
        return [self.element(rows, place) for place in range(max(most, 0))]

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
