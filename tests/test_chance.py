"""Chance, many players and playouts: the algorithms agree with plain recursion, and with each other."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfectplay import CHANCE, MAX, MIN, Game
from perfectplay.errors import BadParameterError, EndlessGameError
from perfectplay.games import ExplicitTree, Figure52, Kalah, TicTacToe
from perfectplay.textbook import (
    Counted,
    CutOff,
    Node,
    alpha_beta_value,
    exp_value,
    expectimax,
    expectiminimax,
    expectiminimax_decision,
    max_n,
    max_value,
    min_value,
    minimax,
    monte_carlo_tree_search,
    paranoid,
    run,
    star1,
    star2,
    value,
)
from random_games import random_chance_game, random_game

THROUGH_CHANCE = ("value", "expectiminimax", "star1", "star2", "max-n")

# Expectiminimax.


def plain(game: Game[Any, Any], state: Any) -> Any:
    """The definition, without anything else: the slow twin of all of them."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return sum(p * plain(game, game.result(state, outcome)) for outcome, p in game.chances(state))
    values = [plain(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def first_best(game: Game[Any, Any], state: Any) -> Any:
    if game.is_terminal(state) or game.to_move(state) == CHANCE:
        return None
    best = max if game.to_move(state) == MAX else min
    return best(game.actions(state), key=lambda action: plain(game, game.result(state, action)))


SHAPES: dict[str, dict[str, Any]] = {
    "dags": {},
    "few values, many ties": {"values": 1, "width": 4},
    "without bounds": {"bounds": False},
    "two MIN players": {"players": 3},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_all_agree_on_random_games_with_chance_on_value_and_first_best_action(shape: str) -> None:
    chance_at_root = chance_in_a_row = chance_at_the_end = 0
    for seed in range(600):
        game = random_chance_game(seed, **SHAPES[shape])
        right, action = plain(game, 0), first_best(game, 0)
        assert value(game, 0) == expectiminimax(game, 0) == star1(game, 0) == star2(game, 0) == right
        assert expectiminimax_decision(game, 0) == action
        for name in THROUGH_CHANCE:
            assert run(name, game, 0)[:2] == (right, action), (name, seed)
        chance_at_root += game.to_move(0) == CHANCE
        for state in game.probabilities:
            below = [
                game.to_move(each) if each in game.moves else None for each in game.moves[state].values()
            ]
            chance_in_a_row += CHANCE in below
            chance_at_the_end += None in below
    assert min(chance_at_root, chance_in_a_row, chance_at_the_end) > 100


def test_all_agree_to_the_last_digits_where_probabilities_are_rounded() -> None:
    for seed in range(600):
        game = random_chance_game(seed, exact=False, states=18)
        right = plain(game, 0)
        assert value(game, 0) == expectiminimax(game, 0) == pytest.approx(right, abs=1e-12)
        assert star1(game, 0) == pytest.approx(right, abs=1e-12)
        assert star2(game, 0) == pytest.approx(right, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6), alpha=st.integers(-6, 6), width=st.integers(1, 6))
def test_star1_and_star2_keep_the_contract_of_a_bounded_search(seed: int, alpha: int, width: int) -> None:
    game = random_chance_game(seed)
    right, beta = plain(game, 0), alpha + width
    for search in (star1, star2):
        found = search(game, 0, alpha, beta)
        if found <= alpha:
            assert right <= found
        elif found >= beta:
            assert right >= found
        else:
            assert found == right


def test_bounds_let_star1_cut_and_probing_lets_star2_cut_more() -> None:
    visited = dict.fromkeys((expectiminimax, star1, star2), 0)
    for seed in range(40):
        game = deep_game(seed)
        for search in visited:
            counted = Counted(game)
            search(counted, game.initial())
            visited[search] += counted.nodes
    whole, first, second = visited.values()
    assert second < first < whole


def deep_game(seed: int) -> ExplicitTree:
    """MAX, dice, MIN, dice, as in backgammon: of four actions the better ones come first."""
    random = Random(seed)
    moves: dict[Any, dict[int, Any]] = {}
    turns, utilities = {}, {}
    for path in (paths := [()]):
        if len(path) == 4:
            utilities[path] = 2 * path[2] - 2 * path[0] + random.randint(-4, 4)
            continue
        moves[path] = {each: (*path, each) for each in range(4)}
        turns[path] = (MAX, CHANCE, MIN, CHANCE)[len(path)]
        paths += moves[path].values()
    return ExplicitTree(moves, utilities, turns, start=(), bounds=(-10, 10))


def test_without_chance_and_with_two_players_all_are_minimax() -> None:
    for seed in range(300):
        game = random_game(seed)
        right = minimax(game, 0, {})
        assert expectiminimax(game, 0) == star1(game, 0) == star2(game, 0) == value(game, 0) == right
        assert alpha_beta_value(game, 0) == right
        values, action = max_n(game, 0)
        assert values == (right, -right)
        worth, move = paranoid(game, 0)
        assert (worth if game.to_move(0) == MAX else -worth) == right
        assert action == move == first_best(game, 0)


def test_the_same_player_may_move_twice_and_dice_change_nothing_of_that() -> None:
    game = Kalah(2, 2)
    right = minimax(game, game.initial(), {})
    assert star2(game, game.initial()) == max_n(game, game.initial())[0][MAX] == right


def test_a_depth_cuts_the_game_off_with_estimates() -> None:
    for seed in range(200):
        game = random_chance_game(seed, bounds=False)
        for moves in (1, 2, 3):
            cut = CutOff(game, moves)
            right = plain(cut, cut.initial())
            for name in ("expectiminimax", "star1", "star2", "max-n"):
                answer = run(name, game, 0, depth=moves)
                assert answer.value == right, (name, seed)
                assert cut.reached or answer.lower == answer.upper


@pytest.mark.slow
def test_a_circle_of_dice_is_refused_in_a_sentence_that_names_a_way_out() -> None:
    class Again(Game[int, int]):
        def initial(self) -> int:
            return 0

        def to_move(self, state: int) -> int:
            return CHANCE

        def actions(self, state: int) -> list[int]:
            return []

        def chances(self, state: int) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.5)]

        def result(self, state: int, action: int) -> int:
            return action

        def is_terminal(self, state: int) -> bool:
            return state == 1

        def utility(self, state: int, player: int) -> int:
            return 1 if player == MAX else -1

    for name in ("value", "expectiminimax", "star1", "star2"):
        with pytest.raises(EndlessGameError, match="use expectiminimax or star2 with a depth"):
            run(name, Again(), 0)
    assert run("star2", Again(), 0, depth=3).value == 1 - Fraction(1, 8)
    assert run("monte-carlo-tree-search", Again(), 0)[:2] == (1, None)


