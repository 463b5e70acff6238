"""Exercises over HTTP: the tree without its answers, answers judged, pages to print, and bounds."""

from __future__ import annotations

import asyncio
import json
from threading import Barrier

import pytest

from awaited import NET
from broken_games import GALLERY, Takeaway
from perfectplay import watchdog
from perfectplay.exercise import make_exercise
from perfectplay.exercise.sheet import STYLE
from perfectplay.games import Figure52, load_game
from perfectplay.play import Match
from perfectplay.web import exercises
from test_exercise import Flat, Wordy, right_answers
from web_client import Web

BOOK = {"game": "figure-5.2"}


@pytest.fixture(scope="module")
def web():
    return Web(Takeaway, Wordy, Flat)


def test_an_exercise_is_the_same_as_in_python_and_has_no_answers(web):
    told = web.post("/api/exercise", {"game": "tic-tac-toe", "moves": ["b2"], "seed": 7}).json()
    match = Match(load_game("tic-tac-toe"), ["b2"])
    made = make_exercise(match.game, match.state, seed=7, moves=match.names)
    assert told == json.loads(json.dumps(made.to_dict()))
    assert "window" in {question["kind"] for question in told["questions"]}
    assert all("value" not in node for node in told["nodes"] if node["role"] != "leaf")


def test_answers_are_judged_and_counted(web):
    answers = right_answers(make_exercise(Figure52())) | {"value:C": "4"}
    told = web.post("/api/exercise/check", BOOK | {"answers": answers}).json()
    assert (told["right"], told["questions"], len(told["verdicts"])) == (12, 13, 13)
    (wrong,) = [verdict for verdict in told["verdicts"] if not verdict["right"]]
    assert (wrong["question"], wrong["given"], wrong["wanted"]) == ("value:C", "4", None)


def test_a_wrong_answer_is_put_right_only_where_it_is_revealed(web):
    asked = BOOK | {"answers": {"value:C": "6", "value:B": "12"}, "reveal": ["value:B", "value:D"]}
    told = {each["question"]: each for each in web.post("/api/exercise/check", asked).json()["verdicts"]}
    assert (told["value:C"]["wanted"], told["value:B"]["wanted"], told["value:D"]["wanted"]) == (
        None,
        "3",
        "2",
    )
    assert told["value:B"]["explanation"].startswith("12 is the largest: B is MIN.")
    assert told["value:C"]["explanation"].startswith("Look again")


def test_what_the_algorithm_never_sees_needs_no_answer(web):
    question = {"game": "kalah", "seed": 3}
    exercise = make_exercise(load_game("kalah"), seed=3)
    told = web.post("/api/exercise/check", question | {"answers": {}}).json()
    assert told["questions"] == told["missing"] == len(exercise.needed) < len(exercise.questions)
    needed = {name: answer for name, answer in right_answers(exercise).items() if name in exercise.needed}
    told = web.post("/api/exercise/check", question | {"answers": needed}).json()
    assert (told["right"], told["missing"]) == (len(needed), 0)
    assert web.post("/api/exercise/hint", question | {"answers": needed}).json()["hint"] is None


def test_cut_branches_may_be_given_by_their_nodes_and_what_is_empty_is_no_answer(web):
    answers = {"cuts:C": ["C2", "C3"], "value:A": "", "value:B": None}
    told = web.post("/api/exercise/check", BOOK | {"answers": answers}).json()
    assert [(each["question"], each["right"]) for each in told["verdicts"]] == [("cuts:C", True)]


def test_a_hint_is_the_next_step_until_all_is_right(web):
    told = web.post("/api/exercise/hint", BOOK | {"answers": {}}).json()
    assert (told["hint"]["question"], told["hint"]["wanted"], told["cut"]) == ("window:A", "(-inf, inf)", [])
    right = right_answers(make_exercise(Figure52()))
    told = web.post("/api/exercise/hint", BOOK | {"answers": right | {"cuts:C": "none"}}).json()
    assert (told["hint"]["question"], told["cut"]) == ("cuts:C", ["C2", "C3"])
    assert web.post("/api/exercise/hint", BOOK | {"answers": right}).json() == {"hint": None, "cut": []}


def test_pages_to_print_are_served_without_inline_style(web):
    query = "game=tic-tac-toe&moves=b2&moves=a1&seed=3&count=2"
    sheet, solution = (web.get(f"/exercise/{page}?{query}") for page in ("sheet", "solution"))
    for page in (sheet, solution):
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert '<link rel="stylesheet" href="sheet.css">' in page.text
        assert "<style" not in page.text
        assert page.text.count("after b2 a1.") == page.text.count('<section class="page">') == 2
    assert "Why" in solution.text
    assert "Why" not in sheet.text
    style = web.get("/exercise/sheet.css")
    assert (style.text, style.headers["content-type"]) == (STYLE, "text/css; charset=utf-8")


