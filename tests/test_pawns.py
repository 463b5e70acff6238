"""Hexapawn and Breakthrough: published outcomes, a slow twin of their moves, and wins seen ahead."""

from __future__ import annotations

from random import Random

import pytest

from perfectplay import MAX, MIN
from perfectplay.check import check_game
from perfectplay.errors import BadParameterError
from perfectplay.games import Breakthrough, Hexapawn
from perfectplay.games.pawns import Pawns
from perfectplay.textbook import minimax, run


def played(game: Pawns, *names: str) -> tuple[int, int, int]:
    state = game.initial()
    for name in names:
        state = game.result(state, game.parse_action(state, name))
    return state


@pytest.mark.parametrize(("rows", "cols", "worth"), [(3, 3, -1), (4, 4, 1)])
def test_hexapawn_is_won_by_whom_the_literature_says(rows, cols, worth):
    """3x3: chessvariants.com, small.dir/hexapawn.html. 4x4 (octopawn): Wikipedia, Hexapawn."""
    game = Hexapawn(rows, cols)
    assert run("sound-alpha-beta", game, game.initial()).value == worth


def test_the_perfect_opening_of_breakthrough_on_five_by_five_can_be_played():
    """Little Golem's forum, 2006; the board, two rows each, is won by the second player."""
    game = Breakthrough(5, 5)
    assert game.render(played(game, "a2-a3", "b4xa3", "b2xa3", "b5-b4")).splitlines() == [
        " 5 X . X X X",
        " 4 X X X X X",
        " 3 O . . . .",
        " 2 . . O O O",
        " 1 O O O O O",
        "   a b c d e",
        "White (O) to move",
    ]


@pytest.mark.parametrize("game", [Hexapawn(), Hexapawn(5, 4), Breakthrough(5, 3), Breakthrough()], ids=repr)
def test_moves_are_those_that_one_finds_pawn_by_pawn(game):
    random = Random(2)
    for _ in range(10):
        state = game.initial()
        rows_of_pawns = 2 if isinstance(game, Breakthrough) else 1
        pawns = {}
        for row in range(rows_of_pawns):
            for col in range(game.cols):
                pawns[row, col], pawns[game.rows - 1 - row, col] = MAX, MIN
        while not game.is_terminal(state):
            player = game.to_move(state)
            ahead = 1 if player == MAX else -1
            legal = {}
            for (row, col), owner in pawns.items():
                for side in (-1, 0, 1):
                    there = row + ahead, col + side
                    if owner != player or not 0 <= there[1] < game.cols:
                        continue
                    taken = pawns.get(there)
                    walks = taken is None and (side == 0 or isinstance(game, Breakthrough))
                    if walks or (side != 0 and taken == 1 - player):
                        ends = [f"{chr(97 + c)}{r + 1}" for r, c in ((row, col), there)]
                        legal[("-" if taken is None else "x").join(ends)] = (row, col), there
            names = [game.action_name(action) for action in game.actions(state)]
            assert sorted(names) == sorted(legal)
            name = random.choice(names)
            source, target = legal[name]
            del pawns[source]
            pawns[target] = player
            state = game.result(state, game.parse_action(state, name))
        loser = game.to_move(state)
        assert (game.utility(state, loser), game.utility(state, 1 - loser)) == (-1, 1)
        assert not list(game.actions(state)) or loser not in pawns.values()


def test_a_player_without_a_move_has_lost_hexapawn():
    game = Hexapawn()
    state = played(game, "b1-b2", "a3xb2", "c1xb2", "c3-c2")
    assert not game.is_terminal(state)
    state = (0b000_001_000, 0b001_000_000, MAX)
    assert game.is_terminal(state)
    assert list(game.actions(state)) == []
    assert game.utility(state, MAX) == -1


def test_the_capture_of_all_pawns_wins_breakthrough():
    game = Breakthrough(4, 2)
    state = (0b00_00_10_00, 0b00_01_00_00, MAX)
    state = game.result(state, game.parse_action(state, "b2xa3"))
    assert game.is_terminal(state)
    assert game.utility(state, MAX) == 1


@pytest.mark.parametrize("game", [Breakthrough(4, 2), Breakthrough(5, 2), Hexapawn(4, 3)], ids=repr)
def test_bounds_see_wins_ahead_and_are_never_wrong(game):
    table: dict = {}
    minimax(game, game.initial(), table)
    proven = 0
    for state, (worth, _) in table.items():
        for player, value in ((MAX, worth), (MIN, -worth)):
            lower, upper = game.bounds(state, player)
            assert lower <= value <= upper
        proven += lower == upper and not game.is_terminal(state)
    assert proven > len(table) / 20


@pytest.mark.parametrize("game", [Hexapawn(4, 4), Breakthrough()], ids=repr)
def test_captures_and_advances_are_worth_something_and_tried_first(game):
    """White has a pawn in the middle of the board, and Black's next pawns are within its reach."""
    row = game.rows // 2
    white, black = 1 << row * game.cols, 0b11 << (row + 1) * game.cols
    state = (white | 1 << 2, black, MAX)
    by_order = sorted(game.actions(state), key=lambda action: -game.order(state, action))
    assert "x" in game.action_name(by_order[0])
    assert game.action_name(by_order[-1]).startswith("c1")
    further = game.result(state, by_order[0])
    assert game.evaluate(further, MAX) > game.evaluate(state, MAX)


def test_a_board_is_the_same_in_the_mirror():
    game = Breakthrough()
    for one, other in (("a2-b3", "h2-g3"), ("d2-d3", "e2-e3")):
        assert game.canonical(played(game, one)) == game.canonical(played(game, other))
    assert game.canonical(played(game, "a2-a3")) != game.canonical(played(game, "b2-b3"))


@pytest.mark.parametrize(
    "make",
    [lambda: Hexapawn(2, 3), lambda: Hexapawn(3, 1), lambda: Breakthrough(3, 4), lambda: Breakthrough(9, 8)],
)
def test_a_board_that_cannot_be_is_refused(make):
    with pytest.raises(BadParameterError, match=r"give \d rows or more"):
        make()


@pytest.mark.slow
def test_pawn_games_compile_to_the_same_game():
    report = check_game(Breakthrough(), states=60, playouts=3, seconds=60, compiled=True)
    assert report.ok
    assert report.machine.startswith("compiles to the same game, in ")
