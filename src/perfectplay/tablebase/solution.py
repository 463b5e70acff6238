"""Solution: what every position is worth, from the last level back to the first.

Where every action leads to a later level, a level is solved in one go. Where actions stay in a level or
lead back, the levels in question are solved together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from perfectplay.errors import BrokenGameError
from perfectplay.tablebase.build_state import Build
from perfectplay.tablebase.level_solver import Codes, LevelSolver
from perfectplay.tablebase.retrograde import Retrograde
from perfectplay.tablebase.storage import write_arrays

PIECE = 1 << 22  # positions whose values are kept in a file of their own until the level is finished
MOST_VALUES = 0xFF00


def solve(build: Build) -> None:
    """Give every position its value and its remoteness, and finish the manifest."""
    manifest = build.manifest
    if "values" not in manifest:
        utilities = set(manifest["utilities"])
        _check_values(utilities)
        manifest["values"] = sorted(_plain(value) for value in utilities)
        manifest["value_bytes"] = 1 if len(utilities) <= 250 else 2
        build.save()
    Solution(build).run()
    for name in ("utilities", "pieces", "together"):
        manifest.pop(name, None)
    manifest["positions"] = sum(level["positions"] for level in manifest["levels"])
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
    return int(value) if float(value).is_integer() else value


class Solution(LevelSolver):
    """The levels as they are solved, one after the other or together."""

    def run(self) -> None:
        """Solve what is not solved yet, the last first."""
        for group in reversed(self._groups()):
            if all("values" in self.manifest["levels"][number] for number in group):
                continue
            if self.manifest["levels"][group[0]]["regular"]:
                self._solve_level(group[0])
            else:
                Retrograde(self, group).run()

    def _groups(self) -> list[list[int]]:
        """The levels that must be solved together, each group in order."""
        levels = self.manifest["levels"]
        if self.manifest["tiers"] or all(level["regular"] for level in levels):
            return [[number] for number in range(len(levels))]
        return [list(range(len(levels)))]

    # One level, whose successors are all solved.

    def _solve_level(self, number: int) -> None:
        rows = self.levels[number].rows
        pieces = self.manifest.setdefault("pieces", [])
        for begin in range(0, len(rows), PIECE):
            end = min(begin + PIECE, len(rows))
            if any(piece["begin"] == begin for piece in pieces):
                self.tell(number, end - begin)
                continue
            solved = []
            for block in self._solved(number, begin, end):
                solved.append(block)
                self.tell(number, len(block[0]))
            values, ends = (np.concatenate(arrays) for arrays in zip(*solved, strict=True))
            if end - begin == len(rows):
                self.finish([(number, [values], [ends])])
                return
            for kind, array in (("values", values), ("ends", ends)):
                name = f"piece-{number:04}-{begin:012}-{kind}"
                written = write_arrays(self.build.directory / name, [array])
                pieces.append({"file": name, "begin": begin, **written})
            self.build.save()
        self.finish([(number, self._pieces("values"), self._pieces("ends"))])

    def _solved(self, number: int, first: int, last: int) -> Iterator[tuple[Codes, Codes]]:
        """The values and the remoteness of the positions of a level, block by block."""

        def work(begin: int, end: int) -> tuple[Codes, Codes]:
            block = self.block(number, begin, end)
            self.check(number, block)
            values, ends = self.chosen(block)
            self.check_ends(values, ends)
            return values, ends

        return self.each_block(work, first, last)

    def _pieces(self, kind: str) -> Iterator[Codes]:
        """The pieces of a level, one after the other."""
        names = sorted(each["file"] for each in self.manifest["pieces"] if each["file"].endswith(kind))
        return (np.fromfile(self.build.directory / name, np.uint16) for name in names)
