"""Games of one's own, each in a process that can be ended: rules that never return take nobody's place."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perfectplay.web.faults import RefusedError
from perfectplay.web.frames import BrokenPipeOfRulesError, Frame, receive_frame
from perfectplay.web.models import Failed
from perfectplay.web.replies import json_reply
from perfectplay.web.searches import CROWDED, STOPPING

MOST_PROCESSES = 8
MOST_ASKED = 1024  # requests of one game at once
STARTING = 60.0  # seconds for a process to begin
LOOK = 1.0  # seconds between two looks at all of them
SILENT = 12  # looks without a sign of life
MOST_MEMORY = 3 << 30  # bytes of one process
PATIENCE = 3.0  # seconds for processes to end when the server does
COUNTING = 0.5  # seconds to ask them how busy they are
COMMAND = (sys.executable, "-P", "-m", "perfectplay.web.rules_process")
COUNTS = ("running", "queued", "answering", "expected", "memory")
UNRETURNED = (
    "the rules of {} did not return, and were ended with all that was asked of them: ask again, "
    "or see what perfectplay check says."
)
TOO_LARGE = "the rules of {} took more than {} GB of memory, and were ended: try a smaller board."
FELL = "the process that runs the rules of {} has ended: ask again."


class OwnGame(NamedTuple):
    """What a process must know of a game."""

    file: str  # as in "my_game.py:MyGame"
    tablebases: tuple[str, ...] = ()
    searches: int = 1
    interpreted: int = 1
    remember: Path | None = None
    patience: float = 20.0  # seconds beyond what was asked for, after which rules will never return


class RulesProcess:
    """A process with the rules of one game, asked over a pipe."""

    def __init__(self, name: str, game: OwnGame) -> None:
        self.name, self.game = name, game
        self.asked: dict[int, asyncio.Queue[Frame]] = {}
        self.numbers = count(1)
        self.silent = 0  # looks since the last sign of life
        self.state: dict[str, Any] = {}
        self.counted = asyncio.Event()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended = ""  # why
        self._process: asyncio.subprocess.Process | None = None
        self._living = asyncio.create_task(self._live())

    @property
    def idle(self) -> bool:
        """Does nobody ask?"""
        return not self.asked and self.ready.done()

    async def answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Have it answer a request, until somebody has gone: who asked, or the process."""
        if len(self.asked) >= MOST_ASKED:
            raise RefusedError(503, CROWDED)
        number, frames = next(self.numbers), asyncio.Queue[Frame]()
        self.asked[number] = frames
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait((self.ready, leaving), **FIRST)
            if not leaving.done():
                self._tell(Frame("ask", number, _described(scope), body))
                await self._relay(number, frames, leaving, send)
        finally:
            del self.asked[number]
            leaving.cancel()
            self._tell(Frame("leave", number))

    async def _relay(
        self, number: int, frames: asyncio.Queue[Frame], leaving: asyncio.Task[None], send: Send
    ) -> None:
        """Pass on what comes, until its end; where the process ends first, say so."""
        begun: Message | None = None
        while not leaving.done():
            if self.ended and frames.empty():
                await _fail(self.ended, begun, send)
                return
            taking = asyncio.create_task(frames.get())
            await asyncio.wait((taking, leaving), **FIRST)
            if not taking.done():
                taking.cancel()
                return
            what, _, data, body = taking.result()
            if what == "start":
                begun = _start(data)
                await send(begun)
            elif what == "body":
                await send({"type": "http.response.body", "body": body, "more_body": data})
                if not data:
                    return
                self._tell(Frame("more", number))

    async def count(self) -> dict[str, int]:
        """How busy it is."""
        self.counted.clear()
        self._tell(Frame("count"))
        with suppress(TimeoutError):
            async with asyncio.timeout(COUNTING):
                await self.counted.wait()
        return {each: int(self.state.get(each, 0)) for each in COUNTS}

    def look(self) -> None:
        """End the process where its rules do not return, or take too much."""
        if not self.ready.done():
            return
        self.silent += 1
        if self.silent > SILENT or self.state.get("stuck"):
            self.end(UNRETURNED.format(self.name))
        elif self.state.get("memory", 0) > MOST_MEMORY:
            self.end(TOO_LARGE.format(self.name, MOST_MEMORY >> 30))

    def end(self, sentence: str) -> None:
        """Kill the process, and tell all who wait for it why."""
        self.ended = self.ended or sentence
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        if not self.ready.done():
            self.ready.set_result(None)
        for frames in self.asked.values():
            frames.put_nowait(Frame("ended"))

    async def close(self) -> None:
        """Let it end its searches, and then itself; kill it where it does not."""
        self._tell(Frame("close"))
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._living)
        self.end(STOPPING)
        await self._living

    async def _live(self) -> None:
        """Start the process, and take what it says, until it ends."""
        sentence = FELL.format(self.name)
        try:
            pipes = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipes, stdout=pipes)
            given = self.game._replace(remember=str(self.game.remember or ""))  # type: ignore[arg-type]
            self._tell(Frame("begin", data=given._asdict() | {"game": self.game.file}))
            async with asyncio.timeout(STARTING) as starting:
                while not self.ended:
                    assert self._process.stdout is not None
                    frame = await receive_frame(self._process.stdout.readexactly)
                    if frame.what == "ready" and not self.ready.done():
                        starting.reschedule(None)
                        self.ready.set_result(None)
                    elif frame.what == "failed":
                        sentence = str(frame.data)
                    self._take(frame)
        except TimeoutError:
            sentence = UNRETURNED.format(self.name)
        except (BrokenPipeOfRulesError, OSError):
            pass
        finally:
            self.end(sentence)
            if self._process:
                await self._process.wait()

    def _take(self, frame: Frame) -> None:
        self.silent = 0
        if frame.what == "beat":
            self.state = frame.data
            self.counted.set()
        elif frames := self.asked.get(frame.number):
            frames.put_nowait(frame)

    def _tell(self, frame: Frame) -> None:
        if self._process and self._process.stdin and not self.ended:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(frame.packed())


