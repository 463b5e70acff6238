"""Someone at a browser: where the browser is, what it complains of, and whom it calls."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the lightest first
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 180_000  # milliseconds: the rules of a game may have to be compiled first, on a busy machine


def browser_path() -> str:
    """The browser of this system; without one the tests are skipped, but under CI they fail."""
    path = os.environ.get("PERFECTPLAY_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path:
        return path
    missing = "there is no browser: apt install chromium-headless-shell, or name one in PERFECTPLAY_BROWSER."
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


class Visitor:
    """Someone at a browser, and what the browser complained of."""

    def __init__(self, browser, server: str) -> None:
        self.browser, self.server = browser, server
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.forgiven: list[str] = []
        self.contexts = []

    def page(self, path: str = "", **settings):
        """A page of a new visitor, at that path."""
        settings = {"viewport": {"width": 1200, "height": 850}, "reduced_motion": "reduce"} | settings
        context = self.browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        if path:
            page.goto(self.server + path)
        return page

    def _heard(self, message) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request) -> None:
        asked = urlsplit(request.url)
        if asked.scheme not in ("data", "blob") and asked.netloc != urlsplit(self.server).netloc:
            self.elsewhere.append(request.url)

    @contextmanager
    def refused(self, status: int) -> Iterator[None]:
        """The browser notes in its console that the server refused something: here that is what is wanted."""
        self.forgiven.append(f"the server responded with a status of {status}")
        yield

    def check(self) -> None:
        """Nothing went wrong unseen, and nothing was asked of anyone else."""
        left = list(self.complaints)
        for words in self.forgiven:
            noted = next((each for each in left if words in each), None)
            assert noted, f"nothing was refused with {words!r}"
            left.remove(noted)
        assert left == []
        assert self.elsewhere == []
