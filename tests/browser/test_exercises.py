"""An exercise in the browser: done wrongly and rightly, by mouse and by keyboard, and printed."""

from __future__ import annotations

import re

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is needed: pip install playwright.")
expect = sync_api.expect

BOOK = "/?view=exercises&game=figure-5.2&seed=0"
RIGHT = {
    "window:A": "-inf, inf",
    "window:B": "(-inf, inf)",
    "value:B": "3",
    "window:C": "3, inf",
    "value:C": "2",
    "window:D": "3 ∞",
    "value:D": "2",
    "value:A": "+3",
}


def fill(page, answers):
    for question, answer in answers.items():
        page.locator(f'[name="{question}"]').fill(answer)


def branch(page, node):
    return page.locator(f'[data-branch="{node}"]')


def check(page):
    page.get_by_role("button", name="Check").click()


def score(page):
    return page.locator(".score")


def test_an_exercise_is_done_wrongly_and_then_rightly(visit):
    page = visit(BOOK)
    fill(page, RIGHT | {"window:C": "-inf, inf", "value:B": "12"})
    branch(page, "C3").click()
    page.locator("select[name=move]").select_option("a2")
    check(page)
    expect(score(page)).to_have_text("9 of 13 answers right, 4 wrong.")
    wrong = page.locator(".verdict-wrong")
    expect(wrong).to_have_count(4)
    expect(wrong.nth(0)).to_contain_text("B, value you say 12, it is 3. 12 is the largest: B is MIN.")
    expect(wrong.nth(1)).to_contain_text("(-inf, inf) is the window of A.")
    expect(wrong.nth(2)).to_contain_text("after c1 the value is 2, and 2 <= alpha 3, so MIN has enough")
    expect(wrong.nth(3)).to_contain_text("a2 returns 2.")
    expect(page.locator('[name="value:B"]')).to_have_attribute("aria-invalid", "true")
    expect(page.locator('[name="value:B"] + .tree-mark')).to_have_text("✗")
    expect(page.locator('[name="value:D"] + .tree-mark')).to_have_text("✓")
    fill(page, {"window:C": "3, inf", "value:B": "3"})
    expect(page.locator('[name="value:B"] + .tree-mark')).to_have_text("")
    branch(page, "C2").click()
    page.locator("select[name=move]").select_option("a1")
    check(page)
    expect(score(page)).to_have_text("13 of 13 answers right.")
    expect(wrong).to_have_count(0)
    page.get_by_text("Why 13 answers are right").click()
    expect(page.locator(".verdict-right").first).to_contain_text("The search begins with nothing known")


