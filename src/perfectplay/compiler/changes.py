"""Changes: whether what rules read, of modules, classes and objects, is still what it was."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from operator import is_
from typing import Any

from perfectplay.compiler.digest import (
    PLAIN,
    Dependencies,
    attributes,
    code_dependencies,
    is_array,
    is_foreign_class,
)
from perfectplay.game import Game

GONE = object()


class Constants:
    """All that the rules of a game read and never write, as it was when this was made."""

    def __init__(self, game: Game[Any, Any]) -> None:
        depends = code_dependencies(game)
        own = getattr(game, "__dict__", {})
        places = depends.places + [(own, name, own[name]) for _, name, _ in depends.read if name in own]
        self._places = [each for each in places if each[1] not in depends.written]
        self._contents: list[tuple[str, Any, Any]] = []
        self._known = {id(game)}
        self._kept: list[Any] = []  # so that no other object gets its number
        for _, name, value in depends.read:
            if name not in depends.written:
                self._note(name, value, depends)

    def changed(self) -> str | None:
        """The name of something that is another one now, or has something else in it."""
        for place, name, value in self._places:
            now = place.get(name, GONE)
            if now is not value and not _same(now, value):
                return name
        for name, value, parts in self._contents:
            now = _parts(value)
            if len(now) != len(parts) or not (all(map(is_, now, parts)) or all(map(_same, now, parts))):
                return name
        return None

    def _note(self, name: str, value: Any, depends: Dependencies) -> None:
        """Keep what is in a value, and in what is in it, where that may change."""
        if isinstance(value, PLAIN) or id(value) in self._known:
            return
        self._known.add(id(value))
        self._kept.append(value)
        if isinstance(value, list | deque | dict | set) or is_array(value):
            self._contents.append((name, value, _parts(value)))
        if isinstance(value, dict):
            self._note_all(name, chain(value, value.values()), depends)
        elif isinstance(value, list | deque | set | tuple | frozenset):
            self._note_all(name, value, depends)
        elif not isinstance(value, type) and not is_array(value) and not is_foreign_class(type(value)):
            own = getattr(value, "__dict__", None)
            if isinstance(own, dict):
                known = {**own}
                self._places += [(own, each, known[each]) for each in _lasting(value) - depends.written]
            for each, part in attributes(value).items():
                if each not in depends.written:
                    self._note(each, part, depends)

    def _note_all(self, name: str, values: Iterable[Any], depends: Dependencies) -> None:
        for value in values:
            self._note(name, value, depends)


def _lasting(value: Any) -> set[str]:
    """The attributes of an object that are there before anybody asks for them."""
    made_up = {
        name
        for owner in type(value).__mro__
        for name, member in vars(owner).items()
        if isinstance(member, cached_property)
    }
    return {*vars(value)} - made_up


def _parts(value: Any) -> Any:
    """What is in something that can change; what a dict makes up by itself does not count."""
    if is_array(value):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, defaultdict):
        return tuple(_told(value))
    return (*value, *value.values()) if isinstance(value, dict) else tuple(value)


def _told(value: defaultdict[Any, Any]) -> Iterator[Any]:
    made_up = value.default_factory() if value.default_factory is not None else GONE
    for key, each in value.items():
        if not _same(each, made_up) and each != made_up:
            yield from (key, each)


def _same(now: Any, then: Any) -> bool:
    """Is it the same object, or the same number or text?"""
    return now is then or (type(now) is type(then) and isinstance(now, PLAIN) and repr(now) == repr(then))
