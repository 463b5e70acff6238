"""The cache: machine code on disk, and what was found out about a game, by a digest of all they depend on.

A file that is damaged, of another user or in any way surprising is as good as none, and a disk that is full
or cannot be written to is no error: then it is compiled again. Nothing in a file is run before its checksum
is right, and no Python object is made but shapes, of classes that the game itself knows.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache as once
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from perfectplay.compiler.digest import code_dependencies
from perfectplay.compiler.kernels import Made
from perfectplay.compiler.observing import Observed
from perfectplay.compiler.reading import is_as_written
from perfectplay.compiler.shapes import Shape
from perfectplay.compiler.state_kind import has_digests
from perfectplay.compiler.stored_shapes import Storing, Unstorable, classes_in
from perfectplay.files import PLACE as PLACE
from perfectplay.files import cache_directory as directory

MAGIC = b"perfectplay machine code 1\n"
CHECKSUM = 32  # bytes
SUFFIX = ".kernel"
MOST_BYTES = 200 << 20  # in all; when there are more, the oldest go
LARGEST = 64 << 20  # of one file
SOURCES = ("compiler", "engine", "tablebase", "game.py")  # of ours, what machine code is made of


class Subject:
    """What is kept about a game: under its digest, and in terms of its own classes."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._depends = code_dependencies(game)
        self.digest = self._depends.digest()

    @cached_property
    def storing(self) -> Storing:
        """Who writes its shapes."""
        return Storing(self.game, [*self._depends.classes(), *classes_in(self.game.initial())])

    @cached_property
    def is_as_written(self) -> bool:
        """Is the code of the rules that of their files? Files that were edited since say something else."""
        return all(map(is_as_written, self._depends.functions))

    def observed(self) -> Observed | str | None:
        """What was found out about it, why it does not compile, or None if it is not known."""
        found = _read(self._name("observed"))
        try:
            data = found[0] if found else None
            if data is None:
                return None
            return str(data["why_not"]) if "why_not" in data else self.storing.read_observed(data)
        except SURPRISES:
            return None

    def keep_observed(self, found: Observed | str) -> None:
        """Write down what was found out."""
        if not self.is_as_written:
            return
        try:
            data = {"why_not": found} if isinstance(found, str) else self.storing.observed(found)
        except Unstorable:
            return
        _write(self._name("observed"), data, b"")

    def kernel(
        self,
        function: Callable[..., Any],
        kinds: Sequence[str],
        endgames: Any,
        leaves: Any = None,
        full: bool | None = None,
    ) -> Made | None:
        """A function in machine code for it, if it is there."""
        return _kernel(self._name(*self._parts(function, kinds, endgames, leaves, full)), self.storing)

    def keep_kernel(
        self,
        function: Callable[..., Any],
        kinds: Sequence[str],
        endgames: Any,
        leaves: Any,
        made: Made,
        full: bool | None = None,
    ) -> None:
        """Write a function in machine code."""
        if self.is_as_written:
            name = self._name(*self._parts(function, kinds, endgames, leaves, full))
            _keep_kernel(name, self.storing, made)

    def _parts(
        self,
        function: Callable[..., Any],
        kinds: Sequence[str],
        endgames: Any,
        leaves: Any,
        full: bool | None,
    ) -> Iterable[str]:
        full = has_digests(self.game, self.game.initial()) if full is None else full
        return (
            "kernel",
            _called(function),
            ",".join(kinds),
            _called(endgames) if endgames else "",
            str(full),
            repr(leaves),
        )

    def _name(self, *parts: str) -> str:
        return _digest(self.digest, *parts)


def loose_kernel(function: Callable[..., Any], shapes: Sequence[Shape]) -> Made | None:
    """A function that knows no game, in machine code, if it is there."""
    return _kernel(_digest("loose", _called(function), repr(shapes)), Storing())


def keep_loose_kernel(function: Callable[..., Any], shapes: Sequence[Shape], made: Made) -> None:
    """Write such a function."""
    _keep_kernel(_digest("loose", _called(function), repr(shapes)), Storing(), made)


def _kernel(name: str, storing: Storing) -> Made | None:
    found = _read(name)
    try:
        return storing.read_made(*found) if found else None
    except SURPRISES:
        return None


def _keep_kernel(name: str, storing: Storing, made: Made) -> None:
    try:
        data = storing.made(made)
    except Unstorable:
        return
    _write(name, data, made.code)


SURPRISES = (ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError)


# What it depends on.


def _digest(*parts: str) -> str:
    return blake2b("\0".join((_machine(), *parts)).encode(), digest_size=20).hexdigest()


def _called(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


@once
def _machine() -> str:
    """All that machine code depends on but the rules: our sources, LLVM, Python and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    version = (llvmlite.__version__, *llvm.llvm_version_info, *sys.version_info[:2], sys.implementation.name)
    return f"{_sources()} {version} {llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features}"


def _sources() -> str:
    home = Path(__file__).parent.parent
    files = [
        file
        for name in SOURCES
        for file in ([home / name] if name.endswith(".py") else (home / name).rglob("*.py"))
    ]
    digest = blake2b(digest_size=16)
    for file in sorted(files):
        digest.update(f"{file.relative_to(home)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


# Files.


def _read(name: str) -> tuple[Any, bytes] | None:
    """What a file holds: its description, and machine code."""
    place = directory()
    if place is None:
        return None
    try:
        with open(place / f"{name}{SUFFIX}", "rb") as file:
            state = os.fstat(file.fileno())
            if state.st_size > LARGEST or (hasattr(os, "getuid") and state.st_uid != os.getuid()):
                return None
            whole = file.read(LARGEST)
        start = len(MAGIC) + CHECKSUM
        body = whole[start:]
        if whole[: len(MAGIC)] != MAGIC or whole[len(MAGIC) : start] != _checksum(name, body):
            return None
        size = int.from_bytes(body[:8], "little")
        return json.loads(body[8 : 8 + size]), body[8 + size :]
    except (OSError, *SURPRISES):
        return None


def _write(name: str, data: Any, code: bytes) -> None:
    """Write a file as a whole or not at all."""
    place = directory()
    if place is None:
        return
    text = json.dumps(data).encode()
    body = len(text).to_bytes(8, "little") + text + code
    if len(body) > LARGEST // 2:
        return
    temporary = None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(suffix=".tmp", dir=place)
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + _checksum(name, body) + body)
        os.replace(temporary, place / f"{name}{SUFFIX}")
        _shrink(place)
    except OSError:
        if temporary is not None:
            _remove(temporary)


def _checksum(name: str, body: bytes) -> bytes:
    return blake2b(name.encode() + body, digest_size=CHECKSUM).digest()


def _shrink(place: Path) -> None:
    """Remove the oldest files where there are too many."""
    found = []
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.name.endswith((SUFFIX, ".tmp")):
                state = entry.stat()
                found.append((state.st_mtime, state.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= MOST_BYTES:
            break
        total -= size
        _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
