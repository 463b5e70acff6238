"""Sets in memory, and hashes: what the prelude's sets are made of.

The table of a set is one block without addresses of its own: used, mask and fill, then the slots, each
a hash, what the slot is, and the words of the element. A frozenset is the address of such a block, a set
that of two words: the address, since a set may grow, and where `pop` goes on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.hashing import (
    FIFTH,
    FIRST,
    LENGTH_MIX,
    MODULUS,
    SECOND,
    SMALLEST,
    TEXT_PRIME,
    TEXT_SEED,
    USED,
    has_plain_hash,
    hash_word,
    hashed_fields,
    is_ordered,
    order_is_known,
    text_key,
)
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.intrinsics import intrinsic
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.program import ExactOrder
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    LARGE,
    STR,
    WIDE,
    WORD,
    Atom,
    Cell,
    Const,
    Dict,
    Frozen,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    general,
    members_of,
    struct_names,
    width,
)
from perfectplay.game import SET

IMAGINARY = 1000003  # what the hash of an imaginary part is multiplied by
LATIN = 256  # letters that are one byte each in Python's memory
HEAD = 3  # words before the slots: used, mask, fill
SLOT = 2  # words of a slot before its element: the hash, and what the slot is


def has_known_order(low: Any, shape: Shape) -> bool:
    """Is the order of a set of such elements known?"""
    return low.program.exact or in_known_order(shape)


def require_known_order(low: Any, shape: Shape) -> None:
    """Go on if the order of a set of such elements is known; begin anew with exact hashes if that helps."""
    if has_known_order(low, shape):
        return
    if text_key() is not None:
        raise ExactOrder
    raise low.refuse(
        f"walks through a set of {shape!r}, whose order differs between processes",
        "walk through sorted(...), or keep a tuple or a dict",
    )


def in_known_order(shape: Shape) -> bool:
    """Is the order of a set of such elements the same in every process, and known?"""
    match shape:
        case Const(value=value):
            return is_ordered(value)
        case Atom(kind=kind):
            return issubclass(kind, int) and kind.__hash__ is int.__hash__
        case Struct(cls=cls, fields=parts):
            own = own_method(shape, "__hash__") is not None
            own = own or issubclass(cls, tuple | complex)
            return (own or has_plain_hash(cls)) and all(map(in_known_order, parts))
        case Seq(elem=elem) | Frozen(elem=elem):
            return in_known_order(elem)
        case Union(members=members):
            return all(map(in_known_order, members))
    return shape in (INT, BOOL, FLOAT, BOTTOM) and order_is_known()


# Hashes.


def hash_of(low: Any, value: Value) -> Operand:
    """The hash of a value: Python's own where that is the same in every process."""
    shape = value.shape
    if isinstance(shape, Union):
        found = low.each_member(value, lambda one: Value(WORD, (hash_of(low, one),)))
        return found.regs[0] if found.regs else 0
    if isinstance(shape, Const):
        return _constant_hash(low, shape.value)
    if shape is BOTTOM:
        return 0
    if isinstance(shape, Atom) and shape.kind is not str:
        members = tuple(_signed(hash_word(member, low.program.exact)) for member in members_of(shape.kind))
        return low.element(low.materialise(members, Seq(INT)), value.regs[0]).regs[0]
    if low.is_whole(shape) and shape != WORD:
        if shape in (WIDE, LARGE):
            return _large_hash(low, low.coerce(value, WIDE).regs[0])
        return _whole_hash(low, low.integer(value))
    if shape == FLOAT:
        return _asked(low, "hash_of_float", [value])
    if shape == CHAR and low.program.exact:
        low.require(low.op("b", "cmp", "ult", value.regs[0], LATIN), traps.UNDECIDED)
        letters = tuple(_signed(hash_word(chr(code), True)) for code in range(LATIN))
        return low.element(low.materialise(letters, Seq(INT)), value.regs[0]).regs[0]
    if shape == CHAR:
        mixed = low.op(
            "i",
            "bin",
            "mul",
            low.op("i", "bin", "xor", value.regs[0], _signed(TEXT_SEED)),
            _signed(TEXT_PRIME),
        )
        return low.op("i", "bin", "xor", mixed, low.op("i", "bin", "lshr", mixed, 32))
    if shape == Atom(str):
        low.instance.uses_words = True
        words = tuple(_signed(hash_word(word, low.program.exact)) for word in low.program.words)
        return low.element(low.materialise(words, Seq(INT)), value.regs[0]).regs[0]
    if shape == BYTES:  # as of the text of these letters
        return hash_of(low, Value(STR, value.regs))
    if shape == STR and low.program.exact:
        first, second = (Value(INT, (_signed(part),)) for part in text_key() or (0, 0))
        return _asked(low, "exact_hash_of_text", [value, first, second])
    if shape == STR:
        return _asked(low, "hash_of_text", [low.coerce(value, STR)])
    if isinstance(shape, Struct):
        return _struct_hash(low, value, shape)
    if isinstance(shape, Seq):
        return _asked(low, "hash_of_row", [value])
    if isinstance(shape, Frozen):
        return _asked(low, "hash_of_frozen", [value])
    if isinstance(shape, Reference):
        low.fail(traps.code_of(TypeError))
        return 0
    raise low.refuse(f"keeps {shape!r} in a set or a dict", "keep numbers, strings and tuples in it")


