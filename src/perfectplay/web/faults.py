"""What is wrong with a request, or with a game, in one sentence."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perfectplay.errors import BrokenGameError, PerfectPlayError


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
    except (Exception, SystemExit) as error:
        raise BrokenGameError(_explained(error)) from error


def _explained(error: BaseException) -> str:
    told = f"{type(error).__name__}: {' '.join(str(error).split())[:300] or 'no message'}"
    if frame := _frame_of_game(error):
        where = f"{Path(frame.filename).name}, line {frame.lineno}"
        return f"the game's {frame.name} failed with {told} ({where}): perfectplay check says more."
    return f"the rules of the game failed with {told}: perfectplay check says more."


def _frame_of_game(error: BaseException) -> traceback.FrameSummary | None:
    """The line of somebody's own game where an error came from, if it did."""
    ours = Path(__file__).parents[1]
    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        above = set(Path(frame.filename).parents)
        if Path(frame.filename).exists() and ours not in above and not installed & above:
            return frame
    return None
