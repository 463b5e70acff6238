"""A trace is the run itself: the same nodes, prunings, values and table, and nothing of it made up."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterexamples import BOUND_KEPT_AS_VALUE, GUESS_KEPT_WITHOUT_DEPTH, LIMIT
from perfectplay import MAX, Game, PerfectPlayError, load_game, textbook
from perfectplay.games import ExplicitTree
from perfectplay.play import Match
from perfectplay.textbook import (
    ALGORITHMS,
    Node,
    alpha_beta,
    expectimax,
    max_value,
    minimax,
    monte_carlo_tree_search,
    run,
    value,
)
from perfectplay.textbook.minimax_search import max_value as max_value_of_search
from perfectplay.textbook.monte_carlo_tree_search import simulate
from perfectplay.trace import Trace, trace
from random_games import random_chance_game, random_game

BOOK = load_game("figure-5.2")
PLAYOUTS = "monte-carlo-tree-search"
NAMES = sorted(name for name in ALGORITHMS if name != PLAYOUTS)
COIN = ExplicitTree(  # MAX bets on a coin that falls on tails twice as often, or on one that MIN looks at
    {
        "A": {"a": "B", "b": "C", "c": "D"},
        "B": {"heads": "B1", "tails": "B2"},
        "C": {"heads": "E", "tails": "C1"},
        "D": {"heads": "D1", "edge": "D2", "tails": "D3"},
        "E": {"x": "E1", "y": "E2"},
    },
    {"B1": 3, "B2": 9, "C1": 0, "D1": 1, "D2": 2, "D3": 9, "E1": 8, "E2": 2},
    {"A": "max", "B": "exp", "C": "exp", "D": "exp", "E": "min"},
    probabilities={"B": {"heads": 1 / 3, "tails": 2 / 3}},
    bounds=(0, 10),
)
THREE = ExplicitTree(  # the beginning of figure 5.4 of Russell and Norvig
    {"A": {"a": "B", "b": "C"}, "B": {"c": "B1", "d": "B2"}, "C": {"e": "C1", "f": "C2"}},
    {"B1": (1, 2, 6), "B2": (4, 3, 3), "C1": (6, 1, 2), "C2": (7, 4, 1)},
    {"A": 0, "B": 1, "C": 2},
)


def game_for(name: str, seed: int, *, tree: bool = False, players: int = 2) -> ExplicitTree:
    """A random game that the algorithm is for, with chance or more players where it takes them."""
    algorithm = ALGORITHMS[name]
    if not algorithm.takes_chance or seed % 2:
        return random_game(seed, tree=tree, players=players)
    own = algorithm.takes_utilities and bool(seed % 4)
    return random_chance_game(seed, players=players, zero_sum=not own)


def depth_of(name: str) -> int | None:
    return 3 if ALGORITHMS[name].takes_depth else None


def position(game_name: str, *moves: str):
    match = Match(load_game(game_name), moves)
    return match.game, match.state


# It is the run itself.


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(NAMES), st.integers(2, 3))
def test_it_counts_and_finds_what_the_algorithm_does_when_nobody_looks(seed, tree, name, players):
    game = game_for(name, seed, tree=tree, players=players)
    recorded = trace(name, game, depth=depth_of(name))
    alone = run(name, game, game.initial(), depth=depth_of(name))
    assert recorded.complete
    if name in ("star1", "star2"):  # what chance may bring is made before anything of it is cut
        generated = [node for node in recorded.nodes if not node.skipped or node.probability]
        assert len(generated) == alone.nodes
    else:
        assert recorded.totals["nodes"] == alone.nodes
        assert recorded.totals["prunings"] == (alone.prunings if ALGORITHMS[name].prunes else 0)
    if name == "expectimax" and game.to_move(game.initial()) > 0:  # `run` lets this player find a move
        assert recorded.value == expectimax(game, game.initial(), 3)
        return
    if recorded.values is not None:
        assert recorded.values[0] == alone.value
        assert alone.values in (None, tuple(recorded.values))
    else:
        assert recorded.value == (-alone.value if recorded.values_to == "MIN" else alone.value)
    if alone.action is not None:
        assert recorded.action == game.action_name(alone.action)
    if alone.table is not None:
        assert recorded.totals["table_entries"] == len(alone.table)


@given(st.integers(0, 10**6), st.sampled_from(["minimax-search", "value", "minimax", "minimax-decision"]))
def test_every_value_of_a_whole_search_is_the_minimax_value_of_its_state(seed, name):
    game = random_game(seed)
    recorded = trace(name, game)
    states = states_of(recorded, game)
    sign = 1 if recorded.values_to == "MAX" else -1
    for number, node in enumerate(recorded.nodes):
        assert node.value == sign * value(game, states[number])


def states_of(recorded: Trace, game: Game) -> list:
    """The state of every node, by playing the actions that are recorded."""
    states = [game.initial()]
    for node in recorded.nodes[1:]:
        above = states[node.parent]
        names = {game.action_name(action): action for action in game.actions(above)}
        states.append(game.result(above, names[node.action]))
    return states


@given(st.integers(0, 10**6), st.sampled_from(["alpha-beta-search", "alpha-beta", "sound-alpha-beta"]))
def test_the_children_are_the_actions_in_their_order_whether_visited_or_skipped(seed, name):
    game = random_game(seed)
    recorded = trace(name, game)
    states = states_of(recorded, game)
    for number, below in enumerate(recorded.children):
        node = recorded.nodes[number]
        if node.leaf is None and node.skipped is None and below:
            assert [recorded.nodes[child].action for child in below] == list(game.actions(states[number]))
        skipped = [recorded.nodes[child].skipped for child in below if recorded.nodes[child].skipped]
        assert not skipped or {node.cut} == set(skipped)


# Chance, many players and playouts.


@given(st.integers(0, 10**6), st.sampled_from([name for name in NAMES if ALGORITHMS[name].takes_chance]))
def test_where_chance_moves_the_probabilities_add_up_and_the_value_is_their_average(seed, name):
    game = random_chance_game(seed)
    recorded = trace(name, game)
    for number, below in enumerate(recorded.children):
        node, children = recorded.nodes[number], [recorded.nodes[child] for child in below]
        if node.role != "chance" or not children:
            assert not any(child.probability for child in children)
            continue
        assert node.best is None
        assert sum(child.probability for child in children) == pytest.approx(1)
        if node.values is not None:
            total = [sum(child.probability * child.values[i] for child in children) for i in (0, 1)]
            assert node.values == pytest.approx(total)
        elif not node.cut and all(child.value is not None for child in children):
            assert node.value == pytest.approx(sum(child.probability * child.value for child in children))


def test_expectiminimax_of_a_small_tree_is_what_one_works_out_by_hand():
    assert trace("expectiminimax", COIN).to_text() == "\n".join(
        [
            "MAX = 7 by a",
            "├─ a: CHANCE = 7",
            "│  ├─ heads (1/3): = 3 [end of the game]",
            "│  └─ tails (2/3): = 9 [end of the game]",
            "├─ b: CHANCE = 1",
            "│  ├─ heads (1/2): MIN = 2 by y",
            "│  │  ├─ x: = 8 [end of the game]",
            "│  │  └─ y: = 2 [end of the game]",
            "│  └─ tails (1/2): = 0 [end of the game]",
            "└─ c: CHANCE = 4",
            "   ├─ heads (1/3): = 1 [end of the game]",
            "   ├─ edge (1/3): = 2 [end of the game]",
            "   └─ tails (1/3): = 9 [end of the game]",
            "",
            "value     7 to MAX, by a",
            "nodes     13, 8 of them leaves, 3 of chance",
        ]
    )


def test_star1_cuts_at_a_chance_node_by_what_is_left_to_come_and_star2_by_one_look():
    one, two = trace("star1", COIN), trace("star2", COIN)
    cuts = [
        [(node.action, node.cut) for node in each.nodes if node.role == "chance" and node.cut]
        for each in (one, two)
    ]
    assert cuts == [[("b", "2 <= low 4"), ("c", "1 <= low 1")], [("b", "0 <= low 6"), ("c", "1 <= low 1")]]
    assert [node.action for node in one.nodes if node.skipped] == ["tails", "edge", "tails"]
    (probed,) = [node for node in two.nodes if node.probe]
    assert (probed.action, probed.value, two.nodes[probed.parent].limits) == ("x", 8, [0, 8])
    assert one.value == two.value == 7


def test_max_n_has_a_vector_at_every_node_and_says_who_moves():
    recorded = trace("max-n", THREE)
    assert [(node.role, node.player, node.values) for node in recorded.nodes if node.role != "end"] == [
        ("player", 0, [6, 1, 2]),
        ("player", 1, [4, 3, 3]),
        ("player", 2, [6, 1, 2]),
    ]
    assert (recorded.values, recorded.action, recorded.values_to) == ([6, 1, 2], "b", "every player")
    assert "├─ a: PLAYER 1 = (4, 3, 3) by d" in recorded.to_text()
    assert trace("paranoid", THREE).values_to == "player 0"


def test_where_others_move_at_random_their_actions_are_outcomes():
    recorded = trace("expectimax", BOOK)
    assert {node.role for node in recorded.nodes} == {"max", "chance", "end"}
    assert {node.probability for node in recorded.nodes if node.ply == 2} == {1 / 3}
    assert recorded.value == run("expectimax", BOOK, "A").value


@pytest.mark.parametrize("game", [COIN, THREE, load_game("tic-tac-toe"), load_game("pig:goal=10")])
def test_a_playout_has_four_phases_in_their_order_and_the_tree_is_that_of_the_search(game):
    recorded = trace(PLAYOUTS, game, playouts=30, seed=7)
    phases = "".join(event.kind[0] if event.kind != "simulate" else "m" for event in recorded.events)
    assert re.fullmatch(r"c(s+emb+){30}r", phases)
    tree = Node(game, game.initial(), None)
    chosen = monte_carlo_tree_search(game, game.initial(), playouts=30, seed=7, tree=tree)
    assert recorded.action == game.action_name(chosen)
    places = {0: tree}
    for number, node in enumerate(recorded.nodes):
        if number:
            children = places[node.parent].children
            places[number] = children[next(a for a in children if game.action_name(a) == node.action)]
        averages = [total / places[number].playouts for total in places[number].totals]
        assert node.visits == places[number].playouts
        assert (node.values or [node.value]) == averages[: len(node.values or [0])]
    last = {event.node: event.data for event in recorded.events if event.kind == "backup"}
    assert {number: data["visits"] for number, data in last.items()} == {
        number: place.playouts for number, place in places.items()
    }


def test_selection_takes_the_highest_ucb1_of_the_player_who_chooses():
    recorded = trace(PLAYOUTS, load_game("tic-tac-toe"), playouts=60)
    choices = [event.data for event in recorded.events if event.kind == "select" and "chosen" in event.data]
    assert choices
    for data in choices:
        best = max(data["scores"], key=lambda score: score[3])
        assert data["chosen"] == best[0]
        assert all(score[1] + score[2] == score[3] for score in data["scores"])


def test_a_trace_of_the_first_version_is_read_as_before():
    data = trace("alpha-beta", BOOK).to_dict() | {"version": 1}
    for name in ("players", "values", "playouts", "c"):
        del data[name]
    assert Trace.from_dict(data) == trace("alpha-beta", BOOK)


# What was cut, and why.


def test_the_books_tree_loses_c2_and_c3_to_the_comparison_of_the_book():
    recorded = trace("alpha-beta-search", BOOK)
    skipped = [(node.action, node.skipped) for node in recorded.nodes if node.skipped]
    assert skipped == [("c2", "2 <= alpha 3"), ("c3", "2 <= alpha 3")]
    assert (recorded.value, recorded.action) == (3, "a1")
    (cut, last) = [event for event in recorded.events if event.kind == "cut"]
    code = dict(recorded.code)
    assert code[cut.line].strip() == "return v, move"
    assert code[cut.line - 1].strip() == "if v <= alpha:"
    assert last.data["nodes"] == [], "d3 is the last action: the cut spares nothing"


def test_a_cut_by_break_is_a_cut_as_well():
    recorded = trace("sound-alpha-beta", BOOK)
    code = dict(recorded.code)
    assert {code[event.line].strip() for event in recorded.events if event.kind == "cut"} == {"break"}
    assert [node.action for node in recorded.nodes if node.skipped] == ["c2", "c3"]


def test_a_comparison_with_beta_is_told_with_its_numbers():
    game, state = position("tic-tac-toe", "b2", "a1", "c1", "a3", "a2")
    assert "1 >= beta 0" in {node.cut for node in trace("alpha-beta", game, state).nodes}


def test_actions_that_a_generator_never_gave_are_told_from_those_in_a_list():
    lazy, state = position("tic-tac-toe", "b2", "a1", "c1", "a3", "a2")
    assert trace("alpha-beta", lazy, state).totals["never_generated"] == 7
    assert trace("alpha-beta", BOOK).totals["never_generated"] == 0, "its actions are a list"


# Whose values they are.


def test_the_books_values_are_those_of_the_player_at_the_root():
    game, state = position("tic-tac-toe", "b2")
    recorded = trace("alpha-beta-search", game, state, limit=400)
    assert recorded.values_to == "MIN"
    assert recorded.nodes[0].role == "max", "MIN is the one who maximizes here"
    assert trace("alpha-beta", game, state, limit=400).nodes[0].role == "min"


def test_a_player_who_moves_twice_running_keeps_the_role():
    game = load_game("kalah:pits=2,seeds=1")
    recorded = trace("alpha-beta", game)
    twice = [
        node
        for node in recorded.nodes[1:]
        if node.role == recorded.nodes[node.parent].role and node.player == recorded.nodes[node.parent].player
    ]
    assert twice


# The table, and what its entries are worth.


@given(st.integers(0, 10**6), st.sampled_from(["minimax", "alpha-beta", "sound-alpha-beta"]))
def test_an_entry_is_worth_what_the_trace_says(seed, name):
    game = random_game(seed, states=18, values=9)
    recorded = trace(name, game)
    states = states_of(recorded, game)
    for entry in recorded.entries:
        true = value(game, states[entry.node])
        if entry.truth == "exact":
            assert entry.lower == entry.upper == true
        if entry.truth == "at most":
            assert true <= entry.upper
        if entry.truth == "at least":
            assert true >= entry.lower
        if entry.truth == "between" or not entry.believed:
            assert entry.lower <= true <= entry.upper
        assert name != "minimax" or entry.truth == "exact"


def test_the_bound_that_the_course_takes_for_a_value_is_marked_where_it_is_stored_and_where_it_is_believed():
    recorded = trace("alpha-beta", BOUND_KEPT_AS_VALUE)
    assert recorded.value == 1, "which is wrong"
    assert recorded.totals["bounds_believed"] > 0
    warnings = [event.data["warning"] for event in recorded.events if "warning" in event.data]
    assert warnings == ["the value is at most 1, and is taken to be 1"]
    assert recorded.entries[-1].truth == "doubtful", "the root rests on that bound"
    assert trace("sound-alpha-beta", BOUND_KEPT_AS_VALUE).value == 0
    sound = trace("sound-alpha-beta", BOUND_KEPT_AS_VALUE)
    assert sound.totals["bounds_believed"] == 0
    assert not [event for event in sound.events if "warning" in event.data]


def test_an_estimate_that_answers_at_another_depth_is_marked():
    recorded = trace("alpha-beta-with-heuristics", GUESS_KEPT_WITHOUT_DEPTH, depth=LIMIT)
    warnings = [event.data["warning"] for event in recorded.events if "warning" in event.data]
    assert warnings == ["an estimate from depth 3 is taken for one from depth 2"]


@given(st.integers(0, 10**6), st.sampled_from(["minimax", "alpha-beta", "sound-alpha-beta"]))
def test_the_best_action_of_a_node_is_the_one_that_the_algorithm_stored(seed, name):
    recorded = trace(name, random_game(seed))
    for entry in recorded.entries:
        assert recorded.nodes[entry.node].best == entry.action


@pytest.mark.slow
def test_every_wrong_entry_of_the_course_is_marked_as_no_value():
    wrong = []
    for seed in range(200):
        game = random_game(seed, states=20)
        recorded = trace("alpha-beta", game)
        states = states_of(recorded, game)
        wrong += [entry for entry in recorded.entries if entry.lower != value(game, states[entry.node])]
    assert wrong
    assert {entry.truth for entry in wrong} <= {"at most", "at least", "doubtful"}


# The lines.


@pytest.mark.parametrize("name", NAMES)
def test_every_line_that_is_recorded_is_a_line_that_is_shown(name):
    recorded = trace(name, BOOK, depth=depth_of(name))
    shown = {number for number, _ in recorded.code}
    assert {event.line for event in recorded.events} <= shown
    calls = sum(event.kind == "call" for event in recorded.events)
    assert calls == sum(event.kind == "return" for event in recorded.events)


def test_variables_are_told_when_they_change():
    recorded = trace("alpha-beta-search", BOOK)
    alphas = [event.data["alpha"] for event in recorded.events if event.node == 0 and "alpha" in event.data]
    assert alphas == [-inf, 3]


def test_functions_that_have_no_name_on_the_command_line_can_be_recorded():
    assert trace(max_value, BOOK).value == 3
    assert trace(alpha_beta, BOOK, alpha=4, beta=5).value <= 4
    assert trace(minimax, BOOK, table={}).totals["table_stores"] == 13


# It ends.


def test_a_large_game_is_recorded_up_to_the_limit_and_says_where_it_stopped():
    recorded = trace("minimax", load_game("connect-four"), limit=1000)
    assert len(recorded.events) == 1000
    assert not recorded.complete
    assert recorded.value is None
    assert recorded.note.startswith("Stopped because 1,000 events were recorded, at ply ")
    assert "the tree is not complete" in recorded.note


@pytest.mark.slow
def test_a_game_of_many_moves_ends_in_time_and_in_size():
    for name in ("mnk:m=26,n=26", "nim:heaps=60+60+60+60+60"):
        recorded = trace("alpha-beta-search", load_game(name))
        assert not recorded.complete
        assert len(recorded.nodes) <= 12_600
        assert len(recorded.to_html()) < 10_000_000


class Endless(Game[int, int]):
    """A game without an end."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + 1

    def is_terminal(self, state):
        return False

    def utility(self, state, player):
        return 0


