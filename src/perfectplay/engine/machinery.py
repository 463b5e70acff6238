"""The search, compiled for a game."""

from __future__ import annotations

from typing import Any

from numba import typeof, types

from perfectplay.engine import negamax, proof_numbers
from perfectplay.engine.bridge import game_type
from perfectplay.engine.diagnosis import odd_action, odd_object, odd_state, why_not
from perfectplay.engine.twins import compiled_twin
from perfectplay.game import Game

WINDOW = (*4 * [types.float64], types.int64, types.int64)  # least, most, alpha, beta, depth, ply
QUESTION = (types.float64, types.int64, types.int64, types.int64)  # threshold, two limits, ply


def compiled_search(game: Game[Any, Any], start: Any, *, endgames: bool) -> tuple[Any, str | None]:
    """The search function for a game in machine code, or None and the reason in one sentence."""
    return _compiled(game, start, compiled_twin(negamax).search, WINDOW, endgames)


def compiled_prove(game: Game[Any, Any], start: Any, *, endgames: bool) -> tuple[Any, str | None]:
    """The same for the proof-number search."""
    return _compiled(game, start, compiled_twin(proof_numbers).prove, QUESTION, endgames)


def _compiled(
    game: Game[Any, Any], start: Any, search: Any, question: Any, endgames: bool
) -> tuple[Any, str | None]:
    if reason := odd_state(start) or odd_action(game, start) or odd_object(game):
        return None, reason
    try:
        signature = (game_type(game, endgames=endgames), types.int64, typeof(start), types.uint64, *question)
        search.compile(signature)
    except Exception as error:  # numba's own, and whatever else a compiler can stumble over
        return None, why_not(game) or f"the search cannot be compiled for it ({type(error).__name__})"
    return search.get_overload(signature), None  # for these types, whatever numbers look like to numba
