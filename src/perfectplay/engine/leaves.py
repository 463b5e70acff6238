"""Perft: how many lines of play there are of a given length. It checks rules, and measures their speed.

This file is loaded twice, as the search is: as it stands, and compiled.
"""

from __future__ import annotations

import sys
from typing import Any

from perfectplay.engine import plain as machine
from perfectplay.game import Action, Game, State


def leaves(game: Any, shelf: Any, state: Any, depth: Any) -> Any:
    """The number of lines of exactly `depth` moves; the state at the end of each is put on the shelf."""
    if depth == 0:
        return 1
    lines = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if depth == 1:
            machine.put_state(shelf, child, state)
            lines += 1
        else:
            lines += leaves(game, shelf, child, depth - 1)
    return lines


def perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, move by move."""
    return int(leaves(game, machine.record([], 0, state), state, depth))


def compiled_perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The same, in machine code."""
    import numpy

    from perfectplay.engine.bridge import game_type
    from perfectplay.engine.native import record_bytes
    from perfectplay.engine.twins import compiled_twin

    shelf = numpy.zeros(record_bytes(state) // 8, numpy.int64)
    game_type(game)
    compiled = compiled_twin(sys.modules[__name__]).leaves
    return int(compiled(game, shelf.ctypes.data, state, depth))
