"""What is built in and cannot be said in Python itself: the rest of Python's library is in the prelude."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import math
import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from types import GeneratorType
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    LARGE,
    LIMITS,
    RANGE,
    STR,
    WIDE,
    Array,
    Atom,
    ByteArray,
    Cell,
    Const,
    Deque,
    Dict,
    Frozen,
    List,
    Object,
    Reference,
    Seq,
    Set,
    Struct,
    Union,
    family,
    general,
)

INTRINSICS: dict[Any, Callable[..., Value]] = {}


def intrinsic(*keys: Any) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """A function that writes calls of a built-in, or of a method by its kind and name."""

    def register(write: Callable[..., Value]) -> Callable[..., Value]:
        for key in keys:
            INTRINSICS[key] = write
        return write

    return register


@intrinsic(len)
def _len(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    if isinstance(value.shape, Union):
        return low.each_member(value, lambda one: _len(low, [one], {}) if _has_length(one) else None)
    if (method := own_method(value.shape, "__len__")) is not None:
        return low.call_python(method, [value], {})
    value = low.as_text(value)
    if isinstance(value.shape, Const):
        try:
            return constant(len(as_whole(low, value.shape.value)))
        except TypeError:
            low.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
    if value.shape == RANGE:
        return Value(INT, (low.range_length(value),))
    if low.is_text_member(value.shape):
        return _len(low, [low.as_text(value)], {})
    if getattr(value.shape, "side", ""):  # the keys, values or items of a dict
        return _len(low, [value.shape.items], {})
    if not _has_length(value):
        raise low.refuse(
            f"asks for the length of {value.shape!r}", "ask for that of a tuple, a list or a string"
        )
    if family(value.shape) == "str":
        value = low.coerce(value, STR) if value.shape != CHAR else value
    size = low.length(value)
    return constant(size) if isinstance(size, int) else Value(INT, (size,))


def _has_length(value: Value) -> bool:
    shape = general(value.shape)
    return (
        isinstance(shape, Seq | Reference | Struct | Frozen | Array)
        or family(shape) == "str"
        or shape in (RANGE, BYTES)
    )


@intrinsic(range)
def _range(low: Any, arguments: list[Value], named: Any) -> Value:
    if all(isinstance(value.shape, Const) for value in arguments):
        try:
            return constant(range(*(value.shape.value for value in arguments)))  # type: ignore[attr-defined]
        except (TypeError, ValueError) as error:
            low.fail(traps.code_of(type(error)))
            return Value(BOTTOM)
    limits = [low.integer(value) for value in arguments]
    start, stop, step = (0, limits[0], 1) if len(limits) == 1 else (*limits, 1)[:3]
    if not isinstance(step, int):
        low.forbid(low.op("b", "cmp", "eq", step, 0), traps.code_of(ValueError))
    return Value(RANGE, (start, stop, step))


@intrinsic(bool)
def _bool(low: Any, arguments: list[Value], named: Any) -> Value:
    if not arguments:
        return constant(False)
    test = low.truth(arguments[0])
    return constant(test) if isinstance(test, bool) else Value(BOOL, (test,))


@intrinsic(int)
def _int(low: Any, arguments: list[Value], named: Any) -> Value:
    if not arguments:
        return constant(0)
    value = arguments[0]
    if isinstance(value.shape, Union):
        return low.each_member(
            value, lambda one: _int(low, [one, *arguments[1:]], {}) if one.shape != Const(None) else None
        )
    if (method := own_method(value.shape, "__int__") or own_method(value.shape, "__index__")) is not None:
        return low.call_python(method, [value], {})
    if all(isinstance(one.shape, Const) for one in arguments):
        try:
            return constant(int(*(one.shape.value for one in arguments)))  # type: ignore[attr-defined]
        except (TypeError, ValueError) as error:
            low.fail(traps.code_of(type(error)))
            return Value(BOTTOM)
    if family(general(value.shape)) == "str":
        return low.call_prelude("int_of_text", [low.coerce(value, STR), *arguments[1:]])
    if value.shape == FLOAT:
        size = low.op("f", "op", "fabs", value.regs[0])
        low.require(low.op("b", "cmp", "lt", size, 9.0e18), traps.UNDECIDED)
        return Value(INT, (low.op("i", "cast", "fptosi", value.regs[0]),))
    return Value(INT, (low.integer(value),))


@intrinsic(float)
def _float(low: Any, arguments: list[Value], named: Any) -> Value:
    if not arguments:
        return constant(0.0)
    if (method := own_method(arguments[0].shape, "__float__")) is not None:
        return low.call_python(method, arguments, {})
    if isinstance(arguments[0].shape, Const):
        try:
            return constant(float(arguments[0].shape.value))
        except (TypeError, ValueError) as error:
            low.fail(traps.code_of(type(error)))
            return Value(BOTTOM)
    return Value(FLOAT, (low.real(arguments[0]),))


@intrinsic(str)
def _str(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.text_of(arguments[0]) if arguments else constant("")


@intrinsic(ord)
def _ord(low: Any, arguments: list[Value], named: Any) -> Value:
    if isinstance(arguments[0].shape, Const):
        return constant(ord(arguments[0].shape.value))
    if arguments[0].shape == BYTES:
        low.require(low.op("b", "cmp", "eq", low.length(arguments[0]), 1), traps.code_of(TypeError))
        return low.element(arguments[0], 0)
    return Value(INT, low.coerce(arguments[0], CHAR).regs)


@intrinsic(chr)
def _chr(low: Any, arguments: list[Value], named: Any) -> Value:
    if isinstance(arguments[0].shape, Const):
        return constant(chr(arguments[0].shape.value))
    number = low.integer(arguments[0])
    low.require(low.op("b", "cmp", "ult", number, 0x110000), traps.code_of(ValueError))
    return Value(CHAR, (number,))


@intrinsic(abs)
def _abs(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    if isinstance(value.shape, Union):
        return low.each_member(value, lambda one: _abs(low, [one], {}) if low.is_number(one.shape) else None)
    if (method := own_method(value.shape, "__abs__")) is not None:
        return low.call_python(method, [value], {})
    if isinstance(value.shape, Const):
        return constant(abs(value.shape.value))
    if not low.is_number(value.shape):
        raise low.refuse(f"calls abs() of {value.shape!r}", "use it on numbers")
    number = low.as_number(value)
    if number.shape == FLOAT:
        return Value(FLOAT, (low.op("f", "op", "fabs", number.regs[0]),))
    if number.shape == WIDE:
        minus = low.op("w", "check", "sub", 0, number.regs[0], low.trap_block(traps.OVERFLOW))
        return Value(WIDE, (low.op("w", "op", "smax", number.regs[0], minus),))
    low.forbid(low.op("b", "cmp", "eq", number.regs[0], -(2**63)), traps.OVERFLOW)
    minus = low.op("i", "bin", "sub", 0, number.regs[0])
    return Value(INT, (low.op("i", "op", "smax", number.regs[0], minus),))


@intrinsic(divmod)
def _divmod(low: Any, arguments: list[Value], named: Any) -> Value:
    one, other = arguments
    return low.struct(tuple, [low.binary(ast.FloorDiv, one, other), low.binary(ast.Mod, one, other)])


@intrinsic(round)
def _round(low: Any, arguments: list[Value], named: Any) -> Value:
    arguments = [*arguments, *named.values()]
    value = arguments[0]
    if (method := own_method(value.shape, "__round__")) is not None:
        return low.call_python(method, arguments, {})
    if all(isinstance(one.shape, Const) for one in arguments):
        return constant(round(*(one.shape.value for one in arguments)))  # type: ignore[attr-defined]
    if low.is_whole(value.shape) and len(arguments) == 1:
        return Value(INT, (low.integer(value),))
    if len(arguments) > 1 and arguments[1].shape == Const(None):
        arguments = arguments[:1]
    if len(arguments) > 1 and low.is_whole(value.shape):
        low.require(low.op("b", "cmp", "ge", low.integer(arguments[1]), 0), traps.UNDECIDED)
        return Value(INT, (low.integer(value),))
    if len(arguments) > 1:
        return low.call_prelude("rounded", [Value(FLOAT, (low.real(value),)), arguments[1]])
    whole = Value(FLOAT, (low.op("f", "op", "roundeven", low.real(value)),))
    return _int(low, [whole], {})


def _rounding(name: str) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        if (method := own_method(arguments[0].shape, f"__{name}__")) is not None:
            return low.call_python(method, arguments, {})
        if low.is_whole(arguments[0].shape):
            return Value(INT, (low.integer(arguments[0]),))
        return _int(low, [Value(FLOAT, (low.op("f", "op", name, low.real(arguments[0])),))], {})

    return write


INTRINSICS[math.floor] = _rounding("floor")
INTRINSICS[math.ceil] = _rounding("ceil")
INTRINSICS[math.trunc] = _rounding("trunc")


@intrinsic(isinstance, "isinstance")
def _isinstance(low: Any, arguments: list[Value], named: Any) -> Value:
    value, wanted = arguments
    if isinstance(wanted.shape, Union):
        return Value(
            BOOL, (low.truth_of_members(wanted, lambda one: low.truth(_isinstance(low, [value, one], {}))),)
        )
    if not isinstance(wanted.shape, Const):
        raise low.refuse("calls isinstance() with a class that is not known", "name the class")
    if isinstance(value.shape, Union):
        return Value(
            BOOL, (low.truth_of_members(value, lambda one: low.truth(_isinstance(low, [one, wanted], {}))),)
        )
    if isinstance(value.shape, Iter):
        return constant(issubclass(GeneratorType, wanted.shape.value))
    kind = python_type(value)
    if kind is None:
        raise low.refuse(f"calls isinstance() of {value.shape!r}", "ask for its value")
    return constant(issubclass(kind, wanted.shape.value))


def python_type(value: Value) -> type | None:
    """The class of a value, where its shape says so."""
    shape = value.shape
    if isinstance(shape, Const):
        return type(shape.value)
    plain = {INT: int, WIDE: int, LARGE: int, BOOL: bool, FLOAT: float, CHAR: str, STR: str, RANGE: range}
    plain[BYTES] = bytes
    match shape:
        case Struct(cls=cls) | Object(cls=cls):
            return cls
        case Atom(kind=kind):
            return kind
        case Seq():
            return tuple
        case Deque():
            return deque
        case ByteArray():
            return bytearray
        case List():
            return list
        case Set():
            return set
        case Dict(missing=missing):
            return dict if missing is None else Counter if missing == Const(0) else defaultdict
        case Frozen():
            return frozenset
    return plain.get(shape)  # type: ignore[call-overload]


@intrinsic(type)
def _type(low: Any, arguments: list[Value], named: Any) -> Value:
    if isinstance(arguments[0].shape, Union):
        return low.each_member(arguments[0], lambda one: _type(low, [one], {}))
    kind = python_type(arguments[0])
    if kind is None:
        raise low.refuse(f"asks for the type of {arguments[0].shape!r}", "compare its value")
    return constant(kind)


@intrinsic(iter)
def _iter(low: Any, arguments: list[Value], named: Any) -> Value:
    if len(arguments) > 1:
        return low.call_prelude("until", arguments)
    (value,) = arguments
    if isinstance(value.shape, Iter):
        return value
    given: dict[str, Value | str] = {"items": value}
    return Value(Iter(lambda body: low.walk(low.single(low.given(given)["items"]), body), "iterator", given))


@intrinsic(slice)
def _slice(low: Any, arguments: list[Value], named: Any) -> Value:
    """The limits of a slice as a value: one is where it ends."""
    if not 1 <= len(arguments) <= len(LIMITS):
        low.fail(traps.code_of(TypeError))
        return Value(BOTTOM)
    given = [constant(None), *arguments] if len(arguments) == 1 else arguments
    return low.struct(slice, [*given, constant(None)][: len(LIMITS)])


@intrinsic(tuple)
def _tuple(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.as_tuple(arguments[0]) if arguments else constant(())


@intrinsic("tuple_of")
def _tuple_of(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    shape = value.shape
    if isinstance(shape, Const) and not isinstance(shape.value, list):
        return constant(tuple(shape.value))
    if low.is_tuple(shape):
        return value
    if shape == BYTES:
        return Value(Seq(INT), value.regs)
    if family(general(shape)) == "str":
        return Value(Seq(CHAR), low.coerce(value, STR).regs)
    if not isinstance(shape, List):
        value = _list(low, [value], {})
    elem = value.shape.cells[0].elem  # type: ignore[attr-defined]
    if elem is BOTTOM:
        return constant(())
    return low.copied(value, Seq(elem), 0, low.length(value))


@intrinsic(list, "list_of")
def _list(low: Any, arguments: list[Value], named: Any) -> Value:
    cell: Cell = low.cell(low.node, "list", low.ordinal("list"))
    if not arguments:
        return low.new_list(cell, 0)
    (value,) = arguments
    if isinstance(value.shape, Union):
        return low.each_member(value, lambda one: _list(low, [one], {}) if low.is_walkable(one) else None)
    if isinstance(value.shape, Const) and not isinstance(value.shape.value, dict | set | frozenset | range):
        value = low.constant_to_walk(value.shape.value)
    if isinstance(value.shape, Struct) and low.is_tuple(value.shape):
        made = low.new_list(cell, max(len(value.shape.fields), 1))
        for part in low.fields(value):
            low.append(made, part)
        return made
    if isinstance(value.shape, Seq | List) or value.shape == BYTES or family(value.shape) == "str":
        value = low.coerce(value, STR) if family(value.shape) == "str" else value
        shape = low.element_shape(value.shape)
        size = low.length(value)
        if shape is BOTTOM:
            return low.new_list(cell, 0)
        elem = low.put_into(cell, shape)
        made = low.new_list(cell, size)
        low.emit("store", size, "i", made.regs[0], 0)
        pointer, skipped = low.data(made)
        low.copy_elements(value, 0, size, elem, pointer, skipped)
        return made
    held = low.fresh("%listed")
    low.set_name(held, low.new_list(cell, 0))

    def body(item: Value) -> None:
        low.append(low.get_name(held), low.plain(item))

    done, loop = low.walk(value, body)
    low.merge([*([done] if done else []), *loop.breaks])
    return low.taken(held)


@intrinsic("list_append", "list_put")
def _append(low: Any, arguments: list[Value], named: Any) -> Value:
    low.change(*arguments[0].shape.cells)  # type: ignore[attr-defined]
    low.append(arguments[0], low.plain(arguments[1]))
    return constant(None)


@intrinsic("list_shorten")
def _shorten(low: Any, arguments: list[Value], named: Any) -> Value:
    """Leave only so many elements of a list."""
    target, size = arguments
    low.change(*target.shape.cells)  # type: ignore[attr-defined]
    low.emit("store", low.integer(size), "i", target.regs[0], 0)
    return constant(None)


@intrinsic("text_of_letters")
def _text_of_letters(low: Any, arguments: list[Value], named: Any) -> Value:
    (letters,) = arguments
    elem = letters.shape.cells[0].elem  # type: ignore[attr-defined]
    if elem is BOTTOM:
        return constant("")
    if elem != CHAR:
        low.put_into(letters.shape.cells[0], CHAR)  # type: ignore[attr-defined]
        raise low.refuse("joins what are no letters", "join strings")
    return Value(STR, low.copied(letters, Seq(CHAR), 0, low.length(letters)).regs)


@intrinsic(hasattr)
def _hasattr(low: Any, arguments: list[Value], named: Any) -> Value:
    value, name = arguments
    if isinstance(value.shape, Iter):
        return constant(False)
    kind = python_type(value)
    if kind is None or not isinstance(name.shape, Const):
        raise low.refuse("calls hasattr()", "ask for its value")
    return constant(hasattr(value.shape.value if isinstance(value.shape, Const) else kind, name.shape.value))


@intrinsic("int_bit_count")
def _bit_count(low: Any, arguments: list[Value], named: Any) -> Value:
    number = low.as_number(arguments[0])
    if number.shape == WIDE:
        bits = low.op("w", "op", "ctpop", low.op("w", "op", "abs", number.regs[0]))
        return Value(INT, (low.op("i", "cast", "narrow", bits),))
    return Value(INT, (low.op("i", "op", "ctpop", low.op("i", "op", "abs", number.regs[0])),))


@intrinsic("int_bit_length")
def _bit_length(low: Any, arguments: list[Value], named: Any) -> Value:
    number = low.as_number(arguments[0])
    if number.shape == WIDE:
        zeros = low.op(
            "i", "cast", "narrow", low.op("w", "op", "ctlz", low.op("w", "op", "abs", number.regs[0]))
        )
        return Value(INT, (low.op("i", "bin", "sub", 128, zeros),))
    zeros = low.op("i", "op", "ctlz", low.op("i", "op", "abs", number.regs[0]))
    return Value(INT, (low.op("i", "bin", "sub", 64, zeros),))


@intrinsic("words.shifted")
def _shifted(low: Any, arguments: list[Value], named: Any) -> Value:
    word, places = map(low.integer, arguments)
    if not (isinstance(places, int) and 0 <= places < 64):
        low.forbid(low.op("b", "cmp", "lt", places, 0), traps.code_of(ValueError))
        low.require(low.op("b", "cmp", "lt", places, 64), traps.OVERFLOW)
    return Value(INT, (low.op("i", "bin", "shl", word, places),))


@intrinsic("words.count")
def _count(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.op("i", "op", "ctpop", low.integer(arguments[0])),))


@intrinsic(dataclasses.replace)
def _replace(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    return low.replaced(arguments[0], named)


@intrinsic(
    random.random,
    random.choice,
    random.choices,
    random.randrange,
    random.randint,
    random.sample,
    random.uniform,
)
def _random(low: Any, arguments: list[Value], named: Any) -> Value:
    raise low.refuse("draws at random", "leave chance out of the rules")


@intrinsic(builtins.open)
def _opening(low: Any, arguments: list[Value], named: Any) -> Value:
    raise low.refuse("opens a file", "read it once, at the top of the file")


@intrinsic(builtins.input)
def _printing(low: Any, arguments: list[Value], named: Any) -> Value:
    raise low.refuse("prints or reads", "leave that to render()")
