"""Files of positions as people have them: moves, boards, FEN and games, with scores to compare.

A line is one of these, with the score where there is one:

    32164625 11                                       moves of one character each, as Pons has them
    b2 b3 +1                                          moves, and a score with its sign
    1. d3 c5 2. f6 f5                                 a list of moves with numbers, comments in braces
    O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; G8:+18; H1:+12
                                                      a board of Othello, as in FFO's .obf: moves with scores
    8/8/8/4k3/8/8/8/KR6 w - - dm 11;                  FEN or EPD: mate in so many moves

Lines that begin with # or % are skipped. After a line such as [White "..."] all lines up to the next one are
one game, which counts as one position, the one at its end.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from perfectplay.commands.command import UsageError
from perfectplay.errors import IllegalActionError, PerfectPlayError
from perfectplay.game import Game
from perfectplay.play import Match

NUMBER = r"[+-]?\d+(\.\d+)?"
TAG = re.compile(r'\[(\w+)\s+"(.*)"\]')
BOARD = re.compile(r"[\w.*@+-]+(/[\w.*@+-]+){2,}\s.*|[-.*@XxOoBbWw]{16,}(\s+[-.*@XxOoBbWw])?\s*(;.*)?")
SCORED = re.compile(rf"(?P<move>[\w-]+)\s*:\s*(?P<score>{NUMBER})")
OPERATION = re.compile(rf"\b(?P<name>dm|ce)\s+(?P<score>{NUMBER})\s*(;|$)")
OPERATIONS = re.compile(r"\s(?:acd|acn|acs|am|bm|ce|dm|eco|hmvc|fmvn|id|pv|sm|c\d(?=\s*\"))\s.*")  # of EPD
COMMENTS = re.compile(r"\{[^}]*\}|\([^()]*\)|\$\d+")
NUMBERS = re.compile(r"(?:(?<=\s)|^)\d+\.+")  # of moves: a list begins with one, and ends with a score of 1.5
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class Line(NamedTuple):
    """What a line says: the position, how it was written, and its score, if it has one."""

    match: Match
    written: str
    score: float | None = None
    mate: int | None = None  # moves to it, of both sides together one
    board: str = ""  # where the game starts elsewhere than at its start


class PositionFile:
    """The positions of a file, and how far along it we are."""

    def __init__(self, name: str) -> None:
        self.name = "standard input" if name == "-" else name
        self.total: int | None = None
        self.done = 0
        self.start = monotonic()
        if name == "-":
            if sys.stdin is None or getattr(sys.stdin, "closed", False):
                raise UsageError("there is no standard input to read positions from: give a file.")
            self._lines: Iterator[str] = iter(sys.stdin.readline, "")
            return
        try:
            lines = Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            raise UsageError(f"cannot read {name!r}: {error.strerror or error}.") from None
        self.total = sum(1 for _ in _entries(iter(lines)))
        self._lines = iter(lines)

    def positions(self, game: Game[Any, Any]) -> Iterator[tuple[int, Line]]:
        """The number of each line that has a position, and what it says."""
        for count, start, text in _entries(self._lines):
            try:
                yield count, read(game, text, start)
            except PerfectPlayError as error:
                raise UsageError(f"{self.name}, line {count}: {error}") from None

    def progress(self) -> str:
        """How many are done, how fast, and how long the rest will take."""
        seconds = monotonic() - self.start
        rate = self.done / seconds if seconds else 0.0
        if self.total is None:
            return f"{self.done:,} positions, {rate:,.1f} a second"
        left = f", about {(self.total - self.done) / rate:,.0f} s left" if rate else ""
        return f"{self.done:,} of {self.total:,} positions, {rate:,.1f} a second{left}"


def _entries(lines: Iterator[str]) -> Iterator[tuple[int, str, str]]:
    """What stands for one position each: the number of its line, a board to start from, and the text."""
    game: list[str] | None = None  # the moves of a game with tags, as far as they are read
    first, fen = 0, ""
    for count, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith(("#", "%")):
            continue
        if tag := TAG.fullmatch(text):
            if game:
                yield first, fen, " ".join(game)
            if game is None or game:
                first, fen, game = count, "", []
            if tag[1].upper() == "FEN":
                fen = tag[2]
        elif game is None:
            yield count, "", text
        elif text:
            game.append(text)
    if game is not None and (game or fen):
        yield first, fen, " ".join(game)


def read(game: Game[Any, Any], text: str, board: str = "") -> Line:
    """What a line says of a position of this game."""
    if board:
        return Line(_played(game, text, board), f"{board} {text}".strip(), board=board)
    if BOARD.fullmatch(text):
        return _read_board(game, text)
    if NUMBERS.match(text) or "{" in text:
        return Line(_played(game, text, ""), " ".join(_moves(text)))
    return _read_moves(game, text)


def position(game: Game[Any, Any], names: list[str], board: str) -> Match:
    """The position after these moves, from a board or from the start."""
    return Match(game, names, game.parse_board(board)) if board else Match(game, names)


def _played(game: Game[Any, Any], text: str, board: str) -> Match:
    return position(game, _moves(text), board)


def _moves(text: str) -> list[str]:
    """The moves of a list with numbers, comments and a result."""
    words = NUMBERS.sub(" ", COMMENTS.sub(" ", text)).split()
    return [word for word in words if word not in RESULTS]


def _read_board(game: Game[Any, Any], text: str) -> Line:
    """A board with what is said of it: moves and their scores, or the operations of EPD."""
    where = text.partition(";")[0] if not OPERATIONS.search(text) else OPERATIONS.sub("", text)
    board = where.strip()
    rest = text[len(where) :]
    match = Match(game, (), game.parse_board(board))
    scores = [_number(found["score"]) for found in SCORED.finditer(rest)]
    operations = {found["name"]: _number(found["score"]) for found in OPERATION.finditer(rest)}
    score = max(scores) if scores else operations.get("ce")
    mate = int(operations["dm"]) if "dm" in operations else None
    return Line(match, board, score, mate, board)


def _read_moves(game: Game[Any, Any], text: str) -> Line:
    """Moves and, as the last word, perhaps a score.

    After moves that are joined in one word, a number is a score: who separates moves separates them all.
    After others it is a move, if it has no sign or is a legal one, for 4 4 3 is three moves.
    """
    *before, last = text.split() or [""]
    if before and re.fullmatch(NUMBER, last):
        match = Match(game, before)
        if len(before) == 1 and len(match.actions) > 1:
            return Line(match, before[0], _number(last))
    try:
        return Line(Match(game, text.split()), text)
    except IllegalActionError as error:
        if re.fullmatch(NUMBER, last) and last[0] in "+-":
            return Line(Match(game, before), " ".join(before), _number(last))
        if len(before) == 1 and len(Match(game, before).actions) > 1:
            raise IllegalActionError(
                f"{str(error)[:-1]}; what follows moves in one word is a score."
            ) from None
        raise


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)
