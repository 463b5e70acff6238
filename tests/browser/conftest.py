"""A real browser on a real server: every test gets a page, and no page may complain or call another host."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from browser_session import FLAGS, PATIENCE, Visitor, browser_path

OWN_GAMES = Path(__file__).parent / "own_games.py"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that was started as people start it, with games of their own."""
    games = [f"--game={OWN_GAMES}:{name}" for name in ("Letters", "Hostile", "Long")]
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--remember", "none", *games]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield _address(process)
        finally:
            process.terminate()
            process.wait()


def _address(process: subprocess.Popen[str]) -> str:
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://[\d.]+:\d+", line):
            return found[0]
    pytest.fail("the server did not start: " + "".join(said))


@pytest.fixture(scope="module")  # while it is open, nothing else can use asyncio in this process
def browser():
    """Chromium without a window."""
    path = browser_path()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visitor(browser, server) -> Iterator[Visitor]:
    """Someone at a browser; at the end there were no complaints."""
    someone = Visitor(browser, server)
    yield someone
    someone.check()
    for context in someone.contexts:
        context.close()


@pytest.fixture
def visit(visitor):
    """Open a page at a path."""
    return visitor.page
