"""Perft: how many lines of play there are of a given length. It checks rules, and measures their speed.

It is run in two ways, as the search is: as it stands, and compiled.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import compiled_for
from perfectplay.compiler.primitives import arena_mark, arena_release
from perfectplay.compiler.records import Room, made_raw, record
from perfectplay.compiler.records import State as AnyState
from perfectplay.game import Action, Game, State, require_no_chance


@record
class Leaf:
    """The state at the end of a line."""

    state: AnyState = None


def leaves(game: Any, leaf: Leaf, state: AnyState, depth: int) -> int:
    """The number of lines of exactly `depth` moves; the state at the end of each is put into the leaf."""
    if depth == 0:
        return 1
    lines = 0
    for action in game.actions(state):
        mark = arena_mark()
        child = game.result(state, action)
        if depth == 1:
            leaf.state = child
            lines += 1
        else:
            lines += leaves(game, leaf, child, depth - 1)
        arena_release(mark)
    return lines


def perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The number of lines of exactly `depth` moves from `state`, move by move."""
    require_no_chance(game, "perft", "the textbook, whose Counted counts what a search visits")
    return int(leaves(game, Leaf(), state, depth))


def compiled_perft(game: Game[State, Action], state: State, depth: int) -> int:
    """The same, in machine code."""
    require_no_chance(game, "perft", "the textbook, whose Counted counts what a search visits")
    compiled, _ = compiled_for(game, state, leaves, ("game", "record", "state", "number"), mode="always")
    leaf = made_raw(Leaf, Room(compiled.state_bytes // 8))
    return int(compiled(game, leaf, state, depth))
