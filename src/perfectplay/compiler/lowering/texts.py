"""Texts made of values: str(), repr(), format(), f-strings and %."""

from __future__ import annotations

import ast
import re
import string
from dataclasses import fields, is_dataclass
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    INT,
    STR,
    Atom,
    Const,
    Dict,
    List,
    Object,
    Seq,
    Set,
    Struct,
    Union,
    family,
    general,
    members_of,
    struct_names,
)

REMEDY = "compare and return values, not texts made of them"
SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[+\- ])?(?P<alternate>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(?:\.(?P<precision>\d+))?(?P<kind>[bcdoxXs])?$",
    re.DOTALL,
)
ALIGNED = {"<": 0, ">": 1, "^": 2}
BASES = {"b": (2, "0b"), "o": (8, "0o"), "x": (16, "0x"), "X": (16, "0X")}
PERCENT = re.compile(r"%(?P<flags>[-0 +#]*)(?P<width>\d+)?(?P<kind>[dsixXoc%r])")


def joined(low: Any, pieces: list[Value]) -> Value:
    """Texts one after the other."""
    whole: Value = constant("")
    for piece in pieces:
        whole = low.binary(ast.Add, whole, piece)
    return whole


def text_of(low: Any, value: Value) -> Value:
    """str(value)"""
    shape = value.shape
    if isinstance(shape, Const):
        return constant(str(shape.value))
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: text_of(low, one))
    if family(shape) == "str":
        return value
    if (method := own_method(shape, "__str__")) is not None:
        return low.call_python(method, [value], {})
    if isinstance(shape, Atom):
        return low.numbered([str(member) for member in members_of(shape.kind)], value.regs[0])
    return repr_of(low, value)


def repr_of(low: Any, value: Value) -> Value:
    """repr(value)"""
    shape = value.shape
    if isinstance(shape, Const):
        return constant(repr(shape.value))
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: repr_of(low, one))
    if shape is BOTTOM:
        return value
    if shape == BOOL:
        return low.call_prelude("text_of_bool", [value])
    if shape == INT:
        return low.call_prelude("text_of_int", [value])
    if family(shape) == "str":
        return low.call_prelude("quoted", [low.coerce(value, STR)])
    if isinstance(shape, Atom):
        return low.numbered([repr(member) for member in members_of(shape.kind)], value.regs[0])
    if isinstance(shape, Struct) and shape.cls is tuple:
        pieces = [constant("(")]
        for number, part in enumerate(low.fields(value)):
            pieces += [constant(", ")] if number else []
            pieces.append(repr_of(low, part))
        return joined(low, [*pieces, constant(",)" if len(shape.fields) == 1 else ")")])
    if isinstance(shape, Seq) or type(shape) is List:
        return low.call_prelude("text_of_items", [value])
    if (method := own_method(shape, "__repr__")) is not None:
        return low.call_python(method, [value], {})
    if isinstance(shape, Dict) and shape.missing is None and not low.program.has_ordered_dicts:
        return low.call_prelude("text_of_dict", [value])
    if type(shape) is Set:
        return low.call_prelude("text_of_set", [value])
    if isinstance(shape, Struct | Object) and (said := _said_fields(shape.cls)) is not None:
        name = shape.cls.__name__ if issubclass(shape.cls, tuple) else shape.cls.__qualname__
        pieces = [constant(f"{name}(")]
        for number, field in enumerate(said):
            part = low.attribute(value, field)
            pieces += [constant(f"{', ' if number else ''}{field}="), repr_of(low, part)]
        return joined(low, [*pieces, constant(")")])
    raise low.refuse(f"makes a text of {shape!r}", REMEDY)


def _said_fields(cls: Any) -> list[str] | None:
    """The fields that the text of an object says, if that is its class and fields, as Python makes it."""
    if isinstance(cls, type) and is_dataclass(cls):
        made = any(getattr(vars(one).get("__dataclass_params__"), "repr", False) for one in cls.__mro__)
        return [field.name for field in fields(cls) if field.repr] if made else None
    return list(struct_names(cls)) if issubclass(cls, tuple) else None


@intrinsic(repr)
def _repr(low: Any, arguments: list[Value], named: Any) -> Value:
    return repr_of(low, arguments[0])


