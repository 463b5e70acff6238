"""Arithmetic: Python's, on 64 bits; where 64 bits are not enough there is a trap."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from enum import Flag
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.control_flow import ControlFlow
from perfectplay.compiler.lowering.own_methods import OPERATORS, own_method
from perfectplay.compiler.lowering.values import Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LARGE,
    WIDE,
    WORD,
    Atom,
    Const,
    Dict,
    Shape,
    Union,
    general,
    has_own_class,
)

FOLDED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
CHECKED: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
BITS: dict[type[ast.operator], str] = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
SHIFTS = (ast.LShift, ast.RShift)
REAL: dict[type[ast.operator], str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul"}
EXACT = 1 << 53  # integers up to here are floats without loss
LARGEST = 1 << 16  # of constants that are computed when compiling, in elements or digits

COUNTED: dict[type[ast.unaryop], str] = {ast.UAdd: "counter_positive", ast.USub: "counter_negative"}


class Arithmetic(ControlFlow):
    """Operators on numbers; those on everything else are in `sequences`."""

    def binary(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """What an operator makes of two values."""
        if isinstance(left.shape, Const) and isinstance(right.shape, Const):
            folded = self.folded(op, left.shape.value, right.shape.value)
            if folded is not None:
                return folded
        if isinstance(left.shape, Union):
            return self.each_member(left, lambda member: self.binary(op, member, right))
        if isinstance(right.shape, Union):
            return self.each_member(right, lambda member: self.binary(op, left, member))
        if BOTTOM in (left.shape, right.shape):
            return Value(BOTTOM)
        for shape in (left.shape, right.shape):
            if isinstance(shape, Const) and has_own_class(shape.value):
                raise self.refuse(f"uses an operator on {shape!r}", "use it on plain values")
        own = self.own_operator(op, left, right)
        if own is not None:
            return own
        if self.is_number(left.shape) and self.is_number(right.shape):
            if op in BITS and (flags := self.flags_of(left, right)) is not None:
                bits = [self.integer(value) for value in (left, right)]
                return Value(flags, (self.op("i", "bin", BITS[op], *bits),))
            return self.on_numbers(op, left, right)
        return self.on_others(op, left, right)

    def own_operator(self, op: type[ast.operator], left: Value, right: Value) -> Value | None:
        """What the classes of the operands make of them, if they have methods for it."""
        name = OPERATORS.get(op, "")
        for method, values in (
            (own_method(left.shape, f"__{name}__"), [left, right]),
            (own_method(right.shape, f"__r{name}__"), [right, left]),
        ):
            if method is not None:
                made = self.answered(self.call_python(method, values, {}))
                if made is not None:
                    return made
        return None

    def answered(self, value: Value) -> Value | None:
        """What an operator's method returns, or None if it is NotImplemented."""
        if value.shape == Const(NotImplemented):
            return None
        if isinstance(value.shape, Union):
            return self.each_member(
                value, lambda one: None if one.shape == Const(NotImplemented) else one, traps.UNDECIDED
            )
        return value

    def call_python(self, function: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a function of the rules."""
        raise NotImplementedError

    def flags_of(self, left: Value, right: Value) -> Shape | None:
        """The shape of flags that are numbers too, if one of two numbers is such."""
        for value in (left, right):
            shape = general(value.shape)
            if isinstance(shape, Atom) and issubclass(shape.kind, Flag):
                return shape
        return None

    def on_others(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Operators on what are no numbers."""
        raise NotImplementedError

    def folded(self, op: type[ast.operator], left: Any, right: Any) -> Value | None:
        """An operator on two constants; None where it is better done while running."""
        if isinstance(left, list | set | dict) or isinstance(right, list | set | dict):
            return None
        if op in (ast.Pow, ast.LShift) and isinstance(right, int) and abs(right) > 512:
            return None
        large = any(isinstance(one, int) and abs(one) > LARGEST for one in (left, right))
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if op is ast.Mult and large and not numbers:
            return None
        try:
            return constant(FOLDED[op](left, right))
        except Exception as error:
            self.fail(traps.code_of(type(error)))
            return Value(BOTTOM)

    def is_number(self, shape: Shape) -> bool:
        """Is it a number, whatever it looks like?"""
        if isinstance(shape, Const):
            return isinstance(shape.value, int | float)
        return shape in (INT, BOOL, FLOAT, WORD, WIDE, LARGE) or (
            isinstance(shape, Atom) and issubclass(shape.kind, int)
        )

    def as_number(self, value: Value) -> Value:
        """A number as an integer, a word or a float."""
        shape = value.shape
        if isinstance(shape, Const):
            if isinstance(shape.value, float):
                return Value(FLOAT, (shape.value,))
            number = int(shape.value)
            if -(2**63) <= number < 2**63:
                return Value(INT, (number,))
            if -(2**127) <= number < 2**127:
                return Value(WIDE, (number,))
            self.fail(traps.OVERFLOW)
            return Value(INT, (0,))
        if shape in (BOOL,) or isinstance(shape, Atom):
            return self.coerce(value, INT)
        return self.coerce(value, WIDE) if shape == LARGE else value

    def integer(self, value: Value) -> Operand:
        """A value as the register of an integer; what is none traps."""
        if isinstance(value.shape, Union):
            return self.each_member(
                value, lambda one: Value(INT, (self.integer(one),)) if self.is_whole(one.shape) else None
            ).regs[0]
        if value.shape is BOTTOM:
            return 0
        if not self.is_whole(value.shape):
            raise self.refuse(f"uses {value.shape!r} where a whole number is wanted", "use an int")
        return self.coerce(self.as_number(value), INT).regs[0]

    def is_whole(self, shape: Shape) -> bool:
        """Is it an integer?"""
        if isinstance(shape, Const):
            return isinstance(shape.value, int)
        return self.is_number(shape) and shape != FLOAT

    def real(self, value: Value, *, exactly: bool = False) -> Operand:
        """A number as the register of a float; `exactly`, only where it loses nothing."""
        if isinstance(value.shape, Union):
            return self.each_member(
                value,
                lambda one: (
                    Value(FLOAT, (self.real(one, exactly=exactly),)) if self.is_number(one.shape) else None
                ),
            ).regs[0]
        if value.shape is BOTTOM:
            return 0.0
        if isinstance(value.shape, Const) and isinstance(value.shape.value, int | float):
            if exactly and isinstance(value.shape.value, int):
                return self.exact_real(int(value.shape.value))
            return float(value.shape.value)
        if (method := own_method(value.shape, "__float__")) is not None:
            return self.real(self.call_python(method, [value], {}))
        number = self.as_number(value)
        if number.shape == WIDE:
            number = self.coerce(number, INT)
        if number.shape == FLOAT:
            return number.regs[0]
        if number.shape == WORD:
            return self.op("f", "cast", "uitofp", number.regs[0])
        if not self.is_number(value.shape):
            raise self.refuse(f"uses {value.shape!r} where a number is wanted", "use an int or a float")
        return self.exact_real(number.regs[0]) if exactly else self.op("f", "cast", "sitofp", number.regs[0])

    def on_numbers(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """An operator on two numbers."""
        if op in BITS and general(left.shape) == general(right.shape) == BOOL:
            bits = [self.coerce(value, BOOL).regs[0] for value in (left, right)]
            return Value(BOOL, (self.op("b", "bin", BITS[op], *bits),))
        if WORD in (left.shape, right.shape):
            return self.on_words(op, left, right)
        one, other = self.as_number(left), self.as_number(right)
        if self.dead:
            return Value(BOTTOM)
        if FLOAT in (one.shape, other.shape):
            return self.on_floats(op, self.real(one), self.real(other))
        wide = WIDE in (one.shape, other.shape)
        if (wide and op in BITS) or ((wide or self.is_wide_here()) and (op in CHECKED or op in SHIFTS)):
            return self.on_wide(op, one, other)
        if wide and op in (ast.FloorDiv, ast.Mod):
            return self.wide_division(op, one, other)
        a, b = (self.coerce(number, INT).regs[0] for number in (one, other))
        if op in CHECKED:
            if self.instance.trusted:
                return Value(INT, (self.op("i", "bin", CHECKED[op], a, b),))
            return Value(INT, (self.op("i", "check", CHECKED[op], a, b, self.trap_block(traps.OVERFLOW)),))
        if op in BITS:
            return Value(INT, (self.op("i", "bin", BITS[op], a, b),))
        if op in (ast.FloorDiv, ast.Mod):
            return Value(INT, (self.divided(a, b)[op is ast.Mod],))
        if op is ast.LShift:
            return self.shifted_left(a, b, None)
        if op is ast.RShift:
            return self.shifted_right(a, b)
        if op is ast.Div:
            return self.on_floats(op, self.exact_real(a), self.exact_real(b))
        if op is ast.Pow:
            return self.power(one, other)
        raise self.refuse(f"uses the operator {op.__name__} on numbers", "use arithmetic")

    def is_wide_here(self) -> bool:
        """Did numbers on this line need more than 64 bits?"""
        return getattr(self.node, "lineno", 0) in self.program.wide_lines and not self.instance.trusted

    def on_wide(self, op: type[ast.operator], one: Value, other: Value) -> Value:
        """An operator on integers of 128 bits."""
        trap = self.trap_block(traps.OVERFLOW)
        if op in SHIFTS:
            return self.wide_shift(op, one, self.integer(other), trap)
        a, b = (self.coerce(number, WIDE).regs[0] for number in (one, other))
        if op in CHECKED:
            return Value(WIDE, (self.op("w", "check", CHECKED[op], a, b, trap),))
        made = self.op("w", "bin", BITS[op], a, b)
        for mask in (one, other) if op is ast.BitAnd else ():
            if mask.shape == INT and isinstance(mask.regs[0], int) and mask.regs[0] >= 0:
                return Value(INT, (self.op("i", "cast", "narrow", made),))
        return Value(WIDE, (made,))

    def wide_division(self, op: type[ast.operator], one: Value, other: Value) -> Value:
        """A // b or a % b, of 128 bits, as Python has them."""
        divisor = other.regs[0] if other.shape == INT else None
        if isinstance(divisor, int) and divisor > 0 and divisor & divisor - 1 == 0:
            if op is ast.Mod:
                return self.on_wide(ast.BitAnd, one, Value(INT, (divisor - 1,)))
            return self.on_wide(ast.RShift, one, Value(INT, (divisor.bit_length() - 1,)))
        pair = [self.coerce(number, WIDE) for number in (one, other)]
        if op is ast.FloorDiv:
            return self.call_prelude("wide_quotient", pair)
        rest = self.call_prelude("wide_rest", pair)  # nearer to 0 than the divisor
        return self.coerce(rest, INT) if other.shape == INT else rest

    def wide_shift(self, op: type[ast.operator], one: Value, places: Operand, trap: Any) -> Value:
        """A << b or a >> b, of 128 bits."""
        most = 127 if op is ast.RShift else 126
        if not (isinstance(places, int) and 0 <= places <= most):
            self.forbid(self.op("b", "cmp", "lt", places, 0), traps.code_of(ValueError))
            if op is ast.RShift:
                places = self.op("i", "op", "smin", places, most)
            else:
                self.require(self.op("b", "cmp", "le", places, most), traps.OVERFLOW)
        a = self.coerce(one, WIDE).regs[0]
        count = places if isinstance(places, int) else self.op("w", "cast", "widen_count", places)
        if op is ast.RShift:
            return Value(WIDE, (self.op("w", "bin", "ashr", a, count),))
        if one.shape == INT and isinstance(places, int) and places < 64:
            return Value(WIDE, (self.op("w", "bin", "shl", a, count),))
        return Value(WIDE, (self.op("w", "shift", a, count, None, trap),))

    def on_words(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Arithmetic modulo 2**64, for the search's own words."""
        names = {
            **CHECKED,
            **BITS,
            ast.LShift: "shl",
            ast.RShift: "lshr",
            ast.FloorDiv: "udiv",
            ast.Mod: "urem",
        }
        if op not in names:
            raise self.refuse(f"uses the operator {op.__name__} on words", "use whole numbers")
        a, b = (self.coerce(one, WORD).regs[0] for one in (left, right))
        return Value(WORD, (self.op("i", "bin", names[op], a, b),))

    def divided(self, a: Operand, b: Operand) -> tuple[Operand, Operand]:
        """Quotient and remainder as Python has them: rounded down, the sign of the divisor."""
        if not isinstance(b, int):
            self.forbid(self.op("b", "cmp", "eq", b, 0), traps.code_of(ZeroDivisionError))
            least = self.op("b", "cmp", "eq", a, -(2**63))
            minus = self.op("b", "cmp", "eq", b, -1)
            self.forbid(self.op("b", "bin", "and", least, minus), traps.OVERFLOW)
        elif b in (0, -1):
            if b == 0:
                self.fail(traps.code_of(ZeroDivisionError))
                return 0, 0
            trap = self.trap_block(traps.OVERFLOW)
            return self.op("i", "check", "sub", 0, a, trap), 0
        elif b > 0 and b & (b - 1) == 0:
            return self.op("i", "bin", "ashr", a, b.bit_length() - 1), self.op("i", "bin", "and", a, b - 1)
        quotient = self.op("i", "bin", "sdiv", a, b)
        rest = self.op("i", "bin", "srem", a, b)
        some = self.op("b", "cmp", "ne", rest, 0)
        differ = self.op("b", "cmp", "lt", self.op("i", "bin", "xor", rest, b), 0)
        off = self.op("b", "bin", "and", some, differ)
        lower = self.op("i", "bin", "sub", quotient, 1)
        higher = self.op("i", "bin", "add", rest, b)
        return self.op("i", "select", off, lower, quotient), self.op("i", "select", off, higher, rest)

    def shifted_left(self, a: Operand, b: Operand, mask: Operand | None) -> Value:
        """A << b, and what a mask leaves of it, where that fits into 64 bits."""
        if isinstance(b, int) and 0 <= b < 64:
            pass
        else:
            self.forbid(self.op("b", "cmp", "lt", b, 0), traps.code_of(ValueError))
            self.require(self.op("b", "cmp", "lt", b, 64), traps.OVERFLOW)
        if self.instance.trusted:
            moved = self.op("i", "bin", "shl", a, b)
            return Value(INT, (moved if mask is None else self.op("i", "bin", "and", moved, mask),))
        return Value(INT, (self.op("i", "shift", a, b, mask, self.trap_block(traps.OVERFLOW)),))

    def shifted_right(self, a: Operand, b: Operand) -> Value:
        """A >> b."""
        if not (isinstance(b, int) and 0 <= b < 64):
            self.forbid(self.op("b", "cmp", "lt", b, 0), traps.code_of(ValueError))
            b = self.op("i", "select", self.op("b", "cmp", "gt", b, 63), 63, b)
        return Value(INT, (self.op("i", "bin", "ashr", a, b),))

    def exact_real(self, a: Operand) -> Operand:
        """An integer as a float without loss."""
        if isinstance(a, int):
            if abs(a) > EXACT:
                self.fail(traps.UNDECIDED)
            return float(a)
        moved = self.op("i", "bin", "add", a, EXACT)
        self.require(self.op("b", "cmp", "ule", moved, 2 * EXACT), traps.UNDECIDED)
        return self.op("f", "cast", "sitofp", a)

    def on_floats(self, op: type[ast.operator], a: Operand, b: Operand) -> Value:
        """An operator on two floats."""
        if op in REAL:
            return Value(FLOAT, (self.op("f", "bin", REAL[op], a, b),))
        if op in (ast.Div, ast.FloorDiv, ast.Mod):
            self.forbid(self.op("b", "cmp", "eq", b, 0.0), traps.code_of(ZeroDivisionError))
            if op is ast.Div:
                return Value(FLOAT, (self.op("f", "bin", "fdiv", a, b),))
            name = "float_floor_division" if op is ast.FloorDiv else "float_modulo"
            rest = self.op("f", "bin", "frem", a, b)
            return self.call_prelude(name, [Value(FLOAT, (one,)) for one in (a, b, rest)])
        if op is ast.Pow:
            return self.float_power(a, b)
        raise self.refuse(f"uses the operator {op.__name__} on floats", "use whole numbers")

    def float_power(self, a: Operand, b: Operand) -> Value:
        """A ** b, where it is a float."""
        whole = self.op("b", "cmp", "eq", self.op("f", "op", "trunc", b), b)
        below = self.op("b", "bin", "and", self.op("b", "cmp", "lt", a, 0.0), whole)
        plain = self.op("b", "bin", "or", self.op("b", "cmp", "gt", a, 0.0), below)
        nothing = self.op(
            "b", "bin", "and", self.op("b", "cmp", "eq", a, 0.0), self.op("b", "cmp", "gt", b, 0.0)
        )
        self.require(self.op("b", "bin", "or", plain, nothing), traps.UNDECIDED)
        power = self.op("f", "libm", "pow", a, b)
        size = self.op("f", "op", "fabs", power)
        self.require(self.op("b", "cmp", "lt", size, float("inf")), traps.UNDECIDED)
        return Value(FLOAT, (power,))

    def power(self, one: Value, other: Value) -> Value:
        """A ** b of integers: a float where the exponent is negative."""
        b = other.regs[0]
        if isinstance(b, int) and b >= 0:
            return self.call_prelude("integer_power", [one, other])
        yes, no = self.split(self.op("b", "cmp", "ge", b, 0))
        start = dict(self.names)
        self.enter(yes)
        whole = self.end(self.call_prelude("integer_power", [one, other]))
        self.enter(no)
        self.names = dict(start)
        base, exponent = self.exact_real(one.regs[0]), self.exact_real(b)
        part = self.end(self.float_power(base, exponent))
        return self.merge([whole, part]) or Value(BOTTOM)

    def unary(self, op: type[ast.unaryop], value: Value) -> Value:
        """-x, +x, ~x; `not` is a question of truth."""
        if isinstance(value.shape, Union):
            return self.each_member(value, lambda member: self.unary(op, member))
        if value.shape is BOTTOM:
            return value
        if (method := own_method(value.shape, f"__{OPERATORS[op]}__")) is not None:
            return self.call_python(method, [value], {})
        if isinstance(value.shape, Const) and isinstance(value.shape.value, int | float | complex):
            return constant(
                {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[op](  # type: ignore[operator]
                    value.shape.value
                )
            )
        if (
            op is ast.Invert
            and isinstance(flag := general(value.shape), Atom)
            and issubclass(flag.kind, Flag)
        ):
            if isinstance(value.shape, Const):
                return constant(~value.shape.value)
            if int in flag.kind.__mro__:
                raise self.refuse("turns a flag that is not known around", "name the flags that are left")
            every = sum({member.value for member in list(flag.kind)})
            bits = self.coerce(value, flag).regs[0]
            return Value(flag, (self.op("i", "bin", "xor", bits, every),))
        if isinstance(value.shape, Dict) and value.shape.missing == Const(0) and op in COUNTED:
            return self.call_prelude(COUNTED[op], [value])
        if not self.is_number(value.shape) or isinstance(value.shape, Iter):
            raise self.refuse(f"uses the operator {op.__name__} on {value.shape!r}", "use it on numbers")
        number = self.as_number(value)
        reg = number.regs[0]
        if op is ast.UAdd:
            return number
        if number.shape == FLOAT:
            return Value(FLOAT, (self.op("f", "bin", "fsub", -0.0, reg),))
        if number.shape == WIDE:
            if op is ast.Invert:
                return Value(WIDE, (self.op("w", "bin", "xor", reg, -1),))
            return Value(WIDE, (self.op("w", "check", "sub", 0, reg, self.trap_block(traps.OVERFLOW)),))
        if op is ast.Invert:
            return Value(number.shape, (self.op("i", "bin", "xor", reg, -1),))
        if number.shape == WORD or self.instance.trusted:
            return Value(number.shape, (self.op("i", "bin", "sub", 0, reg),))
        return Value(INT, (self.op("i", "check", "sub", 0, reg, self.trap_block(traps.OVERFLOW)),))

    def is_bounded(self, shape: Shape) -> bool:
        """Is it an integer of 64 bits with a sign?"""
        return shape in (INT, BOOL) or isinstance(shape, Atom)

    def numbers_compared(self, pred: str, left: Value, right: Value) -> Operand:
        """How two numbers compare."""
        for one, other, flip in ((left, right, False), (right, left, True)):
            large = one.shape.value if isinstance(one.shape, Const) else 0
            if isinstance(large, int) and not -(2**63) <= large < 2**63 and self.is_bounded(other.shape):
                left_is_less = (large > 0) == flip
                return {"eq": False, "ne": True}.get(pred, (pred[0] == "l") == left_is_less)
        if WORD in (left.shape, right.shape):
            a, b = (self.coerce(one, WORD).regs[0] for one in (left, right))
            return self.op("b", "cmp", pred if pred in ("eq", "ne") else f"u{pred}", a, b)
        one, other = self.as_number(left), self.as_number(right)
        if WIDE in (one.shape, other.shape) and FLOAT not in (one.shape, other.shape):
            one, other = self.coerce(one, WIDE), self.coerce(other, WIDE)
        if one.shape == other.shape:
            return self.op("b", "cmp", pred, one.regs[0], other.regs[0])
        one, other = (self.coerce(n, INT) if n.shape == WIDE else n for n in (one, other))
        a, b = (n.regs[0] if n.shape == FLOAT else self.exact_real(n.regs[0]) for n in (one, other))
        return self.op("b", "cmp", pred, a, b)
