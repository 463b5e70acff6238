"""Fractions: `fraction_add` is `Fraction.__add__`; what is in lowest terms stays so."""

# ruff: noqa: D103
from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from perfectplay.compiler.hashing import MODULUS
from perfectplay.compiler.prelude.arithmetic import gcd_of

__prelude__ = True


def made_fraction(numerator: int, denominator: int) -> Fraction:
    """A fraction in lowest terms: the compiler makes it of the two numbers as they are."""
    return Fraction(numerator, denominator)


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError


def is_rational(value: Any) -> bool:
    return isinstance(value, int | Fraction)


def fraction_new(numerator: Any = 0, denominator: Any = None) -> Any:
    if denominator is None:
        if isinstance(numerator, Fraction):
            return numerator
        if isinstance(numerator, int):
            return made_fraction(numerator, 1)
        if isinstance(numerator, float):
            return fraction_of_float(numerator)
        undecided()
    if not is_rational(numerator) or not is_rational(denominator):
        undecided()
    if isinstance(numerator, int) and isinstance(denominator, int):
        return lowest(numerator, denominator)
    return fraction_truediv(as_fraction(numerator), denominator)


def as_fraction(value: Any) -> Any:
    return value if isinstance(value, Fraction) else made_fraction(value, 1)


def lowest(numerator: int, denominator: int) -> Any:
    if denominator == 0:
        raise ZeroDivisionError
    common = gcd_of(numerator, denominator)
    if denominator < 0:
        common = -common
    return made_fraction(numerator // common, denominator // common)


def fraction_of_float(number: float) -> Any:
    if not abs(number) < inf:
        undecided()
    denominator = 1
    while number != float(int(number)):
        number *= 2.0
        denominator *= 2
    return made_fraction(int(number), denominator)


def fraction_add(a: Any, b: Any) -> Any:
    if is_rational(b):
        return added(a._numerator, a._denominator, b.numerator, b.denominator)
    if isinstance(b, float):
        return fraction_float(a) + b
    return NotImplemented


def fraction_radd(a: Any, b: Any) -> Any:
    if is_rational(b):
        return added(b.numerator, b.denominator, a._numerator, a._denominator)
    if isinstance(b, float):
        return b + fraction_float(a)
    return NotImplemented


def added(na: int, da: int, nb: int, db: int) -> Any:
    common = gcd_of(da, db)
    if common == 1:
        return made_fraction(na * db + da * nb, da * db)
    part = da // common
    total = na * (db // common) + nb * part
    rest = gcd_of(total, common)
    return made_fraction(total // rest, part * (db // rest))


def fraction_sub(a: Any, b: Any) -> Any:
    if is_rational(b):
        return added(a._numerator, a._denominator, -b.numerator, b.denominator)
    if isinstance(b, float):
        return fraction_float(a) - b
    return NotImplemented


def fraction_rsub(a: Any, b: Any) -> Any:
    if is_rational(b):
        return added(b.numerator, b.denominator, -a._numerator, a._denominator)
    if isinstance(b, float):
        return b - fraction_float(a)
    return NotImplemented


def fraction_mul(a: Any, b: Any) -> Any:
    if is_rational(b):
        return multiplied(a._numerator, a._denominator, b.numerator, b.denominator)
    if isinstance(b, float):
        return fraction_float(a) * b
    return NotImplemented


def fraction_rmul(a: Any, b: Any) -> Any:
    if is_rational(b):
        return multiplied(b.numerator, b.denominator, a._numerator, a._denominator)
    if isinstance(b, float):
        return b * fraction_float(a)
    return NotImplemented


def multiplied(na: int, da: int, nb: int, db: int) -> Any:
    one, other = gcd_of(na, db), gcd_of(nb, da)
    return made_fraction((na // one) * (nb // other), (da // other) * (db // one))


def fraction_truediv(a: Any, b: Any) -> Any:
    if is_rational(b):
        return divided(a._numerator, a._denominator, b.numerator, b.denominator)
    if isinstance(b, float):
        return fraction_float(a) / b
    return NotImplemented


def fraction_rtruediv(a: Any, b: Any) -> Any:
    if is_rational(b):
        return divided(b.numerator, b.denominator, a._numerator, a._denominator)
    if isinstance(b, float):
        return b / fraction_float(a)
    return NotImplemented


def divided(na: int, da: int, nb: int, db: int) -> Any:
    if nb == 0:
        raise ZeroDivisionError
    if nb < 0:
        nb, db = -nb, -db
    one, other = gcd_of(na, nb), gcd_of(db, da)
    return made_fraction((na // one) * (db // other), (da // other) * (nb // one))


def fraction_floordiv(a: Any, b: Any) -> Any:
    if is_rational(b):
        return (a._numerator * b.denominator) // (a._denominator * b.numerator)
    if isinstance(b, float):
        return fraction_float(a) // b
    return NotImplemented


def fraction_rfloordiv(a: Any, b: Any) -> Any:
    if is_rational(b):
        return (b.numerator * a._denominator) // (b.denominator * a._numerator)
    if isinstance(b, float):
        return b // fraction_float(a)
    return NotImplemented


def fraction_mod(a: Any, b: Any) -> Any:
    if is_rational(b):
        return rest_of(a._numerator, a._denominator, b.numerator, b.denominator)
    if isinstance(b, float):
        return fraction_float(a) % b
    return NotImplemented


def fraction_rmod(a: Any, b: Any) -> Any:
    if is_rational(b):
        return rest_of(b.numerator, b.denominator, a._numerator, a._denominator)
    if isinstance(b, float):
        return b % fraction_float(a)
    return NotImplemented


def rest_of(na: int, da: int, nb: int, db: int) -> Any:
    return lowest(na * db % (nb * da), da * db)


def fraction_pow(a: Any, b: Any) -> Any:
    if isinstance(b, int):
        if b >= 0:
            return made_fraction(a._numerator**b, a._denominator**b)
        if a._numerator > 0:
            return made_fraction(a._denominator**-b, a._numerator**-b)
        if a._numerator == 0:
            raise ZeroDivisionError
        return made_fraction((-a._denominator) ** -b, (-a._numerator) ** -b)
    undecided()


def fraction_neg(a: Any) -> Any:
    return made_fraction(-a._numerator, a._denominator)


def fraction_pos(a: Any) -> Any:
    return a


def fraction_abs(a: Any) -> Any:
    return made_fraction(abs(a._numerator), a._denominator)


def fraction_bool(a: Any) -> bool:
    return bool(a._numerator != 0)


def fraction_int(a: Any) -> int:
    return fraction_trunc(a)


def fraction_trunc(a: Any) -> int:
    if a._numerator < 0:
        return -(-a._numerator // a._denominator)
    return a._numerator // a._denominator


def fraction_floor(a: Any) -> int:
    return a._numerator // a._denominator


def fraction_ceil(a: Any) -> int:
    return -(-a._numerator // a._denominator)


def fraction_round(a: Any, digits: Any = None) -> Any:
    if digits is not None:
        undecided()
    whole, rest = a._numerator // a._denominator, a._numerator % a._denominator
    if rest * 2 < a._denominator:
        return whole
    if rest * 2 > a._denominator:
        return whole + 1
    return whole if whole % 2 == 0 else whole + 1


def fraction_float(a: Any) -> float:
    return a._numerator / a._denominator


def fraction_eq(a: Any, b: Any) -> Any:
    if isinstance(b, int):
        return a._numerator == b and a._denominator == 1
    if isinstance(b, Fraction):
        return a._numerator == b._numerator and a._denominator == b._denominator
    if isinstance(b, float):
        return abs(b) < inf and fraction_eq(a, fraction_of_float(b))
    return NotImplemented


def fraction_lt(a: Any, b: Any) -> Any:
    if is_rational(b):
        return a._numerator * b.denominator < b.numerator * a._denominator
    if isinstance(b, float):
        return 0.0 < b if not abs(b) < inf else fraction_lt(a, fraction_of_float(b))
    return NotImplemented


def fraction_le(a: Any, b: Any) -> Any:
    if is_rational(b):
        return a._numerator * b.denominator <= b.numerator * a._denominator
    if isinstance(b, float):
        return 0.0 <= b if not abs(b) < inf else fraction_le(a, fraction_of_float(b))
    return NotImplemented


def fraction_gt(a: Any, b: Any) -> Any:
    if is_rational(b):
        return a._numerator * b.denominator > b.numerator * a._denominator
    if isinstance(b, float):
        return 0.0 > b if not abs(b) < inf else fraction_gt(a, fraction_of_float(b))
    return NotImplemented


def fraction_ge(a: Any, b: Any) -> Any:
    if is_rational(b):
        return a._numerator * b.denominator >= b.numerator * a._denominator
    if isinstance(b, float):
        return 0.0 >= b if not abs(b) < inf else fraction_ge(a, fraction_of_float(b))
    return NotImplemented


def fraction_hash(a: Any) -> int:
    if a._denominator == 1:
        return hash(a._numerator)
    inverse = inverse_of(a._denominator % MODULUS)
    if inverse == 0:
        return 314159 if a._numerator >= 0 else -314159
    size = times(hash(abs(a._numerator)), inverse)
    if a._numerator < 0:
        size = -size
    return -2 if size == -1 else size


def inverse_of(number: int) -> int:
    """The inverse modulo a prime: all powers of a number by Fermat's theorem."""
    power, exponent = 1, MODULUS - 2
    while exponent > 0:
        if exponent & 1:
            power = times(power, number)
        number = times(number, number)
        exponent >>= 1
    return power


def times(a: int, b: int) -> int:
    """The product modulo 2**61 - 1."""
    whole = widened(a) * b
    total = narrowed(whole & MODULUS) + narrowed(whole >> 61)
    return total - MODULUS if total >= MODULUS else total


def widened(number: int) -> int:
    """A number of 64 bits as one of 128: the compiler knows how."""
    return number


def narrowed(number: int) -> int:
    """The opposite."""
    return number


def fraction_str(a: Any) -> str:
    if a._denominator == 1:
        return str(a._numerator)
    return str(a._numerator) + "/" + str(a._denominator)


def fraction_repr(a: Any) -> str:
    return "Fraction(" + str(a._numerator) + ", " + str(a._denominator) + ")"


def fraction_as_integer_ratio(a: Any) -> tuple[int, int]:
    return a._numerator, a._denominator


def fraction_conjugate(a: Any) -> Any:
    return a


def fraction_is_integer(a: Any) -> bool:
    return bool(a._denominator == 1)


def fraction_limit_denominator(a: Any, max_denominator: int = 1000000) -> Any:
    if max_denominator < 1:
        raise ValueError
    if a._denominator <= max_denominator:
        return a
    p0, q0, p1, q1 = 0, 1, 1, 0
    n, d = a._numerator, a._denominator
    while True:
        k = n // d
        q2 = q0 + k * q1
        if q2 > max_denominator:
            break
        p0, q0, p1, q1 = p1, q1, p0 + k * p1, q2
        n, d = d, n - k * d
    k = (max_denominator - q0) // q1
    if 2 * d * (q0 + k * q1) <= a._denominator:
        return made_fraction(p1, q1)
    return made_fraction(p0 + k * p1, q0 + k * q1)
