"""Build: a tablebase as it is being built, what is finished of it, and what it may use."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from perfectplay.compiler.forms import Form, Misfit
from perfectplay.errors import BadTablebaseError
from perfectplay.game import Game, is_ranked, packs
from perfectplay.tablebase.blocks import Blocks
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.encoding import Encoding, bits_in, encoding_from
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.file_names import FILES, ends_file, files_of, states_file, sweep, values_file
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import bytes_for
from perfectplay.tablebase.ranked_levels import open_ranked
from perfectplay.tablebase.ranks import Ranks
from perfectplay.tablebase.row_files import RowWriter, mapped, mapped_rows, write_rows
from perfectplay.tablebase.rows import Rows, Words, in_memory, release
from perfectplay.tablebase.storage import MANIFEST, REMEDY, size_fault, write_manifest
from perfectplay.watchdog import Unreturned, watched

BASELINE = 320 << 20  # bytes that Python, the compiler and the libraries take for themselves
LEAST = 48 << 20  # bytes for arrays, however little is allowed
WORTHWHILE = 1 << 12  # positions for which another worker is worth its while
PATIENCE = 3.0  # seconds that the rules have to say how many ranks tiers have that only a manifest names
PAUSE = 20.0  # seconds of work, at most, that are not yet on disk


class Progress(NamedTuple):
    """How far a build, or another long work on a tablebase, has come."""

    phase: str  # "discover", "solve", "rank", "verify", "compress" or "export"
    level: int
    levels: int  # known until now
    done: int  # positions expanded, or solved
    total: int  # known until now
    seconds: float  # of this phase
    before: int = 0  # positions that were done before it began here
    expected: int = (
        0  # in discovery, how many there will be, by how levels have grown; 0: there is no telling
    )

    @property
    def rate(self) -> float:
        """Positions a second."""
        return (self.done - self.before) / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float | None:
        """How much of the phase is done, from 0 to 1; None if there is no telling."""
        total = self.expected if self.phase == "discover" else self.total
        return min(self.done / total, 1.0) if total else None

    @property
    def left(self) -> float | None:
        """Seconds until the phase is done, at this rate; None if there is no telling."""
        total = self.expected if self.phase == "discover" else self.total
        return max(total - self.done, 0) / self.rate if total and self.rate > 0 else None


@dataclass
class Budget:
    """What may be used: bytes of memory, and threads."""

    memory: int
    workers: int

    @property
    def arrays(self) -> int:
        """Bytes for arrays."""
        return max((self.memory - BASELINE) // 2, LEAST)

    @property
    def mapped(self) -> int:
        """Bytes of files that may be in memory."""
        return self.arrays

    def block(self, width: int, count: int) -> int:
        """Positions that one worker expands at a time, where there are so many in all."""
        each = 8 * width * 40  # a position, its successors, and the copies of them that sorting makes
        most = int(np.clip(self.arrays // (4 * self.workers * each), 256, 1 << 18))
        return min(most, max(-(-count // self.workers), WORTHWHILE))

    def room(self, width: int) -> int:
        """Successors that may wait in memory."""
        return max(self.arrays // (10 * 8 * width), 4096)


class Build:
    """The directory, the manifest, and the rules."""

    def __init__(
        self,
        directory: Path,
        expander: Expander,
        manifest: dict[str, Any],
        budget: Budget,
        report: Callable[[Progress], None],
    ) -> None:
        self.directory = directory
        check_counts(manifest, expander.form.count)
        self.expander = expander
        self.manifest = manifest
        self.budget = budget
        self.report = report
        self.began = self.saved = monotonic()
        self.files = files_in_memory()  # those of Python and its libraries

    @property
    def row_bytes(self) -> int:
        """Of a packed state in a file."""
        return self.expander.encoding.row_bytes

    def rows(self, name: str) -> Rows:
        """The rows of a file."""
        return mapped_rows(self.directory / name, self.row_bytes)

    def row_writer(self, name: str) -> RowWriter:
        """A file of rows that is to be written."""
        return RowWriter(self.directory / name, self.row_bytes)

    def write_rows(self, name: str, blocks: Iterable[Words]) -> dict[str, Any]:
        """Write a file of rows; what the manifest should know of it."""
        return write_rows(self.directory / name, blocks, self.row_bytes)

    def save(self) -> None:
        """Make the manifest true."""
        write_manifest(self.directory, self.manifest)
        self.saved = monotonic()

    @property
    def due(self) -> bool:
        """Has so much work been done since the last time that it should be saved?"""
        return monotonic() - self.saved > PAUSE

    def clean(self, *, unplaced: bool = False) -> None:
        """Take away what the manifest does not name; while tasks run elsewhere, not what they write."""
        sweep(self.directory, self.manifest, unplaced=unplaced)

    def level(self, number: int) -> Level:
        """A level, as far as it is finished."""
        return open_level(self.directory, self.manifest, number, self.ranks)

    @cached_property
    def ranks(self) -> Ranks | None:
        """The numbers of states in their tiers, where the table is stored by them."""
        if "by_rank" not in self.manifest:
            return None
        mode = "auto" if self.expander.compiled else "never"
        return Ranks(self.expander.game, self.expander.encoding, mode)

    def relieve(self, levels: Iterable[Level], *arrays: Any) -> None:
        """Give back what was read of files, if it is more than may stay."""
        if files_in_memory() - self.files > self.budget.mapped:
            release(*arrays)
            for level in levels:
                release(level.rows, level.values, level.ends)


def files_in_memory() -> int:
    """Bytes of files that are in the memory of this process; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[2]) * mmap.PAGESIZE
    except (OSError, IndexError, ValueError):
        return 0


