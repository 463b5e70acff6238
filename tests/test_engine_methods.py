"""The engine's other methods: expectiminimax through Star2, max^n, and playouts that prove what they can."""

from __future__ import annotations

from functools import cache
from math import inf, isclose
from typing import Any

import pytest

from hashed_games import Diced, DicedWithin, Hashed, Shared, Unforeseen
from perfectplay import CHANCE, MAX, Engine, Game
from perfectplay.engine.method_comparison import MethodComparison, disagreement
from perfectplay.engine.methods import METHODS
from perfectplay.engine.workspace import EVERYTHING, PRUNING, RESTLESS, SCOUTING
from perfectplay.errors import BadParameterError, EndlessGameError, UnsuitedGameError
from perfectplay.games import (
    BearOff,
    ChineseCheckers,
    ConnectFour,
    EinsteinWuerfeltNicht,
    Nim,
    Pig,
    TicTacToe,
)
from perfectplay.textbook import expectiminimax, max_n, minimax, star1, star2
from random_games import random_chance_game
from test_chance import TakeUpToThree

DICED = [Diced(), DicedWithin()]


def expected(game: Game[Any, Any], state: Any, depth: float) -> float:
    """Expectiminimax to a depth, by its definition; a roll of dice is a ply."""
    if game.is_terminal(state):
        return float(game.utility(state, MAX))
    if depth <= 0 and (depth <= -RESTLESS or game.is_quiet(state)):
        lower, upper = game.bounds(state, MAX)
        return max(lower, min(upper, float(game.evaluate(state, MAX))))
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(p * expected(game, game.result(state, each), depth - 1) for each, p in game.chances(state))
    best = max if mover == MAX else min
    return best(expected(game, game.result(state, each), depth - 1) for each in game.actions(state))


def to_mover(game: Game[Any, Any], state: Any, value: float) -> float:
    return value if game.to_move(state) in (CHANCE, MAX) else -value


@cache
def engine(game: Game[Any, Any], method: str | None = None, compile: str = "always") -> Engine:  # noqa: A002
    return Engine(game, table_mb=16 if method == "mcts" else 1, method=method, compile=compile)


def roots(game: Game[Any, Any], count: int) -> list[Any]:
    return [state for seed in range(count) if not game.is_terminal(state := (seed, 0, seed % 4))]


# Expectiminimax.


@pytest.mark.slow
@pytest.mark.parametrize("game", DICED, ids=lambda game: type(game).__name__)
def test_the_engine_solves_thousands_of_random_games_with_chance(game: Game) -> None:
    compiled = engine(game)
    movers = set()
    for state in roots(game, 1000):
        found = compiled.solve(state)
        movers.add(game.to_move(state))
        assert found.exact
        assert isclose(found.value, to_mover(game, state, expected(game, state, inf)), abs_tol=1e-9)
        assert (found.action is None) == (game.to_move(state) == CHANCE)
    assert movers == {CHANCE, 0, 1}  # chance at the root, too


@pytest.mark.parametrize("game", DICED, ids=lambda game: type(game).__name__)
def test_both_ways_to_run_it_agree_node_for_node(game: Game) -> None:
    compiled, interpreted = engine(game), engine(game, compile="never")
    for state in roots(game, 40):
        compiled.forget()
        interpreted.forget()
        for limits in ({"depth": 3}, {"depth": 5}, {"nodes": 60}, {}):
            one, other = compiled.search(state, **limits), interpreted.search(state, **limits)
            assert (one.value, one.action, one.line, one.nodes, one.hits, one.exact) == (
                (other.value, other.action, other.line, other.nodes, other.hits, other.exact)
            )


@pytest.mark.parametrize("game", DICED, ids=lambda game: type(game).__name__)
def test_a_depth_is_that_of_the_definition_whatever_is_in_the_table(game: Game) -> None:
    compiled = engine(game)
    for state in roots(game, 200):
        for depth in (1, 2, 3, 4):
            found = compiled.search(state, depth=depth)
            if not found.exact:
                wanted = to_mover(game, state, expected(game, state, depth))
                assert isclose(found.value, wanted, abs_tol=1e-9)


def test_a_window_that_rounding_leaves_nothing_of_proves_nothing() -> None:
    """All depths but the last are worth 0, so that the last one is asked whether it is still that."""
    game = Unforeseen(layers=5)
    for state in roots(game, 60):  # seed 47 was worth -5e-324, exact, and is worth something else
        found = Engine(game, table_mb=0.1, compile="never").search(state)
        wanted = to_mover(game, state, expected(game, state, inf))
        assert found.exact
        assert isclose(found.value, wanted, abs_tol=1e-9)
        assert found.value == 0 or abs(found.value) > 1e-9


def test_expectiminimax_star1_star2_and_the_engine_agree_on_trees_that_only_python_knows() -> None:
    for seed in range(400):
        game = random_chance_game(seed, bounds=seed % 2 == 0)
        state = game.initial()
        if game.is_terminal(state):
            continue
        value = float(expectiminimax(game, state))
        assert isclose(float(star1(game, state)), value, abs_tol=1e-9)
        assert isclose(float(star2(game, state)), value, abs_tol=1e-9)
        found = Engine(game, table_mb=0.01, compile="never", method="expectiminimax").solve(state)
        assert isclose(found.value, to_mover(game, state, value), abs_tol=1e-9)


