"""The front of a server: what every request passes on its way in, and every answer on its way out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from perfectplay.web.access import Access
from perfectplay.web.access_log import Observed, Write
from perfectplay.web.guard import Guard, Hosts
from perfectplay.web.metrics import Board
from perfectplay.web.prefix import Prefixed


@dataclass
class Front:
    """How the server is reached."""

    token: str = ""  # nobody needs one where there is none
    prefix: str = ""
    proxies: tuple[str, ...] = ()  # addresses whose word is taken for who asks, and by which scheme
    write: Write | None = None  # lines of the access log
    board: Board = field(default_factory=Board)

    def before(self, app: ASGIApp, hosts: Hosts) -> ASGIApp:
        """That application behind all of it, from the inside out."""
        if self.token:
            app = Access(app, self.token, self.prefix)
        app = Prefixed(app, self.prefix)
        app = Guard(app, hosts, self.prefix)
        app = Observed(app, self.board, self.write, self.prefix)
        if self.proxies:
            trusting: Any = ProxyHeadersMiddleware(app, [*self.proxies])  # type: ignore[arg-type]
            app = trusting
        return app
