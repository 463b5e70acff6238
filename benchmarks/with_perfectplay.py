"""Our side: the games as they are in perfectplay.games, and the textbook functions on them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from math import inf

from perfectplay.games import ConnectFour, load_game
from perfectplay.textbook import Counted, minimax, sound_alpha_beta
from perfectplay.textbook.alpha_beta_search import max_value

LIBRARY = f"perfectplay {version('perfectplay')}"


@dataclass(frozen=True)
class Shortened(ConnectFour):
    """Connect Four that ends in a draw at so many stones: a depth limit for a search that has none."""

    last: int = 42

    def is_terminal(self, state):
        _, _, stones, won = state
        return won or stones >= self.last


def position(name, actions):
    """The state of the game of that name, after those actions."""
    game = load_game(name)
    state = game.initial()
    for action in actions:
        state = game.result(state, action)
    return state


def board(name, state):
    """The board as a string, row by row from the top."""
    return "".join(character for character in load_game(name).render(state) if character in "XO.")


def without_table(state, game, alpha=-inf, beta=inf):
    """The value to the player to move, and the move: alpha_beta_search, before it drops the value."""
    return max_value(game, state, alpha, beta, game.to_move(state))


def with_table(state, game, alpha=-inf, beta=inf, depth=None):
    """The value to MAX, and the move; states at the depth limit are worth nothing."""
    table = {}
    cutoff_test = (lambda state, at: at > depth) if depth else None
    value = sound_alpha_beta(game, state, table, alpha, beta, 1, cutoff_test, lambda state: 0)
    return value, table[state].action


def whole_table(state, game):
    """The value to MAX, and the move, once the table holds every state."""
    table = {}
    value = minimax(game, state, table)
    return value, table[state].action


def nodes(search, state, game, *arguments):
    """The root and the moves that `search` makes."""
    counted = Counted(game)
    search(state, counted, *arguments)
    return counted.nodes