def test_a_cut_is_marked_on_the_branch_itself_and_taken_back(visit):
    page = visit(BOOK)
    expect(branch(page, "C")).to_have_attribute("aria-pressed", "false")
    page.locator(".tree-hit").nth(1).dispatch_event("click")
    expect(branch(page, "C")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[name="window:C"]')).to_be_disabled()
    expect(branch(page, "C1")).to_be_disabled()
    branch(page, "C").click()
    expect(page.locator('[name="window:C"]')).to_be_enabled()


def test_what_lies_below_a_cut_is_answered_with_it(visit):
    page = visit("/?view=exercises&game=kalah&seed=3")
    branch(page, "G").click()
    check(page)
    expect(score(page)).to_have_text("4 of 22 answers right, 18 still missing.")
    expect(page.locator(".verdict")).to_have_count(1)


def test_some_answers_are_judged_alone_and_others_are_said_to_be_unreadable(visit):
    page = visit(BOOK)
    fill(page, {"window:A": "all"})
    check(page)
    expect(score(page)).to_have_text("0 of 13 answers right, 1 wrong, 12 still missing.")
    expect(page.locator(".verdict-wrong")).to_contain_text(
        "cannot read 'all': give alpha and beta, as in (3, inf)"
    )
    page.get_by_role("button", name="A, window").click()
    expect(page.locator('[name="window:A"]')).to_be_focused()


def test_an_exercise_is_done_by_keyboard_alone(visit):
    page = visit(BOOK)
    page.locator('[name="window:A"]').focus()
    for keys in ("-inf, inf", None, "-inf, inf", None, None, None, "3", None, "3, inf", None, "", "", "2"):
        if keys == "":
            page.keyboard.press("Space")
        elif keys:
            page.keyboard.type(keys)
        page.keyboard.press("Tab")
    expect(branch(page, "C2")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[name="value:C"]')).to_have_value("2")
    page.locator('[name="value:C"]').press("Enter")
    expect(score(page)).to_have_text("7 of 13 answers right, 6 still missing.")


def test_the_next_step_is_shown_until_all_is_right(visit):
    page = visit(BOOK)
    step = page.get_by_role("button", name="Show the next step")
    said = []
    for _ in range(13):
        step.click()
        hint = page.locator(".hint")
        expect(hint).not_to_have_text(said[-1] if said else "")
        said.append(hint.inner_text())
    assert said[0].startswith("Next step: A, window is (-inf, inf). The search begins with nothing known")
    assert "C, cuts is c2, c3." in said[5]
    expect(branch(page, "C3")).to_have_attribute("aria-pressed", "true")
    step.click()
    expect(score(page)).to_have_text("All is right: there is no next step.")
    check(page)
    expect(score(page)).to_have_text("13 of 13 answers right.")


def test_a_new_tree_has_a_new_number_in_the_address(visit):
    page = visit("/?view=exercises&game=tic-tac-toe")
    expect(page).to_have_url(re.compile(r"seed=\d+"))
    expect(page.locator(".tree-sheet")).to_be_visible()
    before = page.url
    page.get_by_role("button", name="New tree").click()
    expect(page).not_to_have_url(before)
    page.go_back()
    expect(page).to_have_url(before)


def test_minimax_asks_for_values_only(visit):
    page = visit(BOOK)
    page.get_by_label("About").select_option("minimax")
    expect(page).to_have_url(re.compile("kind=minimax"))
    expect(page.locator(".tree-window")).to_have_count(0)
    fill(page, {"value:B": "3", "value:C": "2", "value:D": "2", "value:A": "3"})
    page.locator("select[name=move]").select_option("a1")
    check(page)
    expect(score(page)).to_have_text("5 of 5 answers right.")


def test_the_sheet_and_its_solution_can_be_printed(visit, visitor):
    page = visit("/?view=exercises&game=tic-tac-toe&moves=b2&seed=5")
    address = page.get_by_role("link", name="Sheet to print").get_attribute("href")
    sheet = visit(address)
    expect(sheet.locator("h1")).to_have_text("Alpha-beta search")
    expect(sheet.locator("figcaption")).to_contain_text("after b2")
    assert sheet.locator("header").evaluate("each => getComputedStyle(each).display") == "flex"
    assert sheet.locator("table").count() == 0
    assert sheet.pdf(format="A4").count(b"/Type /Page\n") == 1
    assert sheet.pdf(format="Letter").count(b"/Type /Page\n") == 1
    solution = visit(page.get_by_role("link", name="Its solution").get_attribute("href"))
    expect(solution.locator("h1")).to_have_text("Alpha-beta search: solution")
    expect(solution.locator("tbody tr").first).to_contain_text("(-inf, inf)")


def test_a_position_that_is_over_has_no_exercise_and_a_way_on(visit, visitor):
    with visitor.refused(400):
        page = visit("/?view=exercises&game=tic-tac-toe&moves=a1-b1-a2-b2-a3&seed=1")
        expect(page.locator(".notice")).to_have_text(
            "the game is over here, and nothing can be asked: give fewer moves."
        )
    page.get_by_role("link", name="From the start of the game").click()
    expect(page.locator(".tree-sheet")).to_be_visible()


def test_a_game_of_ones_own_is_asked_about_and_its_words_stay_words(visit):
    page = visit("/?view=exercises&game=Hostile&seed=1")
    expect(page.locator(".tree-sheet")).to_be_visible()
    assert "<b>" in branch(page, "B").inner_text()
    sheet = visit(page.get_by_role("link", name="Its solution").get_attribute("href"))
    expect(sheet.locator("svg")).to_have_count(1)
    for each in (page, sheet):
        assert each.evaluate("window.wounded") is None
        assert each.locator("main script, svg script, img[src=x]").count() == 0


def test_a_game_without_a_drawn_board_shows_its_text_in_one_size(visit):
    page = visit("/?view=exercises&game=Letters&seed=1")
    boards = page.locator(".tree-text")
    expect(boards.first).to_have_text(re.compile(r"^\[[ab_]{6}\]$"))
    sizes = boards.evaluate_all("all => all.map((each) => getComputedStyle(each.firstChild).fontSize)")
    assert len(sizes) > 5
    assert len(set(sizes)) == 1
    for board in boards.all():
        assert board.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_on_a_phone_the_tree_scrolls_within_the_page(visit):
    page = visit("/?view=exercises&game=tic-tac-toe&seed=5", viewport={"width": 360, "height": 740})
    box = page.locator('[name="window:A"]').bounding_box()
    assert 0 <= box["x"] <= 360 - box["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
