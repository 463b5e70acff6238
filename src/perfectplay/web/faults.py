"""What is wrong with a request, or with a game, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from perfectplay.blame import fault_of_game, told
from perfectplay.errors import BrokenGameError, PerfectPlayError
from perfectplay.watchdog import Unreturned


class RefusedError(PerfectPlayError):
    """A request that is not granted, with the HTTP status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class StoppedError(Exception):
    """The one who asked has gone, or the server ends: nobody waits for the answer."""


@contextmanager
def blamed() -> Iterator[None]:
    """Turn whatever the rules of a game raise into a BrokenGameError of one sentence."""
    try:
        yield
    except (PerfectPlayError, StoppedError):
        raise
    except MemoryError:
        raise BrokenGameError("out of memory: try a smaller board.") from None
    except Unreturned as error:
        raise BrokenGameError(fault_of_game(error) or f"a rule of the game {error}.") from None
    except (Exception, SystemExit) as error:
        usual = f"the rules of the game failed with {told(error)}: perfectplay check says more."
        raise BrokenGameError(fault_of_game(error) or usual) from error
