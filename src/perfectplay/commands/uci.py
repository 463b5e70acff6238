"""perfectplay uci: the engine for programs that speak UCI."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from importlib.metadata import version

from perfectplay.adapters.uci_server import UciServer
from perfectplay.commands.command import GAME_HELP, Command, UsageError, add_no_compile
from perfectplay.commands.consulting import usable_game
from perfectplay.engine import Engine
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game", nargs="?", default="chess", metavar="GAME", help=f"{GAME_HELP} (default: %(default)s)"
    )
    add_no_compile(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Answer standard input until it ends."""
    game = usable_game(arguments.game, engine=True)
    if sys.stdin is None or getattr(sys.stdin, "closed", False):
        raise UsageError("there is no standard input to read the protocol from.")

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    make = partial(Engine, compile="never" if arguments.no_compile else "auto")
    name = f"perfectplay {version('perfectplay')} ({arguments.game})"
    UciServer(game, say, name=name, make=make).serve(iter(sys.stdin.readline, ""))
    return 0


COMMAND = Command(
    "uci",
    "be an engine for a program that speaks UCI, the protocol of chess programs",
    "A chess program is given this command as the engine's. Of other games it plays any: position startpos\n"
    "moves 4 4 3, and go depth 8, movetime 500, nodes 100000, wtime and btime, infinite and stop.\n\n"
    "perfectplay uci\n"
    "perfectplay uci connect-four",
    _arguments,
    _run,
)
