"""Discovery: all positions that can be reached, level by level, each level in a sorted file.

A level is a tier that the game names, or else the positions that need so many moves from the start and no
fewer. Successors are collected in sorted runs, in memory while there is room and on disk after that, and
merged into a level when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import monotonic
from typing import Any

import numpy as np

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.expansion import Expander, Successors
from perfectplay.tablebase.kernels import OVER
from perfectplay.tablebase.layout import Layout
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.names import states_file
from perfectplay.tablebase.project import (
    Progress,
    Project,
    bits_of,
    layout_data,
    write_array,
)
from perfectplay.tablebase.rows import Rows, merged, sorted_once, to_rows, to_words, without
from perfectplay.tablebase.storage import Writer

PLAYOUTS = 1000
MOST_MOVES = 500  # of a playout: a game may go round in circles
MOST_STATES = 30_000  # of all of them
FULL = (1 << 64) - 1


def first_layout(expander: Expander) -> Layout:
    """A layout for the states of some games played at random, always the same ones."""
    random = Random(0)  # noqa: S311 - nothing secret hangs on it
    game = expander.game
    states = [expander.root]
    for _ in range(PLAYOUTS):
        state = expander.first
        for _ in range(MOST_MOVES):
            actions = [] if game.is_terminal(state) else list(game.actions(state))
            if not actions:
                break
            state = game.result(state, random.choice(actions))
            states.append(game.canonical(state) if expander.symmetry else state)
        if len(states) > MOST_STATES:
            break
    return Layout.of(states)


def discover(project: Project) -> None:
    """Find all positions; the manifest then says how many, and that they are to be solved."""
    while project.manifest["phase"] == "discover":
        try:
            Discovery(project).run()
        except _TooNarrowError as error:
            _begin_anew(project, error.layout)


class _TooNarrowError(Exception):
    """A successor does not fit the layout."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout


def _begin_anew(project: Project, layout: Layout) -> None:
    """Start again with a wider layout: the games played at random did not show all that can be."""
    manifest = project.manifest
    manifest |= {"layout": layout_data(layout), "levels": [], "runs": [], "expanded": [0, 0], "regular": True}
    project.save()
    project.clean()


