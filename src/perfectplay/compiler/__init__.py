"""From a class of rules to machine code: all that the search, the kernels and the check ask of a compiler.

A function that is to be compiled is ordinary Python whose first arguments are a game and a state, and whose
memory are `records`: it runs as it stands, on Python's objects, and compiled, on raw words. Whatever
compiles it is imported when something is to be compiled, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Literal

from perfectplay.compiler.digest import rules_digest
from perfectplay.compiler.forms import Form
from perfectplay.compiler.mode import compile_mode
from perfectplay.compiler.traps import MEMORY, UNDECIDED, Misfit, Trap
from perfectplay.compiler.waiting import said_when_slow
from perfectplay.errors import CompileError
from perfectplay.game import Game

__all__ = [
    "MACHINE_STOPPED",
    "MEMORY",
    "UNDECIDED",
    "Kind",
    "Trap",
    "compared",
    "compile_mode",
    "compiled_for",
    "compiled_for_numbers",
    "compiled_module",
    "compiled_rules",
    "explained",
    "hindrances",
    "preload",
    "rules_digest",
    "why_not",
    "widened",
]

MACHINE_STOPPED = (Trap, Misfit)  # what a compiled function raises where only Python can go on
NO_COMPILER = "llvmlite cannot be imported here"

# What a compiled function takes: the game, the form of its states, a state, a record (of what class, says the
# annotation), a number of 64 bits with a sign, one without, a floating-point number, a truth value; or flat
# arrays of these, and of bytes.
Kind = Literal[
    "game", "form", "state", "record", "number", "word", "real", "flag", "numbers", "words", "bytes", "reals"
]


def compiled_for(
    game: Game[Any, Any],
    start: Any,
    function: Callable[..., Any],
    kinds: Sequence[Kind],
    *,
    mode: str | bool = "auto",
    form: Form | None = None,
    endgames: Callable[..., Any] | None = None,
    stack: int = 3 << 20,
) -> tuple[Any, str | None]:
    """A function in machine code for a game whose states are like `start`; or None and why, in a sentence.

    By `mode` it is an error that there is none ("always"), or nothing is compiled ("never"). A `form` says
    what numbers a tablebase makes of states; `endgames` is the record that solved ones are looked up in.
    """
    mode = compile_mode(mode)
    if mode == "never":
        return None, 'compile="never" was asked for'
    name = type(game).__name__
    message = f"perfectplay: compiling {name} for this machine; next time it is there."
    with said_when_slow(message):
        try:
            backend = _backend()
        except ImportError:
            found, reason = None, NO_COMPILER
        else:
            found, reason = backend.compiled_for(
                game, start, function, kinds, form=form, endgames=endgames, stack=stack
            )
    if found is None and mode == "always":
        raise CompileError(f"{name} cannot be compiled: {reason}.")
    return found, reason


def compiled_for_numbers(
    game: Game[Any, Any], function: Callable[..., Any], kinds: Sequence[Kind], *, full: bool, stack: int
) -> Any:
    """A function in machine code for a game of our own whose states are numbers; None without a compiler.

    A table holds whole states if it is `full`.
    """
    try:
        backend = _backend()
    except ImportError:
        return None
    return backend.compiled_for_numbers(game, function, kinds, full=full, stack=stack)


def compiled_module(module: ModuleType) -> Any:
    """A module that knows no game, its functions in machine code."""
    return _backend().compiled_module(module)


def compared(game: Game[Any, Any], states: Iterable[Any]) -> Any:
    """The first question about these states that machine code answers in another way than Python, or None."""
    return _backend().compared(game, states)


def compiled_rules(game: Game[Any, Any]) -> dict[str, tuple[Any, str]]:
    """Every method of a game in machine code, to be called with the game first.

    Each has what it takes after that: a state, an action, a player ("s", "a", "p").
    """
    rules: dict[str, tuple[Any, str]] = _backend().compiled_rules(game)
    return rules


def why_not(game: Game[Any, Any]) -> str | None:
    """Why the rules of a game cannot be compiled, in one sentence, or None if they can."""
    try:
        diagnosis = _backend()
    except ImportError:
        return NO_COMPILER
    reason: str | None = diagnosis.why_not(game)
    return reason


def hindrances(game: Game[Any, Any]) -> list[str]:
    """The lines of the rules that do not compile, each shown with what to write instead."""
    try:
        _backend()
    except ImportError:
        return []
    return [*map(str, import_module("perfectplay.compiler.explaining").all_hindrances(game))]


def explained(game: Game[Any, Any], function: Callable[..., Any], kinds: Sequence[Kind]) -> Any:
    """What becomes of a class and of a function that is compiled with it, pass by pass (`explaining.py`)."""
    try:
        _backend()
    except ImportError:
        raise CompileError(f"{NO_COMPILER}: install it to compile anything.") from None
    return import_module("perfectplay.compiler.explaining").explained(game, function, kinds)


def preload() -> None:
    """Load the compiler, if it is there, so that whoever asks for something compiled need not wait for it."""
    try:
        _backend()
    except ImportError:
        return


def widened(function: Any, trap: Exception) -> tuple[Any, str]:
    """A compiled function again, for what it has met; None and why if only Python can go on."""
    found: tuple[Any, str] = _backend().widened(function, trap)
    return found


def _backend() -> Any:
    import llvmlite.binding  # noqa: F401 - is it there?

    return import_module("perfectplay.compiler.backend")
