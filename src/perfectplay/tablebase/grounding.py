"""Grounding: outcomes that follow from the ends of games, where moves lead in circles.

With a remoteness, a win leads to another one that is nearer to the end, and so to an end. Without it, two
positions could each be called won because the other is. So wins and ties are followed from the ends on
backwards: what is called won or tied and is not reached in that way is wrong. Draws are what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.expansion import Successors
from perfectplay.tablebase.kernels import DRAW, MAX_MOVES, OVER
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.rows import Words

TIE = 1  # among the codes of outcomes: 0 where MIN wins, 2 where MAX does

Lookup = Callable[[int, Successors], Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]]


class Grounding:
    """Levels that lead to each other, and which of their positions follow from ends of games."""

    def __init__(
        self,
        levels: Sequence[Level],
        group: Sequence[int],
        successors: Callable[[Words], Successors],
        lookup: Lookup,
        block: int,
    ) -> None:
        self.levels = levels
        self.group = group  # the numbers of those; in all others, every position follows already
        self.successors = successors
        self.lookup = lookup  # level and place of successors: which level, which of them, where
        self.block = block
        self.found: dict[int, NDArray[np.bool_]] = {}
        for number in group:
            values, _ = levels[number].worth(np.arange(len(levels[number].rows)))
            self.found[number] = values >= DRAW  # of draws, and where nothing is, nothing need follow

    def left(self) -> tuple[int, int] | None:
        """A position that does not follow: its level and its place; None if all do."""
        more = True
        while more:
            more = False
            for number in reversed(self.group):
                waiting = np.flatnonzero(~self.found[number])
                for begin in range(0, len(waiting), self.block):
                    places = waiting[begin : begin + self.block]
                    follows = self._follows(number, places)
                    self.found[number][places[follows]] = True
                    more = more or bool(follows.any())
        for number, found in self.found.items():
            if not found.all():
                return number, int(np.flatnonzero(~found)[0])
        return None

    def _follows(self, number: int, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these positions follow from successors that do."""
        level = self.levels[number]
        found = self.successors(level.rows.take(places))
        mine, _ = level.worth(places)
        owner = np.repeat(np.arange(len(places)), found.counts)
        good = np.zeros(len(found.words), np.bool_)  # the same outcome, and it follows
        for other, which, at in self.lookup(number, found):
            values, _ = self.levels[other].worth(at)
            known = self.found[other][at] if other in self.found else np.ones(len(at), np.bool_)
            good[which] = known & (values == mine[owner[which]])
        count = np.bincount(owner, good, len(places)).astype(np.int64)
        winner = np.where(mine == TIE, 0, np.where(mine > TIE, 1, -1))
        mover = np.where(found.kinds == MAX_MOVES, 1, -1)
        chooses = (winner == 0) | (winner == mover)
        answer: NDArray[np.bool_] = (found.kinds == OVER) | np.where(
            chooses, count > 0, count == found.counts
        )
        return answer
