"""The games, one a file: GAMES names them, load_game makes one from a name and parameters."""

from perfectplay.games.bear_off import BearOff
from perfectplay.games.breakthrough import Breakthrough
from perfectplay.games.chess_endgame import ChessEndgame
from perfectplay.games.chinese_checkers import ChineseCheckers
from perfectplay.games.connect_four import ConnectFour
from perfectplay.games.dodgem import Dodgem
from perfectplay.games.domineering import Domineering
from perfectplay.games.dots_and_boxes import DotsAndBoxes
from perfectplay.games.einstein_wuerfelt_nicht import EinsteinWuerfeltNicht
from perfectplay.games.explicit_tree import ExplicitTree, Figure52
from perfectplay.games.hexapawn import Hexapawn
from perfectplay.games.kalah import Kalah
from perfectplay.games.loading import GAMES, Parameter, load_game, make_game, parameters
from perfectplay.games.mnk import MNK, TicTacToe
from perfectplay.games.nim import Nim
from perfectplay.games.nine_mens_morris import NineMensMorris
from perfectplay.games.othello import Othello
from perfectplay.games.pacman import Pacman
from perfectplay.games.pig import Pig
from perfectplay.games.royal_game_of_ur import RoyalGameOfUr
from perfectplay.games.three_mens_morris import ThreeMensMorris

__all__ = [
    "GAMES",
    "MNK",
    "BearOff",
    "Breakthrough",
    "ChessEndgame",
    "ChineseCheckers",
    "ConnectFour",
    "Dodgem",
    "Domineering",
    "DotsAndBoxes",
    "EinsteinWuerfeltNicht",
    "ExplicitTree",
    "Figure52",
    "Hexapawn",
    "Kalah",
    "Nim",
    "NineMensMorris",
    "Othello",
    "Pacman",
    "Parameter",
    "Pig",
    "RoyalGameOfUr",
    "ThreeMensMorris",
    "TicTacToe",
    "load_game",
    "make_game",
    "parameters",
]
