"""Verification: is a tablebase what the rules say, whoever wrote it?

First the files, by what the manifest says of them. Then the game is played from the start, and all positions
that it comes to are looked at: each must be there, in its level, with the value and the remoteness that
follow from its successors; and no other may be there. The rules are asked about positions of the game alone:
what else someone may have written into a file, they have never seen, and might not return from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError, BrokenGameError
from perfectplay.game import Game
from perfectplay.tablebase.build_state import Budget, Build, Progress, bits_of, open_level
from perfectplay.tablebase.description import example
from perfectplay.tablebase.expansion import MOST_SUCCESSORS, Expander, OtherFormError, Successors
from perfectplay.tablebase.expectation_building import expectation_faults
from perfectplay.tablebase.expectation_files import is_of_chance
from perfectplay.tablebase.file_names import strangers, written_in
from perfectplay.tablebase.grounding import Grounding
from perfectplay.tablebase.interruption import interruptible
from perfectplay.tablebase.kernels import DRAW, FAR, MIN_MOVES, OVER
from perfectplay.tablebase.level_solver import MANY_LEVELS, MISSING, Block, LevelSolver
from perfectplay.tablebase.manifest import code_bytes, stored_values
from perfectplay.tablebase.publication import sum_faults
from perfectplay.tablebase.ranked_levels import RankedLevel
from perfectplay.tablebase.rows import Words, is_ascending, number_at, sorted_once
from perfectplay.tablebase.storage import REMEDY, file_fault, nameless_array, read_manifest
from perfectplay.tablebase.table import Tablebase
from perfectplay.watchdog import Unreturned, watched

BLOCK_READ = 1 << 20
FEW = 3000  # positions for which machine code is not worth the time to fetch it
FULL = (1 << 64) - 1
PATIENCE = 3.0  # seconds that the rules have to answer about a state that only the manifest names
FRONTIER = 1 << 22  # positions among which those that wait are looked for at a time
WALKERS = 1 << 12  # games that are played at once, where a sample is looked at
IN_TWO_LEVELS = "a position is in two levels, and is counted twice."
LONGEST_WALK = 1000  # moves of one: a game may go round in circles

Places = NDArray[np.int64]


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

    Checksums, sizes, order and counts of everything, and `SHA256SUMS` if there is one. Then that there are
    all positions of the game and no others, and that every value follows from those of the successors; or
    with `sample`, the values of so many positions, which games played at random come to.
    """
    directory = Path(path)
    if is_of_chance(directory):
        return [*expectation_faults(directory, game, memory=memory, report=report)]
    try:
        manifest = read_manifest(directory)
        if manifest["phase"] != "done":
            return [f"the tablebase in {str(directory)!r} is not finished: build it again, and it goes on."]
    except BadTablebaseError as error:
        return [str(error)]
    faults = [
        f"{file.name} does not belong to the tablebase: take it away."
        for file in strangers(directory, manifest)
    ]
    faults += _file_faults(directory, manifest)
    faults = faults or [*sum_faults(directory, manifest)]
    if faults:
        return faults  # values of damaged files would only say so again
    for number in range(len(manifest["levels"])):
        faults += _level_faults(directory, manifest, number)
    if faults:
        return faults
    budget = Budget(memory, workers or os.cpu_count() or 1)
    with Tablebase(directory, game, compile="never") as opened:
        expander = Expander(
            opened.game,
            start=None if opened.start == opened.game.table_start() else opened.start,
            symmetry=manifest["symmetry"],
            compile="auto" if manifest["positions"] > FEW else "never",
            encoding=opened.encoding,
        )
        build = Build(directory, expander, manifest, budget, report)
    try:
        walk = _Walk(build)
        walk.all() if sample is None or sample >= walk.total else walk.some(sample)
        walk.check_example()
    except _FaultError as fault:
        faults.append(str(fault))
    except OtherFormError:
        faults.append("a game comes to a state that is made in another way than all that the tablebase has.")
    return faults


