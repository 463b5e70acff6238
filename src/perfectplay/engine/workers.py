"""The threads that search, which whoever asked can always stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import TypeVar

from perfectplay.errors import EngineBusyError

Answer = TypeVar("Answer")

STACK = 256 << 20  # bytes for a thread, which are used only as far as it goes deep
STACK_USED = 240 << 20  # of these, at most
LONG = 0.05  # seconds
BUSY_ALREADY = "this engine is at work in another thread: stop() it, or make another one."


class Workers:
    """Threads that go deep, at work on one question at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._start()

    def _start(self) -> None:
        """Threads to work in this process: those of a parent process do not come along when it forks."""
        self.process = os.getpid()
        self.pool = ThreadPoolExecutor(self.count, thread_name_prefix="perfectplay")
        self.lock = threading.Lock()
        self.inside = 0  # the thread that is at a whole question

    def check(self) -> None:
        """EngineBusyError if they are at work for somebody else."""
        if self.process != os.getpid():
            self._start()
        if self.lock.locked() and not self.is_inside:
            raise EngineBusyError(BUSY_ALREADY)

    @property
    def is_inside(self) -> bool:
        """Is it one of them who asks?"""
        return self.inside == threading.get_ident()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have them for oneself; EngineBusyError if somebody else has."""
        if self.is_inside:
            yield
            return
        if not self.lock.acquire(blocking=False):
            raise EngineBusyError(BUSY_ALREADY)
        try:
            yield
        finally:
            self.lock.release()

    def ask(
        self,
        question: Callable[[], Answer],
        deadline: float,
        *,
        dig_in: Callable[[], None],
        stop: Callable[[], None],
    ) -> Answer:
        """Answer a question of many searches; one worker does all of it, so that none waits for another."""
        if self.count > 1 or self.is_inside:
            return question()
        with self.at_work():
            task = self._submitted(lambda: self._inside(question))
            try:
                _wait([task], deadline, dig_in)
            finally:  # what is not done by now is over, also after Ctrl-C
                if not task.done():
                    stop()
                    wait([task])
            return task.result()

    def _inside(self, question: Callable[[], Answer]) -> Answer:
        self.inside = threading.get_ident()
        try:
            return question()
        finally:
            self.inside = 0

    def all(
        self,
        searches: Sequence[Callable[[], Answer]],
        deadline: float,
        *,
        dig_in: Callable[[], None],
        halt: Callable[[], None],
    ) -> list[Answer]:
        """What every search answers, all at once: when the first is done, the others are told to halt."""
        if self.is_inside:
            return [search() for search in searches]
        tasks: list[Future[Answer]] = []
        try:
            tasks.extend(map(self._submitted, searches))
            _wait(tasks, deadline, dig_in)
        finally:  # the others, and all of them after Ctrl-C
            halt()
            wait(tasks)
        return [task.result() for task in tasks]

    def _submitted(self, task: Callable[[], Answer]) -> Future[Answer]:
        before = threading.stack_size(STACK)
        try:
            return self.pool.submit(task)
        finally:
            threading.stack_size(before)


def _wait(tasks: list[Future[Answer]], deadline: float, dig_in: Callable[[], None]) -> None:
    """Wait until a task is done, or the time is over; what turns out to be long is prepared to be long."""
    left = deadline - perf_counter()
    if left > 2 * LONG:
        if wait(tasks, LONG, FIRST_COMPLETED).done:
            return
        dig_in()
        left = deadline - perf_counter()
    wait(tasks, None if left == inf else max(0.0, left), FIRST_COMPLETED)
