"""Find the smallest games on which the course's searches with a table are wrong at the root.

    python examples/smallest_counterexamples.py                a player may move twice running
    python examples/smallest_counterexamples.py --alternate    the players take turns
    python examples/smallest_counterexamples.py --parallel 2   two actions may lead to the same state

All games without cycles are tried, those with fewer states first and among these those with fewer moves,
until one comes out wrong. What is left out cannot be the smallest:

- Other names for the states. They are numbered as a search in the order of the actions leaves them, which
  numbers each game in one way only, and gives every state a higher number than those it leads to.
- Other utilities. A search only compares them, so only their order counts. Two terminal states of equal
  utility can be made one: a terminal state is never stored with a wrong value, so every search goes on as
  before, in a smaller game. Hence N terminal states are worth 0 to N - 1, in every order.
- A single terminal state: every value is the same. (With a heuristic it is tried.)
- MAX to move at the root: swap the players and the signs.
- A table that is never read: some state that is not terminal must have two moves that lead to it.
- Two actions of a state that lead to the same terminal state: the second finds an equal value and changes
  nothing. For other states --parallel says how many actions of a state may lead there (1 if not given).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations, product
from math import inf
from typing import Any, NamedTuple

from perfectplay import MAX, MIN, Game
from perfectplay.games import ExplicitTree
from perfectplay.textbook import (
    Counted,
    DepthLimit,
    alpha_beta,
    alpha_beta_with_heuristics,
    minimax,
    sound_alpha_beta,
)

Shape = tuple[tuple[int, ...], ...]  # for every state, where its actions lead; the root is the last


class SmallGame(Game[int, int]):
    """A game on a shape: an action is the state it leads to, a worth is a utility or an estimate."""

    def __init__(self, shape: Shape, turns: Mapping[int, int], worths: Mapping[int, int]) -> None:
        self.shape = shape
        self.turns = turns
        self.worths = worths

    def initial(self) -> int:
        """The last state."""
        return len(self.shape) - 1

    def to_move(self, state: int) -> int:
        """MAX where nobody moves."""
        return self.turns.get(state, MAX)

    def actions(self, state: int) -> tuple[int, ...]:
        """The states they lead to."""
        return self.shape[state]

    def result(self, state: int, action: int) -> int:
        """The action itself."""
        return action

    def is_terminal(self, state: int) -> bool:
        """Does nothing follow?"""
        return not self.shape[state]

    def utility(self, state: int, player: int) -> int:
        """The worth of a terminal state."""
        return self.worths[state] if player == MAX else -self.worths[state]

    def evaluate(self, state: int, player: int) -> int:
        """The estimate of another state."""
        return self.utility(state, player)


class Case(NamedTuple):
    """A game, and after how many moves the search is cut off there."""

    game: SmallGame
    limit: int | None = None  # None: nowhere


class Round(NamedTuple):
    """The games with so many states and moves: how many there are, and those that come out wrong."""

    states: int
    moves: int
    games: int
    wrong: list[Case]


class Fault(NamedTuple):
    """A fault of a search: the cases where it may show, and whether it does."""

    title: str
    cases: Callable[[Shape, bool], Iterator[Case]]
    is_wrong: Callable[[Case], bool]


def rounds(fault: Fault, *, alternate: bool = False, parallel: int = 1, states: int = 1) -> Iterator[Round]:
    """Round after round, from so many states up to the first in which a game comes out wrong."""
    while True:
        for moves in range(states, parallel * states * (states - 1) // 2 + 1):
            games = 0
            wrong = []
            for shape in shapes(states, moves, parallel):
                if not reads_its_table(shape):
                    continue
                for case in fault.cases(shape, alternate):
                    games += 1
                    if fault.is_wrong(case):
                        wrong.append(case)
            yield Round(states, moves, games, wrong)
            if wrong:
                return
        states += 1


def shapes(states: int, moves: int, parallel: int = 1) -> Iterator[Shape]:
    """Every shape with so many states, all of them reachable, and so many moves."""

    def grow(left: Shape, entered: Shape, spare: int) -> Iterator[Shape]:
        """Let a search that has left some states, and is in the entered ones, go on in every way."""
        *above, here = entered
        if not above and len(left) == states - 1 and spare == 0:
            yield (*left, here)
        if spare == 0:
            return
        if above:  # leave the state for the one above, which thereby has a move here
            *higher, parent = above
            yield from grow((*left, here), (*higher, (*parent, len(left))), spare - 1)
        for state, successors in enumerate(left):
            if here.count(state) < (parallel if successors else 1):
                yield from grow(left, (*above, (*here, state)), spare - 1)
        if len(left) + len(entered) < states:
            yield from grow(left, (*entered, ()), spare)

    yield from grow((), ((),), moves)


def reads_its_table(shape: Shape) -> bool:
    """Do two moves lead to a state that is not terminal?"""
    reached = [state for successors in shape for state in successors if shape[state]]
    return len(reached) > len(set(reached))


def cases_with_utilities(shape: Shape, alternate: bool) -> Iterator[Case]:
    """The games on a shape, with utilities in every order."""
    terminal = [state for state, successors in enumerate(shape) if not successors]
    if len(terminal) == 1:
        return
    for turns in turns_on(shape, alternate):
        for worths in permutations(range(len(terminal))):
            yield Case(SmallGame(shape, turns, dict(zip(terminal, worths, strict=True))))


def cases_with_estimates(shape: Shape, alternate: bool) -> Iterator[Case]:
    """The games on a shape, cut off after any number of moves, with utilities and estimates in every order.

    Estimates may equal each other or a utility, and only states where the search is cut off have one.
    """
    terminal = [state for state, successors in enumerate(shape) if not successors]
    for limit in range(1, len(shape)):
        cut = [state for state in reached_after(limit, shape) if shape[state]]
        valued = [*terminal, *cut]
        orders = [
            worths
            for worths in product(range(len(valued)), repeat=len(valued))
            if set(worths) == set(range(max(worths) + 1))  # no gaps: each order once
            and len(set(worths[: len(terminal)])) == len(terminal)
        ]
        for turns in turns_on(shape, alternate):
            for worths in orders:
                yield Case(SmallGame(shape, turns, dict(zip(valued, worths, strict=True))), limit)


def turns_on(shape: Shape, alternate: bool) -> Iterator[dict[int, int]]:
    """Every way to say whose turn it is, with MIN to move at the root."""
    inner = [state for state, successors in enumerate(shape) if successors]
    if not alternate:
        *others, root = inner
        for players in product((MAX, MIN), repeat=len(others)):
            yield {**dict(zip(others, players, strict=True)), root: MIN}
        return
    turns = {len(shape) - 1: MIN}
    for state in reversed(inner):  # whatever leads to a state comes before it
        for successor in shape[state]:
            if shape[successor] and turns.setdefault(successor, 1 - turns[state]) == turns[state]:
                return
    yield turns


def reached_after(moves: int, shape: Shape) -> list[int]:
    """The states that some line of so many moves ends in."""
    reached = {len(shape) - 1}
    for _ in range(moves):
        reached = {successor for state in reached for successor in shape[state]}
    return sorted(reached)


def alpha_beta_is_wrong(case: Case) -> bool:
    """Does `alpha_beta` give the root another value than minimax?"""
    root = case.game.initial()
    return alpha_beta(case.game, root, {}) != minimax(case.game, root, {})


def heuristic_alpha_beta_is_wrong(case: Case) -> bool:
    """Does `alpha_beta_with_heuristics` go wrong without any pruning?

    Then no bound can be to blame: without a pruning every value is that of a whole loop.
    """
    game, limit = case
    counted = Counted(game)
    root = game.initial()
    answer = alpha_beta_with_heuristics(counted, root, {}, -inf, inf, 1, DepthLimit(game, limit or 0))
    return counted.prunings == 0 and answer != limited_minimax(game, root, limit)


def limited_minimax(game: Game[int, int], state: int, limit: int | None) -> float:
    """The value to MAX, without table or pruning, where the search is cut off after so many moves."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if limit == 0:
        return game.evaluate(state, MAX)
    best = max if game.to_move(state) == MAX else min
    below = None if limit is None else limit - 1
    return best(limited_minimax(game, game.result(state, a), below) for a in game.actions(state))


