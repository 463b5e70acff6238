"""The access log: a line for every request, and a number on the board."""

from __future__ import annotations

import sys
from collections.abc import Callable
from logging import StreamHandler, makeLogRecord
from logging.handlers import WatchedFileHandler
from time import localtime, perf_counter, strftime
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perfectplay.errors import UnwritableError
from perfectplay.web.metrics import Board

LONGEST = 200  # letters of a path in a line

Write = Callable[[str], None]


class AccessLog:
    """A file of lines, which others may move away meanwhile; "-" is standard error."""

    def __init__(self, place: str) -> None:
        try:
            self.handler: StreamHandler[Any] = (
                StreamHandler(sys.stderr) if place == "-" else WatchedFileHandler(place, encoding="utf-8")
            )
        except OSError as error:
            raise UnwritableError(f"cannot write {place!r}: {error.strerror}; give another place.") from None

    def __call__(self, line: str) -> None:
        """Write a line."""
        self.handler.emit(makeLogRecord({"msg": line}))

    def close(self) -> None:
        """Close the file."""
        self.handler.close()


class Observed:
    """The application, and what it answered."""

    def __init__(self, app: ASGIApp, board: Board, write: Write | None = None, prefix: str = "") -> None:
        self.app, self.board, self.write, self.prefix = app, board, write, prefix
        self.under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note what became of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = perf_counter()
        status = sent = 0

        async def counted(message: Message) -> None:
            nonlocal status, sent
            await send(message)
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                sent += len(message.get("body", b""))

        self.under_way += 1
        self.board.set(requests_under_way=self.under_way)
        try:
            await self.app(scope, receive, counted)
        finally:
            self.under_way -= 1
            seconds = perf_counter() - began
            self.board.set(requests_under_way=self.under_way)
            self.board.answered(scope["path"].removeprefix(self.prefix), status, seconds, sent)
            if self.write:
                self.write(line(scope, status, sent, seconds))


def line(scope: Scope, status: int, sent: int, seconds: float) -> str:
    """A request in the common log format, and the seconds it took; no query, which may hold a token."""
    client = scope["client"][0] if scope.get("client") else "-"
    when = strftime("%d/%b/%Y:%H:%M:%S %z", localtime())
    method, path = quote(scope["method"]), quote(scope["path"], safe="/:=,+~")[:LONGEST]
    version = scope.get("http_version", "1.1")
    asked = f"{method} {path} HTTP/{version}"
    return f'{quote(client, safe=":.%")} - - [{when}] "{asked}" {status} {sent} {seconds:.3f}'
