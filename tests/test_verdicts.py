"""What values say in words, and how moves are judged by them."""

from __future__ import annotations

from random import Random

import pytest

from perfectplay import load_game
from perfectplay.games import ConnectFour, Kalah, TicTacToe
from perfectplay.play import Match
from perfectplay.play.verdicts import (
    Standing,
    chance_to_win,
    judgement,
    judgement_with_dice,
    standing_of,
    unit_of,
    verdict_of,
)
from perfectplay.textbook import value

WIN, TIE, LOSS = (
    Standing(worth, verdict, balance, True)
    for worth, verdict, balance in ((1, "win", 1.0), (0, "tie", 0.5), (-1, "loss", 0.0))
)


def test_exact_values_are_outcomes_and_estimates_are_not():
    assert [verdict_of(each, True, 1.0) for each in (3, 0, -0.5)] == ["win", "tie", "loss"]
    assert [verdict_of(each, False, 1.0) for each in (0.3, 0.04, -0.04, -0.3)] == [
        "better",
        "even",
        "even",
        "worse",
    ]


def test_the_unit_of_an_estimate_is_a_part_of_what_can_be_won():
    assert unit_of(TicTacToe()) == 1.0
    assert unit_of(Kalah()) > 1


def test_only_what_is_proven_is_at_the_ends():
    game = TicTacToe()
    balances = [standing_of(game, game.initial(), each, False, 1.0).balance for each in (-1e9, -1, 0, 1, 1e9)]
    assert balances == sorted(balances)
    assert 0 < balances[0] < balances[-1] < 1
    assert standing_of(game, game.initial(), 1, True, 1.0).balance == 1.0


def test_the_score_of_connect_four_tells_how_far_the_end_is():
    game, random = ConnectFour(4, 4), Random(3)
    told = set()
    for _ in range(12):
        match = Match(game)
        while not match.over and len(match.actions) < 9:
            match.play(random.choice(list(game.actions(match.state))))
        if match.over:
            continue
        mover = game.to_move(match.state)
        worth = value(game, match.state) * (1 if mover == 0 else -1)
        left = game.plies_left(match.state, worth)
        told.add(worth)
        assert left == _plies_of_best_play(game, match.state)
    assert {0} < told


def _plies_of_best_play(game, state) -> int:
    """How long it takes if both play for the value, which says how soon."""
    plies = 0
    while not game.is_terminal(state):
        worth = value(game, state)
        children = (game.result(state, action) for action in game.actions(state))
        state = next(child for child in children if value(game, child) == worth)
        plies += 1
    return plies


@pytest.mark.parametrize("game", [ConnectFour(4, 4, score="course"), TicTacToe()], ids=str)
def test_other_scores_do_not_tell(game):
    assert game.plies_left(game.initial(), 1) is None


@pytest.mark.parametrize(
    ("before", "after", "judged"),
    [
        (WIN, WIN, "best"),
        (WIN, TIE, "mistake"),
        (TIE, LOSS, "mistake"),
        (WIN, LOSS, "blunder"),
        (WIN._replace(value=5), WIN._replace(value=3), "good"),
        (WIN._replace(remoteness=9), WIN._replace(remoteness=8), "best"),
        (WIN._replace(remoteness=9), WIN._replace(remoteness=12), "good"),
        (LOSS._replace(remoteness=8), LOSS._replace(remoteness=7), "best"),
        (LOSS._replace(remoteness=8), LOSS._replace(remoteness=1), "good"),
        (Standing(0.1, "better", 0.54, False), LOSS, "mistake"),
        (Standing(0.1, "better", 0.54, False), Standing(0.1, "better", 0.53, False), "best"),
        (Standing(0.5, "better", 0.63, False), Standing(0.1, "better", 0.54, False), "good"),
    ],
)
def test_a_move_is_judged_by_what_it_gave_away(before, after, judged):
    assert judgement(before, after) == judged


def test_a_standing_turned_over_twice_is_itself():
    assert WIN.to_other() == LOSS
    assert WIN.to_other().to_other() == WIN


def test_an_average_over_wins_and_losses_is_a_chance_to_win():
    game = load_game("pig:goal=10")
    found = standing_of(game, game.initial(), 0.5, False, unit_of(game))
    assert (found.chance, found.balance, found.verdict) == (0.75, 0.75, "better")
    assert (found.to_other().chance, found.to_other().verdict) == (0.25, "worse")
    assert chance_to_win(game, -1.0000000000000002) == 0
    assert chance_to_win(load_game("pacman:ghosts=chance"), 0.5) is None  # there is more to win than a game
    assert standing_of(TicTacToe(), TicTacToe().initial(), 0.5, False, 1.0).chance is None
    assert [judgement_with_dice(each) for each in (0.0, 0.02, 0.05, 0.2)] == [
        "best",
        "good",
        "mistake",
        "blunder",
    ]
