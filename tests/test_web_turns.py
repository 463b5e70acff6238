"""Who gets a place: whoever has had least; and what nobody waits for any more is not made."""

from __future__ import annotations

import asyncio
import socket
from threading import Event
from typing import Any

import pytest

from awaited import NET
from perfectplay.web import connections, guard
from perfectplay.web.faults import RefusedError
from perfectplay.web.gates import Gate
from perfectplay.web.turns import SHARE, Client, Turns
from web_client import Web

GREEDY, MODEST = Client("here", "greedy"), Client("here", "modest")
ELSEWHERE = Client("elsewhere", "third")


def turns(places: int, *asked: tuple[str, Client], most_waiting: int = 100) -> Turns[str]:
    made: Turns[str] = Turns(places, most_waiting)
    for item, client in asked:
        made.enter(item, client)
    return made


def test_who_has_asked_for_less_is_served_before_who_came_first():
    some = turns(2, *((f"g{number}", GREEDY) for number in range(4)), ("m", MODEST))
    assert list(some.begin()) == ["g0", "m"]
    some.leave("g0")
    assert list(some.begin()) == ["g1"]


def test_an_address_with_many_pages_has_no_more_than_one_with_a_single_page():
    pages = [(f"p{number}", Client("here", str(number))) for number in range(5)]
    some = turns(2, *pages, ("e", ELSEWHERE))
    assert list(some.begin()) == ["p0", "e"]


def test_no_client_has_all_places_though_nobody_else_asks():
    some = turns(100, *((f"g{number}", GREEDY) for number in range(20)))
    assert len(list(some.begin())) == GREEDY.places < 20


def test_a_full_queue_lets_the_greediest_go_and_not_the_one_who_comes():
    some = turns(1, *((f"g{number}", GREEDY) for number in range(5)), most_waiting=5)
    assert some.enter("m", MODEST) == "g4"
    assert list(some.begin()) == ["g0"]
    assert some.order() == ["g1", "m", "g2", "g3"]


def test_a_full_queue_of_equals_takes_nobody_else():
    some = turns(1, *((str(number), Client("here", str(number))) for number in range(5)), most_waiting=5)
    with pytest.raises(RefusedError, match=r"^5 searches are waiting already"):
        some.enter("m", MODEST)


def test_one_client_cannot_fill_the_queue():
    some = turns(1, most_waiting=10**6)
    for number in range(SHARE * GREEDY.places):
        some.enter(str(number), GREEDY)
    with pytest.raises(RefusedError, match=r"of your questions are waiting already: let some of them end"):
        some.enter("one more", GREEDY)


class Asker:
    """A request, as far as a gate looks at it."""

    def __init__(self, name: str = "") -> None:
        self.client = None
        self.headers = {"x-client": name}
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


def test_what_nobody_waits_for_is_not_made_and_ends_where_it_is():
    async def scene() -> None:
        gate, begun = Gate(1), Event()
        first, second = Asker(), Asker()
        made: list[int] = []

        def endless(check: Any) -> Any:
            begun.set()
            while True:
                check()

        asked: Any = [
            asyncio.create_task(gate.answered(first, endless)),  # type: ignore[arg-type]
            asyncio.create_task(gate.answered(second, made.append)),  # type: ignore[arg-type]
        ]
        await asyncio.to_thread(begun.wait, NET)
        second.gone.set()
        await asyncio.wait_for(asked[1], NET)
        first.gone.set()
        await asyncio.wait_for(asked[0], NET)
        assert (made, gate.turns.working, gate.turns.waiting) == ([], {}, {})

    asyncio.run(scene())


@pytest.mark.parametrize("path", ["/exercise/sheet?game=nim", "/healthz", "/api/games", "/static/app.js"])
def test_a_link_from_elsewhere_leads_to_the_page_and_to_nothing_that_computes(path):
    web = Web()
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}
    assert web.get("/", headers=followed).status_code == 200
    assert web.get(path, headers=followed).status_code == 403
    assert web.get(path).status_code == 200


def test_a_crowd_is_refused_with_the_headers_of_every_answer(monkeypatch):
    monkeypatch.setattr(guard, "MOST_REQUESTS", 0)
    answer = Web().get("/")
    assert (answer.status_code, answer.headers["x-content-type-options"]) == (503, "nosniff")
    assert answer.json()["message"].startswith("more people are here than this server can serve")


def test_a_client_that_reads_nothing_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(guard, "STALLED", 0.01)

    async def scene() -> list[str]:
        sent: list[str] = []

        async def send(message: Any) -> None:
            sent.append(message["type"])
            await asyncio.sleep(10 * NET)

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        headers = [(b"host", b"localhost:8765")]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        await asyncio.wait_for(Web().app(scope, receive, send), NET)
        return sent

    assert asyncio.run(scene()) == ["http.response.start"]


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: "])
def test_a_connection_over_which_no_request_comes_is_closed(sent, monkeypatch):
    import uvicorn

    monkeypatch.setattr(connections, "PATIENCE", 0.05)

    async def scene() -> bytes:
        server = uvicorn.Server(
            uvicorn.Config(Web().app, http=connections.PatientConnection, log_config=None, lifespan="off")
        )
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = asyncio.create_task(server.serve([listener]))
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(sent)
            got = await asyncio.wait_for(reader.read(), NET)
            writer.close()
            server.should_exit = True
            await serving
        return got

    assert asyncio.run(scene()) == b""
