"""Caching: a function that keeps its answers is written as if it did not, where nobody can tell.

One that calls itself would take time without end then. It keeps answers that are numbers, for arguments that
are numbers, as a cache does; otherwise its calls are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from perfectplay.compiler.cells import cells_within
from perfectplay.compiler.kept_answers import KEPT_KINDS
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.shapes import kinds

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance

MOST_KEPT, MOST_UNKEPT = 1 << 20, 1 << 12  # calls within one from outside: the latter take as long as Python


def obstacles(live: Iterable[Instance]) -> Iterator[Obstacle]:
    """What the rules do with cached functions that would show whether their answers are kept."""
    seen: dict[tuple[object, str], str] = {}
    for instance in live:
        if instance.function.cached and not instance.trusted:
            what = _shown_by(instance) or _shown_by_keys(instance, seen)
            if what is not None:
                made = Obstacle(what, "take the cache away, or copy what it gives", instance.function.node)
                made.function = instance.function
                yield made


def keep_answers(instance: Instance) -> None:
    """Have a cached function that calls itself keep what it can, and not call itself without end."""
    taken = {kind for _, shape in instance.arguments for kind in kinds(shape)}
    instance.ir.keeps = taken | set(instance.results) <= KEPT_KINDS
    instance.ir.most_calls = MOST_KEPT if instance.ir.keeps else MOST_UNKEPT


def _shown_by(instance: Instance) -> str | None:
    """How somebody could tell, by what is changed."""
    own = within(instance)
    start = instance.function.node.lineno
    for cell in cells_within(instance.result):
        if any(who not in own for who, _, _ in cell.changers):
            return "is cached, and what it gives is changed elsewhere"
    for cell in (cell for _, shape in instance.arguments for cell in cells_within(shape)):
        for who, _, node in cell.changers:
            if who in own:
                return "is cached, and changes what others see"
            if getattr(node, "lineno", start) >= start:
                return "is cached, and uses what may change between calls"
    return None


def _shown_by_keys(instance: Instance, seen: dict[tuple[object, str], str]) -> str | None:
    """How somebody could tell, by arguments that are equal and yet of other kinds, such as 1 and True."""
    given = repr([shape for _, shape in instance.arguments])
    alike = re.sub(r"\b(bool|float|int)\b", "number", given)
    first = seen.setdefault((instance.function, alike), given)
    mixed = re.search(r"\b(bool|float|int) \| .*\b(float|int)\b", given)
    return "is cached, for numbers of several kinds" if first != given or mixed else None


def within(instance: Instance) -> set[Instance]:
    """The function and all that it calls."""
    found, waiting = {instance}, [instance]
    while waiting:
        new = waiting.pop().calls - found
        found |= new
        waiting += new
    return found
