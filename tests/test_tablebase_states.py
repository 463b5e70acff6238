"""States of all kinds: all of them are packed, alike in Python and in machine code."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_games import Graph, random_graph
from perfectplay import Engine, Game
from perfectplay.compiler.forms import Numbers, holds
from perfectplay.compiler.traps import Misfit
from perfectplay.errors import BadParameterError, BadTablebaseError, UnknownStateError
from perfectplay.tablebase import Entry, Tablebase, build_tablebase, compress, verify
from perfectplay.tablebase.layout import Layout, signed
from test_tablebase import bytes_of


class Count(Game):
    """Count to ten by ones and twos."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return range(0) if self.is_terminal(state) else range(1, 3)

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= 10

    def utility(self, state, player):
        return 1 if player == 0 else -1


# Wide numbers.


class Span(Count):
    """From one end of the integers to the other."""

    def to_move(self, state):
        return 0

    def result(self, state, action):
        return -(1 << 63) if action == 1 else (1 << 63) - 1

    def is_terminal(self, state):
        return state != 0

    def utility(self, state, player):
        return (1 if state > 0 else -1) * (1 if player == 0 else -1)


class Floats(Count):
    """Floats of both signs, a number and a flag."""

    def initial(self):
        return (0.5, 0, False)

    def to_move(self, state):
        return state[1]

    def result(self, state, action):
        return (state[0] - 2.0 if action == 2 else state[0] + 1.0, 1 - state[1], state[0] > 1.0)

    def is_terminal(self, state):
        return state[0] > 3.0 or state[0] < -3.0

    def utility(self, state, player):
        return state[0] if player == 0 else -state[0]


class Late(Count):
    """A lower and a higher number than any game played at random is likely to show."""

    def result(self, state, action):
        return -(1 << 63) if state + action == 9 else (1 << 63) - 1 if state + action > 9 else state + action

    def is_terminal(self, state):
        return state < 0 or state >= 10

    def to_move(self, state):
        return state & 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Span, Floats])
def test_wide_numbers_give_the_same_bytes_in_python_and_in_machine_code(kind, tmp_path):
    game = kind()
    build_tablebase(game, tmp_path / "plain", compile="never")
    build_tablebase(game, tmp_path / "fast", compile="always")
    assert bytes_of(tmp_path / "plain") == bytes_of(tmp_path / "fast")
    assert verify(tmp_path / "plain", game) == []
    with (
        Tablebase(tmp_path / "plain", game, compile="never") as slow,
        Tablebase(tmp_path / "fast", game) as fast,
    ):
        waiting = [game.initial()]
        for state in waiting:
            assert slow.probe(state) == fast.probe(state)
            waiting += [game.result(state, action) for action in game.actions(state)][: 200 - len(waiting)]
        assert slow.probe_many(waiting) == [*map(fast.probe, waiting)]


@pytest.mark.slow
def test_a_layout_that_proves_too_narrow_at_both_ends_is_widened(tmp_path, monkeypatch):
    from perfectplay.tablebase import forming

    monkeypatch.setattr(forming, "PLAYOUTS", 0)
    for mode in ("never", "always"):
        build_tablebase(Late(), tmp_path / mode, compile=mode)
    assert bytes_of(tmp_path / "never") == bytes_of(tmp_path / "always")
    assert verify(tmp_path / "never", Late()) == []


@given(st.integers(-(2**70), 2**70))
def test_a_number_wraps_as_in_machine_code(number):
    assert signed(number) == np.array([number & (2**64 - 1)], np.uint64).view(np.int64)[0]


words = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(words, st.floats(), st.booleans()), min_size=1, max_size=5))
def test_any_states_of_one_shape_can_be_packed_and_unpacked(states):
    form = Numbers(states[0])
    layout = Layout.of([*map(form.leaves, states)])
    for state in states:
        packed = layout.pack(form.leaves(state))
        assert packed is not None
        assert form.leaves(form.state(layout.unpack(packed))) == form.leaves(state)


# States of other kinds.


def positions(game):
    """All states of a game, by its rules."""
    states = {game.initial(): None}
    waiting = [*states]
    for state in waiting:
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in states:
                    states[child] = None
                    waiting.append(child)
    return waiting