BOUND = Fault("A bound kept as a value: alpha_beta", cases_with_utilities, alpha_beta_is_wrong)
GUESS = Fault(
    "A guess kept without its depth: alpha_beta_with_heuristics",
    cases_with_estimates,
    heuristic_alpha_beta_is_wrong,
)


def most_telling(wrong: list[Case]) -> Case:
    """The first case in which the cut-off is not to blame: the search would see the value of the game."""
    return next(
        case
        for case in wrong
        if minimax(case.game, case.game.initial(), {})
        == limited_minimax(case.game, case.game.initial(), case.limit)
    )


def drawn(case: Case) -> ExplicitTree:
    """The same game with names: A, B, C, ... from the root down, T0, T1, ... by their utilities."""
    shape, turns, worths = case.game.shape, case.game.turns, case.game.worths
    names: dict[int, str] = {}

    def name(state: int) -> None:
        if state not in names:
            letter = chr(ord("A") + sum(bool(shape[named]) for named in names))
            names[state] = letter if shape[state] else f"T{worths[state]}"
            for successor in shape[state]:
                name(successor)

    name(len(shape) - 1)
    return ExplicitTree(
        {
            label: {f"{label.lower()}{n}": names[below] for n, below in enumerate(shape[state], 1)}
            for state, label in names.items()
            if shape[state]
        },
        {label: worths[state] for state, label in names.items() if not shape[state]},
        {label: turns[state] for state, label in names.items() if shape[state]},
        estimates={names[state]: worth for state, worth in worths.items() if shape[state]},
    )


