"""The web application as a page asks it: games, positions, and the bounds of a request."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

import broken_games
from broken_games import GALLERY, Takeaway
from perfectplay import Game, watchdog
from perfectplay.engine import workers
from perfectplay.games import GAMES, parameters
from perfectplay.play import player_names
from perfectplay.textbook import ALGORITHMS
from perfectplay.web import positions
from two_sided_games import ZERO_SUM
from web_client import Web


@pytest.fixture(scope="module")
def web():
    return Web(Takeaway)


def refusal(answer: Any) -> tuple[int, str]:
    """The status and the one sentence of a request that was refused."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.json().keys() == {"message"}
    return answer.status_code, answer.json()["message"]


# Games.


def test_every_game_is_offered_with_its_rules_and_parameters(web):
    games = {game["name"]: game for game in web.get("/api/games").json()["games"]}
    assert games.keys() == {*ZERO_SUM, "Takeaway"}
    four = games["connect-four"]
    assert (four["title"], four["players"], four["own"]) == ("Connect Four", 2, False)
    assert four["rules"].startswith(four["summary"])
    assert [each["name"] for each in four["parameters"]] == list(parameters(GAMES["connect-four"]))
    assert four["parameters"][0] == {
        "name": "rows",
        "kind": "int",
        "choices": None,
        "default": "6",
        "help": "a whole number",
        "compared": True,
    }
    assert next(each for each in four["parameters"] if each["name"] == "score")["choices"] == [
        *("course", "distance", "outcome")
    ]
    assert games["nim"]["parameters"][0]["kind"] == "numbers"
    assert games["nim"]["parameters"][1]["choices"] == ["yes", "no"]
    assert games["tic-tac-toe"]["title"] == "Tic-tac-toe"
    assert games["dots-and-boxes"]["title"] == "Dots and Boxes"
    assert games["Takeaway"]["own"]


def test_what_is_offered_as_a_default_can_be_sent(web):
    for game in web.get("/api/games").json()["games"]:
        settings = ",".join(f"{each['name']}={each['default']}" for each in game["parameters"])
        name = f"{game['name']}:{settings}" if settings else game["name"]
        assert web.post("/api/position", {"game": name}).status_code == 200


def test_every_player_and_algorithm_is_offered(web):
    offered = web.get("/api/games").json()
    assert [each["name"] for each in offered["opponents"]] == list(player_names())
    assert all(each["summary"] for each in offered["opponents"])
    assert {each["name"] for each in offered["opponents"] if each["takes_seconds"]} == {
        "engine",
        "mcts",
        "deepening",
    }
    levels = [each["name"] for each in offered["opponents"] if each["kind"] == "level"]
    assert levels == ["easy", "medium", "hard", "perfect"]
    assert [each["name"] for each in offered["algorithms"]] == list(ALGORITHMS)
    assert [each["name"] for each in offered["algorithms"] if not each["sound"]] == [
        "alpha-beta",
        "alpha-beta-with-heuristics",
    ]


class Needy(Takeaway):
    """A game that cannot be made without a number."""

    def __init__(self, size: int, word: str = "a", part: float = 0.5) -> None:
        self.start = size


class Crowd(Takeaway):
    """A game with three players, of whom two are MIN."""

    players = 3

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, (state[1] + 1) % 3

    def utility(self, state: Any, player: int) -> Any:
        return (1 if state[1] != 0 else -1) * (1 if player == 0 else -1)


def test_a_game_that_needs_a_parameter_is_offered_without_a_default():
    web = Web(Needy)
    needy = web.get("/api/games").json()["games"][-1]
    assert needy["parameters"][0] == {
        "name": "size",
        "kind": "int",
        "choices": None,
        "default": None,
        "help": "a whole number",
        "compared": True,
    }
    assert needy["summary"] == "A game that cannot be made without a number."
    assert refusal(web.post("/api/position", {"game": "Needy"})) == (
        400,
        "Needy needs size: give Needy:size=VALUE.",
    )
    assert web.post("/api/position", {"game": "Needy:size=3"}).json()["actions"] == ["t1", "t2"]


# Positions.


