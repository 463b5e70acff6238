"""The algorithms by name, each brought to one form of answer: value, action, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
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
from perfectplay.game import Action, Game, State, require_no_chance, require_zero_sum
from perfectplay.textbook.alpha_beta import alpha_beta
from perfectplay.textbook.alpha_beta_search import alpha_beta_search
from perfectplay.textbook.alpha_beta_value import alpha_beta_value
from perfectplay.textbook.alpha_beta_with_heuristics import alpha_beta_with_heuristics
from perfectplay.textbook.counting import Counted
from perfectplay.textbook.dispatch import value
from perfectplay.textbook.expectimax import expectimax
from perfectplay.textbook.expectiminimax import expectiminimax
from perfectplay.textbook.forms import DEPTH, FINDERS
from perfectplay.textbook.max_n import max_n
from perfectplay.textbook.minimax import minimax
from perfectplay.textbook.minimax_decision import minimax_decision
from perfectplay.textbook.minimax_search import minimax_search
from perfectplay.textbook.monte_carlo_tree_search import monte_carlo_tree_search
from perfectplay.textbook.paranoid import paranoid
from perfectplay.textbook.sound_alpha_beta import sound_alpha_beta
from perfectplay.textbook.star1 import star1
from perfectplay.textbook.star2 import star2

PLAYOUTS = 1000  # of a search by playouts, where nobody says


class Answer(NamedTuple):
    """What an algorithm found in a state, and what it cost."""

    value: float  # to MAX
    action: Any  # None where the game is over
    table: Mapping[Any, Any] | None  # None for an algorithm without one
    lower: float  # lower <= value <= upper, however wrong the guesses of a search with a depth may be;
    upper: float  # equal where there were none. The two unsound algorithms can be wrong about it
    nodes: int
    prunings: int
    values: tuple[float, ...] | None = None  # to every player, where the algorithm gives them


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of the textbook under the name by which people ask for it."""

    name: str
    function: Callable[..., Any]
    summary: str
    prunes: bool = False
    has_table: bool = False
    takes_depth: bool = False
    sound: bool = True  # False: the printed form can be wrong, see the errata
    depth: int | None = None  # where nobody gives one; None: to the end of the game
    takes_chance: bool = False  # is it for games in which chance moves, too?
    takes_utilities: bool = False  # and for those in which every player has a utility of its own?
    takes_playouts: bool = False
    exact: bool = True  # False: it gives no value of best play, but an average of play at random


def run(
    name: str,
    game: Game[State, Action],
    state: State,
    *,
    depth: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
) -> Answer:
    """Run the algorithm of that name on `state`, looking `depth` moves ahead where it can.

    `playouts` and `seed` are for a search by playouts.
    """
    algorithm = find_algorithm(name)
    return run_counted(algorithm, Counted(game), state, depth=depth, playouts=playouts, seed=seed)


def run_counted(
    algorithm: Algorithm,
    game: Counted[State, Action],
    state: State,
    *,
    depth: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
) -> Answer:
    """The same, on counters of the caller's own that can be read while it goes on."""
    check_depth(algorithm, depth)
    check_playouts(algorithm, playouts)
    check_suited(algorithm, game.game)
    options = {"playouts": playouts or PLAYOUTS, "seed": seed} if algorithm.takes_playouts else {}
    try:
        find = FINDERS[algorithm.function]
        found = find(game, state, algorithm.depth if depth is None else depth, **options)
    except RecursionError as error:
        raise _explained(error, algorithm, depth, game.game) from None
    worth: Any = found.value
    if not isinstance(worth, Real) or not isfinite(worth):
        raise BrokenGameError(
            f"the search found the value {worth!r}: either a state has no actions and is not terminal, "
            "or a worth is not a finite number; check_game says where."
        )
    worth = worth + 0  # a tie is 0, never -0.0
    lower, upper = found.limits or (worth, worth)
    return Answer(worth, found.action, found.table, lower, upper, game.nodes, game.prunings, found.values)


def check_depth(algorithm: Algorithm, depth: int | None) -> None:
    """Refuse a depth that the algorithm cannot take."""
    if depth is not None and not algorithm.takes_depth:
        raise BadParameterError(
            f"{algorithm.name} always looks to the end of the game: for a depth, use {with_depth()}."
        )
    if depth is not None and depth < 1:
        raise BadParameterError(f"a depth of {depth} finds no move: give 1 or more.")


def check_playouts(algorithm: Algorithm, playouts: int | None) -> None:
    """Refuse a number of playouts that cannot be, or for an algorithm that makes none."""
    if playouts is not None and not algorithm.takes_playouts:
        able = " or ".join(other.name for other in ALGORITHMS.values() if other.takes_playouts)
        raise BadParameterError(f"{algorithm.name} plays nothing out: for playouts, use {able}.")
    if playouts is not None and playouts < 1:
        raise BadParameterError(f"{playouts} playouts find no move: give 1 or more.")


