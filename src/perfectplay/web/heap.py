"""The heap of a server: what is free goes back to the system, and threads share what they allocate from.

The C library gives every thread an arena of its own and keeps what was freed in it, so that a server with a
thread for every search would hold as much as all of them have ever had at once. Where the C library has no
arenas, nothing is done.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from functools import cache
from typing import Any

from perfectplay.web.engines import Engines
from perfectplay.web.gates import Gates
from perfectplay.web.searches import Searches

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of malloc.h
ARENAS = 2  # Python runs one thread at a time: there is little to wait for
LARGE = 256 << 10  # bytes: what is larger has pages of its own, which go back as soon as it is freed
BUSY_LOOKS = 10  # between two times that a busy server gives back what is free


@cache
def _library() -> Any:
    """The C library, where it is one that keeps arenas."""
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.malloc_trim.argtypes = [ctypes.c_size_t]
        library.mallopt.argtypes = [ctypes.c_int, ctypes.c_int]
        return library
    return None


def share_arenas() -> None:
    """Have all threads of this process share a few arenas; to be called before there are many."""
    if library := _library():
        library.mallopt(M_ARENA_MAX, ARENAS)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)  # which would grow by itself otherwise
        library.mallopt(M_TRIM_THRESHOLD, LARGE)


def give_back(*, thorough: bool) -> None:
    """Give what is free back to the system; a thorough look finds what is free in circles, too."""
    if thorough:
        gc.collect()
    if library := _library():
        library.malloc_trim(0)


class Housekeeping:
    """What a server does again and again: lets go of what nobody asks for, and gives back what is free."""

    def __init__(self, searches: Searches, gates: Gates, engines: Engines) -> None:
        self.searches, self.gates, self.engines = searches, gates, engines
        self.busy_looks = 0  # in a row

    def look(self) -> None:
        """Look whether there is something to give back; to be called every second or so."""
        let_go = self.engines.let_go()
        if self.searches.turns.working or self.gates.answering:
            self.busy_looks += 1
            if self.busy_looks % BUSY_LOOKS == 0:
                give_back(thorough=False)
        elif self.busy_looks or let_go:
            self.busy_looks = 0
            give_back(thorough=True)
