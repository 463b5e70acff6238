"""Searches: so many at once, each in a thread of its own, and the others wait in their turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from threading import Lock, Thread
from typing import NamedTuple

from pydantic import BaseModel

from perfectplay.engine import Engine
from perfectplay.errors import PerfectPlayError
from perfectplay.web.faults import RefusedError, StoppedError, blamed
from perfectplay.web.models import Failed, Queued

MOST_WAITING = 256
LOOK = 0.05  # seconds between two attempts to stop what does not stop at once
STOPPING = "the server is stopping: ask again when it is back."

Work = Callable[["Search"], None]  # what a search does, in its thread


class Event(NamedTuple):
    """Something that the one who waits is told."""

    name: str
    text: str  # JSON


class Search:
    """A search that somebody waits for; `work` runs in a thread, all else in the event loop."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.inbox: asyncio.Queue[Event | None] = asyncio.Queue()
        self._engine: Engine | None = None  # that is at work for it
        self._lock = Lock()
        self.stopped = False  # because nobody waits any more, or the server ends
        self.ended = asyncio.Event()

    async def events(self, breath: float | None = None) -> AsyncIterator[Event | None]:
        """What the search tells, until its end, and None after every so many seconds without news."""
        while True:
            try:
                async with asyncio.timeout(breath):
                    event = await self.inbox.get()
            except TimeoutError:
                yield None
                continue
            if event is None:
                return
            yield event

    def tell(self, name: str, data: BaseModel) -> None:
        """Tell something, from whatever thread."""
        self.tell_text(name, data.model_dump_json())

    def tell_text(self, name: str, text: str) -> None:
        """The same with JSON that is written already."""
        self.post(lambda: self.inbox.put_nowait(Event(name, text)))

    def post(self, what: Callable[[], None]) -> None:
        """Do something in the event loop, if it still turns."""
        try:
            self.loop.call_soon_threadsafe(what)
        except RuntimeError:  # it does not: the server has ended
            self.stopped = True

    def end(self) -> None:
        """There is no more to tell."""
        self.ended.set()
        self.inbox.put_nowait(None)

    def attend(self, engine: Engine | None) -> None:
        """That engine is at work for the search from now on, or none is any more."""
        with self._lock:
            self._engine = engine

    def halt(self) -> None:
        """Stop the engine that is at work for the search, and none that works for another one by now."""
        with self._lock:
            if self._engine is not None:
                self._engine.stop()

    def check(self) -> None:
        """Go on, unless nobody waits any more."""
        if self.stopped:
            raise StoppedError


class Searches:
    """The searches of a server: `at_once` of them run, the others wait, first come, first served."""

    def __init__(self, at_once: int, most_waiting: int = MOST_WAITING) -> None:
        self.at_once = at_once
        self.most_waiting = most_waiting
        self.running: set[Search] = set()
        self.waiting: deque[Search] = deque()
        self.closing = False
        self._endings: set[asyncio.Task[None]] = set()

    def begin(self, work: Work) -> Search:
        """A new search, at work or in the queue; RefusedError where that is full."""
        if self.closing:
            raise RefusedError(503, STOPPING)
        if len(self.waiting) >= self.most_waiting:
            raise RefusedError(
                503, f"{len(self.waiting)} searches are waiting already: try again in a minute or two."
            )
        search = Search(work)
        self.waiting.append(search)
        self._advance()
        if search in self.waiting:
            search.tell("queued", Queued(ahead=len(self.waiting) - 1))
        return search

    def leave(self, search: Search) -> None:
        """Nobody waits for that search any more: it gives up its place."""
        search.stopped = True
        if search in self.waiting:
            place = self.waiting.index(search)
            self.waiting.remove(search)
            self._announce(place)
        elif search in self.running:
            ending = search.loop.create_task(_end(search))
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    async def close(self, patience: float) -> bool:
        """Tell everyone that it is over; True if all searches have ended before patience did."""
        self.closing = True
        for search in self.waiting:
            search.tell("failed", Failed(message=STOPPING))
            search.post(search.end)
        self.waiting.clear()
        for search in list(self.running):
            self.leave(search)
        if self._endings:
            await asyncio.wait(self._endings, timeout=patience)
        return not self.running

    def _advance(self) -> None:
        """Let the next ones begin, as far as there are places."""
        started = 0
        while self.waiting and len(self.running) < self.at_once:
            search = self.waiting.popleft()
            self.running.add(search)
            Thread(target=self._work, args=(search,), name="perfectplay-search", daemon=True).start()
            started += 1
        if started:
            self._announce(0)

    def _announce(self, first: int) -> None:
        """Tell those who wait, from that place on, how many are before them now."""
        for ahead, search in enumerate(self.waiting):
            if ahead >= first:
                search.tell("queued", Queued(ahead=ahead))

    def _work(self, search: Search) -> None:
        """What the thread of a search does."""
        try:
            with blamed():
                search.work(search)
        except StoppedError:
            search.tell("failed", Failed(message=STOPPING))
        except PerfectPlayError as error:
            search.tell("failed", Failed(message=str(error)))
        finally:
            search.post(lambda: self._finish(search))

    def _finish(self, search: Search) -> None:
        self.running.discard(search)
        search.end()
        self._advance()


async def _end(search: Search) -> None:
    """Stop a search: again and again, for an engine forgets a stop when it begins something new."""
    while not search.ended.is_set():
        search.halt()
        try:
            async with asyncio.timeout(LOOK):
                await search.ended.wait()
        except TimeoutError:
            continue
