"""Rules that stay in Python are searched by machine code over numbered states: the same, and asked once."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections import Counter
from enum import Enum, IntEnum
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest

from classes_beyond import BEYOND, Baskets, Calendar, JsonNim, Patterns, TicTacToeOfPositions
from perfectplay import Engine, Game
from perfectplay.compiler import Trap
from perfectplay.engine import numbering
from perfectplay.engine.digests import Digests
from perfectplay.engine.numbered_game import NumberedCandidates, NumberedGame
from perfectplay.engine.numbering import NumberedSearch
from perfectplay.game import default_key
from perfectplay.games import ExplicitTree
from perfectplay.tablebase import Tablebase, build_tablebase
from random_games import random_game
from uncompilable import GALLERY

GAMES = [game for game in (*GALLERY, *BEYOND) if game.__name__ != "OpensFile"]  # which closes no file


class Talkative(Game[Any, Any]):
    """A random game with every hook there is, which counts its questions, and so stays in Python."""

    def __init__(self, seed: int, states: int = 60, width: int = 4) -> None:
        self.tree: ExplicitTree = random_game(seed, states=states, width=width)
        self.worth = dict(values_of(self.tree))
        self.asked: dict[Any, int] = {}

    def note(self, *question: Any) -> None:
        self.asked[question] = self.asked.get(question, 0) + 1

    def initial(self) -> Any:
        return "state", 0

    def to_move(self, state: Any) -> Any:
        return 0 if state[1] not in self.tree.moves else self.tree.to_move(state[1])

    def actions(self, state: Any) -> Any:
        for action in self.tree.actions(state[1]):
            self.note("action", state, action)
            yield action

    def candidates(self, state: Any) -> Any:
        return self.actions(state)

    def result(self, state: Any, action: Any) -> Any:
        self.note("result", state, action)
        return "state", self.tree.result(state[1], action)

    def is_terminal(self, state: Any) -> Any:
        self.note("is_terminal", state)
        return self.tree.is_terminal(state[1])

    def utility(self, state: Any, player: int) -> Any:
        return self.tree.utility(state[1], player)

    def evaluate(self, state: Any, player: int) -> Any:
        self.note("evaluate", state)
        return self.tree.evaluate(state[1], player)

    def order(self, state: Any, action: Any) -> Any:
        self.note("order", state, action)
        return len(action) * 7 % 5

    def bounds(self, state: Any, player: int) -> Any:
        if state[1] % 3:
            return -inf, inf
        value = self.worth[state[1]] if player == 0 else -self.worth[state[1]]
        return value - 2, value + 1

    def is_quiet(self, state: Any) -> Any:
        self.note("is_quiet", state)
        return state[1] % 5 != 0

    def key(self, state: Any) -> Any:
        self.note("key", state)
        return state[1] * 0x9E3779B97F4A7C15 % 2**64


class WithoutCandidates(Talkative):
    """The same without a say in what is tried: forced moves are not played at once then."""

    candidates = Game.candidates


class WithDigests(Talkative):
    """The same with keys that are digests, so that the table holds the states."""

    key = Game.key


def values_of(tree: ExplicitTree) -> Any:
    values: dict[Any, float] = {}

    def value(state: Any) -> float:
        if state not in values:
            if tree.is_terminal(state):
                values[state] = tree.utility(state, 0)
            else:
                found = [value(tree.result(state, action)) for action in tree.actions(state)]
                values[state] = max(found) if tree.to_move(state) == 0 else min(found)
        return values[state]

    value(0)
    return values


def numbered(game: Game[Any, Any], **options: Any) -> Engine:
    """An engine that searches numbered states."""
    engine = Engine(game, table_mb=1, **options)
    assert not engine.compiled
    assert engine.why_not
    assert isinstance(engine._compiled_search, NumberedSearch)
    return engine


def told(answer: Any) -> Any:
    return (
        answer.value,
        answer.line,
        answer.nodes,
        answer.hits,
        answer.exact,
        answer.depth,
        answer.lower,
        answer.upper,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Talkative, WithoutCandidates, WithDigests])
@pytest.mark.parametrize("seed", range(3))
def test_the_search_over_numbers_visits_the_same_states_as_the_one_in_python(kind: Any, seed: int) -> None:
    game = kind(seed)
    slow, fast = Engine(game, table_mb=1, compile="never"), numbered(game)
    start = game.initial()
    assert [*map(told, slow.deepen(start))] == [*map(told, fast.deepen(start))]
    for driver in ("mtdf", "bisection"):
        for engine in (slow, fast):
            engine.forget()
        assert told(slow.solve(start, driver=driver)) == told(fast.solve(start, driver=driver))
    for depth in (1, 3):
        assert slow.rank(start, depth=depth) == fast.rank(start, depth=depth)
    assert slow.rank(start) == fast.rank(start)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_games_that_stay_in_python_have_the_same_answers_by_numbers(game: Any) -> None:
    slow, fast = Engine(game(), table_mb=1, compile="never"), Engine(game(), table_mb=1)
    start = game().initial()
    assert not fast.compiled
    for limits in ({"depth": 3}, {"nodes": 700}):
        assert told(slow.search(start, **limits)) == told(fast.search(start, **limits))
    assert told(slow.solve(start, nodes=3000)) == told(fast.solve(start, nodes=3000))


def test_proof_numbers_are_counted_over_numbers_too() -> None:
    for seed in range(6):
        game = Talkative(seed)
        slow, fast = Engine(game, table_mb=1, compile="never"), numbered(game)
        answers = [engine.solve(game.initial(), driver="proof-number") for engine in (slow, fast)]
        assert told(answers[0]) == told(answers[1])
        assert fast._prover is not None


def test_the_rules_of_numbers_mean_the_same_to_python() -> None:
    game = WithDigests(3)
    known = numbering.Numbering(game, None)
    rules = NumberedCandidates()
    waiting, seen = [game.initial()], set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        number = known.address(state)
        assert known.state_at(number) == state
        assert rules.is_terminal(number) == game.is_terminal(state)
        assert rules.key(number) == game.key(state)
        if game.is_terminal(state):
            assert rules.utility(number, 0) == game.utility(state, 0)
            continue
        assert rules.to_move(number) == game.to_move(state)
        assert rules.bounds(number, 0) == tuple(game.bounds(state, game.to_move(state)))
        assert rules.evaluate(number, 0) == game.evaluate(state, 0)
        assert rules.is_quiet(number) == game.is_quiet(state)
        for action, move in zip(game.candidates(state), rules.candidates(number), strict=True):
            child = game.result(state, action)
            assert known.state_at(rules.result(number, move)) == child
            assert rules.order(number, move) == game.order(state, action)
            waiting.append(child)
    assert len(seen) > 20


def test_what_the_rules_raise_awaits_whoever_asked() -> None:
    class Broken(WithDigests):
        def evaluate(self, state: Any, player: int) -> Any:
            raise ZeroDivisionError("here")

    known = numbering.Numbering(Broken(3), None)
    with pytest.raises(Trap):
        NumberedGame().evaluate(known.address(Broken(3).initial()), 0)
    (error,) = known.failures.values()
    assert isinstance(error, ZeroDivisionError)


class CountedNim(JsonNim):
    """Nim that counts its questions."""

    def __init__(self) -> None:
        self.asked: Counter[Any] = Counter()

    def result(self, state: Any, action: Any) -> Any:
        self.asked["result", state, action] += 1
        return super().result(state, action)

    def is_terminal(self, state: Any) -> Any:
        self.asked["is_terminal", state] += 1
        return super().is_terminal(state)

    def evaluate(self, state: Any, player: int) -> Any:
        self.asked["evaluate", state] += 1
        return len(state) % 3

    def key(self, state: Any) -> Any:
        self.asked["key", state] += 1
        return super().key(state)

    def order(self, state: Any, action: Any) -> Any:
        self.asked["order", state, action] += 1
        return sum(action)


def test_every_question_is_asked_once() -> None:
    game = CountedNim()
    engine = numbered(game)
    start = game.initial()
    budget = engine._begin(start)[1]
    game.asked.clear()
    for depth in (1, 2, 3, 4, 10_000):
        engine._parallel.run(game, start, -inf, inf, depth, budget)
    assert len(game.asked) > 500
    assert set(game.asked.values()) == {1}


def test_actions_are_not_made_before_they_are_needed() -> None:
    game = Wide()
    engine = numbered(game)
    game.made = 0
    assert engine.solve(game.initial(), line=False).value == 1
    assert game.made < 50


class Wide(Game[Any, Any]):
    """Thousands of actions, of which the first wins at the second move."""

    def __init__(self) -> None:
        self.made = 0

    def initial(self) -> Any:
        return ()

    def to_move(self, state: Any) -> Any:
        return 0

    def actions(self, state: Any) -> Any:
        for action in range(10_000 if state else 3):
            self.made += 1
            yield action

    def result(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> Any:
        return len(state) == 2

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == 0 else -1

    def bounds(self, state: Any, player: int) -> Any:
        return (-1, 1)


def test_actions_that_had_to_wait_are_taken_up_where_they_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "OPEN", 0)
    for seed in range(5):
        game = WithDigests(seed)
        slow, fast = Engine(game, table_mb=1, compile="never"), numbered(game)
        assert told(slow.search(game.initial())) == told(fast.search(game.initial()))


@pytest.mark.slow
def test_threads_share_the_numbers() -> None:
    for seed in range(2):
        game = WithDigests(seed, states=150)
        value = values_of(game.tree)[0] * (1 if game.to_move(game.initial()) == 0 else -1)
        for _ in range(2):
            assert numbered(game, threads=3).solve(game.initial()).value == value


@pytest.mark.slow
def test_limits_and_stop_are_kept() -> None:
    game = Endless()
    engine = numbered(game)
    assert engine.search(game.initial(), nodes=100).nodes <= 100
    began = time.monotonic()
    assert not engine.search(game.initial(), seconds=0.1).exact
    assert time.monotonic() - began < 10
    threading.Timer(0.2, engine.stop).start()
    assert not engine.solve(game.initial()).exact


class Endless(Game[Any, Any]):
    """A tree that is too large for anyone."""

    def __init__(self) -> None:
        self.asked = 0

    def initial(self) -> Any:
        return (0,)

    def to_move(self, state: Any) -> Any:
        return len(state) % 2

    def actions(self, state: Any) -> Any:
        self.asked += 1
        return range(5)

    def result(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> Any:
        return len(state) > 60

    def utility(self, state: Any, player: int) -> Any:
        return sum(state) % 3 * (1 if player == 0 else -1)


def test_with_too_many_states_it_goes_on_without_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "MOST_STATES", 200)
    game = Patterns()
    expected = Engine(game, compile="never").solve(game.initial())
    engine = numbered(game)
    answer = engine.solve(game.initial())
    assert (answer.value, answer.exact) == (expected.value, True)
    assert engine._compiled_search is None
    assert engine.why_not


class Unhashable(list[int]):
    """A list, which is equal to others and has no hash."""


class Lists(Game[Any, Any]):
    """States that are lists from the second move on."""

    def __init__(self) -> None:
        self.asked = 0

    def initial(self) -> Any:
        return 3

    def to_move(self, state: Any) -> Any:
        self.asked += 1
        return self.left(state) % 2

    def left(self, state: Any) -> Any:
        return state if isinstance(state, int) else state[0]

    def actions(self, state: Any) -> Any:
        return [1, 2][: self.left(state)]

    def result(self, state: Any, action: Any) -> Any:
        return Unhashable([self.left(state) - action])

    def is_terminal(self, state: Any) -> Any:
        return self.left(state) == 0

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == 0 else -1


def test_states_without_a_hash_are_searched_without_numbers() -> None:
    game = Lists()
    engine = Engine(game)
    assert engine.solve(game.initial()).value == Engine(game, compile="never").solve(game.initial()).value
    assert engine._compiled_search is None


def test_a_game_that_is_changed_is_asked_again() -> None:
    game = Goal()
    engine = numbered(game)
    assert engine.solve(game.initial()).value == 1
    game.goal = 4
    assert engine.solve(game.initial()).value == -1


def test_proofs_are_asked_again_too() -> None:
    class Keyed(Goal):
        def key(self, state: Any) -> Any:
            return int(state)

    game = Keyed()
    engine = numbered(game)
    assert engine.solve(game.initial(), driver="proof-number").value == 1
    game.goal = 4
    assert engine.solve(game.initial()).value == -1
    assert engine.solve(game.initial(), driver="proof-number").value == -1


class Goal(Game[Any, Any]):
    """Count by ones: who reaches the goal wins."""

    def __init__(self) -> None:
        self.goal = 3
        self.calls: list[int] = []

    def initial(self) -> Any:
        return "0"

    def to_move(self, state: Any) -> Any:
        self.calls.append(1)
        return int(state) % 2

    def actions(self, state: Any) -> Any:
        return ["+"]

    def result(self, state: Any, action: Any) -> Any:
        return str(int(state) + 1)

    def is_terminal(self, state: Any) -> Any:
        return int(state) == self.goal

    def utility(self, state: Any, player: int) -> Any:
        return (1 if self.goal % 2 else -1) * (1 if player == 0 else -1)


def test_nothing_is_numbered_where_nothing_is_to_be_compiled() -> None:
    assert Engine(JsonNim(), compile="never")._compiled_search is None


@pytest.mark.slow
def test_an_engine_that_nobody_needs_gives_its_numbers_back() -> None:
    game = Baskets()
    engine = numbered(game)
    engine.search(game.initial(), depth=2)
    gone = weakref.ref(engine._compiled_search.numbering)
    del engine
    gc.collect()
    assert gone() is None


class Suit(Enum):
    HEARTS = 1
    SPADES = "s"


class Rank(IntEnum):
    ACE = 1


def test_digests_are_those_of_the_default_key() -> None:
    digests = Digests()
    random = Random(4)

    def drawn(depth: int) -> Any:
        kind = random.randrange(11 if depth else 8)
        if kind < 2:
            return random.choice([0, 1, -1, 2**63, -(2**63), 2**64, 2**70, random.getrandbits(40)])
        if kind == 2:
            return "".join(random.choices("xo.\xff", k=random.randrange(12)))
        if kind == 3:
            return random.choice(["é€", None, True, 1.0, -0.0, Fraction(1, 3), b"x"])
        if kind < 6:
            return random.choice([Suit.HEARTS, Suit.SPADES, Rank.ACE])
        if kind < 8:
            return tuple(random.randrange(-5, 5) for _ in range(random.randrange(6)))
        if kind == 8:
            return frozenset(random.choices([1, "a", (2,), None], k=3))
        return tuple(drawn(depth - 1) for _ in range(random.randrange(5)))

    values = [drawn(3) for _ in range(3000)] + ["x" * 9000, tuple(range(2000)), ("a",) * 2000]
    assert all(digests.key(value) == default_key(value) for value in values)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_tables_of_such_games_are_built_with_the_same_bytes_compiled_or_not(game: Any, tmp_path: Any) -> None:
    if game.__name__ in ("Formulas", "Patterns", "ConnectThreeInArrays"):
        pytest.skip("too large for a test")
    bytes_of = []
    for compile_ in ("auto", "never"):
        path = build_tablebase(game(), tmp_path / compile_, compile=compile_)
        root = game().initial()
        with Tablebase(path, game()) as table:
            assert table.get(root).value == pytest.approx(Engine(game(), compile="never").solve(root).value)
        files = sorted(path for path in (tmp_path / compile_).rglob("*") if path.is_file())
        bytes_of.append({path.name: path.read_bytes() for path in files if path.suffix != ".json"})
    assert bytes_of[0] == bytes_of[1]


def test_an_endgame_table_is_looked_into(tmp_path: Any) -> None:
    game = Calendar()
    with Tablebase(build_tablebase(game, tmp_path / "calendar"), game) as table:
        slow = Engine(game, table_mb=1, compile="never", tablebase=table)
        fast = numbered(game, tablebase=table)
        assert told(slow.solve(game.initial())) == told(fast.solve(game.initial()))


def test_objects_that_cache_are_searched_as_they_are() -> None:
    game = TicTacToeOfPositions()
    answer = numbered(game).solve(game.initial())
    assert (answer.value, answer.exact, len(answer.line)) == (0, True, 9)