def formatted(low: Any, value: Value, spec: str) -> Value:
    """format(value, spec)"""
    shape = value.shape
    if isinstance(shape, Const):
        try:
            return constant(format(shape.value, spec))
        except (ValueError, TypeError) as error:
            low.fail(traps.code_of(type(error)))
            return Value(BOTTOM)
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: formatted(low, one, spec))
    if (method := own_method(shape, "__format__")) is not None:
        return low.call_python(method, [value, constant(spec)], {})
    if isinstance(shape, Atom) and shape.kind is not str:
        return low.numbered([format(member, spec) for member in members_of(shape.kind)], value.regs[0])
    if not spec:
        return text_of(low, value)
    parts = SPEC.match(spec)
    if parts is None:
        raise low.refuse(f"formats with {spec!r}", REMEDY)
    if family(shape) == "str":
        return _formatted_text(low, value, parts)
    if shape in (INT, BOOL) and parts["precision"] is None and parts["kind"] != "s":
        return _formatted_number(low, Value(INT, (low.integer(value),)), parts)
    raise low.refuse(f"formats {shape!r}", REMEDY)


def _formatted_text(low: Any, value: Value, parts: Any) -> Value:
    if (
        parts["kind"] not in (None, "s")
        or parts["sign"]
        or parts["alternate"]
        or parts["zero"]
        or parts["align"] == "="
    ):
        raise low.refuse("formats a text as a number", REMEDY)
    if parts["precision"] is not None:
        value = low.slice(value, constant(None), constant(int(parts["precision"])), constant(None))
    return _padded(low, value, parts, "<")


def _formatted_number(low: Any, value: Value, parts: Any) -> Value:
    if parts["kind"] == "c":
        return _padded(low, INTRINSICS[chr](low, [value], {}), parts, "<")
    base, prefix = BASES.get(parts["kind"] or "d", (10, ""))
    prefix = prefix if parts["alternate"] else ""
    digits = low.call_prelude("digits_in", [value, constant(base), constant(parts["kind"] == "X")])
    sign = low.call_prelude("sign_of", [value, constant(parts["sign"] or "-")])
    fill, align = parts["fill"] or " ", parts["align"]
    if parts["zero"] and not align:
        fill, align = "0", "="
    front = joined(low, [sign, constant(prefix)]) if prefix else sign
    if align == "=":
        width = constant(int(parts["width"] or 0))
        return low.call_prelude("filled_between", [low.coerce(front, STR), digits, width, constant(fill)])
    return _padded(low, joined(low, [front, digits]), parts, ">")


def _padded(low: Any, value: Value, parts: Any, align: str) -> Value:
    if parts["width"] is None:
        return value
    given = [
        constant(int(parts["width"])),
        constant(parts["fill"] or " "),
        constant(ALIGNED[parts["align"] or align]),
    ]
    return low.call_prelude("padded", [low.coerce(value, STR), *given])


@intrinsic(format)
def _format(low: Any, arguments: list[Value], named: Any) -> Value:
    spec = arguments[1] if len(arguments) > 1 else constant("")
    if not isinstance(spec.shape, Const):
        raise low.refuse("formats as is not known", REMEDY)
    return formatted(low, arguments[0], spec.shape.value)


def f_string(low: Any, node: ast.JoinedStr) -> Value:
    """A text with values in it."""
    pieces = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces.append(constant(part.value))
            continue
        assert isinstance(part, ast.FormattedValue)
        value = low.expression(part.value)
        if part.conversion == ord("r"):
            value = repr_of(low, value)
        elif part.conversion == ord("s"):
            value = text_of(low, value)
        elif part.conversion != -1:
            raise low.refuse("formats a text", REMEDY)
        spec = constant("") if part.format_spec is None else f_string(low, part.format_spec)  # type: ignore[arg-type]
        if not isinstance(spec.shape, Const):
            raise low.refuse("formats as is not known", REMEDY)
        pieces.append(formatted(low, value, spec.shape.value))
    return joined(low, pieces)


def percent(low: Any, pattern: Value, given: Value) -> Value:
    """Pattern % given"""
    if not isinstance(pattern.shape, Const):
        raise low.refuse("formats a text by a pattern that is not known", REMEDY)
    is_row = isinstance(general(given.shape), Struct) and issubclass(general(given.shape).cls, tuple)  # type: ignore[attr-defined]
    values = low.fields(given) if is_row else [given]
    text, pieces, at = pattern.shape.value, [], 0
    for found in PERCENT.finditer(text):
        pieces.append(constant(text[at : found.start()]))
        at = found.end()
        if found["kind"] == "%":
            pieces.append(constant("%"))
            continue
        if not values:
            low.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        pieces.append(_percent_part(low, values.pop(0), found))
    rest = text[at:]
    if (
        "%" in rest
        or values
        or any(
            "%" in str(one.shape.value)
            for one in pieces
            if isinstance(one.shape, Const) and one.shape.value != "%"
        )
    ):
        raise low.refuse(f"formats with {text!r}", REMEDY)
    return joined(low, [*pieces, constant(rest)])