def value(game, state):
    """What a state is worth to MAX, by minimax."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


class Growing(Count):
    """Tuples of varying length."""

    def initial(self):
        return (0,)

    def to_move(self, state):
        return len(state) % 2

    def result(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) > 4

    def utility(self, state, player):
        return (sum(state) % 3 - 1) * (1 if player == 0 else -1)


class Word(Growing):
    """A board in a string, which grows."""

    def initial(self):
        return "."

    def result(self, state, action):
        return state + "xo"[action - 1]

    def utility(self, state, player):
        return (state.count("x") - 2) * (1 if player == 0 else -1)


class Piece(Enum):
    CROSS = "x"
    NOUGHT = "o"


class Board(NamedTuple):
    cells: tuple
    last: Piece | None


@dataclass(frozen=True)
class Place:
    board: Board
    turn: int


class Rows(Growing):
    """A dataclass with a named tuple, members of an enum and nothing at all in it."""

    def initial(self):
        return Place(Board((None, None, None), None), 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [place for place, cell in enumerate(state.board.cells) if cell is None]

    def result(self, state, action):
        piece = Piece.CROSS if state.turn == 0 else Piece.NOUGHT
        cells = list(state.board.cells)
        cells[action] = piece
        return Place(Board(tuple(cells), piece), 1 - state.turn)

    def is_terminal(self, state):
        return None not in state.board.cells

    def utility(self, state, player):
        mine = state.board.cells[0] is Piece.CROSS
        return (1 if mine else -1) * (1 if player == 0 else -1)


class Uncertain(Count):
    """An integer, or a float: 5 and 5.0 are one state."""

    def result(self, state, action):
        return state + 2.5 if action == 2 else state + 1

    def to_move(self, state):
        return 0


class Halves(Uncertain):
    """A float, or an integer."""

    def initial(self):
        return 0.5

    def result(self, state, action):
        return 10 if action == 2 else state + 1


class Flags(Count):
    """What begins as a truth value becomes a number."""

    def initial(self):
        return (0, False)

    def to_move(self, state):
        return 0

    def result(self, state, action):
        return (state[0] + action, 7 * action)

    def is_terminal(self, state):
        return state[0] > 5


class Subsets(Growing):
    """Frozensets, which have no order."""

    def initial(self):
        return frozenset()

    def actions(self, state):
        return [number for number in (11, 3, 8, 200) if number not in state]

    def result(self, state, action):
        return state | {action}

    def is_terminal(self, state):
        return len(state) == 3

    def utility(self, state, player):
        return (1 if sum(state) > 30 else -1) * (1 if player == 0 else -1)


class Vast(Count):
    """Numbers of more than 64 bits."""

    def initial(self):
        return (1 << 63) - 3

    def is_terminal(self, state):
        return state > 1 << 63


class Own(Growing):
    """States of a class of one's own."""

    class Heap:
        def __init__(self, size):
            self.size = size

        def __eq__(self, other):
            return isinstance(other, Own.Heap) and self.size == other.size

        def __hash__(self):
            return hash(self.size)

    def initial(self):
        return self.Heap(7)

    def to_move(self, state):
        return state.size % 2

    def actions(self, state):
        return range(1, min(state.size, 3) + 1)

    def result(self, state, action):
        return self.Heap(state.size - action)

    def is_terminal(self, state):
        return state.size == 0

    def utility(self, state, player):
        return -1 if player == 0 else 1


KINDS = [Growing, Word, Rows, Uncertain, Halves, Flags, Subsets, Vast, Own]


