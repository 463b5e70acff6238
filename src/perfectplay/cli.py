"""The command line: arguments in, text out, no logic."""

from __future__ import annotations

import argparse
import json
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import version
from inspect import Signature
from io import TextIOWrapper
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn

from perfectplay.check import Report, check_game
from perfectplay.check.report import short
from perfectplay.dialogue import Dialogue
from perfectplay.errors import BrokenGameError, PerfectPlayError, did_you_mean
from perfectplay.game import MAX, MIN, Game, same_side
from perfectplay.games import GAMES, load_game, parameters
from perfectplay.play import SECONDS, Match, find_player, player_names, side_name, verdict
from perfectplay.terminal import Terminal
from perfectplay.textbook import ALGORITHMS, Answer, Counted, find_algorithm, run_counted

GAME_HELP = (
    "a game and its parameters, as in connect-four:rows=4,cols=5,k=3 (see: perfectplay games), "
    "or a class of your own, as in my_game.py:MyGame"
)
MOVES_HELP = (
    "moves to make first, in the game's notation, as in --moves 4 4 3; "
    "where moves are single characters, --moves 443 is the same"
)


GLANCE: dict[str, Any] = {"states": 200, "playouts": 10, "seconds": 1.0}  # at a game before it is used
UNUSED = ("key-", "canonical-", "bounds-", "scene-")  # findings about what no command here asks


class UsageError(PerfectPlayError):
    """Words that the command line does not understand."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 where `check` finds errors, or 2 with one sentence of error."""
    if sys.stdout is None:
        return _refuse("there is no standard output to write to.")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a board is better with ? than not at all
    try:
        arguments = _parser().parse_args(_with_known_command(sys.argv[1:] if argv is None else list(argv)))
    except PerfectPlayError as error:
        return _refuse(str(error))
    try:
        code: int = arguments.command(arguments, Terminal())
        sys.stdout.flush()
        return code
    except PerfectPlayError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return _refuse("stopped; run it again to start over.")
    except BrokenPipeError:
        _close_output()
        return _refuse("the output was closed before all of it was written.")
    except MemoryError:
        return _refuse("out of memory: try a smaller board, or an algorithm with a depth.")
    except (Exception, SystemExit) as error:
        if os.environ.get("PERFECTPLAY_DEBUG"):
            raise
        return _refuse(_explained(error))


def _refuse(sentence: str) -> int:
    if sys.stderr is not None:
        print(f"perfectplay: {sentence}", file=sys.stderr)
    return 2


def _close_output() -> None:
    """Nothing more can be written: Python must not try again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explained(error: BaseException) -> str:
    """An error that nobody expected, in one sentence: the game's own, the disk's, or ours."""
    told = f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
    if frame := _frame_of_game(error):
        where = f"{Path(frame.filename).name}, line {frame.lineno}"
        return f"the game's {frame.name} failed with {told} ({where}): perfectplay check says more."
    if isinstance(error, OSError):
        _close_output()
        return f"cannot write the output: {error.strerror or error}."
    return (
        f"this is a bug in perfectplay ({told}); set PERFECTPLAY_DEBUG=1 to see where, and please report it."
    )


def _frame_of_game(error: BaseException) -> traceback.FrameSummary | None:
    """Where in a game's own file the error came from, if it did."""
    ours = Path(__file__).parent
    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        above = Path(frame.filename).parents
        if ours in above:
            return None
        if Path(frame.filename).exists() and not installed & set(above):
            return frame
    return None


# The commands.


