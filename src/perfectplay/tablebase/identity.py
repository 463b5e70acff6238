"""Identity: what makes a game the same game, in words that any process prints alike.

A game is named after its class and the parameters that it was made with, as far as it keeps them under their
names, or else after all plain attributes that its rules read; and it has the digest of its rules.
"""

from __future__ import annotations

import inspect
from typing import Any

from perfectplay.compiler.digest import Dependencies, attributes, is_literal
from perfectplay.game import Game
from perfectplay.games import GAMES, load_game, parameters


def identity(game: Game[Any, Any]) -> dict[str, Any]:
    """The name of a game, its parameters, and a digest of its rules."""
    rules = Dependencies(game)
    return {"game": _name(game, rules), "rules": rules.digest()}


def game_name(game: Game[Any, Any]) -> str:
    """What `load_game` would make this game of, or its class and the parameters that it was made with."""
    return _name(game, Dependencies(game))


def registered_game(name: str) -> Game[Any, Any] | None:
    """The game of a tablebase by its name there, if it is one of ours: no file is run that it names."""
    return load_game(name) if name.partition(":")[0] in GAMES else None


def _name(game: Game[Any, Any], rules: Dependencies) -> str:
    for name, game_class in GAMES.items():
        if type(game) is game_class:
            known = {key: each for key, each in parameters(game_class).items() if each.compared}
            given = [f"{key}={known[key].write(getattr(game, key))}" for key in known if hasattr(game, key)]
            return f"{name}:{','.join(given)}" if given else name
    own, asked = attributes(game), _parameters(type(game))
    stored = {key: next((each for each in (key, f"_{key}") if each in own), None) for key in asked}
    shown = {key: name for key, name in stored.items() if name is not None}
    if len(shown) < len(asked):  # a parameter has another name inside: it is in what the rules read
        shown |= {name: name for where, name, value in rules.read if where == "self." and is_literal(value)}
    told = [
        f"{key}={rules.shown(own[shown[key]])}" for key in sorted(shown) if shown[key] not in rules.written
    ]
    return f"{type(game).__qualname__}({', '.join(told)})"


def _parameters(game_class: type[Game[Any, Any]]) -> list[str]:
    try:
        uncompared = {key for key, each in parameters(game_class).items() if not each.compared}
        return [key for key in inspect.signature(game_class).parameters if key not in uncompared]
    except (TypeError, ValueError):
        return []
