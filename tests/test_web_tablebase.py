"""Tablebases in the web application: what they say of a position, who plays by one, and what is refused."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from perfectplay import MAX, MIN, Game, load_game
from perfectplay.cli import main
from perfectplay.errors import BadTablebaseError
from perfectplay.play import Match, player_names
from perfectplay.play.players import TablebasePlayer
from perfectplay.tablebase import Tablebase, build_tablebase
from perfectplay.tablebase.storage import write_manifest
from perfectplay.textbook import Counted
from perfectplay.web.offers import Offers
from perfectplay.web.tablebases import open_tablebases
from web_client import Web

RULES = '''
from dataclasses import dataclass
from perfectplay import MAX, MIN, Game

@dataclass(frozen=True)
class Stones(Game):
    """Take one stone, or up to the most; whoever takes the last one wins."""
    heap: int = 7
    most: int = 3

    def initial(self):
        return self.heap, MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(self.most, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, MIN if state[1] == MAX else MAX

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1
'''


class Countdown(Game):
    """Take one or two from a number; whoever comes to nothing wins; the parameter has another name inside."""

    def __init__(self, start: int = 5) -> None:
        self.from_where = (start,)

    def initial(self):
        return self.from_where[0], MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, MIN if state[1] == MAX else MAX

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class Ring(Game):
    """Walk round a ring of three for ever, or give up."""

    def initial(self):
        return (0,)

    def to_move(self, state):
        return MAX

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        return ((state[0] + 1) % 3,) if action == 1 else (3,)

    def is_terminal(self, state):
        return state[0] == 3

    def utility(self, state, player):
        return -1 if player == MAX else 1


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, str]:
    """Directories with tablebases, and the file of a game of one's own."""
    home = tmp_path_factory.mktemp("tables")
    file = home / "stones.py"
    file.write_text(RULES)
    games = {
        "tic-tac-toe": "tic-tac-toe",
        "dodgem": "dodgem",
        "kalah": "kalah:pits=2,seeds=2",
        "Stones": f"{file}:Stones:heap=9",
    }
    for name, game in games.items():
        build_tablebase(load_game(game), home / name, compile="never")
    corner = Match(load_game("tic-tac-toe"), ["a1", "b2"])
    build_tablebase(corner.game, home / "corner", compile="never", start=corner.state)
    found = {name: str(home / name) for name in [*games, "corner"]}
    return {**found, "file": f"{file}:Stones", "home": str(home)}


@pytest.fixture(scope="module")
def web(places) -> Web:
    stones = type(load_game(places["file"]))
    names = ("tic-tac-toe", "dodgem", "kalah", "Stones")
    return Web(stones, tablebases=[places[name] for name in names])


def asked(web: Web, game: str, *moves: str) -> dict[str, Any]:
    answer = web.post("/api/tablebase", {"game": game, "moves": list(moves)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# Questions.


@pytest.mark.slow
def test_games_and_positions_say_whether_there_is_a_tablebase_of_these_parameters(web):
    games = {game["name"]: game["tablebases"] for game in web.get("/api/games").json()["games"]}
    assert {name: tables for name, tables in games.items() if tables} == {
        "tic-tac-toe": ["tic-tac-toe"],
        "dodgem": ["dodgem"],
        "kalah": ["kalah:pits=2,seeds=2"],
        "Stones": ["Stones:heap=9"],
    }
    for name, has in (
        ("kalah", False),
        ("kalah:pits=2,seeds=2", True),
        ("kalah:seeds=2, pits=2,empty_capture=no", True),
        ("Stones", False),
        ("Stones:heap=9", True),
        ("Stones:heap=9,most=2", False),
    ):
        assert web.post("/api/position", {"game": name}).json()["tablebase"] is has, name


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tic-tac-toe", []),
        ("tic-tac-toe", ["b2", "b1"]),
        ("dodgem", []),
        ("dodgem", ["a2-b2", "b1-a1"]),
        ("kalah:pits=2,seeds=2", []),
        ("kalah:pits=2,seeds=2", ["1"]),
    ],
)
def test_every_move_is_told_with_its_outcome_as_the_tablebase_has_it(web, places, game, moves):
    match = Match(load_game(game), moves)
    with Tablebase(places[game.partition(":")[0]], compile="never") as table:
        found, entry = asked(web, game, *moves), table.probe(match.state)
        assert (found["value"], found["outcome"], found["remoteness"]) == entry
        assert found["value_to_max"] == (
            entry.value if match.game.to_move(match.state) == MAX else -entry.value
        )
        assert found["moves"] == [
            {
                "action": match.game.action_name(each.action),
                "outcome": each.outcome,
                "value": each.value,
                "remoteness": each.remoteness,
                "best": each.best,
            }
            for each in table.explain(match.state)
        ]
        assert found["line"] == [match.game.action_name(each) for each in table.line(match.state)]
        assert (found["game"], found["known"]) == (game, True)


