"""An exercise in the browser: done wrongly and rightly, by mouse and by keyboard, and printed."""

from __future__ import annotations

import csv
import re
from pathlib import Path

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


def uncut(page, node):
    return page.locator(f'[data-none="{node}"]')


def check(page):
    page.get_by_role("button", name="Check").click()


def score(page):
    return page.locator(".score")


def test_an_exercise_is_done_wrongly_and_then_rightly(visit):
    page = visit(BOOK)
    fill(page, RIGHT | {"window:C": "-inf, inf", "value:B": "12"})
    for node in "ABD":
        uncut(page, node).click()
    branch(page, "C3").click()
    page.locator("select[name=move]").select_option("a2")
    check(page)
    expect(score(page)).to_have_text("9 of 13 answers right, 4 wrong.")
    wrong = page.locator(".verdict-wrong")
    expect(wrong).to_have_count(4)
    expect(wrong.nth(0)).to_contain_text("B, value 12 is not right. 12 is the largest: B is MIN.")
    expect(wrong.nth(1)).to_contain_text("(-inf, inf) is the window of A.")
    expect(wrong.nth(2)).to_contain_text("c3 is not right. More is cut.")
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


def test_what_was_not_touched_is_not_right(visit):
    page = visit(BOOK)
    check(page)
    expect(score(page)).to_have_text("0 of 13 answers right, 13 still missing.")
    fill(page, {"value:B": "3"})
    check(page)
    expect(score(page)).to_have_text(
        "1 of 13 answers right, 12 still missing."
    )  # whether B cuts was not said
    uncut(page, "B").click()
    expect(uncut(page, "B")).to_have_attribute("aria-pressed", "true")
    check(page)
    expect(score(page)).to_have_text("2 of 13 answers right, 11 still missing.")
    branch(page, "B3").click()
    expect(uncut(page, "B")).to_have_attribute("aria-pressed", "false")


def test_what_the_algorithm_never_sees_is_not_asked(visit):
    page = visit("/?view=exercises&game=kalah&seed=3")
    branch(page, "G").click()
    check(page)
    expect(score(page)).to_have_text(re.compile(r"^1 of \d+ answers right, \d+ still missing\.$"))
    expect(page.locator(".verdict")).to_have_count(1)


def test_a_check_gives_no_answer_away_until_one_asks_for_it(visitor):
    page = visitor.page(BOOK)
    told = []
    page.on("response", lambda answer: told.append(answer) if "check" in answer.url else None)
    fill(page, {"value:C": "6"})
    check(page)
    wrong = page.locator(".verdict-wrong")
    expect(wrong).to_contain_text("C, value 6 is not right.")
    (verdict,) = told[0].json()["verdicts"]
    assert verdict["wanted"] is None
    assert "2" not in verdict["explanation"]
    wrong.get_by_role("button", name="Show the answer").click()
    expect(wrong).to_contain_text("you say 6, it is 2.")
    expect(score(page)).to_have_text("0 of 13 answers right, 1 wrong, 12 still missing, 1 shown.")


def test_answers_survive_a_reload_and_belong_to_their_tree(visit):
    page = visit(BOOK)
    fill(page, {"window:A": "-inf, inf", "value:B": "3"})
    uncut(page, "B").click()
    branch(page, "C3").click()
    page.locator("select[name=move]").select_option("a2")
    page.reload()
    expect(page.locator('[name="value:B"]')).to_have_value("3")
    expect(page.locator('[name="window:A"]')).to_have_value("-inf, inf")
    expect(uncut(page, "B")).to_have_attribute("aria-pressed", "true")
    expect(branch(page, "C3")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("select[name=move]")).to_have_value("a2")
    page.goto(page.url.replace("seed=0", "seed=1"))
    expect(page.locator('[name="value:B"]')).to_have_value("")
    page.goto(page.url.replace("seed=1", "seed=0"))
    page.get_by_role("button", name="Begin again").click()
    page.reload()
    expect(page.locator('[name="value:B"]')).to_have_value("")


