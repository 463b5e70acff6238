"""Deployment: from what the operator asks for to a server, in one process or in several."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from perfectplay.errors import BadParameterError
from perfectplay.games import load_game
from perfectplay.proven import ProvenValues
from perfectplay.web.access_log import AccessLog
from perfectplay.web.front import Front
from perfectplay.web.metrics import Board
from perfectplay.web.offers import Offers
from perfectplay.web.own_games import OwnGame, OwnGames
from perfectplay.web.server import SEARCHES, WebServer
from perfectplay.web.tablebases import open_tablebases


@dataclass(frozen=True)
class Settings:
    """What the operator asks for, in words and numbers that any process can be given."""

    own: dict[str, str] = field(default_factory=dict)  # files of games, by the names of their classes
    tablebases: tuple[str, ...] = ()
    searches: int | None = None  # at once, of all workers together
    workers: int = 1
    hosts: tuple[str, ...] = ()
    remember: Path | None = None
    token: str = ""
    prefix: str = ""
    proxies: tuple[str, ...] = ()
    access_log: str | None = None

    @property
    def searches_each(self) -> tuple[int, int]:
        """How many searches a worker does at once, and how many of them in Python."""
        in_all = self.searches or SEARCHES
        in_python = self.searches or _processors()
        return max(1, in_all // self.workers), max(1, in_python // self.workers)

    @property
    def threads_each(self) -> int:
        """In how many threads a search is done that is a worker's only one."""
        return max(1, min(_processors(), self.searches or SEARCHES) // self.workers)


def make_server(
    settings: Settings, listener: socket.socket, ready: Callable[[], None], board: Board | None = None
) -> WebServer:
    """A server as the settings have it, which says when it is ready."""
    classes = {title: type(load_game(file)) for title, file in settings.own.items()}
    offers = Offers(classes, apart=True)
    open_tablebases(settings.tablebases, offers)
    at_once, interpreted = settings.searches_each
    processes = {
        title: OwnGame(
            file,
            tuple(
                str(table.directory)
                for name, table in offers.tablebases.items()
                if name.partition(":")[0] == title
            ),
            at_once,
            interpreted,
            settings.remember,
        )
        for title, file in settings.own.items()
    }
    front = Front(
        settings.token,
        settings.prefix,
        settings.proxies,
        None if settings.access_log is None else AccessLog(settings.access_log),
        Board() if board is None else board,
    )
    return WebServer(
        listener,
        offers,
        searches=(at_once, interpreted),
        threads=settings.threads_each,
        hosts=settings.hosts,
        proven=ProvenValues(settings.remember),
        own=OwnGames(processes),
        front=front,
        ready=ready,
    )


def _processors() -> int:
    return os.cpu_count() or 1


def checked_proxies(addresses: list[str]) -> tuple[str, ...]:
    """Addresses or networks of proxies, if they are any."""
    for address in addresses:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise BadParameterError(
                f"{address!r} is no address of a proxy: give one as 127.0.0.1, or a network as 10.0.0.0/8."
            ) from None
    return tuple(addresses)
