"""Unverified: what the rules say of positions that a file has, and that perhaps no game comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from perfectplay.errors import BadTablebaseError, PerfectPlayError
from perfectplay.watchdog import Unreturned, watched

PATIENCE = 5.0  # seconds that the rules have to answer about one position


@contextmanager
def unverified(directory: Path, progress: Callable[[], object]) -> Iterator[None]:
    """Ask the rules about stored positions: that they have no answer is the fault of whoever stored those.

    `progress` changes with every position.
    """
    try:
        with watched(progress, PATIENCE):
            yield
    except PerfectPlayError:
        raise
    except (Exception, Unreturned) as error:
        why = str(error) if isinstance(error, Unreturned) else type(error).__name__
        raise BadTablebaseError(
            f"the rules have no answer about a position in {str(directory)!r} ({why}): "
            "perfectplay tablebase verify says what is wrong with it."
        ) from None
