"""perfectplay play: a game against the computer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from perfectplay.commands.command import Command, add_game, add_moves, add_no_compile, add_threads
from perfectplay.commands.consulting import usable_game
from perfectplay.dialogue import Dialogue
from perfectplay.game import MAX, MIN, same_side
from perfectplay.play import (
    SECONDS,
    TABLEBASE,
    EnginePlayer,
    Match,
    TablebasePlayer,
    find_player,
    player_names,
)
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--with",
        dest="opponent",
        metavar="PLAYER",
        default=EnginePlayer.name,
        help="the opponent: engine (the strongest, and the default), deepening (looks as far ahead as its "
        f"time allows, in plain Python), random, a textbook algorithm, or {TABLEBASE} (plays perfectly)",
    )
    parser.add_argument(
        "--first", choices=("human", "computer"), default="human", help="who has the first side"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=f"time for each move of engine or deepening (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--depth", type=int, metavar="D", help="look D moves ahead, with a player that can stop early"
    )
    add_threads(parser)
    add_moves(parser)
    add_no_compile(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Play against an algorithm."""
    player = find_player(
        arguments.opponent,
        depth=arguments.depth,
        seconds=arguments.seconds,
        threads=arguments.threads,
        compile="never" if arguments.no_compile else "auto",
    )
    asks_engine = isinstance(player, EnginePlayer)
    game = usable_game(arguments.game, engine=asks_engine, compiled=asks_engine and not arguments.no_compile)
    match = Match(game, arguments.moves)
    if isinstance(player, TablebasePlayer):
        player.open(game).probe(match.state)
    first = MAX if same_side(game.to_move(game.initial()), MAX) else MIN
    person = first if arguments.first == "human" else (MIN if first == MAX else MAX)
    Dialogue(match, player, person, terminal).run()
    return 0


PLAY = Command(
    "play",
    "play a game against the computer",
    f"players: {', '.join(player_names())}, {TABLEBASE}\n\n"
    "perfectplay play connect-four --seconds 3 --threads 2\n"
    "perfectplay play connect-four:rows=4,cols=4 --with minimax --first computer",
    _arguments,
    _run,
)
