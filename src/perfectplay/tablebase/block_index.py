"""Index of blocks: what a compiled probe of a compressed table needs in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.records import Room, made_raw, raw_class
from perfectplay.tablebase.block_kernels import NO_SLOT, BlockIndex, PackedLevel
from perfectplay.tablebase.blocks import Blocks
from perfectplay.tablebase.encoding import Encoding
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.probe_index import Probes
from perfectplay.tablebase.rows import in_memory

ROOM = Room()  # there are no states in these records
CACHE = 64 << 20  # bytes of unpacked blocks
LEAST_SLOTS = 8


class BlockProbes(Probes):
    """The two kernels that look states up in blocks."""

    single, batch = "look_up_in_blocks", "look_up_all_in_blocks"


class Slots:
    """Places for unpacked blocks, of which the one that came first gives way."""

    def __init__(self, blocks: Sequence[Blocks], block_bytes: int) -> None:
        self.places = [np.full(len(each.firsts), NO_SLOT, np.int64) for each in blocks]  # by level and block
        count = min(sum(map(len, self.places)), max(CACHE // block_bytes, LEAST_SLOTS))
        self._owners: list[tuple[int, int] | None] = [None] * count  # level and block that each is of
        self._next = 0

    def __len__(self) -> int:
        return len(self._owners)

    def take(self, level: int, block: int) -> int:
        """A slot for a block, from which the one that was there is gone."""
        slot = self._next
        self._next = (slot + 1) % len(self._owners)
        if (owner := self._owners[slot]) is not None:
            self.places[owner[0]][owner[1]] = NO_SLOT
        self._owners[slot] = level, block
        return slot


class PackedIndex:
    """What one thread looks states up with; it unpacks blocks as they are wanted, and forgets the oldest."""

    def __init__(
        self, probes: BlockProbes, encoding: Encoding, levels: Sequence[Level], manifest: dict[str, Any]
    ) -> None:
        self.probes = probes
        self._one, self._game = probes.one, probes.game
        self.blocks = [_blocks_of(level) for level in levels]
        each, width = manifest["rows"], encoding.width
        first = self.blocks[0]
        self._size = each * first.block_bytes  # of the planes of a slot
        self.slots = Slots(self.blocks, each * 8 * width + self._size)
        slots = len(self.slots)
        self.counts = np.zeros(slots, np.int64)
        self.leaves = encoding.form.count
        self.planes = np.empty(slots * self._size, np.uint8)
        self._planes = memoryview(self.planes.data)  # which is quicker to write to than an array
        self.record = made_raw(
            BlockIndex,
            ROOM,
            packing=encoding.raw_packing(),
            row_bytes=encoding.row_bytes,
            top=int(levels[0].rows.top),
            tiers=manifest["tiers"],
            levels=self._levels(levels, [level["tier"] for level in manifest["levels"]]),
            levels_count=len(levels),
            value_bytes=first.value_bytes,
            end_bytes=first.end_bytes,
            symmetry=manifest["symmetry"],
            leaves=np.zeros(self.leaves, np.int64),
            words=np.zeros(width, np.uint64),
            rows_each=each,
            rows=np.empty(slots * each * width, np.uint64),
            counts=self.counts,
            planes_each=self._size,
            planes=self.planes,
            level=0,
            block=0,
            slot=NO_SLOT,
        )
        self._scratch = np.zeros(self.leaves, np.int64)

    def look_up(self, state: Any) -> int:
        """What the table says of a state of exactly the types of the first one, in one number."""
        found: int = self._one(self._game, state, self.record)
        while found < -1:
            self._fetch(-2 - found)
            found = self._one(self._game, state, self.record)
        return found

    def look_up_all(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same of many, given by their leaves; each block that is wanted is unpacked once."""
        answers = np.empty(len(rows), np.int64)
        self._ask(rows, answers)
        left = np.flatnonzero(answers < -1)
        while len(left):
            left = left[np.argsort(answers[left], kind="stable")[::-1]]
            wanted = answers[left]
            ends = np.append(np.flatnonzero(wanted[1:] != wanted[:-1]) + 1, len(left)).tolist()
            begin = 0
            for end in ends:
                group = left[begin:end]
                self._fetch(-2 - int(wanted[begin]))
                found = np.empty(len(group), np.int64)
                self._ask(rows[group], found)
                answers[group] = found
                begin = end
            left = left[answers[left] < -1]
        return answers

    def _ask(self, rows: NDArray[np.int64], answers: NDArray[np.int64]) -> None:
        probes = self.probes
        flat = np.ascontiguousarray(rows, np.int64).reshape(-1)
        probes.many(probes.game, probes.form, self.record, self._scratch, flat, self.leaves, answers)

    def _fetch(self, wanted: int) -> None:
        """Have a block unpacked by the next call, in the place of the one that came first."""
        number, block = wanted >> 32, wanted & 0xFFFFFFFF
        blocks = self.blocks[number]
        data = blocks.inflated(block)
        slot = self.slots.take(number, block)
        self.counts[slot] = blocks.size(block)
        begin = slot * self._size
        self._planes[begin : begin + len(data)] = data
        record = self.record
        record.level, record.block, record.slot = number, block, slot

    def _levels(self, levels: Sequence[Level], tiers: Sequence[int]) -> Any:
        """Levels as an array of records, which keeps alive what they refer to."""
        array: Any = (raw_class(PackedLevel, ROOM) * len(levels))()
        array.kept = []
        for place, (level, tier) in enumerate(zip(levels, tiers, strict=True)):
            blocks = self.blocks[place]
            described = made_raw(
                PackedLevel,
                ROOM,
                tier=tier,
                firsts=in_memory(blocks.firsts, blocks.row_bytes).data,
                count=len(blocks.firsts),
                slots=self.slots.places[place],
                some=np.array(level.some, np.uint64),
                every=np.array(level.all, np.uint64),
            )
            array[place] = described
            array.kept.append(described)
        return array


def _blocks_of(level: Level) -> Blocks:
    assert level.blocks is not None
    return level.blocks
