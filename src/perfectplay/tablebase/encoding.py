"""Encoding: how a state becomes one number of so many bytes, and back; for Python, columns and machine code.

The game packs its states itself, if it has a `pack` and an `unpack`. Else the numbers that states are made of
(their leaves) are put next to each other, as a layout says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.forms import ROOMS, Form, Packed
from perfectplay.compiler.records import Room, made_raw
from perfectplay.engine.packing import Packing, Part
from perfectplay.errors import BrokenGameError
from perfectplay.game import Game, packs
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.forming import first_form, form_for, played, wider_form
from perfectplay.tablebase.kernels import fields
from perfectplay.tablebase.layout import Layout, signed
from perfectplay.tablebase.manifest import bytes_for, width_for
from perfectplay.tablebase.rows import Words

WORD = 64
MANY = 20_000  # states for which it pays to compile what they are made of


class Encoding(ABC):
    """How the states of a game become numbers."""

    form: Form  # what numbers a state is made of, and who packs it
    bits: int  # of the one number that it becomes

    @property
    def width(self) -> int:
        """Words of that number."""
        return width_for(self.row_bytes)

    @property
    def row_bytes(self) -> int:
        """Bytes of it in a file."""
        return bytes_for(self.bits)

    @property
    @abstractmethod
    def data(self) -> dict[str, Any]:
        """What a manifest says of it."""

    @abstractmethod
    def pack(self, state: Any) -> tuple[int, ...] | None:
        """The words of a state, the lowest first; None if they do not stand for it.

        Misfit if it is not made as the form says.
        """

    @abstractmethod
    def unpack(self, words: Sequence[int]) -> Any:
        """The state of these words."""

    @abstractmethod
    def columns(self, words: Words) -> list[NDArray[np.int64]]:
        """The leaves of many states, leaf by leaf."""

    @abstractmethod
    def packing(self) -> Packing:
        """What the kernels need to know of it, for Python."""

    @abstractmethod
    def raw_packing(self) -> Any:
        """The same for machine code."""

    @abstractmethod
    def unmet(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What an expansion has met before it begins: nothing that does not fit."""

    @abstractmethod
    def widened(self, least: NDArray[np.int64], varying: NDArray[np.int64]) -> Encoding | None:
        """An encoding that also holds what an expansion has met; None if this one does."""


