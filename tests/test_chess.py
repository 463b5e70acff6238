"""Chess by python-chess: published counts, mates, notation both ways, the end of games."""

from __future__ import annotations

import pickle

import pytest

from extras import needed
from perfectplay import Engine, check_game, load_game
from perfectplay.adapters import Chess
from perfectplay.cli import main
from perfectplay.engine import perft
from perfectplay.errors import PerfectPlayError
from perfectplay.play import Match
from perfectplay.scene import scene_errors

needed("chess")

KIWIPETE = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"  # of the Chess Programming Wiki
)
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.mark.parametrize(("fen", "leaves"), [(Chess().fen, [20, 400]), (KIWIPETE, [48, 2039])])
def test_lines_of_play_are_as_many_as_published(fen, leaves):
    game = Chess(fen)
    assert [perft(game, game.initial(), depth) for depth in (1, 2)] == leaves


def test_a_mate_in_one_and_a_mate_in_two_are_found():
    game = Chess(BACK_RANK)
    found = Engine(game).search(game.initial(), depth=2)
    assert (game.san(game.initial(), found.action), found.value, found.exact) == ("Rd8#", 100_000, True)
    game = Chess("7k/8/8/8/8/8/R7/1R5K w - - 0 1")  # a ladder: Rb7, any, Ra8
    found = Engine(game).search(game.initial(), depth=3)
    assert found.value == 100_000
    assert found.exact
    assert "checkmate: White has won" in game.render(Match(game, ["b1b7", "h8g8", "a2a8"]).state)


def test_an_exchange_is_looked_at_to_its_end():
    game = Chess("3r3k/8/8/3p4/8/8/8/3Q3K w - - 0 1")  # the pawn is guarded
    found = Engine(game).search(game.initial(), depth=1)
    assert game.action_name(found.action) != "d1d5"


@pytest.mark.parametrize("text", ["g1f3", "G1F3", "Nf3"])
def test_moves_are_read_as_programs_and_as_books_write_them(text):
    game = Chess()
    assert game.action_name(game.parse_action(game.initial(), text)) == "g1f3"


def test_castling_promotion_and_taking_in_passing():
    game = Chess("r3k2r/7P/8/8/4p3/8/3P4/R3K2R w KQkq - 0 1")
    state = game.initial()
    assert {game.action_name(game.parse_action(state, text)) for text in ("O-O", "0-0", "e1g1")} == {"e1g1"}
    assert (
        game.action_name(game.parse_action(Chess("8/P6k/8/8/8/8/8/K7 w - - 0 1").initial(), "a8=Q+"))
        == "a7a8q"
    )
    passing = Match(game, ["d2d4"]).state
    assert "e4d3" in map(game.action_name, game.actions(passing))
    assert game.board_notation(passing).split()[3] == "d3"


def test_a_pawn_that_nobody_can_take_in_passing_makes_no_other_position():
    one, other = Match(Chess(), ["e2e4", "e7e6", "d2d4"]), Match(Chess(), ["d2d4", "e7e6", "e2e4"])
    assert one.state == other.state
    assert Chess().key(one.state) == Chess().key(other.state)
    assert pickle.loads(pickle.dumps(one.state)) == one.state


@pytest.mark.parametrize(
    ("fen", "worth", "told"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, "a tie: stalemate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 99 80", 100_000, "checkmate: White has won"),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", 0, "a tie: nobody can mate with these men"),
        ("7k/8/6K1/8/8/8/8/Q7 b - - 100 80", 0, "a tie: fifty moves without progress"),
    ],
)
def test_how_games_end(fen, worth, told):
    game = Chess(fen)
    state = game.initial()
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (worth, -worth)
    assert game.render(state).endswith(told)


def test_estimates_of_a_mirrored_board_are_opposite():
    game = Chess(KIWIPETE)
    board = game.initial().board
    mirrored = game.parse_board(board.mirror().fen())
    assert game.evaluate(game.initial(), 0) == game.evaluate(mirrored, 1) != 0


def test_the_check_finds_nothing_wrong_and_scenes_are_right():
    game = Chess("8/P6k/8/8/8/8/6r1/K7 w - - 0 1")
    report = check_game(game, states=30, playouts=1, seconds=0.5)
    assert [finding for finding in report.findings if finding.severity == "error"] == []
    scene = game.scene(game.initial())
    assert scene_errors(game, game.initial(), scene) == []
    assert ("a7", "a8", "=q") in [places for _, places in scene.clicks]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("chess:fen=rubbish", "cannot set up 'rubbish': "),
        (
            "chess:fen=8/8/8/8/8/8/8/K7 w - - 0 1",
            "cannot set up '8/8/8/8/8/8/8/K7 w - - 0 1': no black king.",
        ),
        ("chess:size=8", "chess has no parameter 'size': there are: fen."),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_a_sentence(name, sentence):
    with pytest.raises(PerfectPlayError) as refusal:
        load_game(name)
    assert str(refusal.value).startswith(sentence)


def test_a_move_that_is_none_is_refused_with_those_there_are():
    game = Chess("7k/8/8/8/8/8/R7/K7 b - - 0 1")
    with pytest.raises(PerfectPlayError, match=r"illegal move 'e2e4': the legal moves are h8g8 h8h7 h8g7\."):
        game.parse_action(game.initial(), "e2e4")
    over = Chess("7k/8/6K1/8/8/8/8/8 w - - 0 1")
    with pytest.raises(PerfectPlayError, match="illegal move 'g6f6': the game is over"):
        over.parse_action(over.initial(), "g6f6")


def test_the_command_line_plays_it(capsys):
    assert main(["search", f"chess:fen={BACK_RANK}", "--depth", "2"]) == 0
    told = capsys.readouterr().out
    assert "best move  d1d8" in told
    assert "interpreted: its rules are those of python-chess" in told
