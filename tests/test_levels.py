"""Levels of strength: what each sees, that seeds repeat, and that the stronger ones win."""

from __future__ import annotations

import pytest

from perfectplay import load_game
from perfectplay.arena import contest, find_openings
from perfectplay.errors import BadParameterError, UnsolvedError
from perfectplay.games import ConnectFour, TicTacToe
from perfectplay.play import LEVELS, Match, PerfectPlayer, find_player, player_names
from perfectplay.play.levels import Shallow, ShallowPlayer
from perfectplay.textbook import Counted, value


def test_levels_are_the_first_players_that_there_are():
    assert list(LEVELS) == ["easy", "medium", "hard", "perfect"] == list(player_names())[:4]
    assert all(level.summary for level in LEVELS.values())


@pytest.mark.slow
def test_easy_takes_a_win_and_medium_prevents_one():
    win = Match(TicTacToe(), ["a1", "b1", "a2", "b2"])
    threat = Match(TicTacToe(), ["a1", "b2", "a2"])

    def answers(name, match, seeds=60):
        players = [ShallowPlayer(LEVELS[name]._replace(shallow=sober(name)), seed) for seed in range(seeds)]
        return {match.game.action_name(each.choose(Counted(match.game), match.state)) for each in players}

    def sober(name) -> Shallow:
        return LEVELS[name].shallow._replace(slips=0.0)

    assert answers("easy", win) == answers("medium", win) == {"a3"}
    assert answers("medium", threat) == {"a3"}
    assert len(answers("easy", threat)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["easy", "medium"])
def test_the_same_seed_plays_the_same_game(name):
    def played(seed):
        game, player = ConnectFour(4, 4), find_player(name, seed=seed)
        match = Match(game)
        while not match.over:
            match.play(player.choose(Counted(game), match.state))
        return match.names

    assert played(3) == played(3)
    assert len({tuple(played(seed)) for seed in range(8)}) > 1


@pytest.mark.slow
def test_a_shallow_search_keeps_to_its_states_on_a_large_board():
    game = load_game("mnk:m=15,n=15,k=5")
    player = find_player("medium", seed=0)
    action = player.choose(Counted(game), game.initial())
    assert action in list(game.actions(game.initial()))
    assert player.account() == ""


def test_a_perfect_player_keeps_the_value_of_every_state():
    game = TicTacToe()
    player = PerfectPlayer(compile="never")
    match = Match(game, ["b2", "b1"])
    while not match.over:
        before = value(game, match.state)
        match.play(player.choose(Counted(game), match.state))
        assert value(game, match.state) == before
    assert match.game.utility(match.state, 0) == 1


def test_a_perfect_player_says_where_it_cannot_be():
    game = load_game("othello")
    with pytest.raises(
        UnsolvedError, match=r"not proven after 0.01 seconds: choose hard here, or a smaller board"
    ):
        PerfectPlayer(0.01, compile="never").choose(Counted(game), game.initial())


@pytest.mark.slow
def test_the_stronger_of_two_levels_wins_a_contest():
    game = ConnectFour(4, 5)
    openings = find_openings(game, 10, 2, 0)
    scores = []
    for first, second in contest(
        game, (find_player("medium", seed=1), find_player("easy", seed=2)), openings
    ):
        scores += [first.score, second.score]
    assert sum(scores) / len(scores) > 0.6


def test_levels_take_no_depth_and_no_seconds():
    with pytest.raises(BadParameterError, match="easy takes no depth: use engine"):
        find_player("easy", depth=3)
    with pytest.raises(BadParameterError, match="perfect does not look at the clock: use engine"):
        find_player("perfect", seconds=3)
    with pytest.raises(BadParameterError, match="medium has no threads"):
        find_player("medium", threads=2)


def test_a_level_plays_dice_too():
    game = load_game("pig")
    state = game.initial()
    assert find_player("easy", seed=1).choose(Counted(game), state) in game.actions(state)