def stored_encoding(manifest: dict[str, Any], game: Game[Any, Any]) -> Encoding:
    """How states are packed, by what a manifest says."""
    try:
        found = encoding_from(manifest, game)
        if found.form.by_game != packs(game):
            raise Misfit(manifest["layout"])
        return found
    except Misfit:
        raise BadTablebaseError(
            f"{MANIFEST} describes states that are none of {manifest.get('game')}: {REMEDY}."
        ) from None


def check_counts(manifest: dict[str, Any], numbers: int) -> None:
    """Refuse a manifest whose states have not so many numbers.

    Machine code goes by these counts, and would read and write beyond what there is.
    """
    layout = manifest["layout"]
    lists = [] if "bits" in layout else [layout[name] for name in ("lows", "bases", "masks")]
    counts = {len(each) for each in (*lists, manifest["start"])}
    if counts != {numbers}:
        told = " or ".join(map(str, sorted(counts)))
        raise BadTablebaseError(
            f"{MANIFEST} describes states of {told} numbers, and those of the game have {numbers}: {REMEDY}."
        )


def check_fit(manifest: dict[str, Any], game: Game[Any, Any], form: Form) -> None:
    """Refuse a manifest that does not fit its game: what its states are made of, and where it begins."""
    check_counts(manifest, form.count)
    if manifest["symmetry"] and type(game).canonical is Game.canonical:
        raise BadTablebaseError(f"{MANIFEST} has representatives, and the game names none: {REMEDY}.")
    if manifest["tiers"] != (type(game).tier is not Game.tier):
        raise BadTablebaseError(f"{MANIFEST} and the game do not agree whether there are tiers: {REMEDY}.")
    if "by_rank" in manifest:
        _check_ranks(manifest, game)
    leaves = [int(leaf, 16) for leaf in manifest["start"]]
    try:
        same = form.leaves(form.state(leaves)) == leaves
    except Exception:  # what the class of a state says of its parts
        same = False
    if not same:
        raise BadTablebaseError(f"{MANIFEST} begins at what is no state of the game: {REMEDY}.")


def _check_ranks(manifest: dict[str, Any], game: Game[Any, Any]) -> None:
    """Refuse a table by rank that has other ranks than the game."""
    has_images = type(game).canonical is not Game.canonical
    try:
        with watched(lambda: 0, PATIENCE):
            wanted = [game.ranks(level["tier"]) for level in manifest["levels"]]
    except (Exception, Unreturned):  # what the rules say of a tier that only the manifest names
        wanted = []
    counts = [level["ranks"] for level in manifest["levels"]]
    if not is_ranked(game) or wanted != counts or manifest["symmetry"] != has_images:
        raise BadTablebaseError(f"{MANIFEST} has other ranks than the game: {REMEDY}.")


def open_level(directory: Path, manifest: dict[str, Any], number: int, ranks: Ranks | None = None) -> Level:
    """A level of a tablebase, its files mapped into memory, if they are as long as they should be.

    Where it is stored by rank, `ranks` says what states these are; without it, nobody may ask for them.
    """
    known = manifest["levels"][number]
    for file, wanted in files_of(known, number):
        if fault := size_fault(directory / file, wanted):
            raise BadTablebaseError(f"{str(directory)!r} is damaged, {fault}: {REMEDY}.")
    try:
        return _opened(directory, manifest, number, ranks)
    except OSError as error:  # a process can have only so many files mapped
        raise BadTablebaseError(
            f"level {number} of {str(directory)!r} cannot be opened ({error.strerror}): {REMEDY}."
        ) from None


def _opened(directory: Path, manifest: dict[str, Any], number: int, ranks: Ranks | None) -> Level:
    known = manifest["levels"][number]
    if "by_rank" in manifest:
        return open_ranked(directory, manifest, number, ranks)
    some, every = (tuple(int(word, 16) for word in known[name]) for name in ("some", "all"))
    if "blocks" in known:
        blocks = Blocks(directory, manifest, number)
        return Level(number, in_memory(blocks.firsts[:0], blocks.row_bytes), some, every, blocks=blocks)
    row_bytes = bytes_for(bits_in(manifest["layout"]))
    level = Level(number, mapped_rows(directory / states_file(number), row_bytes), some, every)
    if "values" in known:
        level.values = mapped(directory / values_file(number), np.dtype(f"<u{manifest['value_bytes']}"))
        level.ends = mapped(directory / ends_file(number), np.dtype("<u2"))
    arrays = {"states": level.rows.data, "values": level.values, "ends": level.ends}
    level.checksums = {
        kind: Checksums(FILES[kind](number), array, manifest["block"], known[kind]["checksums"])
        for kind, array in arrays.items()
        if array is not None
    }
    return level


def bits_of(words: Words, some: list[int], every: list[int]) -> None:
    """Note which bits some of these rows have, and which all."""
    for column in range(words.shape[1]):
        some[column] |= int(np.bitwise_or.reduce(words[:, column]))
        every[column] &= int(np.bitwise_and.reduce(words[:, column]))