def test_a_position_says_all_that_a_page_shows(web):
    found = web.post("/api/position", {"game": "tic-tac-toe", "moves": ["b2"]}).json()
    assert (found["game"], found["moves"], found["players"]) == ("tic-tac-toe", ["b2"], 2)
    assert (found["to_move"], found["over"], found["result"], found["value"]) == ("MIN", False, None, None)
    assert found["text"] == " 3 . . .\n 2 . X .\n 1 . . .\n   a b c"
    assert found["actions"] == ["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"]


def test_a_position_at_the_end_says_who_has_won(web):
    found = web.post("/api/position", {"game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2", "a3"]}).json()
    assert (found["over"], found["result"], found["value"], found["actions"]) == (True, "X wins", 1, [])
    tie = ["a1", "b2", "c3", "a3", "c1", "c2", "a2", "b1", "b3"]
    found = web.post("/api/position", {"game": "tic-tac-toe", "moves": tie}).json()
    assert (found["over"], found["result"], found["value"]) == (True, "a tie", 0)


def test_moves_may_be_written_as_people_write_them_and_come_back_in_notation(web):
    found = web.post("/api/position", {"game": "Tic_Tac_Toe", "moves": ["B2", " a1 "]}).json()
    assert (found["game"], found["moves"]) == ("tic-tac-toe", ["b2", "a1"])


def test_an_illegal_move_is_refused_with_what_is_legal(web):
    assert refusal(
        web.post("/api/position", {"game": "connect-four:rows=4,cols=4", "moves": ["1", "9"]})
    ) == (
        400,
        "after 1, illegal move '9': the legal moves are 1 2 3 4.",
    )
    status, message = refusal(web.post("/api/position", {"game": "nim:heaps=1", "moves": ["a1", "a1"]}))
    assert (status, message) == (400, "after a1, illegal move 'a1': the game is over.")


def test_a_game_of_three_can_be_played():
    web = Web(Crowd)
    found = web.post("/api/position", {"game": "Crowd", "moves": ["t1", "t1"]}).json()
    assert (found["players"], found["to_move"]) == (3, "MIN")
    (*_, (last, done)) = web.events("/api/analyse", game="Crowd", moves=["t1"])
    assert (last, done["reason"], done["value_to_max"]) == ("done", "exact", -done["value"])
    (*_, (last, done)) = web.events("/api/reply", game="Crowd", moves=["t1"], player="value")
    assert last == "done"


class Odd(Takeaway):
    """Half characters in its texts, and a worth that is no number."""

    worth: Any = nan

    def render(self, state: Any) -> Any:
        return "half \ud800"

    def utility(self, state: Any, player: int) -> Any:
        return self.worth


class Endless(Odd):
    """A worth without limit."""

    worth = inf


def test_what_json_has_no_word_for_is_null():
    web = Web(Odd, Endless)
    for game in ("Odd", "Endless"):
        answer = web.post("/api/position", {"game": game, "moves": ["t2", "t2", "t1"]})
        assert (answer.json()["over"], answer.json()["value"], answer.json()["result"]) == (True, None, None)
    (*_, (last, done)) = web.events("/api/analyse", game="Endless", moves=["t2"])
    assert (last, done["value"]) == ("done", None)
    (*_, (last, said)) = web.events("/api/analyse", game="Odd", moves=["t2"])
    assert (last, said["message"]) == ("failed", "utility() gave nan, which is no value: give a number.")


# Bounds.


