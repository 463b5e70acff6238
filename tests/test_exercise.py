"""Exercises: the same seed gives the same tree, answers are judged rightly, and sheets keep their secrets."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfectplay import MAX, Game, PerfectPlayError
from perfectplay.errors import BrokenGameError, GameOverError, NoExerciseError
from perfectplay.exercise import RANDOM_KINDS, Exercise, make_exercise, random_exercise
from perfectplay.exercise.exercise import game_name
from perfectplay.exercise.reading import NEVER, read_branches, read_value, read_window
from perfectplay.exercise.run import FUNCTIONS
from perfectplay.exercise.sheet import sheet, solution
from perfectplay.exercise.tree import TreeNode, number_leaves
from perfectplay.games import ConnectFour, ExplicitTree, Figure52, Nim, TicTacToe, load_game
from perfectplay.play import Match
from perfectplay.textbook import expectiminimax, max_n, run
from perfectplay.textbook.alpha_beta_search import max_value as alpha_beta_value
from perfectplay.textbook.counting import Counted
from perfectplay.trace.source import worth
from two_sided_games import TWO_SIDED

KINDS = tuple(FUNCTIONS)  # those whose trees are of a game

SEEDS = st.integers(min_value=0, max_value=100_000)
NAMES = ("tic-tac-toe", "kalah", "dots-and-boxes:rows=2,cols=2", "connect-four", "nim", "hexapawn", "othello")


@cache
def exercise(name: str, seed: int, kind: str = "alpha-beta") -> Exercise:
    return make_exercise(load_game(name), seed=seed, kind=kind)


def book() -> Exercise:
    return make_exercise(Figure52())


def right_answers(made: Exercise) -> dict[str, str]:
    return {question.name: made.wanted(question) for question in made.questions}


def judged(made: Exercise, question: str, answer: object):
    (verdict,) = made.check({question: answer})
    return verdict


# The tree.


def test_the_books_tree_is_asked_about_as_the_book_has_it():
    made = book()
    assert [leaf.value for leaf in made.tree.leaves] == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert [node.name for node in made.tree.inner] == ["A", "B", "C", "D"]
    assert right_answers(made) == {
        "window:A": "(-inf, inf)",
        "window:B": "(-inf, inf)",
        "cuts:B": "none",
        "value:B": "3",
        "window:C": "(3, inf)",
        "cuts:C": "c2, c3",
        "value:C": "2",
        "window:D": "(3, inf)",
        "cuts:D": "none",
        "value:D": "2",
        "cuts:A": "none",
        "value:A": "3",
        "move": "a1",
    }


def test_the_books_cut_is_explained():
    made = book()
    told = "C: after c1 the value is 2, and 2 <= alpha 3, so MIN has enough: c2 and c3 are never looked at"
    assert judged(made, "cuts:C", "c2, c3").explanation == f"{told}."
    assert judged(made, "value:C", "2").explanation == f"{told}, and C returns 2."
    assert "A is MAX and has 3 already, by a1: alpha is 3" in judged(made, "window:C", "3, inf").explanation


@pytest.mark.slow
@pytest.mark.parametrize("name", TWO_SIDED)
@pytest.mark.parametrize("kind", KINDS)
def test_every_game_gives_trees_of_a_good_size(name, kind):
    for seed in range(4):
        tree = exercise(name, seed, kind).tree
        assert 5 <= len(tree.leaves) <= 14
        assert 2 <= max(leaf.ply for leaf in tree.leaves) <= 4
        assert all(1 <= len(node.children) <= 4 for node in tree.inner)
        assert len({leaf.value for leaf in tree.leaves}) > 1


@pytest.mark.slow
@given(SEEDS, st.sampled_from(NAMES), st.sampled_from(KINDS))
@settings(max_examples=60)
def test_the_same_seed_gives_the_same_exercise(seed, name, kind):
    first = make_exercise(load_game(name), seed=seed, kind=kind)
    again = make_exercise(load_game(name), seed=seed, kind=kind)
    assert first.to_dict() == again.to_dict()
    assert first.solution == again.solution


def test_a_seed_means_the_same_tree_in_every_version_of_python():
    made = exercise("tic-tac-toe", 5)
    assert made.moves == ("b2", "b3", "b1")
    assert [leaf.value for leaf in made.tree.leaves] == [0, -25, 25, 0, 0, 0, 17, 0, 25, 40, 25]
    assert [node.action for node in made.tree.inner] == ["", "c1", "c3", "c2", "a3", "c1", "a3"]


def test_thirty_students_get_thirty_trees():
    sheets = {json.dumps(exercise("tic-tac-toe", seed).to_dict()["nodes"]) for seed in range(30)}
    assert len(sheets) == 30


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_is_made_of_legal_moves_from_a_real_position(name):
    game = load_game(name)
    for seed in range(5):
        made = exercise(name, seed)
        assert Match(game, made.moves).state == made.tree.root.state
        for node in made.tree.inner:
            legal = {game.action_name(action): action for action in game.actions(node.state)}
            assert len(legal) == len(node.children) + node.omitted
            for child in made.tree.children(node.name):
                assert child.state == game.result(node.state, legal[child.action])
            assert node.role == ("max" if game.to_move(node.state) == MAX else "min")


@pytest.mark.parametrize("name", NAMES)
def test_leaves_are_worth_what_the_game_says_in_the_same_order(name):
    game = load_game(name)
    for seed in range(5):
        leaves = exercise(name, seed).tree.leaves
        for leaf in leaves:
            over = game.is_terminal(leaf.state)
            assert leaf.leaf == ("end" if over else "estimate")
            assert leaf.worth == (game.utility if over else game.evaluate)(leaf.state, MAX)
        for one in leaves:
            assert abs(one.value) <= 999
            assert all((one.worth < other.worth) == (one.value < other.value) for other in leaves)


class TicTacToeWithoutHeuristic(TicTacToe):
    evaluate = Game.evaluate


@pytest.mark.parametrize("wrap", [lambda game: game, Counted])
def test_what_no_heuristic_has_guessed_is_said_to_be_unknown(wrap):
    def notes(game):
        made = [make_exercise(wrap(game), seed=seed) for seed in range(12)]
        return {
            note
            for each in made
            for note in each.notes
            if any(leaf.leaf == "estimate" for leaf in each.tree.leaves) and "goes on" in note
        }

    unknown = "the game has no heuristic, so that they have a 0, which means unknown."
    assert notes(TicTacToeWithoutHeuristic()) == {f"The game goes on at some leaves: {unknown}"}
    guessed = "their numbers are estimates by the game's heuristic."
    assert notes(ConnectFour()) == {f"The game goes on at some leaves: {guessed}"}


@pytest.mark.parametrize(
    ("worths", "shown", "how"),
    [
        ([3, 12, -7], [3, 12, -7], ""),
        ([0.5, -0.5, 1], [5, -5, 10], "multiplied by 10 and rounded"),
        ([1.2, 3.4, 0], [1, 3, 0], "are rounded"),
        ([0.251, 0.252, -3.0], [1, 2, -1], "only say which are larger"),
        ([10**6, 5, 0, -(10**6)], [2, 1, 0, -1], "only say which are larger"),
        ([inf, 1, -inf], [2, 1, -1], "only say which are larger"),
    ],
)
def test_leaves_get_small_whole_numbers_in_the_same_order(worths, shown, how):
    leaves = [TreeNode(None, "", 1, None, "leaf", "end", worth) for worth in worths]
    assert how in number_leaves(leaves)
    assert [leaf.value for leaf in leaves] == shown


def test_a_game_in_which_a_player_moves_twice_running_is_asked_about_by_turns():
    twice = 0
    for seed in range(20):
        tree = exercise("kalah", seed, "minimax").tree
        twice += sum(tree.nodes[node.parent].role == node.role for node in tree.inner if node.parent)
    assert twice > 5


def test_a_position_that_was_asked_for_is_the_root_where_it_makes_a_good_tree():
    match = Match(TicTacToe(), ["b2", "a1"])
    for seed in range(5):
        made = make_exercise(match.game, match.state, seed=seed, moves=match.names)
        assert made.moves == ("b2", "a1")
        assert made.tree.root.state == match.state


def test_a_small_game_is_drawn_whole_and_in_another_order_for_another_seed():
    trees = [make_exercise(Figure52(), seed=seed).tree for seed in range(6)]
    values = [[leaf.value for leaf in tree.leaves] for tree in trees]
    assert all(sorted(each) == sorted(values[0]) for each in values)
    assert len(set(map(tuple, values))) > 3


# What is right.


@pytest.mark.slow
@given(SEEDS, st.sampled_from(NAMES), st.sampled_from(KINDS))
@settings(max_examples=100)
def test_the_right_answers_are_judged_right(seed, name, kind):
    made = exercise(name, seed, kind)
    verdicts = made.check(right_answers(made))
    assert len(verdicts) == len(made.questions)
    assert all(verdict.right and verdict.explanation.endswith(".") for verdict in verdicts)
    assert made.hint(right_answers(made)) is None


@pytest.mark.slow
@given(SEEDS, st.sampled_from(NAMES), st.sampled_from(KINDS))
@settings(max_examples=50)
def test_every_single_wrong_answer_is_found_and_no_other(seed, name, kind):
    made = exercise(name, seed, kind)
    right = right_answers(made)
    for question in made.questions:
        wrong = wrong_answers(made, question)
        for answer in wrong:
            verdict = judged(made, question.name, answer)
            assert not verdict.right, answer
            assert verdict.wanted == right[question.name]
        if wrong:
            verdicts = made.check(right | {question.name: wrong[-1]})
            assert [each.question for each in verdicts if not each.right] == [question.name]


def wrong_answers(made: Exercise, question) -> list[object]:
    """Answers that are not right, of all sorts."""
    wanted = made.wanted(question)
    if question.kind == "value":
        return [str(number) for number in (*range(-5, 6), 123, inf) if str(number) != wanted]
    if question.kind == "window":
        bounds = (-inf, *range(-2, 3), inf)
        windows = [f"({alpha:g}, {beta:g})" for alpha in bounds for beta in bounds]
        return [window for window in windows if window != wanted]
    children = made.tree.nodes[question.node].children
    if question.kind == "move":
        return [made.tree.branch(child) for child in children if made.tree.branch(child) != wanted]
    never = question.node not in made.run.visits
    same = [[], children] if never else [made.run.visits[question.node].skipped]
    sets = [[child for bit, child in enumerate(children) if number >> bit & 1] for number in range(16)]
    return [each for each in sets if each not in same and max(map(len, sets)) == len(children)]


@pytest.mark.slow
@given(SEEDS, st.sampled_from(NAMES))
@settings(max_examples=100)
def test_answers_agree_with_minimax_and_alpha_beta_on_the_tree_that_is_seen(seed, name):
    made = exercise(name, seed)
    tree = made.tree.explicit()
    assert made.wanted(made.questions[-2]) == f"{run('minimax', tree, 'A').value:g}"
    seen: list[str] = []

    class Watched(ExplicitTree):
        def is_terminal(self, state):
            seen.append(state)
            return super().is_terminal(state)

    watched = Watched(tree.moves, tree.utilities, tree.turns)
    alpha_beta_value(watched, "A", -inf, inf, MAX)
    spared = made.tree.nodes.keys() - set(seen)
    assert spared
    assert spared == made.tree.nodes.keys() - made.run.visits.keys()


@pytest.mark.slow
@given(SEEDS, st.sampled_from(NAMES))
@settings(max_examples=50)
def test_minimax_values_are_those_of_every_node(seed, name):
    made = exercise(name, seed, "minimax")
    tree = made.tree.explicit()
    for question in made.questions:
        if question.kind == "value":
            assert made.wanted(question) == f"{run('minimax', tree, question.node).value:g}"


def test_partial_answers_are_judged_alone_and_empty_ones_not_at_all():
    made = book()
    assert made.check({}) == []
    assert made.check({"value:B": "", "value:C": "  ", "value:D": None}) == []
    assert [each.question for each in made.check({"value:A": "3", "window:B": "-inf, inf"})] == [
        "window:B",
        "value:A",
    ]


def test_the_hint_is_the_first_answer_that_is_missing_or_wrong():
    made = book()
    assert made.hint({}).question == "window:A"
    right = right_answers(made)
    hint = made.hint(right | {"value:C": "7"})
    assert (hint.question, hint.wanted) == ("value:C", "2")


# What students write.


@pytest.mark.parametrize("text", ["3", "+3", " 3 ", "3.0", "3,0"])
def test_a_value_may_be_written_in_many_ways(text):
    assert judged(book(), "value:B", text).right


@pytest.mark.parametrize(
    "text",
    ["(3, inf)", "3,inf", "3 inf", "[3; ∞]", "(+3, +inf)", "3 .. infinity", "3, oo", "( 3 , +∞ )"],
)
def test_a_window_may_be_written_in_many_ways(text):
    assert judged(book(), "window:C", text).right


def test_minus_signs_and_infinities_are_read():
    assert read_value("\N{MINUS SIGN}3") == -3
    assert read_value("-inf") == -inf
    assert read_value("\N{MINUS SIGN}\N{INFINITY}") == -inf
    assert read_window("(-\N{INFINITY}, -2)") == (-inf, -2)
    assert read_value("-") == read_window("never") == NEVER


@pytest.mark.parametrize("text", ["c2 c3", "c3, c2", "C2;C3", "c2 , c3"])
def test_branches_may_be_written_in_many_ways(text):
    assert judged(book(), "cuts:C", text).right


@pytest.mark.parametrize("text", ["none", "no", "-", []])
def test_no_branch_may_be_written_in_many_ways(text):
    assert judged(book(), "cuts:B", text).right


def test_a_program_may_give_numbers_pairs_and_the_nodes_that_branches_lead_to():
    made = book()
    assert judged(made, "value:B", 3).right
    assert judged(made, "window:C", [3, inf]).right
    assert judged(made, "cuts:C", ["C2", "C3"]).right
    assert not judged(made, "cuts:C", ["C9"]).readable


def test_moves_of_several_words_are_read():
    names = [("take 3", "B1"), ("take 4", "B2"), ("none", "B3")]
    assert read_branches("take 3, Take 4", names) == {"B1", "B2"}
    assert read_branches("none", names) == {"B3"}
    assert read_branches("all", names) == {"B1", "B2", "B3"}


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("value:B", "three", "cannot read 'three': give a number such as 3, -3 or inf"),
        ("value:B", "nan", "cannot read 'nan'"),
        ("value:B", "1e3", "cannot read '1e3'"),
        ("window:B", "3", "cannot read '3': give alpha and beta, as in (3, inf)"),
        ("window:B", "1, 2, 3", "give alpha and beta"),
        ("cuts:B", "z9", "cannot read 'z9': give some of b1, b2, b3, or none."),
        ("move", "b1", "cannot read 'b1': give one of a1, a2, a3."),
        ("value:B", {"a": 1}, "cannot read"),
        ("value:B", "9" * 5000, ""),
    ],
)
def test_what_cannot_be_read_is_said_to_be_so(question, text, told):
    verdict = judged(book(), question, text)
    assert not verdict.right
    assert told in verdict.explanation
    assert verdict.readable is (told == "")


def test_an_unknown_question_is_refused():
    with pytest.raises(PerfectPlayError, match=r"there is no question 'value:Z': did you mean 'value:"):
        book().check({"value:Z": "3"})


# What may have gone wrong.


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("value:B", "12", "12 is the largest: B is MIN."),
        ("value:B", "-3", "All values are to MAX, so no sign changes"),
        ("value:B", "-", "B is looked at."),
        ("window:B", "-", "B is looked at."),
        ("window:C", "(-inf, inf)", "(-inf, inf) is the window of A."),
        ("window:C", "(inf, 3)", "Alpha stands first, and then beta."),
        ("window:A", "(3, inf)", "(3, inf) is the window when A is done; asked is the one on entering."),
        ("cuts:C", "c3", "More is cut."),
        ("cuts:C", "c2", "Once a branch is cut, all those after it are cut too."),
        ("cuts:C", "all", "c1 is the first branch, before which there is nothing to compare."),
        ("cuts:D", "d3", "d3 is cut too early: before it the value is 5, and not <= alpha 3."),
        ("cuts:D", "d3", "2 <= alpha 3 holds only after its last branch"),
        ("cuts:B", "b3", "Here alpha is -inf, so all branches are looked at."),
        ("move", "a2", "a2 returns 2."),
    ],
)
def test_common_mistakes_are_named(question, answer, told):
    verdict = judged(book(), question, answer)
    assert not verdict.right
    assert told in verdict.explanation


def tree_exercise(tree, kind: str = "alpha-beta") -> Exercise:
    return make_exercise(ExplicitTree.from_nested(tree), kind=kind)


def test_a_minimax_value_is_told_from_a_bound():
    made = tree_exercise([[5, 6, 7], [4, 1, 8]])
    assert made.wanted(made.questions[6]) == "4"
    told = judged(made, "value:C", "1").explanation
    assert told.startswith("1 is the minimax value of C; alpha-beta returns a bound here. C: after")


def test_equal_is_enough_for_a_cut():
    made = tree_exercise([[5, 6, 7], [5, 1, 8]])
    assert judged(made, "cuts:C", "none").explanation.startswith("Equal is enough for a cut.")


def test_a_move_whose_bound_is_as_large_is_not_the_best():
    made = tree_exercise([[5, 6, 7], [5, 1, 8]])
    told = judged(made, "move", "1").explanation
    assert told.startswith("move 1 returns 5 as well, but that is only a bound.")
    assert told.endswith("comes by move 0, and of equal ones the first counts.")
    made = tree_exercise([[5, 6, 7], [5, 8, 8]], "minimax")
    told = judged(made, "move", "1").explanation
    assert told.startswith("move 1 returns 5 as well, but only a better value counts.")


def test_a_node_that_is_never_looked_at_wants_a_dash_and_says_which_cut_spared_it():
    made = tree_exercise([[[3, 4], [5, 6]], [[1, 2], [8, 9]]])
    assert made.wanted(next(each for each in made.questions if each.name == "value:G")) == "-"
    assert judged(made, "value:G", "-").right
    assert judged(made, "cuts:G", "none").right
    assert judged(made, "cuts:G", ["G1", "G2"]).right
    assert not judged(made, "cuts:G", ["G2"]).right
    verdict = judged(made, "window:G", "(4, inf)")
    assert not verdict.right
    assert verdict.explanation == (
        "G is never looked at. C: after move 0 the value is 2, and 2 <= alpha 4, so MIN has enough: "
        "move 1 is never looked at."
    )


# What cannot be.


class Flat(Game[int, int]):
    """Ten moves of two choices that change nothing."""

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> list[int]:
        return [0, 1]

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return state == 10

    def utility(self, state: int, player: int) -> float:
        return 0


class Odd(Flat):
    """The same, worth something that is no number."""

    def evaluate(self, state: int, player: int) -> float:
        return "much"  # type: ignore[return-value]


class Stuck(Flat):
    """The same, without moves."""

    def actions(self, state: int) -> list[int]:
        return []


def test_a_game_that_gives_no_exercise_says_so():
    with pytest.raises(
        NoExerciseError, match=r"no small tree of Flat with values that differ and a cut was fou"
    ):
        make_exercise(Flat())
    with pytest.raises(
        NoExerciseError, match=r"values that differ was found from here: try another position, a"
    ):
        make_exercise(Flat(), kind="minimax")


def test_a_game_that_is_over_gives_none():
    match = Match(TicTacToe(), ["a1", "a2", "b1", "b2", "c1"])
    with pytest.raises(
        GameOverError, match="the game is over here, and nothing can be asked: give fewer moves"
    ):
        make_exercise(match.game, match.state)


def test_a_broken_game_is_named_as_such():
    with pytest.raises(BrokenGameError, match="evaluate gave 'much', which is no number"):
        make_exercise(Odd())
    with pytest.raises(BrokenGameError, match="a state has no actions and is not terminal"):
        make_exercise(Stuck())


def test_an_unknown_kind_is_refused():
    with pytest.raises(PerfectPlayError, match="there is no exercise 'alphabeta': did you mean 'alpha-beta'"):
        make_exercise(TicTacToe(), kind="alphabeta")


class Wordy(Game[tuple, str]):
    """A game of somebody's own: moves and boards with all that a page must escape, and two of one name."""

    players = 3

    def initial(self) -> tuple:
        return ()

    def to_move(self, state: tuple) -> int:
        return len(state) % 3

    def actions(self, state: tuple) -> list[str]:
        return ["<script>alert(1)</script>", "&\"'", "a, b", "none"]

    def result(self, state: tuple, action: str) -> tuple:
        return (*state, self.actions(state).index(action))

    def is_terminal(self, state: tuple) -> bool:
        return len(state) == 4

    def utility(self, state: tuple, player: int) -> float:
        worth = sum((place + 2) * number * number for place, number in enumerate(state)) % 17
        return worth if player == MAX else -worth

    def evaluate(self, state: tuple, player: int) -> float:
        return self.utility(state, player)

    def render(self, state: tuple) -> str:
        return f"<b onclick='x'>{state}</b>\x00\n]]>&lt;"


