"""The theatre in the browser: what is watched there can be taken home as one file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize(("compare", "players"), [("", 1), ("&compare=minimax", 2)])
def test_what_is_shown_is_saved_as_one_file_that_needs_no_server(visitor, tmp_path: Path, compare, players):
    page = visitor.page(
        f"/?view=theatre&game=Hostile&moves=<b>a</b>-<b>b</b>-<b>a</b>&algorithm=alpha-beta{compare}"
    )
    expect(page.locator(".player")).to_have_count(players)
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as one file").click()
    file = tmp_path / found.value.suggested_filename
    found.value.save_as(file)
    assert file.name == ("alpha-beta-minimax-Hostile.html" if compare else "alpha-beta-Hostile.html")
    alone = visitor.page(offline=True)
    complaints = []
    alone.on("console", lambda message: complaints.append(message.text))
    alone.goto(file.as_uri())
    expect(alone.locator(".player[data-ready]")).to_have_count(players)
    alone.keyboard.press("End")
    expect(alone.locator(".player-sentence").first).to_contain_text("Done: the value is")
    assert alone.evaluate("window.wounded") is None
    assert complaints == []
    visitor.elsewhere.remove(file.as_uri())  # that is where it was opened from


def test_the_game_is_named_once(visit):
    page = visit("/?view=theatre&game=figure-5.2&algorithm=minimax-search")
    expect(page.locator(".player-heading h2")).to_have_text("minimax-search")
