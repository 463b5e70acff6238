"""Publication: the file SHA256SUMS, by which anyone can tell that a directory is the one that was published.

It is what `sha256sum -c SHA256SUMS` reads: a line for each file, its digest first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any

from perfectplay.errors import BadTablebaseError, UnwritableError
from perfectplay.tablebase.file_names import strangers, written_in
from perfectplay.tablebase.storage import (
    LOCK,
    MANIFEST,
    REMEDY,
    SUMS,
    Lock,
    file_fault,
    open_new,
    open_plain,
    read_manifest,
)

MOST_BYTES = 16 << 20
LINE = re.compile(r"([0-9a-f]{64}) [ *]([^/\\\x00-\x1f\x7f]{1,255})")


def seal(path: str | os.PathLike[str]) -> Path:
    """Write SHA256SUMS into the directory of a finished tablebase, for all files that are in it.

    Files of anybody else's, such as the rules and a licence, are in it too. `verify` checks it from then on.
    """
    directory = Path(path)
    read_manifest(directory)  # or else there is nothing to lock
    lock = Lock(directory)
    try:
        manifest = read_manifest(directory)
        if manifest["phase"] != "done":
            raise BadTablebaseError(f"the tablebase in {str(directory)!r} is not finished: build it first.")
        if left := strangers(directory, manifest):
            raise BadTablebaseError(f"{left[0].name} does not belong to the tablebase: take it away.")
        for name, wanted in written_in(manifest):
            if fault := file_fault(directory / name, wanted, manifest["block"]):
                raise BadTablebaseError(f"{fault}: {REMEDY}.")
        names = sorted(file.name for file in directory.iterdir() if file.name not in (LOCK, SUMS))
        lines = []
        for name in names:
            if not LINE.fullmatch(f"{0:064} *{name}"):
                raise UnwritableError(f"{name!r} cannot be published: give the file another name.")
            lines.append(f"{digest_of(directory / name)}  {name}\n")
        beside = directory / f".{SUMS}.part"
        with open_new(beside) as file:
            file.write("".join(lines).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, directory / SUMS)
    finally:
        lock.release()
    return directory / SUMS


def digest_of(file: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with open_plain(file) as opened:
            return file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]  # it is one of the system
    except OSError as error:
        raise BadTablebaseError(f"{file.name} cannot be read ({error.strerror}): {REMEDY}.") from None


def sum_faults(directory: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """What SHA256SUMS says that is not so; nothing, where there is no such file."""
    try:
        with open_plain(directory / SUMS) as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return
    except OSError as error:
        yield f"{SUMS} cannot be read ({error.strerror}): {REMEDY}."
        return
    try:
        lines = [LINE.fullmatch(line) for line in data.decode().removesuffix("\n").split("\n")]
    except UnicodeDecodeError:
        lines = [None]
    known = {line[2]: line[1] for line in lines if line}
    if None in lines or len(known) < len(lines) or len(data) > MOST_BYTES:
        yield f"{SUMS} is damaged: it has a digest and a name in every line, and each name once."
        return
    needed = {MANIFEST, *(name for name, _ in written_in(manifest))}
    if missing := sorted(needed - known.keys()):
        yield f"{SUMS} does not have {missing[0]}: it is of another tablebase."
        return
    for name, digest in known.items():
        try:
            found = digest_of(directory / name)
        except BadTablebaseError as error:
            yield str(error)
            continue
        if found != digest:
            yield f"{name} is not what was published, by {SUMS}: {REMEDY}."
