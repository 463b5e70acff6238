"""Ranking: every action of a state with its value, each searched alone; of dice, every outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.engine.analysis import NOT_A_NUMBER, Analysis, Ranked, Ranking, nearest_to_tie, plain
from perfectplay.engine.parallel_search import Budget, Found
from perfectplay.engine.workspace import DEEPEST, UNPROVEN
from perfectplay.errors import BrokenGameError
from perfectplay.game import CHANCE, choices, same_side

if TYPE_CHECKING:
    from perfectplay.engine.engine import Engine


class _Worth(NamedTuple):
    """What an action is worth to the player who plays it."""

    value: float
    exact: bool
    child: Any = None  # where it leads
    found: Found | None = None  # the search from there


def solved_ranking(engine: Engine, state: Any, began: float, budget: Budget) -> list[Ranked]:
    """Every action with its exact value, the best first."""
    if known := engine._endgames.ranking(state, began):
        return known.moves
    actions = list(choices(engine.game, state))
    return _ranked(actions, [_solved(engine, state, action, budget) for action in actions])


def unknown_ranking(engine: Engine, state: Any) -> list[Ranked]:
    """The actions, all alike, where there was no time to find anything out."""
    return _ranked(list(choices(engine.game, state)), None)


def deepened_rankings(
    engine: Engine, state: Any, depth: int | None, began: float, budget: Budget
) -> Iterator[Ranking]:
    """A ranking for every depth, until all values are exact or the budget is spent."""
    if told := engine._endgames.ranking(state, began):
        yield told
        return
    actions = list(choices(engine.game, state))
    known: dict[int, _Worth] = {}  # by the number of the action, those that are exact
    for plies in range(min(DEEPEST if depth is None else depth, DEEPEST)):
        worths = []
        for number, action in enumerate(actions):
            worth = known.get(number) or _searched(engine, state, action, plies, budget)
            if worth is None:
                return
            worths.append(worth)
        known = {number: worth for number, worth in enumerate(worths) if worth.exact}
        yield _ranking(engine, state, actions, worths, plies + 1, began)
        if len(known) == len(actions):
            return


def _solved(engine: Engine, state: Any, action: Any, budget: Budget) -> _Worth:
    """The exact value of an action."""
    child = engine.game.result(state, action)
    if known := _known(engine, state, child):
        return known
    lower, upper, _ = engine._interval(child, budget, "mtdf")
    sign = 1 if same_side(engine.game.to_move(state), engine.game.to_move(child)) else -1
    return _Worth(sign * nearest_to_tie(lower, upper), lower == upper)


def _searched(engine: Engine, state: Any, action: Any, plies: int, budget: Budget) -> _Worth | None:
    """The value of an action by a search of so many plies after it, or None if there was no time."""
    child = engine.game.result(state, action)
    if known := _known(engine, state, child):
        return known
    found = engine._run(child, -inf, inf, plies, budget)
    if not found.finished:
        return None
    return _Worth(engine._worth(state, child, found), found.height < UNPROVEN, child, found)


def _known(engine: Engine, state: Any, child: Any) -> _Worth | None:
    """What the table of endgames says; if it says nothing, another state is about to be searched."""
    known = engine._endgames.value_after(state, child)
    if known is None:
        engine._parallel.forget_best()
        return None
    return _Worth(known, True)


def _ranking(
    engine: Engine, state: Any, actions: list[Any], worths: list[_Worth], depth: int, began: float
) -> Ranking:
    moves = _ranked(actions, worths)
    if engine.game.to_move(state) == CHANCE:  # where nobody chooses the best
        moves = [replace(move, best=False) for move in moves]
        return Ranking(_average(engine, state, worths, depth, began), moves)
    best = worths[actions.index(moves[0].action)]
    line = engine._line(best.child, best.found) if best.found else ()
    lower = max((worth.value for worth in worths if worth.exact), default=-inf)
    upper = float(engine.game.bounds(state, engine.game.to_move(state))[1])
    if all(worth.exact for worth in worths):
        upper = lower
    found = engine._analysis(
        best.value,
        engine._endgames.extended(state, (moves[0].action, *line)),
        depth,
        began,
        exact=best.exact and lower >= upper,
        lower=lower,
        upper=upper,
    )
    return Ranking(found, moves)


def _average(engine: Engine, state: Any, worths: list[_Worth], depth: int, began: float) -> Analysis:
    """What dice are worth that lead to these values, to MAX."""
    chances = [chance for _, chance in engine.game.chances(state)]
    value = sum(chance * worth.value for chance, worth in zip(chances, worths, strict=True))
    return engine._analysis(value, (), depth, began, exact=all(worth.exact for worth in worths))


def _ranked(actions: list[Any], worths: list[_Worth] | None) -> list[Ranked]:
    """The actions with their values, the best first; all alike where nothing is known."""
    worths = worths or [_Worth(0.0, False)] * len(actions)
    if any(isnan(worth.value) for worth in worths):
        raise BrokenGameError(NOT_A_NUMBER)
    best = max(worth.value for worth in worths)
    moves = []
    for action, worth in zip(actions, worths, strict=True):
        value = plain(worth.value)
        limits = (value, value) if worth.exact else (-inf, inf)
        moves.append(Ranked(action, value, worth.value == best, worth.exact, *limits))
    return sorted(moves, key=lambda move: -move.value)
