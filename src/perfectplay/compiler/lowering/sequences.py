"""Equality, truth and order of any values; tuples, lists and strings: indexed, sliced, joined, repeated."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from enum import Enum, Flag
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.arithmetic import BITS, Arithmetic
from perfectplay.compiler.lowering.builder import HEADER
from perfectplay.compiler.lowering.bytestrings import as_array, as_bytes, as_row, is_bytes
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.own_methods import compared_fields, compares_fields, has_order, own_method
from perfectplay.compiler.lowering.tables import constant_row, is_among, key_number, look_up
from perfectplay.compiler.lowering.texts import percent
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
    is_row,
    is_struct_class,
    width,
)

COUNTED: dict[type[ast.operator], str] = {
    ast.Add: "counter_plus",
    ast.Sub: "counter_minus",
    ast.BitOr: "counter_or",
    ast.BitAnd: "counter_and",
}
PLAIN = (int, float, bool, str, bytes, tuple, list, dict, set, frozenset, range, type(None))
SLICED = (str, bytes, tuple, range)  # constants that are, when compiling
FEW = 16  # elements that are compared one by one, without a loop


class Sequences(Arithmetic):
    """What can be done with values in a row."""

    # Equality and truth.

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

    # Order.

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

    # Membership.

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

    # Indices.

    def index(self, value: Value, place: Value) -> Value:
        """value[place]"""
        shape = value.shape
        if isinstance(shape, Union):
            return self.each_member(
                value, lambda member: self.index(member, place) if not _is_none(member) else None
            )
        if BOTTOM in (shape, place.shape):
            return Value(BOTTOM)
        if (method := own_method(shape, "__getitem__")) is not None:
            return self.call_python(method, [value, place], {})
        if is_text_enum(shape):
            return self.index(self.as_text(value), place)
        if isinstance(place.shape, Union) and not isinstance(shape, Dict):
            return self.each_member(place, lambda one: self.index(value, one) if not _is_none(one) else None)
        if isinstance(shape, Const):
            return self.index_constant(value, shape.value, place)
        if isinstance(shape, Dict):
            return self.call_prelude("dict_index", [value, self.in_form(place)])
        if isinstance(shape, Struct) and isinstance(place.shape, Const):
            parts = self.fields(value)
            number = place.shape.value
            if issubclass(shape.cls, tuple) and isinstance(number, int):
                if -len(parts) <= number < len(parts):
                    return parts[number]
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
        if isinstance(shape, Struct) and issubclass(shape.cls, tuple):
            if not shape.fields:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.index(self.in_memory(value), place)
        if isinstance(shape, Array):
            return self.array_index(value, place)
        if isinstance(shape, Elements):
            return self.elements_index(value, place)
        if shape == RANGE:
            at = self.valid_index(self.integer(place), self.range_length(value))
            start, _, step = value.regs
            return Value(INT, (self.op("i", "bin", "add", start, self.op("i", "bin", "mul", at, step)),))
        if family(shape) == "str":
            value = self.coerce(value, STR)
        if isinstance(value.shape, List) or is_row(value.shape):
            if self.element_shape(value.shape) is BOTTOM:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.element(value, self.valid_index(self.integer(place), self.length(value)))
        raise self.refuse(f"takes a place of {shape!r}", "index tuples, lists, strings and dicts")

    def array_index(self, value: Value, place: Value) -> Value:
        """An element of a caller's array."""
        raise NotImplementedError

    def elements_index(self, value: Value, place: Value) -> Value:
        """An element of an array of a record."""
        raise NotImplementedError

    def set_element(self, target: Value, place: Value, item: Value) -> None:
        """Write an element of such an array."""
        raise NotImplementedError

    def index_constant(self, value: Value, known: Any, place: Value) -> Value:
        """A place of a constant."""
        if isinstance(place.shape, Const) and not (
            isinstance(known, defaultdict) and place.shape.value not in known
        ):
            try:
                return constant(known[place.shape.value])
            except (LookupError, TypeError) as error:
                self.fail(traps.code_of(type(error)))
                return Value(BOTTOM)
        if isinstance(known, dict):
            return self.look_up(known, place)
        if isinstance(known, tuple | list):
            if not known:
                self.fail(traps.code_of(IndexError))
                return Value(BOTTOM)
            return self.index(constant_row(self, known), place)
        if isinstance(known, str | range):
            return self.index(self.materialise(known, STR if isinstance(known, str) else RANGE), place)
        if isinstance(known, bytes):
            return self.index(constant_row(self, tuple(known)), place)
        raise self.refuse(f"takes a place of the constant {type(known).__name__}", "use a tuple or a dict")

    def look_up(self, known: dict[Any, Any], key: Value) -> Value:
        """The value of a constant dict under a key."""
        return look_up(self, known, key)

    def key_number(self, known: Any, key: Value) -> Operand:
        """The number of a key among those of a constant dict, or -1."""
        return key_number(self, known, key)

    def numbered(self, values: list[Any], number: Operand) -> Value:
        """The constant with a number among several."""
        if all(value is values[0] for value in values):
            return constant(values[0])
        return self.element(constant_row(self, values), number)

    def valid_index(self, index: Operand, size: Operand) -> Operand:
        """An index from the front, which is known to be below the length."""
        if isinstance(index, int) and isinstance(size, int):
            index = index + size if index < 0 else index
            self.require(0 <= index < size, traps.code_of(IndexError))
            return index
        if not isinstance(index, int):
            behind = self.op("i", "bin", "add", index, size)
            index = self.op("i", "select", self.op("b", "cmp", "lt", index, 0), behind, index)
        elif index < 0:
            index = self.op("i", "bin", "add", size, index)
        self.require(self.op("b", "cmp", "ult", index, size), traps.code_of(IndexError))
        return index

    def set_index(self, target: Value, place: Value, item: Value) -> None:
        """target[place] = item"""
        shape = target.shape
        if isinstance(shape, Union):
            self.each_member(target, lambda one: self.index_set(one, place, item))
            return
        if (method := own_method(shape, "__setitem__")) is not None:
            self.call_python(method, [target, place, item], {})
            return
        if isinstance(shape, Array):
            self.set_array_element(target, place, item)
        elif isinstance(shape, Elements):
            self.set_element(target, place, item)
        elif isinstance(shape, Dict):
            self.change(*shape.cells)
            self.call_prelude("dict_set", [target, self.in_form(place), self.in_form(item)])
        elif isinstance(shape, List):
            self.change(*shape.cells)
            if isinstance(shape, ByteArray):
                item = self.call_prelude("required_byte", [item])
            elem = self.put_into(shape.cells[0], item.shape)
            stored = self.coerce(item, elem)
            at = self.valid_index(self.integer(place), self.length(target))
            pointer, skipped = self.data(target)
            self.store(stored, self.op("p", "at", pointer, at, width(elem), skipped), 0)
        elif isinstance(shape, Const) and isinstance(shape.value, list | dict):
            raise self.refuse("changes a list or dict that is a constant", "change a copy: list(...)")
        elif shape is BOTTOM:
            return
        else:
            raise self.refuse(f"changes a place of {shape!r}", "change lists and dicts only")

    def index_set(self, target: Value, place: Value, item: Value) -> Value | None:
        """The same for one of the kinds that a value may be of; None if it has no places to change."""
        if not isinstance(target.shape, List | Dict) and own_method(target.shape, "__setitem__") is None:
            return None
        self.set_index(target, place, item)
        return constant(None)

    def call(self, function: Value, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Call a value."""
        raise NotImplementedError

    def set_array_element(self, target: Value, place: Value, item: Value) -> None:
        """The same in a caller's array."""
        raise NotImplementedError

    # Slices, sums and products.

    def slice(self, value: Value, first: Value, last: Value, step: Value) -> Value:
        """value[first:last:step]"""
        shape = value.shape
        if isinstance(shape, Union):
            return self.each_member(
                value, lambda one: self.slice(one, first, last, step) if not _is_none(one) else None
            )
        if shape is BOTTOM:
            return value
        if is_text_enum(shape):
            return self.slice(self.as_text(value), first, last, step)
        limits = [
            limit.shape.value if isinstance(limit.shape, Const) else ... for limit in (first, last, step)
        ]
        if limits[2] == 0:
            self.fail(traps.code_of(ValueError))
            return Value(BOTTOM)
        if ... not in limits and isinstance(shape, Const) and isinstance(shape.value, SLICED):
            return constant(shape.value[slice(*limits)])  # type: ignore[arg-type]
        if ... not in limits and isinstance(shape, Struct) and issubclass(shape.cls, tuple):
            return self.struct(tuple, self.fields(value)[slice(*limits)])  # type: ignore[arg-type]
        value = self.in_form(value)
        if family(value.shape) == "str":
            value = self.coerce(value, STR)
        value = self.in_memory(value)
        if isinstance(value.shape, ByteArray):
            row = self.slice(as_row(self, as_bytes(self, value)), first, last, step)
            return Value(BOTTOM) if self.dead else as_array(self, row)
        if value.shape == BYTES:
            row = self.slice(as_row(self, value), first, last, step)
            return Value(BYTES, row.regs) if row.regs else row
        if not isinstance(value.shape, Seq | List) and value.shape != STR:
            raise self.refuse(f"takes a slice of {shape!r}", "slice tuples, lists and strings")
        if limits[2] not in (None, 1):
            return self.call_prelude("sliced", [value, first, last, step])
        size = self.length(value)
        begin = self.clamped(first, size, 0)
        end = self.clamped(last, size, size)
        count = self.op("i", "bin", "sub", end, begin)
        count = self.op("i", "op", "smax", count, 0)
        if isinstance(value.shape, List):
            cell = self.cell(self.node, "slice")
            made = self.new_list(cell, count)
            elem = self.put_into(cell, value.shape.cells[0].elem)
            self.emit("store", count, "i", made.regs[0], 0)
            pointer, skipped = self.data(made)
            self.copy_elements(value, begin, count, elem, pointer, skipped)
            return made
        return self.copied(value, value.shape, begin, count)

    def clamped(self, limit: Value, size: Operand, default: Operand) -> Operand:
        """A limit of a slice: from the front, and from 0 to the length."""
        if isinstance(limit.shape, Const) and limit.shape.value is None:
            return default
        if isinstance(limit.shape, Union):
            return self.each_member(limit, lambda one: Value(INT, (self.clamped(one, size, default),))).regs[
                0
            ]
        at = self.integer(limit)
        if isinstance(at, int):
            if at < 0:
                at = self.op("i", "bin", "add", size, at)
        else:
            behind = self.op("i", "bin", "add", at, size)
            at = self.op("i", "select", self.op("b", "cmp", "lt", at, 0), behind, at)
        at = self.op("i", "op", "smax", at, 0)
        return self.op("i", "op", "smin", at, size)

    def new_list(self, cell: Any, room: Operand) -> Value:
        """An empty list with room for so many elements."""
        elem = cell.root().elem
        pointer = self.alloc(3)
        words = self.op("i", "bin", "mul", room, max(width(elem), 1))
        data = self.alloc(words)
        for place, (word, kind) in enumerate(((0, "i"), (room, "i"), (data, "p"))):
            self.emit("store", word, kind, pointer, place)
        return Value(List(cell), (pointer,))

    def append(self, target: Value, item: Value) -> None:
        """Put an item at the end of a list, which may be one that is just being made."""
        assert isinstance(target.shape, List)
        elem = self.put_into(target.shape.cells[0], item.shape)
        stored = self.coerce(item, elem)
        header = target.regs[0]
        size, room = self.op("i", "load", header, 0), self.op("i", "load", header, 1)
        full, fits = self.split(self.op("b", "cmp", "eq", size, room), "yes")
        names = dict(self.names)
        self.enter(full)
        wider = self.op("i", "op", "smax", self.op("i", "bin", "shl", room, 1), 8)
        old = self.op("p", "load", header, 2)
        new = self.alloc(self.op("i", "bin", "mul", wider, max(width(elem), 1)))
        words = self.op("i", "bin", "mul", size, width(elem))

        def move(index: Operand) -> None:
            word = self.op("i", "load", self.op("p", "at", old, index, 1, 0), 0)
            self.emit("store", word, "i", self.op("p", "at", new, index, 1, 0), 0)

        self.counted(words, move)
        self.emit("store", wider, "i", header, 1)
        self.emit("store", new, "p", header, 2)
        self.close("br", fits)
        self.enter(fits)
        self.names = names
        data = self.op("p", "load", header, 2)
        self.store(stored, self.op("p", "at", data, size, width(elem), 0), 0)
        self.emit("store", self.op("i", "bin", "add", size, 1), "i", header, 0)

    def on_others(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Operators on tuples, lists, strings, sets, dicts and flags."""
        left, right = self.as_text(left), self.as_text(right)
        if isinstance(general(left.shape), Atom) and general(left.shape) != Atom(str):
            return self.on_flags(op, left, right)
        a, b = general(left.shape), general(right.shape)
        if op is ast.Add and self.is_tuple(a) and self.is_tuple(b):
            return self.tuples_joined(left, right)
        if op is ast.Add and family(a) == family(b) == "str":
            pair = [self.coerce(one, STR) for one in (left, right)]
            return self.joined(pair[0], pair[1], STR)
        if is_bytes(left) and (is_bytes(right) or self.is_whole(right.shape)):
            return self.on_bytes(op, left, right)
        if is_bytes(right) and self.is_whole(left.shape) and op is ast.Mult:
            return self.on_bytes(op, right, left)
        if op is ast.Add and isinstance(a, List) and isinstance(b, List):
            return self.call_prelude("lists_joined", [self.in_form(left), self.in_form(right)])
        if op is ast.Mult:
            for one, other in ((left, right), (right, left)):
                if self.is_whole(other.shape) and (
                    self.is_tuple(one.shape) or family(general(one.shape)) in ("str", "list")
                ):
                    return self.repeated(one, other)
        names = {
            ast.BitOr: "union",
            ast.BitAnd: "intersection",
            ast.Sub: "difference",
            ast.BitXor: "symmetric_difference",
        }
        if op in names and "keys" in (getattr(a, "side", ""), getattr(b, "side", "")):
            left, right = (self.call(constant(set), [one], {}) for one in (left, right))
            a, b = left.shape, right.shape
        if op in names and {family(a), family(b)} <= {"set", "frozenset"}:
            return self.call_prelude(f"{names[op]}_of", [self.in_form(left), self.in_form(right)])
        if op in COUNTED and is_counter(a) and is_counter(b):
            return self.call_prelude(COUNTED[op], [left, right])
        if op is ast.BitOr and family(a) == family(b) == "dict":
            if is_counter(a) or is_counter(b):
                raise self.refuse("joins a counter with a dict", "use .update()")
            return self.call_prelude("dict_union_of", [self.in_form(left), self.in_form(right)])
        if op is ast.Mod and family(a) == "str":
            return percent(self, left, right)
        self.has_no_operator(left, right)
        return Value(BOTTOM)

    def on_bytes(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Bytes + bytes, bytes * number: what the left one is."""
        one = as_row(self, as_bytes(self, left))
        if op is ast.Add and is_bytes(right):
            made = self.joined(one, as_row(self, as_bytes(self, right)), Seq(INT))
        elif op is ast.Mult and self.is_whole(right.shape):
            made = self.call_prelude("tuple_repeated", [one, right])
        else:
            raise self.refuse("uses an operator on bytes", "use it on numbers or texts")
        return as_array(self, made) if isinstance(left.shape, ByteArray) else Value(BYTES, made.regs)

    def has_no_operator(self, left: Value, right: Value) -> None:
        """Trap as Python does where two values have no such operator; where they may have one, refuse."""
        for value in (left, right):
            if not _is_plain(value.shape):
                raise self.refuse(f"uses an operator on {value.shape!r}", "use it on plain values")
        self.fail(traps.code_of(TypeError))

    def on_flags(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        """Flags joined, in common, or in one only."""
        shape = general(left.shape)
        assert isinstance(shape, Atom)
        if op not in BITS or not issubclass(shape.kind, Flag) or general(right.shape) != shape:
            self.fail(traps.code_of(TypeError))
            return Value(BOTTOM)
        bits = [self.coerce(value, shape).regs[0] for value in (left, right)]
        return Value(shape, (self.op("i", "bin", BITS[op], *bits),))

    def tuples_joined(self, left: Value, right: Value) -> Value:
        """Tuple + tuple"""
        a, b = general(left.shape), general(right.shape)
        if isinstance(a, Struct) and isinstance(b, Struct) and len(a.fields) + len(b.fields) <= 4 * FEW:
            return self.struct(tuple, [*self.fields(left), *self.fields(right)])
        pair = [self.in_memory(self.in_form(one)) for one in (left, right)]
        elem = self.join(self.element_shape(pair[0].shape), self.element_shape(pair[1].shape))
        return self.joined(pair[0], pair[1], Seq(elem))

    def joined(self, one: Value, other: Value, shape: Shape) -> Value:
        """A new tuple or string of the elements of two."""
        elem = self.element_shape(shape)
        mine, theirs = self.length(one), self.length(other)
        count = self.op("i", "bin", "add", mine, theirs)
        words = self.op("i", "bin", "mul", count, width(elem))
        pointer = self.alloc(self.op("i", "bin", "add", words, HEADER))
        self.emit("store", count, "i", pointer, 0)
        self.copy_elements(one, 0, mine, elem, pointer, HEADER)
        second = self.op("p", "at", pointer, mine, width(elem), HEADER)
        self.copy_elements(other, 0, theirs, elem, second, 0)
        return Value(shape, (pointer,))

    def repeated(self, value: Value, times: Value) -> Value:
        """Tuple * n, list * n, string * n"""
        shape = value.shape
        if isinstance(times.shape, Const) and isinstance(general(shape), Struct):
            parts = self.fields(value) * max(times.shape.value, 0)
            if len(parts) <= FEW:
                return self.struct(tuple, parts)
        if family(general(shape)) == "str":
            return self.call_prelude("text_repeated", [self.coerce(value, STR), times])
        if family(general(shape)) == "list":
            return self.call_prelude("list_repeated", [self.in_form(value), times])
        return self.call_prelude("tuple_repeated", [self.in_memory(self.in_form(value)), times])

    def range_length(self, value: Value) -> Operand:
        """How many numbers there are in a range."""
        start, stop, step = value.regs
        if step == 1 and (self.instance.trusted or isinstance(start, int)):
            sized = self.op("i", "bin", "sub", stop, start) if start != 0 else stop
            return self.op("i", "op", "smax", sized, 0)
        return self.integer(self.call_prelude("range_length", [Value(INT, (reg,)) for reg in value.regs]))


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