class Slow(Endless):
    """A game whose rules take long: its next action never comes."""

    def actions(self, state):
        while self.to_move(state) < 2:
            pass
        yield 1


def test_a_game_that_is_too_deep_for_python_ends_with_a_note():
    recorded = trace("minimax-search", Endless(), limit=10**6)
    assert "too long for Python's stack" in recorded.note


def test_rules_that_never_answer_are_left_when_the_time_is_up():
    recorded = trace("minimax-search", Slow(), seconds=0.2)
    assert "the time was up" in recorded.note


@pytest.mark.slow
def test_whenever_the_time_is_up_the_recording_ends_there_and_says_so(monkeypatch):
    """Also where a cut leaves a loop: what is raised in a generator that is being closed is lost."""
    whole = trace("alpha-beta-search", BOOK)
    looks = 0

    def clock():
        nonlocal looks
        looks += 1
        return inf if looks > last else 0.0

    monkeypatch.setattr("perfectplay.trace.record.monotonic", clock)
    last = inf
    trace("alpha-beta-search", BOOK)
    for last in range(1, looks):  # noqa: B007 - the clock reads it
        looks = 0
        recorded = trace("alpha-beta-search", BOOK)
        assert not recorded.complete
        assert recorded.note.startswith("Stopped because the time was up")
        assert recorded.events == whole.events[: len(recorded.events)]


