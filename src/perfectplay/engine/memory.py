"""Who holds the memory of a search: Python's lists, or raw words."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from typing import Any

from perfectplay.engine.endgame_table import EndgameTable, ProbeIndex
from perfectplay.engine.transposition import BUCKET
from perfectplay.engine.workspace import (
    AGE,
    BEST,
    BUSIES,
    BUSY,
    ENDGAMES,
    EVERYTHING,
    FLAGS,
    FULL,
    HEIGHTS,
    HISTORY,
    KILLERS,
    LIMIT,
    LINE,
    LINES,
    PLACES,
    PLIES,
    RECORDS,
    ROOM,
    SHIFT,
    SLOTS,
    SPLIT,
    STATE,
    STOP,
    TABLE,
)
from perfectplay.game import WORD, attributes_of

RECORDS_IN_ALL = 1 << 16
ENDLESS = 1 << 62


class PlainMemory:
    """Python lists, for the search as Python runs it."""

    def __init__(
        self, state: Any, table_bytes: int, full: bool, endgames: EndgameTable | None = None
    ) -> None:
        width = 3 if full else 2
        digits = table_digits(table_bytes, state, full)
        self.table: Any = [0] * (width << digits)
        self.shift = 64 - digits + BUCKET.bit_length() - 1
        self.full = full
        self.endgames = endgames
        self.stop: Any = [0]
        self.busy: Any = [0] * BUSIES

    def workspace(self) -> Any:
        """A workspace for another thread."""
        return _laid(self, [0] * PLACES, lambda size: [0] * size, [])

    def probe_index(self) -> Any:
        """What the endgames are looked up in: the table itself, or None."""
        return self.endgames

    def forget(self) -> None:
        """Empty the table."""
        self.table[:] = [0] * len(self.table)

    def pointer(self, workspace: Any) -> Any:
        """The workspace as the search takes it."""
        return workspace

    def state(self, state: Any) -> Any:
        """A state as the search takes it."""
        return state

    def word(self, key: int) -> Any:
        """A key as the search takes it."""
        return key

    def row(self, block: Any, size: int) -> list[int]:
        """The first places of a block."""
        return list(block[:size])

    def fill(self, block: Any, size: int, value: int) -> None:
        """Write one value into the first places of a block."""
        block[:size] = [value] * size


class NativeMemory:
    """Raw words, for the compiled search."""

    def __init__(
        self, state: Any, table_bytes: int, full: bool, endgames: EndgameTable | None, width: int
    ) -> None:
        self.record = 8 * STATE + width
        size = 16 + width if full else 16
        digits = table_digits(table_bytes, state, full)
        self.blocks: dict[int, Any] = {}  # by address, so that they live as long as we do
        self.table = self._block((size << digits) // 8)
        self.shift = 64 - digits + BUCKET.bit_length() - 1
        self.full = full
        self.endgames = endgames
        self.probe_indexes: list[ProbeIndex] = []  # likewise
        self.stop = self._block(1)
        self.busy = self._block(BUSIES)

    def _block(self, size: int) -> int:
        """The address of so many words: pages of zeros, large ones where the system has them."""
        if hasattr(mmap, "MADV_HUGEPAGE"):  # a table is read all over: have fewer pages to look up
            pages = mmap.mmap(-1, 8 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            pages.madvise(mmap.MADV_HUGEPAGE)
        else:
            pages = mmap.mmap(-1, 8 * size)
        words = (ctypes.c_int64 * size).from_buffer(pages)
        address = ctypes.addressof(words)
        self.blocks[address] = words
        return address

    def workspace(self) -> Any:
        """A workspace for another thread."""
        workspace = self.blocks[self._block(PLACES)]
        return _laid(self, workspace, self._block, self._block(RECORDS_IN_ALL * self.record // 8))

    def probe_index(self) -> Any:
        """What one thread looks endgames up in: the address of a block, or 0."""
        if self.endgames is None:
            return 0
        self.probe_indexes.append(self.endgames.probe_index())
        return self.probe_indexes[-1].address

    def forget(self) -> None:
        """Empty the table."""
        ctypes.memset(self.table, 0, ctypes.sizeof(self.blocks[self.table]))

    def pointer(self, workspace: Any) -> int:
        """The workspace as the search takes it: its address."""
        return ctypes.addressof(workspace)

    def state(self, state: Any) -> Any:
        """A state as the search takes it."""
        return state

    def word(self, key: int) -> Any:
        """A key as the search takes it."""
        return key & WORD

    def row(self, block: int, size: int) -> list[int]:
        """The first places of a block, as words."""
        return [word & WORD for word in self.blocks[block][:size]]

    def fill(self, block: int, size: int, value: int) -> None:
        """Write one value into the first places of a block."""
        self.blocks[block][:size] = [value] * size


def memory_for(
    search: Any, state: Any, table_bytes: int, full: bool, endgames: EndgameTable | None = None
) -> PlainMemory | NativeMemory:
    """The memory of a compiled search, or where there is none, of the one that Python runs."""
    if search is None:
        return PlainMemory(state, table_bytes, full, endgames)
    return NativeMemory(state, table_bytes, full, endgames, search.state_bytes)


def _laid(
    memory: PlainMemory | NativeMemory, workspace: Any, block: Callable[[int], Any], records: Any
) -> Any:
    """A workspace with everything in its place."""
    workspace[LIMIT] = ENDLESS
    workspace[STOP] = memory.stop
    workspace[TABLE] = memory.table
    workspace[SHIFT] = memory.shift
    workspace[AGE] = 0
    workspace[RECORDS] = records
    workspace[ROOM] = RECORDS_IN_ALL
    workspace[HISTORY] = block(2 * SLOTS)
    workspace[KILLERS] = block(2 * PLIES + 2)
    workspace[HEIGHTS] = block(PLIES + 2)
    workspace[LINES] = block(LINE * LINE)
    workspace[FLAGS] = EVERYTHING
    workspace[BEST] = -1
    workspace[BUSY] = memory.busy
    workspace[FULL] = int(memory.full)
    workspace[SPLIT] = -1
    workspace[ENDGAMES] = memory.probe_index()
    return workspace


def table_digits(table_bytes: int, state: Any, full: bool) -> int:
    """The binary digits of the number of entries: two buckets or more, and no more than there is room for."""
    entry = 16 + 8 * _fields(state) if full else 16
    return max(table_bytes // entry, 2 * BUCKET).bit_length() - 1


def _fields(state: Any) -> int:
    if isinstance(state, str):
        return 1 + len(state)
    if isinstance(state, frozenset):
        return 64
    if isinstance(state, tuple):
        return sum(map(_fields, state))
    return sum(_fields(getattr(state, name)) for name in attributes_of(state)) or 1