def _asked(low: Any, name: str, arguments: list[Value]) -> Operand:
    """What a function of the prelude gives; it may not be written yet."""
    found = low.call_prelude(name, arguments)
    return found.regs[0] if found.regs else 0


def _constant_hash(low: Any, value: Any) -> Operand:
    try:
        return _signed(hash_word(value, low.program.exact))
    except TypeError:
        low.fail(traps.code_of(TypeError))
        return 0
    except ValueError:
        raise low.refuse(
            f"keeps {value!r} in a set or a dict", "keep numbers, strings and tuples in it"
        ) from None


def _whole_hash(low: Any, number: Operand) -> Operand:
    """The hash of an integer: its size modulo 2**61 - 1, with its sign; never -1."""
    negative = low.op("b", "cmp", "lt", number, 0)
    size = low.op("i", "select", negative, low.op("i", "bin", "sub", 0, number), number)
    rest = low.op(
        "i", "bin", "add", low.op("i", "bin", "and", size, MODULUS), low.op("i", "bin", "lshr", size, 61)
    )
    rest = low.op(
        "i", "select", low.op("b", "cmp", "ge", rest, MODULUS), low.op("i", "bin", "sub", rest, MODULUS), rest
    )
    signed = low.op("i", "select", negative, low.op("i", "bin", "sub", 0, rest), rest)
    return low.op("i", "select", low.op("b", "cmp", "eq", signed, -1), -2, signed)


def _large_hash(low: Any, number: Operand) -> Operand:
    """The same of an integer of 128 bits: 61 of them at a time."""
    negative = low.op("b", "cmp", "lt", number, 0)
    size = low.op("w", "select", negative, low.op("w", "bin", "sub", 0, number), number)
    parts = [low.op("w", "bin", "lshr", size, at) for at in (0, 61, 122)]
    masked = [low.op("i", "bin", "and", low.op("i", "cast", "narrow", part), MODULUS) for part in parts]
    rest = low.op("i", "bin", "add", low.op("i", "bin", "add", masked[0], masked[1]), masked[2])
    for _ in range(2):
        less = low.op("i", "bin", "sub", rest, MODULUS)
        rest = low.op("i", "select", low.op("b", "cmp", "ge", rest, MODULUS), less, rest)
    signed = low.op("i", "select", negative, low.op("i", "bin", "sub", 0, rest), rest)
    return low.op("i", "select", low.op("b", "cmp", "eq", signed, -1), -2, signed)


def _struct_hash(low: Any, value: Value, shape: Struct) -> Operand:
    """The hash of a tuple of known length, or of a dataclass."""
    parts = low.fields(value)
    if not issubclass(shape.cls, tuple):
        if shape.cls.__hash__ is None:
            low.fail(traps.code_of(TypeError))  # type: ignore[unreachable]
            return 0
        if shape.cls is complex:
            real, imag = (hash_of(low, part) for part in parts)
            both = low.op("i", "bin", "add", real, low.op("i", "bin", "mul", imag, IMAGINARY))
            return low.op("i", "select", low.op("b", "cmp", "eq", both, -1), -2, both)
        if (method := own_method(shape, "__hash__")) is not None:
            return _own_hash(low, method, value)
        if not has_plain_hash(shape.cls):
            raise low.refuse(
                f"keeps a {shape.cls.__name__} with a __hash__ of its own in a set", "keep tuples in it"
            )
        wanted = hashed_fields(shape.cls)
        parts = [part for name, part in zip(struct_names(shape.cls), parts, strict=True) if name in wanted]
    mixed: Operand = _signed(FIFTH)
    for part in parts:
        lane = low.op("i", "bin", "mul", hash_of(low, part), _signed(SECOND))
        mixed = _turned(low, low.op("i", "bin", "add", mixed, lane))
    mixed = low.op("i", "bin", "add", mixed, _signed(len(parts) ^ LENGTH_MIX))
    return low.op("i", "select", low.op("b", "cmp", "eq", mixed, -1), 1546275796, mixed)


