"""The dispatch form of minimax: a state's value, by asking at every state whose turn it is.

It is right as it stands for players who move twice running and for several MIN players in a row.

Source: University of California, Berkeley, CS 188, Minimax Implementation (Dispatch).
"""

from __future__ import annotations

from math import inf

from perfectplay.game import MAX, Action, Game, State


def value(game: Game[State, Action], state: State) -> float:
    """The minimax value of `state` to MAX."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == MAX:
        return max_value(game, state)
    return min_value(game, state)


def max_value(game: Game[State, Action], state: State) -> float:
    """The highest value among the successors of a state where MAX moves."""
    v = -inf
    for action in game.actions(state):
        v = max(v, value(game, game.result(state, action)))
    return v


def min_value(game: Game[State, Action], state: State) -> float:
    """The lowest value among the successors of a state where a MIN player moves."""
    v = inf
    for action in game.actions(state):
        v = min(v, value(game, game.result(state, action)))
    return v
