"""LevelSolver: the levels of a tablebase, and the tools to work out what their positions are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.build_state import Build, Progress
from perfectplay.tablebase.compiled_kernels import arithmetic
from perfectplay.tablebase.expansion import Successors
from perfectplay.tablebase.file_names import ends_file, values_file
from perfectplay.tablebase.interruption import in_turn
from perfectplay.tablebase.kernels import DRAW, FAR, OVER, UNKNOWN
from perfectplay.tablebase.manifest import by_tiers, stored_values
from perfectplay.tablebase.merged_levels import MergedLevels
from perfectplay.tablebase.rows import Words, different
from perfectplay.tablebase.storage import nameless_array, write_arrays

MISSING = -1 - (UNKNOWN << 16 | FAR)  # a successor that is nowhere

MANY_LEVELS = 16  # beyond which small ones are looked in together

Codes = NDArray[np.uint16]  # values by their numbers, or remoteness
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass
class Block:
    """Positions next to each other in a level, with their successors found, as the kernels want them."""

    begin: int
    kinds: NDArray[np.uint8]
    counts: NDArray[np.uint32]
    children: NDArray[np.int64]  # numbers in the group that is solved together, or what is known of them


class LevelSolver:
    """The levels as they are solved."""

    phase = "solve"

    def __init__(self, build: Build) -> None:
        self.build = build
        self.manifest = build.manifest
        self.by_tiers = by_tiers(self.manifest)
        self.encoding = build.expander.encoding
        self.worths = np.array(stored_values(self.manifest) or [0.0], np.float64)
        self.compiled = build.expander.compiled
        self.arithmetic = arithmetic(compiled=self.compiled)
        self.total = sum(level["positions"] for level in self.manifest["levels"])
        few = self.total * (self.encoding.row_bytes + 4) <= build.budget.arrays
        levels = map(build.level, range(len(self.manifest["levels"])))
        self.levels = [level.unpacked(np.empty if few else nameless_array) for level in levels]
        self.by_tier = {level["tier"]: number for number, level in enumerate(self.manifest["levels"])}
        self.offsets: dict[int, int] = {}  # where the positions of levels that are solved together begin
        self.looked_in: set[int] = set()  # levels that have an index for that
        self.began = monotonic()
        self.done = sum(level["positions"] for level in self.manifest["levels"] if "values" in level)
        self.before = self.done

    def each_block(self, work: Callable[[int, int], Result], first: int, last: int) -> Iterator[Result]:
        """Do some work on the positions of a level, block by block, on all workers, in their order."""
        size = self.build.budget.block(self.encoding.width, last - first)
        begins, workers = range(first, last, size), self.build.budget.workers
        if workers == 1 or len(begins) == 1:
            for begin in begins:
                yield work(begin, min(begin + size, last))
                self.build.relieve(self.levels)
            return
        with ThreadPoolExecutor(workers) as pool:
            for result in in_turn(pool, lambda begin: work(begin, min(begin + size, last)), begins, workers):
                yield result
                self.build.relieve(self.levels)

    def rounds(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[list[Result]]:
        """The results of tasks, as many at a time as there are workers."""
        workers = self.build.budget.workers
        if workers == 1 or len(tasks) == 1:
            yield from ([work(task)] for task in tasks)
            return
        with ThreadPoolExecutor(workers) as pool:
            for at in range(0, len(tasks), workers):
                yield list(pool.map(work, tasks[at : at + workers]))

    def block(self, number: int, begin: int, end: int) -> Block:
        """Positions of a level with their successors."""
        return self.located(number, begin, self.levels[number].rows[begin:end])

    def located(self, number: int, begin: int, words: Words) -> Block:
        """Positions with what is known of their successors."""
        found = self.build.expander.expand(words)
        codes = np.full(len(found.words), MISSING, np.int64)
        for other, which in self.candidates(number, found):
            self.looked_in.add(other)
            at = self.levels[other].places(found.words[which], compiled=self.compiled)
            there = at >= 0
            codes[which[there]] = self.codes(other, at[there])
        return self.block_of(begin, found, codes)

    def block_of(self, begin: int, found: Successors, codes: NDArray[np.int64]) -> Block:
        """Positions with what is known of their successors, which these codes say."""
        over = found.kinds == OVER
        counts = found.counts + over
        children = np.empty(len(codes) + int(over.sum()), np.int64)
        own = (np.cumsum(counts) - counts)[over]
        outside = np.ones(len(children), np.bool_)
        outside[own] = False
        children[outside] = codes
        children[own] = -1 - (np.searchsorted(self.worths, found.utilities[over]) << 16)
        return Block(begin, found.kinds, counts.astype(np.uint32), children)

    def candidates(self, number: int, found: Successors) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """The levels in which successors can be, each with the successors that can be there."""
        if self.by_tiers:
            for tier in different(found.tiers):
                if tier in self.by_tier:
                    yield self.by_tier[tier], np.flatnonzero(found.tiers == tier)
            return
        last = min(number + 1, len(self.levels) - 1)  # a successor needs at most one move more
        first = number + 1 if self.manifest["levels"][number]["regular"] else 0
        alone: Sequence[int] = range(last, first - 1, -1)
        if last - first > MANY_LEVELS:
            small, large = self.merged
            homes = small.levels_of(found.words)
            for other in different(homes[homes >= 0]):
                yield other, np.flatnonzero(homes == other)
            alone = [other for other in large if first <= other <= last]
        for other in alone:
            which = np.flatnonzero(self.levels[other].may_have(found.words))
            if len(which):
                yield other, which

    @cached_property
    def merged(self) -> tuple[MergedLevels, list[int]]:
        """Where to look if a successor may be in any of many levels: in all small ones at once."""
        small = MergedLevels(self.build.budget.arrays // (4 * (8 * self.encoding.width + 8)))
        return small, [level.number for level in self.levels if not small.take(level)]

    def codes(self, number: int, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of a level, as the kernels want successors."""
        if number in self.offsets:
            return places + self.offsets[number]
        values, ends = self.levels[number].worth(places)
        return -1 - (values.astype(np.int64) << 16 | ends.astype(np.int64))

    def furthest(self, children: NDArray[np.int64]) -> NDArray[np.int64]:
        """How late each value is known, at most, among successors outside the group."""
        found = np.zeros(len(self.worths), np.int64)
        outside = -1 - children[children < 0]
        values = outside >> 16
        plain = values < len(found)
        np.maximum.at(found, values[plain], (outside & FAR)[plain])
        return found

    def check(self, number: int, block: Block) -> None:
        """Refuse positions that no one can be in."""
        if not block.counts.all() or (block.children == MISSING).any():
            raise BrokenGameError(
                f"a position of level {number} has no actions and is not terminal, or one that leads to "
                "a position of no level: perfectplay check says more."
            )

    def chosen(self, block: Block) -> tuple[Codes, Codes]:
        """The values and the remoteness of positions whose successors are all known."""
        size, nothing = len(block.counts), np.empty(0, np.uint16)
        values, ends = np.full(size, UNKNOWN, np.uint16), np.zeros(size, np.uint16)
        self.call("choose", block, nothing, nothing, values, ends)
        return values, ends

    def check_ends(self, values: Codes, ends: Codes) -> None:
        """Refuse games that can be drawn out longer than a remoteness can say."""
        if ((ends == FAR) & (values < DRAW)).any():
            raise BrokenGameError(f"a game can be made to last {FAR:,} plies or more, which is too long.")

    def call(
        self,
        kernel: str,
        block: Block,
        group_values: Codes,
        group_ends: Codes,
        values: Codes,
        ends: Codes,
        question: Sequence[int] = (),
    ) -> int:
        """Run a kernel, on lists where nothing is compiled; how many positions got a value."""
        head = (block.kinds, block.counts, block.children, self.worths, group_values, group_ends)
        if self.compiled:
            return int(getattr(self.arithmetic, kernel)(*head, values, ends, *question))
        lists = [values.tolist(), ends.tolist()]
        plain = (*(each.tolist() for each in head), *lists)
        found = int(getattr(self.arithmetic, kernel)(*plain, *question))
        values[:], ends[:] = lists
        return found

    def tell(self, number: int, more: int) -> None:
        """Report that so many more positions are done."""
        self.done += more
        seconds = monotonic() - self.began
        count = len(self.levels)
        self.build.report(Progress(self.phase, number, count, self.done, self.total, seconds, self.before))

    def finish(self, solved: Sequence[tuple[int, Iterable[Codes], Iterable[Codes]]]) -> None:
        """Write what levels are worth, and say so in the manifest: all of them, or none."""
        directory, written = self.build.directory, {}
        narrow = np.dtype(f"<u{self.manifest['value_bytes']}")
        for number, values, ends in solved:
            written[number] = {
                "values": write_arrays(directory / values_file(number), (v.astype(narrow) for v in values)),
                "ends": write_arrays(directory / ends_file(number), (e.astype("<u2") for e in ends)),
            }
        self.finished(written)

    def finished(self, written: dict[int, dict[str, Any]]) -> None:
        """Say in the manifest that these levels are solved, and which files they have."""
        for number, files in written.items():
            self.manifest["levels"][number] |= files
        pieces, self.manifest["pieces"] = self.manifest.get("pieces"), []
        self.manifest.pop("together", None)
        if self.build.due or pieces:  # which take room on the disk
            self.build.save()
            self.build.clean()
        for number in self.looked_in:
            self.levels[number].forget_index()
        self.looked_in.clear()
        for number in written:
            self.levels[number] = self.build.level(number)
