"""Anytime analysis: every action with an estimate that deepens, until what is proven takes its place.

Deepening and solving take turns, each over a table of its own. A turn ends after so many nodes, and what it
was at is gone on with in the next one: the table knows what was found. An analysis can be left and taken up
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, isnan, nextafter
from typing import TYPE_CHECKING, Any

from perfectplay.engine.analysis import NOT_A_NUMBER, Ranked, Ranking, nearest_to_tie, plain
from perfectplay.engine.drivers import mtdf
from perfectplay.engine.parallel_search import Budget, Found
from perfectplay.engine.workspace import DEEPEST, SOLVING, UNPROVEN
from perfectplay.errors import BadParameterError, BrokenGameError, EndlessGameError
from perfectplay.game import same_side

if TYPE_CHECKING:
    from perfectplay.engine.engine import Engine

FIRST_TURN = 1 << 14  # nodes: the first estimates come at once,
LONGEST_TURN = 1 << 23  # and what is hard is not left too often
NEWS = 0.25  # seconds after which a turn ends in any case, so that whoever waits hears of it
PROVING_TURNS = 2  # for one of deepening,
REACHED_TURNS = 4  # and where the end of the game has been seen to be within reach
REMEMBERED = 64  # analyses that an engine can go on with


class Worth:
    """What is known by now of an action, to the player who plays it."""

    def __init__(self, engine: Engine, state: Any, action: Any) -> None:
        game = engine.game
        self.action = action
        self.child = game.result(state, action)
        self.sign = 1 if same_side(game.to_move(state), game.to_move(self.child)) else -1
        self.lower, self.upper = -inf, inf  # the value is proven to be between these
        known = engine._endgames.value_after(state, self.child)
        if known is None:
            least, most = map(float, game.bounds(self.child, game.to_move(self.child)))
            self.narrow(*((least, most) if self.sign == 1 else (-most, -least)))
        else:
            self.narrow(known, known)
        self.asked: float | None = None  # what the last search to the end answered
        self.found: Found | None = None  # by the deepest search that all actions have had,
        self.deeper: Found | None = None  # and by the one that they are having

    @property
    def exact(self) -> bool:
        """Is nothing left to find out?"""
        return self.lower >= self.upper

    @property
    def value(self) -> float:
        """The proven value, or the estimate as far as it agrees with what is proven."""
        if self.found is None:
            return nearest_to_tie(self.lower, self.upper)
        return max(self.lower, min(self.upper, self.sign * self.found.value))

    def narrow(self, lower: float, upper: float) -> None:
        """Take note of limits that are proven."""
        if isnan(lower) or isnan(upper):
            raise BrokenGameError(NOT_A_NUMBER)
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)

    def estimated(self, found: Found) -> None:
        """Take note of a search of some depth, which may have come to the end of the game."""
        if isnan(found.value):
            raise BrokenGameError(NOT_A_NUMBER)
        self.deeper = found
        if found.height < UNPROVEN:
            self.narrow(self.sign * found.value, self.sign * found.value)

    def window(self) -> tuple[float, float]:
        """What to ask of the child next: does the action win, and what is its value?"""
        wins = self.lower <= 0 < self.upper
        above = 0.0 if wins else mtdf(self.lower, self.upper, self.asked)
        beyond = nextafter(above, inf)
        return (above, beyond) if self.sign == 1 else (-beyond, -above)

    def answered(self, found: Found, alpha: float) -> None:
        """Take note of what the child's search to the end has found, for a window from alpha."""
        value = self.asked = self.sign * found.value
        if (found.value > alpha) == (self.sign == 1):
            self.narrow(value, inf)
        else:
            self.narrow(-inf, value)


