"""Digests of states, the same as `game.default_key` gives, with machine code for the rows in them."""

from __future__ import annotations

import ctypes
from enum import Enum
from struct import Struct, error
from typing import Any

from perfectplay.compiler import compiled_module
from perfectplay.compiler.records import Room, made_raw
from perfectplay.engine import digest_kernel
from perfectplay.engine.digest_kernel import DIGESTS, LETTERS, NUMBERS, Row
from perfectplay.game import SET, TEXT, TUPLE, WORD, _digest, _mix

LONGEST = 1024  # words of a row: what is longer is left to Python
MOST_REMEMBERED = 4096
NUMBER_TYPES = ({int}, {bool}, {int, bool})


class Digests:
    """Whoever makes digests, in one thread at a time."""

    def __init__(self) -> None:
        memory = (ctypes.c_uint64 * LONGEST)()
        self.memory = memoryview(memory).cast("B")
        self.row: Row = made_raw(Row, Room(), words=memory, letters=memory)
        self.layouts: dict[tuple[str, int], Struct] = {}
        self.remembered: dict[Any, int] = {None: _digest(None)}  # texts and members of enums within tuples
        self.fold = compiled_module(digest_kernel).digest_of_row.bound(Row, self.row)

    def key(self, state: Any) -> int:
        """The default key of a state."""
        if isinstance(state, int) and -(2**63) <= state <= WORD:
            return state & WORD
        return self.digest(state)

    def digest(self, value: Any) -> int:
        """The digest of a value."""
        kind = type(value)
        if kind is str:
            return self._text(value)
        if isinstance(value, tuple):
            if len(value) > LONGEST:
                return _digest(value)
            if set(map(type, value)) in NUMBER_TYPES:
                try:
                    return self._folded(TUPLE, NUMBERS, "q", value)
                except error:  # a number of more than 64 bits
                    return _digest(value)
            return self._folded(TUPLE, DIGESTS, "Q", [*map(self._part, value)])
        if kind is frozenset:
            return _mix(31 * _mix(SET + len(value)) + sum(map(self._part, value)))
        return _digest(value)

    def _part(self, value: Any) -> int:
        """The digest of a part of a tuple: the same few texts come again and again."""
        if value is None or type(value) is str or (isinstance(value, Enum) and not isinstance(value, int)):
            known = self.remembered.get(value)
            if known is None:
                known = self.digest(value)
                if len(self.remembered) < MOST_REMEMBERED:
                    self.remembered[value] = known
            return known
        return self.digest(value)

    def _text(self, text: str) -> int:
        try:
            letters = text.encode("latin-1")
        except UnicodeEncodeError:
            return _digest(text)
        if len(letters) > 8 * LONGEST:
            return _digest(text)
        self.memory[: len(letters)] = letters
        return self._digest(len(letters), TEXT, LETTERS)

    def _folded(self, begin: int, kind: int, letter: str, parts: Any) -> int:
        """The digest of a row of words."""
        layout = self.layouts.get((letter, len(parts)))
        if layout is None:
            layout = self.layouts[letter, len(parts)] = Struct(f"<{len(parts)}{letter}")
        layout.pack_into(self.memory, 0, *parts)
        return self._digest(len(parts), begin, kind)

    def _digest(self, count: int, begin: int, kind: int) -> int:
        row = self.row
        row.count, row.begin, row.kind = count, begin + count, kind
        return int(self.fold())
