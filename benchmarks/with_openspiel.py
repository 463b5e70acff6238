"""OpenSpiel's side: its own two games, written in C++, and its alpha-beta, written in Python."""

from __future__ import annotations

from importlib.metadata import version

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search

LIBRARY = f"OpenSpiel {version('open_spiel')}"

GAMES = {"tic-tac-toe": pyspiel.load_game("tic_tac_toe"), "connect-four": pyspiel.load_game("connect_four")}


def position(name, actions):
    """The state of the game of that name, after those actions."""
    state = GAMES[name].new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def board(name, state):
    """The board as a string, row by row from the top."""
    return "".join(str(state).split()).upper()


def outcome(state, depth):
    """1, 0 or -1 to the player to move, and the move."""
    return alpha_beta_search(
        state.get_game(), state=state, maximum_depth=depth, value_function=lambda state: 0
    )


def nodes(search, state, *arguments):
    """The root and the moves that `search` makes."""
    counting = CountingState(state, [0])
    search(counting, *arguments)
    return 1 + counting.made[0]


class CountingState:
    """A state that counts the actions applied to it and to its clones."""

    def __init__(self, state, made):
        self.state = state
        self.made = made

    def clone(self):
        return CountingState(self.state.clone(), self.made)

    def apply_action(self, action):
        self.made[0] += 1
        self.state.apply_action(action)

    def __getattr__(self, name):
        return getattr(self.state, name)