def check_suited(algorithm: Algorithm, game: Game[Any, Any]) -> None:
    """Refuse a game that the algorithm is not for: one with chance, or without MIN."""
    if not algorithm.takes_chance:
        require_no_chance(game, algorithm.name)
    if not algorithm.takes_utilities:
        require_zero_sum(game, algorithm.name)


def with_depth(game: Game[Any, Any] | None = None) -> str:
    """The algorithms to be named to who needs one with a depth, for this game."""
    if game is not None and not game.zero_sum:
        return "max-n or paranoid"
    if game is not None and game.has_chance:
        return "expectiminimax or star2"
    return "alpha-beta-with-heuristics or sound-alpha-beta"


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name; hyphens and underscores are the same."""
    try:
        return ALGORITHMS[name.lower().replace("_", "-")]
    except KeyError:
        hint = did_you_mean(name.replace("_", "-"), ALGORITHMS)
        raise UnknownAlgorithmError(f"there is no algorithm {name!r}: {hint}") from None


_AIMA = "Russell and Norvig"
_COURSE = "the course's form with a table"

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "minimax-search",
            minimax_search,
            f"MINIMAX-SEARCH of {_AIMA}, 4th edition: the whole tree, value and move",
        ),
        Algorithm(
            "alpha-beta-search",
            alpha_beta_search,
            f"ALPHA-BETA-SEARCH of {_AIMA}, 4th edition: skips what cannot matter",
            prunes=True,
        ),
        Algorithm(
            "minimax-decision",
            minimax_decision,
            f"MINIMAX-DECISION of {_AIMA}, 3rd edition: the move only",
        ),
        Algorithm(
            "value",
            value,
            "the dispatch form of CS 188: asks at every state whose turn it is",
            takes_depth=True,
            takes_chance=True,
        ),
        Algorithm(
            "minimax",
            minimax,
            f"{_COURSE}: every state is worked out once",
            has_table=True,
        ),
        Algorithm(
            "alpha-beta",
            alpha_beta,
            f"{_COURSE} and pruning; stores bounds as values (see the errata)",
            prunes=True,
            has_table=True,
            sound=False,
        ),
        Algorithm(
            "alpha-beta-with-heuristics",
            alpha_beta_with_heuristics,
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
            "the course's two forms made right: an entry is an interval with a depth",
            prunes=True,
            has_table=True,
            takes_depth=True,
        ),
        Algorithm(
            "alpha-beta-value",
            alpha_beta_value,
            "the dispatch form of CS 188 with pruning, never on equality",
            prunes=True,
            takes_depth=True,
        ),
        Algorithm(
            "expectimax",
            expectimax,
            "the same against opponents who move at random, as project 2 of CS 188 has it",
            takes_depth=True,
            takes_chance=True,
            takes_utilities=True,
            exact=False,
        ),
        Algorithm(
            "expectiminimax",
            expectiminimax,
            f"EXPECTIMINIMAX of {_AIMA}, 4th edition: averages where chance moves",
            takes_depth=True,
            takes_chance=True,
        ),
        Algorithm(
            "star1",
            star1,
            "Star1 of Ballard: alpha-beta through chance nodes, by proven bounds",
            prunes=True,
            takes_depth=True,
            takes_chance=True,
        ),
        Algorithm(
            "star2",
            star2,
            "Star2 of Ballard: the same with a look at one action after every outcome",
            prunes=True,
            takes_depth=True,
            takes_chance=True,
        ),
        Algorithm(
            "max-n",
            max_n,
            "max^n of Luckhardt and Irani: everybody for themselves, any number of players",
            takes_depth=True,
            takes_chance=True,
            takes_utilities=True,
        ),
        Algorithm(
            "paranoid",
            paranoid,
            "one against all, any number of players, with pruning",
            prunes=True,
            takes_depth=True,
            takes_chance=True,
            takes_utilities=True,
        ),
        Algorithm(
            "monte-carlo-tree-search",
            monte_carlo_tree_search,
            f"MONTE-CARLO-TREE-SEARCH of {_AIMA}, 4th edition: playouts at random, by UCT",
            takes_chance=True,
            takes_utilities=True,
            takes_playouts=True,
            exact=False,
        ),
    )
}


def _explained(
    error: RecursionError, algorithm: Algorithm, depth: int | None, game: Game[Any, Any]
) -> Exception:
    """Why Python's stack was not enough: a cycle, a very long game, or rules that call themselves."""
    calls, frames_of_rules = _calls(error.__traceback__)
    if frames_of_rules > len(calls):
        return BrokenGameError("a method of the game calls itself without end: look for a loop there.")
    able = with_depth(game)
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
