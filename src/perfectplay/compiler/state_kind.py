"""The shape of states: tuples of numbers, alike in all states of a game."""

from __future__ import annotations

from typing import Any


def alike(state: Any, start: Any) -> bool:
    """Is it of the same shape as the start, where that is a tuple or a number?"""
    if isinstance(start, tuple):
        if not isinstance(state, tuple) or len(state) != len(start):
            return False
        return all(map(alike, state, start)) if is_of_numbers(start) else True
    return isinstance(state, int | float) if isinstance(start, int | float) else True


def is_of_numbers(state: Any) -> bool:
    """Is it a number, or a tuple of nothing else?"""
    return all(map(is_of_numbers, state)) if isinstance(state, tuple) else isinstance(state, int | float)
