"""The games of ours that are MAX against MIN without chance: those that the engine and the page can play."""

from perfectplay import GAMES, load_game
from perfectplay.game import is_two_sided

TWO_SIDED = {name: game for name, game in GAMES.items() if is_two_sided(load_game(name))}
