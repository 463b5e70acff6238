"""Ours as a UCI engine, for chess and, by the closest convention, for any game of two sides.

Positions of a game with `parse_board` may be given as FEN; of any other, by the moves from the start. Moves
are in the game's notation; where that has a space in it, the space is written as an underscore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import isfinite
from threading import Event, Thread
from typing import Any, NamedTuple

from perfectplay.engine import Analysis, Engine
from perfectplay.errors import PerfectPlayError
from perfectplay.game import Game, require_two_sides

SHARE = 30  # the part of the time on the clock that a move may take
KEPT = 0.05  # seconds of it that are never used
LARGEST_HASH = 1 << 16  # MB
MOST_THREADS = 256
NO_MOVE = "0000"  # where the game is over
OPTIONS = (
    f"option name Hash type spin default 64 min 1 max {LARGEST_HASH}",
    f"option name Threads type spin default 1 min 1 max {MOST_THREADS}",
)


class Limits(NamedTuple):
    """What a search may take, as `go` says it."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False


class UciServer:
    """A game and its engine, spoken to in lines."""

    def __init__(
        self,
        game: Game[Any, Any],
        say: Callable[[str], None],
        *,
        name: str = "perfectplay",
        make: Callable[..., Engine] = Engine,
    ) -> None:
        require_two_sides(game, "a UCI engine")
        self.game = game
        self.say = say
        self.name = name
        self.make = make
        self.settings: dict[str, Any] = {"table_mb": 64, "threads": 1}
        self.engine: Engine | None = None
        self.state = game.initial()
        self._search: Thread | None = None
        self._stopped = Event()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer line by line, until `quit` or the end; a search that runs is stopped then."""
        try:
            for line in lines:
                words = line.split()
                if words[:1] == ["quit"]:
                    return
                if words:
                    self._answer(words, line)
        finally:
            self._stop()

    def _answer(self, words: list[str], line: str) -> None:
        command, rest = words[0], words[1:]
        try:
            if command == "uci":
                self.say(f"id name {self.name}")
                self.say("id author the perfectplay authors")
                for option in OPTIONS:
                    self.say(option)
                self.say("uciok")
            elif command == "isready":
                self._opened()
                self.say("readyok")
            elif command == "setoption":
                self._set(line)
            elif command == "ucinewgame":
                self._stop()
                self.state = self.game.initial()
                if self.engine is not None:
                    self.engine.forget()
            elif command == "position":
                self._stop()
                self.state = self._position(rest)
            elif command == "go":
                self._stop()
                self._go(_limits(rest, self.game.to_move(self.state)))
            elif command == "stop":
                self._stop()
            elif command == "d":
                for row in self.game.render(self.state).splitlines():
                    self.say(row)
        except PerfectPlayError as error:  # the protocol has no word for it
            self.say(f"info string {error}")

    def _opened(self) -> Engine:
        if self.engine is None:
            self.engine = self.make(self.game, **self.settings)
        return self.engine

    def _set(self, line: str) -> None:
        name, _, value = line.partition(" name ")[2].partition(" value ")
        most = {"hash": LARGEST_HASH, "threads": MOST_THREADS}.get(name.strip().lower())
        if most is None:
            self.say(f"info string there is no option {name.strip()!r}: Hash and Threads are all")
            return
        if not value.strip().isdigit() or not 1 <= int(value) <= most:
            self.say(f"info string {name.strip()} cannot be {value.strip()!r}: give 1 to {most}")
            return
        self._stop()
        self.settings["table_mb" if name.strip().lower() == "hash" else "threads"] = int(value)
        self.engine = None

    def _position(self, words: list[str]) -> Any:
        """The state that `position` describes."""
        where = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:where], words[where + 1 :]
        state = self.game.initial()
        if start[:1] == ["fen"]:
            state = self.game.parse_board(" ".join(start[1:]))
        for move in moves:
            text = move if "_" not in move else move.replace("_", " ")
            state = self.game.result(state, self.game.parse_action(state, text))
        return state

    def _go(self, limits: Limits) -> None:
        """Search in a thread of its own, so that `stop` is heard."""
        self._stopped.clear()
        self._search = Thread(target=self._think, args=(self.state, limits), name="perfectplay-uci")
        self._search.start()

    def _think(self, state: Any, limits: Limits) -> None:
        best: Analysis | None = None
        try:
            if not self.game.is_terminal(state):
                for best in self._deepened(state, limits):
                    self._inform(state, best)
        except PerfectPlayError as error:
            self.say(f"info string {error}")
        if limits.infinite:
            self._stopped.wait()
        action = None if best is None else best.action
        if action is None and not self.game.is_terminal(state):
            action = next(iter(self.game.actions(state)))  # a move there is, however little the time
        self.say(f"bestmove {NO_MOVE if action is None else self._written(action)}")

    def _deepened(self, state: Any, limits: Limits) -> Iterator[Analysis]:
        engine = self._opened()
        for found in engine.deepen(state, depth=limits.depth, seconds=limits.seconds, nodes=limits.nodes):
            yield found
            if self._stopped.is_set():
                return

    def _inform(self, state: Any, found: Analysis) -> None:
        milliseconds = max(1, round(1000 * found.seconds))
        told = f"info depth {found.depth} score {self._score(state, found)} nodes {found.nodes}"
        line = " ".join(map(self._written, found.line))
        self.say(f"{told} nps {1000 * found.nodes // milliseconds} time {milliseconds} pv {line}")

    def _score(self, state: Any, found: Analysis) -> str:
        """The value as it is, in the game's unit; of a proven line to a mate, the moves that it takes."""
        end = state
        for action in found.line:
            end = self.game.result(end, action)
        if found.exact and found.value and found.line and self.game.is_terminal(end):
            moves = (len(found.line) + 1) // 2
            return f"mate {moves if found.value > 0 else -moves}"
        return f"cp {round(found.value)}" if isfinite(found.value) else "cp 0"

    def _written(self, action: Any) -> str:
        return "_".join(self.game.action_name(action).split())

    def _stop(self) -> None:
        """End a search; it tells its best move."""
        self._stopped.set()
        while self._search is not None and self._search.is_alive():
            if self.engine is not None:
                self.engine.stop()
            self._search.join(0.05)
        self._search = None


def _limits(words: list[str], mover: int) -> Limits:
    """What `go` allows; a clock allows a part of the time that it has left."""
    numbers = {
        name: int(value)
        for name, value in pairwise(words)
        if value.lstrip("-").isdigit() and not name.isdigit()
    }
    own, extra = ("wtime", "winc") if mover == 0 else ("btime", "binc")
    seconds = None
    if "movetime" in numbers:
        seconds = numbers["movetime"] / 1000
    elif own in numbers:
        left, gain = max(0, numbers[own]) / 1000, numbers.get(extra, 0) / 1000
        share = left / max(1, numbers.get("movestogo", SHARE)) + 0.8 * gain
        seconds = max(0.001, min(share, left - KEPT))
    depth, nodes = numbers.get("depth"), numbers.get("nodes")
    infinite = "infinite" in words or (seconds, depth, nodes) == (None, None, None)
    return Limits(seconds, depth, nodes, infinite)
