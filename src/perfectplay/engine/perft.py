"""Perft: how many lines of play there are of a given length. It checks rules, and measures their speed.

This file is loaded twice, as the search is: as it stands, and compiled.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import compiled_for
from perfectplay.compiler import object_memory as machine
from perfectplay.engine.workspace import STATE as RECORD
from perfectplay.game import Action, Game, State


def leaves(game: Any, record: Any, state: Any, depth: Any) -> Any:
    """The number of lines of exactly `depth` moves; the state at the end of each is put into the record."""
    if depth == 0:
        return 1
    lines = 0
    for action in game.actions(state):
        mark = machine.mark()
        child = game.result(state, action)
        if depth == 1:
            machine.put_state(record, child, state)
            lines += 1
        else:
            lines += leaves(game, record, child, depth - 1)
        machine.release(mark)
    return lines


def perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, move by move."""
    return int(leaves(game, machine.record([], 0, state), state, depth))


def compiled_perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The same, in machine code."""
    import numpy

    compiled, _ = compiled_for(game, state, leaves, ("game", "number", "state", "number"), mode="always")
    record = numpy.zeros(RECORD + compiled.state_bytes // 8, numpy.int64)
    return int(compiled(game, record.ctypes.data, state, depth))
