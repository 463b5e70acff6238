"""What a request must be before anything of it is read, and what every answer says to the browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 64 * 1024  # bytes
PATIENCE = 10.0  # seconds for a body to arrive
STALLED = 60.0  # seconds for a client to read what was sent
MOST_REQUESTS = 4000  # under way at once

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Hosts(NamedTuple):
    """The names by which a browser may call the server.

    A page from elsewhere can make its own name lead to this machine (DNS rebinding), and the browser then
    takes the server for that page's own. But it says the name it was given, and that name is none of these.
    """

    named: frozenset[str]  # "localhost:8765"
    port: int | None = None
    any_address: bool = False  # any IP address with the port: an address is no name that could be rebound

    @classmethod
    def of(
        cls, names: Iterable[str], port: int, *, more: Iterable[str] = (), any_address: bool = False
    ) -> Hosts:
        """These names with the port of the server; `more` of them also without one, or with their own."""
        named = {_with_port(name, port) for name in names}
        for name in map(str.lower, more):
            named |= {name, _with_port(name, port)}
        if port == 80:
            named |= {_bracketed(name.lower()) for name in names}
        return cls(frozenset(named), port, any_address)

    def include(self, host: str) -> bool:
        """Is that one of them?"""
        host = host.lower()
        if host in self.named:
            return True
        address, _, port = host.rpartition(":")
        return self.any_address and port == str(self.port) and _is_address(address.strip("[]"))


class Guard:
    """Refuses what no page of ours sends: other hosts, other origins, other types, and large bodies."""

    def __init__(self, app: ASGIApp, hosts: Hosts, prefix: str = "") -> None:
        self.app = app
        self.hosts = hosts
        self.page = f"{prefix}/"
        self.requests = 0  # under way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            async with asyncio.timeout(STALLED):  # and what it has not read by then, it never will
                await send(message)

        self.requests += 1
        try:
            with suppress(TimeoutError):
                await self._pass_on(scope, receive, send_guarded)
        finally:
            self.requests -= 1

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        body = b""
        if refusal is None:
            refusal, body = await _read(scope, receive)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        await self.app(scope, _again(body, receive), send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that is not let in."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self.hosts.include(host):
            return 421, (
                f"this server does not answer to the name {host!r}: use the address that it printed, "
                "or start it with --allow-host NAME."
            )
        for origin in headers.getlist("origin"):
            if origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
                return 403, f"a page of {origin!r} may not use this server: open the address that it printed."
        elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")  # as another port is
        followed = scope["path"] == self.page and headers.get("sec-fetch-dest") == "document"
        if elsewhere and not followed:  # a link may lead to the page, and to nothing that computes
            return 403, "a page from elsewhere may not use this server: open the address that it printed."
        if self.requests > MOST_REQUESTS:
            return 503, "more people are here than this server can serve: try again in a minute or two."
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind != "application/json":
            return 415, f"the content type {kind!r} cannot be: send application/json."
        return None


async def _read(scope: Scope, receive: Receive) -> tuple[tuple[int, str] | None, bytes]:
    """The body, or why not: it is counted as it comes, for a length can be missing or a lie."""
    too_large = 413, f"the body is larger than {LARGEST_BODY // 1024} KB: send less."
    length = Headers(scope=scope).get("content-length", "0")
    if length.isdecimal() and int(length) > LARGEST_BODY:
        return too_large, b""
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > LARGEST_BODY:
                    return too_large, b""
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return None, bytes(body)
    except TimeoutError:
        return (408, f"the body did not arrive within {PATIENCE:g} seconds: send it again."), b""


def _again(body: bytes, receive: Receive) -> Receive:
    """A channel that gives the body that was read, and then whatever comes."""
    given = False

    async def read() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return read


async def _refuse(send: Send, status: int, message: str) -> None:
    text = json.dumps({"message": message}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),  # what is left of the request is not read
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})


def _with_port(name: str, port: int) -> str:
    return f"{_bracketed(name.lower())}:{port}"


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name and _is_address(name) else name


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
