"""What docs/errata.md says of the documents, shown section by section."""

from __future__ import annotations

import importlib.util
import re
import sys
from itertools import islice, permutations, product
from math import inf
from pathlib import Path

import pytest

from counterexamples import (
    BOUND_KEPT_AS_VALUE,
    BOUND_KEPT_AS_VALUE_IN_TURN,
    GUESS_KEPT_WITHOUT_DEPTH,
    GUESS_KEPT_WITHOUT_DEPTH_IN_TURN,
    LIMIT,
    LIMIT_IN_TURN,
)
from perfectplay import MAX, MIN, Game
from perfectplay.games import ConnectFour, ExplicitTree, Figure52, Kalah, TicTacToe
from perfectplay.textbook import (
    ALGORITHMS,
    Counted,
    DepthLimit,
    Interval,
    Node,
    alpha_beta,
    alpha_beta_search,
    alpha_beta_with_heuristics,
    dispatch,
    minimax,
    minimax_decision,
    minimax_search,
    monte_carlo_tree_search,
    run,
    sound_alpha_beta,
    value,
)
from perfectplay.textbook.minimax_decision import max_value as max_value_of_decision
from perfectplay.textbook.minimax_search import max_value as max_value_of_search
from random_games import random_game

EXACT = [name for name, algorithm in ALGORITHMS.items() if algorithm.exact]
ROOT = Path(__file__).parents[1]
ERRATA = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")


