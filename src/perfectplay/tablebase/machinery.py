"""The kernels of a tablebase, compiled: those of every game, and the one that calls a game's rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from perfectplay.engine.patience import interrupts_held, said_when_slow
from perfectplay.errors import BadParameterError, CompileError, did_you_mean
from perfectplay.game import Game
from perfectplay.tablebase import kernels

MODES = ("auto", "always", "never")


def compiled_kernel(game: Game[Any, Any], start: Any, name: str, mode: str) -> tuple[Any, str | None]:
    """A kernel that calls the rules of a game, in machine code; or None and the reason in one sentence."""
    if mode not in MODES:
        raise BadParameterError(f"compile={mode!r} cannot be: {did_you_mean(mode, MODES)}")
    if mode == "never":
        return None, 'compile="never" was asked for'
    message = f"perfectplay: compiling {type(game).__name__} for this machine; next time it is there."
    with said_when_slow(message), interrupts_held():
        found, reason = _compiled(game, start, name)
    if found is None and mode == "always":
        raise CompileError(f"{type(game).__name__} cannot be compiled: {reason}.")
    return found, reason


def _compiled(game: Game[Any, Any], start: Any, name: str) -> tuple[Any, str | None]:
    try:
        from numba import typeof

        from perfectplay.engine.bridge import game_type
        from perfectplay.engine.diagnosis import odd_action, odd_object, odd_state, why_not
        from perfectplay.engine.twins import compiled_twin
    except ImportError:
        return None, "numba cannot be imported here"
    if reason := odd_state(start) or odd_action(game, start) or odd_object(game):
        return None, reason
    try:
        if reason := _odd_result(game, start):
            return None, reason
        kernel = getattr(compiled_twin(kernels), name)
        signature = (game_type(game), typeof(start), *_arguments(name))
        kernel.compile(signature)
    except Exception as error:  # numba's own, and whatever else a compiler can stumble over
        return None, why_not(game) or f"its positions cannot be compiled ({type(error).__name__})"
    return kernel.get_overload(signature), None


def _odd_result(game: Game[Any, Any], start: Any) -> str | None:
    """Why the states that the rules give cannot be packed as the first one is, or None."""
    from numba import typeof

    from perfectplay.engine.bridge import game_type
    from perfectplay.engine.probes import PROBES

    action = next(iter(game.actions(start)), None)
    asked: list[tuple[str, tuple[Any, ...]]] = []
    if action is not None:
        asked.append(("result", (typeof(start), typeof(action))))
    if type(game).canonical is not Game.canonical:
        asked.append(("canonical", (typeof(start),)))
    for method, arguments in asked:
        signature = (game_type(game), *arguments)
        probe = PROBES[method][0]
        probe.compile(signature)
        given = probe.overloads[signature].signature.return_type
        if not _fills(given, typeof(start)):
            same = "give both the same types, field by field"
            return f"`{method}` gives {given} where `initial` gives {typeof(start)}; {same}"
    return None


def _fills(given: Any, wanted: Any) -> bool:
    """Is a value of a numba type packed as one of the other is?"""
    from numba import types

    if isinstance(wanted, types.BaseTuple):
        return (
            isinstance(given, types.BaseTuple)
            and len(given) == len(wanted)
            and all(map(_fills, given.types, wanted.types))
        )
    if isinstance(wanted, types.Float):
        return isinstance(given, types.Float)
    kinds = types.Boolean if isinstance(wanted, types.Boolean) else types.Boolean | types.Integer
    return isinstance(given, kinds)


def _arguments(name: str) -> tuple[Any, ...]:
    """The types of what a kernel takes after the game and a state."""
    from numba import types

    number, numbers, words = types.int64, types.int64[::1], types.uint64[::1]
    if name == "look_up":
        return (number,)
    if name == "look_up_all":
        return number, number, numbers, number, numbers
    packing = (numbers, numbers, numbers, number, number)  # parts, lows, bases, width, scratch
    positions = (words, number, words, numbers, numbers, types.uint8[::1], types.float64[::1])
    return *packing, *positions, numbers, numbers, types.boolean


@cache
def arithmetic(*, compiled: bool) -> Any:
    """The kernels that know no game: `choose`, `force`, `find`."""
    if not compiled:
        return kernels
    from perfectplay.engine.twins import compiled_twin

    return compiled_twin(kernels)
