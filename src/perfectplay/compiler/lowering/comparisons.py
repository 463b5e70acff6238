"""Comparisons: equality, order, truth, and what is in what, as Python has them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum, Flag
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.arithmetic import Arithmetic
from perfectplay.compiler.lowering.bytestrings import is_bytes
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.own_methods import compared_fields, compares_fields, has_order, own_method
from perfectplay.compiler.lowering.tables import is_among
from perfectplay.compiler.lowering.values import End, Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    LARGE,
    RANGE,
    STR,
    WIDE,
    Array,
    Atom,
    ByteArray,
    Closure,
    Const,
    Dict,
    Elements,
    Frozen,
    Keywords,
    List,
    Method,
    Object,
    Plain,
    Record,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    general,
    is_struct_class,
)

PLAIN = (int, float, bool, str, bytes, tuple, list, dict, set, frozenset, range, type(None))


class Comparisons(Arithmetic):
    """Questions with the answer yes or no."""

    def is_equal(self, one: Value, other: Value) -> Operand:
        """Are two values equal, as Python has it?"""
        a, b = one.shape, other.shape
        if isinstance(a, Const) and isinstance(b, Const):
            return bool(a.value == b.value)
        if BOTTOM in (a, b):
            return False
        if isinstance(a, Union):
            return self.truth_of_members(one, lambda member: self.is_equal(member, other))
        if isinstance(b, Union):
            return self.truth_of_members(other, lambda member: self.is_equal(one, member))
        for left, right in ((one, other), (other, one)):
            if (method := own_method(left.shape, "__eq__")) is not None:
                answer = self.answered(self.call_python(method, [left, right], {}))
                if answer is not None:
                    return self.truth(answer)
        if self.is_number(a) and self.is_number(b):
            return self.numbers_compared("eq", one, other)
        mine, theirs = family(general(a)), family(general(b))
        if mine != theirs and (is_text_enum(a) or is_text_enum(b)):
            return self.is_equal(self.as_text(one), self.as_text(other))
        if mine == theirs == "str":
            return self.same_text(one, other)
        if self.is_tuple(a) and self.is_tuple(b):
            return self.same_items(one, other)
        if {mine, theirs} <= {"bytes", "bytearray"}:
            return self.same_items(self.in_form(one), self.in_form(other))
        if mine != theirs and {mine, theirs} != {"set", "frozenset"}:
            for shape in (a, b):
                if isinstance(shape, Iter) or (isinstance(shape, Const) and compares_otherwise(shape.value)):
                    raise self.refuse(
                        f"compares {shape!r} with {a if shape is b else b!r}", "compare plain values"
                    )
            return False
        if isinstance(a, Atom) or isinstance(b, Atom):
            return self.op("b", "cmp", "eq", *(self.coerce(v, general(a)).regs[0] for v in (one, other)))
        if isinstance(general(a), Struct):
            return self.same_fields(one, other)
        if isinstance(general(a), Object):
            return self.same_objects(one, other)
        if isinstance(general(a), List):
            return self.same_items(self.in_form(one), self.in_form(other))
        if general(a) == RANGE:
            raise self.refuse("compares ranges", "compare their limits")
        if isinstance(a, Closure | Method | Iter):
            raise self.refuse(f"compares {a!r}", "compare values")
        if is_counter(a) and is_counter(b):
            return self.boolean(self.call_prelude("same_counters", [one, other]))
        name = "same_dicts" if mine == "dict" else "same_sets"
        return self.boolean(self.call_prelude(name, [self.in_form(one), self.in_form(other)]))

    def is_equal_item(self, one: Value, other: Value) -> Operand:
        """The same within containers, where Python asks first whether both are one: a nan is itself."""
        if isinstance(one.shape, Union):
            return self.truth_of_members(one, lambda member: self.is_equal_item(member, other))
        if isinstance(other.shape, Union):
            return self.truth_of_members(other, lambda member: self.is_equal_item(one, member))
        if FLOAT == general(one.shape) == general(other.shape) and FLOAT in (one.shape, other.shape):
            odd = [self.op("b", "cmp", "ne", real, real) for real in (self.real(one), self.real(other))]
            self.forbid(self.both(*odd), traps.UNDECIDED)
        return self.is_equal(one, other)

    def is_text_member(self, shape: Shape) -> bool:
        """Is it a member of an enum whose members are strings, and which one is not known?"""
        return isinstance(shape, Atom) and is_text_enum(shape)

    def as_text(self, value: Value) -> Value:
        """A member of an enum of strings as the string that it is; other values as they are."""
        shape = value.shape
        if not is_text_enum(shape):
            return value
        if isinstance(shape, Const):
            return constant(str.__str__(shape.value))
        texts = [str.__str__(member) for member in shape.kind]  # type: ignore[attr-defined]
        return self.numbered(texts, value.regs[0])

    def same_fields(self, one: Value, other: Value) -> Operand:
        """Are two objects of dataclasses equal?"""
        cls, theirs = general(one.shape).cls, general(other.shape).cls  # type: ignore[attr-defined]
        if cls is not theirs:
            return False
        if not compares_fields(cls):
            raise self.refuse(
                f"asks whether two of {cls.__name__} are one object", "let the dataclass compare: eq=True"
            )
        same: Operand = True
        for mine, their, counts in zip(
            self.fields(one), self.fields(other), compared_fields(cls), strict=True
        ):
            if counts:
                same = self.both(same, self.is_equal_item(mine, their))
        return same

    def same_objects(self, one: Value, other: Value) -> Operand:
        """Are two objects of the rules' own classes equal?"""
        raise NotImplementedError

    def is_tuple(self, shape: Shape) -> bool:
        """Is it a tuple of some sort?"""
        shape = general(shape)
        return isinstance(shape, Seq) or (isinstance(shape, Struct) and issubclass(shape.cls, tuple))

    def in_form(self, value: Value) -> Value:
        """A constant as a value in registers and memory; others as they are."""
        return self.materialise(value.shape.value, None) if isinstance(value.shape, Const) else value

    def truth_of_members(self, value: Value, ask: Callable[[Value], Operand]) -> Operand:
        """A question to a value of a union, whichever member it is."""
        return self.boolean(self.each_member(value, lambda member: Value(BOOL, (ask(member),))))

    def boolean(self, value: Value) -> Operand:
        """The register of a truth value."""
        if isinstance(value.shape, Const):
            return bool(value.shape.value)
        return value.regs[0] if value.regs else False

    def same_text(self, one: Value, other: Value) -> Operand:
        """Are two strings equal?"""
        for text, value in ((one, other), (other, one)):
            if isinstance(text.shape, Const):
                if value.shape == CHAR:
                    wanted = text.shape.value
                    return (
                        self.op("b", "cmp", "eq", value.regs[0], ord(wanted)) if len(wanted) == 1 else False
                    )
                if value.shape == Atom(str):
                    return self.op("b", "cmp", "eq", value.regs[0], self.program.word(text.shape.value))
        if one.shape == other.shape and one.shape in (CHAR, Atom(str)):
            return self.op("b", "cmp", "eq", one.regs[0], other.regs[0])
        return self.same_items(self.coerce(one, STR), self.coerce(other, STR))

    def same_items(self, one: Value, other: Value) -> Operand:
        """Have two sequences equal items?"""
        a, b = general(one.shape), general(other.shape)
        if isinstance(a, Struct) and isinstance(b, Struct):
            if len(a.fields) != len(b.fields) or (
                a.cls is not b.cls and not (self.is_tuple(a) and self.is_tuple(b))
            ):
                return False
            same: Operand = True
            for mine, theirs in zip(self.fields(one), self.fields(other), strict=True):
                same = self.both(same, self.is_equal_item(mine, theirs))
            return same
        one, other = self.in_memory(self.in_form(one)), self.in_memory(self.in_form(other))
        if BOTTOM in (self.element_shape(one.shape), self.element_shape(other.shape)):
            empty = (
                self.op("b", "cmp", "eq", self.length(one), 0),
                self.op("b", "cmp", "eq", self.length(other), 0),
            )
            return self.both(*empty)
        size = self.length(one)
        return self.all_below(
            size,
            self.op("b", "cmp", "eq", size, self.length(other)),
            lambda index: self.is_equal_item(self.element(one, index), self.element(other, index)),
        )

    def both(self, one: Operand, other: Operand) -> Operand:
        """Are both so? Neither has effects, so both are asked."""
        if one is True or other is False:
            return other
        if other is True or one is False:
            return one
        return self.op("b", "bin", "and", one, other)

    def either(self, one: Operand, other: Operand) -> Operand:
        """Is one of them so?"""
        return self.negated(self.both(self.negated(one), self.negated(other)))

    def negated(self, test: Operand) -> Operand:
        """Is it not so?"""
        return (not test) if isinstance(test, bool) else self.op("b", "bin", "xor", test, True)

    def all_below(self, count: Operand, start: Operand, ask: Callable[[Operand], Operand]) -> Operand:
        """Is it so to begin with, and for every index below a count? The first that is not ends it."""
        answer, index = self.ir.slot("b", "all"), self.ir.slot("i", "index")
        self.emit("set", answer, start)
        self.emit("set", index, 0)
        head, inside, after = self.ir.block(), self.ir.block(), self.ir.block()
        self.close("br", head)
        self.enter(head)
        now = self.op("i", "get", index)
        going = self.both(self.op("b", "get", answer), self.op("b", "cmp", "lt", now, count))
        self.close("cbr", going, inside, after, "")
        self.enter(inside)
        self.emit("set", answer, ask(now))
        self.emit("set", index, self.op("i", "bin", "add", now, 1))
        self.close("br", head)
        self.enter(after)
        return self.op("b", "get", answer)

    def truth(self, value: Value) -> Operand:
        """Does Python take a value for true?"""
        shape = value.shape
        match shape:
            case Const(value=known):
                return bool(as_whole(self, known))
            case Union():
                return self.truth_of_members(value, self.truth)
        if (method := own_method(shape, "__bool__") or own_method(shape, "__len__")) is not None:
            return self.truth(self.call_python(method, [value], {}))
        match shape:
            case Object():
                return True
            case Atom(kind=kind):
                if kind is str:
                    self.instance.uses_words = True
                    empty = self.program.words.get("")
                    return True if empty is None else self.op("b", "cmp", "ne", value.regs[0], empty)
                if issubclass(kind, int | Flag):
                    return self.op("b", "cmp", "ne", self.enum_value(value).regs[0], 0)
                return self.truth(self.as_text(value)) if issubclass(kind, str) else True
            case Struct(cls=cls, fields=parts):
                return bool(parts) if issubclass(cls, tuple) else True
            case Keywords(parts=given):
                return bool(given)
            case Seq() | Reference() | Frozen():
                return self.op("b", "cmp", "ne", self.length(value), 0)
            case Closure() | Method() | Iter() | Array() | Record() | Elements():
                return True
        if shape is BOTTOM:
            return False
        if shape == BOOL:
            return value.regs[0]
        if shape == CHAR:
            return True
        if shape == FLOAT:
            return self.op("b", "cmp", "ne", value.regs[0], 0.0)
        if shape == RANGE:
            return self.op("b", "cmp", "gt", self.range_length(value), 0)
        if shape in (WIDE, LARGE):
            return self.op("b", "cmp", "ne", self.coerce(value, WIDE).regs[0], 0)
        if shape in (STR, BYTES):
            return self.op("b", "cmp", "ne", self.length(value), 0)
        return self.op("b", "cmp", "ne", value.regs[0], 0)

    def is_less(self, one: Value, other: Value, *, or_equal: bool) -> Operand:
        """One < other, or one <= other."""
        if isinstance(one.shape, Const) and isinstance(other.shape, Const):
            try:
                a, b = one.shape.value, other.shape.value
                return bool(a <= b if or_equal else a < b)
            except TypeError:
                self.fail(traps.code_of(TypeError))
                return False
        for value, flip in ((one, False), (other, True)):
            if isinstance(value.shape, Union):

                def ask(member: Value, flip: bool = flip) -> Operand:
                    pair = (one, member) if flip else (member, other)
                    return self.is_less(*pair, or_equal=or_equal)

                return self.truth_of_members(value, ask)
        a, b = one.shape, other.shape
        if BOTTOM in (a, b):
            return False
        if self.is_number(a) and self.is_number(b):
            return self.numbers_compared("le" if or_equal else "lt", one, other)
        if a == b == CHAR:
            return self.op("b", "cmp", "le" if or_equal else "lt", one.regs[0], other.regs[0])
        mine, theirs = family(general(a)), family(general(b))
        if is_text_enum(a) or is_text_enum(b):
            return self.is_less(self.as_text(one), self.as_text(other), or_equal=or_equal)
        if mine == theirs == "str":
            if a == b == Atom(str):
                ranks = [self.rank_of_word(value) for value in (one, other)]
                return self.op("b", "cmp", "le" if or_equal else "lt", *ranks)
            pair = [self.coerce(value, STR) for value in (one, other)]
        elif isinstance(general(a), Struct) and mine == theirs and not self.is_tuple(a):
            cls = general(a).cls  # type: ignore[attr-defined]
            if not has_order(cls):
                self.fail(traps.code_of(TypeError))
                return False
            pairs = [
                [
                    part
                    for part, counts in zip(self.fields(value), compared_fields(cls), strict=True)
                    if counts
                ]
                for value in (one, other)
            ]
            return self.fields_less(pairs[0], pairs[1], or_equal)
        elif (
            self.is_tuple(a)
            and self.is_tuple(b)
            and isinstance(general(a), Struct)
            and isinstance(general(b), Struct)
        ):
            return self.fields_less(self.fields(one), self.fields(other), or_equal)
        elif {mine, theirs} <= {"bytes", "bytearray"}:
            pair = [self.in_form(value) for value in (one, other)]
        elif (self.is_tuple(a) and self.is_tuple(b)) or mine == theirs == "list":
            pair = [self.in_memory(self.in_form(value)) for value in (one, other)]
        elif {mine, theirs} <= {"set", "frozenset"}:
            name = "is_subset" if or_equal else "is_proper_subset"
            return self.boolean(self.call_prelude(name, [self.in_form(one), self.in_form(other)]))
        else:
            self.has_no_operator(one, other)
            return False
        name = "sequence_at_most" if or_equal else "sequence_less"
        return self.boolean(self.call_prelude(name, pair))

    def rank_of_word(self, value: Value) -> Operand:
        """The place of a word in the order of all words."""
        self.instance.uses_words = True
        ranks = {word: place for place, word in enumerate(sorted(self.program.words))}
        table = self.materialise(tuple(ranks[word] for word in self.program.words), Seq(INT))
        return self.element(table, value.regs[0]).regs[0]

    def fields_less(self, mine: list[Value], theirs: list[Value], or_equal: bool) -> Operand:
        """The same for tuples of known length: the first fields that differ decide."""
        ends: list[End] = []
        for one, other in zip(mine, theirs, strict=False):
            same = self.is_equal(one, other)
            if same is True:
                continue
            if same is not False:
                equal, differ = self.split(same)
                names = dict(self.names)
                self.enter(differ)
            less = self.compared(ast.Lt(), one, other)
            if not self.dead:
                ends.append(self.end(Value(BOOL, (less,))))
            if same is False:
                break
            self.enter(equal)
            self.names = names
        else:
            shorter = (len(mine) <= len(theirs)) if or_equal else (len(mine) < len(theirs))
            ends.append(self.end(Value(BOOL, (shorter,))))
        return self.boolean(self.merge(ends) or Value(BOTTOM))

    def compared(self, op: ast.cmpop, left: Value, right: Value) -> Operand:
        """How two values compare, by methods of their own if they have them."""
        raise NotImplementedError

    def contains(self, container: Value, item: Value) -> Operand:
        """Is an item in a container?"""
        shape = container.shape
        if isinstance(shape, Union):
            return self.truth_of_members(container, lambda member: self.contains(member, item))
        if (method := own_method(shape, "__contains__")) is not None:
            return self.truth(self.call_python(method, [container, item], {}))
        if is_text_enum(shape):
            return self.contains(self.as_text(container), item)
        if isinstance(general(shape), Atom) and issubclass(general(shape).kind, Flag):  # type: ignore[attr-defined]
            both = self.binary(ast.BitAnd, container, item)
            return False if self.dead else self.is_equal(both, item)
        if isinstance(shape, Const):
            known = shape.value
            if isinstance(item.shape, Const) and not isinstance(known, list):
                return bool(item.shape.value in as_whole(self, known))
            if isinstance(known, range):
                return self.in_range(self.materialise(known, RANGE), item)
            if isinstance(known, str):
                return self.in_text(container, item)
            if isinstance(known, bytes):
                return self.contains(self.in_form(container), item)
            if isinstance(known, type):
                raise self.refuse("asks what is in a class", "name its members")
            return is_among(self, known, item)
        if shape == RANGE:
            return self.in_range(container, item)
        if isinstance(shape, Struct):
            return self.any_equal(self.fields(container), item)
        if family(shape) == "str":
            return self.in_text(container, item)
        if is_bytes(item) and (shape == BYTES or isinstance(shape, ByteArray)):
            pair = [self.call_prelude("as_text", [one]) for one in (container, item)]
            return self.boolean(self.call_prelude("has_text", pair))
        if isinstance(shape, Seq | List) or shape == BYTES:
            if self.element_shape(shape) is BOTTOM:
                return False
            found = self.all_below(
                self.length(container),
                True,
                lambda index: self.negated(self.is_equal_item(self.element(container, index), item)),
            )
            return self.negated(found)
        if isinstance(shape, Iter):
            if getattr(shape, "side", "") == "keys":
                return self.contains(shape.items, item)  # type: ignore[attr-defined]
            return self.boolean(self.call_prelude("is_in", [container, item]))
        if isinstance(shape, Set | Frozen | Dict):
            name = "dict_has" if isinstance(shape, Dict) else "set_has"
            return self.boolean(self.call_prelude(name, [container, self.in_form(item)]))
        raise self.refuse(f"asks what is in {shape!r}", "ask a tuple, a list, a set or a dict")

    def any_equal(self, parts: list[Value], item: Value) -> Operand:
        """Is an item equal to one of these?"""
        found: Operand = False
        for part in parts:
            found = self.either(found, self.is_equal_item(part, item))
        return found

    def in_text(self, container: Value, item: Value) -> Operand:
        """Is a string in another?"""
        item = self.as_text(item)
        if isinstance(container.shape, Const) and item.shape == CHAR:
            return self.any_equal([constant(letter) for letter in dict.fromkeys(container.shape.value)], item)
        letter = item.shape == CHAR or (isinstance(item.shape, Const) and len(str(item.shape.value)) == 1)
        text = self.coerce(container, STR)
        if letter:
            return self.contains(Value(Seq(CHAR), text.regs), self.coerce(item, CHAR))
        return self.boolean(self.call_prelude("has_text", [text, self.coerce(item, STR)]))

    def in_range(self, limits: Value, item: Value) -> Operand:
        """Is a number in a range?"""
        if isinstance(item.shape, Union):
            return self.truth_of_members(item, lambda member: self.in_range(limits, member))
        if not self.is_whole(item.shape):
            return False if not self.is_number(item.shape) else self.fail_with(traps.UNDECIDED)
        return self.boolean(self.call_prelude("in_range", [limits, Value(INT, (self.integer(item),))]))

    def fail_with(self, code: int) -> Operand:
        """Trap, where an answer is wanted."""
        self.fail(code)
        return False

    def has_no_operator(self, left: Value, right: Value) -> None:
        """Trap as Python does where two values have no such operator; where they may have one, refuse."""
        for value in (left, right):
            if not _is_plain(value.shape):
                raise self.refuse(f"uses an operator on {value.shape!r}", "use it on plain values")
        self.fail(traps.code_of(TypeError))

    def range_length(self, value: Value) -> Operand:
        """How many numbers there are in a range."""
        start, stop, step = value.regs
        if step == 1 and (self.instance.trusted or isinstance(start, int)):
            sized = self.op("i", "bin", "sub", stop, start) if start != 0 else stop
            return self.op("i", "op", "smax", sized, 0)
        return self.integer(self.call_prelude("range_length", [Value(INT, (reg,)) for reg in value.regs]))

    # Filled in by the other parts of the lowering.

    def numbered(self, values: list[Any], number: Operand) -> Value:
        """The constant with a number."""
        raise NotImplementedError


def is_counter(shape: Shape) -> bool:
    """Is it a Counter that is made while the rules run?"""
    return isinstance(shape, Dict) and shape.missing == Const(0)


def is_text_enum(shape: Shape) -> bool:
    """Is it a member of an enum whose members are strings too?"""
    kind = type(shape.value) if isinstance(shape, Const) else shape.kind if isinstance(shape, Atom) else str
    return issubclass(kind, str) and kind is not str and issubclass(kind, Enum)


def compares_otherwise(value: Any) -> bool:
    """May a constant be equal to what is of another kind?"""
    kind = type(value)
    own = getattr(kind, "__eq__", None) is not object.__eq__
    return own and kind not in PLAIN and not isinstance(value, Enum | type)


def _is_plain(shape: Shape) -> bool:
    """Is it of a kind all of whose operators are known here?"""
    if isinstance(shape, Const):
        known = type(shape.value)
        return known in PLAIN or issubclass(known, Enum) or is_struct_class(known)
    if isinstance(shape, Dict):
        return shape.missing is None
    return type(shape) in (List, Set) or isinstance(shape, Plain | Atom | Struct | Seq | Frozen)


def _is_none(value: Value) -> bool:
    return isinstance(value.shape, Const) and value.shape.value is None
