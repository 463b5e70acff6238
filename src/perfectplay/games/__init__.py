"""The games, one a file: GAMES names them, load_game makes one from a name and parameters."""

from perfectplay.games.connect_four import ConnectFour
from perfectplay.games.explicit_tree import ExplicitTree, Figure52
from perfectplay.games.kalah import Kalah
from perfectplay.games.loading import GAMES, Parameter, load_game, parameters
from perfectplay.games.mnk import MNK, TicTacToe
from perfectplay.games.nim import Nim

__all__ = [
    "GAMES",
    "MNK",
    "ConnectFour",
    "ExplicitTree",
    "Figure52",
    "Kalah",
    "Nim",
    "Parameter",
    "TicTacToe",
    "load_game",
    "parameters",
]
