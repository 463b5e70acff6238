"""Statements: assignments, branches, loops, returns, exceptions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.blocks import REMEDY
from perfectplay.compiler.lowering.exceptions import Exceptions
from perfectplay.compiler.lowering.values import End, Iter, Value, constant
from perfectplay.compiler.program import LOST
from perfectplay.compiler.reading import Obstacle, own_nodes
from perfectplay.compiler.shapes import (
    BOTTOM,
    Const,
    Object,
    kept,
)
from perfectplay.compiler.value_classes import value_fields

STATES = ("initial", "result", "canonical", "unpack", "unrank")  # rules that give states


class Statements(Exceptions):
    """What is done."""

    def statements(self, body: list[ast.stmt]) -> None:
        """Write statements, as far as control gets."""
        for node in body:
            if self.dead:
                return
            before, self.node = self.node, node
            write = getattr(self, f"do_{type(node).__name__.lower()}", None)
            if write is None:
                write = self.do_unknown
            if self.program.explaining and self.frames[-1].function.is_of_rules:
                self.attempted(write, node)
            else:
                write(node)
            self.node = before

    def attempted(self, write: Callable[[Any], None], node: ast.stmt) -> None:
        """Write a statement; after an obstacle, go on."""
        before = self.bookmark()
        try:
            write(node)
        except Obstacle as obstacle:
            self.go_on_after(obstacle, node, before)
        except Exception:  # rules that go deeper into a library than anyone can follow, say
            self.node, self.frames, self.inlining = node, before[1], []
            lost = self.refuse(f"{LOST}{called_in(node)}", REMEDY)
            lost.follows = bool(self.instance.noted)
            self.go_on_after(lost, node, before)

    def do_classdef(self, node: ast.ClassDef) -> None:
        """A class, which would be another one in every call."""
        raise self.refuse("makes a class", "make it at the top of the file")

    def do_unknown(self, node: ast.stmt) -> None:
        """A statement that rules have no use for."""
        raise self.refuse(f"uses {type(node).__name__.lower()}", "leave it out of the rules")

    def do_expr(self, node: ast.Expr) -> None:
        """An expression for its effect."""
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.YieldFrom):
            self.yield_from(node.value)
        else:
            self.expression(node.value)

    def do_pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_import(self, node: ast.Import) -> None:
        """An import within a rule: a constant."""
        for alias in node.names:
            module = self.imported(alias.name)
            if alias.asname is None:
                module = self.imported(alias.name.partition(".")[0])
            self.assign_name(alias.asname or alias.name.partition(".")[0], constant(module))

    def do_importfrom(self, node: ast.ImportFrom) -> None:
        """The same of names of a module."""
        module = self.imported("." * node.level + (node.module or ""))
        for alias in node.names:
            if not hasattr(module, alias.name):
                raise self.refuse("imports a module within a rule", "import it at the top of the file")
            self.assign_name(alias.asname or alias.name, constant(getattr(module, alias.name)))

    def imported(self, name: str) -> Any:
        """A module of Python's own; an edit of others is noticed only if the file imports them."""
        if name.partition(".")[0] not in sys.stdlib_module_names:
            raise self.refuse(f"imports {name} within a rule", "import it at the top of the file")
        return import_module(name)

    def do_nonlocal(self, node: ast.Nonlocal) -> None:
        """A word about names that was read already."""

    def do_global(self, node: ast.Global) -> None:
        """A variable of the module."""

    def do_if(self, node: ast.If) -> None:
        """If test: ... else: ..."""
        ends = []
        for way, body in zip(self.condition(node.test), (node.body, node.orelse), strict=True):
            if way:
                self.merge(way)
                self.statements(body)
                if not self.dead:
                    ends.append(self.end())
        self.merge(ends)

    def do_while(self, node: ast.While) -> None:
        """While test: ... else: ..."""
        self.begin_counting(node)
        poll = not self.instance.trusted
        leaving: list[End] = []

        def body() -> None:
            if poll:
                self.emit("poll", self.trap_block(traps.STOPPED))
            yes, no = self.condition(node.test)
            leaving.extend(no)
            self.merge(yes)
            self.statements(node.body)

        _, loop = self.loop(self.here("while"), lambda: None, body, lambda: None)
        self.merge(leaving)
        if not self.dead:
            self.statements(node.orelse)
        ends = [] if self.dead else [self.end()]
        self.merge([*ends, *loop.breaks])

    def do_for(self, node: ast.For) -> None:
        """For target in iterable: ... else: ..."""
        iterable = self.walked(node.iter)
        self.begin_counting(node)

        def body(item: Value) -> None:
            before, self.node = self.node, node
            self.assign(node.target, item)
            self.statements(node.body)
            self.node = before

        done, loop = self.walk(iterable, body)
        self.node = node
        ends = []
        if done is not None:
            self.merge([done])
            self.statements(node.orelse)
            if not self.dead:
                ends.append(self.end())
        self.merge([*ends, *loop.breaks])

    def do_break(self, node: ast.Break) -> None:
        """Break"""
        self.finish(len(self.frames[-1].loops))
        if not self.dead:
            self.frames[-1].loops[-1].breaks.append(self.end())
            self.die()

    def do_continue(self, node: ast.Continue) -> None:
        """Continue"""
        self.finish(len(self.frames[-1].loops))
        if not self.dead:
            self.frames[-1].loops[-1].continues.append(self.end())
            self.die()

    def do_return(self, node: ast.Return) -> None:
        """Return value"""
        value = constant(None) if node.value is None else self.expression(node.value)
        if not self.dead and self.finals:
            self.finish(0)
        if self.dead:
            return
        frame = self.frames[-1]
        shape = value.shape
        if frame.function.name in STATES and isinstance(shape, Object) and value_fields(shape.cls):
            value = self.as_value(value)  # nobody changes a state
        if value.shape is BOTTOM:
            self.close("br", self.trap_block(traps.UNSEEN))
        elif frame.inlined:
            frame.returns.append(self.end(value))
        else:
            self.give_back(value)
        self.die()

    def give_back(self, value: Value) -> None:
        """Return a value from the function that is being written."""
        if self.instance.collects:
            value = self.get_name("%collected")
        if isinstance(value.shape, Iter):
            value = self.listed(value)
        value = self.returned(value)
        shape = self.join(self.instance.result, value.shape)
        if shape != self.instance.result:
            self.instance.result = shape
            self.instance.unsettled = True
            self.program.result_changed(self.instance)
        value = self.coerce(value, shape)
        self.close("ret", list(value.regs))

    def returned(self, value: Value) -> Value:
        """A value as it is returned: a constant as a constant only if it is no number or text."""
        if isinstance(value.shape, Const) and isinstance(value.shape.value, tuple | list):
            return self.in_form(value)
        if self.instance in self.program.entries:
            return self.coerce(value, kept(value.shape)) if not isinstance(value.shape, Const) else value
        return value

    def do_functiondef(self, node: ast.FunctionDef) -> None:
        """A function within a function."""
        if node.decorator_list:
            names = {ast.unparse(mark).partition("(")[0].rpartition(".")[2] for mark in node.decorator_list}
            if not names <= {"cache", "lru_cache"}:
                raise self.refuse("decorates a function within a rule", "write it as a method")
        function = self.nested(node)
        function.cached = bool(node.decorator_list)
        self.assign_name(node.name, self.closure(function))

    # Generators.

    def on_yield(self, node: ast.Yield) -> Value:
        """Yield value"""
        value = constant(None) if node.value is None else self.expression(node.value)
        self.give(value)
        return constant(None)

    def on_yieldfrom(self, node: ast.YieldFrom) -> Value:
        """Name = yield from iterable"""
        raise self.refuse("uses what a generator returns", "yield it, or keep it in a list")

    def yield_from(self, node: ast.YieldFrom) -> None:
        """Yield from iterable"""
        done, loop = self.walk(self.expression(node.value), self.give)
        self.merge([*([done] if done else []), *loop.breaks])

    def give(self, value: Value) -> None:
        """Hand a value to whoever walks through this generator."""
        frame = self.frames[-1]
        if any(final.frame is frame for final in self.finals):  # it runs when the generator is let go of
            raise self.refuse("yields within try and finally", "yield outside of it")
        if value.shape is BOTTOM:
            self.close("br", self.trap_block(traps.UNSEEN))
            self.die()
        elif frame.yields is not None:
            frame.yields(value)
        else:
            self.append(self.get_name("%collected"), self.plain(value))


def called_in(node: ast.stmt) -> str:
    """The calls in a statement, in words."""
    calls = [one for one in own_nodes(node) if isinstance(one, ast.Call)]
    return f": {', '.join(dict.fromkeys(ast.unparse(one.func) for one in calls))}" if calls else ""