# The forms of CS 188.


def random_play(game: Game[Any, Any], state: Any) -> Any:
    """Expectimax by its definition: everybody but MAX moves at random."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return sum(p * random_play(game, game.result(state, outcome)) for outcome, p in game.chances(state))
    values = [random_play(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else sum(values) / len(values)


def test_expectimax_takes_everybody_else_for_dice() -> None:
    for seed in range(300):
        for game in (random_chance_game(seed, players=3), random_game(seed)):
            assert expectimax(game, 0) == pytest.approx(float(random_play(game, 0)))
    assert expectimax(Figure52(), "A") == pytest.approx(23 / 3)
    assert run("expectimax", Figure52(), "A").action == "a1"


def test_against_dice_another_action_may_be_best_than_against_min() -> None:
    """As in the course: minimax is too careful where ghosts move at random."""
    game = ExplicitTree.from_nested([[10, 10], [9, 100]])
    assert run("value", game, ()).action == 0
    assert run("expectimax", game, ()).action == 1


def by_rounds(game: Game[Any, Any], state: Any, depth: int) -> Any:
    """A search as deep as the project counts it: the depth grows where MAX is to move again."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    mover = game.to_move(state)
    if mover == MAX and depth == 0:
        return game.evaluate(state, MAX)
    if mover == CHANCE:
        return sum(p * by_rounds(game, game.result(state, each), depth) for each, p in game.chances(state))
    left = depth - (mover == MAX)
    values = [by_rounds(game, game.result(state, action), left) for action in game.actions(state)]
    return max(values) if mover == MAX else min(values)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_depth_of_the_project_is_one_move_of_every_agent(depth: int) -> None:
    for seed in range(200):
        game = random_chance_game(seed, players=3, states=20)
        assert value(game, 0, depth) == by_rounds(game, 0, depth)
        calm = random_game(seed, players=3, states=20)
        assert value(calm, 0, depth) == alpha_beta_value(calm, 0, depth=depth) == by_rounds(calm, 0, depth)
        if depth:
            assert run("value", game, 0, depth=depth).value == by_rounds(game, 0, depth)
            assert run("alpha-beta-value", calm, 0, depth=depth).value == by_rounds(calm, 0, depth)


