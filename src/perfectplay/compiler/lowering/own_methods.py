"""What classes of the rules say themselves about operators: `__add__`, `__eq__`, `__len__` and their like."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import linecache
from enum import Enum
from types import FunctionType
from typing import Any

from perfectplay.compiler import prelude
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.shapes import LIMITS, Atom, Const, Object, Shape, Struct
from perfectplay.compiler.value_classes import value_fields

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Div: "truediv",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}
OTHERS = (
    "enum",
    "typing",
    "collections",
    "abc",
    "dataclasses",
    "builtins",
)  # modules whose methods are Python's own


def class_of(shape: Shape) -> type | None:
    """The class that a value is of, if it is one that rules may define."""
    match shape:
        case Struct(cls=cls) | Object(cls=cls):
            return None if cls is tuple else cls
        case Atom(kind=kind):
            return None if kind is str else kind
        case Const(value=value):
            kind = type(value)
            own = isinstance(value, Enum) or hasattr(kind, "_fields") or has_fields(kind)
            return kind if own or kind_of_number(kind) else None
    return None


def has_fields(cls: type) -> bool:
    """Is it a dataclass and no game, or a class that works like one?"""
    return (dataclasses.is_dataclass(cls) and not hasattr(cls, "initial")) or value_fields(cls) is not None


def own_method(shape: Shape, name: str) -> Any:
    """The method of that name which somebody wrote for the class of a value, or None."""
    cls = class_of(shape)
    if kind := kind_of_number(cls):
        return prelude.python_of(f"{kind}_{name.strip('_')}")
    found = inspect.getattr_static(cls, name, None) if cls is not None else None
    if not isinstance(found, FunctionType) or found.__module__ in OTHERS:
        return None
    file = inspect.unwrap(found).__code__.co_filename
    return found if linecache.getlines(file) else None  # what a dataclass made of itself is in no file


def compares_fields(cls: type) -> bool:
    """Are two objects of a dataclass equal if their fields are? Otherwise only if they are one."""
    if cls is slice:
        return True
    return dataclasses.is_dataclass(cls) and "__eq__" in {
        name for one in cls.__mro__[:-1] for name in vars(one)
    }


def compared_fields(cls: type) -> list[bool]:
    """Which fields of a dataclass are compared."""
    if cls is slice:
        return [True] * len(LIMITS)
    return [field.compare for field in dataclasses.fields(cls)]


def has_order(cls: type) -> bool:
    """Does a dataclass compare by its fields which of two is less?"""
    return any(getattr(vars(one).get("__dataclass_params__"), "order", False) for one in cls.__mro__)
