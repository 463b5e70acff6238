"""The terminal: coloured boards, a line of progress, and a prompt; plain text when it is a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

STONES = {r"\bX\b": "bold red", r"\bO\b": "bold yellow", r"\.": "dim"}


class Work(Protocol):
    """Anything that counts the nodes it has visited."""

    @property
    def nodes(self) -> int:
        """So many until now."""


class _Console(Console):
    """A console that leaves a closed pipe to the command line, as it does every other error."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Terminal:
    """Where the answers go (standard output) and where everything else goes (standard error)."""

    def __init__(self) -> None:
        self.out = _Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
        self.err = _Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print a text."""
        self.out.print(Text(text, style=style or ""))

    def board(self, board: str) -> None:
        """Print a board, its stones in colour."""
        text = Text(board)
        for pattern, style in STONES.items():
            text.highlight_regex(pattern, style)
        self.out.print(text)

    def row(self, fields: Iterable[str]) -> None:
        """Print fields with tabs between them, for other programs."""
        self.out.file.write("\t".join(fields) + "\n")
        self.out.file.flush()

    def pairs(self, pairs: dict[str, str]) -> None:
        """Print names and values, one pair a line."""
        width = max(map(len, pairs))
        for name, value in pairs.items():
            self.out.print(Text.assemble((f"{name:{width}}  ", "dim"), (value, "bold")))

    def warn(self, text: str) -> None:
        """Print a sentence that belongs to no answer."""
        self.err.print(Text(text))

    @contextmanager
    def working(self, label: str, work: Work) -> Iterator[None]:
        """Show, while the work lasts and only on a terminal, how far it has come."""
        start = monotonic()
        with self.progress(lambda: f"{label}: {work.nodes:,} nodes, {monotonic() - start:.0f} s"):
            yield

    @contextmanager
    def progress(self, line: Callable[[], str]) -> Iterator[None]:
        """Show a line, again and again while the work lasts, where somebody looks at standard error."""
        if not self.err.is_terminal:
            yield
            return

        def text() -> Text:
            return Text(f"{line()} (Ctrl-C stops)", "dim")

        with Live(
            get_renderable=text,
            console=self.err,
            transient=True,
            refresh_per_second=4,
            redirect_stdout=self.out.is_terminal,  # a file or a pipe gets the answers as they are
        ):
            yield

    def ask(self, prompt: str) -> str | None:
        """A line that somebody types, or None at the end of input."""
        self.out.print(Text(prompt, style="bold"), end="")
        self.out.file.flush()
        line, seen = _typed()
        if not seen:
            self.out.print(Text(line.rstrip("\n")))
        return line.strip() if line else None


def _typed() -> tuple[str, bool]:
    """A line of standard input, and whether whoever typed it has seen it; nothing where none can be read."""
    try:
        line = sys.stdin.readline()
    except (AttributeError, OSError, ValueError):  # there is none, nobody lets us read it, or it is closed
        return "", False
    try:
        return line, sys.stdin.isatty()
    except (AttributeError, OSError, ValueError):
        return line, False
