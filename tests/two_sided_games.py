"""The games of ours that are MAX against MIN, which the page plays, and those of them without chance."""

from perfectplay import GAMES, load_game
from perfectplay.game import is_two_sided

ZERO_SUM = {name: game for name, game in GAMES.items() if load_game(name).zero_sum}
TWO_SIDED = {name: game for name, game in GAMES.items() if is_two_sided(load_game(name))}
