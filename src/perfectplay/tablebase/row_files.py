"""Files of rows: written as a whole or not at all, and mapped into memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.tablebase.manifest import padding
from perfectplay.tablebase.rows import Rows, Words, stored
from perfectplay.tablebase.storage import Writer

SMALL = 1 << 14  # bytes of a file that is read and not mapped


class RowWriter:
    """A file of rows, which gets its name when it is whole."""

    def __init__(self, path: Path, row_bytes: int) -> None:
        self.writer = Writer(path)
        self.row_bytes = row_bytes
        self.rows = 0  # written

    def write(self, words: Words) -> None:
        """Append rows."""
        self.writer.write(stored(words, self.row_bytes))
        self.rows += len(words)

    def finish(self) -> dict[str, Any]:
        """End it, name it, and say what the manifest should know of it."""
        self.writer.write(np.zeros(padding(self.row_bytes), np.uint8))
        return self.writer.finish()

    def abandon(self) -> None:
        """Close it and take it away."""
        self.writer.abandon()


def write_rows(path: Path, blocks: Iterable[Words], row_bytes: int) -> dict[str, Any]:
    """Write a file with these rows, one block after the other; what the manifest should know of it."""
    writer = RowWriter(path, row_bytes)
    try:
        for words in blocks:
            writer.write(words)
        return writer.finish()
    except BaseException:
        writer.abandon()
        raise


def mapped_rows(path: Path, row_bytes: int) -> Rows:
    """The rows of a file."""
    return Rows(mapped(path, np.dtype(np.uint8)), row_bytes)


def mapped(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A file as an array; a small one is read, since a process can have only so many mapped."""
    return np.fromfile(path, dtype) if path.stat().st_size < SMALL else np.memmap(path, dtype, "r")
