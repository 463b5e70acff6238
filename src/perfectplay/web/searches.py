"""Searches: so many at once, each in a thread of its own, and the others wait in a turn that is fair."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic
from typing import NamedTuple

from pydantic import BaseModel

from perfectplay.engine import Engine
from perfectplay.errors import PerfectPlayError
from perfectplay.web.faults import RefusedError, StoppedError, blamed
from perfectplay.web.models import LONGEST, Failed, Queued
from perfectplay.web.turns import NOBODY, Client, Turns

MOST_WAITING = 1024
NEWS = 0.2  # seconds between two looks at who has moved up
SWITCH = 0.0005  # seconds that a thread may have Python to itself while others wait for it
LOOK = 0.05  # seconds between two attempts to stop what does not stop at once
STOPPING = "the server is stopping: ask again when it is back."
CROWDED = "the server is crowded, and others have asked for less: try again in a minute or two."

Work = Callable[["Search"], None]  # what a search does, in its thread


class Event(NamedTuple):
    """Something that the one who waits is told."""

    name: str
    text: str  # JSON


class Search:
    """A search that somebody waits for; `work` runs in a thread, all else in the event loop."""

    def __init__(self, work: Work, slow: BoundedSemaphore, seconds: float = LONGEST) -> None:
        self.work = work
        self.seconds = seconds
        self.touch()
        self.slow = slow
        self.ahead = -1  # so many were before it when it was last told
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
        self.touch()
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

    def touch(self, seconds: float | None = None) -> None:
        """There is a sign of life, or a last chance: by when must the next one come?"""
        self.due = monotonic() + (self.seconds if seconds is None else seconds)

    def check(self) -> None:
        """Go on, unless nobody waits any more."""
        self.touch()
        if self.stopped:
            raise StoppedError

    @contextmanager
    def interpreting(self) -> Iterator[None]:
        """Work in Python, which does one thing at a time: as many do that at once as there are processors."""
        while not self.slow.acquire(timeout=LOOK):
            self.check()
        try:
            yield
        finally:
            self.slow.release()


class Searches:
    """The searches of a server: `at_once` of them run, `interpreted` of these in Python; the others wait."""

    def __init__(self, at_once: int, most_waiting: int = MOST_WAITING, interpreted: int = 0) -> None:
        self.turns: Turns[Search] = Turns(at_once, most_waiting)
        self.slow = BoundedSemaphore(interpreted or at_once)
        self.closing = False
        self._endings: set[asyncio.Task[None]] = set()
        self._news: asyncio.TimerHandle | None = None

    @property
    def at_once(self) -> int:
        """How many run at once."""
        return self.turns.places

    @property
    def running(self) -> set[Search]:
        """Those that are at work."""
        return {*self.turns.working}

    @property
    def waiting(self) -> list[Search]:
        """Those that are not yet, in their order."""
        return self.turns.order()

    def are_stuck(self, patience: float) -> bool:
        """Is one of them so many seconds overdue, so that only the end of the process ends it?"""
        return any(search.due + patience < monotonic() for search in self.turns.working)

    def begin(self, work: Work, client: Client = NOBODY, seconds: float = LONGEST) -> Search:
        """A new search of so many seconds, at work or in the queue; RefusedError where that is full."""
        if self.closing:
            raise RefusedError(503, STOPPING)
        search = Search(work, self.slow, seconds)
        if gone := self.turns.enter(search, client):
            _dismiss(gone, CROWDED)
        self._advance()
        if search in self.turns.waiting:
            self._tell_place(search, self.waiting.index(search))
        return search

    def leave(self, search: Search) -> None:
        """Nobody waits for that search any more: it gives up its place."""
        search.stopped = True
        if search in self.turns.waiting:
            self.turns.leave(search)
            self._expect_news(search.loop)
        elif search in self.turns.working:
            search.touch(0)
            ending = search.loop.create_task(_end(search))
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    async def close(self, patience: float) -> bool:
        """Tell everyone that it is over; True if all searches have ended before patience did."""
        self.closing = True
        for search in self.waiting:
            self.turns.leave(search)
            _dismiss(search, STOPPING)
        for search in self.running:
            self.leave(search)
        if self._endings:
            await asyncio.wait(self._endings, timeout=patience)
        return not self.turns.working

    def _advance(self) -> None:
        """Let the next ones begin, as far as there are places."""
        for search in self.turns.begin():
            search.touch()
            Thread(target=self._work, args=(search,), name="perfectplay-search", daemon=True).start()
            self._expect_news(search.loop)

    def _expect_news(self, loop: asyncio.AbstractEventLoop) -> None:
        """Somebody has moved up: those who wait are told soon, all of it at once."""
        if self._news is None and self.turns.waiting:
            self._news = loop.call_later(NEWS, self._announce)

    def _announce(self) -> None:
        self._news = None
        for ahead, search in enumerate(self.waiting):
            self._tell_place(search, ahead)

    def _tell_place(self, search: Search, ahead: int) -> None:
        if search.ahead != ahead:
            search.ahead = ahead
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
        self.turns.leave(search)
        search.end()
        self._advance()


def share_python() -> None:
    """Have threads hand Python over quickly: who answers a request needs it many times, and briefly."""
    sys.setswitchinterval(SWITCH)


def _dismiss(search: Search, message: str) -> None:
    """End a search that has not begun."""
    search.tell("failed", Failed(message=message))
    search.post(search.end)


async def _end(search: Search) -> None:
    """Stop a search: again and again, for an engine forgets a stop when it begins something new."""
    while not search.ended.is_set():
        search.halt()
        try:
            async with asyncio.timeout(LOOK):
                await search.ended.wait()
        except TimeoutError:
            continue
