"""The theatre as it is served: an algorithm on the current position, step by step, and two side by side."""

from __future__ import annotations

from playwright.sync_api import expect

from browser_session import Visitor


def test_alpha_beta_on_the_books_tree_cuts_c2_and_c3(visitor: Visitor) -> None:
    page = visitor.page("/?view=theatre&game=figure-5.2")
    expect(page.locator(".player-sentence")).to_contain_text("The search begins at the root")
    page.keyboard.press("c")
    expect(page.locator(".player-sentence")).to_have_text("2 <= alpha 3: c2 and c3 are never looked at.")
    expect(page.locator(".listing .lit")).to_contain_text("return v, move")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".player-sentence")).not_to_contain_text("never looked at")


def test_the_position_of_the_match_is_the_one_that_is_searched(visitor: Visitor) -> None:
    page = visitor.page("/?view=play&game=tic-tac-toe&moves=b2-a1-c1-a3-a2&side=both")
    page.get_by_role("link", name="Theatre").click()
    expect(page.locator(".player-counts")).to_contain_text("nodes")
    expect(page.get_by_text("after b2 a1 c1 a3 a2").first).to_be_visible()


def test_two_algorithms_are_compared_with_their_counts(visitor: Visitor) -> None:
    page = visitor.page("/?view=theatre&game=figure-5.2&algorithm=minimax-search&compare=alpha-beta-search")
    rows = page.locator("table tr")
    expect(rows.filter(has_text="minimax-search").first).to_contain_text("13")
    expect(rows.filter(has_text="alpha-beta-search").first).to_contain_text("11")
    expect(page.locator(".player-sentence")).to_have_count(2)
