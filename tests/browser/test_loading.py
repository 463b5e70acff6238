"""A page that cannot be loaded whole says so, and a server below a prefix is all there, by invitation."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from browser_session import Visitor

WORD = "a-word-for-the-class"


def test_a_module_that_is_missing_is_said_and_not_a_blank_page(browser, server):
    context = browser.new_context()
    page = context.new_page()
    page.route(re.compile(r"/match\.js$"), lambda route: route.fulfill(status=503, body=""))
    page.goto(server)
    expect(page.get_by_role("alert")).to_contain_text("A part of this page could not be loaded")
    page.unroute_all()
    page.get_by_role("button", name="Load it again").click()
    expect(page.locator(".card").first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.route(re.compile(r"/exercises\.js$"), lambda route: route.abort())
    page.locator(".views").get_by_role("link", name="Exercises").click()
    expect(page.get_by_role("alert")).to_contain_text("A part of this page could not be loaded")
    context.close()


@pytest.fixture(scope="module")
def below():
    """The invitation to a server that is below a prefix."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--remember", "none"]
    options = ["--prefix", "/games", "--token", WORD]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.stdout.readline().split()[-1]
        process.terminate()
        process.wait()


def test_a_visitor_with_an_invitation_uses_everything_below_a_prefix(browser, below):
    address = below.partition("/games/")[0]
    someone = Visitor(browser, address)
    page = someone.page("/games/?invitation=" + WORD)
    expect(page.locator(".card").first).to_be_visible()
    assert page.url == f"{address}/games/"
    page.goto(f"{address}/games/?game=tic-tac-toe&view=analyse")
    expect(page.locator(".values tbody tr")).to_have_count(9)
    page.goto(f"{address}/games/?game=figure-5.2&view=exercises")
    expect(page.get_by_role("link", name=re.compile("[Ss]heet|Print")).first).to_have_attribute(
        "href", re.compile("^/games/exercise/")
    )
    page.goto(f"{address}/games/?game=figure-5.2&view=theatre")
    expect(page.locator("svg").first).to_be_visible()
    page.get_by_role("link", name="perfectplay", exact=True).click()
    assert page.url.startswith(f"{address}/games/")
    someone.check()
    for context in someone.contexts:
        context.close()


def test_who_has_no_invitation_is_told_on_the_page(browser, below):
    someone = Visitor(browser, below.partition("/games/")[0])
    with someone.refused(401):
        page = someone.page("/games/")
        expect(page.get_by_role("alert")).to_contain_text("this server needs an invitation: open the link")
    someone.check()
    for context in someone.contexts:
        context.close()
