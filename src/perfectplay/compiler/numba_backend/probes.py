"""One compiled question for each method of a game, to see whether and what it answers in machine code."""

from __future__ import annotations

from typing import Any

from perfectplay.compiler.numba_backend.caching import compiled
from perfectplay.compiler.numba_backend.raw_memory import as_word


@compiled
def to_move(game: Any, state: Any) -> Any:
    """Whose turn it is."""
    return game.to_move(state)


@compiled
def is_terminal(game: Any, state: Any) -> Any:
    """Is the game over?"""
    return game.is_terminal(state)


@compiled
def actions(game: Any, state: Any) -> Any:
    """The legal actions, in a list: a generator cannot leave machine code."""
    return [action for action in game.actions(state)]  # noqa: C416 - numba cannot make a list of a generator


@compiled
def result(game: Any, state: Any, action: Any) -> Any:
    """The successor."""
    return game.result(state, action)


@compiled
def utility(game: Any, state: Any, player: Any) -> Any:
    """The worth of a terminal state."""
    return game.utility(state, player)


@compiled
def evaluate(game: Any, state: Any, player: Any) -> Any:
    """The estimate of another state."""
    return game.evaluate(state, player)


@compiled
def order(game: Any, state: Any, action: Any) -> Any:
    """How promising an action looks."""
    return game.order(state, action)


@compiled
def candidates(game: Any, state: Any) -> Any:
    """The actions that are worth trying, in a list."""
    return [action for action in game.candidates(state)]  # noqa: C416 - as above


@compiled
def bounds(game: Any, state: Any, player: Any) -> Any:
    """Proven limits of the value."""
    return game.bounds(state, player)


@compiled
def canonical(game: Any, state: Any) -> Any:
    """The representative of the symmetry class."""
    return game.canonical(state)


@compiled
def key(game: Any, state: Any) -> Any:
    """The key, without a sign."""
    return as_word(game.key(state))


@compiled
def is_quiet(game: Any, state: Any) -> Any:
    """May a search stop here?"""
    return game.is_quiet(state)


# Each probe with what it takes after the game: a state, an action, a player.
PROBES: dict[str, tuple[Any, str]] = {
    "to_move": (to_move, "s"),
    "is_terminal": (is_terminal, "s"),
    "actions": (actions, "s"),
    "result": (result, "sa"),
    "utility": (utility, "sp"),
    "evaluate": (evaluate, "sp"),
    "order": (order, "sa"),
    "candidates": (candidates, "s"),
    "bounds": (bounds, "sp"),
    "canonical": (canonical, "s"),
    "key": (key, "s"),
    "is_quiet": (is_quiet, "s"),
}
