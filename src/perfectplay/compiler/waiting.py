"""A word to whoever waits at a terminal or a notebook."""

from __future__ import annotations

import sys
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
