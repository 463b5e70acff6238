"""Files that are there whole or not at all, and where those go that can be made again."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from os import PathLike
from pathlib import Path

from perfectplay.errors import UnwritableError

PLACE = "PERFECTPLAY_CACHE"  # the environment variable that says where; empty: nowhere


def cache_directory() -> Path | None:
    """Where the cache is: what the environment says, or the platform's place for such things."""
    if PLACE in os.environ:
        return Path(os.environ[PLACE]).expanduser() if os.environ[PLACE] else None
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "perfectplay/Cache"
        if sys.platform == "darwin":
            return Path.home() / "Library/Caches/perfectplay"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "perfectplay"
    except RuntimeError:  # there is no home
        return None


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
