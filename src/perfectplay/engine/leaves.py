"""Perft: how many lines of play there are of a given length. It checks rules, and measures their speed."""

from __future__ import annotations

from typing import Any

from perfectplay.engine.compiling import compiled
from perfectplay.game import Action, Game, State


def perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, move by move."""
    if depth == 0:
        return 1
    lines = 0
    for action in game.actions(state):
        lines += perft(game, game.result(state, action), depth - 1)
    return lines


@compiled
def compiled_perft(game: Any, state: Any, depth: int) -> int:
    """The same, in machine code."""
    if depth == 0:
        return 1
    lines = 0
    for action in game.actions(state):
        lines += compiled_perft(game, game.result(state, action), depth - 1)
    return lines
