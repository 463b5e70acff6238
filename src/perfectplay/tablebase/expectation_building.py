"""A table of a game with chance built, and verified."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.compiler import compile_mode
from perfectplay.errors import BadTablebaseError, DamagedTablebaseError, UnwritableError
from perfectplay.game import WORD, Game, require_zero_sum
from perfectplay.tablebase.expectation_files import (
    MANIFEST,
    read_expectations,
    strangers_in,
    write_expectations,
)
from perfectplay.tablebase.expectation_solving import Report, Solved
from perfectplay.tablebase.expectations import ExpectationTable
from perfectplay.tablebase.identity import identity
from perfectplay.tablebase.storage import Lock
from perfectplay.tablebase.unfinished import Unfinished

ROUNDED = 1e-9  # of the tolerance, so much may be lost where numbers are rounded


def build_expectations(
    game: Game[Any, Any],
    path: str | os.PathLike[str],
    *,
    start: Any = None,
    memory: int = 2 << 30,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    report: Report = lambda progress: None,
) -> Path:
    """Solve a game with chance completely into a directory, or go on where an earlier build was stopped."""
    require_zero_sum(game, "a tablebase")
    directory = Path(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _check_room(directory)
        lock = Lock(directory)
        try:
            first = game.canonical(game.table_start() if start is None else start)
            _build(game, directory, first, memory, compile_mode(compile), report)
        finally:
            lock.release()
    except OSError as error:
        raise UnwritableError(
            f"cannot build in {str(directory)!r}: {error.strerror}; give a directory that you may write to."
        ) from None
    return directory


def _check_room(directory: Path) -> None:
    """Refuse a directory that holds something else."""
    if others := strangers_in(directory):
        raise BadTablebaseError(
            f"{str(directory)!r} holds other files, {others[0]!r} for one: give an empty directory."
        )


def _build(game: Game[Any, Any], directory: Path, first: Any, memory: int, mode: str, report: Report) -> None:
    known = {**identity(game), "start": f"{game.key(first) & WORD:016x}"}
    if (directory / MANIFEST).exists():
        before = read_expectations(directory)
        if (before["game"], before["rules"]) != (known["game"], known["rules"]):
            raise BadTablebaseError(
                f"{str(directory)!r} holds a tablebase of {before['game']}, or of other rules: "
                "give another directory."
            )
    unfinished = Unfinished(directory, known)
    solved = Solved(game, first, memory, mode, report, unfinished)
    order = np.argsort(solved.keys)
    arrays = {"keys": solved.keys[order]}
    arrays |= {name: solved.array(name, np.float64)[order] for name in ("lower", "upper")}
    told = known | {
        "positions": len(order),
        "error": float((arrays["upper"] - arrays["lower"]).max()) / 2,
        "sweeps": solved.sweeps,
    }
    (directory / MANIFEST).unlink(missing_ok=True)  # the one of an earlier table, which names other files
    write_expectations(directory, told, arrays)
    unfinished.remove()


def expectation_faults(
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    memory: int = 2 << 30,
    report: Report = lambda progress: None,
) -> Iterator[str]:
    """What is wrong with a table of a game with chance, one sentence each: its files, and all its values.

    The game is solved once more, and every value must be the same but for the errors of both.
    """
    try:
        table = ExpectationTable(path, game)
    except BadTablebaseError as error:
        yield str(error)
        return
    try:
        for each in table.files.values():
            each.check()
        keys, lower, upper = table.columns()
    except DamagedTablebaseError as error:
        yield str(error)
        return
    if not (keys[:-1] < keys[1:]).all():
        yield "the keys are not in order, or some are there twice."
        return
    start = table.game.canonical(table.start)
    if f"{table.game.key(start) & WORD:016x}" != table.manifest["start"]:
        yield "it begins at another state than the game, so that its values cannot be worked out again."
        return
    solved = Solved(table.game, start, memory, "auto", report)
    order = np.argsort(solved.keys)
    if not np.array_equal(solved.keys[order], keys):
        yield "its positions are not those that the game comes to."
        return
    if not (upper - lower <= 2 * table.error).all() or not (lower <= upper).all():
        yield f"the limits of a position are further apart than the error of {table.error:g} allows."
        return
    slack = solved.tolerance + 2 * table.unit
    if 2 * table.error > slack * (1 + ROUNDED):
        yield f"its error is {table.error:g}, and a build leaves {slack / 2:g} at most."
        return
    low, high = (solved.array(name, np.float64)[order] for name in ("lower", "upper"))
    wrong = np.flatnonzero((lower > high + slack) | (upper < low - slack))
    if len(wrong):
        yield f"{len(wrong):,} positions have limits that do not hold their value."
