"""Plain classes whose objects are values: `__init__` gives them all they have, and nothing changes it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, singledispatchmethod
from types import FunctionType
from typing import Any

from perfectplay.compiler.reading import Obstacle, function_of, own_nodes

BUILT_IN = (BaseException, tuple, list, dict, set, frozenset, str, bytes, int, float, complex, type)
_seen: set[type] = set()  # classes of states and actions that do not say when two of their objects are equal


def note_seen(cls: type) -> None:
    """Take the class of a state or an action, or of a part of one, for one of values if it can be."""
    if cls not in _seen and _initialised(cls) is not None:
        _seen.add(cls)


_kept: dict[type, tuple[str, ...]] = {}  # classes of states whose objects change, with what these have


def note_kept(cls: type) -> bool:
    """Take the class of a state for one whose objects are kept by what they have, if it can be."""
    if cls not in _kept and (names := _given_in(cls)):
        _kept[cls] = names
    return cls in _kept


def kept_fields(cls: Any) -> tuple[str, ...] | None:
    """The attributes of a class of states whose objects change; None if it is none."""
    return _kept.get(cls)


@cache
def _given_in(cls: type) -> tuple[str, ...] | None:
    """What the methods of a plain class give its objects, `__init__` first."""
    if issubclass(cls, (*BUILT_IN, Enum)) or hasattr(cls, "initial"):
        return None
    special = ("__new__", "__getattr__", "__setattr__")
    if any(name in vars(one) for one in cls.__mro__[:-1] for name in special):
        return None
    names: dict[str, None] = {}
    try:
        for first in (True, False):
            for one in reversed(cls.__mro__[:-1]):
                for name, method in vars(one).items():
                    for function in _functions_of(method):
                        if (name == "__init__") is first and function.__code__.co_filename[:1] != "<":
                            names |= dict.fromkeys(_given(function_of(function).node))
    except Obstacle:
        return None
    if is_dataclass(cls):
        names = dict.fromkeys([*cls.__dataclass_fields__, *names])
    return tuple(name for name in names if not isinstance(getattr(cls, name, None), property))


def value_fields(cls: Any) -> tuple[str, ...] | None:
    """The attributes of a value class, in the order in which `__init__` names them; None if it is none."""
    if not isinstance(cls, type) or not (_is_compared(cls) or cls in _seen):
        return None
    return _initialised(cls)


@cache
def _is_compared(cls: type) -> bool:
    """Has somebody written when two objects of a class are equal, and what their hash is?"""
    own = [inspect.getattr_static(cls, name, None) for name in ("__eq__", "__hash__")]
    return all(isinstance(method, FunctionType) for method in own)


@cache
def _initialised(cls: type) -> tuple[str, ...] | None:
    """What `__init__` gives an object of a plain class; None if other methods change that."""
    if issubclass(cls, (*BUILT_IN, Enum)) or is_dataclass(cls) or hasattr(cls, "initial"):
        return None
    if any(name in vars(one) for one in cls.__mro__[:-1] for name in ("__new__", "__getattr__")):
        return None
    if not isinstance(inspect.getattr_static(cls, "__init__"), FunctionType):
        return None
    names: dict[str, None] = {}
    try:
        for one in cls.__mro__[:-1]:
            for name, method in vars(one).items():
                for function in _functions_of(method):
                    given = list(_given(function_of(function).node))
                    if name == "__init__":
                        names |= dict.fromkeys(given)
                    elif given:
                        return None
    except Obstacle:
        return None
    return tuple(names)


def _functions_of(member: Any) -> list[Any]:
    """The functions that a method is, one for each class of arguments if it is generic."""
    if isinstance(member, singledispatchmethod):
        return [one for one in member.dispatcher.registry.values() if isinstance(one, FunctionType)]
    return [member] if isinstance(member, FunctionType) else []


def _given(node: Any) -> Iterator[str]:
    """The attributes that a method gives to its first argument."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    if not parameters:
        return
    for part in own_nodes(node):
        match part:
            case ast.Attribute(value=ast.Name(id=holder), attr=name, ctx=ast.Store() | ast.Del()):
                if holder == parameters[0].arg and name != "__dict__":
                    yield name
            case ast.Call(
                func=ast.Attribute(attr="__setattr__"), args=[*_, ast.Constant(value=str() as name), _]
            ):
                yield name
