"""What `itertools` and `zip` make of several things to walk through, however many there are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.cursors import Taker, cursor_over, is_cursor, is_settled
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.values import End, Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    INT,
    RANGE,
    STR,
    Const,
    Dict,
    Frozen,
    List,
    Seq,
    Set,
    Struct,
    Union,
    family,
)

LISTED = 2000  # tuples of a constant that are written down
NESTED = 6  # loops within one another
ENDLESS = ("generator count", "generator repeat", "generator cycle")


def row_of(low: Any, value: Value) -> Value:
    """Something to walk through as something to index."""
    shape = value.shape
    if isinstance(shape, Const):
        value = low.constant_to_walk(shape.value)
        return _empty(low) if isinstance(value.shape, Seq) and value.shape.elem is BOTTOM else value
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: row_of(low, one) if low.is_walkable(one) else None)
    if isinstance(shape, Iter | Set | Frozen | Dict):
        return INTRINSICS[list](low, [value], {})
    if shape == BYTES:
        return Value(Seq(INT), value.regs)
    if family(shape) == "str":
        return low.coerce(value, STR)
    if isinstance(shape, Struct):
        return _empty(low) if not shape.fields else low.in_memory(value)
    return value


def _empty(low: Any) -> Value:
    pointer = low.alloc(1)
    low.emit("store", 0, "i", pointer, 0)
    return Value(Seq(BOTTOM), (pointer,))


@intrinsic("in_row")
def _in_row(low: Any, arguments: list[Value], named: Any) -> Value:
    return row_of(low, arguments[0])


def size_of(low: Any, row: Value) -> Operand:
    """How many elements there are to index."""
    return low.range_length(row) if row.shape == RANGE else low.length(row)


def item_of(low: Any, row: Value, at: Operand) -> Value:
    """An element whose index is known to be right."""
    if row.shape == RANGE:
        start, _, step = row.regs
        return Value(INT, (low.op("i", "bin", "add", start, low.op("i", "bin", "mul", at, step)),))
    return low.element(row, at)


def driven(
    low: Any, produce: Callable[[Callable[[Value], None]], None], what: str, values: list[Value]
) -> Value:
    """Something to walk through: `produce` writes the loops over `values`, and hands every item on."""
    frames, path, node = list(low.frames), list(low.inlining), low.node
    given: dict[str, Value | str] = {str(number): value for number, value in enumerate(values)}

    def each(body: Any) -> Any:
        def writing(at_yield: Callable[[Value], None]) -> None:
            mine, low.inlining = low.inlining, path
            before, low.node = low.node, node
            values[:] = low.given(given).values()
            produce(at_yield)
            low.inlining, low.node = mine, before

        return low.drive(writing, body, frames)

    return Value(Iter(each, what, given))


def walk_all(low: Any, value: Value, body: Callable[[Value], None]) -> None:
    """A loop over a value, and on after it."""
    done, loop = low.walk(value, body)
    low.merge([*([done] if done else []), *loop.breaks])


def go_on_if(low: Any, test: Operand) -> None:
    """Leave this round of the innermost loop unless it is so."""
    yes, no = low.split(test)
    low.frames[-1].loops[-1].continues.append(End(no, dict(low.names)))
    low.enter(yes)


def leave_unless(low: Any, test: Operand) -> None:
    """Leave the innermost loop unless it is so."""
    yes, no = low.split(test)
    low.frames[-1].loops[-1].breaks.append(End(no, dict(low.names)))
    low.enter(yes)


def hold(low: Any, values: list[Value], what: str) -> list[str]:
    """Names for values that are needed again after a yield."""
    names = [low.fresh(f"%{what}") for _ in values]
    for name, value in zip(names, values, strict=True):
        low.set_name(name, value)
    return names


# Side by side.


@intrinsic(zip)
def _zip(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    strict = named.get("strict", constant(False)).shape == Const(True)
    if not arguments:
        return constant(())
    if all(
        isinstance(value.shape, Const) and not isinstance(value.shape.value, set | frozenset)
        for value in arguments
    ):
        parts = [list(value.shape.value) for value in arguments]  # type: ignore[attr-defined]
        if max(map(len, parts)) <= LISTED and (not strict or len({*map(len, parts)}) == 1):
            return constant(tuple(zip(*parts, strict=strict)))
    if any(map(is_cursor, arguments)):
        return _zip_taking(low, arguments, strict)
    driver = _driver(arguments)

    def produce(at_yield: Callable[[Value], None]) -> None:
        others = [row_of(low, value) for number, value in enumerate(arguments) if number != driver]
        rows = hold(low, others, "row")
        (place,) = hold(low, [Value(INT, (0,))], "zipped")

        def body(item: Value) -> None:
            at = low.get_name(place).regs[0]
            parts = []
            for name in rows:
                row = low.get_name(name)
                inside = low.op("b", "cmp", "lt", at, size_of(low, row))
                if strict:
                    low.require(inside, traps.code_of(ValueError))
                else:
                    leave_unless(low, inside)
                parts.append(item_of(low, row, at))
            low.set_name(place, Value(INT, (low.op("i", "bin", "add", at, 1),)))
            parts.insert(driver, item)
            if any(part.shape is BOTTOM for part in parts):
                low.close("br", low.trap_block(traps.UNSEEN))
                low.die()
                return
            at_yield(low.struct(tuple, parts))

        walk_all(low, arguments[driver], body)
        if strict and not low.dead:
            for name in rows:
                row, at = low.get_name(name), low.get_name(place).regs[0]
                low.require(low.op("b", "cmp", "eq", at, size_of(low, row)), traps.code_of(ValueError))

    return driven(low, produce, "zip", arguments)


def _zip_taking(low: Any, arguments: list[Value], strict: bool) -> Value:
    """zip() of iterators that others use too: one item is taken of each, in order, until one has none."""
    endless = [value for value in arguments[1:] if getattr(value.shape, "what", "") in ENDLESS]
    if strict or endless:
        raise low.refuse("zips iterators that are used again", "make lists of them")

    def produce(at_yield: Callable[[Value], None]) -> None:
        others = [value if is_cursor(value) else cursor_over(low, listed(value)) for value in arguments[1:]]
        takers = [Taker(low, value) for value in others]

        def body(item: Value) -> None:
            (first,) = hold(low, [item], "first")
            names = [first]
            for taker in takers:
                leave_unless(low, False if taker.is_empty() else taker.is_left())
                if taker.is_empty():
                    return
                names += hold(low, [taker.take()], "taken")
            at_yield(low.struct(tuple, [low.get_name(name) for name in names]))

        walk_all(low, arguments[0], body)

    def listed(value: Value) -> Value:
        row = row_of(low, value)
        return INTRINSICS[list](low, [row], {}) if row.shape == RANGE else row

    return driven(low, produce, "zip", arguments)


@intrinsic(itertools.tee)
def _tee(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """Several iterators over the same, each with a place of its own."""
    value, times = [*arguments, *named.values(), constant(2)][:2]
    if is_cursor(value) or not isinstance(times.shape, Const):
        raise low.refuse("tees an iterator that is used elsewhere", "make a list of it")
    if type(value.shape) is List:
        low.program.note_teed(value.shape.cells[0], low.frames[-1].function, low.node)
    walk = INTRINSICS[iter](low, [value], {})
    assert isinstance(walk.shape, Iter)
    if type(value.shape) is not List and (not is_settled(low, walk.shape) or low.handlers):
        raise low.refuse("tees what may change meanwhile", "make a tuple of it first")
    items = INTRINSICS[list](low, [walk], {})
    return low.struct(tuple, [cursor_over(low, items) for _ in range(times.shape.value)])


def _driver(arguments: list[Value]) -> int:
    """Which of several is walked through, while the others are indexed: one that cannot be indexed."""
    passing = [number for number, value in enumerate(arguments) if isinstance(value.shape, Iter)]
    for number in passing:
        if arguments[number].shape.what in ENDLESS:  # type: ignore[attr-defined]
            return number
    return passing[0] if passing else 0


@intrinsic(itertools.zip_longest)
def _zip_longest(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    fill = named.get("fillvalue", constant(None))

    def produce(at_yield: Callable[[Value], None]) -> None:
        rows = hold(low, [row_of(low, value) for value in arguments], "row")
        longest: Operand = 0
        for name in rows:
            longest = low.op("i", "op", "smax", longest, size_of(low, low.get_name(name)))

        def body(index: Value) -> None:
            (place,) = hold(low, [index], "place")
            parts = []
            for name in rows:
                row, at = low.get_name(name), low.get_name(place).regs[0]
                inside, outside = low.split(low.op("b", "cmp", "lt", at, size_of(low, row)))
                names = dict(low.names)
                ends = []
                if row.shape == RANGE or low.element_shape(row.shape) is not BOTTOM:
                    low.enter(inside)
                    ends.append(low.end(item_of(low, row, at)))
                else:
                    low.enter(inside)
                    low.close("br", outside)
                low.enter(outside)
                low.names = dict(names)
                ends.append(low.end(fill))
                parts.append(low.merge(ends))
            at_yield(low.struct(tuple, parts))

        walk_all(low, Value(RANGE, (0, longest, 1)), body)

    return driven(low, produce, "zip_longest", arguments)


@intrinsic(itertools.chain)
def _chain(low: Any, arguments: list[Value], named: Any) -> Value:
    def produce(at_yield: Callable[[Value], None]) -> None:
        for value in arguments:
            if not low.dead:
                walk_all(low, value, at_yield)

    return driven(low, produce, "chain", arguments)


@intrinsic(itertools.chain.from_iterable)
def _flattened(low: Any, arguments: list[Value], named: Any) -> Value:
    def produce(at_yield: Callable[[Value], None]) -> None:
        walk_all(low, arguments[0], lambda items: walk_all(low, items, at_yield))

    return driven(low, produce, "chain", arguments)


# Within one another.


def _written_down(
    function: Callable[..., Any], arguments: list[Value], count: Callable[..., int]
) -> Value | None:
    """All tuples of constants, where they are not too many."""
    if not all(isinstance(value.shape, Const) for value in arguments):
        return None
    known = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
    try:
        if count(*known) <= LISTED:
            return constant(tuple(function(*known)))
    except (TypeError, ValueError):
        return None
    return None


@intrinsic(itertools.product)
def _product(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    times = named.get("repeat", constant(1))
    if not isinstance(times.shape, Const):
        if len(arguments) != 1:
            raise low.refuse("calls product() of several, repeated so many times", "repeat one of them")
        return low.call_prelude("products", [row_of(low, arguments[0]), times])
    number = times.shape.value
    written = _written_down(
        lambda *pools: itertools.product(*pools, repeat=number),
        arguments,
        lambda *pools: math.prod(map(len, pools)) ** number,
    )
    if written is not None:
        return written
    if number * len(arguments) > NESTED and len(arguments) == 1:
        return low.call_prelude("products", [row_of(low, arguments[0]), times])

    def produce(at_yield: Callable[[Value], None]) -> None:
        pools = hold(low, [row_of(low, value) for value in arguments], "pool") * number

        def nested(level: int, chosen: list[str]) -> None:
            if level == len(pools):
                at_yield(low.struct(tuple, [low.get_name(name) for name in chosen]))
                return
            walk_all(
                low,
                low.get_name(pools[level]),
                lambda item: nested(level + 1, [*chosen, *hold(low, [item], "chosen")]),
            )

        nested(0, [])

    return driven(low, produce, "product", arguments)


def _choosing(
    low: Any,
    items: Value,
    size: int,
    first: Callable[[list[Operand], Operand], Operand],
    distinct: bool,
    what: str,
) -> Value:
    """Loops within one another over the places of a row, each from some place on."""
    values = [items]

    def produce(at_yield: Callable[[Value], None]) -> None:
        (pool,) = hold(low, [row_of(low, values[0])], "pool")

        def nested(level: int, chosen: list[str]) -> None:
            if level == size:
                places = [low.get_name(name).regs[0] for name in chosen]
                row = low.get_name(pool)
                at_yield(low.struct(tuple, [item_of(low, row, at) for at in places]))
                return
            places = [low.get_name(name).regs[0] for name in chosen]
            limits = Value(RANGE, (first(places, 0), size_of(low, low.get_name(pool)), 1))

            def body(place: Value) -> None:
                (name,) = hold(low, [place], "chosen")
                if distinct:
                    for other in chosen:
                        same = low.op(
                            "b", "cmp", "ne", low.get_name(other).regs[0], low.get_name(name).regs[0]
                        )
                        go_on_if(low, same)
                nested(level + 1, [*chosen, name])

            walk_all(low, limits, body)

        row = low.get_name(pool)
        if size and row.shape != RANGE and low.element_shape(row.shape) is BOTTOM:
            return
        nested(0, [])

    return driven(low, produce, what, values)


@intrinsic(itertools.combinations)
def _combinations(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    items, size = (*arguments, *named.values())
    written = _written_down(itertools.combinations, [items, size], lambda pool, r: math.comb(len(pool), r))
    if written is not None:
        return written
    if not isinstance(size.shape, Const) or size.shape.value > NESTED or size.shape.value < 0:
        return low.call_prelude("choices", [row_of(low, items), size])

    def after(places: list[Operand], start: Operand) -> Operand:
        return low.op("i", "bin", "add", places[-1], 1) if places else start

    return _choosing(low, items, size.shape.value, after, distinct=False, what="combinations")


@intrinsic(itertools.combinations_with_replacement)
def _multisets(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    items, size = (*arguments, *named.values())
    if not isinstance(size.shape, Const) or not 0 <= size.shape.value <= NESTED:
        raise low.refuse("calls combinations_with_replacement() of a size that is not known", "name the size")
    return _choosing(
        low,
        items,
        size.shape.value,
        lambda places, start: places[-1] if places else start,
        distinct=False,
        what="choices",
    )


@intrinsic(itertools.permutations)
def _permutations(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    items, size = (*arguments, *named.values(), constant(None))[:2]
    if size.shape == Const(None) and isinstance(items.shape, Struct):
        size = constant(len(items.shape.fields))
    written = _written_down(
        itertools.permutations,
        [items, size],
        lambda pool, r: math.perm(len(pool), len(pool) if r is None else r),
    )
    if written is not None:
        return written
    if not isinstance(size.shape, Const) or size.shape.value is None or not 0 <= size.shape.value <= NESTED:
        return low.call_prelude("arrangements", [row_of(low, items), size])
    return _choosing(
        low, items, size.shape.value, lambda places, start: start, distinct=True, what="permutations"
    )


@intrinsic(itertools.groupby)
def _groupby(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """Keys with the neighbours that have them, each of which is to be walked through once."""
    values = [*arguments, *named.values(), constant(None)][:2]

    def produce(at_yield: Callable[[Value], None]) -> None:
        rows, key = values
        runs = low.call_prelude("runs_of", [low.call_prelude("list_of", [rows]), key])

        def body(run: Value) -> None:
            first, items = low.fields(run)
            at_yield(low.struct(tuple, [first, INTRINSICS[iter](low, [items], {})]))

        walk_all(low, runs, body)

    return driven(low, produce, "groupby", values)
