"""Functions of `math` on floats: Python's own bits, as the C library gives them, and its exceptions."""

from __future__ import annotations

import ast
import ctypes
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.values import Spread, Value, constant
from perfectplay.compiler.prelude.reals import norm
from perfectplay.compiler.shapes import BOOL, BOTTOM, FLOAT, Const, Seq, Struct, general

# What Python hands to the C library as it stands, and what it raises where the answer has no bound.
ONE: dict[str, type[Exception]] = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos"), ValueError),
    **dict.fromkeys(("erf", "erfc", "log1p", "sin", "tan", "tanh"), ValueError),
    **dict.fromkeys(("cosh", "exp", "exp2", "expm1", "sinh"), OverflowError),
}
TWO = ("atan2",)
SAMPLES = (0.1, 0.3, 0.5, 0.75, 0.9999, 1.0, 1.1, 1.7, 2.5, 3.0, 7.3, 10.0, 33.3, 100.25, 700.0, 1e-9, 1e10)


@cache
def is_pythons(name: str, count: int = 1) -> bool:
    """Does the C library's function of that name give what Python's does, bit for bit, wherever we look?"""
    theirs = getattr(math, name, None)
    try:
        ours = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return False
    if theirs is None:
        return False
    ours.restype, ours.argtypes = ctypes.c_double, [ctypes.c_double] * count
    signed = [sign * sample for sample in SAMPLES for sign in (1, -1)]
    for place, sample in enumerate(signed):
        given = [sample, signed[place * 7 % len(signed)]][:count]
        try:
            wanted = theirs(*given)
        except (ValueError, OverflowError):
            continue
        if ours(*given).hex() != wanted.hex():
            return False
    return True


def asked(low: Any, name: str, *arguments: Operand) -> Operand:
    """What the C library's function gives; refused where Python may have one of its own."""
    if name != "hypot" and not is_pythons(name, len(arguments)):
        raise low.refuse(f"calls math.{name}", "compute it once, at the top of the file")
    return low.op("f", "libm", name, *arguments)


def size_of(low: Any, number: Operand) -> Operand:
    """How large a number is, whatever its sign."""
    return low.op("f", "op", "fabs", number)


def _known(low: Any, function: Any, arguments: list[Value]) -> Value | None:
    """What a function gives for constants; None if they are not all known."""
    if not all(isinstance(value.shape, Const) for value in arguments):
        return None
    try:
        return constant(function(*(value.shape.value for value in arguments)))  # type: ignore[attr-defined]
    except (ValueError, OverflowError, TypeError) as error:
        low.fail(traps.code_of(type(error)))
        return Value(BOTTOM)


def required(low: Any, answer: Operand, number: Operand, error: type[Exception]) -> Value:
    """The answer, unless it is no number or without bound where the question was a plain number."""
    odd = low.both(
        low.op("b", "cmp", "ne", answer, answer), low.negated(low.op("b", "cmp", "ne", number, number))
    )
    low.forbid(odd, traps.code_of(ValueError))
    endless = low.op("b", "cmp", "eq", size_of(low, answer), math.inf)
    low.forbid(
        low.both(endless, low.op("b", "cmp", "lt", size_of(low, number), math.inf)), traps.code_of(error)
    )
    return Value(FLOAT, (answer,))


def _of_one(name: str, error: type[Exception]) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        if (known := _known(low, getattr(math, name), arguments)) is not None:
            return known
        number = low.real(arguments[0])
        return required(low, asked(low, name, number), number, error)

    return write


