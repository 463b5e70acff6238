"""Index for probes: everything that a compiled probe needs, as addresses in one block of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.forms import Form
from perfectplay.engine import endgames as places
from perfectplay.game import Game
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.layout import Layout
from perfectplay.tablebase.levels import Level


class Probes:
    """The two kernels that look states up."""

    def __init__(self, game: Game[Any, Any], form: Form, mode: str | bool) -> None:
        self.game = game
        self.form = form
        self.one, self.why_not = compiled_kernel(game, form, "look_up", mode)
        self._many: Any = None

    @property
    def many(self) -> Any:
        """The one for many states, compiled when it is first wanted."""
        if self._many is None:
            self._many, _ = compiled_kernel(self.game, self.form, "look_up_all", "always")
        return self._many


class ProbeIndex:
    """What one thread looks states up with; it keeps alive what it has the addresses of."""

    def __init__(
        self, probes: Probes | None, layout: Layout, levels: Sequence[Level], manifest: dict[str, Any]
    ) -> None:
        self.probes = probes
        self._one: Any = probes and probes.one
        self._game = probes and probes.game
        self.leaves = len(layout.lows)
        parts = np.array(layout.parts, np.int64).reshape(-1)
        tables = {
            places.PARTS_AT: parts,
            places.LOWS_AT: np.array(layout.lows, np.int64),
            places.BASES_AT: np.array(layout.constants, np.uint64).view(np.int64),
            places.MASKS_AT: np.array(layout.masks, np.uint64).view(np.int64),
            places.SCRATCH_AT: np.zeros(self.leaves, np.int64),
            places.WORDS_AT: np.zeros(layout.width, np.int64),
            places.LEVELS_AT: np.concatenate([_described(level) for level in levels]),
            places.WORTHS_AT: np.array([*manifest["values"], 0.0], np.float64),
        }
        probe_index = np.zeros(places.PLACES, np.int64)
        probe_index[places.LEAVES], probe_index[places.WIDTH] = self.leaves, layout.width
        probe_index[places.WORTHS] = len(manifest["values"])
        probe_index[places.PARTS_COUNT] = len(parts) // places.PARTS
        probe_index[places.LEVELS] = len(levels)
        probe_index[places.VALUE_BYTES] = manifest["value_bytes"]
        probe_index[places.SYMMETRY] = manifest["symmetry"]
        for place, table in tables.items():
            probe_index[place] = table.ctypes.data
        self._block = np.zeros(self.leaves, np.int64)
        self._alive = (probe_index, tables, levels)
        self.address = int(probe_index.ctypes.data)

    def look_up(self, state: Any) -> int:
        """What the table says of a state of exactly the types of the first one, in one number."""
        found: int = self._one(self._game, state, self.address)
        return found

    def look_up_all(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same of many, given by their leaves."""
        assert self.probes is not None
        answers = np.empty(len(rows), np.int64)
        flat = np.ascontiguousarray(rows, np.int64).reshape(-1)
        block = self._block.ctypes.data
        self.probes.many(self.probes.game, self.probes.form, self.address, block, flat, self.leaves, answers)
        return answers


def _described(level: Level) -> NDArray[np.int64]:
    """A level as a row of numbers and addresses."""
    starts, shift = level.index()
    width = len(level.some)
    row = np.zeros(places.BITS + 2 * width, np.int64)
    assert level.values is not None
    assert level.ends is not None
    row[places.ROWS_AT], row[places.COUNT] = level.rows.ctypes.data, len(level.rows)
    row[places.STARTS_AT], row[places.STARTS_COUNT] = starts.ctypes.data, len(starts)
    row[places.SHIFT] = shift
    row[places.VALUES_AT], row[places.ENDS_AT] = level.values.ctypes.data, level.ends.ctypes.data
    row[places.BITS :] = np.array([*level.some, *level.all], np.uint64).view(np.int64)
    return row
