"""Compression: a finished tablebase in a tenth of its space, and still read at random."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from perfectplay.errors import BadTablebaseError
from perfectplay.tablebase.blocks import packed
from perfectplay.tablebase.build_state import Progress, open_level
from perfectplay.tablebase.file_names import FILES, blocks_file, index_file, sweep
from perfectplay.tablebase.levels import Level
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

ROWS = 1 << 11
STRENGTH = 12  # of zstd, from 1 to 19


def compress(
    path: str | os.PathLike[str], *, report: Callable[[Progress], None] = lambda progress: None
) -> None:
    """Compress a finished tablebase where it is, level by level: if it is stopped, it can go on."""
    directory = Path(path)
    read_manifest(directory)  # or else there is nothing to lock
    lock = Lock(directory)
    try:
        manifest = read_manifest(directory)
        if manifest.get("phase") != "done":
            raise BadTablebaseError(f"the tablebase in {str(directory)!r} is not finished: build it first.")
        sweep(directory, manifest)
        (directory / SUMS).unlink(missing_ok=True)  # which would no longer be true
        for number, known in enumerate(manifest["levels"]):
            if "blocks" not in known:
                _check(directory, manifest, number)
                known |= _compressed(directory, open_level(directory, manifest, number))
                for name in ("states", "values", "ends"):
                    del known[name]
                manifest["rows"] = ROWS
                write_manifest(directory, manifest)
                sweep(directory, manifest)
            done = sum(level["positions"] for level in manifest["levels"][: number + 1])
            report(Progress("compress", number, len(manifest["levels"]), done, manifest["positions"], 0.0))
    finally:
        lock.release()


def _check(directory: Path, manifest: dict[str, Any], number: int) -> None:
    """Refuse a damaged level, while it can still be seen that it is."""
    for kind in ("states", "values", "ends"):
        if fault := file_fault(
            directory / FILES[kind](number), manifest["levels"][number][kind], manifest["block"]
        ):
            raise BadTablebaseError(f"{fault}: {REMEDY}.")


def _compressed(directory: Path, level: Level) -> dict[str, Any]:
    """Write the blocks of a level and their index; what the manifest should know of them."""
    assert level.values is not None
    assert level.ends is not None
    zstd = zstandard.ZstdCompressor(level=STRENGTH)
    writer = Writer(directory / blocks_file(level.number))
    offsets, row_bytes = [0], level.rows.row_bytes
    try:
        for begin in range(0, len(level.rows), ROWS):
            at = slice(begin, begin + ROWS)
            rows = level.rows[at]
            data = zstd.compress(packed(rows, row_bytes, level.values[at], level.ends[at]))
            writer.write(np.frombuffer(data, np.uint8))
            offsets.append(offsets[-1] + len(data))
        blocks = writer.finish()
    except BaseException:
        writer.abandon()
        raise
    firsts = in_memory(level.rows.take(np.arange(0, len(level.rows), ROWS)), row_bytes)
    index = np.concatenate([np.array(offsets, "<u8").view(np.uint8), firsts.data])
    return {"blocks": blocks, "index": write_arrays(directory / index_file(level.number), [index])}
