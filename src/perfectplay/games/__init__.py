"""The games, one a file: GAMES names them, load_game makes one from a name and parameters."""

from perfectplay.games.breakthrough import Breakthrough
from perfectplay.games.connect_four import ConnectFour
from perfectplay.games.domineering import Domineering
from perfectplay.games.dots_and_boxes import DotsAndBoxes
from perfectplay.games.explicit_tree import ExplicitTree, Figure52
from perfectplay.games.hexapawn import Hexapawn
from perfectplay.games.kalah import Kalah
from perfectplay.games.loading import GAMES, Parameter, load_game, make_game, parameters
from perfectplay.games.mnk import MNK, TicTacToe
from perfectplay.games.nim import Nim
from perfectplay.games.othello import Othello

__all__ = [
    "GAMES",
    "MNK",
    "Breakthrough",
    "ConnectFour",
    "Domineering",
    "DotsAndBoxes",
    "ExplicitTree",
    "Figure52",
    "Hexapawn",
    "Kalah",
    "Nim",
    "Othello",
    "Parameter",
    "TicTacToe",
    "load_game",
    "make_game",
    "parameters",
]
