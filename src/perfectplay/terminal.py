"""The terminal: coloured boards, a line of progress, and a prompt; plain text when it is a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.live import Live
from rich.text import Text

from perfectplay.textbook import Counted

STONES = {r"\bX\b": "bold red", r"\bO\b": "bold yellow", r"\.": "dim"}


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

    def pairs(self, pairs: dict[str, str]) -> None:
        """Print names and values, one pair a line."""
        width = max(map(len, pairs))
        for name, value in pairs.items():
            self.out.print(Text.assemble((f"{name:{width}}  ", "dim"), (value, "bold")))

    @contextmanager
    def working(self, label: str, game: Counted[object, object]) -> Iterator[None]:
        """Show, while the work lasts and only on a terminal, how far it has come."""
        start = monotonic()

        def line() -> Text:
            return Text(f"{label}: {game.nodes:,} nodes, {monotonic() - start:.0f} s (Ctrl-C stops)", "dim")

        if not self.err.is_terminal:
            yield
            return
        with Live(get_renderable=line, console=self.err, transient=True, refresh_per_second=4):
            yield

    def ask(self, prompt: str) -> str | None:
        """A line that somebody types, or None at the end of input."""
        self.out.print(Text(prompt, style="bold"), end="")
        self.out.file.flush()
        if sys.stdin is None:
            return None
        line = sys.stdin.readline()
        if not sys.stdin.isatty():  # nobody has seen it yet
            self.out.print(Text(line.rstrip("\n")))
        return line.strip() if line else None
