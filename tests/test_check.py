"""check_game: lawful games pass without a word, and each broken game gives its own finding."""

from __future__ import annotations

import inspect
import re
import statistics
import time
from collections import Counter
from typing import Any

import pytest

from broken_games import (
    GALLERY,
    ActionsMissing,
    BoundsFalse,
    Broken,
    CanonicalOutOfReach,
    CanonicalTakesThree,
    Counters,
    CountsUp,
    EvaluateForMax,
    GoesBack,
    GoodHeap,
    KeyBelowZero,
    LawfulHeaps,
    NameRaises,
    NoStart,
    ResultChangesTheState,
    ResultRaises,
    Roll,
    Scores,
    SeesNoWinInTheCorner,
    Shares,
    SwapsTheStones,
    Takeaway,
    TakeawayOfHeaps,
    TierFallsAtTheEnd,
    VeryDeep,
)
from perfectplay import scene
from perfectplay.check import Report, check_game
from perfectplay.check.answers import WANTED
from perfectplay.check.inspection import REMEDIES, WARNINGS
from perfectplay.errors import BrokenGameError
from perfectplay.game import MAX, Game, default_key
from perfectplay.games import GAMES, ExplicitTree, TicTacToe, load_game
from perfectplay.textbook import MinimaxInfo, minimax
from random_games import random_game

LONG = 60.0  # seconds: the other limits decide, on a slow machine too

SMALL = [
    "connect-four:rows=3,cols=3,k=3",
    "connect-four:rows=3,cols=3,k=3,score=course",
    "connect-four:rows=2,cols=4,k=2,score=outcome",
    "breakthrough:rows=4,cols=2",
    "dodgem",
    "domineering:rows=3,cols=4",
    "dots-and-boxes:rows=1,cols=3",
    "figure-5.2",
    "hexapawn",
    "kalah:pits=2,seeds=2",
    "kalah:pits=2,seeds=3,empty_capture=yes",
    "mnk:m=4,n=2,k=2",
    "nim:heaps=2+3+1",
    "nim:heaps=2+3,misere=yes",
    "three-mens-morris",
    "bear-off",
    "chinese-checkers:moves=8",
    "pacman:moves=4",
    "pacman:ghosts=min,number=2,moves=2",
    "pig:goal=7",
    "royal-game-of-ur:pieces=1,board=small",
]
CIRCULAR = (
    "chess-endgame",
    "dodgem",
    "nine-mens-morris",
    "three-mens-morris",
    "pig:goal=7",
    "royal-game-of-ur",
    "royal-game-of-ur:pieces=1,board=small",
)  # play can come back to an earlier state
LARGE = [
    "breakthrough",
    "chess-endgame",
    "connect-four",
    "connect-four:rows=9,cols=9",
    "domineering",
    "dots-and-boxes:rows=2,cols=3",
    "hexapawn:rows=6,cols=6",
    "kalah",
    "mnk:m=5,n=5,k=4",
    "nim:heaps=9+9+9+9",
    "nine-mens-morris",
    "othello:size=4",
    "othello",
    "einstein-wuerfelt-nicht",
    "royal-game-of-ur",
]


def kinds(report: Report) -> list[str]:
    return [finding.kind for finding in report.findings]


# Lawful games.


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_game_of_ours_is_lawful_in_all_its_states(name: str) -> None:
    report = check_game(load_game(name), seconds=LONG)
    assert kinds(report) == (["cycle"] if name in CIRCULAR else [])
    assert report.complete
    assert report.ok


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_every_game_of_ours_is_lawful_where_there_are_too_many_states(name: str) -> None:
    playouts = 2 if name in CIRCULAR else 10  # these are long
    report = check_game(load_game(name), states=200, playouts=playouts, seconds=LONG)
    assert kinds(report) == (["cycle"] if name in CIRCULAR else [])
    assert (report.states, report.complete, report.playouts) == (200, False, playouts)


def test_no_game_of_ours_is_left_out() -> None:
    assert {name.partition(":")[0] for name in SMALL + LARGE} | {"tic-tac-toe"} == set(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"players": 3}, {"tree": True}, {"states": 60, "width": 4}])
def test_random_games_are_lawful(options: dict[str, Any]) -> None:
    for seed in range(50):
        report = check_game(random_game(seed, **options), playouts=5, seconds=LONG)
        assert set(kinds(report)) <= {"evaluate-too-large"}  # their estimates are as random as the rest


@pytest.mark.parametrize("game", [Takeaway, LawfulHeaps, Scores, Counters, Roll, Shares])
def test_the_games_that_the_gallery_spoils_are_lawful(game: type[Game[Any, Any]]) -> None:
    assert check_game(game(), seconds=LONG).findings == ()


