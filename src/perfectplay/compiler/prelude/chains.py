"""`ChainMap`: several dicts asked one after the other, and only the first changed."""

# ruff: noqa: D102, D105, D107
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

__prelude__ = True


class Chain:
    """What `collections.ChainMap` is to rules."""

    def __init__(self, *maps: Any) -> None:
        self.maps = maps if maps else ({},)
        for mapping in self.maps:
            if isinstance(mapping, defaultdict):  # which grows by being asked
                undecided()

    def __contains__(self, key: Any) -> bool:
        for mapping in self.maps:  # noqa: SIM110 - in machine code, any() is no shorter
            if key in mapping:
                return True
        return False

    def __getitem__(self, key: Any) -> Any:
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def get(self, key: Any, default: Any = None) -> Any:
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return default

    def keys(self) -> Iterator[Any]:
        seen = {}
        for mapping in reversed(self.maps):
            for key in mapping:
                seen[key] = True
        for key in seen:  # noqa: SIM118 - UP028: a generator, as everything that is walked through
            yield key

    def __iter__(self) -> Iterator[Any]:
        for key in self.keys():
            yield key  # noqa: UP028

    def values(self) -> Iterator[Any]:
        for key in self.keys():
            yield self[key]

    def items(self) -> Iterator[tuple[Any, Any]]:
        for key in self.keys():
            yield key, self[key]

    def __len__(self) -> int:
        return sum(1 for _ in self.keys())

    def __bool__(self) -> bool:
        for mapping in self.maps:  # noqa: SIM110
            if mapping:
                return True
        return False

    def __setitem__(self, key: Any, value: Any) -> None:
        self.maps[0][key] = value

    def pop(self, key: Any) -> Any:
        return self.maps[0].pop(key)

    def new_child(self, m: Any = None) -> Any:
        return Chain({} if m is None else m, *self.maps)

    @property
    def parents(self) -> Any:
        return Chain(*self.maps[1:])


def undecided() -> None:
    """Leave it to Python: the compiler knows how."""
    raise NotImplementedError