@pytest.mark.parametrize(
    ("question", "status", "sentence"),
    [
        ({}, 422, "game: Field required."),
        ({"game": 5}, 422, "game: Input should be a valid string."),
        ({"game": ""}, 422, "game: String should have at least 1 character."),
        ({"game": "n" * 201}, 422, "game: String should have at most 200 characters."),
        ({"game": "nim", "moves": "a1"}, 422, "moves: Input should be a valid list."),
        ({"game": "nim", "moves": ["a1"] * 513}, 422, "moves: List should have at most 512 items"),
        ({"game": "nim", "moves": ["a" * 33]}, 422, "moves.0: String should have at most 32 characters."),
        ({"game": "nim", "code": "1"}, 422, "code: Extra inputs are not permitted."),
        ([], 422, "the body: Input should be a valid dictionary"),
        (
            {"game": "chinese-checkers"},
            400,
            "the page is for two sides, and in ChineseCheckers every player has",
        ),
        ({"game": "xiangqi"}, 404, "there is no game 'xiangqi' here: there are: bear-off, breakthrough, "),
        ({"game": "kalha"}, 404, "there is no game 'kalha' here: did you mean 'kalah'?"),
        ({"game": "nim:heap=3"}, 400, "nim has no parameter 'heap': did you mean 'heaps'?"),
        ({"game": "nim:heaps=x"}, 400, "cannot take heaps='x': give whole numbers, as in 3+4+5."),
        ({"game": "nim:heaps"}, 400, "cannot read 'heaps': give parameters as nim:name=value,name=value."),
        ({"game": "nim:heaps=65"}, 400, "cannot take heaps=65: give a whole number from 0 to 64."),
        ({"game": "nim:heaps=-1"}, 400, "cannot take heaps=-1: give a whole number from 0 to 64."),
        ({"game": "nim:heaps=" + "+".join("1" * 17)}, 400, "heaps has 17 numbers: a request may give 16"),
        ({"game": "mnk:m=1000000"}, 400, "cannot take m=1000000: give a whole number from 0 to 64."),
        ({"game": "mnk:m=64,n=64,k=3"}, 400, ""),
    ],
)
def test_what_is_out_of_bounds_is_refused_in_one_sentence(web, question, status, sentence):
    got, message = refusal(web.post("/api/position", question))
    assert (got, message[: len(sentence)]) == (status, sentence)
    assert message.endswith((".", "?"))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("size=3,word=" + "x" * 65, "word is a word of 65 characters: give 64 or less."),
        ("size=3,part=inf", "cannot take part=inf: give a number from -64 to 64."),
        ("size=3,part=1e9", "cannot take part=1000000000.0: give a number from -64 to 64."),
        ("size=99", "cannot take size=99: give a whole number from 0 to 64."),
    ],
)
def test_parameters_of_a_game_of_ones_own_have_bounds_too(settings, sentence):
    assert refusal(Web(Needy).post("/api/position", {"game": f"Needy:{settings}"})) == (400, sentence)


@pytest.mark.parametrize(
    ("path", "more", "sentence"),
    [
        ("analyse", {"seconds": 61}, "seconds: Input should be less than or equal to 60."),
        ("analyse", {"seconds": -1}, "seconds: Input should be greater than or equal to 0."),
        ("analyse", {"seconds": "1"}, "seconds: Input should be a valid number."),
        ("analyse", {"depth": 0}, "depth: Input should be greater than or equal to 1."),
        ("analyse", {"depth": 65}, "depth: Input should be less than or equal to 64."),
        ("analyse", {"depth": 1.5}, "depth: Input should be a valid integer."),
        ("reply", {"player": "x" * 65}, "player: String should have at most 64 characters."),
        ("trace", {"algorithm": "minimax", "limit": 50_001}, "limit: Input should be less than or equal to"),
    ],
)
def test_searches_have_bounds_too(web, path, more, sentence):
    status, message = refusal(web.post(f"/api/{path}", {"game": "nim"} | more))
    assert (status, message[: len(sentence)]) == (422, sentence)


def test_numbers_that_are_none_are_refused(web):
    for word in ("NaN", "Infinity"):
        body = f'{{"game": "nim", "seconds": {word}}}'
        answer = web.request(
            "POST", "/api/analyse", content=body, headers={"Content-Type": "application/json"}
        )
        assert refusal(answer) == (422, "seconds: Input should be a finite number.")


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b'{"game": ', 422, "the body is not JSON: "),
        (b"", 422, "the body: Field required."),
        (b"[" * 60_000, 400, ""),
        (b"\xff\xfe", 422, "the body is not JSON: "),
        (b'{"game": "\\ud800"}', 422, ""),
        (b'{"game": "nim", "moves": ["\\ud800"]}', 422, ""),
        (b'{"game": ' + b"9" * 5000 + b"}", 400, ""),
    ],
)
def test_a_body_that_is_no_json_is_refused(web, body, status, sentence):
    answer = web.request("POST", "/api/position", content=body, headers={"Content-Type": "application/json"})
    got, message = refusal(answer)
    assert (got, message[: len(sentence)]) == (status, sentence)


