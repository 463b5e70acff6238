"""One source, two programs: a module as Python runs it, and the same module compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import perfectplay.compiler
from perfectplay.compiler import object_memory
from perfectplay.compiler.numba_backend import raw_memory
from perfectplay.compiler.numba_backend.caching import compiled

_twins: dict[str, ModuleType] = {}


def compiled_twin(module: ModuleType) -> ModuleType:
    """The module once more, with its functions in machine code and its memory in raw addresses."""
    name = module.__name__
    if name not in _twins:
        twin = ModuleType(f"{name}_compiled", module.__doc__)
        _twins[name] = sys.modules[twin.__name__] = twin  # numba names what it compiles by its module
        space = vars(twin)
        space["__file__"] = module.__file__
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        exec(compile(source, str(module.__file__), "exec"), space)
        for key, value in list(space.items()):
            space[key] = _twin_of(value, twin)
    return _twins[name]


def compiled_function_twin(function: Callable[..., Any]) -> Any:
    """The compiled twin of one function of a module."""
    return vars(compiled_twin(sys.modules[function.__module__]))[function.__name__]


def _twin_of(value: Any, twin: ModuleType) -> Any:
    if value is object_memory:
        return raw_memory
    if isinstance(value, FunctionType) and value.__module__ != perfectplay.compiler.__name__:
        if value.__module__ == twin.__name__:
            return compiled(value)
        return compiled_function_twin(value)
    return value
