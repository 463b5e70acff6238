"""MINIMAX-DECISION: the action whose result has the highest minimum value.

UTILITY has no player in this edition: it is the worth to the player to move at the root. The two
lines marked "again" let a player move twice running.

Source: Russell and Norvig, Artificial Intelligence: A Modern Approach, 3rd edition, MINIMAX-DECISION.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import MAX, Action, Game, State


def minimax_decision(game: Game[State, Action], state: State) -> Action | None:
    """The best action for the player to move, or None where the game is over."""
    player = game.to_move(state)
    return max(
        game.actions(state),
        key=lambda a: min_value(game, game.result(state, a), player),
        default=None,
    )


def max_value(game: Game[State, Action], state: State, player: int) -> float:
    """The value of `state` to `player`, who is to move."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if (game.to_move(state) == MAX) != (player == MAX):  # MIN moves again
        return min_value(game, state, player)
    v = -inf
    for a in game.actions(state):
        v = max(v, min_value(game, game.result(state, a), player))
    return v


def min_value(game: Game[State, Action], state: State, player: int) -> float:
    """The value of `state` to `player`, whose opponent is to move."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if (game.to_move(state) == MAX) == (player == MAX):  # MAX moves again
        return max_value(game, state, player)
    v = inf
    for a in game.actions(state):
        v = min(v, max_value(game, game.result(state, a), player))
    return v
