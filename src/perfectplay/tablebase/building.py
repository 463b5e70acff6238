"""build_tablebase: from a game to a directory with the value of every position that can be reached."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from perfectplay.compiler import compile_mode
from perfectplay.compiler.forms import Misfit
from perfectplay.errors import BadParameterError, BadTablebaseError, PerfectPlayError, UnwritableError
from perfectplay.game import Game, require_two_sides
from perfectplay.rule_faults import note_first_question
from perfectplay.tablebase.build_state import Budget, Build, Progress, stored_encoding
from perfectplay.tablebase.compression import compress
from perfectplay.tablebase.discovery import begun, discover, form_data
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.expansion import Expander, OtherFormError
from perfectplay.tablebase.expectation_building import build_expectations
from perfectplay.tablebase.file_names import written_in
from perfectplay.tablebase.identity import identity
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
from perfectplay.tablebase.storing_by_rank import require_ranks, store_by_rank

MEMORY = 2 << 30
ASTRAY = (  # what rules say of what is no state of theirs, and we of what is no build of ours
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
    *(Misfit, OtherFormError),
)


class Builder(Protocol):
    """Who does the work of a build in another way than this machine alone."""

    def discover(self, build: Build) -> None:
        """Find all positions, as `discover` does."""

    def solve(self, build: Build) -> None:
        """Give every position its value, as `solve` does."""


def build_tablebase(
    game: Game[Any, Any],
    path: str | os.PathLike[str],
    *,
    start: Any = None,
    memory: int = MEMORY,
    workers: int | None = None,
    symmetry: bool = True,
    outcomes_only: bool = False,
    by_rank: bool = False,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    cluster: Builder | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Path:
    """Solve a game completely into a directory, or go on where an earlier build was stopped.

    `start` is the state to begin at, if it is not the game's `table_start`: only what can be reached from
    there is solved, as an endgame for an engine. `memory` is the number of bytes that may be used, `workers`
    the number of threads (all processors, if it is not given). With `symmetry`, only representatives are
    kept, if the game has `canonical`. With `outcomes_only`, who wins is all that is kept when everything is
    solved, compressed; with `by_rank`, values are kept without states, if the game numbers these
    (`Game.rank`). `compile` is as for an `Engine`. `cluster` does the work on many machines, with the same
    result to the byte: `memory` is for each of its workers then. `report` is called with the progress.
    A game with chance becomes an `ExpectationTable`.
    """
    mode = compile_mode(compile)
    workers = workers or os.cpu_count() or 1
    if workers < 1 or memory < 1:
        raise BadParameterError(f"memory={memory} and workers={workers} cannot be: give 1 or more of each.")
    if game.has_chance:
        if outcomes_only or by_rank or cluster is not None or not symmetry:
            raise BadParameterError(
                "a game with chance is solved here, as it is: leave out outcomes, ranks, cluster, symmetry."
            )
        return build_expectations(game, path, start=start, memory=memory, compile=mode, report=report)
    require_two_sides(game, "a tablebase")
    if game.players != 2:
        raise BadParameterError(f"a tablebase is for two players, and this game has {game.players}.")
    if by_rank:
        require_ranks(game, symmetry=symmetry)
    directory = Path(path)
    goes_on = (directory / MANIFEST).exists()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _check_room(directory)
        lock = Lock(directory)
        try:
            earlier = _earlier_encoding(directory, game)
            expander = Expander(game, start=start, symmetry=symmetry, compile=mode, encoding=earlier)
            manifest = _manifest(directory, expander)
            build = Build(directory, expander, manifest, Budget(memory, workers), report)
            build.clean(unplaced=True)
            if manifest["phase"] == "discover":
                (cluster.discover if cluster else discover)(build)
            if manifest["phase"] == "solve":
                (cluster.solve if cluster else solve)(build)
            build.clean(unplaced=True)
        finally:
            lock.release()
        if by_rank:
            store_by_rank(directory, game, memory=memory, report=report)
        if outcomes_only:
            compress(directory, outcomes=True, workers=workers, report=report)
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise UnwritableError(
            f"cannot build in {str(directory)!r}: {error.strerror}; give a directory that you may write to."
        ) from None
    except OSError as error:
        raise UnwritableError(
            f"cannot write {str(directory)!r}: {error.strerror}; free some space or mend it, and build "
            "again: it goes on where it stopped."
        ) from None
    except PerfectPlayError:
        raise
    except Exception as error:
        if goes_on and isinstance(error, ASTRAY):  # from what is stored, which anybody may have written
            raise BadTablebaseError(
                f"the build in {str(directory)!r} cannot go on ({type(error).__name__}: {error!s:.200}): the "
                "rules have no answer to what is stored; take the directory away and build it again."
            ) from error
        note_first_question(error, game, game.table_start() if start is None else start)
        raise
    return directory


def _check_room(directory: Path) -> None:
    """Refuse a directory that holds something else."""
    ours = (LOCK, f"{MANIFEST}.part")
    strangers = [path.name for path in directory.iterdir() if path.name not in ours]
    if strangers and MANIFEST not in strangers:
        raise BadTablebaseError(
            f"{str(directory)!r} holds other files, {strangers[0]!r} for one: give an empty directory."
        )


def _earlier_encoding(directory: Path, game: Game[Any, Any]) -> Encoding | None:
    """How an earlier build has packed states, if there is one of this game."""
    try:
        return stored_encoding(read_manifest(directory), game)
    except BadTablebaseError:  # which is said of it later
        return None


def _manifest(directory: Path, expander: Expander) -> dict[str, Any]:
    """The manifest of an earlier build of the same, or a new one."""
    known = identity(expander.game) | {"symmetry": expander.symmetry} | form_data(expander)
    if (directory / MANIFEST).exists():
        manifest = read_manifest(directory)
        for name, value in known.items():
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
    manifest = known | {
        "format": FORMAT,
        "version": VERSION,
        "phase": "discover",
        "tiers": expander.has_tiers,
        "layout": expander.encoding.data,
        "block": BLOCK,
        "levels": [],
    }
    manifest |= begun()
    write_manifest(directory, manifest)  # from now on, what else is in the directory is ours
    return manifest
