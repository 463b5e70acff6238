"""Faults: an error of the compiler itself is a reason to run interpreted, and never reaches a user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from perfectplay.compiler.reading import Obstacle, Untrusted
from perfectplay.compiler.traps import Misfit, Trap

RAISED = (
    "PERFECTPLAY_FAULTS"  # the environment variable by which they are raised nevertheless, as in our tests
)


@contextmanager
def contained() -> Iterator[None]:
    """Have whatever fails in the compiler said in a sentence, as what the rules stand in the way with is."""
    try:
        yield
    except (Obstacle, Untrusted, Trap, Misfit):
        raise
    except RecursionError:
        raise Untrusted("its rules are nested too deeply") from None
    except Exception as error:
        if os.environ.get(RAISED) == "raise":
            raise
        kind = type(error).__name__
        raise Untrusted(
            f"the compiler itself fails on its rules ({kind}: {error}); please report it"
        ) from error