@pytest.mark.slow
def test_a_state_may_hold_anything_even_itself() -> None:
    class Knot(GoodHeap):
        def __init__(self, left: int, turn: int) -> None:
            super().__init__(left, turn)
            self.knot = self
            self.board = {"left": [left], "players": {0, 1}, "rule": len}

    class Knots(TakeawayOfHeaps):
        heap = Knot

    assert check_game(Knots(), seconds=LONG).findings == ()


def test_the_key_of_an_object_is_that_of_its_attributes() -> None:
    class Silent(GoodHeap):
        __repr__ = object.__repr__

    class Silents(TakeawayOfHeaps):
        heap = Silent

    assert check_game(Silents(), seconds=LONG).findings == ()


def test_equal_objects_have_equal_keys_whatever_the_order_of_their_sets_and_dicts() -> None:
    class Held:
        def __init__(self, **held: object) -> None:
            self.__dict__ |= held

    def key(**held: object) -> int:
        return default_key(Held(**held))

    late, early = {"b": 1, "a": [2]}, {"a": [2], "b": 1}
    many, grown = set(range(0, 80, 8)), set()
    for number in sorted(many, reverse=True):
        grown |= {number}
    grown |= {1, 2, 3}
    grown -= {1, 2, 3}
    assert key(x=late) == key(x=early) != key(x={"b": 1, "a": [3]})
    assert key(x=many) == key(x=grown) == key(x=frozenset(many)) != key(x=many | {1})
    assert key(x=[1, 2]) == key(x=[1, 2]) != key(x=[2, 1])
    assert key(x=Counter(a=1, b=0)) == key(x=Counter(a=1)) != key(x=Counter(b=1))
    assert key(x=(1, {2})) == default_key(Held(x=(1, {2}))) != key(x=(1, {3}))


# Broken games.


@pytest.mark.slow
@pytest.mark.parametrize("broken", GALLERY, ids=repr)
def test_each_broken_game_gives_its_own_finding(broken: Broken) -> None:
    patience = 0.5 if broken.kind.endswith("-not-return") else 10.0  # a busy machine is no fault of the rules
    report = check_game(broken.game(), seconds=LONG, rule_seconds=patience)
    assert kinds(report) == [broken.kind]
    if broken.line is not None:
        assert " ".join(report.findings[0].line) == broken.line


def test_the_gallery_shows_every_kind_of_finding() -> None:
    shown = {broken.kind for broken in GALLERY}
    for kind in (REMEDIES | WARNINGS).keys() - {"compiled-differs"}:  # that one is in test_engine.py
        assert any(kind in other for other in shown), kind
    for method in WANTED:
        assert f"{method.replace('_', '-')}-wrong" in shown
    assert set(re.findall(r'"(scene-[a-z]+)"', inspect.getsource(scene))) <= shown


def test_a_fault_of_many_shapes_is_told_once_for_each_state() -> None:
    class Lost(Counters):
        def scene(self, state: Any) -> Any:
            scene = super().scene(state)
            return scene._replace(shapes=scene.shapes[:1])

    (finding,) = check_game(Lost(), seconds=LONG).findings
    assert finding.message == (
        "the action 1 is clicked at '1', where no shape is: name places that shapes are `at`."
    )
    assert finding.count == 8  # the states in which there is something to take


def test_a_false_bound_is_found_late_in_a_large_game() -> None:
    report = check_game(SeesNoWinInTheCorner(), states=100, playouts=30, seconds=LONG)
    assert kinds(report) == ["bounds-false"]
    assert len(report.findings[0].line) >= 36


def test_a_false_symmetry_is_found_late_in_a_large_game() -> None:
    report = check_game(SwapsTheStones(), states=100, playouts=30, seconds=LONG)
    assert kinds(report) == ["canonical-changes-value"]
    assert len(report.findings[0].line) > 20


def test_an_action_that_lowers_the_tier_is_named() -> None:
    (finding,) = check_game(TierFallsAtTheEnd(), seconds=LONG).findings
    assert "the action 2 leads from tier 3 down to tier 0: let it be a number that no" in finding.message
    assert (finding.state, finding.severity) == ((2, MAX), "error")


def test_a_representative_that_goes_on_otherwise_is_told_with_a_state_that_shows_it() -> None:
    (finding,) = check_game(CanonicalTakesThree(), seconds=LONG).findings
    assert "the canonical state is (2, 0); it leads to a state like (0, 1), and the state does not" in str(
        finding
    )


def test_a_game_may_leave_symmetry_alone_in_some_states() -> None:
    class OnlyEarly(TicTacToe):
        def canonical(self, state: Any) -> Any:
            return super().canonical(state) if state[2] < 4 else state

    assert check_game(OnlyEarly(), states=500, playouts=5, seconds=LONG).findings == ()