def test_a_sentence_says_who_wins_and_how_soon(web):
    for game, moves, sentence in (
        ("tic-tac-toe", [], "A tie in 9 plies."),
        ("tic-tac-toe", ["b2", "b1"], "X wins in 5 plies."),
        ("tic-tac-toe", ["a1", "b2", "a2", "b3", "c1"], "O wins in 1 ply."),
        ("tic-tac-toe", ["a1", "b1", "a2", "b2", "a3"], "The game is over: X wins."),
        ("tic-tac-toe", ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"], "The game is over: a tie."),
        ("kalah:pits=2,seeds=2", ["2", "2", "1"], "South wins in 3 plies, by 2."),
        ("dodgem", [], "Right wins in 19 plies."),
        ("Stones:heap=9", ["1"], "MAX wins in 4 plies."),
    ):
        found = asked(web, game, *moves)
        assert found["sentence"] == sentence, (game, moves)
        assert bool(found["moves"]) == ("over" not in sentence)


def test_a_draw_is_said_to_have_no_end(tmp_path):
    build_tablebase(Ring(), tmp_path / "ring", compile="never")
    found = asked(Web(Ring, tablebases=[str(tmp_path / "ring")]), "Ring")
    assert found["sentence"] == "A draw: nobody can force an end."
    assert [(each["outcome"], each["remoteness"]) for each in found["moves"]] == [("draw", None), ("loss", 1)]


def test_outcomes_alone_are_told_as_such_and_not_as_draws(tmp_path):
    game = load_game("tic-tac-toe")
    build_tablebase(game, tmp_path / "who", compile="never", outcomes_only=True)
    web = Web(tablebases=[str(tmp_path / "who")])
    assert asked(web, "tic-tac-toe")["sentence"] == "A tie."
    won = asked(web, "tic-tac-toe", "b2", "b1")
    assert (won["sentence"], won["outcome"], won["remoteness"]) == ("X wins.", "win", None)
    player = TablebasePlayer(str(tmp_path / "who"), compile="never")
    player.choose(Counted(game), Match(game, ["b2", "b1"]).state)
    assert player.account() == "win"


def test_a_position_before_the_beginning_of_a_tablebase_is_not_known(places):
    web = Web(tablebases=[places["corner"]])
    found = asked(web, "tic-tac-toe", "b2")
    assert (found["known"], found["outcome"], found["moves"], found["line"]) == (False, None, [], [])
    assert found["sentence"] == (
        "This position is not in the tablebase of tic-tac-toe: no game comes here from its start."
    )
    assert asked(web, "tic-tac-toe", "a1", "b2")["outcome"] == "tie"
    assert asked(web, "tic-tac-toe", "c3", "b2")["known"]  # the same, turned round
    events = web.events("/api/reply", game="tic-tac-toe", player="tablebase")
    assert events[-1] == (
        "failed",
        {
            "message": "this position is not in the tablebase of tic-tac-toe: no game comes here from its "
            "start; another opponent can go on."
        },
    )


@pytest.mark.slow
def test_many_ask_at_once(web):
    openings = [["a1"], ["b2"], ["b2", "a1"], ["a1", "b2"], ["c3", "b1"]] * 8

    async def ask(client: Any) -> Any:
        questions = [{"game": "tic-tac-toe", "moves": moves} for moves in openings]
        return await asyncio.gather(*(client.post("/api/tablebase", json=each) for each in questions))

    found = [answer.json() for answer in asyncio.run(web.together(ask))]
    assert found == [asked(web, "tic-tac-toe", *moves) for moves in openings]


def test_what_is_not_there_is_refused_with_a_sentence(web):
    for body, status, message in (
        (
            {"game": "nim"},
            404,
            "there is no tablebase of nim here: ask /api/analyse instead.",
        ),
        (
            {"game": "tic-tac-toe", "moves": ["z9"]},
            400,
            "illegal move 'z9': the legal moves are a3 b3 c3 a2 b2 c2 a1 b1 c1.",
        ),
        ({"game": "kalha"}, 404, "there is no game 'kalha' here: did you mean 'kalah'?"),
    ):
        answer = web.post("/api/tablebase", body)
        assert (answer.status_code, answer.json()) == (status, {"message": message})


# The opponent.


def test_the_tablebase_is_an_opponent_where_there_is_one(web):
    opponents = {each["name"]: each for each in web.get("/api/games").json()["opponents"]}
    assert opponents.keys() == {*player_names(), "tablebase"}
    takes = [opponents["tablebase"][name] for name in ("takes_depth", "takes_seconds")]
    assert takes == [False, False]
    assert "tablebase" not in {each["name"] for each in Web().get("/api/games").json()["opponents"]}


def test_the_opponent_wins_as_soon_as_it_can(web, places):
    moves: list[str] = []
    game = load_game("dodgem")
    with Tablebase(places["dodgem"], compile="never") as table:
        while not Match(game, moves).over:
            state = Match(game, moves).state
            name, done = web.events("/api/reply", game="dodgem", moves=moves, player="tablebase")[-1]
            assert name == "done"
            assert (done["value"], done["exact"]) == (table.probe(state).value, True)
            assert done["action"] in [game.action_name(action) for action in table.best(state)]
            moves.append(done["action"])
    assert len(moves) == 19
    assert done["account"] == "win in 1 ply"


def test_no_request_names_a_directory(web, places):
    for player in (f"tablebase:{places['dodgem']}", "tablebase:", "tablebase:/etc"):
        answer = web.post("/api/reply", {"game": "dodgem", "player": player[:64]})
        assert answer.status_code == 400
        assert answer.json()["message"].startswith(f"there is no player {player[:64]!r}: ")
    for body, message in (
        ({"game": "nim"}, "there is no tablebase of nim here: ask /api/analyse instead."),
        ({"game": "dodgem", "depth": 3}, "tablebase takes no depth: it knows how every game ends."),
    ):
        answer = web.post("/api/reply", body | {"player": "tablebase"})
        assert answer.json() == {"message": message}


def test_no_answer_tells_where_the_tablebases_are(web, places):
    answers = [
        web.get("/api/games"),
        web.get("/openapi.json"),
        web.post("/api/position", {"game": "dodgem"}),
        web.post("/api/tablebase", {"game": "dodgem"}),
        web.post("/api/reply", {"game": "dodgem", "player": "tablebase"}),
    ]
    assert not any(places["home"] in answer.text for answer in answers)


# The command line.


@pytest.fixture
def refused(capsys) -> Callable[..., str]:
    """The one sentence with which serve is refused."""

    def command(*arguments: str) -> str:
        assert main(["serve", *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("perfectplay: ")
        assert captured.err.count("\n") == 1
        return captured.err.removeprefix("perfectplay: ").rstrip("\n")

    return command


def test_a_directory_that_holds_no_tablebase_is_refused(refused, tmp_path):
    assert refused("--tablebase", str(tmp_path)) == (
        f"there is no tablebase in {str(tmp_path)!r} (manifest.json: No such file or directory): "
        "give the directory of one, or build one with perfectplay tablebase build."
    )
    (tmp_path / "manifest.json").write_text("{}")
    assert refused("--tablebase", str(tmp_path)).endswith("take the directory away and build it again.")


def test_one_that_is_unfinished_or_of_other_rules_or_out_of_bounds_is_refused(refused, places, tmp_path):
    place = tmp_path / "half"
    shutil.copytree(places["tic-tac-toe"], place)
    manifest = json.loads((place / "manifest.json").read_text())
    write_manifest(place, manifest | {"phase": "solve"})
    assert refused("--tablebase", str(place)) == (
        f"the tablebase in {str(place)!r} is not finished: build it again, and it goes on."
    )
    write_manifest(place, manifest | {"rules": "0" * len(manifest["rules"])})
    assert refused("--tablebase", str(place)) == (
        f"the tablebase in {str(place)!r} is of other rules (tic-tac-toe) than tic-tac-toe: "
        "build one for these."
    )
    write_manifest(place, manifest | {"game": "nim:heaps=99,misere=no"})
    assert refused("--tablebase", str(place)) == (
        f"the tablebase in {str(place)!r} is of nim:heaps=99,misere=no, which cannot be offered: "
        "cannot take heaps=99: give a whole number from 0 to 64."
    )


def test_a_game_that_is_not_offered_is_refused(refused, places):
    assert refused("--tablebase", places["Stones"]) == (
        f"the tablebase in {places['Stones']!r} is of Stones(heap=9, most=3), which is not offered: "
        "give --game FILE.py:Stones as well."
    )


@pytest.mark.slow
def test_changed_rules_of_a_game_of_ones_own_are_refused(refused, places, tmp_path):
    changed = tmp_path / "stones.py"
    changed.write_text(RULES.replace("return -1 if", "return 1 if").replace("else 1\n", "else -1\n"))
    assert refused("--game", f"{changed}:Stones", "--tablebase", places["Stones"]) == (
        f"the tablebase in {places['Stones']!r} is of other rules (Stones(heap=9, most=3)) than "
        "Stones(heap=9, most=3): build one for these."
    )


def test_two_tablebases_of_one_game_are_refused(refused, places):
    both = [word for name in ("tic-tac-toe", "corner") for word in ("--tablebase", places[name])]
    assert refused(*both) == (
        f"{places['tic-tac-toe']!r} and {places['corner']!r} are both tablebases of tic-tac-toe: "
        "give one of them."
    )


def test_a_game_that_cannot_be_made_from_its_manifest_is_refused(tmp_path):
    offers = Offers({"Countdown": Countdown})
    build_tablebase(Countdown(), tmp_path / "usual", compile="never")
    open_tablebases([str(tmp_path / "usual")], offers)
    assert list(offers.tablebases) == ["Countdown"]
    build_tablebase(Countdown(6), tmp_path / "other", compile="never")
    with pytest.raises(BadTablebaseError, match=r"is of another game \(Countdown\(from_where=\(6,\)\)\)"):
        open_tablebases([str(tmp_path / "other")], offers)
