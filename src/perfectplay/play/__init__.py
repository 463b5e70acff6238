"""Matches, and who plays them: a level of strength, chance, any algorithm, the engine, a tablebase."""

from perfectplay.play.levels import LEVELS, PERFECT, Level, PerfectPlayer, ShallowPlayer
from perfectplay.play.match import Match, mover_name, side_name, verdict
from perfectplay.play.names import (
    OTHERS,
    find_player,
    player_names,
    require_suited,
    takes_depth,
    takes_seconds,
)
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

__all__ = [
    "LEVELS",
    "OTHERS",
    "PERFECT",
    "SECONDS",
    "TABLEBASE",
    "AlgorithmPlayer",
    "DeepeningPlayer",
    "EnginePlayer",
    "Level",
    "Match",
    "PerfectPlayer",
    "Player",
    "RandomPlayer",
    "ShallowPlayer",
    "TablebasePlayer",
    "find_player",
    "mover_name",
    "player_names",
    "require_suited",
    "side_name",
    "takes_depth",
    "takes_seconds",
    "verdict",
]
