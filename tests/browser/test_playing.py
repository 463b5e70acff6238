"""Playing in the browser, by clicking and by typing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from two_sided_games import ZERO_SUM

AGAINST_MINIMAX = "/?game=tic-tac-toe&with=minimax"
TWO_PEOPLE = "/?game=tic-tac-toe&side=both"


def target(page, name):
    return page.locator(f'.board-target[data-target="{name}"]')


def click_all(page, names):
    """Click places one after the other, each when its turn has come."""
    for name in names:
        target(page, name).click()


def moves(page):
    """The moves so far, as the list shows them."""
    plies = page.locator(".record li:not(.ahead)").all_inner_texts()[1:]
    return [re.sub(r"^\d+\.", "", ply) for ply in plies]


def words(page):
    return page.locator(".turn-words")


def test_a_game_is_played_to_a_tie_by_clicking(visit):
    page = visit(AGAINST_MINIMAX)
    expect(words(page)).to_have_text("Your turn: you are X (blue).")
    click_all(page, ["b2", "c3", "a2", "b3", "c1"])
    expect(page.locator(".result")).to_have_text("A tie")
    assert moves(page) == ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"]
    expect(page.locator(".board-target")).to_have_count(0)


def test_who_plays_badly_against_minimax_loses(visit):
    page = visit(AGAINST_MINIMAX)
    click_all(page, ["b2", "c3", "b1"])
    expect(page.locator(".result")).to_have_text("You lose")
    expect(page.locator(".result-detail")).to_have_text("O wins.")
    expect(page.locator(".account")).to_have_text("")  # nobody expects anything any more
    assert page.locator(".board-win").count() > 0


def test_two_people_play_at_one_screen_and_one_wins(visit):
    page = visit(TWO_PEOPLE)
    expect(words(page)).to_have_text("It is the turn of X (blue).")
    target(page, "a1").click()
    expect(words(page)).to_have_text("It is the turn of O (orange).")
    click_all(page, ["b1", "a2", "b2", "a3"])
    expect(page.locator(".result")).to_have_text("X wins")


def test_the_second_player_waits_for_the_first_move(visit):
    page = visit("/?game=tic-tac-toe&with=minimax&side=min")
    expect(words(page)).to_have_text("Your turn: you are O (orange).")
    assert len(moves(page)) == 1


def test_a_watched_match_plays_itself_to_the_end(visit):
    page = visit("/?game=tic-tac-toe&moves=b2-a3-c3-a1-a2-c2&with=minimax&side=none")
    expect(page.locator(".result")).to_have_text("a tie", ignore_case=True)
    assert len(moves(page)) == 9


def test_undo_takes_back_the_reply_too_and_redo_makes_both_again(visit):
    page = visit(AGAINST_MINIMAX)
    target(page, "b2").click()
    expect(page.locator(".record li")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".record .ahead")).to_have_count(2)
    assert moves(page) == []
    assert "moves=" not in page.url
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".record .ahead")).to_have_count(0)
    assert moves(page) == ["b2", "a3"]
    assert "moves=b2-a3" in page.url


def test_a_move_of_the_list_is_a_way_back_to_its_position(visit):
    page = visit(f"{TWO_PEOPLE}&moves=b2-a3-c3")
    page.locator(".record button", has_text="b2").click()
    expect(page.locator(".record .ahead")).to_have_count(2)
    assert "moves=b2&" in page.url
    target(page, "a1").click()
    expect(page.locator(".record li")).to_have_count(3)
    assert moves(page) == ["b2", "a1"]


def test_the_address_is_the_position_and_can_be_shared_and_loaded_again(visit):
    page = visit(AGAINST_MINIMAX)
    target(page, "b2").click()
    expect(page.locator(".record li")).to_have_count(3)
    page.reload()
    expect(page.locator(".record li")).to_have_count(3)
    assert moves(page) == ["b2", "a3"]
    other = visit()
    other.goto(page.url)
    expect(words(other)).to_have_text("Your turn: you are X (blue).")
    assert moves(other) == ["b2", "a3"]


def test_one_step_back_in_the_browser_is_ones_own_last_move(visit):
    page = visit(AGAINST_MINIMAX)
    target(page, "b2").click()
    expect(page.locator(".record li")).to_have_count(3)
    target(page, "c3").click()
    expect(page.locator(".record li")).to_have_count(5)
    page.go_back()
    expect(page.locator(".record li")).to_have_count(3)
    page.go_back()
    expect(page.locator(".record li")).to_have_count(1)
    page.go_forward()
    expect(page.locator(".record li")).to_have_count(3)
    assert moves(page) == ["b2", "a3"]


def test_moves_can_be_typed_and_an_illegal_one_is_told_in_a_sentence(visitor):
    page = visitor.page(TWO_PEOPLE)
    page.get_by_label("Type a move").fill("B2")
    page.keyboard.press("Enter")
    expect(page.locator(".record li")).to_have_count(2)
    assert moves(page) == ["b2"]
    with visitor.refused(400):
        page.get_by_label("Type a move").fill("b2")
        page.keyboard.press("Enter")
        notice = page.locator(".notice")
        expect(notice).to_contain_text("illegal move 'b2': the legal moves are a3")
    target(page, "a1").click()
    expect(notice).to_be_hidden()


def test_an_address_with_an_impossible_move_says_so(visitor):
    with visitor.refused(400):
        page = visitor.page("/?game=tic-tac-toe&moves=b2-b2")
        expect(page.locator(".notice")).to_contain_text("after b2, illegal move 'b2'")


def test_an_address_with_an_unknown_game_says_so(visitor):
    with visitor.refused(404):
        page = visitor.page("/?game=chess")
        expect(page.locator(".notice")).to_contain_text("there is no game 'chess' here")


def test_a_hint_shows_the_best_move_with_its_value(visit):
    page = visit("/?game=tic-tac-toe&moves=b2-b1-c3-a1")
    page.get_by_role("button", name="Hint").click()
    expect(words(page)).to_have_text("Hint: c1, which wins.")
    expect(page.locator(".board-best .board-value")).to_have_text("★W")
    target(page, "c1").click()
    expect(page.locator(".board-best")).to_have_count(0)


def test_a_pawn_is_chosen_first_and_then_where_it_goes(visit):
    page = visit("/?game=hexapawn&side=both&moves=a1_a2")
    expect(target(page, "b3")).to_have_class(re.compile("board-open"))
    target(page, "b3").click()
    expect(page.locator(".board-chosen")).to_have_count(1)
    assert {each.get_attribute("data-target") for each in page.locator(".board-next").all()} == {"a2", "b2"}
    page.keyboard.press("Escape")
    expect(page.locator(".board-chosen")).to_have_count(0)
    click_all(page, ["c3", "b3", "a2"])  # another pawn instead, and what that one captures
    expect(page.locator(".record li")).to_have_count(3)
    assert moves(page) == ["a1-a2", "b3xa2"]
    assert "moves=a1_a2-b3xa2" in page.url


def test_flip_turns_the_board_and_leaves_the_game_as_it_is(visit):
    page = visit("/?game=hexapawn&side=both&moves=a1_a2")
    before = target(page, "c3").bounding_box()
    page.get_by_role("button", name="Flip").click()
    page.wait_for_url("**flip=yes")
    after = target(page, "c3").bounding_box()
    assert after["x"] < before["x"] - before["width"]
    assert after["y"] > before["y"] + before["height"]
    click_all(page, ["b3", "b2"])
    expect(page.locator(".record li")).to_have_count(3)
    assert moves(page) == ["a1-a2", "b3-b2"]


def test_stones_of_a_flipped_connect_four_still_fall_down(visit):
    page = visit("/?game=connect-four:rows=4,cols=4&side=both&moves=1&flip=yes")
    stone = page.locator("circle.board-max").bounding_box()
    numbers = [label.bounding_box()["y"] for label in page.locator("text.board-label").all()]
    board = page.locator(".board-board").first.bounding_box()
    assert stone["x"] > board["x"] + board["width"] / 2
    assert stone["y"] > board["y"] + board["height"] / 2
    assert all(y > stone["y"] for y in numbers)


def test_a_new_game_is_set_up_with_parameters_side_and_opponent(visitor):
    page = visitor.page(TWO_PEOPLE)
    expect(target(page, "b2")).to_be_visible()
    page.keyboard.press("n")
    page.get_by_label("Game", exact=True).select_option(label="Connect Four")
    page.get_by_label("rows").fill("4")
    page.get_by_label("cols").fill("99")
    page.get_by_role("radio", name="O (orange) you move second").check()  # there is no such board: names stay
    expect(page.get_by_role("dialog").locator(".notice")).to_contain_text("99")  # and it is said at once
    page.get_by_text("Advanced").click()
    page.get_by_label("An algorithm instead").select_option("sound-alpha-beta")
    page.get_by_label("Depth in moves").fill("2")
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_label("cols").fill("4")
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(words(page)).to_have_text("Your turn: you are O (orange).")
    assert "game=connect-four:rows=4,cols=4&moves=" in page.url
    assert "side=min&with=sound-alpha-beta&depth=2" in page.url


def test_a_reply_can_be_stopped_and_asked_for_again(visit):
    page = visit("/?game=Long&moves=a&with=deepening&seconds=60")
    expect(words(page)).to_contain_text("deepening is thinking")
    page.get_by_role("button", name="Stop").click()
    expect(words(page)).to_have_text("It is the turn of MIN.")
    page.get_by_role("button", name="Let deepening move").click()
    expect(words(page)).to_contain_text("deepening is thinking")
    page.get_by_role("button", name="Undo").click()
    expect(words(page)).to_have_text("Your turn: you are MAX.")


def test_the_link_to_the_position_is_copied(visit):
    page = visit(f"{TWO_PEOPLE}&moves=b2", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Link").click()
    expect(page.locator("#status")).to_have_text("The link to this position is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_every_game_has_a_card_with_its_board_and_opens(visit):
    page = visit("/")
    cards = page.locator(".card")
    expect(cards).to_have_count(len(ZERO_SUM) + 3)  # and three of somebody's own, without a scene
    expect(page.locator(".card svg")).to_have_count(len(ZERO_SUM))
    expect(page.locator(".card pre")).to_have_count(3)
    page.get_by_role("link", name=re.compile("Tic-tac-toe")).click()
    expect(words(page)).to_have_text("Your turn: you are X (blue).")
    page.go_back()
    expect(cards).to_have_count(len(ZERO_SUM) + 3)


def test_a_server_that_is_gone_is_told_in_a_sentence(visitor):
    page = visitor.page(TWO_PEOPLE)
    expect(target(page, "b2")).to_be_visible()
    page.route("**/api/position", lambda route: route.abort())
    visitor.forgiven.append("ERR_FAILED")
    target(page, "b2").click()
    expect(page.locator(".notice")).to_contain_text("The server does not answer")


def test_nothing_can_be_asked_before_the_position_is_there(visitor):
    page = visitor.page()
    waiting = []
    page.route("**/api/position", lambda route: waiting.append(route))
    page.goto(f"{visitor.server}{TWO_PEOPLE}")
    for name in ("Undo", "Redo", "Hint", "Flip", "Move"):
        expect(page.get_by_role("button", name=name, exact=True, include_hidden=True)).to_be_disabled()
    expect(page.get_by_label("Type a move")).to_be_disabled()
    for key in "uhrsf":
        page.keyboard.press(key)
    waiting[0].continue_()
    expect(words(page)).to_have_text("It is the turn of X (blue).")
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()


def test_a_board_that_was_clicked_waits_for_the_next_position(visitor):
    page = visitor.page(TWO_PEOPLE)
    expect(target(page, "b2")).to_be_visible()
    waiting = []
    page.route("**/api/position", lambda route: waiting.append(route))
    target(page, "b2").click()
    expect(page.locator(".board-target")).to_have_count(0)
    waiting[0].continue_()
    expect(page.locator(".board-open")).to_have_count(8)
    assert moves(page) == ["b2"]


def test_the_depth_of_the_theatre_is_not_that_of_an_opponent(visit):
    page = visit("/?view=theatre&game=figure-5.2&side=min&with=minimax&algorithm=sound-alpha-beta")
    page.get_by_label("Depth").fill("2")
    page.get_by_role("button", name="Watch").click()
    expect(page.locator(".player-heading")).to_contain_text("depth 2")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(words(page)).to_have_text("Your turn: you are MIN.")
    assert "&depth=" not in page.url


def test_an_opponent_that_takes_no_depth_is_not_sent_one(visit):
    page = visit("/?game=figure-5.2&side=min&with=minimax&depth=2")
    expect(words(page)).to_have_text("Your turn: you are MIN.")
    expect(page.locator(".players")).not_to_contain_text("depth")


def test_a_side_that_does_not_exist_is_the_usual_one(visit):
    page = visit("/?game=figure-5.2&side=bogus&with=minimax")
    expect(words(page)).to_have_text("Your turn: you are MAX.")
    expect(page.locator(".result")).to_have_count(0)


# A new game


def new_game(page):
    """The panel in which it is chosen, and the algorithm there."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    return dialog, dialog.get_by_label("An algorithm instead")


