"""Games of one's own run in processes that are ended where their rules do not return; nobody else waits."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from awaited import NET, until
from perfectplay.games import load_game
from perfectplay.web import own_games
from perfectplay.web.app import make_app
from perfectplay.web.faults import RefusedError
from perfectplay.web.frames import LARGEST, LENGTHS, BrokenPipeOfRulesError, Frame, read_frame
from perfectplay.web.offers import Offers
from perfectplay.web.own_games import OwnGame, OwnGames, RulesProcess
from web_client import HERE, HOSTS, read_events

# Say a letter, five times; what the rules do when there is something said is their mood.
MOODS = '''
    import os, time
    from dataclasses import dataclass
    from perfectplay import Game

    @dataclass(frozen=True)
    class Moods(Game):
        """Say a letter, five times."""

        mood: str = "good"

        def initial(self):
            return ""

        def to_move(self, state):
            return len(state) % 2

        def actions(self, state):
            if state and self.mood != "good":
                self.show()
            return [] if len(state) == 5 else list("abc")

        def show(self):
            if self.mood == "sleeping":
                time.sleep(10 ** 6)
            if self.mood == "counting":
                10 ** 10 ** 9
            if self.mood == "eating":
                MEALS.append(b"x" * (200 << 20))
                time.sleep(10 ** 6)
            if self.mood == "leaving":
                os._exit(3)
            if self.mood == "talking":
                print("heard")

        def result(self, state, action):
            return state + action

        def is_terminal(self, state):
            return len(state) == 5

        def utility(self, state, player):
            worth = state.count("a") * 3 - state.count("b") * 2 + state.find("c")
            return worth if player == 0 else -worth

    MEALS = []
'''


@pytest.fixture(scope="module")
def moods(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "moods.py"
    path.write_text(dedent(MOODS))
    return f"{path}:Moods"


def played(moods: str, scene: Callable[[httpx.AsyncClient, OwnGames], Awaitable[Any]], **options: Any) -> Any:
    """What comes of a scene with a server of which that game is one."""

    async def run() -> Any:
        own = OwnGames({"Moods": OwnGame(moods, **options)})
        offers = Offers({"Moods": type(load_game(moods))}, apart=True)
        app = make_app(HOSTS, offers, own=own)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, timeout=None) as client:
            try:
                return await asyncio.wait_for(scene(client, own), NET)
            finally:
                await own.close()

    return asyncio.run(run())


def asked(
    client: httpx.AsyncClient, mood: str = "good", path: str = "position", **body: Any
) -> Awaitable[httpx.Response]:
    question = {"game": f"Moods:mood={mood}", "moves": ["a"]}
    return client.post(f"/api/{path}", json=question | body)


@pytest.mark.slow
def test_a_process_answers_as_the_server_would_and_keeps_its_game_to_itself(moods, capfd):
    async def scene(client: httpx.AsyncClient, own: OwnGames) -> None:
        position = await asked(client, moves=["a", "b"])
        assert (position.status_code, position.json()["to_move"]) == (200, "MAX")
        assert position.headers["x-content-type-options"] == "nosniff"
        wrong = await asked(client, moves=["z"])
        assert wrong.status_code == 400
        assert wrong.json()["message"].startswith("illegal move 'z'")
        assert (await asked(client, nothing=1)).status_code == 422
        analysed = read_events((await asked(client, path="analyse", depth=1)).text)
        assert [name for name, _ in analysed if name != "compiling"] == ["started", "depth", "done"]
        long = await asked(client, path="trace", algorithm="minimax", moves=[])
        name, trace = read_events(long.text)[-1]
        assert (name, trace["format"], len(long.content) > 1 << 16) == ("done", "perfectplay-trace", True)
        sheet = await client.get("/exercise/sheet?game=Moods")
        assert (sheet.status_code, sheet.headers["content-type"]) == (200, "text/html; charset=utf-8")
        await asked(client, "talking")
        health = (await client.get("/healthz")).json()
        assert (health["processes"], health["running"], own.started) == (1, 0, 1)

    played(moods, scene)
    assert "heard" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("mood", "path"), [("sleeping", "position"), ("counting", "analyse")])
def test_rules_that_never_return_are_ended_with_a_sentence_and_others_go_on(moods, mood, path, monkeypatch):
    monkeypatch.setattr(own_games, "LOOK", 0.1)
    monkeypatch.setattr(own_games, "SILENT", 20)

    async def scene(client: httpx.AsyncClient, own: OwnGames) -> str:
        assert (await asked(client)).status_code == 200
        limits = {"seconds": 0.1} if path == "analyse" else {}
        stuck = asyncio.ensure_future(asked(client, mood, path, **limits))
        assert (await client.post("/api/position", json={"game": "nim"})).status_code == 200
        assert not stuck.done()
        answer = await stuck
        assert (await asked(client)).status_code == 200
        assert (own.ended, own.started) == (1, 2)
        return answer.text

    said = played(moods, scene, patience=0.5)
    assert "the rules of Moods did not return, and were ended with all that was asked of them" in said


@pytest.mark.slow
def test_a_client_that_leaves_does_not_leave_its_rules_at_work(moods, monkeypatch):
    monkeypatch.setattr(own_games, "LOOK", 0.1)

    async def scene(client: httpx.AsyncClient, own: OwnGames) -> None:
        await asked(client)
        process = own.processes["Moods"]
        stuck = asyncio.ensure_future(asked(client, "sleeping"))
        while not (process.ended or (await own.counts())["answering"]):
            pass
        stuck.cancel()
        while not process.ended and (await own.counts())["answering"]:  # its turn may not have begun
            await asyncio.sleep(0.01)

    played(moods, scene, patience=0.3)


@pytest.mark.slow
def test_a_process_that_takes_too_much_memory_or_ends_by_itself_says_so(moods, monkeypatch):
    monkeypatch.setattr(own_games, "LOOK", 0.05)
    monkeypatch.setattr(own_games, "SILENT", 10**6)  # on a busy machine, a sign of life may take its time

    async def scene(client: httpx.AsyncClient, own: OwnGames) -> None:
        fell = await asked(client, "leaving")
        assert (fell.status_code, fell.json()["message"]) == (
            503,
            "the process that runs the rules of Moods has ended: ask again.",
        )
        await asked(client)
        state = own.processes["Moods"].state
        monkeypatch.setattr(own_games, "MOST_MEMORY", state["memory"] + (100 << 20))
        large = asyncio.ensure_future(asked(client, "eating"))
        assert "GB of memory, and were ended" in (await large).json()["message"]

    played(moods, scene)


@pytest.mark.slow
def test_own_rules_are_never_run_in_the_server_however_a_request_is_written(moods):
    async def scene(client: httpx.AsyncClient, own: OwnGames) -> list[int]:
        headers = {"Content-Type": "application/json"}
        strange = [
            await client.request("GET", "/exercise/sheet?game=Moods", content=b'{"game": "nim"}'),
            await client.get("/exercise/sheet?game=Moods" + "&moves=a" * 601),
            await client.post("/api/position", content=b'{"game": "Moods"' + b"[" * 60_000, headers=headers),
        ]
        assert not own.processes
        return [answer.status_code for answer in strange]

    assert played(moods, scene) == [400, 422, 422]


def test_a_game_that_cannot_be_loaded_says_why(tmp_path):
    async def scene() -> str:
        process = RulesProcess("Gone", OwnGame(f"{tmp_path}/gone.py:Gone"))
        await process.close()
        return process.ended

    assert "gone.py" in asyncio.run(scene())


@pytest.mark.slow
def test_so_many_processes_at_once_and_the_idle_ones_go(moods, monkeypatch):
    monkeypatch.setattr(own_games, "MOST_PROCESSES", 1)

    async def scene() -> None:
        own = OwnGames({"Moods": OwnGame(moods), "Twin": OwnGame(moods)})
        first = own._process("Moods")
        with pytest.raises(RefusedError, match="crowded"):
            own._process("Twin")
        await first.ready
        assert own._process("Twin") is not first
        assert first.ended
        await own.close()
        with pytest.raises(RefusedError, match="stopping"):
            own._process("Moods")

    asyncio.run(scene())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with the one that began it")
@pytest.mark.parametrize("mood", ["sleeping", "counting"])
def test_no_process_is_left_when_the_server_is_killed(moods, mood):
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--game", moods]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().split()[3]
    body: dict[str, Any] = {"game": "Moods", "moves": ["a"]}
    httpx.post(f"{address}api/position", json=body, timeout=NET, trust_env=False)
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    assert len(children) == 1
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(
            f"{address}api/position", json=body | {"game": f"Moods:mood={mood}"}, timeout=0.5, trust_env=False
        )
    server.send_signal(signal.SIGKILL)
    server.wait()
    os.set_blocking(server.stdout.fileno(), True)
    assert server.stdout.read() == ""  # which nobody holds open any more
    server.stdout.close()
    until(lambda: not any(Path(f"/proc/{child}/cmdline").exists() and _lives(child) for child in children))


def _lives(process: str) -> bool:
    return "rules_process" in Path(f"/proc/{process}/cmdline").read_text()


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\0", LENGTHS.pack(2, 0) + b"[", LENGTHS.pack(LARGEST + 1, 0), LENGTHS.pack(3, 0) + b"[1]"),
        *(LENGTHS.pack(2, 5) + b"{}" + b"12345", LENGTHS.pack(3, 0) + b"nul"),
    ],
)
def test_what_is_no_frame_is_the_end_of_the_line(data, tmp_path):
    (tmp_path / "pipe").write_bytes(data)
    with (tmp_path / "pipe").open("rb") as file, pytest.raises(BrokenPipeOfRulesError):
        read_frame(file)


def test_a_frame_arrives_as_it_was_sent(tmp_path):
    sent = Frame("body", 7, {"more": [True, "ä"]}, bytes(range(256)))
    (tmp_path / "pipe").write_bytes(sent.packed())
    with (tmp_path / "pipe").open("rb") as file:
        assert read_frame(file) == sent
