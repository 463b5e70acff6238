"""Star2: Star1 that first looks at one action after every outcome.

An action of MAX is worth at least what it leads to, one of MIN at most that: so a look at one of them
narrows the bounds of a successor, and often enough all of them together settle the matter.

Source: Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes, 1983, Star2.
"""

from __future__ import annotations

from math import inf

from perfectplay.game import CHANCE, MAX, Action, Game, State


def star2(game: Game[State, Action], state: State, alpha: float = -inf, beta: float = inf) -> float:
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
            v = max(v, star2(game, game.result(state, a), max(alpha, v), beta))
            if v >= beta:
                break
    else:  # MIN moves next
        v = inf
        for a in game.actions(state):
            v = min(v, star2(game, game.result(state, a), alpha, min(beta, v)))
            if v <= alpha:
                break
    return v


def chance_value(game: Game[State, Action], state: State, alpha: float, beta: float) -> float:
    """The same where chance moves: every successor is probed, and then searched as in Star1."""
    successors = [(p, game.result(state, outcome)) for outcome, p in game.chances(state)]
    limits = [game.bounds(successor, MAX) for _, successor in successors]

    # The probing phase.
    for i, (p, successor) in enumerate(successors):
        others = [j for j in range(len(successors)) if j != i]
        least = sum(successors[j][0] * limits[j][0] for j in others)
        most = sum(successors[j][0] * limits[j][1] for j in others)
        low, high = (alpha - most) / p, (beta - least) / p
        limits[i] = probe(game, successor, limits[i], low, high)
        if limits[i][1] <= low:
            return min(alpha, p * limits[i][1] + most)
        if limits[i][0] >= high:
            return max(beta, p * limits[i][0] + least)

    # The search phase.
    v: float = 0
    for i, (p, successor) in enumerate(successors):
        rest = range(i + 1, len(successors))
        least = sum(successors[j][0] * limits[j][0] for j in rest)
        most = sum(successors[j][0] * limits[j][1] for j in rest)
        low, high = (alpha - v - most) / p, (beta - v - least) / p
        w = star2(game, successor, max(low, limits[i][0]), min(high, limits[i][1]))
        v += p * w
        if w <= low:
            return min(alpha, v + most)
        if w >= high:
            return max(beta, v + least)
    return v


def probe(
    game: Game[State, Action], state: State, limits: tuple[float, float], low: float, high: float
) -> tuple[float, float]:
    """Narrower limits of the value of `state`, by its first action."""
    lower, upper = limits
    if game.is_terminal(state):
        return game.utility(state, MAX), game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return limits
    first = game.result(state, next(iter(game.actions(state))))
    if game.to_move(state) == MAX:
        return max(lower, star2(game, first, lower, min(high, upper))), upper
    return lower, min(upper, star2(game, first, max(low, lower), upper))
