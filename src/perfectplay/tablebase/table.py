"""Tablebase: what every position of a game is worth, read from a directory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler import MACHINE_STOPPED, compile_mode
from perfectplay.compiler.forms import Misfit, holds
from perfectplay.engine.endgames import DAMAGED
from perfectplay.errors import (
    BadParameterError,
    BadTablebaseError,
    DamagedTablebaseError,
    GameOverError,
    UnknownStateError,
)
from perfectplay.game import MAX, Game, same_side
from perfectplay.tablebase.block_index import BlockProbes, PackedIndex
from perfectplay.tablebase.build_state import check_fit, open_level, stored_encoding
from perfectplay.tablebase.identity import identity, registered_game
from perfectplay.tablebase.kernels import FAR
from perfectplay.tablebase.levels import Level
from perfectplay.tablebase.manifest import SIGNS, stored_values
from perfectplay.tablebase.numbered import Numbered
from perfectplay.tablebase.probe_index import ProbeIndex, Probes
from perfectplay.tablebase.rank_index import RankIndex, RankProbes
from perfectplay.tablebase.ranks import Ranks
from perfectplay.tablebase.storage import REMEDY, read_manifest

OUTCOMES = ("loss", "tie", "win")  # by the sign of the value
OPPOSITE = {"win": "loss", "loss": "win", "tie": "tie", "draw": "draw"}
KEPT = 1 << 16  # entries that are kept
AT_ONCE = 10_000  # states for which a thread is worth its while
FLAT = frozenset({int, bool, float})


class Entry(NamedTuple):
    """What a position is worth to the player who moves there.

    Where a table has outcomes alone, the value is 1, 0 or -1, and there is no remoteness.
    """

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

    Where the rules compile, a probe takes a microsecond or two; in a compressed directory, some more where
    a block must be unpacked first. Where they do not, Python looks states up, in some forty microseconds.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Game[Any, Any] | None = None,
        *,
        compile: str | bool = "auto",  # noqa: A002 - the engine's own word
    ) -> None:
        mode = compile_mode(compile)
        self.directory = Path(path)
        self.manifest = read_manifest(self.directory)
        if self.manifest.get("phase") != "done":
            raise BadTablebaseError(
                f"the tablebase in {str(self.directory)!r} is not finished: build it again, and it goes on."
            )
        self.game = game if game is not None else _registered(self.manifest["game"])
        self.check_game(self.game)
        self._start = self.game.initial()
        self.encoding = stored_encoding(self.manifest, self.game)
        self.form = self.encoding.form
        check_fit(self.manifest, self.game, self.form)
        self.values: list[float] = stored_values(self.manifest)
        self.outcomes_only = "outcomes" in self.manifest
        self._kinds = _kinds_of(self._start)
        fields = [*map(type, self._start)] if isinstance(self._start, tuple) else []
        self._flat = (
            (type(self._start), fields) if FLAT.issuperset(fields) and self.form.data is None else None
        )
        self.by_rank = "by_rank" in self.manifest
        ranks = Ranks(self.game, self.encoding, mode) if self.by_rank else None
        self._levels = [
            open_level(self.directory, self.manifest, number, ranks)
            for number in range(len(self.manifest["levels"]))
        ]
        packed = {level.blocks is not None for level in self._levels}
        self._packed = packed == {True}
        self._probes: Probes | None = None
        if len(packed) == 1:  # else its compression was interrupted
            kind = RankProbes if self.by_rank else BlockProbes if self._packed else Probes
            self._probes = kind(self.game, self.form, mode)
        self._unpacked: list[Level] = []  # where it is compressed, and an engine has asked for all of it
        self._entries: dict[int, Entry] = {}
        self._local = local()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files: from now on, it answers no more.

        Neither does an engine in plain Python that asks it. A compiled engine reads the files itself, and
        keeps them until it is gone.
        """
        self._levels, self._unpacked = [], []
        self._local = local()

    @property
    def exact(self) -> bool:
        """Are these the values of the game, and not their signs alone?"""
        return not self.outcomes_only or set(SIGNS).issuperset(self.manifest["values"])

    @property
    def start(self) -> Any:
        """The state from which all others in it are reached."""
        return self.form.state([int(leaf, 16) for leaf in self.manifest["start"]])

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
            why = "no game comes there from where it begins"
            if not holds(self.form, state):
                why = f"its states are like {self._start!r}"
            raise UnknownStateError(f"{state!r} is not in the tablebase of {self.manifest['game']}: {why}.")
        return entry

    def get(self, state: Any, default: Entry | None = None) -> Entry | None:
        """The same, or the default where the state is not there.

        Anything may be asked for. What is not made as the game's states are, is not there; nor is that for
        which `canonical` raises an error.
        """
        probe_index = getattr(self._local, "probe_index", None) or self._probe_index()
        if probe_index is None:
            return self._slow(state) or default
        if not self._is_exact(state):  # machine code takes 1.5 for 1
            try:
                state = self.form.state(self.form.leaves(state))
            except Misfit:
                return default
        try:
            answer = probe_index.look_up(state)
        except BadTablebaseError:  # a block is damaged
            raise
        except MACHINE_STOPPED:  # which Python may know more of
            return self._slow(state) or default
        except Exception:  # an integer of more than 64 bits, or what `canonical` says of an odd state
            return default
        if answer == DAMAGED:
            raise self._damage()
        return default if answer < 0 else self._entries.get(answer) or self._entry(answer)

    def _damage(self) -> DamagedTablebaseError:
        """What is wrong where machine code has found something wrong."""
        faults = [fault for level in self._levels if (fault := level.fault())]
        order = f"positions in {str(self.directory)!r} are not in order: {REMEDY}."
        return DamagedTablebaseError(faults[0] if faults else order)

    def probe_many(self, states: Sequence[Any] | NDArray[np.int64]) -> list[Entry | None]:
        """What many states are worth, None of what is not there.

        An array of integers has the numbers of a state in each row, of a float its bits.
        """
        return [
            None if answer < 0 else self._entries.get(answer) or self._entry(answer)
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
        unknown = (ends == FAR) | (answers < 0) | self.outcomes_only
        return values, np.where(unknown, -1, ends).astype(np.int32)

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

    def line(self, state: Any, most: int | None = None) -> list[Any]:
        """A perfect game from here to its end: the first of the best actions, again and again.

        With `most`, so many actions at most. A draw has no end: its line stops before a state comes again,
        and has one action at least.
        """
        actions: list[Any] = []
        seen = {state}
        while not self.game.is_terminal(state) and (most is None or len(actions) < most):
            action = self.best(state)[0]
            state = self.game.result(state, action)
            if state in seen and actions:
                break
            seen.add(state)
            actions.append(action)
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

    def probe_index(self) -> Any:
        """What one thread of an engine looks states up with; what is compressed is unpacked into memory."""
        if not self._unpacked:
            self._unpacked = [level.unpacked().with_states() for level in self.levels()]
        return ProbeIndex(None, self.encoding, self._unpacked, self.manifest).record

    # How they are answered.

    def _probe_index(self) -> ProbeIndex | PackedIndex | RankIndex | None:
        """What a thread needs to look states up in machine code."""
        levels = self.levels()
        if self._probes is None or self._probes.one is None:
            return None
        probe_index: ProbeIndex | PackedIndex | RankIndex | None
        probe_index = getattr(self._local, "probe_index", None)
        if probe_index is None:
            if isinstance(self._probes, RankProbes):
                probe_index = RankIndex(self._probes, self.encoding, levels, self.manifest)
            elif isinstance(self._probes, BlockProbes):
                probe_index = PackedIndex(self._probes, self.encoding, levels, self.manifest)
            else:
                probe_index = ProbeIndex(self._probes, self.encoding, levels, self.manifest)
            self._local.probe_index = probe_index
        return probe_index

    def _is_exact(self, state: Any) -> bool:
        """Has it the types of the first state, in all its fields?"""
        if self.form.data is not None:
            return isinstance(self.form, Numbered)
        if self._flat is None:
            return bool(_kinds_of(state) == self._kinds)
        kind, fields = self._flat
        return type(state) is kind and (not fields or [*map(type, state)] == fields)

    def _slow(self, state: Any) -> Entry | None:
        """The twin of what is compiled."""
        answer = self._found(state)
        return None if answer < 0 else self._entry(answer)

    def _found(self, state: Any) -> int:
        """The twin of the kernel: the value, by number, the remoteness and who moves; -1: not there."""
        try:
            if not self._is_exact(state):
                state = self.form.state(self.form.leaves(state))
            chosen = self.game.canonical(state) if self.manifest["symmetry"] else state
            packed = self.encoding.pack(chosen)
            tier = self.game.tier(chosen) if self.manifest["tiers"] else None
        except Exception:  # what `canonical` says of a state that no game comes to
            return -1
        if packed is None:
            return -1
        words = np.array([packed], np.uint64)
        for known, level in zip(self.manifest["levels"], self._levels, strict=True):
            if tier is not None and tier != known["tier"]:
                continue
            bits = zip(packed, level.some, level.all, strict=True)
            if not any(word & ~some or every & ~word for word, some, every in bits):
                value, end = level.find(words)
                if value >= 0:  # only now are the rules asked about it
                    mover = 0 if same_side(self.game.to_move(state), MAX) else 1
                    return value | end << 16 | mover << 32
        return -1

    def _answers(self, states: Sequence[Any] | NDArray[np.int64]) -> NDArray[np.int64]:
        if isinstance(self.form, Numbered) and not isinstance(states, np.ndarray):  # type: ignore[unreachable]
            return np.array([*map(self._found, states)], np.int64)  # type: ignore[unreachable]
        rows, odd = self._rows(states)
        compiled = self._probe_index() is not None
        try:
            answers = self._looked_up(rows) if compiled else None
        except BadTablebaseError:
            raise
        except Exception:  # of `canonical`, about one of them: which?
            answers = None
        if answers is None:
            answers = np.array([*map(self._found_row, rows.tolist())], np.int64)
        answers[odd] = -1
        if (answers == DAMAGED).any():
            raise self._damage()
        return answers

    def _found_row(self, row: list[int]) -> int:
        try:
            return self._found(self.form.state(row))
        except Misfit:  # the numbers are of no state
            return -1

    def _looked_up(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The answers in machine code: those of many states on all processors."""

        def work(part: NDArray[np.int64]) -> NDArray[np.int64]:
            probe_index = self._probe_index()
            assert probe_index is not None
            return probe_index.look_up_all(part)

        workers = 1 if self._packed else min(os.cpu_count() or 1, len(rows) // AT_ONCE)
        if workers < 2:
            return work(rows)
        work(rows[:1])  # what is compiled when it is first wanted is so once
        with ThreadPoolExecutor(workers) as pool:
            return np.concatenate([*pool.map(work, np.array_split(rows, workers))])

    def _rows(self, states: Sequence[Any] | NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The numbers of states, and which of them are no states of the game."""
        numbers = self.form.count
        if not isinstance(states, np.ndarray):
            plain = self._plain_rows(states)
            if plain is not None:
                return plain, np.zeros(len(plain), np.bool_)
            alike = [holds(self.form, state) for state in states]
            nothing = [0] * numbers
            known = [self.form.leaves(s) if fits else nothing for s, fits in zip(states, alike, strict=True)]
            return np.array(known, np.int64).reshape(-1, numbers), ~np.array(alike, np.bool_)
        if states.ndim != 2 or states.shape[1] != numbers or states.dtype.kind not in "iub":
            raise BadParameterError(
                f"an array of {states.shape} and {states.dtype} cannot be: give {numbers} integers a state."
            )
        odd = np.zeros(len(states), np.bool_)
        if states.dtype == np.uint64:
            odd |= (states >> np.uint64(63)).any(axis=1)
        rows = states.astype(np.int64, copy=False)
        for place, kind in enumerate(self.form.kinds()):
            if kind is bool:
                odd |= (rows[:, place] & ~1) != 0
        return rows, odd

    def _plain_rows(self, states: Sequence[Any]) -> NDArray[np.int64] | None:
        """The numbers of states that are all plain tuples of integers, of the types of the first one."""
        if self._flat is None or not self._flat[1] or float in self._flat[1]:
            return None
        kind, fields = self._flat
        if {*map(type, states)} != {kind} or {*map(len, states)} != {len(fields)}:
            return None
        for column, field in zip(zip(*states, strict=True), fields, strict=True):
            if {*map(type, column)} != {field}:
                return None
        try:
            return np.fromiter(chain.from_iterable(states), np.int64).reshape(-1, len(fields))
        except OverflowError:  # an integer of more than 64 bits
            return None

    def _entry(self, answer: int) -> Entry:
        """What a look-up says in one number; there are few different ones, and they are kept."""
        code, end, mover = answer & 0xFFFF, answer >> 16 & 0xFFFF, answer >> 32
        if code >= len(self.values):
            return Entry(0, "draw", None)
        value = self.values[code] if mover == 0 else -self.values[code] + 0
        entry = Entry(value, OUTCOMES[(value > 0) - (value < 0) + 1], None if self.outcomes_only else end)
        if len(self._entries) < KEPT:
            self._entries[answer] = entry
        return entry


def _kinds_of(state: Any) -> Any:
    """The types of a state and of its fields, and of theirs."""
    return (type(state), *map(_kinds_of, state)) if isinstance(state, tuple) else type(state)


def _rank(each: Explained) -> tuple[float, float]:
    """The lower, the better: value first, then haste for who wins or ties, and delay for who loses."""
    until = float("inf") if each.remoteness is None else float(each.remoteness)
    return -each.value, -until if each.value < 0 else until


def _registered(name: str) -> Game[Any, Any]:
    found = None
    with suppress(ValueError):  # parameters that the game no longer takes, say
        found = registered_game(name)
    if found is None:
        raise BadTablebaseError(
            f"this is a tablebase of {name}, a game of your own: give it, as in Tablebase(path, game)."
        )
    return found
