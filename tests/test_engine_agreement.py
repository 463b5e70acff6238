"""Every game that comes with perfectplay is searched the same, interpreted and compiled: node for node."""

from __future__ import annotations

from random import Random

import pytest

from perfectplay import Analysis, Engine, load_game
from two_sided_games import TWO_SIDED

pytestmark = pytest.mark.slow

LONG = 40  # moves: some games are longer, or have no end
STRIDES = {
    "nine-mens-morris": 5,
    "breakthrough": 6,
    "chess-endgame": 2,
    "domineering": 2,
    "othello": 3,
}  # of a slow game, one state of so many
NAMES = TWO_SIDED.keys() - {"figure-5.2", "mnk"}  # whose states are texts, and which is tic-tac-toe


def seen(name: str, mode: str) -> list[object]:
    """Values, actions, lines, depths and nodes of searches and solutions along a random game."""
    game = load_game("kalah:pits=4,seeds=3" if name == "kalah" else name)
    engine = Engine(game, compile=mode, table_mb=1)
    assert engine.compiled == (mode == "always"), engine.why_not
    random = Random(7)
    found: list[object] = []
    state = game.initial()
    for move in range(LONG):
        if game.is_terminal(state):
            break
        if move % STRIDES.get(name, 1) == 0:
            found += map(told, (*engine.deepen(state, depth=3), engine.solve(state, nodes=300)))
        state = game.result(state, random.choice(list(game.actions(state))))
    return found


def told(answer: Analysis) -> object:
    """What must be the same."""
    return answer.value, answer.action, answer.line, answer.depth, answer.nodes, answer.exact


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_game_is_searched_the_same_interpreted_and_compiled(name):
    assert seen(name, "always") == seen(name, "never")
