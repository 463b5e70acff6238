"""What states are like: tuples of numbers, alike in all states of a game; their own keys, or not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from perfectplay.game import WORD, Game, choices, default_key, packs

PLAYOUTS, PLIES, MOST_ACTIONS = 4, 200, 1000  # of a look at how large states become


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
    own = type(game).key is not Game.key
    if packs(game) and not own:
        return _outgrows_words(game, start, lambda state: game.pack(state))
    if isinstance(start, int) and (own or not _outgrows_words(game, start, lambda state: state)):
        return False
    return game.key(start) == default_key(start)


def _outgrows_words(game: Game[Any, Any], start: Any, number: Callable[[Any], Any]) -> bool:
    """Has the number of a state more than 64 bits in some games at random, always the same ones?"""
    random = Random(2)  # noqa: S311 - nothing secret hangs on it
    for _ in range(PLAYOUTS):
        state = start
        for _ in range(PLIES):
            whole = number(state)
            if not isinstance(whole, int) or not -(2**63) <= whole <= WORD:
                return True
            if game.is_terminal(state):
                break
            actions = list(islice(choices(game, state), MOST_ACTIONS))
            if not actions:
                break
            state = game.result(state, random.choice(actions))
    return False