def test_two_threads_find_the_same_value() -> None:
    game = Diced(layers=9)
    two = Engine(game, table_mb=1, threads=2)
    for state in roots(game, 30):
        assert isclose(two.solve(state).value, engine(game).solve(state).value, abs_tol=1e-9)


def test_without_chance_it_is_minimax() -> None:
    game = TicTacToe()
    found = Engine(game, method="expectiminimax").solve(game.initial())
    assert (found.value, found.exact) == (minimax(game, game.initial(), {}), True)


@pytest.mark.slow
def test_the_bear_off_has_the_published_figure_and_a_value_for_every_roll() -> None:
    game = BearOff()
    found = engine(game).solve(game.initial())
    assert round((found.value + 1) / 2, 4) == 0.6711
    ranked = engine(game).rank(game.initial())
    chances = dict(game.chances(game.initial()))
    assert isclose(sum(chances[each.action] * each.value for each in ranked), found.value)


@pytest.mark.slow
def test_bounds_let_it_cut_and_probing_lets_it_cut_more() -> None:
    game = EinsteinWuerfeltNicht()
    compiled = engine(game)
    nodes = []
    for flags in (
        EVERYTHING,
        EVERYTHING - SCOUTING,
        EVERYTHING - SCOUTING - PRUNING,
    ):  # Star2, Star1, neither
        compiled.forget()
        _, budget = compiled._begin(game.initial())
        compiled._parallel.begin(flags)
        found = compiled._run(game.initial(), -inf, inf, 6, budget)
        nodes.append(compiled._parallel.nodes)
        assert found.finished
    assert nodes[0] < nodes[1] < nodes[2]


def test_a_game_that_goes_in_circles_is_searched_to_a_depth_and_else_refused() -> None:
    game = Pig(goal=10)
    assert engine(game).search(game.initial(), depth=6).action is not None
    with pytest.raises(EndlessGameError, match="search it to a depth"):
        engine(game).solve(game.initial())


# max^n.


def test_max_n_is_that_of_the_textbook_first_best_actions_included() -> None:
    game = Shared()
    compiled, interpreted = engine(game), engine(game, compile="never")
    for state in roots(game, 400):
        values, action = max_n(game, state)
        found = compiled.solve(state)
        assert found.exact
        assert found.action == action
        assert found.values == pytest.approx(values)
        assert found.value == found.values[max(game.to_move(state), 0)]
    for state in roots(game, 40):
        for limits in ({"depth": 3}, {}):
            compiled.forget()
            interpreted.forget()
            one, other = compiled.search(state, **limits), interpreted.search(state, **limits)
            assert (one.values, one.line, one.nodes, one.hits) == (
                (other.values, other.line, other.nodes, other.hits)
            )


def test_max_n_of_two_sides_is_minimax() -> None:
    game = Hashed()
    for state in roots(game, 100):
        assert engine(game, "max-n").solve(state).value == engine(game).solve(state).value


def test_every_action_of_max_n_has_its_value_to_the_mover() -> None:
    game = Shared()
    for state in roots(game, 30):
        player = game.to_move(state)
        if player == CHANCE:
            continue
        for each in engine(game).rank(state):
            assert each.value == pytest.approx(max_n(game, game.result(state, each.action))[0][player])


