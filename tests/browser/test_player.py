"""The player in a real browser, in the single file: opened from the disk, with the network off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser_session import Visitor
from counterexamples import BOUND_KEPT_AS_VALUE
from perfectplay import MAX, MIN
from perfectplay.games import ConnectFour, ExplicitTree, TicTacToe, load_game
from perfectplay.play import Match
from perfectplay.trace import Trace, trace

DESK = {"viewport": {"width": 1400, "height": 880}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
MOVES = ["b2", "a1", "a3", "c1"]

MINUS = "\N{MINUS SIGN}"

# What a test asks of the page: a key, a step, and what all of it looks like.
TOOLS = """
const find = (selector) => document.querySelector(selector);
const findAll = (selector) => [...document.querySelectorAll(selector)];
function press(key) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}
function seek(step) {
  const range = find(".player-track input");
  range.value = String(step);
  range.dispatchEvent(new Event("input", { bubbles: true }));
}
function look() {
  const words = (each) => [each.getAttribute("class"), each.textContent, each.getAttribute("d")].join("|");
  const tree = findAll(".node:not(.unborn), .edge:not(.unborn)").map(words);
  const parts = [".player-sentence", ".listing .lit", ".player-variables", ".player-counts"];
  const scale = findAll(".scale text:not(.hidden)").map((each) => each.textContent);
  return [...tree.sort(), ...parts.map((part) => find(part).innerText), ...scale].join("\\n");
}
function looks(key, count) {
  const found = [look()];
  while (found.length < count) {
    press(key);
    found.push(look());
  }
  return found;
}
function changes(count) {
  const observer = new MutationObserver(() => {});
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const found = [];
  for (let step = 0; step < count; step += 1) {
    press("ArrowRight");
    found.push(observer.takeRecords().length);
  }
  observer.disconnect();
  return found;
}
function said(count) {
  const found = [];
  for (let step = 0; step < count; step += 1) {
    found.push(find(".player-sentence").innerText);
    press("ArrowRight");
  }
  return found;
}
function inside(part, whole) {
  const [inner, outer] = [part, whole].map((each) => find(each).getBoundingClientRect());
  const across = outer.left <= inner.left && inner.right <= outer.right;
  return across && outer.top <= inner.top && inner.bottom <= outer.bottom;
}
const ground = () => getComputedStyle(find(".player-panel")).backgroundColor;
const moved = () => find(".world").style.transform;
Object.assign(window, { seek, look, looks, changes, said, inside, ground, moved });
"""


@pytest.fixture(scope="session")
def book() -> Trace:
    return trace("alpha-beta-search", load_game("figure-5.2"))


@pytest.fixture(scope="session")
def bound() -> Trace:
    return trace("alpha-beta", BOUND_KEPT_AS_VALUE)


@pytest.fixture(scope="session")
def large() -> Trace:
    return trace("alpha-beta-search", ConnectFour(rows=4, cols=4), limit=36_000, seconds=600)


@pytest.fixture(scope="session")
def pair() -> tuple[Trace, Trace]:
    game = TicTacToe()
    state = Match(game, MOVES).state
    return tuple(trace(name, game, state, moves=MOVES) for name in ("minimax", "alpha-beta"))


@pytest.fixture
def show(browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open the file of a trace with the network off: nothing may complain, nor ask for anything else."""
    reader = Visitor(browser, "file://")
    asked: list[str] = []

    def shown(text: str, **settings: object) -> Page:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        page = reader.page(**DESK | {"offline": True} | settings)
        page.add_init_script(TOOLS)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        expect(page.locator(".player").first).to_have_attribute("data-ready", "")
        return page

    yield shown
    reader.check()
    assert [url for url in asked if not url.endswith("/page.html")] == []
    for context in reader.contexts:
        context.close()


def sentence(page: Page) -> str:
    return page.locator(".player-sentence").first.inner_text()


def seek(page: Page, step: int) -> None:
    page.evaluate("step => seek(step)", step)


def node(page: Page, action: str):
    return page.locator("[data-node]", has=page.locator(f".label:text-is('{action}')"))


def count(page: Page, name: str) -> int:
    return int(page.locator(f".count-{name} b").first.inner_text().replace(",", ""))


# The book's tree.


