"""perfectplay check: look for mistakes in a game class."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from perfectplay.check import PLAYOUTS, SECONDS, STATES, Report, check_game
from perfectplay.check.report import short
from perfectplay.commands.command import Command, add_game, add_json
from perfectplay.games import load_game
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--states", type=int, metavar="N", help=f"how many to explore from the start ({STATES:,})"
    )
    parser.add_argument("--playouts", type=int, metavar="N", help=f"how many to play ({PLAYOUTS})")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help=f"when to leave a slow game (about {SECONDS:g})"
    )
    parser.add_argument("--no-compile", action="store_true", help="do not compare with the compiled game")
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Look for mistakes in a game class."""
    report = check_game(
        load_game(arguments.game),
        states=arguments.states,
        playouts=arguments.playouts,
        seconds=arguments.seconds,
        compiled=not arguments.no_compile,
    )
    terminal.say(json.dumps(_jsonable(report), indent=2) if arguments.json else str(report))
    return 0 if report.ok else 1


def _jsonable(report: Report) -> dict[str, Any]:
    findings = [vars(finding) | {"state": short(finding.state)} for finding in report.findings]
    return vars(report) | {"ok": report.ok, "findings": findings}


COMMAND = Command(
    "check",
    "look for mistakes in a game class",
    "A rule that does not return is interrupted and told. What follows the mistakes: how the class runs,\n"
    "compiled or not, every line that stands in the way with what to write instead, how much faster the\n"
    "engine is for it, and what a tablebase would be.\n\n"
    "perfectplay check my_game.py:MyGame (exit code 1: errors)",
    _arguments,
    _run,
)
