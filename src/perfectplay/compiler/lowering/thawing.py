"""States and actions that hold lists, sets, dicts or objects that change: copied into rules, and out of them.

Where they are kept, such things are plain values (`shapes.shown`): a list is a row of what is in it. A rule
gets a copy that it may do with as it likes, and what it gives is taken as it is then. So the search never
sees a state change, whatever aliases a rule has had.
"""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.cells import cells_within
from perfectplay.compiler.lowering.hash_tables import HEAD, SLOT
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.iterating import driven, walk_all
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.number_classes import kind_of_number
from perfectplay.compiler.program import TRUSTED
from perfectplay.compiler.reading import Function
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    Dict,
    Frozen,
    List,
    Object,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    as_played,
    general,
    holds_kept,
    is_struct_class,
    struct_names,
    width,
)
from perfectplay.game import Game

COPY = "change a copy: copy.deepcopy(state)"
OURS = (
    *("chances", "key", "canonical", "evaluate", "order", "bounds", "is_quiet", "tier"),
    *("pack", "unpack", "rank", "unrank"),
)
GIVING_STATES = ("result", "canonical", "unpack", "unrank")
GIVING_ACTIONS = ("actions", "candidates", "chances")


def is_boundary(function: Function) -> bool:
    """Does a function call rules from outside, with states as they are kept?"""
    return str(function.space.get("__name__")).startswith(TRUSTED) or "__boundary__" in function.space


def is_rule(low: Any, known: Any, name: str) -> bool:
    """Is it a rule of the game that is called from outside, and not a default of ours?"""
    if not isinstance(known, Game) or not is_boundary(low.frames[-1].function):
        return False
    return name not in OURS or getattr(type(known), name, None) is not getattr(Game, name, None)


def given_back(low: Any, name: str, value: Value) -> Value:
    """What a rule gives, as it is kept."""
    if name in GIVING_STATES:
        return _taken(low, value, low.program.seen_state)
    if name in GIVING_ACTIONS:
        return _taken_items(low, value, BOTTOM if name == "chances" else low.program.seen_action)
    return value


def _taken(low: Any, value: Value, seen: Shape) -> Value:
    """A state or an action as it is kept; what it should be by inference alone, and never was, is a trap."""
    wanted = as_played(value.shape, seen)
    if wanted is not value.shape:
        return low.coerce(value, wanted)
    return low.call_prelude("frozen_from", [value]) if needs_freezing(value.shape) else value


def _taken_items(low: Any, value: Value, seen: Shape) -> Value:
    """Actions to walk through, each as it is kept."""
    shape = general(value.shape)
    if isinstance(shape, Iter):
        return driven(
            low,
            lambda at_yield: walk_all(low, given[0], lambda item: at_yield(_taken(low, item, seen))),
            "actions",
            given := [value],
        )
    elem: Shape = BOTTOM
    if isinstance(shape, Seq | List):
        elem = low.element_shape(shape)
    if not needs_freezing(elem):
        return value
    return _listed(low, low.in_form(value), lambda low, item: _taken(low, item, seen))


# What rules may not do.


def require_unchanged(low: Any, kept: list[Value], given: list[Value], found: Value) -> None:
    """Leave to Python where a rule changes what it was asked about: the copy, where Python has the state.

    Only what some function of the rules may change is looked at, which none does in most games.
    """
    if low.dead:
        return
    own = low.frames[-1].function.node
    for place, (value, thaw) in enumerate(zip(kept, given, strict=True)):
        if not holds_kept(value.shape):
            continue
        changes = is_changed(thaw.shape, own)
        low.program.thaws[low.instance, low.node, low.path(), place] = thaw.shape, own, changes
        if changes and isinstance(found.shape, Iter):
            raise low.refuse("changes the state that it is asked about, while others look at it", COPY)
        if changes:
            same = low.call_prelude("is_unchanged", [value, thaw])
            low.require(low.boolean(same), traps.UNDECIDED)


@intrinsic("has_contents_of")
def _has_contents_of(low: Any, arguments: list[Value], named: Any) -> Value:
    """Is a value as it was kept, which one was thawed from?"""
    value, copied = arguments
    same = low.is_equal(_contents(low, value), _contents(low, frozen(low, copied)))
    return constant(same) if isinstance(same, bool) else Value(BOOL, (same,))


def is_changed(shape: Shape, own: Any) -> bool:
    """May something in a value be changed by another function than the one that made it?"""
    return any(node is not own for cell in cells_within(shape) for _, node, _ in cell.changers)


def unchecked(program: Any) -> list[Any]:
    """The functions that hand states to rules of which it was found only then that they may change them."""
    return [
        instance
        for (instance, *_), (shape, own, checked) in program.thaws.items()
        if not checked and is_changed(shape, own)
    ]


def _contents(low: Any, value: Value) -> Value:
    """All that is kept in a value, as tuples, which are equal if everything in them is."""
    match value.shape:
        case Union():
            return low.each_member(value, lambda one: _contents(low, one))
        case Struct(cls=cls) if not kind_of_number(cls):
            return low.struct(tuple, [_contents(low, part) for part in low.fields(value)])
        case Seq(elem=elem) if isinstance(elem, Struct | Union | Seq):
            return low.as_tuple(_listed(low, value, _contents))
    return value


