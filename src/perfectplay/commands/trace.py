"""perfectplay trace: an algorithm at work, as a page, a picture, data or text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from perfectplay.commands.command import Command, UsageError, above_zero, add_game, add_moves, whole
from perfectplay.commands.consulting import usable_game
from perfectplay.files import write_whole
from perfectplay.games import GAMES
from perfectplay.play import Match
from perfectplay.terminal import Terminal
from perfectplay.textbook import Algorithm, check_playouts, find_algorithm
from perfectplay.trace import EVENTS, PLAYOUTS, SECONDS, Trace, trace

LINES = 200  # of the tree, where nobody asks for all of it
COUNTS = (
    "nodes",
    "leaves",
    "prunings",
    "skipped",
    "table_hits",
    "table_entries",
    "bounds_believed",
    "events",
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("algorithm", metavar="ALGORITHM", help="one of those of perfectplay textbook")
    add_game(parser)
    add_moves(parser)
    parser.add_argument(
        "--depth", type=int, metavar="D", help="look D moves ahead, with an algorithm that can stop early"
    )
    parser.add_argument(
        "--playouts",
        type=whole(1),
        metavar="N",
        help=f"make N playouts, with an algorithm that makes any ({PLAYOUTS})",
    )
    parser.add_argument(
        "--seed", type=whole(0), default=0, metavar="N", help="another number gives other playouts"
    )
    parser.add_argument(
        "--compare", metavar="ALGORITHM", help="record this one on the same position too, to set beside it"
    )
    parser.add_argument(
        "--limit", type=whole(1), default=EVENTS, metavar="N", help="record N events at most (%(default)s)"
    )
    parser.add_argument(
        "--seconds", type=above_zero, default=SECONDS, metavar="S", help="and for S seconds (%(default)g)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--html", metavar="FILE", help="a page to step through it, all in one file")
    form.add_argument("--svg", nargs="?", const="-", metavar="FILE", help="a still picture of the tree")
    form.add_argument("--json", nargs="?", const="-", metavar="FILE", help="everything, for programs")
    form.add_argument("--text", action="store_true", help=f"all of the tree as text, not {LINES} lines")


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Record one algorithm on one position, or two of them."""
    if arguments.algorithm.partition(":")[0] in GAMES:
        raise UsageError(f"{arguments.algorithm!r} is a game: give the algorithm first, and then the game.")
    names = [arguments.algorithm, *filter(None, [arguments.compare])]
    for name in names:
        find_algorithm(name)
    if arguments.compare and (arguments.svg or arguments.json):
        raise UsageError("--compare sets two runs side by side on a page or as text: give --html or --text.")
    game = usable_game(arguments.game)
    match = Match(game, arguments.moves)
    traces = []
    for name in names:
        algorithm = find_algorithm(name)
        depth = arguments.depth if algorithm.takes_depth or len(names) == 1 else None
        options = _options(arguments, algorithm, alone=len(names) == 1)
        with terminal.progress(lambda name=name: f"recording {name}"):  # type: ignore[misc]
            traces.append(
                trace(
                    name,
                    game,
                    match.state,
                    depth=depth,
                    limit=arguments.limit,
                    seconds=arguments.seconds,
                    moves=match.names,
                    title=arguments.game,
                    **options,
                )
            )
    _show(arguments, traces, terminal)
    return 0


def _options(arguments: Namespace, algorithm: Algorithm, *, alone: bool) -> dict[str, int]:
    """What a search by playouts is to be told."""
    if algorithm.takes_playouts:
        return {"playouts": arguments.playouts or PLAYOUTS, "seed": arguments.seed}
    if alone:
        check_playouts(algorithm, arguments.playouts)
    return {}


def _show(arguments: Namespace, traces: list[Trace], terminal: Terminal) -> None:
    first, *others = traces
    if arguments.html:
        first.to_html(arguments.html, beside=others[0] if others else None)
        terminal.say(f"{arguments.html} is ready: open it in a browser, with or without a network.")
    elif arguments.svg:
        _give(first.to_svg(), arguments.svg, terminal)
    elif arguments.json:
        _give(first.to_json(), arguments.json, terminal)
    else:
        for each in traces:
            after = f" after {' '.join(each.moves)}" if each.moves else ""
            terminal.say(f"{each.algorithm} on {each.game}{after}\n")
            terminal.say(f"{each.to_text(most=None if arguments.text else LINES)}\n")
        if others:
            _compare(first, others[0], terminal)
        return
    for each in traces:
        if each.note:
            terminal.warn(f"{each.algorithm}: {each.note}")


def _give(text: str, place: str, terminal: Terminal) -> None:
    """Print a text, or write it to a file."""
    if place == "-":
        terminal.say(text.rstrip("\n"))
    else:
        write_whole(place, text)
        terminal.say(f"{place} is ready.")


def _compare(first: Trace, second: Trace, terminal: Terminal) -> None:
    """The counts of two runs, side by side."""
    width = max(len(first.algorithm), len(second.algorithm), 9)
    terminal.say(f"{'':16} {first.algorithm:>{width}} {second.algorithm:>{width}}")
    for name in COUNTS:
        ours, theirs = first.totals[name], second.totals[name]
        terminal.say(f"{name.replace('_', ' '):16} {ours:>{width},} {theirs:>{width},}")


COMMAND = Command(
    "trace",
    "record a textbook algorithm at work, to watch it step by step",
    "perfectplay trace alpha-beta-search figure-5.2\n"
    "perfectplay trace alpha-beta tic-tac-toe --moves b2 a1 c1 a3 a2 --html lesson.html\n"
    "perfectplay trace minimax-search figure-5.2 --compare alpha-beta-search --html lesson.html\n"
    "perfectplay trace expectiminimax pig:goal=10 --depth 3 --html dice.html\n"
    "perfectplay trace monte-carlo-tree-search tic-tac-toe --playouts 60 --html playouts.html\n\n"
    "The algorithms are those of perfectplay textbook. The page shows the code with the current line, the\n"
    "tree as it grows, the window, the cuts and the table, chance as circles, and playouts phase by phase;\n"
    "it can be mailed and opened without a network.",
    _arguments,
    _run,
)
