"""Narrowing: what a test says about the kind of a name, on either way from there."""

from __future__ import annotations

import ast
from collections.abc import Callable

from perfectplay.compiler.lowering.expressions import Expressions
from perfectplay.compiler.lowering.intrinsics import python_type
from perfectplay.compiler.lowering.values import End, Value
from perfectplay.compiler.reading import nodes_in
from perfectplay.compiler.shapes import Atom, Const, Shape, Struct, Union, family, general

Keep = Callable[[Shape], bool]  # may a value of this shape be on this way?


class Narrowing(Expressions):
    """Names of several kinds, after a question that tells the kinds apart."""

    def condition(self, node: ast.expr) -> tuple[list[End], list[End]]:
        """Where control goes if an expression is true, and where if not; names are known better there."""
        yes, no = super().condition(node)
        found = self.told_apart(node)
        if found is None:
            return yes, no
        name, if_true, if_false = found
        key = self.frames[-1].key(name)
        return [self.narrowed(end, key, if_true) for end in yes], [
            self.narrowed(end, key, if_false) for end in no
        ]

    def told_apart(self, node: ast.expr) -> tuple[str, Keep, Keep] | None:
        """The name that a test tells something about, and which kinds are left if it is true and if not."""
        match node:
            case ast.Name(id=name) | ast.NamedExpr(target=ast.Name(id=name)):
                return name, lambda shape: shape != Const(None), lambda shape: True
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=None)]):
                if (name := _name_in(left)) and isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
                    ways: tuple[Keep, Keep] = (
                        (lambda one: one == Const(None)),
                        (lambda one: one != Const(None)),
                    )
                    return name, *(ways if isinstance(op, ast.Is | ast.Eq) else ways[::-1])
            case ast.Compare(
                left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=str())]
            ):
                if name := _name_in(left):
                    ways = (lambda one: family(general(one)) == "str" or _is_own(one)), (lambda one: True)
                    return name, *(ways if isinstance(op, ast.Eq) else ways[::-1])
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), wanted], keywords=[]):
                return self.by_class(name, wanted)
        return None

    def by_class(self, name: str, wanted: ast.expr) -> tuple[str, Keep, Keep] | None:
        """isinstance(name, wanted)"""
        if self.dead or self.frames[-1].key("isinstance") in self.names or not self.is_known(wanted):
            return None
        classes = self.expression(wanted).shape
        if not isinstance(classes, Const):
            return None

        def is_one(shape: Shape) -> bool:
            kind = python_type(Value(shape))
            return kind is None or issubclass(kind, classes.value)

        return name, is_one, lambda shape: not is_one(shape) or python_type(Value(shape)) is None

    def is_known(self, wanted: ast.expr) -> bool:
        """Does an expression name classes, or a tuple of them, without anything to be done while running?"""
        for node in nodes_in(wanted):
            if isinstance(node, ast.Name):
                held = self.names.get(self.frames[-1].key(node.id))
                if held is not None and not isinstance(held, Const):
                    return False
            elif not isinstance(node, ast.Attribute | ast.Tuple | ast.BinOp | ast.BitOr):
                return False
        return True

    def narrowed(self, end: End, key: str, keep: Keep) -> End:
        """A way on which a name is of fewer kinds."""
        shape = end.names.get(key)
        if not isinstance(shape, Union) or key in self.instance.loose:
            return end
        left = [member for member in shape.members if keep(member)]
        if not left or len(left) == len(shape.members):
            return end
        before = self.block, self.dead, self.names
        self.block, self.dead, self.names = end.block, False, dict(end.names)
        value = self.get_name(key)
        members = dict(zip(shape.members, self.members(value), strict=True))
        if len(left) == 1:
            self.set_name(key, members[left[0]])
        else:
            tag = value.regs[0]
            for number, member in enumerate(left):
                same = self.op("b", "cmp", "eq", value.regs[0], shape.members.index(member))
                tag = self.op("i", "select", same, number, tag)
            regs = tuple(reg for member in left for reg in members[member].regs)
            self.set_name(key, Value(Union(tuple(left)), (tag, *regs)))
        made = End(self.block, self.names, end.value)
        self.block, self.dead, self.names = before
        return made


def _name_in(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.NamedExpr(target=ast.Name(id=name)):
            return name
    return ""


def _is_own(shape: Shape) -> bool:
    """May it be equal to a string by a method of its own?"""
    if isinstance(shape, Atom):
        return issubclass(shape.kind, str)
    return isinstance(shape, Struct) and not issubclass(shape.cls, tuple)
