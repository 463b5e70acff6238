"""The threads that search one state together, each at its own desk, over one table."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.engine.desk import (
    AGE,
    BEST,
    BUSIES,
    FLAGS,
    HEIGHTS,
    HISTORY,
    HITS,
    KILLERS,
    LIMIT,
    LINE,
    LINES,
    NODES,
    PLIES,
    SLOTS,
    SPLIT,
    STOPPED,
    TOO_DEEP,
    TOO_WIDE,
    TOP,
)
from perfectplay.engine.memory import NativeMemory, PlainMemory
from perfectplay.errors import EndlessGameError, EngineBusyError

SPLIT_PLY = 16  # down to here from the root, threads try different moves of a state
STACK = 256 << 20  # bytes for a thread, which are used only as far as it goes deep
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


class Crew:
    """Runs a search function in threads, so that whoever asked can always stop it."""

    def __init__(self, search: Any, memory: PlainMemory | NativeMemory, threads: int) -> None:
        self.search = search
        self.memory = memory
        self.desks = [memory.desk() for _ in range(threads)]
        self._hire()
        self.age = 0
        self.stop_asked = False

    def _hire(self) -> None:
        """Threads to work in this process: those of a parent process do not come along when it forks."""
        self.process = os.getpid()
        self.pool = ThreadPoolExecutor(len(self.desks), thread_name_prefix="perfectplay")
        self.lock = threading.Lock()

    @property
    def nodes(self) -> int:
        """States visited since the beginning."""
        return sum(int(desk[NODES]) for desk in self.desks)

    @property
    def hits(self) -> int:
        """States that the table answered since then."""
        return sum(int(desk[HITS]) for desk in self.desks)

    def begin(self, flags: int) -> None:
        """Clear the desks for a new question; the table stays."""
        if self.process != os.getpid():
            self._hire()
        if self.lock.locked():
            raise EngineBusyError(BUSY_ALREADY)
        self.age = (self.age + 1) % 128
        self.stop_asked = False
        for desk in self.desks:
            desk[NODES] = desk[HITS] = 0
            desk[AGE] = self.age
            desk[FLAGS] = flags
            desk[BEST] = -1
            desk[SPLIT] = SPLIT_PLY if len(self.desks) > 1 else -1
            self.memory.fill(desk[HISTORY], 2 * SLOTS, 0)
            self.memory.fill(desk[KILLERS], 2 * PLIES + 2, -1)

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
        self.memory.fill(self.memory.busy, BUSIES, 0)
        self.memory.fill(self.memory.stop, 1, 0)
        if self.stop_asked:  # asked after the flag is down, so that no stop() is lost
            self.memory.fill(self.memory.stop, 1, 1)
        each = max(0, budget.nodes - self.nodes) // len(self.desks)
        for desk in self.desks:
            desk[LIMIT] = desk[NODES] + each
            desk[STOPPED] = desk[TOP] = 0
        recursion = sys.getrecursionlimit()
        if isinstance(self.memory, PlainMemory):
            sys.setrecursionlimit(max(recursion, 4 * PLIES))
        tasks: list[Future[float]] = []
        try:
            question = state, key, alpha, beta, depth
            tasks.extend(self._submitted(game, desk, *question) for desk in self.desks)
            patience = None if budget.deadline == inf else max(0.0, budget.deadline - perf_counter())
            wait(tasks, patience, FIRST_COMPLETED)
        finally:  # the others, and all of them after Ctrl-C
            self.memory.fill(self.memory.stop, 1, 1)
            wait(tasks)
            sys.setrecursionlimit(recursion)
        values = [task.result() for task in tasks]
        for desk, value in zip(self.desks, values, strict=True):
            if desk[STOPPED] == 0:
                return self._found(desk, value, finished=True)
        self._complain()
        return self._found(self.desks[0], values[0], finished=False)

    def forget_best(self) -> None:
        """Forget which action was best: the next state is another."""
        for desk in self.desks:
            desk[BEST] = -1

    def stop(self) -> None:
        """End what is running, and what would still have been run for the same question."""
        self.stop_asked = True
        self.memory.fill(self.memory.stop, 1, 1)

    def _submitted(self, game: Any, desk: Any, *question: Any) -> Future[float]:
        before = threading.stack_size(STACK)
        try:
            return self.pool.submit(self._searched, game, self.memory.pointer(desk), *question)
        finally:
            threading.stack_size(before)

    def _searched(
        self, game: Any, desk: Any, state: Any, key: int, alpha: float, beta: float, depth: int
    ) -> float:
        low, high = map(float, game.bounds(state, game.to_move(state)))
        state, key = self.memory.state(state), self.memory.word(key)
        return float(self.search(game, desk, state, key, low, high, float(alpha), float(beta), depth, 0))

    def _found(self, desk: Any, value: float, *, finished: bool) -> Found:
        length, *keys = self.memory.row(desk[LINES], LINE)
        height = self.memory.row(desk[HEIGHTS], 1)[0]
        return Found(value, finished, height, int(desk[BEST]), keys[:length])

    def _complain(self) -> None:
        reasons = {int(desk[STOPPED]) for desk in self.desks}
        if TOO_DEEP in reasons:
            raise EndlessGameError(
                f"a line of play goes on for more than {PLIES} moves: search it to a depth instead."
            )
        if TOO_WIDE in reasons:
            raise EndlessGameError("there are more moves on one line of play than the search has room for.")
