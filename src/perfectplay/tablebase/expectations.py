"""Tables of games with chance: between which limits the value of every position is, on disk.

All that a game can come to is found and solved in memory, tier by tier from the last, by `value_iteration`.
The error is half the distance of the limits, at most. No two positions have one key: a build looks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import MACHINE_STOPPED, Kind, compile_mode, compiled_for, widened
from perfectplay.compiler.records import Room, size
from perfectplay.engine.memory import allocator_for
from perfectplay.errors import (
    BadParameterError,
    BadTablebaseError,
    BrokenGameError,
    DamagedTablebaseError,
    EndlessGameError,
    GameOverError,
    UnknownStateError,
    UnwritableError,
)
from perfectplay.game import CHANCE, MAX, WORD, Game, choices, require_zero_sum, same_side
from perfectplay.tablebase import value_iteration
from perfectplay.tablebase.build_state import Progress
from perfectplay.tablebase.expectation_files import (
    FILES,
    MANIFEST,
    file_name,
    opened,
    read_expectations,
    write_expectations,
)
from perfectplay.tablebase.identity import identity, registered_game
from perfectplay.tablebase.storage import REMEDY
from perfectplay.tablebase.table import Entry, Explained
from perfectplay.tablebase.value_iteration import DONE, GOING, OVER, SAME_KEY, Position, Space

AVERAGE = "average"  # in the place of an outcome

TOLERANCE = 1e-10  # between the limits, where utilities are about 1
ROUNDED = 1e-9  # of the tolerance, so much may be lost where numbers are rounded
SWEEPS = 20_000  # in which the limits of a tier must meet
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

    def __init__(self, game: Game[Any, Any], start: Any, memory: int, mode: str, report: Report) -> None:
        self.game, self.start, self.memory, self.report = game, start, memory, report
        self.began = monotonic()
        self.kernels: dict[str, Any] = {}
        for name, kinds in LOOSE.items():
            function = getattr(value_iteration, name)
            self.kernels[name], self.why_not = compiled_for(game, start, function, kinds, mode=mode)
        self.compiled = all(self.kernels.values())
        self.mode = mode
        self.sweeps = 0
        self.space = self._explored()
        self._narrow()

    def _ask(self, name: str, *arguments: Any) -> int:
        function = self.kernels[name] if self.compiled else getattr(value_iteration, name)
        return int(function(self.game, *arguments))

    def _explored(self) -> Space:
        """All positions; where machine code meets what it was not made for, it begins again."""
        room = FEW
        while True:
            most = self._most()
            space = self._space(most if self.compiled else min(room, most))
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

    def _space(self, count: int) -> Space:
        allocator = allocator_for(self.kernels["explore"] if self.compiled else None, False)
        array, digits = allocator.array, count.bit_length() + 1
        made: Space = allocator.record(
            Space,
            positions=array(Position, count),
            slots=array(int, 1 << digits),
            shift=64 - digits,
            **{name: array(int, count + 1) for name in ("kinds", "tiers", "firsts")},
            **{name: array(float, count) for name in ("lower", "upper")},
            targets=array(int, EDGES * count),
            chances=array(float, EDGES * count),
            room=count,
            edge_room=EDGES * count,
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

    def _narrow(self) -> None:
        """Solve all positions, one tier after the other from the last."""
        space = self.space
        if not isfinite(space.least) or not isfinite(space.most):
            raise BrokenGameError("no end of the game can be reached, or utility() gave no finite number.")
        tiers = self._sort_by_tier()
        kinds = self.array("kinds", np.int64)
        for name, limit in (("lower", space.least), ("upper", space.most)):
            self.put(name, np.where(kinds == OVER, self.array(name, np.float64), limit))
        steps = np.flatnonzero(np.diff(tiers)) + 1
        self.tolerance = TOLERANCE * max(1.0, abs(space.least), abs(space.most))
        bounds = [0, *steps.tolist(), space.used]
        for first, last in reversed([*pairwise(bounds)]):
            took = self._ask("narrow", space, first, last, self.tolerance, SWEEPS)
            if took > SWEEPS:
                raise EndlessGameError(
                    "the game can go on for ever, so that its positions have no value: give it an end."
                )
            self.sweeps += took
            self._tell("solve", space.used - first, space.used)

    def _sort_by_tier(self) -> NDArray[np.int64]:
        """Number the positions anew, those of a tier one after the other; their tiers."""
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
        self.keys = self._keys()[order]
        for name, kind in (("kinds", np.int64), ("lower", np.float64), ("upper", np.float64)):
            self.put(name, self.array(name, kind)[order])
        for name, array in (("firsts", begins), ("targets", targets), ("chances", chances)):
            self.put(name, array)
        return tiers[order]


def build_expectations(
    game: Game[Any, Any],
    path: str | os.PathLike[str],
    *,
    start: Any = None,
    memory: int = 2 << 30,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    report: Report = lambda progress: None,
) -> Path:
    """Solve a game with chance completely into a directory."""
    require_zero_sum(game, "a tablebase")
    directory = Path(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        ours = (MANIFEST, *map(file_name, FILES), *(f"{file_name(name)}.part" for name in FILES))
        others = [each.name for each in directory.iterdir() if each.name not in ours]
        if others:
            raise BadTablebaseError(
                f"{str(directory)!r} holds other files, {others[0]!r} for one: give an empty directory."
            )
        first = game.table_start() if start is None else start
        solved = Solved(game, game.canonical(first), memory, compile_mode(compile), report)
        keys = solved.keys
        order = np.argsort(keys)
        arrays = {"keys": keys[order]}
        arrays |= {name: solved.array(name, np.float64)[order] for name in ("lower", "upper")}
        told = identity(game) | {
            "positions": len(keys),
            "start": f"{game.key(game.canonical(first)) & WORD:016x}",
            "error": float((arrays["upper"] - arrays["lower"]).max()) / 2,
            "sweeps": solved.sweeps,
        }
        write_expectations(directory, told, arrays)
    except OSError as error:
        raise UnwritableError(
            f"cannot build in {str(directory)!r}: {error.strerror}; give a directory that you may write to."
        ) from None
    return directory


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
        self.arrays = {name: each.data.view(FILES[name]) for name, each in self.files.items()}

    def __enter__(self) -> ExpectationTable:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self.files, self.arrays = {}, {}

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


def expectation_faults(
    path: str | os.PathLike[str],
    game: Game[Any, Any] | None = None,
    *,
    memory: int = 2 << 30,
    report: Report = lambda progress: None,
) -> Iterator[str]:
    """What is wrong with a table of a game with chance, one sentence each: its files, and all its values.

    The game is solved once more, and every value must be the same but for the errors of both.
    """
    try:
        table = ExpectationTable(path, game)
    except BadTablebaseError as error:
        yield str(error)
        return
    try:
        for each in table.files.values():
            each.check()
    except DamagedTablebaseError as error:
        yield str(error)
        return
    keys, lower, upper = (np.asarray(table.arrays[name]) for name in FILES)
    if not (keys[:-1] < keys[1:]).all():
        yield "the keys are not in order, or some are there twice."
        return
    start = table.game.canonical(table.start)
    if f"{table.game.key(start) & WORD:016x}" != table.manifest["start"]:
        yield "it begins at another state than the game, so that its values cannot be worked out again."
        return
    solved = Solved(table.game, start, memory, "auto", report)
    order = np.argsort(solved.keys)
    if not np.array_equal(solved.keys[order], keys):
        yield "its positions are not those that the game comes to."
        return
    if not (upper - lower <= 2 * table.error).all() or not (lower <= upper).all():
        yield f"the limits of a position are further apart than the error of {table.error:g} allows."
        return
    slack = solved.tolerance
    if 2 * table.error > slack * (1 + ROUNDED):
        yield f"its error is {table.error:g}, and a build leaves {slack / 2:g} at most."
        return
    low, high = (solved.array(name, np.float64)[order] for name in ("lower", "upper"))
    wrong = np.flatnonzero((lower > high + slack) | (upper < low - slack))
    if len(wrong):
        yield f"{len(wrong):,} positions have limits that do not hold their value."
