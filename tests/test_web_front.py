"""How a server is reached: by invitation, below a prefix, behind a proxy; what it counts and what it logs."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from typing import Any

import httpx
import pytest
import uvicorn

from awaited import NET
from perfectplay.web import connections
from perfectplay.web.access import COOKIE, SHORTEST, checked_token, invitation, new_token
from perfectplay.web.access_log import AccessLog, line
from perfectplay.web.app import make_app
from perfectplay.web.front import Front
from perfectplay.web.guard import HEADERS
from perfectplay.web.metrics import PLACES, ROUTES, Board, route_of
from perfectplay.web.pages import Pages
from perfectplay.web.prefix import checked_prefix
from web_client import HERE, HOSTS

WORD = "open-sesame-2026"


class Fronted:
    """The application behind a front."""

    def __init__(self, **options: Any) -> None:
        self.lines: list[str] = []
        self.front = Front(write=self.lines.append, **options)
        self.app = make_app(HOSTS, front=self.front)

    def ask(self, method: str, path: str, client: str = "127.0.0.1", **options: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(client, 5))
            async with httpx.AsyncClient(transport=transport, base_url=HERE) as asking:
                return await asking.request(method, path, **options)

        return asyncio.run(asked())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", path, **options)


# Invitations.


@pytest.fixture(scope="module")
def closed():
    return Fronted(token=WORD)


@pytest.mark.parametrize(
    "path",
    ["/api/games", "/api/position", "/exercise/sheet?game=nim", "/metrics", "/openapi.json", "/nowhere"],
)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": WORD},
        {"Authorization": "Bearer "},
        {"Cookie": f"{COOKIE}={WORD}"},
        {"Cookie": f"{COOKIE}="},
        {"Cookie": "x" * 5000},
    ],
)
def test_who_was_not_invited_reaches_nothing_that_computes(closed, path, headers):
    answer = closed.get(path, headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["message"].startswith("this server needs an invitation: open the link")
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_the_page_that_says_so_is_for_everybody(closed):
    for path in ("/", "/healthz", "/static/app.js", "/theatre/board.js", "/exercise/sheet.css"):
        assert closed.get(path).status_code == 200


def test_a_link_becomes_a_cookie_that_no_other_page_can_use_and_the_address_loses_the_word():
    web = Fronted(token=WORD)
    answer = web.get(f"/?view=play&invitation={WORD}&game=nim")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?view=play&game=nim")
    kept = answer.headers["set-cookie"]
    assert WORD not in kept
    assert re.search(r"HttpOnly; Max-Age=\d+; Path=/; SameSite=strict$", kept)
    assert web.get("/api/games", headers={"Cookie": kept.partition(";")[0]}).status_code == 200
    assert web.get("/api/games", headers={"Authorization": f"Bearer {WORD}"}).status_code == 200
    assert not any(WORD in line for line in web.lines)


def test_behind_tls_the_cookie_is_for_tls_alone():
    web = Fronted(token=WORD, proxies=("127.0.0.1",), prefix="/games")
    link = f"/games/?invitation={WORD}"
    answer = web.get(link, headers={"X-Forwarded-Proto": "https"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/games/")
    assert answer.headers["set-cookie"].endswith("Path=/games/; SameSite=strict; Secure")


def test_a_wrong_invitation_is_refused():
    answer = Fronted(token=WORD).get("/?invitation=wrong")
    assert (answer.status_code, answer.json()) == (
        403,
        {"message": "this invitation is not valid here: ask for the link again."},
    )


def test_words_that_are_made_up_can_be_given_and_differ():
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(checked_token(each) == each and len(each) >= SHORTEST for each in made)
    assert invitation("http://here/", "a&b=c?d#efghi") == "http://here/?invitation=a%26b%3Dc%3Fd%23efghi"


# A prefix.


@pytest.mark.parametrize(("text", "prefix"), [("", ""), ("/", ""), ("games", "/games"), ("/a/b/", "/a/b")])
def test_a_prefix_may_be_written_in_several_ways(text, prefix):
    assert checked_prefix(text) == prefix


def test_everything_is_below_the_prefix_and_nothing_beside_it():
    web = Fronted(prefix="/games")
    page = web.get("/games/")
    assert page.status_code == 200
    files = {*re.findall(r'(?:href|src)="(/[^"?#]+)"', page.text)}
    assert len(files) > 10
    assert all(each.startswith("/games/") for each in files)
    assert {web.get(each).status_code for each in files} == {200}
    body = {"game": "nim"}
    assert web.ask("POST", "/games/api/position", json=body).status_code == 200
    moved = web.get("/games")
    assert (moved.status_code, moved.headers["location"]) == (308, "/games/")
    for path in ("/", "/api/games", "/gamesapi/games", "/static/app.js"):
        answer = web.get(path)
        assert (answer.status_code, answer.json()) == (
            404,
            {"message": "there is nothing here: this server is below /games/."},
        )
    sheet = web.get("/games/exercise/sheet?game=tic-tac-toe")
    assert 'href="sheet.css"' in sheet.text
    assert web.get("/games/exercise/sheet.css").status_code == 200
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}
    assert web.get("/games/", headers=elsewhere).status_code == 200
    assert web.get("/games/exercise/sheet?game=nim", headers=elsewhere).status_code == 403


def test_no_file_of_a_page_below_a_prefix_names_an_address_beside_it():
    beside = re.compile(rb"""["'`(]/(?:api|static|theatre|exercise|trace)/""")
    for path, file in Pages(prefix="/games").files.items():
        if path.endswith((".html", ".js", ".css")):
            assert not beside.search(file.content), path


