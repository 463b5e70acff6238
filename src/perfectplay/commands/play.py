"""perfectplay play: a game against the computer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from random import Random
from typing import Any

from perfectplay.commands.command import Command, add_game, add_moves, add_no_compile, add_threads, whole
from perfectplay.commands.consulting import usable_game
from perfectplay.dialogue import Dialogue
from perfectplay.game import CHANCE, MAX, MIN, Game
from perfectplay.play import (
    OTHERS,
    SECONDS,
    TABLEBASE,
    EnginePlayer,
    Match,
    TablebasePlayer,
    find_player,
    player_names,
    require_suited,
)
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--with",
        dest="opponent",
        metavar="PLAYER",
        help="the opponent: easy, medium, hard or perfect (which proves every move); engine (the default), "
        "mcts (the engine by playouts), deepening (looks as far ahead as its time allows, in plain Python), "
        f"random, a textbook algorithm, {TABLEBASE} (plays perfectly), or {OTHERS} (a UCI engine, for chess)",
    )
    parser.add_argument(
        "--first", choices=("human", "computer"), default="human", help="who has the first side"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=f"time for each move of engine, mcts or deepening (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--depth", type=int, metavar="D", help="look D moves ahead, with a player that can stop early"
    )
    parser.add_argument(
        "--playouts", type=whole(1), metavar="N", help="playouts for each move, with a player that makes them"
    )
    parser.add_argument(
        "--dice",
        choices=("rolled", "typed"),
        default="rolled",
        help="where chance moves: roll dice, or have you type what came up (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="roll the same dice, and play the same moves, every time"
    )
    add_threads(parser)
    add_moves(parser)
    add_no_compile(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Play against an algorithm."""
    player = find_player(
        arguments.opponent or EnginePlayer.name,
        depth=arguments.depth,
        seconds=arguments.seconds,
        threads=arguments.threads,
        playouts=arguments.playouts,
        seed=arguments.seed,
        compile="never" if arguments.no_compile else "auto",
    )
    asks_engine = isinstance(player, EnginePlayer)
    game = usable_game(arguments.game, engine=asks_engine)
    require_suited(player, game)
    match = Match(game, arguments.moves)
    if isinstance(player, TablebasePlayer):
        player.open(game).probe(match.state)
    dice = Random(arguments.seed) if arguments.dice == "rolled" else None  # noqa: S311 - for a game
    person = _first(game) if arguments.first == "human" else _second(game)
    Dialogue(match, player, person, terminal, dice).run()
    return 0


def _first(game: Game[Any, Any]) -> int:
    """The side that moves first; MAX, where chance does."""
    mover = game.to_move(game.initial())
    if mover in (CHANCE, MAX):
        return MAX
    return MIN if game.zero_sum else mover


def _second(game: Game[Any, Any]) -> int:
    """The other side, or the next player."""
    if game.zero_sum:
        return MAX + MIN - _first(game)
    return (_first(game) + 1) % game.players


COMMAND = Command(
    "play",
    "play a game against the computer",
    f"players: {', '.join(player_names())}, {TABLEBASE}, {OTHERS}\n\n"
    "perfectplay play connect-four --with medium\n"
    "perfectplay play connect-four --seconds 3 --threads 2\n"
    "perfectplay play connect-four:rows=4,cols=4 --with minimax --first computer\n"
    "perfectplay play chinese-checkers --with mcts --playouts 50000\n"
    "perfectplay play chess --with uci:stockfish --seconds 0.1\n"
    "perfectplay play pig --dice typed",
    _arguments,
    _run,
)
