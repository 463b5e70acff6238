"""Memory for a search: its table and the workspaces of its threads, of Python's objects or of raw words."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any, Protocol, TypeVar

from perfectplay.compiler.records import Room, Word, made_raw, raw_elements, size
from perfectplay.engine.endgame_table import AskedEndgames, EndgameTable
from perfectplay.engine.transposition import BUCKET, Entry, Table
from perfectplay.engine.workspace import BUSY_DIGITS, LINE, MOVES, PLIES, SLOTS, Move, Threads, Workspace
from perfectplay.game import attributes_of

ENDLESS = 1 << 62  # nodes
ESTIMATES = 8  # the table of estimates has this fraction of the bytes of the other
AnyWorkspace = TypeVar("AnyWorkspace", bound=Workspace)
# Of memory: a process that forks does not share it.
OUR_OWN: Any = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


class Allocator(Protocol):
    """Who makes records and arrays."""

    def record(self, cls: type, **fields: Any) -> Any:
        """A record with these fields, and the others as they are by default."""

    def array(self, kind: Any, count: int) -> Any:
        """An array of so many numbers, all 0, or records, to be written before they are read."""

    def endgames(self, table: EndgameTable) -> Any:
        """What one thread looks solved states up in."""


class Objects:
    """Python's own, for the search as Python runs it."""

    def record(self, cls: type, **fields: Any) -> Any:
        """An object."""
        return cls(**fields)

    def array(self, kind: Any, count: int) -> Any:
        """A list, all of one element until others are put in its place."""
        return [kind() if isinstance(kind, type) else 0] * count

    def endgames(self, table: EndgameTable) -> Any:
        """The table itself."""
        return AskedEndgames(table)


class RawWords:
    """Pages of zeros, for the compiled search."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def record(self, cls: type, **fields: Any) -> Any:
        """A record in pages of its own: what one thread writes keeps no other from reading."""
        return made_raw(cls, self.room, _pages(8 * size(cls, self.room)), **fields)

    def array(self, kind: Any, count: int) -> Any:
        """An array in memory of its own."""
        elements = raw_elements(kind, self.room) * count
        pages = _pages(ctypes.sizeof(elements))
        if kind is Entry and hasattr(mmap, "MADV_HUGEPAGE"):
            # A table is read all over: a search of a few thousand states is faster by far with large pages.
            pages.madvise(mmap.MADV_HUGEPAGE)
        return elements.from_buffer(pages)

    def endgames(self, table: EndgameTable) -> Any:
        """An index in memory."""
        return table.probe_index()


def _pages(size: int) -> mmap.mmap:
    """So many bytes of zeros."""
    return mmap.mmap(-1, size, **OUR_OWN)


class Memory:
    """A table, and workspaces for threads that share it."""

    table_class: type = Table
    entry_class: type = Entry
    entry_bytes = 16  # of an entry, without a state
    move_class: type = Move

    def __init__(
        self,
        allocator: Allocator,
        state: Any,
        table_bytes: int,
        stores_states: bool,
        endgames: EndgameTable | None = None,
    ) -> None:
        self.allocator = allocator
        self.endgames = endgames
        self.digits = table_digits(table_bytes, state, stores_states, self.entry_bytes)
        self.stores_states = stores_states
        self.table: Table = self._table(self.digits)
        self.estimates: Table | None = None  # made when it is first asked for
        self.threads: Threads = allocator.record(Threads, busy=allocator.array(Word, 1 << BUSY_DIGITS))

    def _table(self, digits: int) -> Any:
        return self.allocator.record(
            self.table_class,
            entries=self.allocator.array(self.entry_class, 1 << digits),  # empty ones are all 0, too
            shift=64 - digits + BUCKET.bit_length() - 1,
            stores_states=self.stores_states,
        )

    def table_of_estimates(self) -> Table:
        """A smaller table, so that what is estimated displaces nothing that is proven."""
        if self.estimates is None:
            least = BUCKET.bit_length()  # two buckets
            self.estimates = self._table(max(self.digits + 1 - ESTIMATES.bit_length(), least))
            self.estimates.age = self.table.age
        return self.estimates

    def set_age(self, age: int) -> None:
        """From now on entries are those of another question."""
        self.table.age = age
        if self.estimates is not None:
            self.estimates.age = age

    def workspace(self, cls: type[AnyWorkspace], **fields: Any) -> AnyWorkspace:
        """A workspace for another thread, with these fields besides those that all have."""
        array = self.allocator.array
        made: AnyWorkspace = self.allocator.record(
            cls,
            limit=ENDLESS,
            threads=self.threads,
            table=self.table,
            endgames=None if self.endgames is None else self.allocator.endgames(self.endgames),
            moves=array(self.move_class, MOVES),
            ranked=array(int, MOVES),
            history=array(int, 2 * SLOTS),
            killers=array(int, 2 * PLIES + 2),
            heights=array(int, PLIES + 2),
            lengths=array(int, LINE),
            lines=array(Word, LINE * LINE),
            **fields,
        )
        return made

    def forget(self) -> None:
        """Empty the tables."""
        self._empty(self.table)
        if self.estimates is not None:
            self._empty(self.estimates)

    def _empty(self, table: Any) -> None:
        entries = table.entries
        if isinstance(entries, list):
            entries[:] = [self.entry_class()] * len(entries)
        else:
            ctypes.memset(entries, 0, ctypes.sizeof(entries))


def fill(array: Any, value: int) -> None:
    """Write one value, of which all bytes are alike, into all places of an array."""
    if isinstance(array, list):
        array[:] = [value] * len(array)
    else:
        ctypes.memset(array, value & 255, ctypes.sizeof(array))


def memory_for(
    search: Any,
    state: Any,
    table_bytes: int,
    stores_states: bool,
    endgames: EndgameTable | None = None,
    kind: type[Memory] = Memory,
) -> Memory:
    """The memory of a compiled search, or where there is none, of the one that Python runs."""
    return kind(allocator_for(search, stores_states), state, table_bytes, stores_states, endgames)


def allocator_for(search: Any, stores_states: bool) -> Allocator:
    """Who makes the memory of a compiled search, or where there is none, of the one that Python runs."""
    if search is None:
        return Objects()
    words = search.state_bytes // 8
    return RawWords(Room(words, words if stores_states else 0))


def table_digits(table_bytes: int, state: Any, stores_states: bool, entry_bytes: int = 16) -> int:
    """The binary digits of the number of entries: two buckets or more, and no more than there is room for."""
    entry = entry_bytes + 8 * _fields(state) if stores_states else entry_bytes
    return max(table_bytes // entry, 2 * BUCKET).bit_length() - 1


def _fields(state: Any) -> int:
    if isinstance(state, str):
        return 1 + len(state)
    if isinstance(state, frozenset):
        return 64
    if isinstance(state, tuple):
        return sum(map(_fields, state))
    return sum(_fields(getattr(state, name)) for name in attributes_of(state)) or 1