class Failing(Endless):
    """A game whose rules fail."""

    def result(self, state, action):
        raise ZeroDivisionError("rules")


def test_an_error_of_the_rules_comes_out_and_the_tracing_is_over():
    before = sys.gettrace()
    with pytest.raises(ZeroDivisionError, match="rules"):
        trace("minimax", Failing())
    assert sys.gettrace() is before


def test_a_tracer_that_was_there_before_is_there_again():
    seen = []

    def mine(frame, event, argument):
        seen.append(event)

    before = sys.gettrace()
    sys.settrace(mine)
    try:
        trace("minimax", BOOK)
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


class Thinking(Endless):
    """A game whose rules run the same algorithm on a game of their own."""

    def is_terminal(self, state):
        return state == 2

    def utility(self, state, player):
        return 1 if run("minimax-search", BOOK, "A").value == 3 else 0


def test_what_the_rules_search_on_their_own_is_not_recorded():
    assert trace("minimax-search", Thinking()).totals["nodes"] == 3
    assert {event.node for event in trace("minimax-search", Thinking()).events} == {0, 1, 2}


# As data.


@pytest.mark.parametrize("name", NAMES)
def test_saved_and_loaded_it_is_the_same(name, tmp_path):
    recorded = trace(name, BOOK, depth=depth_of(name))
    recorded.save(tmp_path / "run.json")
    assert Trace.load(tmp_path / "run.json") == recorded
    json.loads((tmp_path / "run.json").read_text(), parse_constant=lambda name: pytest.fail(name))


