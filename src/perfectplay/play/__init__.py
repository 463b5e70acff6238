"""Matches, and who plays them: a person, chance, any algorithm, the engine, or a tablebase."""

from perfectplay.play.match import Match, mover_name, side_name, verdict
from perfectplay.play.players import (
    SECONDS,
    TABLEBASE,
    AlgorithmPlayer,
    DeepeningPlayer,
    EnginePlayer,
    Player,
    RandomPlayer,
    TablebasePlayer,
    find_player,
    player_names,
    require_suited,
    takes_depth,
    takes_seconds,
)

__all__ = [
    "SECONDS",
    "TABLEBASE",
    "AlgorithmPlayer",
    "DeepeningPlayer",
    "EnginePlayer",
    "Match",
    "Player",
    "RandomPlayer",
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
