"""Primitives of the search in machine code: what `primitives.py` means, as instructions."""

from __future__ import annotations

import math
import struct
from math import inf
from typing import Any

from perfectplay.compiler import primitives, traps
from perfectplay.compiler.layouts import PackedLayout
from perfectplay.compiler.lowering.intrinsics import intrinsic
from perfectplay.compiler.lowering.memory import signed
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.shapes import BOOL, FLOAT, INT, LARGE, WIDE, WORD, Const, Record
from perfectplay.game import default_key, packs


@intrinsic(primitives.word)
def _word(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    if isinstance(value.shape, Const):
        return Value(WORD, (signed(value.shape.value),))
    return Value(WORD, (low.integer(value),))


@intrinsic(primitives.exact_float)
def _exact_float(low: Any, arguments: list[Value], named: Any) -> Value:
    value = low.real(arguments[0], exactly=True)
    if isinstance(value, float):
        low.require(value == value, traps.UNDECIDED)
    else:
        low.require(low.op("b", "cmp", "eq", value, value), traps.UNDECIDED)  # it is not nan
    return Value(FLOAT, (value,))


@intrinsic(primitives.single_bits)
def _single_bits(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (low.op("i", "single", low.real(arguments[0])),))


@intrinsic(primitives.from_single_bits)
def _from_single_bits(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(FLOAT, (low.op("f", "double", low.integer(arguments[0])),))


@intrinsic(primitives.double_bits)
def _double_bits(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(WORD, (low.op("i", "cast", "float_to_bits", low.real(arguments[0])),))


@intrinsic(primitives.from_double_bits)
def _from_double_bits(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(FLOAT, (low.op("f", "cast", "bits_to_float", low.integer(arguments[0])),))


@intrinsic(math.nextafter)
def _next_after(low: Any, arguments: list[Value], named: Any) -> Value:
    start, towards = arguments
    if towards.shape != Const(inf):
        raise low.refuse("asks for the next smaller number", "go towards infinity")
    value = low.real(start)
    bits = low.op("i", "cast", "float_to_bits", value)
    more, less = low.op("i", "bin", "add", bits, 1), low.op("i", "bin", "sub", bits, 1)
    moved = low.op("i", "select", low.op("b", "cmp", "gt", value, 0.0), more, less)
    moved = low.op("i", "select", low.op("b", "cmp", "eq", value, 0.0), 1, moved)
    infinite = struct.unpack("<q", struct.pack("<d", inf))[0]
    moved = low.op("i", "select", low.op("b", "cmp", "eq", bits, infinite), bits, moved)
    return Value(FLOAT, (low.op("f", "cast", "bits_to_float", moved),))


@intrinsic(primitives.arena_mark)
def _arena_mark(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.op("i", "cast", "address", low.op("p", "mark")),))


@intrinsic(primitives.arena_release)
def _arena_release(low: Any, arguments: list[Value], named: Any) -> Value:
    low.emit("release", low.op("p", "cast", "pointer", low.integer(arguments[0])))
    return constant(None)


@intrinsic(primitives.prefetch)
def _prefetch(low: Any, arguments: list[Value], named: Any) -> Value:
    low.emit("prefetch", arguments[0].regs[0])
    return constant(None)


@intrinsic(primitives.record_at)
def _record_at(low: Any, arguments: list[Value], named: Any) -> Value:
    cls, address = arguments
    pointer = low.op("p", "cast", "pointer", low.integer(address))
    return Value(Record(cls.shape.value), (pointer,))  # type: ignore[attr-defined]


@intrinsic(primitives.ask)
def _ask(low: Any, arguments: list[Value], named: Any) -> Value:
    function, *question = map(low.integer, arguments)
    status = low.op("i", "ask", low.op("p", "cast", "pointer", function), *question)
    low.require(low.op("b", "cmp", "eq", status, primitives.FOUND), traps.ASKING)
    return constant(None)


@intrinsic(primitives.has_candidates)
def _has_candidates(low: Any, arguments: list[Value], named: Any) -> Value:
    return constant(primitives.has_candidates(arguments[0].shape.value))  # type: ignore[attr-defined]


@intrinsic(primitives.action_slot)
def _action_slot(low: Any, arguments: list[Value], named: Any) -> Value:
    action, size = arguments
    whole = low.integer(action) if low.is_whole(action.shape) else low.digest(action)
    return Value(INT, (low.op("i", "bin", "and", whole, low.op("i", "bin", "sub", low.integer(size), 1)),))


@intrinsic(primitives.put_leaves)
def _put_leaves(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.leave(arguments[1], low.program.leaves, arguments[0].regs[0])


@intrinsic(primitives.state_of)
def _state_of(low: Any, arguments: list[Value], named: Any) -> Value:
    pointer = arguments[0].regs[0]
    low.checked(low.program.leaves, pointer, 0)
    return low.revive(low.program.leaves, pointer, 0)


@intrinsic(primitives.is_packed_by_game)
def _is_packed_by_game(low: Any, arguments: list[Value], named: Any) -> Value:
    return constant(isinstance(low.program.leaves, PackedLayout))


@intrinsic(primitives.put_number)
def _put_number(low: Any, arguments: list[Value], named: Any) -> Value:
    words, first, width, number, _ = arguments
    pointer = low.op("p", "at", words.regs[0], low.integer(first), 1, 0)
    if not low.program.leaves.wide and number.shape != WIDE:
        whole = low.integer(number)
        low.emit("store", whole, "i", pointer, 0)
        return Value(BOOL, (low.op("b", "cmp", "ge", whole, 0),))
    large = low.coerce(number, WIDE).regs[0]
    lower = low.op("i", "cast", "narrow", large)
    upper = low.op("i", "cast", "narrow", low.op("w", "bin", "ashr", large, 64))
    low.emit("store", lower, "i", pointer, 0)
    positive = low.op("b", "cmp", "ge", upper, 0)
    if not low.program.leaves.wide:
        same = low.op("b", "cmp", "eq", low.op("w", "cast", "widen", lower), large)
        return Value(BOOL, (low.op("b", "bin", "and", same, positive),))
    several = low.op("b", "cmp", "gt", low.integer(width), 1)
    again = low.op("p", "at", pointer, low.op("i", "cast", "zext", several), 1, 0)
    low.emit("store", low.op("i", "select", several, upper, lower), "i", again, 0)
    return Value(BOOL, (low.op("b", "select", several, positive, low.op("b", "cmp", "eq", upper, 0)),))


@intrinsic(primitives.number_in)
def _number_in(low: Any, arguments: list[Value], named: Any) -> Value:
    words, first, width, _ = arguments
    pointer = low.op("p", "at", words.regs[0], low.integer(first), 1, 0)
    lower = low.op("i", "load", pointer, 0)
    if not low.program.leaves.wide:
        return Value(INT, (lower,))
    # Of one word, it is read twice, and its second half counts for nothing.
    several = low.op("b", "cmp", "gt", low.integer(width), 1)
    again = low.op("p", "at", pointer, low.op("i", "cast", "zext", several), 1, 0)
    upper = low.op("i", "select", several, low.op("i", "load", again, 0), 0)
    high = low.op("w", "bin", "shl", low.op("w", "cast", "widen_count", upper), 64)
    return Value(WIDE, (low.op("w", "bin", "or", high, low.op("w", "cast", "widen_count", lower)),))


@intrinsic(primitives.word_at)
def _word_at(low: Any, arguments: list[Value], named: Any) -> Value:
    data, place = arguments
    return Value(WORD, (low.op("i", "load_bytes", data.regs[0], low.integer(place)),))


@intrinsic(packs)
def _packs(low: Any, arguments: list[Value], named: Any) -> Value:
    return constant(packs(arguments[0].shape.value))  # type: ignore[attr-defined]


@intrinsic(default_key)
def _default_key(low: Any, arguments: list[Value], named: Any) -> Value:
    (state,) = arguments
    if state.shape in (WIDE, LARGE):
        return Value(WORD, (low.digest_of_large(state, mixes=False),))
    if state.shape in (INT, BOOL):
        return Value(WORD, (low.integer(state),))
    return Value(WORD, (low.digest(state),))