def test_a_game_with_a_scene_has_its_shapes_once():
    game, state = position("tic-tac-toe", "b2", "a1", "c1", "a3", "a2")
    recorded = trace("alpha-beta", game, state)
    assert all(board.text for board in recorded.states)
    if game.scene(state) is not None:
        drawn = [tuple(recorded.shapes[number]["numbers"]) for number in recorded.states[0].shapes]
        assert drawn == [shape.numbers for shape in game.scene(state).shapes]
        texts = [json.dumps(shape) for shape in recorded.shapes]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("not json", "holds no JSON"),
        ("[" * 100_000, "holds no JSON"),
        ("{}", "this is no trace"),
        ('{"format": "perfectplay-trace", "version": 3}', "version 3"),
        ('{"format": "perfectplay-trace", "version": 1}', "damaged"),
    ],
)
def test_a_file_that_is_no_trace_is_refused_in_a_sentence(tmp_path, text, sentence):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(PerfectPlayError, match=sentence):
        Trace.load(tmp_path / "bad.json")


def test_a_trace_with_numbers_that_lead_nowhere_is_refused(tmp_path):
    data = trace("minimax", BOOK).to_dict()
    for spoil in (
        {"nodes": [{**data["nodes"][0], "state": 99}]},
        {"events": [["line", 99, 1]]},
        {"events": [["dance", 0, 1]]},
        {"nodes": [data["nodes"][0], {**data["nodes"][1], "parent": 1}]},
    ):
        with pytest.raises(PerfectPlayError, match="damaged"):
            Trace.from_dict(data | spoil)


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(PerfectPlayError, match="cannot read"):
        Trace.load(tmp_path / "nowhere.json")