class Ladder(Game[int, int]):
    """A die for each step of both; the state is one number, and `actions` says something at every one."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return CHANCE if state % 2 == 0 else state // 2 % 2

    def actions(self, state: int) -> list[str]:
        return ["up", "stay"]

    def chances(self, state: int) -> list[tuple[int, float]]:
        return [(1, 0.5), (3, 0.5)]

    def result(self, state: int, action: int | str) -> int:
        if isinstance(action, str):
            return state + (5 if action == "up" else 1)
        return state + action

    def is_terminal(self, state: int) -> bool:
        return state > 16

    def utility(self, state: int, player: int) -> int:
        return state % 5 if player == MAX else -(state % 5)


def test_what_actions_says_where_chance_moves_is_nobodys_business() -> None:
    game = Ladder()
    found = Engine(game, compile="never").solve(game.initial())
    assert found.value == pytest.approx(expectiminimax(game, 0))


# Playouts.


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [ConnectFour(rows=4, cols=5), Pig(goal=30), ChineseCheckers()],
    ids=lambda game: type(game).__name__,
)
def test_playouts_are_the_same_in_both_ways_to_run_them(game: Game) -> None:
    one = engine(game, "mcts").search(game.initial(), nodes=300)
    other = engine(game, "mcts", "never").search(game.initial(), nodes=300)
    assert (one.value, one.values, one.line, one.nodes) == (
        other.value,
        other.values,
        other.line,
        other.nodes,
    )
    assert one.nodes == 300


def test_of_15_playouts_take_3() -> None:
    game = TakeUpToThree()
    found = engine(game, "mcts").search(game.initial(), nodes=2000)
    assert found.action == 3
    assert Engine(game, method="mcts").solve(game.initial()).exact


@pytest.mark.slow
@pytest.mark.parametrize("game", [TicTacToe(), Nim((1, 2, 3)), ConnectFour(rows=3, cols=4, k=3)], ids=str)
def test_every_position_of_a_small_game_is_proven_and_played_perfectly(game: Game) -> None:
    searched, truth = engine(game, "mcts"), engine(game)
    positions = {game.initial(): None}
    for state in (waiting := list(positions)):
        for action in [] if game.is_terminal(state) else game.actions(state):
            child = game.result(state, action)
            if child not in positions:
                positions[child] = None
                waiting.append(child)
    inner = [state for state in positions if not game.is_terminal(state)]
    for state in inner[:: max(1, len(inner) // 300)]:
        found = searched.solve(state)
        assert found.exact
        assert found.value == truth.solve(state, line=False).value
        child = game.result(state, found.action)
        if game.is_terminal(child):
            assert game.utility(child, game.to_move(state)) == found.value
        else:
            same = game.to_move(child) == game.to_move(state)
            worth = truth.solve(child, line=False).value
            assert (worth if same else -worth) == found.value


def test_200_playouts_lose_nothing_from_three_stones_on() -> None:
    """Before, 200 playouts are few: a position with one stone or two is lost now and then."""
    game, table = TicTacToe(), {}
    minimax(game, game.initial(), table)
    inner = [state for state in table if not game.is_terminal(state) and len([*game.actions(state)]) <= 6]
    assert len(inner) == 4438
    for state in inner[::6]:
        action = engine(game, "mcts").search(state, nodes=200).action
        assert table[game.result(state, action)].value == table[state].value, game.render(state)


@pytest.mark.slow
def test_a_proven_move_is_chosen_before_one_that_was_tried_more_often() -> None:
    game = ConnectFour(rows=4, cols=4)
    state = game.initial()
    for column in (0, 1, 0, 1, 0, 1):
        state = game.result(state, column)
    found = engine(game, "mcts").search(state, nodes=200)
    assert found.action == 0
    assert found.lower > 0


@pytest.mark.slow
def test_playouts_of_dice_come_near_the_value() -> None:
    game = BearOff()
    found = engine(game, "mcts").search(game.initial(), nodes=20_000)
    assert abs(found.value - 0.34225) < 0.05
    assert found.lower <= 0.34225 <= found.upper


def test_two_threads_add_their_playouts_up() -> None:
    game = TicTacToe()
    found = Engine(game, method="mcts", threads=2).search(game.initial(), nodes=1000)
    assert 0 < found.nodes <= 1100
    assert found.action in range(9)


def test_playouts_rank_every_action() -> None:
    game = TicTacToe()
    ranked = engine(game, "mcts").rank(game.initial(), nodes=3000)
    assert sorted(each.action for each in ranked) == list(range(9))
    assert ranked[0].best


# What is asked for.


def test_the_method_is_that_for_the_kind_of_game() -> None:
    assert [Engine(game, compile="never").method for game in (TicTacToe(), Pig(), ChineseCheckers())] == [
        "alpha-beta",
        "expectiminimax",
        "max-n",
    ]
    for method in METHODS:
        assert Engine(TicTacToe(), compile="never", method=method).method == method


@pytest.mark.parametrize(
    ("game", "options", "error", "sentence"),
    [
        (
            TicTacToe(),
            {"method": "mtcs"},
            BadParameterError,
            "there is no method 'mtcs': did you mean 'mcts'",
        ),
        (Pig(), {"method": "alpha-beta"}, UnsuitedGameError, "alpha-beta cannot play dice"),
        (
            ChineseCheckers(),
            {"method": "expectiminimax"},
            UnsuitedGameError,
            "expectiminimax is for two sides",
        ),
        (ChineseCheckers(), {"threads": 2}, BadParameterError, "max-n searches in one thread"),
        (Pig(), {"tablebase": object()}, BadParameterError, "expectiminimax looks into no tablebase"),
    ],
)
def test_what_a_method_cannot_do_is_refused(
    game: Game, options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        Engine(game, compile="never", **options)


def test_playouts_have_no_depth() -> None:
    game = TicTacToe()
    with pytest.raises(BadParameterError, match="mcts looks to no depth"):
        engine(game, "mcts").search(game.initial(), depth=3)


@pytest.mark.parametrize(
    ("game", "rungs"),
    [
        (
            EinsteinWuerfeltNicht(),
            ["expectiminimax", "Star1", "+ ordering", "Star2", "+ table", "+ deepening"],
        ),
        (ChineseCheckers(), ["max^n", "+ table", "+ deepening"]),
    ],
    ids=["dice", "utilities"],
)
def test_the_comparison_of_methods_has_rungs_for_them_that_agree(game: Game, rungs: list[str]) -> None:
    results = [*MethodComparison(game, game.initial(), depth=4, compile="never").results()]
    assert [each.name for each in results] == rungs
    assert disagreement(results) is None
    assert min(each.nodes for each in results[1:]) <= results[0].nodes
