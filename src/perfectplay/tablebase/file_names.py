"""Names: what the files of a tablebase are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfectplay.tablebase.storage import MANIFEST

OWN = "~"  # follows the name of a file that a task has written, before a word that no other run of it uses
OURS = re.compile(
    r"(level-\d{4,}\.(states|values|ends|blocks|index|values-by-rank|ends-by-rank)|(run|part)-\d{6,}|piece-\d{4,}-\d{12,}-(values|ends)"
    r"|edges-\d{4,}-\d{12,}|group-\d{6,}-(values|ends)|manifest\.json)(~[0-9a-f]{12})?(\.part)?"
)


def states_file(number: int) -> str:
    """The file with the positions of a level."""
    return f"level-{number:04}.states"


def values_file(number: int) -> str:
    """The file with their values."""
    return f"level-{number:04}.values"


def ends_file(number: int) -> str:
    """The file with their remoteness."""
    return f"level-{number:04}.ends"


def blocks_file(number: int) -> str:
    """The file with all of a level, compressed."""
    return f"level-{number:04}.blocks"


def index_file(number: int) -> str:
    """The file that says where the blocks begin."""
    return f"level-{number:04}.index"


def values_by_rank_file(number: int) -> str:
    """The file with what the position of every rank is worth."""
    return f"level-{number:04}.values-by-rank"


def ends_by_rank_file(number: int) -> str:
    """The file with their remoteness."""
    return f"level-{number:04}.ends-by-rank"


def written_in(manifest: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """All files that a manifest names, with what it says of their sizes and checksums."""
    for kind in ("runs", "parts", "pieces"):
        yield from ((each["file"], each) for each in manifest.get(kind, []))
    for number, level in enumerate(manifest["levels"]):
        yield from files_of(level, number)


def files_of(level: dict[str, Any], number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The files of a level, by what a manifest says of it."""
    yield from ((name(number), level[kind]) for kind, name in FILES.items() if kind in level)


def strangers(directory: Path, manifest: dict[str, Any]) -> list[Path]:
    """Files by our names that the manifest does not know: an interrupted build has left them behind."""
    known = {MANIFEST, *(file for file, _ in written_in(manifest))}
    return [
        path for path in sorted(directory.iterdir()) if path.name not in known and OURS.fullmatch(path.name)
    ]


def sweep(directory: Path, manifest: dict[str, Any], *, unplaced: bool = True) -> None:
    """Take away what an interrupted build left behind, and nothing of anybody else's.

    Files that tasks have written, or write, under names of their own stay if `unplaced` is False.
    """
    for path in strangers(directory, manifest):
        if unplaced or OWN not in path.name:
            path.unlink(missing_ok=True)


FILES = {  # what the manifest calls the files of a level
    "states": states_file,
    "values": values_file,
    "ends": ends_file,
    "blocks": blocks_file,
    "index": index_file,
    "values_by_rank": values_by_rank_file,
    "ends_by_rank": ends_by_rank_file,
}
