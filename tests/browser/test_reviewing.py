"""Reviews in the browser: where a game was lost, variations, one address to share, and notation."""

from __future__ import annotations

import re

from playwright.sync_api import expect

LOST = "b2-a1-c3-b1-a2-c1"  # tic-tac-toe: MAX could win at move 5, and loses at move 6
REVIEW = f"/?view=analyse&game=tic-tac-toe&moves={LOST}"


def target(page, name):
    return page.locator(f'.board-target[data-target="{name}"]')


def record(page):
    """The moves of the main line, with what is said of each."""
    items = page.locator(".record > li:not(.variation)").all_inner_texts()[1:]
    return [re.sub(r"^\d+\.", "", words) for words in items]


def reviewed(page):
    expect(page.locator(".review-words")).to_have_text("Your blunder: move 5, this was winning.")


def test_a_lost_game_is_played_and_its_review_says_where_it_was_lost(visit):
    page = visit("/?game=tic-tac-toe&with=minimax&moves=b2-a3-b1")
    target(page, "a1").click()
    expect(page.locator(".result")).to_have_text("You lose")
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review-words")).to_have_text("Your mistake: move 5, this was even.")
    assert "review=yes" in page.url


def test_every_move_is_judged_and_counted(visit):
    page = visit(REVIEW)
    reviewed(page)
    assert record(page) == ["b2", "a1", "c3", "b1?", "a2??", "c1"]
    rows = [row.split() for row in page.locator(".review-counts tbody tr").all_inner_texts()]
    assert rows == [["You", "2", "0", "0", "1"], ["O", "2", "0", "1", "0"]]
    expect(page.locator(".graph-bar")).to_have_count(7)
    expect(page.locator(".graph-max")).to_have_count(1)
    expect(page.locator(".graph-min")).to_have_count(2)
    expect(page.locator(".graph-mark")).to_have_text(["?", "??"])


def test_the_graph_is_a_way_through_the_game(visit):
    page = visit(REVIEW)
    reviewed(page)
    slider = page.get_by_role("slider", name="Moves of the game")
    expect(slider).to_have_attribute("aria-valuenow", "6")
    page.get_by_role("button", name="Previous mistake").click()
    page.wait_for_url("**moves=b2-a1-c3-b1-a2&tree=**")
    expect(page.locator(".review-move")).to_contain_text("Move 5, a2: a blunder. X was winning.")
    slider.press("ArrowLeft")
    page.wait_for_url("**moves=b2-a1-c3-b1&tree=**")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "After move 4, b1, mistake: X, to move, wins")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] * 2.5 / 7, "y": 20})
    page.wait_for_url("**moves=b2-a1&tree=**")
    assert record(page) == ["b2", "a1", "c3", "b1?", "a2??", "c1"]


def test_a_better_move_is_shown_as_a_variation_that_deletes_nothing(visit):
    page = visit(REVIEW)
    reviewed(page)
    page.get_by_role("button", name="Previous mistake").click()
    page.get_by_role("button", name="was better").click()
    variation = page.locator(".variation-moves")
    expect(variation).to_have_count(1)
    expect(page.locator(".bar-value")).to_contain_text("Loses")
    assert record(page) == ["b2", "a1", "c3", "b1?", "a2??", "c1"]
    expect(page.locator(".review-move")).to_have_text("A variation: the graph is that of the game.")
    page.go_back()
    expect(page.locator(".record > li [aria-current]")).to_have_text(re.compile("5.a2"))
    expect(variation).to_have_count(1 if "(" in page.url else 0)


def test_variations_are_made_by_hand_and_shared_by_one_address(visit):
    page = visit(REVIEW)
    reviewed(page)
    page.locator(".record button", has_text="c3").click()
    target(page, "b1").click()  # what was played: no variation
    expect(page.locator(".variation")).to_have_count(0)
    page.keyboard.press("u")
    target(page, "a2").click()
    expect(page.locator(".variation")).to_have_count(1)
    target(page, "c2").click()
    expect(page.locator(".variation .ply")).to_have_count(2)
    page.wait_for_url("**tree=b2-a1-c3-b1(a2-c2)-a2-c1&**")
    other = visit()
    other.goto(page.url)
    expect(other.locator(".variation .ply")).to_have_count(2)
    expect(other.locator(".variation [aria-current]")).to_have_text("5.c2")
    reviewed(other)
    assert record(other) == ["b2", "a1", "c3", "b1?", "a2??", "c1"]
    other.locator(".record > li > button", has_text="a2").click()
    other.wait_for_url("**moves=b2-a1-c3-b1-a2&tree=**")


def test_a_move_that_was_taken_back_in_play_is_a_variation_in_the_analysis(visit):
    page = visit("/?game=tic-tac-toe&side=both&moves=b2-a1")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".record .ahead")).to_have_count(1)
    target(page, "b1").click()
    page.wait_for_url("**moves=b2-b1&tree=b2-b1(a1)**")
    expect(page.locator(".record li")).to_have_count(3)
    page.reload()
    page.get_by_role("navigation").get_by_role("link", name="Analyse").click()
    expect(page.locator(".variation .ply")).to_have_text(["2.a1"])
    assert record(page) == ["b2", "b1"]


