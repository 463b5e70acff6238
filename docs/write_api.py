"""Write api.md: every public name of every public package, from what the packages themselves export.

    python docs/write_api.py

A test compares: api.md is never edited by hand.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

from perfectplay import Game

PAGE = Path(__file__).with_name("api.md")
PACKAGES = {  # in the order of the page; a name stands where it comes first
    "perfectplay": "The contract, the engine, the check",
    "perfectplay.games": "Games",
    "perfectplay.scene": "Boards as shapes",
    "perfectplay.textbook": "The textbook",
    "perfectplay.engine": "The engine",
    "perfectplay.tablebase": "Tablebases",
    "perfectplay.cluster": "Many machines",
    "perfectplay.check": "What a check finds",
    "perfectplay.trace": "Watching a search",
    "perfectplay.exercise": "Exercises",
    "perfectplay.exercise.sheet": "Exercises on paper",
    "perfectplay.play": "Matches and players",
    "perfectplay.arena": "Contests",
    "perfectplay.adapters": "Other libraries",
    "perfectplay.errors": "Errors",
}


def public_names(package: str) -> list[str]:
    """What a package exports: what it says so of, or else the classes and functions that it defines."""
    module = import_module(package)
    known = getattr(module, "__all__", None)
    if known is not None:
        return sorted(known)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == package]
    return sorted(name for name in own if not name.startswith("_"))


def page() -> str:
    """All of api.md."""
    parts = ["# API", "", "<!-- written by write_api.py: do not edit -->", ""]
    home: dict[int, str] = {}
    for package, title in PACKAGES.items():
        parts += [f"## {title}", "", f"`{package}`", ""]
        new = []
        again = []
        for name in public_names(package):
            value = getattr(import_module(package), name)
            is_known = id(value) in home and (inspect.isclass(value) or inspect.isroutine(value))
            (again if is_known else new).append(name)
            home.setdefault(id(value), f"{package}.{name}")
        if again:
            told = ", ".join(f"`{name}`" for name in again)
            parts += [f"Described above, and here as well: {told}.", ""]
        entries = [line for name in new for line in _entry(package, name)]
        parts += ["```{eval-rst}", *entries, "```", ""]
    return "\n".join(parts)


def _entry(package: str, name: str) -> Iterator[str]:
    value = getattr(import_module(package), name)
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
        yield f".. auto{kind}:: {package}.{name}"
        if members := _members(value):
            yield f"   :members: {', '.join(members)}"
    elif inspect.isroutine(value):
        yield f".. autofunction:: {package}.{name}"
    else:
        yield f".. py:data:: {package}.{name}"
        yield f"   :type: {type(value).__name__}"


def _members(owner: type) -> list[str]:
    """The methods and properties that a class itself explains.

    Those that a game has by the contract are told there, and what its rules need besides is its own business.
    """
    found = {name: value for name, value in vars(owner).items() if not name.startswith("_")}
    if issubclass(owner, Game) and owner is not Game:
        found = {name: value for name, value in found.items() if name not in vars(Game)}
        if owner.__module__.startswith("perfectplay.games"):
            found = {name: value for name, value in found.items() if isinstance(value, classmethod)}
    return [name for name, value in found.items() if _is_told(value)]


def _is_told(value: Any) -> bool:
    value = getattr(value, "__func__", value)  # a class method, or a static one
    return isinstance(value, FunctionType | property | cached_property) and bool(value.__doc__)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