def _own_hash(low: Any, method: Any, value: Value) -> Operand:
    """What a `__hash__` of the rules' own says, as Python takes it: never -1."""
    found = low.call_python(method, [value], {})
    if low.dead or found.shape is BOTTOM:
        return 0
    number = low.integer(found)
    return low.op("i", "select", low.op("b", "cmp", "eq", number, -1), -2, number)


def _turned(low: Any, mixed: Operand) -> Operand:
    upper, lower = low.op("i", "bin", "shl", mixed, 31), low.op("i", "bin", "lshr", mixed, 33)
    return low.op("i", "bin", "mul", low.op("i", "bin", "or", upper, lower), _signed(FIRST))


def _signed(word: int) -> int:
    return (word + 2**63) % 2**64 - 2**63


@intrinsic("hash_of")
def _hash_of(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (hash_of(low, arguments[0]),))


@intrinsic(hash)
def _hash(low: Any, arguments: list[Value], named: Any) -> Value:
    require_known_order(low, general(arguments[0].shape))
    return Value(INT, (hash_of(low, arguments[0]),))


@intrinsic("word")
def _word(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.coerce(arguments[0], WORD)


@intrinsic("float_bits")
def _float_bits(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (low.op("i", "cast", "float_to_bits", low.real(arguments[0])),))


# Tables.


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
def _table_frozen(low: Any, arguments: list[Value], named: Any) -> Value:
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
    size = low.mixed(low.op("i", "bin", "add", low.length(items), _signed(SET)))
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


# What rules call.


def any_order(low: Any, value: Value) -> Value:
    """A set to be walked through where the order cannot matter; other values as they are."""
    if not isinstance(value.shape, Set | Frozen) or has_known_order(low, element_of(value)):
        return value
    low.unordered += 1
    given: dict[str, Value | str] = {"set": value}
    return Value(Iter(lambda body: low.walk_set(low.given(given)["set"], body), "set", given))


def require_order(low: Any, made: Value, before: int) -> None:
    """Refuse a set whose order would show in which order another one was walked through."""
    if low.unordered > before and element_of(made) is not BOTTOM and in_known_order(element_of(made)):
        if text_key() is not None:
            raise ExactOrder
        raise low.refuse(
            f"makes a set of {element_of(made)!r} from a set whose order is another one in every process",
            "make it from sorted(...)",
        )


def folded_set(low: Any, node: ast.Set) -> frozenset[Any] | None:
    """The constant that Python makes of a set that is written out, if all of it is constant."""
    if not all(map(_is_literal, node.elts)):
        return None
    shapes = [low.expression(part).shape for part in node.elts]
    if not all(isinstance(shape, Const) for shape in shapes):
        return None
    items = [shape.value for shape in shapes]
    function = low.frames[-1].function
    while function is not None and function.python is None:
        function = function.parent
    wanted = frozenset(items)
    for kept in _constants_of(function.python.__code__ if function is not None else None):
        if isinstance(kept, frozenset) and kept == wanted and {*map(type, kept)} == {*map(type, wanted)}:
            return kept
    return wanted


def _is_literal(node: ast.AST) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=part):
            return _is_literal(part)
        case ast.BinOp(left=left, right=right):
            return _is_literal(left) and _is_literal(right)
        case ast.Tuple(elts=parts):
            return all(map(_is_literal, parts))
    return False


def _constants_of(code: Any) -> Iterator[Any]:
    for kept in code.co_consts if code is not None else ():
        yield kept
        if hasattr(kept, "co_consts"):
            yield from _constants_of(kept)


def single(low: Any, value: Value) -> Value:
    """A set to be walked through whose order does not matter if it has but one element; else Python."""
    if not isinstance(value.shape, Set | Frozen) or has_known_order(low, element_of(value)):
        return value

    given: dict[str, Value | str] = {"set": value}

    def each(body: Any) -> Any:
        items = low.given(given)["set"]
        low.require(low.op("b", "cmp", "le", low.length(items), 1), traps.UNDECIDED)
        return low.walk_set(items, body)

    return Value(Iter(each, "set", given))


