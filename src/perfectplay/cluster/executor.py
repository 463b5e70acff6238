"""Executors: who runs the tasks of a build, and holds what one hands to another.

A task is a function of this package with its arguments. It is deterministic: it may be run again, here or
elsewhere, and what it answers is the same. What it answers stays where it was made until another task, or
whoever asked for it, wants it; a reference stands for it until then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from perfectplay.game import Game

Ref = Any  # stands for an answer, and may be given to a task as an argument


class Rules(Protocol):
    """The rules of a game on their way to a worker."""

    def opened(self) -> tuple[Game[Any, Any], Any]:
        """The game, and the state at which positions begin."""


class Executor(Protocol):
    """Who runs tasks."""

    @property
    def workers(self) -> int:
        """Tasks that can run at the same time."""

    @property
    def store(self) -> int:
        """Bytes that answers may take until they are fetched."""

    def close(self) -> None:
        """Let go of the workers."""

    def rules(self, game: Game[Any, Any], start: Any) -> Rules:
        """A game as it can be sent."""

    def put(self, value: Any) -> Ref:
        """A value that many tasks will want."""

    def run(self, function: Callable[..., Any], *arguments: Any, answers: int = 1) -> list[Ref]:
        """Have a task run; what stands for each of its answers."""

    def get(self, refs: Sequence[Ref]) -> list[Any]:
        """The answers, when they are there; or the error of a task."""

    def wait(self, refs: Sequence[Ref]) -> None:
        """Wait until the answers are there, wherever they are."""


@dataclass
class Here:
    """An answer that is in this process, or a game that stays in it."""

    value: Any

    def opened(self) -> Any:
        """The game, and the state at which positions begin."""
        return self.value


class InProcess:
    """An executor that runs every task at once, in this process: the readable twin of the others."""

    def __init__(self, workers: int = 2, store: int = 1 << 30) -> None:
        self._workers = workers
        self._store = store

    @property
    def workers(self) -> int:
        """Tasks that could run at the same time."""
        return self._workers

    @property
    def store(self) -> int:
        """Bytes that answers may take."""
        return self._store

    def rules(self, game: Game[Any, Any], start: Any) -> Rules:
        """The game itself."""
        return Here((game, start))

    def put(self, value: Any) -> Ref:
        """The value itself."""
        return Here(value)

    def run(self, function: Callable[..., Any], *arguments: Any, answers: int = 1) -> list[Ref]:
        """Run it now."""
        plain = [each.value if isinstance(each, Here) else each for each in arguments]
        found = function(*plain)
        return [Here(found)] if answers == 1 else [Here(each) for each in found]

    def get(self, refs: Sequence[Ref]) -> list[Any]:
        """The answers."""
        return [ref.value for ref in refs]

    def wait(self, refs: Sequence[Ref]) -> None:
        """They are there."""

    def close(self) -> None:
        """There is nothing to leave."""