def _games(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """What games there are, or one of them with its board."""
    chosen = None if arguments.game is None else _usable_game(arguments.game)
    if arguments.json:
        classes = GAMES if chosen is None else {arguments.game: type(chosen)}
        terminal.say(json.dumps([_described(*item) for item in classes.items()], indent=2))
    elif chosen is None:
        for name, game_class in GAMES.items():
            settings = ",".join(f"{p.name}={p.write(p.default)}" for p in parameters(game_class).values())
            terminal.say(f"{name}:{settings}" if settings else name, "bold")
            terminal.say(f"    {_summary(game_class)}")
        terminal.say("\nParameters follow a colon: perfectplay play connect-four:rows=4,cols=5,k=3")
        terminal.say("A game of your own is a class in a file: perfectplay play my_game.py:MyGame")
    else:
        terminal.say(_doc(type(chosen)) + "\n")
        for parameter in parameters(type(chosen)).values():
            now = getattr(chosen, parameter.name, parameter.default)
            terminal.say(f"  {parameter.name}={parameter.write(now)}: {parameter.choices}")
        terminal.say()
        terminal.board(chosen.render(chosen.initial()))
        names = [chosen.action_name(action) for action in chosen.actions(chosen.initial())]
        terminal.say(f"\nmoves at the start: {' '.join(names)}")
    return 0


def _textbook(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run one textbook algorithm on one position."""
    if arguments.algorithm.partition(":")[0] in GAMES:
        raise UsageError(f"{arguments.algorithm!r} is a game: give the algorithm first, and then the game.")
    algorithm = find_algorithm(arguments.algorithm)
    game = _usable_game(arguments.game)
    match = Match(game, arguments.moves)
    counted = Counted(game)
    start = perf_counter()
    with terminal.working(algorithm.name, counted):
        answer = run_counted(algorithm, counted, match.state, depth=arguments.depth)
    seconds = perf_counter() - start
    action = None if answer.action is None else game.action_name(answer.action)
    depth = arguments.depth or algorithm.depth
    if arguments.json:
        report = {
            "game": arguments.game,
            "algorithm": algorithm.name,
            "moves": match.names,
            "to_move": side_name(game.to_move(match.state)),
            "value": _number(answer.value),
            "action": action,
            "winner": _winner(answer),
            "estimate": answer.lower < answer.upper,
            "sound": algorithm.sound,
            "depth": depth,
            "entries": len(answer.table) if answer.table is not None else None,
            "prunings": answer.prunings if algorithm.prunes else None,
            "nodes": answer.nodes,
            "seconds": round(seconds, 6),
        }
        terminal.say(json.dumps(report, indent=2))
        return 0
    pairs = {
        "algorithm": algorithm.name + (f", {depth} move{'s' if depth > 1 else ''} ahead" if depth else ""),
        "value": f"{_number(answer.value):g} (to MAX)",
        "best action": action or "none: the game is over",
        "result": _in_words(answer, game, match),
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


def _play(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Play against an algorithm."""
    game = _usable_game(arguments.game)
    match = Match(game, arguments.moves)
    player = find_player(arguments.opponent, depth=arguments.depth, seconds=arguments.seconds)
    first = MAX if same_side(game.to_move(game.initial()), MAX) else MIN
    person = first if arguments.first == "human" else (MIN if first == MAX else MAX)
    Dialogue(match, player, person, terminal).run()
    return 0


def _check(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Look for mistakes in a game class."""
    game = load_game(arguments.game)
    report = check_game(
        game,
        states=arguments.states,
        playouts=arguments.playouts,
        seconds=arguments.seconds,
        compiled=not arguments.no_compile,
    )
    if arguments.json:
        terminal.say(json.dumps(_jsonable(report), indent=2))
    else:
        terminal.say(str(report))
    return 0 if report.ok else 1


def _usable_game(name: str) -> Game[Any, Any]:
    """The game of that name, after a short look at it if somebody else wrote it."""
    game = load_game(name)
    if type(game) not in GAMES.values():
        findings = check_game(game, **GLANCE).findings
        errors = [f for f in findings if f.severity == "error" and not f.kind.startswith(UNUSED)]
        if errors:
            after = f" (after {' '.join(errors[0].line)})" if errors[0].line else ""
            raise BrokenGameError(
                f"{errors[0].message.rstrip('.')}{after}; perfectplay check {name} says more."
            )
    return game


def _jsonable(report: Report) -> dict[str, Any]:
    findings = [vars(finding) | {"state": short(finding.state)} for finding in report.findings]
    return vars(report) | {"ok": report.ok, "findings": findings}


def _number(value: float) -> float:
    """The value as a number that can be printed: utilities may be fractions, say."""
    return value if isinstance(value, int) else float(value)


def _winner(answer: Answer) -> str | None:
    """Who wins, by what the algorithm found; None where looking further ahead may tell."""
    if answer.lower > 0 or answer.upper < 0:
        return side_name(MAX if answer.lower > 0 else MIN)
    return "tie" if answer.lower == answer.upper else None


def _in_words(answer: Answer, game: Game[Any, Any], match: Match) -> str:
    if match.over:
        return f"the game is over: {verdict(answer.value)}"
    winner = _winner(answer)
    if winner is None:
        better = "even" if answer.value == 0 else f"better for {side_name(MAX if answer.value > 0 else MIN)}"
        return f"looks {better}: an estimate, which looking further ahead may change"
    if winner == "tie":
        return "a tie with best play"
    mover = side_name(game.to_move(match.state))
    whose = "the player to move" if mover == winner else f"{mover} is to move"
    return f"{winner} wins with best play ({whose})"


def _described(name: str, game_class: type[Game[Any, Any]]) -> dict[str, Any]:
    settings = {}
    for p in parameters(game_class).values():
        known = p.default if isinstance(p.default, int | float | str) else p.write(p.default)
        settings[p.name] = {"default": None if p.default is Signature.empty else known, "choices": p.choices}
    return {"name": name, "summary": _summary(game_class), "parameters": settings}


def _doc(game_class: type[Game[Any, Any]]) -> str:
    text = game_class.__doc__ or ""
    if text.startswith(f"{game_class.__name__}("):  # what a dataclass writes where its author did not
        text = ""
    lines = (text or game_class.__name__).strip().splitlines()
    return "\n".join(line.strip() for line in lines)


def _summary(game_class: type[Game[Any, Any]]) -> str:
    return _doc(game_class).splitlines()[0]


# The grammar.


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help.")


COMMANDS: dict[str, Callable[[argparse.Namespace, Terminal], int]] = {
    "games": _games,
    "textbook": _textbook,
    "play": _play,
    "check": _check,
}


def _with_known_command(argv: list[str]) -> list[str]:
    """The arguments, once their first word is known to be a command."""
    if argv and not argv[0].startswith("-") and argv[0] not in COMMANDS:
        raise UsageError(f"there is no command {argv[0]!r}: {did_you_mean(argv[0], COMMANDS)}")
    return argv or ["--help"]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="perfectplay",
        description="Games of perfect information: the textbook algorithms on any game, your own included.",
        epilog="Start with: perfectplay games",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"perfectplay {version('perfectplay')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    def command(name: str, summary: str, epilog: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        made.set_defaults(command=COMMANDS[name])
        return made

    games = command("games", "what games there are, with their parameters", "perfectplay games connect-four")
    games.add_argument("game", nargs="?", metavar="GAME", help="show the rules and the board of this one")

    algorithms = "\n".join(f"  {name:27} {algorithm.summary}" for name, algorithm in ALGORITHMS.items())
    textbook = command(
        "textbook",
        "run a textbook algorithm on a position",
        f"algorithms:\n{algorithms}\n\nperfectplay textbook alpha-beta tic-tac-toe --moves b2 a3",
    )
    textbook.add_argument("algorithm", metavar="ALGORITHM", help="one of those below")
    textbook.add_argument("game", metavar="GAME", help=GAME_HELP)

    players = ", ".join(player_names())
    play = command(
        "play",
        "play a game against an algorithm",
        f"players: {players}\n\nperfectplay play connect-four:rows=4,cols=4 --with minimax --first computer",
    )
    play.add_argument("game", metavar="GAME", help=GAME_HELP)
    play.add_argument(
        "--with",
        dest="opponent",
        metavar="ALGORITHM",
        default="deepening",
        help="the opponent: deepening (looks as far ahead as its time allows; the default), random, "
        "or an algorithm",
    )
    play.add_argument(
        "--first", choices=("human", "computer"), default="human", help="who has the first side"
    )
    play.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=f"time for each move of deepening (default: {SECONDS:g})",
    )
    for made in (textbook, play):
        made.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help=MOVES_HELP)
        made.add_argument(
            "--depth", type=int, metavar="D", help="look D moves ahead, with an algorithm that can stop early"
        )

    check = command(
        "check",
        "look for mistakes in a game class",
        "perfectplay check my_game.py:MyGame (exit code 1: errors)",
    )
    check.add_argument("game", metavar="GAME", help=GAME_HELP)
    check.add_argument(
        "--states", type=int, default=6000, metavar="N", help="how many to explore (%(default)s)"
    )
    check.add_argument(
        "--playouts", type=int, default=100, metavar="N", help="how many to play (%(default)s)"
    )
    check.add_argument(
        "--seconds",
        type=float,
        default=4.0,
        metavar="S",
        help="when to leave a slow game (about %(default)g)",
    )
    check.add_argument("--no-compile", action="store_true", help="do not compare with the compiled game")
    for made in (games, textbook, check):
        made.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser
