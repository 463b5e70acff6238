"""Frames: what a server and a process of rules tell each other over a pipe, a head in JSON and a body each.

No object of Python travels, so that neither side can make the other run anything.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO, NamedTuple

LENGTHS = struct.Struct("<II")  # of the head, and of the body
LARGEST = 1 << 20  # bytes of either
PIECE = 1 << 16  # bytes of an answer that travel at a time


class Frame(NamedTuple):
    """One message; `what` is its kind, and `number` the request that it is about."""

    what: str
    number: int = 0
    data: Any = None
    body: bytes = b""

    def packed(self) -> bytes:
        """The message as bytes."""
        head = json.dumps([self.what, self.number, self.data], separators=(",", ":")).encode()
        return LENGTHS.pack(len(head), len(self.body)) + head + self.body


class BrokenPipeOfRulesError(Exception):
    """The other side has ended, or says what is no frame."""


def read_frame(file: BinaryIO) -> Frame:
    """The next frame, waited for."""
    lengths = _lengths(file.read(LENGTHS.size))
    return _frame(file.read(lengths[0]), file.read(lengths[1]), lengths)


async def receive_frame(read: Callable[[int], Awaitable[bytes]]) -> Frame:
    """The next frame of a stream in the event loop."""
    try:
        lengths = _lengths(await read(LENGTHS.size))
        return _frame(await read(lengths[0]), await read(lengths[1]), lengths)
    except (EOFError, OSError):
        raise BrokenPipeOfRulesError from None


def _lengths(data: bytes) -> tuple[int, int]:
    if len(data) < LENGTHS.size:
        raise BrokenPipeOfRulesError
    head, body = LENGTHS.unpack(data)
    if max(head, body) > LARGEST:
        raise BrokenPipeOfRulesError
    return head, body


def _frame(head: bytes, body: bytes, lengths: tuple[int, int]) -> Frame:
    if (len(head), len(body)) != lengths:
        raise BrokenPipeOfRulesError
    try:
        what, number, data = json.loads(head)
        return Frame(str(what), int(number), data, body)
    except (TypeError, ValueError, RecursionError):
        raise BrokenPipeOfRulesError from None