# As something to look at.


def test_the_text_is_the_books_tree():
    assert trace("alpha-beta-search", BOOK).to_text() == "\n".join(
        [
            "MAX (-inf, inf) = 3 by a1",
            "├─ a1: MIN (-inf, inf) = 3 by b1",
            "│  ├─ b1: (-inf, inf) = 3 [end of the game]",
            "│  ├─ b2: (-inf, 3) = 12 [end of the game]",
            "│  └─ b3: (-inf, 3) = 8 [end of the game]",
            "├─ a2: MIN (3, inf) = 2 by c1 [cut: 2 <= alpha 3]",
            "│  ├─ c1: (3, inf) = 2 [end of the game]",
            "│  ├─ c2: skipped, for 2 <= alpha 3",
            "│  └─ c3: skipped, for 2 <= alpha 3",
            "└─ a3: MIN (3, inf) = 2 by d3 [cut: 2 <= alpha 3]",
            "   ├─ d1: (3, inf) = 14 [end of the game]",
            "   ├─ d2: (3, 14) = 5 [end of the game]",
            "   └─ d3: (3, 5) = 2 [end of the game]",
            "",
            "value     3 to MAX, by a1",
            "nodes     11, 7 of them leaves",
            "prunings  2, which skipped 2 actions",
        ]
    )


