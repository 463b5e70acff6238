"""Boards that explain themselves: what can be clicked, what is next, what a move does, why one is none."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
  .observe({ type: "layout-shift", buffered: true });"""
MORRIS = "/?game=nine-mens-morris&side=both&moves=a7-b6-d7-f6"


def target(page, name):
    return page.locator(f'.board-target[data-target="{name}"]')


def prompt(page):
    return page.locator(".prompt")


def drag(page, source, goal):
    """Press on a place, move in steps, and let go on another."""
    boxes = [
        page.locator(f'[data-target="{name}"], [data-place="{name}"]').bounding_box()
        for name in (source, goal)
    ]
    (x1, y1), (x2, y2) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2, steps=3)
    page.mouse.move(x2, y2, steps=3)


def test_legal_places_are_marked_and_others_are_not(visit):
    page = visit("/?game=othello&side=both")
    expect(page.locator(".board-hint")).to_have_count(4)
    page.goto(page.url.split("?")[0] + "?game=breakthrough&side=both")
    expect(page.locator(".board-hint-ring")).to_have_count(8)  # the pawns of the second row
    target(page, "d2").click()
    expect(page.locator(".board-hint")).to_have_count(3)  # where it may go


def test_a_mill_says_that_a_man_is_taken_and_shows_the_man_that_was_set(visit):
    page = visit(MORRIS)
    expect(prompt(page)).to_have_text("Place a man on a free point: 7 left.")
    target(page, "g7").click()
    expect(prompt(page)).to_have_text("Mill: take a man of O.")
    expect(page.locator(".board-staged circle.board-max")).to_have_count(1)
    target(page, "a1").click()  # a slip: where a man could have been set, too
    expect(page.locator(".prompt-wrong")).to_have_text("Mill: take a man of O.")
    expect(page.locator(".board-staged circle.board-max")).to_have_count(1)
    target(page, "b6").click()
    expect(page.locator(".record li")).to_have_count(6)
    assert "g7xb6" in page.locator(".record").inner_text()


def test_who_moves_again_is_told(visit):
    page = visit("/?game=kalah&side=both&moves=3")
    expect(prompt(page)).to_have_text("South moves again. Choose a marked place.")
    page.goto(page.url.replace("side=both", "side=max&with=random"))
    expect(prompt(page)).to_have_text("You move again. Choose a marked place.")


def test_an_illegal_click_says_why_in_the_words_of_the_game(visit):
    page = visit("/?game=othello&side=both")
    page.locator('[data-place="a1"]').click()
    expect(prompt(page)).to_have_text("A disc on a1 would turn nothing over.")
    expect(prompt(page)).to_have_class("prompt prompt-wrong")
    target(page, "d3").click()
    expect(page.locator(".record li")).to_have_count(2)
    expect(prompt(page)).to_have_class("prompt")


def test_an_illegal_click_on_somebodys_own_piece_or_the_others_is_answered(visit):
    page = visit("/?game=breakthrough&side=both")
    page.locator('[data-place="d8"]').click()
    expect(prompt(page)).to_have_text("That is Black's: you play White.")
    page.locator('[data-place="d1"]').click()
    expect(prompt(page)).to_have_text("The pawn on d1 is blocked.")
    target(page, "d2").click()
    expect(prompt(page)).to_have_text("Choose where the pawn on d2 goes.")
    page.locator('[data-place="d5"]').click()
    expect(prompt(page)).to_contain_text("A pawn goes one cell ahead")


def test_out_of_turn_and_after_the_end_a_click_is_answered_too(visit):
    page = visit("/?game=tic-tac-toe&side=both&moves=a1-b1-a2-b2-a3")
    page.locator('[data-place="c3"]').click()
    expect(prompt(page)).to_have_text("The game is over.")


@pytest.mark.parametrize("flipped", ["", "&flip=yes"])
def test_a_piece_is_dragged(visit, flipped):
    page = visit(f"/?game=breakthrough&side=both{flipped}")
    expect(target(page, "d2")).to_be_visible()
    drag(page, "d2", "e3")
    expect(page.locator(".board-dragged")).to_have_count(1)
    expect(page.locator(".board-over")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".record li")).to_have_count(2)
    assert "d2-e3" in page.locator(".record").inner_text()


def test_a_piece_that_is_dropped_where_it_cannot_go_stays_and_the_page_says_why(visit):
    page = visit("/?game=chess-endgame:men=KRK,fen=8/8/8/4k3/8/8/8/KR6 w&side=both")
    expect(target(page, "b1")).to_be_visible()
    drag(page, "b1", "c3")
    page.mouse.up()
    expect(prompt(page)).to_have_text("The rook on b1 cannot go to c3.")
    expect(page.locator(".board-dragged")).to_have_count(0)
    expect(page.locator(".board-lifted")).to_have_count(0)
    expect(page.locator(".record li")).to_have_count(1)


def test_pointing_at_a_move_shows_what_it_does(visit):
    page = visit("/?game=othello&side=both")
    target(page, "d3").hover()
    expect(page.locator(".board-shadow circle.board-max")).to_have_count(
        2
    )  # the disc, and the one turned over
    expect(page.locator(".board-leaving")).not_to_have_count(0)
    page.mouse.move(5, 5)
    expect(page.locator(".board-shadow circle")).to_have_count(0)
    expect(page.locator(".record li")).to_have_count(1)


