"""The check against machine code: does the game compile, is it still the same game, and what is gained?"""

from __future__ import annotations

from typing import Any

from perfectplay.check.inspection import Inspection, Place
from perfectplay.compiler import compared, hindrances, why_not
from perfectplay.engine import Engine
from perfectplay.engine.confirmation import contradiction
from perfectplay.errors import PerfectPlayError

COMPARED = 1_000  # states
SEARCHED = 0.3  # seconds that the engine has, each time
NODES = 1_000  # of a search that says something about speed


def compare(look: Inspection) -> str:
    """Ask the compiled game what the interpreted one was asked; in words, how it runs."""
    if "actions-many" in look.found:
        return "was not compiled: some states have too many actions"
    if reason := why_not(look.game):
        return _in_the_way(look, reason)
    places = list(look.places.values())
    sample = places if len(places) <= COMPARED else look.random.sample(places, COMPARED)
    sample.sort(key=lambda place: place.depth)
    difference = compared(look.game, [place.state for place in sample])
    if difference is not None:
        look.note("compiled-differs", look.places.get(difference.state), str(difference))
        return "compiles, but to another game"
    line, gain = _searched(look)
    if line is None:
        return "compiles, but to another game"
    return f"compiles to the same game, in {len({*sample, *line}):,} states{gain}"


def _in_the_way(look: Inspection, reason: str) -> str:
    """Why it runs interpreted: every line that does not compile, and what to write instead."""
    lines = hindrances(look.game)
    said = "one line stands" if len(lines) == 1 else f"{len(lines)} lines stand"
    said = f"{said} in the way" if lines else reason
    speed = _speed(look, "never")
    now = f"\nas it is, the engine visits {speed:,.0f} states a second" if speed else ""
    return "\n\n".join([f"runs interpreted: {said}{now}", *lines])


def _searched(look: Inspection) -> tuple[list[Place] | None, str]:
    """The states on the engine's own best line, compared as well (None: they differ), and what is gained."""
    root = look.discovered[0]
    if root.terminal or root.below == []:
        return [], ""
    game = look.game
    try:
        engine = Engine(game, table_mb=1)
        found = engine.search(root.state, seconds=SEARCHED)
        line = _played(look, root, found.line)
        difference = compared(game, [place.state for place in line])
        what = str(difference) if difference else ""
        if found.exact and not what:
            what = contradiction(game, root.state, found.line, found.value) or ""
        if not engine.compiled and engine.why_not and not what:
            return line, f"; a search went on in Python: {engine.why_not}"
    except PerfectPlayError as error:  # a game without end, say
        return [], f"; the engine refuses it: {str(error).rstrip('.')}"
    if what:
        where = look.places.get(difference.state) if difference else line[-1]
        look.note("compiled-differs", where, what)
        return None, ""
    before = _speed(look, "never") if found.nodes >= NODES else 0.0
    return line, f"; the engine is {found.speed / before:,.0f} times as fast as in Python" if before else ""


def _speed(look: Inspection, mode: str) -> float:
    """States that the engine visits in a second."""
    root = look.discovered[0]
    if root.terminal or root.below == []:
        return 0.0
    try:
        engine = Engine(look.game, table_mb=1, compile=mode)
        return engine.search(root.state, seconds=SEARCHED).speed
    except PerfectPlayError:
        return 0.0


def _played(look: Inspection, root: Place, line: tuple[Any, ...]) -> list[Place]:
    """The places that a line leads to."""
    places = [root]
    for action in line:
        state = look.game.result(places[-1].state, action)
        places.append(look.arrive(state, places[-1], action))
    return places
