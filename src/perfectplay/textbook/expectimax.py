"""Expectimax: MAX against agents who move at random, each action as likely as the others.

Whoever is not MAX is an EXP agent, MIN players too: as the course's project has its ghosts. Where chance
moves, the outcomes have the probabilities that the game gives them. `depth` is that of `dispatch`.

Source: University of California, Berkeley, CS 188, Expectimax Pseudocode, and project 2, ExpectimaxAgent.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import CHANCE, MAX, Action, Game, State


def expectimax(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The value of `state` to MAX if everybody else moves at random."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == MAX:
        return max_value(game, state, depth) if depth > 0 else game.evaluate(state, MAX)
    return exp_value(game, state, depth)


def max_value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The highest value among the successors of a state where MAX moves."""
    v = -inf
    for action in game.actions(state):
        v = max(v, expectimax(game, game.result(state, action), depth - 1))
    return v


def exp_value(game: Game[State, Action], state: State, depth: float = inf) -> float:
    """The average of the values of the successors of a state where somebody else moves."""
    v: float = 0
    for action, p in probabilities(game, state):
        v += p * expectimax(game, game.result(state, action), depth)
    return v


def probabilities(game: Game[State, Action], state: State) -> list[tuple[Action, float]]:
    """What may happen, with its probability: all actions of a player are as likely."""
    if game.to_move(state) == CHANCE:
        return list(game.chances(state))
    actions = list(game.actions(state))
    return [(action, 1 / len(actions)) for action in actions]