def main() -> None:
    """Search, and show what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--alternate", action="store_true", help="the players take turns")
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="actions to the same state")
    arguments = parser.parse_args()
    if arguments.parallel < 1:
        parser.error(f"--parallel {arguments.parallel} leaves no action: give 1 or more.")
    for fault in (BOUND, GUESS):
        show(fault, arguments.alternate, arguments.parallel)


def show(fault: Fault, alternate: bool, parallel: int) -> None:
    """Search for the smallest game with a fault, and draw it."""
    print(f"{fault.title}\n\n  states    games  wrong")
    games: Counter[int] = Counter()
    for done in rounds(fault, alternate=alternate, parallel=parallel):
        games[done.states] += done.games
        progress(f"{done.states} states, {done.moves} moves: {games[done.states]:,} games")
    progress("")
    for states in range(1, done.states):
        print(f"  {states:6} {games[states]:8,}      0")
    print(f"  {done.states:6} {games[done.states]:8,} {len(done.wrong):6}   (up to {done.moves} moves)\n")
    case = most_telling(done.wrong)
    describe(drawn(case), case.limit)


def describe(game: ExplicitTree, limit: int | None) -> None:
    """Draw a game and say what the searches make of it."""
    root = game.initial()
    print(game.render(root))
    says: dict[Any, Any] = {}
    exact: dict[Any, Any] = {}
    if limit is None:
        print(f"\nalpha_beta says {alpha_beta(game, root, says):g}, minimax {minimax(game, root, exact):g}.")
        entries = (
            f"{state} {kept.value:g}" + ("" if kept.value == exact[state].value else "*")
            for state, kept in says.items()
        )
        print(f"Its table: {', '.join(entries)} (*: not the value).")
    else:
        guess = alpha_beta_with_heuristics(game, root, says, -inf, inf, 1, DepthLimit(game, limit))
        estimates = ", ".join(f"{state} {worth:g}" for state, worth in game.estimates.items())
        print(f"\nCut off after {limit} moves. Estimates: {estimates}.")
        print(f"alpha_beta_with_heuristics says {guess:g}, ", end="")
        print(f"minimax with the same cut-off {limited_minimax(game, root, limit):g}.")
        print(f"Its table: {', '.join(f'{state} {kept.value:g}' for state, kept in says.items())}.")
    sound = sound_alpha_beta(game, root, {}, -inf, inf, 1, DepthLimit(game, limit) if limit else None)
    print(f"sound_alpha_beta says {sound:g}.\n")


def progress(what: str) -> None:
    """One line on the terminal, written over by the next."""
    if sys.stderr.isatty():
        print(f"\r{what:<50}\r", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
