"""`self is other` in `__eq__` of values, which have no identity in machine code.

Such a question only saves time: whoever asks it says True at once, and would find out the same by
comparing. So it is answered with no, and the comparison goes on. Two objects that are one have equal
fields; if these are equal and the comparison still says no, the question matters, and Python decides.
"""

from __future__ import annotations

import ast
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.reading import Function, nodes_in
from perfectplay.compiler.shapes import Const, Struct, Union, general


def is_shortcut(function: Function, node: ast.AST | None) -> bool:
    """Is it `self is other` in `__eq__`, where the answer is True if it is so?"""
    return node is not None and any(node is one for one in _shortcuts(function))


def has_shortcut(function: Function) -> bool:
    """Does a function ask that?"""
    return function.name == "__eq__" and bool(_shortcuts(function))


def _shortcuts(function: Function) -> list[ast.expr]:
    names = function.parameters
    if function.name != "__eq__" or len(names) != 2 or any(function.bindings[name] > 1 for name in names):
        return []
    found: list[ast.expr] = []
    for node in nodes_in(function.node):
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=True))]):
                found += test.values if _is_or(test) else [test]  # type: ignore[attr-defined]
            case ast.Return(value=ast.BoolOp(op=ast.Or(), values=[*parts, _])):
                found += parts
    return [node for node in found if _asks(node, set(names))]


def _is_or(node: ast.expr) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)


def _asks(node: ast.expr, names: set[str]) -> bool:
    match node:
        case ast.Compare(left=ast.Name(id=one), ops=[ast.Is()], comparators=[ast.Name(id=other)]):
            return {one, other} == names
    return False


def require_decided(low: Any, arguments: list[Value], answer: Value) -> None:
    """Leave it to Python where `__eq__` says that two values differ all of whose fields are equal."""
    if low.dead:
        return
    shapes = [general(value.shape) for value in arguments]
    if len(shapes) != 2 or any(isinstance(shape, Union) for shape in shapes):
        raise low.refuse("calls `__eq__` by its name", "compare with ==")
    one, other = shapes
    if not isinstance(one, Struct) or not isinstance(other, Struct) or one.cls is not other.cls:
        return
    equal = _is_true(low, answer)
    if equal is True:
        return
    yes, no = low.split(equal) if equal is not False else (None, None)
    if no is not None:
        low.enter(no)
    same: Operand = True
    for pair in zip(*map(low.fields, arguments), strict=True):
        same = low.both(same, low.is_equal_item(*pair))
    low.forbid(same, traps.UNDECIDED)
    if yes is not None:
        low.close("br", yes)
        low.enter(yes)


def _is_true(low: Any, answer: Value) -> Operand:
    if isinstance(answer.shape, Union):
        return low.truth_of_members(answer, lambda one: _is_true(low, one))
    return False if answer.shape == Const(NotImplemented) else low.truth(answer)
