"""Compression: a finished tablebase in a tenth of its space, and still read at random."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from perfectplay.errors import BadParameterError, BadTablebaseError
from perfectplay.tablebase.blocks import packed
from perfectplay.tablebase.build_state import Progress, open_level
from perfectplay.tablebase.expectation_files import is_of_chance
from perfectplay.tablebase.expectations import compress_expectations
from perfectplay.tablebase.file_names import blocks_file, files_of, index_file, sweep
from perfectplay.tablebase.kernels import DRAW, FAR, UNKNOWN
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import PLAIN_FILES, RANKED_FILES
from perfectplay.tablebase.rows import in_memory
from perfectplay.tablebase.storage import (
    REMEDY,
    SUMS,
    Lock,
    Writer,
    file_fault,
    read_manifest,
    write_arrays,
    write_manifest,
)

ROWS, ROWS_OUTCOMES = 1 << 11, 1 << 16  # positions of a block: few to be read quickly, many to be small
STRENGTH, STRENGTH_OUTCOMES = 12, 19  # of zstd, from 1 to 19
AT_ONCE = 64  # blocks for each worker between two reports


def compress(
    path: str | os.PathLike[str],
    *,
    outcomes: bool = False,
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Compress a finished tablebase where it is, level by level: if it is stopped, it can go on.

    With `outcomes`, only who wins is kept, and neither by how much nor how soon; that begins anew if it is
    stopped, and nothing is lost before all of it is done.
    """
    directory = Path(path)
    if is_of_chance(directory):
        if outcomes:
            raise BadParameterError(
                "a game with chance has averages, and no outcomes to keep: leave them out."
            )
        compress_expectations(directory)
        return
    read_manifest(directory)  # or else there is nothing to lock
    lock = Lock(directory)
    try:
        manifest = read_manifest(directory)
        if manifest.get("phase") != "done":
            raise BadTablebaseError(f"the tablebase in {str(directory)!r} is not finished: build it first.")
        sweep(directory, manifest)
        packed = any("blocks" in level for level in manifest["levels"])
        if "outcomes" in manifest or (packed and not outcomes and _is_packed(manifest)):
            return
        if packed and outcomes:
            raise BadTablebaseError(
                f"the tablebase in {str(directory)!r} is compressed with its values already: build another."
            )
        (directory / SUMS).unlink(missing_ok=True)  # which would no longer be true
        _Compression(directory, manifest, outcomes, workers or os.cpu_count() or 1, report).run()
    finally:
        lock.release()


def _is_packed(manifest: dict[str, Any]) -> bool:
    return all("blocks" in level for level in manifest["levels"])


class _Compression:
    """The levels as they are compressed."""

    def __init__(
        self,
        directory: Path,
        manifest: dict[str, Any],
        outcomes: bool,
        workers: int,
        report: Callable[[Progress], None],
    ) -> None:
        self.directory = directory
        self.manifest = manifest
        self.outcomes = outcomes
        self.rows = ROWS_OUTCOMES if outcomes else manifest.get("rows", ROWS)
        self.signs = np.array([_sign(value) + 1 for value in manifest["values"]] or [0], np.uint8)
        self.most = (1 << 8 * manifest["value_bytes"]) - 1
        self.strength = STRENGTH_OUTCOMES if outcomes else STRENGTH
        self.workers = workers
        self.report = report
        self.began = monotonic()
        done = (level["positions"] for level in manifest["levels"] if "blocks" in level)
        self.before = self.done = sum(done)

    def run(self) -> None:
        """Compress what is not compressed yet."""
        manifest, written = self.manifest, {}
        for number, known in enumerate(manifest["levels"]):
            if "blocks" in known:
                continue
            _check(self.directory, manifest, number)
            written[number] = self._level(open_level(self.directory, manifest, number))
            if not self.outcomes:
                self._take(written)
        if self.outcomes:
            manifest["outcomes"] = True
            shown = manifest["description"]["example"]
            shown |= {
                "value": None if shown["value"] is None else _sign(shown["value"]),
                "remoteness": None,
            }
            self._take(written)

    def _take(self, written: dict[int, dict[str, Any]]) -> None:
        """Have the manifest name new files in the place of old ones."""
        for number, files in written.items():
            known = self.manifest["levels"][number]
            known |= files
            for name in (*PLAIN_FILES, *RANKED_FILES):
                known.pop(name, None)
        written.clear()
        self.manifest["rows"] = self.rows
        write_manifest(self.directory, self.manifest)
        sweep(self.directory, self.manifest)

    def _level(self, level: Level) -> dict[str, Any]:
        """Write the blocks of a level and their index; what the manifest should know of them."""
        writer = Writer(self.directory / blocks_file(level.number))
        offsets, count = [0], len(level.rows)
        begins = range(0, count, self.rows)
        step = AT_ONCE * self.workers
        try:
            with ThreadPoolExecutor(self.workers) as pool:
                for at in range(0, len(begins), step):
                    some = begins[at : at + step]
                    for data in pool.map(lambda begin: self._block(level, begin), some):
                        writer.write(np.frombuffer(data, np.uint8))
                        offsets.append(offsets[-1] + len(data))
                    self._tell(level.number, min(some[-1] + self.rows, count) - some[0])
            blocks = writer.finish()
        except BaseException:
            writer.abandon()
            raise
        index = np.array(offsets, "<u8").view(np.uint8)
        if "by_rank" not in self.manifest:
            firsts = level.rows.take(np.arange(0, count, self.rows))
            index = np.concatenate([index, in_memory(firsts, level.rows.row_bytes).data])
        return {"blocks": blocks, "index": write_arrays(self.directory / index_file(level.number), [index])}

    def _block(self, level: Level, begin: int) -> bytes:
        """A block, compressed."""
        assert level.values is not None
        assert level.ends is not None
        at = slice(begin, begin + self.rows)
        values, ends = np.asarray(level.values[at]), level.ends[at]
        if self.outcomes:
            signs = self.signs[np.minimum(values, len(self.signs) - 1)]
            endless = np.where(values == UNKNOWN & self.most, UNKNOWN & 0xFF, DRAW & 0xFF).astype(np.uint8)
            values = np.where(ends == FAR, endless, signs)
        elif "by_rank" in self.manifest:
            ends = _filled(ends, values == UNKNOWN & self.most)
        words = None if "by_rank" in self.manifest else level.rows[at]
        data = packed(words, level.rows.row_bytes, values, None if self.outcomes else ends)
        return zstandard.ZstdCompressor(level=self.strength).compress(data)

    def _tell(self, number: int, more: int) -> None:
        self.done += more
        levels, total = len(self.manifest["levels"]), self.manifest["positions"]
        seconds = monotonic() - self.began
        self.report(Progress("compress", number, levels, self.done, total, seconds, self.before))


def _filled(ends: NDArray[np.uint16], absent: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Where no position is, the remoteness of the one before it, which packs well and nobody asks for."""
    return ends[np.maximum.accumulate(np.where(absent, 0, np.arange(len(ends))))]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _check(directory: Path, manifest: dict[str, Any], number: int) -> None:
    """Refuse a damaged level, while it can still be seen that it is."""
    for name, wanted in files_of(manifest["levels"][number], number):
        if fault := file_fault(directory / name, wanted, manifest["block"]):
            raise BadTablebaseError(f"{fault}: {REMEDY}.")
