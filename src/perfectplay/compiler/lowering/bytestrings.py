"""`bytes` and `bytearray`: in memory tuples and lists of numbers, and texts of letters to their methods."""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    CHAR,
    INT,
    STR,
    ByteArray,
    Const,
    List,
    Seq,
    Union,
    family,
    general,
)

ENCODED = {"ascii": 127, "utf-8": 127, "utf8": 127, "latin-1": 255, "latin1": 255}  # letters of one byte
IN_PLACE = {"append", "extend", "insert", "pop", "remove", "reverse", "clear"}
PLAIN = {"find", "rfind", "index", "rindex", "count", "startswith", "endswith", "decode", "hex"}
TESTS = {"isupper", "islower", "isalpha", "isdigit", "isspace"}


def is_bytes(value: Value) -> bool:
    """Is it bytes, or a bytearray?"""
    shape = value.shape
    if isinstance(shape, Const):
        return isinstance(shape.value, bytes)
    return shape == BYTES or isinstance(shape, ByteArray)


def as_row(low: Any, value: Value) -> Value:
    """Bytes as the tuple of numbers that lies in memory; other values as they are."""
    if isinstance(value.shape, Const) and isinstance(value.shape.value, bytes):
        value = low.in_form(value)
    return Value(Seq(INT), value.regs) if value.shape == BYTES else value


def as_bytes(low: Any, value: Value) -> Value:
    """A bytearray as bytes; bytes as they are."""
    if not isinstance(value.shape, ByteArray):
        return low.in_form(value)
    return Value(BYTES, low.copied(value, Seq(INT), 0, low.length(value)).regs)


def as_array(low: Any, value: Value) -> Value:
    """A new bytearray of the numbers of a tuple or a list, which are small enough."""
    cell = low.cell(low.node, "bytearray", low.ordinal("bytearray"))
    low.put_into(cell, INT)
    size = low.length(value)
    made = low.new_list(cell, size)
    low.emit("store", size, "i", made.regs[0], 0)
    pointer, skipped = low.data(made)
    if low.element_shape(value.shape) is not BOTTOM:
        low.copy_elements(value, 0, size, INT, pointer, skipped)
    return Value(ByteArray(cell), made.regs)


@intrinsic("as_text")
def _as_text(low: Any, arguments: list[Value], named: Any) -> Value:
    (value,) = arguments
    if isinstance(value.shape, Union):
        return low.each_member(value, lambda one: _as_text(low, [one], {}))
    if low.is_whole(value.shape):
        number = low.integer(value)
        low.require(low.op("b", "cmp", "ult", number, 256), traps.code_of(ValueError))
        return low.coerce(Value(CHAR, (number,)), STR)
    if not is_bytes(value):
        low.fail(traps.code_of(TypeError))
        return Value(BOTTOM)
    return Value(STR, as_bytes(low, value).regs)


@intrinsic("as_bytes")
def _as_bytes(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(BYTES, low.coerce(arguments[0], STR).regs)


def _row_of(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """The numbers that bytes(...) or bytearray(...) is made of, as a tuple or list in memory."""
    value, *more = [*arguments, *named.values()]
    if is_bytes(value):
        return as_row(low, as_bytes(low, value))
    if family(general(value.shape)) == "str":
        known = more[0].shape.value if more and isinstance(more[0].shape, Const) else None
        if known not in ENCODED:
            raise low.refuse("makes bytes of a text", "name the encoding: 'ascii'")
        text = low.coerce(value, STR)
        return as_row(low, low.call_prelude("of_letters", [text, more[0], constant(ENCODED[known])]))
    if low.is_whole(value.shape):
        return low.call_prelude("zeros", [value])
    return low.call_prelude("bytes_of_items", [value])


@intrinsic(bytes)
def _bytes(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    given = [*arguments, *named.values()]
    if all(isinstance(value.shape, Const) for value in given):
        return _folded(low, bytes, arguments, named)
    if isinstance(arguments[0].shape, Union):
        return low.each_member(arguments[0], lambda one: _bytes(low, [one, *arguments[1:]], named))
    row = _row_of(low, arguments, named)
    if low.dead:
        return Value(BOTTOM)
    if isinstance(row.shape, Seq):
        return Value(BYTES, row.regs)
    if row.shape.cells[0].elem is BOTTOM:  # type: ignore[attr-defined]
        return constant(b"")
    return Value(BYTES, low.copied(row, Seq(INT), 0, low.length(row)).regs)


def _folded(low: Any, kind: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """What bytes(...) or bytearray(...) is of constants."""
    given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
    more = {name: value.shape.value for name, value in named.items()}  # type: ignore[attr-defined]
    try:
        return constant(bytes(kind(*given, **more)))
    except (TypeError, ValueError, LookupError) as error:
        low.fail(traps.code_of(type(error)))
        return Value(BOTTOM)


@intrinsic(bytearray)
def _bytearray(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    given = [*arguments, *named.values()]
    if all(isinstance(value.shape, Const) for value in given):
        row = _folded(low, bytearray, arguments, named)
        return row if low.dead else as_array(low, as_row(low, row))
    row = _row_of(low, arguments, named)
    return Value(BOTTOM) if low.dead else as_array(low, row)


def array_method(
    low: Any, receiver: Value, name: str, arguments: list[Value], named: dict[str, Value]
) -> Value:
    """A method of a bytearray: as of a list where it changes, as of bytes where it does not."""
    if name in IN_PLACE:
        plain = Value(List(*receiver.shape.cells), receiver.regs)  # type: ignore[attr-defined]
        if name in ("append", "insert"):
            arguments = [*arguments[:-1], low.call_prelude("required_byte", arguments[-1:])]
        elif name == "extend":
            arguments = [low.call_prelude("bytes_of_items", arguments)]
        return Value(BOTTOM) if low.dead else low.method(plain, name, arguments, named)
    if name == "copy":
        return as_array(low, receiver)
    made = low.method(as_bytes(low, receiver), name, arguments, named)
    if low.dead or name in PLAIN or name in TESTS:
        return made
    if made.shape == BYTES:
        return as_array(low, as_row(low, made))
    raise low.refuse(f"calls .{name}() of a bytearray", "call it on bytes(...)")


@intrinsic("str_encode")
def _encode(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    given = [*arguments, *named.values()]
    return _bytes(low, given if len(given) > 1 else [*given, constant("utf-8")], {})


@intrinsic(int.from_bytes)
def _from_bytes(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    if "signed" in named:
        raise low.refuse("reads a number with its sign from bytes", "leave the sign out")
    ours = low.program.prelude_named("number_from_bytes")
    return low.call_function(ours, arguments, named, {})


def _from_constants(function: Any) -> Any:
    """What a class method of bytes gives for constants."""

    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        if named or not all(isinstance(value.shape, Const) for value in arguments):
            raise low.refuse(
                f"calls {function.__qualname__} of what is not known", "call it once, at the top"
            )
        return constant(function(*(value.shape.value for value in arguments)))  # type: ignore[attr-defined]

    return write


for _function in (bytes.fromhex, bytes.maketrans):
    INTRINSICS[_function] = _from_constants(_function)
