"""All positions of a game with chance, found and solved in memory, tier by tier from the last.

The limits of a value only ever come closer, so that whatever was reached of them can be kept on disk
(`Unfinished`), and gone on with.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import isfinite
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import MACHINE_STOPPED, Kind, compiled_for, widened
from perfectplay.compiler.records import Room, size
from perfectplay.engine.memory import allocator_for
from perfectplay.errors import BadParameterError, BrokenGameError, EndlessGameError
from perfectplay.game import Game
from perfectplay.tablebase import value_iteration
from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.unfinished import Found, Unfinished
from perfectplay.tablebase.value_iteration import DONE, GOING, OVER, SAME_KEY, Position, Space

TOLERANCE = 1e-10  # between the limits, where utilities are about 1
SWEEPS = 20_000  # in which the limits of a tier must meet
A_MOMENT = 0.5  # seconds of sweeps, after which somebody may be told
AT_ONCE = 1 << 18  # positions that are explored before anyone is told
FEW = 1 << 14  # positions that there is room for at first, where Python runs the rules
EDGES = 6  # of a position, on average, that there is room for
LOOSE: dict[str, tuple[Kind, ...]] = {
    "explore": ("game", "record", "state", "number"),
    "narrow": ("game", "record", "number", "number", "real", "number"),
}
Report = Callable[[Progress], None]


class Solved:
    """All positions of a game, solved, in memory."""

    def __init__(
        self,
        game: Game[Any, Any],
        start: Any,
        memory: int,
        mode: str,
        report: Report,
        unfinished: Unfinished | None = None,
    ) -> None:
        self.game, self.start, self.memory, self.report = game, start, memory, report
        self.unfinished = unfinished
        self.began = monotonic()
        self.kernels: dict[str, Any] = {}
        for name, kinds in LOOSE.items():
            function = getattr(value_iteration, name)
            self.kernels[name], self.why_not = compiled_for(game, start, function, kinds, mode=mode)
        self.compiled = all(self.kernels.values())
        self.mode = mode
        self.at_once = 16  # sweeps
        known = unfinished.known() if unfinished else None
        self.found = self._found() if known is None else self._taken(known)
        self.keys = self.found.keys
        self._narrow()

    @property
    def tolerance(self) -> float:
        """How far apart the limits of a value may be."""
        return TOLERANCE * max(1.0, abs(self.found.least), abs(self.found.most))

    @property
    def sweeps(self) -> int:
        """Over the positions of a tier, all tiers together."""
        return self.found.sweeps

    def _ask(self, name: str, *arguments: Any) -> int:
        function = self.kernels[name] if self.compiled else getattr(value_iteration, name)
        return int(function(self.game, *arguments))

    def _explored(self) -> Space:
        """All positions; where machine code meets what it was not made for, it begins again."""
        room = FEW
        while True:
            most = self._most()
            count = most if self.compiled else min(room, most)
            space = self._space(count, count, EDGES * count)
            try:
                found = self._all_of(space)
            except MACHINE_STOPPED as trap:
                self.kernels["explore"], self.why_not = widened(self.kernels["explore"], trap)
                self.compiled = self.kernels["explore"] is not None
                continue
            if found == DONE:
                return space
            if found == SAME_KEY:
                raise BrokenGameError(
                    "two positions have one key: give the game a key() that no two states share."
                )
            if space.room >= most:
                raise BadParameterError(
                    f"the game has more than {most:,} positions, or {EDGES} moves in each: "
                    f"give more memory than {self.memory:,} bytes."
                )
            room *= 4

    def _most(self) -> int:
        """Positions that there is room for."""
        words = self.kernels["explore"].state_bytes // 8 if self.compiled else 8
        return max(64, self.memory // (8 * (size(Position, Room(words)) + 9 + 2 * EDGES)))

    def _space(self, states: int, count: int, edges: int) -> Space:
        allocator = allocator_for(self.kernels["explore"] if self.compiled else None, False)
        array, digits = allocator.array, states.bit_length() + 1
        made: Space = allocator.record(
            Space,
            positions=array(Position, states),
            slots=array(int, 1 << digits),
            shift=64 - digits,
            **{name: array(int, count + 1) for name in ("kinds", "tiers", "firsts")},
            **{name: array(float, count) for name in ("lower", "upper")},
            targets=array(int, edges),
            chances=array(float, edges),
            room=states,
            edge_room=edges,
        )
        return made

    def _all_of(self, space: Space) -> int:
        while (found := self._ask("explore", space, self.start, AT_ONCE)) == GOING:
            self._tell("discover", space.explored, 0)
        return found

    def _tell(self, phase: str, done: int, total: int) -> None:
        self.report(Progress(phase, 0, 1, done, total, monotonic() - self.began, 0))

    def array(self, name: str, dtype: Any, count: int | None = None) -> NDArray[Any]:
        """What the positions have: a view where memory is raw, and a copy of Python's lists."""
        whole, count = getattr(self.space, name), self.space.used if count is None else count
        if isinstance(whole, list):
            return np.array(whole[:count], dtype)
        return np.frombuffer(whole, dtype, count)

    def put(self, name: str, values: NDArray[Any]) -> None:
        """Write what the positions have."""
        whole = getattr(self.space, name)
        if isinstance(whole, list):
            whole[: len(values)] = values.tolist()
        else:
            np.frombuffer(whole, values.dtype, len(values))[:] = values

    def _keys(self) -> NDArray[np.uint64]:
        """The keys of all positions, as they were found."""
        whole: Any = self.space.positions
        if isinstance(whole, list):
            return np.array([each.key for each in whole[: self.space.used]], np.uint64)
        words = np.frombuffer(whole, np.uint64).reshape(len(whole), -1)
        return words[: self.space.used, 0].copy()

    def _found(self) -> Found:
        """All positions, those of a tier one after the other, with the limits that they begin with."""
        space = self.space = self._explored()
        if not isfinite(space.least) or not isfinite(space.most):
            raise BrokenGameError("no end of the game can be reached, or utility() gave no finite number.")
        tiers, keys = self._sort_by_tier()
        kinds = self.array("kinds", np.int64)
        for name, limit in (("lower", space.least), ("upper", space.most)):
            self.put(name, np.where(kinds == OVER, self.array(name, np.float64), limit))
        steps = np.flatnonzero(np.diff(tiers)) + 1
        bounds = np.array([0, *steps.tolist(), space.used], np.int64)
        return Found(keys, bounds, space.least, space.most)

    def _taken(self, known: tuple[Found, dict[str, NDArray[Any]]]) -> Found:
        """What an earlier build has found."""
        found, arrays = known
        count, edges = len(found.keys), len(arrays["targets"])
        self.space = self._space(1, count, edges)
        self.space.used, self.space.edges = count, edges
        for name, array in arrays.items():
            self.put(name, array)
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Where all positions lead, as it is kept."""
        edges = self.space.edges
        return {
            "kinds": self.array("kinds", np.int64).astype(np.uint8),
            "firsts": self.array("firsts", np.int64, self.space.used + 1),
            "targets": self.array("targets", np.int64, edges),
            "chances": self.array("chances", np.float64, edges),
        }

    def _narrow(self) -> None:
        """Solve all positions, one tier after the other from the last."""
        found, count = self.found, self.space.used
        tiers = [*pairwise(found.bounds.tolist())][::-1]
        for first, last in tiers[found.tiers :]:
            while not self._sweep(first, last):
                self._save_if_due()
            found.tiers += 1
            found.sweeps += found.partly
            found.partly = 0
            self._tell("solve", count - first, count)
            self._save_if_due()

    def _sweep(self, first: int, last: int) -> bool:
        """Narrow the limits of a tier for a moment; are they narrow now?"""
        found, began = self.found, monotonic()
        wanted = min(self.at_once, SWEEPS - found.partly)
        took = self._ask("narrow", self.space, first, last, self.tolerance, wanted)
        if monotonic() - began < A_MOMENT:
            self.at_once *= 2
        found.partly += min(took, wanted)
        if took > wanted and found.partly >= SWEEPS:
            raise EndlessGameError(
                "the game can go on for ever, so that its positions have no value: give it an end."
            )
        return took <= wanted

    def _save_if_due(self) -> None:
        if self.unfinished is not None and self.unfinished.is_due:
            limits = {name: self.array(name, np.float64) for name in ("lower", "upper")}
            self.unfinished.save(self.found, self.arrays, limits)

    def _sort_by_tier(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Number the positions anew, those of a tier one after the other; their tiers, and keys."""
        space = self.space
        tiers, firsts = self.array("tiers", np.int64), self.array("firsts", np.int64, space.used + 1)
        order = np.argsort(tiers, kind="stable")
        numbers = np.empty_like(order)
        numbers[order] = np.arange(space.used)
        counts = np.diff(firsts)[order]
        begins = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(firsts[:-1][order] - begins[:-1], counts) + np.arange(space.edges)
        targets = numbers[self.array("targets", np.int64, space.edges)[edges]]
        chances = self.array("chances", np.float64, space.edges)[edges]
        keys = self._keys()[order]
        for name, kind in (("kinds", np.int64), ("lower", np.float64), ("upper", np.float64)):
            self.put(name, self.array(name, kind)[order])
        for name, array in (("firsts", begins), ("targets", targets), ("chances", chances)):
            self.put(name, array)
        return tiers[order], keys
