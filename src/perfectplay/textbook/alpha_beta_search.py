"""ALPHA-BETA-SEARCH: minimax that skips what cannot change the move at the root.

As in `minimax_search`, the book's free variable `player` is the last argument, and the two lines
marked "again" let a player move twice running.

Source: Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, ALPHA-BETA-SEARCH.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.game import MAX, Action, Game, State

Pair = tuple[float, Any]  # a value, and the move that gets it: None where the game is over


def alpha_beta_search(game: Game[State, Action], state: State) -> Action | None:
    """The best action for the player to move, or None where the game is over."""
    player = game.to_move(state)
    value, move = max_value(game, state, -inf, inf, player)
    return move


def max_value(game: Game[State, Action], state: State, alpha: float, beta: float, player: int) -> Pair:
    """The value of `state` to `player`, who is to move; once it reaches `beta`, a lower bound."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (game.to_move(state) == MAX) != (player == MAX):  # MIN moves again
        return min_value(game, state, alpha, beta, player)
    v, move = -inf, None
    for a in game.actions(state):
        v2, a2 = min_value(game, game.result(state, a), alpha, beta, player)
        if v2 > v:
            v, move = v2, a
            alpha = max(alpha, v)
        if v >= beta:
            return v, move
    return v, move


def min_value(game: Game[State, Action], state: State, alpha: float, beta: float, player: int) -> Pair:
    """The value of `state` to `player`, whose opponent moves; once down to `alpha`, an upper bound."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (game.to_move(state) == MAX) == (player == MAX):  # MAX moves again
        return max_value(game, state, alpha, beta, player)
    v, move = inf, None
    for a in game.actions(state):
        v2, a2 = max_value(game, game.result(state, a), alpha, beta, player)
        if v2 < v:
            v, move = v2, a
            beta = min(beta, v)
        if v <= alpha:
            return v, move
    return v, move
