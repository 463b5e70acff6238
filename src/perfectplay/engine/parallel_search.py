"""The threads that search one state together, each at its own workspace, over one table."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, ThreadPoolExecutor, wait
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.blame import fault_of_game
from perfectplay.compiler import Trap
from perfectplay.engine.memory import Memory, Objects, fill
from perfectplay.engine.workspace import OUT_OF_BUDGET, PLIES, TOO_DEEP, TOO_WIDE, Workspace
from perfectplay.errors import BrokenGameError, EndlessGameError, EngineBusyError
from perfectplay.game import WORD
from perfectplay.watchdog import Unreturned, interrupt

SPLIT_PLY = 16  # down to here from the root, threads try different moves of a state
STACK = 256 << 20  # bytes for a thread, which are used only as far as it goes deep
STACK_USED = 240 << 20  # of these, at most
GRACE = 5.0  # seconds that rules have to return when nobody wants their answer any more
BUSY_ALREADY = "this engine is at work in another thread: stop() it, or make another one."


class Budget(NamedTuple):
    """How long a search may go on: until some time of the clock, and for so many nodes."""

    deadline: float
    nodes: int

    @property
    def spent(self) -> bool:
        """Is the time over?"""
        return perf_counter() >= self.deadline


class Found(NamedTuple):
    """What the search of a window found."""

    value: float
    finished: bool
    height: int  # plies of its proof
    best: int  # the number of the best candidate, or -1
    line: list[int]  # the keys of the states to come


class ParallelSearch:
    """Runs a search function in threads, so that whoever asked can always stop it."""

    def __init__(self, search: Any, memory: Memory, threads: int) -> None:
        self.search = search
        self.memory = memory
        self.workspaces: list[Workspace] = [self.new_workspace() for _ in range(threads)]
        self._start_threads()
        self.age = 0
        self.stop_asked: Future[Any] = Future()

    def new_workspace(self) -> Workspace:
        """A workspace for one thread."""
        return self.memory.workspace(Workspace)

    def _start_threads(self) -> None:
        """Threads to work in this process: those of a parent process do not come along when it forks."""
        self.process = os.getpid()
        self.running: set[int] = set()  # threads that are asking rules
        self.pool = ThreadPoolExecutor(len(self.workspaces), thread_name_prefix="perfectplay")
        self.lock = threading.Lock()

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
        if self.process != os.getpid():
            self._start_threads()
        if self.lock.locked():
            raise EngineBusyError(BUSY_ALREADY)
        self.age = (self.age + 1) % 128
        self.stop_asked = Future()
        self.memory.table.age = self.age
        for workspace in self.workspaces:
            workspace.nodes = workspace.hits = 0
            workspace.flags = flags
            workspace.best = -1
            workspace.split = SPLIT_PLY if len(self.workspaces) > 1 else -1
            fill(workspace.history, 0)
            fill(workspace.killers, -1)

    def run(
        self, game: Any, state: Any, key: int, alpha: float, beta: float, depth: int, budget: Budget
    ) -> Found:
        """Search one window, all threads at once: the first that is done has the answer."""
        if not self.lock.acquire(blocking=False):
            raise EngineBusyError(BUSY_ALREADY)
        try:
            return self._run(game, state, key, alpha, beta, depth, budget)
        finally:
            self.lock.release()

    def _run(
        self, game: Any, state: Any, key: int, alpha: float, beta: float, depth: int, budget: Budget
    ) -> Found:
        fill(self.memory.threads.busy, 0)
        self.memory.threads.stop = 0
        if self.stop_asked.done():  # asked after the flag is down, so that no stop() is lost
            self.memory.threads.stop = 1
        each = max(0, budget.nodes - self.nodes) // len(self.workspaces)
        for workspace in self.workspaces:
            workspace.limit = workspace.nodes + each
            workspace.stopped = workspace.top = 0
        recursion = sys.getrecursionlimit()
        if isinstance(self.memory.allocator, Objects):
            sys.setrecursionlimit(max(recursion, 4 * PLIES))
        tasks: list[Future[Any]] = []
        try:
            question = state, key, alpha, beta, depth
            tasks.extend(self._submitted(game, workspace, *question) for workspace in self.workspaces)
            timeout = None if budget.deadline == inf else max(0.0, budget.deadline - perf_counter())
            wait({*tasks, self.stop_asked}, timeout, FIRST_COMPLETED)
        finally:  # the others, and all of them after Ctrl-C
            self._halt()
            self._leave(tasks)
            sys.setrecursionlimit(recursion)
        try:
            values = [task.result() for task in tasks]
        except Unreturned as error:
            raise BrokenGameError(fault_of_game(error) or f"a rule of the game {error}.") from None
        for workspace, value in zip(self.workspaces, values, strict=True):
            if workspace.stopped == 0:
                return self._found(workspace, value, finished=True)
        self._complain()
        return self._found(self.workspaces[0], values[0], finished=False)

    def forget_best(self) -> None:
        """Forget which action was best: the next state is another."""
        for workspace in self.workspaces:
            workspace.best = -1

    def stop(self) -> None:
        """End what is running, and what would still have been run for the same question."""
        with suppress(InvalidStateError):  # it was asked before
            self.stop_asked.set_result(None)
        self._halt()

    def _halt(self) -> None:
        """Tell all threads to leave: at their next state, or in a loop of the rules that does not end."""
        self.memory.threads.stop = 1
        if hasattr(self.search, "stop"):
            self.search.stop()

    def _leave(self, tasks: list[Future[Any]]) -> None:
        """Wait until all threads are done; rules in Python that do not return are interrupted."""
        while wait(tasks, GRACE).not_done:
            for thread in list(self.running):
                interrupt(thread)

    def _submitted(self, game: Any, workspace: Any, *question: Any) -> Future[float]:
        before = threading.stack_size(STACK)
        try:
            return self.pool.submit(self._searched, game, workspace, *question)
        finally:
            threading.stack_size(before)

    def _searched(
        self, game: Any, workspace: Any, state: Any, key: int, alpha: float, beta: float, depth: int
    ) -> float:
        thread = threading.get_ident()
        self.running.add(thread)
        try:
            low, high = map(float, game.bounds(state, game.to_move(state)))
            window = float(alpha), float(beta)
            return float(self.search(game, workspace, state, key & WORD, low, high, *window, depth, 0))
        except Trap as trap:
            if not trap.is_stop:
                raise
            workspace.stopped = OUT_OF_BUDGET
            return 0.0
        finally:
            self.running.discard(thread)

    def _found(self, workspace: Any, value: float, *, finished: bool) -> Found:
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
