"""How to find a value by asking whether it is more than this: which question comes next."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, inf, isinf, nextafter

Driver = Callable[[float, float, float | None], float]


def bisection(lower: float, upper: float, last: float | None) -> float:
    """Halve what is left between the limits; without limits, go twice as far each time."""
    if isinf(lower) and isinf(upper):
        return 0.0
    if isinf(upper):
        return lower if isinf(2 * lower) else max(2 * lower, lower)
    if isinf(lower):
        return nextafter(upper if isinf(2 * upper) else min(2 * upper, upper), -inf)
    middle = lower / 2 + upper / 2
    if float(lower).is_integer() and float(upper).is_integer():
        middle = floor(middle)
    return middle if lower <= middle < upper else lower


def mtdf(lower: float, upper: float, last: float | None) -> float:
    """Ask about the last answer, which moves towards the value from one side (Plaat's MTD(f))."""
    if last is None:  # the guess: a tie
        return min(max(0.0, lower), nextafter(upper, -inf))
    return lower if last == lower else nextafter(upper, -inf)


# By proof numbers the questions are those of bisection; it is the search that is another.
DRIVERS: dict[str, Driver] = {"bisection": bisection, "mtdf": mtdf, "proof-number": bisection}
