"""max^n: every player takes the action that is best for itself, whatever the others get.

A value is one number for every player. Of equal actions the first is taken; another of them may be worth
something else to the others, so that the values are those of one way to play. Where chance moves, the
values are averages.

Source: Luckhardt and Irani, An Algorithmic Solution of N-Person Games, 1986; Russell and Norvig, 5.2.2.
"""

from __future__ import annotations

from typing import Any

from perfectplay.game import CHANCE, Action, Game, State

Values = tuple[float, ...]  # one for every player, from player 0 on


def max_n(game: Game[State, Action], state: State) -> tuple[Values, Any]:
    """The values of `state` to all players, and the best action for the one to move.

    The action is None where the game is over or chance moves.
    """
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(game.players)), None
    player = game.to_move(state)
    if player == CHANCE:
        return average(game, state), None
    best: tuple[Values, Any] | None = None
    for a in game.actions(state):
        values, _ = max_n(game, game.result(state, a))
        if best is None or values[player] > best[0][player]:
            best = values, a
    assert best is not None, "a state that is not terminal has an action"
    return best


def average(game: Game[State, Action], state: State) -> Values:
    """What a state where chance moves is worth to all players."""
    outcomes = [(p, max_n(game, game.result(state, outcome))[0]) for outcome, p in game.chances(state)]
    return tuple(sum(p * values[player] for p, values in outcomes) for player in range(game.players))
