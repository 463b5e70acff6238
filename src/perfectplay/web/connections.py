"""Connections: who says nothing, sends slowly or reads nothing is not waited for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from perfectplay.web.guard import HEADERS

PATIENCE = 15.0  # seconds for a request to arrive with all its headers
STALLED = 60.0  # seconds in which something of an answer must be read
MOST = 4096  # connections: when there are more, the ones that do nothing go first
MOST_UNREAD = 64 << 20  # bytes of answers that nobody has read: when there are more, the largest go first


class PatientConnection(H11Protocol):
    """A connection that is closed where no request comes over it in time."""

    waiting: asyncio.TimerHandle | None = None
    unread = 0  # bytes, when somebody last looked
    read_at = 0.0  # when there were fewer than before

    def connection_made(self, transport: Any) -> None:
        """Begin to wait; where there are too many, let one go that does nothing."""
        super().connection_made(transport)
        self.waiting = self.loop.call_later(PATIENCE, self._give_up)
        if len(self.connections) > MOST:
            idle = next((each for each in self.connections if _is_idle(each) and each is not self), self)
            idle.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on; a request that has begun is looked after by the guard."""
        super().data_received(data)
        if self.waiting and not _is_idle(self):
            self.waiting.cancel()
            self.waiting = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        if self.waiting:
            self.waiting.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """The next request may be as slow as the first, but no slower."""
        if self.waiting:
            self.waiting.cancel()
        self.waiting = self.loop.call_later(PATIENCE, self._give_up)
        super().on_response_complete()  # which may begin the next one

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, with the headers of every answer."""
        text = json.dumps({"message": "this is no request of HTTP/1.1: send one."})
        about = {"Content-Type": "application/json", "Content-Length": str(len(text)), "Connection": "close"}
        head = [f"{name}: {value}" for name, value in (about | HEADERS).items()]
        if _is_idle(self):  # and no answer is half sent
            self.transport.write("\r\n".join(["HTTP/1.1 400 Bad Request", *head, "", text]).encode())
        self.transport.close()

    def _give_up(self) -> None:
        self.waiting = None
        if _is_idle(self) and not self.transport.get_write_buffer_size():
            self.transport.close()


def drop_unread(connections: Iterable[Any], now: float) -> int:
    """Drop those who do not read, and the largest while there is too much in all; how many bytes are left."""
    waiting = []
    for each in connections:
        if not isinstance(each, PatientConnection):
            continue
        size = each.transport.get_write_buffer_size()
        if size < each.unread or not each.unread:
            each.read_at = now
        each.unread = size
        if size and now - each.read_at > STALLED:
            _drop(each)
        elif size:
            waiting.append(each)
    total = sum(each.unread for each in waiting)
    for each in sorted(waiting, key=lambda each: -each.unread):
        if total <= MOST_UNREAD:
            break
        total -= each.unread
        _drop(each)
    return total


def _drop(connection: PatientConnection) -> None:
    """Close a connection without what is still to be sent: closing alone would wait for it for ever."""
    connection.unread = 0
    connection.transport.abort()


def _is_idle(connection: Any) -> bool:
    """Is no request under way there?"""
    cycle: RequestResponseCycle | None = connection.cycle
    return cycle is None or cycle.response_complete
