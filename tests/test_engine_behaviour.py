"""How the engine behaves: budgets, stopping, mistakes, quick wins, states of every shape, and the disk."""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from random import Random
from textwrap import dedent
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

import pytest

import uncompilable
from awaited import NET, until
from hashed_games import Hashed, State
from perfectplay import MAX, MIN, Game, load_game
from perfectplay.compiler import waiting
from perfectplay.engine import Engine
from perfectplay.engine.transposition import value_in
from perfectplay.engine.workers import Workers
from perfectplay.errors import (
    BadParameterError,
    CompileError,
    EngineBusyError,
    GameOverError,
)
from perfectplay.game import default_key, same_side
from perfectplay.games import ConnectFour, ExplicitTree, Kalah, Nim, Othello, TicTacToe
from perfectplay.tablebase import Tablebase, build_tablebase
from perfectplay.textbook import run
from perfectplay.textbook import value as textbook_value
from random_games import random_game
from two_sided_games import TWO_SIDED

SMAPS = Path("/proc/self/smaps")  # of Linux: what memory of this process is like
SHORT = 58  # a layer from which every game is over within six moves


@dataclass(frozen=True)
class Race(Hashed):
    """Won, drawn or lost, by whatever number of moves; no end before layer 58, and none after 64.

    Turns are drawn at random. Estimates are between a loss and a win.
    """

    layers: int = 64
    width: int = 1 << 16
    values: int = 1

    def is_terminal(self, state: State) -> bool:
        return state[1] >= self.layers or (state[1] > SHORT and self.luck(state, 2) % 8 == 0)

    def result(self, state: State, action: int) -> State:
        seed, layer, _ = state
        return seed, layer + 1, self.luck(state, 10 + action) % self.width

    def evaluate(self, state: State, player: int) -> float:
        worth = (self.luck(state, 5) % 9 - 4) / 8
        return worth if player == MAX else -worth


RACE = Race()
LONG = (0, 0, 0)  # nobody will see the end of this one


@pytest.fixture(scope="module")
def engine():
    return Engine(RACE, compile="always", table_mb=1)


@pytest.fixture(scope="module", params=["never", pytest.param("always", marks=pytest.mark.slow)])
def either(request, engine):
    return engine if request.param == "always" else Engine(RACE, compile="never", table_mb=1)


def legal(answer: Any, state: Any = LONG, game: Any = RACE) -> bool:
    return answer.action == answer.line[0] and answer.action in list(game.actions(state))


# Budgets.


@pytest.mark.parametrize("limit", ["depth", "nodes", "seconds"])
def test_a_budget_of_nothing_gives_a_legal_action(either, limit):
    answer = either.search(LONG, **{limit: 0})
    assert legal(answer)
    assert not answer.exact
    assert answer.nodes == 0 or limit == "seconds"
    assert {each.action for each in either.rank(LONG, **{limit: 0})} == set(RACE.actions(LONG))
    if limit != "depth":
        answer = either.solve(LONG, **{limit: 0})
        assert legal(answer)
        assert not answer.exact
        assert answer.lower <= answer.value <= answer.upper


def test_the_depth_is_what_was_asked_for(either):
    for depth in range(1, 6):
        answer = either.search(LONG, depth=depth)
        assert (answer.depth, answer.exact) == (depth, False)
        assert legal(answer)
    assert len(answer.line) == 5


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_never_more_nodes_are_visited_than_were_allowed(threads):
    game = ConnectFour()
    engine = Engine(game, compile="never", table_mb=1, threads=threads)
    most = 0
    for nodes in (0, 1, 2, 3, 50, 51, 52, 200, 1000):
        for answer in (
            engine.search(game.initial(), nodes=nodes),
            engine.solve(game.initial(), nodes=nodes),
            engine.solve(game.initial(), nodes=nodes, driver="proof-number"),
        ):
            assert answer.nodes <= nodes
            assert legal(answer, game.initial(), game)
            most = max(most, answer.nodes)
    assert most == 1000


def test_all_the_nodes_that_are_allowed_are_used(either):
    assert either.solve(LONG, nodes=1234).nodes == 1234
    assert either.solve(LONG, nodes=inf, seconds=0.2).nodes > 0


