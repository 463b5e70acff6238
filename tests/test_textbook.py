"""The textbook algorithms: published figures, agreement on random games, and the sound form's contract."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from math import ceil, inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfectplay import MAX, MIN
from perfectplay.errors import BrokenGameError
from perfectplay.games import ConnectFour, ExplicitTree, Figure52, Kalah, TicTacToe
from perfectplay.textbook import (
    ALGORITHMS,
    Counted,
    DepthLimit,
    alpha_beta,
    alpha_beta_search,
    alpha_beta_with_heuristics,
    minimax,
    minimax_decision,
    minimax_search,
    run,
    sound_alpha_beta,
    value,
)
from perfectplay.textbook.alpha_beta_search import max_value as alpha_beta_max_value
from perfectplay.textbook.minimax_search import max_value as minimax_max_value
from random_games import random_game

# Sound on every game, and, on a tree, where no state is met twice, so are the other two.
EXACT = [name for name, algorithm in ALGORITHMS.items() if algorithm.exact]
ALWAYS_RIGHT = [name for name in EXACT if name not in ("alpha-beta", "alpha-beta-with-heuristics")]
TEAMS = [name for name in ALWAYS_RIGHT if name != "paranoid"]  # which counts on no other MIN player
# to whom all MIN players are one side


# Figures from outside.


def test_the_tree_of_figure_5_2_is_worth_3_and_the_move_is_a1():
    """Russell and Norvig, figure 5.2."""
    game = Figure52()
    for name in EXACT:
        answer = run(name, game, "A")
        assert (answer.value, answer.action) == (3, "a1"), name
    assert [value(game, state) for state in "BCD"] == [3, 2, 2]
    assert minimax_search(game, "A") == minimax_decision(game, "A") == alpha_beta_search(game, "A") == "a1"
    assert [minimax_search(game, state) for state in "BCD"] == ["b1", "c1", "d3"]


def test_alpha_beta_never_looks_at_leaves_c2_and_c3_of_figure_5_2():
    """Russell and Norvig, figure 5.5."""
    looked_at = []

    class Watched(Figure52):
        def utility(self, state, player):
            looked_at.append(state)
            return super().utility(state, player)

    for search in (alpha_beta_search, lambda game, state: alpha_beta(game, state, {}, -inf, inf)):
        looked_at.clear()
        search(Watched(), "A")
        assert looked_at == ["B1", "B2", "B3", "C1", "D1", "D2", "D3"]


def test_tic_tac_toe_has_5478_states_and_549946_nodes_and_is_a_draw():
    """OpenSpiel's get_all_states_test.py: 5478 states, 549946 histories."""
    game = TicTacToe()
    with_table = run("minimax", game, game.initial())
    without = run("minimax-search", game, game.initial())
    assert (with_table.value, len(with_table.table)) == (0, 5478)
    assert (without.value, without.nodes) == (0, 549946)


def test_alpha_beta_visits_18297_nodes_of_tic_tac_toe():
    """The figure that N. Larsen reported for alpha-beta on the empty board."""
    game = TicTacToe()
    assert run("alpha-beta-search", game, game.initial()).nodes == 18297


@pytest.mark.parametrize(
    ("board", "worth"),
    [(".O..X....", 1), ("...XOX..O", -1), (".......OX", 1), ("X..OO.XX.", -1)],
)
def test_tic_tac_toe_positions_have_their_published_values(board, worth):
    """OpenSpiel's minimax_test.py and value_iteration_test.py."""
    game = TicTacToe()
    for name in ALWAYS_RIGHT:
        assert run(name, game, tic_tac_toe_state(board)).value == worth, name


@pytest.mark.parametrize("board", ["XO..X..O.", "XO......."])
def test_every_algorithm_gives_the_first_of_the_best_moves(board):
    game = TicTacToe()
    state = tic_tac_toe_state(board)
    best = max if game.to_move(state) == MAX else min
    first_best = best(game.actions(state), key=lambda action: value(game, game.result(state, action)))
    for name in ALWAYS_RIGHT:
        assert run(name, game, state).action == first_best, name


