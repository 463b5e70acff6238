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
from perfectplay.game import MAX, Game, same_side
from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.description import outcome
from perfectplay.tablebase.file_names import written_in
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.rows import Words
from perfectplay.tablebase.storage import REMEDY, file_fault
from perfectplay.tablebase.table import Tablebase
from perfectplay.tablebase.unverified import unverified

PART = 1 << 18  # positions of a row group, which are in memory together
PART_OF_WORDS = 1 << 15  # the same where they are written out


def export(
    table: Tablebase | str | os.PathLike[str],
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    words: bool = True,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Write all positions to a Parquet file: level, state, value to MAX, outcome and remoteness.

    With `words`, also who moves, the board as text and all best moves, for which the rules are asked about
    every position. `table` is an open tablebase, or the directory of one, of `game` if that is not one of
    ours. The file is written beside its name and gets it when it is whole.
    """
    if not isinstance(table, Tablebase):
        with Tablebase(table, game, compile="auto" if words else "never") as opened:
            export(opened, path, words=words, report=report)
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
                    for number, rows, columns in _parts(table, PART_OF_WORDS if words else PART):
                        if words:
                            columns |= _in_words(table, rows, arrow)
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


def _in_words(table: Tablebase, rows: Words, arrow: Any) -> dict[str, Any]:
    """What the rules say of positions: who moves, what it looks like, and what is best."""
    game = table.game
    movers: list[str] = []
    boards: list[str] = []
    best: list[list[str]] = []
    with unverified(table.directory, lambda: len(best)):
        for row in rows.tolist():
            state = table.encoding.unpack(row)
            movers.append("MAX" if same_side(game.to_move(state), MAX) else "MIN")
            boards.append(str(game.render(state)).encode("utf-8", "replace").decode())
            moves = [] if game.is_terminal(state) else table.best(state)
            best.append([str(game.action_name(action)) for action in moves])
    texts = arrow.string()
    return {
        "to_move": arrow.array(movers, texts),
        "board": arrow.array(boards, texts),
        "best_moves": arrow.array(best, arrow.list_(texts)),
    }


def _parts(table: Tablebase, most: int) -> Iterator[tuple[int, Words, dict[str, Any]]]:
    """All positions, level by level, so many at a time, and what is stored of them as columns."""
    worths = np.array([*table.values, 0.0], np.float64)
    words = np.array([*(outcome(value) for value in table.values), "draw"])
    kinds = table.form.kinds()
    names = _names(table, len(kinds))
    for number, level in enumerate(table.levels()):
        for rows, values, ends in _gathered(level, most):
            codes = np.minimum(np.asarray(values, np.int64), len(worths) - 1)
            columns: dict[str, Any] = {"level": np.full(len(rows), number, np.int32)}
            numbers = table.encoding.columns(rows)
            for name, column, kind in zip(names, numbers, kinds, strict=True):
                columns[name] = _typed(column, kind)
            columns["value"] = worths[codes]
            columns["outcome"] = words[codes]
            if not table.outcomes_only:
                columns["remoteness"] = np.where(ends == FAR, np.int32(-1), ends)
            yield number, rows, columns


def _gathered(level: Level, most: int) -> Iterator[tuple[NDArray[Any], ...]]:
    """The parts of a level, put together where they are small: a compressed level has small ones."""
    waiting: list[tuple[NDArray[Any], ...]] = []
    for part in level.parts(most):
        if waiting and sum(len(rows) for rows, *_ in waiting) + len(part[0]) > most:
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


def _names(table: Tablebase, count: int) -> list[str]:
    """What the numbers of a state are called: by their fields, if it is a named tuple of numbers."""
    fields = getattr(table.game.initial(), "_fields", ())
    return [f"state_{name}" for name in (fields if len(fields) == count else range(count))]
