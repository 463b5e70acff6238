"""Storage: files that are there whole or not at all, their checksums, and the manifest that names them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from ctypes import CDLL, get_errno
from errno import EINVAL
from functools import cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import BadTablebaseError, UnwritableError
from perfectplay.tablebase.json_data import MOST_BYTES, Unfit, parsed
from perfectplay.tablebase.manifest import check_manifest, is_sealed

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FORMAT = "perfectplay-tablebase"
VERSION = 2
BLOCK = 1 << 20  # bytes that have a checksum of their own
MANIFEST = "manifest.json"
LOCK = "lock"
SUMS = "SHA256SUMS"  # of all files, where it is published
SMALL, MANY = 1 << 16, 100  # bytes of a file that waits for others, and files that are worth a whole disk
LARGE, SPARSE = (
    1 << 30,
    64,
)  # bytes of a file that is looked at for holes, and how many times it may be packed
DENSE = (".states", ".blocks", ".index", ".keys")  # files that no disk packs as well as that
AT_ONCE, MOST_OPEN = 8, 256  # files that are on their way to the disk, and that wait for it
SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
REMEDY = "get another copy, or take the directory away and build it again"


class Flushers:
    """The threads of this process that have files written: to begin one for each costs more than a file."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(AT_ONCE)
        self.room = BoundedSemaphore(MOST_OPEN)

    @classmethod
    @cache
    def of(cls, process: int) -> Flushers:
        """Those of a process: a fork has none of its parent's threads."""
        return cls()


class Flush:
    """A file on its way to the disk, while work goes on: whoever names it in a manifest waits for it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.file = file
        self.path = path
        self.error: OSError | None = None
        flushers = Flushers.of(os.getpid())
        flushers.room.acquire()
        self.done = flushers.pool.submit(self.run)
        self.done.add_done_callback(lambda done: flushers.room.release())

    def join(self) -> None:
        """Wait until it is on the disk, or cannot be."""
        self.done.result()

    def run(self) -> None:
        """Have the system write it, and close it."""
        try:
            os.fsync(self.file.fileno())
        except OSError as error:
            self.error = error
        except ValueError:  # whoever made it was interrupted and has closed it: nobody names it now
            return
        finally:
            self.file.close()


_on_their_way: list[Flush] = []
_small: list[Path] = []  # files that nobody has on their way yet
_locked: dict[Path, int] = {}  # directories that are built in, and by which process: a fork may know them


def flush_files(directory: Path) -> None:
    """Wait until all files of a directory that have got their names are on the disk, but for what is gone."""
    _flush_small(directory)
    mine = [flush for flush in _on_their_way if flush.path.parent == directory]
    _on_their_way[:] = [flush for flush in _on_their_way if flush not in mine]
    for flush in mine:
        flush.join()
    for flush in mine:
        if flush.error is not None and flush.path.exists():
            raise flush.error


def _flush_small(directory: Path) -> None:
    """Have small files of a directory on their way to the disk: many of them by having all that is written.

    A file takes the disk as long as a thousand do, and there may be thousands of levels.
    """
    mine = [path for path in _small if path.parent == directory]
    _small[:] = [path for path in _small if path.parent != directory]
    if len(mine) < MANY or not _flush_disk(directory):
        for path in mine:
            with suppress(FileNotFoundError):  # it was taken away since
                flush_later(path)


def _flush_disk(directory: Path) -> bool:
    """Have all on the disk that was written to the one that a directory is on; False where that cannot be."""
    if sys.platform != "linux" or not hasattr(CDLL(None), "syncfs"):
        return False
    handle = os.open(directory, os.O_RDONLY)
    try:
        if CDLL(None, use_errno=True).syncfs(handle):
            raise OSError(get_errno(), os.strerror(get_errno()), str(directory))
    finally:
        os.close(handle)
    return True


def flush_later(path: Path) -> None:
    """Have a file that somebody else has written on its way to the disk."""
    _on_their_way.append(Flush(open(path, "r+b"), path))  # noqa: SIM115 - Flush closes it


@contextmanager
def left_unflushed() -> Iterator[None]:
    """Leave it to whoever names files in a manifest to have them on the disk: he must say `flush_later`."""
    before = _flushes.set(False)
    try:
        yield
    finally:
        _flushes.reset(before)


_flushes: ContextVar[bool] = ContextVar("flushes", default=True)


class Writer:
    """A file that gets its name when it is whole, and its checksums as it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.beside = path.with_name(f"{path.name}.part")
        self.file = open_new(self.beside)
        self.size = 0
        self.checksums: list[int] = []
        self._tail = b""

    def write(self, array: NDArray[Any]) -> None:
        """Append an array."""
        data = self._tail + np.ascontiguousarray(array).tobytes()
        self.size += array.nbytes
        whole = len(data) // BLOCK * BLOCK
        self.file.write(memoryview(data)[len(self._tail) :])
        self.checksums += [crc32(data[at : at + BLOCK]) for at in range(0, whole, BLOCK)]
        self._tail = data[whole:]

    def finish(self) -> dict[str, Any]:
        """Flush it, name it, and say what the manifest should know of it."""
        if self._tail:
            self.checksums.append(crc32(self._tail))
        self.file.flush()
        # Who has the lock writes the manifest, and waits; an open file cannot get another name on Windows.
        if not _flushes.get():
            self.file.close()
            os.replace(self.beside, self.path)
        elif _locked.get(self.path.parent) == os.getpid() and self.size < SMALL:
            self.file.close()
            os.replace(self.beside, self.path)
            _small.append(self.path)
        elif _locked.get(self.path.parent) == os.getpid() and sys.platform != "win32":
            os.replace(self.beside, self.path)
            _on_their_way.append(Flush(self.file, self.path))
        else:
            os.fsync(self.file.fileno())
            self.file.close()
            os.replace(self.beside, self.path)
        return {"bytes": self.size, "checksums": self.checksums}

    def abandon(self) -> None:
        """Close it and take it away."""
        self.file.close()
        self.beside.unlink(missing_ok=True)


