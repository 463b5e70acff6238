"""The examples of docs/web.md, asked of a real server: what they show is what it says."""

from __future__ import annotations

import re
import shlex
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import httpx
import pytest

from awaited import NET
from perfectplay import load_game
from perfectplay.tablebase import build_tablebase
from perfectplay.web import (
    answers,
    connections,
    engines,
    guard,
    models,
    offers,
    positions,
    searches,
    server,
    tablebases,
)
from test_serve import served

DOCUMENT = (Path(__file__).parent.parent / "docs" / "web.md").read_text()
EXAMPLES = re.findall(r"^\$ (curl .*)\n((?:(?!\$ |```).*\n)*)", DOCUMENT, re.MULTILINE)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    table = build_tablebase(load_game("tic-tac-toe"), tmp_path_factory.mktemp("table"), compile="never")
    with served("--tablebase", str(table)) as server:
        server.client.post("/api/analyse", json={"game": "figure-5.2", "depth": 1})  # loads the compiler
        yield server.address


@pytest.mark.slow
@pytest.mark.parametrize(("command", "wanted"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_documentation_is_true(address, command, wanted):
    got = curl(command, address)
    assert OutputChecker().check_output(wanted.strip() + "\n", got.strip() + "\n", ELLIPSIS), got


def curl(command: str, address: str) -> str:
    """What curl would print, without curl: it is not on every machine."""
    words = shlex.split(command)[1:]
    headers, body, path = {}, None, ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = words.pop(0)
        elif word != "-N":
            path = word.removeprefix("http://localhost:8765/")
    method = "GET" if body is None else "POST"
    return httpx.request(
        method, f"{address}{path}", headers=headers, content=body, timeout=NET, trust_env=False
    ).text


def test_there_are_examples():
    assert len(EXAMPLES) >= 7


@pytest.mark.slow
def test_the_limits_are_those_of_the_code():
    rows = DOCUMENT.partition("## Limits")[2].partition("## Security")[0]
    for number in (
        *(
            searches.MOST_WAITING,
            server.SEARCHES,
            connections.MOST,
            guard.MOST_REQUESTS,
            connections.PATIENCE,
            models.LONGEST,
            models.DEEPEST,
            answers.ALGORITHM,
        ),
        *(answers.STATES, answers.RECORDING, guard.LARGEST_BODY // 1024, guard.PATIENCE, offers.LARGEST),
        *(offers.MOST_NUMBERS, positions.MOST_ACTIONS, engines.TABLE_MB, engines.KEPT, engines.MOST_COMPILED),
    ):
        assert re.search(rf"(?<![\d,]){int(number):,}(?![\d,]\d)", rows), number
    solved = DOCUMENT.partition("## Tablebases")[2].partition("## Streams")[0]
    assert f"{tablebases.LONGEST_LINE} plies" in solved