def example(name):
    """A program of examples/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


finder = example("smallest_counterexamples")
hidden = example("hidden_faults")
chance = example("smallest_chance_games")
KEEPS_PRUNED = hidden.SEARCHES["keeps pruned states too"]
BEYOND_ONLY = hidden.SEARCHES["prunes beyond the window only"]


# The document itself.


def test_every_test_that_the_errata_name_is_here():
    named = re.findall(r"`(test_\w+)`", ERRATA)
    assert named
    assert [name for name in named if name not in globals()] == []


def test_every_section_of_the_errata_names_its_test():
    for chapter in ERRATA.split("\n## ")[1:]:
        sections = chapter.split("\n### ")[1:] or [chapter]
        for section in sections:
            assert "`test_" in section, section.partition("\n")[0]


@pytest.mark.parametrize(
    "game",
    [
        BOUND_KEPT_AS_VALUE,
        BOUND_KEPT_AS_VALUE_IN_TURN,
        GUESS_KEPT_WITHOUT_DEPTH,
        GUESS_KEPT_WITHOUT_DEPTH_IN_TURN,
    ],
)
def test_the_counterexamples_are_drawn_in_the_errata(game):
    assert game.render("A") in ERRATA


# Misprints of the course handout.


def test_either_reading_of_the_undefined_name_prunes_at_the_same_places():
    def pruning_on_the_child(game, state, table, alpha, beta):
        if state in table:
            return table[state][0]
        if game.is_terminal(state):
            table[state] = game.utility(state, MAX), None
            return table[state][0]
        is_max = game.to_move(state) == MAX
        best, move = (-inf if is_max else inf), None
        for a in game.actions(state):
            of_child = pruning_on_the_child(game, game.result(state, a), table, alpha, beta)
            if of_child > best if is_max else of_child < best:
                best, move = of_child, a
            if of_child >= beta if is_max else of_child <= alpha:
                return best
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        table[state] = best, move
        return best

    for seed in range(300):
        game = random_game(seed, states=20)
        best_so_far, of_child = Counted(game), Counted(game)
        tables = {}, {}
        answer = alpha_beta(best_so_far, game.initial(), tables[0], -inf, inf)
        assert pruning_on_the_child(of_child, game.initial(), tables[1], -inf, inf) == answer
        assert tables[0] == tables[1]
        assert (best_so_far.nodes, best_so_far.prunings) == (of_child.nodes, of_child.prunings)


def test_four_moves_ahead_is_a_depth_above_four():
    game = TicTacToe()
    stones = set()

    def evaluate(state):
        stones.add(state[2])
        return 0

    alpha_beta_with_heuristics(
        game, game.initial(), {}, -inf, inf, 1, lambda state, depth: depth > 4, evaluate
    )
    assert stones == {4}
    table = {}
    alpha_beta_with_heuristics(game, game.initial(), table, -inf, inf, 1, lambda state, depth: True, evaluate)
    assert table[game.initial()].action is None  # a cut-off at the root leaves no move to play


def test_an_opponent_may_choose_a_state_that_is_not_in_the_table():
    game, table = TicTacToe(), {}
    alpha_beta(game, game.initial(), table)
    after_x = game.result(game.initial(), table[game.initial()].action)
    replies = [game.result(after_x, action) for action in game.actions(after_x)]
    assert any(state not in table for state in replies)
    for state in replies:
        assert run("alpha-beta", game, state).action is not None


def test_only_the_order_of_the_columns_makes_table_sizes_differ_from_the_authors():
    """Rhodes College, "Project 2: Connect Four", P. Kirlin, part B."""
    published = ["206 149", "926 986", "606 522", "4102 4619", "1465 1169", "632 694"]
    rows = [line for line in hidden.orders_table() if re.match(r"  \d x \d ", line)]
    assert [row for row in rows if row not in ERRATA] == []
    left_to_right = [" ".join(row.split()[4:6]) for row in rows]
    middle_first = [" ".join(row.split()[6:]) for row in rows]
    assert left_to_right == published
    # Four in a row on four columns takes all four: there no column differs from the others.
    same = [ours == theirs for ours, theirs in zip(middle_first, published, strict=True)]
    assert same == [False, False, False, False, False, True]


# Misprints of the lecture note, and what the book leaves open.


def test_a_return_inside_the_loop_sees_the_first_action_only():
    def printed_max_value(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        v, move = -inf, None
        for a in game.actions(state):
            v2, _ = printed_min_value(game, game.result(state, a))
            if v2 > v:
                v, move = v2, a
            return v, move

    def printed_min_value(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        return min(printed_max_value(game, game.result(state, a)) for a in game.actions(state))

    class Reversed(Figure52):
        def actions(self, state):
            return reversed(super().actions(state)) if state == "A" else super().actions(state)

    assert printed_max_value(Figure52(), "A") == (3, "a1")  # by luck: the first is the best
    assert printed_max_value(Reversed(), "A") == (2, "a3")
    assert max_value_of_search(Reversed(), "A", MAX) == (3, "a1")


def test_one_number_is_no_pair_of_value_and_move():
    with pytest.raises(TypeError):
        _v, _move = -inf


def test_nothing_is_better_than_minus_infinity_so_utilities_are_finite():
    game = ExplicitTree({"r": {"x": "lost"}}, {"lost": -inf})
    assert max_value_of_search(game, "r", MAX) == (-inf, None)
    assert minimax_search(game, "r") is None
    game = ExplicitTree({"r": {"x": "lost"}}, {"lost": -1e300})
    assert minimax_search(game, "r") == "x"


def test_every_name_has_one_spelling():
    for form in ("minimax_search", "alpha_beta_search", "minimax_decision", "dispatch"):
        names = vars(sys.modules[f"perfectplay.textbook.{form}"])
        assert {"max_value", "min_value"} <= names.keys()
        assert not {"max_val", "min_val"} & names.keys()
    assert Game.__abstractmethods__ == {
        "initial", "to_move", "actions", "result", "is_terminal", "utility",
    }  # fmt: skip


def test_the_player_is_the_one_to_move_at_the_root():
    game = TicTacToe()
    truth = hidden.values_of(game)
    late = [state for state in truth if state[2] >= 5 and not game.is_terminal(state)]
    assert {game.to_move(state) for state in late} == {MAX, MIN}
    for state in late:
        player = game.to_move(state)
        worth, move = max_value_of_search(game, state, player)
        assert worth == (truth[state].value if player == MAX else -truth[state].value)
        assert move == minimax_search(game, state) == alpha_beta_search(game, state)
        assert move == minimax_decision(game, state) == truth[state].action


def test_x_is_max_and_moves_first_and_a_win_of_x_is_worth_1():
    game = TicTacToe()
    state = game.initial()
    assert game.to_move(state) == MAX
    for move in ("a3", "a2", "b3", "b2", "c3"):
        state = game.result(state, game.parse_action(state, move))
    assert "X X X" in game.render(state)
    assert (game.utility(state, MAX), game.utility(state, MIN)) == (1, -1)


def test_a_form_that_alternates_is_wrong_where_a_player_moves_twice():
    def printed_value(game, state, players):
        """MAX-VALUE and MIN-VALUE as the book has them: each calls the other."""
        if game.is_terminal(state):
            return game.utility(state, MAX)
        here, other = players
        return here(printed_value(game, game.result(state, a), (other, here)) for a in game.actions(state))

    kalah = Kalah(pits=2, seeds=3)
    assert printed_value(kalah, kalah.initial(), (max, min)) == 0
    assert value(kalah, kalah.initial()) == -2
    moves = {"A": {"a1": "B"}, "B": {"b1": "B1", "b2": "B2"}}
    game = ExplicitTree(moves, {"B1": 0, "B2": 1}, {"A": MAX, "B": MAX})
    assert printed_value(game, "A", (max, min)) == 0
    for name in EXACT:
        assert run(name, game, "A")[:2] == (1, "a1"), name


# The slides.


def test_the_dispatch_form_put_in_order_is_minimax():
    for seed in range(200):
        game = random_game(seed, players=3)
        assert value(game, game.initial()) == minimax(game, game.initial(), {})
        if not game.is_terminal(game.initial()):
            by_turn = dispatch.max_value if game.to_move(game.initial()) == MAX else dispatch.min_value
            assert by_turn(game, game.initial()) == value(game, game.initial())


def test_the_slide_with_its_missing_lines_is_minimax():
    for seed in range(200):
        game = random_game(seed)
        worth = max_value_of_decision(game, game.initial(), MAX)
        assert worth == minimax(game, game.initial(), {})


def test_minimax_decision_gives_the_action_and_not_its_value():
    assert minimax_decision(Figure52(), "A") == "a1"
    table = {}
    for seed in range(200):
        game = random_game(seed)
        table.clear()
        minimax(game, game.initial(), table)
        assert minimax_decision(game, game.initial()) == table[game.initial()].action


def test_every_form_gives_a_value_and_a_move_by_its_name():
    for seed in range(50):
        game = random_game(seed, tree=True, states=10)
        for name in EXACT:
            answer = run(name, game, game.initial())
            assert answer.value == value(game, game.result(game.initial(), answer.action)), (name, seed)


def test_a_terminal_root_has_a_value_and_no_move():
    game = Figure52()
    assert minimax_search(game, "C2") is None
    assert alpha_beta_search(game, "C2") is None
    assert minimax_decision(game, "C2") is None
    assert max_value_of_search(game, "C2", MAX) == (4, None)
    for name in ALGORITHMS:
        assert run(name, game, "C2")[:2] == (4, None), name


# Pruning on equality.


def test_pruning_on_equality_changes_neither_the_value_nor_the_move_of_a_tree():
    for seed in range(300):
        game = random_game(seed, tree=True, states=12, values=2)
        answers = []
        for search in (alpha_beta, BEYOND_ONLY):
            table = {}
            answers.append((search(game, game.initial(), table), table[game.initial()].action))
        assert answers[0] == answers[1], seed


def test_after_pruning_on_equality_a_tie_may_be_no_tie():
    game = ExplicitTree.from_nested([[3, 12], [3, 1]])
    looked_at = {}
    for search in (alpha_beta, BEYOND_ONLY):
        counted, table = Counted(game), {}
        assert search(counted, (), table) == 3
        looked_at[search] = {state for state in table if len(state) == 2}
    assert (1, 1) not in looked_at[alpha_beta]
    assert (1, 1) in looked_at[BEYOND_ONLY]
    # To a search that knows of 3 the second action looks as good as the first; it is worth 1.
    assert alpha_beta(game, (1,), {}, 3, inf) == 3
    assert BEYOND_ONLY(game, (1,), {}, 3, inf) == value(game, (1,)) == 1


def test_a_result_on_the_edge_of_the_window_is_exact_only_if_equality_does_not_prune():
    on_the_edge = 0
    for seed in range(300):
        game = random_game(seed, tree=True, states=10, values=2)
        right = value(game, game.initial())
        for alpha, beta in ((-2, 0), (-1, 1), (0, 1), (0, 2)):
            printed = alpha_beta(game, game.initial(), {}, alpha, beta)
            beyond = BEYOND_ONLY(game, game.initial(), {}, alpha, beta)
            assert not alpha < printed < beta or printed == right
            assert not alpha <= beyond <= beta or beyond == right
            on_the_edge += printed in (alpha, beta) and printed != right
    assert on_the_edge > 0


# A bound kept as a value.


@pytest.mark.parametrize("game", [BOUND_KEPT_AS_VALUE, BOUND_KEPT_AS_VALUE_IN_TURN])
def test_alpha_beta_says_1_where_the_value_is_0(game):
    assert alpha_beta(game, "A", {}) == 1
    assert minimax(game, "A", {}) == value(game, "A") == sound_alpha_beta(game, "A", {}) == 0
    assert run("alpha-beta-search", game, "A").value == 0


def test_the_steps_to_the_wrong_value_are_those_of_the_errata():
    game, table = BOUND_KEPT_AS_VALUE, {}
    assert alpha_beta(game, "D", {}, 1, inf) == 1  # a bound: D is worth 0
    assert alpha_beta(game, "C", table, 1, inf) == 1
    assert table["C"].value == 1
    assert "D" not in table
    assert value(game, "C") == value(game, "D") == 0
    table = {}
    alpha_beta(game, "A", table)
    assert {state: entry.value for state, entry in table.items()} == {"T1": 1, "C": 1, "B": 1, "A": 1}


def test_the_sound_form_keeps_an_interval_where_the_course_keeps_a_value():
    table = {}
    assert sound_alpha_beta(BOUND_KEPT_AS_VALUE, "B", table) == 1
    assert table["C"] == Interval(-inf, 1, None, 1)
    assert sound_alpha_beta(BOUND_KEPT_AS_VALUE, "A", table) == 0
    assert (table["C"].lower, table["C"].upper) == (0, 0)


def test_no_game_of_fewer_than_6_states_makes_alpha_beta_wrong():
    *smaller, last = finder.rounds(finder.BOUND)
    assert not any(done.wrong for done in smaller)
    assert sum(done.games for done in smaller if done.states < 6) == 6496
    assert (last.states, last.moves, len(last.wrong)) == (6, 7, 1)
    assert_same(finder.drawn(last.wrong[0]), BOUND_KEPT_AS_VALUE)


@pytest.mark.slow
def test_with_alternating_turns_the_smallest_game_has_7_states():
    few_moves = list(islice(finder.rounds(finder.BOUND, alternate=True, states=6), 4))
    assert {done.states for done in few_moves} == {6}
    assert not any(done.wrong for done in few_moves)
    *_, last = finder.rounds(finder.BOUND, alternate=True, states=7)
    assert (last.states, last.moves, len(last.wrong)) == (7, 8, 1)
    assert_same(finder.drawn(last.wrong[0]), BOUND_KEPT_AS_VALUE_IN_TURN)


def test_two_actions_to_the_same_state_make_no_smaller_game():
    few_moves = list(islice(finder.rounds(finder.BOUND, parallel=2), 17))
    assert (few_moves[-1].states, few_moves[-1].moves) == (5, 7)
    assert not any(done.wrong for done in few_moves)


def test_the_finder_goes_through_every_game_and_each_once():
    """Its slow twin: number the states in every way, and throw away what is the same."""

    def renumbered(moves, root):
        numbers = {}

        def leave(state):
            if state not in numbers:
                for successor in moves[state]:
                    leave(successor)
                numbers[state] = len(numbers)

        leave(root)
        ordered = sorted(numbers, key=numbers.get)
        return tuple(tuple(numbers[successor] for successor in moves[state]) for state in ordered)

    for states in range(1, 6):
        lists = [
            [actions for size in range(state + 1) for actions in permutations(range(state), size)]
            for state in range(states)
        ]
        games = {renumbered(moves, states - 1) for moves in product(*lists)}
        found = [
            shape for moves in range(states * (states - 1) // 2 + 1) for shape in finder.shapes(states, moves)
        ]
        assert len(found) == len(set(found))
        assert set(found) == {game for game in games if len(game) == states}


@pytest.mark.slow
def test_no_game_of_up_to_5_states_is_wrong_whatever_the_finder_leaves_out():
    """Either player at the root, utilities in every order, with ties, trees and single ends too."""
    tried = 0
    for states in range(1, 6):
        for moves in range(states * (states - 1) // 2 + 1):
            for shape in finder.shapes(states, moves):
                terminal = [state for state in range(states) if not shape[state]]
                inner = [state for state in range(states) if shape[state]]
                for players in product((MAX, MIN), repeat=len(inner)):
                    turns = dict(zip(inner, players, strict=True))
                    for worths in product(range(len(terminal)), repeat=len(terminal)):
                        game = finder.SmallGame(shape, turns, dict(zip(terminal, worths, strict=True)))
                        assert not finder.alpha_beta_is_wrong(finder.Case(game))
                        tried += 1
    assert tried > 80_000


# A guess kept without its depth.


@pytest.mark.parametrize(
    ("game", "limit"),
    [(GUESS_KEPT_WITHOUT_DEPTH, LIMIT), (GUESS_KEPT_WITHOUT_DEPTH_IN_TURN, LIMIT_IN_TURN)],
)
def test_a_guess_from_a_greater_depth_answers_for_a_search(game, limit):
    counted = Counted(game)
    cutoff_test = DepthLimit(game, limit)
    assert alpha_beta_with_heuristics(counted, "A", {}, -inf, inf, 1, cutoff_test) == 1
    assert counted.prunings == 0  # so that no bound is to blame
    assert finder.limited_minimax(game, "A", limit) == minimax(game, "A", {}) == 0
    assert sound_alpha_beta(game, "A", {}, -inf, inf, 1, cutoff_test) == 0


def test_no_game_of_fewer_than_4_states_keeps_a_guess_wrongly():
    for alternate, states, limit, game in (
        (False, 4, LIMIT, GUESS_KEPT_WITHOUT_DEPTH),
        (True, 5, LIMIT_IN_TURN, GUESS_KEPT_WITHOUT_DEPTH_IN_TURN),
    ):
        *smaller, last = finder.rounds(finder.GUESS, alternate=alternate)
        assert not any(done.wrong for done in smaller)
        case = finder.most_telling(last.wrong)
        assert (last.states, case.limit) == (states, limit)
        assert_same(finder.drawn(case), game)


def test_the_sound_form_equals_minimax_with_the_same_cut_off():
    for seed in range(300):
        game = random_game(seed, states=20)
        for limit in (1, 2, 3, 4):
            answer = sound_alpha_beta(game, game.initial(), {}, -inf, inf, 1, DepthLimit(game, limit))
            assert answer == finder.limited_minimax(game, game.initial(), limit), (seed, limit)


def assert_same(game, other):
    for part in ("moves", "utilities", "turns", "estimates"):
        assert getattr(game, part) == getattr(other, part)
    for state in game.moves:  # the order of the actions too
        assert list(game.actions(state)) == list(other.actions(state))


# How well it hides.


@pytest.fixture(scope="module")
def tic_tac_toe():
    game = TicTacToe()
    return game, hidden.values_of(game)


def test_as_printed_all_5478_tic_tac_toe_roots_come_out_right(tic_tac_toe):
    game, truth = tic_tac_toe
    assert len(truth) == 5478
    assert hidden.wrong_roots(alpha_beta, game, truth) == []


def test_26_of_the_1101_entries_that_alpha_beta_leaves_are_wrong(tic_tac_toe):
    assert hidden.kept(alpha_beta, *tic_tac_toe) == (1101, 26, 53)
    assert hidden.kept(BEYOND_ONLY, *tic_tac_toe) == (3500, 18, 13)
    assert hidden.kept(sound_alpha_beta, *tic_tac_toe) == (2511, 0, 0)


def test_keeping_pruned_states_is_wrong_on_29_tic_tac_toe_roots(tic_tac_toe):
    game, truth = tic_tac_toe
    wrong = hidden.wrong_roots(KEEPS_PRUNED, game, truth)
    assert len(wrong) == 29
    state = game.initial()
    for move in ("c3", "b2", "a2"):  # ..X/XO./...
        state = game.result(state, game.parse_action(state, move))
    assert state in wrong
    assert (truth[state].value, KEEPS_PRUNED(game, state, {})) == (0, -1)


def test_the_books_search_cached_by_state_alone_is_wrong_on_the_same_29(tic_tac_toe, monkeypatch):
    game, truth = tic_tac_toe
    module = sys.modules["perfectplay.textbook.alpha_beta_search"]
    cache = {}

    def by_state_alone(function):
        def cached(game, state, *window_and_player):
            if state not in cache:
                cache[state] = function(game, state, *window_and_player)
            return cache[state]

        return cached

    monkeypatch.setattr(module, "max_value", by_state_alone(module.max_value))
    monkeypatch.setattr(module, "min_value", by_state_alone(module.min_value))
    wrong = []
    for state, right in truth.items():
        cache.clear()
        player = game.to_move(state)
        worth, _ = module.max_value(game, state, -inf, inf, player)
        if (worth if player == MAX else -worth) != right.value:
            wrong.append(state)
    assert wrong == hidden.wrong_roots(KEEPS_PRUNED, game, truth)


def test_the_changed_search_without_changes_is_the_courses():
    for seed in range(200):
        game = random_game(seed, states=20)
        printed, changed = {}, {}
        assert alpha_beta(game, 0, printed) == hidden.alpha_beta_changed(game, 0, changed)
        assert printed == changed


def test_the_courses_own_board_has_a_root_with_the_wrong_winner():
    game = ConnectFour(3, 4, 3, score="course")
    state = game.initial()
    for move in "21144":
        state = game.result(state, game.parse_action(state, move))
    assert game.render(state) in ERRATA
    assert game.to_move(state) == MIN
    assert alpha_beta(game, state, {}) == 10909
    assert minimax(game, state, {}) == value(game, state) == sound_alpha_beta(game, state, {}) == -10000


def test_the_courses_program_plays_by_its_table_and_loses():
    game, table = ConnectFour(5, 3, 3, score="course"), {}
    state = game.initial()
    assert alpha_beta(game, state, table) == minimax(game, state, {}) == 0  # nobody need lose
    played = ""
    for reply in "1223":
        entry = table.get(state) or run("alpha-beta", game, state)
        for move in (game.action_name(entry.action), reply):
            state = game.result(state, game.parse_action(state, move))
            played += move
    assert played == "11321213"
    assert game.is_terminal(state)
    assert game.utility(state, MAX) < 0


def test_playing_tic_tac_toe_by_the_table_meets_no_blunder(tic_tac_toe):
    for player in (MAX, MIN):
        assert list(hidden.blunders(tic_tac_toe[0], player, tic_tac_toe[1])) == []


@pytest.mark.slow
def test_blunders_by_the_table_are_few(monkeypatch):
    boards = [(3, 3, 3), (4, 3, 3), (5, 3, 3)]
    monkeypatch.setattr(hidden, "BOARDS", boards)
    lines = "\n".join(hidden.boards_table()).splitlines()
    rows = [line for line in lines if re.match(r"  \d x \d ", line)]
    assert len(rows) == 3
    assert all(row in ERRATA for row in rows)
    assert "5 x 3, 3 in a row, X to move: the table plays 1 for 13636, which gets -18750." in lines


def test_the_program_prints_the_table_that_is_asked_for(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["hidden_faults.py", "--only", "orders"])
    hidden.main()
    assert capsys.readouterr().out.strip() in ERRATA


def test_random_games_come_out_wrong_in_several_of_a_hundred():
    kind = hidden.KINDS[5]
    assert hidden.wrong_random_games(alpha_beta, kind, 100) >= 5
    assert hidden.wrong_random_games(KEEPS_PRUNED, kind, 100) >= 10
    assert hidden.wrong_random_games(sound_alpha_beta, kind, 100) == 0
    lines = list(hidden.random_games_table(1))
    assert lines[2] in ERRATA
    assert lines[3] in ERRATA


# Chance and playouts.


@pytest.mark.parametrize(
    ("title", "states", "drawing"),
    [
        ("An average that is divided once more", 5, "B CHANCE\n│  ├─ b1 (0.5): T1 = -2"),
        ("Playouts whose signs change at every ply", 4, "a1: B MAX\n│  └─ b1: T1 = -1\n└─ a2: T0 = 0"),
        ("Playouts of which only wins are counted", 3, "a1: T0 = -1\n└─ a2: T1 = 0"),
    ],
)
def test_the_smallest_games_with_chance_or_playouts_that_come_out_wrong(title, states, drawing):
    found = chance.smallest(title)
    assert max(found.tried) == states
    assert drawing in found.game.render(found.game.initial())
    assert chance.is_wrong(found.game, chance.CHOOSES[title])


def test_outcomes_put_on_top_of_each_other_are_no_outcomes():
    found = chance.smallest("Outcomes that are put on top of each other")
    assert vars(found.game) == {"start": -2, "heads": -1, "tails": 2}
    start = found.game.initial()
    tossed = found.game.result(start, 1)
    assert chance.expectiminimax(found.game, tossed) == -1.5
    assert chance.overwritten(found.game, tossed) == -2  # -3, and from there +2


def test_the_textbooks_playouts_are_right_where_the_published_ones_are_not():
    for title in chance.CHOOSES:
        if title.startswith("Playouts"):
            game = chance.smallest(title).game
            assert not chance.is_wrong(game, chance.surely(chance.right_playouts))


def test_mistaken_signs_do_not_take_3_of_15():
    """As the signs of utilities to the other player would have it: the worst move looks best."""

    class Take(Game):
        def initial(self):
            return 15, MAX

        def to_move(self, state):
            return state[1]

        def actions(self, state):
            return [take for take in (1, 2, 3) if take <= state[0]]

        def result(self, state, action):
            return state[0] - action, 1 - state[1]

        def is_terminal(self, state):
            return state[0] == 0

        def utility(self, state, player):
            return -1 if player == state[1] else 1

    game = Take()
    mistaken = chance.by_playouts(lambda utility, plies: -utility * (-1) ** plies, 2000)
    for seed in range(3):
        assert monte_carlo_tree_search(game, game.initial(), playouts=2000, seed=seed) == 3
        assert mistaken(game, seed) != 3


def test_a_node_has_a_total_for_every_player_and_whoever_chooses_reads_its_own():
    game = ExplicitTree(
        {"A": {"a1": "B", "a2": "z"}, "B": {"b1": "x", "b2": "y"}},
        {"x": (0, 1), "y": (1, 0), "z": (0.5, 0.5)},
        {"A": MAX, "B": MIN},
    )
    tree = Node(game, "A", None)
    assert monte_carlo_tree_search(game, "A", playouts=500, seed=0, tree=tree) == "a2"
    below = tree.children["a1"]
    assert below.children["b1"].average(MIN) == 1
    assert below.children["b1"].playouts > below.children["b2"].playouts
    assert sum(tree.totals) == 500  # what the two get adds up to 1 at every end