@pytest.mark.slow
@pytest.mark.parametrize("playouts", [1000, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_states_of_any_kind_are_solved_and_have_the_same_bytes_in_both_modes(
    kind, playouts, tmp_path, monkeypatch
):
    from perfectplay.tablebase import forming

    monkeypatch.setattr(forming, "PLAYOUTS", playouts)
    monkeypatch.setattr(forming, "NEAR", 2)
    game = kind()
    for mode in ("never", "auto"):
        build_tablebase(game, tmp_path / mode, compile=mode)
    assert bytes_of(tmp_path / "never") == bytes_of(tmp_path / "auto")
    assert verify(tmp_path / "auto", game) == []
    states = positions(game)
    for mode in ("never", "auto"):
        with Tablebase(tmp_path / "auto", game, compile=mode) as table:
            assert len(table) == len(states)
            assert table.start == game.initial()
            for state in states:
                sign = 1 if game.to_move(state) == 0 else -1
                assert table.probe(state).value == sign * value(game, state)
            assert table.probe_many(states) == [*map(table.probe, states)]
            assert table.get("no state at all") is None


@pytest.mark.parametrize("kind", [Growing, Word, Rows, Flags])
def test_states_of_plain_kinds_are_built_by_machine_code(kind, tmp_path):
    build_tablebase(kind(), tmp_path, compile="always")
    with Tablebase(tmp_path, kind(), compile="always") as table:
        assert len(table) == len(positions(kind()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Growing, Word, Rows])
def test_a_search_looks_states_of_any_kind_up(kind, tmp_path):
    game = kind()
    start = game.result(game.initial(), game.actions(game.initial())[0])
    build_tablebase(game, tmp_path, start=start)
    with Tablebase(tmp_path, game) as table:
        for mode in ("never", "always"):
            engine = Engine(game, tablebase=table, compile=mode)
            assert engine.solve(game.initial()).value == value(game, game.initial()) * (
                1 if game.to_move(game.initial()) == 0 else -1
            )


def test_the_form_of_states_is_kept_and_a_strange_one_is_refused(tmp_path):
    build_tablebase(Rows(), tmp_path, compile="never")
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    for form in (None, 7, {"class": "Nowhere", "fields": []}, {"text": -1}, {"row": "int", "room": 1 << 40}):
        changed = json.dumps(manifest | {"form": form})
        (tmp_path / "manifest.json").write_text(changed)
        with pytest.raises(BadTablebaseError):
            Tablebase(tmp_path, Rows())


def test_a_state_that_can_be_changed_is_refused(tmp_path):
    class Odd(Count):
        def initial(self):
            return [1]

    with pytest.raises(BadParameterError, match=r"Odd begins with the state \[1\], which can be changed"):
        build_tablebase(Odd(), tmp_path, compile="never")
    assert not (tmp_path / "manifest.json").exists()


def test_a_build_begins_at_a_state_of_the_same_kinds(tmp_path):
    with pytest.raises(BadParameterError, match=r"1.5 is no state of Count: give one like 0"):
        build_tablebase(Count(), tmp_path, start=1.5, compile="never")


# Asking for anything.


class Pair(NamedTuple):
    left: int
    turn: bool


class Nested(Count):
    """Named tuples in a tuple, and a symmetry that stumbles over strange states."""

    def initial(self):
        return (Pair(6, False), 0)

    def to_move(self, state):
        return 1 if state[0].turn else 0

    def actions(self, state):
        number = 1
        while number <= min(state[0].left, 2):
            yield number
            number += 1

    def result(self, state, action):
        return (Pair(state[0].left - action, not state[0].turn), action % 2)

    def is_terminal(self, state):
        return state[0].left == 0

    def canonical(self, state):
        if state[0].left > 6:
            raise ValueError("there are no such heaps")
        return (state[0], 0)


STRANGE = [
    *(
        1000,
        10**12,
        2**63,
        2**70,
        -(2**63),
        -5,
        1.5,
        1.0,
        float("nan"),
        None,
        "x",
        "1",
        b"1",
        frozenset(),
        ...,
    ),
    *((), (1,), (1, 2), ((1,),), (None,), (Pair(1, False), 0.5), (Pair(7, False), 0), ((1, 2), 0), [1], {}),
]


@pytest.fixture(
    scope="module",
    params=[
        "never",
        pytest.param("always", marks=pytest.mark.slow),
        pytest.param("compressed", marks=pytest.mark.slow),
    ],
)
def tables(request, tmp_path_factory):
    """Tables of numbers and of tuples, with the states that are in them."""
    found = []
    for game in (random_graph(3, circles=True), Nested()):
        mode = "never" if request.param == "compressed" else request.param
        directory = build_tablebase(game, tmp_path_factory.mktemp("table"), compile=mode)
        if request.param == "compressed":
            compress(directory)
        states = [game.initial()]
        for state in states:
            new = [] if game.is_terminal(state) else [game.result(state, a) for a in game.actions(state)]
            states += [each for each in dict.fromkeys(new) if each not in states]
        found.append((Tablebase(directory, game, compile=mode), states))
    return found


@pytest.mark.parametrize("state", STRANGE, ids=repr)
def test_what_is_no_state_is_not_there(state, tables):
    default = Entry(9, "tie", 9)
    for table, states in tables:
        assert table.get(state, default) is default
        assert state not in table
        assert table.probe_many([state, states[0], state]) == [None, table.probe(states[0]), None]
        with pytest.raises(UnknownStateError) as refused:
            table.probe(state)
        alike = holds(table.form, state)
        wanted = "no game comes there" if alike else f"its states are like {states[0]!r}."
        assert wanted in str(refused.value)


anything = st.recursive(
    st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=2)),
    lambda parts: st.one_of(st.tuples(parts), st.tuples(parts, parts), st.builds(Pair, parts, parts)),
    max_leaves=4,
)


def is_there(table, states, state):
    """Is it made as the states are, and the same as one of them by symmetry?"""
    try:
        image = table.game.canonical(table.form.state(table.form.leaves(state)))
    except (Misfit, ValueError):
        return False
    return image in map(table.game.canonical, states)


@given(anything)
def test_asking_for_anything_raises_nothing(tables, state):
    for table, states in tables:
        found = table.get(state)
        assert (found is not None) == is_there(table, states, state)
        assert table.probe_many([state]) == [found]