def test_a_game_that_goes_on_is_reviewed_when_somebody_asks(visit):
    page = visit("/?view=analyse&game=tic-tac-toe&moves=b2-b1&side=both")
    expect(page.locator(".graph")).to_have_count(0)
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".review-words")).to_have_text("O's mistake: move 2, this was even.")
    page.wait_for_url("**review=yes**")


def test_a_tree_of_any_moves_survives_the_address(visit):
    page = visit(REVIEW)
    names = ["4", "a1-b2", "e8=Q", "x(y)", "a.b", "a_b", "..", "-", "(", ")", ".o", "_", "c6 d7"]
    lines = [names, names[::-1], [*names[:3], *names[6:]], names[4:9]]
    kept = page.evaluate(
        """async (lines) => {
          const moves = await import("/static/moves.js");
          const tree = lines.reduce((grown, line) => moves.withLine(grown, line), moves.emptyTree());
          const text = decodeURIComponent(encodeURIComponent(moves.writeTree(tree)));
          const line = moves.readMoves(moves.writeMoves(lines[0]));
          const same = JSON.stringify(tree) === JSON.stringify(moves.readTree(text));
          return [same, moves.countMoves(tree), line];
        }""",
        lines,
    )
    assert kept == [True, sum(map(len, lines)) - 3, names]


# Notation.


def notation(page):
    page.get_by_role("button", name="Notation").click()
    return page.get_by_role("dialog")


def test_the_moves_are_copied_as_text_and_opened_again(visit):
    page = visit(
        f"{REVIEW[: REVIEW.index('&moves')]}&moves=b2-a1&tree=b2-a1(b1-c3)-c3",
        permissions=["clipboard-read", "clipboard-write"],
    )
    dialog = notation(page)
    dialog.get_by_role("button", name="Copy the moves").click()
    expect(dialog.locator(".notice")).to_have_text("The moves are copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == '[Game "tic-tac-toe"]\n\n1. b2 2. a1 (2. b1 3. c3) 3. c3\n'
    dialog.get_by_role("button", name="Copy the board").click()
    expect(dialog.locator(".notice")).to_have_text("The board is copied.")
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[1] == " 2 . X ."
    other = visit("/?view=analyse&game=nim")
    dialog = notation(other)
    dialog.get_by_label("Moves, with variations").fill(text)
    dialog.get_by_role("button", name="Open these moves").click()
    other.wait_for_url("**game=tic-tac-toe&moves=b2-a1-c3&tree=b2-a1(b1-c3)-c3**")
    expect(other.locator(".variation .ply")).to_have_count(2)


def test_a_list_of_moves_that_cannot_be_is_told_in_a_sentence(visitor):
    page = visitor.page("/?view=analyse&game=tic-tac-toe")
    dialog = notation(page)
    with visitor.refused(400):
        dialog.get_by_label("Moves, with variations").fill("b2 b2")
        dialog.get_by_role("button", name="Open these moves").click()
        expect(dialog.locator(".notice")).to_contain_text("move 2, illegal move 'b2'")


def test_a_game_is_saved_to_a_file_and_loaded_from_it(visit, tmp_path):
    page = visit(REVIEW)
    reviewed(page)
    with page.expect_download() as saved:
        notation(page).get_by_role("button", name="Save a file").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert path.name == "tic-tac-toe.txt"
    assert '[Result "O wins"]' in path.read_text()
    other = visit("/?view=analyse&game=tic-tac-toe")
    dialog = notation(other)
    dialog.locator("input[type=file]").set_input_files(path)
    expect(dialog.get_by_label("Moves, with variations")).to_have_value(path.read_text())
    dialog.get_by_role("button", name="Open these moves").click()
    expect(other.locator(".bar-value")).to_have_text("O wins")
    assert record(other)[:3] == ["b2", "a1", "c3"]


def test_a_fen_is_copied_and_opened(visit):
    page = visit("/?view=analyse&game=chess-endgame")
    dialog = notation(page)
    expect(dialog.locator(".board-as-text")).to_contain_text(re.compile(r"^\S+ w"))
    dialog.get_by_label("Moves, with variations").fill("8/8/8/4k3/8/8/8/KQ6 w")
    dialog.get_by_role("button", name="Open these moves").click()
    page.wait_for_url("**game=chess-endgame:men=KQK,fen=**")
    expect(target(page, "b1")).to_have_attribute("aria-label", re.compile("[Qq]ueen"))


def test_a_game_with_dice_is_reviewed_by_what_each_move_gave_away(visit):
    page = visit("/?view=analyse&game=bear-off:mine=5%2B1,theirs=2%2B1&moves=51-5/4-4/off5-53-2/off5-1/off3")
    expect(page.locator(".review-words")).to_have_text(
        re.compile("Your largest mistake: move 2, which gave away 100 % of the chance to win")
    )
    page.get_by_role("button", name="Previous mistake").click()
    expect(page.locator(".review-move")).to_have_text(re.compile("Move 2, 5/4: a blunder.*5/off was better"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".review-move")).to_have_text("Move 1, 51: the dice. Blue has 100 % to win.")
    expect(page.locator(".bar-value")).to_have_text(re.compile("100 % to win"))
