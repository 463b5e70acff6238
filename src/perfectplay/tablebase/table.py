"""Tablebase: what every position of a game is worth, read from a directory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.engine.plain import state_of
from perfectplay.errors import BadParameterError, BadTablebaseError, GameOverError, UnknownStateError
from perfectplay.game import MAX, Game, same_side
from perfectplay.games import load_game
from perfectplay.tablebase.identity import identity
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.layout import leaves
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.names import FILES
from perfectplay.tablebase.project import layout_from, open_level
from perfectplay.tablebase.shelf import Probes, Shelf
from perfectplay.tablebase.storage import read_manifest

OUTCOMES = ("loss", "tie", "win")  # by the sign of the value
OPPOSITE = {"win": "loss", "loss": "win", "tie": "tie", "draw": "draw"}


class Entry(NamedTuple):
    """What a position is worth to the player who moves there."""

    value: float
    outcome: str  # "win", "loss", "tie", or "draw": nobody can force an end
    remoteness: int | None  # plies to the end: who wins hurries, and who loses does not; None of a draw


class Explained(NamedTuple):
    """An action, and what it leads to, as the player who takes it sees it."""

    action: Any
    value: float
    outcome: str
    remoteness: int | None  # plies to the end, this one included
    best: bool


class Tablebase:
    """A solved game: `probe` a state for its value, outcome and remoteness.

    The game is the one that the directory was built for; one of your own must be given. Use it in a
    `with` statement, or close it. It may be shared by threads, and by processes after a fork.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Game[Any, Any] | None = None,
        *,
        compile: str = "auto",  # noqa: A002 - the engine's own word
    ) -> None:
        self.directory = Path(path)
        self.manifest = read_manifest(self.directory)
        if self.manifest.get("phase") != "done":
            raise BadTablebaseError(
                f"the tablebase in {str(self.directory)!r} is not finished: build it again, and it goes on."
            )
        self.game = game if game is not None else _registered(self.manifest["game"])
        self.check_game(self.game)
        self.layout = layout_from(self.manifest["layout"])
        self.values: list[float] = self.manifest["values"]
        self._start = self.game.initial()
        self._check_files()
        self._levels = [
            open_level(self.directory, self.manifest, number)
            for number in range(len(self.manifest["levels"]))
        ]
        packed = any(level.blocks for level in self._levels)
        self._probes = None if packed else Probes(self.game, compile)
        self._unpacked: list[Level] = []  # where it is compressed, and an engine has asked for all of it
        self._local = local()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files; engines that look into them keep them until they are gone themselves."""
        self._levels, self._unpacked = [], []
        self._local = local()

    @property
    def start(self) -> Any:
        """The state from which all others in it are reached."""
        return state_of([int(leaf, 16) for leaf in self.manifest["start"]], self._start)

    def __len__(self) -> int:
        return int(self.manifest["positions"])

    def __contains__(self, state: Any) -> bool:
        return self.get(state) is not None

    def __repr__(self) -> str:
        return f"<Tablebase of {self.manifest['game']}: {len(self):,} positions>"

    # Questions.

    def probe(self, state: Any) -> Entry:
        """What a state is worth."""
        entry = self.get(state)
        if entry is None:
            raise UnknownStateError(
                f"{state!r} is not in the tablebase of {self.manifest['game']}: "
                "no game comes there from where it begins."
            )
        return entry

    def get(self, state: Any, default: Entry | None = None) -> Entry | None:
        """The same, or the default where the state is not there."""
        shelf = self._shelf()
        if shelf is not None:
            answer = shelf.look_up(state)
            if answer < 0:
                return default
            return self._entry(answer & 0xFFFF, answer >> 16 & 0xFFFF, answer >> 32)
        return self._slow(state) or default

    def probe_many(self, states: Sequence[Any] | NDArray[np.int64]) -> list[Entry | None]:
        """What many states are worth; an array has the numbers of a state in each row."""
        return [
            None if answer < 0 else self._entry(answer & 0xFFFF, answer >> 16 & 0xFFFF, answer >> 32)
            for answer in self._answers(states).tolist()
        ]

    def probe_arrays(
        self, states: Sequence[Any] | NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """The values (nan: not there) and the remoteness (-1: there is no end) of many states, as arrays."""
        answers = self._answers(states)
        codes, ends, mover = answers & 0xFFFF, answers >> 16 & 0xFFFF, answers >> 32
        worths = np.array([*self.values, 0.0])
        values = worths[np.minimum(codes, len(worths) - 1)] * np.where(mover == 1, -1, 1) + 0.0
        values[answers < 0] = np.nan
        return values, np.where((ends == FAR) | (answers < 0), -1, ends).astype(np.int32)

    def best(self, state: Any) -> list[Any]:
        """All actions that are best: of the highest value, and the soonest to win or the latest to lose."""
        return [each.action for each in self.explain(state) if each.best]

    def explain(self, state: Any) -> list[Explained]:
        """Every action with what it leads to and how soon, the best first."""
        game = self.game
        if game.is_terminal(state):
            raise GameOverError("the game is over in this state: there is nothing to play.")
        mover = game.to_move(state)
        found = []
        for action in game.actions(state):
            child = game.result(state, action)
            entry = self.probe(child)
            sign = 1 if same_side(mover, game.to_move(child)) else -1
            value = sign * entry.value + 0
            outcome = entry.outcome if sign == 1 else OPPOSITE[entry.outcome]
            until = None if entry.remoteness is None else entry.remoteness + 1
            found.append(Explained(action, value, outcome, until, False))
        found.sort(key=_rank)
        first = _rank(found[0])
        return [each._replace(best=_rank(each) == first) for each in found]

    def line(self, state: Any, most: int = 1000) -> list[Any]:
        """A perfect game from here: the first of the best actions, again and again; of a draw, so many."""
        actions: list[Any] = []
        while not self.game.is_terminal(state) and len(actions) < most:
            actions.append(self.best(state)[0])
            state = self.game.result(state, actions[-1])
            if self.probe(state).outcome == "draw":
                break
        return actions

    def levels(self) -> list[Level]:
        """The levels, each with its positions, values and remoteness as arrays."""
        if not self._levels:
            raise BadTablebaseError(f"the tablebase in {str(self.directory)!r} was closed: open it again.")
        return self._levels

    def check_game(self, game: Game[Any, Any]) -> None:
        """Refuse another game than that of the tablebase, or other rules."""
        known = identity(game)
        for name, what in (("game", "another game"), ("rules", "other rules")):
            if known[name] != self.manifest[name]:
                raise BadTablebaseError(
                    f"the tablebase in {str(self.directory)!r} is of {what} ({self.manifest['game']}) "
                    f"than {known['game']}: build one for these."
                )

    def shelf(self) -> Shelf:
        """What one thread of an engine looks states up with; what is compressed is unpacked into memory."""
        if not self._unpacked:
            self._unpacked = [level.unpacked() for level in self.levels()]
        return Shelf(None, self.layout, self._unpacked, self.manifest)

    # How they are answered.

    def _check_files(self) -> None:
        """Are they all there, whole? A look-up in machine code trusts their sizes."""
        for number, level in enumerate(self.manifest["levels"]):
            for file, kind in ((name(number), kind) for kind, name in FILES.items() if kind in level):
                path = self.directory / file
                size = path.stat().st_size if path.is_file() else -1
                if size != level[kind]["bytes"]:
                    what = "is missing" if size < 0 else f"has {size:,} bytes"
                    raise BadTablebaseError(
                        f"{str(path)!r} {what}, and {level[kind]['bytes']:,} bytes were written: "
                        "build it again, or get another copy."
                    )

    def _shelf(self) -> Shelf | None:
        """What a thread needs to look states up in machine code."""
        levels = self.levels()
        if self._probes is None or self._probes.one is None:
            return None
        shelf: Shelf | None = getattr(self._local, "shelf", None)
        if shelf is None:
            shelf = self._local.shelf = Shelf(self._probes, self.layout, levels, self.manifest)
        return shelf

    def _slow(self, state: Any) -> Entry | None:
        """The twin of what is compiled."""
        code, end = self._found(state)
        mover = 0 if same_side(self.game.to_move(state), MAX) else 1
        return None if code < 0 else self._entry(code, end, mover)

    def _found(self, state: Any) -> tuple[int, int]:
        packed = self.layout.pack(self.game.canonical(state) if self.manifest["symmetry"] else state)
        if packed is not None:
            words = np.array([packed], np.uint64)
            for level in self._levels:
                if level.may_have(words)[0]:
                    value, end = level.find(words)
                    if value >= 0:
                        return value, end
        return -1, 0

    def _answers(self, states: Sequence[Any] | NDArray[np.int64]) -> NDArray[np.int64]:
        shelf = self._shelf()
        rows = states if isinstance(states, np.ndarray) else np.array([*map(leaves, states)], np.int64)
        numbers = len(self.layout.lows)
        if rows.ndim != 2 or rows.shape[1] != numbers:
            raise BadParameterError(f"an array of {rows.shape} cannot be: give {numbers} numbers a state.")
        if shelf is not None:
            return shelf.look_up_all(rows)
        answers = []
        for row in rows.tolist():
            state = state_of(row, self._start)
            code, end = self._found(state)
            mover = 0 if same_side(self.game.to_move(state), MAX) else 1
            answers.append(-1 if code < 0 else code | end << 16 | mover << 32)
        return np.array(answers, np.int64)

    def _entry(self, code: int, end: int, mover: int) -> Entry:
        if code >= len(self.values):
            return Entry(0, "draw", None)
        value = self.values[code] if mover == 0 else -self.values[code] + 0
        return Entry(value, OUTCOMES[(value > 0) - (value < 0) + 1], end)


def _rank(each: Explained) -> tuple[float, float]:
    """The lower, the better: value first, then haste for who wins or ties, and delay for who loses."""
    until = float("inf") if each.remoteness is None else float(each.remoteness)
    return -each.value, -until if each.value < 0 else until


def _registered(name: str) -> Game[Any, Any]:
    try:
        return load_game(name)
    except ValueError:
        raise BadTablebaseError(
            f"this is a tablebase of {name}, a game of your own: give it, as in Tablebase(path, game)."
        ) from None