def test_the_score_is_saved_as_a_file_that_no_spreadsheet_runs(visit):
    page = visit(f"{BOOK.replace('seed=0', 'seed=7')}&class=3&first=6")
    page.get_by_label("Your name").fill('=cmd("x"), Ada')
    fill(page, {"value:A": "3"})
    check(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save the score").click()
    text = Path(caught.value.path()).read_text(encoding="utf-8")
    head, row = csv.reader(text.splitlines())
    found = dict(zip(head, row, strict=True))
    assert found["name"] == '\'=cmd("x"), Ada'
    assert (found["game"], found["kind"], found["tree"], found["number"]) == (
        "figure-5.2",
        "alpha-beta",
        "7",
        "2",
    )
    assert int(found["right"]) + int(found["wrong"]) + int(found["missing"]) == int(found["questions"])
    assert (found["shown"], found["checks"]) == ("0", "1")


def test_a_teacher_gets_a_link_a_file_and_the_solutions_for_a_class(visit, visitor):
    page = visit("/?view=exercises&game=tic-tac-toe&seed=100")
    page.get_by_role("button", name="For a class").click()
    page.get_by_label("Students").fill("50")
    link = page.get_by_label("The link for the class").input_value()
    assert "class=50" in link
    assert "first=100" in link
    with page.expect_download() as caught:
        page.get_by_role("button", name="File of links").click()
    rows = list(csv.reader(Path(caught.value.path()).read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["number", "tree", "link", "solution"]
    assert [row[1] for row in rows[1:]] == [str(100 + index) for index in range(50)]
    expect(page.get_by_role("link", name="Sheets 1 to 40")).to_have_attribute("href", re.compile("count=40"))
    assert "seed=140" in page.get_by_role("link", name="Solutions 41 to 50").get_attribute("href")
    solution = visit(rows[2][3].removeprefix(visitor.server))
    expect(solution.locator("h1")).to_have_text("Alpha-beta search: solution")
    student = visit(link.removeprefix(visitor.server))
    expect(student.locator(".exercise")).to_contain_text("Choose your number in the class")
    student.get_by_label("Your number in the class").select_option("2")
    expect(student.locator(".tree-sheet")).to_be_visible()
    assert "seed=101" in student.url
    expect(student.get_by_role("link", name="Its solution")).to_have_count(0)


def test_a_class_fills_in_vectors_and_keeps_them(visit):
    page = visit("/?view=exercises&game=pig&kind=max-n&class=30&first=7")
    page.get_by_label("Your number in the class").select_option("3")
    first = page.locator(".tree-sheet input").first
    first.fill("1, 2, 3")
    page.reload()
    expect(first).to_have_value("1, 2, 3")
    page.get_by_role("button", name="Check").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save the score").click()
    (row,) = csv.DictReader(Path(caught.value.path()).read_text(encoding="utf-8").splitlines())
    told = [row[name] for name in ("number", "game", "kind", "tree", "questions", "missing")]
    assert told == ["3", "a tree by chance", "max-n", "9", "8", "7"]


def test_another_game_is_chosen_from_the_exercises(visit):
    page = visit("/?view=exercises&game=tic-tac-toe&moves=b2&seed=5")
    page.get_by_label("Game").select_option("nim")
    expect(page).to_have_url(re.compile("view=exercises&game=nim&seed="))
    expect(page.locator(".tree-sheet")).to_be_visible()


def test_a_game_with_dice_leads_to_the_questions_that_are_about_dice(visit):
    page = visit("/?view=exercises&game=pig&seed=5")
    expect(page.locator(".tree-sheet")).to_be_visible()
    expect(page.get_by_label("About")).to_have_value("expectiminimax")
    page.get_by_label("About").select_option("alpha-beta")  # of a game that it is for
    expect(page).to_have_url(re.compile("game=connect-four&kind=alpha-beta"))
    expect(page.locator(".tree-sheet")).to_be_visible()
    expect(page.get_by_label("Game").locator("option", has_text="Pig")).to_have_count(0)


def test_another_board_of_the_game_is_chosen_from_the_exercises(visit):
    page = visit("/?view=exercises&game=nim&seed=5")
    expect(page.locator(".tree-sheet")).to_be_visible()
    page.get_by_text("the usual one").click()
    page.get_by_label("heaps", exact=True).fill("2+1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"view=exercises&game=nim:heaps=2.*1&.*seed=5"))
    expect(page.get_by_text("heaps 2+1")).to_be_visible()
    expect(page.locator(".tree-sheet")).to_be_visible()


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
    for keys in (
        "-inf, inf",
        None,
        "-inf, inf",
        None,
        None,
        None,
        "",
        "3",
        None,
        "3, inf",
        None,
        "",
        "",
        None,
        "2",
    ):
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
    expect(score(page)).to_have_text("13 of 13 answers right, 13 shown.")


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
