"""Read a tablebase without perfectplay, by docs/tablebase-format.md, with Python, json and zstandard alone.

python examples/read_tablebase.py DIR              what is in it, and its first position
python examples/read_tablebase.py DIR NUMBER ...   the position with these numbers (its leaves)
python examples/read_tablebase.py DIR TIER RANK    the same where positions are stored by rank
"""

import json
import sys
from hashlib import blake2b
from pathlib import Path
from zlib import crc32


class Table:
    """A directory with a finished tablebase."""

    def __init__(self, directory):
        self.directory = Path(directory)
        text = (self.directory / "manifest.json").read_bytes()
        self.manifest = json.loads(text)
        lines = [line for line in text.split(b"\n") if not line.startswith(b' "checksum": ')]
        digest = blake2b(b"\n".join(lines).removesuffix(b"\n"), digest_size=16).hexdigest()
        assert digest == self.manifest["checksum"], "the manifest is damaged"
        assert (self.manifest["format"], self.manifest["version"]) == ("perfectplay-tablebase", 2)
        assert self.manifest["phase"] == "done", "it is not finished"
        layout = self.manifest["layout"]
        self.masks = [int(mask, 16) for mask in layout.get("masks", [])]
        self.lows = [int(low, 16) for low in layout.get("lows", [])]
        self.bases = [int(base, 16) for base in layout.get("bases", [])]
        bits = layout["bits"] if "bits" in layout else sum(mask.bit_count() for mask in self.masks)
        self.by_rank = self.manifest.get("by_rank", False)
        self.size = 0 if self.by_rank else max(1, -(-bits // 8))  # bytes of a packed state
        self.outcomes = self.manifest.get("outcomes", False)
        self.values = [-1, 0, 1] if self.outcomes else self.manifest["values"]
        self.value_bytes = 1 if self.outcomes else self.manifest["value_bytes"]

    def file(self, number, kind):
        """The bytes of a file of a level, if its checksums are right."""
        known = self.manifest["levels"][number][kind]
        data = (self.directory / f"level-{number:04}.{kind.replace('_', '-')}").read_bytes()
        block = self.manifest["block"]
        sums = [crc32(data[at : at + block]) for at in range(0, len(data), block)]
        assert (len(data), sums) == (known["bytes"], known["checksums"]), (
            f"{kind} of level {number} is damaged"
        )
        return data

    def level(self, number):
        """All positions of a level: packed states, or ranks; values by number; and remoteness."""
        known = self.manifest["levels"][number]
        if self.by_rank:
            values, ends = self.ranked(number, known["ranks"])
            there = [rank for rank, value in enumerate(values) if value != 256**self.value_bytes - 1]
            return there, [values[rank] for rank in there], [ends[rank] for rank in there]
        if "blocks" in known:
            return self.compressed(number, known["positions"])
        states = numbers(self.file(number, "states"), self.size)[: known["positions"]]
        values = numbers(self.file(number, "values"), self.value_bytes)
        return states, values, numbers(self.file(number, "ends"), 2)

    def ranked(self, number, ranks):
        """The values and the remoteness of all ranks of a level, of those too that no position has."""
        if "blocks" in self.manifest["levels"][number]:
            return self.compressed(number, ranks)[1:]
        values = numbers(self.file(number, "values_by_rank"), self.value_bytes)
        return values, numbers(self.file(number, "ends_by_rank"), 2)

    def compressed(self, number, positions):
        """The same of a compressed level."""
        import zstandard

        index, blocks = self.file(number, "index"), self.file(number, "blocks")
        count = -(-positions // self.manifest["rows"])
        begins = numbers(index[: 8 * (count + 1)], 8)
        firsts = [0] * count if self.by_rank else numbers(index[8 * (count + 1) :], self.size)
        states, values, ends = [], [], []
        for block in range(count):
            data = zstandard.ZstdDecompressor().decompress(blocks[begins[block] : begins[block + 1]])
            rows = min(self.manifest["rows"], positions - block * self.manifest["rows"])
            planes = [data[at : at + rows] for at in range(0, len(data), rows)]
            middle = self.size + self.value_bytes
            state = firsts[block]
            for step in together(planes[: self.size]):
                state = state + step if self.size <= 8 else state ^ step
                states.append(state)
            values += together(planes[self.size : middle])
            ends += [0] * rows if self.outcomes else together(planes[middle:])
        return states, values, ends

    def pack(self, leaves):
        """The number that the leaves of a state become, where the manifest has a layout for them; or None."""
        packed = up = 0
        for leaf, low, base, mask in zip(leaves, self.lows, self.bases, self.masks):
            rest = leaf - low
            if rest < 0 or (rest ^ base) & ~mask:
                return None
            for bit in range(mask.bit_length()):
                if mask >> bit & 1:
                    packed |= (rest >> bit & 1) << up
                    up += 1
        return packed

    def unpack(self, packed):
        """And back."""
        leaves = []
        for low, base, mask in zip(self.lows, self.bases, self.masks):
            rest = base & ~mask
            for bit in range(mask.bit_length()):
                if mask >> bit & 1:
                    rest |= (packed & 1) << bit
                    packed >>= 1
            leaves.append(rest + low)
        return leaves

    def probe(self, packed):
        """The value to MAX (None: a draw) and the remoteness of a packed state; None if it is not there."""
        for number, known in enumerate(self.manifest["levels"]):
            some, every = (
                sum(int(word, 16) << 64 * at for at, word in enumerate(known[name]))
                for name in ("some", "all")
            )
            if packed & ~some or every & ~packed:
                continue
            states, codes, ends = self.level(number)
            if packed in states:
                return self.told(states.index(packed), codes, ends)
        return None

    def probe_rank(self, tier, rank):
        """The same by tier and rank, where positions are stored so."""
        for number, known in enumerate(self.manifest["levels"]):
            ranks, codes, ends = self.level(number) if known["tier"] == tier else ([], [], [])
            if rank in ranks:
                return self.told(ranks.index(rank), codes, ends)
        return None

    def told(self, place, codes, ends):
        """The value and the remoteness at a place of a level."""
        if codes[place] >= len(self.values):
            return None, None
        return self.values[codes[place]], None if self.outcomes else ends[place]


def numbers(data, size):
    """Little-endian integers without a sign, so many bytes each."""
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data) - size + 1, size)]


