"""A game without what it knows: only its rules, to see what the knowledge is worth to a search."""

from __future__ import annotations

from copy import copy
from functools import cache
from inspect import getattr_static
from types import FunctionType
from typing import Any

from perfectplay.game import Game

KNOWLEDGE = ("bounds", "candidates", "canonical")  # what a search uses whatever its flags


def knowledge(game: Game[Any, Any]) -> list[str]:
    """The methods by which a game tells a search more than its rules do."""
    known = [name for name in KNOWLEDGE if getattr(type(game), name) is not getattr(Game, name)]
    return [name for name in known if not _is_a_rule(type(game), name)]


def rules_only(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same game, whose knowledge is that of any game; the game itself where it has none."""
    forgotten = knowledge(game)
    if not forgotten:
        return game
    twin = copy(game)
    object.__setattr__(twin, "__class__", _rules_only_class(type(game), tuple(forgotten)))
    return twin


def _is_a_rule(game_class: type[Game[Any, Any]], name: str) -> bool:
    """Do other methods of the class call this one? Then the rules need it."""
    members = {
        other: getattr_static(game_class, other) for other in dir(game_class) if other not in KNOWLEDGE
    }
    return any(
        isinstance(member, FunctionType) and name in member.__code__.co_names for member in members.values()
    )


@cache
def _rules_only_class(game_class: type[Game[Any, Any]], forgotten: tuple[str, ...]) -> type[Game[Any, Any]]:
    members: dict[str, Any] = {name: vars(Game)[name] for name in forgotten}
    members |= {
        "__slots__": (),  # so that an instance of the class can become one of this class
        "__module__": game_class.__module__,
        "__qualname__": game_class.__qualname__,
        "__doc__": game_class.__doc__,
    }
    return type(game_class.__name__, (game_class,), members)