class Progress:
    """How far the analysis of a state has come."""

    def __init__(self, engine: Engine, state: Any) -> None:
        self.engine = engine
        self.state = state
        self.worths = [Worth(engine, state, action) for action in engine.game.actions(state)]
        self.depth = 0  # plies that all actions have been searched to
        self.asked: float | None = None  # what the last search to the end of the game answered
        self.line: tuple[Any, ...] = ()  # best play, once it is proven
        self.endless = False  # has a search to the end met play without one?
        self.nodes = self.hits = 0  # of earlier questions
        self.seconds = 0.0

    def is_exact(self) -> bool:
        """Is nothing left to find out?"""
        return all(worth.exact for worth in self.worths)

    @property
    def best(self) -> Worth:
        """The action that is worth most; if several are, one that is proven."""
        return max(self.worths, key=lambda worth: (worth.value, worth.exact))

    @property
    def decided(self) -> bool:
        """Is the value of the state proven, whatever the other actions are worth?"""
        best = self.best
        return best.exact and all(worth.upper <= best.value for worth in self.worths)

    @property
    def limits(self) -> tuple[float, float]:
        """What the value of the state is proven to be between."""
        return max(worth.lower for worth in self.worths), max(worth.upper for worth in self.worths)

    def deepen(self, budget: Budget) -> bool:
        """Search what is not proven one ply deeper; if the budget ends before that, False."""
        for worth in self.worths:
            if worth.exact or worth.deeper is not None:
                continue
            with self.engine._parallel.estimating():
                found = self._run(worth.child, -inf, inf, self.depth, budget)
            if not found.finished:
                return False
            worth.estimated(found)
        for worth in self.worths:
            worth.found, worth.deeper = worth.deeper or worth.found, None
        self.depth += 1
        return True

    def prove(self, budget: Budget) -> bool:
        """Answer one question about the end of the game; if that is not found, False.

        Where play goes in circles there may be none: then deepening alone goes on, which sees near ends.
        """
        if self.endless:
            return False
        try:
            return self._prove(budget)
        except EndlessGameError:
            self.endless = True
            return False

    def _prove(self, budget: Budget) -> bool:
        if not self.decided:
            return self._prove_state(budget)
        worth = max((worth for worth in self.worths if not worth.exact), key=lambda worth: worth.value)
        alpha, beta = worth.window()
        found = self._run(worth.child, alpha, beta, SOLVING, budget)
        if found.finished:
            worth.answered(found, alpha)
        return found.finished

    def _prove_state(self, budget: Budget) -> bool:
        """Ask whether the state is worth more than what is proven: the search knows what to try first."""
        lower, upper = self.limits
        alpha = mtdf(lower, upper, self.asked) if lower < upper else nextafter(upper, -inf)
        found = self._run(self.state, alpha, nextafter(alpha, inf), SOLVING, budget)
        if not found.finished:
            return False
        self.asked = found.value
        if found.value <= alpha:
            for worth in self.worths:
                worth.narrow(-inf, found.value)
        else:
            action = self.engine._candidates(self.state)[found.best]
            next(worth for worth in self.worths if worth.action == action).narrow(found.value, inf)
        return True

    def _run(self, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        self.engine._parallel.forget_best()
        return self.engine._run(state, alpha, beta, depth, budget)

    def find_line(self, budget: Budget) -> None:
        """Find best play from here to the end, or some of it, where it is proven what that is worth."""
        best, engine = self.best, self.engine
        if self.endless:
            return
        if self.decided and (self.line[:1] != (best.action,) or not self._is_finished(self.line)):
            try:
                line = engine._solution(self.state, best.action, best.value, budget)
            except EndlessGameError:
                self.endless = True
                return
            self.line = engine._endgames.extended(self.state, line)

    def _is_finished(self, line: tuple[Any, ...]) -> bool:
        """Is the game over after these actions?"""
        state = self.state
        for action in line:
            state = self.engine.game.result(state, action)
        return self.engine.game.is_terminal(state)

    def ranking(self, began: float) -> Ranking:
        """What is known by now, asked for at that time of the clock."""
        engine, best = self.engine, self.best
        line = self.line if self.line[:1] == (best.action,) else (best.action,)
        if len(line) == 1 and best.found is not None:
            line += engine._line(best.child, best.found)
        found = engine._analysis(
            best.value,
            engine._endgames.extended(self.state, line),
            self.depth,
            began - self.seconds,
            exact=self.decided,
            lower=self.limits[0],
            upper=self.limits[1],
            before=(self.nodes, self.hits),
        )
        moves = [
            Ranked(
                worth.action,
                plain(worth.value),
                worth.value == best.value,
                worth.exact,
                plain(worth.lower),
                plain(worth.upper),
            )
            for worth in self.worths
        ]
        return Ranking(found, sorted(moves, key=lambda move: (-move.value, not move.exact)))

    def leave(self, seconds: float) -> None:
        """Count what this question took, for when somebody goes on."""
        self.nodes += self.engine._parallel.nodes
        self.hits += self.engine._parallel.hits
        self.seconds += seconds

    def take(self, known: Mapping[Any, tuple[float, float]]) -> None:
        """Take over what was proven elsewhere: by action, the limits of its value."""
        by_action = {worth.action: worth for worth in self.worths}
        for action, (lower, upper) in known.items():
            if action not in by_action:
                raise BadParameterError(
                    f"{action!r} is no action of this state: give what is known of others."
                )
            if not lower <= upper:
                raise BadParameterError(
                    f"{action!r} cannot be worth {lower!r} to {upper!r}: give the lower first."
                )
            by_action[action].narrow(lower, upper)


def analysed(progress: Progress, began: float, budget: Budget) -> Iterator[Ranking]:
    """What is known of all actions, again and again, until all is proven or the budget is spent."""
    if progress.depth > 0 or progress.is_exact():
        yield progress.ranking(began)
    turn = FIRST_TURN
    while not progress.is_exact():
        if progress.depth == 0 or (progress.depth < DEEPEST and (progress.endless or not progress.decided)):
            ends = _turn(progress, turn, budget)
            while progress.deepen(ends) and not progress.is_exact():
                yield progress.ranking(began)
                if progress.depth == DEEPEST:
                    break
        for _ in range(PROVING_TURNS if progress.asked is None else REACHED_TURNS):
            ends = _turn(progress, turn, budget)
            while not progress.is_exact() and progress.prove(ends):
                progress.find_line(ends)
                if progress.depth > 0 and not progress.is_exact():
                    yield progress.ranking(began)
        if progress.is_exact():
            progress.find_line(budget)
        if progress.depth > 0 or progress.is_exact():  # if nothing else, the counters have moved
            yield progress.ranking(began)
        if _is_over(progress, budget) or (progress.endless and progress.depth == DEEPEST):
            return
        turn = min(2 * turn, LONGEST_TURN)


def _turn(progress: Progress, nodes: int, budget: Budget) -> Budget:
    """The part of a budget that is one turn's."""
    return budget.part(NEWS, progress.engine._parallel.nodes + nodes)


def _is_over(progress: Progress, budget: Budget) -> bool:
    """Is there nothing left of the budget, or nobody who waits?"""
    engine = progress.engine
    return budget.spent or engine._parallel.nodes >= budget.nodes or engine._workers.is_stopped
