"""Domineering: published outcomes, a slow twin of its moves, and bounds that prove what they say."""

from __future__ import annotations

from random import Random

import pytest

from perfectplay import MAX, MIN
from perfectplay.check import check_game
from perfectplay.errors import BadParameterError
from perfectplay.games import Domineering
from perfectplay.textbook import minimax, run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "winner"),
    [
        (2, 2, MAX),  # the first player, and the board is square
        (3, 3, MAX),
        (4, 4, MAX),
        (5, 5, MIN),  # the second player
        (1, 8, MIN),  # there is no place for Vertical
        (8, 1, MAX),  # nor here for Horizontal
        (2, 1, MAX),
    ],
)
def test_small_boards_are_won_by_whom_they_should_be(rows, cols, winner):
    """5x5: github.com/kylin-zhuo/domineering_simulation, after Conway 1976. The others: no source."""
    game = Domineering(rows, cols)
    assert run("sound-alpha-beta", game, game.initial()).value == (1 if winner == MAX else -1)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (5, 3), (8, 8)])
def test_dominoes_lie_where_one_finds_two_free_cells(rows, cols):
    game = Domineering(rows, cols)
    random = Random(rows)
    for _ in range(10):
        state = game.initial()
        free = {(row, col) for row in range(rows) for col in range(cols)}
        while not game.is_terminal(state):
            up, right = ((1, 0), (0, 1))[game.to_move(state)]
            dominoes = {
                f"{chr(97 + col)}{row + 1}-{chr(97 + col + right)}{row + 1 + up}": {
                    (row, col),
                    (row + up, col + right),
                }
                for row, col in free
                if (row + up, col + right) in free
            }
            names = [game.action_name(action) for action in game.actions(state)]
            assert sorted(names) == sorted(dominoes)
            name = random.choice(names)
            free -= dominoes[name]
            state = game.result(state, game.parse_action(state, name))
            assert -(2**63) <= state[0] < 2**63
        loser = game.to_move(state)
        assert (game.utility(state, loser), game.utility(state, 1 - loser)) == (-1, 1)


def test_bounds_prove_many_positions_and_are_never_wrong():
    game = Domineering(4, 4)
    table: dict = {}
    minimax(game, game.initial(), table)
    proven = 0
    for state, (worth, _) in table.items():
        for player, value in ((MAX, worth), (MIN, -worth)):
            lower, upper = game.bounds(state, player)
            assert lower <= value <= upper
        proven += lower == upper
    assert proven > len(table) / 3


def test_dominoes_that_the_opponent_cannot_prevent_count_more():
    """Vertical has column a for herself once b2 and b3 are covered on a board of four rows."""
    game = Domineering(4, 3)
    state = game.initial()
    for name in ("b2-b3", "b1-c1"):
        state = game.result(state, game.parse_action(state, name))
    assert game.evaluate(state, MAX) > 0 > game.evaluate(state, MIN)
    by_order = sorted(game.actions(game.initial()), key=lambda action: -game.order(game.initial(), action))
    assert game.action_name(by_order[0]).startswith("b")


def test_a_board_is_the_same_in_the_mirror():
    game = Domineering(4, 4)
    corners = [game.parse_action(game.initial(), name) for name in ("a1-a2", "d1-d2", "a3-a4", "d3-d4")]
    assert len({game.canonical(game.result(game.initial(), corner)) for corner in corners}) == 1


def test_domineering_is_drawn_with_a1_at_the_lower_left():
    game = Domineering(2, 3)
    state = game.result(game.initial(), game.parse_action(game.initial(), "a1-a2"))
    assert game.render(state) == " 2 # . .\n 1 # . .\n   a b c\nHorizontal to move"
    state = game.result(state, game.parse_action(state, "b2-c2"))
    assert game.render(state).splitlines()[-1] == "Vertical cannot move"


@pytest.mark.parametrize(("rows", "cols"), [(0, 3), (3, -1), (5, 13), (1, 27)])
def test_a_board_that_cannot_be_is_refused(rows, cols):
    with pytest.raises(BadParameterError, match="give 1 or more of each"):
        Domineering(rows, cols)


@pytest.mark.slow
def test_domineering_compiles_to_the_same_game():
    report = check_game(Domineering(), states=60, playouts=3, seconds=60, compiled=True)
    assert report.ok
    assert report.machine.startswith("compiles to the same game, in ")
