"""RayExecutor: tasks run by Ray, on this machine or on many.

Ray runs a task again if its worker or its machine is gone, and those before it whose answers went with it.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from logging import ERROR
from typing import Any

from perfectplay.cluster.executor import Ref, Rules
from perfectplay.cluster.parcel import packed
from perfectplay.errors import BadParameterError, ClusterError
from perfectplay.game import Game

LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")
THERE = re.compile(r"((?!local:)[^\s:/]+):([0-9]{1,5})")
PATIENCE = 10.0  # seconds that a machine has to answer


class RayExecutor:
    """The workers of a Ray cluster.

    If this process belongs to a cluster already, it is that one, and stays open afterwards.
    """

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ImportError:
            raise BadParameterError(
                'a cluster needs Ray, which is not here: pip install "perfectplay[cluster]".'
            ) from None
        self.ray = ray
        self.address = address
        self._remote: dict[tuple[Callable[..., Any], int], Any] = {}
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, address)
        if self.workers < 1:
            self.close()
            raise ClusterError(f"the cluster at {address!r} has no processor to work with: add a machine.")

    @property
    def workers(self) -> int:
        """Processors of the cluster, as it is now."""
        return int(self.ray.cluster_resources().get("CPU", 0))

    @property
    def store(self) -> int:
        """Bytes of shared memory of all machines."""
        return int(self.ray.cluster_resources().get("object_store_memory", 1 << 28))

    def close(self) -> None:
        """Leave the cluster; what this process started ends."""
        if self._mine:
            self.ray.shutdown()

    def rules(self, game: Game[Any, Any], start: Any) -> Rules:
        """A game, packed."""
        return packed(game, start)

    def put(self, value: Any) -> Ref:
        """A value in shared memory: each machine gets it once."""
        return self.ray.put(value)

    def run(self, function: Callable[..., Any], *arguments: Any, answers: int = 1) -> list[Ref]:
        """Have a task run."""
        if (function, answers) not in self._remote:
            name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
            remote = self.ray.remote(function).options(num_returns=answers, max_retries=-1, name=name)
            self._remote[function, answers] = remote
        refs = self._remote[function, answers].remote(*arguments)
        return [refs] if answers == 1 else refs

    def get(self, refs: Sequence[Ref]) -> list[Any]:
        """The answers, or the error of a task as it was raised there."""
        errors = self.ray.exceptions
        try:
            answers: list[Any] = self.ray.get(list(refs))
        except errors.RayTaskError as error:
            if isinstance(error.cause, errors.RayError) or "failed to import on the worker" in str(
                error.cause
            ):
                raise self._lost(error.cause) from None
            raise error.cause from None
        except errors.RayError as error:
            raise self._lost(error) from None
        return answers

    def wait(self, refs: Sequence[Ref]) -> None:
        """Wait until the answers are there; they stay where they are."""
        self.ray.wait(list(refs), num_returns=len(refs), fetch_local=False)

    def _lost(self, error: Exception) -> ClusterError:
        """What to say of an error that is none of a task."""
        if "No module named 'perfectplay" in str(error):
            return ClusterError(
                f"the machines of the cluster at {self.address!r} have no perfectplay: install the same "
                "version on all of them."
            )
        told = str(error).strip().splitlines()
        reason = told[0].rstrip(".:") if told else "it says nothing"
        return ClusterError(
            f"the cluster at {self.address!r} failed ({type(error).__name__}: {reason}): mend it and start "
            "again; a build goes on where it stopped."
        )


def _connect(ray: Any, address: str) -> None:
    """Join a cluster, or start one on this machine."""
    local, there = LOCAL.fullmatch(address), THERE.fullmatch(address)
    if not (local or there or address == "auto"):
        raise BadParameterError(
            f"{address!r} is no address of a cluster: give local:N for N workers on this machine, auto, or "
            "HOST:PORT."
        )
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told what is solved here
    handler = signal.getsignal(signal.SIGTERM)
    try:
        if there:
            socket.create_connection((there[1], int(there[2])), PATIENCE).close()  # Ray would try for minutes
        given = {"num_cpus": int(local[1]), "include_dashboard": False} if local else {}
        ray.init(address="local" if local else address, log_to_driver=False, logging_level=ERROR, **given)
    except Exception as error:
        told = [*str(error).strip().splitlines(), "it says nothing"][0].rstrip(".")
        raise ClusterError(
            f"cannot join a cluster at {address!r} ({told}): start one with ray start --head, and give its "
            "address."
        ) from None
    if threading.current_thread() is threading.main_thread() and handler is not None:
        signal.signal(signal.SIGTERM, handler)  # which Ray takes for itself
