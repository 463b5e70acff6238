"""The algorithms by name, each brought to one form of answer: value, action, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real
from types import CodeType, TracebackType
from typing import Any, NamedTuple

from perfectplay.errors import (
    BadParameterError,
    BrokenGameError,
    EndlessGameError,
    UnknownAlgorithmError,
    did_you_mean,
)
from perfectplay.game import MAX, Action, Game, State
from perfectplay.textbook.alpha_beta import alpha_beta
from perfectplay.textbook.alpha_beta_search import alpha_beta_search
from perfectplay.textbook.alpha_beta_search import max_value as alpha_beta_search_value
from perfectplay.textbook.alpha_beta_with_heuristics import alpha_beta_with_heuristics
from perfectplay.textbook.counting import Counted
from perfectplay.textbook.dispatch import value
from perfectplay.textbook.minimax import minimax
from perfectplay.textbook.minimax_decision import min_value as minimax_decision_value
from perfectplay.textbook.minimax_decision import minimax_decision
from perfectplay.textbook.minimax_search import max_value as minimax_search_value
from perfectplay.textbook.minimax_search import minimax_search
from perfectplay.textbook.sound_alpha_beta import sound_alpha_beta

DEPTH = 4  # the moves that a search with a heuristic looks ahead when nobody says


class Found(NamedTuple):
    """What an algorithm found: the value to MAX, the action, and the table if it keeps one."""

    value: float
    action: Any
    table: Mapping[Any, Any] | None = None
    limits: tuple[float, float] | None = None  # of the value, where it rests on guesses


class Answer(NamedTuple):
    """What an algorithm found in a state, and what it cost."""

    value: float  # to MAX
    action: Any  # None where the game is over
    table: Mapping[Any, Any] | None  # None for an algorithm without one
    lower: float  # lower <= value <= upper, however wrong the guesses of a search with a depth may be;
    upper: float  # equal where there were none. The two unsound algorithms can be wrong about it
    nodes: int
    prunings: int


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


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of the textbook under the name by which people ask for it."""

    name: str
    function: Callable[..., Any]
    find: Callable[[Counted[Any, Any], Any, int | None], Found]
    summary: str
    prunes: bool = False
    has_table: bool = False
    takes_depth: bool = False
    sound: bool = True  # False: the printed form can be wrong, see the errata
    depth: int | None = None  # where nobody gives one; None: to the end of the game


def run(name: str, game: Game[State, Action], state: State, *, depth: int | None = None) -> Answer:
    """Run the algorithm of that name on `state`, looking `depth` moves ahead where it can."""
    algorithm = find_algorithm(name)
    return run_counted(algorithm, Counted(game), state, depth=depth)


def run_counted(
    algorithm: Algorithm, game: Counted[State, Action], state: State, *, depth: int | None = None
) -> Answer:
    """The same, on counters of the caller's own that can be read while it goes on."""
    check_depth(algorithm, depth)
    try:
        found = algorithm.find(game, state, algorithm.depth if depth is None else depth)
    except RecursionError as error:
        raise _explained(error, algorithm, depth) from None
    worth: Any = found.value
    if not isinstance(worth, Real) or not isfinite(worth):
        raise BrokenGameError(
            f"the search found the value {worth!r}: either a state has no actions and is not terminal, "
            "or a worth is not a finite number; check_game says where."
        )
    worth = worth + 0  # a tie is 0, never -0.0
    lower, upper = found.limits or (worth, worth)
    return Answer(worth, found.action, found.table, lower, upper, game.nodes, game.prunings)


