"""Alpha-beta with a table, as the course has it: a short-circuited state is not stored.

Unsound as printed: a value from a window that failed low (or, for MIN, high) is a bound, and it is
stored as if it were exact. `sound_alpha_beta` is the form that is right; docs/errata.md has the
smallest game on which this one is wrong.

Source: Rhodes College, Artificial Intelligence (P. Kirlin), AlphaBeta with a transposition table.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import MAX, Action, Game, State
from perfectplay.textbook.minimax import MinimaxInfo


def alpha_beta(
    game: Game[State, Action],
    state: State,
    table: dict[State, MinimaxInfo[Action]],
    alpha: float = -inf,
    beta: float = inf,
) -> float:
    """What the course's alpha-beta returns for `state`: its value to MAX, barring the fault above."""
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
            minimax_of_child = alpha_beta(game, child_state, table, alpha, beta)
            if minimax_of_child > best_minimax_so_far:
                best_minimax_so_far = minimax_of_child
                best_move_for_state = a
            if best_minimax_so_far >= beta:
                return best_minimax_so_far
            alpha = max(alpha, best_minimax_so_far)
        table[state] = MinimaxInfo(best_minimax_so_far, best_move_for_state)
        return best_minimax_so_far

    else:  # MIN moves next
        best_minimax_so_far = inf
        best_move_for_state = None
        for a in game.actions(state):
            child_state = game.result(state, a)
            minimax_of_child = alpha_beta(game, child_state, table, alpha, beta)
            if minimax_of_child < best_minimax_so_far:
                best_minimax_so_far = minimax_of_child
                best_move_for_state = a
            if best_minimax_so_far <= alpha:
                return best_minimax_so_far
            beta = min(beta, best_minimax_so_far)
        table[state] = MinimaxInfo(best_minimax_so_far, best_move_for_state)
        return best_minimax_so_far
