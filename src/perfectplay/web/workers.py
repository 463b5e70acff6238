"""Workers: several processes that serve from one socket, and one that looks after them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

from perfectplay.web.deployment import Settings, make_server
from perfectplay.web.metrics import Board

PATIENCE = 6.0  # seconds for workers to end by themselves
PAUSE = 1.0  # seconds between two attempts to begin a worker anew

SPAWN = multiprocessing.get_context("spawn")  # the same on every system, and no lock is inherited


class Workers:
    """So many processes; one that falls is begun anew, and all end with this one."""

    def __init__(self, settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
        self.settings, self.listener, self.ready = settings, listener, ready
        self.cells = SPAWN.RawArray("d", Board.size(settings.workers))
        self.living: dict[int, tuple[SpawnProcess, Connection]] = {}
        self.stopping = False

    def serve_until_stopped(self) -> bool:
        """Keep the workers going until Ctrl-C or a signal; True if all ended by themselves."""
        before = {number: signal.signal(number, self._stop) for number in _signals()}
        try:
            for row in range(self.settings.workers):
                self._begin(row)
            for _, line in self.living.values():
                if line.poll(None):
                    self._hear(line)
            if not self.stopping:
                self.ready()
            while not self.stopping:
                self._look_after()
        finally:
            ended = self._end()
            for number, handler in before.items():
                signal.signal(number, handler)
        return ended

    def _begin(self, row: int) -> None:
        here, there = SPAWN.Pipe()
        process = SPAWN.Process(
            target=work, args=(self.settings, self.listener, self.cells, row, there), name=f"worker {row}"
        )
        process.start()
        there.close()
        self.living[row] = process, here

    def _look_after(self) -> None:
        wait([process.sentinel for process, _ in self.living.values()], timeout=0.2)
        for row, (process, line) in [*self.living.items()]:
            if not process.is_alive() and not self.stopping:
                line.close()
                time.sleep(PAUSE)
                self._begin(row)

    def _hear(self, line: Connection) -> None:
        try:
            line.recv()
        except (EOFError, OSError):
            self.stopping = True  # it could not even begin, and has said why

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def _end(self) -> bool:
        processes = [process for process, _ in self.living.values()]
        for process in processes:
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in processes:
            process.join(max(0.0, until - time.monotonic()))
        ended = all(process.exitcode is not None for process in processes)
        for process in processes:
            process.kill()
            process.join()
        return ended


def work(settings: Settings, listener: socket.socket, cells: Any, row: int, line: Connection) -> None:
    """What a worker does."""
    server = make_server(settings, listener, lambda: line.send("ready"), Board(cells, row))
    threading.Thread(target=_end_with, args=(line,), name="perfectplay-parent", daemon=True).start()
    server.serve_until_stopped()
    os._exit(0)  # whatever search is still at work


def _end_with(line: Connection) -> None:
    """End when the one that looks after this process has ended."""
    try:
        line.recv()
    except (EOFError, OSError):
        os._exit(0)


def _signals() -> tuple[signal.Signals, ...]:
    return (signal.SIGINT, signal.SIGTERM)
