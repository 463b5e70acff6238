"""What the commands that ask the engine share: the game, the engine, Ctrl-C, and words for an answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from math import isfinite
from typing import Any, TypeVar

from perfectplay.check import check_game
from perfectplay.engine import Analysis, Engine
from perfectplay.errors import BadParameterError, BrokenGameError
from perfectplay.game import CHANCE, MAX, MIN, Game, is_two_sided, same_side, side_of
from perfectplay.games import GAMES, load_game
from perfectplay.play import mover_name, side_name, verdict

GLANCE: dict[str, Any] = {"states": 200, "playouts": 10, "seconds": 1.0}  # at a game before it is used
UNUSED = ("key-", "canonical-", "bounds-", "scene-")  # findings about what no textbook algorithm asks
UNUSED_BY_ENGINE = ("scene-",)

Answered = TypeVar("Answered")


def usable_game(name: str, *, engine: bool = False) -> Game[Any, Any]:
    """The game of that name, after a short look at it if it is somebody's own.

    Those of other libraries are theirs to test. The engine asks more of a game than the textbook does;
    compiled rules it compares with Python's itself.
    """
    game = load_game(name)
    if type(game) not in GAMES.values() and not game.stays_in_python:
        findings = check_game(game, **GLANCE).findings
        unused = UNUSED_BY_ENGINE if engine else UNUSED
        errors = [f for f in findings if f.severity == "error" and not f.kind.startswith(unused)]
        if errors:
            after = f" (after {' '.join(errors[0].line)})" if errors[0].line else ""
            raise BrokenGameError(
                f"{errors[0].message.rstrip('.')}{after}; perfectplay check {name} says more."
            )
    return game


def game_for_engine(arguments: Namespace) -> Game[Any, Any]:
    """The game that the arguments name, fit for the engine."""
    return usable_game(arguments.game, engine=True)


def engine_for(game: Game[Any, Any], arguments: Namespace) -> Engine:
    """The engine that the arguments describe."""
    mode = "never" if arguments.no_compile else "auto"
    table = None
    if arguments.tablebase is not None:
        from perfectplay.tablebase import Tablebase

        table = Tablebase(arguments.tablebase, game, compile=mode)
    threads = arguments.threads or 1
    try:
        return Engine(
            game,
            table_mb=arguments.table_mb,
            threads=threads,
            compile=mode,
            tablebase=table,
            method=arguments.method,
        )
    except OverflowError:
        raise BadParameterError(
            f"there is no memory for a table of {arguments.table_mb:g} MB: give less."
        ) from None


def cluster_at(address: str | None) -> AbstractContextManager[Any]:
    """The cluster at an address, or none."""
    if address is None:
        return nullcontext()
    from perfectplay.cluster import Cluster

    return Cluster(address)


def until_stopped(engine: Engine, question: Callable[[], Answered]) -> tuple[Answered, bool]:
    """The engine's answer to a question, and whether Ctrl-C cut it short."""
    pool = ThreadPoolExecutor(1)
    task = pool.submit(question)
    stopped = False
    while True:
        try:
            while not wait([task], 0.1 if stopped else None).done:
                engine.stop()
            return task.result(), stopped
        except KeyboardInterrupt:
            stopped = True
            engine.stop()


def finished(game: Game[Any, Any], state: Any) -> Analysis:
    """What there is to say about a state in which the game is over."""
    value = game.utility(state, side_of(game.to_move(state)))
    return Analysis(
        value, None, (), 0, 0, 0.0, exact=True, lower=value, upper=value, proof="the rules: the game is over"
    )


def names(game: Game[Any, Any], actions: tuple[Any, ...]) -> list[str]:
    """Actions in the game's notation."""
    return [game.action_name(action) for action in actions]


def number(value: float) -> float:
    """The value as a number that can be printed: utilities may be fractions, say."""
    return value if isinstance(value, int) else float(value)


def finite(value: float) -> float | None:
    """The value for JSON, which knows no infinity."""
    return number(value) if isfinite(value) else None


