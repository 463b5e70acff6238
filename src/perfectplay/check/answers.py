"""What each method of a game must answer, and how to look at values of any kind, well-behaved or not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from inspect import unwrap
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from perfectplay.check.report import short
from perfectplay.game import CHANCE, WORD
from perfectplay.scene import WHOLE, is_scene

PLAYER = "give a player, 0 for MAX or 1 for MIN"
ATOMS = (int, str, bool, float, bytes, type(None))


def _is_state(answer: Any) -> bool:
    try:
        hash(answer)
    except Exception:
        return False
    return answer is not None


def _is_list_of_actions(answer: Any) -> bool:
    return isinstance(answer, list) and all(map(_is_state, answer))


def _is_list_of_chances(answer: Any) -> bool:
    return isinstance(answer, list) and all(map(_is_chance, answer))


def _is_chance(pair: Any) -> bool:
    return isinstance(pair, tuple | list) and len(pair) == 2 and _is_state(pair[0]) and is_finite(pair[1])


def _is(kind: Any, lower: float = -inf, upper: float = inf) -> Callable[[Any], bool]:
    return lambda answer: isinstance(answer, kind) and bool(lower <= answer <= upper)


def is_finite(answer: Any) -> bool:
    """Is it a number, and neither infinite nor none?"""
    return _is(Real, lower=-sys.float_info.max, upper=sys.float_info.max)(answer)


def _is_interval(answer: Any) -> bool:
    numbers = isinstance(answer, tuple | list) and all(isinstance(number, Real) for number in answer)
    return numbers and len(answer) == 2 and bool(answer[0] <= answer[1])


def _is_text(answer: Any) -> bool:
    return isinstance(answer, str)


def _is_scene_or_none(answer: Any) -> bool:
    return answer is None or is_scene(answer)


WANTED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "initial": (_is_state, "give a state that has a hash and cannot change, such as a tuple"),
    "table_start": (_is_state, "give a state that has a hash and cannot change, such as a tuple"),
    "to_move": (_is(Integral, lower=CHANCE), PLAYER),
    "chances": (_is_list_of_chances, "give pairs of an outcome and its probability"),
    "actions": (_is_list_of_actions, "give a list, a tuple or a generator, of values such as ints or tuples"),
    "result": (_is_state, "give a state that has a hash and cannot change, such as a tuple"),
    "is_terminal": (_is(int), "give True or False"),
    "utility": (is_finite, "give a finite number"),
    "evaluate": (is_finite, "give a finite number"),
    "key": (_is(Integral, lower=0, upper=WORD), "give an integer from 0 to 2**64 - 1"),
    "pack": (_is(Integral, lower=0), "give an integer of 0 or more"),
    "unpack": (_is_state, "give the state that the number was made of"),
    "rank": (_is(Integral, lower=0), "give an integer of 0 or more"),
    "unrank": (_is_state, "give the state that has the rank"),
    "ranks": (_is(Integral, lower=0), "give an integer of 0 or more"),
    "order": (_is(Real), "give a number"),
    "candidates": (_is_list_of_actions, "give some of the legal actions"),
    "bounds": (_is_interval, "give a pair of numbers, lower <= upper"),
    "canonical": (_is_state, "give a state"),
    "tier": (_is(Integral, lower=-(2**63), upper=2**63 - 1), "give an integer of 64 bits"),
    "is_quiet": (_is(int), "give True or False"),
    "render": (_is_text, "give a str"),
    "scene": (_is_scene_or_none, WHOLE),
    "action_name": (_is_text, "give a str"),
}


def same(one: Any, other: Any) -> bool:
    """Are the two equal, or one and the same?"""
    return one is other or bool(one == other)


def is_plain(value: Any) -> bool:
    """Is it made of ints and the like, which never change, and equal only if they look the same?"""
    if type(value) in ATOMS:
        return True
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    kind: Any = type(value)
    if (names := _frozen_fields(kind)) is not None:
        return all(is_plain(getattr(value, name)) for name in names)
    return isinstance(value, Enum)


def never_changes(value: Any) -> bool:
    """Is it made of what never changes, though equals may look different, as sets do?"""
    if type(value) is frozenset or isinstance(value, tuple):
        return all(map(never_changes, value))
    kind: Any = type(value)
    if (names := _frozen_fields(kind)) is not None:
        return all(never_changes(getattr(value, name)) for name in names)
    return is_plain(value)


@cache
def _frozen_fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a frozen dataclass that compares and writes all of them as Python does, else None."""
    parameters = getattr(kind, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen or not parameters.eq:
        return None
    made = [getattr(unwrap(method), "__code__", None) for method in (kind.__eq__, kind.__repr__)]
    parts = fields(kind)
    if any(code is None or Path(code.co_filename).is_file() for code in made):
        return None
    return tuple(part.name for part in parts) if all(part.compare and part.repr for part in parts) else None


def picture(value: Any, depth: int = 8) -> Any:
    """What a value looks like inside, whatever its class says about equality."""
    if type(value) in ATOMS:
        return type(value), repr(value) if type(value) is float else value
    if isinstance(value, Enum):
        return type(value), value.name
    if depth == 0 or callable(value):
        return type(value)
    if isinstance(value, dict):
        return type(value), [picture(pair, depth - 1) for pair in value.items()]
    if isinstance(value, set | frozenset):
        return type(value), sorted(map(short, value))
    if isinstance(value, list | tuple):
        return type(value), [picture(part, depth - 1) for part in value]
    slots = [slot for owner in type(value).__mro__ for slot in getattr(owner, "__slots__", ())]
    inside = getattr(value, "__dict__", None) or {slot: getattr(value, slot, None) for slot in slots}
    return (type(value), picture(inside, depth - 1)) if inside else (type(value), repr(value))
