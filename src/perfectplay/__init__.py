"""perfectplay: write the rules of a game once, and run every textbook algorithm on them."""

from perfectplay.check import check_game
from perfectplay.errors import PerfectPlayError
from perfectplay.game import MAX, MIN, Game
from perfectplay.games import GAMES, load_game

__all__ = ["GAMES", "MAX", "MIN", "Game", "PerfectPlayError", "check_game", "load_game"]
