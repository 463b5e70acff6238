"""perfectplay tablebase: every position of a game, solved, on disk."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from perfectplay.commands.command import (
    Command,
    above_zero,
    add_game,
    add_json,
    add_moves,
    add_no_compile,
    whole,
)
from perfectplay.commands.consulting import usable_game
from perfectplay.errors import BadTablebaseError, PerfectPlayError
from perfectplay.files import write_whole
from perfectplay.game import Game
from perfectplay.games import load_game
from perfectplay.play import Match, side_name
from perfectplay.terminal import Terminal

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


class DamagedError(PerfectPlayError):
    """A tablebase that is not what it should be."""


def _arguments(parser: ArgumentParser) -> None:
    words = parser.add_subparsers(metavar="WHAT", required=True, parser_class=type(parser))

    def word(name: str, text: str, run: Callable[[Namespace, Terminal], int]) -> ArgumentParser:
        made = words.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False
        )
        made.set_defaults(run=run)
        return made

    build = word("build", "solve a game completely into a directory, or go on with it", _build)
    add_game(build)
    build.add_argument("directory", metavar="DIR", help="an empty one, or that of a build that was stopped")
    add_moves(build)
    _add_limits(build)
    build.add_argument("--no-symmetry", action="store_true", help="keep all positions, not representatives")
    add_no_compile(build)
    add_json(build)

    estimate = word("estimate", "say roughly how many positions, bytes and minutes a game takes", _estimate)
    add_game(estimate)
    estimate.add_argument(
        "--seconds", type=above_zero, default=5.0, metavar="S", help="to count (%(default)g)"
    )
    estimate.add_argument("--no-symmetry", action="store_true", help="of all positions")
    add_json(estimate)

    probe = word("probe", "say what a position is worth, and every move of it", _probe)
    _add_directory(probe)
    add_moves(probe)
    add_json(probe)

    verify = word("verify", "check the files, and every value against those of its successors", _verify)
    _add_directory(verify)
    verify.add_argument("--sample", type=whole(1), metavar="N", help="the values of N positions only")
    _add_limits(verify)
    add_json(verify)

    stats = word("stats", "count positions by outcome, level and plies to the end", _stats)
    _add_directory(stats)
    stats.add_argument("--plot", metavar="FILE", help="and draw them, as SVG")
    add_json(stats)

    compress = word("compress", "make it about ten times smaller; it is still read at random", _compress)
    compress.add_argument("directory", metavar="DIR")

    export = word("export", "write all positions to a Parquet file, for DuckDB, Polars and pandas", _export)
    _add_directory(export)
    export.add_argument("--parquet", metavar="FILE", required=True)


def _add_directory(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="of a tablebase")
    parser.add_argument("--game", metavar="GAME", help="a game of your own, as in my_game.py:MyGame")


def _add_limits(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--memory", type=_bytes, default=2 << 30, metavar="BYTES", help="to use at most, as in 1G (2G)"
    )
    parser.add_argument("--workers", type=whole(1), metavar="N", help="threads (one for each processor)")


def _bytes(text: str) -> int:
    """A reader of sizes: 500M, 2G."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", text.strip().lower())
    if not found or float(found[1]) == 0:
        raise ArgumentTypeError(f"{text!r} is no size: give a number of bytes, as in 500M or 2G")
    return int(float(found[1]) * UNITS[found[2]])


