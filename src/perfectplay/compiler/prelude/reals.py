"""Floats: what `math` does with them by rules of Python's own, and not of the C library's."""

# ruff: noqa: A001, D103
from __future__ import annotations

from math import copysign, fmod, inf, sqrt, trunc
from typing import Any

__prelude__ = True
__inlined__ = {"modf", "frexp"}

SPLIT = 134217729.0  # 2**27 + 1
TO_DEGREES, TO_RADIANS = 180.0 / 3.141592653589793, 3.141592653589793 / 180.0
SMALLEST = 2.2250738585072014e-308  # that has all its digits


def isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError
    if a == b:
        return True
    if not abs(a) < inf or not abs(b) < inf:
        return False
    gap = abs(float(b) - float(a))
    return gap <= abs(rel_tol * b) or gap <= abs(rel_tol * a) or gap <= abs_tol


def degrees(x: float) -> float:
    return float(x) * TO_DEGREES


def radians(x: float) -> float:
    return float(x) * TO_RADIANS


def remainder(x: float, y: float) -> float:
    x, y = float(x), float(y)
    if x != x:
        return x
    if y != y:
        return y
    if not abs(x) < inf or y == 0.0:
        raise ValueError
    if not abs(y) < inf:
        return x
    size, modulus = abs(x), abs(y)
    rest = fmod(size, modulus)
    other = modulus - rest
    if rest > other:
        rest = -other
    elif rest == other:
        rest = rest - 2.0 * fmod(0.5 * (size - rest), modulus)
    return copysign(1.0, x) * rest


def modf(x: float) -> tuple[float, float]:
    x = float(x)
    whole = whole_part(x)
    return copysign(0.0 if abs(x) == inf else x - whole, x), whole


def whole_part(x: float) -> float:
    """The number without what is behind its point, as a float."""
    if not abs(x) < 4503599627370496.0:
        return x
    return copysign(float(trunc(x)), x)


def frexp(x: float) -> tuple[float, int]:
    mantissa = float(x)
    exponent = 0
    if mantissa == 0.0 or not abs(mantissa) < inf:
        return mantissa, 0
    while abs(mantissa) >= 1.0:
        mantissa *= 0.5
        exponent += 1
    while abs(mantissa) < 0.5:
        mantissa *= 2.0
        exponent -= 1
    return mantissa, exponent


def ldexp(x: float, i: int) -> float:
    number = float(x)
    if number == 0.0 or not abs(number) < inf:
        return number
    while i > 0:
        number *= 2.0
        i -= 1
        if abs(number) == inf:
            raise OverflowError
    while i < 0:
        number *= 0.5
        i += 1
        if abs(number) < SMALLEST:
            undecided()
    return number


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError


def fsum(seq: Any) -> float:
    """The exact sum, rounded once (Shewchuk 1997)."""
    partials: list[float] = []
    for item in seq:
        x = float(item)
        if not abs(x) < inf:
            undecided()
        kept = 0
        for place in range(len(partials)):
            y = partials[place]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        if not abs(x) < inf:
            undecided()
        del partials[kept:]
        partials.append(x)
    if not partials:
        return 0.0
    place = len(partials) - 1
    high = partials[place]
    low = 0.0
    while place > 0:
        x = high
        place -= 1
        y = partials[place]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if place > 0 and ((low < 0.0 and partials[place - 1] < 0.0) or (low > 0.0 and partials[place - 1] > 0.0)):
        y = low * 2.0
        x = high + y
        if y == x - high:
            high = x
    return high


def distance_of_rows(p: Any, q: Any) -> float:
    if len(p) != len(q):
        raise ValueError
    sizes: list[float] = []
    for place in range(len(p)):
        sizes.append(abs(float(p[place]) - float(q[place])))
    return norm(tuple(sizes))


def norm(sizes: Any) -> float:
    """The length of a vector of these sizes, as Python has it: what sums lose is kept, and put right at the end."""
    most = 0.0
    for size in sizes:
        if size == inf:
            return inf
        most = max(most, size)
    for size in sizes:
        if size != size:
            return size
    if most == 0.0 or len(sizes) <= 1:
        return most
    if most < 1e-300 or most > 1e300:
        undecided()
    scale = 1.0
    while most * scale >= 1.0:
        scale *= 0.5
    while most * scale < 0.5:
        scale *= 2.0
    return scaled_norm(sizes, scale)


def scaled_norm(sizes: Any, scale: float) -> float:
    total, first, second = 1.0, 0.0, 0.0
    for size in sizes:
        x = size * scale
        product = x * x
        first += rest_of_square(x, product)
        before = total
        total += product
        second += product - (total - before)
    length = sqrt(total - 1.0 + (first + second))
    product = length * length
    first -= rest_of_square(length, product)
    before = total
    total -= product
    second += -product - (total - before)
    x = total - 1.0 + (first + second)
    return (length + x / (2.0 * length)) / scale


def rest_of_square(x: float, product: float) -> float:
    """What a square lost when it was rounded (Dekker 1971)."""
    t = x * SPLIT
    high = t - (t - x)
    low = x - high
    return ((high * high - product) + 2.0 * high * low) + low * low
