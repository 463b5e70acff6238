"""Proven values on disk: bound to the rules, bounded, whole after crashes, and none in a hostile file."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import struct
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from perfectplay.engine import Engine
from perfectplay.game import Game
from perfectplay.games import Nim, load_game
from perfectplay.proven import FILE, Proven, ProvenValues


@dataclass(frozen=True)
class Race(Game[int, int]):
    """Count up by one or two; who says the last number wins."""

    last: int = 9

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state & 1

    def actions(self, state: int) -> list[int]:
        return [step for step in (1, 2) if (state >> 1) + step <= self.last]

    def result(self, state: int, action: int) -> int:
        return ((state >> 1) + action) << 1 | (1 - (state & 1))

    def is_terminal(self, state: int) -> bool:
        return state >> 1 == self.last

    def utility(self, state: int, player: int) -> float:
        return 1 if player != state & 1 else -1


@pytest.fixture
def values(tmp_path):
    made = ProvenValues(tmp_path)
    yield made
    made.close()


def test_what_was_remembered_is_known_in_another_process_of_the_same_rules(values, tmp_path):
    game = load_game("connect-four")
    four = game.result(game.initial(), game.parse_action(game.initial(), "4"))
    values.of(game).remember([(game.initial(), Proven(1, (game.parse_action(game.initial(), "4"),)))])
    other = ProvenValues(tmp_path)
    found = other.of(load_game("connect-four")).known(game.initial())
    assert found == Proven(1.0, (game.parse_action(game.initial(), "4"),))
    assert other.of(game).known(four) is None
    other.close()


def test_other_parameters_and_other_rules_are_other_games(values):
    values.of(Race(9)).remember([(0, Proven(1))])
    assert values.of(Race(9)).known(0) == Proven(1.0)
    assert values.of(Race(10)).known(0) is None

    @dataclass(frozen=True)
    class Reversed(Race):
        def utility(self, state: int, player: int) -> float:
            return -super().utility(state, player)

    assert values.of(Reversed(9)).known(0) is None


def test_values_agree_with_the_search_that_proved_them_and_their_lines_with_the_rules(values):
    game = Nim((2, 3))
    found = Engine(game, compile="never").solve(game.initial())
    values.of(game).remember([(game.initial(), Proven(found.value, found.line))])
    assert values.of(game).known(game.initial()) == Proven(found.value, found.line)


@pytest.mark.parametrize("name", ["nim:heaps=2+3", "kalah:pits=2,seeds=2", "figure-5.2", "tic-tac-toe"])
def test_a_ranking_that_was_kept_is_told_again_and_has_the_same_values(values, name):
    game = load_game(name)
    state = game.initial()
    assert values.of(game).ranking(state) is None
    *_, found = Engine(game, compile="never").rankings(state)
    assert found.exact
    values.of(game).keep(state, found)
    told = values.of(load_game(name)).ranking(state)
    assert told is not None
    assert {(move.action, move.value, move.best, move.exact) for move in told.moves} == {
        (move.action, move.value, move.best, move.exact) for move in found.moves
    }
    assert (told.found.value, told.found.exact, told.found.nodes) == (found.found.value, True, 0)
    assert told.found.line[:1] == found.found.line[:1]


def test_a_ranking_with_a_move_that_is_not_known_is_none(values):
    game = Race(9)
    *_, found = Engine(game, compile="never").rankings(0)
    values.of(game).keep(0, replace(found, moves=found.moves[:1]))
    assert values.of(game).known(game.result(0, found.moves[0].action)) is not None
    assert values.of(game).ranking(0) is None


def test_what_is_not_exact_is_not_kept(values):
    game = load_game("connect-four")
    first = next(Engine(game, compile="never").rankings(game.initial(), depth=1))
    values.of(game).keep(game.initial(), first)
    assert len(values) == 0


def test_a_line_is_told_as_far_as_the_rules_go_along(values):
    rules = values.of(Race(3))
    rules.remember([(0, Proven(1, (1, 2, 7)))])
    assert rules.known(0) == Proven(1.0, (1, 2))


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_is_not_kept(values, value):
    values.of(Race()).remember([(0, Proven(value))])
    assert (values.of(Race()).known(0), len(values)) == (None, 0)


def test_a_state_that_has_no_number_is_unknown(values):
    rules = values.of(Race())
    rules.remember([(object(), Proven(1))])
    assert (rules.known(object()), len(values)) == (None, 0)


def test_the_oldest_make_room(tmp_path):
    values = ProvenValues(tmp_path, most=100)
    rules = values.of(Race(1000))
    for state in range(1000):
        rules.remember([(state, Proven(state))])
    assert len(values) <= 100
    assert rules.known(0) is None
    assert rules.known(999) == Proven(999.0)


def _changed(path: Path, change: str, *given: object) -> None:
    with sqlite3.connect(path / FILE) as connection:
        connection.execute(change, given)
    connection.close()


@pytest.mark.parametrize(
    "entry",
    [
        *(b"", b"x", b"\0" * 8, b"\0" * 12, struct.pack("<d", 1.0) + b"\0\0\0\0", b"\xff" * 4000),
        *("text", 3, 2.5, None),
    ],
)
def test_an_entry_that_somebody_changed_is_none(values, tmp_path, entry):
    rules = values.of(Race())
    rules.remember([(0, Proven(1, (1,)))])
    _changed(tmp_path, "UPDATE proven SET entry = ?", entry)
    assert rules.known(0) is None


def test_the_entry_of_another_state_is_none(values, tmp_path):
    rules = values.of(Race())
    rules.remember([(0, Proven(1)), (2, Proven(-1))])
    _changed(tmp_path, "UPDATE proven SET entry = (SELECT entry FROM proven ORDER BY place LIMIT 1)")
    assert rules.known(2) is None


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_begun_anew(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    values = ProvenValues(tmp_path)
    values.of(Race()).remember([(0, Proven(1))])
    assert values.of(Race()).known(0) == Proven(1.0)
    values.close()


def test_a_file_damaged_while_it_is_open_is_no_error(values, tmp_path):
    values.of(Race()).remember([(0, Proven(1))])
    (tmp_path / FILE).write_bytes(b"\xff" * 100_000)
    values.of(Race()).known(0)
    values.of(Race()).remember([(2, Proven(1))])


def test_a_table_of_somebody_else_is_no_error(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE proven (word TEXT)")
    connection.close()
    values = ProvenValues(tmp_path)
    values.of(Race()).remember([(0, Proven(1))])
    assert (values.of(Race()).known(0), len(values)) == (None, 0)
    values.close()


def test_without_a_place_nothing_is_known_and_nothing_fails(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    for place in (None, tmp_path / "file" / "below", tmp_path / "taken"):
        values = ProvenValues(place)
        values.of(Race()).remember([(0, Proven(1))])
        assert (values.of(Race()).known(0), len(values)) == (None, 0)
        values.close()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_a_file_of_another_user_is_not_believed(tmp_path, monkeypatch):
    mine = ProvenValues(tmp_path)
    mine.of(Race()).remember([(0, Proven(1))])
    mine.close()
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert ProvenValues(tmp_path).of(Race()).known(0) is None


def _write(place: Path, first: int) -> None:
    values = ProvenValues(place)
    for state in range(first, first + 100):
        values.of(Race(1000)).remember([(state, Proven(state))])
    values.close()


@pytest.mark.slow
def test_several_processes_write_at_once_and_one_is_killed(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    values = ProvenValues(tmp_path)
    writers = [spawn.Process(target=_write, args=(tmp_path, first)) for first in (0, 100)]
    killed = spawn.Process(target=_write, args=(tmp_path, 200))
    for each in (*writers, killed):
        each.start()
    while not killed.join(0) and killed.is_alive() and len(values) == 0:
        pass
    killed.kill()
    for each in (*writers, killed):
        each.join()
    assert [each.exitcode for each in writers] == [0, 0]
    assert [values.of(Race(1000)).known(state) for state in range(200)] == [
        Proven(float(state)) for state in range(200)
    ]
    values.close()


def test_what_is_known_of_some_moves_need_not_be_proven_again(values):
    game = load_game("tic-tac-toe")
    state, rules = game.initial(), values.of(game)
    assert rules.limits(state) == {}
    first, *_ = game.actions(state)
    rules.remember([(game.result(state, first), Proven(0.0))])
    assert rules.limits(state) == {first: (0, 0)}
    *_, last = Engine(game, compile="never").analyse(state, known=rules.limits(state))
    rules.keep(state, last)
    assert rules.limits(state) == {move.action: (move.value, move.value) for move in last.moves}
