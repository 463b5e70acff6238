"""Statements: assignments, branches, loops, returns, exceptions."""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Slot
from perfectplay.compiler.lowering.builder import REMEDY
from perfectplay.compiler.lowering.cursors import cursor
from perfectplay.compiler.lowering.matching import Matching
from perfectplay.compiler.lowering.own_methods import OPERATORS, class_of, own_method
from perfectplay.compiler.lowering.sequences import is_counter
from perfectplay.compiler.lowering.values import End, Frame, Iter, Value, constant
from perfectplay.compiler.program import LOST
from perfectplay.compiler.reading import COMPREHENSIONS, Obstacle, own_nodes
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    INT,
    RANGE,
    STR,
    Atom,
    Box,
    Const,
    Deque,
    Dict,
    Frozen,
    List,
    Object,
    Record,
    Seq,
    Set,
    Struct,
    Union,
    family,
    general,
    kept,
)
from perfectplay.compiler.value_classes import value_fields

STATES = ("initial", "result", "canonical", "unpack", "unrank")  # rules that give states


@dataclass
class Handler:
    """A try statement that is being written: where exceptions within it go."""

    status: Slot
    frame: Frame | None = None  # that it stands in
    ends: list[End] = field(default_factory=list)


@dataclass
class Final:
    """A finally clause that is being written around: its statements, and where it stands."""

    body: list[ast.stmt]
    frame: Frame
    loops: int  # that are around it
    handlers: int  # that are around what it guards, its own included