def test_a_game_of_ones_own_is_asked_about(web):
    assert web.post("/api/exercise", {"game": "Wordy", "seed": 3}).status_code == 200
    assert "<script>" not in web.get("/exercise/solution?game=Wordy&seed=3").text


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"game": "chess"}, 404, "there is no game 'chess' here"),
        ({"game": "tic-tac-toe", "moves": ["z9"]}, 400, "illegal move 'z9'"),
        ({"game": "tic-tac-toe", "moves": ["a1", "a2", "b1", "b2", "c1"]}, 400, "the game is over here"),
        (
            {"game": "tic-tac-toe", "kind": "guess"},
            422,
            "kind: Input should be 'minimax', 'alpha-beta', 'expectiminimax', 'max-n' or 'uct'.",
        ),
        ({"game": "tic-tac-toe", "seed": -1}, 422, "seed: Input should be greater than or equal to 0."),
        (
            {"game": "tic-tac-toe", "seed": 2**31},
            422,
            "seed: Input should be less than or equal to 2147483647.",
        ),
        (
            {"game": "Flat"},
            400,
            "no small tree of Flat with values that differ and a cut was found from here",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(web, body, status, told):
    answer = web.post("/api/exercise", body)
    assert answer.status_code == status
    assert told in answer.json()["message"]


@pytest.mark.parametrize(
    ("answers", "status", "told"),
    [
        ({"value:Z": "3"}, 400, "there is no question 'value:Z'"),
        ({"value:A": "3" * 201}, 422, "String should have at most 200 characters"),
        ({"value:A": 3}, 422, "answers.value:A"),
        ({"cuts:A": ["B"] * 17}, 422, "answers.cuts:A"),
        ({f"value:{number}": "3" for number in range(201)}, 422, "at most 200 items"),
    ],
)
def test_answers_are_bounded(web, answers, status, told):
    answer = web.post("/api/exercise/check", BOOK | {"answers": answers})
    assert answer.status_code == status
    assert told in answer.json()["message"]


@pytest.mark.parametrize(
    "query", ["", "game=chess", "game=nim&count=41", "game=nim&seed=x", "game=nim&moves=zz"]
)
def test_pages_that_cannot_be_are_refused(web, query):
    assert web.get(f"/exercise/sheet?{query}").status_code in (400, 404, 422)


def test_a_game_that_takes_too_long_is_left(web, monkeypatch):
    monkeypatch.setattr("perfectplay.web.exercises.STATES", 3)
    answer = web.post("/api/exercise", {"game": "tic-tac-toe"})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("no tree was found here in 5 seconds: try another position")


class Torn(Takeaway):
    """A game whose board cannot be drawn."""

    def scene(self, state):
        raise RuntimeError("torn")


def test_a_board_that_cannot_be_drawn_is_a_refusal():
    web = Web(Torn)
    for answer in (
        web.post("/api/exercise", {"game": "Torn"}),
        web.post("/api/exercise/check", {"game": "Torn", "answers": {}}),
        web.get("/exercise/sheet?game=Torn"),
    ):
        if answer.status_code != 200:
            assert answer.status_code == 400
            assert answer.json()["message"].startswith("the game's scene failed with RuntimeError: torn")
    assert web.post("/api/exercise", {"game": "Torn"}).status_code == 400


def test_so_many_exercises_are_made_at_once_and_the_others_wait(monkeypatch):
    at_work, most = [], []
    both = Barrier(2, timeout=NET)

    def slow(*arguments, **options):
        at_work.append(1)
        most.append(len(at_work))
        both.wait()  # until there are two of them
        at_work.pop()
        return make_exercise(Figure52())

    monkeypatch.setattr("perfectplay.web.exercises.make_exercise", slow)
    web = Web(at_once=2)

    async def ask(client):
        return await asyncio.gather(*(client.post("/api/exercise", json=BOOK) for _ in range(10)))

    assert {answer.status_code for answer in asyncio.run(web.together(ask))} == {200}
    assert (len(most), max(most)) == (10, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", {each.kind: each for each in GALLERY}.values(), ids=lambda one: one.game.__name__
)
def test_no_broken_game_breaks_the_server(broken, monkeypatch):
    monkeypatch.setattr(watchdog, "SECONDS", 0.3)
    monkeypatch.setattr(exercises, "SECONDS", 0.5)
    web = Web(broken.game)
    name = broken.game.__name__
    answer = web.post("/api/exercise", {"game": name, "kind": "minimax"})
    assert answer.status_code in (200, 400)
    if answer.status_code == 200:
        assert web.get(f"/exercise/solution?game={name}&kind=minimax").status_code == 200
