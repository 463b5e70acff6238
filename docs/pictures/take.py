"""Take the pictures of the pages that the documentation shows: python docs/pictures/take.py

It starts a server and a browser of its own (Chromium, or what PERFECTPLAY_BROWSER names), waits in each view
for what the picture is about, and writes the files beside itself.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from perfectplay import load_game
from perfectplay.tablebase import build_tablebase

HERE = Path(__file__).parent
LARGEST = 200_000  # bytes of a picture
STEPS = 200  # more than enough for the first cut of the book's tree
PATIENCE = 120_000  # milliseconds: rules are compiled at first
LOST = "4444675364466557577313355636"  # by who began
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


class Picture(NamedTuple):
    """A view, what to wait for in it, and what to do there before the picture is taken."""

    name: str
    path: str
    ready: str
    scheme: str = "light"
    size: tuple[int, int] = (1200, 760)
    act: Callable[[Page], None] | None = None


def go_to_the_mistake(page: Page) -> None:
    """Wait for the whole review, and go to the last move that gave something away."""
    page.locator(".review-words .spinner").wait_for(state="detached", timeout=PATIENCE)
    page.get_by_role("button", name="Previous mistake").click()
    page.locator(".review-move button").wait_for()
    page.locator(".board-exact").first.wait_for(timeout=PATIENCE)


def point_at_a_move(page: Page) -> None:
    """Point at a column, so that the board shows what would become of it."""
    page.locator('[data-target="6"]').hover()
    page.locator(".board-shadow circle").first.wait_for()


def close_a_mill(page: Page) -> None:
    """Set the man that closes a mill, and be told to take one."""
    page.locator('[data-target="g7"]').click()
    page.locator(".board-staged circle").first.wait_for()


def step_to_the_first_cut(page: Page) -> None:
    """Step by step, as a student would, until the sentence tells of a cut."""
    sentence = page.locator('.player-sentence[data-kind="cut"]')
    for _ in range(STEPS):
        if sentence.count():
            return
        page.keyboard.press("ArrowRight")
    raise LookupError(f"there was no cut in the first {STEPS} steps: look at the page.")


def watch_to_the_end(page: Page) -> None:
    """Let the run end, so that all of its tree is there."""
    page.keyboard.press("End")


def run_to_the_end(page: Page) -> None:
    """Let both runs end, so that their counts can be compared."""
    page.get_by_role("button", name="Run both to the end").click()


def answer_some(page: Page) -> None:
    """Fill in the beginning of an exercise, with one mistake, and ask for a check."""
    answers = {"window:A": "-inf, inf", "window:B": "-inf, inf", "value:B": "3", "window:C": "-inf, inf"}
    for name, answer in answers.items():
        page.locator(f'[name="{name}"]').fill(answer)
    page.locator('[data-none="B"]').click()
    page.get_by_role("button", name="Check").click()
    page.locator(".is-wrong").first.wait_for()
    page.get_by_text("What to do").click()  # the tree is what the picture is of
    page.evaluate("scrollTo(0, 0)")


PICTURES = [
    Picture("games", "/", ".gallery li:last-child svg"),
    Picture(
        "play",
        "/?game=connect-four&moves=4-4-4-4-3-5-3-3&side=both",
        ".board-open",
        act=point_at_a_move,
    ),
    Picture(
        "mill",
        "/?game=nine-mens-morris&side=both&moves=a7-b6-d7-f6",
        ".board-open",
        act=close_a_mill,
    ),
    Picture(
        "late",
        "/?view=theatre&game=connect-four",
        ".player[data-ready]",
        size=(1360, 840),
        act=watch_to_the_end,
    ),
    Picture("analyse", "/?view=analyse&game=connect-four:rows=5,cols=5&moves=3-3", ".bar-exact"),
    Picture(
        "review",
        f"/?view=analyse&game=connect-four&moves={'-'.join(LOST)}&review=yes",
        ".review-words",
        size=(1080, 980),
        act=go_to_the_mistake,
    ),
    Picture("tablebase", "/?view=analyse&game=connect-four:rows=4,cols=4&moves=2-2-2-1", ".board-is-tie"),
    Picture("dark", "/?view=analyse&game=tic-tac-toe&moves=b2-b1", ".bar-exact", "dark"),
    Picture(
        "theatre",
        "/?view=theatre&game=figure-5.2&algorithm=alpha-beta-search",
        ".player[data-ready]",
        size=(1360, 840),
        act=step_to_the_first_cut,
    ),
    Picture(
        "comparison",
        "/?view=theatre&game=figure-5.2&algorithm=minimax-search&compare=alpha-beta-search",
        ".player[data-ready]",
        size=(1360, 820),
        act=run_to_the_end,
    ),
    Picture("exercise", "/?view=exercises&game=figure-5.2&seed=0", ".tree-sheet", act=answer_some),
    Picture("phone", "/?game=breakthrough&side=both&moves=d2_d3-e7_e6-e2_f3", ".board-open", size=(390, 780)),
]


def main() -> int:
    """Take them all; 1 if one is too large for the documentation."""
    with TemporaryDirectory() as directory:
        return take_all(build_tablebase(load_game("connect-four:rows=4,cols=4"), directory))


def take_all(tablebase: Path) -> int:
    """Take the pictures of a server that has this tablebase."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--tablebase", str(tablebase)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own
        try:
            assert server.stdout is not None
            address = next(
                found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line))
            )
            browser = os.environ.get("PERFECTPLAY_BROWSER") or shutil.which("chromium")
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
                sizes = [take(chromium, address, picture) for picture in PICTURES]
        finally:
            server.terminate()
    return 1 if max(sizes) > LARGEST else 0


def take(browser: Browser, address: str, picture: Picture) -> int:
    """Take one picture; its size in bytes."""
    width, height = picture.size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if picture.scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(address + picture.path)
    page.locator(picture.ready).first.wait_for(timeout=PATIENCE)
    if picture.act:
        picture.act(page)
    page.wait_for_timeout(500)  # the last values are drawn
    path = HERE / f"{picture.name}.png"
    page.screenshot(path=path)
    page.close()
    size = path.stat().st_size
    print(f"{path.name}  {size:,} bytes")
    return size


if __name__ == "__main__":
    sys.exit(main())
