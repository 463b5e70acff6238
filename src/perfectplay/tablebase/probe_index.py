"""Index for probes: everything that a compiled probe needs, as records in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.forms import Form
from perfectplay.compiler.records import Room, made_raw, raw_class
from perfectplay.engine import endgames
from perfectplay.game import Game
from perfectplay.tablebase.checksums import believed
from perfectplay.tablebase.compiled_kernels import compiled_kernel
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import code_bytes, stored_values

ROOM = Room()  # there are no states in these records


class Probes:
    """The two kernels that look states up."""

    single, batch = "look_up", "look_up_all"

    def __init__(self, game: Game[Any, Any], form: Form, mode: str | bool) -> None:
        self.game = game
        self.form = form
        self.one, self.why_not = compiled_kernel(game, form, self.single, mode)
        self._many: Any = None

    @property
    def many(self) -> Any:
        """The one for many states, compiled when it is first wanted."""
        if self._many is None:
            self._many, _ = compiled_kernel(self.game, self.form, self.batch, "always")
        return self._many


class ProbeIndex:
    """What one thread looks states up with; it keeps alive what it has the addresses of."""

    def __init__(
        self, probes: Probes | None, encoding: Encoding, levels: Sequence[Level], manifest: dict[str, Any]
    ) -> None:
        self.probes = probes
        self._one: Any = probes and probes.one
        self._game = probes and probes.game
        self.leaves = encoding.form.count
        (top,) = {level.rows.top for level in levels} or {np.uint64(0)}
        self.record = made_raw(
            endgames.ProbeIndex,
            ROOM,
            packing=encoding.raw_packing(),
            row_bytes=encoding.row_bytes,
            top=int(top),
            tiers=manifest["tiers"],
            levels=_in_memory(levels, [level["tier"] for level in manifest["levels"]]),
            levels_count=len(levels),
            value_bytes=code_bytes(manifest),
            symmetry=manifest["symmetry"],
            worths=np.array([*stored_values(manifest), 0.0], np.float64),
            worths_count=len(stored_values(manifest)),
            leaves=np.zeros(self.leaves, np.int64),
            words=np.zeros(encoding.width, np.uint64),
        )
        self._block = np.zeros(self.leaves, np.int64)

    def look_up(self, state: Any) -> int:
        """What the table says of a state of exactly the types of the first one, in one number."""
        found: int = self._one(self._game, state, self.record)
        return found

    def look_up_all(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same of many, given by their leaves."""
        assert self.probes is not None
        answers = np.empty(len(rows), np.int64)
        flat = np.ascontiguousarray(rows, np.int64).reshape(-1)
        probes = self.probes
        probes.many(probes.game, probes.form, self.record, self._block, flat, self.leaves, answers)
        return answers


def _in_memory(levels: Sequence[Level], tiers: Sequence[int]) -> Any:
    """Levels as an array of records, which keeps alive what they refer to."""
    array: Any = (raw_class(endgames.SolvedLevel, ROOM) * len(levels))()
    array.kept = []
    for place, (level, tier) in enumerate(zip(levels, tiers, strict=True)):
        starts, shift = level.index()
        assert level.values is not None
        assert level.ends is not None
        described = made_raw(
            endgames.SolvedLevel,
            ROOM,
            tier=tier,
            rows=level.rows.data,
            count=len(level.rows),
            starts=starts,
            starts_count=len(starts),
            shift=shift,
            narrow_values=level.values,
            values=level.values,
            ends=level.ends,
            rows_file=_checked(level, "states", level.rows.data),
            values_file=_checked(level, "values", level.values),
            ends_file=_checked(level, "ends", level.ends),
            some=np.array(level.some, np.uint64),
            every=np.array(level.all, np.uint64),
        )
        array[place] = described
        array.kept.append(described)
    return array


def _checked(level: Level, kind: str, data: NDArray[Any]) -> Any:
    """A file of a level with the checksums of its blocks, if it is a file."""
    return level.checksums[kind].record() if kind in level.checksums else believed(data)
