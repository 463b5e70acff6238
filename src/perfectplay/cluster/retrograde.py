"""Levels that lead to each other, solved on many machines.

The successors of all their positions are found once and written by the workers, a file for each share. Then
every question is a round: what is known of all positions goes to every machine, once, and each worker says
what follows from it for the positions of its files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from perfectplay.cluster import tasks
from perfectplay.cluster.discovery import place_file
from perfectplay.cluster.executor import Ref
from perfectplay.cluster.sharing import SharedSolution
from perfectplay.tablebase.retrograde import Retrograde


@dataclass
class EdgesTask:
    """Some positions of the group, whose successors are in a file."""

    first: int  # the number of the first of them
    count: int
    piece: dict[str, Any]
    left: int  # of them, so many have no value yet


class ClusterRetrograde(Retrograde):
    """A group of levels that workers solve."""

    def __init__(self, solver: SharedSolution, group: Sequence[int]) -> None:
        super().__init__(solver, group)
        self.cluster = solver
        self.executor = solver.executor
        self.few = solver.few
        self.firsts = sorted(solver.offsets.values())
        self.plan = solver.planned()
        self.known: list[Ref] = []  # the values and the remoteness of all positions, as they were sent last

    def find_in(self, number: int, first: int, size: int) -> None:
        """Have the successors of the positions of a level written, from one on; few are found here."""
        if size - first < self.few:
            super().find_in(number, first, size)
            return
        for begin, end, refs in self.cluster.shared(self.plan, number, first, size, None, tasks.edges, 1):
            (piece,) = self.executor.get(refs)
            name = f"edges-{number:04}-{begin:012}"
            place_file(self.build.directory, piece["file"], name)
            self.pieces.append(piece | {"file": name})
            self.tell(number, end - begin)
            self.save_if_due()

    def prepare(self) -> None:
        """Note what is known of successors outside the group, and make tasks: few are swept over here."""
        sizes = dict(zip(self.group, self.sizes, strict=True))
        pieces = [piece for piece in self.pieces if "edges" in piece]
        far = [piece for piece in pieces if sizes[piece["level"]] >= self.few]
        near = [piece for piece in pieces if sizes[piece["level"]] < self.few]
        noted = [self.executor.run(tasks.note, self.plan, piece)[0] for piece in far]
        for furthest in self.executor.get(noted):
            self.furthest = np.maximum(self.furthest, furthest)
        for piece in far:
            first, count = self.solver.offsets[piece["level"]] + piece["begin"], piece["positions"]
            self.tasks.append(EdgesTask(first, count, piece, count))
        self.add_tasks(near)

    def sweep(self, kernel: str, question: tuple[int, ...] = ()) -> int:
        """Go over all positions that have no value yet; how many got one.

        What follows from known successors alone is found level by level, the last first, since the next
        ones build on it. A question about a moment looks at earlier moments only.
        """
        left = [task for task in self.tasks if task.left]
        rounds = [[*some] for _, some in groupby(left, key=self._level)] if kernel == "choose" else [left]
        total = 0
        for some in rounds:
            far = [task for task in some if isinstance(task, EdgesTask)]
            near = [task for task in some if not isinstance(task, EdgesTask)]
            if far and not self.known:
                self.known = [self.executor.put(np.asarray(array)) for array in (self.values, self.ends)]
            asked = kernel, question, *self.known
            refs = [
                self.executor.run(tasks.sweep, self.plan, task.piece, task.first, *asked)[0] for task in far
            ]
            found = self.swept(near, kernel, question)
            for task, (places, values, ends) in zip(far, self.executor.get(refs), strict=True):
                self.values[task.first + places], self.ends[task.first + places] = values, ends
                task.left -= len(places)
                found += len(places)
            if found:
                self.known, total = [], total + found
        self.tell(self.group[0], total)
        return total

    def _level(self, task: Any) -> int:
        """The level of a task."""
        return bisect_right(self.firsts, task.first)