def _of_two(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        if (known := _known(low, getattr(math, name), arguments)) is not None:
            return known
        if len(arguments) != 2:
            raise low.refuse(f"calls math.{name} with {len(arguments)} arguments", "give it two")
        return Value(FLOAT, (asked(low, name, *map(low.real, arguments)),))

    return write


for _name, _error in ONE.items():
    if hasattr(math, _name):
        INTRINSICS[getattr(math, _name)] = _of_one(_name, _error)
for _name in TWO:
    INTRINSICS[getattr(math, _name)] = _of_two(_name)


@intrinsic(math.sqrt)
def _sqrt(low: Any, arguments: list[Value], named: Any) -> Value:
    if (known := _known(low, math.sqrt, arguments)) is not None:
        return known
    number = low.real(arguments[0])
    low.forbid(low.op("b", "cmp", "lt", number, 0.0), traps.code_of(ValueError))
    return Value(FLOAT, (low.op("f", "op", "sqrt", number),))


@cache
def norm_is_pythons() -> bool:
    """Does this Python measure vectors by the rule that we know?"""
    vectors = [[a, b, c][:size] for a in SAMPLES for b in SAMPLES for c in (0.7, 3e5) for size in (2, 3)]
    return all(norm(vector) == math.hypot(*vector) for vector in vectors)


def _measured(low: Any, parts: list[Value]) -> Value:
    """The length of a vector."""
    if not norm_is_pythons():
        raise low.refuse("calls math.hypot", "write it as (x * x + y * y) ** 0.5")
    sizes = [Value(FLOAT, (size_of(low, low.real(part)),)) for part in parts]
    row = low.tuple_of(sizes, Seq(FLOAT))
    return low.call_prelude("norm", [row])


@intrinsic(math.hypot)
def _math_hypot(low: Any, arguments: list[Value], named: Any) -> Value:
    if (known := _known(low, math.hypot, arguments)) is not None:
        return known
    if arguments and isinstance(arguments[-1].shape, Spread):
        raise low.refuse("calls math.hypot with *", "hand the numbers over one by one")
    return _measured(low, arguments)


@intrinsic(math.dist)
def _dist(low: Any, arguments: list[Value], named: Any) -> Value:
    if (known := _known(low, math.dist, arguments)) is not None:
        return known
    pair = [low.as_tuple(value) for value in arguments]
    if not all(isinstance(general(value.shape), Struct) for value in pair):
        return _distance_of_rows(low, pair)
    one, other = map(low.fields, pair)
    if len(one) != len(other):
        low.fail(traps.code_of(ValueError))
        return Value(BOTTOM)
    gaps = [
        Value(FLOAT, (low.op("f", "bin", "fsub", low.real(a), low.real(b)),))
        for a, b in zip(one, other, strict=True)
    ]
    return _measured(low, gaps)


def _distance_of_rows(low: Any, pair: list[Value]) -> Value:
    """The distance of two points with any number of coordinates."""
    if not norm_is_pythons():
        raise low.refuse("calls math.dist", "write it as sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5")
    return low.call_prelude("distance_of_rows", pair)


@intrinsic("libm_hypot")
def _hypot(low: Any, arguments: list[Value], named: Any) -> Value:
    """The C library's, which is what abs() of a complex number asks; math.hypot has a rule of its own."""
    return Value(FLOAT, (asked(low, "hypot", *map(low.real, arguments)),))


@intrinsic(math.fabs)
def _fabs(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(FLOAT, (size_of(low, low.real(arguments[0])),))


@intrinsic(math.copysign)
def _copysign(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(FLOAT, (low.op("f", "op", "copysign", *map(low.real, arguments)),))


@intrinsic(math.fmod)
def _fmod(low: Any, arguments: list[Value], named: Any) -> Value:
    if (known := _known(low, math.fmod, arguments)) is not None:
        return known
    one, other = map(low.real, arguments)
    for number in (one, other):
        low.forbid(low.op("b", "cmp", "ne", number, number), traps.UNDECIDED)
    low.forbid(low.op("b", "cmp", "eq", other, 0.0), traps.code_of(ValueError))
    return required(low, low.op("f", "bin", "frem", one, other), one, ValueError)


def _logarithm(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        if not all(isinstance(value.shape, Const) for value in arguments):
            parts = []
            for value in arguments:
                number = low.real(value)
                low.forbid(low.op("b", "cmp", "le", number, 0.0), traps.code_of(ValueError))
                parts.append(Value(FLOAT, (asked(low, name, number),)))
            return parts[0] if len(parts) == 1 else low.binary(ast.Div, *parts)
        return _known(low, getattr(math, name), arguments) or Value(BOTTOM)

    return write


for _name in ("log", "log2", "log10"):
    INTRINSICS[getattr(math, _name)] = _logarithm(_name)


@intrinsic(math.pow)
def _power(low: Any, arguments: list[Value], named: Any) -> Value:
    if (known := _known(low, math.pow, arguments)) is not None:
        return known
    base, exponent = map(low.real, arguments)
    low.require(low.op("b", "cmp", "gt", base, 0.0), traps.UNDECIDED)
    return low.float_power(base, exponent)


def _asking(ask: Callable[[Any, Any], Any]) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        test = ask(low, low.real(arguments[0]))
        return constant(test) if isinstance(test, bool) else Value(BOOL, (test,))

    return write


INTRINSICS[math.isinf] = _asking(lambda low, number: low.op("b", "cmp", "eq", size_of(low, number), math.inf))
INTRINSICS[math.isfinite] = _asking(
    lambda low, number: low.op("b", "cmp", "lt", size_of(low, number), math.inf)
)
INTRINSICS[math.isnan] = _asking(lambda low, number: low.op("b", "cmp", "ne", number, number))
