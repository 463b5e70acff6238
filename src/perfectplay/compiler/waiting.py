"""A word to whoever waits at a terminal or a notebook."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

SOON = 0.7  # seconds that nobody minds


@contextmanager
def said_when_slow(message: str) -> Iterator[None]:
    """Print the message to stderr if what follows takes long, and somebody is there to read it."""
    somebody = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    timer = Timer(SOON, lambda: print(message, file=sys.stderr, flush=True))
    timer.daemon = True
    if somebody:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


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