# A proxy.


def test_who_asks_is_what_a_trusted_proxy_says_and_nobody_else():
    forwarded = {"X-Forwarded-For": "203.0.113.7, 198.51.100.9"}
    for proxies, client, asked in (
        (("127.0.0.1",), "127.0.0.1", "198.51.100.9"),
        (("127.0.0.1", "198.51.100.0/24"), "127.0.0.1", "203.0.113.7"),
        (("10.0.0.0/8",), "127.0.0.1", "127.0.0.1"),
        ((), "127.0.0.1", "127.0.0.1"),
    ):
        web = Fronted(proxies=proxies)
        web.get("/healthz", client=client, headers=forwarded)
        assert web.lines[0].startswith(f"{asked} - - [")


# What is counted, and what is logged.


def test_a_line_of_the_log_cannot_be_forged():
    scope = {"method": 'GET"\n', "path": '/a"b\n127.0.0.1 - -\x1b[31m', "client": ("::1%\n", 1)}
    text = line(scope, 200, 5, 0.25)
    assert text.isprintable()
    assert re.fullmatch(r'::1%%0A - - \[[^]]+\] "GET%22%0A /a%22b%0A[^" ]+ HTTP/1.1" 200 5 0.250', text)


def test_a_log_that_was_moved_away_is_begun_anew(tmp_path):
    log = AccessLog(str(tmp_path / "log"))
    log("one %s")
    (tmp_path / "log").rename(tmp_path / "log.1")
    log("two")
    log.close()
    assert ((tmp_path / "log.1").read_text(), (tmp_path / "log").read_text()) == ("one %s\n", "two\n")


def test_metrics_are_what_prometheus_reads():
    web = Fronted()
    web.get("/api/games")
    web.get("/nowhere/at/all")
    answer = web.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.text.splitlines()
    assert 'perfectplay_requests_total{route="/api/games",status="2xx"} 1' in lines
    assert 'perfectplay_requests_total{route="other",status="4xx"} 1' in lines
    sample = re.compile(r'perfectplay_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+')
    comment = re.compile(r"# (HELP perfectplay_\w+ .+|TYPE perfectplay_\w+ (counter|gauge))")
    assert all(sample.fullmatch(each) or comment.fullmatch(each) for each in lines)
    named = [each.split()[2] for each in lines if each.startswith("# TYPE")]
    assert len(named) == len({*named})


def test_all_workers_are_counted_together_and_no_path_is_a_name_of_its_own():
    cells = [0.0] * Board.size(3)
    boards = [Board(cells, row) for row in range(3)]
    for number, board in enumerate(boards):
        board.answered("/api/position", 200, 0.5, 10)
        board.set(searches_running=number)
    assert boards[1].total("searches_running") == 3
    assert 'perfectplay_requests_total{route="/api/position",status="2xx"} 3' in boards[0].text()
    assert 'perfectplay_request_bytes_total{route="/api/position"} 30' in boards[2].text()
    odd = ["", "/", "//", "/api", "/api/exercise/check", "/static/v1/a.js", "/x" * 500, "/api/\n"]
    assert {route_of(path) for path in odd} <= {*ROUTES}
    assert (route_of("/api/exercise/check"), route_of("/static/v1/a.js")) == ("/api/exercise", "/static")
    assert len(PLACES) < 1000


