"""Alpha-beta with a table that is right: an entry is an interval, and knows its depth.

Takes the arguments of `alpha_beta` and of `alpha_beta_with_heuristics`, and may stand for either.

Source: the course's form, with the bounds of Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Generic, NamedTuple

from perfectplay.game import MAX, Action, Game, State


class Interval(NamedTuple, Generic[Action]):
    """What the table knows of a state: lower <= value <= upper, for a search at that depth."""

    lower: float
    upper: float
    action: Action | None  # the one that gains `lower` for MAX or `upper` for MIN, where it is known
    depth: int


def sound_alpha_beta(
    game: Game[State, Action],
    state: State,
    table: dict[State, Interval[Action]],
    alpha: float = -inf,
    beta: float = inf,
    depth: int = 1,
    cutoff_test: Callable[[State, int], bool] | None = None,
    evaluate: Callable[[State], float] | None = None,
) -> float:
    """The value of `state` to MAX, as far as the window `alpha` < `beta` asks for it.

    result <= alpha means value <= result, result >= beta means value >= result, and in between it is
    the value. `depth`, `cutoff_test` and `evaluate` are those of `alpha_beta_with_heuristics`. A table
    may be kept between searches with the same cut-off and heuristic, whatever their roots and windows.
    """
    lower, upper, best_move_for_state = -inf, inf, None
    if state in table and table[state].depth == depth:
        lower, upper, best_move_for_state, _ = table[state]
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha = max(alpha, lower)
        beta = min(beta, upper)

    if game.is_terminal(state):
        u = game.utility(state, MAX)
        table[state] = Interval(u, u, None, depth)
        return u

    if cutoff_test and cutoff_test(state, depth):
        e = evaluate(state) if evaluate else game.evaluate(state, MAX)
        table[state] = Interval(e, e, None, depth)
        return e

    depth_of_child = depth + 1 if cutoff_test else depth  # no cut-off: all depths are alike

    if game.to_move(state) == MAX:
        best_so_far, highest = -inf, alpha
        for a in game.actions(state):
            value_of_child = sound_alpha_beta(
                game, game.result(state, a), table, highest, beta, depth_of_child, cutoff_test, evaluate
            )
            best_so_far = max(best_so_far, value_of_child)
            if best_so_far > highest:
                highest = best_so_far
                best_move_for_state = a
            if best_so_far >= beta:
                break

    else:  # MIN moves next
        best_so_far, lowest = inf, beta
        for a in game.actions(state):
            value_of_child = sound_alpha_beta(
                game, game.result(state, a), table, alpha, lowest, depth_of_child, cutoff_test, evaluate
            )
            best_so_far = min(best_so_far, value_of_child)
            if best_so_far < lowest:
                lowest = best_so_far
                best_move_for_state = a
            if best_so_far <= alpha:
                break

    if best_so_far > alpha:  # it did not fail low: the value is at least this
        lower = best_so_far
    if best_so_far < beta:  # it did not fail high: the value is at most this
        upper = best_so_far
    table[state] = Interval(lower, upper, best_move_for_state, depth)
    return best_so_far
