"""perfectplay serve, as a process of its own on a port of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from awaited import NET, until
from perfectplay.cli import main
from perfectplay.commands import serve
from perfectplay.terminal import Terminal
from perfectplay.web.server import AddressError, listen

# A game that no search comes to the end of, and no compiler takes: a state is all that was said before.
BABEL = '''
    from perfectplay import Game

    class Babel(Game):
        """Say a word, forty times."""

        def initial(self):
            return ()

        def to_move(self, state):
            return len(state) % 2

        def actions(self, state):
            return ["ba", "be", "bi", "bo", "bu"] if len(state) < 40 else []

        def result(self, state, action):
            return (*state, action)

        def is_terminal(self, state):
            return len(state) == 40

        def utility(self, state, player):
            return 0
'''


SOONER = 25  # seconds: a search that is left has stopped; by itself it ends after 30, or 60


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.client = httpx.Client(base_url=address, timeout=NET, trust_env=False)

    def health(self) -> Any:
        return self.client.get("/healthz").json()

    def until(self, **wanted: int) -> None:
        """Wait until the server is as busy as that."""
        until(lambda: wanted.items() <= self.health().items())

    @contextmanager
    def left(self) -> Iterator[None]:
        """What is asked within is left at its end, and stops then, long before it would by itself."""
        yield
        began = time.monotonic()
        self.until(running=0, queued=0)
        assert time.monotonic() - began < SOONER

    @contextmanager
    def stream(self, path: str, **body: Any) -> Iterator[Iterator[tuple[str, Any]]]:
        """The events of a stream, over a connection of its own that closes at the end."""
        with (
            httpx.Client(base_url=self.address, timeout=NET, trust_env=False) as client,
            client.stream("POST", path, json=body) as answer,
        ):
            assert answer.status_code == 200
            yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """The events, but for the one that a slow machine may add: that it compiles."""
    name = ""
    for line in lines:
        field, _, text = line.partition(": ")
        if field == "event":
            name = text
        elif field == "data" and name != "compiling":
            yield name, json.loads(text)


@contextmanager
def served(*arguments: str, **variables: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--remember", "none", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | variables,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"perfectplay is at (http://\S+:\d+/\S*) \(Ctrl-C stops it\)\n", line)
        assert found, (line, process.stderr and process.stderr.read())
        server = Served(process, found[1])
        with server.client:
            yield server
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def babel(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "babel.py"
    path.write_text(dedent(BABEL))
    return f"{path}:Babel"


@pytest.fixture(scope="module")
def server(babel):
    with served("--game", babel, "--searches", "1") as server:
        yield server


@pytest.fixture
def refused(capsys) -> Callable[..., str]:
    """The one sentence with which a command is refused."""

    def command(*arguments: str) -> str:
        assert main(["serve", *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("perfectplay: ")
        assert captured.err.count("\n") == 1
        return captured.err.removeprefix("perfectplay: ").rstrip("\n")

    return command


def test_the_server_is_at_the_address_that_it_prints(server):
    assert server.address.startswith("http://127.0.0.1:")
    page = server.client.get("/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "server" not in page.headers


def test_a_game_of_ones_own_is_offered_under_the_name_of_its_class(server):
    games = {game["name"]: game for game in server.client.get("/api/games").json()["games"]}
    assert games["Babel"]["own"]
    assert (games["Babel"]["summary"], games["Babel"]["players"]) == ("Say a word, forty times.", 2)
    found = server.client.post("/api/position", json={"game": "Babel", "moves": ["bo", "be"]}).json()
    assert found["actions"] == ["ba", "be", "bi", "bo", "bu"]


def test_an_analysis_streams_as_it_deepens(server):
    with server.left(), server.stream("/api/analyse", game="Babel", seconds=60) as events:
        begun, first, second = next(events), next(events), next(events)
        assert begun == ("started", {})
        assert (first[0], first[1]["depth"], second[1]["depth"]) == ("depth", 1, 2)
        assert len(first[1]["moves"]) == 5  # in Python, while machine code is made
        busy = {"running": 1, "queued": 0, "answering": 0, "expected": 0, "processes": 1}
        assert server.health() == {"status": "ok", "searches": 1} | busy


def test_whoever_must_wait_is_told_and_moves_up_when_somebody_goes(server):
    with server.left(), server.stream("/api/analyse", game="Babel", seconds=60) as first:
        assert next(first) == ("started", {})
        with server.stream("/api/reply", game="Babel", seconds=60) as second:
            assert next(second) == ("queued", {"ahead": 0})
            with server.stream("/api/reply", game="Babel", player="random") as third:
                assert next(third) == ("queued", {"ahead": 1})
                second_gone = server.health()
                assert (second_gone["running"], second_gone["queued"]) == (1, 2)
                assert server.client.get("/").status_code == 200


def test_a_closed_connection_gives_its_place_to_the_next_at_once(server):
    with server.stream("/api/reply", game="Babel", player="random") as alone:
        assert [name for name, _ in alone] == ["started", "done"]
    with server.stream("/api/analyse", game="Babel", seconds=60) as first:
        assert next(first) == ("started", {})
        waiting = server.stream("/api/reply", game="Babel", player="random")
        second = waiting.__enter__()
        assert next(second) == ("queued", {"ahead": 0})
    began = time.monotonic()
    assert [name for name, _ in second] == ["started", "done"]
    assert time.monotonic() - began < SOONER
    waiting.__exit__(None, None, None)
    server.until(running=0)


def test_an_algorithm_that_nobody_waits_for_ends(server):
    with server.left(), server.stream("/api/reply", game="Babel", player="minimax") as events:
        assert next(events) == ("started", {})
        server.until(running=1)


def test_other_names_and_other_origins_are_refused_on_the_wire(server):
    host = server.address.removeprefix("http://").rstrip("/")
    for headers, status in (
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost"}, 421),
        ({"Host": host.replace("127.0.0.1", "localhost")}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": f"http://{host}"}, 200),
    ):
        assert server.client.get("/api/games", headers=headers).status_code == status
    port = int(host.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(b"GET /api/games HTTP/1.0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 421")


def test_a_body_without_end_is_cut_off(server):
    port = int(server.address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as line:
        head = f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"1000\r\n" + b" " * 4096 + b"\r\n"
        with suppress(OSError):
            for _ in range(100):
                line.sendall(piece)
        answer = b""
        with suppress(OSError):
            while received := line.recv(4096):
                answer += received
    assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_ctrl_c_ends_the_server_at_once_with_its_streams(babel):
    with served("--game", babel, "--searches", "1") as server:
        with (
            server.stream("/api/analyse", game="Babel", seconds=60) as first,
            server.stream("/api/reply", game="Babel") as second,
        ):
            assert next(first) == ("started", {})
            assert next(second) == ("queued", {"ahead": 0})
            server.process.send_signal(signal.SIGINT)
            *_, last = first
            assert (last[0], last[1]["reason"]) == ("done", "stopped")
            assert list(second) == [
                ("failed", {"message": "the server is stopping: ask again when it is back."})
            ]
        out, err = server.process.communicate(timeout=NET)
        assert (server.process.returncode, out, err) == (0, "Stopped.\n", "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_ctrl_c_ends_a_server_with_a_search_that_does_not_end(tmp_path):
    path = tmp_path / "stuck.py"
    path.write_text(dedent(BABEL).replace("return (*state, action)", "return self.stuck(state, action)"))
    with path.open("a") as file:
        file.write(
            "\n    def stuck(self, state, action):\n        import os, time\n"
            "        while os.path.exists(__file__ + '.stuck'):\n            time.sleep(0.1)\n"
            "        return (*state, action)\n"
        )
    with served("--game", f"{path}:Babel") as server:
        Path(f"{path}.stuck").touch()
        with server.stream("/api/reply", game="Babel", player="minimax") as events:
            assert next(events) == ("started", {})
            server.process.send_signal(signal.SIGINT)
            out, err = server.process.communicate(timeout=NET)
            assert (server.process.returncode, out, err) == (0, "Stopped.\n", "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_clients_that_come_and_go_leave_no_trace(babel):
    with served("--game", babel) as server:
        for number in range(40):
            with server.stream("/api/analyse", game="figure-5.2" if number % 2 else "Babel") as events:
                for _ in range(number % 4):
                    next(events)
        port = int(server.address.rstrip("/").rpartition(":")[2])
        body = b'{"game": "Babel", "depth": 6}'
        head = f"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        for _ in range(20):  # which hang up before they have read what they were sent
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                line.recv(10)
        server.until(running=0, queued=0)
        server.process.send_signal(signal.SIGINT)
        assert server.process.communicate(timeout=NET) == ("Stopped.\n", "")


def test_a_port_that_is_taken_is_refused(refused):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert refused("--port", str(port)) == (
            f"port {port} is taken by another program: give another one, or --port 0 for any."
        )


def test_an_address_that_is_none_is_refused(refused):
    assert refused("--host", "no.such.host.invalid", "--port", "0") == (
        "there is no address 'no.such.host.invalid' to listen on: try 127.0.0.1."
    )
    with pytest.raises(AddressError, match=r"^cannot listen on 192\.0\.2\.1, port 0: "):
        listen("192.0.2.1", 0)
    assert refused("--port", "70000") == "port 70000 cannot be: give one from 0 to 65535."


def test_a_broken_game_is_refused_before_the_server_begins(refused, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(dedent(BABEL).replace("len(state) % 2", "1 / 0"))
    assert refused("--game", f"{path}:Babel").startswith("to_move(state) raised ZeroDivisionError")
    assert refused("--game", "nim") == "'nim' comes with perfectplay and is offered anyway: leave --game out."
    assert refused("--game", f"{tmp_path}/none.py:None").startswith("there is no file ")


def test_two_games_of_one_name_are_refused(refused, babel, tmp_path):
    path = tmp_path / "other.py"
    path.write_text(dedent(BABEL))
    assert refused("--game", babel, "--game", f"{path}:Babel") == (
        "there are two games called Babel: rename the class in one of the files."
    )


@pytest.mark.slow
def test_serving_the_network_says_what_that_means_and_lets_in_who_has_the_link(babel):
    with served("--host", "0.0.0.0", "--allow-host", "games.example.org") as server:
        port = int(server.address.rstrip("/").rpartition(":")[2])
        assert server.process.stdout is not None
        assert "without encryption" in server.process.stdout.readline()
        link = server.process.stdout.readline()
        found = re.search(r"Whoever has this link is let in: http://\S+/\?invitation=(\S{22})$", link)
        assert found
        here = f"http://127.0.0.1:{port}/api/games"
        allowed = {"Authorization": f"Bearer {found[1]}"}
        for host, status in (
            (f"127.0.0.1:{port}", 200),
            (f"192.0.2.7:{port}", 200),
            (f"{socket.gethostname()}:{port}", 200),
            ("games.example.org", 200),
            (f"evil.example:{port}", 421),
        ):
            answer = httpx.get(here, headers={"Host": host} | allowed, trust_env=False)
            assert answer.status_code == status
        assert httpx.get(here, trust_env=False).status_code == 401


def test_the_network_may_be_let_in_without_a_word():
    with served("--host", "0.0.0.0", "--no-token") as server:
        assert server.process.stdout is not None
        assert "no password and no encryption" in server.process.stdout.readline()
        assert server.client.get("/api/games").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--token", "short"], "that token has 5 letters: give 12 or more, of ASCII and without spaces, "),
        (
            ["--token", "a" * 12, "--no-token"],
            "--token and --no-token cannot both be: leave one of them out.",
        ),
        (
            ["--prefix", "a b"],
            "'a b' cannot be a prefix: give a path of letters, digits and ._~-, as in /games.",
        ),
        (["--prefix", "/a/../b"], "'/a/../b' cannot be a prefix"),
        (
            ["--proxy", "everybody"],
            "'everybody' is no address of a proxy: give one as 127.0.0.1, or a networ",
        ),
        (["--access-log", "/nowhere/at/all"], "cannot write '/nowhere/at/all': No such file or directory"),
    ],
)
def test_what_cannot_be_deployed_is_refused(refused, arguments, sentence):
    assert refused("--port", "0", *arguments).startswith(sentence)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_several_workers_answer_from_one_address_and_are_begun_anew_when_they_fall(tmp_path):
    log = tmp_path / "access.log"
    with served("--workers", "2", "--access-log", str(log)) as server:
        parent = server.process.pid
        workers = _workers(parent)
        assert len(workers) == 2
        for _ in range(40):  # each over a connection of its own
            assert httpx.get(f"{server.address}api/games", trust_env=False).status_code == 200
        until(lambda: _counted(server, 'requests_total{route="/api/games",status="2xx"}') == 40)
        os.kill(workers[0], signal.SIGKILL)
        until(lambda: len({*_workers(parent)} - {*workers}) == 1)
        until(lambda: server.client.get("/healthz").status_code == 200)
        server.process.send_signal(signal.SIGTERM)
        out, err = server.process.communicate(timeout=NET)
        assert (server.process.returncode, out, err) == (0, "Stopped.\n", "")
        assert not _workers(parent)
    assert log.read_text().count('"GET /api/games HTTP/1.1" 200') == 40


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
def test_workers_end_with_the_one_that_looks_after_them():
    with served("--workers", "2") as server:
        workers = _workers(server.process.pid)
        server.process.kill()
        server.process.wait()
        until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def _workers(parent: int) -> list[int]:
    """The processes that serve, below one that looks after them."""
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(parent)]
    found = subprocess.run(command, capture_output=True, text=True)
    lines = [line.split(None, 1) for line in found.stdout.splitlines()]
    return [int(number) for number, words in lines if "spawn_main" in words]


def _counted(server: Served, metric: str) -> float:
    text = server.client.get("/metrics").text
    found = [line for line in text.splitlines() if line.startswith(f"perfectplay_{metric} ")]
    return float(found[0].rpartition(" ")[2]) if found else 0


def test_a_browser_is_opened_at_the_address_or_the_server_says_that_there_is_none(monkeypatch, capsys):
    opened: list[str] = []
    monkeypatch.setattr(serve.webbrowser, "open", lambda address: bool(opened.append(address)))
    serve._open("http://127.0.0.1:1/", Terminal())
    assert opened == ["http://127.0.0.1:1/"]
    sentence = "There is no browser to open here: type the address into one.\n"
    assert capsys.readouterr().out == sentence

    def fail(address: str) -> bool:
        raise OSError("no display")

    monkeypatch.setattr(serve.webbrowser, "open", fail)
    serve._open("http://127.0.0.1:1/", Terminal())
    assert capsys.readouterr().out == sentence
    monkeypatch.setattr(serve.webbrowser, "open", lambda address: True)
    serve._open("http://127.0.0.1:1/", Terminal())
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_open_goes_on_serving_where_there_is_no_browser(tmp_path):
    with served("--open", BROWSER=str(tmp_path / "none"), PATH=str(tmp_path), DISPLAY="") as server:
        assert server.process.stdout is not None
        assert server.process.stdout.readline().startswith("There is no browser to open here")
        assert server.client.get("/").status_code == 200


@pytest.mark.slow
def test_the_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    out = capsys.readouterr().out
    for word in (
        "--game FILE.py:CLASS",
        "--tablebase DIR",
        "--port",
        "--host",
        "--open",
        "--searches",
        "--allow-host",
        "--token WORD",
        "--no-token",
        "--prefix PATH",
        "--proxy ADDRESS",
        "--workers N",
        "--access-log FILE",
        "--remember DIR",
        "8765",
    ):
        assert word in out
