"""A word to whoever waits at a terminal or a notebook."""

from __future__ import annotations

import sys
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