@pytest.mark.parametrize("opponent", ["engine", "random", "sound-alpha-beta"])
def test_a_new_game_is_against_the_opponent_of_the_last(visit, opponent):
    page = visit(f"/?game=tic-tac-toe&side=both&with={opponent}")
    dialog, against = new_game(page)
    expect(against).to_have_value(opponent)
    expect(dialog.locator(".levels input:checked")).to_have_count(0)


def test_a_first_game_is_against_the_medium_level_and_needs_no_compiler(visit):
    page = visit("/?game=connect-four")
    expect(page.locator(".players")).to_contain_text("Medium")
    target(page, "4").click()
    expect(page.locator(".record li")).to_have_count(3)
    assert "with=" not in page.url


def test_a_level_is_chosen_and_says_what_it_is(visit):
    page = visit("/?game=tic-tac-toe&side=max&with=minimax")
    dialog, against = new_game(page)
    for name in ("Easy", "Medium", "Hard", "Perfect"):
        expect(dialog.get_by_role("radio", name=name)).to_be_visible()
    dialog.get_by_role("radio", name="Easy").check()
    expect(against).to_have_value("")
    expect(dialog.locator("label[for=level-easy]")).to_have_attribute(
        "title", re.compile("sees what its own move does")
    )
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**with=easy")
    expect(page.locator(".players")).to_contain_text("Easy")
    target(page, "b2").click()
    expect(page.locator(".record li")).to_have_count(3)


