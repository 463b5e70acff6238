"""Functions of `operator`, `functools` and `math` that are operators in disguise."""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.reading import Function
from perfectplay.compiler.shapes import BOOL, BOTTOM, FLOAT, INT, Closure, Const

BINARY: dict[Any, type[ast.operator]] = {
    operator.add: ast.Add,
    operator.sub: ast.Sub,
    operator.mul: ast.Mult,
    operator.floordiv: ast.FloorDiv,
    operator.truediv: ast.Div,
    operator.mod: ast.Mod,
    operator.pow: ast.Pow,
    operator.and_: ast.BitAnd,
    operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
    operator.lshift: ast.LShift,
    operator.rshift: ast.RShift,
    operator.concat: ast.Add,
}
COMPARED: dict[Any, type[ast.cmpop]] = {
    operator.lt: ast.Lt,
    operator.le: ast.LtE,
    operator.eq: ast.Eq,
    operator.ne: ast.NotEq,
    operator.gt: ast.Gt,
    operator.ge: ast.GtE,
    operator.is_: ast.Is,
    operator.is_not: ast.IsNot,
}
UNARY: dict[Any, type[ast.unaryop]] = {
    operator.neg: ast.USub,
    operator.pos: ast.UAdd,
    operator.invert: ast.Invert,
}


def truth_value(test: Any) -> Value:
    """A truth value, known or not."""
    return constant(test) if isinstance(test, bool) else Value(BOOL, (test,))


def _binary(op: type[ast.operator]) -> Callable[..., Value]:
    return lambda low, arguments, named: low.binary(op, *arguments)


def _compared(op: type[ast.cmpop]) -> Callable[..., Value]:
    return lambda low, arguments, named: truth_value(low.compared(op(), *arguments))


def _unary(op: type[ast.unaryop]) -> Callable[..., Value]:
    return lambda low, arguments, named: low.unary(op, *arguments)


for _function, _binary_op in BINARY.items():
    INTRINSICS[_function] = _binary(_binary_op)
for _function, _compared_op in COMPARED.items():
    INTRINSICS[_function] = _compared(_compared_op)
for _function, _unary_op in UNARY.items():
    INTRINSICS[_function] = _unary(_unary_op)


@intrinsic(operator.not_)
def _not(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.negated(low.truth(arguments[0])))


@intrinsic(operator.truth)
def _truth(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.truth(arguments[0]))


@intrinsic(operator.contains)
def _contains(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.contains(*arguments))


@intrinsic(operator.getitem)
def _getitem(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.index(*arguments)


@intrinsic(operator.setitem)
def _setitem(low: Any, arguments: list[Value], named: Any) -> Value:
    low.set_index(*arguments)
    return constant(None)


@intrinsic(operator.abs)
def _absolute(low: Any, arguments: list[Value], named: Any) -> Value:
    return INTRINSICS[abs](low, arguments, {})


@intrinsic(operator.index)
def _index(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.integer(arguments[0]),))


def _made_getter(kind: Any) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        if named or not all(isinstance(value.shape, Const) for value in arguments):
            raise low.refuse("makes a getter of what is not known", "write it as a lambda")
        given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
        return constant(low.program.hashed_keys.setdefault((kind, *map(repr, given)), kind(*given)))

    return write


for _kind in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
    INTRINSICS[_kind] = _made_getter(_kind)


def call_getter(low: Any, known: Any, arguments: list[Value]) -> Value | None:
    """A call of itemgetter(...) and the like; None if it is something else."""
    if not isinstance(known, operator.itemgetter | operator.attrgetter | operator.methodcaller):
        return None
    reduced = known.__reduce__()
    wanted = reduced[1]
    (value,) = arguments
    if isinstance(known, operator.methodcaller):
        name, *given = wanted  # type: ignore[str-unpack]
        return low.method(value, name, [constant(part) for part in given], {})
    found = [_gotten(low, known, value, one) for one in wanted]
    return found[0] if len(found) == 1 else low.struct(tuple, found)


def _gotten(low: Any, known: Any, value: Value, wanted: Any) -> Value:
    if isinstance(known, operator.itemgetter):
        return low.index(value, constant(wanted))
    for name in wanted.split("."):
        value = low.attribute(value, name)
    return value


@intrinsic(functools.partial)
def _partial(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """partial(function, ...): a lambda that has these arguments around it."""
    if all(isinstance(value.shape, Const) for value in (*arguments, *named.values())):
        given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
        more = {name: value.shape.value for name, value in named.items()}  # type: ignore[attr-defined]
        made = functools.partial(*given, **more)  # type: ignore[misc, operator]
        key = ("partial", *map(_identity, (*given, *more.items())))
        return constant(low.program.hashed_keys.setdefault(key, made))
    names = ["function", *(f"given{number}" for number in range(1, len(arguments)))]
    key = ("partial", len(arguments), *named)
    if key not in low.program.nested:
        handed = ", ".join([*names[1:], "*rest", *(f"{name}=named_{name}" for name in named), "**more"])
        node = ast.parse(f"lambda *rest, **more: function({handed})", mode="eval").body
        assert isinstance(node, ast.Lambda)
        low.program.nested[key] = Function(node, {"__inlined__": {"lambda"}})
    function = low.program.nested[key]
    names += [f"named_{name}" for name in named]
    values = [low.plain(value) for value in (*arguments, *named.values())]
    captured = tuple((name, value.shape) for name, value in zip(names, values, strict=True))
    return Value(
        Closure(function.node, function, captured), tuple(reg for value in values for reg in value.regs)
    )


def _identity(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_identity, value))
    return repr(value) if isinstance(value, str | int | float) or value is None else id(value)


# Numbers.


def _as_float(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        return Value(FLOAT, (low.op("f", "op", name, low.real(arguments[0])),))

    return write


INTRINSICS[math.fabs] = _as_float("fabs")


@intrinsic(math.copysign)
def _copysign(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(FLOAT, (low.op("f", "op", "copysign", *map(low.real, arguments)),))


def _asking(ask: Callable[[Any, Any], Any]) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        return truth_value(ask(low, low.real(arguments[0])))

    return write


def _size(low: Any, number: Any) -> Any:
    return low.op("f", "op", "fabs", number)


INTRINSICS[math.isinf] = _asking(lambda low, number: low.op("b", "cmp", "eq", _size(low, number), math.inf))
INTRINSICS[math.isfinite] = _asking(
    lambda low, number: low.op("b", "cmp", "lt", _size(low, number), math.inf)
)
INTRINSICS[math.isnan] = _asking(lambda low, number: low.op("b", "cmp", "ne", number, number))


@intrinsic("undecided")
def _undecided(low: Any, arguments: list[Value], named: Any) -> Value:
    """Leave it to Python."""
    low.fail(traps.UNDECIDED)
    return Value(BOTTOM)


@intrinsic(pow)
def _pow(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    given = [*arguments, *named.values()]
    if len(given) == 2:
        return low.binary(ast.Pow, *given)
    if all(isinstance(value.shape, Const) for value in given):
        return constant(pow(*(value.shape.value for value in given)))  # type: ignore[attr-defined]
    return low.call_prelude("power_modulo", given)
