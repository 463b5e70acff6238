"""ExpectationTable: between which limits the value of every position of a game with chance is, on disk.

The error is half the distance of the limits, at most. No two positions have one key: a build looks.
"""

from __future__ import annotations

import os
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.errors import (
    BadTablebaseError,
    DamagedTablebaseError,
    GameOverError,
    UnknownStateError,
)
from perfectplay.game import CHANCE, MAX, WORD, Game, choices, same_side
from perfectplay.tablebase import expectation_blocks
from perfectplay.tablebase.expectation_blocks import ROWS, Blocks, Columns
from perfectplay.tablebase.expectation_files import FILES, opened, read_expectations, write_expectations
from perfectplay.tablebase.identity import identity, registered_game
from perfectplay.tablebase.storage import REMEDY, Lock
from perfectplay.tablebase.table import Entry, Explained

AVERAGE = "average"  # in the place of an outcome


class ExpectationTable:
    """A solved game with chance: `probe` a state for what it is worth on average, to the player who moves.

    Where chance moves, it is that to MAX. The value is right but for `error`.
    """

    def __init__(self, path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> None:
        self.directory = Path(path)
        self.manifest = read_expectations(self.directory)
        found = game if game is not None else registered_game(self.manifest["game"])
        if found is None:
            raise BadTablebaseError(
                f"this is a table of {self.manifest['game']}, a game of your own: give it."
            )
        self.game = found
        known = identity(found)
        if (known["game"], known["rules"]) != (self.manifest["game"], self.manifest["rules"]):
            raise BadTablebaseError(
                f"the tablebase in {str(self.directory)!r} is of another game, or of other rules "
                f"({self.manifest['game']}), than {known['game']}: build one for these."
            )
        self.error = float(self.manifest["error"])
        self.files = opened(self.directory, self.manifest)
        self.arrays: dict[str, NDArray[Any]] = {}
        self.blocks: Blocks | None = None
        self.unit = float(self.manifest.get("unit", 0.0))  # of limits that were rounded
        if self.is_compressed:
            self.blocks = Blocks(self.files, len(self), self.manifest["rows"], self.unit)
        else:
            self.arrays = {name: each.data.view(FILES[name]) for name, each in self.files.items()}

    @property
    def is_compressed(self) -> bool:
        """Are its positions in blocks?"""
        return "unit" in self.manifest

    def columns(self) -> Columns:
        """Of all positions the keys, ascending, and the limits."""
        if self.blocks is not None:
            return self.blocks.columns()
        keys, lower, upper = (np.asarray(self.arrays[name]) for name in FILES)
        return keys, lower, upper

    def __enter__(self) -> ExpectationTable:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self.files, self.arrays, self.blocks = {}, {}, None

    def __len__(self) -> int:
        return int(self.manifest["positions"])

    def __contains__(self, state: Any) -> bool:
        return self.get(state) is not None

    def __repr__(self) -> str:
        return f"<ExpectationTable of {self.manifest['game']}: {len(self):,} positions>"

    @property
    def start(self) -> Any:
        """The state from which all others in it are reached, if it is the beginning of the game."""
        return self.game.table_start()

    def limits(self, state: Any) -> tuple[float, float] | None:
        """Between which limits the value to MAX is; None where a state is not there."""
        try:
            key = self.game.key(self.game.canonical(state)) & WORD
        except Exception:  # what the rules say of what is no state
            return None
        if self.blocks is not None:
            return self.blocks.limits(key)
        if not self.arrays:
            raise BadTablebaseError(f"the tablebase in {str(self.directory)!r} was closed: open it again.")
        keys = self.arrays["keys"]
        place = int(np.searchsorted(keys, np.uint64(key)))
        near = slice(max(place - 1, 0), place + 1)  # whatever led here, by these two it is not there
        self.files["keys"].check(8 * near.start, min(8 * near.stop, keys.nbytes))
        if place == len(self) or int(keys[place]) != key:
            return None
        for name in ("lower", "upper"):
            self.files[name].check(8 * place, 8 * place + 8)
        lower, upper = (float(self.arrays[name][place]) for name in ("lower", "upper"))
        if not -inf < lower <= upper < inf:
            raise DamagedTablebaseError(f"the limits of {state!r} are none: {REMEDY}.")
        return lower, upper

    def get(self, state: Any, default: Entry | None = None) -> Entry | None:
        """What a state is worth, or the default where it is not there."""
        limits = self.limits(state)
        if limits is None:
            return default
        value = (limits[0] + limits[1]) / 2
        return Entry(value if same_side(self.game.to_move(state), MAX) else -value, AVERAGE, None)

    def probe(self, state: Any) -> Entry:
        """What a state is worth."""
        found = self.get(state)
        if found is None:
            raise UnknownStateError(
                f"{state!r} is not in the tablebase of {self.manifest['game']}: no game comes there."
            )
        return found

    def explain(self, state: Any) -> list[Explained]:
        """Every action with what it is worth, the best first; of dice, every outcome to MAX."""
        game = self.game
        if game.is_terminal(state):
            raise GameOverError("the game is over in this state: there is nothing to play.")
        found = []
        for action in choices(game, state):
            child = game.result(state, action)
            value = self.probe(child).value
            value = value if same_side(game.to_move(state), game.to_move(child)) else -value
            found.append(Explained(action, value, AVERAGE, None, False))
        if game.to_move(state) == CHANCE:
            return found
        found.sort(key=lambda each: -each.value)
        return [each._replace(best=each.value >= found[0].value - 2 * self.error) for each in found]

    def best(self, state: Any) -> list[Any]:
        """All actions that are best, as far as the error tells; none where chance moves."""
        return [each.action for each in self.explain(state) if each.best]


def compress_expectations(directory: Path) -> None:
    """Compress a table of a game with chance where it is: stopped, it is as it was."""
    read_expectations(directory)  # or else there is nothing to lock
    lock = Lock(directory)
    try:
        manifest = read_expectations(directory)
        if "unit" in manifest:
            return
        files = opened(directory, manifest)
        for each in files.values():
            each.check()
        arrays: list[NDArray[Any]] = [files[name].data.view(dtype) for name, dtype in FILES.items()]
        keys, lower, upper = arrays
        unit = expectation_blocks.unit_for(lower, upper)
        made, error = expectation_blocks.packed(keys, lower, upper, unit)
        told = {name: manifest[name] for name in ("game", "rules", "positions", "start", "sweeps")}
        write_expectations(directory, told | {"error": error, "rows": ROWS, "unit": unit}, made)
    finally:
        lock.release()
