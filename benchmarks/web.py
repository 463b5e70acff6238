"""The web application under load: fifty people at once, and memory while people play.

    python3 dev.py bench web                 about three minutes
    python3 dev.py bench web --minutes 10    the same, with ten minutes of play

It starts a server of its own on a free port, and ends with 1 if somebody got an error, or waited for a page
longer than a second. Let nothing else run on the machine meanwhile.
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
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

PEOPLE = 50
SECONDS = 2.0  # that each of them wants to have analysed
AT_ONCE = 1.0  # seconds in which a page is there
PLAYED = ("tic-tac-toe", "connect-four", "connect-four:rows=5,cols=5", "kalah", "nim", "hexapawn")
PLAYERS = 6


class Server:
    """A server in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "perfectplay", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])

    @property
    def memory(self) -> float:
        """Megabytes that it has in memory."""
        done = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True
        )
        return int(done.stdout) / 1024

    @asynccontextmanager
    async def asked(self, path: str, body: dict[str, Any] | None = None) -> AsyncIterator[Any]:
        """Status and the lines of an answer, over a connection of its own."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            text = json.dumps(body).encode() if body is not None else b""
            head = (
                f"{'POST' if body is not None else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            )
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

    async def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        async with self.asked(path, body) as (status, reader):
            return status, json.loads(await reader.read())

    async def events(self, path: str, body: dict[str, Any]) -> AsyncIterator[tuple[str, Any]]:
        async with self.asked(path, body) as (status, reader):
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


async def measure(minutes: float) -> bool:
    server = Server()
    try:
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
        return all(
            [max(each[0] for each in times) < AT_ONCE, await fifty(server), await play(server, minutes)]
        )
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1, help="of play (default: %(default)g)")
    sys.exit(0 if asyncio.run(measure(parser.parse_args().minutes)) else 1)
