"""Othello: published counts, values and endgames, and a slow twin of its moves."""

from __future__ import annotations

from random import Random

import pytest

from perfectplay import MAX, MIN
from perfectplay.check import check_game
from perfectplay.engine import Engine, perft
from perfectplay.engine.perft import compiled_perft
from perfectplay.errors import BadParameterError
from perfectplay.games import Othello
from perfectplay.games.words import count, signed
from perfectplay.textbook import run


def position(game: Othello, board: str, side: str) -> tuple[int, int, int, int]:
    """The state of a board written row by row, with X for Black."""
    black, white = (signed(sum(1 << i for i, mark in enumerate(board) if mark == disc)) for disc in "XO")
    mover, other = (black, white) if side == "X" else (white, black)
    return mover, other, game.moves(mover, other), "XO".index(side)


def played(game: Othello, *names: str) -> tuple[int, int, int, int]:
    state = game.initial()
    for name in names:
        state = game.result(state, game.parse_action(state, name))
    return state


def test_black_begins_with_the_moves_of_the_books():
    game = Othello()
    assert [game.action_name(action) for action in game.actions(game.initial())] == ["d3", "c4", "f5", "e6"]
    assert game.to_move(game.initial()) == MAX


@pytest.mark.slow
def test_lines_of_play_are_as_many_as_published():
    """OEIS A124004, and A. Bik's perft, which agree up to ply 9: no game is over before that."""
    game = Othello()
    counts = [perft(game, game.initial(), depth) for depth in range(6)]
    assert counts == [1, 4, 12, 56, 244, 1396]
    assert compiled_perft(game, game.initial(), 8) == 390216
    assert compiled_perft(game, game.initial(), 9) == 3005288


def test_games_that_are_over_have_no_longer_lines_of_play():
    """OEIS A124004; A. Bik counts the 228 games that are over after 9 plies once more: 24571284."""
    game = Othello()
    assert compiled_perft(game, game.initial(), 10) == 24571056 == 24571284 - 228


def test_the_second_player_wins_four_by_four_by_eight_discs():
    """3 to 11; empty cells are not counted."""
    game = Othello(4)
    assert run("sound-alpha-beta", game, game.initial()).value == -8


def test_feinsteins_perfect_game_on_six_by_six_ends_16_to_20():
    """J. Feinstein, 1993: Black passes once, before move 31. His columns are b to g, his rows 2 to 7."""
    line = """d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5 c4 c3 g4 g3 f3 c7 b5 d7 b7 b3 c6 b6 f7 f6 b4 b2 g6 g7
        pass f2 g2"""
    game = Othello(6)
    names = [
        name if name == "pass" else f"{chr(ord(name[0]) - 1)}{int(name[1]) - 1}" for name in line.split()
    ]
    state = played(game, *names)
    assert game.is_terminal(state)
    assert game.utility(state, MAX) == 16 - 20
    assert game.render(state).splitlines()[-1] == "   X 16  O 20"


# From the endgames of the French Othello federation (FFO), with the score of every move.
ENDGAMES = [
    (
        "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-",
        "X",
        {"h5": 6, "g6": -2, "f6": -4, "h6": -10},
    ),
]
MOVES = [
    (
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--",
        "X",
        "g8 h1 h7 a2 a3 b1 a4 g2",
    ),
    (
        "---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO--",
        "O",
        "e1 h2 g2 b2 g7 b1 g1 c1",
    ),
    (
        "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO-",
        "X",
        "h8 a5 b6 b7 a6 b2 h2",
    ),
]


@pytest.mark.parametrize(("board", "side", "scores"), ENDGAMES)
def test_endgames_have_their_published_scores(board, side, scores):
    game = Othello(empties_to_winner=True)
    state = position(game, board, side)
    mover = game.to_move(state)
    found = {}
    for action in game.actions(state):
        worth = run("sound-alpha-beta", game, game.result(state, action)).value
        found[game.action_name(action)] = worth if mover == MAX else -worth
    assert found == scores


@pytest.mark.parametrize(("board", "side", "moves"), MOVES)
def test_endgames_have_their_published_moves(board, side, moves):
    game = Othello()
    state = position(game, board, side)
    assert {game.action_name(action) for action in game.actions(state)} == set(moves.split())


@pytest.mark.slow
def test_the_engine_finds_the_published_scores_of_endgames_with_14_empty_cells():
    """The first, second and fifth of the FFO's: the value to the player to move."""
    game = Othello(empties_to_winner=True)
    engine = Engine(game, table_mb=16)
    scores = {
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--": 18,
        "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX-": 10,
        "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX--": 32,
    }
    assert {board: engine.solve(position(game, board, "X")).value for board in scores} == scores


def slow_turns(board: dict[tuple[int, int], int], size: int, row: int, col: int, player: int) -> set:
    """The cells that a disc turns over, walking from it in every direction."""
    turned = set()
    for down, right in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]:
        run_of_discs = []
        r, c = row + down, col + right
        while board.get((r, c)) == 1 - player:
            run_of_discs.append((r, c))
            r, c = r + down, c + right
        if board.get((r, c)) == player:
            turned |= set(run_of_discs)
    return turned


