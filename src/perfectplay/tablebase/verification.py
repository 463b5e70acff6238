"""Verification: are the files what was written, and does every value follow from its successors?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError
from perfectplay.game import Game
from perfectplay.tablebase.build_state import Budget, Build, Progress, open_level
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.file_names import strangers, written_in
from perfectplay.tablebase.interruption import interruptible
from perfectplay.tablebase.level_solver import LevelSolver
from perfectplay.tablebase.rows import to_words
from perfectplay.tablebase.storage import MANIFEST, REMEDY, file_fault, read_manifest
from perfectplay.tablebase.table import Tablebase

BLOCK_READ = 1 << 20


def verify(
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    sample: int | None = None,
    memory: int = 2 << 30,
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> list[str]:
    """What is wrong with a tablebase, one sentence each; nothing, if all is well.

    Checksums, sizes, order and counts of everything; and every value from those of its successors, or
    those of `sample` positions chosen at random.
    """
    directory = Path(path)
    try:
        manifest = read_manifest(directory)
        if manifest.get("phase") != "done":
            return [f"the tablebase in {str(directory)!r} is not finished: build it again, and it goes on."]
    except BadTablebaseError as error:
        return [str(error)]
    faults = [*_strangers(directory, manifest)]
    faults += _file_faults(directory, manifest)
    if faults:
        return faults  # values of damaged files would only say so again
    for number in range(len(manifest["levels"])):
        faults += _order_faults(directory, manifest, number)
    if faults:
        return faults
    budget = Budget(memory, workers or os.cpu_count() or 1)
    return [*_value_faults(directory, manifest, game, sample, budget, report)]


def _strangers(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    for file in strangers(directory, manifest):
        yield f"{file.name} does not belong to the tablebase: take it away."
    if manifest["positions"] != sum(level["positions"] for level in manifest["levels"]):
        yield f"{MANIFEST} counts {manifest['positions']:,} positions, which is not the sum of its levels."


def _file_faults(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Are the sizes and checksums of all files those of the manifest?"""
    for file, wanted in written_in(manifest):
        if fault := file_fault(directory / file, wanted, manifest["block"]):
            yield f"{fault}: {REMEDY}."


def _order_faults(directory: Path, manifest: dict[str, Any], number: int) -> Iterator[str]:
    """Are the positions of a level in order, each once, and as many as there should be?"""
    last, count = None, 0
    for rows, _, _ in open_level(directory, manifest, number).parts(BLOCK_READ):
        count += len(rows)
        if not np.all(rows[1:] > rows[:-1]) or (last is not None and rows[0] <= last):
            yield f"the positions of level {number} are not in order, or some are there twice."
            return
        last = rows[-1]
    if count != manifest["levels"][number]["positions"]:
        yield f"level {number} has {count:,} positions, and not as many as {MANIFEST} says."


def _value_faults(
    directory: Path,
    manifest: dict[str, Any],
    game: Game[Any, Any] | None,
    sample: int | None,
    budget: Budget,
    report: Callable[[Progress], None],
) -> Iterator[str]:
    """Does every value, and every remoteness, follow from those of the successors?"""
    opened = Tablebase(directory, game, compile="never")
    expander = Expander(opened.game, symmetry=manifest["symmetry"], form=opened.form)
    checking = _Checking(Build(directory, expander, manifest, budget, report), sample)
    for number in range(len(manifest["levels"])):
        yield from checking.level(number)
    yield from checking.root(opened)


class _Checking(LevelSolver):
    """What positions are worth, worked out once more from what is stored, and compared with it."""

    phase = "verify"

    def __init__(self, build: Build, sample: int | None) -> None:
        super().__init__(build)
        self.random = np.random.default_rng(0)
        self.share = 1.0 if sample is None else min(1.0, sample / max(self.total, 1))
        self.done, self.total = 0, sum(self._wanted(len(level.rows)) for level in self.levels)

    def _wanted(self, positions: int) -> int:
        """How many of the positions of a level are looked at."""
        return min(positions, int(np.ceil(self.share * positions)))

    def level(self, number: int) -> Iterator[str]:
        """What is wrong with the values of a level."""
        rows = self.levels[number].rows
        size = self.build.budget.block(self.layout.width, self._wanted(len(rows)))
        chosen = np.arange(len(rows))
        if self.share < 1:
            chosen = np.sort(self.random.choice(len(rows), self._wanted(len(rows)), replace=False))
        parts = [chosen[at : at + size] for at in range(0, len(chosen), size)]
        workers = self.build.budget.workers
        with interruptible(workers, self.build.expander.stop) as pool:
            for at in range(0, len(parts), workers):
                for fault in pool.map(lambda part: self._fault(number, part), parts[at : at + workers]):
                    if fault:
                        yield fault
                self.tell(number, sum(map(len, parts[at : at + workers])))

    def _fault(self, number: int, chosen: NDArray[np.int64]) -> str:
        """What is wrong with the values of these positions, if anything is."""
        level = self.levels[number]
        words = to_words(level.rows[chosen])
        values, ends = self.chosen(self.located(number, 0, words))
        stored, until = level.worth(chosen)
        wrong = np.flatnonzero((values != stored) | (ends != until))
        if not len(wrong):
            return ""
        state = self.build.expander.form.state(self.layout.unpack(words[int(wrong[0])].tolist()))
        count = f"{len(wrong):,} value{'s' if len(wrong) > 1 else ''}"
        return f"{count} of level {number} cannot be, by the successors: that of {state!r} first."

    def root(self, opened: Tablebase) -> Iterator[str]:
        """Is the start there?"""
        if opened.get(opened.start) is None:
            yield "the state that it begins at is not in the tablebase."
