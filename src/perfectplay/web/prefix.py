"""A prefix: all addresses below one path, where a proxy has other things beside it."""

from __future__ import annotations

import re

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from perfectplay.errors import BadParameterError
from perfectplay.web.replies import json_reply

FORM = re.compile(r"(/[A-Za-z0-9._~-]+)+")


def checked_prefix(text: str) -> str:
    """A prefix as "/games", however it was written; "" for none."""
    prefix = "/" + text.strip("/") if text.strip("/") else ""
    if prefix and (not FORM.fullmatch(prefix) or ".." in prefix):
        raise BadParameterError(
            f"{text!r} cannot be a prefix: give a path of letters, digits and ._~-, as in /games."
        )
    return prefix


class Prefixed:
    """The application below a path; everywhere else there is nothing."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is below the path, without it."""
        if scope["type"] != "http" or not self.prefix:
            await self.app(scope, receive, send)
        elif scope["path"].startswith(f"{self.prefix}/"):
            path = scope["path"][len(self.prefix) :]
            await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send)
        elif scope["path"] == self.prefix:
            await Response(status_code=308, headers={"Location": f"{self.prefix}/"})(scope, receive, send)
        else:
            nothing = {"message": f"there is nothing here: this server is below {self.prefix}/."}
            await json_reply(nothing, 404)(scope, receive, send)
