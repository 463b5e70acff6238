"""The check against machine code: does the game compile, and is it still the same game?"""

from __future__ import annotations

from perfectplay.check.inspection import MANY, Inspection
from perfectplay.check.report import short
from perfectplay.compiler import Comparison, agreement_of, compiled_rules, why_not

COMPARED = 500  # states


def compare(look: Inspection) -> str:
    """Ask the compiled game what the interpreted one was asked; in words, how it runs."""
    if "actions-endless" in look.found:
        return "was not compiled: some actions do not come to an end"
    if reason := why_not(look.game):
        return f"runs interpreted: {reason}"
    places = list(look.places.values())
    sample = places if len(places) <= COMPARED else look.random.sample(places, COMPARED)
    comparison = Comparison(look.game, compiled_rules(look.game))
    comparison.width = MANY
    for place in sorted(sample, key=lambda place: place.depth):
        if found := comparison.of_state(place.state):
            answers = f"{short(found.interpreted)} in Python and {short(found.compiled)} compiled"
            look.note("compiled-differs", look.places.get(found.state), f"{found.method}() gives {answers}")
            return "compiles, but to another game"
    if different := agreement_of(look.game).difference:  # on lines of play that were not explored
        look.note("compiled-differs", None, different)
        return "compiles, but to another game"
    return f"compiles to the same game, in {len(sample):,} states"