def test_the_perfect_level_proves_its_first_move_before_the_game_begins(visit):
    page = visit("/?game=tic-tac-toe&side=min")
    dialog, _ = new_game(page)
    dialog.get_by_role("radio", name="Perfect").check()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**with=perfect**")
    expect(words(page)).to_have_text("Your turn: you are O (orange).")


def test_the_perfect_level_is_refused_where_nothing_is_proven(visitor):
    page = visitor.page()
    page.route(
        "**/api/reply",
        lambda route: route.continue_(post_data=route.request.post_data_json | {"seconds": 0.1}),
    )
    page.goto(f"{visitor.server}/?game=othello&side=both")
    dialog, _ = new_game(page)
    dialog.locator("#side-max").check()
    dialog.get_by_role("radio", name="Perfect").check()
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.locator(".notice")).to_contain_text("choose hard here")
    expect(dialog.get_by_role("button", name="Start")).to_be_enabled()


def test_an_opponent_stays_chosen_while_game_and_parameters_change(visit):
    page = visit("/?game=connect-four&side=both&with=minimax")
    dialog, against = new_game(page)
    dialog.get_by_label("cols").fill("5")
    expect(against).to_have_value("minimax")
    dialog.locator("#side-max").check()
    against.select_option("engine")
    dialog.get_by_label("Seconds a move").fill("0.5")
    dialog.get_by_label("rows").fill("4")
    expect(against).to_have_value("engine")
    expect(dialog.get_by_label("Seconds a move")).to_have_value("0.5")
    dialog.get_by_label("Game", exact=True).select_option("tic-tac-toe")
    expect(against).to_have_value("engine")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**game=tic-tac-toe&with=engine&seconds=0.5")