class OwnGames:
    """The processes of all games that are somebody's own; what is about others goes to the application."""

    def __init__(self, games: Mapping[str, OwnGame]) -> None:
        self.games = games
        self.processes: dict[str, RulesProcess] = {}  # the last one asked is the last
        self.started = 0
        self.ended = 0  # because their rules did not return, or took too much
        self.closing = False
        self._watch: asyncio.TimerHandle | None = None
        self.app: ASGIApp | None = None

    def before(self, app: ASGIApp) -> OwnGames:
        """Ask these first, and then that application."""
        self.app = app
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is about one of these games."""
        assert self.app is not None
        if scope["type"] != "http" or not self.games:
            await self.app(scope, receive, send)
            return
        message = await receive()
        body = message.get("body", b"")  # the guard has read all of it
        name = _asked_about(scope, body)
        if name not in self.games:
            await self.app(scope, _again(message, receive), send)
            return
        try:
            await self._process(name).answer(scope, body, receive, send)
        except RefusedError as error:
            await json_reply({"message": str(error)}, error.status)(scope, receive, send)

    def begin(self) -> None:
        """Start the processes of the first games, before anybody asks."""
        for name in [] if self.closing else [*self.games][:MOST_PROCESSES]:
            self._process(name)

    async def counts(self) -> dict[str, int]:
        """How busy all of them are together."""
        running = [each for each in self.processes.values() if not each.ended]
        each = await asyncio.gather(*(process.count() for process in running))
        return {what: sum(counts[what] for counts in each) for what in COUNTS} | {"processes": len(running)}

    async def close(self) -> None:
        """End all of them."""
        self.closing = True
        if self._watch:
            self._watch.cancel()
        await asyncio.gather(*(process.close() for process in self.processes.values()))

    def _process(self, name: str) -> RulesProcess:
        """The process of that game, which may be new."""
        if self.closing:
            raise RefusedError(503, STOPPING)
        process = self.processes.pop(name, None)
        if process is None or process.ended:
            self._make_room()
            process = RulesProcess(name, self.games[name])
            self.started += 1
        self.processes[name] = process
        if self._watch is None:
            self._watch = asyncio.get_running_loop().call_later(LOOK, self._look)
        return process

    def _make_room(self) -> None:
        living = {name: each for name, each in self.processes.items() if not each.ended}
        if len(living) >= MOST_PROCESSES:
            idle = next((name for name, each in living.items() if each.idle), None)
            if idle is None:
                raise RefusedError(503, CROWDED)
            self.processes.pop(idle).end(STOPPING)

    def _look(self) -> None:
        for process in self.processes.values():
            if not process.ended:
                process.look()
                self.ended += bool(process.ended)
        self._watch = asyncio.get_running_loop().call_later(LOOK, self._look)


FIRST: dict[str, Any] = {"return_when": asyncio.FIRST_COMPLETED}


def _asked_about(scope: Scope, body: bytes) -> str:
    """The name of the game that a request is about, as the application would read it, or nothing."""
    game: Any = ""
    if body:
        with suppress(ValueError, RecursionError):
            question = json.loads(body)
            game = question.get("game") if isinstance(question, dict) else ""
    else:
        with suppress(ValueError):
            asked = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=600)
            game = asked.get("game", [""])[-1]
    return game.partition(":")[0] if isinstance(game, str) else ""


def _described(scope: Scope) -> dict[str, Any]:
    """A request as it goes over the pipe."""
    return {
        "method": scope["method"],
        "path": scope["path"],
        "query": scope["query_string"].decode("latin-1"),
        "headers": [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in scope["headers"]
            if name in (b"content-type", b"x-client")
        ],
        "client": scope["client"][0] if scope.get("client") else "",
    }


def _start(data: Any) -> Message:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in data["headers"]]
    return {"type": "http.response.start", "status": int(data["status"]), "headers": headers}


async def _fail(sentence: str, begun: Message | None, send: Send) -> None:
    """Say why there is no answer: as an event where a stream has begun; half a page stays half a page."""
    if begun is None:
        text, kind, status = json.dumps({"message": sentence}).encode(), b"application/json", 503
        headers = [(b"content-type", kind), (b"content-length", str(len(text)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
    elif not any(value.startswith(b"text/event-stream") for _, value in begun["headers"]):
        return
    else:
        text = f"event: failed\ndata: {Failed(message=sentence).model_dump_json()}\n\n".encode()
    await send({"type": "http.response.body", "body": text, "more_body": False})


def _again(message: Message, receive: Receive) -> Receive:
    """The message that was read, and then whatever comes."""
    given = False

    async def read() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return message

    return read


async def _left(receive: Receive) -> None:
    """Wait until the one who asked has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
