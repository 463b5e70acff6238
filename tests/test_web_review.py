"""Reviews over HTTP: every position valued, every move judged; and records of games."""

from __future__ import annotations

import pytest

from broken_games import Takeaway
from endless_games import Circle
from perfectplay import CHANCE, MAX, load_game
from perfectplay.engine import Engine
from perfectplay.play import Match
from perfectplay.textbook import expectiminimax
from web_client import Web

LOST = ["b2", "a1", "c3", "b1", "a2", "c1"]  # tic-tac-toe: a2 overlooks the line below


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(most_compiled=0)


def plies(web, **question):
    """The positions by their number, and the end."""
    events = web.events("/api/review", **question)
    assert events[-1][0] == "done"
    told = [data for name, data in events if name == "ply"]
    assert [each["ply"] for each in told] == list(range(len(told) - 1, -1, -1))
    return {each["ply"]: each for each in told}, events[-1][1]


def test_the_mistake_of_a_lost_game_is_found(web):
    told, done = plies(web, game="tic-tac-toe", moves=LOST)
    judged = [told[ply]["judgement"] for ply in range(7)]
    assert judged == ["best", "best", "best", "mistake", "blunder", "best", None]
    assert (told[4]["verdict"], told[5]["verdict"], told[6]["verdict"]) == ("win", "win", "loss")
    assert told[4]["line"][0] == "c1"
    assert [told[ply]["balance"] for ply in (4, 5, 6)] == [1.0, 0.0, 0.0]
    assert done["judged"] == {"MAX": {"best": 2, "blunder": 1}, "MIN": {"best": 2, "mistake": 1}}
    assert (done["plies"], done["exact"]) == (6, 7)


def test_every_value_of_a_review_is_that_of_the_engine(web):
    game = load_game("connect-four:rows=4,cols=5")
    moves = "3334425115"
    told, done = plies(web, game="connect-four:rows=4,cols=5", moves=list(moves))
    match, engine = Match(game, [moves]), Engine(game, compile="never")
    assert done["exact"] == len(moves) + 1
    for ply in range(4, len(moves)):
        found = engine.solve(match.states[ply])
        assert told[ply]["value"] == found.value
        assert told[ply]["remoteness"] == game.plies_left(match.states[ply], found.value)
        assert told[ply]["value_to_max"] == (found.value if ply % 2 == 0 else -found.value)


def test_a_game_that_goes_on_is_reviewed_as_well(web):
    told, _ = plies(web, game="tic-tac-toe", moves=["b2", "b1"])
    assert [told[ply]["judgement"] for ply in range(3)] == ["best", "mistake", None]
    assert told[2]["verdict"] == "win"
    told, done = plies(web, game="tic-tac-toe")
    assert (list(told), done["judged"]) == ([0], {"MAX": {}, "MIN": {}})


def test_what_takes_too_long_to_prove_is_estimated(web):
    told, done = plies(web, game="othello", moves=["d3", "c5"], seconds=0.2)
    assert done["exact"] == 0
    assert {each["verdict"] for each in told.values()} <= {"better", "even", "worse"}
    assert all(0 < each["balance"] < 1 for each in told.values())


def test_a_player_who_moves_twice_is_judged_by_ones_own_side(web):
    moves = ["a1-b1", "a1-a2", "b1-b2", "a2-b2"]  # the last takes a box, and moves again
    told, _ = plies(web, game="dots-and-boxes:rows=1,cols=2", moves=moves)
    assert told[3]["to_move"] == told[4]["to_move"]
    assert told[3]["judgement"] in ("best", "good")


