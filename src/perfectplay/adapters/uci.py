"""UCI, the protocol of chess programs: one of them as a player, spoken with over its standard streams."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

from perfectplay.errors import BadParameterError, ForeignEngineError, IllegalActionError, UnsuitedGameError
from perfectplay.game import Game
from perfectplay.textbook import Counted

PLAYER = "uci"  # begins the name of such a player, as in uci:stockfish
SECONDS = 1.0  # for a move, where nobody says
STARTING = 20.0  # seconds in which a program must have said what it is
SLACK = 10.0  # seconds beyond those for a move, after which it is taken to hang
LIMITS = ("seconds", "depth", "nodes")


class Told(NamedTuple):
    """A move of a program, and what it last said of it."""

    move: str
    depth: int = 0
    nodes: int = 0
    score: str = ""  # as in "cp 34" or "mate 3"


class UciProgram:
    """A running program that speaks UCI."""

    def __init__(self, command: str, options: Mapping[str, str] | None = None) -> None:
        self.command = command
        self.name = command
        self.options: set[str] = set()  # that it has, in small letters
        try:
            self._process = subprocess.Popen(  # noqa: S603 - who names it wants it run
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            raise ForeignEngineError(
                f"cannot start {command!r}: {why}; give the command of a program that speaks UCI."
            ) from None
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, name=f"uci {command}", daemon=True).start()
        try:
            self._greet(options or {})
        except BaseException:
            self.close()
            raise

    def move(
        self,
        fen: str,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> Told:
        """Its move in a position, within limits."""
        if seconds is None and depth is None and nodes is None:
            seconds = SECONDS
        words = ["go"]
        words += [] if seconds is None else [f"movetime {max(1, round(1000 * seconds))}"]
        words += [] if depth is None else [f"depth {depth}"]
        words += [] if nodes is None else [f"nodes {nodes}"]
        self._say(f"position fen {fen}", " ".join(words))
        told = Told("")
        limit = None if seconds is None else seconds + SLACK
        while True:
            line = self._next(limit).split()
            if line[:1] == ["info"]:
                told = _informed(told, line)
            elif line[:1] == ["bestmove"] and len(line) > 1:
                return told._replace(move=line[1])

    def close(self) -> None:
        """Have it end, or end it."""
        if self._process.poll() is None:
            try:
                self._say("quit")
                self._process.wait(1.0)
            except (ForeignEngineError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    def _greet(self, options: Mapping[str, str]) -> None:
        self._say("uci")
        while (line := self._next(STARTING)).strip() != "uciok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
            elif line.startswith("option name "):
                self.options.add(line.removeprefix("option name ").partition(" type ")[0].strip().lower())
        for name, value in options.items():
            if name.lower() not in self.options:
                known = ", ".join(sorted(self.options)) or "none"
                raise BadParameterError(f"{self.name} has no option {name!r}; it has: {known}.")
            self._say(f"setoption name {name} value {value}")
        self._say("isready")
        while self._next(STARTING).strip() != "readyok":
            pass

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines))
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _read(self) -> None:
        """Hand on what it says, and that it has ended."""
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except (OSError, ValueError):
            pass
        self._lines.put("")

    def _next(self, seconds: float | None) -> str:
        until = None if seconds is None else monotonic() + seconds
        try:
            line = self._lines.get(timeout=None if until is None else max(0.0, until - monotonic()))
        except Empty:
            raise ForeignEngineError(
                f"{self.name} says nothing after {seconds:g} seconds: does it speak UCI?"
            ) from None
        if not line:
            raise self._ended()
        return line

    def _ended(self) -> ForeignEngineError:
        return ForeignEngineError(f"{self.name} has ended: is {self.command!r} a program that speaks UCI?")


def _informed(told: Told, line: list[str]) -> Told:
    """What a line of information adds."""
    told = told._replace(depth=_number(line, "depth", told.depth), nodes=_number(line, "nodes", told.nodes))
    if "score" in line[:-2]:
        where = line.index("score")
        told = told._replace(score=" ".join(line[where + 1 : where + 3]))
    return told


def _number(line: list[str], name: str, known: int) -> int:
    """The number after a word, or what was known."""
    after = line[line.index(name) + 1 :] if name in line else []
    return int(after[0]) if after and after[0].isdigit() else known


class UciPlayer:
    """Plays by a program that speaks UCI, any game whose positions are told in FEN."""

    def __init__(
        self,
        command: str,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.name = f"{PLAYER}:{command}"
        self.command = command
        self.seconds = seconds
        self.depth = depth
        self.nodes = nodes
        self.options = dict(options or {})
        self.program: UciProgram | None = None
        self.told: Told | None = None

    def choose(self, game: Counted[Any, Any], state: Any) -> Any:
        """The move that the program says."""
        rules = game.game
        fen = fen_of(rules, state)
        if self.program is None:
            self.program = UciProgram(self.command, self.options)
        self.told = self.program.move(fen, seconds=self.seconds, depth=self.depth, nodes=self.nodes)
        game.results = self.told.nodes
        try:
            return rules.parse_action(state, self.told.move)
        except IllegalActionError as error:
            raise ForeignEngineError(f"{self.program.name} plays what is no move: {error}") from None

    def account(self) -> str:
        """How far it looked, and what it thinks of its chances."""
        if self.told is None or not self.told.score:
            return ""
        return f"{self.told.score}, depth {self.told.depth}, {self.told.nodes:,} nodes"


def fen_of(game: Game[Any, Any], state: Any) -> str:
    """The position as UCI tells it; UnsuitedGameError where a game has no such notation."""
    notation = game.board_notation(state)
    if not notation:
        raise UnsuitedGameError(
            f"a UCI program is told positions in FEN, and {type(game).__name__} has none: play chess."
        )
    return notation


def read_player(text: str, **limits: Any) -> UciPlayer:
    """The player that a text such as "stockfish,depth=2,Skill Level=3" names: a command, limits, options."""
    command, *settings = (part.strip() for part in text.split(","))
    if not command:
        raise BadParameterError(
            f"{PLAYER} plays by a program: give {PLAYER}:COMMAND, as in {PLAYER}:stockfish."
        )
    options: dict[str, str] = {}
    own: dict[str, Any] = {}  # limits, which replace those for all
    for setting in filter(None, settings):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadParameterError(f"cannot read {setting!r}: give {PLAYER}:COMMAND,NAME=VALUE.")
        if name not in LIMITS:
            options[name] = value
            continue
        try:
            number = float(value) if name == "seconds" else int(value)
        except ValueError:
            number = 0
        if not 0 < number < 1e12:
            raise BadParameterError(f"cannot read {setting!r}: give a number above 0.")
        own[name] = number
    return UciPlayer(command, options=options, **(own or limits))
