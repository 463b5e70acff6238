"""A game of one's own, from a file: a text board, a list of moves, and nothing of it is ever markup."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_game_without_a_drawn_board_is_played_by_its_list_of_moves(visit):
    page = visit("/?game=Letters&with=minimax")
    expect(page.locator(".board-text")).to_have_text("[______]")
    expect(page.get_by_role("button", name="Flip")).to_be_disabled()
    page.locator(".legal").get_by_role("button", name="b").click()
    expect(page.locator(".record li")).to_have_count(3)
    page.get_by_label("Type a move").fill("a")
    page.keyboard.press("Enter")
    expect(page.locator(".record li")).to_have_count(5)


def test_an_own_game_is_the_first_in_the_gallery_and_marked(visit):
    page = visit("/")
    expect(page.locator(".card").first).to_contain_text("Letters")
    expect(page.locator(".card .chip")).to_have_count(3)


def test_markup_in_a_game_is_shown_and_not_run(visit):
    page = visit("/?game=Hostile&side=both")
    expect(page.locator(".board-text")).to_contain_text("<script>window.wounded = 3</script>")
    page.locator(".legal").get_by_role("button", name="<b>b</b>").click()
    expect(page.locator(".record li").nth(1)).to_contain_text("<b>b</b>")
    assert page.evaluate("window.wounded") is None
    page.reload()  # the moves in the address are as they were
    expect(page.locator(".record li").nth(1)).to_contain_text("<b>b</b>")
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".values tbody tr")).to_have_count(2)
    page.get_by_role("link", name="About").click()
    expect(page.locator(".about p").first).to_contain_text("<script>window.wounded = 1</script>")
    page.goto(page.url.split("?")[0])
    expect(page.locator(".card-summary", has_text="<script>")).to_have_count(1)
    assert page.evaluate("window.wounded") is None
    assert page.locator("main img, main script").count() == 0
