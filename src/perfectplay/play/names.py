"""Players by name: those of every game, with what each takes and which games it can play."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from perfectplay.adapters.uci import PLAYER as UCI
from perfectplay.adapters.uci import UciPlayer, fen_of, read_player
from perfectplay.compiler import compile_mode
from perfectplay.engine.methods import MCTS
from perfectplay.errors import BadParameterError, UnknownAlgorithmError, did_you_mean
from perfectplay.game import Game, require_two_sides, require_zero_sum
from perfectplay.play.levels import HARD, LEVELS, PERFECT, level_player
from perfectplay.play.players import (
    SECONDS,
    TABLEBASE,
    AlgorithmPlayer,
    DeepeningPlayer,
    EnginePlayer,
    Player,
    RandomPlayer,
    TablebasePlayer,
)
from perfectplay.textbook import ALGORITHMS, check_suited, find_algorithm


def find_player(
    name: str,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    playouts: int | None = None,
    seed: int | None = None,
    compile: str | bool = "auto",  # noqa: A002 - the engine's own word
) -> Player:
    """The player of that name: a level, an algorithm, `engine`, ..., `tablebase:DIR` or `uci:COMMAND`."""
    compile = compile_mode(compile)  # noqa: A001 - likewise
    if seconds is not None and not 0 <= seconds < inf:
        raise BadParameterError(f"{seconds:g} seconds cannot be: give a number of 0 or more.")
    if name.partition(":")[0] == UCI:
        if threads is not None or playouts is not None:
            raise BadParameterError(f"{UCI} takes options of its own: give {UCI}:COMMAND,Threads=2.")
        return read_player(name.partition(":")[2], seconds=seconds, depth=depth)
    name, directory = _with_directory(name)
    known = name in (*player_names(), TablebasePlayer.name)
    if seconds is not None and known and not takes_seconds(name):
        raise BadParameterError(f"{name} does not look at the clock: use {EnginePlayer.name} for that.")
    if threads is not None and known and name not in (EnginePlayer.name, MCTS, HARD, PERFECT):
        raise BadParameterError(f"{name} has no threads: use {EnginePlayer.name} for that.")
    depthless = (*LEVELS, MCTS, RandomPlayer.name, DeepeningPlayer.name, TablebasePlayer.name)
    if name in depthless and depth is not None:
        raise BadParameterError(
            f"{name} takes no depth: use {EnginePlayer.name} or sound-alpha-beta for one."
        )
    if playouts is not None and name in (*_NOT_OF_THE_TEXTBOOK, TablebasePlayer.name) and name != MCTS:
        raise BadParameterError(f"{name} plays nothing out: use {MCTS} or monte-carlo-tree-search.")
    if name == MCTS:
        if playouts is not None and playouts < 1:
            raise BadParameterError(f"{playouts} playouts find no move: give 1 or more.")
        return EnginePlayer(seconds, None, threads or 1, compile, playouts, MCTS)
    if name in LEVELS:
        return level_player(name, threads=threads, seed=seed, compile=compile)
    if name == EnginePlayer.name:
        if depth is not None and depth < 1:
            raise BadParameterError(f"a depth of {depth} finds no move: give 1 or more.")
        return EnginePlayer(seconds, depth, threads or 1, compile)
    if name == TablebasePlayer.name:
        return TablebasePlayer(directory, compile)
    if name == RandomPlayer.name:
        return RandomPlayer(seed)
    if name == DeepeningPlayer.name:
        return DeepeningPlayer(SECONDS if seconds is None else seconds)
    try:
        return AlgorithmPlayer(find_algorithm(name), depth, playouts, seed)
    except UnknownAlgorithmError:
        hint = did_you_mean(name.replace("_", "-"), [*player_names(), TABLEBASE, OTHERS])
        raise UnknownAlgorithmError(f"there is no player {name!r}: {hint}") from None


def _with_directory(name: str) -> tuple[str, str]:
    """The name of a player, and after it the directory of a tablebase."""
    kind, _, directory = name.partition(":")
    if kind != TablebasePlayer.name:
        return name, ""
    if not directory:
        raise BadParameterError(
            f"{kind} plays by a directory: give {TABLEBASE}, and build it if there is none."
        )
    return kind, directory


OTHERS = f"{UCI}:COMMAND"  # how a program of somebody else's is named
_NOT_OF_THE_TEXTBOOK = (*LEVELS, EnginePlayer.name, MCTS, DeepeningPlayer.name, RandomPlayer.name)


def player_names() -> Sequence[str]:
    """Whom one can play with wherever one is; TABLEBASE and OTHERS are for who has one."""
    return [*_NOT_OF_THE_TEXTBOOK, *ALGORITHMS]


def require_suited(player: Player, game: Game[Any, Any]) -> None:
    """Refuse a player for a game of a kind that it cannot play, before anyone sits down."""
    if isinstance(player, UciPlayer):
        require_two_sides(game, player.name)
        fen_of(game, game.initial())
    if isinstance(player, AlgorithmPlayer):
        check_suited(player.algorithm, game)
    elif isinstance(player, TablebasePlayer):
        require_zero_sum(game, player.name)
    elif isinstance(player, DeepeningPlayer):
        require_two_sides(game, player.name)


def takes_seconds(name: str) -> bool:
    """Does that player look at the clock?"""
    return name in (EnginePlayer.name, MCTS, DeepeningPlayer.name, UCI)


def takes_depth(name: str) -> bool:
    """Can that player look only so many moves ahead?"""
    known = ALGORITHMS.get(name.replace("_", "-"))
    return name in (EnginePlayer.name, UCI) or (known is not None and known.takes_depth)
