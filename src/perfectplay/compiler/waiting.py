"""A word to whoever waits at a terminal or a notebook."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer

SOON = 0.7  # seconds that nobody minds


@contextmanager
def said_when_slow(message: str) -> Iterator[None]:
    """Print the message to stderr if what follows takes long, and somebody is there to read it."""
    timer = Timer(SOON, _say, [message])
    timer.daemon = True
    if _somebody_reads():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _somebody_reads() -> bool:
    try:
        return sys.stderr is not None and ("ipykernel" in sys.modules or sys.stderr.isatty())
    except (AttributeError, OSError, ValueError):  # it is closed, or it can do no more than write
        return False


def _say(message: str) -> None:
    with suppress(AttributeError, OSError, ValueError):
        print(message, file=sys.stderr, flush=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait until what follows is done: a compiler in the middle of its work would swallow it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # nobody wants to hear of it, or it is not Python's business
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        before(*pressed[0])
