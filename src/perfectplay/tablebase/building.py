"""build_tablebase: from a game to a directory with the value of every position that can be reached."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.compiler import agreement_of, compile_mode
from perfectplay.errors import BadParameterError, BadTablebaseError, UnwritableError
from perfectplay.game import Game
from perfectplay.tablebase.build_state import Budget, Build, Progress, layout_data
from perfectplay.tablebase.discovery import begun, discover, first_layout
from perfectplay.tablebase.expansion import Expander
from perfectplay.tablebase.file_names import written_in
from perfectplay.tablebase.identity import identity
from perfectplay.tablebase.layout import check_beginning, leaves
from perfectplay.tablebase.rows import to_words
from perfectplay.tablebase.solution import solve
from perfectplay.tablebase.storage import (
    BLOCK,
    FORMAT,
    LOCK,
    MANIFEST,
    REMEDY,
    VERSION,
    Lock,
    read_manifest,
    size_fault,
    write_manifest,
)

MEMORY = 2 << 30
COMPARED = 100  # states in which rules are compared with their machine code


def build_tablebase(
    game: Game[Any, Any],
    path: str | os.PathLike[str],
    *,
    start: Any = None,
    memory: int = MEMORY,
    workers: int | None = None,
    symmetry: bool = True,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    report: Callable[[Progress], None] = lambda progress: None,
) -> Path:
    """Solve a game completely into a directory, or go on where an earlier build was stopped.

    `start` is the state to begin at, if it is not that of the game: only what can be reached from there is
    solved, as an endgame for an engine. `memory` is the number of bytes that may be used, `workers` the
    number of threads (all processors, if it is not given). With `symmetry`, only representatives are kept,
    if the game has `canonical`. `compile` is as for an `Engine`. `report` is called with the progress.
    """
    mode = compile_mode(compile)
    workers = workers or os.cpu_count() or 1
    if workers < 1 or memory < 1:
        raise BadParameterError(f"memory={memory} and workers={workers} cannot be: give 1 or more of each.")
    if game.players != 2:
        raise BadParameterError(f"a tablebase is for two players, and this game has {game.players}.")
    if start is not None:
        check_beginning(start, game.initial(), type(game).__name__)
    directory = Path(path)

    def prepared(manifest_of: Callable[[Path, Expander], dict[str, Any]]) -> Build:
        expander = Expander(game, start=start, symmetry=symmetry, compile=mode)
        manifest = manifest_of(directory, expander)
        build = Build(directory, expander, manifest, Budget(memory, workers), report)
        build.clean()
        return build

    try:
        directory.mkdir(parents=True, exist_ok=True)
        _check_room(directory)
        lock = Lock(directory)
        try:
            build = prepared(_manifest)
            if build.manifest["phase"] == "discover":
                discover(build)
            if build.manifest["phase"] == "solve" and _differs(build):
                build = prepared(_new_manifest)  # with the rules in Python, from now on
                discover(build)
            if build.manifest["phase"] == "solve":
                solve(build)
        finally:
            lock.release()
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise UnwritableError(
            f"cannot build in {str(directory)!r}: {error.strerror}; give a directory that you may write to."
        ) from None
    except OSError as error:
        raise UnwritableError(
            f"cannot write {str(directory)!r}: {error.strerror}; free some space or mend it, and build "
            "again: it goes on where it stopped."
        ) from None
    return directory


def _check_room(directory: Path) -> None:
    """Refuse a directory that holds something else."""
    ours = (LOCK, f"{MANIFEST}.part")
    strangers = [path.name for path in directory.iterdir() if path.name not in ours]
    if strangers and MANIFEST not in strangers:
        raise BadTablebaseError(
            f"{str(directory)!r} holds other files, {strangers[0]!r} for one: give an empty directory."
        )


def _manifest(directory: Path, expander: Expander) -> dict[str, Any]:
    """The manifest of an earlier build of the same, or a new one."""
    if (directory / MANIFEST).exists():
        manifest = read_manifest(directory)
        for name, value in _known(expander).items():
            if manifest.get(name) != value:
                what = {
                    "rules": "the rules have changed since",
                    "start": "it begins at another state",
                }.get(name, f"its {name} is {manifest.get(name)!r}")
                raise BadTablebaseError(
                    f"{str(directory)!r} holds a tablebase of another game: {what}; give another directory."
                )
        for file, wanted in written_in(manifest):
            if fault := size_fault(directory / file, wanted):
                raise BadTablebaseError(f"the tablebase in {str(directory)!r} is damaged, {fault}: {REMEDY}.")
        return manifest
    return _new_manifest(directory, expander)


def _known(expander: Expander) -> dict[str, Any]:
    """What tells a tablebase from others."""
    begin = [f"{leaf:x}" for leaf in leaves(expander.first)]
    return identity(expander.game) | {"symmetry": expander.symmetry, "start": begin}


def _new_manifest(directory: Path, expander: Expander) -> dict[str, Any]:
    manifest = _known(expander) | {
        "format": FORMAT,
        "version": VERSION,
        "phase": "discover",
        "tiers": expander.has_tiers,
        "layout": layout_data(first_layout(expander)),
        "block": BLOCK,
        "levels": [],
    }
    manifest |= begun()
    write_manifest(directory, manifest)  # from now on, what else is in the directory is ours
    return manifest


def _differs(build: Build) -> bool:
    """Do compiled rules give other answers than Python's, in states of all levels, rare ones among them?"""
    expander = build.expander
    if not expander.compiled:
        return False
    random, states = np.random.default_rng(0), []
    levels = range(len(build.manifest["levels"]))
    for number in random.choice(levels, min(len(levels), COMPARED), replace=False):
        rows = build.level(int(number)).rows
        chosen = np.sort(random.choice(len(rows), min(len(rows), -(-COMPARED // len(levels)))))
        states += [build.layout.unpack(words.tolist(), expander.start) for words in to_words(rows[chosen])]
    return agreement_of(expander.game).compare(expander.game, states) is not None
