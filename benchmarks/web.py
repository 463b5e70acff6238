"""The web application under load: a class at once, a flood of questions, and memory while people play.

    python3 dev.py bench web                 about eleven minutes
    python3 dev.py bench web --minutes 10    the same, with ten minutes of abuse and ten of play
    python3 dev.py bench web crowd flood     these alone, of crowd review first empty fifty analyses flood
                                             abuse play

It starts a server of its own on a free port, asks it over this machine's loopback, and ends with 1 if
somebody got an error, or waited too long. Let nothing else run on the machine meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import Any

PEOPLE = 50
CLASS = 200
REVIEWED = "444453443755525666665331223367117777222111"  # a game of the medium level with itself
REVIEW, LONGEST_REVIEW = 5.0, 20.0  # seconds that it is given, and that it may take
BROWSERS = (200, 500)
FLOOD = 100  # connections of the one who floods
PATIENCE = 5.0  # seconds for an honest question meanwhile
FLOODED: dict[str, dict[str, Any] | None] = {
    "/api/analyse": {"game": "connect-four", "seconds": 20},
    "/api/reply": {"game": "connect-four", "player": "minimax"},
    "/api/trace": {"game": "connect-four", "algorithm": "minimax"},
    "/api/review": {"game": "connect-four", "moves": list("4444432756")},
    "/api/position": {"game": "othello"},
    "/api/exercise": {"game": "connect-four"},
    "/exercise/sheet?game=connect-four&count=40": None,
    "/api/games": None,
    "/": None,
}
LARGEST_GROWTH = 50.0  # MB, in all the time of abuse,
QUIET = 65.0  # seconds after which a server has let go of what nobody asks for
UNSEEN = ("connect-four:rows=5,cols=8", "othello:size=4", "kalah:pits=5,seeds=3", "domineering:rows=5,cols=6")
FIRST_VALUE = 1.0  # seconds
FIRST_PROVEN, ALL_PROVEN = 30.0, 180.0  # seconds, of the moves of Connect Four
STUCK = """
import time
from dataclasses import dataclass
from perfectplay import Game

@dataclass(frozen=True)
class Stuck(Game):
    stuck: bool = False
    def initial(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state): return [1, 2]
    def result(self, state, action):
        if self.stuck and state: time.sleep(10 ** 6)
        return state + action
    def is_terminal(self, state): return state > 12
    def utility(self, state, player): return 0