class Statements(Matching):
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

    def do_assign(self, node: ast.Assign) -> None:
        """Targets = value"""
        if [getattr(target, "attr", "") for target in node.targets] == ["__dict__"]:
            self.assign_attributes(node)
            return
        value = self.expression(node.value)
        if isinstance(value.shape, Iter):
            value = self.named(value, node.targets)
        for target in node.targets:
            if not self.dead:
                self.assign(target, value)

    def named(self, value: Value, targets: list[ast.expr]) -> Value:
        """A generator that is given a name: it is walked through where the name is used, if only there."""
        frame = self.frames[-1]
        if (
            len(targets) == 1
            and isinstance(targets[0], ast.Name)
            and used_once(frame.function.node, targets[0])
        ):
            return value
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            return self.listed(value)
        return cursor(self, value)

    def do_annassign(self, node: ast.AnnAssign) -> None:
        """target: annotation = value"""
        if node.value is not None:
            self.assign(node.target, self.plain(self.expression(node.value)))

    def do_augassign(self, node: ast.AugAssign) -> None:
        """Target op= value"""
        op = type(node.op)
        target = node.target
        if isinstance(target, ast.Name):
            old = self.lookup(target.id)
            new = self.augmented(op, old, self.expression(node.value))
            if not self.dead and new is not None:
                self.assign(target, new)
        elif isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Slice):
                raise self.refuse("changes a slice in place", "build a new list")
            holder, place = self.expression(target.value), self.expression(target.slice)
            new = self.augmented(op, self.index(holder, place), self.expression(node.value))
            if not self.dead and new is not None:
                self.set_index(holder, place, new)
        elif isinstance(target, ast.Attribute):
            holder = self.expression(target.value)
            new = self.augmented(op, self.attribute(holder, target.attr), self.expression(node.value))
            if not self.dead and new is not None:
                self.set_attribute(holder, target.attr, new)

    def augmented(self, op: type[ast.operator], old: Value, value: Value) -> Value | None:
        """What old op= value is; None if it was changed in place."""
        if isinstance(old.shape, Union):
            return self.each_member(old, lambda one: self.augmented(op, one, value))
        if (method := own_method(old.shape, f"__i{OPERATORS.get(op)}__")) is not None:
            return self.call_python(method, [old, value], {})
        if isinstance(old.shape, Const) and isinstance(old.shape.value, list | set | dict):
            raise self.refuse("changes a list, set or dict that is a constant", "change a copy: list(...)")
        if isinstance(old.shape, Deque) and op is ast.Add:
            return self.method(old, "extend", [value], {}) and old
        if isinstance(old.shape, List) and op is ast.Add:
            self.change(*old.shape.cells)
            self.call_prelude("list_extend", [old, value])
            return old
        if type(old.shape) is List and op is ast.Mult and self.is_whole(value.shape):
            self.change(*old.shape.cells)
            self.call_prelude("list_multiply", [old, value])
            return old
        if isinstance(old.shape, Dict) and old.shape.missing is not None and op is not ast.BitOr:
            raise self.refuse("changes a counter by another in place", "make a new one: a = a + b")
        names = {
            ast.BitOr: "update",
            ast.Sub: "difference_update",
            ast.BitAnd: "intersection_update",
            ast.BitXor: "symmetric_difference_update",
        }
        if (
            isinstance(old.shape, Set)
            and op in names
            and family(general(value.shape)) in ("set", "frozenset")
        ):
            return self.method(old, names[op], [value], {}) and old
        if is_counter(old.shape):
            if op not in (ast.Add, ast.Sub) or not is_counter(value.shape):
                raise self.refuse("changes a counter in place", "make a new one: counter = counter | other")
            self.change(*old.shape.cells)  # type: ignore[attr-defined]
            self.method(old, "update" if op is ast.Add else "subtract", [value], {})
            self.call_prelude("counter_keep", [old])
            return old
        if isinstance(old.shape, Dict) and op is ast.BitOr:
            return self.method(old, "update", [value], {}) and old
        return self.binary(op, old, value)

    def assign(self, target: ast.expr, value: Value) -> None:
        """Give a target a value."""
        if value.shape is BOTTOM:
            self.close("br", self.trap_block(traps.UNSEEN))
            self.die()
            return
        match target:
            case ast.Name(id=name):
                if isinstance(value.shape, Iter) and not used_once(self.frames[-1].function.node, target):
                    value = cursor(self, value)
                self.assign_name(name, value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self.unpack(parts, value)
            case ast.Subscript(value=holder, slice=ast.Slice() as limits):
                self.assign_slice(holder, limits, value)
            case ast.Subscript(value=holder, slice=place):
                self.set_index(self.expression(holder), self.expression(place), value)
            case ast.Attribute(value=holder, attr=name):
                self.set_attribute(self.expression(holder), name, value)
            case _:
                raise self.refuse("assigns to something odd", "assign to names and places of lists")

    def assign_name(self, name: str, value: Value) -> None:
        """Name = value"""
        frame = self.frames[-1]
        key = frame.key(name)
        if isinstance(self.names.get(key), Box):
            self.set_box(key, value)
        elif isinstance(value.shape, Iter):
            self.names[key] = value.shape
        elif name in frame.function.outer_names:
            raise self.refuse(f"changes {name}, a variable of the module", "keep everything in the state")
        else:
            self.set_name(key, value)

    def set_attribute(self, holder: Value, name: str, value: Value) -> None:
        """holder.name = value"""
        if isinstance(holder.shape, Object):
            self.set_object_attribute(holder, name, value)
        elif isinstance(holder.shape, Record):
            self.set_record_attribute(holder, name, value)
        elif isinstance(holder.shape, Union):
            self.each_member(holder, lambda one: self.attribute_set(one, name, value))
        elif holder.shape is not BOTTOM:
            raise self.refuse(f"changes .{name} of an object", "keep what changes in the state")

    def set_record_attribute(self, holder: Value, name: str, value: Value) -> None:
        """The same for a record."""
        raise NotImplementedError

    def attribute_set(self, holder: Value, name: str, value: Value) -> Value:
        """The same, where a value is wanted."""
        self.set_attribute(holder, name, value)
        return constant(None)

    def assign_slice(self, holder: ast.expr, limits: ast.Slice, value: Value) -> None:
        """holder[first:last] = value"""
        target = self.expression(holder)
        if not isinstance(target.shape, List):
            raise self.refuse(f"assigns to a slice of {target.shape!r}", "assign to slices of lists")
        self.change(*target.shape.cells)
        ends = [self.expression(part) if part else constant(None) for part in (limits.lower, limits.upper)]
        if limits.step is None:
            self.call_prelude("list_set_slice", [target, *ends, self.listed(value)])
        else:
            ends.append(self.expression(limits.step))
            self.call_prelude("list_set_slice_by", [target, *ends, self.listed(value)])

    def unpack(self, targets: list[ast.expr], value: Value) -> None:
        """a, b, *rest = value"""
        if isinstance(value.shape, Union):
            self.each_member(value, lambda one: self.unpacked(targets, one))
            return
        if isinstance(value.shape, Set | Frozen | Dict):
            value = self.call_prelude("list_of", [self.single(value)])
        if (method := own_method(value.shape, "__iter__")) is not None:
            value = self.call_python(method, [value], {})
        elif own_method(value.shape, "__getitem__") is not None and not self.is_tuple(value.shape):
            raise self.refuse("takes an object apart by its places", "give its class an __iter__")
        elif class_of(value.shape) is not None and not self.is_tuple(value.shape):
            self.fail(traps.code_of(TypeError))
            return
        if isinstance(value.shape, Iter):
            value = self.listed(value)
        if isinstance(value.shape, Const) and isinstance(value.shape.value, list | str | range):
            value = constant(tuple(value.shape.value))
        stars = [place for place, one in enumerate(targets) if isinstance(one, ast.Starred)]
        shape = general(value.shape)
        if isinstance(shape, Struct):
            parts = self.fields(value)
            fits = len(parts) >= len(targets) - 1 if stars else len(parts) == len(targets)
            if not fits:
                self.fail(traps.code_of(ValueError))
                return
            if stars:
                first, last = stars[0], len(targets) - stars[0] - 1
                rest = parts[first : len(parts) - last]
                middle = self.call_prelude("list_of", [self.struct(tuple, rest)])
                parts = [*parts[:first], middle, *parts[len(parts) - last :]]
            self.assign_all(targets, parts)
            return
        if shape == RANGE or isinstance(shape, Set | Frozen | Dict):
            value = self.call_prelude("list_of", [value])
            shape = value.shape
        if shape == BYTES:
            value = Value(Seq(INT), self.in_form(value).regs)
            shape = value.shape
        if not isinstance(shape, Seq | List) and repr(shape) not in ("str", "word"):
            raise self.refuse(f"takes {shape!r} apart", "take tuples and lists apart")
        if repr(shape) in ("str", "word"):
            value = self.coerce(value, STR)
        size = self.length(value)
        if not stars:
            self.require(self.op("b", "cmp", "eq", size, len(targets)), traps.code_of(ValueError))
            self.assign_all(targets, [self.element(value, place) for place in range(len(targets))])
            return
        first, last = stars[0], len(targets) - stars[0] - 1
        self.require(self.op("b", "cmp", "ge", size, first + last), traps.code_of(ValueError))
        end = self.op("i", "bin", "sub", size, last)
        parts = [self.element(value, place) for place in range(first)]
        sliced = self.slice(value, constant(first), Value(INT, (end,)), constant(None))
        parts.append(self.call_prelude("list_of", [sliced]))
        for place in range(last):
            parts.append(self.element(value, self.op("i", "bin", "add", end, place)))
        self.assign_all(targets, parts)

    def unpacked(self, targets: list[ast.expr], value: Value) -> Value | None:
        """The same for one of the kinds that a value may be of; None if it cannot be taken apart."""
        if not self.is_walkable(value):
            return None
        if value.shape == Atom(str) and not any(isinstance(one, ast.Starred) for one in targets):
            self.instance.uses_words = True
            if not any(len(word) == len(targets) for word in self.program.words):
                self.fail(traps.code_of(ValueError))
                return constant(None)
        self.unpack(targets, value)
        return constant(None)

    def assign_all(self, targets: list[ast.expr], parts: list[Value]) -> None:
        """Give several targets a value each."""
        for target, part in zip(targets, parts, strict=True):
            if not self.dead:
                self.assign(target.value if isinstance(target, ast.Starred) else target, part)

    def do_delete(self, node: ast.Delete) -> None:
        """Del target"""
        for target in node.targets:
            if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
                holder, place = self.expression(target.value), self.expression(target.slice)
                if isinstance(holder.shape, List):
                    self.change(*holder.shape.cells)
                    self.call_prelude("list_pop", [holder, place])
                else:
                    self.change(*holder.shape.cells)  # type: ignore[attr-defined]
                    self.call_prelude("dict_delete", [holder, self.in_form(place)])
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self.delete_slice(target.value, target.slice)
            elif isinstance(target, ast.Name):
                self.delete_name(self.frames[-1].key(target.id))
            else:
                raise self.refuse("deletes something odd", "delete places of lists")

    def delete_slice(self, holder: ast.expr, limits: ast.Slice) -> None:
        """Del holder[first:last:step]"""
        if limits.step is None:
            self.assign_slice(holder, limits, constant(()))
            return
        target = self.expression(holder)
        if not isinstance(target.shape, List):
            raise self.refuse(f"deletes a slice of {target.shape!r}", "delete slices of lists")
        self.change(*target.shape.cells)
        parts = (limits.lower, limits.upper, limits.step)
        ends = [self.expression(part) if part else constant(None) for part in parts]
        self.call_prelude("list_delete_slice_by", [target, *ends])

    def do_with(self, node: ast.With) -> None:
        """With suppress(...): ..., which is a try statement; other contexts do things of their own."""
        (first, *rest) = node.items
        call = first.context_expr
        known = self.expression(call.func).shape if isinstance(call, ast.Call) else None
        if known == Const(contextlib.suppress) and isinstance(call, ast.Call) and first.optional_vars is None:
            self.do_try(self.suppressing(node, call, rest))
        elif known == Const(contextlib.nullcontext) and isinstance(call, ast.Call) and len(call.args) < 2:
            value = self.expression(call.args[0]) if call.args else constant(None)
            if first.optional_vars is not None:
                self.assign(first.optional_vars, self.plain(value))
            self.statements(self.within(node, rest))
        else:
            raise self.refuse("uses with", "leave it out of the rules")

    def suppressing(self, node: ast.With, call: ast.Call, rest: list[ast.withitem]) -> ast.Try:
        """The try statement that `with suppress(...)` is: the same one in every round."""
        if node not in self.program.suppressing:
            kinds = ast.Tuple(call.args, ast.Load())
            handler = ast.ExceptHandler(kinds, None, [ast.Pass()])
            made = ast.Try(self.within(node, rest), [handler], [], [])
            self.program.suppressing[node] = ast.fix_missing_locations(ast.copy_location(made, node))
        return self.program.suppressing[node]

    def within(self, node: ast.With, rest: list[ast.withitem]) -> list[ast.stmt]:
        """What stands within the first context of a with statement: the others, and its body."""
        if not rest:
            return node.body
        key = (node, len(rest))
        if key not in self.program.suppressing:
            self.program.suppressing[key] = ast.copy_location(ast.With(rest, node.body), node)
        return [self.program.suppressing[key]]

    def delete_name(self, key: str) -> None:
        """Del name"""
        if key not in self.names:
            self.fail(traps.code_of(UnboundLocalError))
        elif isinstance(self.names[key], Box):
            self.unboxed(self.get_name(key))
            self.unbind(key)
        else:
            self.get_name(key)
            self.unbind(key)

    def unbind(self, key: str) -> None:
        """Have a name no value any more, if it had one."""
        if isinstance(self.names.get(key), Box):
            self.emit("store", 0, "i", self.get_name(key).regs[0], 0)
        elif key in self.names:
            if key in self.instance.loose:
                self.emit("set", self.bound_slot(key), False)
            del self.names[key]

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

    def do_assert(self, node: ast.Assert) -> None:
        """Assert test"""
        yes, no = self.condition(node.test)
        if no:
            self.merge(no)
            self.fail(traps.code_of(AssertionError))
        self.merge(yes)

    def do_raise(self, node: ast.Raise) -> None:
        """Raise exception"""
        if node.exc is None:
            if self.raised:
                self.raise_again(self.op("i", "get", self.raised[-1]))
            else:
                self.fail(traps.UNDECIDED)
            return
        named = self.frames[-1].key(node.exc.id) if isinstance(node.exc, ast.Name) else ""
        if named in self.caught_names:
            self.raise_again(self.op("i", "get", self.caught_names[named]))
            return
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        found = self.expression(target)
        known = found.shape.value if isinstance(found.shape, Const) else None
        if not inspect.isclass(known) or not issubclass(known, BaseException):
            raise self.refuse("raises something that is not known", "raise an exception by its name")
        if known is NotImplementedError and self.frames[-1].function.space.get("__prelude__"):
            self.fail(traps.UNDECIDED)  # what the prelude does not know, Python does
        else:
            self.fail(self.program.exception(known))

    def raise_again(self, status: Any) -> None:
        """Go on with an exception that was caught."""
        if self.handlers:
            self.emit("set", self.handlers[-1].status, status)
            self.handlers[-1].ends.append(self.end())
        else:
            self.close("trap", status)
        self.die()

    def do_try(self, node: ast.Try) -> None:
        """try: ... except ...: ... else: ... finally: ..."""
        if not node.finalbody:
            self.try_without_finally(node)
            return
        handler = Handler(self.ir.slot("i", "status"), self.frames[-1])
        self.handlers.append(handler)
        self.finals.append(
            Final(node.finalbody, self.frames[-1], len(self.frames[-1].loops), len(self.handlers))
        )
        self.try_without_finally(node)
        self.finals.pop()
        self.handlers.pop()
        if not self.dead:
            self.statements(node.finalbody)
        after = None if self.dead else self.end()
        if handler.ends:
            self.merge(handler.ends)
            self.statements(node.finalbody)
            if not self.dead:
                self.raise_again(self.op("i", "get", handler.status))
        self.merge([after] if after else [])

    def finish(self, loops: int) -> None:
        """Before control leaves this function, or a loop: what `finally` says, the innermost first."""
        finals, handlers = self.finals, self.handlers
        for place in reversed(range(len(finals))):
            final = finals[place]
            if final.frame is not self.frames[-1] or final.loops < loops or self.dead:
                break
            self.finals, self.handlers = finals[:place], handlers[: final.handlers - 1]
            self.statements(final.body)
        self.finals, self.handlers = finals, handlers

    def try_without_finally(self, node: ast.Try) -> None:
        """try: ... except ...: ... else: ..."""
        if not node.handlers:
            self.statements(node.body)
            return
        self.instance.catches = True
        handler = Handler(self.ir.slot("i", "status"), self.frames[-1])
        self.handlers.append(handler)
        self.statements(node.body)
        self.handlers.pop()
        ends = []
        if not self.dead:
            self.statements(node.orelse)
            if not self.dead:
                ends.append(self.end())
        if handler.ends:
            self.merge(handler.ends)
            ends += self.handle(node, handler)
        self.merge(ends)

    def handle(self, node: ast.Try, handler: Handler) -> list[End]:
        """Write the except clauses of a try statement."""
        status = self.op("i", "get", handler.status)
        code = self.op("i", "bin", "and", status, 0xFF)
        ends = []
        for clause in node.handlers:
            if clause.name is not None and looks_into(clause):
                raise self.refuse("looks into an exception", "catch it without a name")
            caught = self.caught(clause)
            inside, other = self.ir.block(), self.ir.block()
            self.close("switch", code, [(one, inside) for one in caught], other)
            names = dict(self.names)
            self.enter(inside)
            if clause.name is not None:
                self.unbind(self.frames[-1].key(clause.name))
            known = self.caught_names
            if clause.name is not None:
                self.caught_names = {**known, self.frames[-1].key(clause.name): handler.status}
            self.raised.append(handler.status)
            self.statements(clause.body)
            self.raised.pop()
            self.caught_names = known
            if not self.dead:
                ends.append(self.end())
            self.enter(other)
            self.names = names
        self.raise_again(status)
        return ends

    def caught(self, clause: ast.ExceptHandler) -> list[int]:
        """The codes of the exceptions that a clause catches."""
        if clause.type is None:
            return self.program.caught_by(BaseException)
        found = self.expression(clause.type)
        known = found.shape.value if isinstance(found.shape, Const) else None
        kinds = known if isinstance(known, tuple) else (known,)
        codes = {code for kind in kinds if inspect.isclass(kind) for code in self.program.caught_by(kind)}  # type: ignore[arg-type]
        return sorted(codes)

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


def looks_into(clause: ast.ExceptHandler) -> bool:
    """Is an exception used that has a name, but for raising it again, or another from it?"""
    raised = [part for part in ast.walk(clause) if isinstance(part, ast.Raise)]
    plain = [part for one in raised for part in (one.exc, one.cause)]
    names = [part for part in ast.walk(clause) if isinstance(part, ast.Name) and part.id == clause.name]
    return any(not any(name is one for one in plain) for name in names)


def used_once(function: ast.AST, target: ast.Name) -> bool:
    """Is a name given a value here and nowhere else, and used once, no more often than it is given one?"""
    uses: list[tuple[ast.Name, tuple[ast.AST, ...]]] = []

    def look(node: ast.AST, around: tuple[ast.AST, ...]) -> None:
        if isinstance(node, ast.Name) and node.id == target.id:
            uses.append((node, around))
        repeats = isinstance(node, (ast.For, ast.While, ast.FunctionDef, ast.Lambda, *COMPREHENSIONS))
        for part in ast.iter_child_nodes(node):
            first = isinstance(node, ast.For) and part is node.iter
            look(part, (*around, node) if repeats and not first else around)

    for part in ast.iter_child_nodes(function):
        look(part, ())
    uses.sort(key=lambda use: use[0] is not target)
    if len(uses) == 2 and isinstance(uses[1][0].ctx, ast.Load):
        (one, around), (_, other) = uses
        inner = other[len(around) :]
        first = [part for part in inner if not _is_first(part, uses[1][0])]
        return one is target and other[: len(around)] == around and not first
    return False


def _is_first(node: ast.AST, name: ast.Name) -> bool:
    """Is a name what a comprehension walks through first?"""
    return isinstance(node, COMPREHENSIONS) and any(one is name for one in ast.walk(node.generators[0].iter))


def called_in(node: ast.stmt) -> str:
    """The calls in a statement, in words."""
    calls = [one for one in own_nodes(node) if isinstance(one, ast.Call)]
    return f": {', '.join(dict.fromkeys(ast.unparse(one.func) for one in calls))}" if calls else ""