def from_constant(low: Any, known: Any, cell: Cell) -> Value:
    """A set that is made of a constant."""
    made = set(known)
    elem: Shape = BOTTOM
    for item in made:
        elem = low.join(elem, general(Const(item)))
    elem = low.put_into(cell, elem) if elem is not BOTTOM else cell.root().elem
    table = low.materialise(made or frozenset(made), Frozen(elem)).regs[0]
    words = HEAD + (SLOT + width(elem)) * _slots_of(low, made)
    block, holder = low.alloc(words), low.alloc(2)
    low.counted(
        words,
        lambda at: low.emit(
            "store",
            low.op("i", "load", low.op("p", "at", table, at, 1, 0), 0),
            "i",
            low.op("p", "at", block, at, 1, 0),
            0,
        ),
    )
    low.emit("store", block, "p", holder, 0)
    low.emit("store", 0, "i", holder, 1)
    return Value(Set(cell), (holder,))


def _slots_of(low: Any, made: set[Any]) -> int:
    from perfectplay.compiler.hashing import table_of

    return table_of(made, low.program.exact).mask + 1


@intrinsic(set)
def _set(low: Any, arguments: list[Value], named: Any) -> Value:
    cell: Cell = low.cell(low.node, "set", low.ordinal("set"))
    if not arguments:
        return set_new(low, [], {}, cell)
    (value,) = arguments
    if isinstance(value.shape, Const):
        try:
            return from_constant(low, value.shape.value, cell)
        except TypeError:
            low.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
    before = low.unordered
    made = updated(low, set_new(low, [], {}, cell), value)
    require_order(low, made, before)
    return made


@intrinsic(frozenset)
def _frozenset(low: Any, arguments: list[Value], named: Any) -> Value:
    if not arguments:
        return constant(frozenset())
    (value,) = arguments
    if isinstance(value.shape, Frozen):
        return value
    if isinstance(value.shape, Const):
        try:
            return constant(frozenset(value.shape.value))
        except TypeError:
            low.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
    made = _set(low, arguments, {})
    return _table_frozen(low, [made], {}) if made.shape is not BOTTOM else made


def updated(low: Any, made: Value, value: Value) -> Value:
    """A set with all elements of something else added."""
    if isinstance(value.shape, Union):
        held = low.fresh("%updated")
        low.set_name(held, made)
        low.each_member(
            value,
            lambda one: (
                updated(low, low.get_name(held), one) and constant(None) if low.is_walkable(one) else None
            ),
        )
        return low.taken(held)
    low.change(*made.shape.cells)  # type: ignore[attr-defined]
    if isinstance(value.shape, Const) and isinstance(value.shape.value, set | frozenset):
        value = low.in_form(value)
    if isinstance(value.shape, Set | Frozen):
        low.call_prelude("table_merge", [made, value])
        return made
    if isinstance(value.shape, Dict):
        low.call_prelude("table_make_room", [made, Value(INT, (low.length(value),))])
    held = low.fresh("%set")
    low.set_name(held, made)

    def body(item: Value) -> None:
        low.call_prelude("set_add", [low.get_name(held), low.in_form(low.plain(item))])

    done, loop = low.walk(value, body)
    low.merge([*([done] if done else []), *loop.breaks])
    return low.taken(held)


Intrinsic = Callable[[Any, list[Value], Any], Value]


def of_each_kind(method: Intrinsic) -> Intrinsic:
    """A method that takes other collections, each of which may be of several kinds: one kind at a time."""

    def written(low: Any, arguments: list[Value], named: Any) -> Value:
        for place, value in enumerate(arguments):
            if place and isinstance(value.shape, Union):
                before, after = arguments[:place], arguments[place + 1 :]

                def one(member: Value, before: Any = before, after: Any = after) -> Value | None:
                    known = low.is_walkable(member)
                    return written(low, [*before, member, *after], named) if known else None

                done: Value = low.each_member(value, one)
                return done
        return method(low, arguments, named)

    return written


@intrinsic("set_update")
@of_each_kind
def _set_update(low: Any, arguments: list[Value], named: Any) -> Value:
    made, *others = arguments
    for other in others:
        if not low.dead:
            made = updated(low, made, other)
    return constant(None)


