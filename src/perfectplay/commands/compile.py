"""perfectplay compile: what becomes of a game class on its way to machine code, or what is in the way."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from perfectplay.commands.command import Command, UsageError, add_game, add_json
from perfectplay.compiler import explained
from perfectplay.errors import did_you_mean
from perfectplay.games import load_game
from perfectplay.terminal import Terminal

SHOWS = {
    "shapes": "what play has shown of states and actions, and what every function takes and gives",
    "lowered": "the rules as steps on single numbers, before LLVM",
    "llvm": "LLVM's assembly, optimised",
    "native": "the assembly of this machine",
}


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--show", choices=SHOWS, help="; ".join(f"{name}: {what}" for name, what in SHOWS.items())
    )
    parser.add_argument(
        "--rule", metavar="NAME", help="show this method or helper alone, as in --rule actions"
    )
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Compile a class, and say what became of it."""
    from perfectplay.engine.engine import ARGUMENTS
    from perfectplay.engine.negamax import search

    game = load_game(arguments.game)
    told = explained(game, search, ARGUMENTS)
    name = type(game).__name__
    shown = _shown(told, arguments.show, arguments.rule) if told.rules and arguments.show else None
    if arguments.json:
        terminal.row([json.dumps({"game": arguments.game, **_jsonable(told), "shown": shown}, indent=2)])
    elif told.whole is None:
        terminal.say(f"{name} runs interpreted: {_reason(told)}")
        for hindrance in told.hindrances:
            terminal.row([f"\n{hindrance}"])
    elif shown is not None:
        terminal.row([shown.rstrip()])
    else:
        terminal.say(f"{name} compiles")
        terminal.pairs(_summary(told))
    return 0 if told.whole else 1


def _reason(told: Any) -> str:
    if len(told.hindrances) > 1:
        return f"{len(told.hindrances)} lines stand in the way"
    return "one line stands in the way" if told.hindrances else str(told.why_not)


def _shown(told: Any, show: str, rule: str | None) -> str:
    names = {one.function.name for one in told.functions()}
    if rule is not None and rule not in names:
        raise UsageError(f"there is no compiled {rule!r}: {did_you_mean(rule, sorted(names))}")
    if show in ("llvm", "native"):
        return str(told.llvm(rule) if show == "llvm" else told.native(rule))
    if show == "lowered":
        return "\n\n".join(str(one.ir) for one in told.functions(rule))
    rows: list[str] = told.signatures(rule)
    if rule is None:
        rows = [f"states: {told.observed.state!r}", f"actions: {told.observed.action!r}", "", *rows]
    return "\n".join(rows)


def _summary(told: Any) -> dict[str, str]:
    wide = ", ".join(map(str, sorted(told.observed.wide_lines)))
    summary = {
        "states": repr(told.observed.state),
        "actions": repr(told.observed.action),
        "a state": f"{8 * told.whole.layout.words} bytes in memory",
        "functions": f"{len(told.functions())} of the rules, {len(told.whole.program.live)} with the search",
        "code": f"{len(told.whole.code):,} bytes",
    }
    if wide:
        summary["128 bits"] = f"on line {wide}, where numbers leave 64"
    return summary | {name: f"{seconds:.3f} s" for name, seconds in told.seconds.items()}


def _jsonable(told: Any) -> dict[str, Any]:
    report: dict[str, Any] = {"compiled": told.whole is not None, "why_not": told.why_not or None}
    report["obstacles"] = [asdict(one) for one in told.hindrances]
    report["seconds"] = told.seconds
    if told.whole:
        report |= {"states": repr(told.observed.state), "actions": repr(told.observed.action)}
        report |= {"state_bytes": 8 * told.whole.layout.words, "code_bytes": len(told.whole.code)}
        report |= {
            "wide_lines": sorted(told.observed.wide_lines),
            "functions": told.signatures(),
        }
    return report


COMMAND = Command(
    "compile",
    "show what becomes of a game class on its way to machine code, or what stands in the way",
    "Every command compiles by itself; this one says how. Without --show: whether the class compiles, what\n"
    "its states and actions are taken for, and the seconds of each pass: observing random play, comparing\n"
    "every rule with Python, lowering the search with the rules, emitting, optimising. Where a class does\n"
    "not compile, every line that stands in the way is shown with what to write instead (exit code 1).\n\n"
    "perfectplay compile my_game.py:MyGame\n"
    "perfectplay compile my_game.py:MyGame --show shapes\n"
    "perfectplay compile my_game.py:MyGame --show lowered --rule is_terminal",
    _arguments,
    _run,
)
