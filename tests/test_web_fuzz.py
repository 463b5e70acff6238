"""Requests that nobody thought of, made from the interface's description of itself."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from awaited import NET
from perfectplay.games import load_game
from perfectplay.play import player_names
from perfectplay.tablebase import build_tablebase
from perfectplay.textbook import ALGORITHMS
from test_serve import BABEL, served
from two_sided_games import TWO_SIDED
from web_client import Web

pytestmark = pytest.mark.slow

SMALL = (
    "tic-tac-toe",
    "nim:heaps=2+3",
    "connect-four:rows=4,cols=4,k=3",
    "figure-5.2",
    "hexapawn",
    "kalah:pits=3",
    "breakthrough:rows=5,cols=3",
    "domineering:rows=3,cols=3",
    "dots-and-boxes:rows=1,cols=2",
    "othello:size=4",
    "dodgem",
    "three-mens-morris",
    "nine-mens-morris",
    "chess-endgame:men=KPK",
)
SEARCHED = ("figure-5.2", "Babel", "tic-tac-toe")  # of which one is compiled, for that takes seconds
SOLVED = ("tic-tac-toe", "mnk", "tic-tac-toe")  # of which one has no tablebase
schema = schemathesis.openapi.from_dict(Web().app.openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "babel.py"
    path.write_text(dedent(BABEL))
    table = build_tablebase(load_game("tic-tac-toe"), path.parent / "table", compile="never")
    with served("--game", f"{path}:Babel", "--tablebase", str(table)) as server:
        yield server


@schema.parametrize()
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_no_request_is_an_error_of_the_server(server, case):
    _quicken(case.path, case.body)
    _quicken(case.path, case.query)
    answer = case.call(base_url=server.address, timeout=NET)
    case.validate_response(
        answer,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
    if answer.status_code >= 400:
        assert answer.json()["message"].endswith((".", "?")), answer.text
    assert "Traceback" not in answer.text


def _quicken(path: str, body: Any) -> None:
    """Most made-up names are none, and most searches long: ask for some that are there, and for less."""
    if not isinstance(body, dict):
        return
    games = {
        "/api/position": SMALL,
        "/api/tablebase": SOLVED,
        "/api/analyse": SEARCHED,
        "/api/trace": SEARCHED,
    }.get(path, ("figure-5.2",))
    players = [*player_names(), "tablebase"]
    for name, known in (("game", games), ("player", players), ("algorithm", tuple(ALGORITHMS))):
        made_up = body.get(name)
        if isinstance(made_up, str) and 0 < len(made_up) <= 64 and len(made_up) % 4:
            body[name] = known[len(made_up) % len(known)]
            if isinstance(body.get("moves"), list) and len(made_up) % 3:
                body["moves"] = []
    if path in ("/api/analyse", "/api/reply"):
        seconds = body.get("seconds")
        if seconds is None or (_is_right(seconds) and seconds <= 60):
            body["seconds"] = min(seconds or 0.02, 0.02)
    if _is_right(body.get("limit")):
        body["limit"] = min(body["limit"], 1000)


def _is_right(number: Any) -> bool:
    return isinstance(number, int | float) and 0 <= number <= 50_000


@given(st.sampled_from(SMALL), st.lists(st.integers(0, 63), max_size=30))
@settings(max_examples=25)
def test_every_game_can_be_played_by_its_own_moves(game, choices):
    web = Web()
    moves: list[str] = []
    for choice in choices:
        found = web.post("/api/position", {"game": game, "moves": moves}).json()
        assert found["moves"] == moves
        assert found["over"] == (not found["actions"])
        assert (found["result"] is None) == (not found["over"])
        if found["over"]:
            break
        moves.append(found["actions"][choice % len(found["actions"])])


def test_the_small_games_are_all_the_games_there_are():
    assert {game.partition(":")[0] for game in SMALL} == TWO_SIDED.keys() - {"mnk"}
