"""Sets, as rules make and ask them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.hashing import (
    text_key,
)
from perfectplay.compiler.lowering.hash_tables import HEAD, SLOT, element_of, set_new, table_frozen
from perfectplay.compiler.lowering.hashes import has_known_order, in_known_order
from perfectplay.compiler.lowering.intrinsics import intrinsic
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.program import ExactOrder
from perfectplay.compiler.shapes import (
    BOTTOM,
    INT,
    Cell,
    Const,
    Dict,
    Frozen,
    Set,
    Shape,
    Union,
    general,
    width,
)


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
    return table_frozen(low, [made], {}) if made.shape is not BOTTOM else made


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
