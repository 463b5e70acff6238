"""Where the theatre opens: positions whose trees can be seen whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from perfectplay import load_game
from perfectplay.game import choices
from perfectplay.trace import trace
from perfectplay.trace.late_position import MOST, MOST_PLIES, late_position
from perfectplay.web import late_positions
from two_sided_games import TWO_SIDED
from web_client import Web


def reached(game, line):
    """The state after these actions, each of which is legal."""
    state = game.initial()
    for action in line:
        assert action in list(choices(game, state))
        state = game.result(state, action)
    return state


@pytest.mark.parametrize("name", [*TWO_SIDED, "pig", "bear-off", "chinese-checkers"])
def test_every_game_has_a_position_whose_tree_is_recorded_whole(name):
    game = load_game(name)
    late = late_position(game, game.initial())
    algorithm = "alpha-beta-with-heuristics" if late.depth else "alpha-beta-search"
    if game.has_chance or not game.zero_sum:
        algorithm = "expectiminimax" if game.zero_sum else "max-n"
    recorded = trace(algorithm, game, reached(game, late.line), depth=late.depth)
    assert recorded.complete
    assert len(recorded.nodes) <= 600
    if not late.depth:
        assert late.nodes <= MOST
        assert max(node.ply for node in recorded.nodes) <= max(MOST_PLIES, 8)


def test_a_small_tree_is_shown_from_where_it_was_asked_about():
    book = load_game("figure-5.2")
    assert late_position(book, book.initial()) == ((), None, 13)


def test_the_same_position_is_found_again():
    game = load_game("othello")
    assert late_position(game, game.initial()) == late_position(game, game.initial())


def test_a_position_that_play_leads_to_is_found_over_http():
    web = Web()
    told = web.post("/api/late", {"game": "connect-four", "moves": ["4", "4"]}).json()
    assert told["moves"][:2] == ["4", "4"]
    assert (told["here"], told["depth"]) == (False, None)
    assert 10 <= told["nodes"] <= MOST
    assert web.post("/api/late", {"game": "connect-four", "moves": ["4", "4"]}).json() == told
    assert web.post("/api/late", {"game": "figure-5.2"}).json() == {
        "moves": [],
        "depth": None,
        "nodes": 13,
        "here": True,
    }


def test_there_is_none_where_the_game_is_over():
    answer = Web().post("/api/late", {"game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2", "a3"]})
    assert answer.status_code == 400
    assert answer.json()["message"] == (
        "the game is over here, and there is nothing to search: take moves back."
    )


def test_there_is_one_of_a_game_with_dice_and_of_one_for_three():
    for game in ("pig", "chinese-checkers"):
        told = Web().post("/api/late", {"game": game}).json()
        assert told["moves"]
        assert told["nodes"] <= MOST


def test_many_threads_that_ask_at_once_each_get_their_own(monkeypatch):
    monkeypatch.setattr(late_positions, "REMEMBERED", 1)  # so that each one's displaces another's
    monkeypatch.setattr(late_positions, "_found", lambda offer, moves, check: {"moves": moves})
    positions, offer = late_positions.LatePositions(), SimpleNamespace(name="a game")
    asked = [[str(number % 5)] for number in range(2000)]
    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(lambda moves: positions.find(offer, moves, lambda: None), asked))
    assert [each["moves"] for each in told] == asked
    assert len(positions.known) == 1
