"""perfectplay arena: players against each other."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from math import isinf
from time import monotonic
from typing import Any

from perfectplay.arena import SECONDS, Openings, Played, Standing, contest, find_openings, read_players
from perfectplay.commands.command import (
    Command,
    StoppedError,
    UsageError,
    above_zero,
    add_cluster,
    add_game,
    add_json,
    add_no_compile,
    whole,
)
from perfectplay.commands.consulting import cluster_at, finite, usable_game
from perfectplay.game import MAX, Game, require_zero_sum
from perfectplay.games import GAMES
from perfectplay.play import (
    OTHERS,
    TABLEBASE,
    EnginePlayer,
    Match,
    Player,
    TablebasePlayer,
    player_names,
    require_suited,
)
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    for name, which in (("first", "A"), ("second", "B")):
        parser.add_argument(
            name,
            metavar=which,
            help="a player (see below), with settings of its own where it should have them, "
            "as in engine:seconds=0.5,threads=2 or sound-alpha-beta:depth=3",
        )
    add_game(parser)
    parser.add_argument(
        "--games", type=whole(1), default=20, metavar="N", help="how many, in pairs (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds",
        type=above_zero,
        metavar="S",
        help=f"time for a move, for players without settings that look at the clock (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--depth", type=whole(1), metavar="D", help="look D plies ahead instead, for those that can"
    )
    parser.add_argument(
        "--openings",
        type=whole(0),
        metavar="PLIES",
        help="begin each pair of games with so many random moves "
        "(default: as few as give every pair another opening)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="another number, other openings (%(default)s)"
    )
    parser.add_argument("--show", action="store_true", help="print the moves of every game")
    add_cluster(parser)
    add_no_compile(parser)
    add_json(parser)


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Let two players play, and say how much better one of them is."""
    if arguments.first.partition(":")[0] in GAMES:
        raise UsageError(f"{arguments.first!r} is a game: give the two players first, and then the game.")
    labels = (arguments.first, arguments.second)
    players = _players(arguments, arguments.seed)
    asks_engine = any(isinstance(player, EnginePlayer) for player in players)
    game = usable_game(arguments.game, engine=asks_engine)
    require_zero_sum(game, "the arena")
    for player in players:
        require_suited(player, game)
    _open(players, game)
    wanted = (arguments.games + 1) // 2
    openings = find_openings(game, wanted, arguments.openings, arguments.seed)
    if len(openings.lines) < wanted and not arguments.json:
        terminal.say(_too_few(openings, wanted))
    played: list[tuple[Played, Played]] = []
    start = monotonic()

    def progress() -> str:
        won, drawn, lost = _standing(played).tally
        done = 2 * len(played)
        pace = f", {(monotonic() - start) / done:.1f} s a game" if done else ""
        return f"{done} of {2 * len(openings.lines)} games: +{won} ={drawn} -{lost}{pace}"

    stopped = False
    try:
        with terminal.progress(progress):
            for pair in _contest(game, players, openings, arguments):
                played.append(pair)
                if arguments.show and not arguments.json:
                    _show(pair, 2 * len(played) - 1, labels, terminal)
    except KeyboardInterrupt:
        stopped = True
    if arguments.json:
        report = _facts(arguments, played, openings, round(monotonic() - start, 3))
        terminal.say(json.dumps(report | {"stopped": stopped}, indent=2))
    else:
        terminal.pairs(_summary(labels, _standing(played), openings, played))
    if stopped:
        raise StoppedError("stopped; this is the result so far.")
    return 0


def _players(arguments: Namespace, seed: int) -> list[Player]:
    """The two players that the arguments describe."""
    labels = (arguments.first, arguments.second)
    mode = "never" if arguments.no_compile else "auto"
    return read_players(labels, seconds=arguments.seconds, depth=arguments.depth, seed=seed, compile=mode)


def _open(players: list[Player], game: Game[Any, Any]) -> None:
    """Let those who play from a tablebase open it."""
    for player in players:
        if isinstance(player, TablebasePlayer):
            player.open(game)


def _contest(
    game: Game[Any, Any], players: list[Player], openings: Openings, arguments: Namespace
) -> Iterator[tuple[Played, Played]]:
    """The games, in pairs: one after the other here, or as many at a time as a cluster has workers."""
    with cluster_at(arguments.cluster) as cluster:
        if cluster is None:
            yield from contest(game, players, openings, dice=arguments.seed)
            return
        wanted = ("first", "second", "no_compile", "seconds", "depth", "seed")
        settings = Namespace(**{name: getattr(arguments, name) for name in wanted})
        lines = enumerate([game.action_name(action) for action in line] for line in openings.lines)
        yield from cluster.map(_pair_elsewhere, (cluster.rules(game), settings), lines)


def _pair_elsewhere(asked: tuple[Any, Namespace], question: tuple[int, list[str]]) -> tuple[Played, Played]:
    """Play one pair of games, as a worker of a cluster: with players of its own, so as to be repeatable."""
    (rules, arguments), (number, names) = asked, question
    game, _ = rules.opened()
    players = _players(arguments, arguments.seed + 2 * number)
    _open(players, game)
    line = tuple(Match(game, names).actions)
    openings = Openings((line,), len(line), complete=False)
    return next(contest(game, players, openings, dice=arguments.seed + number))


