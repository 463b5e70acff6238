"""Plans: what a worker must know of a build, and what it has made of that.

A worker keeps nothing that it could not make again: the rules as they were sent, compiled, and the files of
the directory, mapped into its memory.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

from perfectplay.cluster.executor import Rules
from perfectplay.compiler import rules_digest
from perfectplay.errors import BadParameterError, BrokenGameError
from perfectplay.tablebase.build_state import Budget, Build, stored_encoding
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.level_solver import LevelSolver
from perfectplay.tablebase.storage import MANIFEST

FILES = ("states", "values", "ends")
LEFT_OUT = ("runs", "parts", "pieces", "utilities", "together", "expanded")  # what only the driver goes by


@dataclass
class Plan:
    """A build, or a step of it, in words for a worker."""

    directory: str
    rules: Rules
    manifest: dict[str, Any]  # without what only the driver goes by
    symmetry: bool
    mode: str | bool  # is it to be compiled?
    memory: int  # bytes for one worker
    offsets: dict[int, int]  # where the positions of levels that are solved together begin
    name: str = field(default_factory=lambda: uuid4().hex)


def plan_of(build: Build, rules: Rules, offsets: dict[int, int] | None = None) -> Plan:
    """The plan of a build as far as it has come."""
    known = {name: value for name, value in build.manifest.items() if name not in LEFT_OUT}
    known["levels"] = [
        {
            name: {"bytes": value["bytes"], "checksums": []} if name in FILES else value
            for name, value in level.items()
        }
        for level in build.manifest["levels"]
    ]
    expander = build.expander
    return Plan(
        str(build.directory.resolve()),
        rules,
        known,
        expander.symmetry,
        expander.mode,
        build.budget.memory,
        offsets or {},
    )


class Worker:
    """What a worker has made of a plan."""

    def __init__(self, plan: Plan, expander: Expander) -> None:
        self.directory = Path(plan.directory)
        self.manifest = plan.manifest
        self.offsets = plan.offsets
        self.build = Build(
            self.directory, expander, plan.manifest, Budget(plan.memory, 1), lambda progress: None
        )
        self.expander = expander
        self.width = expander.encoding.width

    @cached_property
    def solver(self) -> LevelSolver:
        """The levels, and the tools to work out what their positions are worth."""
        solver = LevelSolver(self.build)
        solver.offsets = self.offsets
        return solver

    def blocks(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """So many positions, as many at a time as there is memory for."""
        size = self.build.budget.block(self.width, end - begin)
        for first in range(begin, end, size):
            yield first, min(first + size, end)


_workers: dict[str, Worker] = {}  # the last one
_expanders: dict[str, Expander] = {}  # the last one


def worker_for(plan: Plan) -> Worker:
    """What this process has made of a plan, now or before."""
    if plan.name not in _workers:
        if not (Path(plan.directory) / MANIFEST).exists():
            raise BadParameterError(
                f"the machine {socket.gethostname()} does not see {plan.directory!r}: give a directory that "
                "all machines of the cluster see under the same name."
            )
        worker = Worker(plan, _expander_for(plan))
        _workers.clear()
        _workers[plan.name] = worker
    return _workers[plan.name]


def _expander_for(plan: Plan) -> Expander:
    """The rules of a plan, compiled where they can be; other steps of the same build share them."""
    key = repr(
        [plan.manifest.get(name) for name in ("rules", "start", "form", "layout")]
        + [plan.symmetry, plan.mode]
    )
    if key not in _expanders:
        game, start = plan.rules.opened()
        if rules_digest(game) != plan.manifest["rules"]:
            raise BrokenGameError(
                f"the rules of {type(game).__name__} are not the same on {socket.gethostname()} as where the "
                "build was started: have the same perfectplay and the same files everywhere."
            )
        encoding = stored_encoding(plan.manifest, game)
        made = Expander(game, start=start, symmetry=plan.symmetry, compile=plan.mode, encoding=encoding)
        _expanders.clear()
        _expanders[key] = made
    return _expanders[key]
