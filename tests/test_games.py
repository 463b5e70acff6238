"""The games: published counts and values, boards, and notation in both directions."""

from __future__ import annotations

import re
from functools import cache, reduce
from itertools import product
from operator import xor
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfectplay import GAMES, MAX, MIN, load_game
from perfectplay.errors import BadParameterError, IllegalActionError
from perfectplay.game import WORD, Game, choices, is_two_sided
from perfectplay.games import MNK, ConnectFour, ExplicitTree, Kalah, Nim, TicTacToe
from perfectplay.games.lines import count_lines, has_line, line_shifts
from perfectplay.textbook import minimax, run, sound_alpha_beta, value

SMALL = [
    "bear-off:mine=2+1,theirs=2",
    "breakthrough:rows=4,cols=2",
    "chess-endgame:men=KPKP",
    "chinese-checkers:moves=6",
    "connect-four:rows=3,cols=3,k=3",
    "dodgem",
    "domineering:rows=3,cols=4",
    "dots-and-boxes:rows=1,cols=3",
    "dots-and-boxes:rows=2,cols=2",
    "einstein-wuerfelt-nicht:size=3",
    "figure-5.2",
    "hexapawn",
    "kalah:pits=2,seeds=2",
    "mnk:m=3,n=2,k=2",
    "nim:heaps=2+3",
    "nine-mens-morris",
    "othello:size=4",
    "pacman:ghosts=min,moves=4",
    "pacman:moves=4,number=2",
    "pig:goal=10",
    "royal-game-of-ur:pieces=1,board=small",
    "three-mens-morris",
    "tic-tac-toe",
]
CIRCULAR = ("chess-endgame:men=KPKP", "dodgem", "nine-mens-morris", "three-mens-morris")  # play can come back
LARGE = ("chess-endgame:men=KPKP", "nine-mens-morris")  # on its smallest board, too
SCORED = ("figure", "kalah", "dots", "othello", "pacman")  # a win is worth what one wins by
MANY = 3000


def states_of(game: Game) -> list:
    """Every state that play can reach, breadth first."""
    found = {game.initial(): None}
    for state in (waiting := list(found)):
        for action in choices(game, state):
            after = game.result(state, action)
            if after not in found:
                found[after] = None
                waiting.append(after)
    return list(found)


def states_of_play(game: Game) -> list:
    """The states of some random games, each state once."""
    random, found = Random(6), {}
    while len(found) < MANY:
        state = game.initial()
        while not game.is_terminal(state):
            found[state] = None
            state = game.result(state, random.choice(list(game.actions(state))))
        found[state] = None
    return list(found)


@cache
def some_states(name: str) -> list:
    """All states of a game, or evenly chosen ones if there are many: of random play, if too many to list."""
    game = load_game(name)
    states = states_of_play(game) if name in LARGE else states_of(game)
    return states[:: len(states) // MANY + 1]


# Every game.


def test_a_small_board_of_every_game_is_tested():
    assert {name.partition(":")[0] for name in SMALL} == GAMES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_notation_goes_both_ways_in_every_state(name):
    game = load_game(name)
    for state in some_states(name):
        for action in choices(game, state):
            assert game.parse_action(state, game.action_name(action)) == action
            assert game.parse_action(state, f" {game.action_name(action).upper()} ") == action


@pytest.mark.parametrize("name", SMALL)
def test_a_move_that_is_not_legal_is_refused_with_the_legal_ones(name):
    game = load_game(name)
    with pytest.raises(IllegalActionError, match=r"illegal move 'zz': the legal moves are \w"):
        game.parse_action(game.initial(), "zz")


@pytest.mark.parametrize("name", SMALL)
def test_the_two_sides_evaluate_a_state_as_opposites_and_below_a_win(name):
    game = load_game(name)
    for state in some_states(name):
        if not game.is_terminal(state):
            assert game.evaluate(state, MAX) == -game.evaluate(state, MIN) or not game.zero_sum
            if not name.startswith(SCORED):
                assert abs(game.evaluate(state, MAX)) < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in SMALL if name not in CIRCULAR and is_two_sided(load_game(name))]
)
def test_canonical_states_have_the_same_value_and_bounds_are_true(name):
    game = load_game(name)
    values = {}
    for state in some_states(name):
        worth = minimax(game, state, values)
        assert minimax(game, game.canonical(state), values) == worth
        lower, upper = game.bounds(state, MAX)
        assert lower <= worth <= upper
        lower, upper = game.bounds(state, MIN)
        assert lower <= -worth <= upper


