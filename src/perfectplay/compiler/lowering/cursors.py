"""Iterators that are walked through in several goes: what is left of one is known by a place in memory.

Mostly a generator is written where it is walked through. One that is named and used again, as by `next`
and then `for`, is run at once, if nothing that it reads can change meanwhile; its items are kept in a list.
"""

from __future__ import annotations

import ast
from typing import Any

from perfectplay.compiler.cells import cells_in
from perfectplay.compiler.lowering.values import Iter, Loop, Value
from perfectplay.compiler.reading import COMPREHENSIONS, nodes_in
from perfectplay.compiler.shapes import BOTTOM, INT, STR, List, Seq

ENDLESS = ("generator count", "generator repeat_always", "generator cycle")
MANY = 2
OVER = 1 << 62  # the place of an iterator that has come to its end


def cursor(low: Any, value: Value) -> Value:
    """A generator as an iterator that remembers how far it is; an obstacle if it cannot be run at once."""
    walk = value.shape
    assert isinstance(walk, Iter)
    if is_cursor(value) or hasattr(walk, "side"):  # a view of a dict may be walked through again
        return value
    if walk.what == "iterator":
        items = low.given(walk.given)["items"]
        if type(items.shape) is List or isinstance(items.shape, Seq) or items.shape == STR:
            return cursor_over(low, items)
    if not is_settled(low, walk) or low.handlers:
        raise low.refuse("keeps a generator", "make a list or a tuple of it")
    return cursor_over(low, low.call_prelude("list_of", [value]))


def is_cursor(value: Value) -> bool:
    """Is it an iterator that remembers how far it is?"""
    return isinstance(value.shape, Iter) and value.shape.what == "cursor"


def cursor_over(low: Any, items: Value) -> Value:
    """An iterator over a row in memory; over a list as it is when its turn comes."""
    place = low.alloc(1)
    low.emit("store", 0, "i", place, 0)
    given: dict[str, Value | str] = {
        "items": items,
        "place": Value(INT, (low.op("i", "cast", "address", place),)),
    }

    def each(body: Any) -> Any:
        return walk_on(low, Taker(low, value), body)

    value = Value(Iter(each, "cursor", given))
    return value


class Taker:
    """Takes one item after the other of a cursor, whoever else does."""

    def __init__(self, low: Any, cursor: Value) -> None:
        self.low = low
        given = low.given(cursor.shape.given)  # type: ignore[attr-defined]
        self.held, self.at = low.fresh("%left"), low.fresh("%place")
        low.set_name(self.held, given["items"])
        low.set_name(self.at, given["place"])

    def is_empty(self) -> bool:
        """Is there nothing in what it goes through?"""
        return self.low.element_shape(self.low.get_name(self.held).shape) is BOTTOM

    def _place(self) -> Any:
        return self.low.op("p", "cast", "pointer", self.low.get_name(self.at).regs[0])

    def is_left(self) -> Any:
        """Is there one more item? If not, there never will be."""
        low = self.low
        now, size = low.op("i", "load", self._place(), 0), low.length(low.get_name(self.held))
        left = low.op("b", "cmp", "lt", now, size)
        low.emit("store", low.op("i", "select", left, now, OVER), "i", self._place(), 0)
        return left

    def take(self) -> Value:
        """The next item."""
        low = self.low
        now = low.op("i", "load", self._place(), 0)
        low.emit("store", low.op("i", "bin", "add", now, 1), "i", self._place(), 0)
        item: Value = low.element(low.get_name(self.held), now)
        return item


def walk_on(low: Any, taker: Taker, body: Any) -> Any:
    """A loop over the items that are left."""
    if taker.is_empty():
        return low.end(), Loop()
    return low.loop(low.here("cursor"), taker.is_left, lambda: body(taker.take()), lambda: None)


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
    inside = [part for part in nodes_in(node) if isinstance(part, ast.Name) and part.id == name]
    before = [part for part in nodes_in(first) if isinstance(part, ast.Name)] if first is not None else []
    return MANY if any(part not in before and isinstance(part.ctx, ast.Load) for part in inside) else 0


def _sum(*counts: int) -> int:
    return min(MANY, sum(counts))
