"""Expressions: names, literals, operators, conditions, attributes, comprehensions."""

from __future__ import annotations

import ast
from enum import Enum
from typing import Any

from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.attributes import Attributed
from perfectplay.compiler.lowering.cursors import cursor
from perfectplay.compiler.lowering.identity import is_shortcut
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.sets import folded_set, from_constant, require_order
from perfectplay.compiler.lowering.texts import f_string, text_of
from perfectplay.compiler.lowering.values import End, Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    INT,
    Atom,
    Const,
    Reference,
    Struct,
    Union,
    family,
    general,
)

COMPARED = {ast.Lt: (False, False), ast.LtE: (True, False), ast.Gt: (False, True), ast.GtE: (True, True)}


OWN = {
    ast.Lt: ("__lt__", "__gt__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.GtE: ("__ge__", "__le__"),
    ast.NotEq: ("__ne__", "__ne__"),
}


class Expressions(Attributed):
    """What has a value."""

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        before, self.node = self.node, node
        try:
            write = getattr(self, f"on_{type(node).__name__.lower()}", None)
            if write is None:
                raise self.refuse(f"uses {_called(node)}", "write it with plain loops and expressions")
            return write(node)
        finally:
            self.node = before

    def on_constant(self, node: ast.Constant) -> Value:
        """A literal."""
        return constant(node.value)

    def on_name(self, node: ast.Name) -> Value:
        """A variable, or a constant of the module."""
        return self.lookup(node.id)

    def on_namedexpr(self, node: ast.NamedExpr) -> Value:
        """Name := value"""
        value = self.expression(node.value)
        if isinstance(value.shape, Iter):  # it has a name from here on, and is used here as well
            value = cursor(self, value)
        frame = self.frames[-1]
        scopes, frame.scopes = frame.scopes, []  # it belongs to the function, not to a comprehension
        self.assign(node.target, value)
        frame.scopes = scopes
        return value

    def on_tuple(self, node: ast.Tuple) -> Value:
        """A tuple, written out."""
        if not any(isinstance(part, ast.Starred) for part in node.elts):
            parts = [self.plain(self.expression(part)) for part in node.elts]
            if all(isinstance(part.shape, Const) for part in parts):
                return constant(tuple(part.shape.value for part in parts))  # type: ignore[attr-defined]
            return self.struct(tuple, parts)
        whole: Value = constant(())
        for part in node.elts:
            if isinstance(part, ast.Starred):
                piece = self.as_tuple(self.expression(part.value))
            else:
                piece = self.struct(tuple, [self.plain(self.expression(part))])
            whole = self.binary(ast.Add, whole, piece)
        return whole

    def as_tuple(self, value: Value) -> Value:
        """tuple(value)"""
        if isinstance(value.shape, Struct) and value.shape.cls is not tuple and self.is_tuple(value.shape):
            return self.struct(tuple, self.fields(value))
        if self.is_tuple(value.shape):
            return value
        return self.call_prelude("tuple_of", [value])

    def on_list(self, node: ast.List) -> Value:
        """A list, written out."""
        cell = self.cell(node)
        made = self.new_list(cell, max(len(node.elts), 4) if node.elts else 0)
        for part in node.elts:
            if isinstance(part, ast.Starred):
                self.call_prelude("list_extend", [made, self.expression(part.value)])
            else:
                self.append(made, self.plain(self.expression(part)))
        return made

    def on_set(self, node: ast.Set) -> Value:
        """A set, written out."""
        folded = folded_set(self, node) if len(node.elts) > 2 else None  # as Python itself does
        if folded is not None:
            return from_constant(self, folded, self.cell(node))
        made = self.call_prelude("set_new", [], self.cell(node))  # type: ignore[call-arg]
        for part in node.elts:
            if isinstance(part, ast.Starred):
                self.call_prelude("set_update", [made, self.expression(part.value)])
            else:
                self.call_prelude("set_add", [made, self.in_form(self.plain(self.expression(part)))])
        return made

    def on_dict(self, node: ast.Dict) -> Value:
        """A dict, written out."""
        made = self.call_prelude("dict_new", [], self.cell(node, "keys"), self.cell(node, "values"))  # type: ignore[call-arg]
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.call_prelude("dict_update", [made, self.expression(value)])
            else:
                pair = [self.in_form(self.plain(self.expression(part))) for part in (key, value)]
                self.call_prelude("dict_set", [made, *pair])
        return made

    def on_listcomp(self, node: ast.ListComp) -> Value:
        """[... for ... in ...]"""
        held = self.fresh("%list")
        self.set_name(held, self.new_list(self.cell(node), 0))

        def item() -> None:
            value = self.plain(self.expression(node.elt))
            if not self.dead:
                self.append(self.get_name(held), value)

        self.comprehension(node, item)
        return self.taken(held)

    def taken(self, name: str) -> Value:
        """The value of a name that is not needed any more."""
        value = self.get_name(name)
        del self.names[name]
        return value

    def on_setcomp(self, node: ast.SetComp) -> Value:
        """{... for ... in ...}"""
        held = self.fresh("%set")
        self.set_name(held, self.call_prelude("set_new", [], self.cell(node)))  # type: ignore[call-arg]
        self.program.any_order.update(node.generators)
        before = self.unordered

        def item() -> None:
            value = self.in_form(self.plain(self.expression(node.elt)))
            if not self.dead:
                self.call_prelude("set_add", [self.get_name(held), value])

        self.comprehension(node, item)
        made = self.taken(held)
        require_order(self, made, before)
        return made

    def on_dictcomp(self, node: ast.DictComp) -> Value:
        """{...: ... for ... in ...}"""
        held = self.fresh("%dict")
        cells = self.cell(node, "keys"), self.cell(node, "values")
        self.set_name(held, self.call_prelude("dict_new", [], *cells))  # type: ignore[call-arg]

        def item() -> None:
            key = self.in_form(self.expression(node.key))
            value = self.in_form(self.plain(self.expression(node.value)))
            if not self.dead:
                self.call_prelude("dict_set", [self.get_name(held), key, value])

        self.comprehension(node, item)
        return self.taken(held)

    def on_generatorexp(self, node: ast.GeneratorExp) -> Value:
        """(... for ... in ...)"""
        return self.generator_expression(node)

    # Operators and conditions.

    def on_binop(self, node: ast.BinOp) -> Value:
        """Left op right"""
        if isinstance(node.op, ast.BitAnd):
            for shift, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(shift, ast.BinOp) and isinstance(shift.op, ast.LShift):
                    return self.masked_shift(shift, other, shift is node.left)
        return self.binary(type(node.op), self.expression(node.left), self.expression(node.right))

    def masked_shift(self, shift: ast.BinOp, other: ast.expr, shift_first: bool) -> Value:
        """(a << b) & mask: what is shifted out may be masked out."""
        if shift_first:
            value, places = self.expression(shift.left), self.expression(shift.right)
            mask = self.expression(other)
        else:
            mask = self.expression(other)
            value, places = self.expression(shift.left), self.expression(shift.right)
        whole = all(self.is_whole(one.shape) for one in (value, places, mask)) and not self.is_wide_here()
        constants = isinstance(value.shape, Const) and isinstance(places.shape, Const)
        if not whole or constants or self.with_words(value, places, mask):
            return self.binary(ast.BitAnd, self.binary(ast.LShift, value, places), mask)
        return self.shifted_left(self.integer(value), self.integer(places), self.integer(mask))

    def with_words(self, *values: Value) -> bool:
        """Is one of them a word of the search's own?"""
        return any(value.shape not in (INT, BOOL) and not isinstance(value.shape, Const) for value in values)

    def on_unaryop(self, node: ast.UnaryOp) -> Value:
        """-x, not x"""
        if isinstance(node.op, ast.Not):
            test = self.truth(self.expression(node.operand))
            return constant(not test) if isinstance(test, bool) else Value(BOOL, (self.negated(test),))
        return self.unary(type(node.op), self.expression(node.operand))

    def on_boolop(self, node: ast.BoolOp) -> Value:
        """A and b, a or b: one of the values"""
        ends: list[End] = []
        is_and = isinstance(node.op, ast.And)
        for place, part in enumerate(node.values):
            value = self.plain(self.expression(part))
            if self.dead:
                break
            if place == len(node.values) - 1:
                ends.append(self.end(value))
                break
            test = self.truth(value)
            if isinstance(test, bool):
                if test is is_and:
                    continue
                ends.append(self.end(value))
                break
            yes, no = self.split(test)
            leaves, goes_on = (no, yes) if is_and else (yes, no)
            ends.append(End(leaves, dict(self.names), value))
            self.enter(goes_on)
        if len(ends) == 1:
            self.block, self.dead, self.names = ends[0].block, False, ends[0].names
            return ends[0].value or Value(BOTTOM)
        return self.merge(ends) or Value(BOTTOM)

    def on_compare(self, node: ast.Compare) -> Value:
        """A < b, a < b < c, a in b, a is b"""
        left = self.expression(node.left)
        ends: list[End] = []
        for place, (op, part) in enumerate(zip(node.ops, node.comparators, strict=True)):
            last = part is node.comparators[-1]  # otherwise it is compared with the next one, as it is
            right = (
                self.searched(part) if last and isinstance(op, ast.In | ast.NotIn) else self.expression(part)
            )
            test = self.compared(op, left, right)
            if place == len(node.ops) - 1:
                answer = constant(test) if isinstance(test, bool) else Value(BOOL, (test,))
                if not ends:
                    return answer
                ends.append(self.end(answer))
                break
            if test is False:
                ends.append(self.end(constant(False)))
                break
            if test is not True:
                yes, no = self.split(test)
                ends.append(End(no, dict(self.names), constant(False)))
                self.enter(yes)
            left = right
        return self.merge(ends) or Value(BOTTOM)

    def searched(self, node: ast.expr) -> Value:
        """A container that is only asked what is in it: one that is written out need not be made."""
        if isinstance(node, ast.Set) and (folded := folded_set(self, node)) is not None:
            return constant(folded)
        if isinstance(node, ast.List) and not any(isinstance(part, ast.Starred) for part in node.elts):
            return self.on_tuple(ast.copy_location(ast.Tuple(node.elts, node.ctx), node))
        return self.expression(node)

    def compared(self, op: ast.cmpop, left: Value, right: Value) -> Operand:
        """How two values compare."""
        if (own := self.own_comparison(op, left, right)) is not None:
            return own
        if isinstance(op, ast.Eq | ast.NotEq):
            inside = self.frames[-1].function.space.get("__prelude__")  # where only elements are compared
            same = self.is_equal_item(left, right) if inside else self.is_equal(left, right)
            return same if isinstance(op, ast.Eq) else self.negated(same)
        if isinstance(op, ast.In | ast.NotIn):
            inside = self.contains(right, left)
            return inside if isinstance(op, ast.In) else self.negated(inside)
        if isinstance(op, ast.Is | ast.IsNot):
            same = self.is_same(left, right)
            return same if isinstance(op, ast.Is) else self.negated(same)
        for value, pair in ((left, lambda one: (one, right)), (right, lambda one: (left, one))):
            if isinstance(value.shape, Union):  # each kind by its own methods
                return self.truth_of_members(value, lambda one, pair=pair: self.compared(op, *pair(one)))  # type: ignore[misc]
        or_equal, swapped = COMPARED[type(op)]
        if swapped:
            left, right = right, left
        return self.is_less(left, right, or_equal=or_equal)

    def own_comparison(self, op: ast.cmpop, left: Value, right: Value) -> Operand | None:
        """How two values compare by methods of their own other than `__eq__`, if they have them."""
        if type(op) not in OWN or isinstance(left.shape, Union) or isinstance(right.shape, Union):
            return None
        name, mirrored = OWN[type(op)]
        for method, pair in (
            (own_method(left.shape, name), [left, right]),
            (own_method(right.shape, mirrored), [right, left]),
        ):
            if method is not None:
                answer = self.answered(self.call_python(method, pair, {}))
                if answer is not None:
                    return self.truth(answer)
        return None

    def is_same(self, left: Value, right: Value) -> Operand:
        """A is b, where that can be known: None, truth values, members of enums, lists."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one.shape, Union):
                return self.truth_of_members(one, lambda member, other=other: self.is_same(member, other))  # type: ignore[misc]
        if BOTTOM in (left.shape, right.shape):
            return False
        a, b = general(left.shape), general(right.shape)
        if isinstance(left.shape, Const) and isinstance(right.shape, Const):
            known, theirs = left.shape.value, right.shape.value
            if isinstance(known, bool) or not isinstance(
                known, int | float | str | tuple | frozenset | range
            ):
                return known is theirs
        if family(a) != family(b):
            return False
        if a == b and (a == BOOL or (isinstance(a, Atom) and a.kind is not str)):
            if isinstance(left.shape, Const) and isinstance(right.shape, Const):
                return left.shape.value is right.shape.value
            return self.op("b", "cmp", "eq", *(self.coerce(value, a).regs[0] for value in (left, right)))
        both = [shape for shape in (left.shape, right.shape) if isinstance(shape, Reference)]
        if len(both) == 2 and not any(cell.frozen or cell.cached for shape in both for cell in shape.cells):
            return self.op("b", "cmp", "eq", left.regs[0], right.regs[0])
        if isinstance(a, Struct) and is_shortcut(self.frames[-1].function, self.node):
            return False
        raise self.refuse("asks with `is` whether two values are one object", "compare with ==")

    def condition(self, node: ast.expr) -> tuple[list[End], list[End]]:
        """Where control goes if an expression is true, and where if not."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            no, yes = self.condition(node.operand)
            return yes, no
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            leaving: list[End] = []
            going: list[End] = []
            for part in node.values:
                yes, no = self.condition(part)
                going, out = (yes, no) if is_and else (no, yes)
                leaving += out
                if part is not node.values[-1]:
                    self.merge(going)
                    if not going:
                        break
            return (going, leaving) if is_and else (leaving, going)
        test = self.truth(self.expression(node))
        if self.dead:
            return [], []
        if isinstance(test, bool):
            return ([self.end()], []) if test else ([], [self.end()])
        first, second = self.split(test)
        return [End(first, dict(self.names))], [End(second, dict(self.names))]

    def on_ifexp(self, node: ast.IfExp) -> Value:
        """A if test else b"""
        ends = []
        for way, part in zip(self.condition(node.test), (node.body, node.orelse), strict=True):
            if way:
                self.merge(way)
                value = self.expression(part)
                if not self.dead:
                    ends.append(self.end(value))
        if len(ends) == 1:
            self.block, self.dead, self.names = ends[0].block, False, ends[0].names
            return ends[0].value or Value(BOTTOM)
        return self.merge(ends) or Value(BOTTOM)

    def on_subscript(self, node: ast.Subscript) -> Value:
        """value[place], value[first:last]"""
        value = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            limits = [
                self.expression(part) if part is not None else constant(None)
                for part in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.slice(value, *limits)
        if isinstance(value.shape, Const) and isinstance(value.shape.value, type):
            enum = value.shape.value
            key = self.expression(node.slice)
            if issubclass(enum, Enum) and isinstance(key.shape, Const):
                return constant(enum[key.shape.value])
            raise self.refuse("takes a place of a class", "name the member")
        return self.index(value, self.expression(node.slice))

    def on_joinedstr(self, node: ast.JoinedStr) -> Value:
        """A text with values in it."""
        return f_string(self, node)

    def text_of(self, value: Value) -> Value:
        """str(value)"""
        return text_of(self, value)

    # Filled in by the other parts of the lowering.

    def call_python(self, function: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a function of the rules."""
        raise NotImplementedError


def _called(node: ast.AST) -> str:
    names = {"Await": "await", "JoinedStr": "a formatted text", "Starred": "a star"}
    return names.get(type(node).__name__, type(node).__name__)