def _file_faults(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Are the sizes and checksums of all files those of the manifest?"""
    for file, wanted in written_in(manifest):
        if fault := file_fault(directory / file, wanted, manifest["block"]):
            yield f"{fault}: {REMEDY}."


def _level_faults(directory: Path, manifest: dict[str, Any], number: int) -> Iterator[str]:
    """Are the positions of a level in order, each once, all of them, with values that there are?"""
    known, last, count = manifest["levels"][number], -1, 0
    draw = DRAW & 0xFF if code_bytes(manifest) == 1 else DRAW
    codes = len(stored_values(manifest))
    try:
        level = open_level(directory, manifest, number)
        level.checksums.clear()  # which were all looked at
        if isinstance(level, RankedLevel):
            yield from _rank_faults(level, known["positions"], codes, draw)
            return
        some, every = [0] * len(level.some), [FULL] * len(level.some)
        for rows, values, ends in level.parts(BLOCK_READ):
            count += len(rows)
            bits_of(rows, some, every)
            if not is_ascending(rows) or number_at(rows, 0) <= last:
                yield f"the positions of level {number} are not in order, or some are there twice."
                return
            last = number_at(rows, len(rows) - 1)
            drawn = values == draw
            if np.any((values >= codes) & ~drawn) or np.any(drawn != (ends == FAR)):
                yield f"a value or a remoteness of level {number} is none that there is."
                return
    except BadTablebaseError as error:
        yield str(error)
        return
    if count != known["positions"]:
        yield f"level {number} has {count:,} positions, and {known['positions']:,} by the manifest."
    if (tuple(some), tuple(every)) != (level.some, level.all):
        yield f"the bits that states of level {number} have are not those that the manifest names."


def _rank_faults(level: RankedLevel, positions: int, codes: int, draw: int) -> Iterator[str]:
    """Has every rank of a tier a value that there is, or a mark, and are there so many positions?"""
    count = 0
    for values, ends in level.by_ranks(BLOCK_READ):
        absent = values == draw + 1
        count += int(np.count_nonzero(~absent))
        drawn = values == draw
        wrong = ((values >= codes) & ~drawn) | (drawn != (ends == FAR))
        if np.any(wrong & ~absent):
            yield f"a value or a remoteness of level {level.number} is none that there is."
            return
    if count != positions:
        yield f"level {level.number} has {count:,} positions, and {positions:,} by the manifest."


class _FaultError(Exception):
    """What is wrong, as a sentence: nothing after it would mean anything."""


def _ask_about(game: Game[Any, Any], start: Any) -> None:
    """Ask the rules about a state that is not where the game begins: is it a state at all?"""
    try:
        with watched(lambda: 0, PATIENCE):
            over = game.is_terminal(game.canonical(start))
            actions = [] if over else [*islice(game.actions(start), MOST_SUCCESSORS)]
            for action in actions:
                game.tier(game.canonical(game.result(start, action)))
            fine = len(actions) < MOST_SUCCESSORS
    except (Exception, Unreturned):
        fine = False
    if not fine:
        raise _FaultError(f"the rules have no answers about the state that it begins at, {start!r:.100}.")


class _Walk(LevelSolver):
    """All positions, from the start on, as the rules lead to them, compared with what is stored."""

    phase = "verify"

    def __init__(self, build: Build) -> None:
        super().__init__(build)
        self.done = self.before = 0
        self.lock = Lock()
        self.reached: dict[int, NDArray[np.uint8]] = {}  # by level: 1 where a game comes to
        self.utilities = np.array(self.manifest["values"] or [0.0], np.float64)
        self.used = np.zeros(len(self.utilities), np.bool_)  # which values ends of games have
        self.outcomes_only = "outcomes" in self.manifest
        self.circles = np.zeros(
            len(self.levels), np.bool_
        )  # which levels an action stays in or leads back from

    # All of them.

    def all(self) -> None:
        """Look at every position of the game; _FaultError if something is wrong."""
        self._begin()
        if not self.by_tiers and len(self.levels) > MANY_LEVELS and self.merged[0].have_doubles():
            raise _FaultError(IN_TWO_LEVELS)
        with interruptible(self.build.budget.workers, self.build.expander.stop) as pool:
            for number, level in enumerate(self.levels):
                if not self.by_tiers and not self._all_reached(number):
                    raise self._unreached(number)  # before the rules are asked about them
                self._level(number, pool)
                if not self._all_reached(number):
                    raise self._unreached(number)
                if self.by_tiers or self.manifest["levels"][number]["regular"]:
                    del self.reached[number]  # nothing leads back to it
                self.build.relieve([level])
        self._end()
        if self.outcomes_only:
            self._ground()

    def _ground(self) -> None:
        """Do outcomes follow from the ends of games, where there is no remoteness to tell?"""
        known = self.manifest["levels"]
        irregular = [number for number, level in enumerate(known) if not level["regular"]]
        groups = [[number] for number in reversed(irregular)] if self.by_tiers else [irregular]
        size = self.build.budget.block(self.encoding.width, self.total)
        for group in filter(None, groups):
            found = Grounding(self.levels, group, self._successors, self._located, size).left()
            if found is not None:
                number, place = found
                state = self.encoding.unpack(self.levels[number].rows.take(np.array([place]))[0].tolist())
                raise _FaultError(
                    f"outcomes of level {number} follow from no end of a game: that of {state!r} first."
                )

    def _begin(self) -> None:
        """Find the start, which must be in the first level."""
        expander = self.build.expander
        if expander.first not in (expander.game.initial(), expander.game.table_start()):
            _ask_about(expander.game, expander.first)
        packed = self.encoding.pack(expander.root)
        if packed is None:
            raise _FaultError("what it begins at is no state of the tablebase.")
        self.root = np.array([packed], np.uint64)
        place = int(self.levels[0].places(self.root, compiled=False)[0])
        if place < 0:
            raise _FaultError("the state that it begins at is not in its first level.")
        if self.manifest["tiers"] and expander.game.tier(expander.root) != self.manifest["levels"][0]["tier"]:
            raise _FaultError("its first level is of another tier than the state that it begins at.")
        self._marks(0)[place] = 1

    def check_example(self) -> None:
        """Is the example in the manifest what is stored of the first position?"""
        stored, right = self.manifest["description"]["example"], example(self.build)
        for name, value in right.items():
            if stored[name] != value and name != "board":  # which another version may draw in another way
                raise _FaultError(
                    f"the example in the manifest has another {name!r} than its first position."
                )

    def _end(self) -> None:
        """Is what the manifest says of all of them true?"""
        if not self.used.all() and self.manifest["values"]:
            value = self.manifest["values"][int(np.flatnonzero(~self.used)[0])]
            raise _FaultError(f"no game ends with the value {value}, which the manifest has.")
        circles = self.circles if self.by_tiers else np.full(len(self.levels), self.circles.any())
        for number, known in enumerate(self.manifest["levels"]):
            if known["regular"] == circles[number]:
                told = "regular, and is not" if known["regular"] else "not regular, and is"
                raise _FaultError(f"level {number} is said to be {told}.")

    def _marks(self, number: int) -> NDArray[np.uint8]:
        """Which positions of a level games come to, as far as is known."""
        with self.lock:
            if number not in self.reached:
                count, byte = len(self.levels[number].rows), np.dtype(np.uint8)
                few = self.total <= self.build.budget.arrays // 4
                self.reached[number] = np.zeros(count, byte) if few else nameless_array(count, byte)
            return self.reached[number]

    def _missed(self, number: int) -> NDArray[np.bool_]:
        """Which positions that a level has no game comes to, as far as is known."""
        level, missed = self.levels[number], self._marks(number).view(np.bool_) ^ True
        return missed & level.there() if isinstance(level, RankedLevel) else missed

    def _all_reached(self, number: int) -> bool:
        return bool(self._marks(number).all()) or not self._missed(number).any()

    def _unreached(self, number: int) -> _FaultError:
        places = np.flatnonzero(self._missed(number))
        place, many = int(places[0]), len(places)
        told = "1 position" if many == 1 else f"{many:,} positions"
        if "by_rank" in self.manifest:
            return _FaultError(f"no game comes to {told} of level {number}: that of rank {place} first.")
        packed = number_at(self.levels[number].rows, place)
        return _FaultError(
            f"no game comes to {told} of level {number} in so many moves: the packed {packed} first."
        )

    def _level(self, number: int, pool: ThreadPoolExecutor) -> None:
        """Look at the positions of a level, and those first that are known to be positions of the game."""
        rows, marks = self.levels[number].rows, self._marks(number)
        looked_at = np.zeros(len(rows), np.uint8) if self.by_tiers else None
        size = self.build.budget.block(self.encoding.width, len(rows))
        workers = self.build.budget.workers
        more = True
        while more:
            more = False
            for begin in range(0, len(rows), FRONTIER):
                at = slice(begin, begin + FRONTIER)
                waiting = marks[at] if looked_at is None else marks[at] & (looked_at[at] ^ 1)
                chosen = np.flatnonzero(waiting) + begin
                if looked_at is not None:
                    more = more or len(chosen) > 0
                    looked_at[chosen] = 1
                parts = [chosen[first : first + size] for first in range(0, len(chosen), size)]
                for first in range(0, len(parts), workers):
                    some = parts[first : first + workers]
                    for _ in pool.map(lambda part: self._compare(number, part), some):
                        pass
                    self.tell(number, sum(map(len, some)))

    def _compare(self, number: int, chosen: Places) -> None:
        """Do values and remoteness of these positions follow from their successors?"""
        level = self.levels[number]
        words = level.rows.take(chosen)
        self._check_values(number, words, *level.worth(chosen))

    def _check_values(
        self, number: int, words: Words, stored: NDArray[np.uint16], until: NDArray[np.uint16]
    ) -> None:
        block = self._found(number, self._successors(words))
        first = np.cumsum(block.counts, dtype=np.int64) - block.counts
        if not block.counts.all():
            self._fail(number, words, block.counts == 0, "has no successors without being an end of the game")
        if (block.children == MISSING).any():
            missing = np.logical_or.reduceat(block.children == MISSING, first)
            self._fail(number, words, missing, "has a successor that is not there, or in another level")
        values, ends = self.chosen(block)
        self._fail(
            number,
            words,
            (values != stored) | ((ends != until) & (not self.outcomes_only)),
            "has a value that cannot be, by the successors",
        )

    def _fail(self, number: int, words: Words, wrong: NDArray[np.bool_], what: str) -> None:
        """Stop if something is wrong with one of these positions, and say with which."""
        places = np.flatnonzero(wrong)
        if len(places):
            state = self.encoding.unpack(words[int(places[0])].tolist())
            count = "a position" if len(places) == 1 else f"{len(places):,} positions"
            where = f" of level {number}" if number >= 0 else ""
            has = what if len(places) == 1 else what.replace("has ", "have ", 1)
            raise _FaultError(f"{count}{where} {has}: {state!r} first.")

    # The successors of positions, and what is noted on the way.

    def _successors(self, words: Words) -> Successors:
        """Successors that are packed as the layout says, and ends with values that there are."""
        try:
            found = self.build.expander.expand(words)
        except BrokenGameError as error:
            raise _FaultError(str(error)) from None
        if self.encoding.widened(found.least, found.varying) is not None:
            raise _FaultError("a game comes to a state that the layout of the tablebase cannot hold.")
        if "even" in (told := self.manifest["description"]["to_move"]):
            odd = self.encoding.columns(words)[told["even"]] & 1
            if np.any(((found.kinds == MIN_MOVES) != odd) & (found.kinds != OVER)):
                raise _FaultError("who moves is not what the manifest says of it.")
        over = found.utilities[found.kinds == OVER]
        codes = np.minimum(np.searchsorted(self.utilities, over), len(self.utilities) - 1)
        if np.any(odd := self.utilities[codes] != over):
            raise _FaultError(
                f"a game ends with the value {over[odd][0]:g}, which the manifest does not have."
            )
        self.used[codes] = True
        return found._replace(utilities=np.sign(found.utilities)) if self.outcomes_only else found

    def _found(self, number: int, found: Successors) -> Block:
        """Positions of a level with what is stored of their successors, which are positions of the game."""
        codes = np.full(len(found.words), MISSING, np.int64)
        for other, which, at in self._located(number, found):
            if (codes[which] != MISSING).any():
                raise _FaultError(IN_TWO_LEVELS)
            codes[which] = self.codes(other, at)
            if number >= 0 and len(at):
                self._marks(other)[at] = 1
                if other <= number:
                    self.circles[number] = True
        return self.block_of(0, found, codes)

    def _located(self, number: int, found: Successors) -> Iterator[tuple[int, Places, Places]]:
        """The levels in which successors are: which of them, and where there."""
        for other, which in self.candidates(number, found):
            at = self.levels[other].places(found.words[which], compiled=self.compiled)
            there = at >= 0
            yield other, which[there], at[there]

    def candidates(self, number: int, found: Successors) -> Iterator[tuple[int, Places]]:
        """The levels in which successors can be: any, where it is not known from which level they come."""
        if number >= 0 or self.by_tiers:
            yield from super().candidates(number, found)
            return
        for other, level in enumerate(self.levels):
            which = np.flatnonzero(level.may_have(found.words))
            if len(which):
                yield other, which

    # Some of them.

    def some(self, sample: int) -> None:
        """Look at so many positions, which games played at random come to, the same ones each time."""
        self._begin()
        self.total = sample
        random = np.random.default_rng(0)
        while self.done < sample:
            walkers = np.repeat(self.root, min(WALKERS, sample), axis=0)
            for _ in range(LONGEST_WALK):
                if not len(walkers) or self.done == sample:
                    break
                words = sorted_once(walkers)[: sample - self.done]
                self._check_values(-1, words, *self._stored(words))
                self.tell(0, len(words))
                found = self._successors(walkers)
                going = found.counts > 0
                first = np.cumsum(found.counts) - found.counts
                walkers = found.words[first[going] + random.integers(found.counts[going])]

    def _stored(self, words: Words) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
        """The values and the remoteness of positions, wherever they are."""
        values, ends = np.zeros(len(words), np.uint16), np.zeros(len(words), np.uint16)
        left = np.ones(len(words), np.bool_)
        for level in self.levels:
            which = np.flatnonzero(left & level.may_have(words))
            at = level.places(words[which], compiled=False)
            which, at = which[at >= 0], at[at >= 0]
            values[which], ends[which] = level.worth(at)
            left[which] = False
        self._fail(-1, words, left, "is not there")
        return values, ends
