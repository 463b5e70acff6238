"""perfectplay bench: the ladder from plain minimax to the whole engine, on one position."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from perfectplay.commands.command import (
    Command,
    StoppedError,
    add_game,
    add_json,
    add_moves,
    add_no_compile,
    whole,
)
from perfectplay.commands.consulting import game_for_engine, how_run, number, origin
from perfectplay.engine.ladder import COMPILED_NODES, INTERPRETED_NODES, Ladder, Rung, disagreement
from perfectplay.errors import BrokenGameError
from perfectplay.play import Match, side_name
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    add_moves(parser)
    parser.add_argument(
        "--depth",
        type=whole(1),
        metavar="D",
        help="plies that every method searches (default: as many as minimax can in a few seconds)",
    )
    parser.add_argument(
        "--nodes",
        type=whole(1),
        metavar="N",
        help="leave a method that needs more states than N "
        f"(default: {COMPILED_NODES:,} compiled, {INTERPRETED_NODES:,} interpreted)",
    )
    add_no_compile(parser)
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Climb the ladder, a line for every rung."""
    game = game_for_engine(arguments)
    match = Match(game, arguments.moves)
    mode = "never" if arguments.no_compile else "auto"
    ladder = Ladder(game, match.state, depth=arguments.depth, nodes=arguments.nodes, compile=mode)
    rungs: list[Rung] = []
    if not arguments.json:
        terminal.board(game.render(match.state))
        terminal.say()
    stopped = False
    try:
        with terminal.progress(lambda: f"rung {len(rungs) + 1}: {ladder.engine._crew.nodes:,} nodes"):
            for rung in ladder.rungs():
                if not arguments.json:
                    if not rungs:
                        _say_head(rung.depth, terminal)
                    terminal.say(_line(rung))
                rungs.append(rung)
    except KeyboardInterrupt:
        stopped = True
    wrong = disagreement(rungs)
    if arguments.json:
        report: dict[str, Any] = {"game": arguments.game, "moves": match.names}
        report |= {"to_move": side_name(game.to_move(match.state)), "depth": ladder.depth}
        report |= {"nodes_limit": ladder.nodes, "knowledge": ladder.knowledge, "agreed": wrong is None}
        report |= {"stopped": stopped, **origin(ladder.engine)}
        report["rungs"] = [asdict(rung) | {"branching": rung.branching} for rung in rungs]
        terminal.say(json.dumps(report, indent=2))
    elif not stopped:
        terminal.say()
        terminal.pairs(_summary(ladder, rungs))
    if wrong:
        raise BrokenGameError(f"THE VALUES DIFFER: {wrong}.")
    if stopped:
        raise StoppedError("stopped; these are the methods that were done.")
    return 0


def _say_head(depth: int, terminal: Terminal) -> None:
    terminal.say(f"{depth} {'ply' if depth == 1 else 'plies'}", "bold")
    head = f"{'method':13}  {'nodes':>13}  {'seconds':>8}  {'table hits':>10}  {'branching':>9}  value"
    terminal.say(head, "dim")


def _line(rung: Rung) -> str:
    factor = "" if rung.branching is None else f"{rung.branching:.2f}"
    value = rung.note or ("" if rung.value is None else f"{number(rung.value):.6g}")
    return f"{rung.name:13}  {rung.nodes:13,}  {rung.seconds:8.3f}  {rung.hits:10,}  {factor:>9}  {value}"


def _summary(ladder: Ladder, rungs: list[Rung]) -> dict[str, str]:
    told = {"values": "the same by every method"}
    known = {rung.value for rung in rungs if rung.value is not None}
    if len(known) > 1:
        known_by = " and ".join(ladder.knowledge)
        told["values"] = f"another with the game's {known_by}, which correct its estimates"
    done = [rung for rung in rungs if rung.value is not None]
    exact = any(rung.exact for rung in done)
    told["result"] = "exact: the end of the game is in sight" if exact else "an estimate, at this depth"
    if not done:
        told["values"] = "none: every method was left at its limit"
        told["result"] = "give more --nodes, or less --depth"
    alike = [rung for rung in done if rung.name != "proof numbers"]  # which counts other things as nodes
    if len(alike) > 1 and rungs[0].value is not None:
        least = min(alike, key=lambda rung: rung.nodes)
        told["fewest"] = f"{least.name}, with one node for {rungs[0].nodes / least.nodes:,.1f} of minimax"
    told["knowledge"] = ", ".join(ladder.knowledge) or "none but the rules, the estimate and the order"
    told["rules"] = how_run(ladder.engine)
    return told


BENCH = Command(
    "bench",
    "compare minimax, alpha-beta and all that comes after them on a position",
    "Every method searches to the same depth and must find the same value. Those with a + have all that the\n"
    "ones above them have. branching is the number of moves in every state of a tree with as many nodes.\n\n"
    "perfectplay bench connect-four\n"
    "perfectplay bench my_game.py:MyGame --depth 6",
    _arguments,
    _run,
)