def test_a_fault_that_is_seen_often_is_told_once_and_counted() -> None:
    (finding,) = check_game(KeyBelowZero(), seconds=LONG).findings
    assert finding.count == 10  # the states of the game
    assert finding.state == (5, MAX)


def test_an_exception_is_told_with_its_line() -> None:
    (finding,) = check_game(NoStart(), seconds=LONG).findings
    line = NoStart.initial.__code__.co_firstlineno + 1
    assert f"initial() raised NotImplementedError (line {line} of broken_games.py)" in finding.message
    (finding,) = check_game(ResultRaises(), seconds=LONG).findings
    assert "result(state, 1) raised KeyError: 'lost' (line" in finding.message
    assert (finding.state, finding.count) == ((2, MAX), 2)


def test_an_exception_in_the_standard_library_is_told_with_the_line_that_led_there() -> None:
    class Mean(Takeaway):
        def evaluate(self, state: Any, player: int) -> Any:
            return statistics.mean([])

    (finding,) = check_game(Mean(), seconds=LONG).findings
    line = Mean.evaluate.__code__.co_firstlineno + 1
    assert f"(line {line} of test_check.py)" in finding.message


def test_a_changed_state_is_told_as_it_was_and_as_it_is() -> None:
    (finding,) = check_game(ResultChangesTheState(), seconds=LONG).findings
    assert "result(state, 1) changed the state from Heap(5, 0) to Heap(4, 1)" in finding.message


def test_moves_without_a_name_are_told_as_python_writes_them() -> None:
    class NameAndEnd(NameRaises, ActionsMissing):
        pass

    report = check_game(NameAndEnd(), seconds=LONG)
    assert {finding.kind: finding.line for finding in report.findings} == {
        "action-name-raises": (),
        "actions-missing": ("2", "2"),
    }