@pytest.mark.parametrize(
    ("crosses", "noughts", "best"),
    [
        ([(1, 1), (3, 3)], [(1, 2), (3, 2)], (2, 2)),
        ([(1, 1), (3, 1), (3, 3)], [(1, 2), (3, 2)], (2, 2)),
        ([(1, 1)], [], (2, 2)),
    ],
)
def test_the_only_good_move_of_the_books_positions_is_found(crosses, noughts, best):
    """The tic-tac-toe positions of the book's own Python tests; cells are (row, column) from 1."""
    game = TicTacToe()
    cells = ["."] * 9
    for marks, mark in ((crosses, "X"), (noughts, "O")):
        for row, col in marks:
            cells[3 * (row - 1) + col - 1] = mark
    state = tic_tac_toe_state("".join(cells))
    for name in ALWAYS_RIGHT:
        assert run(name, game, state).action == 3 * (best[0] - 1) + best[1] - 1, name


# Rhodes College, "Project 2: Connect Four" (P. Kirlin), part A: rows, columns, n, states, first player wins.
PART_A = [
    (3, 3, 3, 694, False),
    (3, 4, 3, 7157, True),
    (3, 5, 3, 70914, True),
    (4, 3, 3, 2715, False),
    (4, 4, 3, 41750, True),
    (4, 5, 3, 613459, True),
    (5, 3, 3, 8789, False),
    (5, 4, 3, 195472, True),
    (6, 3, 3, 25753, False),
    (3, 4, 4, 12031, False),
    (3, 5, 4, 158911, False),
    (4, 3, 4, 6000, False),
    (4, 4, 4, 161029, False),
    (5, 3, 4, 38310, False),
    (6, 3, 4, 235781, False),
]  # the rows that take longer: examples/course_figures.py


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "k", "states", "wins"), PART_A)
def test_minimax_leaves_as_many_states_in_its_table_as_the_courses_part_a(rows, cols, k, states, wins):
    game = ConnectFour(rows, cols, k, score="course")
    table = {}
    worth = minimax(game, game.initial(), table)
    assert (worth > 0, len(table)) == (wins, states)
    if (rows, cols, k) == (4, 5, 3):
        assert worth == 22222  # int(10000 * 20 / 9): the ninth stone wins


# The same, part B: and the number of prunings.
PART_B = [
    (3, 3, 3, 206, 149, False),
    (3, 4, 3, 926, 986, True),
    (4, 3, 3, 606, 522, False),
    (4, 4, 3, 4102, 4619, True),
    (5, 3, 3, 1465, 1169, False),
    (3, 4, 4, 632, 694, False),
    (4, 4, 4, 7115, 9004, False),
    (5, 4, 4, 55040, 92778, False),
]


@pytest.mark.parametrize(("rows", "cols", "k", "states", "prunings", "wins"), PART_B)
def test_alpha_beta_has_the_entries_and_prunings_of_the_courses_part_b(rows, cols, k, states, prunings, wins):
    game = ConnectFour(rows, cols, k, score="course")
    answer = run("alpha-beta", game, game.initial())
    assert (len(answer.table), answer.prunings, answer.value > 0) == (states, prunings, wins)


# The course's complete table for 3x3, three in a row: 694 rows of state, value and best column from 0.
COURSE_TABLE = (
    "7017d9132764555ba0a71aa44d90337fd521fa82b023b1b7684fabf6883bbd30"  # SHA-256 of its rows, sorted
)
SOME_ROWS = {
    "...|...|...|,0,0",
    "...|...|.OX|,10000,1",
    "...|...|OXX|,-11250,0",
    "...|..X|OXO|,12857,1",
    "...|.OO|XXX|,18000,",
    "...|.OX|OXX|,-15000,2",
}


def test_all_694_rows_of_the_courses_3x3_table_come_out_values_and_actions():
    game = ConnectFour(3, 3, 3, score="course")
    table = {}
    minimax(game, game.initial(), table)
    rows = []
    for state, (worth, action) in table.items():
        board = game.render(state).replace(" ", "").splitlines()[:-1]
        rows.append(f"{'|'.join(board)}|,{worth},{'' if action is None else action}")
    assert len(rows) == 694
    assert set(rows) >= SOME_ROWS
    assert sha256("\n".join(sorted(rows)).encode()).hexdigest() == COURSE_TABLE