@pytest.mark.parametrize("name", SMALL)
def test_a_game_has_a_board_to_look_at(name):
    game = load_game(name)
    states = [state for state in some_states(name) if not game.is_terminal(state)]
    boards = {(game.render(state), game.to_move(state)) for state in states}
    assert len(boards) == len(states)


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [("connect-four", "4", "1"), ("tic-tac-toe", "b2", "b3"), ("mnk:m=5,n=5,k=4", "c3", "a1")],
)
def test_a_stone_in_the_middle_is_worth_more_and_tried_sooner_than_one_at_the_edge(name, better, worse):
    game = load_game(name)
    start = game.initial()
    worths, orders = [], []
    for move in (worse, better):
        action = game.parse_action(start, move)
        worths.append(game.evaluate(game.result(start, action), MAX))
        orders.append(game.order(start, action))
    assert worths[0] < worths[1]
    assert orders[0] < orders[1]


# Lines on a bit board.


@given(st.integers(0, 2**20 - 1), st.integers(1, 5))
def test_lines_are_those_that_one_finds_by_looking_at_every_cell(bits, k):
    rows, cols, pitch = 4, 5, 6
    board = sum(
        1 << row * pitch + col for row in range(rows) for col in range(cols) if bits >> row * cols + col & 1
    )
    found = 0
    for row, col, (down, right) in product(range(rows), range(cols), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        cells = [(row + step * down, col + step * right) for step in range(k)]
        on_board = all(0 <= r < rows and 0 <= c < cols for r, c in cells)
        found += on_board and all(board >> r * pitch + c & 1 for r, c in cells)
    shifts = line_shifts(k, pitch)
    assert count_lines(board, shifts) == found
    assert has_line(board, shifts) == (found > 0)


# MNK and tic-tac-toe.


def test_tic_tac_toe_has_its_published_number_of_states_by_ply():
    game = TicTacToe()
    states = states_of(game)
    by_ply = [sum(state[2] == ply for state in states) for ply in range(10)]
    assert by_ply == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(game.is_terminal(state) for state in states) == 958


def test_tic_tac_toe_has_765_states_up_to_symmetry():
    """OEIS A008907, by ply."""
    game = TicTacToe()
    kinds = {game.canonical(state) for state in states_of(game)}
    by_ply = [sum(state[2] == ply for state in kinds) for ply in range(10)]
    assert by_ply == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert len(kinds) == 765


def test_tic_tac_toe_has_255168_complete_games():
    """OEIS A061526; by result: 131184 for X, 77904 for O, 46080 drawn."""
    game = TicTacToe()
    ends = {1: 0, 0: 0, -1: 0}

    def play_on(state):
        if game.is_terminal(state):
            ends[game.utility(state, MAX)] += 1
        for action in game.actions(state):
            play_on(game.result(state, action))

    play_on(game.initial())
    assert ends == {1: 131184, -1: 77904, 0: 46080}


def test_an_mnk_board_is_drawn_with_columns_in_letters_and_rows_from_below():
    game = MNK(4, 3, 3)
    state = game.initial()
    for name in ("b2", "a1", "d3"):
        state = game.result(state, game.parse_action(state, name))
    assert game.render(state) == " 3 . . . X\n 2 . X . .\n 1 O . . .\n   a b c d"


def test_the_first_player_wins_four_by_three_with_three_in_a_row():
    """The m,n,k-game 4,3,3 is a win for the first player, 3,3,3 a draw."""
    for (m, n, k), worth in {(3, 3, 3): 0, (4, 3, 3): 1, (3, 4, 3): 1, (2, 2, 2): 1}.items():
        game = MNK(m, n, k)
        assert sound_alpha_beta(game, game.initial(), {}) == worth


# Connect Four.


@pytest.mark.parametrize(
    ("cols", "rows", "positions"),
    [(1, 8, 9), (2, 6, 1571), (3, 3, 869), (3, 4, 6000), (4, 3, 12031), (5, 2, 4688), (6, 2, 29737)],
)
def test_connect_four_has_tromps_number_of_positions(cols, rows, positions):
    """J. Tromp's table of legal positions by board; OEIS A212693."""
    assert len(states_of(ConnectFour(rows, cols))) == positions


def test_connect_four_positions_by_ply_on_the_full_board():
    """J. Tromp; the first seven plies of 7x6."""
    game = ConnectFour()
    level = {game.initial()}
    for count in (1, 7, 49, 238, 1120, 4263, 16422):
        assert len(level) == count
        level = {game.result(state, action) for state in level for action in game.actions(state)}


@pytest.mark.slow
@pytest.mark.parametrize(("cols", "rows"), [(4, 4), (4, 5), (5, 4)])
def test_small_connect_four_boards_are_draws(cols, rows):
    """J. Tromp's table of outcomes."""
    game = ConnectFour(rows, cols, score="outcome")
    assert run("sound-alpha-beta", game, game.initial()).value == 0


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("67152117737262713366376314254", 6),
        ("23163416124767223154467471272416755633", 0),
        ("26512741647245111351472255277", -5),
    ],
)
def test_late_connect_four_positions_have_pons_scores(moves, score):
    """P. Pons, blog.gamesolver.org, the first test set of the end game: the worth to the player to move."""
    game = ConnectFour(score="distance")
    state = game.initial()
    for name in moves:
        state = game.result(state, game.parse_action(state, name))
    worth = run("sound-alpha-beta", game, state).value
    assert (worth if game.to_move(state) == MAX else -worth) == score


