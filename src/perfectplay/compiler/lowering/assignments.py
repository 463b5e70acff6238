"""Assignments: to names, attributes, places and slices, in place, taken apart, and taken away by del."""

from __future__ import annotations

import ast

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.comparisons import is_counter
from perfectplay.compiler.lowering.cursors import cursor
from perfectplay.compiler.lowering.matching import Matching
from perfectplay.compiler.lowering.own_methods import OPERATORS, class_of, own_method
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.reading import COMPREHENSIONS, nodes_in
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
)


class Assignments(Matching):
    """What gets a value."""

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
        parts = limits.lower, limits.upper, limits.step
        self.set_slice(target, [self.expression(part) if part else constant(None) for part in parts], value)

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
    return isinstance(node, COMPREHENSIONS) and any(one is name for one in nodes_in(node.generators[0].iter))