def test_players_go_by_name_and_colour(visit):
    page = visit("/?game=othello&side=max&with=random")
    expect(page.locator(".turn-words")).to_have_text("Your turn: you are Black.")
    expect(page.locator(".players")).to_contain_text("White")
    expect(page.locator(".disc-black")).to_have_count(1)
    black = page.evaluate("getComputedStyle(document.querySelector('circle.board-max')).fill")
    assert black == "rgb(58, 56, 51)"


def test_a_bar_has_the_colours_of_the_pieces(visit):
    page = visit("/?view=analyse&game=hexapawn&moves=a1_a2-b3xa2&review=yes")
    colours = "element => getComputedStyle(element).backgroundColor"
    assert page.locator(".bar").evaluate(colours) == "rgb(58, 56, 51)"  # of Black
    assert page.locator(".bar-fill").evaluate(colours) == "rgb(255, 254, 250)"
    expect(page.locator('.graph-frame[data-colours="white-black"]')).to_be_visible()


def test_the_rules_stand_beside_the_board_and_stay_closed_if_one_closes_them(visit):
    page = visit("/?game=nim&side=both")
    rules = page.locator(".how-to-play")
    expect(rules).to_contain_text("Take as many counters as you like from one heap")
    rules.locator("summary").click()
    page.wait_for_function("localStorage.getItem('perfectplay-rules') === 'closed'")
    page.reload()
    expect(rules.locator("summary")).to_be_visible()
    assert rules.get_attribute("open") is None


def test_a_game_of_ones_own_has_its_rules_and_prompts_too(visit):
    page = visit("/?game=Letters&side=both")
    expect(page.locator(".how-to-play")).to_contain_text("who writes the third b wins")
    expect(prompt(page)).to_have_text("Choose a move below.")


def test_sounds_are_off_until_somebody_wants_them(visit):
    page = visit("/?game=tic-tac-toe&side=both")
    switch = page.get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "false")
    target(page, "a1").click()
    expect(page.locator(".record li")).to_have_count(2)
    assert page.evaluate("document.documentElement.dataset.sound") is None
    switch.click()
    target(page, "a2").click()
    expect(page.locator(".record li")).to_have_count(3)
    page.wait_for_function("document.documentElement.dataset.sound === 'move'")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")


def test_the_value_of_the_best_move_is_the_largest_text_among_values(visit):
    page = visit("/?view=analyse&game=connect-four:rows=4,cols=4&moves=2-2")
    expect(page.locator(".board-best text")).not_to_have_count(0)
    sizes = "(drawn) => drawn.map((one) => [!!one.closest('.board-best'), +one.getAttribute('font-size')])"
    seen = page.locator(".board-mark text").evaluate_all(sizes)  # at once, since the analysis draws anew
    best, others = ([size for is_best, size in seen if is_best is wanted] for wanted in (True, False))
    assert min(best) >= max(others, default=0)


@pytest.mark.parametrize("game", ["mnk:m=26,n=26,k=5", "connect-four:rows=20,cols=20"])
def test_a_large_board_stays_readable_on_a_phone(visit, game):
    page = visit(f"/?game={game}&side=both", **PHONE)
    expect(page.locator(".board-label").first).to_be_visible()
    boxes = "(elements) => elements.map((each) => each.getBoundingClientRect().toJSON())"
    labels = page.locator("text.board-label").evaluate_all(boxes)
    places = page.locator(".board-open").evaluate_all(boxes)
    assert min(label["height"] for label in labels) >= 9
    assert min(place["width"] for place in places) >= 19
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # the board scrolls, not the page


@pytest.mark.parametrize(
    "path",
    [
        "/?game=kalah&side=both",
        "/?game=breakthrough&side=both",
        "/?view=analyse&game=connect-four:rows=4,cols=4&moves=2",
        "/?view=analyse&game=tic-tac-toe&moves=b2-a1-c3-b1-a2-c1",
        "/?view=exercises&game=figure-5.2&seed=0",
        "/?view=theatre&game=figure-5.2",
        "/",
    ],
)
def test_nothing_jumps_on_a_phone_while_a_page_loads(visitor, path):
    page = visitor.page(**PHONE)
    page.add_init_script(SHIFTS)
    page.goto(visitor.server + path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shifted") < 0.1


def test_undo_is_in_sight_on_a_phone_and_the_moves_on_a_desk(visit):
    page = visit("/?game=nine-mens-morris&side=both&moves=a7", **PHONE)
    expect(page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    page = visit("/?game=nine-mens-morris&side=both&moves=a7", viewport={"width": 1440, "height": 900})
    expect(page.locator(".record")).to_be_in_viewport(ratio=1)
    expect(page.locator(".entry")).to_be_in_viewport(ratio=1)


def test_the_same_holds_while_a_review_is_shown(visit):
    reviewed = "/?view=analyse&game=tic-tac-toe&moves=b2-a1-c3-b1-a2-c1"
    page = visit(reviewed, viewport={"width": 1440, "height": 900})
    expect(page.locator(".review-words")).to_contain_text("move 5")
    for part in (".record", ".entry", ".graph-frame"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page = visit(reviewed, **PHONE)
    expect(page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