def test_a_win_in_connect_four_has_three_scores():
    """Seven stones on 6x7: X has four in column 1."""
    for score, worth in {"outcome": 1, "distance": 18, "course": 60000}.items():
        game = ConnectFour(score=score)
        state = game.initial()
        for column in (0, 1, 0, 1, 0, 1, 0):
            state = game.result(state, column)
        assert game.is_terminal(state)
        assert (game.utility(state, MAX), game.utility(state, MIN)) == (worth, -worth)


def test_stones_fall_to_the_bottom_and_a_full_column_is_closed():
    game = ConnectFour(2, 3, 3)
    state = game.initial()
    for column in (1, 1, 0):
        state = game.result(state, column)
    assert list(game.actions(state)) == [0, 2]
    assert game.render(state) == ". O .\nX X .\n1 2 3"


def test_boards_of_more_than_64_bits_still_have_keys_below_2_to_the_64():
    for game in (ConnectFour(10, 10), MNK(9, 9, 5), Kalah(6, 10)):
        state = game.initial()
        keys = set()
        while not game.is_terminal(state):
            keys.add(game.key(state))
            state = game.result(state, list(game.actions(state))[-1])
        assert len(keys) > 5
        assert all(0 <= key <= WORD for key in keys)


# Nim.


@pytest.mark.parametrize("heaps", [*product(range(4), repeat=3), (5, 6), (1, 2, 3, 4), (7,)])
def test_normal_nim_is_won_exactly_when_the_heaps_do_not_xor_to_0(heaps):
    """C. Bouton, 1901."""
    game = Nim(heaps)
    assert (minimax(game, game.initial(), {}) > 0) == (reduce(xor, heaps) != 0)


@pytest.mark.parametrize("heaps", [*product(range(4), repeat=3), (5, 6), (1, 1, 1, 1)])
def test_misere_nim_differs_only_when_no_heap_is_above_1(heaps):
    game = Nim(heaps, misere=True)
    wins = (reduce(xor, heaps) != 0) != (max(heaps) <= 1)
    assert (minimax(game, game.initial(), {}) > 0) == wins
    if any(heaps):
        assert (game.evaluate(game.initial(), MAX) > 0) == wins


def test_nim_is_drawn_with_a_letter_for_each_heap():
    game = Nim((1, 3))
    assert game.render(game.initial()) == "a | (1)\nb | | | (3)"
    assert game.action_name((1, 2)) == "b2"