def together(planes):
    """The numbers whose first bytes are in the first plane, their second bytes in the second, and so on."""
    return [int.from_bytes(bytes(number), "little") for number in zip(*planes)]


def connect_four(cells, mover, rows):
    """Connect Four as its game packs it: X and O by columns, each from below; `mover` is who moves."""
    packed = 0
    for column, stones in enumerate(cells):
        for row, stone in enumerate(stones):
            packed += ((stone == mover) + 1) << column * (rows + 1) + row
    return packed


def nim(left, heaps, turn):
    """Nim by rank: what is left of each heap, as it began with `heaps`; `turn` is 0 where MAX moves."""
    rank = 0
    for size, heap in zip(reversed(left), reversed(heaps)):
        rank = rank * (heap + 1) + size
    return 2 * rank + turn


def told(answer):
    """A position in words."""
    if answer is None:
        return "not there"
    value, remoteness = answer
    if value is None or remoteness is None:
        return outcome(value)
    return f"{outcome(value)}, {value} to MAX, {remoteness} plies from the end"


def outcome(value):
    """Who wins, by a value to MAX; None is a draw."""
    return "draw" if value is None else "tie" if value == 0 else "MAX wins" if value > 0 else "MIN wins"


def main():
    """Show a table, or a position of it."""
    table = Table(sys.argv[1])
    known = table.manifest
    if len(sys.argv) > 2 and table.by_rank:
        print(told(table.probe_rank(*(int(number, 0) for number in sys.argv[2:4]))))
        return
    if len(sys.argv) > 2:
        print(told(table.probe(table.pack([int(leaf, 0) for leaf in sys.argv[2:]]))))
        return
    example = known["description"]["example"]
    print(f"{known['game']}: {known['positions']} positions in {len(known['levels'])} levels")
    print(known["description"]["symmetry"])
    counts = dict.fromkeys(("MAX wins", "MIN wins", "tie", "draw"), 0)
    for number in range(len(known["levels"])):
        for code in table.level(number)[1]:
            counts[outcome(table.values[code] if code < len(table.values) else None)] += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    for place, field in enumerate(known["description"].get("fields", [])):
        turn = " (MAX moves where it is even)" if known["description"]["to_move"].get("even") == place else ""
        print(f"leaf {place}, {field['name']}: {field['meaning']}{turn}")
    if table.by_rank:
        tier, rank = known["levels"][0]["tier"], example["place"]
        print(f"tier {tier}, rank {rank}: {told(table.probe_rank(tier, rank))}")
    else:
        print(f"packed 0x{example['packed']}: {told(table.probe(int(example['packed'], 16)))}")


if __name__ == "__main__":
    main()