def test_alpha_beta_cuts_c2_and_c3_on_the_books_tree_and_says_why(book, show):
    page = show(book.to_html())
    expect(page.locator("[data-node]:visible")).to_have_count(1)
    seek(page, 66)
    while "c2" not in sentence(page):
        page.get_by_role("button", name="Step (right arrow)").click()
    assert sentence(page) == "2 <= alpha 3: c2 and c3 are never looked at."
    for action in ("c2", "c3"):
        expect(node(page, action)).to_have_class(re.compile("skipped"))
        expect(node(page, action).locator(".cut-mark")).to_be_visible()
    expect(node(page, "a2").locator(".note")).to_have_text("2 <= alpha 3")
    expect(page.locator(".listing .lit")).to_have_text("56return v, move")
    assert (count(page, "nodes"), count(page, "cuts"), count(page, "skipped")) == (7, 1, 2)
    page.get_by_role("button", name="Step back (left arrow)").click()
    expect(node(page, "c2")).to_be_hidden()
    assert count(page, "skipped") == 0


def test_the_end_shows_the_value_the_move_and_the_line(book, show):
    page = show(book.to_html())
    page.get_by_role("button", name="Run to the end (End)").click()
    assert sentence(page) == "Done: the value is 3 to MAX, by a1."
    values = {"a1": "3", "a2": "2", "a3": "2", "b2": "12", "d1": "14"}
    assert {name: node(page, name).locator(".value").text_content() for name in values} == values
    assert page.locator(".edge.line").count() == 2
    expect(node(page, "a1").locator(".window")).to_have_text(f"({MINUS}∞, ∞)")


def test_a_comparison_is_told_with_its_numbers(book, show):
    page = show(book.to_html())
    seek(page, 32)
    assert sentence(page) == "MIN looks at b2: 12 is not below 3, so the value stays 3."
    seek(page, 24)
    assert sentence(page) == f"3 is not at most alpha {MINUS}∞, so MIN goes on."
    seek(page, 6)
    assert sentence(page) == f"Now the value starts at {MINUS}∞ and no move is known."


def test_where_values_are_to_min_it_is_min_who_maximizes(show):
    game = ExplicitTree(
        {"A": {"a1": "B"}, "B": {"b1": "T", "b2": "U"}}, {"T": 1, "U": 2}, {"A": MIN, "B": MAX}
    )
    page = show(trace("alpha-beta-search", game).to_html())
    assert sentence(page).startswith(
        "The search begins at the root, where MIN, who maximizes here, chooses: "
    )
    told = page.evaluate("() => said(100)")
    assert any(text.startswith("At a1 MAX, who minimizes here, chooses: ") for text in told)
    assert not any(text.startswith("MAX looks for the action with the highest") for text in told)


def test_a_record_that_is_not_complete_says_at_its_end_that_it_stopped_there(show):
    page = show(trace("minimax", ConnectFour(rows=4, cols=4), limit=30).to_html())
    page.keyboard.press("End")
    assert sentence(page).startswith("Recording stopped here. Stopped because 30 events were recorded")


def test_a_step_looks_the_same_whichever_way_one_came(book, show):
    page = show(book.to_html())
    length = len(book.events)
    forward = page.evaluate("count => looks('ArrowRight', count)", length)
    backward = page.evaluate("count => looks('ArrowLeft', count)", length)
    assert backward == forward[::-1]
    assert len(set(forward)) > length * 0.9
    for step in (100, 3, 69, 122, 0, 45):
        seek(page, step)
        assert page.evaluate("look()") == forward[step]


def test_keys_do_everything(book, show):
    page = show(book.to_html())
    press = page.keyboard.press
    counter = page.locator(".player-counter")
    press("ArrowRight")
    expect(counter).to_have_text("step 2 of 123")
    press("ArrowLeft")
    expect(counter).to_have_text("step 1 of 123")
    press("c")
    expect(counter).to_have_text("step 70 of 123")
    press("c")
    expect(counter).to_have_text("step 115 of 123")
    press("c")
    expect(page.get_by_text("There is no cut after this step.")).to_be_visible()
    press("Shift+C")
    expect(counter).to_have_text("step 70 of 123")
    press("End")
    expect(counter).to_have_text("step 123 of 123")
    press("Home")
    press("r")
    expect(counter).to_have_text("step 21 of 123")
    press("]")
    press("Space")
    expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
    press("Space")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
    press("?")
    expect(page.get_by_role("dialog", name="Keys and signs")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Keys and signs (?)"


def test_everything_can_be_reached_with_tab_and_has_a_name(pair, show):
    page = show(pair[1].to_html())
    page.keyboard.press("End")
    names = set()
    for _ in range(22):
        page.keyboard.press("Tab")
        names.add(page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))
    wanted = {"Step (right arrow)", "Play (space)", "the step that is shown", "Zoom in (+)", "Next cut (c)"}
    assert wanted <= names
    unnamed = "buttons => buttons.filter((each) => !each.ariaLabel && !each.textContent).length"
    assert page.locator("button").evaluate_all(unnamed) == 0