# Kalah.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pits", "seeds", "empty_capture", "lead"),
    [
        (2, 1, True, 2),
        (2, 2, True, -2),
        (2, 3, True, -2),
        (2, 4, True, -12),
        (2, 5, True, 6),
        (2, 6, True, 8),
        (3, 1, True, 0),
        (3, 2, True, 4),
        (3, 3, True, 2),
        (3, 4, True, 2),
        (4, 1, True, 2),
        (4, 2, True, 6),
        (5, 1, True, 0),
        (6, 1, True, 2),
        (4, 2, False, 6),
    ],
)
def test_kalah_has_its_published_values(pits, seeds, empty_capture, lead):
    """G. Irving's solver with the empty capture, J. Sellison's without; larger: examples/kalah_values.py."""
    game = Kalah(pits, seeds, empty_capture)
    assert run("sound-alpha-beta", game, game.initial()).value == lead


def test_a_last_seed_in_the_own_store_moves_again():
    game = Kalah()
    state = game.result(game.initial(), 2)
    assert game.to_move(state) == MAX
    assert game.render(state).splitlines() == [
        "pit    6  5  4  3  2  1",
        "       4  4  4  4  4  4",
        "   0                      1",
        "       4  4  0  5  5  5",
        "pit    1  2  3  4  5  6  South to move",
    ]


def sides(pits, store):
    return sum(seeds << 8 * index for index, seeds in enumerate([*pits, store]))


@pytest.mark.parametrize(
    ("empty_capture", "south", "turn"), [(True, ([0, 0, 2], 1), 1), (False, ([0, 1, 2], 0), 1)]
)
def test_a_last_seed_opposite_an_empty_pit_goes_to_the_store_by_one_rule_only(empty_capture, south, turn):
    game = Kalah(3, 2, empty_capture)
    before = (sides([1, 0, 2], 0), sides([1, 0, 1], 0), 0)
    assert game.result(before, 0) == (sides(*south), sides([1, 0, 1], 0), turn)


def test_a_last_seed_in_an_empty_pit_takes_the_seeds_opposite():
    game = Kalah(3, 2)
    before = (sides([1, 0, 2], 0), sides([1, 4, 1], 0), 0)
    assert game.result(before, 0) == (sides([0, 0, 2], 5), sides([1, 0, 1], 0), 1)


def test_sowing_passes_over_the_opponents_store_and_the_rest_goes_to_its_owner():
    game = Kalah(2, 2)
    before = (sides([0, 6], 0), sides([1, 1], 7), 0)
    state = game.result(before, 1)  # store, north 1, north 2, south 1, south 2, store
    assert state == (sides([1, 1], 2), sides([2, 2], 7), 0)
    before = (sides([0, 1], 3), sides([2, 2], 0), 0)
    state = game.result(before, 1)
    assert game.is_terminal(state)
    assert game.utility(state, MAX) == 4 - 4


def test_a_pit_that_moves_again_is_tried_first_and_then_those_near_the_store():
    game = Kalah()
    by_order = sorted(range(6), key=lambda pit: -game.order(game.initial(), pit))
    assert by_order == [2, 5, 4, 3, 1, 0]


def test_the_lead_can_change_by_the_seeds_in_play_and_no_more():
    game = Kalah(2, 2)
    state = (sides([1, 1], 2), sides([0, 3], 1), 0)
    assert game.bounds(state, MAX) == (1 - 5, 1 + 5)
    assert game.bounds(state, MIN) == (-1 - 5, -1 + 5)


def test_no_seed_is_ever_lost():
    game = Kalah(3, 3)
    for state in states_of(game):
        assert sum(state[side] >> 8 * cell & 255 for side in (0, 1) for cell in range(4)) == 18


# Explicit trees.


def test_a_tree_can_be_given_as_nested_lists():
    game = ExplicitTree.from_nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert (value(game, ()), run("minimax-search", game, ()).action) == (3, 0)
    assert ExplicitTree.from_nested(7).is_terminal(())


def test_a_tree_is_drawn_and_a_shared_state_once():
    game = ExplicitTree(
        {"r": {"x": "s", "y": "t"}, "s": {"x": "u"}, "t": {"x": "s", "y": "u"}},
        {"u": 1},
        {"r": MAX, "s": MIN, "t": 2},
    )
    assert game.render("r").splitlines() == [
        "r MAX",
        "├─ x: s MIN 1",
        "│  └─ x: u = 1",
        "└─ y: t MIN 2",
        "   ├─ x: s (drawn above)",
        "   └─ y: u = 1",
    ]
    assert game.players == 3


