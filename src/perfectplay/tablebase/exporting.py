"""Exporting: a tablebase as a Parquet file, for DuckDB, Polars, pandas and others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadParameterError, BadTablebaseError, UnwritableError
from perfectplay.game import Game
from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.file_names import written_in
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.storage import REMEDY, file_fault
from perfectplay.tablebase.table import Tablebase

PART = 1 << 18  # positions of a row group, which are in memory together


def export(
    table: Tablebase | str | os.PathLike[str],
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Write all positions to a Parquet file: level, state, value to MAX, outcome and remoteness.

    `table` is an open tablebase, or the directory of one, of `game` if that is not one of ours. The file is
    written beside its name and gets it when it is whole.
    """
    if not isinstance(table, Tablebase):
        with Tablebase(table, game, compile="never") as opened:
            export(opened, path, report=report)
        return
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise BadParameterError(
            'Parquet files need pyarrow, which is not here: pip install "perfectplay[parquet]".'
        ) from None
    path = Path(path)
    if path.exists() and not path.is_file():
        raise UnwritableError(f"cannot write {str(path)!r}: it is no file; give another place.")
    for name, wanted in written_in(table.manifest):
        if fault := file_fault(table.directory / name, wanted, table.manifest["block"]):
            raise BadTablebaseError(f"{fault}: {REMEDY}.")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    levels, began, done = len(table.manifest["levels"]), monotonic(), 0
    try:
        try:
            writer: Any = None
            with open(beside, "wb") as file:
                try:
                    for number, columns in _parts(table):
                        group = arrow.table(columns)
                        writer = writer or parquet.ParquetWriter(file, group.schema, compression="zstd")
                        writer.write_table(group, row_group_size=PART)
                        done += len(group)
                        report(Progress("export", number, levels, done, len(table), monotonic() - began))
                finally:
                    if writer is not None:
                        writer.close()
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnwritableError(f"cannot write {str(path)!r}: {reason}; give another place.") from None


def _parts(table: Tablebase) -> Iterator[tuple[int, dict[str, Any]]]:
    """All positions, level by level, so many at a time, as columns."""
    worths = np.array([*table.values, 0.0], np.float64)
    words = np.array([*(_outcome(value) for value in table.values), "draw"])
    kinds = table.form.kinds()
    names = _names(table, len(kinds))
    for number, level in enumerate(table.levels()):
        for rows, values, ends in _gathered(level):
            codes = np.minimum(np.asarray(values, np.int64), len(worths) - 1)
            columns: dict[str, Any] = {"level": np.full(len(rows), number, np.int32)}
            numbers = table.encoding.columns(rows)
            for name, column, kind in zip(names, numbers, kinds, strict=True):
                columns[name] = _typed(column, kind)
            columns["value"] = worths[codes]
            columns["outcome"] = words[codes]
            if not table.outcomes_only:
                columns["remoteness"] = np.where(ends == FAR, np.int32(-1), ends)
            yield number, columns


def _gathered(level: Level) -> Iterator[tuple[NDArray[Any], ...]]:
    """The parts of a level, put together where they are small: a compressed level has small ones."""
    waiting: list[tuple[NDArray[Any], ...]] = []
    for part in level.parts(PART):
        if waiting and sum(len(rows) for rows, *_ in waiting) + len(part[0]) > PART:
            yield tuple(np.concatenate(arrays) for arrays in zip(*waiting, strict=True))
            waiting = []
        waiting.append(part)
    if waiting:
        yield tuple(np.concatenate(arrays) for arrays in zip(*waiting, strict=True))


def _typed(column: NDArray[np.int64], kind: type) -> NDArray[Any]:
    """A column of numbers as what they are in a state: a float is kept as its bits, a bool as 0 or 1."""
    if kind is float:
        return column.view(np.float64)
    return column.astype(np.bool_) if kind is bool else column


def _outcome(value: float) -> str:
    return "tie" if value == 0 else "MAX wins" if value > 0 else "MIN wins"


def _names(table: Tablebase, count: int) -> list[str]:
    """What the numbers of a state are called: by their fields, if it is a named tuple of numbers."""
    fields = getattr(table.game.initial(), "_fields", ())
    return [f"state_{name}" for name in (fields if len(fields) == count else range(count))]
