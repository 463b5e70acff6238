"""Constant dicts that make up the values of keys they do not have, and grow when they are asked for one."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import BOTTOM, Const, Reference, Union, general


def default_of(low: Any, known: dict[Any, Any]) -> Any:
    """What makes the values of a constant dict that it does not have, where nobody sees that it grows."""
    seen = id(known) in low.program.whole_dicts
    return known.default_factory if isinstance(known, defaultdict) and not seen else None


def by_default(low: Any, known: dict[Any, Any], factory: Any) -> Value:
    """The value that a dict makes up for a key."""
    made: Value = low.call(Value(Const(factory)), [], {})
    if isinstance(general(made.shape), Reference | Union):  # it is kept, and may be changed later
        low.fail(traps.UNDECIDED)
        return Value(BOTTOM)
    low.program.growing_dicts[id(known)] = known
    return made


def as_whole(low: Any, known: Any) -> Any:
    """A constant that is looked at as a whole: not one that grows when it is asked for a key."""
    if isinstance(known, defaultdict):
        low.program.note_whole(known)
    return known
