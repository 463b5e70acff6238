"""Tables of constants: a key of a constant dict, set or tuple is found by indexing, or by its hash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.growing_dicts import as_whole, by_default, default_of
from perfectplay.compiler.lowering.hashes import hash_of
from perfectplay.compiler.lowering.values import Value
from perfectplay.compiler.shapes import (
    BOTTOM,
    CHAR,
    INT,
    LARGE,
    WIDE,
    WORD,
    Atom,
    Cell,
    Const,
    Dict,
    Mismatch,
    Seq,
    Shape,
    Union,
    general,
    join_all,
    members_of,
)

FEW = 8  # keys that are compared one by one
SPARSE = 8  # places of a table for each key, at most
SMALL = 256  # places that a table may have in any case


def constant_row(low: Any, values: Iterable[Any]) -> Value:
    """Constants in a row in memory that nobody writes to, to be indexed."""
    row = tuple(values)
    try:
        elem: Shape = join_all(general(Const(value)) for value in row)
    except Mismatch as error:
        kinds = " and ".join(map(repr, error.shapes))
        raise low.refuse(f"mixes {kinds} in one constant", "keep them apart") from None
    return low.materialise(row, Seq(elem))


def key_number(low: Any, known: Iterable[Any], key: Value) -> Operand:
    """The number of a key among constants, or -1."""
    keys = list(known)
    shape = key.shape
    if isinstance(shape, Union):
        return low.each_member(key, lambda one: Value(INT, (key_number(low, keys, one),))).regs[0]
    if isinstance(shape, Const):
        return next((number for number, one in enumerate(keys) if one == shape.value), -1)
    if not keys or shape is BOTTOM:
        return -1
    if isinstance(shape, Atom):
        return _by_member(low, keys, key, shape.kind)
    if shape == CHAR:
        letters = {
            ord(one): number for number, one in enumerate(keys) if isinstance(one, str) and len(one) == 1
        }
        found = _by_number(low, letters, key.regs[0])
        if found is not None:
            return found
    has_floats = any(isinstance(one, float) for one in keys)
    if low.is_whole(shape) and shape not in (WORD, WIDE, LARGE) and not has_floats:
        numbers = {
            int(one): number for number, one in reversed(list(enumerate(keys))) if isinstance(one, int)
        }
        found = _by_number(low, numbers, low.integer(key))
        if found is not None:
            return found
    if len(keys) <= FEW or not _are_hashable(keys):
        return low.integer(low.call_prelude("place_in", [constant_row(low, keys), key]))
    word = Value(WORD, (hash_of(low, key),))
    return low.integer(low.call_prelude("dict_find", [_hashed(low, keys), key, word]))


def _are_hashable(keys: list[Any]) -> bool:
    try:
        return len(set(keys)) == len(keys)
    except TypeError:
        return False


def _by_number(low: Any, numbers: dict[int, int], index: Operand) -> Operand | None:
    """By a table of all numbers between the least and the largest key, if that is no waste."""
    if not numbers:
        return -1
    first, last = min(numbers), max(numbers)
    size = last - first + 1
    if size > max(SMALL, SPARSE * len(numbers)) or not -(2**62) < first <= last < 2**62:
        return None
    table = low.materialise(tuple(numbers.get(first + place, -1) for place in range(size)), Seq(INT))
    place = low.op("i", "bin", "sub", index, first) if first else index
    inside = low.op("b", "cmp", "ult", place, size)
    found = low.element(table, low.op("i", "select", inside, place, 0)).regs[0]
    return low.op("i", "select", inside, found, -1)


def _by_member(low: Any, keys: list[Any], key: Value, kind: type) -> Operand:
    """By a table of all members of an enum, or of all words."""
    if kind is str:
        low.instance.uses_words = True
        low.program.word_count()
        members: list[Any] = list(low.program.words)
    else:
        members = members_of(kind)
    numbers = [next((number for number, one in enumerate(keys) if one == member), -1) for member in members]
    if not numbers or all(number < 0 for number in numbers):
        return -1
    return low.element(low.materialise(tuple(numbers), Seq(INT)), key.regs[0]).regs[0]


def _hashed(low: Any, keys: list[Any]) -> Value:
    """The keys as those of a dict in memory: one for all who ask for the same."""
    kept = low.program.hashed_keys
    name = tuple(map(id, keys))
    if name not in kept:
        cells = Cell(), Cell()
        try:
            cells[0].elem = join_all(general(Const(one)) for one in keys)
        except Mismatch:
            raise low.refuse("mixes keys of several kinds", "use keys of one kind") from None
        cells[1].elem = Const(None)
        for cell in cells:
            cell.frozen = True
        kept[name] = keys, Dict(*cells)
    return low.materialise(dict.fromkeys(keys), kept[name][1])


def is_among(low: Any, known: Any, item: Value) -> Operand:
    """Is an item among constants?"""
    parts = list(as_whole(low, known))
    simple = low.is_whole(item.shape) or item.shape == CHAR or isinstance(item.shape, Atom)
    if len(parts) <= (3 if simple else FEW):
        return low.any_equal([Value(Const(part)) for part in parts], item)
    number = key_number(low, parts, item)
    return number >= 0 if isinstance(number, int) else low.op("b", "cmp", "ge", number, 0)


def look_up(low: Any, known: dict[Any, Any], key: Value) -> Value:
    """The value of a constant dict under a key."""
    number = key_number(low, known, key)
    factory = default_of(low, known)
    if number == -1 and factory is not None:
        return by_default(low, known, factory)
    code = traps.UNDECIDED if hasattr(known, "__missing__") else traps.code_of(KeyError)
    if number == -1:
        low.fail(code)
        return Value(BOTTOM)
    if factory is None or isinstance(number, int):
        low.require(low.op("b", "cmp", "ge", number, 0), code)
        return low.numbered(list(known.values()), number)
    yes, no = low.split(low.op("b", "cmp", "ge", number, 0))
    names = dict(low.names)
    low.enter(yes)
    ends = [low.end(low.numbered(list(known.values()), number))]
    low.enter(no)
    low.names = names
    other = by_default(low, known, factory)
    if not low.dead:
        ends.append(low.end(other))
    return low.merge(ends) or Value(BOTTOM)
