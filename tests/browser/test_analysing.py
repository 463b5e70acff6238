"""Analysis in the browser: values stream in, exact ones are told from estimates, and it can be stopped."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from perfectplay.web.models import LONGEST


def marks(page):
    """The value that is written on each target."""
    labels = page.locator(".board-target").all()
    return {each.get_attribute("data-target"): each.get_attribute("aria-label") for each in labels}


def long_analysis(visitor, game="Long"):
    """A page that asks for all the time that the server gives, and can be stopped before it is up."""
    page = visitor.page()

    def ask_for_more(route):
        route.continue_(post_data=route.request.post_data_json | {"seconds": LONGEST})

    page.route("**/api/analyse", ask_for_more)
    page.goto(f"{visitor.server}/?view=analyse&game={game}")
    return page


def test_an_edge_against_the_centre_loses_and_every_winning_answer_is_shown(visit):
    page = visit("/?view=analyse&game=tic-tac-toe&moves=b2-b1")
    expect(page.locator(".bar-value")).to_have_text("W Wins")
    expect(page.locator(".bar-words")).to_have_text("for X to move, like all values here")
    expect(page.locator(".board-exact.board-best")).to_have_count(6)
    expect(page.locator(".board-guess")).to_have_count(0)
    said = marks(page)
    assert said["b3"] == "b3: empty, ties"
    assert said["a1"] == "a1: empty, wins, best"
    rows = page.locator(".values tbody tr").all_inner_texts()
    assert len(rows) == 7
    assert sum(row.split()[1:] == ["W", "win", "★", "best"] for row in rows) == 6
    assert rows[-1].split() == ["b3", "T", "tie"]
    expect(page.get_by_role("button", name="Solved")).to_be_disabled()


def test_the_four_by_four_board_of_connect_four_is_a_tie(visitor):
    page = long_analysis(visitor, "connect-four:rows=4,cols=4")
    expect(page.locator(".bar-value")).to_contain_text("Ties")
    expect(page.locator(".turn-words")).to_contain_text("the value is exact")


def test_moves_can_be_made_while_it_thinks_and_it_starts_again(visit):
    page = visit("/?view=analyse&game=tic-tac-toe")
    expect(page.locator(".bar-value")).to_contain_text("Ties")
    page.locator('[data-target="b2"]').click()
    expect(page.locator(".values tbody tr")).to_have_count(8)
    expect(page.locator(".board-best")).to_have_count(4)
    page.locator('[data-target="b1"]').click()
    expect(page.locator(".bar-value")).to_have_text("W Wins")
    page.go_back()
    expect(page.locator(".bar-value")).to_contain_text("Ties")


def test_a_click_on_the_line_steps_into_it(visit):
    page = visit("/?view=analyse&game=tic-tac-toe&moves=b2-b1")
    expect(page.locator(".bar-value")).to_have_text("W Wins")
    line = [re.sub(r"^\d+\.", "", words) for words in page.locator(".line .ply").all_inner_texts()]
    page.locator(".line .ply").nth(2).click()
    page.wait_for_url(f"**moves=b2-b1-{line[0]}-{line[1]}-{line[2]}*")
    expect(page.locator(".record .ahead")).to_have_count(len(line) - 3)


def test_estimates_are_told_from_exact_values_by_words_and_by_a_sign(visitor):
    page = long_analysis(visitor)
    expect(page.locator(".values tbody tr").first).to_contain_text(re.compile("about even|better|worse"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".move.guess")).to_have_count(5)
    assert all("≈" in words for words in page.locator(".legal-value").all_inner_texts())
    expect(page.locator(".bar-value")).to_contain_text(re.compile("About even|Better, about|Worse, about"))
    expect(page.locator(".bar-value .is-guess")).to_have_count(1)
    expect(page.locator(".why")).to_contain_text("Interpreted")


def test_an_analysis_is_stopped_and_goes_on(visitor):
    page = long_analysis(visitor)
    expect(page.locator(".values tbody tr")).to_have_count(5)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn-words")).to_contain_text("Stopped at depth")
    depth = int(page.locator(".facts dd").first.inner_text())
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".turn-words")).to_contain_text("Thinking")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    assert int(page.locator(".facts dd").first.inner_text()) >= depth


def test_a_game_that_is_over_needs_no_analysis(visit):
    page = visit("/?view=analyse&game=tic-tac-toe&moves=a1-b1-a2-b2-a3")
    expect(page.locator(".bar-value")).to_have_text("X wins")
    expect(page.locator(".every-move")).to_be_hidden()
    expect(page.locator(".review-words")).to_have_text("O's mistake: move 2, this was even.")
    assert "review=yes" in page.url


def test_the_views_keep_the_position(visit):
    page = visit("/?view=play&game=tic-tac-toe&moves=b2-a1&side=both")
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".values tbody tr")).to_have_count(7)
    page.get_by_role("link", name="About").click()
    expect(page.get_by_role("heading", name="Tic-tac-toe")).to_be_visible()
    expect(page.locator(".about")).to_contain_text("Moves at the start: a3 b3")
    page.get_by_role("navigation").get_by_role("link", name="Play").click()
    expect(page.locator(".record li")).to_have_count(3)
