"""Leaves: states as rows of numbers, as `forms` has them, in machine code.

What does not fit is told by a truth value, and not by a trap: a state may well be none of a table's.
"""

from __future__ import annotations

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Block, Operand
from perfectplay.compiler.layouts import Layout
from perfectplay.compiler.lowering.statements import Statements
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    BYTES,
    CHAR,
    INT,
    STR,
    Atom,
    Const,
    Frozen,
    Seq,
    Shape,
    Struct,
    Union,
    family,
    general,
    is_row,
    member_count,
)

LETTERS = 0x110000


class Leaves(Statements):
    """Reading and writing rows of numbers."""

    def leave(self, value: Value, layout: Layout, pointer: Operand) -> Value:
        """Write the numbers of a state; is it made as the layout says?"""
        fitting = self.ir.slot("b", "fits")
        bad, after = self.ir.block(), self.ir.block()
        names = dict(self.names)
        self.emit("set", fitting, True)
        if _varies(layout):
            self.counted(
                layout.words,
                lambda index: self.emit("store", 0, "i", self.op("p", "at", pointer, index, 1, 0), 0),
            )
        self.put_leaf(value, layout, pointer, 0, bad)
        self.close("br", after)
        self.enter(bad)
        self.emit("set", fitting, False)
        self.close("br", after)
        self.enter(after)
        self.names = names
        return Value(BOOL, (self.op("b", "get", fitting),))

    def unless(self, test: Operand, bad: Block) -> None:
        """Go on if it is so, and else to where it does not fit."""
        if test is True:
            return
        going = self.ir.block()
        self.close("cbr", test, going, bad, "no")
        self.block = going

    def unfit(self, bad: Block) -> None:
        """It does not fit."""
        self.close("br", bad)
        self.block = self.ir.block()  # what is still written goes nowhere

    def put_leaf(self, value: Value, layout: Layout, pointer: Operand, offset: int, bad: Block) -> None:
        """Write a part of a state."""
        shape = layout.shape
        if isinstance(value.shape, Const) and not isinstance(general(value.shape), Const):
            value = self.materialise(value.shape.value, None)
        if isinstance(value.shape, Union):
            self.put_members(value, layout, pointer, offset, bad)
        elif isinstance(shape, Union):
            self.put_member(value, layout, pointer, offset, bad)
        elif not _alike(value.shape, shape):
            self.unfit(bad)
        elif isinstance(shape, Struct):
            self.put_fields(value, layout, pointer, offset, bad)
        elif is_row(shape):
            self.put_row(value, layout, pointer, offset, bad)
        elif shape == CHAR and value.shape != CHAR:
            text = self.coerce(value, STR)
            self.unless(self.op("b", "cmp", "eq", self.length(text), 1), bad)
            self.store(self.element(text, 0), pointer, offset)
        elif shape == BOOL and value.shape != BOOL:
            whole = self.coerce(value, INT).regs[0]
            self.unless(self.op("b", "cmp", "ult", whole, 2), bad)
            self.emit("store", whole, "i", pointer, offset)
        elif isinstance(shape, Frozen):
            raise self.refuse("keeps frozensets in the states of a tablebase", "use tuples")
        elif not isinstance(shape, Const):
            self.store(self.coerce(value, shape), pointer, offset)

    def put_members(self, value: Value, layout: Layout, pointer: Operand, offset: int, bad: Block) -> None:
        """A value of a union, whichever member it is."""
        after = self.ir.block()
        for number, member in enumerate(self.members(value)):
            yes, no = self.split(self.op("b", "cmp", "eq", value.regs[0], number))
            self.enter(yes)
            self.put_leaf(member, layout, pointer, offset, bad)
            self.close("br", after)
            self.enter(no)
        self.close("br", bad)
        self.enter(after)

    def put_member(self, value: Value, layout: Layout, pointer: Operand, offset: int, bad: Block) -> None:
        """A value as a member of a union."""
        offset, start = offset + 1, offset
        for number, one in enumerate(layout.parts):
            if family(one.shape) == family(value.shape):
                self.emit("store", number, "i", pointer, start)
                self.put_leaf(value, one, pointer, offset, bad)
                return
            offset += one.words
        self.unfit(bad)

    def put_fields(self, value: Value, layout: Layout, pointer: Operand, offset: int, bad: Block) -> None:
        """A tuple of known length."""
        if isinstance(value.shape, Seq):
            self.unless(self.op("b", "cmp", "eq", self.length(value), len(layout.parts)), bad)
            parts = [self.element(value, place) for place in range(len(layout.parts))]
        else:
            parts = self.fields(value)
        if len(parts) != len(layout.parts):
            self.unfit(bad)
            return
        for part, one in zip(parts, layout.parts, strict=True):
            self.put_leaf(part, one, pointer, offset, bad)
            offset += one.words

    def put_row(self, value: Value, layout: Layout, pointer: Operand, offset: int, bad: Block) -> None:
        """A sequence: its length and its elements."""
        elem = layout.parts[0]
        if isinstance(value.shape, Struct):
            parts = self.fields(value)
            if len(parts) > layout.room:
                self.unfit(bad)
                return
            self.emit("store", len(parts), "i", pointer, offset)
            for place, part in enumerate(parts):
                self.put_leaf(part, elem, pointer, offset + 1 + place * elem.words, bad)
            return
        if layout.shape == STR:
            value = self.coerce(value, STR)
        size = self.length(value)
        self.unless(self.op("b", "cmp", "le", size, layout.room), bad)
        self.emit("store", size, "i", pointer, offset)
        if self.element_shape(value.shape) is BOTTOM:
            return

        def body(index: Operand) -> None:
            place = self.op("p", "at", pointer, index, elem.words, offset + 1)
            self.put_leaf(self.element(value, index), elem, place, 0, bad)

        self.counted(size, body)

    def checked(self, layout: Layout, pointer: Operand, offset: int) -> None:
        """Trap where numbers stand for nothing: a file may say anything."""
        shape = layout.shape
        if isinstance(shape, Struct):
            for one in layout.parts:
                self.checked(one, pointer, offset)
                offset += one.words
        elif isinstance(shape, Union):
            tag = self.op("i", "load", pointer, offset)
            self.require(self.op("b", "cmp", "ult", tag, len(layout.parts)), traps.UNSEEN)
            offset += 1
            for number, one in enumerate(layout.parts):
                if _limited(one):
                    yes, no = self.split(self.op("b", "cmp", "eq", tag, number))
                    self.enter(yes)
                    self.checked(one, pointer, offset)
                    self.close("br", no)
                    self.enter(no)
                offset += one.words
        elif is_row(shape):
            size = self.op("i", "load", pointer, offset)
            self.require(self.op("b", "cmp", "ult", size, layout.room + 1), traps.UNSEEN)
            elem = layout.parts[0]
            if shape == BYTES:

                def check(index: Operand) -> None:
                    word = self.op("i", "load", self.op("p", "at", pointer, index, 1, offset + 1), 0)
                    self.require(self.op("b", "cmp", "ult", word, 256), traps.UNSEEN)

                self.counted(size, check)
            elif _limited(elem):
                self.counted(
                    size,
                    lambda index: self.checked(
                        elem, self.op("p", "at", pointer, index, elem.words, offset + 1), 0
                    ),
                )
        elif _limited(layout):
            most = LETTERS if shape == CHAR else member_count(shape.kind)  # type: ignore[attr-defined]
            word = self.op("i", "load", pointer, offset)
            self.require(self.op("b", "cmp", "ult", word, most), traps.UNSEEN)


def _alike(value: Shape, shape: Shape) -> bool:
    """May a value of one shape be one of the other, by its kind?"""
    if family(value) == family(shape) or (value, shape) == (BOOL, INT):
        return True
    if isinstance(shape, Struct) and issubclass(shape.cls, tuple):
        return isinstance(value, Seq) or (isinstance(value, Struct) and issubclass(value.cls, tuple))
    return False


def _varies(layout: Layout) -> bool:
    """Are some of its numbers not written for every state?"""
    return isinstance(layout.shape, Union) or is_row(layout.shape) or any(map(_varies, layout.parts))


def _limited(layout: Layout) -> bool:
    """Are there numbers that stand for nothing?"""
    shape = layout.shape
    if isinstance(shape, Struct):
        return any(map(_limited, layout.parts))
    return isinstance(shape, Union | Atom) or is_row(shape) or shape == CHAR