def test_the_functions_of_the_dispatch_form_are_about_one_kind_of_node_each() -> None:
    leaves = {"a": 4, "b": 1, "c": 10}
    below = {"r": {each: each for each in leaves}}
    assert max_value(ExplicitTree(below, leaves, {"r": "max"}), "r") == 10
    assert min_value(ExplicitTree(below, leaves, {"r": "min"}), "r") == 1
    assert exp_value(ExplicitTree(below, leaves, {"r": "exp"}), "r") == pytest.approx(5)


GHOSTS = """
pacman left  ghost-1
pacman right ghost-2
ghost-1 up   again-1
ghost-1 down win-8
ghost-2 up   lose-3
ghost-2 down win-9
again-1 left lose-2
again-1 stop win-6
lost    left nowhere
"""
WORTHS = """
win-8 8
lose-3 3
win-9 9
lose-2 2
win-6 6
nowhere 0
again-1 7
pacman 5
"""


def test_a_tree_may_be_entered_line_by_line_with_states_that_nobody_reaches() -> None:
    game = ExplicitTree.from_lines(GHOSTS, WORTHS)
    assert (game.initial(), game.players) == ("pacman", 2)
    assert value(game, "pacman") == 6
    assert value(game, "pacman", 1) == 7  # pacman and the ghost have moved: again-1 is evaluated
    assert expectimax(game, "pacman") == 7
    assert run("value", game, "pacman").action == "left"
    three = ExplicitTree.from_lines(GHOSTS, WORTHS, agents=3)
    assert three.to_move("again-1") == 2
    assert value(three, "pacman") == 3
    words = {"pacman": "max", "ghost-1": "exp", "ghost-2": "min", "again-1": "max"}
    mixed = ExplicitTree.from_lines(GHOSTS, WORTHS, words)
    assert value(mixed, "pacman") == 7
    assert "ghost-1 CHANCE\n│  ├─ up (0.5): again-1 MAX" in mixed.render("pacman")


def test_strict_pruning_generates_the_states_that_the_project_wants() -> None:
    game = ExplicitTree.from_nested([[3, 12], [3, 1]])
    strict, loose = Counted(game, listing=True), Counted(game, listing=True)
    assert alpha_beta_value(strict, ()) == 3
    assert run("alpha-beta-search", loose, ()).value == 3
    assert strict.generated == [(0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]  # 3 is not below alpha
    assert loose.generated == [(0,), (0, 0), (0, 1), (1,), (1, 0)]
    assert Counted(game).generated == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"turns": {"r": "mix"}}, "the turn 'mix' of state 'r' is no player: give 0, 1, 2, ..., or max"),
        ({"turns": {"r": "exp"}, "probabilities": {"r": {"x": 1.0}}}, "are not those of its actions"),
        ({"turns": {"r": "exp"}, "probabilities": {"r": {"x": 0.0, "y": 1.0}}}, "give each a number above 0"),
        ({"turns": {"r": "exp"}, "probabilities": {"r": {"x": 0.5, "y": 0.6}}}, "add up to 1.1"),
        ({"turns": {"r": "max"}, "probabilities": {"r": {"x": 0.5, "y": 0.5}}}, "chance does not move there"),
        ({"utilities": {"a": (1, 2), "b": 3}}, "the worth 3 of state 'b' is not one for each of 2 players"),
        ({"utilities": {"a": (1, "x"), "b": (1, 2)}}, "is no number"),
    ],
)
def test_a_tree_with_chance_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    arguments = {"moves": {"r": {"x": "a", "y": "b"}}, "utilities": {"a": 1, "b": 2}} | given
    with pytest.raises(BadParameterError, match=message):
        ExplicitTree(**arguments)


