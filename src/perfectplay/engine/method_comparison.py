"""Comparison of methods: one position searched by ever better methods, each with what the one before it had.

    minimax           every line of play
    alpha-beta        leaves out what cannot change the value
    + ordering        tries promising moves first: the game's order, killers, history
    + scouting        asks of later moves only whether they are better (principal variation search)
    + table           remembers what it found out about a state
    + deepening       searches every smaller depth first, for the sake of the ordering
    + knowledge       asks the game for bounds, candidates and symmetries, if it has any to give
    MTD(f)            the whole engine, asked "is it more?" again and again instead of "how much?"
    proof numbers     only who wins, and only where the end of the game is in sight

Where chance moves, they are

    expectiminimax    every line of play and every roll
    Star1             leaves out what cannot change the value, by the game's bounds
    + ordering        tries promising moves first
    Star2             looks at one action after every outcome first, where that pays
    + table           remembers what it found out about a state
    + deepening       searches every smaller depth first

and where every player has a utility of its own, max^n, + table and + deepening.

All search to the same depth, so that all but the last must find the same value. What a game knows may
correct its own estimates, though: where the value is not exact, it may be another with knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isclose, log, nextafter
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.engine.drivers import mtdf
from perfectplay.engine.engine import Engine
from perfectplay.engine.parallel_search import Budget
from perfectplay.engine.rules_only import knowledge, rules_only
from perfectplay.engine.workspace import (
    DEEPEST,
    EVERYTHING,
    LOOKING,
    ORDERING,
    PRUNING,
    SCOUTING,
    TABLES,
    UNPROVEN,
)
from perfectplay.errors import BadParameterError, GameOverError
from perfectplay.game import Game

TABLE_MB = 32
COMPILED_NODES = 20_000_000  # of plain minimax, for which a few seconds are enough
INTERPRETED_NODES = 150_000
PROOF_NUMBERS = "proof-number"


@dataclass(frozen=True)
class MethodResult:
    """What one method found, and at what cost; without a value if it was too much."""

    name: str
    depth: int
    value: float | None  # to the player to move
    exact: bool
    nodes: int
    hits: int
    seconds: float
    knowing: bool  # did it ask the game for more than its rules?
    note: str = ""

    @property
    def branching(self) -> float | None:
        """The effective branching factor: a tree of as many nodes has so many moves in every state."""
        return None if self.value is None else self.nodes ** (1 / self.depth)


class _Method(NamedTuple):
    name: str
    flags: int
    deepens: bool = False


METHODS = (
    _Method("minimax", 0),
    _Method("alpha-beta", PRUNING),
    _Method("+ ordering", PRUNING | ORDERING),
    _Method("+ scouting", PRUNING | ORDERING | SCOUTING),
    _Method("+ table", PRUNING | ORDERING | SCOUTING | TABLES | LOOKING),
    _Method("+ deepening", EVERYTHING, deepens=True),
)


WITH_CHANCE = (
    _Method("expectiminimax", 0),
    _Method("Star1", PRUNING),
    _Method("+ ordering", PRUNING | ORDERING),
    _Method("Star2", PRUNING | ORDERING | SCOUTING),
    _Method("+ table", PRUNING | ORDERING | SCOUTING | TABLES),
    _Method("+ deepening", EVERYTHING, deepens=True),
)
WITH_UTILITIES = (
    _Method("max^n", 0),
    _Method("+ table", TABLES),
    _Method("+ deepening", EVERYTHING, deepens=True),
)
PRECISION = 1e-9  # of averages, which are sums in another order


class MethodComparison:
    """The results for a position: `depth` plies, or as many as minimax can search within `nodes` states."""

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    ) -> None:
        if game.is_terminal(state):
            raise GameOverError("the game is over in this state: there is nothing to search.")
        if depth is not None and not 1 <= depth <= DEEPEST:
            raise BadParameterError(f"a depth of {depth} cannot be: give 1 to {DEEPEST}.")
        self.game = game
        self.state = state
        self.depth = depth
        self.methods = WITH_UTILITIES if not game.zero_sum else WITH_CHANCE if game.has_chance else METHODS
        # Without its bounds, Star1 and Star2 could cut nothing.
        self.knowledge = knowledge(game) if self.methods is METHODS else []
        self.always = [] if self.methods is METHODS else knowledge(game)  # what all methods ask for
        plain = rules_only(game) if self.knowledge else game
        self.engine = Engine(plain, table_mb=TABLE_MB, compile=compile)
        self.full = Engine(game, table_mb=TABLE_MB, compile=compile) if self.knowledge else self.engine
        self.nodes = nodes or (COMPILED_NODES if self.engine.compiled else INTERPRETED_NODES)

    def results(self) -> Iterator[MethodResult]:
        """One method after the other, from the bottom."""
        first = self.methods[0]
        lowest = self._deepest_minimax() if self.depth is None else self._measured(first, self.depth)
        yield lowest
        depth = self.depth = lowest.depth
        for method in self.methods[1:]:
            yield self._measured(method, depth)
        if self.methods is not METHODS:
            return
        if self.knowledge:
            yield self._measured(_Method("+ knowledge", EVERYTHING, deepens=True), depth, self.full)
        last = self._zeroed(depth)
        yield last
        if last.exact and (proven := self._proven(last)):
            yield proven

    # How each is measured.

    def _deepest_minimax(self) -> MethodResult:
        """Minimax, as deep as it can go within the nodes by how the tree has grown so far."""
        depth, last = 1, self._measured(self.methods[0], 1)
        growth = float(last.nodes)
        while not last.exact and depth < DEEPEST:
            step = max(1, round(log(3) / log(max(growth, 1.1))))  # every tree about three times the last
            if last.nodes * growth**step > self.nodes:
                break
            result = self._measured(self.methods[0], min(depth + step, DEEPEST))
            if result.value is None:
                break
            growth = (result.nodes / last.nodes) ** (1 / (result.depth - depth))
            depth, last = result.depth, result
        return last

    def _measured(self, method: _Method, depth: int, engine: Engine | None = None) -> MethodResult:
        engine = engine or self.engine
        began, budget = self._begin(engine, method.flags)
        value, exact = inf, False
        for plies in range(1 if method.deepens else depth, depth + 1):
            found = engine._run(self.state, -inf, inf, plies, budget)
            if not found.finished:
                return self._result(method.name, depth, engine, began)
            value, exact = found.value, found.height < UNPROVEN
            if exact:
                break
        return self._result(method.name, depth, engine, began, value, exact=exact)

    def _zeroed(self, depth: int) -> MethodResult:
        """MTD(f), depth by depth: the value of the last is the first guess for the next."""
        name, engine = "MTD(f)", self.full
        began, budget = self._begin(engine, EVERYTHING)
        guess, exact = 0.0, False
        for plies in range(1, depth + 1):
            lower, upper = -inf, inf
            heights = [UNPROVEN, UNPROVEN]  # of the proofs that it is no less, and no more
            while lower < upper:
                is_first = lower == -inf and upper == inf
                question = nextafter(guess, -inf) if is_first else mtdf(lower, upper, guess)
                found = engine._run(self.state, question, nextafter(question, inf), plies, budget)
                if not found.finished:
                    return self._result(name, depth, engine, began)
                guess = found.value
                if guess > question:
                    lower, heights[0] = guess, found.height
                else:
                    upper, heights[1] = guess, found.height
            exact = max(heights) < UNPROVEN
            if exact:
                break
        return self._result(name, depth, engine, began, guess, exact=exact)

    def _proven(self, last: MethodResult) -> MethodResult | None:
        """Proof numbers: not the value, but who wins."""
        engine = self.full
        try:
            found = engine.solve(self.state, nodes=self.nodes, driver=PROOF_NUMBERS, line=False)
        except BadParameterError:  # the engine has no such driver
            return None
        told = "a win" if found.lower > 0 else "a loss" if found.upper < 0 else ""
        told = told or ("a tie" if found.lower == found.upper == 0 else "")
        return MethodResult(
            "proof numbers",
            last.depth,
            max(found.lower, min(found.upper, last.value or 0)),
            found.exact,
            found.nodes,
            found.hits,
            found.seconds,
            knowing=bool(self.knowledge),
            note=f"{told} for the player to move" if told else f"nothing proven in {self.nodes:,} nodes",
        )

    def _begin(self, engine: Engine, flags: int) -> tuple[float, Budget]:
        """A clean workspace and an empty table: nothing is owed to the method before."""
        engine.forget()
        engine._parallel.begin(flags)
        return perf_counter(), Budget(inf, self.nodes)

    def _result(
        self,
        name: str,
        depth: int,
        engine: Engine,
        began: float,
        value: float | None = None,
        *,
        exact: bool = False,
    ) -> MethodResult:
        return MethodResult(
            name,
            depth,
            None if value is None else int(value) if value.is_integer() else value,
            exact,
            engine._parallel.nodes,
            engine._parallel.hits,
            perf_counter() - began,
            knowing=bool(self.knowledge) and engine is self.full,
            note=f"left after {self.nodes:,} nodes" if value is None else "",
        )


def disagreement(results: list[MethodResult]) -> str | None:
    """What is wrong if two results that must agree do not, or None."""
    known = [result for result in results if result.value is not None]
    for one in known:
        for other in known:
            comparable = one.knowing == other.knowing or (one.exact and other.exact)
            assert one.value is not None
            assert other.value is not None
            if comparable and not isclose(one.value, other.value, rel_tol=PRECISION, abs_tol=PRECISION):
                return (
                    f"{one.name} finds {one.value:g} and {other.name} {other.value:g}, and both "
                    "cannot be right: the game breaks its contract (see perfectplay check), or this is a bug"
                )
    return None
