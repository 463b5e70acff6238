"""Generic functions: `singledispatch` and `singledispatchmethod`, by the class of the first argument."""

from __future__ import annotations

from functools import singledispatch, singledispatchmethod
from types import FunctionType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.intrinsics import python_type
from perfectplay.compiler.lowering.values import Spread, Value, constant
from perfectplay.compiler.reading import CACHED
from perfectplay.compiler.shapes import BOTTOM, Const, Union

WRAPPER = singledispatch(lambda value: value).__code__  # type: ignore[attr-defined]  # one code for all of them


def is_generic(known: Any) -> bool:
    """Is it a function that `singledispatch` made?"""
    return isinstance(known, FunctionType) and known.__code__ is WRAPPER


def call_generic(low: Any, generic: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """Call the implementation for the class of the first argument."""
    return _dispatched(
        low,
        generic,
        arguments,
        lambda found, given: low.call_constant(found, given, named),
    )


def call_generic_method(
    low: Any, generic: singledispatchmethod[Any], arguments: list[Value], named: dict[str, Value]
) -> Value:
    """The same of a method: the first argument is the one after `self`."""
    receiver, *rest = arguments
    return _dispatched(
        low,
        generic.dispatcher,
        rest,
        lambda found, given: _call_bound(low, found, receiver, given, named),
    )


def _dispatched(low: Any, dispatcher: Any, arguments: list[Value], call: Any) -> Value:
    if not arguments:
        low.fail(traps.code_of(TypeError))
        return Value(BOTTOM)
    first, *rest = arguments
    if isinstance(first.shape, Union):
        return low.each_member(first, lambda one: _dispatched(low, dispatcher, [one, *rest], call))
    kind = python_type(first) if not isinstance(first.shape, Spread) else None
    if kind is None:
        raise low.refuse(
            f"chooses a function by the class of {first.shape!r}", "call the function that is meant"
        )
    return call(dispatcher.dispatch(kind), arguments)


def _call_bound(
    low: Any, found: Any, receiver: Value, arguments: list[Value], named: dict[str, Value]
) -> Value:
    """Call an implementation as a method of its receiver, which may be the class itself."""
    known = receiver.shape.value if isinstance(receiver.shape, Const) else None
    if isinstance(found, staticmethod):
        return low.call_constant(found.__func__, arguments, named)
    if isinstance(found, classmethod):
        owner = known if isinstance(known, type) else python_type(receiver)
        return low.call_constant(found.__func__, [constant(owner), *arguments], named)
    if not isinstance(found, FunctionType | CACHED):
        raise low.refuse("registers something that is no function", "register a function")
    given = arguments if isinstance(known, type) else [receiver, *arguments]
    return low.call_constant(found, given, named)
