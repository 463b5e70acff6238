"""The search, compiled for a game."""

from __future__ import annotations

from typing import Any

from numba import typeof, types

from perfectplay.engine import negamax
from perfectplay.engine.bridge import game_type
from perfectplay.engine.diagnosis import odd_state, why_not
from perfectplay.engine.twins import compiled_twin
from perfectplay.game import Game


def compiled_search(game: Game[Any, Any], start: Any) -> tuple[Any, str | None]:
    """The search function for a game in machine code, or None and the reason in one sentence."""
    if reason := odd_state(start):
        return None, reason
    search = compiled_twin(negamax).search
    window = (*4 * [types.float64], types.int64, types.int64)
    try:
        signature = (game_type(game), types.int64, typeof(start), types.uint64, *window)
        search.compile(signature)
    except Exception as error:  # numba's own, and whatever else a compiler can stumble over
        return None, why_not(game) or f"the search cannot be compiled for it ({type(error).__name__})"
    return search.get_overload(signature), None  # for these types, whatever numbers look like to numba
