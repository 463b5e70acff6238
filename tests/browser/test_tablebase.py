"""Tablebases in the browser: every move by its outcome, in colour, letter and words, and such an opponent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from legibility import CONTRASTS, NAMELESS, PHONE
from perfectplay import load_game
from perfectplay.play import Match
from perfectplay.tablebase import Explained, Tablebase, build_tablebase
from test_serve import served

NIM = Path(__file__).parent.parent.parent / "examples" / "my_nim.py"
OWN_GAMES = Path(__file__).parent / "own_games.py"
GAMES = {"tic-tac-toe": "tic-tac-toe", "dodgem": "dodgem", "Nim": f"{NIM}:Nim", "Ring": f"{OWN_GAMES}:Ring"}
VERBS = {"win": "wins", "tie": "ties", "loss": "loses"}
COLOURS = {  # light
    "win": "rgb(20, 112, 74)",
    "tie": "rgb(125, 90, 0)",
    "loss": "rgb(168, 38, 28)",
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> dict[str, Tablebase]:
    home = tmp_path_factory.mktemp("tables")
    games = {name: load_game(game) for name, game in GAMES.items()}
    return {
        name: Tablebase(build_tablebase(game, home / name, compile="never"), game, compile="never")
        for name, game in games.items()
    }


@pytest.fixture(scope="module")
def server(tables) -> Iterator[str]:
    """The address of a server with these tablebases."""
    words = [f"--tablebase={table.directory}" for table in tables.values()]
    with served("--game", GAMES["Nim"], "--game", GAMES["Ring"], *words) as server:
        yield server.address.rstrip("/")


def explained(table: Tablebase, *moves: str) -> dict[str, Explained]:
    """What the tablebase says of each move, by its name."""
    state = Match(table.game, moves).state
    return {table.game.action_name(each.action): each for each in table.explain(state)}


def in_words(each: Explained) -> str:
    plies = "1 ply" if each.remoteness == 1 else f"{each.remoteness} plies"
    return f"{VERBS[each.outcome]} in {plies}{', best' if each.best else ''}"


def row(name: str, each: Explained) -> list[str]:
    best = ["★", "best"] if each.best else []
    return [name, each.outcome[0].upper(), each.outcome, *best, str(each.remoteness)]


def target(page, name):
    return page.locator(f'.board-target[data-target="{name}"]')


def switch(page):
    return page.get_by_role("switch", name="Tablebase")


def test_analysis_shows_every_move_in_the_colour_and_the_letter_of_its_outcome(visit, tables):
    page = visit("/?view=analyse&game=tic-tac-toe&moves=a1-b2-c3", color_scheme="light")
    expect(page.locator(".solved-words")).to_have_text("A tie in 6 plies.")
    expect(page.locator(".bar-value")).to_have_text("T Ties in 6 plies")
    known = explained(tables["tic-tac-toe"], "a1", "b2", "c3")
    marks = page.locator(".board-mark")
    expect(marks).to_have_count(len(known))
    for name, each in known.items():
        assert target(page, name).get_attribute("aria-label") == f"{name}: empty, {in_words(each)}"
    drawn = marks.evaluate_all(
        "all => all.map((each) => [each.textContent, getComputedStyle(each.firstChild).fill])"
    )
    wanted = [
        (f"{'★' if each.best else ''}{each.outcome[0].upper()}{each.remoteness}", COLOURS[each.outcome])
        for each in known.values()
    ]
    assert sorted(map(tuple, drawn)) == sorted(wanted)
    assert {letter[-2] for letter, _ in drawn} == {"T", "L"}
    rows = page.locator(".values tbody tr").all_inner_texts()
    assert [each.split() for each in rows] == [row(name, each) for name, each in known.items()]
    expect(page.locator(".legend li")).to_have_text(["W win", "T tie", "L loss", "D draw"])
    line = page.locator(".line .ply").count()
    assert line == 6


def test_pieces_show_their_best_move_and_then_each_of_their_moves(visit, tables):
    page = visit("/?view=analyse&game=dodgem")
    known = explained(tables["dodgem"])
    expect(page.locator(".solved-words")).to_have_text("Right wins in 19 plies.")
    expect(page.locator(".board-mark")).to_have_text(["L18", "★W19"])
    target(page, "a2").click()
    marks = page.locator(".board-mark")
    expect(marks).to_have_count(2)
    assert sorted(marks.all_text_contents()) == sorted(
        f"L{known[name].remoteness}" for name in ("a2-b2", "a2-a1")
    )
    expect(target(page, "b2")).to_have_attribute("aria-label", "b2: empty, loses in 18 plies")
    target(page, "b2").click()
    expect(page.locator(".solved-words")).to_have_text("Up wins in 17 plies.")


def test_the_switch_is_off_in_play_until_it_is_asked_for_and_the_address_keeps_it(visit):
    page = visit("/?game=tic-tac-toe&side=both&moves=b2-b1")
    expect(target(page, "a1")).to_have_attribute("aria-label", "a1: empty")
    expect(switch(page)).to_have_attribute("aria-checked", "false")
    expect(page.locator(".legend")).to_be_hidden()
    page.keyboard.press("t")
    expect(switch(page)).to_have_attribute("aria-checked", "true")
    expect(page.locator("#status")).to_have_text("X wins in 5 plies.")
    expect(target(page, "a1")).to_have_attribute("aria-label", "a1: empty, wins in 5 plies, best")
    assert "tablebase=yes" in page.url
    target(page, "b3").click()  # which throws the win away
    expect(page.locator(".solved-words")).to_have_text("A tie in 6 plies.")
    page.reload()
    expect(page.locator(".solved-words")).to_have_text("A tie in 6 plies.")
    switch(page).click()
    expect(page.locator(".board-mark")).to_have_count(0)
    assert "tablebase=no" in page.url
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".facts")).to_contain_text("Depth")  # it searches then
    switch(page).click()
    expect(page.locator(".turn-words")).to_have_text("Known from the tablebase: no search is needed.")
    expect(page.locator(".board-mark.board-is-tie").first).to_be_visible()


def test_a_move_and_the_switch_in_one_breath_do_both(visit):
    page = visit("/?game=tic-tac-toe&with=tablebase")
    expect(target(page, "b2")).to_be_visible()
    page.evaluate(
        """() => {
          const corner = document.querySelector('[data-target="a1"]');
          corner.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          document.querySelector('[role="switch"]').click();
        }"""
    )
    expect(page.locator(".record li")).to_have_count(3)
    expect(page.locator(".record")).to_contain_text("2.b2")
    expect(page.locator(".solved-words")).to_have_text("A tie in 7 plies.")


def test_a_hint_comes_from_the_tablebase(visit):
    page = visit("/?game=dodgem")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".turn-words")).to_have_text("Hint: a3-b3, which wins in 19 plies.")
    expect(page.locator(".board-mark")).to_have_text(["★W19"])


def test_the_opponent_who_knows_all_is_there_for_the_boards_that_have_a_tablebase(visit):
    page = visit("/?game=connect-four&side=both")
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#side-min").check()
    dialog.get_by_text("Advanced").click()
    opponents = dialog.get_by_label("An algorithm instead")
    solver = opponents.locator("option[value=tablebase]")
    expect(solver).to_have_count(0)
    dialog.get_by_label("Game").select_option("dodgem")
    expect(solver).to_have_count(1)
    dialog.get_by_label("size").fill("4")
    expect(solver).to_have_count(0)
    dialog.get_by_label("size").fill("3")
    opponents.select_option("tablebase")
    dialog.get_by_label("size").fill("4")
    expect(opponents).to_have_value("")
    expect(dialog.get_by_role("radio", name="Medium")).to_be_checked()
    dialog.get_by_label("size").fill("3")
    expect(opponents).to_have_value("tablebase")
    expect(dialog).to_contain_text("knows every position")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**game=dodgem*&side=min&with=tablebase*")
    expect(page.locator(".record li")).to_have_count(2)
    expect(page.locator(".account")).to_have_text("tablebase expects: Right wins in 18 plies.")


def test_the_opponent_punishes_a_mistake(visit):
    page = visit("/?game=tic-tac-toe&with=tablebase&side=min")
    expect(page.locator(".record li")).to_have_count(2)  # it begins in a corner
    for name, moves in (("b3", 4), ("a1", 6)):
        target(page, name).click()
        expect(page.locator(".record li")).to_have_count(moves)
    expect(page.locator(".account")).to_have_text("tablebase expects: X wins in 2 plies.")


def test_a_game_of_ones_own_shows_it_in_its_list_of_moves(visit, tables):
    page = visit("/?game=Nim&side=both&moves=a1&tablebase=yes")
    known = explained(tables["Nim"], "a1")
    expect(page.locator(".solved-words")).to_have_text("MIN wins in 11 plies.")
    buttons = page.locator(".legal button")
    expect(buttons).to_have_count(len(known))
    for name, each in known.items():
        button = page.locator(".legal").get_by_role("button", name=f"{name}: {in_words(each)}", exact=True)
        letter = each.outcome[0].upper()
        expect(button).to_have_text(f"{name}{'★' if each.best else ''}{letter}{each.remoteness}")
    page.locator(".values").get_by_role("button", name="a1: wins in 11 plies, best").click()
    expect(page.locator(".solved-words")).to_have_text("MIN wins in 10 plies.")


def test_a_draw_has_a_letter_and_no_number(visit):
    page = visit("/?view=analyse&game=Ring")
    expect(page.locator(".solved-words")).to_have_text("A draw: nobody can force an end.")
    expect(page.locator(".bar-value")).to_contain_text("Draws")
    expect(page.locator(".legal button")).to_have_text(["walk★D", "give upL1"])
    labels = [each.get_attribute("aria-label") for each in page.locator(".legal button").all()]
    assert labels == ["walk: draws, for nobody can force an end, best", "give up: loses in 1 ply"]
    rows = [each.split() for each in page.locator(".values tbody tr").all_inner_texts()]
    assert rows[0] == ["walk", "D", "draw", "★", "best", "no", "end"]


@pytest.mark.parametrize(
    "path",
    [
        "/?view=analyse&game=dodgem",
        "/?game=tic-tac-toe&side=both&moves=a1-b2-c3&tablebase=yes",
        "/?game=Nim&side=both&tablebase=yes",
    ],
)
def test_it_can_be_read_in_light_and_dark_and_on_a_phone(visit, path):
    page = visit(path)
    expect(page.locator(".values tbody tr").first).to_be_visible()
    assert page.evaluate(NAMELESS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrasts = page.evaluate(CONTRASTS)
        assert [(round(ratio, 2), words) for ratio, words in contrasts if ratio < 4.5] == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(switch(page)).to_be_visible()


def test_a_game_without_a_tablebase_has_no_switch(visit):
    page = visit("/?game=nim&side=both&tablebase=yes")
    expect(page.locator(".board-open").first).to_be_visible()
    expect(switch(page)).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator(".board-mark")).to_have_count(0)