def test_a_search_is_over_soon_after_its_time(either):
    for ask in (either.search, either.solve, either.rank):
        began, worked = perf_counter(), process_time()
        ask(LONG, seconds=0.2)
        assert perf_counter() - began > 0.19
        assert process_time() - worked < 2  # a busy machine does not give it more


def test_the_first_limit_that_is_met_ends_it(either):
    assert either.search(LONG, depth=2, seconds=60, nodes=10**9).depth == 2
    assert either.search(LONG, depth=100, seconds=60, nodes=500).nodes <= 500


def test_two_processors_do_not_change_what_a_budget_is():
    engine = Engine(RACE, compile="always", table_mb=1, threads=2)
    assert engine.solve(LONG, nodes=1001).nodes <= 1001
    began = process_time()
    assert legal(engine.solve(LONG, seconds=0.2))
    assert process_time() - began < 4


# Stopping.


def when_at_work(engine: Engine, act: Any) -> threading.Thread:
    """Do something in another thread as soon as the search has visited some states."""

    def wait_and_act():
        while engine._parallel.nodes < 100:
            sleep(0.001)
        act()

    engine._parallel.workspaces[0].nodes = 0
    thread = threading.Thread(target=wait_and_act, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("question", ["search", "solve"])
def test_another_thread_can_end_a_search_which_gives_what_it_has(either, question):
    thread = when_at_work(either, either.stop)
    answer = getattr(either, question)(LONG, seconds=NET)
    thread.join()
    assert answer.seconds < NET
    assert legal(answer)
    assert not answer.exact
    assert_still_right(either)


def test_a_ranking_that_is_stopped_promises_nothing(either):
    done = threading.Event()
    insisted = []

    def stop_and_insist():  # once should do for all actions, and a test should come to its end
        either.stop()
        while not done.wait(NET):
            insisted.append(either.stop())

    when_at_work(either, stop_and_insist)
    ranked = either.rank(LONG)
    done.set()
    assert not insisted
    assert {each.action for each in ranked} == set(RACE.actions(LONG))
    assert all(each.value == 0 and not each.exact for each in ranked)
    assert_still_right(either)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="the system cannot send a thread Ctrl-C")
