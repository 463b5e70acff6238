"""Every action with an estimate that deepens, until what is proven takes its place."""

from __future__ import annotations

import threading
from math import inf, nan

import pytest

from awaited import until
from broken_games import Takeaway
from endless_games import Circle
from perfectplay import MAX, Game, load_game
from perfectplay.engine import Engine, anytime
from perfectplay.errors import BadParameterError, BrokenGameError, GameOverError
from perfectplay.games import ConnectFour
from perfectplay.play import Match
from perfectplay.textbook import value

SMALL = "connect-four:rows=3,cols=4,k=3"


@pytest.fixture(params=[pytest.param("always", marks=pytest.mark.slow), "never"])
def engine(request):
    return Engine(load_game("tic-tac-toe"), compile=request.param)


@pytest.fixture
def short_turns(monkeypatch):
    """Turns of few nodes, so that a small game is left and gone on with many times."""
    monkeypatch.setattr(anytime, "FIRST_TURN", 64)
    monkeypatch.setattr(anytime, "LONGEST_TURN", 256)
    monkeypatch.setattr(anytime, "NEWS", inf)


def exact_values(engine, state):
    return {move.action: move.value for move in engine.rank(state)}


@pytest.mark.parametrize("moves", [[], ["b2", "a1"], ["a1", "b2", "c3"]])
def test_the_last_ranking_has_the_textbooks_value_of_every_action(engine, short_turns, moves):
    game = engine.game
    state = Match(game, moves).state
    sign = 1 if game.to_move(state) == 0 else -1
    *_, last = engine.analyse(state)
    assert last.exact
    assert {move.action: move.value for move in last.moves} == {
        action: sign * value(game, game.result(state, action)) for action in game.actions(state)
    }
    assert all(move.lower == move.upper == move.value for move in last.moves)
    assert (last.found.value, last.found.exact) == (0, True)


def test_what_is_proven_stays_proven_and_limits_only_narrow(short_turns):
    game = load_game(SMALL)
    engine = Engine(game, compile="never", table_mb=1)
    wanted = exact_values(Engine(game, compile="never", table_mb=4), game.initial())
    limits = dict.fromkeys(game.actions(game.initial()), (-inf, inf))
    depth = nodes = seen = 0
    for ranking in engine.analyse(game.initial()):
        seen += 1
        assert ranking.found.depth >= depth
        assert ranking.found.nodes >= nodes
        depth, nodes = ranking.found.depth, ranking.found.nodes
        for move in ranking.moves:
            lower, upper = limits[move.action]
            assert lower <= move.lower <= wanted[move.action] <= move.upper <= upper
            assert move.lower <= move.value <= move.upper
            assert move.exact == (move.lower == move.upper)
            limits[move.action] = move.lower, move.upper
        assert ranking.found.lower <= max(wanted.values()) <= ranking.found.upper
        assert ranking.found.action == ranking.found.line[0] == ranking.moves[0].action
    assert {action: lower for action, (lower, upper) in limits.items()} == wanted
    assert seen > depth  # there is news between two depths


def test_a_state_is_decided_before_all_its_actions_are(short_turns):
    game = load_game("connect-four:rows=5,cols=5,score=outcome")
    state = Match(game, ["1", "5", "1", "5", "1", "5"]).state
    engine = Engine(game, compile="never", table_mb=4)
    for ranking in engine.analyse(state):
        if ranking.found.exact:
            break
    assert (ranking.found.value, ranking.found.action) == (1, 0)
    assert not ranking.exact


def test_an_analysis_goes_on_where_it_was(engine, short_turns):
    state = engine.game.initial()
    first = list(engine.analyse(state, nodes=300))
    assert first
    assert not first[-1].exact
    again = engine.analyse(state)
    known = next(again)
    assert known.moves == first[-1].moves
    assert known.found.nodes == first[-1].found.nodes
    assert known.found.seconds >= first[-1].found.seconds
    *_, last = again
    assert last.exact
    assert [each.exact for each in engine.analyse(state, nodes=0)] == [True]
    engine.forget()
    assert list(engine.analyse(state, nodes=0)) == []


def test_an_analysis_that_was_left_in_the_middle_goes_on(engine, short_turns):
    state = engine.game.initial()
    left = engine.analyse(state)
    for _ in range(3):
        before = next(left)
    left.close()
    assert next(engine.analyse(state)).moves == before.moves


def test_only_so_many_analyses_are_remembered(engine, monkeypatch):
    monkeypatch.setattr("perfectplay.engine.engine.REMEMBERED", 2)
    game = engine.game
    states = [game.result(game.initial(), action) for action in game.actions(game.initial())][:3]
    for state in states:
        list(engine.analyse(state, nodes=2000))
    assert list(engine._progress) == states[1:]


def test_what_is_known_is_not_proven_again(engine):
    state = engine.game.initial()
    known = dict.fromkeys(engine.game.actions(state), (0, 0))
    (only,) = engine.analyse(state, known=known)
    assert only.exact
    assert only.found.value == 0
    narrower = dict.fromkeys(list(known)[1:], (0, 0)) | {next(iter(known)): (-1, 0)}
    engine.forget()
    first = next(engine.analyse(state, known=narrower))
    assert first.found.exact  # nothing can be better, whatever the first one is worth


