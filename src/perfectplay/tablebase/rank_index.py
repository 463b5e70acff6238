"""Index of ranks: what a compiled probe of a table by rank needs in memory, compressed or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.records import Room, made_raw, raw_class
from perfectplay.tablebase import rank_kernels
from perfectplay.tablebase.block_index import Slots
from perfectplay.tablebase.checksums import believed
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import code_bytes
from perfectplay.tablebase.probe_index import Probes
from perfectplay.tablebase.rank_kernels import WANTED

ROOM = Room()  # there are no states in these records
SIZE = 4  # bytes of a rank in a slot


class RankProbes(Probes):
    """The two kernels that look states up by their ranks."""

    single, batch = "look_up_by_rank", "look_up_all_by_rank"


class RankIndex:
    """What one thread looks states up with; it unpacks blocks as they are wanted, and forgets the oldest."""

    def __init__(
        self, probes: RankProbes, encoding: Encoding, levels: Sequence[Level], manifest: dict[str, Any]
    ) -> None:
        self.probes = probes
        self._one, self._game = probes.one, probes.game
        self.blocks = [level.blocks for level in levels if level.blocks is not None]
        self.compressed = bool(self.blocks)
        self.each = manifest["rows"] if self.compressed else 1
        self.slots = Slots(self.blocks, self.each * SIZE)
        self.values = np.empty(len(self.slots) * self.each + 1, np.uint16)
        self.ends = np.empty(len(self.slots) * self.each + 1, np.uint16)
        self.leaves = encoding.form.count
        self.record = made_raw(
            rank_kernels.RankIndex,
            ROOM,
            levels=self._levels(levels, manifest),
            levels_count=len(levels),
            value_bytes=code_bytes(manifest),
            symmetry=manifest["symmetry"],
            compressed=self.compressed,
            rows_each=self.each,
            values=self.values,
            ends=self.ends,
            leaves=np.zeros(self.leaves, np.int64),
        )
        self._scratch = np.zeros(self.leaves, np.int64)

    def look_up(self, state: Any) -> int:
        """What the table says of a state of exactly the types of the first one, in one number."""
        found: int = self._one(self._game, state, self.record)
        while found <= WANTED:
            self._fetch(WANTED - found)
            found = self._one(self._game, state, self.record)
        return found

    def look_up_all(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same of many, given by their leaves; each block that is wanted is unpacked once."""
        answers = np.empty(len(rows), np.int64)
        self._ask(rows, answers)
        left = np.flatnonzero(answers <= WANTED)
        while len(left):
            left = left[np.argsort(answers[left], kind="stable")[::-1]]
            some = _first_of_each(answers[left])[: len(self.slots)]
            for block in answers[left][some].tolist():
                self._fetch(WANTED - block)
            found = np.empty(len(left), np.int64)
            self._ask(rows[left], found)
            answers[left] = found
            left = left[found <= WANTED]
        return answers

    def _ask(self, rows: NDArray[np.int64], answers: NDArray[np.int64]) -> None:
        probes = self.probes
        flat = np.ascontiguousarray(rows, np.int64).reshape(-1)
        probes.many(probes.game, probes.form, self.record, self._scratch, flat, self.leaves, answers)

    def _fetch(self, wanted: int) -> None:
        """Unpack a block, in the place of the one that came first."""
        number, block = wanted >> 32, wanted & 0xFFFFFFFF
        values, ends = self.blocks[number].block(block)[1:]
        slot = self.slots.take(number, block)
        at = slice(slot * self.each, slot * self.each + len(values))
        self.values[at] = values
        if values.dtype.itemsize == 1:
            self.values[at][values == rank_kernels.NARROW_NOTHING] = rank_kernels.NOTHING
        self.ends[at] = ends
        self.slots.places[number][block] = slot

    def _levels(self, levels: Sequence[Level], manifest: dict[str, Any]) -> Any:
        """Levels as an array of records, which keeps alive what they refer to."""
        array: Any = (raw_class(rank_kernels.RankedLevel, ROOM) * len(levels))()
        array.kept = []
        nothing = np.zeros(1, np.uint16)
        for place, (level, known) in enumerate(zip(levels, manifest["levels"], strict=True)):
            values = nothing if level.values is None else level.values
            ends = nothing if level.ends is None else level.ends
            files = {
                f"{kind}_file": level.checksums[kind].record() if kind in level.checksums else believed(data)
                for kind, data in (("values", values), ("ends", ends))
            }
            described = made_raw(
                rank_kernels.RankedLevel,
                ROOM,
                tier=known["tier"],
                count=known["ranks"],
                narrow_values=values,
                values=values,
                ends=ends,
                slots=self.slots.places[place] if self.compressed else np.zeros(1, np.int64),
                **files,
            )
            array[place] = described
            array.kept.append(described)
        return array


def _first_of_each(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each different number of an array in order begins."""
    return np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