# Answers that nobody reads, and what is no request.


class Line:
    """A transport, as far as somebody looks at what is unread."""

    def __init__(self, unread: int) -> None:
        self.unread, self.aborted = unread, False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True


def connected(unread: int) -> Any:
    made: Any = connections.PatientConnection.__new__(connections.PatientConnection)
    made.transport = Line(unread)
    return made


def test_who_reads_nothing_is_dropped_and_who_reads_slowly_is_not(monkeypatch):
    monkeypatch.setattr(connections, "STALLED", 60)
    silent, slow, done = connected(1000), connected(1000), connected(0)
    for second in range(0, 121, 30):
        slow.transport.unread = 1000 - second
        connections.drop_unread([silent, slow, done, object()], float(second))
    assert (silent.transport.aborted, slow.transport.aborted, done.transport.aborted) == (True, False, False)


def test_when_too_much_is_unread_the_largest_go_first(monkeypatch):
    monkeypatch.setattr(connections, "MOST_UNREAD", 100)
    some = [connected(size) for size in (10, 80, 60, 30)]
    assert connections.drop_unread(some, 0.0) == 100
    assert [each.transport.aborted for each in some] == [False, True, False, False]


def test_an_answer_that_is_not_read_does_not_stay_in_memory(monkeypatch):
    """A page of many sheets is asked for again and again, over a socket that takes next to nothing."""
    monkeypatch.setattr(connections, "MOST_UNREAD", 20 << 20)

    async def large(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * (16 << 20)})

    async def scene() -> tuple[int, int]:
        server = uvicorn.Server(
            uvicorn.Config(large, http=connections.PatientConnection, log_config=None, lifespan="off")
        )
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            serving = asyncio.create_task(server.serve([listener]))
            lines = []
            for _ in range(4):
                asking = socket.socket()
                asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                asking.setblocking(False)
                await asyncio.get_running_loop().sock_connect(asking, listener.getsockname())
                await asyncio.get_running_loop().sock_sendall(asking, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                lines.append(asking)
            held = server.server_state.connections
            while sum(each.transport.get_write_buffer_size() for each in held) < 40 << 20:
                await asyncio.sleep(0.01)
            connections.drop_unread([*held], 0.0)
            while len(held) > 1:
                await asyncio.sleep(0.01)
            left = sum(each.transport.get_write_buffer_size() for each in held)
            for asking in lines:
                asking.close()
            server.should_exit = True
            await serving
        return left, 20 << 20

    left, most = asyncio.run(asyncio.wait_for(scene(), NET))
    assert left <= most


def test_what_is_no_request_is_refused_with_the_headers_of_every_answer():
    async def scene() -> bytes:
        app = make_app(HOSTS)
        server = uvicorn.Server(
            uvicorn.Config(app, http=connections.PatientConnection, log_config=None, lifespan="off")
        )
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = asyncio.create_task(server.serve([listener]))
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(b"\x16\x03\x01 no HTTP\r\n\r\n")
            got = await asyncio.wait_for(reader.read(), NET)
            writer.close()
            server.should_exit = True
            await serving
        return got

    head, _, body = asyncio.run(scene()).decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400 Bad Request")
    for name, text in HEADERS.items():
        assert f"{name}: {text}".lower() in head.lower()
    assert json.loads(body) == {"message": "this is no request of HTTP/1.1: send one."}


def test_a_failure_of_ours_has_the_headers_of_every_answer():
    web = Fronted()

    @web.app.get("/fault")
    async def fault() -> None:
        raise RuntimeError("ours")

    answer = web.get("/fault")
    assert answer.status_code == 500
    assert answer.json()["message"].startswith("this is a bug in perfectplay")
    for name, text in HEADERS.items():
        assert answer.headers[name] == text
    assert web.lines[-1].split('"')[2].startswith(" 500 ")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_port_is_elsewhere_as_well(site):
    web = Fronted()
    assert web.get("/exercise/sheet?game=nim", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert web.get("/api/games", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert web.get("/api/games", headers={"Sec-Fetch-Site": "none"}).status_code == 200
