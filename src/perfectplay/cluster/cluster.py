"""Cluster: the machines that build a tablebase, or answer independent questions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

from perfectplay.cluster.discovery import ClusterDiscovery
from perfectplay.cluster.executor import Executor, Rules
from perfectplay.cluster.ray_executor import RayExecutor
from perfectplay.cluster.solution import ClusterSolution
from perfectplay.game import Game
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.discovery import discover
from perfectplay.tablebase.solution import solve

AHEAD = 4  # questions that are under way for each worker
FEW = 1 << 15  # positions that are sooner done here than given away


class Cluster:
    """Workers on this machine or on many; for `build_tablebase`, and for questions of any kind.

    `address` is `"local:N"` for N workers on this machine, or where a Ray cluster is: `"auto"` for the one
    that this machine belongs to, or `"HOST:PORT"`. Parts of a build with fewer than `few` positions are done
    where the build was started.
    """

    def __init__(self, address: str | Executor, *, few: int = FEW) -> None:
        self.few = few
        self.executor = RayExecutor(address) if isinstance(address, str) else address

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; workers of this machine end."""
        self.executor.close()

    @property
    def workers(self) -> int:
        """Tasks that can run at the same time."""
        return self.executor.workers

    def discover(self, build: Build) -> None:
        """Find all positions of a tablebase."""
        discover(build, lambda build: ClusterDiscovery(build, self.executor, self.few))

    def solve(self, build: Build) -> None:
        """Give every position of a tablebase its value."""
        solve(build, lambda build: ClusterSolution(build, self.executor, self.few))

    def rules(self, game: Game[Any, Any]) -> Rules:
        """A game as a context can hold it: `opened` gives it back, with the start of the game."""
        return self.executor.rules(game, game.initial())

    def map(
        self, function: Callable[[Any, Any], Any], context: Any, questions: Iterable[Any]
    ) -> Iterator[Any]:
        """What a function says of a context and each question, in the order of the questions.

        The function must be one of a module, and say the same wherever it runs.
        """
        known, most = self.executor.put(context), AHEAD * self.workers
        under_way: deque[Any] = deque()
        unread: Exception | None = None
        left = iter(questions)
        while unread is None or under_way:
            while unread is None and len(under_way) < most:
                try:
                    under_way += self.executor.run(function, known, next(left))
                except Exception as error:  # those before it are answered first
                    unread = error
            if under_way:
                yield from self.executor.get([under_way.popleft()])
        if not isinstance(unread, StopIteration):
            raise unread
