"""perfectplay tablebase: every position of a game, solved, on disk."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any

from perfectplay.commands.command import (
    Command,
    UsageError,
    above_zero,
    add_cluster,
    add_game,
    add_json,
    add_moves,
    add_no_compile,
    whole,
)
from perfectplay.commands.consulting import cluster_at, to_whom, usable_game
from perfectplay.commands.progress_line import goes_on, shown
from perfectplay.commands.quantities import bytes_said, plies, rough, time_said
from perfectplay.errors import BadParameterError, BadTablebaseError, PerfectPlayError, UnwritableError
from perfectplay.files import write_whole
from perfectplay.game import Game
from perfectplay.games import load_game
from perfectplay.play import Match, side_name
from perfectplay.terminal import Terminal

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
MOST_BYTES = 1 << 60
WORTH_COMPILING = 20_000  # positions of a table whose best moves are all asked for


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
    build.add_argument("--outcomes", action="store_true", help="and then keep who wins alone, compressed")
    build.add_argument(
        "--by-rank", action="store_true", help="and keep no states, of a game that numbers its own"
    )
    add_cluster(build)
    add_no_compile(build)
    add_json(build)

    estimate = word("estimate", "say roughly how many positions, bytes and minutes a game takes", _estimate)
    add_game(estimate)
    estimate.add_argument(
        "--seconds",
        type=above_zero,
        default=10.0,
        metavar="S",
        help="to count, and to sample what cannot be counted (%(default)g)",
    )
    estimate.add_argument("--no-symmetry", action="store_true", help="of all positions")
    add_json(estimate)

    probe = word(
        "probe", "say what a position is worth, and every move of it; without --moves, the first", _probe
    )
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
    stats.add_argument("--plot", metavar="FILE", help="and draw them, into a file that ends in .svg")
    add_json(stats)

    compress = word("compress", "make it about ten times smaller; it is still read at random", _compress)
    compress.add_argument("directory", metavar="DIR")
    compress.add_argument(
        "--outcomes", action="store_true", help="keep who wins alone, in a third of that; not how soon"
    )
    add_json(compress)

    seal = word("seal", "write SHA256SUMS, by which others can tell that what they have is this", _seal)
    seal.add_argument("directory", metavar="DIR")
    add_json(seal)

    export = word("export", "write all positions to a Parquet file, for DuckDB, Polars and pandas", _export)
    _add_directory(export)
    export.add_argument("--parquet", metavar="FILE", required=True)
    export.add_argument(
        "--numbers", action="store_true", help="without boards, who moves and best moves: many times as fast"
    )
    add_json(export)


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
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?", text.strip().lower())
    size = float(found[1]) * UNITS[found[2]] if found else 0.0
    if not 1 <= size <= MOST_BYTES:
        told = text if len(text) <= 40 else f"{text[:37]}..."
        raise ArgumentTypeError(f"{told!r} is no size: give a number of bytes, as in 500M or 2G")
    return int(size)


def _build(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import build_tablebase
    from perfectplay.tablebase.storage import MANIFEST, read_manifest
    from perfectplay.tablebase.unfinished import NAME as UNFINISHED

    game = usable_game(arguments.game, engine=True)
    began = monotonic()
    directory = Path(arguments.directory)
    begun = (directory / MANIFEST).exists() and read_manifest(directory)["phase"] != "done"
    if begun or (directory / UNFINISHED).exists():
        terminal.warn(f"Going on with {arguments.directory}.")
    if arguments.cluster and arguments.workers:
        raise UsageError("a cluster has the workers that it has: leave out --workers, or --cluster.")
    with cluster_at(arguments.cluster) as cluster, goes_on(), shown(terminal) as report:
        build_tablebase(
            game,
            arguments.directory,
            start=Match(game, arguments.moves).state if arguments.moves else None,
            memory=arguments.memory,
            workers=arguments.workers,
            symmetry=not arguments.no_symmetry,
            outcomes_only=arguments.outcomes,
            by_rank=arguments.by_rank,
            compile="never" if arguments.no_compile else "auto",
            cluster=cluster,
            report=report,
        )
    seconds = monotonic() - began
    if game.has_chance:
        return _tell_of_chance(game, arguments, seconds, terminal)
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


def _tell_of_chance(game: Game[Any, Any], arguments: Namespace, seconds: float, terminal: Terminal) -> int:
    """What was built of a game with chance."""
    from perfectplay.tablebase import ExpectationTable

    table = ExpectationTable(arguments.directory, game)
    size = _size(arguments.directory)
    first = Match(game, arguments.moves).state
    value = table.probe(first).value
    error = 1.1 * table.error + 1e-15  # rounded up
    if arguments.json:
        known = {"game": table.manifest["game"], "positions": len(table), "value": value}
        known |= {"error": table.error}
        terminal.say(json.dumps(known | {"bytes": size, "seconds": round(seconds, 3)}, indent=2))
        return 0
    terminal.pairs(
        {
            "game": table.manifest["game"],
            "positions": f"{len(table):,}",
            "value": f"{value:.10f} ({to_whom(game, first)}), with an error below {error:.1e}",
            "bytes": f"{size:,}",
            "seconds": f"{seconds:.1f}",
        }
    )
    return 0


def _estimate(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import estimate

    game = usable_game(arguments.game, engine=True)
    with terminal.progress(lambda: "counting"):
        found = estimate(game, seconds=arguments.seconds, symmetry=not arguments.no_symmetry)
    if arguments.json:
        terminal.say(json.dumps(found._asdict(), indent=2))
        return 0
    about = "" if found.exact else "about "
    levels = f" in {found.levels} levels" if type(game).tier is Game.tier else ""
    rest = (
        ", which is all"
        if found.exact
        else "; the rest is judged by samples, perhaps some times too high or low"
    )
    terminal.pairs(
        {
            "positions": f"{about}{rough(found.positions, exact=found.exact)}{levels}",
            "disk": f"{about}{bytes_said(found.bytes)}, and {bytes_said(found.compressed)} compressed",
            "time": time_said(found.seconds),
            "counted": f"{found.counted:,} positions{rest}",
        }
    )
    return 0


def _probe(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import ExpectationTable, Tablebase
    from perfectplay.tablebase.expectation_files import is_of_chance

    kind: Any = ExpectationTable if is_of_chance(arguments.directory) else Tablebase
    with kind(arguments.directory, _game(arguments)) as table:
        game = table.game
        match = Match(game, arguments.moves)
        state = match.state if arguments.moves or match.state in table else table.start
        if state != match.state:
            terminal.warn("This tablebase does not begin where the game does, but at this position:")
        entry = table.probe(state)
        moves = [] if game.is_terminal(state) else table.explain(state)
        if arguments.json:
            told = [each._asdict() | {"action": game.action_name(each.action)} for each in moves]
            terminal.say(json.dumps({"state": repr(state)} | entry._asdict() | {"moves": told}, indent=2))
            return 0
        terminal.board(game.render(state))
        terminal.say()
        mover = side_name(game.to_move(state))
        until = "" if entry.remoteness is None else f", {plies(entry.remoteness)} from the end"
        terminal.say(f"{mover} to move: {entry.outcome}, value {entry.value:g}{until}")
        for each in moves:
            until = "" if each.remoteness is None else plies(each.remoteness)
            until = "no end" if each.outcome == "draw" else until
            mark = "*" if each.best else " "
            terminal.say(
                f"{mark} {game.action_name(each.action):8} {each.outcome:5} {each.value:+g}  {until}"
            )
    return 0


def _verify(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import verify

    with shown(terminal) as report:
        faults = verify(
            arguments.directory,
            _game(arguments) if _readable(arguments.directory) else None,
            sample=None if arguments.sample is None else min(arguments.sample, 1 << 60),
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
        wrong = "1 thing is" if len(faults) == 1 else f"{len(faults)} things are"
        raise DamagedError(f"{arguments.directory!r} is not right: {wrong} wrong with it.")
    if not arguments.json:
        what = "of the sample " if arguments.sample else ""
        _tell_start(arguments, terminal)
        terminal.say(f"All is well: files, order, counts, and every value {what}follows from its successors.")
    return 0


def _tell_start(arguments: Namespace, terminal: Terminal) -> None:
    """Say where a tablebase begins, if that is not where its game does: it is no table of all of it then."""
    from perfectplay.tablebase import Tablebase
    from perfectplay.tablebase.expectation_files import is_of_chance

    if is_of_chance(arguments.directory):
        return
    with Tablebase(arguments.directory, _game(arguments), compile="never") as table:
        if table.start != table.game.table_start():
            terminal.warn(f"This tablebase does not begin where the game does, but at {table.start!r:.200}.")


def _stats(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import statistics
    from perfectplay.tablebase.level_statistics import plotted

    if arguments.plot and not arguments.plot.lower().endswith(".svg"):
        raise BadParameterError(
            f"cannot draw into {arguments.plot!r}: the plot is SVG; give a name that ends in .svg."
        )
    with terminal.progress(lambda: "counting"):
        found = statistics(arguments.directory, load_game(arguments.game) if arguments.game else None)
    if arguments.plot:
        write_whole(arguments.plot, plotted(found, f"{found.game}: {found.positions:,} positions"))
    if arguments.json:
        terminal.say(json.dumps(found.to_dict(), indent=2))
        return 0
    _tell_counts(found, terminal)
    for kind, (until, state) in found.longest.items():
        drawn = repr(state) if found.rules is None else found.rules.render(state)
        terminal.say(f"\nThe longest {kind!r}: {plies(until)} from\n{drawn}")
    if arguments.plot:
        terminal.say(f"\n{arguments.plot} is ready.")
    return 0


def _tell_counts(found: Any, terminal: Terminal) -> None:
    """The tables of the statistics: by level, in all, and by plies to the end."""
    kinds = list(found.outcomes)
    width = max(12, len(f"{found.positions:,}") + 2)

    def table(name: str, rows: Iterable[tuple[object, dict[str, int]]]) -> None:
        terminal.say(f"{name:>9}" + "".join(f"{word:>{width}}" for word in ("positions", *kinds)))
        for each, counts in rows:
            known = [counts.get(kind, 0) for kind in kinds]
            terminal.say(f"{each:>9}" + "".join(f"{count:>{width},}" for count in (sum(known[:4]), *known)))

    table("level", [*enumerate(found.levels), ("all", found.outcomes)])
    terminal.say()
    table("to end", found.remoteness.items())
    if found.rules is None:
        terminal.say("\nWith --game FILE.py:CLASS, wins and losses of the player to move are counted, too.")
    else:
        terminal.say("\nWin and loss are those of the player to move.")


def _compress(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import compress

    before = _size(arguments.directory)
    with goes_on(), shown(terminal) as report:
        try:
            compress(arguments.directory, outcomes=arguments.outcomes, report=report)
        except OSError as error:
            where = error.filename or arguments.directory
            raise UnwritableError(
                f"cannot write {str(where)!r}: {error.strerror}; mend it or free some space, and try again."
            ) from None
    after, positions = _size(arguments.directory), _manifest(arguments.directory)["positions"]
    if arguments.json:
        known = {"positions": positions, "before": before, "bytes": after}
        terminal.say(json.dumps(known | {"bytes_a_position": round(after / positions, 3)}, indent=2))
        return 0
    terminal.say(f"{before:,} bytes became {after:,}: {after / positions:.2f} a position.")
    return 0


def _seal(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import seal

    with terminal.progress(lambda: "reading"):
        try:
            file = seal(arguments.directory)
        except OSError as error:
            raise UnwritableError(
                f"cannot write in {arguments.directory!r}: {error.strerror}; mend it or free some space."
            ) from None
    files = len(file.read_text(encoding="utf-8").splitlines())
    if arguments.json:
        terminal.say(json.dumps({"file": str(file), "files": files}, indent=2))
        return 0
    terminal.say(f"{file} has {files} files; whoever gets them asks sha256sum -c {file.name}, or verify.")
    return 0


def _export(arguments: Namespace, terminal: Terminal) -> int:
    from perfectplay.tablebase import Tablebase, export
    from perfectplay.tablebase.storage import read_manifest

    game = _game(arguments)
    many = read_manifest(Path(arguments.directory)).get("positions", 0) > WORTH_COMPILING
    with Tablebase(arguments.directory, game, compile="auto" if many else "never") as table:
        with shown(terminal) as report:
            export(table, arguments.parquet, words=not arguments.numbers, report=report)
        positions, size = len(table), Path(arguments.parquet).stat().st_size
    if arguments.json:
        known = {"file": arguments.parquet, "positions": positions, "bytes": size}
        terminal.say(json.dumps(known, indent=2))
        return 0
    terminal.say(f"{arguments.parquet} is ready: {positions:,} positions, {size:,} bytes.")
    return 0


def _game(arguments: Namespace) -> Game[Any, Any]:
    """The game of the tablebase: the one that is given, or else one of ours, by its name there."""
    from perfectplay.tablebase.identity import registered_game

    if arguments.game:
        return load_game(arguments.game)
    name = str(_manifest(arguments.directory).get("game"))
    found = registered_game(name)
    if found is None:
        raise BadTablebaseError(
            f"this is a tablebase of {name}, a game of your own: give it with --game FILE.py:CLASS."
        )
    return found


def _manifest(directory: str) -> dict[str, Any]:
    from perfectplay.tablebase.expectation_files import is_of_chance, read_expectations
    from perfectplay.tablebase.storage import read_manifest

    return (read_expectations if is_of_chance(directory) else read_manifest)(Path(directory))


def _readable(directory: str) -> bool:
    """Is there a manifest? Verification says what is wrong with it."""
    try:
        return bool(_manifest(directory))
    except BadTablebaseError:
        return False


def _size(directory: str) -> int:
    try:
        return sum(path.stat().st_size for path in Path(directory).iterdir())
    except OSError as error:
        raise BadTablebaseError(f"there is no tablebase in {directory!r} ({error.strerror}).") from None


COMMAND = Command(
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
