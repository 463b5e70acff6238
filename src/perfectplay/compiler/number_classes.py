"""Numbers that are made of two numbers: complex ones, and fractions.

To the compiler they are records of two fields. What Python's operators and methods do with them is in the
prelude (`complex_numbers`, `fractions`), by the name of the kind: `complex_add` is `complex.__add__`.
"""

from __future__ import annotations

import sys
from typing import Any

FIELDS = {"complex": ("real", "imag"), "fraction": ("_numerator", "_denominator")}


def kind_of_number(cls: Any) -> str:
    """The kind of number that the objects of a class are, if they are made of two: complex or fraction."""
    if cls is complex:
        return "complex"
    return "fraction" if cls is fraction_class() and cls is not None else ""


def number_fields(cls: Any) -> tuple[str, ...]:
    """What such a number is made of."""
    return FIELDS.get(kind_of_number(cls), ())


def fraction_class() -> Any:
    """The class of fractions, if anybody has asked for it: importing it takes its time."""
    return getattr(sys.modules.get("fractions"), "Fraction", None)