def test_it_plays_to_the_end_by_itself(book, show):
    page = show(book.to_html())
    for _ in range(10):
        page.keyboard.press("]")
    page.keyboard.press("Space")
    expect(page.locator(".player-counter")).to_have_text("step 123 of 123")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()


def test_max_and_min_and_the_end_differ_in_shape(book, show):
    page = show(book.to_html())
    page.keyboard.press("End")

    def corners(role: str) -> str:
        path = page.locator(f".node.{role} .shape").first.get_attribute("d")
        points = [tuple(map(float, each.split())) for each in path.strip("MZ").split("L")]
        top = min(y for _, y in points)
        return f"{len(points)} corners, {sum(y == top for _, y in points)} on top"

    assert corners("max") == "3 corners, 1 on top"
    assert corners("min") == "3 corners, 2 on top"
    assert corners("end") == "4 corners, 2 on top"


# The table.


def test_a_bound_that_is_taken_for_a_value_is_marked_where_it_is_stored_and_where_it_is_believed(bound, show):
    page = show(bound.to_html())
    warning = page.locator(".table-warning")
    seek(page, 78)
    while "as if it were the value" not in sentence(page):
        page.keyboard.press("ArrowRight")
    expect(warning).to_contain_text('all that is known is "at most 1"')
    row = page.locator(".entries tr.misjudged")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("⚠ at most, believed exact")
    page.keyboard.press("ArrowRight")
    expect(warning).to_be_hidden()
    page.keyboard.press("w")
    assert "the value is at most 1, and is taken to be 1" in sentence(page)
    expect(warning).to_contain_text("The errata say why: docs/errata.md.")
    expect(row).to_have_class(re.compile("lit"))
    expect(page.locator(".link.warning")).to_be_visible()
    row.get_by_role("button").click()
    assert "as if it were the value" in sentence(page)


def test_the_table_lists_the_newest_entry_first_and_forgets_it_on_the_way_back(bound, show):
    page = show(bound.to_html())
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    page.keyboard.press("End")
    places = page.locator(".entries tbody tr td:first-child")
    assert places.all_inner_texts() == ["the root", "a1", "a1 b2", "a1 b1"]
    page.keyboard.press("h")
    page.keyboard.press("Shift+H")
    assert places.all_inner_texts() == ["a1", "a1 b2", "a1 b1"]


# Large trees.


def test_a_large_tree_is_folded_and_says_where_the_search_is(large, show):
    page = show(large.to_html())
    drawn = page.locator("[data-node]").count()
    assert 200 < drawn <= 360
    assert drawn < len(large.nodes)
    expect(page.get_by_role("note")).to_contain_text("Stopped because 36,000 events were recorded")
    page.keyboard.press("End")
    expect(page.get_by_text("inside a folded part")).to_be_visible()
    expect(page.locator(".node.lit .badge")).to_be_attached()
    page.keyboard.press("o")
    expect(page.get_by_text("inside a folded part")).to_be_hidden()
    assert page.locator("[data-node]").count() > drawn
    page.keyboard.press("u")
    assert page.locator("[data-node]").count() == len(large.nodes)
    assert count(page, "nodes") == large.totals["nodes"]
    page.keyboard.press("u")
    assert page.locator("[data-node]").count() == drawn


def test_a_click_folds_a_subtree_and_another_unfolds_it(book, show):
    page = show(book.to_html())
    page.keyboard.press("End")
    node(page, "a2").locator(".shape").click()
    expect(node(page, "c1")).to_have_count(0)
    expect(node(page, "a2").locator(".badge")).to_have_text("+3")
    expect(page.get_by_role("heading", name="Tree: 10 of 13 nodes")).to_be_visible()
    node(page, "a2").locator(".shape").click()
    expect(node(page, "c2")).to_be_visible()
    node(page, "b2").locator(".shape").click()
    assert sentence(page) == "MIN tries b2."