def test_states_that_are_equal_are_the_same_state(tables):
    for table, states in tables:
        for state in states:
            twins = [state]
            if isinstance(state, int):
                twins += [np.int64(state), *([bool(state)] if state < 2 else [])]
            else:
                twins += [((state[0].left, int(state[0].turn)), np.int32(state[1]))]
            assert len({table.probe(twin) for twin in twins}) == 1
            assert table.probe_many(twins) == [table.probe(state)] * len(twins)


def test_nothing_asked_nothing_answered(tables):
    for table, _ in tables:
        assert table.probe_many([]) == []
        values, ends = table.probe_arrays([])
        assert (len(values), len(ends)) == (0, 0)


def test_arrays_are_of_integers_and_of_what_can_be(tables):
    table, states = tables[1]
    rows = np.array([table.form.leaves(state) for state in states])
    wanted = [table.probe(state) for state in states]
    assert table.probe_many(rows) == table.probe_many(rows.astype(np.uint64)) == wanted
    rows[0, 1] = 2  # no truth value
    rows[1, 0] = 7  # `canonical` stumbles over it
    assert table.probe_many(rows) == [None, None, *wanted[2:]]
    wide = rows.astype(np.uint64)
    wide[2, 0] |= np.uint64(1 << 63)
    assert table.probe_many(wide)[2] is None
    for wrong in (rows.astype(float), rows[:, 0], rows[:, :2], rows.astype(object)):
        with pytest.raises(BadParameterError, match="cannot be: give 3 integers a state"):
            table.probe_many(wrong)


# Lines of play.


class Road(Graph):
    """With some positions to a level, so that it is solved soon."""

    def tier(self, state):
        return state // 50


@pytest.mark.slow
def test_a_line_goes_to_the_end_however_long_it_is(tmp_path):
    """Who loses walks the whole road, though the first move could lead anywhere on it."""
    length = 1100
    starts = (0, *range(length, 2 * length), 2 * length - 1)
    targets = (*range(1, length + 1), *range(2, length + 1))
    game = Road(starts, targets, (0,) * length + (2,), (0,) * length + (-1,))
    build_tablebase(game, tmp_path, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        assert table.probe(0) == Entry(-1, "loss", length)
        line = table.line(0)
        assert line == [0, *range(length, 2 * length - 1)]
        assert table.line(0, 7) == table.line(0, most=7) == line[:7]
        assert table.line(0, 0) == table.line(length) == []


def circle(length: int, back: int) -> Graph:
    """One move after the other, and then back to a state, for ever."""
    return Graph(
        (*range(length + 2),), (*range(1, length + 1), back), (0,) * (length + 1), (0,) * (length + 1)
    )


@pytest.mark.parametrize(("length", "back", "line"), [(4, 2, [0, 1, 2, 3]), (1, 0, [0]), (0, 0, [0])])
def test_the_line_of_a_draw_stops_before_a_state_comes_again(length, back, line, tmp_path):
    game = circle(length, back)
    build_tablebase(game, tmp_path, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        assert table.probe(0).outcome == "draw"
        assert table.line(0) == line
        assert list(Engine(game, compile="never", tablebase=table).solve(0).line) == line


class Quiet(str):
    """A text that is joined in small letters."""

    def __add__(self, other):
        return Quiet(str(self) + other.lower())


class Seven(int):
    """A number that begins again after six."""

    def __add__(self, other):
        return Seven((int(self) + other) % 7)


class Row(tuple):
    """A tuple with methods."""

    def __add__(self, other):
        return Row((*self, other, other))


@dataclass(frozen=True)
class Derived(Game):
    """Two players add to what is there, six times; whatever it is derived from, its own methods count."""

    start: object
    more: tuple

    def initial(self):
        return self.start, 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return [] if self.is_terminal(state) else list(self.more)

    def result(self, state, action):
        return state[0] + action, state[1] + 1

    def is_terminal(self, state):
        return state[1] == 6

    def utility(self, state, player):
        text = repr(state[0])
        worth = (
            text.count("a") + 3 * text.count("b") - 5 * text.count("A") + text.count("2") + text.count("5")
        )
        return worth if player == 0 else -worth


DERIVED = [(Quiet("x"), ("A", "b")), (Seven(3), (1, 2)), (Row((1,)), (2, 3))]


@pytest.mark.parametrize(("start", "more"), DERIVED)
def test_classes_derived_from_numbers_and_texts_keep_their_methods(start, more, tmp_path) -> None:
    game = Derived(start, more)
    truth = value(game, game.initial())
    assert Engine(game).solve(game.initial()).value == truth
    with Tablebase(build_tablebase(game, tmp_path), game) as table:
        assert table.probe(game.initial()).value == truth
