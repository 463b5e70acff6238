"""Complex numbers: `complex_add` is `complex.__add__`, in the steps in which Python takes them."""

# ruff: noqa: D103
from __future__ import annotations

from math import atan2, copysign, inf
from typing import Any

__prelude__ = True

# Is the imaginary part of a real number nothing at all, or 0.0, which makes 0.0 of a sum with -0.0?
REAL_IS_REAL = copysign(1.0, (0.0 + complex(0.0, -0.0)).imag) < 0.0


def made_complex(real: float, imag: float) -> complex:
    return complex(real, imag)


def is_real(value: Any) -> bool:
    return isinstance(value, int | float)


def complex_new(real: Any = 0, imag: Any = None) -> complex:
    if isinstance(real, str):
        undecided()
    if imag is None:
        return real if isinstance(real, complex) else made_complex(float(real), 0.0)
    if isinstance(real, complex) or isinstance(imag, complex):
        undecided()
    return made_complex(float(real), float(imag))


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError


def complex_add(a: Any, b: Any) -> Any:
    if isinstance(b, complex):
        return made_complex(a.real + b.real, a.imag + b.imag)
    if is_real(b):
        return made_complex(a.real + float(b), a.imag if REAL_IS_REAL else a.imag + 0.0)
    return NotImplemented


def complex_radd(a: Any, b: Any) -> Any:
    return complex_add(a, b)


def complex_sub(a: Any, b: Any) -> Any:
    if isinstance(b, complex):
        return made_complex(a.real - b.real, a.imag - b.imag)
    if is_real(b):
        return made_complex(a.real - float(b), a.imag if REAL_IS_REAL else a.imag - 0.0)
    return NotImplemented


def complex_rsub(a: Any, b: Any) -> Any:
    if is_real(b):
        return made_complex(float(b) - a.real, -a.imag if REAL_IS_REAL else 0.0 - a.imag)
    return NotImplemented


def complex_mul(a: Any, b: Any) -> Any:
    if isinstance(b, complex):
        return product(a.real, a.imag, b.real, b.imag)
    if is_real(b):
        if REAL_IS_REAL:
            return made_complex(a.real * float(b), a.imag * float(b))
        return product(a.real, a.imag, float(b), 0.0)
    return NotImplemented


def complex_rmul(a: Any, b: Any) -> Any:
    if is_real(b):
        if REAL_IS_REAL:
            return made_complex(float(b) * a.real, float(b) * a.imag)
        return product(float(b), 0.0, a.real, a.imag)
    return NotImplemented


def product(a: float, b: float, c: float, d: float) -> complex:
    real, imag = a * c - b * d, a * d + b * c
    if real != real or imag != imag:
        undecided()
    return made_complex(real, imag)


def complex_truediv(a: Any, b: Any) -> Any:
    if isinstance(b, complex):
        return quotient(a.real, a.imag, b.real, b.imag)
    if is_real(b):
        if REAL_IS_REAL:
            undecided()
        return quotient(a.real, a.imag, float(b), 0.0)
    return NotImplemented


def complex_rtruediv(a: Any, b: Any) -> Any:
    if is_real(b):
        if REAL_IS_REAL:
            undecided()
        return quotient(float(b), 0.0, a.real, a.imag)
    return NotImplemented


def quotient(a: float, b: float, c: float, d: float) -> complex:
    if c == 0.0 and d == 0.0:
        raise ZeroDivisionError
    if not (abs(a) < inf and abs(b) < inf and abs(c) < inf and abs(d) < inf):
        undecided()
    if abs(c) >= abs(d):
        ratio = d / c
        scale = c + d * ratio
        return made_complex((a + b * ratio) / scale, (b - a * ratio) / scale)
    ratio = c / d
    scale = c * ratio + d
    return made_complex((a * ratio + b) / scale, (b * ratio - a) / scale)


def complex_pow(a: Any, b: Any) -> Any:
    if not isinstance(b, int) or b < 0 or b > 100:
        undecided()
    mask = 1
    power = made_complex(1.0, 0.0)
    base = a
    while mask > 0 and b >= mask:
        if b & mask:
            power = product(power.real, power.imag, base.real, base.imag)
        mask <<= 1
        if b >= mask:
            base = product(base.real, base.imag, base.real, base.imag)
    if not (abs(power.real) < inf and abs(power.imag) < inf):
        undecided()
    return power


def complex_neg(a: Any) -> Any:
    return made_complex(-a.real, -a.imag)


def complex_pos(a: Any) -> Any:
    return a


def complex_abs(a: Any) -> float:
    size = libm_hypot(a.real, a.imag)
    if not size < inf:
        undecided()
    return size


def libm_hypot(a: float, b: float) -> float:
    """What the C library gives: the compiler knows how."""
    return abs(complex(a, b))


def complex_bool(a: Any) -> bool:
    return bool(a.real != 0.0 or a.imag != 0.0)


def complex_eq(a: Any, b: Any) -> Any:
    if isinstance(b, complex):
        return a.real == b.real and a.imag == b.imag
    if is_real(b):
        return a.real == b and a.imag == 0.0
    return NotImplemented


def complex_conjugate(a: Any) -> Any:
    return made_complex(a.real, -a.imag)


def phase(z: Any) -> float:
    return atan2(z.imag, z.real)