class Namesakes(Wordy):
    """Moves that are all called the same."""

    def action_name(self, action: str) -> str:
        return "m"


def test_a_game_of_ones_own_with_several_min_players_works():
    made = make_exercise(Wordy(), seed=3)
    assert made.game == "Wordy"
    assert all(verdict.right for verdict in made.check(right_answers(made)))
    assert {node.role for node in made.tree.inner} <= {"max", "min"}


def test_moves_of_one_name_are_told_apart_by_their_nodes():
    made = make_exercise(Namesakes(), seed=3)
    assert all(verdict.right for verdict in made.check(right_answers(made)))
    assert made.wanted(made.questions[-1]) in made.tree.root.children


def test_a_game_goes_by_its_name_on_the_command_line():
    assert game_name(ConnectFour(rows=5)) == "connect-four:rows=5"
    assert game_name(TicTacToe()) == "tic-tac-toe"
    assert game_name(Nim(heaps=(2, 3))) == "nim:heaps=2+3"
    assert game_name(Flat()) == "Flat"


# Trees by chance: expectiminimax, max^n, UCB1.


@pytest.mark.parametrize("kind", RANDOM_KINDS)
def test_trees_by_chance_come_out_round_and_their_solutions_are_right(kind):
    for seed in range(12):
        made = random_exercise(kind, seed)
        assert made.to_dict() == random_exercise(kind, seed).to_dict()
        answers = {each.question: each.wanted for each in made.solution}
        assert all(verdict.right for verdict in made.check(answers))
        if kind == "uct":
            best = max((name for name in answers if name != "move"), key=lambda name: float(answers[name]))
            assert made.run.visits["A"].best == best.partition(":")[2]
            continue
        game = made.tree.explicit()
        if kind == "max-n":
            assert answers["value:A"] == worth(max_n(game, "A")[0])
        else:
            assert float(answers["value:A"]) == expectiminimax(game, "A")
            assert all(float(answers[name]).is_integer() for name in answers if name != "move")
            circles = [node for node in made.tree.inner if node.role == "chance"]
            assert all(
                sum(child.probability for child in made.tree.children(node.name)) == 1 for node in circles
            )


@pytest.mark.parametrize(
    ("kind", "wrong", "nudge"),
    [
        ("expectiminimax", {"value:B": "3"}, "plain average"),
        ("max-n", {"value:D": "(4, 7, 0)"}, ""),
        ("uct", {"value:C": "-1"}, "second term is missing"),
        ("uct", {"move": "a2"}, "lower"),
    ],
)
def test_a_wrong_answer_about_a_tree_by_chance_is_nudged_and_not_given_away(kind, wrong, nudge):
    (verdict,) = random_exercise(kind, 3).check(wrong)
    assert not verdict.right
    assert nudge in verdict.nudge
    assert verdict.wanted not in verdict.nudge


def test_trees_by_chance_have_sheets_and_solutions():
    made = [random_exercise(kind, 5) for kind in RANDOM_KINDS]
    for text in (sheet(made), solution(made)):
        assert "max^n" in text
        for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
            ET.fromstring(picture)
    assert "is CHANCE: " in solution(made)
    assert "is CHANCE: " not in sheet(made)
