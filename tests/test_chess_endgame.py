"""Chess endgames: the rules beside python-chess, notation both ways, and mates as published."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import chess
import pytest

from perfectplay import MAX, MIN, Engine, load_game
from perfectplay.check import check_game
from perfectplay.errors import BadParameterError, IllegalActionError
from perfectplay.games import ChessEndgame
from perfectplay.games.chess_board import EMPTY, SETUP
from perfectplay.scene import scene_errors
from perfectplay.tablebase import Tablebase, build_tablebase, statistics, verify
from perfectplay.tablebase.identity import identity
from perfectplay.web.offers import Offers

MEN = ["KQK", "KRK", "KPK", "KKP", "KBBK", "KBNK", "KNNK", "KRPK", "KPPK", "KQKR", "KRKB", "KBKB", "KNKP"]
MEN += ["KQKP", "KPKP", "KRKR", "KKQR", "KBPK"]
EACH = 300  # positions of each of these are compared


def at(fen: str, men: str = "KPKP"):
    """A game of these men, and the position."""
    game = ChessEndgame(men)
    return game, game.from_fen(fen)


def names(game: ChessEndgame, state) -> list[str]:
    return [game.action_name(action) for action in game.actions(state)]


def random_positions(men: str, games: int, plies: int, seed: int = 1):
    """Positions of some games that begin anywhere, men being placed first."""
    game, random = ChessEndgame(men), Random(seed)
    for _ in range(games):
        state = EMPTY
        for _ in range(plies):
            if state[0] != SETUP:
                yield game, state
            if game.is_terminal(state):
                break
            state = game.result(state, random.choice(list(game.actions(state))))


def uci(action: int, game: ChessEndgame) -> str:
    """An action as chess programs say it: both squares, and what a pawn becomes."""
    name = game.action_name(action)
    return name.lstrip("KQRBN").replace("-", "").replace("x", "").replace("=", "").lower()


def compare(game: ChessEndgame, state) -> None:
    """Moves, check, mate, stalemate, dead positions and FEN, as python-chess has them."""
    fen = game.to_fen(state)
    board = chess.Board(fen)
    assert (board.fen(), game.from_fen(fen)) == (fen, state)
    assert not board.status() & (chess.STATUS_OPPOSITE_CHECK | chess.STATUS_PAWNS_ON_BACKRANK)
    moves = {uci(action, game): action for action in game.moves(state)}
    assert moves.keys() == {move.uci() for move in board.legal_moves}, fen
    assert game.in_check(state, state[0]) == board.is_check()
    dead = board.is_insufficient_material()
    over = dead or board.is_checkmate() or board.is_stalemate()
    assert game.is_terminal(state) == over
    assert list(game.actions(state)) == ([] if dead else list(moves.values()))
    if over:
        mated = board.is_checkmate() and not dead
        worth = 0 if not mated else -1 if board.turn else 1
        assert (game.utility(state, MAX), game.utility(state, MIN)) == (worth, -worth)
    for word, action in moves.items():
        board.push_uci(word)
        assert game.to_fen(game.result(state, action)).split()[:4] == board.fen().split()[:4], (fen, word)
        board.pop()


@pytest.mark.slow
@pytest.mark.parametrize("men", MEN)
def test_moves_check_mate_and_fen_are_those_of_python_chess(men):
    positions = list(islice(random_positions(men, games=100, plies=40), EACH))
    for game, state in positions:
        compare(game, state)
    assert len(positions) == EACH


def test_some_moves_of_every_kind_are_those_of_python_chess():
    for game, state in random_positions("KPKP", games=4, plies=12):
        compare(game, state)


@pytest.mark.parametrize("men", ["KRRK", "KPKP", "KQPK"])
def test_moves_are_named_as_in_books_and_read_in_three_notations(men):
    for game, state in random_positions(men, games=3, plies=12, seed=5):
        board = chess.Board(game.to_fen(state))
        for action in game.actions(state):
            move = chess.Move.from_uci(uci(action, game))
            assert game.san(state, action) == board.san(move)
            assert board.parse_san(game.action_name(action)) == move
            for text in (game.action_name(action), move.uci(), board.san(move)):
                assert game.parse_action(state, text) == action


# Published counts: M. Sedlak's positions for testing move generators, those with four men or fewer.
PERFT = [
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", "KPK", 6, 92683),  # promotion, with check or to less than a queen
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", "KPK", 6, 2217),  # stalemate
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", "KPK", 7, 567584),  # stalemate and mate
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", "KPK", 6, 217342),  # promotion with check
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", "KKQN", 4, 23527),  # double check
]


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "men", "depth", "leaves"), PERFT)
def test_lines_of_play_are_as_many_as_published(fen, men, depth, leaves):
    game, state = at(fen, men)
    known: dict = {}

    def perft(state, depth):
        chosen = game.canonical(state), depth  # symmetric positions have as many
        if chosen not in known:
            moves = list(game.moves(state))
            lines = len(moves) if depth == 1 else sum(perft(game.result(state, m), depth - 1) for m in moves)
            known[chosen] = lines
        return known[chosen]

    assert perft(state, depth) == leaves


# The rules.


def test_a_pawn_takes_in_passing_at_once_or_never():
    game, before = at("8/8/8/8/3p4/8/2P1K3/7k w")
    state = game.result(before, game.parse_action(before, "c4"))
    assert game.to_fen(state) == "8/8/8/8/2Pp4/8/4K3/7k b - c3 0 1"
    assert "d4xc3" in names(game, state)
    assert "Black to move, and may take the pawn on c4 in passing" in game.render(state)
    after = game.result(state, game.parse_action(state, "dxc3"))
    assert game.to_fen(after) == "8/8/8/8/8/2p5/4K3/7k w - - 0 1"
    later = game.from_fen("8/8/8/8/2Pp4/8/4K3/7k b - - 0 1")
    assert "d4xc3" not in names(game, later)
    assert len({game.pack(state), game.pack(later)}) == 2


def test_no_square_of_passing_is_kept_where_no_pawn_can_take():
    game, state = at("8/8/8/8/4p3/8/P3K3/7k w")
    state = game.result(state, game.parse_action(state, "a4"))
    assert state == game.from_fen("8/8/8/8/P3p3/8/4K3/7k b - a3 0 1")
    assert state == game.from_fen("8/8/8/8/P3p3/8/4K3/7k b - - 0 1")


@pytest.mark.parametrize(
    ("men", "fen", "dead"),
    [
        ("KPK", "8/8/4k3/8/8/8/8/K7 w", True),
        ("KPK", "8/8/4k3/8/8/8/8/KB6 w", True),
        ("KPK", "8/8/4k3/8/8/8/8/KN6 w", True),
        ("KPK", "8/8/4k3/8/8/P7/8/K7 w", False),
        ("KBBK", "8/8/4k3/8/8/8/8/KB1B4 w", True),
        ("KBBK", "8/8/4k3/8/8/8/8/KBB5 w", False),
        ("KBKB", "8/8/4k3/3b4/8/8/8/KB6 w", True),
        ("KBKB", "8/8/4k3/4b3/8/8/8/KB6 w", False),
        ("KBKN", "8/8/4k3/4n3/8/8/8/KB6 w", False),
        ("KNNK", "8/8/4k3/8/8/8/8/KNN5 w", False),
    ],
)
def test_a_position_is_dead_as_python_chess_has_it(men, fen, dead):
    game, state = at(fen, men)
    assert chess.Board(f"{fen} - - 0 1").is_insufficient_material() == dead == game.is_terminal(state)
    assert ("nobody can mate" in game.render(state)) == dead
    if dead:
        assert game.utility(state, MAX) == game.utility(state, MIN) == 0


def test_mate_is_won_and_stalemate_a_tie():
    game, mate = at("7k/6Q1/6K1/8/8/8/8/8 b", "KQK")
    assert (game.is_terminal(mate), game.utility(mate, MAX), game.utility(mate, MIN)) == (True, 1, -1)
    assert game.render(mate).endswith("checkmate: White has won")
    game, stuck = at("7k/8/5KQ1/8/8/8/8/8 b", "KQK")
    assert (game.is_terminal(stuck), game.utility(stuck, MAX)) == (True, 0)
    assert game.render(stuck).endswith("a tie: stalemate")


# Positions.


@pytest.mark.parametrize(("men", "pairs"), [("KBNK", 462), ("KPK", 1806)])
def test_kings_stand_in_as_many_ways_as_endgame_tables_count(men, pairs):
    game = ChessEndgame(men)
    kings = [game.result(EMPTY, action) for action in game.actions(EMPTY)]
    assert len(kings) == 3612
    assert len({game.canonical(state) for state in kings}) == pairs


@pytest.mark.parametrize("men", ["KRK", "KBBK", "KPKP", "KPPK"])
def test_a_state_is_one_number_and_its_symmetric_ones_have_one_representative(men):
    seen: dict = {}
    for game, state in random_positions(men, games=10, plies=20, seed=3):
        number = game.pack(state)
        assert game.unpack(number) == state
        assert 0 <= number < (1 << 36 if men == "KPKP" else 1 << 32)
        assert seen.setdefault(number, state) == state
        image = game.canonical(state)
        assert game.canonical(image) == image
        mine, its = ([game.result(each, a) for a in game.actions(each)] for each in (state, image))
        assert Counter(map(game.canonical, mine)) == Counter(map(game.canonical, its))
    for state in (EMPTY, game.result(EMPTY, next(iter(game.actions(EMPTY))))):
        assert game.unpack(game.pack(state)) == state


def test_kbnk_packs_into_28_bits():
    game = ChessEndgame("KBNK")
    assert game.pack(game.from_fen("7k/7N/7B/8/8/8/8/7K b")) < 1 << 28


def test_each_seed_gives_a_legal_position_with_white_to_move():
    starts = [ChessEndgame(men, seed=seed).initial() for men in ("KRK", "KPKP", "KQKR") for seed in range(13)]
    assert len(set(starts)) == 39
    assert {state[0] for state in starts} == {0}
    assert ChessEndgame("KRK", seed=3).initial() == load_game("chess-endgame:men=KRK,seed=3").initial()


def test_a_fen_is_a_parameter_with_spaces_or_without():
    fen = "8/8/8/4k3/8/8/8/KR6"
    game = load_game(f"chess-endgame:men=krk,fen={fen} b")
    assert game.initial() == load_game(f"chess-endgame:fen={fen}_b_-_-").initial()
    assert game.to_fen(game.initial()) == f"{fen} b - - 0 1"
    assert game == ChessEndgame("KRvK")  # where play begins is another matter
    assert identity(game) == identity(ChessEndgame("KRK"))


def test_men_may_be_placed_move_by_move():
    game = ChessEndgame("KBNK", fen="empty")
    state = game.initial()
    assert state == game.table_start()
    for name, left in [("Ka1kc3", "B"), ("Bc1", "N"), ("Nb1/b", "")]:
        state = game.result(state, game.parse_action(state, name))
        assert not left or game.render(state).endswith(f"to be placed next: {left}")
    assert game.to_fen(state) == "8/8/8/8/8/2k5/8/KNB5 b - - 0 1"


@pytest.mark.parametrize(
    ("men", "why"),
    [("KK", "name White's"), ("KQRBK", "name White's"), ("RK", ""), ("", ""), ("KNK", "nobody can mate")],
)
def test_men_that_make_no_endgame_are_refused(men, why):
    with pytest.raises(BadParameterError, match=f"^men={men} cannot be: .*{why}"):
        ChessEndgame(men)


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("8/8/8/4k3/8/8/8 w", "eight ranks of eight squares"),
        ("8/8/8/4k3/8/8/8/KRX5 w", "eight ranks of eight squares"),
        ("8/8/8/4k3/8/8/8/KR6 x", "a board, whose turn it is"),
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1 2", "a board, whose turn it is"),
        ("8/8/8/4k3/8/8/8/4K2R w K - 0 1", "nobody castles"),
        ("8/8/8/4k3/8/8/8/RR6 w", "one king"),
        ("8/8/8/4k3/8/8/8/KQ6 w", "the men of KRKP cannot come to these"),
        ("8/8/8/4k3/8/8/8/KRp5 w", "first or last rank"),
        ("8/8/8/4k3/8/8/8/KR2R3 w", "the men of KRKP cannot come to these"),
        ("8/8/8/4k2R/8/8/8/K7 w", "can be taken"),
        ("8/8/8/4k3/8/8/8/KR6 w - e6 0 1", "no pawn can have passed e6"),
        ("8/8/8/4k3/p7/8/8/KR6 w - a5 0 1", "no pawn can have passed a5"),
        ("", ""),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(fen, why):
    game = ChessEndgame("KRKP")
    with pytest.raises(BadParameterError, match=f"^cannot set up .*: .*{why}.*; give a FEN"):
        game.from_fen(fen)


def test_a_move_that_may_be_two_is_refused_with_both():
    game, state = at("8/8/8/4k3/8/8/K7/R6R w", "KRRK")
    with pytest.raises(IllegalActionError, match=r"^the move 'Rd1' may be R\w1-d1 or R\w1-d1: name one"):
        game.parse_action(state, "Rd1")
    assert game.action_name(game.parse_action(state, "Rhd1")) == "Rh1-d1"
    with pytest.raises(IllegalActionError, match="illegal move 'Ra9': the legal moves are K"):
        game.parse_action(state, "Ra9")


def test_every_legal_move_can_be_clicked():
    for men in ("KRK", "KPKP"):
        for game, state in random_positions(men, games=2, plies=15, seed=4):
            assert scene_errors(game, state, game.scene(state)) == []
    game, state = at("8/1P4k1/8/8/8/3K4/6p1/8 w")
    clicks = {game.action_name(action): places for action, places in game.scene(state).clicks}
    assert clicks["b7-b8=N"] == ("b7", "b8", "=N")
    game, state = ChessEndgame("KPK"), EMPTY
    for name in ("Kd3kg7", "Pb7/b"):
        assert scene_errors(game, state, game.scene(state)) == []
        state = game.result(state, game.parse_action(state, name))
    assert scene_errors(game, state, game.scene(state)) == []


# What the page, the engine and tablebases make of it.


def test_the_page_finds_one_tablebase_wherever_play_begins():
    offers = Offers()
    offers.tablebases["chess-endgame:men=KPK"] = table = object()
    for settings in ("men=KPK", "men=KPK,seed=7", "seed=1,fen=8/8/8/1k6/8/8/K5P1/8 w - - 0 1,men=KPK"):
        assert offers.read(f"chess-endgame:{settings}").table is table
    assert offers.read("chess-endgame:men=KPK,seed=7").name == "chess-endgame:men=KPK,seed=7"
    assert offers.read("chess-endgame:men=KRK,seed=7").table is None


@pytest.mark.slow
def test_a_check_finds_nothing_but_that_play_comes_back():
    report = check_game(ChessEndgame("KPKP", seed=2), compiled=False, states=150, playouts=3)
    assert [found.kind for found in report.findings] in ([], ["cycle"])


@pytest.mark.slow
def test_the_engine_drives_the_king_to_mate():
    game = ChessEndgame("KQK", fen="8/8/8/3k4/8/8/8/KQ6 w")
    engine = Engine(game, table_mb=16, compile="always")
    state, plies = game.initial(), 0
    while not game.is_terminal(state) and plies < 60:
        state = game.result(state, engine.search(state, depth=8).action)
        plies += 1
    assert game.utility(state, MAX) == 1


# How many moves a mate takes at most, and in how many positions up to symmetry, with White to move and with
# Black to move, in E. Nalimov's tables (kirill-kryukov.com, "Longest Mate in kqk").
LONGEST = [("KQK", 10, 1, 8), ("KPK", 28, 3, 2)]


def longest_mates(directory) -> dict[int, int]:
    """The plies of the longest mates, an odd number if White is to move, with how many there are of each."""
    counts = statistics(directory).remoteness
    wins = {until: kinds["MAX wins"] for until, kinds in counts.items() if kinds.get("MAX wins")}
    return {max(wins) - 1: wins[max(wins) - 1], max(wins): wins[max(wins)]}


@pytest.mark.slow
@pytest.mark.parametrize(("men", "moves", "white", "black"), LONGEST)
def test_the_longest_mates_are_those_of_nalimovs_tables(tmp_path, men, moves, white, black):
    build_tablebase(ChessEndgame(men), tmp_path, compile="always")
    assert longest_mates(tmp_path) == {2 * moves - 1: white, 2 * moves: black}
    assert verify(tmp_path) == []


# Michael Bain's table of king and rook against king, Black to move (the UCI repository's krkopt): of 28,056
# positions so many are lost in 0, 1, ... 16 moves, and the others are not lost.
LOST_IN = [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390]


@pytest.mark.slow
def test_king_and_rook_mate_as_soon_as_published_in_every_position(tmp_path):
    game = ChessEndgame("KRK")
    build_tablebase(game, tmp_path, compile="always")
    counts = statistics(tmp_path).remoteness
    lost = {until: kinds["loss"] for until, kinds in counts.items() if kinds.get("loss")}
    assert lost == {2 * moves: count for moves, count in enumerate(LOST_IN)}
    assert longest_mates(tmp_path) == {31: 121, 32: 390}
    kings = [game.canonical(game.result(EMPTY, action)) for action in game.actions(EMPTY)]
    rooks = {game.canonical(game.result(s, a)) for s in set(kings) for a in game.actions(s)}
    black = [state for state in rooks if state[0] == MIN]
    with Tablebase(tmp_path) as table:
        worths, _ = table.probe_arrays(black)
        assert Counter(worths.tolist()) == {-1.0: sum(LOST_IN), 0.0: 28056 - sum(LOST_IN)}
        later = ChessEndgame("KRK", fen="8/8/8/3k4/8/8/8/KR6 w")
        table.check_game(later)
        line = [later.action_name(action) for action in table.line(later.initial())]
        assert len(line) == table.probe(later.initial()).remoteness
