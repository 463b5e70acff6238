"""Discovery on many machines: successors are exchanged by ranges, and every range is written by one worker.

A wave of tasks expands as many positions as what is exchanged may take. Each cuts its successors into
ranges, so that for every range one task has all of them, sorts them, and writes a file. If one wave was
enough, its files, one after the other, are what the level is made of; otherwise they are gathered by
ranges once more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.cluster import tasks
from perfectplay.cluster.executor import Executor, Ref
from perfectplay.cluster.plan import plan_of
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.discovery import Discovery, Leaves, Part, by_tier
from perfectplay.tablebase.file_names import states_file
from perfectplay.tablebase.rows import Run, Words, number_at, sampled, sorted_once
from perfectplay.tablebase.storage import flush_later

SAMPLE = 1 << 12  # positions whose successors say where ranges should begin
MANY = 32  # workers for which one range each is enough


class ClusterDiscovery(Discovery):
    """The positions as they are found by the workers of an executor; few are found here."""

    def __init__(self, build: Build, executor: Executor, few: int) -> None:
        super().__init__(build)
        self.executor = executor
        self.few = few  # positions that are not worth a task
        rules = executor.rules(build.expander.game, build.expander.first)
        self.plan = executor.put(plan_of(build, rules))
        for _ in range(executor.workers):  # while the first levels are found here
            executor.run(tasks.get_ready, self.plan)
        self.ranges = max(executor.workers, min(2 * executor.workers, MANY))
        self.writing: list[
            tuple[Ref, dict[str, Any], int]
        ] = []  # levels: what is known of each, and its number

    # Expanding parts.

    def expand(self, number: int, first: int) -> None:
        """Collect the successors of all parts from this one on."""
        if sum(len(part.rows) for part in self.parts[number:]) - first < self.few:
            super().expand(number, first)
            return
        if any(part.written is None for part in self.parts[number:]):
            self.spill()
        leaves, bounds = Leaves(self.encoding), self._bounds(number)
        before = self.known(number) + first
        shares = list(self._shares(number, first))
        for wave in self._waves(shares):
            last = wave[-1] is shares[-1]
            only = last and wave[0] is shares[0] and not self.manifest["runs"] and not self.waiting
            serial = self.serial
            asked = self.manifest["tier"], bounds, self.ranges
            found = [
                self.executor.run(tasks.expand, self.plan, share, *asked, answers=1 + self.ranges)
                for _, share in wave
            ]
            known = self._known_files() if only and not self.tiers else []
            written = [
                self.executor.run(tasks.collect, self.plan, known, *(each[1 + place] for each in found))[0]
                for place in range(self.ranges)
            ]
            for (_, share), each in zip(wave, found, strict=True):
                (seen,) = self.executor.get(each[:1])
                leaves.note(seen.least, seen.varying)
                self.utilities |= set(seen.utilities)
                before += share.end - share.begin
                self.tell(before)
            if leaves.fit:
                self._note(self.executor.get(written), serial, settled=only or self.tiers)
                if self.build.due and not last:
                    place, share = wave[-1]
                    self.save([place, share.end])
        leaves.check()
        self.manifest["expanded"] = [len(self.parts), 0]
        if self.build.due:
            self.save(self.manifest["expanded"])

    def _bounds(self, number: int) -> dict[int, list[int]]:
        """Where ranges of successors should begin, by tier: some are looked at."""
        words = np.concatenate([sampled(part.rows, SAMPLE) for part in self.parts[number:]])
        found = self.build.expander.expand(words)
        tier = self.manifest["tier"]
        runs = by_tier(tier, found) if self.tiers else [(tier + 1, found.words)]
        return {each: self._evenly(sorted_once(run)) for each, run in runs if len(run)}

    def _evenly(self, words: Words) -> list[int]:
        """The numbers at which ranges of about as many rows each begin, but for the first."""
        return [number_at(words, len(words) * place // self.ranges) for place in range(1, self.ranges)]

    def _shares(self, number: int, first: int) -> Iterator[tuple[int, tasks.Share]]:
        """What one task expands at a time, with the number of its part."""
        left = sum(len(part.rows) for part in self.parts[number:]) - first
        size = share_size(self.build, left, self.executor.workers)
        for place in range(number, len(self.parts)):
            part = self.parts[place]
            assert part.written is not None
            for begin in range(first, len(part.rows), size):
                end = min(begin + size, len(part.rows))
                yield place, tasks.Share(part.written["file"], begin, end)
            first = 0

    def _waves(
        self, shares: Sequence[tuple[int, tasks.Share]]
    ) -> Iterator[Sequence[tuple[int, tasks.Share]]]:
        """As many shares at a time as what they exchange has room for."""
        if not shares:
            return
        each = max(share.end - share.begin for _, share in shares) * 8 * self.width * 4
        many = max(self.executor.workers, self.executor.store // 3 // each)
        for begin in range(0, len(shares), many):
            yield shares[begin : begin + many]

    def _known_files(self) -> list[str]:
        """The files of all positions that are known, where the game names no tiers."""
        return [states_file(number) for number in range(len(self.manifest["levels"]) + 1)]

    def _note(self, written: Sequence[Sequence[dict[str, Any]]], wave: int, *, settled: bool) -> None:
        """Note the files of a wave; they are `settled` if nothing known is in them."""
        for place, files in enumerate(written):
            for each in files:
                if each.pop("lost") and not self.tiers:
                    self.manifest["regular"] = False
                if each.pop("positions"):
                    run = self._placed("run", each)
                    self.manifest["runs"].append(run | {"wave": wave, "range": place, "settled": settled})

    def _placed(self, kind: str, written: dict[str, Any]) -> dict[str, Any]:
        """Give a file that a task wrote the name that the manifest has for it."""
        serial, name = self.serial, f"{kind}-{self.serial:06}"
        self.serial += 1
        place_file(self.build.directory, written["file"], name)
        return written | {"file": name, "serial": serial}

    # Gathering what waits into parts.

    def takes_room(self, runs: Sequence[dict[str, Any]]) -> bool:
        """Is there more on the disk than need be? Runs that have become parts themselves are needed."""
        parts = {part.written["file"] for part in self.parts if part.written is not None}
        return any(run["file"] not in parts for run in runs)

    def gathered(self, runs: Sequence[dict[str, Any]]) -> list[Part]:
        """What is new among these runs, in parts that follow each other; few are gathered here."""
        held = sum(len(run) for run in self.waiting.get(self.manifest["tier"], []))
        if held + sum(run["bytes"] for run in runs) // self.build.row_bytes < self.few:
            return super().gathered(runs)
        if held or any(part.written is None for part in self.parts):
            self.spill()
            runs = [run for run in self.manifest["runs"] if run["tier"] == self.manifest["tier"]]
        parts = [*runs]
        if not self._settled(runs):
            parts = self._gather_ranges(runs)
        if not self.tiers and parts:
            parts = [self._one_part(parts)]
        return [self.opened(part) for part in parts]

    def _settled(self, runs: Sequence[dict[str, Any]]) -> bool:
        """Are these runs the ranges of one wave, none of which has what is known?"""
        one_wave = len({run.get("wave", -1) for run in runs}) == 1
        return one_wave and all(run.get("settled", False) for run in runs) and not self.parts

    def _gather_ranges(self, runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Gather runs, each range of rows by one worker."""
        files = [run["file"] for run in runs]
        some = [sampled(self.build.rows(file), SAMPLE) for file in files]
        bounds = [None, *self._evenly(sorted_once(np.concatenate(some))), None]
        known = [part.written["file"] for part in self.parts if part.written] if self.tiers else []
        if not self.tiers:
            known = self._known_files()[: len(self.manifest["levels"])]
        found = []
        for low, high in pairwise(bounds):
            found += self.executor.run(tasks.gather, self.plan, files, known, low, high)
        parts = []
        for written in self.executor.get(found):
            if written.pop("lost"):
                self.manifest["regular"] = False
            if written.pop("positions"):
                parts.append(self._placed("part", written))
        return parts

    def _one_part(self, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The parts of a level as its file."""
        files = [part["file"] for part in parts]
        number = len(self.manifest["levels"])
        (written,) = self.executor.get(self.executor.run(tasks.join, self.plan, files, True))
        masks = {name: [f"{word:x}" for word in _folded(parts, name)] for name in ("some", "all")}
        place_file(self.build.directory, written["file"], states_file(number))
        self.serial += 1
        known: dict[str, Any] = written | masks
        return known | {"file": states_file(number), "serial": self.serial - 1}

    # Writing levels.

    def together(self, number: int) -> dict[str, Any]:
        """Have the parts written as one level, while the next one is discovered."""
        few = len(self.parts) == 1 or sum(len(part.rows) for part in self.parts) < self.few
        if few or any(part.written is None for part in self.parts):
            return super().together(number)
        written: dict[str, Any] = {}
        apart = all(_is_before(one.rows, other.rows) for one, other in pairwise(self.parts))
        files = [part.written["file"] for part in self.parts if part.written]
        (ref,) = self.executor.run(tasks.join, self.plan, files, apart)
        self.writing.append((ref, written, number))
        return written

    def settle(self) -> None:
        """Wait for the levels that are still being written."""
        directory = self.build.directory
        for ref, known, number in self.writing:
            (written,) = self.executor.get([ref])
            place_file(directory, written.pop("file"), states_file(number))
            known |= written
        self.writing = []


def place_file(directory: Path, written: str, name: str) -> None:
    """Give a file that a task has written its place, and have it on its way to the disk."""
    os.replace(directory / written, directory / name)
    flush_later(directory / name)


def _is_before(one: Run, other: Run) -> bool:
    """Are all rows of a run below those of another one?"""
    return number_at(one, len(one) - 1) < number_at(other, 0)


def _folded(parts: Sequence[dict[str, Any]], name: str) -> list[int]:
    """The bits that some rows of any part have, or all rows of all."""
    columns = zip(*([int(word, 16) for word in part[name]] for part in parts), strict=True)
    fold = np.bitwise_or if name == "some" else np.bitwise_and
    return [int(fold.reduce(np.array(column, np.uint64))) for column in columns]


def share_size(build: Build, count: int, workers: int) -> int:
    """Positions for one task: two or more for each worker, and no more than its memory has room for."""
    most = max(build.budget.arrays // (8 * build.expander.encoding.width * 16), 256)
    return max(1, min(most, 1 << 22, -(-count // (2 * workers))))
