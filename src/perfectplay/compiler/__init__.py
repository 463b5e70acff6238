"""From a class of rules to machine code: all that the search, the kernels and the check ask of a compiler.

A function that is to be compiled is ordinary Python whose first arguments are a game and a state, and whose
memory is `object_memory`: it runs as it stands, on Python's objects, and compiled, on raw words. Whatever
compiles it is imported when something is to be compiled, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Literal

from perfectplay.compiler import object_memory
from perfectplay.compiler.agreement import Agreement, Comparison, known_agreement
from perfectplay.compiler.digest import rules_digest
from perfectplay.compiler.mode import compile_mode
from perfectplay.compiler.waiting import interrupts_held, said_when_slow
from perfectplay.errors import CompileError
from perfectplay.game import Game

__all__ = [
    "Agreement",
    "Comparison",
    "Kind",
    "agreement_of",
    "compile_mode",
    "compiled_for",
    "compiled_module",
    "compiled_rules",
    "object_memory",
    "preload",
    "rules_digest",
    "state_bytes",
    "why_not",
]

NO_COMPILER = "numba cannot be imported here"

# What a compiled function takes: the game, a state, a number of 64 bits with a sign (or an address), one
# without, a floating-point number, a truth value; or flat arrays of these, and of bytes.
Kind = Literal["game", "state", "number", "word", "real", "flag", "numbers", "words", "bytes", "reals"]


def compiled_for(
    game: Game[Any, Any],
    start: Any,
    function: Callable[..., Any],
    kinds: Sequence[Kind],
    *,
    mode: str | bool = "auto",
    packs: bool = False,
    endgames: Callable[..., Any] | None = None,
) -> tuple[Any, str | None]:
    """A function in machine code for a game whose states are like `start`; or None and why, in a sentence.

    By `mode` it is an error that there is none ("always"), or nothing is compiled ("never"). With `packs`,
    every state is made of numbers as `start` is; `endgames` looks a state up in a table of solved ones.
    """
    mode = compile_mode(mode)
    if mode == "never":
        return None, 'compile="never" was asked for'
    name = type(game).__name__
    message = f"perfectplay: compiling {name} for this machine; next time it is there."
    with said_when_slow(message), interrupts_held():
        try:
            backend = _backend("functions")
        except ImportError:
            found, reason = None, NO_COMPILER
        else:
            found, reason = backend.compiled_for(game, start, function, kinds, packs=packs, endgames=endgames)
            if found is not None and (different := agreement_of(game).difference):
                found, reason = None, different
    if found is None and mode == "always":
        raise CompileError(f"{name} cannot be compiled: {reason}.")
    return found, reason


def compiled_module(module: ModuleType) -> Any:
    """A module that knows no game, its functions in machine code."""
    return _backend("twins").compiled_twin(module)


def compiled_rules(game: Game[Any, Any]) -> dict[str, tuple[Any, str]]:
    """Every method of a game in machine code, to be called with the game first.

    Each has what it takes after that: a state, an action, a player ("s", "a", "p").
    """
    rules: dict[str, tuple[Any, str]] = _backend("probes").PROBES
    return rules


def agreement_of(game: Game[Any, Any]) -> Agreement:
    """What is known of compiled rules that give other answers than Python's, after a first comparison."""
    return known_agreement(game, compiled_rules(game))


def why_not(game: Game[Any, Any]) -> str | None:
    """Why the rules of a game cannot be compiled, in one sentence, or None if they can."""
    try:
        diagnosis = _backend("diagnosis")
    except ImportError:
        return NO_COMPILER
    reason: str | None = diagnosis.why_not(game)
    return reason


def state_bytes(state: Any) -> int:
    """The bytes of a state like this one in raw memory."""
    return int(_backend("raw_memory").state_bytes(state))


def preload() -> None:
    """Load the compiler, if it is there, so that whoever asks for something compiled need not wait for it."""
    try:
        _backend("functions")
    except ImportError:
        return


def _backend(name: str) -> Any:
    return import_module(f"perfectplay.compiler.numba_backend.{name}")