@pytest.mark.parametrize(
    ("known", "message"),
    [({"z9": (0, 0)}, "'z9' is no action of this state"), ({0: (1, -1)}, "0 cannot be worth 1 to -1")],
)
def test_what_cannot_be_known_is_refused(engine, known, message):
    with pytest.raises(BadParameterError, match=message):
        next(engine.analyse(engine.game.initial(), known=known))


def test_limits_end_an_analysis(engine):
    state = engine.game.initial()
    assert list(engine.analyse(state, seconds=0)) == []
    assert list(engine.analyse(state, nodes=0)) == []
    engine.forget()
    *_, last = engine.analyse(state, nodes=500)
    assert last.found.nodes <= 500
    with pytest.raises(BadParameterError, match="seconds=-1 cannot be"):
        next(engine.analyse(state, seconds=-1))
    over = Match(engine.game, ["a1", "b1", "a2", "b2", "a3"]).state
    with pytest.raises(GameOverError):
        next(engine.analyse(over))


def test_an_analysis_is_stopped_from_another_thread():
    engine = Engine(ConnectFour(), compile="never", table_mb=4)
    seen = []
    thread = threading.Thread(target=lambda: seen.extend(engine.analyse(engine.game.initial())), daemon=True)
    thread.start()
    until(lambda: engine._progress and next(iter(engine._progress.values())).depth > 0)
    while thread.is_alive():  # a stop that comes between two turns is heard at the next
        engine.stop()
        thread.join(0.01)
    assert seen
    assert not seen[-1].exact


def test_a_proven_line_is_played_to_its_end_and_confirmed_by_python(engine):
    state = Match(engine.game, ["a1", "b1"]).state
    *_, last = engine.analyse(state)
    assert (last.found.value, last.found.exact) == (1, True)
    match = Match(engine.game, ["a1", "b1"])
    for action in last.found.line:
        match.play(action)
    assert match.over


def test_a_line_that_python_contradicts_begins_the_analysis_again(monkeypatch):
    engine = Engine(load_game("tic-tac-toe"), compile="never")
    engine.compiled = True
    calls = []

    def doubted(*arguments):
        calls.append(arguments)
        return "it is not so" if len(calls) == 1 else None

    monkeypatch.setattr("perfectplay.engine.engine.contradiction", doubted)
    *_, last = engine.analyse(engine.game.initial())
    assert last.exact
    assert engine.why_not == "it is not so"
    assert not engine.compiled


@pytest.mark.parametrize("mode", [pytest.param("always", marks=pytest.mark.slow), "never"])
def test_estimates_are_kept_out_of_the_table_of_what_is_proven(mode):
    engine = Engine(load_game("tic-tac-toe"), compile=mode, table_mb=0.1)
    memory, state = engine._parallel.memory, engine.game.initial()
    _, budget = engine._begin(state)
    progress = anytime.Progress(engine, state)
    for _ in range(4):
        assert progress.deepen(budget)
    assert not written(memory.table)
    assert written(memory.estimates)
    assert len(memory.estimates.entries) * 8 == len(memory.table.entries)
    while progress.prove(budget) and not progress.is_exact():
        pass
    assert written(memory.table)
    engine.forget()
    assert not written(memory.table)
    assert not written(memory.estimates)


def written(table):
    return sum(entry.data != 0 for entry in table.entries)


def test_threads_come_to_the_same_values(short_turns):
    game = load_game(SMALL)
    one, two = (Engine(game, compile="never", table_mb=4, threads=threads) for threads in (1, 2))
    *_, last = two.analyse(game.initial())
    assert {move.action: move.value for move in last.moves} == exact_values(one, game.initial())


def test_values_that_are_no_numbers_are_an_error():
    class Undecided(Takeaway):
        def utility(self, state, player):
            return nan

    with pytest.raises(BrokenGameError, match="gave nan, which is no value: give a number"):
        list(Engine(Undecided(), compile="never").analyse((2, MAX)))


def test_a_player_may_move_twice(short_turns):
    game = load_game("kalah:pits=3,seeds=2")
    engine = Engine(game, compile="never", table_mb=4)
    *_, last = engine.analyse(game.initial())
    assert {move.action: move.value for move in last.moves} == exact_values(engine, game.initial())


def test_a_tablebase_answers_at_once(tmp_path):
    from perfectplay.tablebase import Tablebase, build_tablebase

    game: Game = load_game("tic-tac-toe")
    build_tablebase(game, tmp_path / "table", compile="never")
    with Tablebase(tmp_path / "table", game) as table:
        (only,) = Engine(game, compile="never", tablebase=table).analyse(game.initial())
    assert only.exact
    assert all(move.lower == move.value == move.upper for move in only.moves)


def test_where_play_goes_on_for_ever_deepening_goes_on_alone():
    engine = Engine(Circle(), compile="never", table_mb=1)
    *_, last = engine.analyse(0, nodes=3_000)
    moves = {move.action: move for move in last.moves}
    assert (moves["out"].value, moves["out"].exact) == (1, True)
    assert last.found.depth > 10
