"""Compiling in the background: Python begins to answer, and machine code goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from perfectplay.errors import PerfectPlayError

BEING_COMPILED = "it is being compiled"
FIRST_NODES = 256  # of a question, for first estimates; then a search would only take the compiler's time


class Compiled(NamedTuple):
    """What became of rules: the search of which they are part, the one for rules in Python, or neither."""

    search: Any
    numbered: Any
    why_not: str | None


class _OneAtATime:
    """Two that compile take each other's time, and the second may find on disk what the first made."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        if hasattr(os, "register_at_fork"):  # nobody compiles in a process that has just been forked
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.lock = threading.Lock()


_one_at_a_time = _OneAtATime()


class BackgroundCompilation:
    """A thread that compiles."""

    def __init__(self, make: Callable[[], Compiled]) -> None:
        self._made: Future[Compiled] = Future()
        threading.Thread(target=self._work, args=(make,), name="perfectplay-compiler").start()

    @property
    def is_done(self) -> bool:
        """Is it known what became of the rules?"""
        return self._made.done()

    def result(self) -> Compiled:
        """What became of them, as soon as that is known."""
        return self._made.result()

    def wait(self, deadline: float, stop: Future[Any]) -> bool:
        """Wait until it is known; False if the time is over before, or somebody asks to stop."""
        left = None if deadline == inf else max(0.0, deadline - perf_counter())
        wait({self._made, stop}, left, FIRST_COMPLETED)
        return self.is_done

    def _work(self, make: Callable[[], Compiled]) -> None:
        try:
            with _one_at_a_time.lock:
                self._made.set_result(make())
        except PerfectPlayError as error:  # Python goes on, and comes upon it or not
            self._made.set_result(Compiled(None, None, str(error).rstrip(".")))
        except BaseException as error:
            self._made.set_exception(error)