@pytest.mark.parametrize(
    ("successors", "evaluation", "message"),
    [
        ("a b", "c 1", "cannot read the line 'a b': give state action successor"),
        ("a b c\na b d", "c 1\nd 2", "state 'a' has the action 'b' twice"),
        ("a b c", "c much", "the worth 'much' of 'c' is no number"),
        ("a b c", "", "leads to 'c', which is not given"),
    ],
)
def test_lines_that_cannot_be_read_are_refused(successors: str, evaluation: str, message: str) -> None:
    with pytest.raises(BadParameterError, match=message):
        ExplicitTree.from_lines(successors, evaluation)


# Many players.


def everybody(game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
    """max^n by its definition."""
    players = range(game.players)
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in players)
    if game.to_move(state) == CHANCE:
        below = [(p, everybody(game, game.result(state, each))) for each, p in game.chances(state)]
        return tuple(sum(p * values[player] for p, values in below) for player in players)
    mover = game.to_move(state)
    return max((everybody(game, game.result(state, a)) for a in game.actions(state)), key=lambda v: v[mover])


def alone(game: Game[Any, Any], state: Any, player: int) -> Any:
    """Paranoid search by its definition."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if game.to_move(state) == CHANCE:
        return sum(p * alone(game, game.result(state, each), player) for each, p in game.chances(state))
    values = [alone(game, game.result(state, action), player) for action in game.actions(state)]
    return max(values) if game.to_move(state) == player else min(values)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_max_n_and_paranoid_are_what_their_definitions_say(players: int) -> None:
    for seed in range(300):
        game = random_chance_game(seed, players=players, zero_sum=False, states=12)
        assert (game.zero_sum, game.players) == (False, players)
        values, action = max_n(game, 0)
        assert values == everybody(game, 0)
        mover = game.to_move(0)
        if mover == CHANCE:
            assert action is None
        elif 0 in game.moves:
            after = [everybody(game, game.result(0, each))[mover] for each in game.actions(0)]
            assert after[[*game.actions(0)].index(action)] == max(after)
        assert paranoid(game, 0)[0] == alone(game, 0, max(mover, 0))
        assert run("max-n", game, 0).values == values
        assert run("paranoid", game, 0).action == paranoid(game, 0)[1]


def test_three_players_each_take_what_is_best_for_themselves() -> None:
    """A tree of three plies with three players, as in Luckhardt and Irani's figure and the book's 5.4."""
    leaves = [(1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5)]
    paths = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    inner = [(), *((a,) for a in (0, 1)), *((a, b) for a in (0, 1) for b in (0, 1))]
    game = ExplicitTree(
        {path: {each: (*path, each) for each in (0, 1)} for path in inner},
        dict(zip(paths, leaves, strict=True)),
        {path: len(path) for path in inner},
    )
    assert max_n(game, ()) == ((1, 2, 6), 0)
    assert max_n(game, (0, 1))[0] == (6, 1, 2)
    assert [max_n(game, (a,))[0] for a in (0, 1)] == [(1, 2, 6), (1, 5, 2)]
    assert "() PLAYER 0\n" in game.render(())
    assert "(1, 2, 6)" in game.render(())


# Playouts.


class TakeUpToThree(Game[tuple[int, int], int]):
    """Take one to three of so many; the last one wins."""

    def __init__(self, start: int = 15) -> None:
        self.start = start

    def initial(self) -> tuple[int, int]:
        return self.start, MAX

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int], player: int) -> int:
        return -1 if player == state[1] else 1


@pytest.mark.parametrize("seed", range(5))
def test_of_15_it_takes_3(seed: int) -> None:
    game = TakeUpToThree()
    assert monte_carlo_tree_search(game, game.initial(), playouts=2000, seed=seed) == 3
    assert monte_carlo_tree_search(game, (14, MIN), playouts=2000, seed=seed) == 2


def test_200_playouts_keep_the_value_of_150_random_positions_of_tic_tac_toe() -> None:
    game, table = TicTacToe(), {}
    minimax(game, game.initial(), table)
    states = [state for state in table if not game.is_terminal(state)]
    for number, state in enumerate(Random(2).sample(states, 150)):
        action = monte_carlo_tree_search(game, state, playouts=200, seed=number)
        assert table[game.result(state, action)].value == table[state].value, game.render(state)


def test_the_same_seed_makes_the_same_tree() -> None:
    game, totals = TicTacToe(), []
    for seed in (3, 3, 4):
        tree = Node(game, game.initial(), None)
        monte_carlo_tree_search(game, game.initial(), playouts=50, seed=seed, tree=tree)
        totals.append([child.totals for child in tree.children.values()])
    assert totals[0] == totals[1] != totals[2]


def test_every_playout_is_counted_in_every_node_above_it() -> None:
    game = random_chance_game(4, players=3, zero_sum=False, states=20)
    tree = Node(game, 0, None)
    monte_carlo_tree_search(game, 0, playouts=300, seed=1, tree=tree)
    waiting = [tree]
    for node in waiting:
        below = sum(child.playouts for child in node.children.values())
        assert node.playouts == (300 if node is tree else node.playouts) >= below
        assert node.over or node.playouts - below in (0, 1)
        waiting += node.children.values()


def test_playouts_come_to_the_expected_value_where_only_dice_are_rolled() -> None:
    game = ExplicitTree(
        {"r": {"x": "s", "y": "a"}, "s": {"x": "b", "y": "c"}},
        {"a": 1, "b": 0, "c": -1},
        {"r": "exp", "s": "exp"},
        probabilities={"r": {"x": 0.75, "y": 0.25}, "s": {"x": 0.5, "y": 0.5}},
    )
    tree = Node(game, "r", None)
    assert monte_carlo_tree_search(game, "r", playouts=4000, seed=0, tree=tree) is None
    assert tree.average(MAX) == pytest.approx(0.25 - 0.375, abs=0.05)
    assert tree.children["x"].playouts == pytest.approx(3000, abs=100)


def test_playouts_find_what_each_of_three_players_wants() -> None:
    for seed in range(20):
        game = random_chance_game(seed, players=3, zero_sum=False, states=9, values=1)
        mover = game.to_move(0)
        if mover == CHANCE or 0 not in game.moves:
            continue
        action = monte_carlo_tree_search(game, 0, playouts=3000, seed=seed)
        after = {each: everybody(game, game.result(0, each))[mover] for each in game.actions(0)}
        assert after[action] >= max(after.values()) - Fraction(1, 3), seed


def test_playouts_are_asked_for_in_numbers_above_0() -> None:
    game = TicTacToe()
    with pytest.raises(BadParameterError, match="0 playouts find no move: give 1 or more"):
        run("monte-carlo-tree-search", game, game.initial(), playouts=0)
    with pytest.raises(BadParameterError, match="minimax plays nothing out: for playouts, use monte-carlo"):
        run("minimax", game, game.initial(), playouts=10)
    with pytest.raises(BadParameterError, match="monte-carlo-tree-search always looks to the end"):
        run("monte-carlo-tree-search", game, game.initial(), depth=3)
    answer = run("monte-carlo-tree-search", game, game.initial(), playouts=100, seed=1)
    assert (answer.lower, answer.upper) == (-inf, inf)
