"""Laziness: a generator that calls itself is written as one that gives a list, where nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from perfectplay.compiler.caching import within
from perfectplay.compiler.cells import cells_within
from perfectplay.compiler.reading import Obstacle

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance, Program

REMEDY = "yield copies: tuple(...), and hand over lists that nobody else has"


def obstacles(program: Program) -> Iterator[Obstacle]:
    """What the rules do with such generators that would show when they run."""
    for instance in program.live:
        if instance.function.is_generator and instance not in program.entries and not instance.trusted:
            what = _shown_by(program, instance)
            if what is not None:
                made = Obstacle(what, REMEDY, instance.function.node)
                made.function = instance.function
                yield made
    for cell, function, node in program.teed:
        for _, changer, where in cell.root().changers:
            if changer is not function.node or getattr(where, "lineno", 0) >= node.lineno:
                made = Obstacle("tees a list that may change meanwhile", "make a tuple of it first", node)
                made.function = function
                yield made
                break


def _shown_by(program: Program, instance: Instance) -> str | None:
    """How somebody could tell, by what is changed between one item and the next."""
    own = {one.function.node for one in within(instance)}
    (_, *given) = cells_within(instance.result)
    if any(cell.changers for cell in given):
        return "calls itself, and yields a list, set or dict that is changed"
    uses = [
        (line, new)
        for (function, line), new in program.generators.get(instance.function.node, {}).items()
        if function not in own
    ]
    for name, shape in instance.arguments:
        for cell in cells_within(shape):
            for _, function, node in cell.changers:
                if function in own and any(name not in new for _, new in uses):
                    return f"calls itself, and changes {name} while others may look at it"
                if function not in own and any(getattr(node, "lineno", line) >= line for line, _ in uses):
                    return f"calls itself, and uses {name}, which may change meanwhile"
    return None
