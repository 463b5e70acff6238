"""Matches and players."""

from __future__ import annotations

from itertools import count

import pytest

from perfectplay import load_game
from perfectplay.errors import BadParameterError, IllegalActionError, UnknownAlgorithmError
from perfectplay.games import ConnectFour, Nim, TicTacToe
from perfectplay.play import (
    AlgorithmPlayer,
    DeepeningPlayer,
    EnginePlayer,
    Match,
    RandomPlayer,
    find_player,
    player_names,
    side_name,
    verdict,
)
from perfectplay.textbook import Counted, find_algorithm, value
from random_games import random_game

FALLIBLE = ("random", "easy", "medium")  # draw lots


def test_moves_are_read_one_by_one_or_as_the_characters_of_a_word():
    apart = Match(ConnectFour(), ["4", "4", "3"])
    together = Match(ConnectFour(), ["443"])
    assert apart.states == together.states
    assert together.names == ["4", "4", "3"]


def test_a_name_of_several_characters_is_read_whole_first():
    assert Match(ConnectFour(4, 12), ["11"]).names == ["11"]
    assert Match(TicTacToe(), ["b2", "A1"]).names == ["b2", "a1"]


@pytest.mark.parametrize(
    ("name", "moves", "message"),
    [
        ("connect-four", ["9"], "illegal move '9': the legal moves are 1 2 3 4 5 6 7."),
        ("connect-four", ["4", "49"], "after 4 4, illegal move '9': the legal moves"),
        ("connect-four", ["x4"], "illegal move 'x4'"),
        ("tic-tac-toe", ["b2", "b2"], "after b2, illegal move 'b2'"),
        ("nim:heaps=1", ["a1", "a1"], "after a1, illegal move 'a1': the game is over."),
    ],
)
def test_an_illegal_move_is_refused_with_what_was_played_before(name, moves, message):
    with pytest.raises(IllegalActionError) as refused:
        Match(load_game(name), moves)
    assert message in str(refused.value)


def test_a_move_can_be_taken_back():
    match = Match(TicTacToe(), ["b2", "a1"])
    match.undo()
    assert match.names == ["b2"]
    assert match.state == Match(TicTacToe(), ["b2"]).state


@pytest.mark.parametrize("name", [name for name in player_names() if name not in FALLIBLE])
def test_everyone_but_chance_plays_nim_perfectly_from_a_won_position(name):
    game = Nim((2, 3))
    match = Match(game)
    me, chance = find_player(name, compile="never"), RandomPlayer(seed=1)
    while not match.over:
        player = me if game.to_move(match.state) == 0 else chance
        match.play(player.choose(Counted(game), match.state))
    assert game.utility(match.state, 0) == 1


def test_an_algorithm_with_a_table_plays_by_the_moves_saved_in_it():
    game = TicTacToe()
    player = AlgorithmPlayer(find_algorithm("minimax"))
    counted = Counted(game)
    first = player.choose(counted, game.initial())
    searched = counted.nodes
    player.choose(counted, game.result(game.initial(), first))
    assert searched > 5478
    assert counted.nodes == searched


def test_a_state_that_the_table_lacks_is_searched_anew():
    game = ConnectFour(4, 4, 3)
    player = AlgorithmPlayer(find_algorithm("alpha-beta"))
    player.choose(Counted(game), game.initial())
    missing = next(
        state
        for state in (game.result(game.result(game.initial(), a), b) for a in range(4) for b in range(4))
        if state not in player.answer.table
    )
    assert player.choose(Counted(game), missing) in list(game.actions(missing))


def test_a_search_with_a_depth_is_run_anew_for_every_move():
    game = TicTacToe()
    player = find_player("alpha-beta-with-heuristics", depth=2)
    for state in (game.initial(), game.result(game.initial(), 4)):
        counted = Counted(game)
        player.choose(counted, state)
        assert counted.nodes > 1


def test_the_deepening_player_finds_the_best_move_when_it_can_see_the_end():
    for seed in range(100):
        game = random_game(seed, states=12)
        state = game.initial()
        action = DeepeningPlayer(seconds=60).choose(Counted(game), state)
        assert value(game, game.result(state, action)) == value(game, state)


def test_the_deepening_player_has_a_legal_move_when_there_is_no_time_at_all():
    game = ConnectFour()
    ticks = count()
    player = DeepeningPlayer(seconds=0, clock=lambda: next(ticks))
    assert player.choose(Counted(game), game.initial()) == 3  # the middle column looks best


def test_the_deepening_player_looks_deeper_the_more_time_it_has():
    game = ConnectFour()
    nodes = []
    for seconds in (50, 5000):
        ticks = count()
        counted = Counted(game)
        DeepeningPlayer(seconds, clock=lambda ticks=ticks: next(ticks)).choose(counted, game.initial())
        nodes.append(counted.nodes)
    assert nodes[0] < nodes[1]


def test_the_engine_has_a_legal_move_when_there_is_no_time_at_all():
    game = ConnectFour()
    player = EnginePlayer(seconds=0, compile="never")
    assert player.choose(Counted(game), game.initial()) == 3  # the middle column looks best
    assert player.analysis.depth < 3


def test_the_engine_counts_its_nodes_and_gives_an_account():
    game = TicTacToe()
    player = find_player("engine", depth=2, compile="never")
    counted = Counted(game)
    assert player.account() == ""
    player.choose(counted, game.initial())
    assert counted.nodes == player.analysis.nodes > 9
    assert player.account() == f"value 0.1 by estimate, depth 2, {counted.nodes} nodes"
    player.choose(counted, Match(game, ["b2", "b3", "a2"]).state)
    assert player.account().startswith("value ")


def test_the_deepening_player_says_how_far_it_looked():
    player = DeepeningPlayer(seconds=60)
    player.choose(Counted(Nim((1, 1))), Nim((1, 1)).initial())
    assert player.account() == "depth 2"


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("minmax", {}, UnknownAlgorithmError, "there is no player 'minmax': did you mean 'minimax'?"),
        ("minimax", {"depth": 3}, BadParameterError, "minimax always looks to the end of the game"),
        ("sound-alpha-beta", {"depth": 0}, BadParameterError, "a depth of 0 finds no move"),
        ("random", {"depth": 3}, BadParameterError, "random takes no depth: use engine or sound-alpha-beta"),
        ("engine", {"depth": 0}, BadParameterError, "a depth of 0 finds no move"),
        ("random", {"seconds": 1}, BadParameterError, "random does not look at the clock: use engine"),
        ("deepening", {"threads": 2}, BadParameterError, "deepening has no threads: use engine"),
        ("deepening", {"seconds": -1}, BadParameterError, "-1 seconds cannot be: give a number of 0 or more"),
    ],
)
def test_a_player_that_cannot_be_is_refused(name, options, error, message):
    with pytest.raises(error) as refused:
        find_player(name, **options)
    assert message in str(refused.value)


def test_the_random_player_plays_every_legal_move_in_time():
    game = TicTacToe()
    player = RandomPlayer(seed=0)
    assert {player.choose(Counted(game), game.initial()) for _ in range(200)} == set(range(9))


def test_results_have_words():
    assert [verdict(worth) for worth in (3, 0, -0.5)] == ["MAX wins", "a tie", "MIN wins"]
    assert [side_name(player) for player in (0, 1, 2)] == ["MAX", "MIN", "MIN"]
