"""The dispatch form of minimax: a state's value, by asking at every state whose turn it is.

It is right as it stands for players who move twice running and for several MIN players in a row. The
course's later slide adds the agent EXP, who is chance. `depth` is that of its project: so many moves of
every agent, counted where MAX moves, and an evaluation where MAX would move once more.

Source: University of California, Berkeley, CS 188, Minimax Implementation (Dispatch); Expectimax Search.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import CHANCE, MAX, Action, Game, State


def value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The value of `state` to MAX: minimax, and where chance moves the average."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    next_agent = game.to_move(state)
    if next_agent == MAX:
        return max_value(game, state, depth) if depth > 0 else game.evaluate(state, MAX)
    if next_agent == CHANCE:
        return exp_value(game, state, depth)
    return min_value(game, state, depth)


def max_value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The highest value among the successors of a state where MAX moves."""
    v = -inf
    for action in game.actions(state):
        v = max(v, value(game, game.result(state, action), depth - 1))
    return v


def min_value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The lowest value among the successors of a state where a MIN player moves."""
    v = inf
    for action in game.actions(state):
        v = min(v, value(game, game.result(state, action), depth))
    return v


def exp_value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The average of the values of the successors of a state where chance moves."""
    v: float = 0
    for outcome, p in game.chances(state):
        v += p * value(game, game.result(state, outcome), depth)
    return v