def test_who_is_not_here_is_replaced_by_a_level(visit):
    page = visit("/?game=tic-tac-toe&side=max&with=nobody&moves=b2-a1")
    dialog, against = new_game(page)
    expect(against).to_have_value("")
    expect(dialog.get_by_role("radio", name="Medium")).to_be_checked()


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("connect-four", "X (blue) you move first", "O (orange) you move second"),
        ("hexapawn", "White you move first", "Black you move second"),
        ("kalah", "South (blue) you move first", "North (orange) you move second"),
    ],
)
def test_the_sides_of_a_new_game_are_called_as_the_board_draws_them(visit, game, first, second):
    page = visit("/?game=tic-tac-toe&side=both")
    expect(target(page, "b2")).to_be_visible()
    page.keyboard.press("n")
    page.get_by_label("Game", exact=True).select_option(game)
    for side in (first, second):
        expect(page.get_by_role("radio", name=side, exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).not_to_contain_text("MAX")


def test_a_position_in_which_the_second_player_begins_says_so_among_the_sides(visit):
    page = visit("/?game=chess-endgame:fen=8/8/8/4k3/8/8/8/KR6 b&side=both")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("radio", name="Black you move first", exact=True)).to_be_visible()


def test_a_game_is_about_how_to_play_it_and_nobody_is_called_as_in_the_textbook(visit):
    page = visit("/?view=about&game=connect-four")
    about = page.locator(".about-head")
    expect(about).to_contain_text("Drop a stone into a column; it falls to the lowest free cell.")
    expect(about).not_to_contain_text("score=")
    expect(about).not_to_contain_text("MAX")
