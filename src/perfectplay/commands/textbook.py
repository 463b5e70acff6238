"""perfectplay textbook: one algorithm on one position."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from time import perf_counter
from typing import Any

from perfectplay.commands.command import Command, UsageError, add_game, add_json, add_moves, whole
from perfectplay.commands.consulting import number, usable_game
from perfectplay.game import CHANCE, MAX, MIN, Game, is_two_sided
from perfectplay.games import GAMES
from perfectplay.play import Match, mover_name, side_name, verdict
from perfectplay.terminal import Terminal
from perfectplay.textbook import ALGORITHMS, PLAYOUTS, Answer, Counted, find_algorithm, run_counted


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("algorithm", metavar="ALGORITHM", help="one of those below")
    add_game(parser)
    add_moves(parser)
    parser.add_argument(
        "--depth", type=int, metavar="D", help="look D moves ahead, with an algorithm that can stop early"
    )
    parser.add_argument(
        "--playouts", type=whole(1), metavar="N", help=f"playouts of a search that makes them ({PLAYOUTS:,})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other numbers, other playouts (0)")
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Run one textbook algorithm on one position."""
    if arguments.algorithm.partition(":")[0] in GAMES:
        raise UsageError(f"{arguments.algorithm!r} is a game: give the algorithm first, and then the game.")
    algorithm = find_algorithm(arguments.algorithm)
    game = usable_game(arguments.game)
    match = Match(game, arguments.moves)
    counted = Counted(game)
    start = perf_counter()
    with terminal.working(algorithm.name, counted):
        answer = run_counted(
            algorithm,
            counted,
            match.state,
            depth=arguments.depth,
            playouts=arguments.playouts,
            seed=arguments.seed,
        )
    seconds = perf_counter() - start
    action = None if answer.action is None else game.action_name(answer.action)
    depth = arguments.depth or algorithm.depth
    if arguments.json:
        report = {
            "game": arguments.game,
            "algorithm": algorithm.name,
            "moves": match.names,
            "to_move": mover_name(game, game.to_move(match.state)),
            "value": number(answer.value),
            "action": action,
            "winner": _winner(answer) if is_two_sided(game) and algorithm.exact else None,
            "estimate": answer.lower < answer.upper,
            "sound": algorithm.sound,
            "depth": depth,
            "entries": len(answer.table) if answer.table is not None else None,
            "prunings": answer.prunings if algorithm.prunes else None,
            "nodes": answer.nodes,
            "seconds": round(seconds, 6),
        }
        if answer.values is not None:
            report["values"] = [number(each) for each in answer.values]
        terminal.say(json.dumps(report, indent=2))
        return 0
    pairs = {
        "algorithm": algorithm.name + (f", {depth} move{'s' if depth > 1 else ''} ahead" if depth else ""),
        "value": _told_value(answer, game, match),
        "best action": action or ("none: the game is over" if match.over else "none: chance moves"),
        "result": _in_words(answer, game, match) if algorithm.exact else "an average of play at random",
    }
    if not algorithm.sound:
        pairs["note"] = "this form can be wrong (see the errata); sound-alpha-beta cannot"
    if answer.table is not None:
        pairs["entries"] = f"{len(answer.table):,}"
    if algorithm.prunes:
        pairs["prunings"] = f"{answer.prunings:,}"
    pairs |= {"nodes": f"{answer.nodes:,}", "seconds": f"{seconds:.3f}"}
    terminal.board(game.render(match.state))
    terminal.say()
    terminal.pairs(pairs)
    return 0


def _winner(answer: Answer) -> str | None:
    """Who wins, by what the algorithm found; None where looking further ahead may tell."""
    if answer.lower > 0 or answer.upper < 0:
        return side_name(MAX if answer.lower > 0 else MIN)
    return "tie" if answer.lower == answer.upper else None


def _told_value(answer: Answer, game: Game[Any, Any], match: Match) -> str:
    """The value, and to whom."""
    if answer.values is not None:
        told = ", ".join(f"{number(each):g}" for each in answer.values)
        return f"{told} (to players {', '.join(map(str, range(game.players)))})"
    player = game.to_move(match.state)
    owner = "MAX" if game.zero_sum or player == CHANCE else f"player {player}"
    return (
        f"{number(answer.value):.7g} (to {owner})"
        if game.has_chance
        else f"{number(answer.value):g} (to {owner})"
    )


def _in_words(answer: Answer, game: Game[Any, Any], match: Match) -> str:
    if match.over:
        return f"the game is over: {verdict(answer.value)}" if game.zero_sum else "the game is over"
    if not is_two_sided(game) and answer.lower < answer.upper:
        return "an estimate, which looking further ahead may change"
    if not game.zero_sum:
        return "what everybody gets if all play for themselves" if answer.values else "what one is sure of"
    if game.has_chance:
        return "on average, with best play on both sides"
    winner = _winner(answer)
    if winner is None:
        better = "even" if answer.value == 0 else f"better for {side_name(MAX if answer.value > 0 else MIN)}"
        return f"looks {better}: an estimate, which looking further ahead may change"
    if winner == "tie":
        return "a tie with best play"
    mover = side_name(game.to_move(match.state))
    whose = "the player to move" if mover == winner else f"{mover} is to move"
    return f"{winner} wins with best play ({whose})"


_ALGORITHMS = "\n".join(f"  {name:27} {algorithm.summary}" for name, algorithm in ALGORITHMS.items())

COMMAND = Command(
    "textbook",
    "run a textbook algorithm on a position",
    f"algorithms:\n{_ALGORITHMS}\n\nperfectplay textbook alpha-beta tic-tac-toe --moves b2 a3",
    _arguments,
    _run,
)
