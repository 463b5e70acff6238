"""Engines, made when they are first wanted and kept while there is room."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic
from typing import NamedTuple

from perfectplay.engine import Engine
from perfectplay.engine.workspace import PLIES
from perfectplay.games import GAMES
from perfectplay.web.models import Compiling, Started
from perfectplay.web.offers import Offer
from perfectplay.web.searches import Search

TABLE_MB = 32  # for each engine,
CROWD_MB = 4  # or where more than a few are at work
FEW = 8
MOST_THREADS = 4  # of an engine that is alone: beyond these, each adds little
KEPT = 4  # that wait for somebody to ask about their game again,
LONGEST_KEPT = 60.0  # seconds: as long as one thinks about a move, or whether to go on
MOST_COMPILED = 40  # games: a compiled one stays in memory, with some 30 MB, for as long as the server runs
SOON = 0.3  # seconds that nobody minds
DEEP = 4 * PLIES  # frames of Python's stack that an interpreted search may need


class Idle(NamedTuple):
    """An engine that waits for somebody to ask about its game again."""

    name: str
    engine: Engine
    since: float


class Engines:
    """The engines of a server; each works for one search at a time, and few are kept."""

    def __init__(self, kept: int = KEPT, most_compiled: int = MOST_COMPILED, threads: int = 1) -> None:
        self.kept = kept
        self.most_compiled = most_compiled
        self.threads = min(threads, MOST_THREADS)  # of an engine that is made while no other is at work
        self._lock = Lock()
        self._compiling: dict[
            str, Lock
        ] = {}  # one for each game, so that it is compiled once for all who ask
        self._idle: list[Idle] = []  # the last one used is the last
        self._compiled: set[str] = set()
        self._lent = 0  # engines that are at work
        self._interpreted = 0  # of which so many in Python
        self._recursion = 0  # Python's own limit, while there are any

    @contextmanager
    def lent(self, offer: Offer, search: Search, method: str | None = None) -> Iterator[Engine]:
        """An engine for that game, while a search needs it; says when it begins."""
        name = f"{offer.name} by {method}" if method else offer.name
        with self._lock:
            self._lent += 1
        try:
            engine = self._taken(name) or self._made(offer, search, method)
        except BaseException:
            self._given_back()
            raise
        try:
            with self._deep_enough(engine, search):
                search.attend(engine)  # from now on it is stopped with the search
                search.check()
                search.tell("started", Started())
                yield engine
        finally:
            search.attend(None)
            with self._lock:
                self._idle = [*self._idle, Idle(name, engine, monotonic())][-self.kept :]
            self._given_back()

    @contextmanager
    def interpreted(self, offer: Offer, search: Search) -> Iterator[Engine]:
        """An engine that is there at once, for what is not worth a compiler; says when it begins."""
        engine = Engine(offer.game, table_mb=CROWD_MB, compile="never")
        with self._deep_enough(engine, search):
            search.attend(engine)
            try:
                search.check()
                search.tell("started", Started())
                yield engine
            finally:
                search.attend(None)

    def _given_back(self) -> None:
        with self._lock:
            self._lent -= 1

    @property
    def _table_mb(self) -> int:
        return TABLE_MB if self._lent <= FEW else CROWD_MB

    def _threads(self, offer: Offer, method: str | None) -> int:
        """More than one only for rules that are known to return: else whoever asks could not leave them."""
        ours = GAMES.get(offer.name.partition(":")[0]) is type(offer.game)
        return self.threads if ours and method is None and self._lent <= 1 else 1

    def _taken(self, name: str) -> Engine | None:
        """One that is there and free."""
        with self._lock:
            for place in reversed(range(len(self._idle))):
                if self._idle[place].name == name:
                    return self._idle.pop(place).engine
        return None

    def let_go(self, seconds: float = LONGEST_KEPT) -> int:
        """Let those go that nobody has asked for so many seconds; how many?"""
        with self._lock:
            kept = [idle for idle in self._idle if monotonic() - idle.since < seconds]
            gone, self._idle = len(self._idle) - len(kept), kept
        return gone

    def _made(self, offer: Offer, search: Search, method: str | None) -> Engine:
        with self._lock:
            # A game as it is offered is compiled, whatever others asked for.
            usual = self.most_compiled > 0 and ":" not in offer.name
            if len(self._compiled) < self.most_compiled and not usual:
                self._compiled.add(offer.name)
            mode = "auto" if usual or offer.name in self._compiled else "never"
        if mode == "never":
            engine = Engine(offer.game, table_mb=self._table_mb, compile=mode, method=method)
            engine.why_not = f"this server has compiled {self.most_compiled} games, and compiles no more"
            return engine
        message = f"compiling the rules of {offer.name} for this machine, which takes a few seconds once."
        timer = Timer(SOON, search.tell, ("compiling", Compiling(message=message)))
        timer.daemon = True
        timer.start()
        with self._lock:
            alone = self._compiling.setdefault(offer.name, Lock())
        try:
            with alone:
                search.check()
                return Engine(
                    offer.game,
                    table_mb=self._table_mb,
                    threads=self._threads(offer, method),
                    compile="background",
                    method=method,
                )
        finally:
            timer.cancel()
            timer.join()  # so that nobody is told of it after the search has started

    @contextmanager
    def _deep_enough(self, engine: Engine, search: Search) -> Iterator[None]:
        """Room on Python's stack for as long as any interpreted engine is at work.

        Each of them raises the limit and puts it back, and with two of them the first would put it back
        before the second has ended.
        """
        if engine.compiled:
            yield
            return
        if engine.compiling:  # it will be done with Python soon
            with self._raised():
                yield
            return
        with search.interpreting(), self._raised():
            yield

    @contextmanager
    def _raised(self) -> Iterator[None]:
        with self._lock:
            if self._interpreted == 0:
                self._recursion = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._recursion, DEEP))
            self._interpreted += 1
        try:
            yield
        finally:
            with self._lock:
                self._interpreted -= 1
                if self._interpreted == 0:
                    sys.setrecursionlimit(self._recursion)