@pytest.mark.parametrize(("width", "depth"), [(2, 1), (2, 6), (3, 3), (3, 5), (5, 4), (40, 2)])
def test_a_best_ordered_uniform_tree_costs_alpha_beta_knuth_and_moores_minimum(width, depth):
    """Knuth and Moore, 1975: b**ceil(d/2) + b**floor(d/2) - 1 leaves; minimax looks at b**d."""
    least = width ** ceil(depth / 2) + width ** (depth // 2) - 1
    game = ExplicitTree.from_nested(best_ordered(width, depth))
    assert (leaves(minimax_search, game), leaves(alpha_beta_search, game)) == (width**depth, least)
    assert leaves(lambda game, state: alpha_beta(game, state, {}, -inf, inf), game) == least
    assert leaves(lambda game, state: sound_alpha_beta(game, state, {}), game) == least


# Agreement.

SHAPES = {
    "dags": {},
    "wide dags with ties": {"states": 20, "width": 5, "values": 1},
    "trees": {"tree": True, "states": 10},
    "three players, two of them MIN": {"players": 3},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_sound_algorithms_agree_on_random_games_on_value_and_first_best_action(shape):
    for seed in range(600):
        game = random_game(seed, **SHAPES[shape])
        others = Random(seed).choices([*game.moves, *game.utilities], k=3)
        for state in {game.initial(), *others}:
            right = value(game, state)
            best = max if game.to_move(state) == MAX else min
            first_best = best(
                game.actions(state), key=lambda action: value(game, game.result(state, action)), default=None
            )
            for name in TEAMS if game.players > 2 else ALWAYS_RIGHT:
                answer = run(name, game, state)
                assert (answer.value, answer.action) == (right, first_best), (name, seed, state)


def test_the_courses_alpha_beta_agrees_on_trees_where_no_state_is_met_twice():
    for seed in range(600):
        game = random_game(seed, tree=True, states=10)
        right = value(game, game.initial())
        assert alpha_beta(game, game.initial(), {}, -inf, inf) == right


def test_the_courses_alpha_beta_disagrees_on_some_random_dags():
    wrong = 0
    for seed in range(2000):
        game = random_game(seed, states=20, width=3, values=5)
        wrong += alpha_beta(game, game.initial(), {}, -inf, inf) != value(game, game.initial())
    assert wrong == 1  # games like those of examples/hidden_faults.py err far more often


def test_the_same_player_may_move_twice_in_kalah():
    """A last seed in the own store moves again: a search that assumes alternation is wrong here."""
    game = Kalah(3, 2, empty_capture=True)
    for name in ALWAYS_RIGHT:
        assert run(name, game, game.initial()).value == 4, name  # Irving's solver


def test_min_may_be_at_the_root_and_wants_the_least():
    game = ExplicitTree({"r": {"x": "a", "y": "b"}}, {"a": 1, "b": -2}, {"r": MIN})
    for name in EXACT:
        assert run(name, game, "r")[:2] == (-2, "y"), name


def test_utilities_may_be_fractions():
    game = ExplicitTree({"r": {"x": "a", "y": "b"}}, {"a": Fraction(1, 3), "b": Fraction(1, 2)})
    for name in EXACT:
        assert run(name, game, "r")[:2] == (Fraction(1, 2), "y"), name


def test_a_value_that_is_not_finite_is_refused():
    for worth in (inf, float("nan")):
        game = ExplicitTree({"r": {"x": "a"}}, {"a": worth})
        for name in ("minimax", "minimax-search", "value", "sound-alpha-beta"):
            with pytest.raises(BrokenGameError, match="the search found the value"):
                run(name, game, "r")


def test_a_tie_is_never_minus_zero():
    game = ExplicitTree({"r": {"x": "a"}}, {"a": 0.0}, {"r": MIN})
    for name in EXACT:
        assert str(run(name, game, "r").value) == "0.0", name


def test_a_min_player_among_several_counts_on_the_others():
    game = ExplicitTree(
        {"r": {"x": "s", "y": "t"}, "s": {"x": "a", "y": "b"}, "t": {"x": "c"}},
        {"a": 5, "b": -5, "c": 0},
        {"r": 2, "s": 1, "t": MAX},
    )
    for name in EXACT:
        if name == "paranoid":  # which counts on nobody
            assert run(name, game, "r")[:2] == (0, "y")
            continue
        assert run(name, game, "r")[:2] == (-5, "x"), name


def test_a_terminal_root_has_its_utility_and_no_move():
    game = Figure52()
    for name in EXACT:
        answer = run(name, game, "C2")
        assert answer[:2] == (4, None), name
    assert minimax_search(game, "C2") is None
    assert minimax_decision(game, "C2") is None


def test_ties_go_to_the_first_action():
    game = ExplicitTree({"r": {"x": "a", "y": "b", "z": "c"}}, {"a": 0, "b": 1, "c": 1})
    for name in EXACT:
        assert run(name, game, "r").action == "y", name


# The course forms.


def test_the_course_forms_store_terminal_states_without_an_action():
    game, table = Figure52(), {}
    minimax(game, "A", table)
    assert table["B2"] == (12, None)
    assert table["A"].action == "a1"
    assert len(table) == 13


def test_the_course_forms_look_in_the_table_before_anything_else():
    game = Figure52()
    for search in (
        lambda table: minimax(game, "A", table),
        lambda table: alpha_beta(game, "A", table, -inf, inf),
        lambda table: alpha_beta_with_heuristics(game, "A", table, -inf, inf, 1, lambda state, depth: True),
    ):
        table = {"A": type(run("minimax", game, "A").table["A"])(99, None)}
        assert search(table) == 99


def test_a_short_circuited_state_is_not_stored():
    game, table = Figure52(), {}
    alpha_beta(game, "A", table, -inf, inf)
    assert table.keys() & {"A", "B", "C", "D"} == {"A", "B"}  # D is left after its last action, d3
    assert {"C1", "D1", "D2", "D3"} <= table.keys()


def test_the_cutoff_test_is_asked_with_depth_1_at_the_root():
    asked = []

    def cutoff_test(state, depth):
        asked.append((state, depth))
        return depth > 1

    game, table = Figure52(), {}
    estimate = {"B": 1, "C": 7, "D": 5}.get
    assert alpha_beta_with_heuristics(game, "A", table, -inf, inf, 1, cutoff_test, estimate) == 7
    assert asked == [("A", 1), ("B", 2), ("C", 2), ("D", 2)]
    assert table == {"A": (7, "a2"), "B": (1, None), "C": (7, None), "D": (5, None)}


def test_the_games_own_evaluate_is_the_heuristic_where_none_is_given():
    game = ExplicitTree({"r": {"x": "s"}, "s": {"y": "t"}}, {"t": 9}, estimates={"s": 4})
    cutoff_test = DepthLimit(game, 1)
    assert alpha_beta_with_heuristics(game, "r", {}, -inf, inf, 1, cutoff_test) == 4
    assert sound_alpha_beta(game, "r", {}, -inf, inf, 1, cutoff_test) == 4
    assert cutoff_test.reached


def test_a_search_goes_on_at_its_depth_limit_until_the_state_is_quiet():
    class Restless(ExplicitTree):
        def is_quiet(self, state):
            return state != "s"

    game = Restless({"r": {"x": "s"}, "s": {"y": "t"}, "t": {"z": "u"}}, {"u": 9}, estimates={"s": 4, "t": 5})
    for name in ("alpha-beta-with-heuristics", "sound-alpha-beta"):
        assert run(name, game, "r", depth=1).value == 5


def test_a_search_with_a_depth_says_between_what_the_value_must_lie():
    game = ExplicitTree(
        {"r": {"x": "a", "y": "s"}, "s": {"x": "t"}, "t": {"x": "b"}}, {"a": 1, "b": 7}, estimates={"t": 0}
    )
    for name in ("alpha-beta-with-heuristics", "sound-alpha-beta"):
        assert run(name, game, "r", depth=2)[3:5] == (1, inf)
        assert run(name, game, "r", depth=9)[3:5] == (7, 7)


# The sound form.


def limited(game, state, depth, limit):
    """Plain minimax that stops where the limit says: the slow twin of a search with a cut-off."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if limit is not None and depth > limit:
        return game.evaluate(state, MAX)
    values = [limited(game, game.result(state, action), depth + 1, limit) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    limit=st.none() | st.integers(1, 4),
    windows=st.lists(st.tuples(st.integers(-6, 6), st.integers(1, 8)), min_size=1, max_size=12),
)
def test_the_sound_form_keeps_its_contract_under_every_window_with_a_warm_table(seed, limit, windows):
    game = random_game(seed, states=18, width=4, values=4)
    table = {}
    cutoff_test = None if limit is None else DepthLimit(game, limit)
    random = Random(seed)
    for alpha, width in windows:
        beta = alpha + width
        state = random.choice(list(game.moves))
        right = limited(game, state, 1, limit)
        got = sound_alpha_beta(game, state, table, alpha, beta, 1, cutoff_test)
        if got <= alpha:
            assert right <= got
        elif got >= beta:
            assert right >= got
        else:
            assert right == got
    for state, entry in table.items():
        right = limited(game, state, entry.depth, limit)
        assert entry.lower <= right <= entry.upper
        if entry.lower == entry.upper and entry.action is not None:
            deeper = entry.depth + (limit is not None)
            assert limited(game, game.result(state, entry.action), deeper, limit) == right


def test_the_sound_form_is_right_on_all_5478_tic_tac_toe_states_with_one_table():
    game = TicTacToe()
    truth = run("minimax", game, game.initial()).table
    table = {}
    for state, entry in truth.items():
        assert sound_alpha_beta(game, state, table) == entry.value
    assert all(entry.lower <= truth[state].value <= entry.upper for state, entry in table.items())


def test_the_sound_form_visits_no_more_nodes_than_the_courses_form():
    game = ConnectFour(4, 4, 4)
    assert (
        run("sound-alpha-beta", game, game.initial()).nodes <= run("alpha-beta", game, game.initial()).nodes
    )


def test_the_books_pair_of_value_and_move_is_there_for_either_player():
    game = Figure52()
    assert minimax_max_value(game, "A", MAX) == (3, "a1")
    assert alpha_beta_max_value(game, "A", -inf, inf, MAX) == (3, "a1")
    assert minimax_max_value(game, "C", MIN) == (-2, "c1")


def test_counted_counts_every_result_as_a_node_and_every_loop_left_early_as_a_pruning():
    counted = Counted(Figure52())
    alpha_beta_search(counted, "A")
    assert (counted.nodes, counted.prunings) == (11, 2)  # C, and D after its last


def tic_tac_toe_state(board):
    """The state of a board written in nine characters from the top left."""
    game = TicTacToe()
    crosses, mask = (
        sum(cell for cell, mark in zip(game.cells, board, strict=True) if mark in marks)
        for marks in ("X", "XO")
    )
    stones = mask.bit_count()
    return (crosses if stones % 2 == 0 else mask ^ crosses), mask, stones, False


def best_ordered(width, depth, maximizing=True):
    """A uniform tree worth 0 in which the best move always comes first, and no other is as good."""
    if depth == 0:
        return 0
    rest = losing(width, depth - 1, not maximizing, -1 if maximizing else 1)
    return [best_ordered(width, depth - 1, not maximizing), *[rest] * (width - 1)]


def losing(width, depth, maximizing, worth):
    """A uniform tree in which every leaf is worth the same."""
    return worth if depth == 0 else [losing(width, depth - 1, not maximizing, worth)] * width


def leaves(search, game):
    """How many terminal states a search asks the worth of."""
    looked_at = []
    watched = Counted(game)
    watched.utility = lambda state, player: looked_at.append(state) or game.utility(state, player)
    search(watched, game.initial())
    return len(looked_at)
