"""What a tablebase of the game would be: whether there can be one, and how its states are kept."""

from __future__ import annotations

from typing import Any

from perfectplay.check.inspection import Inspection
from perfectplay.check.report import counted
from perfectplay.compiler.forms import form_of

LOOKED_AT = 2_000  # states


def foretold(look: Inspection, *, complete: bool) -> str:
    """What `build_tablebase` would make of the game, or why it would refuse, in a sentence."""
    from perfectplay.tablebase.solution import MOST_VALUES  # numpy comes along: nobody waits for it before

    values = {place.lower for place in look.places.values() if place.terminal and place.lower == place.upper}
    if look.game.has_chance:
        return "A tablebase has expected values, each with the error that it may have."
    if not look.game.zero_sum:
        return "No tablebase: every player has a utility of its own, and a tablebase is for two sides."
    if look.players != 2:
        return f"No tablebase: it has {counted(look.players, 'player')}, and a tablebase is for two."
    if len(values) > MOST_VALUES:
        return f"No tablebase: it has more than {MOST_VALUES:,} different utilities."
    states = [place.state for place in look.discovered[:LOOKED_AT]]
    form: Any = form_of(states, states[0])
    kept = f"{counted(form.count, 'number')} each" if form else "numbered, all of them in memory"
    if complete:
        images = len({place.state if place.image is None else place.image for place in look.places.values()})
        return f"A tablebase has {counted(images, 'position')}, {kept}."
    return f"A tablebase keeps its positions as {kept}; perfectplay tablebase estimate says how many."
