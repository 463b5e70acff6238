"""Expansion: the successors of many positions at once, by the rules of a game, compiled where they can be."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.object_memory import leaves_of
from perfectplay.game import Game
from perfectplay.tablebase import kernels
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.layout import Layout, check_alike, check_beginning, check_start, signed

Words = NDArray[np.uint64]  # [n, width]
HIGHEST = np.iinfo(np.int64).max
BRANCHING = 8  # successors of a position, roughly: where there are more, it takes another round


class Successors(NamedTuple):
    """What there is to know of a block of positions by the rules alone."""

    words: Words  # of the successors, one position after the other
    tiers: NDArray[np.int64]  # of the successors
    counts: NDArray[np.int64]  # successors of each position
    kinds: NDArray[np.uint8]  # who moves, or OVER
    utilities: NDArray[np.float64]  # to MAX, where it is over
    least: NDArray[np.int64]  # the lowest value of each leaf of a successor
    varying: NDArray[np.int64]  # the bits of each that are not those of the layout's constant ones


class Expander:
    """The rules of a game, applied to packed states."""

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        start: Any = None,
        symmetry: bool = True,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    ) -> None:
        self.game = game
        self.start = game.initial()
        check_start(self.start, type(game).__name__)
        self.first = self.start if start is None else start  # where the positions begin
        check_beginning(self.first, self.start, type(game).__name__)
        self.symmetry = symmetry and type(game).canonical is not Game.canonical
        check_alike(self.root, self.start)
        self.has_tiers = type(game).tier is not Game.tier
        self.leaves = len(leaves_of(self.start))
        found, self.why_not = compiled_kernel(game, self.start, "expand", compile)
        self.compiled = found is not None
        self._expand: Any = found or kernels.expand

    @property
    def root(self) -> Any:
        """The first state, or its representative."""
        return self.game.canonical(self.first) if self.symmetry else self.first

    def expand(self, layout: Layout, words: Words) -> Successors:
        """The successors of positions."""
        count, width = len(words), layout.width
        counts, kinds = np.zeros(count, np.int64), np.zeros(count, np.uint8)
        utilities = np.full(count, np.nan)
        least = np.full(self.leaves, HIGHEST)
        varying = np.zeros(self.leaves, np.int64)
        pieces = [np.empty(0, np.uint64)]
        tiers = [np.empty(0, np.int64)]
        first, room = 0, max(count * BRANCHING, 64)
        flat = np.ascontiguousarray(words).reshape(-1)
        while first < count:
            block, tier = np.empty(room * width, np.uint64), np.zeros(room, np.int64)
            arrays = (flat, block, tier, counts, kinds, utilities, least, varying)
            done = self._run(layout, first, arrays)
            used = int(counts[first:done].sum())
            pieces.append(block[: used * width])
            tiers.append(tier[:used])
            if done == first:
                room *= 2  # this position alone has more successors than there was room for
            first = done
        successors = np.concatenate(pieces).reshape(-1, width)
        return Successors(successors, np.concatenate(tiers), counts, kinds, utilities, least, varying)

    def _run(self, layout: Layout, first: int, arrays: tuple[NDArray[Any], ...]) -> int:
        """One call of the kernel; the first position that is not done."""
        parts = np.array(layout.parts, np.int64).reshape(-1)
        lows = np.array(layout.lows, np.int64)
        bases = np.array(layout.constants, np.uint64).view(np.int64)
        flat, block, tier, *rest = arrays
        if self.compiled:
            scratch = np.zeros(self.leaves, np.int64)
            head = (self.game, self.start, parts, lows, bases, layout.width, scratch.ctypes.data)
            return int(self._expand(*head, flat, first, block, tier, *rest, self.symmetry))
        lists: list[Any] = [array.tolist() for array in (flat, block, tier, *rest)]
        packing = (parts.tolist(), lows.tolist(), bases.tolist(), layout.width, [0] * self.leaves)
        game = _Checked(self.game, self.start)
        done = self._expand(game, self.start, *packing, lists[0], first, *lists[1:], self.symmetry)
        lists[-1] = [*map(signed, lists[-1])]  # a difference of two numbers may need a bit more
        for array, values in zip((block, tier, *rest), lists[1:], strict=True):
            array[:] = values
        return int(done)


class _Checked:
    """The rules of a game in plain Python, where a state may turn out to be anything."""

    def __init__(self, game: Game[Any, Any], like: Any) -> None:
        self._game, self._like = game, like
        self.is_terminal, self.utility, self.to_move = game.is_terminal, game.utility, game.to_move
        self.actions, self.tier = game.actions, game.tier

    def result(self, state: Any, action: Any) -> Any:
        """The state after an action, if it is made as all states are."""
        child = self._game.result(state, action)
        check_alike(child, self._like)
        return child

    def canonical(self, state: Any) -> Any:
        """The representative of a state, likewise."""
        found = self._game.canonical(state)
        check_alike(found, self._like)
        return found