def test_a_very_deep_tree_is_drawn_down_to_a_level():
    game = ExplicitTree({level: {"on": level + 1} for level in range(2000)}, {2000: 1})
    drawn = game.render(0).splitlines()
    assert len(drawn) == 51
    assert drawn[-1].endswith("on: 50 ...")


@pytest.mark.parametrize(
    ("moves", "utilities", "turns", "message"),
    [
        ({}, {}, None, "the tree has no state"),
        ({"r": {"x": "s"}}, {}, None, "leads to 's', which is not given"),
        ({"r": {}}, {}, None, "state 'r' has no moves"),
        ({"r": {"x": "s"}}, {"r": 0, "s": 0}, None, "both moves and a utility"),
        ({"r": {"x": "s"}, "s": {"y": "r"}}, {}, None, "go round in a circle"),
        ({"r": {"x": "s"}}, {"s": "won"}, None, "the utility 'won' of state 's' is no number"),
        ({"r": {"x": "s"}}, {"s": 0}, {}, "nobody moves in state 'r'"),
        ({"r": {"x": "s"}}, {"s": 0}, {"r": -2}, "is no player"),
        (
            {"r": {"x": "s", "y": "t"}, "s": {"x": "t"}, "t": {"x": "u"}},
            {"u": 0},
            None,
            "state 't' can be reached at either player's turn",
        ),
    ],
)
def test_a_tree_that_cannot_be_is_refused(moves, utilities, turns, message):
    with pytest.raises(BadParameterError, match=message):
        ExplicitTree(moves, utilities, turns)


def test_a_start_that_is_not_in_the_tree_is_refused():
    with pytest.raises(BadParameterError, match="the start 'z' is not given"):
        ExplicitTree({"r": {"x": "s"}}, {"s": 0}, start="z")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ConnectFour(0, 7),
        lambda: ConnectFour(6, 7, 0),
        lambda: ConnectFour(score="points"),
        lambda: MNK(27, 3, 3),
        lambda: MNK(3, 3, 0),
        lambda: Nim(()),
        lambda: Nim((300,)),
        lambda: Kalah(0, 4),
        lambda: Kalah(16, 8),
    ],
)
def test_a_board_that_cannot_be_is_refused(make):
    with pytest.raises(BadParameterError, match="give"):
        make()


GAMES_PAGE = (Path(__file__).parent.parent / "docs" / "games.md").read_text(encoding="utf-8")


def test_the_documentation_has_the_limits_of_every_game_and_no_others():
    told = {
        name: game_class.board_limits
        for name, game_class in GAMES.items()
        if vars(game_class).get("board_limits")
    }
    page = GAMES_PAGE.partition("| game | limits |\n|---|---|\n")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| ([a-z-]+) \| (.+) \|$", page, re.MULTILINE)) == told


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ("breakthrough:rows=4,cols=16", "breakthrough:rows=3"),
        ("chinese-checkers:size=3", "chinese-checkers:size=4"),
        ("connect-four:rows=20,cols=20", "connect-four:rows=21"),
        ("dodgem:size=7", "dodgem:size=8"),
        ("domineering:rows=3,cols=21", "domineering:rows=5,cols=13"),
        ("dots-and-boxes:rows=2,cols=20", "dots-and-boxes:rows=3,cols=15"),
        ("einstein-wuerfelt-nicht:size=8", "einstein-wuerfelt-nicht:size=9"),
        ("hexapawn:rows=3,cols=21", "hexapawn:rows=2"),
        ("kalah:pits=6,seeds=21", "kalah:pits=6,seeds=22"),
        ("mnk:m=26,n=26", "mnk:m=27"),
        ("nim:heaps=0+255", "nim:heaps=256"),
        ("othello:size=4", "othello:size=10"),
        ("pacman:number=2,moves=1000", "pacman:number=3"),
        ("pig:goal=10000", "pig:goal=10001"),
        ("royal-game-of-ur:pieces=7", "royal-game-of-ur:pieces=8"),
    ],
)
def test_limits_are_where_they_are_said_to_be(within, beyond):
    load_game(within)
    with pytest.raises(BadParameterError):
        load_game(beyond)