def test_a_step_with_two_thousand_nodes_on_screen_touches_a_few_of_them(large, show):
    """How long it takes is measured by the benchmark of the theatre."""
    page = show(large.to_html())
    page.keyboard.press("u")
    seek(page, len(large.events) - 400)
    assert page.locator(".node:not(.unborn)").count() > 2000
    layouts = layout_counter(page)
    assert max(page.evaluate("changes(200)")) < 100
    page.keyboard.press("0")
    expect(page.locator(".tree")).to_have_attribute("data-size", "far")
    before = layouts()
    assert max(page.evaluate("changes(150)")) < 100
    assert layouts() - before < 15  # the page is laid out when it is painted, and no step asks for it
    page.evaluate("() => { changes(1); document.body.getBoundingClientRect(); }")
    assert layouts() > before


def layout_counter(page: Page) -> Callable[[], int]:
    """How often the browser has laid out the page since now."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def layouts() -> int:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return next(int(each["value"]) for each in metrics if each["name"] == "LayoutCount")

    return layouts


def test_zoom_fit_and_drag_move_the_tree(book, show):
    page = show(book.to_html())
    placed = [page.evaluate("moved()")]
    box = page.locator(".tree").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.keyboard.press("+")
    placed.append(page.evaluate("moved()"))
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 90, middle[1] + 40, steps=4)
    page.mouse.up()
    placed.append(page.evaluate("moved()"))
    follow = page.get_by_role("button", name="Let the view follow the search (l)")
    expect(follow).to_have_attribute("aria-pressed", "false")
    page.mouse.wheel(0, 300)
    page.wait_for_function("before => moved() !== before", arg=placed[-1])
    placed.append(page.evaluate("moved()"))
    assert len(set(placed)) == 4
    page.keyboard.press("0")
    assert page.evaluate("moved()") == placed[0]


def test_a_tree_that_does_not_fit_starts_at_a_legible_scale_and_keeps_the_search_in_view(large, show):
    page = show(large.to_html())
    scale = float(re.search(r"scale\(([\d.]+)\)", page.evaluate("() => moved()"))[1])
    assert scale >= 0.9
    seek(page, 30_000)
    for width in (700, 1300):
        page.set_viewport_size({"width": width, "height": 600})
        page.wait_for_function(
            "width => innerWidth === width && inside('[data-node].lit', '.tree')", arg=width
        )


def test_boards_stand_at_the_nodes_where_they_are_wanted(pair, show):
    page = show(pair[1].to_html())
    page.keyboard.press("End")
    expect(page.locator(".player-board .board")).to_be_visible()
    assert page.locator(".node-board").count() == 0
    page.keyboard.press("b")
    assert page.locator(".node-board").count() == len(pair[1].nodes)
    page.keyboard.press("b")
    assert page.locator(".node-board").count() == 0


# Two runs.


def test_two_runs_are_compared_by_their_counts_and_step_together(pair, show):
    page = show(pair[0].to_html(beside=pair[1]))
    table = page.locator(".comparison-counts")
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tr").all()]
    assert [row[0] for row in rows[1:]] == ["minimax", "alpha-beta", "difference"]
    nodes = rows[0].index("nodes")
    totals = [each.totals["nodes"] for each in pair]
    assert [row[nodes] for row in rows[1:3]] == [str(total) for total in totals]
    saved = totals[0] - totals[1]
    assert rows[3][nodes] == f"{MINUS}{saved} ({MINUS}{round(100 * saved / totals[0])} %)"
    assert rows[3][rows[0].index("value")] == "the same"
    page.get_by_role("button", name="Step both", exact=True).click()
    for place in (0, 1):
        expect(page.locator(".player-counter").nth(place)).to_contain_text("step 2 of")
    page.locator(".comparison h2").first.click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    for place in (0, 1):
        expect(page.locator(".player-counter").nth(place)).to_contain_text("step 3 of")
    page.get_by_role("button", name="Run both to the end").click()
    assert page.locator(".player-sentence").all_inner_texts() == ["Done: the value is 0 to MAX, by b1."] * 2


# Wherever it is shown.


def test_it_is_light_or_dark_as_the_system_or_the_page_asks(book, show):
    light = show(book.to_html()).evaluate("ground()")
    page = show(book.to_html(), color_scheme="dark")
    dark = page.evaluate("ground()")
    assert max(map(int, re.findall(r"\d+", dark))) < 60 < 200 < min(map(int, re.findall(r"\d+", light)))
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert page.evaluate("ground()") == light


def test_a_phone_shows_it_without_scrolling_sideways(pair, show):
    page = show(pair[1].to_html(), **PHONE)
    page.get_by_role("button", name="Next cut (c)").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".player-sentence")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Step (right arrow)")).to_be_in_viewport()
    expect(page.locator(".node.lit .shape")).to_be_in_viewport()
    for button in page.locator(".player-controls button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 28
    both = show(pair[0].to_html(beside=pair[1]), **PHONE)
    assert both.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_notebook_shows_it_in_a_sandboxed_frame(book, browser):
    notebook = Visitor(browser, "about:blank")
    page = notebook.page(**DESK, offline=True)
    page.set_content(book._repr_html_())
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Next cut (c)").click()
    expect(frame.locator(".player-sentence")).to_have_text("2 <= alpha 3: c2 and c3 are never looked at.")
    assert notebook.complaints == []
    page.context.close()


def test_whatever_a_game_says_is_text(show):
    game = ExplicitTree({"A": {HOSTILE: "B", "b": "C"}}, {"B": 1, "C": 0}, {"A": 0})
    page = show(trace("alpha-beta", game, title=HOSTILE).to_html())
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.keyboard.press("End")
    expect(page.get_by_role("heading", level=2)).to_have_text(f"alpha-beta on {HOSTILE}")
    assert sentence(page) == f"Done: the value is 1 to MAX, by {HOSTILE}."
    assert page.locator("img").count() == 0


def test_a_trace_of_another_version_is_refused_in_words(book, browser, tmp_path):
    file = tmp_path / "old.html"
    file.write_text(book.to_html().replace('"version":2', '"version":9'), encoding="utf-8")
    page = Visitor(browser, "file://").page(offline=True)
    page.goto(file.as_uri())
    expect(page.get_by_role("alert")).to_have_text(
        "This is no trace of version 1 or 2: record it again, or update perfectplay."
    )
    page.context.close()


# Chance, many players and playouts.


WIDEST = """() => Math.max(...[...document.querySelectorAll(".node.max, .node.min")].map((node) =>
    node.querySelector(".value").getBBox().width / node.querySelector(".shape").getBBox().width))"""


def test_circles_vectors_and_phases_are_drawn_and_told(browser, tmp_path):
    coins = ExplicitTree(
        {"A": {"a": "B", "b": "C"}, "B": {"heads": "B1", "tails": "B2"}, "C": {"heads": "C1", "tails": "C2"}},
        {"B1": 3, "B2": 9, "C1": 0, "C2": 8},
        {"A": "max", "B": "exp", "C": "exp"},
        probabilities={"B": {"heads": 1 / 3, "tails": 2 / 3}},
    )
    three = ExplicitTree(
        {"A": {"a": "B", "b": "C"}, "B": {"c": "B1", "d": "B2"}, "C": {"e": "C1", "f": "C2"}},
        {"B1": (1, 2, 6), "B2": (4, 3, 3), "C1": (6, 1, 2), "C2": (7, 4, 1)},
        {"A": 0, "B": 1, "C": 2},
    )
    runs = [
        trace("expectiminimax", coins),
        trace("max-n", three),
        trace("monte-carlo-tree-search", TicTacToe(), playouts=15),
    ]
    visitor = Visitor(browser, "file://")
    page = visitor.page(offline=True, **DESK)
    ends = []
    for number, run in enumerate(runs):
        run.to_html(tmp_path / f"{number}.html")
        page.goto((tmp_path / f"{number}.html").as_uri())
        page.keyboard.press("End")
        ends.append(sentence(page))
        if number == 0:
            assert page.locator(".node.chance").count() == 2
            assert page.locator(".odds").all_text_contents() == ["1/3", "2/3", "1/2", "1/2"]
        elif number == 1:
            assert page.locator(".node.p2 .player").text_content() == "P2"
            assert page.locator(".node.p2 .value").text_content() == "(6, 1, 2)"
        else:
            assert page.evaluate(WIDEST) < 0.6  # an average of five letters is inside its triangle
            page.keyboard.press("Shift+P")
            told = [sentence(page).partition(":")[0].partition(" ")[0]]
            for _ in range(4):
                page.keyboard.press("ArrowRight")
                told.append(sentence(page).partition(":")[0].partition(" ")[0])
            assert list(dict.fromkeys(told))[:3] == ["Selection", "Expansion", "Simulation"]
            assert page.locator(".ucb .lit").count() == 1
    assert ends[0] == "Done: the value is 7 to MAX, by a."
    assert ends[1] == "Done: the values are (6, 1, 2), by b, one for every player."
    assert ends[2].endswith("of 15 playouts, so that is the move.")
    assert visitor.complaints == []
    page.context.close()