def _standing(played: list[tuple[Played, Played]]) -> Standing:
    return Standing(tuple((one.score, other.score) for one, other in played))


def _too_few(openings: Openings, wanted: int) -> str:
    found, plies = len(openings.lines), openings.plies
    are = "there is only 1 opening" if found == 1 else f"there are only {found} distinct openings"
    if not openings.complete:
        are = f"only {found} distinct openings were found"
    of = f"of {plies} {'move' if plies == 1 else 'moves'}" if plies else "without a move"
    return f"{are} {of}: {2 * found} games instead of {2 * wanted}."


def _show(pair: tuple[Played, Played], number: int, labels: tuple[str, str], terminal: Terminal) -> None:
    for count, played in enumerate(pair, number):
        sides = labels if played.first_is == MAX else labels[::-1]
        opening = f", opening {' '.join(played.opening)}" if played.opening else ""
        terminal.say(f"[{count}: {sides[0]} (MAX) - {sides[1]} (MIN){opening}]", "dim")
        terminal.say(f"{played.notation}\n")


def _summary(
    labels: tuple[str, str], standing: Standing, openings: Openings, played: list[tuple[Played, Played]]
) -> dict[str, str]:
    won, drawn, lost = standing.tally
    lower, upper = standing.limits
    length = f"{openings.plies} {'move' if openings.plies == 1 else 'moves'}"
    confidence = f"{100 * lower:.1f} to {100 * upper:.1f} % with 95 % confidence"
    pairs = {
        "players": f"{labels[0]} - {labels[1]}",
        "games": f"{standing.games}: {won} won, {drawn} drawn, {lost} lost by the first",
        "openings": f"{len(standing.pairs)}, of {length}, each with both sides",
        "score": f"{100 * standing.score:.1f} % ({confidence})",
        "Elo": _elo(standing),
        "verdict": _verdict(labels, standing),
    }
    if cut := sum(each.cut for pair in played for each in pair):
        pairs["note"] = f"{cut} of the draws went on for too long and were stopped"
    return pairs


def _elo(standing: Standing) -> str:
    elo, lower, upper = standing.elo
    if standing.games == 0:
        return "not known"
    middle = "beyond measure" if isinf(elo) else f"{elo:+.0f}"
    if isinf(lower) or isinf(upper):
        least = "no limit" if isinf(lower) else f"{lower:+.0f}"
        most = "no limit" if isinf(upper) else f"{upper:+.0f}"
        return f"{middle} ({least} to {most})"
    return f"{middle} ± {(upper - lower) / 2:.0f} ({lower:+.0f} to {upper:+.0f})"


def _verdict(labels: tuple[str, str], standing: Standing) -> str:
    lower, upper = standing.limits
    if lower > 0.5 or upper < 0.5:
        return f"{'the first' if lower > 0.5 else 'the second'} player is better: {labels[lower <= 0.5]}"
    return "too close to call: more games would tell"


def _facts(
    arguments: Namespace, played: list[tuple[Played, Played]], openings: Openings, seconds: float
) -> dict[str, Any]:
    standing = _standing(played)
    won, drawn, lost = standing.tally
    report: dict[str, Any] = {
        "game": arguments.game,
        "players": [arguments.first, arguments.second],
        "games": standing.games,
        "wins": won,
        "draws": drawn,
        "losses": lost,
        "score": standing.score,
        "score_limits": list(standing.limits),
        "elo": finite(standing.elo[0]),
        "elo_limits": [finite(limit) for limit in standing.elo[1:]],
        "openings": len(openings.lines),
        "plies": openings.plies,
        "seed": arguments.seed,
        "seconds": seconds,
    }
    if arguments.show:
        report["played"] = [
            {
                "max": report["players"][0 if each.first_is == MAX else 1],
                "min": report["players"][1 if each.first_is == MAX else 0],
                "opening": list(each.opening),
                "moves": list(each.moves),
                "result": each.result,
            }
            for pair in played
            for each in pair
        ]
    return report


COMMAND = Command(
    "arena",
    "let two players play many games, and measure which is better",
    "Each opening is played twice, with sides swapped; the result is that of A. The Elo difference comes\n"
    "with its limits of 95 % confidence, from the variance of the pairs: while 0 is between them, neither\n"
    "player is known to be better.\n\n"
    f"players: {', '.join(player_names())}, {TABLEBASE}, {OTHERS}\n\n"
    "perfectplay arena medium easy connect-four --games 40\n"
    "perfectplay arena engine deepening connect-four --games 40 --seconds 0.1\n"
    "perfectplay arena engine:depth=4 engine:depth=6 kalah --show\n"
    "perfectplay arena engine:depth=3 'uci:stockfish,depth=1,Skill Level=0' chess --games 4\n"
    "perfectplay arena engine mcts:playouts=5000 einstein-wuerfelt-nicht\n"
    "perfectplay arena engine:depth=6 engine:depth=8 othello --games 200 --cluster local:2",
    _arguments,
    _run,
)
