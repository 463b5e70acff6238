"""Methods: the ways in which an engine can search, and which one is for which kind of game."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from perfectplay.errors import BadParameterError, did_you_mean
from perfectplay.game import Game

ALPHA_BETA, EXPECTIMINIMAX, MAX_N, MCTS = "alpha-beta", "expectiminimax", "max-n", "mcts"
OTHER_METHODS = "the method that is the default for it, or mcts"

# By its name: where the class of engines is that searches so.
METHODS = {
    ALPHA_BETA: ("perfectplay.engine.engine", "Engine"),
    EXPECTIMINIMAX: ("perfectplay.engine.expectation_search", "ExpectiminimaxEngine"),
    MAX_N: ("perfectplay.engine.max_n_search", "MaxNEngine"),
    MCTS: ("perfectplay.engine.playout_search", "PlayoutEngine"),
}


def method_for(game: Game[Any, Any], method: str | None = None) -> str:
    """The method of that name; without one, that for the kind of the game."""
    if method is None:
        if not game.zero_sum:
            return MAX_N
        return EXPECTIMINIMAX if game.has_chance else ALPHA_BETA
    if method not in METHODS:
        raise BadParameterError(f"there is no method {method!r}: {did_you_mean(method, METHODS)}")
    return method


def class_of_method(method: str) -> Any:
    """The class of engines that search by a method."""
    module, name = METHODS[method]
    return getattr(import_module(module), name)
