"""Matches, and who plays them: a person, chance, any algorithm, the engine, or a tablebase."""

from perfectplay.play.match import Match, side_name, verdict
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
    "player_names",
    "side_name",
    "takes_depth",
    "takes_seconds",
    "verdict",
]
