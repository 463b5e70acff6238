"""The prelude: Python's own library as far as rules use it, in Python, compiled like the rest.

A function stands for the one of Python's library that it is named after; `list_pop(a)` is the method
`a.pop()` of lists. What makes a new list is written into its caller, so that every place has its own.
"""

from __future__ import annotations

import bisect
import builtins
import cmath
import collections
import functools
import heapq
import itertools
import math
import operator
from functools import cache
from types import FunctionType
from typing import Any

from perfectplay.compiler.prelude import (
    arithmetic,
    bytestrings,
    chains,
    complex_numbers,
    copies,
    counters,
    dicts,
    fractions,
    iteration,
    lists,
    ordered,
    reals,
    sets,
    sorting,
    texts,
)
from perfectplay.compiler.reading import Function, function_of

MODULES = (
    arithmetic,
    bytestrings,
    chains,
    complex_numbers,
    copies,
    counters,
    dicts,
    fractions,
    iteration,
    lists,
    ordered,
    reals,
    sets,
    sorting,
    texts,
)
LIBRARIES = (builtins, itertools, functools, math, cmath, operator, collections, heapq, bisect)


@cache
def _all() -> dict[str, FunctionType]:
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }


@cache
def _standing_for() -> dict[int, str]:
    """Names of our functions, by the objects that they stand for."""
    found = {}
    for library in LIBRARIES:
        for name in _all():
            theirs = getattr(library, name, None) or getattr(library, name.removesuffix("_"), None)
            if (
                theirs is not None
                and not isinstance(theirs, FunctionType)
                or (isinstance(theirs, FunctionType) and library is not builtins)
            ):
                found[id(theirs)] = name
    return found


def stands_for(python: Any) -> Function | None:
    """Our own form of a function of Python's library, if there is one."""
    name = _standing_for().get(id(python))
    return None if name is None else function_of(_all()[name])


def named(name: str, *, missing_ok: bool = False) -> Function | None:
    """A function of the prelude by its name."""
    found = _all().get(name) or _all().get(f"{name}_")
    if found is None:
        if missing_ok:
            return None
        raise LookupError(f"the prelude has no {name}")
    return function_of(found)


def python_of(name: str) -> FunctionType | None:
    """A function of the prelude as Python has it, if there is one of that name."""
    return _all().get(name)
