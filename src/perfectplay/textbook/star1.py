"""Star1: alpha-beta through chance nodes, by what is the least and the most that is left to come.

Ballard knows of every value that it lies between L and U. Here that is what `game.bounds` proves of a
successor; where it proves nothing, nothing is cut at a chance node.

Source: Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes, 1983, Star1.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import CHANCE, MAX, Action, Game, State


def star1(game: Game[State, Action], state: State, alpha: float = -inf, beta: float = inf) -> float:
    """The expected value of `state` to MAX, as far as the window `alpha` < `beta` asks for it.

    result <= alpha means value <= result, result >= beta means value >= result, and in between it is
    the value.
    """
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return chance_value(game, state, alpha, beta)
    if game.to_move(state) == MAX:
        v = -inf
        for a in game.actions(state):
            v = max(v, star1(game, game.result(state, a), max(alpha, v), beta))
            if v >= beta:
                break
    else:  # MIN moves next
        v = inf
        for a in game.actions(state):
            v = min(v, star1(game, game.result(state, a), alpha, min(beta, v)))
            if v <= alpha:
                break
    return v


def chance_value(game: Game[State, Action], state: State, alpha: float, beta: float) -> float:
    """The same where chance moves: the average, until what is left cannot bring it back into the window."""
    successors = [(p, game.result(state, outcome)) for outcome, p in game.chances(state)]
    limits = [game.bounds(successor, MAX) for _, successor in successors]
    v: float = 0
    for i, (p, successor) in enumerate(successors):
        rest = range(i + 1, len(successors))
        least = sum(successors[j][0] * limits[j][0] for j in rest)
        most = sum(successors[j][0] * limits[j][1] for j in rest)
        low, high = (alpha - v - most) / p, (beta - v - least) / p
        w = star1(game, successor, max(low, limits[i][0]), min(high, limits[i][1]))
        v += p * w
        if w <= low:
            return min(alpha, v + most)
        if w >= high:
            return max(beta, v + least)
    return v
