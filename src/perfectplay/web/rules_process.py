"""The process of a game of one's own: it answers requests as the server does, and can be ended by it.

It reads requests from one pipe and writes answers to another, piece by piece, each when the one before was
taken. When the pipe closes, the server has ended, and so does this.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, BinaryIO

from perfectplay.errors import PerfectPlayError
from perfectplay.games import load_game
from perfectplay.proven import ProvenValues
from perfectplay.web.app import make_app
from perfectplay.web.frames import PIECE, BrokenPipeOfRulesError, Frame, read_frame
from perfectplay.web.heap import share_arenas
from perfectplay.web.metrics import resident_memory
from perfectplay.web.offers import Offers
from perfectplay.web.searches import Searches, share_python
from perfectplay.web.tablebases import open_tablebases

BEAT = 0.5  # seconds between two signs of life
PATIENCE = 1.0  # seconds for searches to end when the server does
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


class RulesServer:
    """The application with one game of somebody's own, asked over pipes."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self.requests, self.answers = requests, answers
        self._writing = Lock()
        self._asked: dict[int, Relayed] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Answer until the pipe closes."""
        self.loop = asyncio.get_running_loop()
        share_arenas()
        share_python()
        given = read_frame(self.requests).data
        try:
            game_class = type(load_game(given["game"]))
            offers = Offers({game_class.__name__: game_class})
            open_tablebases(given["tablebases"], offers)
        except PerfectPlayError as error:
            self.tell(Frame("failed", data=str(error)))
            return
        self.patience = given["patience"]
        self.searches = Searches(given["searches"], interpreted=given["interpreted"])
        proven = ProvenValues(Path(given["remember"]) if given["remember"] else None)
        self.app = make_app(None, offers, self.searches, proven=proven)
        self.ended = asyncio.Event()
        Thread(target=self._listen, name="perfectplay-requests", daemon=True).start()
        self.tell(Frame("ready"))
        while not self.ended.is_set():
            self.tell(Frame("beat", data=self._state()))
            self.app.state.housekeeping.look()
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self.ended.wait()
        await self.searches.close(PATIENCE)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE)

    def tell(self, frame: Frame) -> None:
        """Write a frame; who reads has gone where that fails."""
        try:
            with self._writing:
                self.answers.write(frame.packed())
                self.answers.flush()
        except (OSError, ValueError):
            os._exit(0)

    def _state(self) -> dict[str, Any]:
        gates, turns = self.app.state.gates, self.searches.turns
        return {
            "running": len(turns.working),
            "queued": len(turns.waiting),
            "answering": gates.answering,
            "expected": gates.expected,
            "memory": resident_memory(),
            "stuck": self.searches.are_stuck(self.patience) or gates.are_stuck(self.patience),
        }

    def _listen(self) -> None:
        """Read frames in a thread, since pipes of every system can be read in one."""
        try:
            while True:
                self.loop.call_soon_threadsafe(self._take, read_frame(self.requests))
        except (BrokenPipeOfRulesError, OSError, RuntimeError):
            os._exit(0)

    def _take(self, frame: Frame) -> None:
        if frame.what == "ask":
            self._asked[frame.number] = Relayed(self, frame)
            task = self.loop.create_task(self._asked[frame.number].answered())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda _: self._asked.pop(frame.number, None))
        elif frame.what == "count":
            self.tell(Frame("beat", data=self._state()))
        elif frame.what == "close":
            self.ended.set()
        elif asked := self._asked.get(frame.number):
            if frame.what == "leave":
                asked.gone.set()
            asked.taken.set()


class Relayed:
    """A request that came over the pipe."""

    def __init__(self, server: RulesServer, frame: Frame) -> None:
        self.server, self.frame = server, frame
        self.gone, self.taken = asyncio.Event(), asyncio.Event()
        self.read = False

    async def answered(self) -> None:
        """Have the application answer it."""
        data = self.frame.data
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": data["method"],
            "scheme": "http",
            "path": data["path"],
            "raw_path": data["path"].encode(),
            "query_string": data["query"].encode("latin-1"),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in data["headers"]],
            "client": (data["client"], 0),
            "server": None,
        }
        with suppress(Exception):  # it has been answered with 500, and said, by the application
            await self.server.app(scope, self.receive, self.send)

    async def receive(self) -> dict[str, Any]:
        """The body, and then the end."""
        if not self.read:
            self.read = True
            return {"type": "http.request", "body": self.frame.body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """Pass an answer on, a piece when the one before was taken."""
        number = self.frame.number
        if message["type"] == "http.response.start":
            headers = [(name.decode("latin-1"), text.decode("latin-1")) for name, text in message["headers"]]
            self.server.tell(Frame("start", number, {"status": message["status"], "headers": headers}))
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        for start in range(0, len(body), PIECE) or [0]:
            if self.gone.is_set():
                return  # nobody reads this
            last = start + PIECE >= len(body)
            self.taken.clear()
            self.server.tell(Frame("body", number, more or not last, body[start : start + PIECE]))
            if more or not last:
                await self.taken.wait()


def main() -> None:
    """Serve over the standard streams, which rules do not get to see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells when it is time
    _die_with_parent()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what rules print goes where errors go
    with suppress(BrokenPipeOfRulesError):
        asyncio.run(RulesServer(requests, answers).serve())
    sys.stderr.flush()
    os._exit(0)  # whatever is still at work


def _die_with_parent() -> None:
    """Have Linux end this process with the server, though rules hold Python and the pipe is not read."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    main()