def write_arrays(path: Path, arrays: Iterable[NDArray[Any]]) -> dict[str, Any]:
    """Write a file with these arrays, one after the other; what the manifest should know of it."""
    writer = Writer(path)
    try:
        for array in arrays:
            writer.write(array)
        return writer.finish()
    except BaseException:
        writer.abandon()
        raise


def linked(directory: Path, name: str, other: str) -> bool:
    """Give a file that is there another name as well; False where the system has no such thing."""
    try:
        (directory / other).unlink(missing_ok=True)
        os.link(directory / name, directory / other)
    except OSError:
        return False
    return True


def nameless_array(count: int, dtype: np.dtype[Any], directory: Path | None = None) -> NDArray[Any]:
    """An array in a file that has no name, and is gone when nobody uses it any more."""
    with TemporaryFile(dir=directory) as file:
        if hasattr(os, "posix_fallocate"):  # or else a full disk would be noticed too late
            os.posix_fallocate(file.fileno(), 0, count * dtype.itemsize)
        return np.memmap(file, dtype, "r+", shape=count)


def manifest_bytes(manifest: dict[str, Any]) -> bytes:
    """The one way to write a manifest: its own checksum is in it.

    It is what `json.dumps` gives with an indent of 1 and sorted keys, which takes several times as long.
    """
    texts = {name: indented(value, "\n ") for name, value in manifest.items() if name != "checksum"}
    digest = blake2b(_object(texts, "\n").encode(), digest_size=16).hexdigest()
    return (_object(texts | {"checksum": json.dumps(digest)}, "\n") + "\n").encode()


def indented(value: Any, line: str) -> str:
    """JSON of data, where `line` ends a line and indents the next one."""
    if isinstance(value, dict):
        return _object({name: indented(each, f"{line} ") for name, each in value.items()}, line)
    if isinstance(value, list | tuple):
        each = [indented(one, f"{line} ") for one in value]
        return f"[{line} {f',{line} '.join(each)}{line}]" if each else "[]"
    return str(value) if type(value) is int else json.dumps(value)


def _object(texts: dict[str, str], line: str) -> str:
    each = [f"{json.dumps(name)}: {texts[name]}" for name in sorted(texts)]
    return f"{{{line} {f',{line} '.join(each)}{line}}}" if each else "{}"


