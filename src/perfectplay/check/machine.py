"""The check against machine code: does the game compile, and is it still the same game?"""

from __future__ import annotations

from typing import Any

from perfectplay.check.answers import same
from perfectplay.check.inspection import BROKEN, Inspection, Place
from perfectplay.check.report import short
from perfectplay.compiler import compiled_rules, hindrances, why_not
from perfectplay.game import MAX, MIN

COMPARED = 500  # states


def compare(look: Inspection) -> str:
    """Ask the compiled game what the interpreted one was asked; in words, how it runs."""
    if "actions-endless" in look.found:
        return "was not compiled: some actions do not come to an end"
    if reason := why_not(look.game):
        return _in_the_way(look, reason)
    places = list(look.places.values())
    sample = places if len(places) <= COMPARED else look.random.sample(places, COMPARED)
    for place in sorted(sample, key=lambda place: place.depth):
        if not _agrees(look, place):
            return "compiles, but to another game"
    return f"compiles to the same game, in {len(sample):,} states"


def _in_the_way(look: Inspection, reason: str) -> str:
    """Why it runs interpreted: every line that does not compile, and what to write instead."""
    lines = hindrances(look.game)
    if not lines:
        return f"runs interpreted: {reason}"
    said = "one line stands" if len(lines) == 1 else f"{len(lines)} lines stand"
    return "\n\n".join([f"runs interpreted: {said} in the way", *lines])


def _agrees(look: Inspection, place: Place) -> bool:
    """Are all answers about a state the same in machine code?"""
    actions = [action for action, _ in place.below or ()]
    for method, (probe, arguments) in compiled_rules(look.game).items():
        if (method == "utility") != bool(place.terminal) and method in ("utility", "evaluate"):
            continue
        for second in {"s": [None], "a": actions, "p": [MAX, MIN]}[arguments[-1]]:
            given = (place.state,) if second is None else (place.state, second)
            interpreted, compiled = look.quietly(method, *given), _answer(probe, look.game, given)
            if interpreted is not BROKEN and not same(interpreted, compiled):
                what = f"{method}() gives {short(interpreted)} in Python and {short(compiled)} compiled"
                look.note("compiled-differs", place, what)
                return False
    return True


def _answer(probe: Any, game: Any, given: tuple[Any, ...]) -> Any:
    try:
        return probe(game, *given)
    except (OverflowError, TypeError) as error:
        return error
