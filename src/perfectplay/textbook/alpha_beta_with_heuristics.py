"""Alpha-beta with a table, a cut-off and a heuristic, as the course has it.

It is run anew before every move, from the current state, with depth 1 and an empty table.

Unsound as printed, twice: the fault of `alpha_beta`, and a heuristic value stored without its depth,
which then answers for the same state at another depth. `sound_alpha_beta` is the form that is right;
docs/errata.md has the smallest game on which this one is wrong.

Source: Rhodes College, Artificial Intelligence (P. Kirlin), AlphaBetaWithHeuristics.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from perfectplay.game import MAX, Action, Game, State
from perfectplay.textbook.minimax import MinimaxInfo


def alpha_beta_with_heuristics(
    game: Game[State, Action],
    state: State,
    table: dict[State, MinimaxInfo[Action]],
    alpha: float,
    beta: float,
    depth: int,
    cutoff_test: Callable[[State, int], bool],
    evaluate: Callable[[State], float] | None = None,
) -> float:
    """What the course's search returns for `state`, to MAX, where `cutoff_test` ends it early.

    `cutoff_test(state, depth)` is asked with depth 1 at the root; `evaluate(state)` is the worth to
    MAX of a state where it says yes, and the game's own `evaluate` if it is not given.
    """
    if state in table:
        return table[state].value

    elif game.is_terminal(state):
        u = game.utility(state, MAX)
        table[state] = MinimaxInfo(u, None)
        return u

    elif cutoff_test(state, depth):
        e = evaluate(state) if evaluate else game.evaluate(state, MAX)
        table[state] = MinimaxInfo(e, None)
        return e

    elif game.to_move(state) == MAX:
        best_minimax_so_far = -inf
        best_move_for_state = None
        for a in game.actions(state):
            child_state = game.result(state, a)
            minimax_of_child = alpha_beta_with_heuristics(
                game, child_state, table, alpha, beta, depth + 1, cutoff_test, evaluate
            )
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
            minimax_of_child = alpha_beta_with_heuristics(
                game, child_state, table, alpha, beta, depth + 1, cutoff_test, evaluate
            )
            if minimax_of_child < best_minimax_so_far:
                best_minimax_so_far = minimax_of_child
                best_move_for_state = a
            if best_minimax_so_far <= alpha:
                return best_minimax_so_far
            beta = min(beta, best_minimax_so_far)
        table[state] = MinimaxInfo(best_minimax_so_far, best_move_for_state)
        return best_minimax_so_far
