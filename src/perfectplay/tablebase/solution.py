"""Solution: what every position is worth, from the last level back to the first.

Where every action leads to a later level, a level is solved in one go. Where actions stay in a level or
lead back, the levels in question are solved together: as long as there are positions whose successors are
all known, those are worked out; if some are left then, the game can go round in circles, and they are found
from the ends of games backwards, the best outcome first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.expansion import Successors
from perfectplay.tablebase.kernels import DRAW, FAR, OVER, UNKNOWN
from perfectplay.tablebase.machinery import arithmetic
from perfectplay.tablebase.names import ends_file, values_file
from perfectplay.tablebase.project import Progress, Project, write_array
from perfectplay.tablebase.rows import to_words

PIECE = 1 << 22  # positions whose values are kept in a file of their own until the level is finished
MOST_VALUES = 0xFF00


def solve(project: Project) -> None:
    """Give every position its value and its remoteness, and finish the manifest."""
    manifest = project.manifest
    if "values" not in manifest:
        utilities = {value for level in manifest["levels"] for value in level["utilities"]}
        _check_values(utilities)
        manifest["values"] = sorted(_plain(value) for value in utilities)
        manifest["value_bytes"] = 1 if len(utilities) <= 250 else 2
        project.save()
    Solution(project).run()
    for level in manifest["levels"]:
        level.pop("utilities", None)
    for name in ("runs", "expanded", "pieces"):
        manifest.pop(name, None)
    manifest["positions"] = sum(level["positions"] for level in manifest["levels"])
    manifest["phase"] = "done"
    project.save()
    project.clean()


def _check_values(utilities: set[float]) -> None:
    odd = [value for value in utilities if not np.isfinite(value)]
    if odd:
        raise BrokenGameError(f"utility() gave {odd[0]}, which is no value: give a finite number.")
    if len(utilities) > MOST_VALUES:
        raise BrokenGameError(
            f"the game has {len(utilities):,} different utilities: at most {MOST_VALUES:,}."
        )


def _plain(value: float) -> float:
    return int(value) if float(value).is_integer() else value


@dataclass
class Block:
    """Positions next to each other in a level, with their successors found."""

    begin: int
    kinds: NDArray[np.uint8]
    counts: NDArray[np.int64]
    levels: NDArray[np.int16]  # of the successors: which of the levels they are in
    places: NDArray[np.int64]  # and where in it
    values: NDArray[np.uint16]  # of those that are over
    ends: NDArray[np.uint16]


class Solution:
    """The levels as they are solved."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.manifest = project.manifest
        self.layout = project.layout
        self.worths = np.array(self.manifest["values"] or [0.0], np.float64)
        self.compiled = project.expander.compiled
        self.arithmetic = arithmetic(compiled=self.compiled)
        self.levels = [project.level(number).unpacked() for number in range(len(self.manifest["levels"]))]
        self.total = sum(level["positions"] for level in self.manifest["levels"])
        self.began = monotonic()
        self.done = 0

    def run(self) -> None:
        """Solve what is not solved yet, the last first."""
        for group in reversed(self._groups()):
            if all("values" in self.manifest["levels"][number] for number in group):
                continue
            if len(group) == 1 and self.manifest["regular"]:
                self._solve_level(group[0])
            else:
                self._solve_together(group)

    def _groups(self) -> list[list[int]]:
        """The levels that must be solved together, each group in order."""
        levels = self.manifest["levels"]
        if self.manifest["regular"]:
            return [[number] for number in range(len(levels))]
        if not self.project.expander.has_tiers:
            return [list(range(len(levels)))]
        groups: dict[int, list[int]] = {}
        for number, level in enumerate(levels):
            groups.setdefault(level["tier"], []).append(number)
        return [groups[tier] for tier in sorted(groups)]

    # One level, whose successors are all solved.

    def _solve_level(self, number: int) -> None:
        level = self.levels[number]
        pieces = self.manifest.setdefault("pieces", [])
        for begin in range(0, len(level.rows), PIECE):
            if any(piece["begin"] == begin for piece in pieces):
                continue
            size = min(PIECE, len(level.rows) - begin)
            values, ends = np.full(size, UNKNOWN, np.uint16), np.zeros(size, np.uint16)
            for block in self._blocks(number, begin, begin + size):
                at = slice(block.begin - begin, block.begin - begin + len(block.counts))
                values[at], ends[at] = block.values, block.ends
                self._choose(block, values[at], ends[at])
                self._tell(number, len(block.counts))
            self._check(number, values)
            if size == len(level.rows):
                self._finish(number, values, ends)
                return
            names = [f"piece-{number:04}-{begin:012}-{kind}" for kind in ("values", "ends")]
            for name, array in zip(names, (values, ends), strict=True):
                pieces.append(
                    {"file": name, "begin": begin, **write_array(self.project.directory / name, array)}
                )
            self.project.save()
        self._finish(number, *(self._joined(kind) for kind in ("values", "ends")))

    def _joined(self, kind: str) -> NDArray[np.uint16]:
        """The pieces of a level in one."""
        names = sorted(each["file"] for each in self.manifest["pieces"] if each["file"].endswith(kind))
        return np.concatenate([np.fromfile(self.project.directory / name, np.uint16) for name in names])

    def _check(self, number: int, values: NDArray[np.uint16]) -> None:
        if (values == UNKNOWN).any():
            raise BrokenGameError(
                f"a position of level {number} has no actions and is not terminal, or one that leads to "
                "a position of no level: perfectplay check says more."
            )

    def _finish(self, number: int, values: NDArray[np.uint16], ends: NDArray[np.uint16]) -> None:
        """Write what a level is worth, and say so in the manifest."""
        directory, known = self.project.directory, self.manifest["levels"][number]
        narrow = np.dtype(f"<u{self.manifest['value_bytes']}")
        known["values"] = write_array(directory / values_file(number), values.astype(narrow))
        known["ends"] = write_array(directory / ends_file(number), ends.astype("<u2"))
        self.manifest["pieces"] = []
        if self.project.due:
            self.project.save()
            self.project.clean()
        self.levels[number] = self.project.level(number)

    def _choose(self, block: Block, values: NDArray[np.uint16], ends: NDArray[np.uint16]) -> int:
        child_values, child_ends = self._gathered(block)
        return self._call("choose", block, child_values, child_ends, values, ends)

    def _call(self, kernel: str, block: Block, *arrays: Any) -> int:
        """Run a kernel, on lists where nothing is compiled."""
        head = (block.kinds, block.counts, self.worths)
        if self.compiled:
            return int(getattr(self.arithmetic, kernel)(*head, *arrays))
        child_values, child_ends, values, ends, *question = arrays
        lists = [values.tolist(), ends.tolist()]
        plain = (*(each.tolist() for each in (*head, child_values, child_ends)), *lists, *question)
        found = int(getattr(self.arithmetic, kernel)(*plain))
        values[:], ends[:] = lists
        return found

    def _gathered(self, block: Block) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
        """The values and the remoteness of successors, as far as they are known."""
        values = np.full(len(block.places), UNKNOWN, np.uint16)
        ends = np.full(len(block.places), FAR, np.uint16)
        for number in np.unique(block.levels).tolist():
            level = self.levels[number] if number >= 0 else None
            if level is not None and level.values is not None and level.ends is not None:
                here = block.levels == number
                found = level.values[block.places[here]].astype(np.uint16)
                if level.values.dtype.itemsize == 1:
                    found[found == DRAW & 0xFF] = DRAW
                values[here], ends[here] = found, level.ends[block.places[here]]
        return values, ends

    def _blocks(self, number: int, first: int, last: int) -> Iterator[Block]:
        """The positions of a level with their successors, block by block, on all workers, in their order."""
        rows = self.levels[number].rows
        workers = self.project.budget.workers
        size = self.project.budget.block(self.layout.width)

        def work(begin: int) -> Block:
            words = to_words(rows[begin : min(begin + size, last)])
            return self._located(number, begin, self.project.expander.expand(self.layout, words))

        with ThreadPoolExecutor(workers) as pool:
            begins = range(first, last, size)
            for at in range(0, len(begins), workers):
                yield from pool.map(work, begins[at : at + workers])

    def _located(self, number: int, begin: int, found: Successors) -> Block:
        """Where the successors of positions are."""
        levels = np.full(len(found.words), -1, np.int16)
        places = np.full(len(found.words), -1, np.int64)
        later = range(number + 1, len(self.levels)) if self.manifest["regular"] else range(len(self.levels))
        for other in later:
            level = self.levels[other]
            here = level.may_have(found.words)
            here &= levels < 0
            if not here.any():
                continue
            at = level.places(found.words[here], compiled=self.compiled)
            which = np.flatnonzero(here)[at >= 0]
            levels[which], places[which] = other, at[at >= 0]
            if (levels >= 0).all():
                break
        over = found.kinds == OVER
        values = np.full(len(found.counts), UNKNOWN, np.uint16)
        values[over] = np.searchsorted(self.worths, found.utilities[over])
        ends = np.zeros(len(found.counts), np.uint16)
        return Block(begin, found.kinds, found.counts, levels, places, values, ends)

    def _tell(self, number: int, more: int) -> None:
        self.done += more
        seconds = monotonic() - self.began
        count = len(self.levels)
        self.project.report(Progress("solve", number, count, self.done, self.total, seconds))

    # Several levels that lead to each other.

    def _solve_together(self, group: Sequence[int]) -> None:
        """Solve levels with each other, in memory."""
        blocks = {number: list(self._blocks(number, 0, len(self.levels[number].rows))) for number in group}
        for number in group:
            size = len(self.levels[number].rows)
            self.levels[number].values = np.full(size, UNKNOWN, np.uint16)
            self.levels[number].ends = np.zeros(size, np.uint16)
            for block in blocks[number]:
                values, ends = self._part(number, block)
                values[:], ends[:] = block.values, block.ends
        everything = [(number, block) for number in reversed(group) for block in blocks[number]]
        while sum(self._sweep("choose", each) for each in everything):
            pass
        if any(np.any(self.levels[number].values == UNKNOWN) for number in group):
            self._solve_circles(everything)
        for number in group:
            level = self.levels[number]
            assert level.values is not None
            assert level.ends is not None
            left = level.values == UNKNOWN
            level.values[left], level.ends[left] = DRAW, FAR
            self._tell(number, len(level.rows))
        for number in group:
            level = self.levels[number]
            assert level.values is not None
            assert level.ends is not None
            self._finish(number, level.values, level.ends)

    def _part(self, number: int, block: Block) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
        """The values and ends of a block, to be written."""
        level = self.levels[number]
        assert level.values is not None
        assert level.ends is not None
        at = slice(block.begin, block.begin + len(block.counts))
        return level.values[at], level.ends[at]

    def _sweep(self, kernel: str, where: tuple[int, Block], *question: int) -> int:
        number, block = where
        values, ends = self._part(number, block)
        if not (values == UNKNOWN).any():
            return 0
        return self._call(kernel, block, *self._gathered(block), values, ends, *question)

    def _solve_circles(self, everything: Sequence[tuple[int, Block]]) -> None:
        """What can be forced, the best for each side first; and then the end of a game that nobody wins."""
        worths = self.worths.tolist()
        wins = [number for number in reversed(range(len(worths))) if worths[number] > 0]
        losses = [number for number in range(len(worths)) if worths[number] < 0]
        ties = [number for number in range(len(worths)) if worths[number] == 0]
        for sign, wanted in [
            *((1, each) for each in wins),
            *((-1, each) for each in losses),
            *((0, each) for each in ties),
        ]:
            moment, furthest = 1, self._furthest(wanted)
            while moment <= furthest + 1:
                if sum(self._sweep("force", each, wanted, sign, moment) for each in everything):
                    furthest = max(furthest, moment)
                moment += 1

    def _furthest(self, wanted: int) -> int:
        """How far from its end a position of this value is at most, among those that are known."""
        far = 0
        for level in self.levels:
            if level.values is not None and level.ends is not None:
                known = level.values == wanted
                if known.any():
                    far = max(far, int(level.ends[known].max()))
        return far