def test_no_request_names_a_file(web, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("raise SystemExit('it was run')")
    for name in (f"{path}:Mine", f"{path}", "../mine.py:Mine", "examples/my_nim.py:MyNim", "os:system"):
        status, message = refusal(web.post("/api/position", {"game": name}))
        assert status == 404
        assert message.startswith("there is no game ")


class Wide(Takeaway):
    """More moves than a page can show, from the second on."""

    def actions(self, state: Any) -> Any:
        return range(1, 2) if state == (5, 0) else range(1, 1002)


class Bottomless(Takeaway):
    """Moves without end."""

    def actions(self, state: Any) -> Any:
        while True:
            yield 1


def test_a_position_with_too_many_moves_is_refused():
    web = Web(Wide, Bottomless)
    sentence = "there are more than 1,000 legal moves, too many for a page: try a smaller board."
    assert web.post("/api/position", {"game": "Wide"}).status_code == 200
    for game, moves in (("Wide", ["t1"]), ("Bottomless", [])):
        for path in ("position", "analyse", "reply"):
            assert refusal(web.post(f"/api/{path}", {"game": game, "moves": moves})) == (400, sentence)


# Games that are broken.


class Quits(Takeaway):
    """A game that ends the program instead of itself."""

    def result(self, state: Any, action: Any) -> Any:
        raise SystemExit("good night")


class Torn(Takeaway):
    """A game whose board cannot be drawn."""

    def scene(self, state: Any) -> Any:
        return [][5]


class Scribbled(Takeaway):
    """A game whose board is no board."""

    def scene(self, state: Any) -> Any:
        return "a board"


def test_a_game_that_fails_is_blamed_in_one_sentence_and_the_server_goes_on():
    web = Web(Quits, Torn, Scribbled)
    status, message = refusal(web.post("/api/position", {"game": "Quits", "moves": ["t1"]}))
    assert status == 400
    assert message.startswith("the game's result failed with SystemExit: good night (test_web.py, line ")
    status, message = refusal(web.post("/api/position", {"game": "Torn"}))
    assert message.startswith("the game's scene failed with IndexError: list index out of range (test_web.py")
    assert refusal(web.post("/api/position", {"game": "Scribbled"})) == (
        400,
        "scene(state) gave 'a board': give a Scene with a size, a tuple of Shapes and a tuple of clicks, "
        "or None; perfectplay check says more.",
    )
    for path, more in (("analyse", {}), ("reply", {}), ("reply", {"player": "minimax"})):
        (*_, (last, data)) = web.events(f"/api/{path}", game="Quits", **more)
        assert last == "failed"
        assert data["message"].startswith("the game's result failed with SystemExit: good night (test_web.py")
    assert web.get("/healthz").json()["running"] == 0


NAMES = sorted({each.kind: each.game.__name__ for each in GALLERY}.values())  # one of each kind


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_broken_game_of_the_gallery_is_more_than_a_refusal(name, monkeypatch):
    monkeypatch.setattr(watchdog, "SECONDS", 0.3)
    monkeypatch.setattr(positions, "SECONDS", 0.3)
    monkeypatch.setattr(workers, "GRACE", 0.3)
    web = Web(getattr(broken_games, name))
    assert web.get("/api/games").status_code == 200
    answer = web.post("/api/position", {"game": name})
    assert answer.status_code in (200, 400)
    if answer.status_code != 200 or answer.json()["over"]:
        return
    assert web.post("/api/position", {"game": name, "moves": answer.json()["actions"][:1]}).status_code in (
        200,
        400,
    )
    for path, more in (("analyse", {"depth": 3}), ("reply", {"depth": 3}), ("reply", {"player": "random"})):
        asked = web.post(f"/api/{path}", {"game": name, "seconds": 0.02} | more)
        assert asked.status_code in (200, 400)
        if asked.status_code == 200:
            assert asked.text.rstrip().rsplit("event: ", 1)[-1].split("\n")[0] in ("done", "failed")
    assert web.get("/healthz").json()["running"] == 0


def test_the_gallery_is_the_whole_one():
    assert len(NAMES) > 50
    assert all(isinstance(getattr(broken_games, name, None), type) for name in NAMES)
    assert issubclass(Takeaway, Game)


# The description.


def test_the_interface_describes_itself_and_loads_nothing_from_elsewhere(web):
    described = web.get("/openapi.json").json()
    assert set(described["paths"]) >= {
        "/api/games",
        "/api/position",
        "/api/analyse",
        "/api/reply",
        "/healthz",
    }
    events = described["paths"]["/api/analyse"]["post"]["responses"]["200"]["content"]
    assert list(events) == ["text/event-stream"]
    named = [
        event["properties"]["event"]["const"] for event in events["text/event-stream"]["itemSchema"]["oneOf"]
    ]
    assert named == ["queued", "compiling", "started", "depth", "done", "failed"]
    assert described["components"]["schemas"]["Analysed"]["properties"]["reason"]["enum"][0] == "exact"
    assert "http" not in json.dumps(described).replace('"http', "").lower().replace("httpvalidationerror", "")
    for page in ("/docs", "/redoc"):
        assert web.get(page).status_code == 404


def test_what_is_nowhere_is_not_found_in_one_sentence(web):
    assert refusal(web.get("/nowhere")) == (404, "/nowhere: Not Found.")
    assert refusal(web.get("/api/position"))[0] == 405


# What is said to clicks.


def test_a_win_has_a_margin_where_wins_differ_by_more_than_how_soon_they_come(web):
    ends = {"connect-four": "1 2 1 2 1 2 1", "tic-tac-toe": "b2 a1 a2 b1 c2", "kalah:pits=1,seeds=2": "1"}
    margins = {}
    for game, moves in ends.items():
        position = web.post("/api/position", {"game": game, "moves": moves.split()}).json()
        assert position["over"]
        margins[game] = position["margin"]
    assert margins == {"connect-four": None, "tic-tac-toe": None, "kalah:pits=1,seeds=2": 2}


def test_a_board_that_cannot_be_is_an_answer_and_no_error(web):
    found = web.post("/api/start", {"game": "connect-four:rows=4"}).json()
    there = web.post("/api/position", {"game": "connect-four:rows=4"}).json()
    assert found == {"position": there, "why_not": None}
    refused = web.post("/api/start", {"game": "connect-four:rows=99"})
    sentence = "cannot take rows=99: give a whole number from 0 to 64."
    assert (refused.status_code, refused.json()) == (200, {"position": None, "why_not": sentence})


def clicked(web, game, moves, places):
    return web.post("/api/prompt", {"game": game, "moves": moves, "places": places})


def test_a_position_says_who_plays_and_what_is_to_be_done(web):
    position = web.post("/api/position", {"game": "domineering", "moves": ["a1-a2"]}).json()
    assert position["names"] == ["Vertical", "Horizontal"]
    assert (position["moved"], position["to_move"]) == ("MAX", "MIN")
    assert position["prompt"] == "You lay flat: choose the left cell."
    for moves, words in (([], "Roll the die."), (["roll", "6"], "Roll again, or hold to keep 6.")):
        assert web.post("/api/position", {"game": "pig", "moves": moves}).json()["prompt"] == words
    won = web.post("/api/position", {"game": "pig:goal=5", "moves": ["roll", "6"]}).json()
    assert (won["prompt"], won["actions"]) == ("Hold: these 6 win.", ["hold"])
    start = web.post("/api/position", {"game": "Takeaway"}).json()
    assert (start["names"], start["moved"], start["prompt"]) == (["MAX", "MIN"], None, "")


def test_a_click_is_answered_with_what_is_next_or_why_it_is_no_move(web):
    moves = ["a7", "b6", "d7", "f6"]
    assert clicked(web, "nine-mens-morris", moves, ["g7"]).json() == {
        "legal": True,
        "words": "Mill: take a man of O.",
    }
    assert clicked(web, "nine-mens-morris", moves, ["b6"]).json() == {
        "legal": False,
        "words": "b6 is taken.",
    }


def test_a_click_beside_the_board_is_refused(web):
    assert refusal(clicked(web, "tic-tac-toe", [], ["z9"])) == (
        400,
        "there is no place 'z9' on this board.",
    )
    assert refusal(clicked(web, "Takeaway", [], ["1"]))[0] == 400


def test_the_catalogue_has_the_rules_for_whoever_plays(web):
    games = {game["name"]: game for game in web.get("/api/games").json()["games"]}
    assert games["nim"]["how_to_play"] == GAMES["nim"].how_to_play
    own = games["Takeaway"]
    assert own["how_to_play"] == " ".join(own["rules"].split("\n\n")[0].split())  # a class without any
