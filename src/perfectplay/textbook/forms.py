"""How each form of the textbook gives its value and its action: some give only one of the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, NamedTuple

from perfectplay.game import CHANCE, MAX, Game
from perfectplay.textbook.alpha_beta import alpha_beta
from perfectplay.textbook.alpha_beta_search import alpha_beta_search
from perfectplay.textbook.alpha_beta_search import max_value as alpha_beta_search_value
from perfectplay.textbook.alpha_beta_value import alpha_beta_value
from perfectplay.textbook.alpha_beta_with_heuristics import alpha_beta_with_heuristics
from perfectplay.textbook.counting import Counted
from perfectplay.textbook.cut_off import CutOff
from perfectplay.textbook.dispatch import value
from perfectplay.textbook.expectimax import expectimax
from perfectplay.textbook.expectiminimax import expectiminimax
from perfectplay.textbook.max_n import max_n
from perfectplay.textbook.minimax import minimax
from perfectplay.textbook.minimax_decision import min_value as minimax_decision_value
from perfectplay.textbook.minimax_decision import minimax_decision
from perfectplay.textbook.minimax_search import max_value as minimax_search_value
from perfectplay.textbook.minimax_search import minimax_search
from perfectplay.textbook.monte_carlo_tree_search import Node, monte_carlo_tree_search
from perfectplay.textbook.paranoid import paranoid
from perfectplay.textbook.sound_alpha_beta import sound_alpha_beta
from perfectplay.textbook.star1 import star1
from perfectplay.textbook.star2 import star2

DEPTH = 4  # the moves that a search with a heuristic looks ahead when nobody says


class Found(NamedTuple):
    """What an algorithm found: the value to MAX, the action, and the table if it keeps one."""

    value: float
    action: Any
    table: Mapping[Any, Any] | None = None
    limits: tuple[float, float] | None = None  # of the value, where it rests on guesses
    values: tuple[float, ...] | None = None  # to every player, where the algorithm gives them


class DepthLimit:
    """A cut-off test: so many moves ahead, and on from there until the state is quiet."""

    def __init__(self, game: Game[Any, Any], moves: int) -> None:
        self.game = game
        self.moves = moves
        self.reached = False

    def __call__(self, state: Any, depth: int) -> bool:
        """Stop here? The state at the root has depth 1."""
        if depth <= self.moves or not self.game.is_quiet(state):
            return False
        self.reached = True
        return True


def _minimax_search(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    player = game.to_move(state)
    found, move = minimax_search_value(game, state, player)
    return Found(_to_max(found, player), move)


def _alpha_beta_search(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    player = game.to_move(state)
    found, move = alpha_beta_search_value(game, state, -inf, inf, player)
    return Found(_to_max(found, player), move)


def _minimax_decision(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    player = game.to_move(state)
    move = minimax_decision(game, state)
    if move is None:
        return Found(game.utility(state, MAX), None)
    rules = game.game  # the value of the move is worked out again, and not counted again
    return Found(_to_max(minimax_decision_value(rules, rules.result(state, move), player), player), move)


def _value(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    return _by_its_values(value, game, state, depth)


def _expectimax(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    return _by_its_values(expectimax, game, state, depth)


def _alpha_beta_value(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    alpha, beta, is_max = -inf, inf, game.to_move(state) == MAX  # which narrow from action to action

    def value_of(game: Any, state: Any, left: float) -> float:
        nonlocal alpha, beta
        found = alpha_beta_value(game, state, alpha, beta, left)
        alpha, beta = (max(alpha, found), beta) if is_max else (alpha, min(beta, found))
        return found

    return _by_its_values(value_of, game, state, depth)


def _by_its_values(
    value_of: Callable[[Any, Any, float], float], game: Counted[Any, Any], state: Any, depth: int | None
) -> Found:
    """What a form that gives values alone finds: the first action whose result has the best."""
    left = inf if depth is None else depth
    limits = None if depth is None else (-inf, inf)
    mover = game.to_move(state)
    if game.is_terminal(state) or mover == CHANCE:
        return Found(value_of(game, state, left), None, limits=None if game.is_terminal(state) else limits)
    left = left - 1 if mover == MAX else left
    values = [(value_of(game, game.result(state, action), left), action) for action in game.actions(state)]
    best = max if mover == MAX else min
    return Found(*best(values, key=lambda pair: pair[0]), limits=limits)


def _expectiminimax(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    return _whole(lambda cut, root, *_: expectiminimax(cut, root), game, state, depth)


def _star1(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    return _whole(star1, game, state, depth)


def _star2(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    return _whole(star2, game, state, depth)


def _whole(
    search: Callable[[Any, Any, float, float], float], game: Counted[Any, Any], state: Any, depth: int | None
) -> Found:
    """What a form that gives the value of a whole game finds, with its first best action."""
    cut: Any = game if depth is None else CutOff(game, depth)
    root = state if depth is None else (state, depth)
    mover = game.to_move(state)
    if game.is_terminal(state) or mover == CHANCE:
        found, action = search(cut, root, -inf, inf), None
    else:
        alpha, beta, action = -inf, inf, None
        for each in game.actions(state):
            worth = search(cut, cut.result(root, each), alpha, beta)
            if mover == MAX and worth > alpha:
                alpha, action = worth, each
            elif mover != MAX and worth < beta:
                beta, action = worth, each
        found = alpha if mover == MAX else beta
    return Found(found, action, limits=(-inf, inf) if depth is not None and cut.reached else None)


def _max_n(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    cut: Any = game if depth is None else CutOff(game, depth)
    values, action = max_n(cut, state if depth is None else (state, depth))
    limits = (-inf, inf) if depth is not None and cut.reached else None
    return Found(values[MAX], action, limits=limits, values=None if game.zero_sum else values)


def _paranoid(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    cut: Any = game if depth is None else CutOff(game, depth)
    worth, action = paranoid(cut, state if depth is None else (state, depth))
    limits = (-inf, inf) if depth is not None and cut.reached else None
    mover = game.to_move(state)
    if mover > MAX and not game.zero_sum:  # there is no value to MAX: it is that to the player who asks
        return Found(worth, action, limits=limits)
    return Found(worth if mover == CHANCE else _to_max(worth, mover), action, limits=limits)


def _monte_carlo_tree_search(
    game: Counted[Any, Any], state: Any, depth: int | None, playouts: int, seed: int
) -> Found:
    if game.is_terminal(state):
        return Found(game.utility(state, MAX), None, values=_utilities(game, state))
    tree: Node[Any, Any] = Node(game, state, None)
    action = monte_carlo_tree_search(game, state, playouts=playouts, seed=seed, tree=tree)
    best = tree if action is None else tree.children[action]
    values = tuple(best.average(player) for player in range(game.players))
    return Found(values[MAX], action, limits=(-inf, inf), values=None if game.zero_sum else values)


def _utilities(game: Counted[Any, Any], state: Any) -> tuple[float, ...] | None:
    return None if game.zero_sum else tuple(game.utility(state, player) for player in range(game.players))


def _minimax(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    table: dict[Any, Any] = {}
    return Found(minimax(game, state, table), table[state].action, table)


def _alpha_beta(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    table: dict[Any, Any] = {}
    return Found(alpha_beta(game, state, table, -inf, inf), table[state].action, table)


def _alpha_beta_with_heuristics(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    table: dict[Any, Any] = {}
    limit = DepthLimit(game.game, depth or DEPTH)
    found = alpha_beta_with_heuristics(game, state, table, -inf, inf, 1, limit)
    limits = _limits(game.game, state, limit) if limit.reached else None
    return Found(found, table[state].action, table, limits)


def _sound_alpha_beta(game: Counted[Any, Any], state: Any, depth: int | None) -> Found:
    table: dict[Any, Any] = {}
    limit = DepthLimit(game.game, depth) if depth else None
    found = sound_alpha_beta(game, state, table, -inf, inf, 1, limit)
    limits = _limits(game.game, state, limit) if limit and limit.reached else None
    return Found(found, table[state].action, table, limits)


def _limits(game: Game[Any, Any], state: Any, limit: DepthLimit) -> tuple[float, float]:
    """What the value is at least and at most, if every guess were as wrong as can be."""

    def value_with(guess: float) -> float:
        return sound_alpha_beta(game, state, {}, -inf, inf, 1, limit, lambda _: guess)

    return value_with(-inf), value_with(inf)


def _to_max(worth: float, player: int) -> float:
    """What is worth so much to `player`, in a game where the two sides add up to nothing."""
    return worth if player == MAX else -worth


FINDERS: Mapping[Callable[..., Any], Callable[..., Found]] = {  # of a counted game, a state and a depth
    minimax_search: _minimax_search,
    alpha_beta_search: _alpha_beta_search,
    minimax_decision: _minimax_decision,
    value: _value,
    minimax: _minimax,
    alpha_beta: _alpha_beta,
    alpha_beta_with_heuristics: _alpha_beta_with_heuristics,
    sound_alpha_beta: _sound_alpha_beta,
    alpha_beta_value: _alpha_beta_value,
    expectimax: _expectimax,
    expectiminimax: _expectiminimax,
    star1: _star1,
    star2: _star2,
    max_n: _max_n,
    paranoid: _paranoid,
    monte_carlo_tree_search: _monte_carlo_tree_search,
}
