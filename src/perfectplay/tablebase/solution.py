"""Solution: what every position is worth, from the last level back to the first.

Where every action leads to a later level, a level is solved in one go. Where actions stay in a level or
lead back, the levels in question are solved together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.description import describe
from perfectplay.tablebase.level_solver import Codes, LevelSolver
from perfectplay.tablebase.manifest import value_bytes
from perfectplay.tablebase.retrograde import Retrograde
from perfectplay.tablebase.storage import write_arrays

PIECE = 1 << 22  # positions whose values are kept in a file of their own until the level is finished
KINDS = ("values", "ends")  # what pieces have
CODE = 2  # bytes of a value, or of a remoteness, in a piece
MOST_VALUES = 0xFF00

Kept = dict[int, tuple[Codes, ...]]  # by where in a level they begin: values, and remoteness


def solve(build: Build, make: Callable[[Build], Solution] | None = None) -> None:
    """Give every position its value and its remoteness, and finish the manifest.

    `make` makes the solution, if it is to be found in another way than on this machine alone.
    """
    manifest = build.manifest
    if "values" not in manifest:
        utilities = set(manifest["utilities"])
        _check_values(utilities)
        manifest["values"] = sorted(_plain(value) for value in utilities)
        manifest["value_bytes"] = value_bytes(len(utilities))
        build.save()
    (make or Solution)(build).run()
    for name in ("utilities", "pieces", "together"):
        manifest.pop(name, None)
    manifest["positions"] = sum(level["positions"] for level in manifest["levels"])
    manifest["description"] = describe(build)
    manifest["phase"] = "done"
    build.save()
    build.clean()


def _check_values(utilities: set[float]) -> None:
    odd = [value for value in utilities if not np.isfinite(value)]
    if odd:
        raise BrokenGameError(f"utility() gave {odd[0]}, which is no value: give a finite number.")
    if len(utilities) > MOST_VALUES:
        raise BrokenGameError(
            f"the game has {len(utilities):,} different utilities: at most {MOST_VALUES:,}."
        )


def _plain(value: float) -> float:
    return int(value) if float(value).is_integer() and abs(value) <= 1 << 53 else value


class Solution(LevelSolver):
    """The levels as they are solved, one after the other or together."""

    def run(self) -> None:
        """Solve what is not solved yet, the last first."""
        for group in reversed(self._groups()):
            if all("values" in self.manifest["levels"][number] for number in group):
                continue
            if self.manifest["levels"][group[0]]["regular"]:
                self.solve_level(group[0])
            else:
                self.solve_together(group)

    def solve_together(self, group: Sequence[int]) -> None:
        """Solve levels that lead to each other."""
        Retrograde(self, group).run()

    def _groups(self) -> list[list[int]]:
        """The levels that must be solved together, each group in order."""
        levels = self.manifest["levels"]
        if self.manifest["tiers"] or all(level["regular"] for level in levels):
            return [[number] for number in range(len(levels))]
        return [list(range(len(levels)))]

    # One level, whose successors are all solved.

    def solve_level(self, number: int) -> None:
        """Solve a level all of whose successors are solved."""
        rows = self.levels[number].rows
        pieces = self.manifest.setdefault("pieces", [])
        kept: Kept = {}
        self.tell(number, len(rows) - sum(end - begin for begin, end in self.unsolved(number, len(rows))))
        for begin, end in self.unsolved(number, PIECE):
            solved = []
            for block in self._solved(number, begin, end):
                solved.append(block)
                self.tell(number, len(block[0]))
            kept[begin] = tuple(np.concatenate(arrays) for arrays in zip(*solved, strict=True))
            held = sum(array.nbytes for arrays in kept.values() for array in arrays)
            if self.build.due or held > self.build.budget.arrays // 4:
                pieces += self._written(number, kept)
                kept = {}
            if self.build.due:
                self.build.save()
        self.finish([(number, self._pieces(0, kept), self._pieces(1, kept))])

    def _written(self, number: int, kept: Kept) -> Iterator[dict[str, Any]]:
        """Write what is solved of a level to files; what the manifest should know of them."""
        for begin, arrays in kept.items():
            for kind, array in zip(KINDS, arrays, strict=True):
                name = f"piece-{number:04}-{begin:012}-{kind}"
                yield {"file": name, "begin": begin, **write_arrays(self.build.directory / name, [array])}

    def unsolved(self, number: int, most: int) -> list[tuple[int, int]]:
        """Where in a level the positions are that no piece has yet, so many at most in each stretch."""
        found, last = [], 0
        begun = [piece for piece in self.manifest["pieces"] if piece["file"].endswith("values")]
        have = [(piece["begin"], piece["begin"] + piece["bytes"] // CODE) for piece in begun]
        count = len(self.levels[number].rows)
        for begin, end in (*sorted(have), (count, count)):
            found += [(at, min(at + most, begin)) for at in range(last, begin, most)]
            last = end
        return found

    def _solved(self, number: int, first: int, last: int) -> Iterator[tuple[Codes, Codes]]:
        """The values and the remoteness of the positions of a level, block by block."""

        def work(begin: int, end: int) -> tuple[Codes, Codes]:
            block = self.block(number, begin, end)
            self.check(number, block)
            values, ends = self.chosen(block)
            self.check_ends(values, ends)
            return values, ends

        return self.each_block(work, first, last)

    def _pieces(self, kind: int, kept: Kept) -> Iterator[Codes]:
        """The values, or the remoteness, of a level: of the pieces in files, and of those that are kept."""
        found: dict[int, Any] = {begin: arrays[kind] for begin, arrays in kept.items()}
        for piece in self.manifest["pieces"]:
            if piece["file"].endswith(KINDS[kind]):
                found[piece["begin"]] = self.build.directory / piece["file"]
        for _, piece in sorted(found.items()):
            yield np.fromfile(piece, np.uint16) if isinstance(piece, Path) else piece

    def pieces(self, kind: str) -> list[str]:
        """The files of the pieces of a level, in their order."""
        return sorted(each["file"] for each in self.manifest["pieces"] if each["file"].endswith(kind))
