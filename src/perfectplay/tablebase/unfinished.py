"""Unfinished: what a build of a table of a game with chance has reached, kept in its directory.

    expectations.unfinished           what is known of it, with the checksums of the files below
    expectations.unfinished-NAME      an array: where all positions lead, and the limits of their values

Files that are not what was written, and those of other rules, are as good as none: the build begins anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.files import write_whole
from perfectplay.tablebase import build_state
from perfectplay.tablebase.storage import open_new, open_plain

NAME = "expectations.unfinished"
POSITIONS = {
    "keys": "<u8",
    "kinds": "u1",
    "chances": "<f8",
    **dict.fromkeys(("bounds", "firsts", "targets"), "<i8"),
}
LIMITS = {"lower": "<f8", "upper": "<f8"}
KINDS = 3  # the highest of what happens in a position
Arrays = dict[str, NDArray[Any]]


def is_unfinished_work(name: str) -> bool:
    """Is this the name of such a file?"""
    return name.startswith(NAME)


@dataclass
class Found:
    """All positions, those of a tier one after the other, and how far their values are known."""

    keys: NDArray[np.uint64]
    bounds: NDArray[np.int64]  # where tiers begin, and the last one ends
    least: float  # of all utilities
    most: float
    tiers: int = 0  # that are solved, from the last
    partly: int = 0  # sweeps over the next one
    sweeps: int = 0  # over all that are solved


class Unfinished:
    """The files of a build that is not finished."""

    def __init__(self, directory: Path, identity: dict[str, Any]) -> None:
        self.directory = directory
        self.identity = identity
        self.saved = monotonic()
        self.files: dict[str, Any] = {}
        self.turn = 0  # limits are written beside those before, which hold until all of them are there

    @property
    def is_due(self) -> bool:
        """Has so much work been done since the last time that it should be kept?"""
        return monotonic() - self.saved > build_state.PAUSE

    def save(self, found: Found, positions: Callable[[], Arrays], limits: Arrays) -> None:
        """Keep what was reached."""
        if not self.files:
            arrays = {"keys": found.keys, "bounds": found.bounds, **positions()}
            self.files = {name: self._written(name, arrays[name], POSITIONS[name]) for name in POSITIONS}
        self.turn = 1 - self.turn
        for name, array in limits.items():
            self.files[name] = self._written(f"{name}-{self.turn}", array, LIMITS[name])
        known = {name: getattr(found, name) for name in ("least", "most", "tiers", "partly", "sweeps")}
        write_whole(self.directory / NAME, json.dumps(self.identity | known | {"files": self.files}))
        self.saved = monotonic()

    def _written(self, name: str, array: NDArray[Any], dtype: str) -> dict[str, Any]:
        data = array.astype(dtype).tobytes()
        with open_new(self.directory / f"{NAME}-{name}") as file:
            file.write(data)
        return {"file": name, "bytes": len(data), "checksum": blake2b(data, digest_size=16).hexdigest()}

    def known(self) -> tuple[Found, Arrays] | None:
        """What an earlier build of the same has reached, if there is one."""
        try:
            with open_plain(self.directory / NAME) as file:
                manifest = json.load(file)
            if any(manifest[name] != value for name, value in self.identity.items()):
                return None
            files = manifest["files"]
            arrays = {name: self._read(files[name], dtype) for name, dtype in (POSITIONS | LIMITS).items()}
            keys, bounds = arrays.pop("keys"), arrays.pop("bounds")
            numbers = [int(manifest[name]) for name in ("tiers", "partly", "sweeps")]
            found = Found(keys, bounds, float(manifest["least"]), float(manifest["most"]), *numbers)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        if not _fits(found, arrays):
            return None
        self.files, self.turn = files, int(str(files["lower"]["file"]).endswith("1"))
        return found, arrays

    def _read(self, known: dict[str, Any], dtype: str) -> NDArray[Any]:
        """An array as it was written; ValueError if it is another."""
        name = known["file"]
        if name not in {*POSITIONS, *(f"{each}-{turn}" for each in LIMITS for turn in (0, 1))}:
            raise ValueError(name)
        with open_plain(self.directory / f"{NAME}-{name}") as file:
            data = file.read(int(known["bytes"]) + 1)
        if len(data) != known["bytes"] or blake2b(data, digest_size=16).hexdigest() != known["checksum"]:
            raise ValueError(name)
        array = np.frombuffer(data, dtype)
        return array.astype(np.int64) if dtype == "u1" else array  # as it is in memory

    def remove(self) -> None:
        """Take the files away."""
        for file in self.directory.iterdir():
            if is_unfinished_work(file.name):
                file.unlink()


def _fits(found: Found, arrays: Arrays) -> bool:
    """Do the arrays fit each other? Machine code goes by their numbers, whoever wrote them."""
    count, targets, bounds, firsts = len(found.keys), arrays["targets"], found.bounds, arrays["firsts"]
    if count == 0 or len(bounds) < 2 or len(targets) != len(arrays["chances"]):
        return False
    sizes = len(arrays["kinds"]), len(firsts) - 1, len(arrays["lower"]), len(arrays["upper"])
    return bool(
        sizes == (count,) * 4
        and (bounds[0], bounds[-1]) == (0, count)
        and (np.diff(bounds) > 0).all()
        and (firsts[0], firsts[-1]) == (0, len(targets))
        and (np.diff(firsts) >= 0).all()
        and (len(targets) == 0 or (targets.min() >= 0 and targets.max() < count))
        and arrays["kinds"].max() <= KINDS
        and isfinite(found.least)
        and isfinite(found.most)
        and 0 <= found.tiers < len(bounds)
        and min(found.partly, found.sweeps) >= 0
    )
