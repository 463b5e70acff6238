"""Asking the web application without a network: requests, and the events of a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx

from perfectplay.game import Game
from perfectplay.proven import ProvenValues
from perfectplay.web.app import make_app
from perfectplay.web.engines import Engines
from perfectplay.web.guard import Hosts
from perfectplay.web.offers import Offers
from perfectplay.web.searches import Searches
from perfectplay.web.tablebases import open_tablebases

HERE = "http://localhost:8765"
HOSTS = Hosts.of(["localhost", "127.0.0.1", "::1"], 8765)

Events = list[tuple[str, Any]]


class Web:
    """The application with games of one's own; each request is made and answered before the next."""

    def __init__(
        self,
        *own: type[Game[Any, Any]],
        at_once: int = 2,
        most_compiled: int = 0,
        tablebases: Sequence[str] = (),
        proven: ProvenValues | None = None,
    ) -> None:
        self.searches = Searches(at_once)
        self.engines = Engines(most_compiled=most_compiled)  # compiling is not the point here
        offers = Offers({each.__name__: each for each in own})
        open_tablebases(tablebases, offers)
        self.app = make_app(HOSTS, offers, self.searches, self.engines, proven)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, body: Any, **options: Any) -> httpx.Response:
        return self.request("POST", path, json=body, **options)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self.together(lambda client: client.request(method, path, **options)))

    def events(self, path: str, **body: Any) -> Events:
        answer = self.post(path, body)
        assert answer.status_code == 200, answer.text
        return read_events(answer.text)

    async def together(self, ask: Callable[[httpx.AsyncClient], Awaitable[Any]]) -> Any:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            return await ask(client)


def read_events(text: str) -> Events:
    """The events of a stream, with their data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"], parse_constant=_refuse)))
    return found


def _refuse(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")