def check_depth(algorithm: Algorithm, depth: int | None) -> None:
    """Refuse a depth that the algorithm cannot take."""
    if depth is not None and not algorithm.takes_depth:
        able = " or ".join(other.name for other in ALGORITHMS.values() if other.takes_depth)
        raise BadParameterError(
            f"{algorithm.name} always looks to the end of the game: for a depth, use {able}."
        )
    if depth is not None and depth < 1:
        raise BadParameterError(f"a depth of {depth} finds no move: give 1 or more.")


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name; hyphens and underscores are the same."""
    try:
        return ALGORITHMS[name.lower().replace("_", "-")]
    except KeyError:
        hint = did_you_mean(name.replace("_", "-"), ALGORITHMS)
        raise UnknownAlgorithmError(f"there is no algorithm {name!r}: {hint}") from None


# How each form gives its value and its action. Some forms give only one of the two.


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
    if game.is_terminal(state):
        return Found(value(game, state), None)
    best = max if game.to_move(state) == MAX else min
    values = [(value(game, game.result(state, action)), action) for action in game.actions(state)]
    return Found(*best(values, key=lambda pair: pair[0]))


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


_AIMA = "Russell and Norvig"
_COURSE = "the course's form with a table"

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "minimax-search",
            minimax_search,
            _minimax_search,
            f"MINIMAX-SEARCH of {_AIMA}, 4th edition: the whole tree, value and move",
        ),
        Algorithm(
            "alpha-beta-search",
            alpha_beta_search,
            _alpha_beta_search,
            f"ALPHA-BETA-SEARCH of {_AIMA}, 4th edition: skips what cannot matter",
            prunes=True,
        ),
        Algorithm(
            "minimax-decision",
            minimax_decision,
            _minimax_decision,
            f"MINIMAX-DECISION of {_AIMA}, 3rd edition: the move only",
        ),
        Algorithm(
            "value",
            value,
            _value,
            "the dispatch form of CS 188: asks at every state whose turn it is",
        ),
        Algorithm(
            "minimax",
            minimax,
            _minimax,
            f"{_COURSE}: every state is worked out once",
            has_table=True,
        ),
        Algorithm(
            "alpha-beta",
            alpha_beta,
            _alpha_beta,
            f"{_COURSE} and pruning; stores bounds as values (see the errata)",
            prunes=True,
            has_table=True,
            sound=False,
        ),
        Algorithm(
            "alpha-beta-with-heuristics",
            alpha_beta_with_heuristics,
            _alpha_beta_with_heuristics,
            f"{_COURSE}, pruning and a depth (see the errata)",
            prunes=True,
            has_table=True,
            sound=False,
            takes_depth=True,
            depth=DEPTH,
        ),
        Algorithm(
            "sound-alpha-beta",
            sound_alpha_beta,
            _sound_alpha_beta,
            "the course's two forms made right: an entry is an interval with a depth",
            prunes=True,
            has_table=True,
            takes_depth=True,
        ),
    )
}


def _explained(error: RecursionError, algorithm: Algorithm, depth: int | None) -> Exception:
    """Why Python's stack was not enough: a cycle, a very long game, or rules that call themselves."""
    calls, frames_of_rules = _calls(error.__traceback__)
    if frames_of_rules > len(calls):
        return BrokenGameError("a method of the game calls itself without end: look for a loop there.")
    able = " or ".join(other.name for other in ALGORITHMS.values() if other.takes_depth)
    first: dict[tuple[CodeType, Any], int] = {}
    for index, call in enumerate(calls):
        if call in first:
            between = len({state for _, state in calls[first[call] : index]})
            return EndlessGameError(
                f"the game can come back to the same state (after {between} more moves), "
                f"so {algorithm.name} has no end to reach: use {able} with a depth."
            )
        first[call] = index
    moves = len({state for _, state in calls}) - 1
    return EndlessGameError(
        f"a line of play goes on for more than {moves} moves, too deep for Python's stack: "
        f"use {able} with a {'smaller ' if depth else ''}depth."
    )


def _calls(traceback: TracebackType | None) -> tuple[list[tuple[CodeType, Any]], int]:
    """The calls of a search on a line of play that went too deep, and the number of other frames."""
    calls: list[tuple[CodeType, Any]] = []
    others = 0
    while traceback is not None:
        frame = traceback.tb_frame
        of_a_search = frame.f_globals.get("__package__") == __package__
        if of_a_search and "game" in frame.f_locals and "state" in frame.f_locals:
            calls.append((frame.f_code, frame.f_locals["state"]))
        else:
            others += 1
        traceback = traceback.tb_next
    return calls, others