class Discovery:
    """The positions as they are found."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.manifest = project.manifest
        self.layout = project.layout
        self.room = project.budget.room(self.layout.width)
        self.waiting: dict[int, list[Rows]] = {}  # runs in memory, by tier
        self.levels: list[Level] = []  # as far as they are written
        self.began = monotonic()
        self.serial = max((run["serial"] for run in self.manifest["runs"]), default=-1) + 1

    def run(self) -> None:
        """Go on from the last finished piece until there is nothing new."""
        levels = self.manifest["levels"]
        if not levels:
            root = self.layout.pack(self.project.expander.root)
            self._add(0, to_rows(np.array([root], np.uint64)))
            self._merge()
        while True:
            number, first = self.manifest["expanded"]
            if number < len(levels):
                self._expand(number, first)
            elif not self._merge():
                break
        self.manifest["phase"] = "solve"
        self.project.save()
        self.project.clean()

    # Expanding a level.

    def _expand(self, number: int, first: int) -> None:
        """Collect the successors of a level, from a position on."""
        project, rows = self.project, self.project.level(number).rows
        block = project.budget.block(self.layout.width)
        utilities = set(self.manifest["levels"][number].get("utilities", []))
        least, varying = np.array(self.layout.lows), np.zeros(len(self.layout.lows), np.int64)
        for begin, results in self._blocks(rows, first, block):
            least, varying = np.minimum(least, results.least), varying | results.varying
            if not project.expander.has_tiers or not len(results.tiers):
                self._add(number + 1, to_rows(results.words))
            else:
                self._add_by_tier(number, results)
            utilities |= set(np.unique(results.utilities[results.kinds == OVER]).tolist())
            done = min(begin + block, len(rows))
            before = sum(level["positions"] for level in self.manifest["levels"][:number])
            self._tell(number, before + done)
            if project.due and done < len(rows) and self._fits(least, varying):
                self.manifest["levels"][number]["utilities"] = sorted(utilities)
                self._save([number, done])
        if not self._fits(least, varying):
            slack = varying | (varying & ~np.array(self.layout.masks, np.uint64).view(np.int64)) << 1
            raise _TooNarrowError(self.layout.widened(least.tolist(), slack.tolist()))
        self.manifest["levels"][number]["utilities"] = sorted(utilities)
        self.manifest["expanded"] = [number + 1, 0]
        if project.due:
            self._save([number + 1, 0])

    def _fits(self, least: Any, varying: Any) -> bool:
        return self.layout.widened(least.tolist(), varying.tolist()) == self.layout

    def _blocks(self, rows: Rows, first: int, block: int) -> Iterator[tuple[int, Successors]]:
        """The successors of block after block, on all workers, in their order."""
        workers = self.project.budget.workers

        def work(begin: int) -> Successors:
            found = self.project.expander.expand(self.layout, to_words(rows[begin : begin + block]))
            if self.project.expander.has_tiers:
                return found
            return found._replace(words=to_words(sorted_once(to_rows(found.words))))

        with ThreadPoolExecutor(workers) as pool:
            begins = range(first, len(rows), block)
            for at in range(0, len(begins), workers):
                some = begins[at : at + workers]
                yield from zip(some, pool.map(work, some), strict=True)

    def _add_by_tier(self, number: int, found: Successors) -> None:
        """Put successors where their tiers are."""
        own = self.manifest["levels"][number]["tier"]
        for tier in np.unique(found.tiers).tolist():
            if tier < own:
                raise BrokenGameError(
                    f"an action leads from tier {own} back to tier {tier}: tier() must never fall."
                )
            self._add(tier, sorted_once(to_rows(found.words[found.tiers == tier])))

    def _add(self, tier: int, run: Rows) -> None:
        if not len(run):
            return
        self.waiting.setdefault(tier, []).append(run)
        if sum(len(each) for runs in self.waiting.values() for each in runs) > self.room:
            for key, runs in self.waiting.items():
                self.waiting[key] = [sorted_once(np.concatenate(runs))]
            if sum(len(runs[0]) for runs in self.waiting.values()) > self.room // 2:
                self._spill()

    def _spill(self) -> None:
        """Move the runs in memory to the disk."""
        for tier, runs in sorted(self.waiting.items()):
            run = sorted_once(np.concatenate(runs))
            name = f"run-{self.serial:06}"
            written = write_array(self.project.directory / name, run)
            self.manifest["runs"].append({"file": name, "serial": self.serial, "tier": tier, **written})
            self.serial += 1
        self.waiting = {}

    def _save(self, expanded: list[int]) -> None:
        self._spill()
        self.manifest["expanded"] = expanded
        self.project.save()

    # Merging what waits into a level.

    def _merge(self) -> bool:
        """Make a level of the runs whose turn it is; False if none are left."""
        runs = self.manifest["runs"]
        tiers = {run["tier"] for run in runs} | self.waiting.keys()
        if not tiers:
            return False
        tier = min(tiers)
        mine = [run for run in runs if run["tier"] == tier]
        files = [np.memmap(self.project.directory / run["file"], self.project.dtype, "r") for run in mine]
        width = self.layout.width
        some, every, count = [0] * width, [FULL] * width, 0
        number = len(self.manifest["levels"])
        writer = Writer(self.project.directory / states_file(number))
        try:
            for block in merged([*self.waiting.get(tier, []), *files], self.room):
                new = self._new(block)
                if len(new):
                    writer.write(new)
                    bits_of(new, some, every)
                    count += len(new)
            written = writer.finish()
        except BaseException:
            writer.abandon()
            raise
        self.waiting.pop(tier, None)
        self.manifest["runs"] = [run for run in runs if run["tier"] != tier]
        if count:
            masks = {"some": [f"{word:x}" for word in some], "all": [f"{word:x}" for word in every]}
            level = {"positions": count, "tier": tier, "states": written, **masks}
            self.manifest["levels"].append(level)
        if self.project.due:
            self._save(self.manifest["expanded"])
            self.project.clean()
        return True

    def _new(self, rows: Rows) -> Rows:
        """Those that are in no level yet."""
        words = to_words(rows)
        while len(self.levels) < len(self.manifest["levels"]):
            self.levels.append(self.project.level(len(self.levels)))
        for level in reversed(self.levels):
            fits = level.may_have(words)
            if fits.any():
                left = without(rows, level.rows)
                if len(left) < len(rows):
                    self.manifest["regular"] = False  # an action leads back, or nowhere new
                    rows, words = left, to_words(left)
        return rows

    def _tell(self, number: int, done: int) -> None:
        levels = self.manifest["levels"]
        total = sum(level["positions"] for level in levels)
        seconds = monotonic() - self.began
        self.project.report(Progress("discover", number, len(levels), done, total, seconds))
