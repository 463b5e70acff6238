"""Retrograde: levels that lead to each other, solved with each other.

The successors of all their positions are found once and kept, in memory or in files. Then what follows from
known successors is worked out, as often as there is more of it; if some positions are left after that, the
game can go round in circles, and they are found from the ends of games backwards, the best outcome first.
What nobody can force is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.errors import BadTablebaseError
from perfectplay.tablebase.kernels import DRAW, FAR, MAX_MOVES, OVER, UNKNOWN
from perfectplay.tablebase.level_solver import Block, Codes, LevelSolver
from perfectplay.tablebase.storage import REMEDY, nameless_array, write_arrays

SWEPT = 1 << 16  # positions that one worker looks at, at a time
WRITTEN = 1 << 22  # positions that are read at a time
UNUSABLE = f"{{}} is not what a build has left: {REMEDY}."
FIRST = {"question": 0, "moment": 1, "furthest": -1}


@dataclass
class Task:
    """Some positions of the group with their successors: what one worker sweeps over."""

    first: int  # the number of the first of them
    block: Block
    left: int  # of them, so many have no value yet

    @property
    def count(self) -> int:
        """How many positions that are."""
        return len(self.block.counts)


def write_edges(directory: Path, name: str, number: int, blocks: Sequence[Block]) -> dict[str, Any]:
    """Write the successors of neighbours in a level; what the manifest should know of the file."""
    piece: dict[str, Any] = {
        "file": name,
        "level": number,
        "begin": blocks[0].begin,
        "positions": sum(len(block.counts) for block in blocks),
        "edges": sum(len(block.children) for block in blocks),
    }
    arrays = [getattr(block, array) for array in ("children", "counts", "kinds") for block in blocks]
    return piece | write_arrays(directory / name, arrays)


def open_edges(directory: Path, piece: dict[str, Any]) -> Block:
    """Successors that were written, mapped into memory."""
    path, count, edges = directory / piece["file"], piece["positions"], piece["edges"]
    if piece["bytes"] != 8 * edges + 5 * count or count < 1:
        raise BadTablebaseError(UNUSABLE.format(piece["file"]))
    children = np.memmap(path, np.int64, "c", 0, edges)
    counts = np.memmap(path, np.uint32, "c", 8 * edges, count)
    kinds = np.memmap(path, np.uint8, "c", 8 * edges + 4 * count, count)
    if int(counts.sum(dtype=np.int64)) != edges or not ((kinds >= MAX_MOVES) & (kinds <= OVER)).all():
        raise BadTablebaseError(UNUSABLE.format(piece["file"]))  # machine code goes by it
    return Block(piece["begin"], kinds, counts, children)


class Retrograde:
    """A group of levels, and how far it is solved.

    The positions of the group are numbered, level after level. A step of the solution is a question: which
    positions are worth what is wanted, so many plies from the end? The first question is none: all that
    follows from known successors.
    """

    def __init__(self, solver: LevelSolver, group: Sequence[int]) -> None:
        self.solver = solver
        self.build = solver.build
        self.manifest = solver.manifest
        self.group = group
        self.sizes = [len(solver.levels[number].rows) for number in group]
        firsts = np.cumsum([0, *self.sizes]).tolist()
        solver.offsets = dict(zip(group, firsts[:-1], strict=True))
        self.positions = firsts[-1]
        self.values, self.ends = self._array(UNKNOWN), self._array(0)
        self.fresh: list[tuple[int, Block]] = []  # blocks that are not in a file, with their levels
        self.tasks: list[Any] = []
        self.furthest = np.zeros(len(solver.worths), np.int64)  # how late a value can be known, outside
        self.steps = 0
        self.pieces = self.manifest.setdefault("pieces", [])
        self.asked = self.manifest.get("together", {}).get("asked", dict(FIRST))
        self.serial = self.manifest.get("together", {}).get("serial", -1)

    def run(self) -> None:
        """Go on from what is saved, and finish the levels."""
        self._find_successors()
        self._restore()
        self._answer()
        for at in self._parts():
            left = self.values[at] == UNKNOWN
            self.values[at][left], self.ends[at][left] = DRAW, FAR
            self.solver.check_ends(self.values[at], self.ends[at])
        solved = []
        for number, size in zip(self.group, self.sizes, strict=True):
            first = self.solver.offsets[number]
            parts = [slice(at, min(at + WRITTEN, first + size)) for at in range(first, first + size, WRITTEN)]
            solved.append((number, [self.values[at] for at in parts], [self.ends[at] for at in parts]))
        self.solver.finish(solved)
        self.solver.offsets = {}
        self.tell(self.group[-1], 2 * self.positions - self.steps)

    def tell(self, number: int, steps: int) -> None:
        """Report: the successors of a position are one half of its work, and its value is the other."""
        before, self.steps = self.steps, self.steps + steps
        self.solver.tell(number, self.steps // 2 - before // 2)

    def _array(self, value: int) -> Codes:
        """A number for every position of the group, in memory or, if there are many, in a nameless file."""
        if 8 * self.positions <= self.build.budget.arrays:
            return np.full(self.positions, value, np.uint16)
        array = nameless_array(self.positions, np.dtype(np.uint16), self.build.directory)
        for at in self._parts():
            array[at] = value
        return array

    def _parts(self) -> Iterator[slice]:
        """All positions, some at a time."""
        for begin in range(0, self.positions, WRITTEN):
            yield slice(begin, min(begin + WRITTEN, self.positions))

    # The successors.

    def _find_successors(self) -> None:
        """Find the successors of all positions, but for those that are in files already."""
        saved = [piece for piece in self.pieces if "edges" in piece]
        for piece in saved:
            self.tell(piece["level"], piece["positions"])
        for number, size in zip(self.group, self.sizes, strict=True):
            first = max((p["begin"] + p["positions"] for p in saved if p["level"] == number), default=0)
            self.find_in(number, first, size)
        self.prepare()
        self.tasks.sort(key=lambda task: -task.first)  # later levels first: what they lead to is known sooner

    def prepare(self) -> None:
        """Make tasks of the successors."""
        self.add_tasks([piece for piece in self.pieces if "edges" in piece])

    def add_tasks(self, pieces: Sequence[dict[str, Any]]) -> None:
        """Make tasks of the successors in these files, and of those that are in memory."""
        written = [(piece["level"], open_edges(self.build.directory, piece)) for piece in pieces]
        for number, block in (*written, *self.fresh):
            self._add(number, block)
            self.build.relieve((), *(task.block.children for task in self.tasks if isinstance(task, Task)))

    def find_in(self, number: int, first: int, size: int) -> None:
        """Find the successors of the positions of a level, from one on."""

        def work(begin: int, end: int) -> Block:
            block = self.solver.block(number, begin, end)
            self.solver.check(number, block)
            return block

        for block in self.solver.each_block(work, first, size):
            self.fresh.append((number, block))
            self.tell(number, len(block.counts))
            if sum(each.children.nbytes for _, each in self.fresh) > self.build.budget.arrays // 4:
                self._spill()
            self.save_if_due()

    def _spill(self) -> None:
        """Write the successors that are in memory."""
        for number in sorted({number for number, _ in self.fresh}):
            blocks = [block for level, block in self.fresh if level == number]
            name = f"edges-{number:04}-{blocks[0].begin:012}"
            self.pieces.append(write_edges(self.build.directory, name, number, blocks))
        self.fresh = []

    def _add(self, number: int, block: Block) -> None:
        """Cut a block into tasks."""
        first, edge = self.solver.offsets[number] + block.begin, 0
        for begin in range(0, len(block.counts), SWEPT):
            at = slice(begin, begin + SWEPT)
            more = int(block.counts[at].sum())
            children = block.children[edge : edge + more]
            outside = (-1 - children[children < 0]) >> 16
            if (
                children.max(initial=-1) >= self.positions
                or ((outside >= len(self.furthest)) & (outside != DRAW)).any()
            ):
                raise BadTablebaseError(UNUSABLE.format("a file of successors"))  # machine code goes by it
            self.furthest = np.maximum(self.furthest, self.solver.furthest(children))
            part = Block(begin, block.kinds[at], block.counts[at], children)
            self.tasks.append(Task(first + begin, part, len(part.counts)))
            edge += more

    # Sweeping over the positions.

    def _answer(self) -> None:
        """Ask one question after the other, from the one that was asked last."""
        questions = [None, *self._questions()]
        while self.asked["question"] < len(questions) and any(task.left for task in self.tasks):
            question = questions[self.asked["question"]]
            if question is None:
                while self.sweep("choose"):
                    self.save_if_due()
            else:
                self._force(*question)
            self.asked = FIRST | {"question": self.asked["question"] + 1}
            self.save_if_due()

    def _questions(self) -> list[tuple[int, int]]:
        """Values, each with who wants it: what MAX wins, the most first, what MIN wins, and ties."""
        worths = self.solver.worths.tolist()
        wins = [(number, 1) for number in reversed(range(len(worths))) if worths[number] > 0]
        losses = [(number, -1) for number in range(len(worths)) if worths[number] < 0]
        return [*wins, *losses, *((number, 0) for number in range(len(worths)) if worths[number] == 0)]

    def _force(self, wanted: int, sign: int) -> None:
        """Find all from which this value can be forced, those first that are nearest to the end."""
        asked = self.asked
        if asked["furthest"] < 0:
            asked["furthest"] = self._furthest(wanted)
        while asked["moment"] <= min(asked["furthest"] + 1, FAR):
            if self.sweep("force", (wanted, sign, asked["moment"])):
                asked["furthest"] = max(asked["furthest"], asked["moment"])
            asked["moment"] += 1
            self.save_if_due()

    def _furthest(self, wanted: int) -> int:
        """How far from its end a position of this value is at most, among those that are known."""
        far = int(self.furthest[wanted])
        for at in self._parts():
            far = max(far, int(self.ends[at][self.values[at] == wanted].max(initial=0)))
        return far

    def sweep(self, kernel: str, question: tuple[int, ...] = ()) -> int:
        """Go over all positions that have no value yet; how many got one."""
        total = self.swept([task for task in self.tasks if task.left], kernel, question)
        self.tell(self.group[0], total)
        return total

    def swept(self, tasks: Sequence[Task], kernel: str, question: tuple[int, ...]) -> int:
        """Go over the positions of some tasks; how many got a value.

        Workers write into copies, which are put in place when all of a round are done: no one reads what is
        half written.
        """
        alone = self.build.budget.workers == 1 or len(tasks) == 1

        def work(task: Task) -> tuple[Task, Codes, Codes, int]:
            at = slice(task.first, task.first + len(task.block.counts))
            values, ends = self.values[at], self.ends[at]
            if not alone:
                values, ends = np.array(values), np.array(ends)
            found = self.solver.call(kernel, task.block, self.values, self.ends, values, ends, question)
            return task, values, ends, found

        total = 0
        for results in self.solver.rounds(work, tasks):
            for task, values, ends, found in results:
                if found and not alone:
                    at = slice(task.first, task.first + len(values))
                    self.values[at], self.ends[at] = values, ends
                task.left -= found
                total += found
            self.build.relieve((), *(task.block.children for task in tasks), self.values, self.ends)
        return total

    # What is kept for a build that is stopped.

    def save_if_due(self) -> None:
        """Save, if it is long ago."""
        if self.build.due:
            self._save()

    def _save(self) -> None:
        """Write the successors, and the values as far as they are known."""
        self._spill()
        self.pieces[:] = [piece for piece in self.pieces if "edges" in piece]
        if self.tasks:  # and so the successors of all positions are found
            self.serial += 1
            for kind, array in (("values", self.values), ("ends", self.ends)):
                name = f"group-{self.serial:06}-{kind}"
                written = write_arrays(self.build.directory / name, (array[at] for at in self._parts()))
                self.pieces.append({"file": name, "kind": kind, **written})
            self.manifest["together"] = {"asked": self.asked, "serial": self.serial}
        self.build.save()
        self.build.clean()

    def _restore(self) -> None:
        """Read the values that were saved."""
        for piece in self.pieces:
            if "kind" in piece:
                saved = np.memmap(self.build.directory / piece["file"], np.uint16, "r")
                if len(saved) != self.positions or (
                    piece["kind"] == "values" and ((saved >= len(self.solver.worths)) & (saved < DRAW)).any()
                ):
                    raise BadTablebaseError(UNUSABLE.format(piece["file"]))
                array = self.values if piece["kind"] == "values" else self.ends
                for at in self._parts():
                    array[at] = saved[at]
        for task in self.tasks:
            at = slice(task.first, task.first + task.count)
            task.left = int((self.values[at] == UNKNOWN).sum())