"""
SECONDS = 2.0  # that each of them wants to have analysed
AT_ONCE = 1.0  # seconds in which a page is there
PLAYED = ("tic-tac-toe", "connect-four", "connect-four:rows=5,cols=5", "kalah", "nim", "hexapawn")
PLAYERS = 6


class Server:
    """A server in a process of its own."""

    def __init__(self, *options: str, **variables: str) -> None:
        command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--remember", "none"]
        self.process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, text=True, env=os.environ | variables
        )
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()

    @property
    def memory(self) -> float:
        """Megabytes that it has in memory, with the processes that it has begun."""
        number = str(self.process.pid)
        command = ["ps", "-o", "rss=", "-p", number, "--ppid", number]
        return sum(map(int, subprocess.run(command, capture_output=True, text=True).stdout.split())) / 1024

    @asynccontextmanager
    async def asked(
        self, path: str, body: dict[str, Any] | None = None, name: str = ""
    ) -> AsyncIterator[Any]:
        """Status and the lines of an answer, over a connection of its own, as a page of that name."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            text = json.dumps(body).encode() if body is not None else b""
            head = (
                f"{'POST' if body is not None else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            )
            if name:
                head += f"X-Client: {name}\r\n"
            head += (
                f"Connection: close\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            )
            writer.write(head.encode() + text)
            await writer.drain()
            status = int((await reader.readline()).split()[1])
            while (await reader.readline()).strip():
                pass
            yield status, reader
        finally:
            writer.close()

    async def get(self, path: str) -> tuple[int, bytes, float]:
        """Status, content and seconds."""
        began = time.perf_counter()
        async with self.asked(path) as (status, reader):
            content = await reader.read()
        return status, content, time.perf_counter() - began

    async def post(self, path: str, body: dict[str, Any], name: str = "") -> tuple[int, Any]:
        async with self.asked(path, body, name) as (status, reader):
            return status, json.loads(await reader.read())

    async def events(self, path: str, body: dict[str, Any], page: str = "") -> AsyncIterator[tuple[str, Any]]:
        async with self.asked(path, body, page) as (status, reader):
            if status != 200:
                yield "refused", json.loads(await reader.read())
                return
            name = ""
            while line := await reader.readline():
                field, _, text = line.decode().strip().partition(": ")
                if field == "event":
                    name = text
                elif field == "data":
                    yield name, json.loads(text)

    async def page(self) -> tuple[float, int, int]:
        """Seconds, files and bytes of a page with all that it loads: six at a time, as browsers do."""
        began = time.perf_counter()
        status, content, _ = await self.get("/")
        files = sorted(set(re.findall(r'(?:href|src)="(/[^"?#]+)"', content.decode())) - {"/"})
        gate = asyncio.Semaphore(6)

        async def load(path: str) -> int:
            async with gate:
                status, content, _ = await self.get(path)
                if status != 200:
                    raise SystemExit(f"{path} was answered with {status}")
                return len(content)

        sizes = await asyncio.gather(*map(load, [*files, "/api/games"]))
        if status != 200:
            raise SystemExit(f"/ was answered with {status}")
        return time.perf_counter() - began, 1 + len(sizes), len(content) + sum(sizes)


async def fifty(server: Server) -> bool:
    """Fifty people analyse at once; a page is opened again and again while they do."""
    print(f"\n{PEOPLE} people, each with {SECONDS:g} s of analysis of Connect Four, all at once:")
    began = time.perf_counter()
    ended: list[float] = []
    errors: list[Any] = []
    told = 0

    async def analyse(number: int) -> None:
        nonlocal told
        moves = [str(1 + number % 7), str(1 + number // 7 % 7)]
        last = None
        async for name, data in server.events(
            "/api/analyse", {"game": "connect-four", "moves": moves, "seconds": SECONDS}
        ):
            told += name == "queued"
            last = name, data
        if last is None or last[0] != "done" or not last[1]["depth"]:
            errors.append(last)
        ended.append(time.perf_counter() - began)

    everyone = [asyncio.create_task(analyse(number)) for number in range(PEOPLE)]
    await asyncio.sleep(0.5)
    pages, positions = [], []
    while not all(task.done() for task in everyone):
        pages.append((await server.page())[0])
        start = time.perf_counter()
        status, _ = await server.post("/api/position", {"game": "connect-four", "moves": ["4"]})
        positions.append(time.perf_counter() - start)
        if status != 200:
            errors.append(status)
        await asyncio.sleep(0.5)
    await asyncio.gather(*everyone)
    print(
        f"  served {len(ended)} of {PEOPLE}, errors {len(errors)}; the first after {min(ended):.1f} s, ",
        end="",
    )
    print(f"the last after {max(ended):.1f} s; {told} messages about the queue")
    _show(f"the page of a {PEOPLE + 1}st, with all its files, {len(pages)} times", pages)
    _show("a position", positions)
    for error in errors[:3]:
        print("  error:", error)
    return not errors and max(pages) < AT_ONCE


async def crowd(server: Server) -> bool:
    """A class opens the page, each with six connections, and all at the same time; then a larger one."""
    failures = 0
    for browsers in BROWSERS:
        began = time.perf_counter()
        opened = await asyncio.gather(*(server.page() for _ in range(browsers)), return_exceptions=True)
        failed = [each for each in opened if isinstance(each, BaseException)]
        failures += len(failed)
        print(f"\n{browsers} browsers open the page at once: {len(failed)} failed, ", end="")
        print(f"all done after {time.perf_counter() - began:.1f} s", *map(repr, failed[:3]), flush=True)
    return not failures


async def analyses(server: Server, people: int) -> bool:
    """So many analyses go on at once; how even are their shares?"""
    nodes: list[int] = []

    async def analyse(number: int) -> None:
        moves = [str(1 + number % 7), str(1 + number // 7 % 7)]
        question = {"game": "connect-four", "moves": moves, "seconds": 20}
        async for name, data in server.events("/api/analyse", question, f"page-{number}"):
            if name == "done":
                nodes.append(data["nodes"])

    await asyncio.gather(*map(analyse, range(people)))
    nodes.sort()
    print(
        f"\n{people} analyses of 20 s go on at once: {len(nodes)} are answered; nodes of the tenth with ",
        end="",
    )
    print(f"least, half, most: {nodes[people // 10]:,}, {nodes[people // 2]:,}, {nodes[-people // 10]:,}")
    return len(nodes) == people


async def review(server: Server) -> bool:
    """A game of 42 moves is reviewed, on a server that remembers nothing of it."""
    began, exact, judged = time.perf_counter(), 0, 0
    question = {"game": "connect-four", "moves": list(REVIEWED), "seconds": REVIEW}
    async for name, data in server.events("/api/review", question):
        if name == "ply":
            exact += data["exact"]
            judged += data["judgement"] is not None
        elif name != "done" and name in ("failed", "refused"):
            raise SystemExit(data)
    seconds = time.perf_counter() - began
    print(f"\nA game of Connect Four with {len(REVIEWED)} moves is reviewed in {seconds:.1f} s: ", end="")
    print(f"{judged} moves judged, {exact} of {len(REVIEWED) + 1} positions exact", flush=True)
    return judged == len(REVIEWED) and seconds < LONGEST_REVIEW


async def empty_board() -> bool:
    """The empty 7x6 board, analysed until all seven moves are exact, by a server that remembers nothing."""
    print("\nThe empty board of Connect Four is analysed:")
    alone, proven, began = Server(), {}, time.perf_counter()
    try:
        while proven.get(7) is None and time.perf_counter() - began < ALL_PROVEN:
            async for name, data in alone.events("/api/analyse", {"game": "connect-four", "seconds": 60}):
                if name in ("failed", "refused"):
                    raise SystemExit(data)
                if name in ("depth", "done"):
                    exact = sum(move["exact"] for move in data["moves"])
                    proven.setdefault(exact, time.perf_counter() - began)
    finally:
        alone.end()
    first = min((seconds for exact, seconds in proven.items() if exact), default=inf)
    print(
        f"  its winning move proven after {first:.1f} s, all seven after {proven.get(7, inf):.1f} s",
        flush=True,
    )
    return first < FIRST_PROVEN and proven.get(7, inf) < ALL_PROVEN


async def flood(server: Server) -> bool:
    """One client asks without end, at each endpoint in turn; how long does another wait?"""
    print(
        f"\nOne client floods, over {FLOOD} connections; another asks for a position, an analysis and a move:"
    )
    longest = 0.0
    for path, body in FLOODED.items():
        statuses: dict[Any, int] = {}

        async def ask(path: str = path, body: Any = body, statuses: Any = statuses) -> None:
            while True:
                try:
                    async with asyncio.timeout(5), server.asked(path, body) as (status, reader):
                        statuses[status] = statuses.get(status, 0) + 1
                        await reader.read()
                except (OSError, TimeoutError, IndexError):
                    continue

        flooding = [asyncio.create_task(ask()) for _ in range(FLOOD)]
        await asyncio.sleep(2)
        waited = []
        for honest, question in (
            ("/api/position", {"game": "tic-tac-toe", "moves": ["b2"]}),
            ("/api/analyse", {"game": "tic-tac-toe", "moves": ["b2"]}),
            ("/api/reply", {"game": "connect-four", "moves": ["4"], "seconds": 0.2}),
        ):
            began = time.perf_counter()
            if honest == "/api/position":
                await server.post(honest, question, "honest")
            else:
                async for name, _ in server.events(honest, question, "honest"):
                    if name == "depth":
                        break
            waited.append(time.perf_counter() - began)
        for task in flooding:
            task.cancel()
        await asyncio.gather(*flooding, return_exceptions=True)
        longest = max(longest, *waited)
        times = ", ".join(f"{each:.2f}" for each in waited)
        print(f"  {path:42} {times} s; the flood was answered with {statuses}", flush=True)
    return longest < PATIENCE


async def first_values() -> bool:
    """How long until the first value of games and sizes that were never compiled, in a server just begun?"""
    print("\nThe first value of a game that was never compiled, in a server just begun:")
    longest = 0.0
    with tempfile.TemporaryDirectory() as place:
        fresh = Server(PERFECTPLAY_CACHE=place)
        try:
            for game in UNSEEN:
                began = time.perf_counter()
                async for name, data in fresh.events("/api/analyse", {"game": game, "seconds": 5}, "first"):
                    if name in ("depth", "done") and data["value"] is not None:
                        break
                    if name in ("failed", "refused"):
                        raise SystemExit(data)
                longest = max(longest, time.perf_counter() - began)
                print(f"  {game:28} {time.perf_counter() - began:.2f} s", flush=True)
        finally:
            fresh.end()
    return longest < FIRST_VALUE


async def abuse(minutes: float) -> bool:
    """Floods, answers that nobody reads, silent connections, rules that never return; what is left of it?"""
    print(f"\n{minutes:g} minutes of abuse:")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "stuck.py"
        path.write_text(STUCK)
        abused = Server("--game", f"{path}:Stuck")
        try:
            return await _abused(abused, minutes)
        finally:
            abused.end()


async def _abused(server: Server, minutes: float) -> bool:
    for game in (*PLAYED, "othello"):
        async for _ in server.events("/api/analyse", {"game": game, "seconds": 1}):
            pass
    await asyncio.sleep(QUIET)
    start, memory, waited = server.memory, [], []
    until = time.monotonic() + 60 * minutes
    dice = random.Random(2)
    large = {"game": "tic-tac-toe", "algorithm": "minimax", "limit": 50_000}
    questions = [
        *FLOODED.items(),
        ("/api/trace", large),
        ("/api/position", {"game": "Stuck:stuck=yes", "moves": ["2", "1"]}),
        ("/api/analyse", {"game": "Stuck:stuck=yes", "seconds": 1}),
    ]

    async def ask(number: int) -> None:
        while time.monotonic() < until:
            path, body = dice.choice(questions)
            try:
                async with asyncio.timeout(5), server.asked(path, body, f"abuse-{number}") as (_, reader):
                    if dice.random() < 0.5:
                        await reader.read()
                    else:
                        await asyncio.sleep(dice.random() * 4)  # and reads nothing
            except (OSError, TimeoutError, IndexError):
                continue

    async def stay_silent() -> None:
        while time.monotonic() < until:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET / HTTP/1.1\r\n")
                async with asyncio.timeout(20):
                    await reader.read()
                writer.close()
            except (OSError, TimeoutError):
                continue

    people = [asyncio.create_task(ask(number)) for number in range(FLOOD // 2)]
    people += [asyncio.create_task(stay_silent()) for _ in range(FLOOD)]
    while time.monotonic() < until:
        began = time.perf_counter()
        await server.post("/api/position", {"game": "tic-tac-toe", "moves": ["b2"]}, "honest")
        waited.append(time.perf_counter() - began)
        memory.append(server.memory)
        await asyncio.sleep(1)
    await asyncio.gather(*people, return_exceptions=True)
    for _ in range(60):  # what was abandoned ends
        _, content, _ = await server.get("/healthz")
        health = json.loads(content)
        if not (health["running"] or health["queued"] or health["answering"] or health["expected"]):
            break
        await asyncio.sleep(1)
    await asyncio.sleep(QUIET)
    end = server.memory
    print(f"  memory: {start:.0f} MB at the start, {max(memory):.0f} MB at the most, ", end="")
    print(f"{end:.0f} MB at the end: {end - start:+.0f} MB")
    print(f"  the server at the end: {health}")
    _show("an honest position meanwhile", waited)
    return end - start < LARGEST_GROWTH and max(waited) < PATIENCE


async def play(server: Server, minutes: float) -> bool:
    """People play against the engine and look at analyses, which they leave in the middle."""
    print(f"\n{PLAYERS} people play for {minutes:g} minutes, and leave analyses in the middle:")
    until = time.monotonic() + 60 * minutes
    moves_made, errors = 0, []
    dice = random.Random(1)

    async def person(number: int) -> None:
        nonlocal moves_made
        while time.monotonic() < until:
            game, moves = PLAYED[dice.randrange(len(PLAYED))], []
            while time.monotonic() < until:
                status, found = await server.post("/api/position", {"game": game, "moves": moves})
                if status != 200:
                    errors.append(found)
                    return
                if found["over"]:
                    break
                if dice.random() < 0.3:
                    async for name, _ in server.events("/api/analyse", {"game": game, "moves": moves}):
                        if name == "depth":
                            break
                if dice.random() < 0.5:
                    moves.append(dice.choice(found["actions"]))
                else:
                    last: Any = None
                    async for event in server.events(
                        "/api/reply", {"game": game, "moves": moves, "seconds": 0.3}
                    ):
                        last = event
                    if last is None or last[0] != "done":
                        errors.append(last)
                        return
                    moves.append(last[1]["action"])
                moves_made += 1

    memory: list[float] = []
    people = [asyncio.create_task(person(number)) for number in range(PLAYERS)]
    while not all(task.done() for task in people):
        memory.append(server.memory)
        await asyncio.sleep(min(5, max(0.5, 60 * minutes / 100)))
    await asyncio.gather(*people)
    memory.append(server.memory)
    third = max(1, len(memory) // 3)
    print(f"  {moves_made} moves, errors {len(errors)}")
    print(
        f"  memory: {memory[0]:.0f} MB at the start, {memory[len(memory) // 2]:.0f} MB in the middle, ",
        end="",
    )
    print(f"{memory[-1]:.0f} MB at the end; at the most {max(memory):.0f} MB")
    middle, last = statistics.mean(memory[third : 2 * third]), statistics.mean(memory[-third:])
    print(f"  on average {middle:.0f} MB in the second third, {last:.0f} MB in the last")
    for error in errors[:3]:
        print("  error:", error)
    return not errors


def _show(what: str, seconds: list[float]) -> None:
    median, longest = 1000 * statistics.median(seconds), 1000 * max(seconds)
    print(f"  {what}: {median:.0f} ms (median), {longest:.0f} ms (longest)", flush=True)


async def measure(chosen: list[str], minutes: float) -> bool:
    server = Server()
    parts = {
        "crowd": lambda: crowd(server),
        "review": lambda: review(server),
        "first": first_values,
        "empty": empty_board,
        "fifty": lambda: fifty(server),
        "analyses": lambda: analyses(server, CLASS),
        "flood": lambda: flood(server),
        "abuse": lambda: abuse(minutes),
        "play": lambda: play(server, minutes),
    }
    try:
        if unknown := {*chosen} - {*parts}:
            raise SystemExit(f"there is no part {min(unknown)!r}: give some of {' '.join(parts)}.")
        began = time.perf_counter()
        for game in PLAYED:  # compiled, and their engines made
            async for name, data in server.events("/api/analyse", {"game": game, "seconds": 3}):
                if name in ("failed", "refused"):
                    raise SystemExit(data)
        print(f"{os.cpu_count()} processors; warm after {time.perf_counter() - began:.1f} s")
        times = [await server.page() for _ in range(10)]
        _, files, size = times[0]
        print(f"\nA page of a warm server that is idle, {files} files, {size / 1024:.0f} KB:")
        _show("with all its files", [each[0] for each in times])
        missed = [] if max(each[0] for each in times) < AT_ONCE else ["page"]
        missed += [name for name in chosen or parts if not await parts[name]()]
        print(f"\nNot as it must be: {', '.join(missed)}." if missed else "\nAll is as it must be.")
        return not missed
    finally:
        server.end()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="of the benchmark (default: all)")
    parser.add_argument(
        "--minutes", type=float, default=1, help="of abuse, and of play (default: %(default)g)"
    )
    chosen = parser.parse_args()
    sys.exit(0 if asyncio.run(measure(chosen.parts, chosen.minutes)) else 1)