def winner(game: Game[Any, Any], state: Any, found: Analysis) -> str | None:
    """Who wins, MAX or MIN or "tie", or None where that is not proven."""
    if not is_two_sided(game):
        return None
    lower, upper = (found.value, found.value) if found.exact else (found.lower, found.upper)
    if lower == upper == 0:
        return "tie"
    if lower <= 0 <= upper:
        return None
    mover = MAX if same_side(game.to_move(state), MAX) else MIN
    return side_name(mover if lower > 0 else MAX + MIN - mover)


def in_words(game: Game[Any, Any], state: Any, found: Analysis) -> str:
    """Who wins, or who is likely to."""
    won = winner(game, state, found)
    mover = side_name(game.to_move(state))
    if not game.zero_sum:
        return _shares(game, state, found)
    if game.is_terminal(state):
        return f"the game is over: {verdict(game.utility(state, MAX))}"
    if game.has_chance and found.exact:
        return "the average over all dice, with best play on both sides"
    if won == "tie":
        return "a tie with best play"
    if won is not None:
        whose = "the player to move" if mover == won else f"{mover} is to move"
        return f"{won} wins with best play ({whose})"
    if found.value == 0:
        return "looks even: an estimate, which looking further ahead may change"
    mover = side_name(side_of(game.to_move(state)))
    better = side_name(MAX if (found.value > 0) == (mover == side_name(MAX)) else MIN)
    return f"looks better for {better}: an estimate, which looking further ahead may change"


def _shares(game: Game[Any, Any], state: Any, found: Analysis) -> str:
    """What every player gets, where each has a utility of its own."""
    values = found.values
    if game.is_terminal(state):
        values = tuple(game.utility(state, each) for each in range(game.players))
    told = ", ".join(f"player {each} {value:g}" for each, value in enumerate(values or ()))
    return told + ("" if found.exact else ": an estimate, which looking further ahead may change")


def how_run(engine: Engine) -> str:
    """Compiled, or why not."""
    if engine.why_not and "never" in engine.why_not:
        return "interpreted, as --no-compile asks"
    return "compiled" if engine.compiled else f"interpreted: {engine.why_not}"


def best_move(game: Game[Any, Any], found: Analysis) -> str:
    """The best action by its name; nobody has one where dice are rolled."""
    return "none: chance moves" if found.action is None else game.action_name(found.action)


def to_whom(game: Game[Any, Any], state: Any) -> str:
    """To whom values are told."""
    mover = game.to_move(state)
    if mover == CHANCE:
        return f"to {mover_name(game, MAX)}, since chance moves"
    return f"to {mover_name(game, mover)}{'' if game.is_terminal(state) else ', who is to move'}"


def cost(found: Analysis, unit: str = "node") -> str:
    """What an answer took."""
    nodes = f"1 {unit}" if found.nodes == 1 else f"{found.nodes:,} {unit}s"
    return f"{nodes} in {found.seconds:.2f} s ({found.speed:,.0f} a second)"


def facts(game: Game[Any, Any], state: Any, found: Analysis) -> dict[str, Any]:
    """An answer, for JSON."""
    over = game.is_terminal(state)
    return {
        "to_move": mover_name(game, game.to_move(state)),
        "over": over,
        "value": number(found.value),
        "exact": found.exact,
        "lower": finite(found.lower),
        "upper": finite(found.upper),
        "winner": winner(game, state, found),
        "values": None if found.values is None else list(found.values),
        "action": None if found.action is None else game.action_name(found.action),
        "line": names(game, found.line),
        "depth": found.depth,
        "nodes": found.nodes,
        "hits": found.hits,
        "seconds": round(found.seconds, 6),
        "proof": found.proof or None,
    }


def origin(engine: Engine) -> dict[str, Any]:
    """How an answer came about, for JSON."""
    return {
        "method": engine.method,
        "compiled": engine.compiled,
        "why_not": engine.why_not,
        "threads": engine.threads,
    }
