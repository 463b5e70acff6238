"""The cells of a shape: what stands for the elements of lists, sets, dicts and shared variables."""

from __future__ import annotations

from perfectplay.compiler.shapes import Cell, Closure, Frozen, Reference, Seq, Shape, Struct, Union


def cells_in(shape: Shape) -> list[Cell]:
    """The cells that a shape refers to."""
    match shape:
        case Reference():
            return list(shape.cells)
        case Struct(fields=parts):
            return [cell for part in parts for cell in cells_in(part)]
        case Union(members=parts):
            return [cell for part in parts for cell in cells_in(part)]
        case Seq(elem=elem) | Frozen(elem=elem):
            return cells_in(elem)
        case Closure(captured=captured):
            return [cell for _, part in captured for cell in cells_in(part)]
    return []


def cells_within(shape: Shape) -> list[Cell]:
    """The cells that a shape refers to, and those within them."""
    found: dict[Cell, None] = {}
    waiting = [shape]
    while waiting:
        for cell in cells_in(waiting.pop()):
            if cell.root() not in found:
                found[cell.root()] = None
                waiting.append(cell.root().elem)
    return list(found)


def has_cells(shape: Shape) -> bool:
    """Does a shape refer to lists, sets, dicts or shared variables whose elements may become others?"""
    return any(not cell.fixed for cell in cells_in(shape))
