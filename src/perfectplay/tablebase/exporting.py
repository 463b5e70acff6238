"""Exporting: a tablebase as a Parquet file, for DuckDB, Polars, pandas and others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.errors import BadParameterError
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.project import Progress
from perfectplay.tablebase.rows import to_words
from perfectplay.tablebase.table import Tablebase

PART = 1 << 18  # positions written at a time


def export_parquet(
    table: Tablebase,
    path: str | os.PathLike[str],
    *,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Write all positions to a Parquet file: level, state, value to MAX, outcome and remoteness."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise BadParameterError("Parquet files need pyarrow: pip install pyarrow.") from None
    beside = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")
    writer: Any = None
    done = 0
    try:
        for number, columns in _parts(table):
            batch = arrow.table(columns)
            writer = writer or parquet.ParquetWriter(beside, batch.schema, compression="zstd")
            writer.write_table(batch)
            done += len(batch)
            report(Progress("export", number, len(table.manifest["levels"]), done, len(table), 0.0))
        writer.close()
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _parts(table: Tablebase) -> Iterator[tuple[int, dict[str, Any]]]:
    """All positions, part by part, as columns."""
    worths = np.array([*table.values, 0.0])
    words = np.array([*(_outcome(value) for value in table.values), "draw"])
    for number, level in enumerate(table.levels()):
        for rows, values, ends in level.parts(PART):
            codes = np.minimum(np.asarray(values, np.int64), len(worths) - 1)
            leaves = zip(_names(table), table.layout.columns(to_words(rows)), strict=True)
            columns: dict[str, Any] = {"level": np.full(len(rows), number, np.int32), **dict(leaves)}
            columns["value"] = worths[codes]
            columns["outcome"] = words[codes]
            columns["remoteness"] = np.where(ends == FAR, -1, ends).astype(np.int32)
            yield number, columns


def _outcome(value: float) -> str:
    return "tie" if value == 0 else "MAX wins" if value > 0 else "MIN wins"


def _names(table: Tablebase) -> list[str]:
    """What the numbers of a state are called: by their fields, if it is a named tuple of numbers."""
    start = table.game.initial()
    fields = getattr(start, "_fields", ())
    count = len(table.layout.lows)
    return [f"state_{name}" for name in (fields if len(fields) == count else range(count))]
