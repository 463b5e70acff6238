"""The pages for everyone: keyboard only, a screen reader, a phone, light and dark, enough contrast."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from legibility import CONTRASTS, NAMELESS, PHONE

PAGES = {
    "gallery": "/",
    "play": "/?game=connect-four:rows=4,cols=4&side=both&moves=1-2-1-2",
    "pawns": "/?game=hexapawn&side=both&moves=a1_a2",
    "seeds": "/?game=kalah&side=both&moves=3",
    "tree": "/?game=figure-5.2&side=both",
    "over": "/?game=tic-tac-toe&side=both&moves=a1-b1-a2-b2-a3",
    "text": "/?game=Letters&side=both&moves=a",
    "analyse": "/?view=analyse&game=tic-tac-toe&moves=b2-b1",
    "review": "/?view=analyse&game=tic-tac-toe&review=yes&moves=b2-a1-c3-b1&tree=b2-a1-c3-b1(a2-c2)-a2-c1",
    "theatre": "/?view=theatre&game=figure-5.2",
    "exercises": "/?view=exercises&game=tic-tac-toe&seed=5",
    "about": "/?view=about&game=connect-four",
}
SETTLED = {
    "gallery": ".card svg",
    "analyse": ".board-best",
    "review": ".graph-mark",
    "theatre": ".player[data-ready]",
    "exercises": ".tree-sheet",
    "about": ".about-board svg",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_text_can_be_read_every_control_has_a_name_and_a_phone_shows_it_all(visit, name):
    page = visit(PAGES[name])
    expect(page.locator(SETTLED.get(name, ".record")).nth(10 if name == "gallery" else 0)).to_be_visible()
    assert page.evaluate(NAMELESS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrasts = page.evaluate(CONTRASTS)
        assert len(contrasts) > 10
        assert [(round(ratio, 2), words) for ratio, words in contrasts if ratio < 4.5] == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_panels_can_be_read_too(visit):
    page = visit(PAGES["play"])
    expect(page.locator(".board-open").first).to_be_visible()
    for key in "n?":
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        assert page.evaluate(NAMELESS) == []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert [(ratio, words) for ratio, words in page.evaluate(CONTRASTS) if ratio < 4.5] == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_notation_can_be_read_too(visit):
    page = visit(PAGES["analyse"])
    expect(page.locator(".board-best").first).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(NAMELESS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert [(ratio, words) for ratio, words in page.evaluate(CONTRASTS) if ratio < 4.5] == []


def test_a_whole_game_is_played_with_the_keyboard_alone(visit):
    page = visit("/?game=tic-tac-toe&with=minimax")
    expect(page.locator(".turn-words")).to_have_text("Your turn: you are X (blue).")
    page.keyboard.press("b")
    go(page, "", "a3")
    go(page, "ArrowRight ArrowDown", "b2")
    page.keyboard.press("Enter")
    expect(page.locator(".record li")).to_have_count(3)
    go(page, "", "b3")  # the nearest place that is still free
    go(page, "ArrowRight", "c3")
    page.keyboard.press("Enter")
    expect(page.locator(".record li")).to_have_count(5)
    go(page, "ArrowLeft ArrowDown", "b1")
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_have_text("You lose")


def test_a_pawn_is_moved_with_the_keyboard_alone(visit):
    page = visit("/?game=hexapawn&side=both")
    expect(page.locator(".board-open")).to_have_count(3)
    page.keyboard.press("b")
    go(page, "", "a1")
    page.keyboard.press("Space")
    expect(page.locator(".board-chosen")).to_have_count(1)
    go(page, "ArrowUp", "a2")
    page.keyboard.press("Enter")
    expect(page.locator(".record li")).to_have_count(2)


def go(page, keys, at):
    """Press arrow keys, and be at the place then."""
    for key in keys.split():
        page.keyboard.press(key)
    assert focused(page) == at


def focused(page):
    return page.evaluate("document.activeElement.dataset.target")


def test_single_keys_can_be_switched_off_and_stay_off(visit):
    page = visit("/?game=tic-tac-toe&side=both&moves=b2")
    expect(page.locator(".record li")).to_have_count(2)
    page.keyboard.press("?")
    page.get_by_label("Use single keys").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator(".record li")).to_have_count(2)
    page.keyboard.press("u")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.locator(".record .ahead").count() == 0


def test_what_happens_is_said_to_those_who_listen(visit):
    page = visit("/?game=tic-tac-toe&with=minimax")
    status = page.locator("#status")
    expect(status).to_have_text("Your turn: you are X (blue).")
    page.locator('[data-target="b2"]').click()
    expect(status).to_have_text("Move 2: a3. Your turn: you are X (blue).")
    taken = page.locator('[aria-label="b2: X"]')
    expect(taken).to_have_attribute("role", "img")


def test_dark_is_as_the_system_has_it_until_the_visitor_chooses(visit):
    page = visit("/?game=tic-tac-toe", color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(21, 23, 22)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) == "rgb(246, 244, 238)"
    page.reload()
    assert page.evaluate(ground) == "rgb(246, 244, 238)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) == "rgb(21, 23, 22)"
