"""Hashes as Python has them, and whether the order of a set is known by them."""

from __future__ import annotations

from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.hashing import (
    FIFTH,
    FIRST,
    LENGTH_MIX,
    MODULUS,
    SECOND,
    TEXT_PRIME,
    TEXT_SEED,
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
from perfectplay.compiler.lowering.values import Value
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
    Const,
    Frozen,
    Reference,
    Seq,
    Shape,
    Struct,
    Union,
    general,
    members_of,
    struct_names,
)

IMAGINARY = 1000003  # what the hash of an imaginary part is multiplied by
LATIN = 256  # letters that are one byte each in Python's memory


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
    if isinstance(shape, Struct) and shape.cls is slice:
        raise low.refuse("takes the hash of a slice", "use a tuple of its limits")
    if isinstance(shape, Atom) and shape.kind is not str:
        members = tuple(signed(hash_word(member, low.program.exact)) for member in members_of(shape.kind))
        return low.element(low.materialise(members, Seq(INT)), value.regs[0]).regs[0]
    if low.is_whole(shape) and shape != WORD:
        if shape in (WIDE, LARGE):
            return _large_hash(low, low.coerce(value, WIDE).regs[0])
        return _whole_hash(low, low.integer(value))
    if shape == FLOAT:
        return _asked(low, "hash_of_float", [value])
    if shape == CHAR and low.program.exact:
        low.require(low.op("b", "cmp", "ult", value.regs[0], LATIN), traps.UNDECIDED)
        letters = tuple(signed(hash_word(chr(code), True)) for code in range(LATIN))
        return low.element(low.materialise(letters, Seq(INT)), value.regs[0]).regs[0]
    if shape == CHAR:
        mixed = low.op(
            "i",
            "bin",
            "mul",
            low.op("i", "bin", "xor", value.regs[0], signed(TEXT_SEED)),
            signed(TEXT_PRIME),
        )
        return low.op("i", "bin", "xor", mixed, low.op("i", "bin", "lshr", mixed, 32))
    if shape == Atom(str):
        low.instance.uses_words = True
        words = tuple(signed(hash_word(word, low.program.exact)) for word in low.program.words)
        return low.element(low.materialise(words, Seq(INT)), value.regs[0]).regs[0]
    if shape == BYTES:  # as of the text of these letters
        return hash_of(low, Value(STR, value.regs))
    if shape == STR and low.program.exact:
        first, second = (Value(INT, (signed(part),)) for part in text_key() or (0, 0))
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
        return signed(hash_word(value, low.program.exact))
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
    mixed: Operand = signed(FIFTH)
    for part in parts:
        lane = low.op("i", "bin", "mul", hash_of(low, part), signed(SECOND))
        mixed = _turned(low, low.op("i", "bin", "add", mixed, lane))
    mixed = low.op("i", "bin", "add", mixed, signed(len(parts) ^ LENGTH_MIX))
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
    return low.op("i", "bin", "mul", low.op("i", "bin", "or", upper, lower), signed(FIRST))


def signed(word: int) -> int:
    """64 bits as a number with a sign."""
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
