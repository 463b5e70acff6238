"""The engine for games with chance: expectiminimax in threads over one table, deeper and deeper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

from perfectplay.engine import expectiminimax
from perfectplay.engine.analysis import Analysis
from perfectplay.engine.endgame_table import EndgameTable
from perfectplay.engine.engine import Engine, Reached
from perfectplay.engine.expectation_table import ExpectationMemory, ExpectationWorkspace
from perfectplay.engine.methods import EXPECTIMINIMAX, OTHER_METHODS
from perfectplay.engine.parallel_search import Budget, Found, ParallelSearch, Root
from perfectplay.engine.workspace import SOLVING, Workspace
from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, WORD, Game, require_zero_sum, same_side

ROUNDING = 1e-9  # of averages, beside values of size 1: a window that is not wider says nothing of them


class ExpectationSearch(ParallelSearch):
    """Threads whose search knows values to MAX alone, and who answers for whoever moves."""

    def new_workspace(self) -> Workspace:
        """A workspace for one thread."""
        return self.memory.workspace(ExpectationWorkspace)

    def clear(self, flags: int) -> None:
        """Clear the workspaces, also of what probing was worth in the question before."""
        super().clear(flags)
        for workspace in self.workspaces:
            workspace.probes = workspace.cuts = 0  # type: ignore[attr-defined]

    def run(self, game: Any, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        """Search one window, which is about the player who moves; of chance, about MAX."""
        if same_side(game.to_move(state), MAX):
            return super().run(game, state, alpha, beta, depth, budget)
        found = super().run(game, state, -beta, -alpha, depth, budget)
        return found._replace(value=-found.value)

    def _root(self, game: Any, state: Any) -> Root:
        if self.root is None or self.root.state is not state:
            least, most = expectiminimax.limits(game, state)
            self.root = Root(state, game.key(state) & WORD, least, most)
        return self.root


class ExpectiminimaxEngine(Engine):
    """An engine for two sides and dice: where chance moves, values are those to MAX, and nobody acts."""

    method = EXPECTIMINIMAX
    kernel: Callable[..., Any] = staticmethod(expectiminimax.search)
    memory_class = ExpectationMemory
    search_class = ExpectationSearch

    def _require_suited(self, game: Game[Any, Any]) -> None:
        require_zero_sum(game, self.method, OTHER_METHODS)

    def _check_options(self, threads: int, tablebase: EndgameTable | None) -> None:
        if tablebase is not None:
            raise BadParameterError(f"{self.method} looks into no tablebase: leave it out.")

    def _around(self, value: float, change: float) -> tuple[float, float]:
        change += ROUNDING * max(1.0, abs(value))
        return value - change, value + change

    def _solved(self, state: Any, began: float, budget: Budget, driver: str, line: bool) -> Analysis:
        """The exact value by one search to the end: averages are not found by asking in steps."""
        found = self._run(state, -inf, inf, SOLVING, budget)
        if not found.finished:
            lower, upper, _ = self._limits(state)
            return replace(self._guess(state), lower=lower, upper=upper)
        best = found._replace(height=0)
        seconds = perf_counter() - began
        reached = Reached(best, len(found.line), seconds, self._parallel.nodes, self._parallel.hits)
        return self._answer(state, reached)

    def _interval(self, state: Any, budget: Budget, driver: str) -> tuple[float, float, int]:
        found = self._run(state, -inf, inf, SOLVING, budget)
        if found.finished:
            return found.value, found.value, found.best
        return self._limits(state)

    def _limits(self, state: Any) -> tuple[float, float, int]:
        """What is known of a state without searching, and no action."""
        least, most = expectiminimax.limits(self.game, state)
        return (least, most, -1) if same_side(self.game.to_move(state), MAX) else (-most, -least, -1)