@pytest.mark.parametrize("size", [4, 6, 8])
def test_moves_and_discs_are_those_that_one_finds_cell_by_cell(size):
    game = Othello(size)
    middle = size // 2
    random = Random(size)
    for _ in range(15):
        state = game.initial()
        board = {
            (middle - 1, middle - 1): MIN,
            (middle, middle): MIN,
            (middle - 1, middle): MAX,
            (middle, middle - 1): MAX,
        }
        while not game.is_terminal(state):
            player = game.to_move(state)
            free = [(r, c) for r in range(size) for c in range(size) if (r, c) not in board]
            turns = {(r, c): slow_turns(board, size, r, c, player) for r, c in free}
            legal = [r * size + c for (r, c), turned in turns.items() if turned] or [size * size]
            assert list(game.actions(state)) == legal
            action = random.choice(legal)
            if action < size * size:
                board |= dict.fromkeys(turns[divmod(action, size)] | {divmod(action, size)}, player)
            state = game.result(state, action)
        lead = sum(1 if player == MAX else -1 for player in board.values())
        assert game.utility(state, MAX) == lead == -game.utility(state, MIN)
        assert not any(
            slow_turns(board, size, r, c, player)
            for player in (MAX, MIN)
            for r in range(size)
            for c in range(size)
            if (r, c) not in board
        )


def test_the_shortest_game_leaves_white_without_discs():
    """Nine moves: e6 f4 e3 f6 g5 d6 e7 f5 c5."""
    for empties_to_winner, worth in ((False, 13), (True, 64)):
        game = Othello(empties_to_winner=empties_to_winner)
        state = played(game, "e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
        assert game.is_terminal(state)
        assert (game.utility(state, MAX), game.utility(state, MIN)) == (worth, -worth)


def test_who_cannot_move_must_pass_and_the_other_moves_on():
    game = Othello(4)
    state = game.initial()
    random = Random(0)
    while "pass" not in [game.action_name(action) for action in game.actions(state)]:
        actions = list(game.actions(state))
        state = game.result(state, random.choice(actions)) if actions else game.initial()
    assert list(game.actions(state)) == [16]
    after = game.result(state, game.parse_action(state, "PASS"))
    assert after[:2] == (state[1], state[0])
    assert game.to_move(after) != game.to_move(state)
    assert game.action_name(next(iter(game.actions(after)))) != "pass"


def test_discs_along_the_edge_from_an_own_corner_limit_the_value():
    """Black holds a1, b1, c1 and a2; White g8 and h8: no corner of Black's, and not one disc less."""
    game = Othello()
    board = "XXX-----X" + "-" * 19 + "OX------XO" + "-" * 24 + "OO"
    state = position(game, board, "X")
    assert game.bounds(state, MAX) == (2 * 4 - 64, 64 - 2 * 2)
    assert game.bounds(state, MIN) == (2 * 2 - 64, 64 - 2 * 4)


def test_a_corner_is_tried_first_and_the_cells_next_to_a_free_one_late():
    game = Othello()
    state = position(game, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X")
    by_order = sorted(game.actions(state), key=lambda action: -game.order(state, action))
    names = [game.action_name(action) for action in by_order]
    assert names[0] == "h1"
    assert set(names[3:]) == {"a2", "b1", "g2", "g8", "h7"}


def test_a_corner_is_worth_more_than_the_cell_next_to_it():
    game = Othello()
    quiet = "---------------------------XX------OO---------------------------"
    for player, side in ((MAX, "X"), (MIN, "O")):
        corner = position(game, side + quiet[1:], "X")
        beside = position(game, quiet[:9] + side + quiet[10:], "X")
        nothing = position(game, quiet, "X")
        worths = [game.evaluate(state, player) for state in (beside, nothing, corner)]
        assert worths == sorted(worths)
        assert worths[0] < worths[1] < worths[2]


def test_the_four_first_moves_are_one_by_symmetry():
    game = Othello()
    firsts = {game.canonical(game.result(game.initial(), action)) for action in game.actions(game.initial())}
    assert len(firsts) == 1
    assert game.moves(*firsts.pop()[:2]) != 0


def test_othello_is_drawn_with_a1_at_the_top_left():
    game = Othello(4)
    assert game.render(played(game, "b1")).splitlines() == [
        "   a b c d",
        " 1 . X . .",
        " 2 . X X .",
        " 3 . X O .",
        " 4 . . . .",
        "   X 4  O 1  O to move",
    ]


@pytest.mark.parametrize("size", [0, 2, 5, 7, 10])
def test_a_board_of_another_size_is_refused(size):
    with pytest.raises(BadParameterError, match="give 4, 6 or 8"):
        Othello(size)


@pytest.mark.slow
def test_othello_compiles_to_the_same_game():
    game = Othello(6, empties_to_winner=True)
    report = check_game(game, states=60, playouts=3, seconds=60, compiled=True)
    assert report.ok
    assert report.machine.startswith("compiles to the same game, in ")


def test_a_key_of_a_small_board_is_its_own():
    game = Othello(6)
    random = Random(1)
    seen = {}
    for _ in range(40):
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, random.choice(list(game.actions(state))))
            assert seen.setdefault(game.key(state), state) == state
            assert count(state[0] | state[1]) <= 36