def test_with_dice_a_move_is_judged_by_what_it_gave_away_and_luck_is_nobodys_mistake(web):
    moves = ["51", "5/4", "4/off5", "53", "2/off5", "1/off3"]  # instead of both men off
    told, done = plies(web, game="bear-off:mine=5+1,theirs=2+1", moves=moves, seconds=60)
    match = Match(load_game("bear-off:mine=5+1,theirs=2+1"), moves)
    assert done["exact"] == len(moves) + 1
    judged = set()
    for ply, state in enumerate(match.states[:-1]):
        mover, shown = match.game.to_move(state), told[ply]
        if mover == CHANCE:
            assert (shown["to_move"], shown["judgement"], shown["gave"]) == ("chance", None, None)
            continue
        worth = {
            action: expectiminimax(match.game, match.game.result(state, action)) * (1 if mover == MAX else -1)
            for action in match.game.actions(state)
        }
        gave = (max(worth.values()) - worth[match.actions[ply]]) / 2
        assert shown["gave"] == pytest.approx(gave, abs=1e-4)
        assert shown["chance"] == pytest.approx((1 + max(worth.values())) / 2, abs=1e-4)
        assert shown["judgement"] == ("best" if gave < 0.005 else "mistake" if gave < 0.1 else "blunder")
        judged.add(shown["judgement"])
    assert judged == {"best", "blunder"}
    assert sum(sum(counts.values()) for counts in done["judged"].values()) == 4


def test_play_in_circles_is_reviewed_as_far_as_one_sees():
    told, done = plies(Web(Circle), game="Circle", moves=["round"], seconds=0.5)
    assert (len(told), done["exact"]) == (2, 0)


# Records.


def record(web, game, text):
    answer = web.post("/api/record", {"game": game, "text": text})
    return answer.status_code, answer.json()


def test_a_record_is_read_with_its_variations(web):
    status, read = record(web, "tic-tac-toe", "1. b2 a1 (1... b1) 2. c3")
    assert (status, read["game"]) == (200, "tic-tac-toe")
    assert [(step["move"], step["parent"]) for step in read["steps"]] == [
        ("b2", -1),
        ("a1", 0),
        ("b1", 0),
        ("c3", 1),
    ]


def test_a_record_may_name_its_game(web):
    status, read = record(web, "tic-tac-toe", '[Game "connect-four:rows=5,cols=4"]\n\n1. 4 4')
    assert (status, read["game"]) == (200, "connect-four:rows=5,cols=4")


def test_a_record_that_cannot_be_is_refused(web):
    assert record(web, "tic-tac-toe", "b2 b2") == (
        400,
        {"message": "move 2, illegal move 'b2': the legal moves are a3 b3 c3 a2 c2 a1 b1 c1."},
    )
    assert record(web, "tic-tac-toe", '[Game "chess"] ')[0] == 404


def test_a_record_of_rules_that_somebody_brought_is_asked_about_by_their_name():
    web = Web(Takeaway, most_compiled=0)
    text = '[Game "Takeaway"]\n\n1. t1'
    assert record(web, "Takeaway", text)[0] == 200
    status, refused = record(web, "nim", text)
    assert (status, refused["message"]) == (400, "these are moves of Takeaway: ask about that game.")


def test_a_fen_is_where_an_endgame_begins(web):
    fen = "8/8/8/4k3/8/8/8/KR6 w"
    status, read = record(web, "chess-endgame", f"{fen} - - 0 1")
    assert (status, read["game"], read["steps"]) == (200, f"chess-endgame:fen={fen}", [])
    shown = web.post("/api/position", {"game": read["game"]}).json()
    assert shown["notation"].startswith(fen)
    queen = "8/8/8/4k3/8/8/8/KQ6 b"
    assert record(web, "chess-endgame", queen)[1]["game"] == f"chess-endgame:men=KQK,fen={queen}"
    status, refused = record(web, "nim", fen)
    assert (status, refused["message"]) == (400, "nim does not begin at a FEN: choose a chess endgame first.")


def test_verdicts_and_distances_come_with_every_move(web):
    (*_, (_, done)) = web.events("/api/analyse", game="connect-four:rows=4,cols=4,k=3", moves=["2", "2"])
    assert (done["verdict"], done["exact"]) == ("win", True)
    assert done["remoteness"] == 3
    assert done["balance"] == 1.0
    best = done["moves"][0]
    assert (best["verdict"], best["remoteness"], best["best"]) == ("win", 3, True)
