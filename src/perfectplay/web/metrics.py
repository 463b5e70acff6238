"""Metrics: what a server has done and does now, all its workers together, as Prometheus reads it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, MutableSequence
from typing import Any, NamedTuple

ASKED = (
    "games",
    "start",
    "position",
    "prompt",
    "tablebase",
    "record",
    "analyse",
    "reply",
    "review",
    "trace",
    "exercise",
)
ROUTES = (
    *("/", "/static", "/theatre", "/exercise", "/trace", "/healthz", "/metrics"),
    *(f"/api/{name}" for name in ASKED),
    "other",
)
STATUSES = ("left", "1xx", "2xx", "3xx", "4xx", "5xx")  # left: who asked did not wait for the answer


class Metric(NamedTuple):
    """A name, what it is, and of which kind."""

    name: str
    kind: str
    help: str


COUNTS = (
    Metric("rules_processes_started_total", "counter", "Processes begun for games of one's own."),
    Metric("rules_processes_ended_total", "counter", "Those ended since their rules did not return."),
    Metric("requests_under_way", "gauge", "Requests that are being answered."),
    Metric("searches_running", "gauge", "Searches at work."),
    Metric("searches_queued", "gauge", "Searches that wait for a place."),
    Metric("answers_running", "gauge", "Positions and exercises that are being made."),
    Metric("answers_queued", "gauge", "Those that wait for a place."),
    Metric("rules_processes", "gauge", "Processes that run the rules of games of one's own."),
    Metric("connections", "gauge", "Open connections."),
    Metric("unread_bytes", "gauge", "Bytes of answers that nobody has read yet."),
    Metric("resident_memory_bytes", "gauge", "Memory of the server's processes."),
)
REQUESTS = [(route, status) for route in ROUTES for status in STATUSES]
PLACES: dict[Any, int] = {
    name: place
    for place, name in enumerate(
        [*REQUESTS, *((route, what) for route in ROUTES for what in ("seconds", "bytes")), *COUNTS]
    )
}
NAMED = {metric.name: metric for metric in COUNTS}


class Board:
    """Numbers that every worker writes into its own row, and any of them reads for all."""

    def __init__(self, cells: MutableSequence[float] | None = None, row: int = 0) -> None:
        self.cells = [0.0] * len(PLACES) if cells is None else cells
        self.first = row * len(PLACES)

    @staticmethod
    def size(rows: int) -> int:
        """Cells that so many rows take."""
        return rows * len(PLACES)

    def answered(self, path: str, status: int, seconds: float, sent: int) -> None:
        """A request has been answered."""
        route = route_of(path)
        self._add((route, f"{status // 100}xx" if status else "left"), 1)
        self._add((route, "seconds"), seconds)
        self._add((route, "bytes"), sent)

    def set(self, **gauges: float) -> None:
        """How things stand in this worker."""
        for name, value in gauges.items():
            self.cells[self.first + PLACES[NAMED[name]]] = value

    def total(self, name: str) -> float:
        """How things stand in all of them."""
        return self._sum(NAMED[name])

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        requests = Metric("requests_total", "counter", "Requests answered.")
        yield from _written(
            requests,
            (
                (f'{{route="{route}",status="{status}"}}', found)
                for route, status in REQUESTS
                if (found := self._sum((route, status)))
            ),
        )
        for what, told in (("seconds", "Time to answer requests."), ("bytes", "Bytes sent.")):
            metric = Metric(f"request_{what}_total", "counter", told)
            sums = ((f'{{route="{route}"}}', self._sum((route, what))) for route in ROUTES)
            yield from _written(metric, sums)
        for metric in COUNTS:
            yield from _written(metric, [("", self._sum(metric))])

    def _add(self, what: Any, number: float) -> None:
        self.cells[self.first + PLACES[what]] += number

    def _sum(self, what: Any) -> float:
        return sum(self.cells[place] for place in range(PLACES[what], len(self.cells), len(PLACES)))


def route_of(path: str) -> str:
    """The route that a path belongs to: of few names, whatever people ask for."""
    first, _, rest = path[1:].partition("/")
    names = (f"/{first}/{rest.partition('/')[0]}", f"/{first}") if path.startswith("/") else ()
    return next((name for name in names if name in ROUTES), "/" if path == "/" else "other")


def resident_memory() -> int:
    """Bytes that this process has in memory; 0 where that is not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _written(metric: Metric, values: Iterable[tuple[str, float]]) -> Iterator[str]:
    yield f"# HELP perfectplay_{metric.name} {metric.help}"
    yield f"# TYPE perfectplay_{metric.name} {metric.kind}"
    for labels, value in values:
        yield (
            f"perfectplay_{metric.name}{labels} {value:g}"
            if value < 1e6
            else (f"perfectplay_{metric.name}{labels} {value:.0f}")
        )