def write_manifest(directory: Path, manifest: dict[str, Any]) -> None:
    """Make it true: what the manifest names is there from now on."""
    flush_files(directory)
    beside = directory / f"{MANIFEST}.part"
    with open_new(beside) as file:
        file.write(manifest_bytes(manifest))
        file.flush()
        os.fsync(file.fileno())
    _flush_names(directory)  # those of the files that it names, before its own
    os.replace(beside, directory / MANIFEST)
    _flush_names(directory)


def _flush_names(directory: Path) -> None:
    if sys.platform == "win32":  # where a directory is no file
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a directory, if not a bit of it has changed and nothing in it is out of place."""
    path = directory / MANIFEST
    try:
        with open_plain(path) as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadTablebaseError(
            f"there is no tablebase in {str(directory)!r} ({MANIFEST}: {error.strerror}): "
            "give the directory of one, or build one with perfectplay tablebase build."
        ) from None
    try:
        manifest: dict[str, Any] = parsed(data)
        if not isinstance(manifest, dict) or not is_sealed(data):
            raise BadTablebaseError(f"{str(path)!r} is damaged: {REMEDY}.")
        version = manifest.get("version")
        if manifest.get("format") == FORMAT and isinstance(version, int) and version < VERSION:
            raise BadTablebaseError(
                f"{str(directory)!r} holds a tablebase of format {version}, and this is perfectplay for "
                f"format {VERSION}: build it again, in another directory."
            )
        if manifest.get("format") != FORMAT or version != VERSION:
            raise BadTablebaseError(
                f"{str(directory)!r} holds another format than version {VERSION} of a tablebase: "
                "update perfectplay, or give another directory."
            )
        check_manifest(manifest)
    except Unfit as fault:
        raise BadTablebaseError(f"{str(path)!r} is damaged: {fault}; {REMEDY}.") from None
    return manifest


def open_plain(path: Path) -> BinaryIO:
    """Open a file to read it; no link, no pipe, no device, which could lead anywhere or never end."""
    handle = os.open(path, os.O_RDONLY | SAFELY)
    try:
        if not S_ISREG(os.fstat(handle).st_mode):
            raise OSError(EINVAL, "it is no plain file", str(path))
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_new(path: Path) -> BinaryIO:
    """Open a file to write it anew; what has its name is taken away, and never written through."""
    path.unlink(missing_ok=True)
    return open(path, "xb")


class Lock:
    """A directory for one builder at a time: the system lets go of it however the process ends."""

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UnwritableError(f"{str(path)!r} is no plain file: take it away, or give another directory.")
        self.file = open(path, "a")  # noqa: SIM115 - it is open as long as it is locked
        try:
            self._take()
        except OSError:
            self.file.close()
            raise UnwritableError(
                f"another process is building in {str(directory)!r}: wait for it, or give another directory."
            ) from None
        self.directory = directory
        _locked[directory] = os.getpid()

    def _take(self) -> None:
        if sys.platform == "win32":
            msvcrt.locking(self.file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(self) -> None:
        """Let others build."""
        _locked.pop(self.directory, None)
        self.file.close()


def size_fault(file: Path, wanted: dict[str, Any]) -> str:
    """What is wrong with the size of a file; nothing, if it is that which was written."""
    try:
        found = file.lstat()
    except OSError as error:
        return f"{file.name} cannot be read ({error.strerror})"
    if not S_ISREG(found.st_mode):
        return f"{file.name} is no plain file"
    size, known = found.st_size, wanted["bytes"]
    if size != known:
        return f"{file.name} has {size:,} bytes, and {known:,} were written"
    held = (
        getattr(found, "st_blocks", size) * 512
    )  # of what is no array of small numbers, which may pack well
    if size > LARGE and file.suffix in DENSE and held < size // SPARSE:
        return f"{file.name} has {size:,} bytes and takes {held:,}, so that nearly all of it is a hole"
    return ""


def file_fault(file: Path, wanted: dict[str, Any], block: int) -> str:
    """What is wrong with a file, by its size and its checksums; nothing, if all is well."""
    if fault := size_fault(file, wanted):
        return fault
    try:
        with open_plain(file) as opened:
            for number, checksum in enumerate(wanted["checksums"]):
                if crc32(opened.read(block)) != checksum:
                    return f"{file.name} is damaged in block {number}"
    except OSError as error:
        return f"{file.name} cannot be read ({error.strerror})"
    return ""
