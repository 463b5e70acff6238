"""perfectplay search: the engine looks ahead, one depth after the other."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from math import isfinite
from typing import Any

from perfectplay.commands.command import (
    Command,
    StoppedError,
    above_zero,
    add_game,
    add_json,
    add_method,
    add_moves,
    add_no_compile,
    add_table,
    add_tablebase,
    add_threads,
    whole,
)
from perfectplay.commands.consulting import (
    best_move,
    cost,
    engine_for,
    facts,
    finished,
    finite,
    game_for_engine,
    how_run,
    in_words,
    names,
    number,
    origin,
    to_whom,
)
from perfectplay.commands.quantities import plies
from perfectplay.engine import Analysis, Engine, Ranked, Ranking
from perfectplay.engine.methods import MCTS
from perfectplay.errors import BadParameterError
from perfectplay.game import Game
from perfectplay.play import Match
from perfectplay.terminal import Terminal

SECONDS = 5.0  # where no limit is given


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    add_moves(parser)
    parser.add_argument(
        "--seconds",
        type=above_zero,
        metavar="S",
        help=f"stop after S seconds (default: {SECONDS:g}, where no other limit is given)",
    )
    parser.add_argument("--depth", type=whole(1), metavar="D", help="stop after looking D plies ahead")
    parser.add_argument("--nodes", type=whole(1), metavar="N", help="stop after N states")
    parser.add_argument(
        "--prove",
        action="store_true",
        help="solve beside it, in turns: every move has an estimate until its value is proven",
    )
    add_method(parser)
    add_threads(parser)
    add_table(parser)
    add_tablebase(parser)
    add_no_compile(parser)
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Search, with a line for every depth, until a limit is met, the value is exact, or Ctrl-C."""
    if arguments.prove and arguments.depth is not None:
        raise BadParameterError("--prove takes no --depth: it goes to the end of the game; give --seconds.")
    game = game_for_engine(arguments)
    match = Match(game, arguments.moves)
    state = match.state
    engine = engine_for(game, arguments)
    if not arguments.json:
        terminal.board(game.render(state))
        terminal.say()
    depths: list[Analysis] = []
    moves: list[Ranked] = []
    stopped = False
    try:
        if not match.over:
            _deepen(engine, state, arguments, terminal, depths, moves)
    except KeyboardInterrupt:
        stopped = True
    found = finished(game, state) if match.over else depths[-1] if depths else engine.search(state, nodes=0)
    if arguments.json:
        report = {"game": arguments.game, "moves": match.names, **facts(game, state, found)}
        report |= {"stopped": stopped, **origin(engine)}
        report["depths"] = [_in_short(game, each) for each in depths]
        if moves:
            report["ranking"] = [_move(game, each) for each in moves]
        terminal.say(json.dumps(report, indent=2))
    else:
        if depths:
            terminal.say()
        terminal.pairs(_summary(engine, state, found))
        _rank(game, moves, terminal)
    if stopped:
        raise StoppedError("stopped; this is the best answer so far.")
    return 0


def _deepen(
    engine: Engine,
    state: Any,
    arguments: Namespace,
    terminal: Terminal,
    depths: list[Analysis],
    moves: list[Ranked],
) -> None:
    """Fill in what every depth brought, and every proof, and what the moves are worth in the end."""
    seconds = arguments.seconds
    if seconds is None and arguments.depth is None and arguments.nodes is None:
        seconds = SECONDS
    if arguments.prove:
        answers = _proved(engine.analyse(state, seconds=seconds, nodes=arguments.nodes), moves)
    else:
        answers = engine.deepen(state, depth=arguments.depth, seconds=seconds, nodes=arguments.nodes)
    for found in answers:
        if not arguments.json:
            if not depths:
                terminal.say(f"{'depth':>5}  {'value':>9}  {'nodes':>13}  {'nodes/s':>11}  line", "dim")
            line = " ".join(names(engine.game, found.line))
            terminal.say(
                f"{found.depth:5}  {_value(found):>9}  {found.nodes:13,}  {found.speed:11,.0f}  {line}"
            )
        depths.append(found)


def _proved(rankings: Iterator[Ranking], moves: list[Ranked]) -> Iterator[Analysis]:
    """The best of every ranking that brought more than time; the moves are those of the last."""
    last = None
    for ranking in rankings:
        moves[:] = ranking.moves
        news = ranking.found.depth, [(each.lower, each.upper) for each in ranking.moves]
        if news != last:
            yield ranking.found
        last = news


def _rank(game: Game[Any, Any], moves: list[Ranked], terminal: Terminal) -> None:
    """Every move with what it is worth, and how sure that is."""
    if not moves:
        return
    width = max(len(game.action_name(each.action)) for each in moves)
    terminal.say()
    for each in moves:
        star = "*" if each.best else " "
        worth = f"{number(each.value):.6g}"
        terminal.say(f"{star} {game.action_name(each.action):{width}}  {worth:>9}  {_surety(each)}")


def _surety(move: Ranked) -> str:
    """How sure a value is: exact, or an estimate with the limits that are proven."""
    if move.exact:
        return "exact"
    least = f"at least {number(move.lower):g}" if isfinite(move.lower) else ""
    most = f"at most {number(move.upper):g}" if isfinite(move.upper) else ""
    return ", ".join(filter(None, ("estimate", least, most)))


def _move(game: Game[Any, Any], move: Ranked) -> dict[str, Any]:
    return {
        "action": game.action_name(move.action),
        "value": finite(move.value),
        "best": move.best,
        "exact": move.exact,
        "lower": finite(move.lower),
        "upper": finite(move.upper),
    }


def _summary(engine: Engine, state: Any, found: Analysis) -> dict[str, str]:
    game = engine.game
    over = game.is_terminal(state)
    pairs = {
        "best move": "none: the game is over" if over else best_move(game, found),
        "value": f"{_value(found)} ({to_whom(game, state)})",
        "result": in_words(game, state, found),
    }
    if over:
        return pairs
    if found.exact:
        pairs["proof"] = f"exact; it rests on {found.proof}"
    elif found.depth == 0:
        pairs["note"] = "not even one ply was searched: this is a guess"
    if engine.method == MCTS:
        pairs.pop("note", None)
        pairs["searched"] = cost(found, "playout")
    else:
        pairs["searched"] = f"{plies(found.depth)}, {cost(found)}"
    pairs["rules"] = how_run(engine)
    return pairs


def _value(found: Analysis) -> str:
    return f"{number(found.value):.6g}"


def _in_short(game: Game[Any, Any], found: Analysis) -> dict[str, Any]:
    return {
        "depth": found.depth,
        "value": number(found.value),
        "exact": found.exact,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "line": names(game, found.line),
    }


COMMAND = Command(
    "search",
    "look ahead from a position with the engine, deeper and deeper",
    "Every line is one ply deeper than the one before: the value is that to the player to move. It ends\n"
    "when a limit is met, when the value is exact, or with Ctrl-C: the answer is then the best so far.\n\n"
    "With --prove it solves beside that, in turns, and values every move: what is proven replaces\n"
    "what is guessed.\n\n"
    "perfectplay search connect-four --moves 4 4 --seconds 10 --threads 2",
    _arguments,
    _run,
)
