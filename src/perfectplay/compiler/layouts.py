"""Layouts: how a state lies in memory that outlives a question, as a fixed number of words.

In registers a tuple of any length is a pointer; in a record of the search, or an entry of its table, it
is its length and room for as many elements as play has shown. What is longer is a trap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from perfectplay.compiler.hashing import USED
from perfectplay.compiler.shapes import (
    BYTES,
    KEPT,
    STR,
    Frozen,
    Shape,
    Struct,
    Union,
    family,
    family_of,
    fields_of,
    in_row,
    is_row,
    kinds,
    struct_names,
)
from perfectplay.compiler.values import Coder, Misfit, built  # type: ignore[attr-defined]

Path = tuple[Any, ...]
HASHED = 3  # words before the entries of a frozenset


@dataclass(frozen=True)
class Layout:
    """The words of a value of a shape: those of its parts one after the other."""

    shape: Shape
    words: int
    parts: tuple[Layout, ...] = ()
    room: int = 0  # elements of a sequence

    @property
    def is_whole(self) -> bool:
        """Do its words in memory mean the same as those in registers?"""
        return "p" not in kinds(self.shape)


@dataclass(frozen=True)
class PackedLayout(Layout):
    """The numbers of a state whose game packs it into one, which may have more than 63 bits or not."""

    wide: bool = False


class Lengths:
    """The longest sequence that play has shown in each place of a state, and the shortest."""

    def __init__(self) -> None:
        self.longest: dict[Path, int] = {}
        self.shortest: dict[Path, int] = {}

    def note(self, value: Any, path: Path = ()) -> None:
        """Look at a value."""
        if isinstance(value, str | bytes | frozenset | tuple):
            size = len(value)
            self.longest[path] = max(self.longest.get(path, 0), size)
            self.shortest[path] = min(self.shortest.get(path, size), size)
            if isinstance(value, str | bytes):
                return
            for place, item in enumerate(value):
                self.note(item, (*path, "*"))
                self.note(item, (*path, place))
        elif type(value) in KEPT or struct_names(type(value)):
            for place, item in enumerate(fields_of(value)):
                self.note(item, (*path, place))

    def room(self, path: Path) -> int:
        """Elements to leave room for: as many as were seen, and some more where that differed."""
        longest = self.longest.get(path, 0)
        return longest if longest == self.shortest.get(path, 0) else longest + longest // 2 + 1


def layout_of(shape: Shape, lengths: Lengths, path: Path = ()) -> Layout:
    """How values of a shape lie in memory."""
    if isinstance(shape, Struct):
        parts = tuple(layout_of(part, lengths, (*path, place)) for place, part in enumerate(shape.fields))
        return Layout(shape, sum(part.words for part in parts), parts)
    if isinstance(shape, Union):
        parts = tuple(layout_of(part, lengths, path) for part in shape.members)
        return Layout(shape, 1 + sum(part.words for part in parts), parts)
    if is_row(shape):
        elem = layout_of(in_row(shape), lengths, (*path, "*"))
        room = lengths.room(path)
        return Layout(shape, 1 + room * elem.words, (elem,), room)
    if isinstance(shape, Frozen):
        elem = layout_of(shape.elem, lengths, (*path, "*"))
        room = 8
        while room * 3 <= lengths.room(path) * 5:  # as Python's own sets grow
            room *= 4
        return Layout(shape, HASHED + room * (2 + elem.words), (elem,), room)
    return Layout(shape, len(kinds(shape)))


def flattened(value: Any, layout: Layout, coder: Coder) -> list[int]:
    """A value as the words of its layout; Misfit if they do not hold it."""
    shape = layout.shape
    if isinstance(shape, Struct):
        parts = fields_of(value) if type(value) is shape.cls else _misfit(value)
        if len(parts) != len(layout.parts):
            raise Misfit(value)
        return [
            word
            for part, one in zip(parts, layout.parts, strict=True)
            for word in flattened(part, one, coder)
        ]
    if isinstance(shape, Union):
        wanted = family_of(value)
        words, tag = [], -1
        for number, one in enumerate(layout.parts):
            if family(one.shape) == wanted:
                tag = number
                words += flattened(value, one, coder)
            else:
                words += [0] * one.words
        return [tag, *words] if tag >= 0 else _misfit(value)
    if is_row(shape):
        kind = str if shape == STR else bytes if shape == BYTES else tuple
        if not isinstance(value, kind) or len(value) > layout.room:
            raise Misfit(value)
        words = [word for item in value for word in flattened(item, layout.parts[0], coder)]
        return [len(value), *words, *[0] * (layout.words - 1 - len(words))]
    if isinstance(shape, Frozen):
        if not isinstance(value, frozenset):
            raise Misfit(value)
        table, elem = coder.table(value), layout.parts[0]
        words = [table.used, table.mask, table.fill]
        for mixed, state, item in table.slots:
            words += [mixed, state, *(flattened(item, elem, coder) if state == USED else [0] * elem.words)]
        return [*words, *[0] * (layout.words - len(words))] if len(words) <= layout.words else _misfit(value)
    return coder.encode(value, shape)


def restored(words: list[int], layout: Layout, coder: Coder) -> Any:
    """The value that the words of a layout stand for."""
    shape = layout.shape
    if isinstance(shape, Struct):
        parts, at = [], 0
        for one in layout.parts:
            parts.append(restored(words[at : at + one.words], one, coder))
            at += one.words
        return built(shape.cls, parts)
    if isinstance(shape, Union):
        at = 1
        for number, one in enumerate(layout.parts):
            if number == words[0]:
                return restored(words[at : at + one.words], one, coder)
            at += one.words
        raise Misfit(words[0])
    if is_row(shape):
        step = layout.parts[0].words
        items = [
            restored(words[1 + place * step : 1 + (place + 1) * step], layout.parts[0], coder)
            for place in range(words[0])
        ]
        return "".join(items) if shape == STR else bytes(items) if shape == BYTES else tuple(items)
    if isinstance(shape, Frozen):
        step, elem = 2 + layout.parts[0].words, layout.parts[0]
        rows = [words[at : at + step] for at in range(HASHED, HASHED + (words[1] + 1) * step, step)]
        return frozenset(restored(row[2:], elem, coder) for row in rows if row[1] == USED)
    return coder.decode(words, shape)


def _misfit(value: Any) -> Any:
    raise Misfit(value)
