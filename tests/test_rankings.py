"""Every action with its value, depth by depth."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from broken_games import Takeaway
from perfectplay import MAX, Game, load_game
from perfectplay.engine import Engine
from perfectplay.errors import BadParameterError, BrokenGameError, GameOverError
from perfectplay.play import Match
from perfectplay.textbook import run, value


@pytest.fixture(params=[pytest.param("always", marks=pytest.mark.slow), "never"])
def engine(request):
    return Engine(load_game("tic-tac-toe"), compile=request.param)


def values(ranking):
    return {move.action: move.value for move in ranking.moves}


def test_there_is_a_ranking_for_every_depth_and_the_last_is_exact(engine):
    game = engine.game
    state = Match(game, ["b2", "a1"]).state
    rankings = list(engine.rankings(state))
    assert [each.found.depth for each in rankings] == [1, 2, 3, 4, 5, 6, 7]
    assert [each.exact for each in rankings] == [False] * 6 + [True]
    assert values(rankings[-1]) == {
        action: value(game, game.result(state, action)) for action in game.actions(state)
    }
    found = rankings[-1].found
    assert (found.value, found.exact, found.lower, found.upper) == (0, True, 0, 0)


def test_the_value_at_a_depth_is_the_textbooks(engine):
    game = engine.game
    for moves in ([], ["b2"], ["a1", "b2"]):
        match = Match(game, moves)
        sign = 1 if game.to_move(match.state) == MAX else -1
        for ranking in engine.rankings(match.state, depth=4):
            depth = ranking.found.depth
            wanted = sign * run("sound-alpha-beta", game, match.state, depth=depth).value
            assert ranking.found.value == pytest.approx(wanted)
            assert max(values(ranking).values()) == ranking.found.value
            assert all(move.best == (move.value == ranking.found.value) for move in ranking.moves)


def test_rank_gives_the_last_of_the_rankings(engine):
    state = Match(engine.game, ["b2"]).state
    *_, last = engine.rankings(state, depth=3)
    assert engine.rank(state, depth=3) == last.moves


def test_the_line_begins_with_the_best_and_can_be_played(engine):
    for ranking in engine.rankings(engine.game.initial()):
        match = Match(engine.game)
        assert ranking.found.line[0] == ranking.moves[0].action == ranking.found.action
        for action in ranking.found.line:
            assert action in list(match.game.actions(match.state))
            match.play(action)


def test_limits_end_the_rankings(engine):
    state = engine.game.initial()
    assert list(engine.rankings(state, seconds=0)) == []
    assert list(engine.rankings(state, nodes=0)) == []
    assert list(engine.rankings(state, depth=0)) == []
    assert len(list(engine.rankings(state, depth=2))) == 2
    few = list(engine.rankings(state, nodes=200))
    assert few
    assert few[-1].found.nodes <= 200


def test_a_win_that_nothing_can_beat_is_exact_before_the_other_moves_are():
    game = load_game("connect-four:rows=5,cols=5,score=outcome")
    state = Match(game, ["1", "5", "1", "5", "1", "5"]).state
    first = next(Engine(game, compile="never").rankings(state))
    assert (first.found.value, first.found.exact, first.exact) == (1, True, False)
    assert game.action_name(first.found.action) == "1"
    assert first.found.line == (0,)


def test_what_cannot_be_asked_is_refused(engine):
    with pytest.raises(BadParameterError, match="depth=-1 cannot be"):
        next(engine.rankings(engine.game.initial(), depth=-1))
    with pytest.raises(GameOverError, match="the game is over in this state"):
        next(engine.rankings(Match(engine.game, ["a1", "b1", "a2", "b2", "a3"]).state))


class Undecided(Takeaway):
    """A worth that is no number."""

    def utility(self, state, player):
        return nan


def test_a_worth_that_is_no_number_is_refused():
    game: Game = Undecided()
    with pytest.raises(BrokenGameError, match="gave nan, which is no value: give a number"):
        list(Engine(game, compile="never").rankings((2, MAX)))


class Odd(Takeaway):
    """Worths that no search can compare, or not as they are."""

    worth: Any = nan

    def utility(self, state, player):
        return self.worth if state[1] == player else -self.worth


@pytest.mark.parametrize(
    ("worth", "told"), [(nan, "gave nan"), (2**53 + 1, r"gave -?9007199254740993, which no float is")]
)
@pytest.mark.parametrize("mode", ["auto", "never"])
def test_a_worth_that_no_float_is_is_refused_when_it_is_solved(worth, told, mode):
    game = Odd()
    game.worth = worth
    with pytest.raises(BrokenGameError, match=told):
        Engine(game, compile=mode, table_mb=1).solve((3, MAX))