@intrinsic("as_set")
def as_set(low: Any, arguments: list[Value], named: Any) -> Value:
    """A set or frozenset as it is, anything else as a new set."""
    (value,) = arguments
    if isinstance(value.shape, Const) and isinstance(value.shape.value, set | frozenset):
        return low.in_form(value)
    return value if isinstance(value.shape, Set | Frozen) else _set(low, arguments, {})


# Methods.


def _fresh_set(low: Any) -> Value:
    return set_new(low, [], {}, low.cell(low.node, "made", low.ordinal("made")))


def _is_set(value: Value) -> bool:
    return isinstance(general(value.shape), Set | Frozen)


@intrinsic("set_union", "frozenset_union")
@of_each_kind
def _union(low: Any, arguments: list[Value], named: Any) -> Value:
    one, *others = arguments
    held = low.fresh("%union")
    low.set_name(held, _fresh_set(low))
    low.call_prelude("table_merge", [low.get_name(held), one])
    for other in others:
        if _is_set(other):
            low.call_prelude("table_merge_unless", [low.get_name(held), low.in_form(other), one])
        else:
            updated(low, low.get_name(held), other)
    return low.call_prelude("kept_as", [low.taken(held), one])


@intrinsic("set_intersection", "frozenset_intersection")
@of_each_kind
def _intersection(low: Any, arguments: list[Value], named: Any) -> Value:
    one, *others = arguments
    if not others:
        return _union(low, [one], {})
    for other in others:
        if _is_set(other):
            one = low.call_prelude("intersection_of", [one, low.in_form(other)])
        else:
            made = _fresh_set(low)
            low.call_prelude("intersection_with", [made, one, other])
            one = low.call_prelude("kept_as", [made, one])
    return one


@intrinsic("set_difference", "frozenset_difference")
@of_each_kind
def _difference(low: Any, arguments: list[Value], named: Any) -> Value:
    one, *others = arguments
    if not others:
        return _union(low, [one], {})
    if isinstance(general(others[0].shape), Dict):
        raise low.refuse("takes the keys of a dict out of a set", "use set(...) of the keys")
    if _is_set(others[0]):
        made = low.call_prelude(
            "difference_of", [low.call_prelude("table_set", [one]), low.in_form(others[0])]
        )
    else:
        made = low.call_prelude("set_copied", [one])
        low.call_prelude("set_difference_update", [made, others[0]])
    for other in others[1:]:
        low.call_prelude("set_difference_update", [made, low.in_form(other)])
    return low.call_prelude("kept_as", [made, one])


@intrinsic("table_set")
def _table_set(low: Any, arguments: list[Value], named: Any) -> Value:
    """A frozenset as a set that nobody changes."""
    (items,) = arguments
    if isinstance(items.shape, Set):
        return items
    holder = low.alloc(2)
    low.emit("store", items.regs[0], "p", holder, 0)
    low.emit("store", 0, "i", holder, 1)
    cell: Cell = low.cell(low.node, "seen", low.ordinal("seen"))
    if element_of(items) is not BOTTOM and low.put_into(cell, element_of(items)) != element_of(items):
        raise low.refuse("mixes sets of several kinds", "keep them apart")
    return Value(Set(cell), (holder,))


@intrinsic("set_symmetric_difference", "frozenset_symmetric_difference")
@of_each_kind
def _symmetric_difference(low: Any, arguments: list[Value], named: Any) -> Value:
    one, other = arguments
    made = _set(low, [other], {})
    low.call_prelude("table_toggle", [made, one])
    return low.call_prelude("kept_as", [made, one])


@intrinsic("set_issubset", "frozenset_issubset")
@of_each_kind
def _issubset(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.call_prelude("is_subset", [arguments[0], as_set(low, arguments[1:], {})])


@intrinsic("set_issuperset", "frozenset_issuperset")
@of_each_kind
def _issuperset(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.call_prelude("is_subset", [as_set(low, arguments[1:], {}), arguments[0]])


@intrinsic("set_isdisjoint", "frozenset_isdisjoint")
@of_each_kind
def _isdisjoint(low: Any, arguments: list[Value], named: Any) -> Value:
    one, other = arguments
    return low.call_prelude("is_disjoint", [one, any_order(low, low.in_form(other))])


@intrinsic("set_pop")
def _set_pop(low: Any, arguments: list[Value], named: Any) -> Value:
    (items,) = arguments
    low.change(*items.shape.cells)  # type: ignore[attr-defined]
    if not has_known_order(low, element_of(items)):
        low.require(low.op("b", "cmp", "le", low.length(items), 1), traps.UNDECIDED)
    return low.call_prelude("set_take", [items])
