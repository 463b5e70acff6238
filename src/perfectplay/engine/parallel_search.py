"""The threads that search one state together, each at its own workspace, over one table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.compiler import Trap
from perfectplay.engine.memory import Memory, Objects, fill
from perfectplay.engine.workers import Workers
from perfectplay.engine.workspace import OUT_OF_BUDGET, PLIES, TOO_DEEP, TOO_WIDE, Workspace
from perfectplay.errors import EndlessGameError
from perfectplay.game import WORD

SPLIT_PLY = 16  # down to here from the root, threads try different moves of a state


class Budget(NamedTuple):
    """How long a search may go on: until some time of the clock, and for so many nodes."""

    deadline: float
    nodes: int

    @property
    def spent(self) -> bool:
        """Is the time over?"""
        return perf_counter() >= self.deadline

    def part(self, seconds: float, nodes: int) -> Budget:
        """What of it ends so many seconds from now, or at that count of nodes."""
        return Budget(min(self.deadline, perf_counter() + seconds), min(self.nodes, nodes))


class Found(NamedTuple):
    """What the search of a window found."""

    value: float
    finished: bool
    height: int  # plies of its proof
    best: int  # the number of the best candidate, or -1
    line: list[int]  # the keys of the states to come
    values: tuple[float, ...] | None = None  # to every player, where each has a utility of its own


class Root(NamedTuple):
    """The state that a question is about."""

    state: Any
    key: int
    least: float  # what its value is known to be at least, to the player who moves,
    most: float  # and at most


class ParallelSearch:
    """Runs a search function in threads, each at its own workspace."""

    def __init__(self, search: Any, memory: Memory, workers: Workers) -> None:
        self.search = search
        self.is_plain = isinstance(memory.allocator, Objects)
        self.kernel = None if self.is_plain else search  # whose rules can be told to stop
        self.memory = memory
        self.workers = workers
        threads = 1 if self.is_plain else workers.count  # Python runs one at a time, whoever takes turns
        self.workspaces: list[Workspace] = [self.new_workspace() for _ in range(threads)]
        self.root: Root | None = None
        self.age = 0

    def new_workspace(self) -> Workspace:
        """A workspace for one thread."""
        return self.memory.workspace(Workspace)

    @property
    def nodes(self) -> int:
        """States visited since the beginning."""
        return sum(workspace.nodes for workspace in self.workspaces)

    @property
    def hits(self) -> int:
        """States that the table answered since then."""
        return sum(workspace.hits for workspace in self.workspaces)

    def begin(self, flags: int) -> None:
        """Clear the workspaces for a new question; the table stays."""
        self.workers.begin()
        self.clear(flags)

    def clear(self, flags: int) -> None:
        """Clear the workspaces, for the same question once more."""
        self.root = None
        self.age = (self.age + 1) % 128
        self.memory.set_age(self.age)
        for workspace in self.workspaces:
            workspace.nodes = workspace.hits = 0
            workspace.flags = flags
            workspace.best = -1
            workspace.split = SPLIT_PLY if len(self.workspaces) > 1 else -1
            fill(workspace.history, 0)
            fill(workspace.killers, -1)

    def run(self, game: Any, state: Any, alpha: float, beta: float, depth: int, budget: Budget) -> Found:
        """Search one window, all threads at once: the first that is done has the answer."""
        with self.workers.at_work():
            self._prepare(budget)
            question = self._root(game, state), float(alpha), float(beta), depth
            searches = [partial(self._searched, game, workspace, *question) for workspace in self.workspaces]
            recursion = sys.getrecursionlimit()
            if self.is_plain:
                sys.setrecursionlimit(max(recursion, 4 * PLIES))
            try:
                values = self.workers.all(searches, budget.deadline, halt=self._halt)
            finally:
                sys.setrecursionlimit(recursion)
            for workspace, value in zip(self.workspaces, values, strict=True):
                if workspace.stopped == 0:
                    return self._found(workspace, value, finished=True)
            self._complain()
            return self._found(self.workspaces[0], values[0], finished=False)

    def _root(self, game: Any, state: Any) -> Root:
        """What is known of a state, asked once for all windows of a question."""
        if self.root is None or self.root.state is not state:
            bounds = map(float, game.bounds(state, game.to_move(state)))
            self.root = Root(state, game.key(state) & WORD, *bounds)
        return self.root

    def _prepare(self, budget: Budget) -> None:
        """Make everything ready for another window."""
        if len(self.workspaces) > 1:
            fill(self.memory.threads.busy, 0)
        self.memory.threads.stop = 0
        if self.kernel:
            self.kernel.resume()
        if self.workers.is_stopped:  # asked after the flags are down, so that no stop() is lost
            self._halt()
        each = max(0, budget.nodes - self.nodes) // len(self.workspaces)
        for workspace in self.workspaces:
            workspace.limit = workspace.nodes + each
            workspace.stopped = workspace.top = 0

    def forget_best(self) -> None:
        """Forget which action was best: the next state is another."""
        for workspace in self.workspaces:
            workspace.best = -1

    @contextmanager
    def estimating(self) -> Iterator[None]:
        """Search over the table of estimates, and leave the other as it is."""
        estimates = self.memory.table_of_estimates()
        for workspace in self.workspaces:
            workspace.table = estimates
        try:
            yield
        finally:
            for workspace in self.workspaces:
                workspace.table = self.memory.table

    def stop(self) -> None:
        """End what is running, and what would still have been run for the same question."""
        self.workers.stop()
        self._halt()

    def _halt(self) -> None:
        """Tell all threads to leave: at their next state, or in a loop of the rules that does not end."""
        self.memory.threads.stop = 1
        if self.kernel:
            self.kernel.stop()

    def _searched(
        self, game: Any, workspace: Any, root: Root, alpha: float, beta: float, depth: int
    ) -> float:
        state, key, least, most = root
        try:
            return float(self.search(game, workspace, state, key, least, most, alpha, beta, depth, 0))
        except Trap as trap:
            if not trap.is_stop:
                raise
            workspace.stopped = OUT_OF_BUDGET
            return 0.0

    def _found(self, workspace: Workspace, value: float, *, finished: bool) -> Found:
        line = list(workspace.lines[: workspace.lengths[0]])
        return Found(value, finished, workspace.heights[0], workspace.best, line)

    def _complain(self) -> None:
        reasons = {workspace.stopped for workspace in self.workspaces}
        if TOO_DEEP in reasons:
            raise EndlessGameError(
                f"a line of play goes on for more than {PLIES} moves: search it to a depth instead."
            )
        if TOO_WIDE in reasons:
            raise EndlessGameError("there are more moves on one line of play than the search has room for.")
