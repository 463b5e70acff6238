"""Dots and Boxes: published values, and the rule that spares a search some of its lines."""

from __future__ import annotations

import pytest

from perfectplay import MAX, MIN
from perfectplay.check import check_game
from perfectplay.errors import BadParameterError
from perfectplay.games import DotsAndBoxes
from perfectplay.textbook import minimax, run


def played(game: DotsAndBoxes, *names: str) -> tuple[int, int, int, int]:
    state = game.initial()
    for name in names:
        state = game.result(state, game.parse_action(state, name))
    return state


@pytest.mark.parametrize(("rows", "cols", "lead"), [(1, 1, -1), (1, 2, 0), (2, 1, 0), (2, 2, 2)])
def test_small_boards_have_their_published_values(rows, cols, lead):
    """1x2: a draw, 1-1; 2x2: the first player wins 3-1 (Winning Ways; Wikipedia's example line)."""
    game = DotsAndBoxes(rows, cols)
    assert run("sound-alpha-beta", game, game.initial()).value == lead


def test_who_closes_a_box_gets_it_and_moves_again():
    game = DotsAndBoxes()
    state = played(game, "a1-b1", "a1-a2", "a2-b2")
    assert game.to_move(state) == MIN
    state = game.result(state, game.parse_action(state, "b1-b2"))
    assert game.to_move(state) == MIN
    assert state[2] == -1


def test_one_line_can_close_two_boxes():
    game = DotsAndBoxes(1, 2)
    state = played(game, "a1-b1", "a1-a2", "a2-b2", "b1-c1", "c1-c2", "b2-c2", "b1-b2")
    assert game.is_terminal(state)
    assert (game.utility(state, MAX), game.utility(state, MIN)) == (2, -2)


def test_a_board_is_drawn_with_its_lines_and_boxes():
    game = DotsAndBoxes()
    assert game.render(played(game, "a1-b1", "a1-a2", "a2-b2", "b1-b2", "c2-c3")).splitlines() == [
        " 3 +   +   +",
        "           |",
        " 2 +---+   +",
        "   | # |",
        " 1 +---+   +",
        "   a   b   c",
        "MAX 0  MIN 1  MAX to move",
    ]


@pytest.mark.parametrize(("rows", "cols"), [(1, 3), (2, 2), (3, 1)])
def test_one_of_the_candidates_is_best_in_every_state(rows, cols):
    game = DotsAndBoxes(rows, cols)
    table: dict = {}
    value = minimax(game, game.initial(), table)
    fewer = 0
    for state, (worth, _) in table.items():
        actions, candidates = list(game.actions(state)), list(game.candidates(state))
        assert set(candidates) <= set(actions)
        if actions:
            best = max if game.to_move(state) == MAX else min
            assert best(table[game.result(state, action)].value for action in candidates) == worth
            fewer += len(candidates) < len(actions)
    assert fewer > len(table) / 10
    assert table[game.initial()].value == value


def test_a_box_in_a_chain_may_be_left_to_the_opponent():
    """Both boxes of a chain can be closed one after the other, or given away together: all lines stay."""
    game = DotsAndBoxes(1, 3)
    state = played(game, "a1-a2", "a1-b1", "a2-b2", "b1-c1", "b2-c2")
    assert sorted(game.candidates(state)) == sorted(game.actions(state))
    state = played(game, "a1-a2", "a1-b1", "b1-b2")
    assert [game.action_name(action) for action in game.candidates(state)] == ["a2-b2"]


def test_boxes_are_closed_first_and_given_away_last():
    game = DotsAndBoxes(2, 3)
    state = played(game, "a1-b1", "a1-a2", "b1-b2", "d1-d2", "c1-d1")
    by_order = sorted(game.actions(state), key=lambda action: -game.order(state, action))
    names = [game.action_name(action) for action in by_order]
    assert names[0] == "a2-b2"
    assert set(names[-2:]) == {"c2-d2", "c1-c2"}


def test_the_lead_can_change_by_the_boxes_that_are_left_and_no_more():
    game = DotsAndBoxes()
    state = played(game, "a1-b1", "a1-a2", "a2-b2", "b1-b2")
    assert game.bounds(state, MAX) == (-1 - 3, -1 + 3)
    assert game.bounds(state, MIN) == (1 - 3, 1 + 3)


def test_boxes_that_are_ready_count_for_the_player_to_move():
    game = DotsAndBoxes()
    ready, given = played(game, "a1-b1", "a1-a2", "c2-c3", "a2-b2"), played(game, "a1-b1", "a1-a2", "a2-b2")
    assert (game.to_move(ready), game.to_move(given)) == (MAX, MIN)
    assert game.evaluate(ready, MAX) > 0 > game.evaluate(given, MAX)


def test_the_lines_of_a_corner_are_the_same_by_symmetry():
    """One line on 2x2: at the edge or inside. On 1x2: at an end, at a side or in the middle."""
    for game, kinds in ((DotsAndBoxes(), 2), (DotsAndBoxes(1, 2), 3), (DotsAndBoxes(3, 3), 4)):
        firsts = [game.result(game.initial(), action) for action in game.actions(game.initial())]
        assert len({game.canonical(state) for state in firsts}) == kinds


@pytest.mark.parametrize(("rows", "cols"), [(0, 2), (2, -1), (7, 7), (1, 26)])
def test_a_board_that_cannot_be_is_refused(rows, cols):
    with pytest.raises(BadParameterError, match="give 1 or more of each"):
        DotsAndBoxes(rows, cols)


@pytest.mark.slow
def test_dots_and_boxes_compiles_to_the_same_game():
    report = check_game(DotsAndBoxes(5, 5), states=60, playouts=3, seconds=60, compiled=True)
    assert report.ok
    assert report.machine.startswith("compiles to the same game, in ")
