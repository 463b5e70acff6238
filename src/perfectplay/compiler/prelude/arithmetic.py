"""Numbers: what operators and the standard library do with them."""

# ruff: noqa: A001, D103
from __future__ import annotations

from math import copysign, floor, inf
from typing import Any

__prelude__ = True


def integer_power(base: int, exponent: int) -> int:
    power = 1
    while exponent > 0:
        if exponent & 1:
            power *= base
        exponent >>= 1
        if exponent:
            base *= base
    return power


def wide_quotient(dividend: int, divisor: int) -> int:
    quotient, rest = wide_division(abs(dividend), abs(divisor))
    if (dividend < 0) == (divisor < 0):
        return quotient
    return -quotient - 1 if rest else -quotient


def wide_rest(dividend: int, divisor: int) -> int:
    _, rest = wide_division(abs(dividend), abs(divisor))
    if dividend < 0:
        rest = -rest
    return rest + divisor if rest and (dividend < 0) != (divisor < 0) else rest


def wide_division(dividend: int, divisor: int) -> tuple[int, int]:
    if divisor == 0:
        raise ZeroDivisionError
    quotient = rest = dividend - dividend  # as wide
    for place in range(dividend.bit_length() - 1, -1, -1):
        rest = rest << 1 | dividend >> place & 1
        quotient <<= 1
        if rest >= divisor:
            rest -= divisor
            quotient |= 1
    return quotient, rest


def float_modulo(dividend: float, divisor: float, rest: float) -> float:
    if rest == 0.0:
        return copysign(0.0, divisor)
    if (divisor < 0.0) != (rest < 0.0):
        return rest + divisor
    return rest


def float_floor_division(dividend: float, divisor: float, rest: float) -> float:
    quotient = (dividend - rest) / divisor
    if rest != 0.0 and (divisor < 0.0) != (rest < 0.0):
        quotient -= 1.0
    if quotient == 0.0:
        return copysign(0.0, dividend / divisor)
    if not abs(quotient) < 4503599627370496.0:  # it has nothing behind its point
        return quotient
    whole = float(floor(quotient))
    return whole + 1.0 if quotient - whole > 0.5 else whole


def in_range(limits: range, number: int) -> bool:
    start, stop, step = limits.start, limits.stop, limits.step
    if step > 0:
        return start <= number < stop and (number - start) % step == 0
    return stop < number <= start and (start - number) % -step == 0


def range_index(limits: range, number: int) -> int:
    if not in_range(limits, number):
        raise ValueError
    return (number - limits.start) // limits.step


def range_count(limits: range, number: int) -> int:
    return 1 if in_range(limits, number) else 0


def range_length(start: int, stop: int, step: int) -> int:
    if step > 0:
        return 0 if stop <= start else (stop - start - 1) // step + 1
    return 0 if stop >= start else (start - stop - 1) // -step + 1


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    if modulus == 0:
        raise ValueError
    if exponent < 0:
        undecided()
    power = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            power = power * base % modulus
        exponent >>= 1
        if exponent:
            base = base * base % modulus
    return power


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError


def gcd(*numbers: int) -> int:
    total = 0
    for number in numbers:
        total = gcd_of(total, number)
    return total


def lcm(*numbers: int) -> int:
    total = 1
    for number in numbers:
        if number == 0:
            return 0
        total = total // gcd_of(total, number) * abs(number)
    return total


def gcd_of_all(numbers: Any) -> int:
    total = 0
    for number in numbers:
        total = gcd_of(total, number)
    return total


def gcd_of(a: int, b: int) -> int:
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


def perm(n: int, k: Any = None) -> int:
    times = n if k is None else k
    if n < 0 or times < 0:
        raise ValueError
    if times > n:
        return 0
    ways = 1
    for i in range(times):
        ways *= n - i
    return ways


def isqrt(number: int) -> int:
    if number < 0:
        raise ValueError
    if number == 0:
        return 0
    root = number - number + 1  # as wide
    root <<= (number.bit_length() + 1) // 2  # not below the root: Newton's method comes down to it
    while root > number // root:
        root = (root + number // root) // 2
    return root


def comb(n: int, k: int) -> int:
    if n < 0 or k < 0:
        raise ValueError
    if k > n:
        return 0
    ways = 1
    for i in range(min(k, n - k)):
        ways = ways * (n - i) // (i + 1)
    return ways


def factorial(n: int) -> int:
    if n < 0:
        raise ValueError
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


def prod(items: Any, start: Any = 1) -> Any:
    product = start
    for item in items:
        product = product * item
    return product


def int_conjugate(number: int) -> int:
    return +number


def float_conjugate(number: float) -> float:
    return number


def int_as_integer_ratio(number: int) -> tuple[int, int]:
    return +number, 1


def float_is_integer(number: float) -> bool:
    return abs(number) < inf and number % 1.0 == 0.0


TENS = (1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15)


def rounded(number: float, digits: int) -> float:
    """The nearest number with so many digits; which of two that are equally near is known exactly."""
    size = abs(number)
    if number != number or digits < 0 or digits > 15:
        undecided()
    power = TENS[digits]
    product = size * power
    if not product < 4503599627370496.0:
        undecided()
    whole = float(int(product))
    half = product - whole
    if half > 0.5:
        whole += 1.0
    elif half == 0.5:
        more = rest_of_product(size, power, product)
        if more > 0.0 or (more == 0.0 and int(whole) % 2 == 1):
            whole += 1.0
    return -(whole / power) if number < 0.0 else whole / power


def rest_of_product(a: float, b: float, product: float) -> float:
    """What a product lost when it was rounded (Dekker 1971)."""
    upper = a * 134217729.0
    a_high = upper - (upper - a)
    a_low = a - a_high
    upper = b * 134217729.0
    b_high = upper - (upper - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
