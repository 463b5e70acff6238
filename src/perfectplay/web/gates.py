"""Gates: what is answered in a thread, so many at once, in a fair turn, and no longer than somebody waits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection
from threading import Event
from time import monotonic
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from perfectplay.web.faults import RefusedError, StoppedError, blamed
from perfectplay.web.searches import CROWDED
from perfectplay.web.turns import Client, Turns

LONGEST_NAME = 64
NAME = "x-client"  # the header in which a page says who it is: any word that others do not have
MOST_WAITING = 2048
QUICK = 4  # answers at once: they share one Python, and more of them would only be later

Check = Callable[[], None]  # raises StoppedError where nobody waits any more
Answer = Callable[[Check], Response]


def client_of(request: Request) -> Client:
    """Who asks."""
    address = request.client.host if request.client else ""
    return Client(address, request.headers.get(NAME, "")[:LONGEST_NAME])


class Gates:
    """One gate for our own games, one for those that somebody brought, and one for what takes longer."""

    def __init__(self, own: Collection[str]) -> None:
        self.own = own
        self.quick, self.brought, self.long = Gate(QUICK), Gate(QUICK), Gate(os.cpu_count() or 1)

    @property
    def all(self) -> tuple[Gate, ...]:
        """Every one."""
        return self.quick, self.brought, self.long

    @property
    def answering(self) -> int:
        """How many answers are being made."""
        return sum(len(gate.turns.working) for gate in self.all)

    @property
    def expected(self) -> int:
        """How many wait for their turn."""
        return sum(len(gate.turns.waiting) for gate in self.all)

    def are_stuck(self, patience: float) -> bool:
        """Is an answer so many seconds overdue, so that only the end of the process ends it?"""
        due = monotonic() - patience
        return any(began < due for gate in self.all for began in gate.began.values())

    def of(self, game: str) -> Gate:
        """The one for questions about the rules of that game."""
        return self.brought if game.partition(":")[0] in self.own else self.quick


class Gate:
    """So many answers are made at once; the others wait, and whoever goes away is not waited for."""

    def __init__(self, places: int, most_waiting: int = MOST_WAITING) -> None:
        self.turns: Turns[asyncio.Future[None]] = Turns(places, most_waiting)
        self.began: dict[asyncio.Future[None], float] = {}  # when those at work did

    async def answered(self, request: Request, answer: Answer) -> Response:
        """The answer, made in a thread when it is its turn."""
        stopped = Event()
        turn = asyncio.get_running_loop().create_future()
        made = asyncio.create_task(self._made(turn, client_of(request), answer, stopped))
        leaving = asyncio.create_task(_left(request))
        await asyncio.wait((made, leaving), return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not made.done():
            stopped.set()
            turn.cancel()
        return await made

    async def _made(
        self, turn: asyncio.Future[None], client: Client, answer: Answer, stopped: Event
    ) -> Response:
        def check() -> None:
            if stopped.is_set():
                raise StoppedError

        def work() -> Response:
            with blamed():
                check()
                return answer(check)

        if gone := self.turns.enter(turn, client):
            gone.set_exception(RefusedError(503, CROWDED))
        try:
            self._advance()
            await turn
            self.began[turn] = monotonic()
            return await run_in_threadpool(work)
        except (StoppedError, asyncio.CancelledError):
            return Response(status_code=408)  # which nobody reads
        finally:
            self.began.pop(turn, None)
            self.turns.leave(turn)
            self._advance()

    def _advance(self) -> None:
        for turn in self.turns.begin():
            if not turn.done():
                turn.set_result(None)


async def _left(request: Request) -> None:
    """Wait until the one who asked has gone."""
    message: dict[str, Any] = {}
    while message.get("type") != "http.disconnect":
        message = dict(await request.receive())
