"""The digest of a game's rules: it changes when any line that the rules depend on changes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from hashlib import blake2b
from types import CodeType, FunctionType, ModuleType
from typing import Any, Generic

from perfectplay.game import Game

PLAIN = (bool, int, float, complex, str, bytes, type(None))


def rules_digest(game_class: type[Game[Any, Any]]) -> str:
    """A digest of the code of a class, of what it inherits, and of all that these call or read.

    Code counts as Python compiles it: comments and line numbers do not, and neither does the file.
    """
    parts = blake2b(digest_size=16)
    for part in _parts_of_class(game_class, set()):
        parts.update(f"{part}\n".encode())
    return parts.hexdigest()


def is_plain(value: object) -> bool:
    """Is it a number, a text, or a tuple of such? Then it is the same wherever it is read."""
    return all(map(is_plain, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def _parts_of_class(owner: type, seen: set[object]) -> Iterator[str]:
    if owner in seen:
        return
    seen.add(owner)
    for ancestor in owner.__mro__:
        if ancestor in (object, ABC, Generic, tuple, int):
            continue
        yield f"class {ancestor.__qualname__} {getattr(ancestor, '_fields', ())}"
        for name, value in sorted(vars(ancestor).items()):
            if not name.startswith("__"):
                yield from _parts_of_value(name, value, seen)


def _parts_of_value(name: str, value: object, seen: set[object]) -> Iterator[str]:
    for wrapper in (
        "__func__",
        "fget",
        "func",
        "py_func",
        "__wrapped__",
    ):  # a static method, a property, what is compiled
        value = getattr(value, wrapper, value)
    if isinstance(value, FunctionType):
        yield f"{name} is a function"
        yield from _parts_of_function(value, seen)
    elif isinstance(value, type):
        yield f"{name} is a class"
        yield from _parts_of_class(value, seen)
    elif is_plain(value) or isinstance(value, list | dict | set | frozenset):
        yield f"{name} = {value!r}"
    else:  # an array counts by what is in it, an object by its class
        contents = value.tobytes().hex() if hasattr(value, "tobytes") else ""
        yield f"{name} is a {type(value).__qualname__} {contents}"


def _parts_of_function(function: FunctionType, seen: set[object]) -> Iterator[str]:
    if function in seen:
        return
    seen.add(function)
    yield f"{function.__defaults__!r} {function.__kwdefaults__!r}"
    for cell in function.__closure__ or ():
        yield from _parts_of_value("closure", cell.cell_contents, seen)
    for code in _codes(function.__code__):
        constants = [value for value in code.co_consts if not isinstance(value, CodeType)]
        yield f"{code.co_name} {code.co_code.hex()} {constants!r} {code.co_names} {code.co_varnames}"
        for name in code.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, ModuleType):
                yield from _parts_of_module(name, value, code.co_names, seen)
            elif name in function.__globals__:
                yield from _parts_of_value(name, value, seen)


def _parts_of_module(
    name: str, module: ModuleType, names: tuple[str, ...], seen: set[object]
) -> Iterator[str]:
    """What code with these names may read of a module, and of the modules in it."""
    for member in names:
        value = vars(module).get(member)
        if isinstance(value, ModuleType) and value is not module and (name, value) not in seen:
            seen.add((name, value))
            yield from _parts_of_module(f"{name}.{member}", value, names, seen)
        elif member in vars(module):
            yield from _parts_of_value(f"{name}.{member}", value, seen)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions and comprehensions inside it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)
