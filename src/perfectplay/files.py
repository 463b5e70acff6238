"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from os import PathLike
from pathlib import Path

from perfectplay.errors import UnwritableError


def write_whole(path: str | PathLike[str], text: str) -> None:
    """Write a text to a file: beside it first, so that a full disk leaves what was there."""
    path = Path(path)
    data = text.encode("utf-8", "replace")  # half a character is better lost than the file
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():  # a pipe or a device, such as /dev/stdout
            path.write_bytes(data)
            return
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        finally:
            with suppress(FileNotFoundError):
                beside.unlink()
    except OSError as error:
        raise UnwritableError(f"cannot write {str(path)!r}: {error.strerror}; give another place.") from None
