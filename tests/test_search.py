"""The search against plain minimax: every window, warm and tiny tables, threads, and the compiled twin."""

from __future__ import annotations

from math import inf, nextafter
from random import Random

import pytest

from hashed_games import (
    Fractional,
    Hashed,
    HashedTree,
    Knowing,
    Packed,
    Recurring,
    solved,
    start,
    value_to_depth,
)
from perfectplay.engine import Engine
from perfectplay.engine.memory import ENDLESS
from perfectplay.engine.parallel_search import Budget
from perfectplay.engine.workspace import EVERYTHING, SOLVING

GAMES = [Hashed(), HashedTree(), Knowing(), Fractional(), Packed(), Knowing(layers=9, width=6, values=1)]
NAMES = [f"{type(game).__name__}-{game.layers}" for game in GAMES]
TINY = 64 * 16 / 2**20  # MB: 64 entries
NO_LIMIT = Budget(inf, ENDLESS)


@pytest.fixture(scope="module", params=GAMES, ids=NAMES)
def game(request):
    return request.param


@pytest.fixture(scope="module")
def engine(game):
    return Engine(game, compile="always", table_mb=1)


def test_a_thousand_random_games_of_each_kind_are_solved_as_minimax_solves_them(game, engine):
    for seed in range(1000):
        state = start(game, seed)
        answer = engine.solve(state)
        assert answer.value == solved(game, state), seed
        assert answer.exact
        assert_plays_for(game, state, answer, answer.value)


def assert_plays_for(game, state, answer, value):
    """Every action of the line keeps the value."""
    for action in answer.line:
        child = game.result(state, action)
        if game.to_move(child) != game.to_move(state):
            value = -value
        assert solved(game, child) == value or game.is_terminal(child)
        state = child
    if game.is_terminal(state):
        assert game.utility(state, game.to_move(state)) == value


def test_a_search_of_any_depth_is_minimax_to_that_depth(game, engine):
    for seed in range(300):
        state = start(game, seed)
        depth = 1 + seed % 5
        answer = engine.search(state, depth=depth)
        assert answer.value == value_to_depth(game, state, answer.depth), (seed, depth)
        assert answer.depth == depth or answer.exact
        if answer.exact:
            assert answer.value == solved(game, state)
        found = game.result(state, answer.action)
        below = value_to_depth(game, found, answer.depth - 1)
        if answer.depth > 1 or game.is_quiet(state):
            same = game.to_move(found) == game.to_move(state)
            assert answer.value == (below if same else -below) or game.bounds(state, 0) != (-inf, inf)


def test_the_contract_of_the_window_holds_whatever_the_table_holds(game, engine):
    """At most alpha: an upper bound. At least beta: a lower bound. In between: the value."""
    random = Random(1)
    for seed in range(1000):
        state = start(game, seed % 50)
        depth = random.choice([1, 2, 3, 4, SOLVING])
        alpha, beta = sorted(random.sample([-inf, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, inf], 2))
        if random.random() < 0.5 and alpha > -inf:
            beta = nextafter(alpha, inf)
        engine._parallel.begin(EVERYTHING)
        found = engine._run(state, alpha, beta, depth, NO_LIMIT).value
        value = value_to_depth(game, state, inf if depth == SOLVING else depth)
        assert (found <= alpha and value <= found) or (found >= beta and value >= found) or found == value, (
            seed,
            depth,
            alpha,
            beta,
        )


def test_a_table_of_64_entries_gives_no_wrong_answer(game):
    engine = Engine(game, compile="always", table_mb=TINY)
    for seed in range(300):
        state = start(game, seed)
        assert engine.solve(state).value == solved(game, state)
        assert engine.search(state, depth=4).value == value_to_depth(
            game, state, engine.search(state, depth=4).depth
        )


def test_four_threads_give_no_wrong_answer(game):
    engine = Engine(game, compile="always", threads=4, table_mb=TINY)
    for seed in range(200):
        state = start(game, seed)
        assert engine.solve(state).value == solved(game, state)
        answer = engine.search(state, depth=5)
        assert answer.value == value_to_depth(game, state, answer.depth)


def test_interpreted_and_compiled_agree_node_for_node(game):
    compiled = Engine(game, compile="always", table_mb=TINY)
    interpreted = Engine(game, compile="never", table_mb=TINY)
    assert compiled.compiled
    assert not interpreted.compiled
    for seed in range(60):
        state = start(game, seed)
        for one, other in zip(compiled.deepen(state), interpreted.deepen(state), strict=True):
            assert seen(one) == seen(other)
        assert seen(compiled.solve(state)) == seen(interpreted.solve(state))
        assert compiled.rank(state, depth=3) == interpreted.rank(state, depth=3)


def seen(answer):
    return answer.value, answer.action, answer.line, answer.depth, answer.nodes, answer.exact, answer.hits


def test_games_whose_states_recur_are_searched_to_a_depth_limit():
    game = Recurring()
    engine = Engine(game, compile="always", table_mb=1)
    for seed in range(300):
        state = start(game, seed)
        answer = engine.search(state, depth=1 + seed % 9)
        assert answer.value == value_to_depth(game, state, answer.depth)
