"""EXPECTIMINIMAX: minimax with chance nodes, whose value is the average over the outcomes.

The book gives the value as a formula of four lines, which are the four cases here.

Source: Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition, section 5.5.
"""

from __future__ import annotations

from perfectplay.game import CHANCE, MAX, Action, Game, State


def expectiminimax(game: Game[State, Action], state: State) -> float:
    """The expected value of `state` to MAX, with best play on both sides."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == MAX:
        return max(expectiminimax(game, game.result(state, a)) for a in game.actions(state))
    if game.to_move(state) != CHANCE:
        return min(expectiminimax(game, game.result(state, a)) for a in game.actions(state))
    return sum(p * expectiminimax(game, game.result(state, r)) for r, p in game.chances(state))


def expectiminimax_decision(game: Game[State, Action], state: State) -> Action | None:
    """The best action for the player to move, or None where the game is over or chance moves."""
    if game.is_terminal(state) or game.to_move(state) == CHANCE:
        return None
    best = max if game.to_move(state) == MAX else min
    return best(game.actions(state), key=lambda a: expectiminimax(game, game.result(state, a)))
