"""The events of a search as an answer that goes on until the search ends, or the one who asked is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from perfectplay.web.searches import Search

BREATH = 15.0  # seconds of silence after which a comment keeps the line open


class EventStream(StreamingResponse):
    """Server-sent events; `leave` is called with the search as soon as nobody listens any more."""

    media_type = "text/event-stream"

    def __init__(self, search: Search, leave: Callable[[Search], None]) -> None:
        super().__init__(_written(search), headers={"X-Accel-Buffering": "no"})  # nginx keeps streams back
        self.search = search
        self.leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, and listen meanwhile whether the client hangs up."""
        sending = asyncio.create_task(self.stream_response(send))
        listening = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave(self.search)
            sending.cancel()
            listening.cancel()
            await asyncio.wait((sending, listening))
        with suppress(asyncio.CancelledError, OSError):  # an end of the connection is no error of ours
            sending.result()


async def _written(search: Search) -> AsyncIterator[bytes]:
    """The events as they go over the wire."""
    async for event in search.events(BREATH):
        yield (
            b": still here\n\n" if event is None else f"event: {event.name}\ndata: {event.text}\n\n".encode()
        )
        await asyncio.sleep(0)  # between two events that are both there, a lost connection can be noticed
