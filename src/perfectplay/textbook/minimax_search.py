"""MINIMAX-SEARCH: the move with the best backed-up value, by going through the whole game tree.

The book's functions read `player` where no line has set it; here it is their last argument. The two
lines marked "again" are not in the book, whose players alternate strictly.

Source: Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, MINIMAX-SEARCH.
"""

from __future__ import annotations

from math import inf
from typing import Any

from perfectplay.game import MAX, Action, Game, State

Pair = tuple[float, Any]  # a value, and the move that gets it: None where the game is over


def minimax_search(game: Game[State, Action], state: State) -> Action | None:
    """The best action for the player to move, or None where the game is over."""
    player = game.to_move(state)
    value, move = max_value(game, state, player)
    return move


def max_value(game: Game[State, Action], state: State, player: int) -> Pair:
    """The value of `state` to `player`, who is to move, and the move that gets it."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (game.to_move(state) == MAX) != (player == MAX):  # MIN moves again
        return min_value(game, state, player)
    v, move = -inf, None
    for a in game.actions(state):
        v2, a2 = min_value(game, game.result(state, a), player)
        if v2 > v:
            v, move = v2, a
    return v, move


def min_value(game: Game[State, Action], state: State, player: int) -> Pair:
    """The value of `state` to `player`, whose opponent is to move, and the opponent's move."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (game.to_move(state) == MAX) == (player == MAX):  # MAX moves again
        return max_value(game, state, player)
    v, move = inf, None
    for a in game.actions(state):
        v2, a2 = max_value(game, game.result(state, a), player)
        if v2 < v:
            v, move = v2, a
    return v, move
