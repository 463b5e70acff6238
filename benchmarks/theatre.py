"""The theatre: recordings, their pages, a step in a browser, and how soon the page of a game can be used.

A step is timed in Chromium from the key that asks for it until everything on the page has its place again
(style and layout are forced), with more than 2,000 nodes of a tree on screen: near, where words can be read
and the view follows the search, and from afar, where the whole tree is in sight. Back is timed as well.
The same steps are gone through in several rounds, and of each step the best round stands: the rest is what
else the machine has to do, and the last column says how much that was.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, sync_playwright

from perfectplay.games import ConnectFour, TicTacToe
from perfectplay.trace import Trace, trace

EVENTS = 50_000
STEPPED = 22_000  # events of the run that is stepped through, whose tree has a little over 2,000 nodes
RUNS = (
    ("alpha-beta-search", ConnectFour(rows=4, cols=4)),
    ("sound-alpha-beta", ConnectFour(rows=4, cols=4)),
    ("alpha-beta", TicTacToe()),
)
NODES = 2_000  # at least so many are on screen
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMES = """async ([key, count]) => {
  const times = [];
  for (let step = 0; step < count; step += 1) {
    const start = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown, 0)));
  }
  return times;
}"""
SEEK = """(step) => {
  const range = document.querySelector(".player-track input");
  range.value = String(step);
  range.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300, help="steps to time in each direction (300)")
    parser.add_argument("--rounds", type=int, default=4, help="times that each of them is timed (4)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found: dict[str, Any] = {"machine": _machine(), "recording": [], "steps": []}
    for algorithm, game in RUNS:
        row, _ = recorded(algorithm, game)
        found["recording"].append(row)
    page = trace(*RUNS[0], limit=STEPPED).to_html()
    found["steps"] = stepped(page, given.steps, given.rounds)
    found["opened_seconds"] = [round(each, 2) for each in opened()]
    found["load"] = [round(load, 1) for load in os.getloadavg()]
    print(json.dumps(found, indent=2) if given.json else _table(found))


def recorded(algorithm: str, game: Any) -> tuple[dict[str, Any], str]:
    """How long 50,000 events take to record and to write, and how large their page is."""
    start = perf_counter()
    made: Trace = trace(algorithm, game, limit=EVENTS, seconds=600)
    middle = perf_counter()
    text = made.to_html()
    end = perf_counter()
    assert len(made.events) == EVENTS
    row = {
        "algorithm": algorithm,
        "game": str(game),
        "events": EVENTS,
        "nodes": len(made.nodes),
        "recording_seconds": round(middle - start, 2),
        "page_seconds": round(end - middle, 2),
        "megabytes": round(len(text.encode()) / 1e6, 2),
    }
    return row, text


def opened(times: int = 7) -> list[float]:
    """Seconds until the page of a game can be used, its board ready for a click, in a new browser."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        found = []
        try:
            told = (re.search(r"http://[\d.:]+", line) for line in server.stdout)
            address = next(each[0] for each in told if each)
            browser = playwright.chromium.launch(executable_path=_browser(), args=FLAGS)
            for _ in range(times + 1):
                context = browser.new_context()  # which has nothing of an earlier one
                page = context.new_page()
                began = perf_counter()
                page.goto(f"{address}/?game=tic-tac-toe&side=both")
                page.locator(".board-open").first.wait_for()
                found.append(perf_counter() - began)
                context.close()
            browser.close()
        finally:
            server.terminate()
    return found[1:]  # the first one warms the server


def _browser() -> str:
    path = os.environ.get("PERFECTPLAY_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit("there is no browser: install Chromium, or name one in PERFECTPLAY_BROWSER.")
    return path


def stepped(text: str, steps: int, rounds: int) -> list[dict[str, Any]]:
    """How long a step takes with all of the tree unfolded."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(file.as_uri())
        page.keyboard.press("u")
        page.evaluate(SEEK, STEPPED - steps - 2)
        for view in ("near", "from afar"):
            if view == "from afar":
                page.keyboard.press("0")
                assert page.locator(".tree").get_attribute("data-size") == "far"
            page.wait_for_timeout(500)
            times: dict[str, list[list[float]]] = {"on": [], "back": []}
            for _ in range(rounds):
                times["on"].append(page.evaluate(TIMES, ["ArrowRight", steps]))
                times["back"].append(page.evaluate(TIMES, ["ArrowLeft", steps]))
            rows += [_row(page, f"{view}, {way}", each) for way, each in times.items()]
        browser.close()
    return rows


def _row(page: Page, view: str, rounds: list[list[float]]) -> dict[str, Any]:
    shown = page.locator(".node:not(.unborn)").count()
    assert shown >= NODES, f"{shown} nodes are too few to measure with"
    best = sorted(map(min, zip(*rounds, strict=True)))
    every = sorted(time for each in rounds for time in each)
    return {
        "view": view,
        "nodes": shown,
        "steps": len(best),
        "median_ms": round(best[len(best) // 2], 2),
        "p99_ms": round(best[int(len(best) * 0.99)], 2),
        "longest_ms": round(best[-1], 2),
        "p99_of_all_rounds_ms": round(every[int(len(every) * 0.99)], 2),
    }


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"


def _table(found: dict[str, Any]) -> str:
    lines = [f"{found['machine']}; load {found['load'][0]}", "", "Recording, and the page"]
    lines.append(f"{'':20}{'game':52}{'events':>8}{'record':>9}{'page':>8}{'size':>10}")
    lines += [
        f"{row['algorithm']:20}{row['game']:52}{row['events']:>8,}{row['recording_seconds']:>7} s"
        f"{row['page_seconds']:>6} s{row['megabytes']:>7} MB"
        for row in found["recording"]
    ]
    lines += [
        "",
        "A step in Chromium",
        f"{'':20}{'nodes':>8}{'steps':>8}{'median':>11}{'99 %':>11}{'longest':>11}{'99 %, all rounds':>19}",
    ]
    lines += [
        f"{row['view']:20}{row['nodes']:>8,}{row['steps']:>8}{row['median_ms']:>8} ms{row['p99_ms']:>8} ms"
        f"{row['longest_ms']:>8} ms{row['p99_of_all_rounds_ms']:>16} ms"
        for row in found["steps"]
    ]
    times = ", ".join(f"{each} s" for each in found["opened_seconds"])
    return "\n".join([*lines, "", f"Until the page of a game can be used, by a warm server: {times}"])


if __name__ == "__main__":
    main()