def test_a_fault_below_a_canonical_state_is_told_with_the_way_there() -> None:
    class Above(CanonicalOutOfReach):
        def actions(self, state: Any) -> Any:
            return [1 // 0] if state[0] == 6 else super().actions(state)

    (finding,) = check_game(Above(), seconds=LONG).findings
    assert (finding.kind, finding.state[0], finding.line) == ("actions-raises", 6, ("t1", "canonical()"))


def test_a_class_instead_of_a_game_is_told() -> None:
    game: Any = Takeaway
    with pytest.raises(BrokenGameError, match="was given the class Takeaway: give it a game"):
        check_game(game)
    with pytest.raises(BrokenGameError, match="was given a str: give it a game"):
        check_game("tic-tac-toe")


def test_nothing_that_a_class_does_is_too_bad_to_be_told() -> None:
    class WorstError(Exception):
        def __str__(self) -> str:
            raise self

    class Worst(GoodHeap):
        def __repr__(self) -> str:
            raise WorstError

    class WorstGame(TakeawayOfHeaps):
        heap = Worst

        def evaluate(self, state: Any, player: int) -> Any:
            raise WorstError

    report = check_game(WorstGame(), seconds=LONG)
    assert not report.ok
    assert "WorstError" in str(report)
    assert "<a Worst that cannot be written>" in str(report)


# Values.


class Claiming(ExplicitTree):
    """A game with claims about its values to MAX."""

    claims: dict[Any, float]

    def bounds(self, state: Any, player: int) -> tuple[float, float]:
        worth = self.claims[state] if player == MAX else -self.claims[state]
        return worth, worth


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_the_values_behind_the_check_of_bounds_are_those_of_minimax(players: int) -> None:
    for seed in range(15):
        rules = random_game(seed, players=players)
        table: dict[Any, MinimaxInfo[Any]] = {}
        minimax(rules, rules.initial(), table)
        game = Claiming(rules.moves, rules.utilities, rules.turns, start=0)
        game.claims = {state: info.value for state, info in table.items()}
        assert check_game(game, playouts=0, seconds=LONG).findings == ()
        for state in table:
            game.claims[state] += 1
            (finding,) = check_game(game, playouts=0, seconds=LONG).findings
            assert (finding.kind, finding.state) == ("bounds-false", state)
            game.claims[state] -= 1


def test_values_are_known_at_any_depth() -> None:
    class DeepClaims(VeryDeep):
        """The player to move loses where the number left can be divided by three."""

        def bounds(self, state: Any, player: int) -> Any:
            wins = (state[0] % 3 != 0) == (player == state[1])
            return (1, 1) if wins and state[0] != 1_500 else (-1, -1)

    report = check_game(DeepClaims(), playouts=1, seconds=LONG)
    assert kinds(report) == ["bounds-false", "too-long"]
    assert report.findings[0].state[0] == 1_500


# Limits.


def test_the_limits_are_kept() -> None:
    report = check_game(TicTacToe(), states=10, playouts=3, seconds=LONG)
    assert (report.states, report.complete, report.playouts) == (10, False, 3)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_report() -> None:
    reports = [
        str(check_game(SwapsTheStones(), states=50, playouts=20, seed=7, seconds=LONG)) for _ in range(2)
    ]
    assert reports[0] == reports[1]


def test_a_slow_game_is_left_in_time() -> None:
    class Slow(Takeaway):
        start = 40
        called = 0

        def result(self, state: Any, action: Any) -> Any:
            Slow.called += 1
            time.sleep(0.005)
            return super().result(state, action)

    report = check_game(Slow(), seconds=0.2)
    assert Slow.called < 600
    assert report.findings == ()
    assert not report.complete


def test_an_endless_game_with_very_many_actions_is_left_in_time() -> None:
    class Wide(CountsUp):
        def actions(self, state: Any) -> Any:
            return range(1, 3_000)

    begin = time.process_time()
    report = check_game(Wide(), seconds=0.5)
    assert time.process_time() - begin < 8
    assert report.ok
    assert not report.complete


def test_as_many_states_and_playouts_are_checked_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broad(Takeaway):
        """A hundred moves everywhere, and never the same state twice: much to ask about few states."""

        def actions(self, state: Any) -> Any:
            return range(0 if self.is_terminal(state) else 100)

        def result(self, state: Any, action: Any) -> Any:
            return 100 * state[0] + action, 1 - state[1]

        def is_terminal(self, state: Any) -> Any:
            return state[0] > 10**6

    monkeypatch.setattr("perfectplay.check.inspection.CALLS", 2_000)
    usual = check_game(Broad())
    assert usual.states < 50
    assert usual.playouts < 20
    asked = check_game(Broad(), states=50, playouts=20, seconds=LONG)
    assert (asked.states, asked.playouts) == (50, 20)


# The report as text.


@pytest.mark.slow
def test_tic_tac_toe_is_lawful_in_all_its_states_and_gets_one_line() -> None:
    report = check_game(TicTacToe(), seconds=LONG)
    assert report.findings == ()
    assert str(report) == "TicTacToe: lawful; all 5,478 states and 100 playouts checked"


def test_a_finding_is_a_paragraph_with_its_moves_and_its_state() -> None:
    report = check_game(BoundsFalse(), seconds=LONG)
    assert not report.ok
    assert str(report) == (
        "BoundsFalse: 1 error; all 10 states and 100 playouts checked\n"
        "\n"
        "error: bounds(state, 1) is (-1, 0), and the value is 1: claim only what is proven. [bounds-false]\n"
        "  after t1:\n"
        "    (4, 1)"
    )


def test_a_warning_leaves_a_game_lawful() -> None:
    report = check_game(GoesBack(), playouts=1, seconds=LONG)
    assert report.ok
    assert str(report) == (
        "GoesBack: lawful, 1 warning; all 10 states and 1 playout checked\n"
        "\n"
        "warning: the state (5, 0) comes back after 2 moves: use alpha-beta-with-heuristics or "
        "sound-alpha-beta with a depth, for other algorithms may find no end. [cycle]\n"
        "  after t2 back:\n"
        "    (5, 0)"
    )


def test_errors_come_before_warnings() -> None:
    class Both(EvaluateForMax, BoundsFalse):
        pass

    report = check_game(Both(), seconds=LONG)
    assert kinds(report) == ["bounds-false", "evaluate-not-opposite"]
    assert str(report).startswith("Both: 1 error, 1 warning; all 10 states")


def test_the_board_is_drawn_below_the_state() -> None:
    class NoDraws(TicTacToe):
        def bounds(self, state: Any, player: int) -> Any:
            return (1, 1) if state[2] == 9 and player == MAX else (-1, 1)

    text = str(check_game(NoDraws(), states=10, playouts=40, seconds=LONG))
    assert "error: bounds(state, 0) is (1, 1), and the value is " in text
    lines = text.splitlines()
    where = next(index for index, line in enumerate(lines) if line.startswith("  after "))
    assert len(lines[where].split()) == 10  # nine moves
    assert [line[:7] for line in lines[where + 2 :]] == ["     3 ", "     2 ", "     1 ", "       "]


def test_large_boards_and_long_lines_are_shortened() -> None:
    class Large(Takeaway):
        start = 60

        def render(self, state: Any) -> str:
            return "\n".join(["|" * 300] * 30)

        def utility(self, state: Any, player: int) -> Any:
            return None

    (finding,) = check_game(Large(), seconds=LONG).findings
    assert len(finding.line) == 30
    text = str(finding)
    assert "after t2 t2 t2 t2 t2 t2 t2 t2 t2 t2 t2 t2 ... t2 t2" in text
    assert len(text.splitlines()) == 3 + 24 + 1
    assert text.endswith("    ...")
    assert max(map(len, text.splitlines())) < 110
