"""The server: a socket, and uvicorn over it."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address
from threading import Timer

import uvicorn

from perfectplay.compiler import preload
from perfectplay.errors import PerfectPlayError
from perfectplay.proven import ProvenValues
from perfectplay.web.app import make_app
from perfectplay.web.connections import PatientConnection, drop_unread
from perfectplay.web.engines import Engines
from perfectplay.web.front import Front
from perfectplay.web.guard import Hosts
from perfectplay.web.heap import share_arenas
from perfectplay.web.offers import Offers
from perfectplay.web.own_games import OwnGames
from perfectplay.web.searches import Searches, share_python

LOOK = 1.0  # seconds between two looks at what nobody reads
PATIENCE = 1.0  # seconds for searches to end when the server does
WARMING = 1.0  # seconds after which what the first question needs is made ready
SEARCHES = 256  # at once, in machine code: the system gives each its share of the processors
FILES = 8192  # that may be open, connections among them
HIGHEST_PORT = 65535
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class AddressError(PerfectPlayError):
    """An address that the server cannot listen on."""


class WebServer(uvicorn.Server):
    """A server that says when it is ready, and ends its searches before it ends itself."""

    def __init__(
        self,
        listener: socket.socket,
        offers: Offers,
        *,
        searches: tuple[int, int] | None = None,  # at once, and of these in Python
        threads: int = 1,  # of a search that is the only one
        hosts: Iterable[str] = (),
        proven: ProvenValues | None = None,
        own: OwnGames | None = None,
        front: Front | None = None,
        ready: Callable[[], None],
    ) -> None:
        host, port = listener.getsockname()[:2]
        self.listener = listener
        everywhere = ip_address(host).is_unspecified
        self.front = front or Front()
        self.ready = ready
        at_once, interpreted = searches or (SEARCHES, os.cpu_count() or 1)
        self.searches = Searches(at_once, interpreted=interpreted)
        self.own = own or OwnGames({})
        _allow_files(FILES)
        share_arenas()
        share_python()
        self.warming = Timer(WARMING, _warm)  # when the first page has been loaded, and nobody has asked yet
        self.ended = False  # and all of its searches
        engines = Engines(threads=threads)
        names = Hosts.of(_names(host), port, more=hosts, any_address=everywhere)
        # Of a process that was ended and waited for in two places, asyncio warns.
        logging.getLogger("asyncio").setLevel(logging.ERROR)
        super().__init__(
            uvicorn.Config(
                make_app(names, offers, self.searches, engines, proven, self.own, self.front),
                http=PatientConnection,
                ws="none",
                loop="asyncio",
                log_config=None,
                log_level="info" if os.environ.get("PERFECTPLAY_DEBUG") else "critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=1,
                backlog=2048,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and then say so."""
        await super().startup(sockets)
        self.ready()
        self.warming.start()
        asyncio.get_running_loop().call_later(WARMING, self.own.begin)
        self.looking = asyncio.create_task(self._look())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the searches, whose streams then end by themselves, and then everything else."""
        self.warming.cancel()
        self.looking.cancel()
        closed = asyncio.create_task(self.own.close())
        self.ended = await self.searches.close(PATIENCE)
        await closed
        await super().shutdown(sockets)

    async def _look(self) -> None:
        """Look at what stays unread and what is free, and put on the board how things stand."""
        loop = asyncio.get_running_loop()
        state = self.config.app.state  # type: ignore[union-attr]
        while True:
            await asyncio.sleep(LOOK)
            connections = [*self.server_state.connections]
            unread = drop_unread(connections, loop.time())
            self.front.board.set(connections=len(connections), unread_bytes=unread)
            state.housekeeping.look()
            await state.counted()

    def serve_until_stopped(self) -> bool:
        """Answer requests until Ctrl-C; True if no search is left that would not end."""
        with suppress(KeyboardInterrupt):  # uvicorn hands it on when it is done
            self.run([self.listener])
        return self.ended


def _allow_files(wanted: int) -> None:
    """Let the process have so many files open, if the system has no objection."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _warm() -> None:
    """Load the compiler, so that the first search need not wait for it."""
    preload()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any free one."""
    if not 0 <= port <= HIGHEST_PORT:
        raise AddressError(f"port {port} cannot be: give one from 0 to {HIGHEST_PORT}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError:
        raise AddressError(f"there is no address {host!r} to listen on: try 127.0.0.1.") from None
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            message = f"port {port} is taken by another program: give another one, or --port 0 for any."
        else:
            message = f"cannot listen on {host}, port {port}: {error.strerror or error}."
        raise AddressError(message) from None
    return listener


def is_loopback(host: str) -> bool:
    """Can nobody but this machine reach that address?"""
    return ip_address(host).is_loopback


def address_of(listener: socket.socket, prefix: str) -> tuple[str, str]:
    """Where browsers find the server: on this machine, and on others, where they can."""
    host, port = listener.getsockname()[:2]
    everywhere = ip_address(host).is_unspecified
    here = _address("127.0.0.1" if everywhere else host, port, prefix)
    if is_loopback(host):
        return here, ""
    return here, _address(socket.gethostname() if everywhere else host, port, prefix)


def _address(host: str, port: int, prefix: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"


def _names(host: str) -> list[str]:
    if is_loopback(host):
        return list(LOOPBACK)
    return [*LOOPBACK, host, socket.gethostname()]
