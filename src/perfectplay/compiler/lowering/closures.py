"""Names and what they mean, and functions with the variables that they find around them."""

from __future__ import annotations

import ast

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.blocks import is_passing
from perfectplay.compiler.lowering.values import Frame, Iter, Value, constant
from perfectplay.compiler.lowering.walking import Walking
from perfectplay.compiler.reading import Function, nodes_in
from perfectplay.compiler.shapes import (
    BOTTOM,
    Box,
    Closure,
    Shape,
    Union,
)

LAYERS = 6  # of functions within functions


class Closures(Walking):
    """Names, and functions without one."""

    def lookup(self, name: str) -> Value:
        """What a name means here."""
        frame = self.frames[-1]
        key = frame.key(name)
        if key in self.poisoned:
            raise self.follow_on()
        if key in self.names:
            value = self.get_name(key)
            code = self.unbound() if name in frame.function.bindings else traps.code_of(NameError)
            return self.unboxed(value, code) if isinstance(value.shape, Box) else value
        function = frame.function
        if name in function.bindings and name not in function.outer_names:
            self.fail(self.unbound())
            return Value(BOTTOM)
        if (
            function.parent is not None and name == function.name
        ):  # a function within another, by its own name
            if function.parent.bindings.get(name, 0) > 1:
                raise self.refuse(f"calls {name}, which is defined twice", "give both a name of their own")
            return self.closure(function)
        if function.is_around(name):  # a variable of a function around this one, which has not got that far
            self.fail(traps.code_of(NameError))
            return Value(BOTTOM)
        try:
            return constant(function.constant(name))
        except LookupError:
            raise self.refuse(f"uses {name}, which has no value yet", "define it before") from None

    def unboxed(self, box: Value, code: int = traps.code_of(UnboundLocalError)) -> Value:
        """The value of a variable that closures share."""
        elem = box.shape.cells[0].elem  # type: ignore[attr-defined]
        bound = self.op("i", "load", box.regs[0], 0)
        self.require(self.op("b", "cmp", "ne", bound, 0), code)
        if elem is BOTTOM:
            self.fail(traps.UNSEEN)
            return Value(BOTTOM)
        return self.load(box.regs[0], 1, elem)

    def plain(self, value: Value) -> Value:
        """A value that can be kept: a generator cannot."""
        if isinstance(value.shape, Iter):
            raise self.refuse("keeps a generator", "make a list or a tuple of it")
        return value

    def on_lambda(self, node: ast.Lambda) -> Value:
        """A function without a name."""
        return self.closure(self.nested(node))

    def nested(self, node: ast.Lambda | ast.FunctionDef) -> Function:
        """The function that is written within this one."""
        outer = self.frames[-1].function
        key = node, outer
        if key not in self.program.nested:
            self.program.nested[key] = Function(node, outer.space, parent=outer)
        return self.program.nested[key]

    def closure(self, function: Function) -> Value:
        """A function with the values that it finds around it."""
        frame = self.frames[-1]
        captured, regs = [], []  # type: ignore[var-annotated]
        names = {*function.captured}
        for scope in frame.scopes:
            names |= {name for name in scope if _uses(function, name)}
        for name in sorted(names - {function.name}):
            key = frame.key(name)
            if key in self.names:
                self.share_loose(frame, name)
                value = self.get_name(key)
            elif name == frame.function.name and frame.function.parent is not None:
                value = self.lookup(name)  # the function that we are in
            else:
                continue
            captured.append((name, value.shape))
            regs.extend(value.regs)
        for name, default in function.defaults.items():
            key = frame.prefix + f"={name}"
            value = self.get_name(key) if key in self.names else self.plain(self.expression(default))
            captured.append((f"={name}", value.shape))
            regs.extend(value.regs)
        made = Closure(function.node, function, tuple(captured))
        if _layers(made) > LAYERS:
            raise self.refuse("makes functions of functions without end", "make them where the file begins")
        return Value(made, tuple(regs))

    def share_loose(self, frame: Frame, name: str) -> None:
        """Have a name that may have no value yet shared with a function: only its use raises an exception."""
        key = frame.key(name)
        if key in self.instance.loose and key not in self.instance.boxed and not is_passing(self.names[key]):
            if key != frame.prefix + name or isinstance(self.names[key], Box):
                return
            self.instance.boxed.add(key)
            self.instance.unsettled = self.instance.astray = True


def _layers(shape: Shape) -> int:
    """How many functions one holds within another."""
    if isinstance(shape, Union):
        return max(map(_layers, shape.members))
    if not isinstance(shape, Closure):
        return 0
    return 1 + max((_layers(part) for _, part in shape.captured), default=0)


def _uses(function: Function, name: str) -> bool:
    return name not in function.bindings and any(
        isinstance(node, ast.Name) and node.id == name for node in nodes_in(function.node)
    )
