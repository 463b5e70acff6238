"""Paranoid search: one player against all the others, as if they had nothing else in mind.

That makes two sides of any number of players, so that alpha-beta prunes; what it finds is what the
player at the root can be sure of.

Source: Sturtevant and Korf, On Pruning Techniques for Multi-Player Games, 2000; Russell and Norvig, 5.2.2.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.game import CHANCE, MAX, Action, Game, State

Pair = tuple[float, Any]  # a value to the player at the root, and the move that gets it


def paranoid(game: Game[State, Action], state: State) -> Pair:
    """The value of `state` to the player to move against all the others together, and its move.

    Where chance moves it is the value to player 0, and the move is None, as where the game is over.
    """
    player = game.to_move(state)
    if player == CHANCE:
        player = MAX
    return paranoid_value(game, state, -inf, inf, player)


def paranoid_value(game: Game[State, Action], state: State, alpha: float, beta: float, player: int) -> Pair:
    """The value of `state` to `player` if all the others are against it, and the move of whose turn it is."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if game.to_move(state) == CHANCE:  # whose average needs exact values
        return sum(
            p * paranoid_value(game, game.result(state, outcome), -inf, inf, player)[0]
            for outcome, p in game.chances(state)
        ), None
    if game.to_move(state) == player:
        v, move = -inf, None
        for a in game.actions(state):
            v2, _ = paranoid_value(game, game.result(state, a), alpha, beta, player)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
    else:  # the others
        v, move = inf, None
        for a in game.actions(state):
            v2, _ = paranoid_value(game, game.result(state, a), alpha, beta, player)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
    return v, move