def test_a_long_text_is_cut_where_asked():
    lines = trace("minimax", BOOK).to_text(most=3).splitlines()
    assert lines[3] == "... and 10 lines more"


def test_the_picture_is_well_formed_and_shows_what_was_cut(tmp_path):
    picture = trace("alpha-beta-search", BOOK).to_svg(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text() == picture
    words = [element.text for element in ET.fromstring(picture).iter() if element.text]
    assert words.count("2 <= alpha 3") == 2
    assert {"a1", "c2", "14"} <= set(words)


def test_a_large_tree_is_folded_in_the_picture():
    recorded = trace("minimax", load_game("tic-tac-toe"), limit=20_000)
    drawn = recorded.to_svg()
    root = ET.fromstring(drawn)
    assert float(root.get("width")) <= 1600  # it can be read when it is printed on a page
    assert float(root.get("height")) <= 900
    folded = [text for element in root.iter() if (text := element.text or "").startswith("+")]
    shown = drawn.count("<polygon") + drawn.count("<rect") - 1
    assert shown + sum(int(text[1:].replace(",", "")) for text in folded) == len(recorded.nodes)


def test_names_of_a_game_cannot_break_out_of_the_picture():
    recorded = trace("minimax", BOOK, title="<script>&")
    ET.fromstring(recorded.to_svg())
    assert "<script>" not in recorded.to_svg()


# Requests that cannot be met.


@pytest.mark.parametrize(
    ("algorithm", "arguments", "sentence"),
    [
        ("minimux", {}, "did you mean 'minimax'"),
        (print, {}, "no search of the textbook"),
        (textbook.run, {}, "no search of the textbook"),
        (textbook.DepthLimit, {}, "no search of the textbook"),
        ("minimax", {"depth": 3}, "always looks to the end"),
        (minimax, {"depth": 3}, "always looks to the end"),
        (max_value_of_search, {"depth": 3}, "always looks to the end"),
        ("minimax", {"limit": 0}, "records nothing"),
        ("minimax", {"alpha": 3}, "takes no alpha"),
        (simulate, {}, "no search of the textbook"),
        (PLAYOUTS, {"playouts": 0}, "find no move"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_a_sentence(algorithm, arguments, sentence):
    with pytest.raises(PerfectPlayError, match=sentence):
        trace(algorithm, BOOK, **arguments)


def test_values_of_any_kind_of_number_can_be_saved():
    class Thirds(Endless):
        def is_terminal(self, state):
            return state == 1

        def utility(self, state, player):
            return Fraction(1, 3) if player == MAX else Fraction(-1, 3)

    assert json.loads(trace("minimax", Thirds()).to_json())["value"] == pytest.approx(1 / 3)


# On the command line.


def cli(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "perfectplay", "trace", *words], capture_output=True, text=True, check=False
    )


def test_the_command_prints_a_tree():
    done = cli("alpha-beta-search", "figure-5.2")
    assert "c2: skipped, for 2 <= alpha 3" in done.stdout
    assert done.returncode == 0


@pytest.mark.slow
def test_the_command_gives_data_and_pictures(tmp_path):
    data = json.loads(cli("alpha-beta", "tic-tac-toe", "--moves", "b2", "a1", "c1", "a3", "--json").stdout)
    assert data["moves"] == ["b2", "a1", "c1", "a3"]
    assert Trace.from_dict(data).game == "tic-tac-toe"
    ET.fromstring(cli("alpha-beta", "figure-5.2", "--svg").stdout)
    assert "is ready" in cli("alpha-beta", "figure-5.2", "--json", str(tmp_path / "run.json")).stdout
    assert Trace.load(tmp_path / "run.json").complete


def test_the_command_sets_two_algorithms_side_by_side():
    done = cli("minimax-search", "figure-5.2", "--compare", "alpha-beta-search")
    row = next(
        line for line in done.stdout.splitlines() if line.startswith("nodes  ") and "leaves" not in line
    )
    assert row.split() == ["nodes", "13", "11"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tic-tac-toe", "minimax"], "is a game: give the algorithm first"),
        (["minimax", "figure-5.2", "--svg", "/nowhere/x.svg"], "cannot write '/nowhere/x.svg'"),
        (["minimax", "figure-5.2", "--json", "--compare", "value"], "--compare sets two runs side by side"),
        (["minimax", "figure-5.2", "--limit", "0"], "give a whole number of 1 or more"),
    ],
)
def test_a_command_that_cannot_be_obeyed_is_refused_in_a_sentence(words, sentence):
    done = cli(*words)
    assert sentence in done.stderr
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_what_was_not_recorded_is_said_on_standard_error():
    done = cli("minimax", "connect-four", "--limit", "50", "--json")
    assert "50 events were recorded" in done.stderr
    assert json.loads(done.stdout)["complete"] is False