def _percent_part(low: Any, value: Value, found: Any) -> Value:
    kind, flags, width = found["kind"], found["flags"], found["width"] or ""
    if kind in "sr":
        text = text_of(low, value) if kind == "s" else repr_of(low, value)
        return formatted(low, text, f"{'<' if '-' in flags else '>'}{width}") if width else text
    if kind == "c":
        raise low.refuse("formats a letter with %", "use chr()")
    if not low.is_whole(value.shape):
        raise low.refuse(f"formats {value.shape!r} as a number", REMEDY)
    align = "<" if "-" in flags else ("" if "0" in flags else ">")
    sign = "+" if "+" in flags else (" " if " " in flags else "")
    zero = "0" if "0" in flags and "-" not in flags else ""
    alternate = "#" if "#" in flags else ""
    number = Value(INT, (low.integer(value),))
    return formatted(
        low, number, f"{align if width else ''}{sign}{alternate}{zero}{width}{'d' if kind == 'i' else kind}"
    )


@intrinsic("str_format")
def _str_format(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    pattern, *given = arguments
    if not isinstance(pattern.shape, Const):
        raise low.refuse("formats a text by a pattern that is not known", REMEDY)
    pieces, count = [], 0
    for text, name, spec, conversion in string.Formatter().parse(pattern.shape.value):
        pieces.append(constant(text))
        if name is None:
            continue
        if not name:
            name, count = str(count), count + 1
        if (
            not (name.isdigit() or name.isidentifier())
            or conversion not in (None, "s", "r")
            or "{" in (spec or "")
        ):
            raise low.refuse(f"formats with {pattern.shape.value!r}", "use an f-string")
        if (int(name) >= len(given)) if name.isdigit() else (name not in named):
            low.fail(traps.code_of(IndexError if name.isdigit() else KeyError))
            return Value(BOTTOM)
        value = given[int(name)] if name.isdigit() else named[name]
        if conversion:
            value = text_of(low, value) if conversion == "s" else repr_of(low, value)
        pieces.append(formatted(low, value, spec or ""))
    return joined(low, pieces)


def _in_base(base: int, prefix: str) -> Any:
    def write(low: Any, arguments: list[Value], named: Any) -> Value:
        (value,) = arguments
        if isinstance(value.shape, Const):
            return constant({2: bin, 8: oct, 16: hex}[base](value.shape.value))
        number = Value(INT, (low.integer(value),))
        digits = low.call_prelude("digits_in", [number, constant(base), constant(False)])
        sign = low.call_prelude("sign_of", [number, constant("-")])
        return joined(low, [sign, constant(prefix), digits])

    return write


INTRINSICS[bin], INTRINSICS[oct], INTRINSICS[hex] = _in_base(2, "0b"), _in_base(8, "0o"), _in_base(16, "0x")


def ones_in(low: Any, node: ast.Call) -> Value | None:
    """bin(x).count("1"), without making a text; None if it is something else."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=inner, args=[number], keywords=[]), attr="count"),
            args=[ast.Constant(value="1")],
            keywords=[],
        ):
            function = low.expression(inner)
            if function.shape == Const(bin):
                value = low.expression(number)
                return (
                    None
                    if isinstance(value.shape, Const | Union)
                    else INTRINSICS["int_bit_count"](low, [value], {})
                )
    return None


# Translating.


@intrinsic(str.maketrans)
def _maketrans(low: Any, arguments: list[Value], named: Any) -> Value:
    if not all(isinstance(value.shape, Const) for value in arguments):
        raise low.refuse("makes a table of letters while running", "make it a constant of the module")
    given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
    try:
        return constant(_kept(low, ("maketrans", *map(repr, given)), str.maketrans(*given)))
    except (ValueError, TypeError) as error:
        low.fail(traps.code_of(type(error)))
        return Value(BOTTOM)


@intrinsic("str_translate")
def _translate(low: Any, arguments: list[Value], named: Any) -> Value:
    text, table = arguments
    if not isinstance(table.shape, Const) or not isinstance(table.shape.value, dict):
        raise low.refuse("translates by a table that is not a constant", "make it a constant of the module")
    letters = {}
    for code, new in table.shape.value.items():
        letters[chr(code)] = "" if new is None else chr(new) if isinstance(new, int) else new
    table = constant(_kept(low, ("letters", *letters.items()), letters))
    return low.call_prelude("translated", [low.coerce(text, STR), table])


def _kept(low: Any, key: Any, made: Any) -> Any:
    """The same object whenever it is asked for."""
    return low.program.hashed_keys.setdefault(key, made)
