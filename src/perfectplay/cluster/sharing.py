"""Sharing: positions of a level given to workers, and their successors asked for where they are.

If the level that positions lead to is small, every worker maps its files. If it is larger than that, their
successors are sent, as questions, to the tasks that each have a stretch of it, and the answers come back to
those that use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from perfectplay.cluster import tasks
from perfectplay.cluster.discovery import SAMPLE, share_size
from perfectplay.cluster.executor import Executor, Ref
from perfectplay.cluster.plan import plan_of
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.rows import different, sampled
from perfectplay.tablebase.solution import Solution

AHEAD = 2  # rounds of shares that are under way at the same time


class SharedSolution(Solution):
    """The levels, and the executor whose workers are to solve them."""

    def __init__(self, build: Build, executor: Executor, few: int) -> None:
        super().__init__(build)
        self.executor = executor
        self.few = few  # positions that are not worth a task
        self.rules = executor.rules(build.expander.game, build.expander.first)

    def planned(self) -> Ref:
        """What workers must know by now."""
        return self.executor.put(plan_of(self.build, self.rules, self.offsets))

    def shared(
        self,
        plan: Ref,
        number: int,
        begin: int,
        end: int,
        alone: Callable[..., Any] | None,
        after: Callable[..., Any],
        answers: int,
    ) -> Iterator[tuple[int, int, list[Ref]]]:
        """Have positions of a level worked on, share by share; what stands for the answers of each, in order.

        Where all successors can be looked up by one worker, that is what `alone` does, if it is given; else
        they are asked for, and `after` does the rest with the answers.
        """
        stretches = self._stretches(number)
        size = share_size(self.build, end - begin, self.executor.workers)
        shares = [(first, min(first + size, end)) for first in range(begin, end, size)]
        many = self.executor.workers * AHEAD
        if stretches:
            each = size * 8 * (self.encoding.width + 3) * 4
            many = max(1, min(many, self.executor.store // 4 // each))
        under_way: list[tuple[int, int, list[Ref]]] = []
        for at in range(0, len(shares), many):
            if alone is not None and not stretches:
                started = [
                    (first, last, self.executor.run(alone, plan, number, first, last, answers=answers))
                    for first, last in shares[at : at + many]
                ]
            else:
                started = self._asked(plan, number, shares[at : at + many], stretches, after, answers)
            yield from self._ready(under_way)
            under_way = started
        yield from self._ready(under_way)

    def _ready(self, under_way: Sequence[tuple[int, int, list[Ref]]]) -> Iterator[tuple[int, int, list[Ref]]]:
        for first, last, refs in under_way:
            self.executor.wait(refs)
            yield first, last, refs

    def _asked(
        self,
        plan: Ref,
        number: int,
        shares: Sequence[tuple[int, int]],
        stretches: Sequence[tasks.Stretch],
        after: Callable[..., Any],
        answers: int,
    ) -> list[tuple[int, int, list[Ref]]]:
        """Have the successors of some shares asked for, answered, and used."""
        asked = [
            self.executor.run(tasks.ask, plan, number, first, last, stretches, answers=1 + len(stretches))
            for first, last in shares
        ]
        answered = [
            self.executor.run(
                tasks.answer, plan, stretch, *(each[1 + place] for each in asked), answers=len(asked)
            )
            for place, stretch in enumerate(stretches)
        ]
        return [
            (
                first,
                last,
                self.executor.run(
                    after,
                    plan,
                    number,
                    first,
                    each[0],
                    *(answer[place] for answer in answered),
                    answers=answers,
                ),
            )
            for place, ((first, last), each) in enumerate(zip(shares, asked, strict=True))
        ]

    def _stretches(self, number: int) -> list[tasks.Stretch]:
        """The levels that a level leads to and that are too large for one worker, cut into stretches."""
        found = self.build.expander.expand(sampled(self.levels[number].rows, SAMPLE))
        reached = different(np.array([other for other, _ in self.candidates(number, found)], np.int64))
        stretches = []
        for other in reached:
            count = len(self.levels[other].rows)
            size = self.build.row_bytes + self.manifest["value_bytes"] + 2
            many = -(-count * size // self.build.budget.mapped)
            cuts = [count * place // many for place in range(many + 1)]
            if many > 1:
                stretches += [tasks.Stretch(other, first, last) for first, last in pairwise(cuts)]
        return stretches
