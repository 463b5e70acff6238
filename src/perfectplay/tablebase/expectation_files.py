"""Files of a table of a game with chance: what its manifest says, looked at whoever wrote it.

expectations.json   the game, the digest of its rules, how many positions, the error, sizes and checksums
expectations.keys   the keys of all positions, ascending, of 64 bits each
expectations.lower  of each, the least that it can be worth to MAX, a number of double precision
expectations.upper  and the most
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
    REMEDY,
    manifest_bytes,
    open_plain,
    size_fault,
    write_arrays,
)

MANIFEST = "expectations.json"
FORMAT, VERSION = "perfectplay expectations", 2
FILES = {"keys": np.dtype("<u8"), "lower": np.dtype("<f8"), "upper": np.dtype("<f8")}
FIELDS = ("checksum", "error", "files", "format", "game", "positions", "rules", "start", "sweeps", "version")
MOST_POSITIONS = 1 << 40
MOST_SWEEPS = 1 << 40
KEY = re.compile(r"[0-9a-f]{16}")


def file_name(name: str) -> str:
    """What a file is called."""
    return f"expectations.{name}"


def is_of_chance(path: str | os.PathLike[str]) -> bool:
    """Does a directory hold a table of a game with chance?"""
    try:
        return S_ISREG((Path(path) / MANIFEST).lstat().st_mode)
    except (OSError, ValueError):
        return False


def write_expectations(directory: Path, told: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write the files of a table, and then its manifest, which says what `told` does of the game."""
    (directory / MANIFEST).unlink(missing_ok=True)  # the one of an earlier table, which names other files
    files = {name: _written(directory, name, array) for name, array in arrays.items()}
    manifest = told | {"format": FORMAT, "version": VERSION, "files": files}
    write_whole(directory / MANIFEST, manifest_bytes(manifest).decode())


def _written(directory: Path, name: str, array: NDArray[Any]) -> dict[str, Any]:
    return write_arrays(directory / file_name(name), [array.astype(FILES[name])])


def read_expectations(directory: Path) -> dict[str, Any]:
    """The manifest of a table, if not a bit of it has changed and nothing in it is out of place."""
    path = directory / MANIFEST
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
    fields_of(manifest, "it", FIELDS)
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
    fields_of(manifest["files"], "files", FILES)
    for each, file in manifest["files"].items():
        check_file(file, f"files.{each}", BLOCK)
        if file["bytes"] != 8 * count:
            raise Unfit(f"files.{each} has {file['bytes']:,} bytes, and {8 * count:,} by its positions")


def opened(directory: Path, manifest: dict[str, Any]) -> dict[str, Checksums]:
    """The files of a table, mapped into memory, with their checksums."""
    found = {}
    for name, dtype in FILES.items():
        known = manifest["files"][name]
        if fault := size_fault(directory / file_name(name), known):
            raise BadTablebaseError(f"{fault}: {REMEDY}.")
        array = mapped(directory / file_name(name), dtype)
        found[name] = Checksums(file_name(name), array, BLOCK, known["checksums"])
    return found
