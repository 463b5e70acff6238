"""The threads that search, which whoever asked can always stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any, TypeVar

from perfectplay.blame import fault_of_game
from perfectplay.errors import BrokenGameError, EngineBusyError
from perfectplay.watchdog import Unreturned, interrupt

Answer = TypeVar("Answer")

STACK = 256 << 20  # bytes for a thread, which are used only as far as it goes deep
STACK_USED = 240 << 20  # of these, at most
GRACE = 5.0  # seconds that rules have to return when nobody wants their answer any more
LONGEST_WAIT = 0.2  # seconds: a Ctrl-C that comes just before a wait is seen after it
BUSY_ALREADY = "this engine is at work in another thread: stop() it, or make another one."


class Workers:
    """Threads that go deep, at work on one question at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._start()

    def _start(self) -> None:
        """Threads to work in this process: those of a parent process do not come along when it forks."""
        self.process = os.getpid()
        self.pool = self._pool()
        self.lock = threading.Lock()
        self.inside = 0  # the thread that is at a whole question
        self.running: set[int] = set()  # threads that are asking rules
        self.stop_asked: Future[Any] = Future()
        self.news = threading.Lock()  # free when there are some: nothing else is as quick to wait for

    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.count, thread_name_prefix="perfectplay")

    def begin(self) -> None:
        """Be ready for another question; EngineBusyError if they are at work for somebody else."""
        if self.process != os.getpid():
            self._start()
        if self.lock.locked():
            raise EngineBusyError(BUSY_ALREADY)
        self.stop_asked = Future()

    def stop(self) -> None:
        """Have whoever waits for them leave; who searches is to be told by others."""
        with suppress(InvalidStateError):  # it was asked before
            self.stop_asked.set_result(None)
        self._tell()

    @property
    def is_stopped(self) -> bool:
        """Is nobody waiting for the answer to this question any more?"""
        return self.stop_asked.done()

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
        stop: Callable[[], None],
    ) -> Answer:
        """Answer a question of many searches; one worker does all of it, so that none waits for another."""
        if self.count > 1 or self.is_inside:
            return question()
        with self.at_work():
            tasks: list[Future[Answer]] = []
            try:
                with self._started() as start:
                    tasks.append(self._submitted(lambda: self._inside(question), start))
                self._wait(tasks, deadline)
            finally:  # what is not done by now is over, also after Ctrl-C
                if not all(task.done() for task in tasks):
                    stop()
                    self._leave(tasks)
            return _answer(tasks[0])

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
        halt: Callable[[], None],
    ) -> list[Answer]:
        """What every search answers, all at once: when the first is done, the others are told to halt."""
        if self.is_inside:
            return [search() for search in searches]
        tasks: list[Future[Answer]] = []
        try:
            with self._started() as start:
                tasks.extend(self._submitted(search, start) for search in searches)
            self._wait(tasks, deadline)
        finally:  # the others, and all of them after Ctrl-C
            halt()
            self._leave(tasks)
        return [_answer(task) for task in tasks]

    @contextmanager
    def _started(self) -> Iterator[Future[bool]]:
        """Let the tasks that are submitted inside begin, all of them, or none where Ctrl-C comes before that.

        Else one could be at work before whoever submits it holds what it takes to wait for its end.
        """
        start: Future[bool] = Future()
        try:
            yield start
            start.set_result(True)
        finally:
            if not start.done():
                start.set_result(False)

    def _submitted(self, task: Callable[[], Answer], start: Future[bool]) -> Future[Answer]:
        before = threading.stack_size(STACK)
        try:
            return self.pool.submit(self._watched, task, start)
        finally:
            threading.stack_size(before)

    def _tell(self, _: object = None) -> None:
        """There is news for whoever waits: a task is done, or nobody wants it any more."""
        with suppress(RuntimeError):  # it was told before
            self.news.release()

    def _watched(self, task: Callable[[], Answer], start: Future[bool]) -> Answer:
        if not start.result():
            raise CancelledError
        thread = threading.get_ident()
        self.running.add(thread)
        try:
            return task()
        finally:
            self.running.discard(thread)

    def _wait(self, tasks: list[Future[Answer]], deadline: float) -> None:
        """Wait until a task is done, or nobody wants it any more."""
        for task in tasks:
            task.add_done_callback(self._tell)
        while not (self.is_stopped or any(task.done() for task in tasks)):  # news may be of tasks before
            left = deadline - perf_counter()
            if left <= 0:
                return
            self.news.acquire(timeout=min(left, LONGEST_WAIT))

    def _leave(self, tasks: list[Future[Answer]]) -> None:
        """Wait until all threads are done; rules in Python that do not return are interrupted."""
        while wait(tasks, GRACE).not_done:
            for thread in list(self.running):
                interrupt(thread)
            self.pool.shutdown(wait=False)
            self.pool = self._pool()  # the interrupted may not come back


def _answer(task: Future[Answer]) -> Answer:
    try:
        return task.result()
    except Unreturned as error:
        raise BrokenGameError(fault_of_game(error) or f"a rule of the game {error}.") from None
