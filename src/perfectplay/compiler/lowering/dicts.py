"""Dicts in memory, with those of `collections`: what the prelude's dicts are made of.

A dict is the address of its header: used, fill, room, the entries, mask, the index. The entries lie in
the order in which they came, each a hash, whether it is there, the key and the value. The index says where
in the entries a hash is; a dict of a few entries has none.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOTTOM,
    INT,
    WORD,
    Cell,
    Closure,
    Const,
    Deque,
    Dict,
    List,
    Shape,
    Struct,
    Union,
    general,
    width,
)

HEAD = 6  # words of the header: used, fill, room, entries, mask, index
ENTRY = 2  # words of an entry before its key: the hash, and whether it is there
FEW = 8  # entries that are looked through one by one


def key_shape(items: Value) -> Shape:
    """The shape of the keys."""
    return items.shape.cells[0].elem  # type: ignore[attr-defined]


def value_shape(items: Value) -> Shape:
    """The shape of the values."""
    return items.shape.cells[1].elem  # type: ignore[attr-defined]


def stride(items: Value) -> int:
    """The words of an entry."""
    return ENTRY + width(key_shape(items)) + width(value_shape(items))


def entry_of(low: Any, items: Value, at: Value) -> Operand:
    """The address of an entry."""
    return low.op("p", "at", low.op("p", "load", items.regs[0], 3), low.integer(at), stride(items), 0)


@intrinsic("dict_new")
def dict_new(
    low: Any, arguments: list[Value], named: Any, *cells: Cell, missing: Shape | None = None
) -> Value:
    """An empty dict."""
    header = low.alloc(HEAD)
    for place, kind in enumerate("iiipip"):
        low.emit("store", 0, kind, header, place)
    return Value(Dict(*cells, missing=missing), (header,))


def _header(place: int) -> Callable[..., Value]:
    def read(low: Any, arguments: list[Value], named: Any) -> Value:
        return Value(WORD if place == 4 else INT, (low.op("i", "load", arguments[0].regs[0], place),))

    return read


for _place, _name in (
    (0, "dict_used"),
    (1, "dict_fill"),
    (2, "dict_room"),
    (3, "dict_place"),
    (4, "dict_mask"),
):
    intrinsic(_name)(_header(_place))


@intrinsic("dict_count")
def _dict_count(low: Any, arguments: list[Value], named: Any) -> Value:
    items, used, fill = arguments
    low.emit("store", low.integer(used), "i", items.regs[0], 0)
    low.emit("store", low.integer(fill), "i", items.regs[0], 1)
    return constant(None)


@intrinsic("dict_snapshot")
def _dict_snapshot(low: Any, arguments: list[Value], named: Any) -> Value:
    """The same dict as it is now: its entries stay where they are."""
    (items,) = arguments
    header = low.alloc(HEAD)
    for place, kind in enumerate("iiipip"):
        low.emit("store", low.op(kind, "load", items.regs[0], place), kind, header, place)
    return Value(items.shape, (header,))


@intrinsic("dict_renew")
def _dict_renew(low: Any, arguments: list[Value], named: Any) -> Value:
    """Give a dict room for so many entries, and none in it."""
    items, room = arguments
    size = low.integer(room)
    header = items.regs[0]
    entries = low.alloc(low.op("i", "bin", "mul", size, stride(items)))
    many = low.op("b", "cmp", "gt", size, FEW)
    places = low.op("i", "select", many, low.op("i", "bin", "shl", size, 1), 0)
    index = low.alloc(places)
    low.counted(places, lambda at: low.emit("store", 0, "i", low.op("p", "at", index, at, 1, 0), 0))
    words = (
        (0, "i"),
        (0, "i"),
        (size, "i"),
        (entries, "p"),
        (low.op("i", "bin", "sub", places, 1), "i"),
        (index, "p"),
    )
    for place, (word, kind) in enumerate(words):
        low.emit("store", word, kind, header, place)
    return constant(None)


@intrinsic("index_at")
def _index_at(low: Any, arguments: list[Value], named: Any) -> Value:
    items, place = arguments
    index = low.op("p", "load", items.regs[0], 5)
    return Value(INT, (low.op("i", "load", low.op("p", "at", index, place.regs[0], 1, 0), 0),))


@intrinsic("index_put")
def _index_put(low: Any, arguments: list[Value], named: Any) -> Value:
    items, place, number = arguments
    index = low.op("p", "load", items.regs[0], 5)
    low.emit("store", low.integer(number), "i", low.op("p", "at", index, place.regs[0], 1, 0), 0)
    return constant(None)


@intrinsic("entry_hash")
def _entry_hash(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (low.op("i", "load", entry_of(low, *arguments), 0),))


@intrinsic("entry_state")
def _entry_state(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.op("i", "load", entry_of(low, *arguments), 1),))


@intrinsic("entry_key")
def entry_key(low: Any, arguments: list[Value], named: Any) -> Value:
    """The key of an entry."""
    shape = key_shape(arguments[0])
    return Value(BOTTOM) if shape is BOTTOM else low.load(entry_of(low, *arguments), ENTRY, shape)


@intrinsic("entry_value")
def entry_value(low: Any, arguments: list[Value], named: Any) -> Value:
    """The value of an entry."""
    shape = value_shape(arguments[0])
    skipped = ENTRY + width(key_shape(arguments[0]))
    return Value(BOTTOM) if shape is BOTTOM else low.load(entry_of(low, *arguments), skipped, shape)


@intrinsic("entry_put")
def _entry_put(low: Any, arguments: list[Value], named: Any) -> Value:
    """Write an entry."""
    items, at, key, value, word = arguments
    if BOTTOM in (key.shape, value.shape):
        return constant(None)
    keys, values = items.shape.cells  # type: ignore[attr-defined]
    stored = low.coerce(key, low.put_into(keys, key.shape))
    low.put_into(values, value.shape)
    entry = entry_of(low, items, at)
    low.emit("store", word.regs[0], "i", entry, 0)
    low.emit("store", 1, "i", entry, 1)
    low.store(stored, entry, ENTRY)
    return _entry_set(low, [items, at, value], {})


@intrinsic("entry_set")
def _entry_set(low: Any, arguments: list[Value], named: Any) -> Value:
    """Give an entry another value."""
    items, at, value = arguments
    if value.shape is BOTTOM:
        return constant(None)
    stored = low.coerce(value, low.put_into(items.shape.cells[1], value.shape))  # type: ignore[attr-defined]
    low.store(stored, entry_of(low, items, at), ENTRY + width(key_shape(items)))
    return constant(None)


@intrinsic("entry_drop")
def _entry_drop(low: Any, arguments: list[Value], named: Any) -> Value:
    low.emit("store", 2, "i", entry_of(low, *arguments), 1)
    return constant(None)


# Functions of the prelude, each for all dicts of some keys and values.

READERS = ("dict_find", "dict_has", "dict_item", "counter_item", "dict_get", "next_entry", "same_dicts")
CHANGERS = ("dict_grow", "dict_delete", "dict_forget", "dict_pop", "dict_popitem", "dict_clear")
WRITERS = ("dict_set", "dict_add_entry", "dict_place_entry", "dict_setdefault", "dict_merge")


def _shared(low: Any, value: Value) -> Value:
    if not isinstance(value.shape, Dict):
        return value
    cells = [low.program.fixed_cell(cell.elem) for cell in value.shape.cells]
    return Value(Dict(*cells), value.regs)


def _sharing(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        items, *others = arguments
        if any(value.shape is BOTTOM for value in arguments):
            return Value(BOTTOM)
        keys, values = items.shape.cells  # type: ignore[attr-defined]
        if name not in READERS:
            low.change(keys, values)
        if name == "dict_merge":
            if key_shape(others[0]) is not BOTTOM:
                low.put_into(keys, key_shape(others[0]))
                low.put_into(values, value_shape(others[0]))
        elif name in WRITERS:
            given = [*others, constant(None)][:2]
            shapes = low.put_into(keys, given[0].shape), low.put_into(values, given[1].shape)
            others[:2] = map(low.coerce, map(low.in_form, given), shapes)
        given = [_shared(low, items), *(_shared(low, low.in_form(one)) for one in others)]
        return low.call_function(low.program.prelude_named(name), given, named, {})

    return write


for _name in (*READERS, *CHANGERS, *WRITERS):
    intrinsic(_name)(_sharing(_name))


# Functions of the prelude, each for all lists of some elements.


def _sharing_lists(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        given = []
        for value in arguments:
            if isinstance(value.shape, List):
                cell = low.program.fixed_cell(value.shape.cells[0].elem)
                value = Value(type(value.shape)(cell), value.regs)
            given.append(value)
        return low.call_function(low.program.prelude_named(name), given, named, {})

    return write


for _name in ("sort_plain", "sort_keyed"):
    intrinsic(_name)(_sharing_lists(_name))


# What rules call.


class View(Iter):
    """What keys(), values() and items() give: the dict itself, seen from one side."""

    def __init__(self, low: Any, items: Value, side: str) -> None:
        given: dict[str, Value | str] = {"items": items}
        super().__init__(
            lambda body: low.walk_dict(low.given(given)["items"], side, body), f"{side} of a dict", given
        )
        self.items = items
        self.side = side


def _view(side: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        return Value(View(low, arguments[0], side))

    return write


for _side in ("keys", "values", "items"):
    intrinsic(f"dict_{_side}")(_view(_side))


def _cells(low: Any) -> tuple[Cell, Cell]:
    number = low.ordinal("dict")
    return low.cell(low.node, "keys", number), low.cell(low.node, "values", number)


@intrinsic(collections.OrderedDict)
def _ordered_dict(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    low.program.note_ordered_dicts()
    return _dict(low, arguments, named)


@intrinsic(dict)
def _dict(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    made = dict_new(low, [], {}, *_cells(low))
    return filled(low, made, arguments, named)


def filled(low: Any, made: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
    """A dict with all entries of something else, and those that are named."""
    low.change(*made.shape.cells)  # type: ignore[attr-defined]
    held = low.fresh("%dict")
    low.set_name(held, made)
    for other in arguments:
        _take_entries(low, held, other)
    for name, value in named.items():
        low.call_prelude(
            "dict_set", [low.get_name(held), low.in_form(constant(name)), low.in_form(low.plain(value))]
        )
    return low.taken(held)


def _take_entries(low: Any, held: str, other: Value) -> None:
    if isinstance(other.shape, Union):
        raise low.refuse("makes a dict of values of several kinds", "make it of one kind of value")
    if isinstance(general(other.shape), Dict):
        if isinstance(other.shape, Const) and not other.shape.value:
            return
        low.call_prelude("dict_merge", [low.get_name(held), low.in_form(other)])
        return
    if isinstance(other.shape, Const) and isinstance(other.shape.value, dict):
        other = constant(tuple(other.shape.value.items()))

    def body(pair: Value) -> None:
        if isinstance(general(pair.shape), Struct):
            parts = low.fields(low.in_form(pair))
            low.require(len(parts) == 2, traps.code_of(ValueError))
        else:
            low.require(low.op("b", "cmp", "eq", low.length(low.in_form(pair)), 2), traps.code_of(ValueError))
            parts = [low.index(pair, constant(0)), low.index(pair, constant(1))]
        low.call_prelude("dict_set", [low.get_name(held), *(low.in_form(part) for part in parts)])

    done, loop = low.walk(other, body)
    low.merge([*([done] if done else []), *loop.breaks])


@intrinsic("dict_update")
def _dict_update(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    made, *others = arguments
    if made.shape.missing == Const(0):  # type: ignore[attr-defined]
        return _counted(low, made, others, "counter_add_all") and constant(None)
    filled(low, made, others, named)
    return constant(None)


@intrinsic(dict.fromkeys)
def _fromkeys(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    keys, value = (*arguments, constant(None))[:2]
    held = low.fresh("%dict")
    low.set_name(held, dict_new(low, [], {}, *_cells(low)))

    def body(key: Value) -> None:
        low.call_prelude("dict_set", [low.get_name(held), low.in_form(key), low.in_form(value)])

    done, loop = low.walk(keys, body)
    low.merge([*([done] if done else []), *loop.breaks])
    return low.taken(held)


@intrinsic(collections.defaultdict)
def _defaultdict(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    missing: Shape | None = None
    if arguments and arguments[0].shape != Const(None):
        missing = arguments[0].shape
        if not isinstance(missing, Const) and not (isinstance(missing, Closure) and not arguments[0].regs):
            raise low.refuse("makes a defaultdict of a function with values of its own", "use .setdefault()")
    made = dict_new(low, [], {}, *_cells(low), missing=missing)
    return filled(low, made, arguments[1:], named)


@intrinsic(collections.Counter)
def _counter(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    made = dict_new(low, [], {}, *_cells(low), missing=Const(0))
    made = _counted(low, made, arguments, "counter_add_all")
    return filled(low, made, [], named)


def _counted(low: Any, made: Value, others: list[Value], name: str) -> Value:
    low.change(*made.shape.cells)  # type: ignore[attr-defined]
    held = low.fresh("%counter")
    low.set_name(held, made)
    for other in others:
        if isinstance(general(other.shape), Dict):
            low.call_prelude(name, [low.get_name(held), low.in_form(other)])
            continue

        def body(item: Value) -> None:
            low.call_prelude(
                "counter_add",
                [low.get_name(held), low.in_form(item), constant(1 if name == "counter_add_all" else -1)],
            )

        done, loop = low.walk(other, body)
        low.merge([*([done] if done else []), *loop.breaks])
    return low.taken(held)


@intrinsic("dict_subtract")
def _dict_subtract(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    _counted(low, arguments[0], arguments[1:], "counter_take_all")
    return constant(None)


@intrinsic("dict_index")
def dict_index(low: Any, arguments: list[Value], named: Any) -> Value:
    """items[key], whatever sort of dict it is."""
    items, key = arguments
    missing = items.shape.missing  # type: ignore[attr-defined]
    if missing is None:
        return low.call_prelude("dict_item", [items, key])
    if missing == Const(0):
        return low.call_prelude("counter_item", [items, key])
    low.change(*items.shape.cells)  # type: ignore[attr-defined]
    return low.call_prelude("default_item", [items, key, Value(missing)])


@intrinsic("dict_like")
def _dict_like(low: Any, arguments: list[Value], named: Any) -> Value:
    """An empty dict of the same sort."""
    return dict_new(low, [], {}, *_cells(low), missing=arguments[0].shape.missing)  # type: ignore[attr-defined]


# Deques.


@intrinsic(collections.deque)
def _deque(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    most = [*arguments[1:], named.get("maxlen", constant(None))][0]
    made = INTRINSICS[list](low, arguments[:1], {})
    limit = -1 if most.shape == Const(None) else low.integer(most)
    if limit != -1:
        low.require(low.op("b", "cmp", "ge", limit, 0), traps.code_of(ValueError))
        low.call_prelude("list_keep_last", [made, Value(INT, (limit,))])
    header = low.alloc(5)
    low.emit("store", limit, "i", header, 4)
    for place, kind in enumerate("iip"):
        low.emit("store", low.op(kind, "load", made.regs[0], place), kind, header, place)
    low.emit("store", 0, "i", header, 3)
    return Value(Deque(*made.shape.cells), (header,))  # type: ignore[attr-defined]


@intrinsic("deque_limit")
def _deque_limit(low: Any, arguments: list[Value], named: Any) -> Value:
    """How many elements a deque may have, or -1."""
    return Value(INT, (low.op("i", "load", arguments[0].regs[0], 4),))


@intrinsic("deque_touch")
def _deque_touch(low: Any, arguments: list[Value], named: Any) -> Value:
    """Note that a deque was changed, since nobody may walk through it meanwhile."""
    header = arguments[0].regs[0]
    low.emit("store", low.op("i", "bin", "add", low.op("i", "load", header, 3), 1), "i", header, 3)
    return constant(None)


@intrinsic("list_behead")
def _list_behead(low: Any, arguments: list[Value], named: Any) -> Value:
    """Forget the first element of a list: the others stay where they are."""
    (items,) = arguments
    low.change(*items.shape.cells)  # type: ignore[attr-defined]
    header = items.regs[0]
    for place in (0, 1):
        low.emit(
            "store", low.op("i", "bin", "sub", low.op("i", "load", header, place), 1), "i", header, place
        )
    data = low.op("p", "load", header, 2)
    low.emit("store", low.op("p", "at", data, 1, width(items.shape.cells[0].elem), 0), "p", header, 2)  # type: ignore[attr-defined]
    return constant(None)
