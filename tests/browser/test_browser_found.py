"""Where there is no browser, the tests say so; where they have to run, they fail."""

from __future__ import annotations

import shutil

import pytest

from browser_session import browser_path


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    """A system without a browser."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv("PERFECTPLAY_BROWSER", raising=False)


def test_without_a_browser_the_tests_are_skipped_and_say_what_to_install(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt install chromium"):
        browser_path()


def test_without_a_browser_they_fail_where_they_have_to_run(monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        browser_path()


def test_another_browser_can_be_named(monkeypatch):
    monkeypatch.setenv("PERFECTPLAY_BROWSER", "/opt/browser")
    assert browser_path() == "/opt/browser"
