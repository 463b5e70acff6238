"""Confirmation: the best line of a compiled search, played again by the rules in Python.

Rules were compared with their machine code before, but not everywhere. Where a search found its answer,
they are compared again; and where a line ends the game, it must be worth what the search says.
"""

from __future__ import annotations

from math import isclose
from typing import Any, NoReturn

from perfectplay.compiler import Agreement
from perfectplay.game import Game

PRECISION = 1e-6  # of a value, relative to it


class ContradictionError(Exception):
    """Machine code and Python play two different games: the first is to be trusted no longer."""


def confirm(
    known: Agreement, game: Game[Any, Any], state: Any, line: tuple[Any, ...], value: float | None
) -> None:
    """Raise ContradictionError if a best line from a state cannot be; `value` is given if it is exact."""
    states = [state]
    for action in line:
        states.append(game.result(states[-1], action))
    if reason := known.compare_some(game, states):
        raise ContradictionError(reason)
    if value is None or not game.is_terminal(states[-1]):
        return
    worth = game.utility(states[-1], game.to_move(state))
    if not isclose(worth, value, rel_tol=PRECISION, abs_tol=PRECISION):
        worths = f"{worth:g} in Python and {value:g} in machine code"
        contradict(known, f"the best line ends in the state {states[-1]!r}, which is worth {worths}")


def contradict(known: Agreement, reason: str) -> NoReturn:
    """Note why machine code is not trusted, for whoever compiles these rules again, and leave it."""
    known.difference = reason
    raise ContradictionError(reason)
