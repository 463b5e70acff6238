"""Tasks: what workers do, each a deterministic function of a plan, of files and of other tasks' answers.

A file that a task writes has a name that no other run of it uses: whoever asked for it names it in the
manifest, or gives it its place, and has it flushed. So a task that is run twice, or by a worker that was
given up too soon, does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from perfectplay.cluster.plan import Plan, Worker, worker_for
from perfectplay.tablebase.build_state import bits_of
from perfectplay.tablebase.discovery import FULL, Leaves, Part, by_tier, masks_of
from perfectplay.tablebase.expansion import Successors
from perfectplay.tablebase.file_names import OWN
from perfectplay.tablebase.kernels import OVER, UNKNOWN
from perfectplay.tablebase.level_solver import MISSING, Block, Codes
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.retrograde import open_edges, write_edges
from perfectplay.tablebase.rows import Words, merged, place_before, ranges_of, sorted_once, without
from perfectplay.tablebase.storage import left_unflushed, write_arrays

Written = dict[str, Any]  # the name of a file, its size and its checksums, for the manifest
Cut = dict[int, Words]  # sorted successors by tier, of one range


def own_name(name: str) -> str:
    """The name of a file that no other run of a task uses."""
    return f"{name}{OWN}{uuid4().hex[:12]}"


def get_ready(plan: Plan) -> None:
    """Load and compile what the tasks of a plan need, before there are any."""
    worker_for(plan)


# Discovery.


class Seen(NamedTuple):
    """What was seen of the positions of a task, besides their successors."""

    least: NDArray[np.int64]
    varying: NDArray[np.int64]
    utilities: list[float]


class Share(NamedTuple):
    """Positions next to each other in a file of sorted rows."""

    file: str
    begin: int
    end: int


def expand(plan: Plan, share: Share, tier: int, bounds: dict[int, list[int]], ranges: int) -> tuple[Any, ...]:
    """What was seen of these positions, and for each range of rows the successors in it, by tier.

    `bounds` has, for a tier, the first row of every range but the first; any will do, if they are the same
    for all that is to be gathered together.
    """
    worker = worker_for(plan)
    rows = worker.build.rows(share.file)
    leaves, utilities = Leaves(worker.expander.encoding), set[float]()
    runs: dict[int, list[Words]] = {}
    for begin, end in worker.blocks(share.begin, share.end):
        found = worker.expander.expand(rows[begin:end])
        leaves.note(found.least, found.varying)
        utilities |= set(np.unique(found.utilities[found.kinds == OVER]).tolist())
        if leaves.fit:  # or else all of it is done again
            after = [(tier + 1, found.words)]
            for each, run in by_tier(tier, found) if plan.manifest["tiers"] else after:
                runs.setdefault(each, []).append(sorted_once(run))
    cut: list[Cut] = [{} for _ in range(ranges)]
    for each, some in runs.items() if leaves.fit else ():
        run = some[0] if len(some) == 1 else sorted_once(np.concatenate(some))
        nearest = min(bounds, key=lambda known, each=each: abs(known - each), default=None)  # type: ignore[misc]
        edges = [] if nearest is None else bounds[nearest]
        places = [0, *(place_before(run, edge) for edge in edges), len(run)]
        for number in range(len(places) - 1):
            if places[number] < places[number + 1]:
                cut[number][each] = run[places[number] : places[number + 1]]
    seen = Seen(leaves.least, leaves.varying, sorted(utilities))
    return (seen, *cut)


@left_unflushed()
def collect(plan: Plan, known: Sequence[str], *cuts: Cut) -> list[Written]:
    """Write the successors of one range that many tasks have found, a file for each tier.

    What is in one of the known files is left out, and noted.
    """
    worker = worker_for(plan)
    found = []
    for tier in sorted({tier for cut in cuts for tier in cut}):
        runs = [cut[tier] for cut in cuts if tier in cut]
        written = _written_new(worker, merged(runs, worker.build.budget.room(worker.width)), known)
        found.append(written | {"tier": tier})
    return found


@left_unflushed()
def gather(
    plan: Plan, files: Sequence[str], known: Sequence[str], low: int | None, high: int | None
) -> Written:
    """Write what several sorted files have from one number up to another, but for what is known."""
    worker = worker_for(plan)
    runs = []
    for file in files:
        rows = worker.build.rows(file)
        begin = 0 if low is None else place_before(rows, low)
        runs.append(rows.part(begin, len(rows) if high is None else place_before(rows, high)))
    return _written_new(worker, merged(runs, worker.build.budget.room(worker.width)), known)


def _written_new(worker: Worker, blocks: Iterable[Words], known: Sequence[str]) -> Written:
    """Write rows but for the known ones; what the manifest should know, and how many were left out."""
    part = Part(np.empty((0, worker.width), np.uint64), [0] * worker.width, [FULL] * worker.width)
    others = [worker.build.rows(file) for file in known]
    name, lost = own_name("run-000000"), 0
    writer = worker.build.row_writer(name)
    try:
        for block in blocks:
            new = block
            for other in others:
                new = without(new, other)
            lost += len(block) - len(new)
            bits_of(new, part.some, part.every)
            writer.write(new)
        written = writer.finish()
    except BaseException:
        writer.abandon()
        raise
    return {"file": name, "lost": lost, "positions": writer.rows, **written, **masks_of(part)}


@left_unflushed()
def join(plan: Plan, files: Sequence[str], apart: bool) -> Written:
    """Write sorted files as one: one after the other, if they are `apart`, and else merged."""
    worker = worker_for(plan)
    runs = [worker.build.rows(file) for file in files]
    room = worker.build.budget.room(worker.width)
    name = own_name("run-000000")
    blocks = _in_parts(runs, room) if apart else merged(runs, room)
    return {"file": name, **worker.build.write_rows(name, blocks)}


def _in_parts(arrays: Iterable[Any], size: int) -> Iterator[NDArray[Any]]:
    for array in arrays:
        for begin in range(0, len(array), size):
            yield array[begin : begin + size]


def _named(directory: Path, arrays: Iterable[NDArray[Any]]) -> Written:
    name = own_name("run-000000")
    return {"file": name, **write_arrays(directory / name, arrays)}


# Solution.


class Stretch(NamedTuple):
    """Positions next to each other in a level, of which it has too many for one worker."""

    level: int
    begin: int
    end: int


class Kept(NamedTuple):
    """Positions whose successors are being asked for elsewhere."""

    found: Successors  # without the successors
    codes: NDArray[np.int64]  # what is known of them
    asked: list[NDArray[np.int64]]  # for each stretch, which of them it was asked for


def ask(plan: Plan, number: int, begin: int, end: int, stretches: Sequence[Stretch]) -> Any:
    """Positions with their successors, and for every stretch the successors that it may have.

    Successors in levels that no stretch is of are looked up here.
    """
    worker = worker_for(plan)
    solver = worker.solver
    kept: list[Kept] = []
    questions: list[list[Words]] = [[] for _ in stretches]
    before = 0
    for first, last in worker.blocks(begin, end):
        found = worker.expander.expand(solver.levels[number].rows[first:last])
        codes = np.full(len(found.words), MISSING, np.int64)
        asked = [np.empty(0, np.int64)] * len(stretches)
        for other, which in solver.candidates(number, found):
            places = [place for place, stretch in enumerate(stretches) if stretch.level == other]
            if not places:
                _look_up(worker, other, found.words[which], codes, which)
                continue
            words = found.words[which]
            begins = np.array([stretches[place].begin for place in places[1:]], np.int64)
            numbers = ranges_of(words, solver.levels[other].rows.take(begins))
            for number_in_level, place in enumerate(places):
                mine = numbers == number_in_level
                asked[place] = which[mine] + before
                questions[place].append(words[mine])
        kept.append(Kept(found._replace(words=found.words[:0], tiers=found.tiers[:0]), codes, asked))
        before += len(codes)
    if not stretches:
        return _joined(kept)
    empty = np.empty((0, worker.width), np.uint64)
    return (_joined(kept), *(np.concatenate([empty, *some]) for some in questions))


def _look_up(
    worker: Worker, level: int, words: Words, codes: NDArray[np.int64], which: NDArray[np.int64]
) -> None:
    """Note what is known of successors that may be in a level."""
    at = worker.solver.levels[level].places(words, compiled=worker.solver.compiled)
    there = at >= 0
    codes[which[there]] = worker.solver.codes(level, at[there])


def _joined(kept: Sequence[Kept]) -> Kept:
    """Blocks that follow each other, as one."""
    if len(kept) == 1:
        return kept[0]
    first = kept[0].found
    joined = {
        name: np.concatenate([getattr(each.found, name) for each in kept])
        for name in ("counts", "kinds", "utilities")
    }
    asked = [np.concatenate(some) for some in zip(*(each.asked for each in kept), strict=True)]
    return Kept(first._replace(**joined), np.concatenate([each.codes for each in kept]), asked)


def answer(plan: Plan, stretch: Stretch, *questions: Words) -> Any:
    """What is known of successors, as far as they are in a stretch of a level: an array for each question.

    A value and a remoteness take four bytes; where a position is, in levels that are solved together, eight.
    """
    worker = worker_for(plan)
    solver = worker.solver
    level = solver.levels[stretch.level]
    part = Level(stretch.level, level.rows.part(stretch.begin, stretch.end), level.some, level.all)
    found = []
    for question in questions:
        codes = np.full(len(question), MISSING, np.int64)
        places = part.places(question, compiled=solver.compiled)
        there = places >= 0
        codes[there] = solver.codes(stretch.level, places[there] + stretch.begin)
        found.append(codes if stretch.level in solver.offsets else (-1 - codes).astype(np.uint32))
    return found[0] if len(found) == 1 else found


def choose(
    plan: Plan, number: int, begin: int, kept: Kept, *answers: NDArray[np.int64]
) -> tuple[Codes, Codes]:
    """The values and the remoteness of positions whose successors are all known."""
    solver = worker_for(plan).solver
    block = _block(plan, number, begin, kept, answers)
    values, ends = solver.chosen(block)
    solver.check_ends(values, ends)
    return values, ends


def _block(plan: Plan, number: int, begin: int, kept: Kept, answers: Sequence[NDArray[np.int64]]) -> Block:
    """Positions with what is known of their successors."""
    solver = worker_for(plan).solver
    codes = np.array(kept.codes)
    for which, told in zip(kept.asked, answers, strict=True):
        answered = told if told.dtype == np.int64 else -1 - told.astype(np.int64)
        there = answered != MISSING
        codes[which[there]] = answered[there]
    block = solver.block_of(begin, kept.found, codes)
    solver.check(number, block)
    return block


def solve(plan: Plan, number: int, begin: int, end: int) -> tuple[Codes, Codes]:
    """The values and the remoteness of positions whose successors are few enough to be looked up here."""
    worker = worker_for(plan)
    found = []
    for first, last in worker.blocks(begin, end):
        block = worker.solver.block(number, first, last)
        worker.solver.check(number, block)
        values, ends = worker.solver.chosen(block)
        worker.solver.check_ends(values, ends)
        found.append((values, ends))
        worker.build.relieve(worker.solver.levels)
    values, ends = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return values, ends


@left_unflushed()
def write_codes(plan: Plan, dtype: str, *arrays: Codes) -> Written:
    """Write values, or remoteness, one after the other."""
    return _named(Path(plan.directory), (array.astype(dtype) for array in arrays))


@left_unflushed()
def join_codes(plan: Plan, dtype: str, files: Sequence[str], size: int = 1 << 22) -> Written:
    """Write the pieces of a level as one file."""
    directory = Path(plan.directory)
    pieces = (np.memmap(directory / file, np.uint16, "r") for file in files)
    return _named(directory, (part.astype(dtype) for part in _in_parts(pieces, size)))


# Levels that lead to each other.


@left_unflushed()
def edges(plan: Plan, number: int, begin: int, kept: Kept, *answers: NDArray[np.int64]) -> Written:
    """Write the successors of positions, as far as they are known or where they are."""
    block = _block(plan, number, begin, kept, answers)
    return write_edges(Path(plan.directory), own_name("edges-0000-000000000000"), number, [block])


def note(plan: Plan, piece: Written) -> NDArray[np.int64]:
    """How late the values of successors outside the group are known, value by value."""
    solver = worker_for(plan).solver
    return solver.furthest(open_edges(Path(plan.directory), piece).children)


def sweep(
    plan: Plan,
    piece: Written,
    first: int,  # the number of its first position in the group
    kernel: str,
    question: tuple[int, ...],
    group_values: Codes,
    group_ends: Codes,
) -> tuple[NDArray[np.int64], Codes, Codes]:
    """Which positions get a value by what is known of their successors, their values and remoteness."""
    worker = worker_for(plan)
    block = open_edges(worker.directory, piece)
    at = slice(first, first + len(block.counts))
    values, ends = np.array(group_values[at]), np.array(group_ends[at])
    left = values == UNKNOWN
    worker.solver.call(kernel, block, group_values, group_ends, values, ends, question)
    places = np.flatnonzero(left & (values != UNKNOWN))
    return places, values[places], ends[places]