def _build(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import build_tablebase
    from perfectplay.tablebase.storage import read_manifest

    game = usable_game(arguments.game, engine=True, compiled=not arguments.no_compile)
    began = monotonic()
    with _shown(terminal) as report:
        build_tablebase(
            game,
            arguments.directory,
            start=Match(game, arguments.moves).state if arguments.moves else None,
            memory=arguments.memory,
            workers=arguments.workers,
            symmetry=not arguments.no_symmetry,
            compile="never" if arguments.no_compile else "auto",
            report=report,
        )
    seconds = monotonic() - began
    manifest = read_manifest(Path(arguments.directory))
    size = _size(arguments.directory)
    if arguments.json:
        known = {name: manifest[name] for name in ("game", "positions", "symmetry", "values")}
        known |= {"levels": len(manifest["levels"]), "bytes": size, "seconds": round(seconds, 3)}
        terminal.say(json.dumps(known, indent=2))
        return 0
    terminal.pairs(
        {
            "game": manifest["game"],
            "positions": f"{manifest['positions']:,}{', up to symmetry' if manifest['symmetry'] else ''}",
            "levels": f"{len(manifest['levels'])}",
            "bytes": f"{size:,}",
            "seconds": f"{seconds:.1f}",
        }
    )
    return 0


def _estimate(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase.estimation import estimate_tablebase

    game = usable_game(arguments.game, engine=True, compiled=True)
    with terminal.progress(lambda: "counting"):
        found = estimate_tablebase(game, seconds=arguments.seconds, symmetry=not arguments.no_symmetry)
    if arguments.json:
        terminal.say(json.dumps(found._asdict(), indent=2))
        return 0
    about = "" if found.exact else "about "
    terminal.pairs(
        {
            "positions": f"{about}{_rough(found.positions, exact=found.exact)} in {found.levels} levels",
            "disk": f"{about}{_bytes_said(found.bytes)}, and {_bytes_said(found.compressed)} compressed",
            "time": f"about {_time_said(found.seconds)}",
            "counted": f"{found.counted:,} positions" + (", which is all" if found.exact else ""),
        }
    )
    return 0


def _probe(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import Tablebase

    with Tablebase(arguments.directory, _given(arguments)) as table:
        game = table.game
        match = Match(game, arguments.moves)
        entry = table.probe(match.state)
        moves = [] if match.over else table.explain(match.state)
        if arguments.json:
            told = [each._asdict() | {"action": game.action_name(each.action)} for each in moves]
            terminal.say(json.dumps(entry._asdict() | {"moves": told}, indent=2))
            return 0
        terminal.board(game.render(match.state))
        terminal.say()
        mover = side_name(game.to_move(match.state))
        until = "" if entry.remoteness is None else f", {_plies(entry.remoteness)} from the end"
        terminal.say(f"{mover} to move: {entry.outcome}, value {entry.value:g}{until}")
        for each in moves:
            until = "no end" if each.remoteness is None else _plies(each.remoteness)
            mark = "*" if each.best else " "
            terminal.say(
                f"{mark} {game.action_name(each.action):8} {each.outcome:5} {each.value:+g}  {until}"
            )
    return 0


def _verify(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase.verification import verify_tablebase

    with _shown(terminal) as report:
        faults = verify_tablebase(
            arguments.directory,
            _given(arguments),
            sample=arguments.sample,
            memory=arguments.memory,
            workers=arguments.workers,
            report=report,
        )
    if arguments.json:
        terminal.say(json.dumps({"right": not faults, "faults": faults}, indent=2))
    else:
        for fault in faults:
            terminal.say(fault)
    if faults:
        raise DamagedError(f"{arguments.directory} is not right: {len(faults)} things are wrong with it.")
    if not arguments.json:
        what = "of the sample " if arguments.sample else ""
        terminal.say(f"All is well: files, order, counts, and every value {what}follows from its successors.")
    return 0


def _stats(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import Tablebase
    from perfectplay.tablebase.statistics import KINDS, plotted, statistics

    with Tablebase(arguments.directory, _given(arguments)) as table:
        found = statistics(table)
        if arguments.plot:
            write_whole(arguments.plot, plotted(found, f"{table.manifest['game']}: {len(table):,} positions"))
        if arguments.json:
            terminal.say(json.dumps(found.to_dict(), indent=2))
            return 0
        width = max(12, len(f"{len(table):,}") + 2)
        heads = "".join(f"{kind:>{width}}" for kind in KINDS)
        terminal.say(f"{'level':>9}{'positions':>{width}}{heads}")
        for number, level in enumerate(found.levels):
            row = "".join(f"{level.get(kind, 0):>{width},}" for kind in KINDS)
            terminal.say(f"{number:>9}{sum(level.values()):>{width},}{row}")
        row = "".join(f"{found.outcomes[kind]:>{width},}" for kind in KINDS)
        terminal.say(f"{'all':>9}{found.positions:>{width},}{row}\n")
        terminal.say(f"{'to end':>9}{'positions':>{width}}{heads}")
        for end, counts in found.remoteness.items():
            row = "".join(f"{counts.get(kind, 0):>{width},}" for kind in KINDS)
            terminal.say(f"{end:>9}{sum(counts.values()):>{width},}{row}")
        for kind, (plies, state) in found.longest.items():
            terminal.say(f"\nThe longest {kind!r}: {_plies(plies)} from\n{table.game.render(state)}")
        if arguments.plot:
            terminal.say(f"\n{arguments.plot} is ready.")
    return 0


def _compress(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase.compression import compress_tablebase
    from perfectplay.tablebase.storage import read_manifest

    before = _size(arguments.directory)
    with _shown(terminal) as report:
        compress_tablebase(arguments.directory, report=report)
    after, positions = _size(arguments.directory), read_manifest(Path(arguments.directory))["positions"]
    terminal.say(f"{before:,} bytes became {after:,}: {after / positions:.2f} a position.")
    return 0


def _export(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import Tablebase
    from perfectplay.tablebase.exporting import export_parquet

    with Tablebase(arguments.directory, _given(arguments)) as table, _shown(terminal) as report:
        export_parquet(table, arguments.parquet, report=report)
    terminal.say(f"{arguments.parquet} is ready.")
    return 0


def _given(arguments: Namespace) -> Game[Any, Any] | None:
    return load_game(arguments.game) if arguments.game else None


def _size(directory: str) -> int:
    try:
        return sum(path.stat().st_size for path in Path(directory).iterdir())
    except OSError as error:
        raise BadTablebaseError(f"there is no tablebase in {directory!r} ({error.strerror}).") from None


@contextmanager
def _shown(terminal: Terminal) -> Iterator[Callable[[Any], None]]:
    """Show the progress of a long work."""
    latest: list[Any] = []

    def line() -> str:
        if not latest:
            return "beginning"
        at = latest[-1]
        share = f"{at.done / at.total:4.0%}" if at.total else ""
        rate = f", {at.rate:,.0f} a second" if at.seconds else ""
        left = ""
        if at.phase == "solve" and at.rate:
            left = f", {_time_said((at.total - at.done) / at.rate)} to go"
        return f"{at.phase}: level {at.level} of {at.levels}, {at.done:,} positions {share}{rate}{left}"

    with terminal.progress(line):
        yield lambda progress: latest.__setitem__(slice(None), [progress])


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def _rough(number: int, *, exact: bool) -> str:
    return f"{number:,}" if exact else f"{float(f'{number:.2g}'):,.0f}"


def _bytes_said(number: int) -> str:
    for unit, word in ((1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if number >= unit:
            return f"{number / unit:.3g} {word}"
    return f"{number} bytes"


def _time_said(seconds: float) -> str:
    for unit, word in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.0f} {word}"
    return f"{seconds:.0f} seconds"


TABLEBASE = Command(
    "tablebase",
    "solve every position of a game onto disk, and ask it",
    "perfectplay tablebase estimate connect-four:rows=5,cols=5\n"
    "perfectplay tablebase build connect-four:rows=5,cols=4 c4\n"
    "perfectplay tablebase probe c4 --moves 1 2\n"
    "perfectplay play connect-four:rows=5,cols=4 --with tablebase:c4\n\n"
    "A build that was stopped, however that was, goes on where it was when it is started again.",
    _arguments,
    lambda arguments, terminal: 2,  # never called: each word has its own
)
