"""How values lie in registers and in memory: structs, tuples, strings, members of enums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, Flag

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand, Reg
from perfectplay.compiler.lowering.blocks import Blocks
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    CHAR,
    INT,
    STR,
    Array,
    Atom,
    Const,
    List,
    Seq,
    Set,
    Shape,
    Struct,
    fields_of,
    kept,
    kinds,
    width,
)

HEADER = 1  # words before the elements of a tuple or a string: how many there are


class Representation(Blocks):
    """Words, and what they stand for."""

    def struct(self, cls: type, parts: Iterable[Value], shape: Shape | None = None) -> Value:
        """A tuple of known length, or a named one, of these parts."""
        parts = list(parts)
        regs = tuple(reg for part in parts for reg in part.regs)
        return Value(shape or Struct(cls, tuple(part.shape for part in parts)), regs)

    def fields(self, value: Value) -> list[Value]:
        """The parts of a tuple of known length."""
        shape = value.shape
        if isinstance(shape, Const):
            return [Value(Const(part)) for part in fields_of(shape.value)]
        assert isinstance(shape, Struct)
        found, at = [], 0
        for part in shape.fields:
            found.append(Value(part, value.regs[at : at + width(part)]))
            at += width(part)
        return found

    def load(self, pointer: Operand, offset: int, shape: Shape) -> Value:
        """The value of a shape that lies in memory, so many words further on."""
        regs = tuple(
            self.op(kind, "load", pointer, offset + place) for place, kind in enumerate(kinds(shape))
        )
        return Value(shape, regs)

    def store(self, value: Value, pointer: Operand, offset: int) -> None:
        """Write a value to memory."""
        for place, (kind, reg) in enumerate(zip(kinds(value.shape), value.regs, strict=True)):
            self.emit("store", reg, kind, pointer, offset + place)

    def alloc(self, words: Operand) -> Reg:
        """So many words of memory."""
        return self.op("p", "alloc", words, self.trap_block(traps.MEMORY))

    def length(self, value: Value) -> Operand:
        """How many elements there are."""
        shape = value.shape
        if isinstance(shape, Struct):
            return len(shape.fields)
        if isinstance(shape, Const):
            return len(shape.value)
        if shape == CHAR:
            return 1
        if isinstance(shape, Array):
            return value.regs[1]
        if isinstance(shape, Set):
            return self.op("i", "load", self.op("p", "load", value.regs[0], 0), 0)
        return self.op("i", "load", value.regs[0], 0)

    def data(self, value: Value) -> tuple[Operand, int]:
        """Where the elements begin: an address, and words to skip."""
        if isinstance(value.shape, List):
            return self.op("p", "load", value.regs[0], 2), 0
        return value.regs[0], HEADER

    def element_shape(self, shape: Shape) -> Shape:
        """What the elements of a sequence in memory are."""
        if isinstance(shape, List):
            return shape.cells[0].elem
        if isinstance(shape, Seq):
            return shape.elem
        assert shape in (STR, BYTES)
        return CHAR if shape == STR else INT

    def element(self, value: Value, index: Operand) -> Value:
        """An element of a sequence in memory, whose index is known to be right."""
        shape = self.element_shape(value.shape)
        if shape is BOTTOM:
            return Value(BOTTOM)
        pointer, skipped = self.data(value)
        if isinstance(index, int):
            return self.load(pointer, skipped + index * width(shape), shape)
        place = self.op("p", "at", pointer, index, width(shape), skipped)
        return self.load(place, 0, shape)

    def tuple_of(self, items: list[Value], shape: Seq) -> Value:
        """A tuple in memory of these items."""
        size = width(shape.elem)
        pointer = self.alloc(HEADER + size * len(items))
        self.emit("store", len(items), "i", pointer, 0)
        for place, item in enumerate(items):
            self.store(self.coerce(item, shape.elem), pointer, HEADER + size * place)
        return Value(shape, (pointer,))

    def retuple(self, value: Value, shape: Seq) -> Value:
        """A tuple whose elements are brought into another shape."""
        return self.copied(value, shape, 0, self.length(value))

    def copied(self, value: Value, shape: Shape, first: Operand, count: Operand) -> Value:
        """A new tuple or string of so many elements of a sequence, from the first one on."""
        elem = self.element_shape(shape)
        size = width(elem)
        words = self.op("i", "bin", "mul", count, size)
        pointer = self.alloc(self.op("i", "bin", "add", words, HEADER))
        self.emit("store", count, "i", pointer, 0)
        self.copy_elements(value, first, count, elem, pointer, HEADER)
        return Value(shape, (pointer,))

    def copy_elements(
        self, value: Value, first: Operand, count: Operand, elem: Shape, pointer: Operand, skipped: int
    ) -> None:
        """Write so many elements of a sequence to memory, each in the shape that is wanted."""
        if self.element_shape(value.shape) is BOTTOM:
            return

        def body(index: Operand) -> None:
            at = self.op("i", "bin", "add", index, first)
            item = self.coerce(self.element(value, at), elem)
            place = self.op("p", "at", pointer, index, width(elem), skipped)
            self.store(item, place, 0)

        self.counted(count, body)

    def counted(self, count: Operand, body: Callable[[Operand], None]) -> None:
        """Do something for every number below a count; nothing of it changes the shape of a name."""
        index = self.ir.slot("i", "index")
        self.emit("set", index, 0)
        head, inside, after = self.ir.block(), self.ir.block(), self.ir.block()
        self.close("br", head)
        self.enter(head)
        now = self.op("i", "get", index)
        self.close("cbr", self.op("b", "cmp", "lt", now, count), inside, after, "")
        self.enter(inside)
        body(now)
        self.emit("set", index, self.op("i", "bin", "add", now, 1))
        self.close("br", head)
        self.enter(after)

    def coerce_text(self, value: Value, shape: Shape) -> Value:
        """A string in another form."""
        old = value.shape
        if shape == STR:
            if old == CHAR:
                pointer = self.alloc(2)
                self.emit("store", 1, "i", pointer, 0)
                self.emit("store", value.regs[0], "i", pointer, 1)
                return Value(STR, (pointer,))
            table = self.program.word_table()  # an atom: the string that it stands for
            place = self.op("p", "at", table, value.regs[0], 1, 0)
            return Value(STR, (self.op("p", "load", place, 0),))
        if shape == CHAR:
            text = self.coerce(value, STR)
            self.require(self.op("b", "cmp", "eq", self.length(text), 1), traps.UNSEEN)
            return self.element(text, 0) if old != CHAR else value
        return self.find_word(self.coerce(value, STR))

    def find_word(self, text: Value) -> Value:
        """The word that a string is, among those that are known."""
        found = self.ir.slot("i", "word")
        self.emit("set", found, -1)

        def body(number: Operand) -> None:
            word = self.coerce_text(Value(Atom(str), (number,)), STR)
            same = self.is_equal(word, text)
            old = self.op("i", "get", found)
            self.emit("set", found, self.op("i", "select", same, number, old))

        self.instance.uses_words = True
        self.counted(self.program.word_count(), body)
        number = self.op("i", "get", found)
        self.require(self.op("b", "cmp", "ge", number, 0), traps.UNSEEN)
        return Value(Atom(str), (number,))

    def enum_value(self, value: Value) -> Value:
        """The value of a member of an enum, by its number."""
        assert isinstance(value.shape, Atom)
        if issubclass(value.shape.kind, Flag):
            return Value(INT, value.regs)
        members: list[Enum] = list(value.shape.kind)  # type: ignore[call-overload]
        if [member.value for member in members] == list(range(len(members))):
            return Value(INT, value.regs)
        table = self.materialise(tuple(member.value for member in members), None)
        return self.element(self.in_memory(table), value.regs[0])

    def in_memory(self, value: Value) -> Value:
        """A tuple whose elements can be indexed while running."""
        if isinstance(value.shape, Struct):
            elem: Shape = BOTTOM
            for part in value.shape.fields:
                elem = self.join(elem, kept(part))
            return self.coerce(value, Seq(elem))
        return value
