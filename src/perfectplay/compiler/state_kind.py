"""What states are like: tuples of numbers, alike in all states of a game; their own keys, or not."""

from __future__ import annotations

from typing import Any

from perfectplay.game import Game, default_key


def alike(state: Any, start: Any) -> bool:
    """Is it of the same shape as the start, where that is a tuple or a number?"""
    if isinstance(start, tuple):
        if not isinstance(state, tuple) or len(state) != len(start):
            return False
        return all(map(alike, state, start)) if is_of_numbers(start) else True
    return isinstance(state, int | float) if isinstance(start, int | float) else True


def kindred(state: Any, start: Any) -> bool:
    """Is it made of what the start is made of, though its tuples may have other lengths?"""
    if isinstance(start, tuple):
        return isinstance(state, tuple) and (is_of_numbers(state) or not is_of_numbers(start))
    return alike(state, start)


def is_of_numbers(state: Any) -> bool:
    """Is it a number, or a tuple of nothing else?"""
    return all(map(is_of_numbers, state)) if isinstance(state, tuple) else isinstance(state, int | float)


def has_digests(game: Game[Any, Any], start: Any) -> bool:
    """Are the keys of a game digests, which two states may share?

    Not if the game gives its word for them, with a key of its own, or if states are their own keys.
    """
    return not isinstance(start, int) and game.key(start) == default_key(start)
