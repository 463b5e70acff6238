"""Traps: why machine code stopped, and the line where. Python then answers for itself.

A status is a code, with the line of the source in its upper bits. The codes of Python's own exceptions
can be caught by rules; a limit of machine code cannot, since Python knows no such limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

EXCEPTIONS: list[type[BaseException]] = [
    IndexError,
    KeyError,
    ValueError,
    ZeroDivisionError,
    TypeError,
    AssertionError,
    StopIteration,
    AttributeError,
    UnboundLocalError,
    NameError,
    RuntimeError,
    NotImplementedError,
    LookupError,
    ArithmeticError,
    OverflowError,
    Exception,
]
FIRST_LIMIT = 100
OVERFLOW, MEMORY, STACK, STOPPED, UNSEEN, CAPACITY, OTHER, UNDECIDED, ASKING, UNKEPT = range(
    FIRST_LIMIT, FIRST_LIMIT + 10
)
LIMITS = {
    OVERFLOW: "a number needs more than 64 bits",
    MEMORY: "one question takes more memory than there is",
    STACK: "a function calls itself too deeply",
    STOPPED: "it was stopped",
    UNSEEN: "a value is of a kind that play has not shown",
    CAPACITY: "something is longer than play has shown",
    OTHER: "an exception of the rules' own",
    UNDECIDED: "only Python can say what this gives",
    ASKING: "Python was asked, and does not know either",
    UNKEPT: "a cached function calls itself more often than its answers can be kept",
}

REMEDIES = {
    OVERFLOW: "keep numbers below 2**63: number % (2**61 - 1), say, where only its digits matter",
    MEMORY: "build less in one call of a rule",
    STACK: "use a loop, or call less deeply",
    UNKEPT: "have it take and give numbers, or tuples of a few",
}


def code_of(exception: type[BaseException]) -> int:
    """The code of an exception that rules raise."""
    return 1 + EXCEPTIONS.index(exception) if exception in EXCEPTIONS else OTHER


def caught_by(handler: type[BaseException]) -> list[int]:
    """The codes of the exceptions that a handler catches."""
    return [1 + place for place, kind in enumerate(EXCEPTIONS) if issubclass(kind, handler)]


def status(code: int, line: int) -> int:
    """A code and a line in one number."""
    return code | (line & 0x3FFFFF) << 8


def code_in(status: int) -> int:
    """The code of a status."""
    return status & 0xFF


def line_in(status: int) -> int:
    """The line of a status."""
    return status >> 8


def said(status: int) -> str:
    """What happened, in words."""
    code = code_in(status)
    if code in LIMITS:
        return LIMITS[code]
    return EXCEPTIONS[code - 1].__name__ if code <= len(EXCEPTIONS) else "an exception of the rules' own"


class Trap(Exception):  # noqa: N818 - not an error: Python answers instead
    """Machine code stopped, and says why: the status, and the states on the way there, as far as known."""

    def __init__(self, status: int, path: Sequence[Any] = ()) -> None:
        super().__init__(f"{said(status)} (line {line_in(status)})")
        self.status = status
        self.path = path
        self.state = path[-1] if path else None

    @property
    def kind(self) -> type[BaseException] | None:
        """What Python would raise, if it would: its own kind, or Exception for one of the rules' own."""
        code = code_in(self.status)
        if code < FIRST_LIMIT:
            return EXCEPTIONS[code - 1] if code <= len(EXCEPTIONS) else Exception
        return Exception if code == OTHER else None

    @property
    def is_stop(self) -> bool:
        """Did somebody ask for it?"""
        return code_in(self.status) == STOPPED


class Misfit(Exception):  # noqa: N818 - it says that a shape is to be widened
    """A value that a shape does not hold."""
