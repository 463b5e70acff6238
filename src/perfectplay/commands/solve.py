"""perfectplay solve: the exact value of a position, or of a file of them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple

from perfectplay.commands.command import (
    MOVES_HELP,
    Command,
    StoppedError,
    UsageError,
    add_cluster,
    add_game,
    add_json,
    add_method,
    add_no_compile,
    add_table,
    add_tablebase,
    add_threads,
)
from perfectplay.commands.consulting import (
    best_move,
    cluster_at,
    cost,
    engine_for,
    facts,
    finished,
    game_for_engine,
    how_run,
    in_words,
    names,
    number,
    origin,
    to_whom,
    until_stopped,
    winner,
)
from perfectplay.commands.positions import Line, PositionFile, position
from perfectplay.engine import Analysis, Engine, Ranked
from perfectplay.game import Game
from perfectplay.play import Match
from perfectplay.terminal import Terminal


def _arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--moves", nargs="+", default=[], metavar="MOVE", help=MOVES_HELP)
    where.add_argument(
        "--positions",
        metavar="FILE",
        help="solve one position after another: each line of FILE (- is standard input) has the moves that "
        "lead to one, and may have its score after them, as in 32164625 11, or a board (FEN, EPD, Othello's "
        ".obf), or moves with numbers; an empty line is the start, and a line that begins with # or %% is "
        "skipped",
    )
    parser.add_argument(
        "--rank", action="store_true", help="value every move, and mark all the best ones with *"
    )
    add_method(parser)
    add_threads(parser)
    add_cluster(parser)
    add_table(parser)
    add_tablebase(parser)
    add_no_compile(parser)
    add_json(parser)


class _Solved(NamedTuple):
    """What is known of a position."""

    found: Analysis
    ranking: list[Ranked]
    stopped: bool


def _run(arguments: Namespace, terminal: Terminal) -> int:
    """Solve one position, or those of a file."""
    game = game_for_engine(arguments)
    if arguments.cluster is not None and (arguments.positions is None or arguments.threads is not None):
        raise UsageError(
            "a cluster solves the positions of a file, each in one thread: give --positions FILE and no "
            "--threads."
        )
    if arguments.positions is not None:
        return _solve_file(arguments, game, terminal)
    match = Match(game, arguments.moves)
    engine = engine_for(game, arguments)
    with terminal.working("solving", engine._parallel):
        solved = _solve(engine, match, rank=arguments.rank)
    if arguments.json:
        report = {"game": arguments.game, **_facts(engine, match, solved), "stopped": solved.stopped}
        terminal.say(json.dumps(report | origin(engine), indent=2))
    else:
        terminal.board(game.render(match.state))
        terminal.say()
        _say(engine, match, solved, terminal)
    if solved.stopped:
        raise StoppedError("stopped; this is what is known so far.")
    return 0


def _solve(engine: Engine, match: Match, *, rank: bool) -> _Solved:
    if match.over:
        return _Solved(finished(match.game, match.state), [], stopped=False)
    found, stopped = until_stopped(engine, lambda: engine.solve(match.state))
    ranking: list[Ranked] = []
    if rank and not stopped:
        ranking, stopped = until_stopped(engine, lambda: engine.rank(match.state))
    return _Solved(found, ranking, stopped)


def _say(engine: Engine, match: Match, solved: _Solved, terminal: Terminal) -> None:
    game, state, found = match.game, match.state, solved.found
    pairs = {"value": f"{_value(found)} ({to_whom(game, state)})"}
    if found.exact or winner(game, state, found):
        pairs["result"] = in_words(game, state, found)
    if match.over:
        terminal.pairs(pairs)
        return
    if found.exact:
        moves = [each.action for each in solved.ranking if each.best and each.exact] or [found.action]
        if found.action is None:
            pairs["best move"] = best_move(game, found)
        else:
            pairs["best moves" if len(moves) > 1 else "best move"] = " ".join(names(game, tuple(moves)))
            pairs["line"] = " ".join(names(game, found.line))
        pairs["proof"] = f"exact; it rests on {found.proof}"
    pairs["searched"] = cost(found)
    pairs["rules"] = how_run(engine)
    terminal.pairs(pairs)
    if solved.ranking:
        width = max(len(game.action_name(each.action)) for each in solved.ranking)
        terminal.say()
        for each in solved.ranking:
            best = each.best and each.exact
            line = f"{'*' if best else ' '} {game.action_name(each.action):{width}}  {_worth(each)}"
            terminal.say(line, "bold" if best else None)


def _value(found: Analysis) -> str:
    if found.exact:
        return f"{number(found.value):g}"
    return f"not known, from {found.lower:g} to {found.upper:g}"


def _worth(ranked: Ranked) -> str:
    return f"{number(ranked.value):g}" if ranked.exact else "?"


def _facts(engine: Engine, match: Match, solved: _Solved) -> dict[str, Any]:
    told = {"moves": match.names, **facts(engine.game, match.state, solved.found)}
    if solved.ranking:
        told["ranking"] = [
            {
                "action": engine.game.action_name(each.action),
                "value": number(each.value) if each.exact else None,
                "best": each.best and each.exact,
            }
            for each in solved.ranking
        ]
    return told


# Many positions.


class _Answer(NamedTuple):
    """What there is to say of a line of a file."""

    number: int  # of the line
    told: dict[str, Any]  # for JSON
    row: list[str]  # and for people


def _answered(engine: Engine, count: int, line: Line, *, rank: bool) -> _Answer:
    """Solve the position of a line."""
    solved = _solve(engine, line.match, rank=rank)
    if solved.stopped:
        raise KeyboardInterrupt
    told = _facts(engine, line.match, solved)
    if line.board:
        told["board"] = line.board
    if line.score is not None:
        told |= {"score": line.score, "right": line.score == solved.found.value}
    if line.mate is not None:
        told |= {"mate": line.mate, "right": _mates(engine.game, line, solved.found)}
    return _Answer(count, told, _row(engine, line, solved))


class _Elsewhere(NamedTuple):
    """What a worker must know to solve lines: the game, and the arguments that describe the engine."""

    rules: Any
    arguments: Namespace


Written = tuple[str, float | None, int | None, str]  # a line without its position
_engines: dict[str, Engine] = {}  # of a worker: the last one


def _answered_elsewhere(asked: _Elsewhere, question: tuple[int, list[str], Written]) -> _Answer:
    """Solve the position of a line, as a worker of a cluster."""
    game, _ = asked.rules.opened()
    key = f"{id(game)} {asked.arguments}"
    if key not in _engines:
        _engines.clear()
        _engines[key] = engine_for(game, asked.arguments)
    count, names, (written, score, mate, board) = question
    line = Line(position(game, names, board), written, score, mate, board)
    return _answered(_engines[key], count, line, rank=asked.arguments.rank)


def _answers(
    file: PositionFile, game: Game[Any, Any], arguments: Namespace, terminal: Terminal
) -> Iterator[_Answer]:
    """What there is to say of all lines, in their order."""
    lines = file.positions(game)
    with cluster_at(arguments.cluster) as cluster:
        if cluster is None:
            engine = engine_for(game, arguments)
            if not engine.compiled and not arguments.no_compile:
                terminal.warn(f"perfectplay: the rules run {how_run(engine)}.")
            yield from (_answered(engine, count, line, rank=arguments.rank) for count, line in lines)
            return
        wanted = ("no_compile", "tablebase", "table_mb", "threads", "method", "rank")
        settings = Namespace(**{name: getattr(arguments, name) for name in wanted})
        questions = ((count, line.match.names, line[1:]) for count, line in lines)
        yield from cluster.map(_answered_elsewhere, _Elsewhere(cluster.rules(game), settings), questions)


def _solve_file(arguments: Namespace, game: Game[Any, Any], terminal: Terminal) -> int:
    file = PositionFile(arguments.positions)
    scores, wrong = 0, []
    try:
        with terminal.progress(file.progress):
            for count, told, row in _answers(file, game, arguments, terminal):
                if "right" in told:
                    scores += 1
                    wrong += [] if told["right"] else [count]
                if arguments.json:
                    terminal.say(json.dumps(told))
                else:
                    terminal.row(row)
                file.done += 1
    except KeyboardInterrupt:
        answers = "1 position" if file.done == 1 else f"{file.done:,} positions"
        raise StoppedError(f"stopped after {answers}; their answers are complete.") from None
    if wrong:
        which = "is" if len(wrong) == 1 else "are"
        terminal.warn(
            f"perfectplay: {file.name}: {len(wrong):,} of {scores:,} scores {which} not what was found, "
            f"in line {wrong[0]:,} first."
        )
    return 1 if wrong else 0


def _row(engine: Engine, line: Line, solved: _Solved) -> list[str]:
    """A position and its answer: the moves as they were written, value, best moves, who wins, the ranking.

    Where there is a score, what has become of it comes last.
    """
    game, found = engine.game, solved.found
    best = [each.action for each in solved.ranking if each.best] or list(found.line[:1])
    who = winner(game, line.match.state, found) or ""
    row = [line.written or "-", f"{number(found.value):g}", " ".join(names(game, tuple(best))) or "-"]
    row.append("tie" if who == "tie" else f"{who} {'won' if line.match.over else 'wins'}")
    if solved.ranking:
        row.append(" ".join(f"{game.action_name(each.action)}={_worth(each)}" for each in solved.ranking))
    if line.score is not None:
        row.append("right" if line.score == found.value else f"not {line.score:g}")
    if line.mate is not None:
        row.append("right" if _mates(game, line, found) else f"not mate in {line.mate}")
    return row


def _mates(game: Game[Any, Any], line: Line, found: Analysis) -> bool:
    """Is it won in as many moves as the line says, or won at all where the value does not tell how soon?"""
    plies = game.plies_left(line.match.state, found.value)
    won = found.exact and found.value > 0
    return won and (plies is None or (plies + 1) // 2 == line.mate)


COMMAND = Command(
    "solve",
    "find the exact value of a position, or of every position in a file",
    "The value is that to the player to move. With --positions there is a line for each position, its\n"
    "fields apart by tabs: the moves, the value, the best move, who wins, and with --rank every move with\n"
    "its value; with --json it is an object a line. What was solved before Ctrl-C or a bad line has been\n"
    "printed by then.\n\n"
    "A line may end with a score: a number after moves that are joined in one word (32164625 11), or one\n"
    "with a sign that is no legal move (b2 b3 +1); 4 4 3 is three moves, and 443 is the same. It is\n"
    "compared with the value, and so are the best of the scores that an .obf line gives its moves and dm of\n"
    "EPD, the moves to mate: a last field says 'right' or 'not 11' (with --json: score and right), and the\n"
    "exit code is 1 if there are differences.\n\n"
    "perfectplay solve connect-four:rows=5,cols=5 --rank\n"
    "perfectplay solve connect-four --positions openings.txt --threads 2 --table-mb 512\n"
    "perfectplay solve connect-four --positions openings.txt --cluster local:2",
    _arguments,
    _run,
)