def test_after_ctrl_c_the_engine_is_as_good_as_before(either):
    main = threading.main_thread().ident
    when_at_work(either, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        either.search(LONG, seconds=NET)
    assert_still_right(either)


def test_no_wait_is_so_long_that_a_ctrl_c_just_before_it_goes_unseen():
    workers, waits = Workers(1), []

    class News:
        def acquire(self, timeout):
            waits.append(timeout)
            workers.stop_asked.set_result(None)

        def release(self):
            pass

    workers.news = News()
    asked = Future()
    workers._wait([asked], inf)
    assert len(waits) == 1
    assert waits[0] < 1


def test_ctrl_c_before_a_search_is_in_hand_leaves_none_at_work(monkeypatch):
    workers = Workers(1)
    handed_over = workers.pool.submit
    begun = []

    def interrupted(*task):
        handed_over(*task)
        raise KeyboardInterrupt

    monkeypatch.setattr(workers.pool, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        workers.ask(lambda: begun.append("one question"), inf, stop=lambda: None)
    with pytest.raises(KeyboardInterrupt):
        workers.all([lambda: begun.append("one of several")], inf, halt=lambda: None)
    monkeypatch.undo()
    assert workers.ask(lambda: "the next one", inf, stop=lambda: None) == "the next one"
    assert not begun


@pytest.mark.slow
def test_a_second_question_does_not_disturb_the_first(either):
    """It is refused before it changes anything: the first keeps to its budget."""
    refused = []

    def ask_again():
        for _ in range(5):
            with pytest.raises(EngineBusyError, match="this engine is at work in another thread"):
                either.search(LONG, depth=1)
            refused.append(either._parallel.nodes)

    thread = when_at_work(either, ask_again)
    answer = either.solve(LONG, nodes=20_000 if not either.compiled else 2_000_000)
    thread.join()
    assert refused == sorted(refused)
    assert min(refused) >= 100
    assert answer.nodes == (20_000 if not either.compiled else 2_000_000)


def test_deepening_gives_every_depth_and_can_be_left_at_any_time(either):
    assert [answer.depth for answer in either.deepen(LONG, depth=5)] == [1, 2, 3, 4, 5]
    for leave_at in (1, 2, 4):
        deepening = either.deepen(LONG)
        for depth in range(1, leave_at + 1):
            answer = next(deepening)
            assert answer.depth == depth
            assert legal(answer)
        deepening.close()
        assert_still_right(either)


def test_deepening_can_wait_while_another_question_is_answered(either):
    alone = [(answer.value, answer.depth) for answer in either.deepen((3, 40, 0), depth=6)]
    together = []
    for answer in either.deepen((3, 40, 0), depth=6):
        together.append((answer.value, answer.depth))
        assert_still_right(either)
    assert together == alone


def assert_still_right(engine: Engine) -> None:
    for seed in range(5):
        state = (seed, SHORT, 0)
        assert engine.solve(state).value == result_of(state)[0]
        assert engine.search(state).value == result_of(state)[0]


# Sooner is better.


@cache
def result_of(state: State, game: Any = RACE) -> tuple[int, int]:
    """The value to the player who moves, and the plies to the end: few for the winner, many for the loser."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state)), 0
    return max((result_of_action(state, action, game) for action in game.actions(state)), key=wish)


def result_of_action(state: Any, action: Any, game: Any = RACE) -> tuple[int, int]:
    child = game.result(state, action)
    value, plies = result_of(child, game)
    return value if same_side(game.to_move(child), game.to_move(state)) else -value, plies + 1


def wish(result: tuple[int, int]) -> tuple[int, int]:
    value, plies = result
    return value, -value * plies


STARTS = [(seed, SHORT, 0) for seed in range(200)]


def test_the_quickest_win_and_the_longest_loss_are_chosen_with_any_table(engine):
    choices = 0
    for state in STARTS:
        value, plies = result_of(state)
        ends = {result_of_action(state, action) for action in RACE.actions(state)}
        choices += len({end for end in ends if end[0] == value}) > 1
        for _ in range(2):  # the second time with all that the first left in the table
            answer = engine.search(state)
            assert (answer.value, answer.exact) == (value, True)
            if value:
                assert result_of_action(state, answer.action) == (value, plies), state
    assert choices > 50  # of wins, or losses, or draws, that take different numbers of moves


def test_a_game_between_engines_lasts_as_long_as_it_must(engine):
    """One engine for both sides, whose table fills as they play."""
    decided = 0
    for state in STARTS:
        value, plies = result_of(state)
        if value == 0:
            continue
        decided += 1
        played = 0
        while not RACE.is_terminal(state):
            state = RACE.result(state, engine.search(state).action)
            played += 1
        assert played == plies
    assert decided > 50


def test_the_quickest_win_at_nim_is_chosen_after_any_moves():
    game = Nim((2, 3, 2))
    engine = Engine(game, compile="never", table_mb=1)
    random = Random(0)
    for _ in range(30):
        state = game.initial()
        while not game.is_terminal(state):
            action = engine.search(state).action
            assert result_of_action(state, action, game) == result_of(state, game)
            state = game.result(state, random.choice([action, *game.actions(state)]))


@pytest.mark.slow
def test_values_say_who_wins_and_nothing_of_when():
    """So the table can be asked at any distance from the end."""
    game = TicTacToe()
    engine = Engine(game, compile="never", table_mb=1)
    random = Random(1)
    for _ in range(3):
        state = game.initial()
        while not game.is_terminal(state):
            for depth in range(1, 10):
                answer = engine.search(state, depth=depth)
                assert answer.value in (-1, 0, 1) or not answer.exact
            assert answer.exact
            state = game.result(state, random.choice(list(game.actions(state))))
    words = [entry.data for entry in engine._parallel.memory.table.entries]
    assert {value for value in map(value_in, filter(None, words)) if abs(value) >= 1} == {-1, 1}


@pytest.mark.slow
def test_wins_and_losses_without_end_are_searched_too():
    """A utility of infinity is nothing to recommend, and no reason to go on for ever."""
    for worth in (inf, -inf):
        game = ExplicitTree({"a": {"x": "b", "y": "c"}}, {"b": worth, "c": worth})
        engine = Engine(game, table_mb=1)
        for answer in (engine.search("a"), engine.solve("a"), engine.search("a", depth=1)):
            assert (answer.value, answer.exact) == (worth, True)
            assert answer.action in ("x", "y")


# Turns.


def test_a_player_may_move_twice_running():
    tree = {"a": {"x": "b", "y": "c"}, "b": {"x": "d", "y": "e"}, "c": {"x": "f", "y": "g"}}
    game = ExplicitTree(tree, {"d": 3, "e": 12, "f": 2, "g": 9}, {"a": MAX, "b": MAX, "c": MIN})
    answer = Engine(game, table_mb=1).solve("a")
    assert (answer.value, answer.line) == (12, ("x", "y"))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 5])
def test_any_number_of_min_players_play_together(players):
    seen = set()
    for seed in range(3):
        game = random_game(seed, players=players)
        engine = Engine(game, table_mb=0.1)
        for state in game.moves:
            worth = run("minimax", game, state).value
            wanted = worth if game.to_move(state) == MAX else -worth
            seen.add(game.to_move(state))
            assert engine.solve(state).value == wanted
            assert engine.search(state).value == wanted
            assert engine.rank(state)[0].value == wanted
    assert seen == set(range(players))


def test_who_must_pass_passes():
    game = Othello(4)
    engine = Engine(game, compile="never", table_mb=1)
    random = Random(5)
    passes = 0
    while passes < 10:
        state = game.initial()
        while not game.is_terminal(state):
            actions = list(game.actions(state))
            if actions == [16]:
                passes += 1
                worth = run("sound-alpha-beta", game, state).value
                answer = engine.solve(state)
                assert answer.action == 16
                assert answer.value == (worth if game.to_move(state) == MAX else -worth)
            state = game.result(state, random.choice(actions))


# Mistakes.


@pytest.mark.parametrize(
    ("parameter", "sentence"),
    [
        ({"compile": "allways"}, "compile='allways' cannot be: did you mean 'always'?"),
        ({"compile": 1}, "compile=1 cannot be: there are: auto, always, never."),
        ({"threads": 0}, "0 threads cannot be: give a whole number from 1 to 64."),
        ({"threads": 1.5}, "1.5 threads cannot be: give a whole number from 1 to 64."),
        ({"table_mb": 0}, "a table of 0 MB cannot be: give a number above 0."),
        ({"table_mb": -1}, "a table of -1 MB cannot be: give a number above 0."),
        ({"table_mb": nan}, "a table of nan MB cannot be: give a number above 0."),
        ({"table_mb": inf}, "a table of inf MB cannot be: give a number above 0."),
    ],
)
def test_a_parameter_that_cannot_be_is_told(parameter, sentence):
    with pytest.raises(BadParameterError) as told:
        Engine(TicTacToe(), **parameter)
    assert str(told.value) == sentence


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ({"depth": -1}, "depth=-1 cannot be: give a number of 0 or more."),
        ({"nodes": -5}, "nodes=-5 cannot be: give a number of 0 or more."),
        ({"seconds": -0.5}, "seconds=-0.5 cannot be: give a number of 0 or more."),
        ({"seconds": nan}, "seconds=nan cannot be: give a number of 0 or more."),
        ({"nodes": nan}, "nodes=nan cannot be: give a number of 0 or more."),
        ({"depth": nan}, "depth=nan cannot be: give a number of 0 or more."),
        ({"depth": 2.5}, "depth=2.5 cannot be: give a whole number of 0 or more."),
    ],
)
def test_a_limit_that_cannot_be_is_told(either, limit, sentence):
    for question in (either.search, either.rank, either.solve):
        if "depth" in limit and question == either.solve:
            continue
        with pytest.raises(BadParameterError) as told:
            question(LONG, **limit)
        assert str(told.value) == sentence


def test_a_driver_that_there_is_not_is_told(either):
    with pytest.raises(BadParameterError, match=r"^there is no driver 'bisect': did you mean 'bisection'\?$"):
        either.solve(LONG, driver="bisect")


def test_a_game_that_is_over_cannot_be_searched(either):
    over = (0, RACE.layers, 0)
    for ask in (either.search, either.solve, either.rank, lambda state: next(either.deepen(state))):
        with pytest.raises(
            GameOverError, match=r"^the game is over in this state: there is nothing to search"
        ):
            ask(over)


@pytest.mark.slow
def test_a_class_that_cannot_be_compiled_is_told_with_its_line_where_it_must_be():
    source = Path(uncompilable.__file__).read_text().splitlines()
    start = source.index("class OpensFile(Countable):")
    line = next(number for number in range(start, len(source)) if "# here" in source[number]) + 1
    why = f"`is_terminal` line {line} opens a file; read it once, at the top of the file"
    with pytest.raises(CompileError) as told:
        Engine(uncompilable.OpensFile(), compile="always")
    assert str(told.value) == f"OpensFile cannot be compiled: {why}."
    engine = Engine(uncompilable.OpensFile(), table_mb=1)
    assert (engine.compiled, engine.why_not) == (False, why)
    assert engine.solve((0, 0)).value == 1


def test_the_engine_says_how_it_runs(engine):
    assert (engine.compiled, engine.why_not) == (True, None)
    never = Engine(RACE, compile="never", table_mb=1)
    assert (never.compiled, never.why_not) == (False, 'compile="never" was asked for')


class Faulty(Nim):
    """Nim with a fault that can be switched on."""

    faults: list[str] = []  # noqa: RUF012 - shared on purpose

    def result(self, state, action):
        if self.faults and state & 1:
            return {}[self.faults[0]]
        return Nim.result(self, state, action)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_the_rules_raise_comes_through_and_the_engine_goes_on(threads):
    game = Faulty()
    engine = Engine(game, compile="never", table_mb=1, threads=threads)
    for question in (engine.search, engine.solve, engine.rank):
        Faulty.faults.append("no such heap")
        try:
            with pytest.raises(KeyError, match="no such heap"):
                question(game.initial())
        finally:
            Faulty.faults.clear()
        assert engine.solve(game.initial()).value == 1  # 3 xor 4 xor 5 is not 0


# States of every shape.


class Heap(NamedTuple):
    """A heap, and a tuple of tuples."""

    left: int
    rest: tuple[tuple[int, int], int]


class Take(Game[Any, Any]):
    """Take up to `most`; the last one wins, and what was taken counts. A state is a tuple in a tuple."""

    def __init__(self, start: int = 9, most: int = 3) -> None:
        self.start = start
        self.most = most

    def initial(self):
        return Heap(self.start, ((0, 0), MAX))

    def to_move(self, state):
        return state.rest[1]

    def actions(self, state):
        for take in range(1, min(self.most, state.left) + 1):  # noqa: UP028 - yield from does not compile
            yield take

    def result(self, state, action):
        (first, second), turn = state.rest
        if turn == MAX:
            first += action
        else:
            second += action
        return Heap(state.left - action, ((first, second), 1 - turn))

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        (first, second), turn = state.rest
        worth = 10 * (2 * turn - 1) + first - second
        return worth if player == MAX else -worth


class Weights(Game[Any, Any]):
    """Who lays down the weight that makes it more than 4 loses. A state has floats and truth values."""

    def initial(self):
        return 0.0, True, False

    def to_move(self, state):
        return 0 if state[1] else 1

    def actions(self, state):
        if state[0] <= 4.0:
            for action in range(1, 4):  # noqa: UP028
                yield action

    def result(self, state, action):
        return state[0] + action / 4, not state[1], action == 2 or state[2]

    def is_terminal(self, state):
        return state[0] > 4.0

    def utility(self, state, player):
        worth = 1.0 if state[1] else -1.0
        if state[2]:
            worth = worth / 2
        return worth if player == MAX else -worth


class Cells(Game[Any, Any]):
    """Six cells of a word of 64, the last with them, to be taken in turn. A state is one integer."""

    def initial(self):
        return 0

    def to_move(self, state):
        return 0 if state & 1 == 0 else 1

    def actions(self, state):
        for cell in (5, 9, 23, 41, 62, 63):
            if state & (1 << cell) == 0:
                yield cell

    def result(self, state, action):
        return (state | 1 << action) ^ 1 ^ (action & 2)

    def is_terminal(self, state):
        for cell in (5, 9, 23, 41, 62, 63):  # noqa: SIM110 - nor does all()
            if state & (1 << cell) == 0:
                return False
        return True

    def utility(self, state, player):
        return 1 if (state & 2 == 0) == (player == MAX) else -1


@pytest.mark.slow
@pytest.mark.parametrize("game", [Take(), Weights(), Cells()], ids=lambda game: type(game).__name__)
def test_states_of_any_shape_are_searched_the_same_in_both_modes(game):
    compiled = Engine(game, compile="always", table_mb=0.1)
    interpreted = Engine(game, compile="never", table_mb=0.1)
    random = Random(2)
    for _ in range(8):
        state = game.initial()
        while not game.is_terminal(state):
            for one, other in (
                (compiled.solve(state), interpreted.solve(state)),
                (compiled.search(state, depth=4), interpreted.search(state, depth=4)),
                (compiled.search(state), interpreted.search(state)),
            ):
                assert (one.value, one.line, one.nodes) == (other.value, other.line, other.nodes)
            assert compiled.rank(state) == interpreted.rank(state)
            assert one.value == brute(game, state)
            state = game.result(state, random.choice(list(game.actions(state))))


@cache
def brute(game: Any, state: Any) -> float:
    """The value to the player who moves."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state))
    children = [game.result(state, action) for action in game.actions(state)]
    mover = game.to_move(state)
    return max(brute(game, child) * (1 if game.to_move(child) == mover else -1) for child in children)


def test_a_word_of_64_bits_is_its_own_key_with_a_sign_or_without():
    assert default_key(2**64 - 1) == default_key(-1) == 2**64 - 1
    assert len({default_key(state) for state in range(-50, 50)}) == 100


def test_floats_in_a_state_have_their_part_in_the_key():
    assert default_key((0.5, 1)) != default_key((0.25, 1))
    assert default_key((0.0, 1)) == default_key((-0.0, 1))
    assert default_key((math.pi, 1)) == default_key((math.pi, True))


@pytest.mark.slow
def test_two_configurations_and_two_classes_of_one_name_live_side_by_side():
    def other():
        class Take(globals()["Take"]):
            def utility(self, state, player):  # whoever takes the last one loses
                return 1 if (state.rest[1] == MAX) == (player == MAX) else -1

        Take.__qualname__ = "Take"
        return Take()

    games = [Take(), Take(8), other()]
    engines = [Engine(game, compile="always", table_mb=0.1) for game in games]
    for _ in range(2):
        for game, engine in zip(games, engines, strict=True):
            assert engine.solve(game.initial()).value == brute(game, game.initial())
    assert len({brute(game, game.initial()) for game in games}) == 3


# The disk, and what there may not be.

PROGRAM = """
    import sys
    {before}
    from perfectplay import load_game
    from perfectplay.engine import Engine
    engine = Engine(load_game(sys.argv[1]), table_mb=1)
    hits = int(engine.compiled and "perfectplay.compiler.compilation" not in sys.modules)
    print(engine.solve(engine.game.initial()).value, engine.compiled, hits, engine.why_not)
"""
TAKING = """
    from perfectplay import Game
    from {helper} import most

    class Taking(Game):
        def initial(self): return 2 * {heap}
        def to_move(self, state): return state & 1
        def actions(self, state): return range(1, min(most(), state >> 1) + 1)
        def result(self, state, action): return state - 2 * action ^ 1
        def is_terminal(self, state): return state < 2
        def utility(self, state, player): return -1 if player == state & 1 else 1
"""


def in_a_new_process(rules: str, before: str = "", **environment: str) -> str:
    """The value, whether it was compiled, how often the disk had it, and why not."""
    program = [sys.executable, "-c", dedent(PROGRAM).format(before=before), rules]
    done = subprocess.run(program, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def write_rules(directory: Path, *, heap: int, most: int) -> str:
    helper = "limit_of_taking"
    (directory / f"{helper}.py").write_text(f"def most(): return {most}\n")
    (directory / "taking.py").write_text(dedent(TAKING).format(helper=helper, heap=heap))
    return f"{directory / 'taking.py'}:Taking"


@pytest.mark.slow
def test_a_new_process_compiles_nothing_until_the_rules_change_and_then_plays_by_the_new_ones(tmp_path):
    """Who may take up to `most` loses a heap of a multiple of one more."""
    places = {"PERFECTPLAY_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path), **uncached()}
    if "PYTHONPATH" in os.environ:
        places["PYTHONPATH"] += os.pathsep + os.environ["PYTHONPATH"]
    rules = write_rules(tmp_path, heap=12, most=3)
    assert in_a_new_process(rules, **places) == "-1 True 0 None"
    assert in_a_new_process(rules, **places) == "-1 True 1 None"
    write_rules(tmp_path, heap=12, most=4)  # a helper in another file
    assert in_a_new_process(rules, **places) == "1 True 0 None"
    write_rules(tmp_path, heap=15, most=4)  # the class itself
    assert in_a_new_process(rules, **places) == "-1 True 0 None"


def uncached() -> dict[str, str]:
    return {"PYTHONDONTWRITEBYTECODE": "1"}  # files are written twice within the second that .pyc files see


@pytest.mark.slow
def test_without_a_place_to_write_it_is_compiled_all_the_same():
    assert in_a_new_process("nim", PERFECTPLAY_CACHE="") == "1 True 0 None"


def test_without_a_compiler_the_engine_runs_interpreted():
    without = "sys.modules['llvmlite.binding'] = None"
    assert in_a_new_process("nim", without) == "1 False 0 llvmlite cannot be imported here"


# Patience.


class Screen(StringIO):
    """Somewhere to print to, with somebody there or not."""

    def __init__(self, somebody: bool) -> None:
        super().__init__()
        self.somebody = somebody

    def isatty(self) -> bool:
        return self.somebody


def test_a_word_is_said_only_to_somebody_who_waits(monkeypatch):
    somebody, nobody, quick = Screen(True), Screen(False), Screen(True)
    monkeypatch.setattr(waiting, "SOON", 0.0)
    monkeypatch.setattr(sys, "stderr", somebody)
    with waiting.said_when_slow("wait"):
        until(somebody.getvalue)
    monkeypatch.setattr(sys, "stderr", nobody)
    with waiting.said_when_slow("wait"):
        sleep(0.1)
    monkeypatch.setattr(waiting, "SOON", NET)
    monkeypatch.setattr(sys, "stderr", quick)
    with waiting.said_when_slow("wait"):
        pass
    assert (somebody.getvalue(), nobody.getvalue(), quick.getvalue()) == ("wait\n", "", "")


class Broken(Screen):
    """A terminal that has gone away: it notes that it was written to."""

    def __init__(self) -> None:
        super().__init__(somebody=True)
        self.tried = threading.Event()

    def write(self, text: str) -> int:
        self.tried.set()
        raise OSError("gone")


def closed_screen() -> Screen:
    screen = Screen(somebody=True)
    screen.close()
    return screen


@pytest.mark.parametrize("stream", [None, closed_screen(), StringIO(), object()])
@pytest.mark.parametrize("notebook", [False, True])
def test_where_nothing_can_be_said_nothing_is(monkeypatch, capsys, stream, notebook):
    if notebook:
        monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr(waiting, "SOON", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting.said_when_slow("wait"):
        pass
    assert capsys.readouterr().out == ""


def test_a_terminal_that_has_gone_away_is_no_error(monkeypatch):
    screen = Broken()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(waiting, "SOON", 0.0)
    complaints = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    with waiting.said_when_slow("wait"):
        assert screen.tried.wait(60)
        for thread in threading.enumerate():
            if isinstance(thread, threading.Timer):
                thread.join()
    assert complaints == []


# The signature of the search: nodes of searches of three plies, at the start and after some moves, and of
# solutions of late states, with no more than 1000 nodes each. It changes when the search, or what a game
# tells it, is meant to change: then run this test with -vv, see that the numbers are what they should be,
# and write those that it prints here.

SIGNATURE = {
    "breakthrough": (2618, 8),
    "chess-endgame": (1320, 2002),
    "connect-four": (289, 143),
    "dodgem": (138, 444),
    "domineering": (5702, 73),
    "dots-and-boxes": (261, 233),
    "figure-5.2": (21, 24),
    "hexapawn": (44, 55),
    "kalah": (109, 2351),
    "mnk": (206, 406),
    "nim": (259, 235),
    "nine-mens-morris": (1785, 2002),
    "othello": (347, 2592),
    "three-mens-morris": (238, 2002),
    "tic-tac-toe": (206, 406),
}


def signature(name: str) -> tuple[int, int]:
    game: Any = Kalah(4, 3) if name == "kalah" else load_game(name)
    engine = Engine(game, compile="never", table_mb=1)
    random = Random(4)
    searched = solved = 0
    for moves in (0, 3, 6):
        line = [game.initial()]
        while not game.is_terminal(line[-1]):
            line.append(game.result(line[-1], random.choice(list(game.actions(line[-1])))))
        searched += engine.search(line[min(moves, len(line) - 2)], depth=3).nodes
        solved += engine.solve(line[max(0, len(line) - 10)], nodes=1000).nodes
    return searched, solved


@pytest.mark.slow
def test_the_search_visits_as_many_states_as_it_should():
    assert {name: signature(name) for name in TWO_SIDED} == SIGNATURE


# States that vary in length.


class Rows(Game[Any, Any]):
    """Kayles in a list of rows, which become more when one is cut in two; who cannot move has lost."""

    def initial(self) -> Any:
        return (0, (6,))

    def to_move(self, state: Any) -> int:
        return state[0]

    def actions(self, state: Any) -> Any:
        rows = enumerate(state[1])
        return [(row, at, take) for row, long in rows for take in (1, 2) for at in range(long - take + 1)]

    def result(self, state: Any, action: Any) -> Any:
        row, at, take = action
        rest = state[1][:row] + state[1][row + 1 :]
        parts = [part for part in (at, state[1][row] - at - take) if part]
        return (1 - state[0], tuple(sorted([*rest, *parts])))

    def is_terminal(self, state: Any) -> bool:
        return not state[1]

    def utility(self, state: Any, player: int) -> int:
        return -1 if player == state[0] else 1


@pytest.mark.slow
def test_states_may_vary_in_length():
    game = Rows()
    engine = Engine(game, table_mb=1)
    assert engine.compiled
    state, lengths = game.initial(), set()
    while not game.is_terminal(state):
        lengths.add(len(state[1]))
        found = engine.solve(state)
        worth = textbook_value(game, state)
        assert (found.value, found.exact) == (worth if game.to_move(state) == MAX else -worth, True)
        assert engine.search(state).value == found.value == engine.rank(state)[0].value
        assert engine.solve(state, driver="proof-number").value == found.value
        state = game.result(state, found.action)
    assert lengths == {1, 2}  # cut in the middle first
    with pytest.raises(GameOverError):
        engine.solve(state)


@pytest.mark.parametrize("state", [3, None, "six", (), (0,), (0, 6), (0, ("6",)), (0, (1, (2,))), [0, (6,)]])
def test_what_the_rules_do_not_take_is_no_state_of_any_length(state):
    with pytest.raises(BadParameterError, match=r"is no state of Rows: give one like \(0, \(6,\)\)\.$"):
        Engine(Rows(), table_mb=1).solve(state)


@pytest.mark.parametrize("start", [None, (1, (2, 3))])
def test_a_tablebase_has_states_that_vary_in_length(tmp_path, start):
    game = Rows()
    build_tablebase(game, tmp_path, start=start)
    with Tablebase(tmp_path, game) as table:
        first = start or game.initial()
        worth = textbook_value(game, first)
        assert table.probe(first).value == (worth if game.to_move(first) == MAX else -worth)
        assert len(table) > 8  # rows of several lengths


def test_a_table_has_large_pages_before_anything_is_written() -> None:
    if not hasattr(mmap, "MADV_HUGEPAGE") or not SMAPS.exists():
        pytest.skip("this system has no large pages, or does not show them")
    engine = Engine(TicTacToe(), compile="always")
    place = ctypes.addressof(engine._parallel.memory.table.entries)
    areas = SMAPS.read_text().split("VmFlags:")
    for area, flags in pairwise(areas):
        lines = [line for line in area.splitlines() if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line)]
        first, last = (int(end, 16) for end in lines[-1].split()[0].split("-"))
        if first <= place < last:
            assert "hg" in flags.splitlines()[0].split()
            return
    pytest.fail("the table is in no area of memory")