class ShapeEncoding(Encoding):
    """By the numbers that a state is made of, and their bits that vary."""

    def __init__(self, form: Form, layout: Layout) -> None:
        self.form = form
        self.layout = layout
        self.bits = layout.bits

    @property
    def data(self) -> dict[str, Any]:
        """The three lists of the layout: in base 16, since numbers can have 64 bits."""
        known = self.layout
        lists = {"lows": known.lows, "bases": known.bases, "masks": known.masks}
        return {name: [f"{number:x}" for number in numbers] for name, numbers in lists.items()}

    def pack(self, state: Any) -> tuple[int, ...] | None:
        """The words of a state."""
        return self.layout.pack(self.form.leaves(state))

    def unpack(self, words: Sequence[int]) -> Any:
        """The state of these words."""
        return self.form.state(self.layout.unpack(words))

    def columns(self, words: Words) -> list[NDArray[np.int64]]:
        """The leaves of many states."""
        return self.layout.columns(words)

    def packing(self) -> Packing:
        """Its parts."""
        layout = self.layout
        names = ("leaf", "up", "mask", "word", "down")
        parts = [Part(**dict(zip(names, part, strict=True))) for part in layout.parts]
        lows, bases, masks = (list(map(signed, row)) for row in (layout.lows, layout.constants, layout.masks))
        return Packing(
            leaves=len(lows),
            width=self.width,
            bits=self.bits,
            parts=parts,
            parts_count=len(parts),
            lows=lows,
            bases=bases,
            masks=masks,
        )

    def raw_packing(self) -> Any:
        """Its parts in memory."""
        plain = self.packing()
        return made_raw(
            Packing,
            Room(),
            leaves=plain.leaves,
            width=plain.width,
            bits=plain.bits,
            parts=np.array(self.layout.parts, np.int64),
            parts_count=plain.parts_count,
            lows=np.array(plain.lows, np.int64),
            bases=np.array(plain.bases, np.int64),
            masks=np.array(plain.masks, np.int64),
        )

    def unmet(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The lows, and no bits."""
        return np.array(self.layout.lows, np.int64), np.zeros(len(self.layout.lows), np.int64)

    def widened(self, least: NDArray[np.int64], varying: NDArray[np.int64]) -> Encoding | None:
        """The lowest leaves are taken for lows, and bits that vary for more of them."""
        layout = self.layout
        if layout.widened(least.tolist(), varying.tolist()) == layout:
            return None
        slack = varying | (varying & ~np.array(layout.masks, np.uint64).view(np.int64)) << 1
        return ShapeEncoding(self.form, layout.widened(least.tolist(), slack.tolist()))


class GameEncoding(Encoding):
    """By the numbers that the game packs its states into."""

    def __init__(self, game: Game[Any, Any], inner: Form, bits: int) -> None:
        self.game = game
        self.inner = inner
        self.bits = bits
        self.form = Packed(inner, bits)

    @property
    def data(self) -> dict[str, Any]:
        """The bits: the rules say all else."""
        return {"bits": self.bits}

    def pack(self, state: Any) -> tuple[int, ...] | None:
        """The words of a state, if it is what they stand for."""
        self.inner.leaves(state)
        number = self.game.pack(state)
        if not isinstance(number, int) or number < 0 or number >> self.bits:
            return None
        if self.game.unpack(number) != state:
            return None
        return tuple(number >> WORD * place & (1 << WORD) - 1 for place in range(self.width))

    def unpack(self, words: Sequence[int]) -> Any:
        """The state of these words."""
        return self.game.unpack(sum(int(word) << WORD * place for place, word in enumerate(words)))

    def columns(self, words: Words) -> list[NDArray[np.int64]]:
        """The leaves of many states, in machine code where there are very many."""
        count = self.inner.count
        rows = np.zeros((len(words), count), np.int64)
        kernel = self._fields if len(words) >= MANY else None
        if kernel is None:
            for place, row in enumerate(words.tolist()):
                rows[place] = self.inner.leaves(self.unpack(row))
        else:
            flat = np.ascontiguousarray(words).reshape(-1)
            scratch = np.zeros(count, np.int64)
            kernel(self.game, self.form, self.raw_packing(), flat, scratch, rows.reshape(-1), count)
        return [np.ascontiguousarray(rows[:, leaf]) for leaf in range(count)]

    @cached_property
    def _fields(self) -> Any:
        """The kernel for that, if the rules compile."""
        return compiled_kernel(self.game, self.form, fields.__name__, "auto")[0]

    def packing(self) -> Packing:
        """Its width alone."""
        return Packing(
            leaves=0, width=self.width, bits=self.bits, parts=[], parts_count=0, lows=[], bases=[], masks=[]
        )

    def raw_packing(self) -> Any:
        """The same in memory."""
        nothing = np.zeros(1, np.int64)
        given = {"parts": nothing, "lows": nothing, "bases": nothing, "masks": nothing, "parts_count": 0}
        return made_raw(Packing, Room(), leaves=0, width=self.width, bits=self.bits, **given)

    def unmet(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """No number that needs another word, and no bits."""
        return np.zeros(1, np.int64), np.zeros(self.width, np.int64)

    def widened(self, least: NDArray[np.int64], varying: NDArray[np.int64]) -> Encoding | None:
        """More bytes; or the next room that there is for numbers, if one does not even fit into its words."""
        if least[0] < 0:
            more = WORD * (self.bits // WORD + 1)
            return GameEncoding(
                self.game, self.inner, next((room for room in ROOMS if room > self.bits), more)
            )
        number = sum(int(word) << WORD * place for place, word in enumerate(varying.view(np.uint64).tolist()))
        bits = _whole_bytes(number.bit_length())
        return GameEncoding(self.game, self.inner, bits) if bits > self.bits else None


def _whole_bytes(bits: int) -> int:
    """So many bits, rounded up to bytes, but to no more than there is room for in as many registers."""
    return min(8 * bytes_for(bits), next((room for room in ROOMS if bits <= room), 8 * bytes_for(bits)))


def first_encoding(game: Game[Any, Any], first: Any, *, symmetry: bool) -> Encoding:
    """An encoding for the states of some games played at random, always the same ones."""
    states = [*dict.fromkeys([first, *played(game, first, symmetry=symmetry)])]
    return _encoding_of(game, first_form(game, first, states, symmetry=symmetry), states)


def wider_encoding(game: Game[Any, Any], first: Any, known: Encoding, *, symmetry: bool) -> Encoding:
    """One whose form holds more: states are made in other ways than play has shown."""
    inner = known.inner if isinstance(known, GameEncoding) else known.form
    form = wider_form(game, first, inner, symmetry=symmetry)
    return _encoding_of(game, form, [first, *played(game, first, symmetry=symmetry)])


def _encoding_of(game: Game[Any, Any], form: Any, states: Iterable[Any]) -> Encoding:
    if packs(game):
        most = max(_number(game, state) for state in states)
        return GameEncoding(game, form, max(_whole_bytes(most.bit_length()), 8))
    if hasattr(form, "states"):  # which are numbered, all of them
        return ShapeEncoding(form, Layout.of([[number] for number in range(len(form.states))]))
    return ShapeEncoding(form, Layout.of([form.leaves(state) for state in states]))


def _number(game: Game[Any, Any], state: Any) -> int:
    """The number of a state; where it does not come back from there, nothing can be built."""
    number = game.pack(state)
    if not isinstance(number, int) or number < 0:
        raise BrokenGameError(
            f"pack() of {type(game).__name__} gave {number!r} for {state!r}: give an integer of 0 or more."
        )
    if (back := game.unpack(number)) != state:
        raise BrokenGameError(
            f"unpack() of {type(game).__name__} gave {back!r} for the number of {state!r}: "
            "let it give back what pack() was given."
        )
    return number


def encoding_from(manifest: dict[str, Any], game: Game[Any, Any]) -> Encoding:
    """The encoding that a manifest describes; Misfit if it is none of the game's."""
    form = form_for(manifest.get("form"), game, symmetry=bool(manifest.get("symmetry")))
    data = manifest["layout"]
    if "bits" in data:
        return GameEncoding(game, form, data["bits"])
    return ShapeEncoding(form, layout_from(data))


def layout_from(data: dict[str, Any]) -> Layout:
    """The layout that a manifest describes, where the game does not pack states itself."""
    return Layout(*(tuple(int(word, 16) for word in data[name]) for name in ("lows", "bases", "masks")))


def bits_in(data: dict[str, Any]) -> int:
    """The bits of a packed state, by what a manifest says of its layout."""
    return int(data["bits"]) if "bits" in data else layout_from(data).bits
