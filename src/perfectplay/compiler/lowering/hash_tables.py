"""Hash tables in memory, and the functions of the prelude that work on them.

The table of a set is one block without addresses of its own: used, mask and fill, then the slots, each
a hash, what the slot is, and the words of the element. A frozenset is the address of such a block, a set
that of two words: the address, since a set may grow, and where `pop` goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfectplay.compiler.hashing import (
    SMALLEST,
    USED,
)
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.hashes import signed
from perfectplay.compiler.lowering.intrinsics import intrinsic
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    INT,
    WORD,
    Cell,
    Frozen,
    Set,
    Shape,
    width,
)
from perfectplay.game import SET

HEAD = 3  # words before the slots: used, mask, fill
SLOT = 2  # words of a slot before its element: the hash, and what the slot is


def element_of(items: Value) -> Shape:
    """The shape of the elements of a set."""
    shape = items.shape
    return shape.elem if isinstance(shape, Frozen) else shape.cells[0].elem  # type: ignore[attr-defined]


def block_of(low: Any, items: Value) -> Operand:
    """The address of the table of a set."""
    return low.op("p", "load", items.regs[0], 0) if isinstance(items.shape, Set) else items.regs[0]


def slot_of(low: Any, items: Value, at: Value) -> Operand:
    """The address of a slot."""
    return low.op("p", "at", block_of(low, items), at.regs[0], SLOT + width(element_of(items)), HEAD)


def new_block(low: Any, slots: Operand, elem: Shape) -> Operand:
    """An empty table with so many slots."""
    words = low.op("i", "bin", "mul", slots, SLOT + width(elem))
    block = low.alloc(low.op("i", "bin", "add", words, HEAD))
    low.counted(words, lambda at: low.emit("store", 0, "i", low.op("p", "at", block, at, 1, HEAD), 0))
    for place, word in enumerate((0, low.op("i", "bin", "sub", slots, 1), 0)):
        low.emit("store", word, "i", block, place)
    return block


@intrinsic("set_new")
def set_new(low: Any, arguments: list[Value], named: Any, cell: Cell) -> Value:
    """An empty set."""
    holder = low.alloc(2)
    low.emit("store", new_block(low, SMALLEST, cell.root().elem), "p", holder, 0)
    low.emit("store", 0, "i", holder, 1)
    return Value(Set(cell), (holder,))


def _header(place: int) -> Callable[..., Value]:
    def read(low: Any, arguments: list[Value], named: Any) -> Value:
        return Value(WORD if place == 1 else INT, (low.op("i", "load", block_of(low, arguments[0]), place),))

    return read


for _place, _name in enumerate(("table_used", "table_mask", "table_fill")):
    intrinsic(_name)(_header(_place))


@intrinsic("table_finger")
def _table_finger(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.op("i", "load", arguments[0].regs[0], 1),))


@intrinsic("table_count")
def _table_count(low: Any, arguments: list[Value], named: Any) -> Value:
    items, used, fill = arguments
    block = block_of(low, items)
    low.emit("store", low.integer(used), "i", block, 0)
    low.emit("store", low.integer(fill), "i", block, 2)
    return constant(None)


@intrinsic("table_point")
def _table_point(low: Any, arguments: list[Value], named: Any) -> Value:
    low.emit("store", low.integer(arguments[1]), "i", arguments[0].regs[0], 1)
    return constant(None)


@intrinsic("table_renew")
def _table_renew(low: Any, arguments: list[Value], named: Any) -> Value:
    """Give a set an empty table with so many slots."""
    items, slots = arguments
    block = new_block(low, low.integer(slots), element_of(items))
    low.emit("store", block, "p", items.regs[0], 0)
    return constant(None)


@intrinsic("table_frozen")
def table_frozen(low: Any, arguments: list[Value], named: Any) -> Value:
    """The frozenset that shares the table of a set."""
    (items,) = arguments
    return Value(Frozen(element_of(items)), (block_of(low, items),))


@intrinsic("table_same")
def _table_same(low: Any, arguments: list[Value], named: Any) -> Value:
    one, other = (low.op("i", "cast", "address", block_of(low, items)) for items in arguments)
    return Value(BOOL, (low.op("b", "cmp", "eq", one, other),))


@intrinsic("slot_state")
def _slot_state(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.op("i", "load", slot_of(low, *arguments), 1),))


@intrinsic("slot_hash")
def _slot_hash(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (low.op("i", "load", slot_of(low, *arguments), 0),))


@intrinsic("slot_item")
def slot_item(low: Any, arguments: list[Value], named: Any) -> Value:
    """The element in a slot."""
    elem = element_of(arguments[0])
    return Value(BOTTOM) if elem is BOTTOM else low.load(slot_of(low, *arguments), SLOT, elem)


@intrinsic("slot_put")
def _slot_put(low: Any, arguments: list[Value], named: Any) -> Value:
    items, at, item, word = arguments
    assert isinstance(items.shape, Set)
    if item.shape is BOTTOM:
        return constant(None)
    elem = low.put_into(items.shape.cells[0], item.shape)
    stored = low.coerce(item, elem)
    slot = slot_of(low, items, at)
    low.emit("store", word.regs[0], "i", slot, 0)
    low.emit("store", USED, "i", slot, 1)
    low.store(stored, slot, SLOT)
    return constant(None)


@intrinsic("slot_mark")
def _slot_mark(low: Any, arguments: list[Value], named: Any) -> Value:
    """Say what a slot without an element is."""
    items, at, state, word = arguments
    slot = slot_of(low, items, at)
    low.emit("store", low.coerce(word, WORD).regs[0], "i", slot, 0)
    low.emit("store", low.integer(state), "i", slot, 1)
    return constant(None)


@intrinsic("refrozen")
def _refrozen(low: Any, arguments: list[Value], named: Any) -> Value:
    """A frozenset whose elements are brought into another shape: each in its slot."""
    items, wanted = arguments
    shape = wanted.shape.value  # type: ignore[attr-defined]
    old, block = element_of(items), items.regs[0]
    slots = low.op("i", "bin", "add", low.op("i", "load", block, 1), 1)
    new = new_block(low, slots, shape.elem)
    for place in range(HEAD):
        low.emit("store", low.op("i", "load", block, place), "i", new, place)

    def move(at: Operand) -> None:
        mine = low.op("p", "at", block, at, SLOT + width(old), HEAD)
        theirs = low.op("p", "at", new, at, SLOT + width(shape.elem), HEAD)
        state = low.op("i", "load", mine, 1)
        low.emit("store", low.op("i", "load", mine, 0), "i", theirs, 0)
        low.emit("store", state, "i", theirs, 1)
        if old is BOTTOM:
            return
        used, other = low.split(low.op("b", "cmp", "eq", state, USED))
        low.enter(used)
        low.store(low.coerce(low.load(mine, SLOT, old), shape.elem), theirs, SLOT)
        low.close("br", other)
        low.enter(other)

    low.counted(slots, move)
    return Value(shape, (new,))


@intrinsic("frozenset_digest")
def _digest(low: Any, arguments: list[Value], named: Any) -> Value:
    """The digest of a frozenset (`game._digest`), in whatever order its elements are."""
    (items,) = arguments
    block, elem = items.regs[0], element_of(items)
    total = low.ir.slot("i", "digests")
    low.emit("set", total, 0)

    def add(at: Operand) -> None:
        slot = low.op("p", "at", block, at, SLOT + width(elem), HEAD)
        used, other = low.split(low.op("b", "cmp", "eq", low.op("i", "load", slot, 1), USED))
        low.enter(used)
        one = low.digest(low.load(slot, SLOT, elem))
        low.emit("set", total, low.op("i", "bin", "add", low.op("i", "get", total), one))
        low.close("br", other)
        low.enter(other)

    if elem is not BOTTOM:
        low.counted(low.op("i", "bin", "add", low.op("i", "load", block, 1), 1), add)
    size = low.mixed(low.op("i", "bin", "add", low.length(items), signed(SET)))
    mixed = low.op("i", "bin", "add", low.op("i", "bin", "mul", size, 31), low.op("i", "get", total))
    return Value(INT, (low.mixed(mixed),))


# Functions of the prelude, each for all sets of some elements.

READERS = (*("table_find", "set_has", "is_subset", "is_proper_subset", "same_sets", "next_slot"),)
WRITERS: dict[str, int] = {  # which argument gives elements to the first one; 0: none
    **dict.fromkeys(("table_resize", "table_make_room", "table_drop", "table_drop_all", "table_tidy"), 0),
    **dict.fromkeys(("set_discard", "set_remove", "set_take", "set_clear"), 0),
    **dict.fromkeys(("set_add", "table_add", "table_insert", "table_insert_all", "table_merge"), 1),
    **dict.fromkeys(("table_merge_unless", "table_subtract", "table_toggle", "table_take_over"), 1),
    "table_intersect": 2,
}
ADDING = ("set_add", "table_add", "table_insert")  # one element


def as_table(low: Any, value: Value) -> Value:
    """A set that is only read, as the frozenset that it is now."""
    return (
        Value(Frozen(element_of(value)), (block_of(low, value),)) if isinstance(value.shape, Set) else value
    )


def _reader(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        given = [as_table(low, value) for value in arguments]
        return low.call_function(low.program.prelude_named(name), given, {}, {})

    return write


def _writer(name: str, source: int) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        items, *others = arguments
        if any(value.shape is BOTTOM for value in arguments):
            return Value(BOTTOM)
        cell = items.shape.cells[0]  # type: ignore[attr-defined]
        low.change(cell)
        if source and name not in ADDING:
            if element_of(others[source - 1]) is not BOTTOM:
                low.put_into(cell, element_of(others[source - 1]))
        elif source:
            others[0] = low.coerce(low.in_form(others[0]), low.put_into(cell, others[0].shape))
        elem = cell.root().elem
        given = [
            Value(Set(low.program.fixed_cell(elem)), items.regs),
            *(as_table(low, one) for one in others),
        ]
        return low.call_function(low.program.prelude_named(name), given, {}, {})

    return write


for _name in READERS:
    intrinsic(_name)(_reader(_name))
for _name, _source in WRITERS.items():
    intrinsic(_name)(_writer(_name, _source))
