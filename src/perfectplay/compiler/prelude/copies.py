"""States that hold lists, sets, dicts or objects, copied into rules and out of them: written once for a shape."""

# ruff: noqa: D103
from __future__ import annotations

from typing import Any

__prelude__ = True
__trusted__ = True
__apart__ = {"thawed_for", "frozen_from", "is_unchanged"}


# The compiler knows how: these say what they mean.


def thaw(value: Any) -> Any:
    return value


def freeze(value: Any) -> Any:
    return value


def has_contents_of(value: Any, other: Any) -> bool:
    return bool(value == other)


# Each is a function, so that no place where rules are asked has it written out.


def thawed_for(rule: Any, value: Any) -> Any:
    made = thaw(value)
    return made  # noqa: RET504 - what only calls another function is written into its caller


def frozen_from(value: Any) -> Any:
    made = freeze(value)
    return made  # noqa: RET504


def is_unchanged(value: Any, copied: Any) -> bool:
    same = has_contents_of(value, copied)
    return same  # noqa: RET504
