"""Discovery: all positions that can be reached, level by level, each level in a sorted file.

A level is a tier that the game names, or else the positions that need so many moves from the start and no
fewer. Successors are collected in sorted runs, in memory while there is room and on disk after that, and
merged into a level when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.build_state import Build, Progress, bits_of
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.expansion import Expander, OtherFormError, Successors
from perfectplay.tablebase.file_names import states_file
from perfectplay.tablebase.growth import continued, played_out
from perfectplay.tablebase.interruption import in_turn, interruptible
from perfectplay.tablebase.kernels import OVER
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.merged_levels import MergedLevels
from perfectplay.tablebase.rows import Rows, Run, Words, different, merged, sorted_once, without
from perfectplay.tablebase.storage import linked

FULL = (1 << 64) - 1
SETTLED = 1.0  # seconds, and
LEVELS = 4  # levels, after which it is worth while to guess how many positions there will be
MOST_EXPECTED = 1 << 62


def form_data(expander: Expander) -> dict[str, Any]:
    """What a manifest says of the form of states: nothing, if they are tuples of numbers."""
    start: dict[str, Any] = {"start": [f"{leaf:x}" for leaf in expander.form.leaves(expander.first)]}
    return start if expander.form.data is None else start | {"form": expander.form.data}


def begun() -> dict[str, Any]:
    """What a manifest says of a discovery that has found nothing yet."""
    return {"runs": [], "parts": [], "expanded": [0, 0], "tier": 0, "regular": True, "utilities": []}


def discover(build: Build, make: Callable[[Build], Discovery] | None = None) -> None:
    """Find all positions; the manifest then says how many, and that they are to be solved.

    `make` makes the discovery, if it is to be done in another way than on this machine alone.
    """
    while build.manifest["phase"] == "discover":
        try:
            (make or Discovery)(build).run()
        except TooNarrowError as error:
            build.expander.use(error.encoding)
            _begin_anew(build)
        except OtherFormError:
            build.expander.widen()
            _begin_anew(build)


class TooNarrowError(Exception):
    """A successor does not fit the encoding."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self.encoding = encoding


def _begin_anew(build: Build) -> None:
    """Start again with a wider encoding: the games played at random did not show all that can be."""
    expander = build.expander
    build.manifest |= form_data(expander) | {"layout": expander.encoding.data, "levels": []} | begun()
    build.save()
    build.clean()


class Leaves:
    """The numbers of successors as far as they were seen: do they fit the encoding?"""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.least, self.varying = encoding.unmet()

    def note(self, least: NDArray[np.int64], varying: NDArray[np.int64]) -> None:
        """Take in what was seen of some more."""
        self.least, self.varying = np.minimum(self.least, least), self.varying | varying

    @property
    def fit(self) -> bool:
        """Does the encoding hold them all?"""
        return self.encoding.widened(self.least, self.varying) is None

    def check(self) -> None:
        """Give up if they do not fit, and say what would."""
        wider = self.encoding.widened(self.least, self.varying)
        if wider is not None:
            raise TooNarrowError(wider)


@dataclass
class Part:
    """Positions of the tier that is being discovered: found together, and expanded one after the other."""

    rows: Run
    some: list[int]
    every: list[int]
    written: dict[str, Any] | None = None  # its file, its size and its checksums, once it has one


