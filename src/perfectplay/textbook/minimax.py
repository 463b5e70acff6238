"""Minimax with a table: every state is worked out once, however many lines of play lead to it.

Source: Rhodes College, Artificial Intelligence (P. Kirlin), Minimax with a transposition table.
"""

from __future__ import annotations

from math import inf
from typing import Generic, NamedTuple

from perfectplay.game import MAX, Action, Game, State


class MinimaxInfo(NamedTuple, Generic[Action]):
    """What the table knows of a state: its minimax value to MAX and the best action there."""

    value: float
    action: Action | None  # None: the search went no further than this state


def minimax(game: Game[State, Action], state: State, table: dict[State, MinimaxInfo[Action]]) -> float:
    """The minimax value of `state` to MAX; `table` gets an entry for every state below it."""
    if state in table:
        return table[state].value

    elif game.is_terminal(state):
        u = game.utility(state, MAX)
        table[state] = MinimaxInfo(u, None)
        return u

    elif game.to_move(state) == MAX:
        best_minimax_so_far = -inf
        best_move_for_state = None
        for a in game.actions(state):
            child_state = game.result(state, a)
            minimax_of_child = minimax(game, child_state, table)
            if minimax_of_child > best_minimax_so_far:
                best_minimax_so_far = minimax_of_child
                best_move_for_state = a
        table[state] = MinimaxInfo(best_minimax_so_far, best_move_for_state)
        return best_minimax_so_far

    else:  # MIN moves next
        best_minimax_so_far = inf
        best_move_for_state = None
        for a in game.actions(state):
            child_state = game.result(state, a)
            minimax_of_child = minimax(game, child_state, table)
            if minimax_of_child < best_minimax_so_far:
                best_minimax_so_far = minimax_of_child
                best_move_for_state = a
        table[state] = MinimaxInfo(best_minimax_so_far, best_move_for_state)
        return best_minimax_so_far
