"""Parcels: a game on its way to another machine, with the source of its rules.

What is installed there goes by its name. Classes of anybody's own file go by value, and with the text that
they were read from: their rules are compiled, and their digest made, from that.
"""

from __future__ import annotations

import linecache
import os
import pickle
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import perfectplay
from perfectplay.compiler.digest import code_dependencies
from perfectplay.errors import BadParameterError
from perfectplay.game import Game

EVERYWHERE = ("stdlib", "platstdlib", "purelib", "platlib")  # where what is installed is


@dataclass
class Parcel:
    """A game and where it begins, packed, and the lines of the files that its rules are in."""

    data: bytes
    sources: dict[str, list[str]]

    def opened(self) -> tuple[Game[Any, Any], Any]:
        """The game, and the state at which positions begin; the same ones, when it was opened before."""
        if self.data not in _opened:
            _opened.clear()
            _opened[self.data] = self._unpacked()
        return _opened[self.data]

    def _unpacked(self) -> tuple[Game[Any, Any], Any]:
        for file, lines in self.sources.items():
            linecache.cache[file] = (sum(map(len, lines)), None, lines, file)  # and no file is looked at
        game, start = pickle.loads(self.data)  # noqa: S301 - it comes from whoever started the build
        return game, start


_opened: dict[bytes, tuple[Game[Any, Any], Any]] = {}  # the last one


def packed(game: Game[Any, Any], start: Any) -> Parcel:
    """A game as it can be sent."""
    from ray import cloudpickle

    with _by_value(cloudpickle):
        try:
            data = cloudpickle.dumps((game, start))
        except Exception as error:
            raise BadParameterError(
                f"{type(game).__name__} cannot be sent to other machines ({error}): let it keep nothing but "
                "plain values."
            ) from None
    files = {function.__code__.co_filename for function in code_dependencies(game).functions}
    own = [file for file in sorted(files) if not _is_everywhere(file)]
    return Parcel(data, {file: lines for file in own if (lines := linecache.getlines(file))})


@contextmanager
def _by_value(cloudpickle: Any) -> Iterator[None]:
    """Have classes and functions of files that are nobody else's packed by value."""
    modules = [module for module in list(sys.modules.values()) if _is_own(module)]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _is_own(module: Any) -> bool:
    """Is this a module that other machines need not have?"""
    file = getattr(module, "__file__", None)
    if not isinstance(module, ModuleType) or sys.modules.get(module.__name__) is not module:
        return False
    return isinstance(file, str) and module.__name__ != "__main__" and not _is_everywhere(file)


def _is_everywhere(file: str) -> bool:
    """Is a file part of Python, of what is installed, or of perfectplay?"""
    return file.startswith(_homes())


@cache
def _homes() -> tuple[str, ...]:
    """How the names of such files begin."""
    places = [sysconfig.get_path(name) for name in EVERYWHERE] + [os.path.dirname(perfectplay.__file__)]
    return ("<frozen", *(os.path.join(place, "") for place in places))
