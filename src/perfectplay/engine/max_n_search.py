"""The engine for games in which every player has a utility of its own: max^n, deeper and deeper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf, isnan
from time import perf_counter
from typing import Any

from perfectplay.compiler import Kind, Trap
from perfectplay.engine import max_n
from perfectplay.engine.analysis import NOT_A_NUMBER, Analysis, Ranked
from perfectplay.engine.endgame_table import EndgameTable
from perfectplay.engine.engine import Engine, Reached
from perfectplay.engine.max_n import MaxNWorkspace
from perfectplay.engine.memory import Memory
from perfectplay.engine.methods import MAX_N
from perfectplay.engine.parallel_search import Budget, Found, ParallelSearch, Root
from perfectplay.engine.ranking import unknown_ranking
from perfectplay.engine.workspace import DEEPEST, OUT_OF_BUDGET, PLIES, SOLVING, UNPROVEN, Workspace
from perfectplay.errors import BadParameterError, BrokenGameError
from perfectplay.game import WORD, Game


class MaxNMemory(Memory):
    """A table of values to every player, and the workspace of one thread."""

    def __init__(self, *given: Any, players: int) -> None:
        self.players = players
        self.entry_bytes = 16 + 8 * players
        super().__init__(*given)
        self.vectors = self.allocator.array(float, players * len(self.table.entries))


class MaxNSearch(ParallelSearch):
    """A thread whose search knows values to every player."""

    memory: MaxNMemory

    def new_workspace(self) -> Workspace:
        """A workspace with room for values."""
        values = self.memory.allocator.array(float, (PLIES + 2) * self.memory.players)
        return self.memory.workspace(MaxNWorkspace, values=values, vectors=self.memory.vectors)

    def _root(self, game: Any, state: Any) -> Root:
        return Root(state, game.key(state) & WORD, -inf, inf)

    def _searched(
        self, game: Any, workspace: Any, root: Root, alpha: float, beta: float, depth: int
    ) -> float:
        try:
            return float(self.search(game, workspace, root.state, root.key, depth, 0))
        except Trap as trap:
            if not trap.is_stop:
                raise
            workspace.stopped = OUT_OF_BUDGET
            return 0.0

    def _found(self, workspace: Any, value: float, *, finished: bool) -> Found:
        values = tuple(workspace.values[: self.memory.players])
        return super()._found(workspace, value, finished=finished)._replace(values=values)


class MaxNEngine(Engine):
    """An engine for any number of players, each of whom wants the most for itself."""

    method = MAX_N
    kernel: Callable[..., Any] = staticmethod(max_n.search)
    arguments: tuple[Kind, ...] = ("game", "record", "state", "word", "number", "number")
    search_class: Any = MaxNSearch

    def _require_suited(self, game: Game[Any, Any]) -> None:
        """Every game is one for max^n."""

    def _check_options(self, threads: int, tablebase: EndgameTable | None) -> None:
        if threads > 1:
            raise BadParameterError(f"{self.method} searches in one thread: give threads=1, or use mcts.")
        if tablebase is not None:
            raise BadParameterError(f"{self.method} looks into no tablebase: leave it out.")

    def _set_up(self, search: Any) -> None:
        self.memory_class = partial(MaxNMemory, players=self.game.players)
        super()._set_up(search)

    def rank(
        self, state: Any, *, depth: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> list[Ranked]:
        """Every action with its value to the player who moves, the best first."""
        last = None
        for last in self.rankings(state, depth=depth, seconds=seconds, nodes=nodes):  # noqa: B007
            pass
        return last.moves if last else unknown_ranking(self, state)

    def _depths(self, state: Any, depth: int | None, began: float, budget: Budget) -> Iterator[Reached]:
        """Search deeper and deeper, until the values are exact or a limit is met."""
        for plies in range(1, min(DEEPEST if depth is None else depth, DEEPEST) + 1):
            found = self._run(state, -inf, inf, plies, budget)
            if not found.finished:
                return
            if any(map(isnan, found.values or ())):
                raise BrokenGameError(NOT_A_NUMBER)
            seconds = perf_counter() - began
            yield Reached(found, plies, seconds, self._parallel.nodes, self._parallel.hits)
            if found.height < UNPROVEN:
                return

    def _answer(self, state: Any, reached: Reached) -> Analysis:
        return replace(super()._answer(state, reached), values=reached.found.values)

    def _solved(self, state: Any, began: float, budget: Budget, driver: str, line: bool) -> Analysis:
        found = self._run(state, -inf, inf, SOLVING, budget)
        if not found.finished:
            return self._guess(state)
        proven = found._replace(height=0)
        seconds = perf_counter() - began
        reached = Reached(proven, len(found.line), seconds, self._parallel.nodes, self._parallel.hits)
        return self._answer(state, reached)

    def _worth(self, state: Any, child: Any, found: Found) -> float:
        assert found.values is not None
        return found.values[max(self.game.to_move(state), 0)]

    def _key_on_line(self, child: Any) -> int:
        return self.game.key(child) & WORD