class Discovery:
    """The positions as they are found.

    A tier is made of parts: the first has what earlier tiers lead to, the next what that leads to within the
    tier, and so on until there is nothing new; then they are merged into the file of a level. Where the game
    names no tiers, a level has one part, and its successors are the next level.
    """

    def __init__(self, build: Build) -> None:
        self.build = build
        self.manifest = build.manifest
        self.encoding = build.expander.encoding
        self.width = self.encoding.width
        self.tiers = build.expander.has_tiers
        self.room = build.budget.room(self.width)
        self.waiting: dict[int, list[Words]] = {}  # runs in memory, by tier
        self.levels: list[Level] = []  # as far as they are written
        self.utilities = set(self.manifest["utilities"])
        self.parts = [self.opened(part) for part in self.manifest["parts"]]
        self.began = monotonic()
        self.small = MergedLevels(self.room)  # the levels as they are looked in: small ones together,
        self.large: list[Level] = []  # and large ones one by one
        self.finished = sum(level["positions"] for level in self.manifest["levels"])
        self.pool: ThreadPoolExecutor | None = None  # for all levels, while it runs
        self.begun = self.known(0)  # positions that were expanded before
        self.longest = -1  # moves of the longest game of some
        self.guessed = (0.0, 0)  # after how many seconds, how many positions
        saved = [*self.manifest["runs"], *self.manifest["parts"]]
        self.serial = max((each["serial"] for each in saved), default=-1) + 1

    def run(self) -> None:
        """Go on from the last finished piece until there is nothing new."""
        if not self.manifest["levels"] and not self.parts and not self.manifest["runs"]:
            expander = self.build.expander
            root = np.array([expander.packed_root()], np.uint64)
            self._add(int(expander.game.tier(expander.root)) if self.tiers else 0, root)
        with interruptible(self.build.budget.workers, self.build.expander.stop) as self.pool:
            while True:
                number, first = self.manifest["expanded"]
                if number < len(self.parts):
                    self.expand(number, first)
                elif not self._gather():
                    break
        self.pool = None
        if not self.tiers and not self.manifest["regular"]:  # any level may lead to any other
            for level in self.manifest["levels"]:
                level["regular"] = False
        for name in ("runs", "parts", "expanded", "tier", "regular"):
            self.manifest.pop(name)
        self.manifest["phase"] = "solve"
        self.manifest["utilities"] = sorted(self.utilities)
        self.settle()
        self.build.save()
        self.build.clean()

    # Expanding a part.

    def expand(self, number: int, first: int) -> None:
        """Collect the successors of all parts from this one on, and of this one from a position on."""
        build, leaves = self.build, Leaves(self.encoding)
        before = self.known(number)
        for each in range(number, len(self.parts)):
            rows = self.parts[each].rows
            block = build.budget.block(self.width, len(rows) - first)
            for begin, found, runs in self._blocks(rows, first, block):
                leaves.note(found.least, found.varying)
                if not leaves.fit:
                    continue  # what else is too narrow is found out now, and not one by one
                for tier, run in runs:
                    self._add(tier, run)
                self.utilities |= set(np.unique(found.utilities[found.kinds == OVER]).tolist())
                done = min(begin + block, len(rows))
                self.tell(before + done)
                if build.due and done < len(rows):
                    self.save([each, done])
            before, first = before + len(rows), 0
        leaves.check()
        self.manifest["expanded"] = [len(self.parts), 0]
        if build.due:
            self.save(self.manifest["expanded"])

    def known(self, number: int) -> int:
        """The positions of all levels, and of the parts before this one."""
        return int(self.finished + sum(len(part.rows) for part in self.parts[:number]))

    def _blocks(
        self, rows: Run, first: int, block: int
    ) -> Iterator[tuple[int, Successors, list[tuple[int, Words]]]]:
        """The successors of block after block, by tier and sorted, on all workers, in their order."""
        workers = self.build.budget.workers
        tier = self.manifest["tier"]

        def work(begin: int) -> tuple[int, Successors, list[tuple[int, Words]]]:
            found = self.build.expander.expand(rows[begin : begin + block])
            runs = by_tier(tier, found) if self.tiers else [(tier + 1, found.words)]
            slim = found._replace(words=found.words[:0], tiers=found.tiers[:0])
            return begin, slim, [(each, sorted_once(run)) for each, run in runs if len(run)]

        begins = range(first, len(rows), block)
        with self._workers() as pool:
            for found in in_turn(pool, work, begins, workers):
                yield found
                self.build.relieve((), rows)

    def _workers(self) -> AbstractContextManager[ThreadPoolExecutor]:
        """The threads of this discovery; while it does not run as a whole, new ones."""
        if self.pool is not None:
            return nullcontext(self.pool)
        return interruptible(self.build.budget.workers, self.build.expander.stop)

    def _add(self, tier: int, run: Words) -> None:
        self.waiting.setdefault(tier, []).append(run)
        if self._held() > self.room:
            for key, runs in self.waiting.items():
                self.waiting[key] = [sorted_once(np.concatenate(runs))]
            if self._held() > self.room // 2:
                self.spill()

    def _held(self) -> int:
        """Rows in memory."""
        held = sum(len(run) for runs in self.waiting.values() for run in runs)
        return held + sum(len(part.rows) for part in self.parts if part.written is None)

    def spill(self) -> None:
        """Move what is in memory to the disk."""
        for tier, runs in sorted(self.waiting.items()):
            run = sorted_once(np.concatenate(runs))
            self.manifest["runs"].append({"tier": tier, **self._written("run", run)})
        self.waiting = {}
        for number, part in enumerate(self.parts):
            if part.written is None:
                written = self._written("part", part.rows)
                self.parts[number] = self.opened(written | masks_of(part))

    def _written(self, kind: str, rows: Words) -> dict[str, Any]:
        """Write rows to a file of their own; what the manifest should know of it."""
        name, serial = f"{kind}-{self.serial:06}", self.serial
        self.serial += 1
        return {"file": name, "serial": serial, **self.build.write_rows(name, [rows])}

    def opened(self, written: dict[str, Any]) -> Part:
        """A part that was written."""
        some, every = ([int(word, 16) for word in written[name]] for name in ("some", "all"))
        return Part(self.build.rows(written["file"]), some, every, written)

    def save(self, expanded: list[int]) -> None:
        """Make the manifest true; of the parts, so much is expanded."""
        self.spill()
        self.settle()
        self.manifest["parts"] = [part.written for part in self.parts]
        self.manifest["utilities"] = sorted(self.utilities)
        self.manifest["expanded"] = expanded
        self.build.save()
        self.build.clean()

    def settle(self) -> None:
        """Wait for files that are still being written: here, there are none."""

    # Gathering what waits into a part.

    def _gather(self) -> bool:
        """Make a part of the runs whose turn it is; False if none are left."""
        runs = self.manifest["runs"]
        tiers = {run["tier"] for run in runs} | self.waiting.keys()
        tier = min(tiers, default=None)
        if self.parts and tier != self.manifest["tier"]:
            self._finish()
        elif self.parts:
            self.manifest["regular"] = False  # an action stays in the tier
        if tier is None:
            return False
        self.manifest["tier"] = tier
        self.parts += self.gathered([run for run in runs if run["tier"] == tier])
        mine = [run for run in self.manifest["runs"] if run["tier"] == tier]
        self.manifest["runs"] = [run for run in self.manifest["runs"] if run["tier"] != tier]
        if self.build.due or self.takes_room(mine):
            self.save(self.manifest["expanded"])
        return True

    def gathered(self, runs: Sequence[dict[str, Any]]) -> list[Part]:
        """What is new among these runs, and those of the same tier in memory: a part, or nothing."""
        files = [self.build.rows(run["file"]) for run in runs]
        waiting = self.waiting.pop(self.manifest["tier"], [])
        part = self._collected(merged([*waiting, *files], self.room), files)
        return [] if part is None else [part]

    def takes_room(self, runs: Sequence[dict[str, Any]]) -> bool:
        """Is there more on the disk than need be, now that these runs are gathered?"""
        return bool(runs)

    def _collected(self, blocks: Iterator[Words], files: Sequence[Rows]) -> Part | None:
        """The new ones of these rows, in memory where they may stay there, or else in a file."""
        part = self._nothing()
        kept: list[Words] = []
        number = len(self.manifest["levels"])
        name = f"part-{self.serial:06}" if self.tiers else states_file(number)
        writer = None if self.tiers else self.build.row_writer(name)
        try:
            for block in blocks:
                new = self._new(block)
                self.build.relieve(self.levels, *files, *(part.rows for part in self.parts))
                bits_of(new, part.some, part.every)
                if writer is None:
                    kept.append(new)
                    if sum(map(len, kept)) > self.room // 2:
                        writer = self.build.row_writer(name)
                        for rows in kept:
                            writer.write(rows)
                        kept = []
                elif len(new):
                    writer.write(new)
            if writer is None:
                part.rows = np.concatenate(kept)
            else:
                written = {"file": name, "serial": self.serial, **writer.finish()}
                self.serial += 1
                part = self.opened(written | masks_of(part)) if writer.rows else part
        except BaseException:
            if writer is not None:
                writer.abandon()
            raise
        return part if len(part.rows) else None

    def _finish(self) -> None:
        """Make a level of the parts."""
        number, whole = len(self.manifest["levels"]), self._nothing()
        for part in self.parts:
            for column in range(self.width):
                whole.some[column] |= part.some[column]
                whole.every[column] &= part.every[column]
        if self.tiers:
            written = self.together(number)
        else:
            assert self.parts[0].written is not None
            written = {name: self.parts[0].written[name] for name in ("bytes", "checksums")}
        level = {
            "positions": sum(len(part.rows) for part in self.parts),
            "tier": self.manifest["tier"],
            "regular": self.manifest["regular"],
            "states": written,
            **masks_of(whole),
        }
        self.manifest["levels"].append(level)
        self.finished += level["positions"]
        self.parts = []
        self.manifest["expanded"] = [0, 0]
        if self.tiers:
            self.manifest["regular"] = True

    def together(self, number: int) -> dict[str, Any]:
        """Write the parts as one level; what the manifest should know of its file."""
        alone = self.parts[0].written if len(self.parts) == 1 else None
        if alone is not None and linked(self.build.directory, alone["file"], states_file(number)):
            return {name: alone[name] for name in ("bytes", "checksums")}
        blocks = merged([part.rows for part in self.parts], self.room)
        return self.build.write_rows(states_file(number), blocks)

    def _nothing(self) -> Part:
        return Part(np.empty((0, self.width), np.uint64), [0] * self.width, [FULL] * self.width)

    def _new(self, rows: Words) -> Words:
        """Those that are in no part and no level yet; where there are tiers, others are in another level."""
        known: list[Any] = list(self.parts)
        if not self.tiers:
            while len(self.levels) < len(self.manifest["levels"]):
                self.levels.append(self.build.level(len(self.levels)))
                if not self.small.take(self.levels[-1]):
                    self.large.append(self.levels[-1])
            known = [level for level in reversed(self.large) if level.may_have(rows).any()]
            left = self.small.without(rows)
            if len(left) < len(rows):
                self.manifest["regular"] = False
                rows = left
        for each in known:
            left = without(rows, each.rows)
            if len(left) < len(rows):
                self.manifest["regular"] = False  # an action leads back, or nowhere new
                rows = left
        return rows

    def tell(self, done: int) -> None:
        """Report that so many positions are expanded."""
        levels = self.manifest["levels"]
        total = self.known(len(self.parts))
        seconds = monotonic() - self.began
        expected = self._expected(total, seconds)
        self.build.report(
            Progress("discover", len(levels), len(levels) + 1, done, total, seconds, self.begun, expected)
        )

    def _expected(self, known: int, seconds: float) -> int:
        """How many positions there will be if levels go on growing as they do; 0 if there is no telling."""
        if seconds < SETTLED or len(self.manifest["levels"]) < LEVELS:
            return 0
        if self.longest < 0:
            game = self.build.expander.game
            self.longest, _ = played_out(game, tiers=self.tiers)
        if seconds > self.guessed[0] + SETTLED:
            sizes = [level["positions"] for level in self.manifest["levels"]]
            more = sum(continued(sizes, self.longest))
            self.guessed = seconds, min(sum(sizes) + more, MOST_EXPECTED)
        return max(self.guessed[1], known)


def by_tier(own: int, found: Successors) -> list[tuple[int, Words]]:
    """Successors by the tiers in which they are."""
    tiers = different(found.tiers)
    if tiers and tiers[0] < own:
        raise BrokenGameError(
            f"an action leads from tier {own} back to tier {tiers[0]}: tier() must never fall."
        )
    if len(tiers) == 1:
        return [(tiers[0], found.words)]
    return [(tier, found.words[found.tiers == tier]) for tier in tiers]


def masks_of(part: Part) -> dict[str, list[str]]:
    """What a manifest says of the bits that some of its rows have, and all."""
    return {"some": [f"{word:x}" for word in part.some], "all": [f"{word:x}" for word in part.every]}
