"""Files of a table of a game with chance: what its manifest says, looked at whoever wrote it.

expectations.json   the game, the digest of its rules, how many positions, the error, sizes and checksums
expectations.keys   the keys of all positions, ascending, of 64 bits each
expectations.lower  of each, the least that it can be worth to MAX, a number of double precision
expectations.upper  and the most

Compressed, two files are in the place of the last three (`expectation_blocks`).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from stat import S_ISREG
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError
from perfectplay.files import write_whole
from perfectplay.tablebase.checksums import Checksums
from perfectplay.tablebase.expectation_blocks import BLOCKS, INDEX, MOST_ROWS, index_bytes
from perfectplay.tablebase.json_data import (
    MOST_BYTES,
    Unfit,
    fields_of,
    matching,
    parsed,
    real_number,
    shown,
    whole_number,
)
from perfectplay.tablebase.manifest import DIGEST, LONGEST_NAME, check_file, is_sealed
from perfectplay.tablebase.row_files import mapped
from perfectplay.tablebase.storage import (
    BLOCK,
    LOCK,
    REMEDY,
    manifest_bytes,
    open_plain,
    size_fault,
    write_arrays,
)
from perfectplay.tablebase.unfinished import NAME as UNFINISHED
from perfectplay.tablebase.unfinished import is_unfinished_work

MANIFEST = "expectations.json"
FORMAT, VERSION = "perfectplay expectations", 2
FILES = {"keys": np.dtype("<u8"), "lower": np.dtype("<f8"), "upper": np.dtype("<f8")}
FIELDS = ("checksum", "error", "files", "format", "game", "positions", "rules", "start", "sweeps", "version")
PACKED = {BLOCKS: np.dtype("u1"), INDEX: np.dtype("u1")}
MORE_FIELDS = ("rows", "unit")  # where it is compressed
MOST_POSITIONS = 1 << 40
MOST_SWEEPS = 1 << 40
KEY = re.compile(r"[0-9a-f]{16}")


def file_name(name: str) -> str:
    """What a file is called."""
    return f"expectations.{name}"


def is_of_chance(path: str | os.PathLike[str]) -> bool:
    """Does a directory hold a table of a game with chance, or what there is of one?"""
    return any(_is_file(Path(path) / name) for name in (MANIFEST, UNFINISHED))


def _is_file(path: Path) -> bool:
    try:
        return S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def strangers_in(directory: Path) -> list[str]:
    """The names of files that are none of a table of a game with chance."""
    files = [file_name(name) for name in (*FILES, *PACKED)]
    ours = {MANIFEST, LOCK, *files, *(f"{name}.part" for name in files)}
    names = [each.name for each in directory.iterdir()]
    return [name for name in names if name not in ours and not is_unfinished_work(name)]


def write_expectations(directory: Path, told: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write the files of a table, and then its manifest, which says what `told` does of the game."""
    kinds = FILES | PACKED
    files = {
        name: write_arrays(directory / file_name(name), [array.astype(kinds[name])])
        for name, array in arrays.items()
    }
    manifest = told | {"format": FORMAT, "version": VERSION, "files": files}
    write_whole(directory / MANIFEST, manifest_bytes(manifest).decode())
    for name in kinds.keys() - files.keys():
        (directory / file_name(name)).unlink(missing_ok=True)


def read_expectations(directory: Path) -> dict[str, Any]:
    """The manifest of a table, if not a bit of it has changed and nothing in it is out of place."""
    path = directory / MANIFEST
    if not path.exists() and _is_file(directory / UNFINISHED):
        raise BadTablebaseError(f"the tablebase in {str(directory)!r} is not finished: build it first.")
    try:
        with open_plain(path) as file:
            data = file.read(MOST_BYTES + 1)
        manifest: dict[str, Any] = parsed(data)
        if isinstance(manifest, dict) and manifest.get("format") == FORMAT and manifest.get("version") == 1:
            raise BadTablebaseError(
                f"{str(directory)!r} holds a table of format 1, and this is perfectplay for format "
                f"{VERSION}: build it again."
            )
        if not is_sealed(data):
            raise Unfit("its checksum is another")
        _check(manifest)
    except (OSError, Unfit) as error:
        why = error if isinstance(error, Unfit) else error.strerror
        raise BadTablebaseError(
            f"{str(path)!r} is no table of a game with chance: {why}; {REMEDY}."
        ) from None
    return manifest


def _check(manifest: Any) -> None:
    """Refuse, as Unfit, what cannot be."""
    packed = isinstance(manifest, dict) and "rows" in manifest
    fields_of(manifest, "it", (*FIELDS, *MORE_FIELDS) if packed else FIELDS)
    if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
        raise Unfit(f"its format is {shown(manifest['format'])}, version {shown(manifest['version'])}")
    name = manifest["game"]
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise Unfit(f"its game is {shown(name)}")
    matching(manifest["rules"], "rules", DIGEST)
    matching(manifest["start"], "start", KEY)
    count = whole_number(manifest["positions"], "positions", range(1, MOST_POSITIONS))
    whole_number(manifest["sweeps"], "sweeps", range(MOST_SWEEPS))
    real_number(manifest["error"], "error")
    if manifest["error"] < 0:
        raise Unfit(f"error is {shown(manifest['error'])}, and is not below 0")
    fields_of(manifest["files"], "files", PACKED if packed else FILES)
    for each, file in manifest["files"].items():
        check_file(file, f"files.{each}", BLOCK)
    sizes = dict.fromkeys(FILES, 8 * count)
    if packed:
        rows = whole_number(manifest["rows"], "rows", range(1, MOST_ROWS + 1))
        real_number(manifest["unit"], "unit")
        if manifest["unit"] <= 0:
            raise Unfit(f"unit is {shown(manifest['unit'])}, and is above 0")
        sizes = {INDEX: index_bytes(count, rows)}
    for each, size in sizes.items():
        found = manifest["files"][each]["bytes"]
        if found != size:
            raise Unfit(f"files.{each} has {found:,} bytes, and {size:,} by its positions")


def opened(directory: Path, manifest: dict[str, Any]) -> dict[str, Checksums]:
    """The files of a table, mapped into memory, with their checksums."""
    found = {}
    for name, dtype in (PACKED if "rows" in manifest else FILES).items():
        known = manifest["files"][name]
        if fault := size_fault(directory / file_name(name), known):
            raise BadTablebaseError(f"{fault}: {REMEDY}.")
        array = mapped(directory / file_name(name), dtype)
        found[name] = Checksums(file_name(name), array, BLOCK, known["checksums"])
    return found
