"""States in memory that outlives a question, in a fixed number of words; their digests; a caller's arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from perfectplay.compiler import traps
from perfectplay.compiler.context import NOTED, ROOM, TRAPPED
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.layouts import HASHED, Layout
from perfectplay.compiler.lowering.exceptions import Handler
from perfectplay.compiler.lowering.leaves import Leaves
from perfectplay.compiler.lowering.thawing import frozen, needs_freezing
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    KEPT,
    LARGE,
    STR,
    WIDE,
    WORD,
    Array,
    Atom,
    Const,
    Frozen,
    Seq,
    Shape,
    Struct,
    Union,
    family,
    is_row,
    kept,
    members_of,
    struct_names,
    width,
)
from perfectplay.game import LONG, MAPPING, ROW, TEXT, TUPLE, _digest

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance, Program

SMALL = {"bytes": 1, "shorts": 2, "ints": 4}


class Memory(Leaves):
    """Writing states to memory, and reading them again."""

    def __init__(self, program: Program, instance: Instance) -> None:
        super().__init__(program, instance)
        self.ordinals: dict[Any, int] = {}

    # States in memory.

    def persist(self, value: Value, layout: Layout, pointer: Operand, offset: int) -> None:
        """Write a value into memory of its own; what has no room there is a trap."""
        if layout is self.program.layout:
            self.note_stored(value.shape)
        value = self.coerce(value, layout.shape)
        shape = layout.shape
        if isinstance(shape, Struct):
            for part, one in zip(self.fields(value), layout.parts, strict=True):
                self.persist(part, one, pointer, offset)
                offset += one.words
        elif isinstance(shape, Union):
            self.emit("store", value.regs[0], "i", pointer, offset)
            self.persist_member(value, layout, pointer, offset + 1)
        elif is_row(shape):
            self.persist_row(value, layout, pointer, offset)
        elif isinstance(shape, Frozen):
            self.persist_set(value, layout, pointer, offset)
        else:
            self.store(value, pointer, offset)

    def note_stored(self, shape: Shape) -> None:
        """Note what a state may be."""
        wider = self.join(self.program.stored, kept(shape))
        self.program.stored = wider

    def persist_member(self, value: Value, layout: Layout, pointer: Operand, offset: int) -> None:
        """The member of a union that a value is."""
        after = self.ir.block()
        names = dict(self.names)
        for number, (member, one) in enumerate(zip(self.members(value), layout.parts, strict=True)):
            yes, no = self.split(self.op("b", "cmp", "eq", value.regs[0], number))
            self.enter(yes)
            self.persist(member, one, pointer, offset)
            self.close("br", after)
            self.enter(no)
            offset += one.words
        self.close("br", after)
        self.enter(after)
        self.names = names

    def persist_row(self, value: Value, layout: Layout, pointer: Operand, offset: int) -> None:
        """A sequence: its length and its elements."""
        elem = layout.parts[0]
        size = self.length(value)
        self.require(self.op("b", "cmp", "le", size, layout.room), traps.CAPACITY)
        if elem.is_whole:
            words = self.op("i", "bin", "mul", size, elem.words)
            self.copy_words(value.regs[0], pointer, offset, self.op("i", "bin", "add", words, 1))
            return
        self.emit("store", size, "i", pointer, offset)

        def body(index: Operand) -> None:
            place = self.op("p", "at", pointer, index, elem.words, offset + 1)
            self.persist(self.element(value, index), elem, place, 0)

        self.counted(size, body)

    def persist_set(self, value: Value, layout: Layout, pointer: Operand, offset: int) -> None:
        """A frozenset: its table, slot by slot."""
        elem = layout.parts[0]
        slots = self.op("i", "bin", "add", self.op("i", "load", value.regs[0], 1), 1)
        self.require(self.op("b", "cmp", "le", slots, layout.room), traps.CAPACITY)
        if elem.is_whole:
            entries = self.op("i", "bin", "mul", slots, 2 + elem.words)
            self.copy_words(value.regs[0], pointer, offset, self.op("i", "bin", "add", entries, HASHED))
            return
        self.copy_words(value.regs[0], pointer, offset, HASHED)
        self.each_slot(
            slots,
            (value.regs[0], HASHED, 2 + width(elem.shape)),
            (pointer, offset + HASHED, 2 + elem.words),
            lambda mine, theirs: self.persist(self.load(mine, 2, elem.shape), elem, theirs, 2),
        )

    def revive_set(self, layout: Layout, place: Operand) -> Value:
        """A frozenset whose elements are not words alone: made anew."""
        elem = layout.parts[0]
        slots = self.op("i", "bin", "add", self.op("i", "load", place, 1), 1)
        words = self.op("i", "bin", "mul", slots, 2 + width(elem.shape))
        made = self.alloc(self.op("i", "bin", "add", words, HASHED))
        self.copy_words(place, made, 0, HASHED)
        self.each_slot(
            slots,
            (place, HASHED, 2 + elem.words),
            (made, HASHED, 2 + width(elem.shape)),
            lambda mine, theirs: self.store(self.revive(elem, mine, 2), theirs, 2),
        )
        return Value(layout.shape, (made,))

    def each_slot(
        self, slots: Operand, source: Any, target: Any, move: Callable[[Operand, Operand], None]
    ) -> None:
        """The slots of a table from one place in memory to another, each element as it is told."""

        def body(at: Operand) -> None:
            (old, first, step), (new, second, stride) = source, target
            mine, theirs = (
                self.op("p", "at", old, at, step, first),
                self.op("p", "at", new, at, stride, second),
            )
            self.copy_words(mine, theirs, 0, 2)
            used, other = self.split(self.op("b", "cmp", "eq", self.op("i", "load", mine, 1), 1))
            self.enter(used)
            move(mine, theirs)
            self.close("br", other)
            self.enter(other)

        self.counted(slots, body)

    def copy_words(self, source: Operand, pointer: Operand, offset: int, count: Operand) -> None:
        """So many words from one place in memory to another."""

        def body(index: Operand) -> None:
            word = self.op("i", "load", self.op("p", "at", source, index, 1, 0), 0)
            self.emit("store", word, "i", self.op("p", "at", pointer, index, 1, offset), 0)

        self.counted(count, body)

    def revive(self, layout: Layout, pointer: Operand, offset: int) -> Value:
        """The value that lies in memory, without copying it where that can be."""
        shape = layout.shape
        if isinstance(shape, Struct):
            parts = []
            for one in layout.parts:
                parts.append(self.revive(one, pointer, offset))
                offset += one.words
            return self.struct(shape.cls, parts, shape)
        if isinstance(shape, Union):
            return self.revive_union(layout, pointer, offset)
        if isinstance(shape, Frozen) or is_row(shape):
            place = self.op("p", "at", pointer, 0, 1, offset)
            if layout.parts[0].is_whole:
                return Value(shape, (place,))
            if isinstance(shape, Frozen):
                return self.revive_set(layout, place)
            return self.revive_row(layout, place)
        return self.load(pointer, offset, shape)

    def revive_row(self, layout: Layout, place: Operand) -> Value:
        """A sequence whose elements are not words alone: made anew."""
        elem = layout.parts[0]
        size = self.op("i", "load", place, 0)
        words = self.op("i", "bin", "mul", size, width(elem.shape))
        made = self.alloc(self.op("i", "bin", "add", words, 1))
        self.emit("store", size, "i", made, 0)

        def body(index: Operand) -> None:
            item = self.revive(elem, self.op("p", "at", place, index, elem.words, 1), 0)
            self.store(item, self.op("p", "at", made, index, width(elem.shape), 1), 0)

        self.counted(size, body)
        return Value(layout.shape, (made,))

    def revive_union(self, layout: Layout, pointer: Operand, offset: int) -> Value:
        """A value of a union."""
        tag = self.op("i", "load", pointer, offset)
        ends = []
        names = dict(self.names)
        offset += 1
        for number, one in enumerate(layout.parts):
            last = number == len(layout.parts) - 1
            if not last:
                yes, no = self.split(self.op("b", "cmp", "eq", tag, number))
                self.enter(yes)
            self.names = dict(names)
            member = self.revive(one, pointer, offset)
            assert isinstance(layout.shape, Union)
            ends.append(self.end(self.coerce(member, layout.shape)))
            if not last:
                self.enter(no)
            offset += one.words
        return self.merge(ends) or Value(BOTTOM)

    # What was looked at when there is a trap.

    def watch(self) -> None:
        """Have all traps of this function come by `note_trapped`."""
        self.watching = Handler(self.ir.slot("i", "status"))

    def note_trapped(self, name: str) -> None:
        """Write down the value of a parameter, after those of the calls further down, and leave."""
        handler, self.watching = self.watching, None
        if handler is None or not handler.ends:
            return
        shape = dict(self.instance.arguments)[name]
        names = {name: shape}
        for end in handler.ends:
            end.names = dict(names)
        self.merge(handler.ends)
        context = self.op("p", "context")
        before = self.op("i", "load", context, TRAPPED)
        note, leave = self.split(self.op("b", "cmp", "lt", before, NOTED))
        self.enter(note)
        self.emit("store", self.op("i", "bin", "add", before, 1), "i", context, TRAPPED)
        room = self.op("p", "at", context, before, self.program.layout.words, ROOM)
        self.persist(self.get_name(name), self.program.layout, room, 0)
        self.close("br", leave)
        self.enter(leave)
        self.close("trap", self.op("i", "get", handler.status))

    # Digests, as `default_key` has them.

    def digest(self, value: Value) -> Operand:
        """The 64 bits that stand for a value."""
        shape = value.shape
        if isinstance(shape, Const):
            return signed(_digest(shape.value))
        if needs_freezing(shape):
            return self.digest(frozen(self, value))
        if shape in (WIDE, LARGE):
            return self.digest_of_large(self.coerce(value, WIDE))
        if shape in (INT, WORD, BOOL):
            return self.mixed(self.coerce(value, INT).regs[0])
        if shape == FLOAT:
            plain = self.op("f", "bin", "fadd", value.regs[0], 0.0)
            return self.mixed(self.op("i", "cast", "float_to_bits", plain))
        if isinstance(shape, Union):
            return self.each_member(value, lambda one: Value(INT, (self.digest(one),))).regs[0]
        if isinstance(shape, Atom) and shape.kind is not str:
            table = tuple(signed(_digest(member)) for member in members_of(shape.kind))
            return self.element(self.in_memory(self.materialise(table, Seq(INT))), value.regs[0]).regs[0]
        if isinstance(shape, Struct) and shape.cls in KEPT:
            return self.digest_of_kept(shape.cls, self.fields(value)[0])
        if isinstance(shape, Struct):
            return self.digest_of_fields(value)
        if family(shape) == "str":
            value = self.coerce(value, STR)
        begin = TEXT if value.shape == STR else TUPLE
        if isinstance(shape, Frozen):
            return self.integer(self.call_prelude("frozenset_digest", [value]))
        return self.digest_of_row(value, begin)

    def digest_of_kept(self, cls: type, row: Value) -> Operand:
        """The digest of a list, a set or a dict, by what is in it."""
        if cls is set:
            return self.digest(row)
        row = self.in_memory(row)
        if cls is list:
            return self.digest_of_row(row, ROW)
        size = self.length(row)
        total = self.ir.slot("i", "digest")
        self.emit("set", total, 0)

        def body(index: Operand) -> None:
            one = self.digest(self.element(row, index))
            self.emit("set", total, self.op("i", "bin", "add", self.op("i", "get", total), one))

        if self.element_shape(row.shape) is not BOTTOM:
            self.counted(size, body)
        begin = self.mixed(self.op("i", "bin", "add", size, signed(MAPPING)))
        return self.folded_in(begin, self.op("i", "get", total))

    def digest_of_row(self, value: Value, begin: int) -> Operand:
        """The digest of a sequence in memory."""
        size = self.length(value)
        total = self.ir.slot("i", "digest")
        self.emit("set", total, self.mixed(self.op("i", "bin", "add", size, signed(begin))))
        if self.element_shape(value.shape) is BOTTOM:
            return self.op("i", "get", total)

        def body(index: Operand) -> None:
            item = self.element(value, index)
            one = self.mixed(item.regs[0]) if value.shape == STR else self.digest(item)
            self.emit("set", total, self.folded_in(self.op("i", "get", total), one))

        self.counted(size, body)
        return self.op("i", "get", total)

    def digest_of_large(self, value: Value, mixes: bool = True) -> Operand:
        """The digest of a number of 128 bits; or, where one of 64 is wanted as it is, that number."""
        low, high = self.coerce(value, LARGE).regs
        positive = self.op("b", "cmp", "eq", high, 0)
        sign = self.op("b", "cmp", "eq", high, self.op("i", "bin", "ashr", low, 63))
        fits = self.op("b", "bin", "or", positive, sign)
        long = self.folded_in(self.mixed(self.op("i", "bin", "add", low, signed(LONG))), high)
        return self.op("i", "select", fits, self.mixed(low) if mixes else low, long)

    def digest_of_fields(self, value: Value) -> Operand:
        """The digest of a tuple of known length; of a dataclass, of the fields that it compares."""
        assert isinstance(value.shape, Struct)
        parts = self.fields(value)
        cls: Any = value.shape.cls
        if is_dataclass(cls):
            parts = [part for part, field in zip(parts, fields(cls), strict=True) if field.compare]
        elif not issubclass(cls, tuple):
            named = dict(zip(struct_names(cls), parts, strict=True))
            parts = [named[name] for name in sorted(named)]
        total: Operand = self.mixed(signed(TUPLE + len(parts)))
        for part in parts:
            total = self.folded_in(total, self.digest(part))
        return total

    def folded_in(self, total: Operand, one: Operand) -> Operand:
        """A digest with one more part."""
        return self.mixed(self.op("i", "bin", "add", self.op("i", "bin", "mul", total, 31), one))

    def mixed(self, word: Operand) -> Operand:
        """Every bit of a word spread over all of it (`game._mix`)."""
        word = self.op("i", "bin", "add", word, signed(0x9E3779B97F4A7C15))
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            word = self.op("i", "bin", "xor", word, self.op("i", "bin", "lshr", word, shift))
            word = self.op("i", "bin", "mul", word, signed(factor))
        return self.op("i", "bin", "xor", word, self.op("i", "bin", "lshr", word, 31))

    # Arrays of a caller.

    def array_index(self, value: Value, place: Value) -> Value:
        """An element of an array."""
        assert isinstance(value.shape, Array)
        index = self.integer(place)
        if value.shape.kind in SMALL:
            return Value(INT, (self.op("i", "load_small", value.regs[0], index, SMALL[value.shape.kind]),))
        return self.load(self.op("p", "at", value.regs[0], index, 1, 0), 0, self.array_element(value.shape))

    def array_element(self, shape: Array) -> Shape:
        """What is in an array."""
        return {"words": WORD, "reals": FLOAT}.get(shape.kind, INT)

    def set_array_element(self, value: Value, place: Value, item: Value) -> None:
        """Write an element of an array."""
        assert isinstance(value.shape, Array)
        index = self.integer(place)
        if value.shape.kind in SMALL:
            self.emit("store_small", self.integer(item), value.regs[0], index, SMALL[value.shape.kind])
            return
        shape = self.array_element(value.shape)
        stored = Value(FLOAT, (self.real(item),)) if shape == FLOAT else Value(INT, (self.integer(item),))
        self.store(stored, self.op("p", "at", value.regs[0], index, 1, 0), 0)


def signed(word: int) -> int:
    """A word as an integer with a sign."""
    word &= 2**64 - 1
    return word - 2**64 if word >= 2**63 else word
