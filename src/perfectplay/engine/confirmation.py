"""Confirmation: an exact best line of a compiled search, played again by the rules in Python."""

from __future__ import annotations

from math import isclose
from typing import Any

from perfectplay.game import Game

PRECISION = 1e-6  # of a value, relative to it


def contradiction(game: Game[Any, Any], state: Any, line: tuple[Any, ...], value: float) -> str | None:
    """Why a line cannot be worth an exact value, in a sentence: it ends the game, and is worth another."""
    mover = game.to_move(state)
    for action in line:
        state = game.result(state, action)
    if not game.is_terminal(state):
        return None
    worth = game.utility(state, mover)
    if isclose(worth, value, rel_tol=PRECISION, abs_tol=PRECISION):
        return None
    worths = f"{worth:g} in Python and {value:g} in machine code"
    return f"the best line ends in the state {state!r}, which is worth {worths}"
