"""Forming: what numbers the states of a game are made of, found out by playing, the same in every process."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from random import Random
from typing import Any

from perfectplay.compiler.forms import Form, Misfit, form_from, form_of, holds, is_of_numbers, same_kind
from perfectplay.errors import BadParameterError
from perfectplay.game import Game, packs
from perfectplay.games import GAMES
from perfectplay.tablebase.numbered import Numbered, Unshaped

PLAYOUTS = 1000
MOST_MOVES = 500  # of a playout: a game may go round in circles
MOST_STATES = 12_000  # of all of them
NEAR = 2000  # states that are looked at first, where play has not shown all there is


def played(game: Game[Any, Any], first: Any, *, symmetry: bool, most: int = MOST_STATES) -> list[Any]:
    """The states of some games played at random, always the same ones, the first one first."""
    if not isinstance(first, Hashable) or not _has_hash(first):
        raise BadParameterError(
            f"{type(game).__name__} begins with the state {first!r}, which can be changed: use a tuple."
        )
    random = Random(0)  # noqa: S311 - nothing secret hangs on it
    states = [game.canonical(first) if symmetry else first]
    for _ in range(PLAYOUTS):
        state = first
        for _ in range(MOST_MOVES):
            actions = [] if game.is_terminal(state) else list(game.actions(state))
            if not actions:
                break
            state = game.result(state, random.choice(actions))
            states.append(game.canonical(state) if symmetry else state)
        if len(states) > most:
            break
    return states


def first_form(game: Game[Any, Any], first: Any, shown: Iterable[Any], *, symmetry: bool) -> Form:
    """The form of the states that play has shown."""
    return form_of(shown, game.initial()) or _last_resort(game, first, symmetry=symmetry)


def _last_resort(game: Game[Any, Any], first: Any, *, symmetry: bool) -> Form:
    """What states of no plain shape are: the numbers that the game gives them, or those that we do."""
    if packs(game):
        return Unshaped(game)
    return Numbered.of(game, first, symmetry=symmetry)  # type: ignore[return-value]


def wider_form(game: Game[Any, Any], first: Any, form: Form, *, symmetry: bool) -> Form:
    """A form that holds more: the states near the beginning are looked at, and ever more of them."""
    near, odd = NEAR, False
    states = [first, *played(game, first, symmetry=symmetry)]
    for number, state in enumerate(_in_order(game, first, symmetry=symmetry)):
        states.append(state)
        odd = odd or not holds(form, state)
        if number >= near:
            if odd:
                break
            near *= 4
    return form_of(dict.fromkeys(states), game.initial()) or _last_resort(game, first, symmetry=symmetry)


def _in_order(game: Game[Any, Any], first: Any, *, symmetry: bool) -> Iterator[Any]:
    """All states, the nearest first."""
    states = [game.canonical(first) if symmetry else first]
    seen = set(states)
    for state in states:
        yield state
        for action in [] if game.is_terminal(state) else game.actions(state):
            child = game.result(state, action)
            child = game.canonical(child) if symmetry else child
            if child not in seen:
                seen.add(child)
                states.append(child)


def form_for(data: Any, game: Game[Any, Any], *, symmetry: bool) -> Form:
    """The form that a manifest describes; Misfit if it is none of the game's."""
    first = game.initial()
    if isinstance(data, dict) and "numbered" in data:
        count = data["numbered"]
        if type(count) is not int or type(game) in GAMES.values():  # ours have a shape
            raise Misfit(data)
        found = Numbered(game, symmetry=symmetry, most=count)
        if found.data != data:
            raise Misfit(data)
        return found  # type: ignore[return-value]
    if data == Unshaped.data and packs(game):
        return Unshaped(game)
    if data is None and not is_of_numbers(first):
        raise Misfit(data)
    return form_from(data, game, first)


def is_like(start: Any, initial: Any) -> bool:
    """May it be a state of a game that begins so, as far as its kind tells?"""
    if is_of_numbers(initial):
        return isinstance(start, tuple) or holds(form_from(None, None, initial), start)
    return same_kind(start, initial)


def _has_hash(state: Any) -> bool:
    try:
        hash(state)
    except TypeError:
        return False
    return True
