"""Threads that ask the rules of a game, and leave them when whoever waits is interrupted."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from perfectplay.watchdog import interrupt

Task = TypeVar("Task")
Result = TypeVar("Result")
GRACE = 5.0  # seconds that rules have to return


@contextmanager
def interruptible(workers: int, stop: Callable[[], None]) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads; after Ctrl-C, `stop` ends loops in machine code, and those in Python end as well."""
    threads: list[threading.Thread] = []
    pool = ThreadPoolExecutor(workers, initializer=lambda: threads.append(threading.current_thread()))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        stop()
        for thread in threads:
            thread.join(GRACE)
        while running := [thread for thread in threads if thread.is_alive()]:
            for thread in running:
                interrupt(thread.ident or 0)
                thread.join(0.1)
        raise
    finally:
        pool.shutdown()


def in_turn(
    pool: ThreadPoolExecutor, work: Callable[[Task], Result], tasks: Iterable[Task], ahead: int
) -> Iterator[Result]:
    """The results of tasks in their order, of which so many are under way or wait to be taken."""
    waiting: deque[Future[Result]] = deque()
    for task in tasks:
        waiting.append(pool.submit(work, task))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
