"""Games of OpenSpiel as ours: the same rules, keys that are sound, and refusals in a sentence."""

from __future__ import annotations

import pickle

import pytest

from extras import needed
from perfectplay import CHANCE, Engine, check_game, load_game
from perfectplay.adapters import from_openspiel
from perfectplay.adapters.transpositions import text_is_a_key
from perfectplay.cli import main
from perfectplay.commands.serve import _own_games
from perfectplay.engine import perft
from perfectplay.errors import PerfectPlayError
from perfectplay.play import Match
from perfectplay.textbook import minimax, value
from perfectplay.web.offers import Offers

pyspiel = needed("pyspiel")

BY_TEXT = ("breakthrough", "clobber", "connect_four", "dots_and_boxes", "nim", "othello", "tic_tac_toe")
BY_HISTORY = ("amazons", "checkers", "chess", "go", "lines_of_action", "oware", "pig", "quoridor")


def test_tic_tac_toe_of_openspiel_has_as_many_states_as_ours():
    game, table = from_openspiel("tic_tac_toe"), {}
    assert minimax(game, game.initial(), table) == 0
    assert len(table) == 5478


@pytest.mark.parametrize(
    ("theirs", "ours", "plies"),
    [("othello", "othello", 4), ("breakthrough(rows=6,columns=6)", "breakthrough:rows=6,cols=6", 2)],
)
def test_lines_of_play_are_as_many_as_in_our_game_of_that_name(theirs, ours, plies):
    theirs_game = from_openspiel(theirs)
    ours = load_game(ours)
    assert perft(theirs_game, theirs_game.initial(), plies) == perft(ours, ours.initial(), plies)


@pytest.mark.parametrize("name", BY_TEXT)
def test_a_board_that_fills_up_is_known_by_its_text(name):
    assert text_is_a_key(pyspiel.load_game(name))


@pytest.mark.parametrize("name", BY_HISTORY)
def test_where_play_may_come_back_or_texts_leave_something_out_a_state_is_its_history(name):
    assert not text_is_a_key(pyspiel.load_game(name))


def test_two_ways_to_one_board_are_one_state_and_in_chess_they_are_two():
    game = from_openspiel("tic_tac_toe")
    one = Match(game, ["x(0,0)", "o(1,1)", "x(2,2)"]).state
    other = Match(game, ["x(2,2)", "o(1,1)", "x(0,0)"]).state
    assert one == other
    assert game.key(one) == game.key(other)
    assert one.state.history() != other.state.history()
    chess = from_openspiel("chess")
    one, other = (Match(chess, line.split()).state for line in ("Nf3 Nf6 Nc3", "Nc3 Nf6 Nf3"))
    assert str(one) == str(other)
    assert one != other


def test_a_state_that_is_pickled_is_the_same_state():
    game = from_openspiel("hex(board_size=3)")
    state = Match(game, ["a1", "b2"]).state
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(game)).spiel.get_parameters()["board_size"] == 3


def test_the_same_player_may_move_twice():
    game = from_openspiel("dots_and_boxes(num_rows=1,num_cols=1)")
    match = Match(game)
    movers = []
    while not match.over:
        movers.append(game.to_move(match.state))
        match.play(next(iter(game.actions(match.state))))
    assert movers == [0, 1, 0, 1]
    assert Engine(game).solve(game.initial()).value == minimax(game, game.initial(), {}) == -1
    kalah = from_openspiel("mancala")
    state = Match(kalah, ["3"]).state
    assert kalah.to_move(state) == kalah.to_move(kalah.initial()) == 0


def test_dice_are_chance_nodes():
    game = from_openspiel("pig(winscore=4,diceoutcomes=2)")
    assert game.has_chance
    state = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    assert game.to_move(state) == CHANCE
    assert [probability for _, probability in game.chances(state)] == [0.5, 0.5]
    assert list(game.actions(state)) == []
    found = Engine(game).search(game.initial(), depth=5)
    assert (found.value, game.action_name(found.action)) == (0.25, "roll")


def test_every_player_has_a_utility_of_its_own_where_there_are_more_than_two():
    game = from_openspiel("chinese_checkers(players=3)")
    assert (game.players, game.zero_sum) == (3, False)


@pytest.mark.parametrize("name", ["breakthrough(rows=4,columns=3)", "pig(winscore=5,horizon=20)", "oware"])
def test_the_check_finds_nothing_wrong(name):
    report = check_game(from_openspiel(name), states=60, playouts=2, seconds=0.5)
    assert [finding for finding in report.findings if finding.severity == "error"] == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("openspiel:", "which game of OpenSpiel? Give its name, as in openspiel:hex(board_size=5)."),
        ("openspiel:hexx", "OpenSpiel has no game 'hexx': did you mean 'hex'?"),
        ("openspiel:hex(bord=3)", "OpenSpiel cannot load 'hex(bord=3)': Unknown parameter 'bord'."),
        ("openspiel:goofspiel", "in goofspiel players move at once: choose a game where they take turns."),
        ("openspiel:kuhn_poker", "in kuhn_poker players do not see all: choose one of perfect information."),
        (
            "openspiel:stones_and_gems",
            "stones_and_gems does not list what chance may do: ",
        ),
    ],
)
def test_what_is_no_game_for_us_is_refused_in_a_sentence(name, sentence):
    with pytest.raises(PerfectPlayError) as refusal:
        load_game(name)
    assert str(refusal.value).startswith(sentence)


def test_the_command_line_takes_them_by_name(capsys):
    assert main(["solve", "openspiel:tic_tac_toe", "--moves", "x(1,1)", "o(0,1)"]) == 0
    told = capsys.readouterr().out
    assert "MAX wins with best play" in told
    assert "interpreted: its rules are those of OpenSpiel" in told
    assert main(["games", "openspiel:hex(board_size=3)"]) == 0
    assert "moves at the start: a1 b1 c1 a2" in capsys.readouterr().out


def test_the_page_offers_them_beside_ours_of_the_same_name():
    files = _own_games(["openspiel:nim(pile_sizes=1;2)"])
    assert files == {"openspiel-nim(pile_sizes=1;2)": "openspiel:nim(pile_sizes=1;2)"}
    offers = Offers({title: type(load_game(file)) for title, file in files.items()})
    game = offers.read("openspiel-nim(pile_sizes=1;2)").game
    assert value(game, game.initial()) in (-1, 1)
