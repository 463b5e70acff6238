"""Command: a name, what it is good for, its arguments, and what to do."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from math import inf
from typing import NamedTuple

from perfectplay.engine.methods import METHODS
from perfectplay.errors import PerfectPlayError
from perfectplay.terminal import Terminal

GAME_HELP = (
    "a game and its parameters, as in connect-four:rows=4,cols=5,k=3 (see: perfectplay games), "
    "a class of your own, as in my_game.py:MyGame, chess, or one of OpenSpiel's, as in openspiel:hex"
)
MOVES_HELP = (
    "moves to make first, in the game's notation, as in --moves 4 4 3; "
    "where moves are single characters, --moves 443 is the same"
)


class Command(NamedTuple):
    """A word of the command line."""

    name: str
    summary: str
    epilog: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Terminal], int]


class UsageError(PerfectPlayError):
    """Words that the command line does not understand."""


class StoppedError(PerfectPlayError):
    """Somebody pressed Ctrl-C: what was found until then has been printed."""


def add_game(parser: ArgumentParser) -> None:
    """The game that a command is about."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)


def add_moves(parser: ArgumentParser) -> None:
    """The moves that lead to the position."""
    parser.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help=MOVES_HELP)


def add_json(parser: ArgumentParser) -> None:
    """The answer for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def add_no_compile(parser: ArgumentParser) -> None:
    """The rules as Python runs them."""
    parser.add_argument(
        "--no-compile",
        action="store_true",
        help="run the rules in Python: slower, but at once, for compiling takes seconds the first time",
    )


def add_threads(parser: ArgumentParser) -> None:
    """How many processors may be used."""
    parser.add_argument(
        "--threads", type=whole(1), metavar="T", help="search in T threads, over one table (default: 1)"
    )


def add_method(parser: ArgumentParser) -> None:
    """How to search."""
    parser.add_argument(
        "--method",
        choices=METHODS,
        metavar="NAME",
        help=f"how to search: {', '.join(METHODS)} (default: the one for this kind of game)",
    )


def add_table(parser: ArgumentParser) -> None:
    """How much may be remembered."""
    parser.add_argument(
        "--table-mb",
        type=above_zero,
        default=64,
        metavar="M",
        help="memory for the table of what is known, in MB (default: %(default)g)",
    )


def add_cluster(parser: ArgumentParser) -> None:
    """Other machines that do the work."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="have a Ray cluster do the work: its HOST:PORT, auto for the one that this machine belongs to, "
        "or local:N for N workers here",
    )


def add_tablebase(parser: ArgumentParser) -> None:
    """A directory of solved positions to look into."""
    parser.add_argument(
        "--tablebase", metavar="DIR", help="look into this tablebase of the game, or of the end of it"
    )


def whole(least: int) -> Callable[[str], int]:
    """A reader of whole numbers that are not below `least`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise ArgumentTypeError(f"{text!r} cannot be: give a whole number of {least} or more")
        return number

    return read


def above_zero(text: str) -> float:
    """A reader of numbers above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:
        raise ArgumentTypeError(f"{text!r} cannot be: give a number above 0")
    return number
