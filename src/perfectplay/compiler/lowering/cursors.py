"""Iterators that are walked through in several goes: what is left of one is known by a place in memory.

Mostly a generator is written where it is walked through. One that is named and used again, as by `next`
and then `for`, is run at once, if nothing that it reads can change meanwhile; its items are kept in a list.
"""

from __future__ import annotations

import ast
from typing import Any

from perfectplay.compiler.lowering.builder import cells_in
from perfectplay.compiler.lowering.values import Iter, Loop, Value
from perfectplay.compiler.reading import COMPREHENSIONS
from perfectplay.compiler.shapes import BOTTOM, INT

ENDLESS = ("generator count", "generator repeat_always", "generator cycle")
MANY = 2


def cursor(low: Any, value: Value) -> Value:
    """A generator as an iterator that remembers how far it is; an obstacle if it cannot be run at once."""
    walk = value.shape
    assert isinstance(walk, Iter)
    if walk.what == "cursor" or hasattr(walk, "side"):  # a view of a dict may be walked through again
        return value
    if not is_settled(low, walk) or low.handlers:
        raise low.refuse("keeps a generator", "make a list or a tuple of it")
    items = low.call_prelude("list_of", [value])
    place = low.alloc(1)
    low.emit("store", 0, "i", place, 0)
    given: dict[str, Value | str] = {
        "items": items,
        "place": Value(INT, (low.op("i", "cast", "address", place),)),
    }

    def each(body: Any) -> Any:
        kept = low.given(given)
        return walk_on(low, kept["items"], kept["place"], body)

    return Value(Iter(each, "cursor", given))


def walk_on(low: Any, items: Value, place: Value, body: Any) -> Any:
    """A loop over the items that are left."""
    held, at = low.fresh("%left"), low.fresh("%place")
    low.set_name(held, items)
    low.set_name(at, place)

    def here() -> Any:
        return low.op("p", "cast", "pointer", low.get_name(at).regs[0])

    def test() -> Any:
        return low.op("b", "cmp", "lt", low.op("i", "load", here(), 0), low.length(low.get_name(held)))

    def inside() -> None:
        now = low.op("i", "load", here(), 0)
        low.emit("store", low.op("i", "bin", "add", now, 1), "i", here(), 0)
        body(low.element(low.get_name(held), now))

    if low.element_shape(items.shape) is BOTTOM:
        return low.end(), Loop()
    return low.loop(low.here("cursor"), test, inside, lambda: None)


def is_settled(low: Any, walk: Iter) -> bool:
    """Does something give the same whenever it is walked through, and come to an end?"""
    if walk.what in ENDLESS or not walk.settled:
        return False
    for value in low.given(walk.given).values():
        if isinstance(value.shape, Iter):
            if not is_settled(low, value.shape):
                return False
        elif any(not cell.frozen for cell in cells_in(value.shape)):
            return False
    return True


def uses(node: Any, name: str) -> int:
    """How often a name may be used on one way through some syntax; 2 stands for more than once."""
    if isinstance(node, list):
        return _uses_in_block(node, name)
    match node:
        case ast.Name(id=found, ctx=ast.Load()):
            return int(found == name)
        case ast.If(test=test, body=body, orelse=other) | ast.IfExp(test=test, body=body, orelse=other):
            return _sum(uses(test, name), max(uses(body, name), uses(other, name)))
        case ast.For(iter=first):
            return _sum(uses(first, name), _repeated(node, name, first))
        case ast.While() | ast.FunctionDef() | ast.Lambda():
            return _repeated(node, name, None)
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0].iter
        return _sum(uses(first, name), _repeated(node, name, first))
    return _sum(*(uses(part, name) for part in ast.iter_child_nodes(node)))


def _uses_in_block(body: list[ast.stmt], name: str) -> int:
    if not body:
        return 0
    first, rest = body[0], body[1:]
    if isinstance(first, ast.If) and first.body and isinstance(first.body[-1], ast.Return | ast.Raise):
        other = _uses_in_block([*first.orelse, *rest], name)
        return _sum(uses(first.test, name), max(uses(first.body, name), other))
    return _sum(uses(first, name), _uses_in_block(rest, name))


def _repeated(node: ast.AST, name: str, first: ast.AST | None) -> int:
    """Uses in what is done again and again."""
    inside = [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == name]
    before = [part for part in ast.walk(first) if isinstance(part, ast.Name)] if first is not None else []
    return MANY if any(part not in before and isinstance(part.ctx, ast.Load) for part in inside) else 0


def _sum(*counts: int) -> int:
    return min(MANY, sum(counts))
