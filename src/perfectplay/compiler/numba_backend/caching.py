"""Compiled functions, kept on disk where there is a place for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile

import perfectplay
from perfectplay.compiler.numba_backend.bridge import GameType

PACKAGE = Path(perfectplay.__file__).parent


def compiled(function: Callable[..., Any]) -> Any:
    """The function in machine code, which a new process finds on disk if the disk can be written."""
    dispatcher = njit(function, nogil=True)
    try:
        dispatcher._cache = _GameCache(function)
    except RuntimeError:  # numba found no directory for it
        pass
    return dispatcher


class _GameCache(FunctionCache):
    """numba's cache on disk with an index for each game.

    In one index for all, the entry of a game names the class of its states, and could not be read where
    that class cannot be imported: no other game would then be found.
    """

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        self._choose_index(signature)
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # whatever is on disk cannot be used here: compile it again
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        self._choose_index(signature)
        try:
            super().save_overload(signature, data)
        except Exception:  # a full disk, or an index that cannot be read: what was compiled is there
            return

    def _choose_index(self, signature: Iterable[Any]) -> None:
        games = " ".join(kind.name for kind in signature if isinstance(kind, GameType))
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}.{blake2b(games.encode(), digest_size=8).hexdigest()}",
            source_stamp=(
                self._impl.locator.get_source_stamp(),
                _source_digest(self._py_func.__code__.co_filename),
            ),
        )


@cache
def _source_digest(file: str) -> str:
    """A digest of what compiled code is made of besides a game's rules and its own file: our own modules."""
    names = re.findall(
        r"^from perfectplay([\w.]*) import", Path(file).read_text(encoding="utf-8"), re.MULTILINE
    )
    imported = [PACKAGE.joinpath(*name.split(".")[1:]) for name in names]
    folders = {path if path.is_dir() else path.parent for path in imported}
    digest = blake2b((PACKAGE / "game.py").read_bytes(), digest_size=16)
    for folder in sorted({Path(__file__).parent, Path(file).parent, *folders}):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
