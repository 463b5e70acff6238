"""What check_game says: findings, and the report that tells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One way in which a game breaks the contract, with the shortest line of play that shows it."""

    kind: str  # as in "result-not-pure"
    severity: str  # "error" or "warning"
    message: str
    state: Any  # None where it happened before there was one
    line: tuple[str, ...]  # the moves from the start to the state, in the game's notation
    board: str  # the state as the game draws it, where it can
    count: int  # how often it was seen

    def __str__(self) -> str:
        times = f", seen {self.count:,} times" if self.count > 1 else ""
        rows = [f"{self.severity}: {self.message} [{self.kind}{times}]"]
        if self.state is not None:
            moves = [*self.line[:12], "...", *self.line[-12:]] if len(self.line) > 24 else self.line
            rows.append(f"  after {' '.join(moves)}:" if moves else "  at the start:")
            drawn = [] if self.board == short(self.state) else self.board.splitlines()
            drawn = [short(self.state), *drawn[:24], *(["..."] if drawn[24:] else [])]
            rows.extend(f"    {row[:100]}".rstrip() for row in drawn)
        return "\n".join(rows)


@dataclass(frozen=True)
class Report:
    """What check_game found, and how far it looked."""

    game: str
    findings: tuple[Finding, ...]  # errors first
    states: int  # explored from the start
    complete: bool  # are these all that play can reach?
    playouts: int
    machine: str = ""  # how it runs: compiled or interpreted, and why; empty if nobody asked
    tablebase: str = ""  # whether there can be one, and how its states are kept; likewise

    @property
    def ok(self) -> bool:
        """Is there no error? Warnings do not count."""
        return all(finding.severity != "error" for finding in self.findings)

    def __str__(self) -> str:
        severities = [finding.severity for finding in self.findings]
        counts = [(severities.count(word), word) for word in ("error", "warning") if word in severities]
        verdict = ", ".join([*(["lawful"] if self.ok else []), *(counted(*pair) for pair in counts)])
        states = f"{'all' if self.complete else 'the first'} {counted(self.states, 'state')}"
        headline = f"{self.game}: {verdict}; {states} and {counted(self.playouts, 'playout')} checked"
        headline += f"\n{self.tablebase}" if self.tablebase else ""
        machine = [f"{self.game} {self.machine}"] if self.machine else []
        together = "\n".join([headline, *machine]) if "\n" not in self.machine else ""
        parts = [together] if together else [headline, *machine]
        return "\n\n".join([*parts, *map(str, self.findings)])


def short(value: Any, write: Callable[[Any], str] = repr) -> str:
    """The value as Python writes it, on one line of no great length."""
    try:
        text = " ".join(write(value).split())
    except Exception:
        text = f"<a {type(value).__name__} that cannot be written>"
    return text if len(text) <= 80 else f"{text[:77]}..."


def counted(number: int, word: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
