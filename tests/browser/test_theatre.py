"""The theatre as it is served: an algorithm on the current position, step by step, and two side by side."""

from __future__ import annotations

import pytest
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


WHOLE = """() => {
  const frame = document.querySelector('.tree').getBoundingClientRect();
  return [...document.querySelectorAll('.node .shape')].every((shape) => {
    const box = shape.getBoundingClientRect();
    const across = box.left >= frame.left && box.right <= frame.right;
    return across && box.top >= frame.top && box.bottom <= frame.bottom;
  });
}"""


@pytest.mark.parametrize("game", ["connect-four", "othello", "kalah", "chess-endgame", "tic-tac-toe"])
def test_the_theatre_opens_on_a_tree_that_is_recorded_whole(visitor: Visitor, game: str) -> None:
    page = visitor.page(f"/?view=theatre&game={game}")
    expect(page.locator(".player[data-ready]")).to_be_visible()
    expect(page.locator(".player-note")).to_have_count(0)  # which would say that it stopped
    expect(page.locator(".settings")).to_contain_text("a late position")
    page.keyboard.press("End")
    page.wait_for_function(WHOLE)
    assert "algorithm=" not in page.url


def test_ones_own_match_is_not_lost_by_a_look_at_a_late_position(visitor: Visitor) -> None:
    page = visitor.page("/?view=play&game=connect-four&moves=4-4&side=both")
    page.get_by_role("link", name="Theatre").click()
    expect(page.locator(".player[data-ready]")).to_be_visible()
    expect(page.locator(".settings")).to_contain_text("a late position")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".record li")).to_have_count(3)


def test_the_position_itself_can_be_watched_too(visitor: Visitor) -> None:
    page = visitor.page("/?view=theatre&game=tic-tac-toe&moves=b2-a1")
    expect(page.locator(".player[data-ready]")).to_be_visible()
    page.get_by_label("Position").select_option("here")
    page.get_by_label("Algorithm").select_option("alpha-beta-with-heuristics")
    page.get_by_label("Depth").fill("2")
    page.get_by_role("button", name="Watch").click()
    expect(page.locator(".settings")).to_have_text("Tic-tac-toe: after b2 a1")
    expect(page.locator(".player-heading")).to_contain_text("depth 2")


def test_another_game_is_chosen_in_the_theatre(visitor: Visitor) -> None:
    page = visitor.page("/?view=theatre&game=figure-5.2")
    expect(page.locator(".player[data-ready]")).to_be_visible()
    page.get_by_label("Game").select_option("nim")
    expect(page.locator(".settings")).to_contain_text("Nim: a late position")
    expect(page.locator(".player[data-ready]")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1024])
def test_another_board_of_the_game_is_chosen_in_the_theatre(visitor: Visitor, width: int) -> None:
    page = visitor.page(
        "/?view=theatre&game=connect-four:cols=4,rows=3&moves=2", viewport={"width": width, "height": 800}
    )
    expect(page.locator(".player[data-ready]")).to_be_visible()
    fields = page.locator(".bar-form > .field")
    board, chosen = fields.nth(1).bounding_box(), page.get_by_text("cols 4, rows 3").bounding_box()
    assert chosen["x"] + chosen["width"] <= board["x"] + board["width"] + 1  # not over the next
    page.get_by_role("button", name="Watch").click()  # the same board, however it is spelt: the moves stay
    page.wait_for_url("**moves=2&**")
    page.get_by_text("cols 4, rows 3").click()
    page.get_by_label("rows", exact=True).fill("99")
    with visitor.refused(400), visitor.refused(400):  # no late position of it, and no position
        page.get_by_role("button", name="Use this board").click()
        expect(page.locator(".notice")).to_contain_text("99")
    page.get_by_text("rows 99, cols 4").click()
    page.get_by_label("rows", exact=True).fill("4")
    expect(page.get_by_role("button", name="Use this board")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Use this board").click()
    page.wait_for_url("**game=connect-four:rows=4,cols=4&**")
    assert "moves=" not in page.url
    expect(page.locator(".player[data-ready]")).to_be_visible()


def test_the_space_bar_plays_wherever_the_focus_is(visitor: Visitor) -> None:
    page = visitor.page("/?view=theatre&game=figure-5.2")
    counter = page.locator(".player-counter")
    expect(counter).to_have_text("step 1 of 123")
    for name in ("Show the whole tree (0)", "Let the view follow the search (l)", "Run to the end (End)"):
        page.get_by_role("button", name=name).click()
        page.keyboard.press("Home")
        expect(counter).to_have_text("step 1 of 123")
        page.keyboard.press("Space")
        expect(counter).not_to_have_text("step 1 of 123")
        page.keyboard.press("Home")


def test_fit_shows_all_that_was_visited_of_a_tree_that_is_too_large(visitor: Visitor) -> None:
    page = visitor.page(
        "/?view=theatre&game=connect-four&algorithm=alpha-beta-with-heuristics&plies=3&from=here"
    )
    expect(page.locator(".player[data-ready]")).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.press("0")
    scale = "new DOMMatrix(document.querySelector('.world').style.transform).a"
    near = page.evaluate(scale)
    page.keyboard.press("End")
    page.keyboard.press("0")
    page.wait_for_function(f"near => {scale} < near", arg=near)


def test_boards_fold_a_large_tree_until_they_have_room(visitor: Visitor) -> None:
    page = visitor.page(
        "/?view=theatre&game=connect-four&algorithm=alpha-beta-with-heuristics&plies=3&from=here"
    )
    expect(page.locator(".player[data-ready]")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("b")
    expect(page.locator(".node-board").first).to_be_attached()
    assert 10 < page.locator(".node-board").count() <= 120


def test_two_trees_can_be_compared_on_a_narrow_screen(visitor: Visitor) -> None:
    page = visitor.page(
        "/?view=theatre&game=tic-tac-toe&from=late&algorithm=minimax-search&compare=alpha-beta-search",
        viewport={"width": 1024, "height": 768},
    )
    trees = page.locator(".tree")
    expect(trees).to_have_count(2)
    page.get_by_role("button", name="Run both to the end").click()
    left, right = (tree.bounding_box() for tree in trees.all())
    assert abs(left["y"] - right["y"]) < 30  # side by side
    assert left["x"] + left["width"] <= right["x"]
    for tree in (left, right):
        assert min(tree["height"], 768 - tree["y"]) >= 200  # in sight, without scrolling
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024
