"""A game that may begin at many positions: where its tablebase begins, and what makes it the same game."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from perfectplay import MAX, Engine, Game
from perfectplay.check import check_game
from perfectplay.compiler.digest import code_digest, rules_digest
from perfectplay.tablebase import Tablebase, build_tablebase, estimate, verify
from perfectplay.tablebase.identity import identity

SETUP = -1
MOST = 9


@dataclass(frozen=True)
class Heap(Game):
    """Take one, two or three of a heap, and the last one wins; it begins at any size up to the largest."""

    size: int = field(default=5, compare=False)

    def initial(self):
        return MAX, self.size

    def table_start(self):
        return SETUP, 0

    def to_move(self, state):
        return MAX if state[0] == SETUP else state[0]

    def actions(self, state):
        turn, left = state
        if turn == SETUP:
            return range(2 * (MOST + 1))
        return range(1, min(left, 3) + 1)

    def result(self, state, action):
        turn, left = state
        if turn == SETUP:
            return action % 2, action // 2
        return 1 - turn, left - action

    def is_terminal(self, state):
        return state == (0, 0) or state == (1, 0)

    def utility(self, state, player):
        return -1 if player == state[0] else 1


class Worded(Heap):
    """The same with states of no plain shape, which are numbered."""

    def initial(self):
        return self.worded(super().initial())

    def table_start(self):
        return self.worded(super().table_start())

    def result(self, state, action):
        return self.worded(super().result(self.plain(state), action))

    def to_move(self, state):
        return super().to_move(self.plain(state))

    def actions(self, state):
        return super().actions(self.plain(state))

    def is_terminal(self, state):
        return super().is_terminal(self.plain(state))

    def utility(self, state, player):
        return super().utility(self.plain(state), player)

    def worded(self, state):
        return f"{state[0]} {state[1]}" if state[1] % 2 else frozenset({state})

    def plain(self, state):
        return next(iter(state)) if isinstance(state, frozenset) else tuple(map(int, state.split()))


class StuckSetup(Heap):
    def actions(self, state):
        return () if state[0] == SETUP else super().actions(state)


@pytest.mark.parametrize("game_class", [Heap, Worded])
def test_a_tablebase_has_all_positions_that_its_start_leads_to(tmp_path, game_class):
    game = game_class(5)
    build_tablebase(game, tmp_path, compile="never")
    with Tablebase(tmp_path, game, compile="never") as table:
        assert len(table) == 1 + 2 * (MOST + 1)
        assert table.start == game.table_start() != game.initial()
        for left in range(MOST + 1):
            for turn in (0, 1):
                state = game.result(game.table_start(), 2 * left + turn)
                assert table.probe(state).outcome == ("win" if left % 4 else "loss")
    assert verify(tmp_path, game) == []
    assert estimate(game, seconds=1).positions == 1 + 2 * (MOST + 1)


def test_one_tablebase_serves_games_that_begin_elsewhere(tmp_path):
    build_tablebase(Heap(5), tmp_path, compile="never")
    with Tablebase(tmp_path, Heap(8), compile="never") as table:
        assert table.game.initial() == (0, 8)
        assert table.probe(table.game.initial()).outcome == "loss"


def test_where_play_begins_is_no_rule_where_tables_begin_elsewhere():
    assert identity(Heap(5)) == identity(Heap(8))
    assert rules_digest(Heap(5)) == rules_digest(Heap(8)) != rules_digest(StuckSetup(5))
    assert code_digest(Heap(5)) == code_digest(Heap(8))


@pytest.mark.slow
def test_an_engine_answers_for_each_of_them():
    assert [Engine(Heap(size), table_mb=1).solve((0, size)).value for size in (4, 5, 8)] == [-1, 1, -1]


def test_a_check_looks_at_both_beginnings():
    assert check_game(Heap(), compiled=False).findings == ()
    assert [found.kind for found in check_game(StuckSetup(), compiled=False).findings] == ["actions-missing"]
