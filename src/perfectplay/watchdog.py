"""A watchdog: whoever runs rules that others wrote can have a call interrupted that does not return.

In the main thread a timer of the system interrupts whatever Python does, waiting included. In other threads,
on systems without such timers, and where somebody else uses the timer, a thread interrupts between two steps
of Python. A single step that Python leaves to C, as in `10 ** 10 ** 9`, cannot be interrupted by anybody.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter, process_time
from typing import Any

SECONDS = 2.0  # that a call may take, where nobody says
TICK = 0.05  # seconds between two looks
SLACK = 20  # times the longest call so far, a call may take as well
MEMORY = 1 << 29  # bytes that a call may take


class Unreturned(BaseException):  # no `except Exception` of the rules may stop it
    """A call was interrupted, since it took too long or too much."""

    what = "did not return"

    def __str__(self) -> str:
        return self.what


class Watchdog:
    """Sees whether there is progress; time in which the machine was busy with others counts a third."""

    def __init__(self, progress: Callable[[], object], seconds: float) -> None:
        self.progress = progress
        self.seconds = seconds
        self.longest = self.lasting = 0.0  # the call that took longest, and the one that is going on
        self._begin()

    def _begin(self) -> None:
        self.longest, self.lasting = max(self.longest, self.lasting), 0.0
        self.step = self.progress()
        self.began = process_time(), perf_counter(), _memory_used()

    def complaint(self) -> str:
        """What is wrong with the call that is going on, or nothing."""
        if self.progress() != self.step:
            self._begin()
            return ""
        self.lasting = max(process_time() - self.began[0], (perf_counter() - self.began[1]) / 3)
        allowed = max(self.seconds, SLACK * self.longest)
        if self.lasting > allowed:
            return f"did not return within {allowed:.3g} seconds"
        if _memory_used() - self.began[2] > MEMORY:
            return f"did not return before it had taken {MEMORY >> 20} MB of memory"
        return ""


@contextmanager
def watched(progress: Callable[[], object], seconds: float | None = None) -> Iterator[None]:
    """Interrupt what follows with Unreturned when `progress` stays the same for so many seconds.

    What is slow by nature gets more: twenty times as long as anything took before.
    """
    dog = Watchdog(progress, SECONDS if seconds is None else seconds)
    with _by_timer(dog) if _timer_is_free() else _by_thread(dog):
        yield


def _timer_is_free() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "setitimer"):
        return False
    return signal.getsignal(signal.SIGALRM) == signal.SIG_DFL and not any(
        signal.getitimer(signal.ITIMER_REAL)
    )


@contextmanager
def _by_timer(dog: Watchdog) -> Iterator[None]:
    def look(number: int, frame: Any) -> None:
        if what := dog.complaint():
            raise _unreturned(what)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def _by_thread(dog: Watchdog) -> Iterator[None]:
    over = threading.Event()
    caller = threading.get_ident()
    sent = 0

    def look() -> None:
        nonlocal sent
        while not over.wait(TICK):
            if what := dog.complaint():
                sent += interrupt(caller, what)

    watcher = threading.Thread(target=look, name="perfectplay watchdog", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with suppress(Unreturned):  # what comes too late
            over.set()
            watcher.join()
            _settle(sent)
        over.set()


def _settle(sent: int) -> None:
    """Let an exception that is on its way to this thread arrive.

    It is not taken back: that leaves Python, up to 3.11 at least, with a flag that nobody takes down, and a
    thread that is traced then never gets beyond the beginning of a function.
    """
    for _ in range(1000 if sent else 0):
        pass


def interrupt(thread: int, what: str = Unreturned.what) -> bool:
    """Have a thread raise Unreturned at its next step of Python; False where Python cannot do that."""
    return _raise_in(thread, ctypes.py_object(_unreturned(what)))


def _unreturned(what: str) -> type[Unreturned]:
    """The exception with its words: a thread is given a class to raise, and not an object."""
    return type("Unreturned", (Unreturned,), {"what": what})


def _raise_in(thread: int, exception: Any) -> bool:
    function = getattr(getattr(ctypes, "pythonapi", None), "PyThreadState_SetAsyncExc", None)
    return function is not None and function(ctypes.c_ulong(thread), exception) == 1


def _memory_used() -> int:
    """The most memory that this process has had, in bytes; 0 where that is not known."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
