"""Game records: lists of moves as people write them, with numbers, comments and variations; and FEN."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from perfectplay.errors import IllegalActionError
from perfectplay.game import Game
from perfectplay.play.match import Match

MOST_MOVES = 4_000  # in a record, those of its variations included
TAG = re.compile(r'^\s*\[(\w+)\s+"([^"]*)"\s*\]\s*$', re.MULTILINE)
COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
NUMBER = re.compile(r"^\d+\.+")  # "12." and "12...", alone or before a move
GLYPH = re.compile(r"[!?]+$|^\$\d+$")
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
FEN = re.compile(r"^\s*(?:[1-8kqrbnp]+/){7}[1-8kqrbnp]+(?: [wb](?: \S+)*)?\s*$", re.IGNORECASE)


class Step(NamedTuple):
    """A move of a record, and the step after which it was played: -1 at the start."""

    move: str
    parent: int


class Record(NamedTuple):
    """A game as it was written down: the first step after another was played, others are variations."""

    tags: dict[str, str]
    steps: list[Step]


def read_tags(text: str) -> dict[str, str]:
    """What stands above the moves, as in [Game "connect-four"], by name in small letters."""
    return {name.lower(): value for name, value in TAG.findall(text)}


def read_record(game: Game[Any, Any], text: str, check: Callable[[], None] = lambda: None) -> Record:
    """The moves of a text, every one of them legal; IllegalActionError says which is not.

    `check` is asked before each whether somebody waits for it.
    """
    steps: list[Step] = []
    known: dict[tuple[int, str], int] = {}  # steps by their parent and name
    match, at = Match(game), [-1]  # `at`: the steps that lead to the match's state, the start first
    waiting: list[tuple[Match, list[int]]] = []  # where variations began
    for word in _words(text):
        check()
        if word == "(":
            if len(at) == 1:
                raise IllegalActionError(
                    "a variation begins before the first move: put it after the move it replaces."
                )
            waiting.append((match, at))
            match, at = _copy(match), at[:-1]
            match.undo()
        elif word == ")":
            if not waiting:
                raise IllegalActionError("a variation ends that has not begun: there is a ')' too many.")
            match, at = waiting.pop()
        else:
            for name in _played(match, word):
                place = known.setdefault((at[-1], name), len(steps))
                if place == len(steps):
                    steps.append(Step(name, at[-1]))
                at = [*at, place]
            if len(steps) > MOST_MOVES:
                raise IllegalActionError(f"these are more than {MOST_MOVES:,} moves: give fewer.")
    if waiting:
        raise IllegalActionError("a variation does not end: there is a '(' too many.")
    return Record(read_tags(text), steps)


def is_fen(text: str) -> bool:
    """Is that a position of chess, and no list of moves?"""
    return FEN.match(text) is not None


def men_of(fen: str) -> str:
    """The men of a FEN as an endgame is named: KRK, White's first."""
    board = fen.split()[0]
    sides = ([each for each in board if each.isupper()], [each for each in board if each.islower()])
    return "".join(
        "".join(sorted(side, key=lambda man: "KQRBNP".find(man.upper()))).upper() for side in sides
    )


def _words(text: str) -> Iterator[str]:
    """Moves and parentheses, without what else stands between them."""
    plain = COMMENT.sub(" ", TAG.sub(" ", text))
    for word in plain.replace("(", " ( ").replace(")", " ) ").split():
        token = GLYPH.sub("", NUMBER.sub("", word))
        if token and token not in RESULTS:
            yield token


def _played(match: Match, token: str) -> list[str]:
    """The names of the move or moves that a token is, which are made; "443" may be three."""
    before = len(match.actions)
    try:
        match.read_all(token)
    except IllegalActionError as error:
        parts = [part for part in token.split(",") if part]
        if len(parts) < 2:
            raise IllegalActionError(f"move {len(match.actions) + 1}, {error}") from None
        while len(match.actions) > before:
            match.undo()
        return [name for part in parts for name in _played(match, part)]
    return [match.game.action_name(action) for action in match.actions[before:]]


def _copy(match: Match) -> Match:
    copy = Match(match.game)
    copy.states, copy.actions = [*match.states], [*match.actions]
    return copy
