"""A function compiled for a game: a search, or a loop over positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numba import typeof, types

from perfectplay.compiler.numba_backend.bridge import game_type
from perfectplay.compiler.numba_backend.diagnosis import odd_action, odd_object, odd_state, why_not
from perfectplay.compiler.numba_backend.probes import PROBES
from perfectplay.compiler.numba_backend.twins import compiled_function_twin
from perfectplay.game import Game

KINDS = {
    "number": types.int64,
    "word": types.uint64,
    "real": types.float64,
    "flag": types.boolean,
    "numbers": types.int64[::1],
    "words": types.uint64[::1],
    "bytes": types.uint8[::1],
    "reals": types.float64[::1],
}


def compiled_for(
    game: Game[Any, Any],
    start: Any,
    function: Callable[..., Any],
    kinds: Sequence[str],
    *,
    packs: bool,
    endgames: Callable[..., Any] | None,
) -> tuple[Any, str | None]:
    """The function in machine code, or None and the reason in one sentence."""
    if reason := odd_state(start) or odd_action(game, start) or odd_object(game):
        return None, reason
    try:
        if packs and (reason := _odd_result(game, start)):
            return None, reason
        known = KINDS | {"game": game_type(game, endgames=endgames), "state": typeof(start)}
        signature = tuple(known[kind] for kind in kinds)
        compiled = compiled_function_twin(function)
        compiled.compile(signature)
    except Exception as error:  # numba's own, and whatever else a compiler can stumble over
        told = f"`{function.__name__}` cannot be compiled for it ({type(error).__name__})"
        return None, why_not(game) or told
    return compiled.get_overload(signature), None  # for these types, whatever numbers look like to numba


def _odd_result(game: Game[Any, Any], start: Any) -> str | None:
    """Why the states that the rules give cannot be packed as the first one is, or None."""
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