# Out of rules.


def needs_freezing(shape: Shape) -> bool:
    """Is there something in a value that may change?"""
    match general(shape):
        case List() | Set() | Dict() | Object():
            return True
        case Struct(fields=parts) | Union(members=parts):
            return any(map(needs_freezing, parts))
        case Seq(elem=elem):
            return needs_freezing(elem)
    return False


def frozen(low: Any, value: Value) -> Value:
    """A value with nothing in it that may change."""
    if not needs_freezing(value.shape):
        return value
    value = low.in_form(value)
    shape = value.shape
    match shape:
        case Union():
            return low.each_member(value, lambda one: frozen(low, one))
        case Object(cls=cls):
            if own := [name for name in shape.attributes.cells if name not in struct_names(cls)]:
                raise low.refuse(f"gives a state another attribute, {own[0]}", "give it in __init__")
            return frozen(low, low.as_value(value)) if not low.dead else Value(BOTTOM)
        case Struct(cls=cls):
            return low.struct(cls, [frozen(low, part) for part in low.fields(value)])
        case Seq():
            return low.as_tuple(_listed(low, value, frozen))
        case Set():
            block = low.op("p", "load", value.regs[0], 0)
            return low.struct(set, [Value(Frozen(shape.cells[0].elem), (block,))])
        case Dict(missing=None):
            pairs = INTRINSICS["dict_items"](low, [value], {})
            return low.struct(dict, [low.as_tuple(_listed(low, pairs, frozen))])
    if type(shape) is List:
        return low.struct(list, [low.as_tuple(_listed(low, value, frozen))])
    raise low.refuse(f"keeps {shape!r} in states or actions", "keep a list, a set or a dict")


def _listed(low: Any, value: Value, each: Any) -> Value:
    """A new list of what becomes of each item."""
    held = low.fresh("%each")
    low.set_name(held, low.new_list(low.cell(low.node, "each", low.ordinal("each")), 0))
    walk_all(low, value, lambda item: low.append(low.get_name(held), each(low, item)))
    return low.taken(held)


# Into rules.


def thawed(low: Any, value: Value) -> Value:
    """A value as rules know it: with lists, sets, dicts and objects of its own."""
    shape = value.shape
    if not holds_kept(shape):
        return value
    match shape:
        case Union():
            return low.each_member(value, lambda one: thawed(low, one))
        case Seq():
            return low.as_tuple(_listed(low, value, thawed))
        case Struct(cls=cls) if cls is list:
            return _listed(low, low.fields(value)[0], thawed)
        case Struct(cls=cls) if cls is set:
            return _thawed_set(low, low.fields(value)[0])
        case Struct(cls=cls) if cls is dict:
            return _thawed_dict(low, low.fields(value)[0])
        case Struct(cls=cls):
            made = low.struct(cls, [thawed(low, part) for part in low.fields(value)])
            return made if issubclass(cls, tuple) or is_struct_class(cls) else low.as_object(made)
    raise low.refuse(f"keeps {shape!r} in states or actions", "keep a list, a set or a dict")


def thawed_for(low: Any, rule: Any, value: Value) -> Value:
    """The same, by a function: each rule has copies of its own, whoever asks it."""
    return low.call_prelude("thawed_for", [constant(rule), value]) if holds_kept(value.shape) else value


@intrinsic("thaw")
def _thaw(low: Any, arguments: list[Value], named: Any) -> Value:
    return thawed(low, arguments[0])


@intrinsic("freeze")
def _freeze(low: Any, arguments: list[Value], named: Any) -> Value:
    return frozen(low, arguments[0])


def _thawed_set(low: Any, table: Value) -> Value:
    """A set whose table is that of the one that was kept, so that it is walked through in the same order."""
    elem: Shape = table.shape.elem  # type: ignore[attr-defined]
    cell = low.cell(low.node, "thawed set", low.ordinal("thawed set"))
    if elem is BOTTOM or low.put_into(cell, elem) != elem:
        return INTRINSICS[set](low, [table], {})
    slots = low.op("i", "bin", "add", low.op("i", "load", table.regs[0], 1), 1)
    words = low.op("i", "bin", "add", low.op("i", "bin", "mul", slots, SLOT + width(elem)), HEAD)
    block, holder = low.alloc(words), low.alloc(2)
    low.copy_words(table.regs[0], block, 0, words)
    low.emit("store", block, "p", holder, 0)
    low.emit("store", 0, "i", holder, 1)
    return Value(Set(cell), (holder,))


def _thawed_dict(low: Any, pairs: Value) -> Value:
    """A dict with the entries of the one that was kept, in their order."""
    held = low.fresh("%thawed")
    low.set_name(held, INTRINSICS[dict](low, [], {}))

    def body(pair: Value) -> None:
        key, item = low.fields(low.in_form(pair))
        low.call_prelude("dict_set", [low.get_name(held), thawed(low, key), thawed(low, item)])

    if pairs.shape != Seq(BOTTOM):
        walk_all(low, pairs, body)
    return low.taken(held)
