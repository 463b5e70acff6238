"""What the server refuses before it reads it, what it says to browsers, and the files it serves."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from perfectplay.web import guard
from perfectplay.web.guard import Guard, Hosts
from perfectplay.web.pages import FOREVER, PLACES, TYPES, Pages
from web_client import HERE, Web

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def web():
    return Web()


def refusal(answer: Any) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, answer.json()["message"]


# Hosts.


@pytest.mark.parametrize("host", ["localhost:8765", "LOCALHOST:8765", "127.0.0.1:8765", "[::1]:8765"])
def test_the_server_answers_to_its_own_names(web, host):
    assert web.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example:8765", "localhost", "localhost:80", "localhost:8766", "127.0.0.2:8765", ""),
        *("localhost.evil.example:8765", "localhost:8765.evil.example", "[::1]", "192.168.1.5:8765", "*"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/games", "/static/index.html", "/nowhere"])
def test_the_server_answers_to_no_other_name(web, host, path):
    status, message = refusal(web.get(path, headers={"Host": host}))
    assert status == 421
    assert message == (
        f"this server does not answer to the name {host!r}: use the address that it printed, "
        "or start it with --allow-host NAME."
    )


def test_two_hosts_are_none(web):
    headers = [("Host", "localhost:8765"), ("Host", "evil.example:8765")]
    assert web.get("/healthz", headers=headers).status_code == 421


def test_more_names_can_be_allowed_with_or_without_a_port():
    hosts = Hosts.of(["localhost"], 8765, more=["Games.example.org", "proxy.example:443"])
    for host in ("games.example.org", "games.example.org:8765", "proxy.example:443", "localhost:8765"):
        assert hosts.include(host)
    for host in ("games.example.org:80", "proxy.example", "proxy.example:8765", "localhost", "10.0.0.1:8765"):
        assert not hosts.include(host)
    assert Hosts.of(["localhost", "::1"], 80).include("localhost")
    assert Hosts.of(["localhost", "::1"], 80).include("[::1]")


def test_a_server_for_the_network_answers_to_any_address_but_to_no_strange_name():
    hosts = Hosts.of(["localhost"], 8765, any_address=True)
    for host in ("192.168.1.5:8765", "[fe80::1]:8765", "localhost:8765"):
        assert hosts.include(host)
    for host in ("192.168.1.5", "192.168.1.5:80", "evil.example:8765", "192.168.1.5.evil.example:8765"):
        assert not hosts.include(host)


# Origins.


def test_a_page_of_ours_may_ask(web):
    for origin in (HERE, HERE.upper(), HERE.replace("http", "https")):
        answer = web.post("/api/position", {"game": "nim"}, headers={"Origin": origin})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost", "http://127.0.0.1:8765", "localhost:8765"]
)
def test_a_page_from_elsewhere_may_not(web, origin):
    for method in ("GET", "POST", "OPTIONS"):
        status, message = refusal(web.request(method, "/api/position", headers={"Origin": origin} | JSON))
        assert status == 403
        assert message == f"a page of {origin!r} may not use this server: open the address that it printed."


def test_no_answer_allows_another_origin(web):
    answer = web.request("OPTIONS", "/api/position", headers={"Access-Control-Request-Method": "POST"})
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


# Bodies.


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_a_form_of_another_page_cannot_ask(web, kind):
    answer = web.request("POST", "/api/position", content=b'{"game": "nim"}', headers={"Content-Type": kind})
    assert refusal(answer) == (415, f"the content type {kind!r} cannot be: send application/json.")


def test_the_type_may_name_its_characters(web):
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert (
        web.request("POST", "/api/position", content=b'{"game": "nim"}', headers=headers).status_code == 200
    )


def test_a_large_body_is_refused_whether_it_says_how_large_it_is_or_not(web):
    async def pieces() -> Any:
        for _ in range(100):
            yield b" " * 1024

    for content in (b" " * 65_537, pieces()):
        answer = web.request("POST", "/api/position", content=content, headers=JSON)
        assert refusal(answer) == (413, "the body is larger than 64 KB: send less.")
    body = b'{"game": "nim"}'
    assert web.request(
        "POST", "/api/position", content=body + b" " * (65_536 - len(body)), headers=JSON
    ).is_success


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(guard, "PATIENCE", 0.05)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(10)

    async def send(message: Any) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("it was let in")

    headers = [(b"host", b"localhost:1"), (b"content-type", b"application/json"), (b"content-length", b"5")]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    asyncio.run(Guard(app, Hosts.of(["localhost"], 1))(scope, receive, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"]) == {
        "message": "the body did not arrive within 0.05 seconds: send it again."
    }


# Headers.


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/api/games", 200), ("/static/index.html", 200), ("/nowhere", 404)]
)
def test_every_answer_tells_the_browser_to_be_strict(web, path, status):
    answer = web.get(path)
    assert answer.status_code == status
    check_headers(answer.headers)
    check_headers(web.get(path, headers={"Host": "evil.example"}).headers)


def test_streams_are_as_strict(web):
    answer = web.post("/api/analyse", {"game": "nim:heaps=1+1"})
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    check_headers(answer.headers)
    check_headers(web.post("/api/analyse", {"game": ""}).headers)


def check_headers(headers: Any) -> None:
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert (policy["script-src"], policy["style-src"], policy["connect-src"]) == ("'self'",) * 3
    assert (policy["frame-ancestors"], policy["base-uri"], policy["form-action"]) == ("'none'",) * 3
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache", FOREVER)


# Files.


STATIC = PLACES["/static/"]


def test_the_page_is_at_the_root_whatever_is_in_the_query(web):
    page = web.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert web.get("/?view=play&game=nim&moves=a1").content == page.content
    assert web.request("HEAD", "/").headers["etag"] == page.headers["etag"]
    assert web.request("HEAD", "/static/index.html").content == b""


def test_files_have_their_types_and_are_asked_for_again_only_if_they_changed(web):
    for place, directory in PLACES.items():
        files = [path for path in directory.rglob("*") if path.is_file()]
        assert files
        for path in files:
            answer = web.get(f"{place}{path.relative_to(directory).as_posix()}")
            assert answer.headers["content-type"] == TYPES[path.suffix], path
            assert answer.headers["cache-control"] == "no-cache"
    for path in ("/", "/static/index.html"):
        tag = web.get(path).headers["etag"]
        again = web.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        check_headers(again.headers)


def test_all_that_the_page_loads_has_an_address_that_a_browser_can_keep_for_good(web):
    seen, unread = set(), ["/"]
    while unread:
        answer = web.get(path := unread.pop())
        assert answer.status_code == 200, path
        if path != "/":
            assert answer.headers["cache-control"] == FOREVER, path
        here = path.rpartition("/")[0]
        named = re.findall(r'["(](/(?:static|theatre)/[^")]+)[")]', answer.text)
        beside = re.findall(r'from "\./([^"]+)"|import\("\./([^"]+)"\)', answer.text)
        for found in [*named, *(f"{here}/{one or other}" for one, other in beside)]:
            if found not in seen:
                seen.add(found)
                unread.append(found)
    assert len(seen) > 25


def test_another_content_has_another_address(tmp_path):
    def version(text: str) -> str:
        (tmp_path / "a.js").write_text(text)
        return Pages({"/static/": tmp_path}).version

    assert version("1") == version("1") != version("2")


def test_files_are_sent_packed_to_who_can_unpack_them(web):
    plain = web.get("/static/app.css", headers={"Accept-Encoding": "identity"})
    packed = web.get("/static/app.css", headers={"Accept-Encoding": "br, gzip"})
    assert plain.content == packed.content == (STATIC / "app.css").read_bytes()
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"),
        *("/static/", "/static", "/static/%00", "/static/" + "x" * 5000, "/app.py"),
    ],
)
def test_nothing_else_is_served(web, path):
    answer = web.get(path)
    assert answer.status_code in (404, 307)
    assert b"import" not in answer.content


def test_only_files_of_known_types_are_served(tmp_path):
    (tmp_path / "secret.py").write_text("secret = 1")
    (tmp_path / "good.js").write_text("1")
    assert set(Pages({"/extra/": tmp_path}).files) == {"/extra/good.js"}
