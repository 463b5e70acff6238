"""Whose mistake an error is that nobody expected."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from perfectplay import watchdog
from perfectplay.watchdog import Unreturned

ASKED = "asked for"  # begins the notes that say at which question the rules failed


def fault_of_game(error: BaseException) -> str | None:
    """What a game's own rules did wrong, in one sentence, if the error came from them."""
    if frame := _frame_of_game(error):
        where = f"({Path(frame.filename).name}, line {frame.lineno})"
        if isinstance(error, Unreturned):
            return f"the game's {frame.name} {error} {where}: perfectplay check says more."
        if question := question_of(error):
            where += f", {question}"
        return f"the game's {frame.name} failed with {told(error)} {where}: perfectplay check says more."
    if _is_of_compiled_game(error):
        return f"the compiled rules of the game failed with {told(error)}: --no-compile says in which line."
    return None


def told(error: BaseException) -> str:
    """The kind of an error and its message, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"


def _frame_of_game(error: BaseException) -> traceback.FrameSummary | None:
    """Where in a game's own file the error came from, if it did."""
    ours = Path(__file__).parent
    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == watchdog.__file__:  # it interrupts wherever it is
            continue
        above = Path(frame.filename).parents
        if ours in above:
            return None
        if Path(frame.filename).exists() and not installed & set(above):
            return frame
    return None


def _is_of_compiled_game(error: BaseException) -> bool:
    """Did the error come out of machine code, which the threads of the engine call?"""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and (Path(frames[-1].filename).name, frames[-1].name) == (
        "parallel_search.py",
        "_searched",
    )


def question_of(error: BaseException) -> str:
    """What our note says that was asked, or nothing."""
    notes = getattr(error, "__notes__", ())
    return next((note for note in notes if note.startswith(ASKED)), "")
