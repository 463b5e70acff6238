"""The progress of a long work in one line, with its rate and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from perfectplay.commands.command import StoppedError
from perfectplay.commands.quantities import time_said
from perfectplay.terminal import Terminal

SETTLED = 0.5  # seconds before a rate is worth telling
STOPPED = "stopped; run it again, and it goes on where it was."


@contextmanager
def goes_on() -> Iterator[None]:
    """A work that Ctrl-C does not undo."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError(STOPPED) from None


@contextmanager
def shown(terminal: Terminal) -> Iterator[Callable[[Any], None]]:
    """Show the progress of a long work."""
    line = ProgressLine()
    with terminal.progress(line.text):
        yield line.note


class ProgressLine:
    """How far a work has come, in a line; its rate is that of what was done since it was begun here."""

    def __init__(self) -> None:
        self.first: Any = None  # the first report of the phase, and when it came
        self.began = 0.0
        self.latest: Any = None
        self.noted = 0.0

    def note(self, progress: Any) -> None:
        """Remember how far it is."""
        self.noted = monotonic()
        if self.first is None or progress.phase != self.first.phase or progress.done < self.first.done:
            self.first, self.began = progress, self.noted
        self.latest = progress

    def text(self) -> str:
        """The line. How many there are is not known before all are discovered."""
        at = self.latest
        if at is None:
            return "beginning"
        seconds = self.noted - self.began
        rate = (at.done - self.first.done) / seconds if seconds > SETTLED else 0.0
        said = f", {rate:,.0f} a second" if rate else ""
        if at.phase == "discover":
            share = "" if at.share is None else f" (about {at.share:.0%})"
            more = max(at.expected - at.done, 0)
            left = f", perhaps {time_said(more / rate)} to go" if rate and more else ""
            return f"discover: level {at.level}, {at.done:,} positions{share}{said}{left}"
        share = f" of {at.total:,} ({at.done / at.total:.0%})" if at.total else ""
        left = f", {time_said((at.total - at.done) / rate)} to go" if rate and at.total > at.done else ""
        return f"{at.phase}: level {at.level} of {at.levels}, {at.done:,}{share} positions{said}{left}"
