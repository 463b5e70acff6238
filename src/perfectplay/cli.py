"""The command line: arguments in, text out, no logic."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from io import TextIOWrapper
from typing import NoReturn

from perfectplay.blame import fault_of_game, told
from perfectplay.commands import COMMANDS, command_named
from perfectplay.commands.command import UsageError
from perfectplay.errors import PerfectPlayError, did_you_mean
from perfectplay.terminal import Terminal


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 where `check` finds errors, or 2 with one sentence of error."""
    if sys.stdout is None or getattr(sys.stdout, "closed", False):
        return _refuse("there is no standard output to write to.")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a board is better with ? than not at all
    try:
        words = _with_known_command(sys.argv[1:] if argv is None else list(argv))
        arguments = _parser(words[:1] if words[0] in COMMANDS else COMMANDS).parse_args(words)
    except PerfectPlayError as error:
        return _refuse(str(error))
    try:
        code: int = arguments.run(arguments, Terminal())
        sys.stdout.flush()
        return code
    except PerfectPlayError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return _refuse("stopped; run it again to start over.")
    except BrokenPipeError:
        _close_output()
        return _refuse("the output was closed before all of it was written.")
    except MemoryError:
        return _refuse("out of memory: try a smaller board, or an algorithm with a depth.")
    except (Exception, SystemExit) as error:
        if os.environ.get("PERFECTPLAY_DEBUG"):
            raise
        return _refuse(_explained(error))


def _refuse(sentence: str) -> int:
    with suppress(OSError, ValueError):  # it may be closed, and then there is nobody to tell
        if sys.stderr is not None:
            print(f"perfectplay: {sentence}", file=sys.stderr)
    return 2


def _close_output() -> None:
    """Nothing more can be written: Python must not try again when it exits."""
    with suppress(AttributeError, OSError, ValueError):  # a stream in memory has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explained(error: BaseException) -> str:
    """An error that nobody expected, in one sentence: the game's own, the disk's, or ours."""
    if sentence := fault_of_game(error):
        return sentence
    if isinstance(error, OSError):
        _close_output()
        return f"cannot write the output: {error.strerror or error}."
    what = f"this is a bug in perfectplay ({told(error)})"
    return f"{what}; set PERFECTPLAY_DEBUG=1 to see where, and please report it."


# The grammar.


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help.")


def _with_known_command(argv: list[str]) -> list[str]:
    """The arguments, once their first word is known to be a command."""
    if argv and not argv[0].startswith("-") and argv[0] not in COMMANDS:
        raise UsageError(f"there is no command {argv[0]!r}: {did_you_mean(argv[0], COMMANDS)}")
    return argv or ["--help"]


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    """The grammar of these commands."""
    parser = _Parser(
        prog="perfectplay",
        description="Games of perfect information: the textbook algorithms and a compiled engine on any "
        "game, your own included.",
        epilog="Start with: perfectplay games",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"perfectplay {version('perfectplay')}")
    words = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in map(command_named, names):
        made = words.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=command.epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.arguments(made)
        made.set_defaults(run=command.run)
    return parser
