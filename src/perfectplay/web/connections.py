"""Connections: who says nothing, sends slowly or reads nothing is not waited for."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 15.0  # seconds for a request to arrive with all its headers
MOST = 4096  # connections: when there are more, the ones that do nothing go first


class PatientConnection(H11Protocol):
    """A connection that is closed where no request comes over it in time."""

    waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait; where there are too many, let one go that does nothing."""
        super().connection_made(transport)
        self.waiting = self.loop.call_later(PATIENCE, self._give_up)
        if len(self.connections) > MOST:
            idle = next((each for each in self.connections if _is_idle(each) and each is not self), self)
            idle.transport.close()

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

    def _give_up(self) -> None:
        self.waiting = None
        if _is_idle(self):
            self.transport.close()


def _is_idle(connection: Any) -> bool:
    """Is no request under way there?"""
    return connection.cycle is None or connection.cycle.response_complete
