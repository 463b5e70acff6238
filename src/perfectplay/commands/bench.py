"""perfectplay bench: every method from plain minimax to the whole engine, on one position."""

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
from perfectplay.commands.quantities import plies
from perfectplay.engine.method_comparison import (
    COMPILED_NODES,
    INTERPRETED_NODES,
    MethodComparison,
    MethodResult,
    disagreement,
)
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
    """Compare the methods, a line for each."""
    game = game_for_engine(arguments)
    match = Match(game, arguments.moves)
    mode = "never" if arguments.no_compile else "auto"
    comparison = MethodComparison(
        game, match.state, depth=arguments.depth, nodes=arguments.nodes, compile=mode
    )
    results: list[MethodResult] = []
    if not arguments.json:
        terminal.board(game.render(match.state))
        terminal.say()
    stopped = False
    try:
        with terminal.progress(
            lambda: f"method {len(results) + 1}: {comparison.engine._parallel.nodes:,} nodes"
        ):
            for result in comparison.results():
                if not arguments.json:
                    if not results:
                        _say_head(result.depth, terminal)
                    terminal.say(_line(result))
                results.append(result)
    except KeyboardInterrupt:
        stopped = True
    wrong = disagreement(results)
    if arguments.json:
        report: dict[str, Any] = {"game": arguments.game, "moves": match.names}
        report |= {"to_move": side_name(game.to_move(match.state)), "depth": comparison.depth}
        report |= {
            "nodes_limit": comparison.nodes,
            "knowledge": comparison.knowledge,
            "agreed": wrong is None,
        }
        report |= {"stopped": stopped, **origin(comparison.engine)}
        report["rungs"] = [asdict(result) | {"branching": result.branching} for result in results]
        terminal.say(json.dumps(report, indent=2))
    elif not stopped:
        terminal.say()
        terminal.pairs(_summary(comparison, results))
    if wrong:
        raise BrokenGameError(f"THE VALUES DIFFER: {wrong}.")
    if stopped:
        raise StoppedError("stopped; these are the methods that were done.")
    return 0


def _say_head(depth: int, terminal: Terminal) -> None:
    terminal.say(plies(depth), "bold")
    head = f"{'method':14}  {'nodes':>13}  {'seconds':>8}  {'table hits':>10}  {'branching':>9}  value"
    terminal.say(head, "dim")


def _line(result: MethodResult) -> str:
    factor = "" if result.branching is None else f"{result.branching:.2f}"
    value = result.note or ("" if result.value is None else f"{number(result.value):.6g}")
    cost = f"{result.nodes:13,}  {result.seconds:8.3f}  {result.hits:10,}"
    return f"{result.name:14}  {cost}  {factor:>9}  {value}"


def _summary(comparison: MethodComparison, results: list[MethodResult]) -> dict[str, str]:
    told = {"values": "the same by every method"}
    known = {result.value for result in results if result.value is not None}
    if len(known) > 1:
        known_by = " and ".join(comparison.knowledge)
        told["values"] = f"another with the game's {known_by}, which correct its estimates"
    done = [result for result in results if result.value is not None]
    exact = any(result.exact for result in done)
    told["result"] = "exact: the end of the game is in sight" if exact else "an estimate, at this depth"
    if not done:
        told["values"] = "none: every method was left at its limit"
        told["result"] = "give more --nodes, or less --depth"
    alike = [
        result for result in done if result.name != "proof numbers"
    ]  # which counts other things as nodes
    if len(alike) > 1 and results[0].value is not None:
        least = min(alike, key=lambda result: result.nodes)
        times = results[0].nodes / least.nodes
        told["fewest"] = f"{least.name}, with one node for {times:,.1f} of {results[0].name}"
    if comparison.always:
        told["knowledge"] = f"{', '.join(comparison.always)}, which all methods ask for"
        told["rules"] = how_run(comparison.engine)
        return told
    told["knowledge"] = ", ".join(comparison.knowledge) or "none but the rules, the estimate and the order"
    told["rules"] = how_run(comparison.engine)
    return told


COMMAND = Command(
    "bench",
    "compare minimax, alpha-beta and all that comes after them on a position",
    "Every method searches to the same depth and must find the same value. Those with a + have all that the\n"
    "ones above them have. branching is the number of moves in every state of a tree with as many nodes.\n\n"
    "perfectplay bench connect-four\n"
    "perfectplay bench my_game.py:MyGame --depth 6",
    _arguments,
    _run,
)
