"""perfectplay: write the rules of a game once; run every textbook algorithm and an engine on them."""

from perfectplay.check import check_game
from perfectplay.engine import Analysis, Engine
from perfectplay.errors import PerfectPlayError
from perfectplay.game import MAX, MIN, Game
from perfectplay.games import GAMES, load_game

__all__ = [
    "GAMES",
    "MAX",
    "MIN",
    "Analysis",
    "Engine",
    "Game",
    "PerfectPlayError",
    "check_game",
    "load_game",
]
