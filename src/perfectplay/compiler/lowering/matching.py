"""`match`: patterns one after the other, each for every kind that the subject may be of."""

from __future__ import annotations

import ast
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.calls import Calls
from perfectplay.compiler.lowering.intrinsics import python_type
from perfectplay.compiler.lowering.values import End, Iter, Value, constant
from perfectplay.compiler.shapes import (
    BOTTOM,
    RANGE,
    Box,
    ByteArray,
    Const,
    Dict,
    List,
    Object,
    Seq,
    Struct,
    Union,
    general,
    struct_names,
)

WHOLE = (
    bool,
    bytearray,
    bytes,
    dict,
    float,
    frozenset,
    int,
    list,
    set,
    str,
    tuple,
)  # Class(pattern) is all of it


class Matching(Calls):
    """What a subject is like, and the names of its parts."""

    captures = ""  # how the names begin that hold what the parts of a pattern have found

    def do_match(self, node: ast.Match) -> None:
        """Match subject: case pattern: ..."""
        subject = self.expression(node.subject)
        if isinstance(subject.shape, Iter):
            raise self.refuse("matches a generator", "match a list or a tuple")
        held = self.fresh("%subject")
        self.set_name(held, subject)
        narrowed = self.narrowed_by(node)
        ends: list[End] = []
        for number, case in enumerate(node.cases):
            failed: list[End] = []
            self.captures = f"{held}{number}."
            self.match(case.pattern, self.get_name(held), failed, narrowed)
            self.name_captured()
            if not self.dead and case.guard is not None:
                yes, no = self.condition(case.guard)
                failed += no
                self.merge(yes)
            if not self.dead:
                self.statements(case.body)
                if not self.dead:
                    ends.append(self.end())
            self.merge(failed)
            if self.dead:
                break
        if not self.dead:
            ends.append(self.end())
        self.merge(ends)

    def capture(self, name: str, value: Value) -> None:
        """Keep what a part of a pattern has found: it gets its name when the whole pattern fits."""
        if isinstance(value.shape, Iter):
            raise self.refuse("matches a generator", "match a list or a tuple")
        self.set_name(self.captures + name, value)

    def name_captured(self) -> None:
        """Give all that a pattern has found its names."""
        for held in [name for name in self.names if name.startswith(self.captures)]:
            if not self.dead:
                self.assign_name(held.removeprefix(self.captures), self.taken(held))

    def narrowed_by(self, node: ast.Match) -> str:
        """The name of the subject, which is of fewer kinds once a pattern fits; empty if it has none."""
        if not isinstance(node.subject, ast.Name):
            return ""
        key = self.frames[-1].key(node.subject.id)
        known = self.names.get(key)
        plain = known is not None and not isinstance(known, Box | Iter) and key not in self.instance.loose
        return key if plain else ""

    def match(self, pattern: ast.pattern, value: Value, failed: list[End], narrowed: str = "") -> None:
        """Go on if a pattern matches; otherwise to those who failed."""
        if value.shape is BOTTOM:
            self.fail(traps.UNSEEN)
            return
        if isinstance(value.shape, Union) and _looks_inside(pattern):
            self.match_members(pattern, value, failed, narrowed)
            return
        match pattern:
            case ast.MatchValue(value=wanted):
                self.go_on(self.is_equal(value, self.expression(wanted)), failed)
            case ast.MatchSingleton(value=wanted):
                self.go_on(self.is_same(value, constant(wanted)), failed)
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self.match(inner, value, failed)
                if name is not None and not self.dead:
                    self.capture(name, value)
            case ast.MatchOr(patterns=choices):
                self.match_any(choices, value, failed)
            case ast.MatchSequence(patterns=parts):
                self.match_sequence(parts, value, failed)
            case ast.MatchClass(cls=cls, patterns=parts, kwd_attrs=names, kwd_patterns=more):
                self.match_class(cls, parts, list(zip(names, more, strict=True)), value, failed)
            case ast.MatchMapping(keys=keys, patterns=parts, rest=rest):
                self.match_mapping(keys, parts, rest, value, failed)
            case _:
                raise self.refuse("matches something odd", "use if and elif")

    def match_members(self, pattern: ast.pattern, value: Value, failed: list[End], narrowed: str) -> None:
        """The same for a value of several kinds: each kind by itself, and the subject's name with it."""
        matched: list[End] = []
        names = dict(self.names)
        for number, member in enumerate(self.members(value)):
            yes, no = self.split(self.op("b", "cmp", "eq", value.regs[0], number))
            self.enter(yes)
            if narrowed:
                self.set_name(narrowed, member)
            self.match(pattern, member, failed)
            if not self.dead:
                matched.append(self.end())
            self.enter(no)
            self.names = dict(names)
        self.close("br", self.trap_block(traps.UNSEEN))
        self.merge(matched)

    def go_on(self, test: Any, failed: list[End]) -> None:
        """Go on if it is so."""
        if test is True:
            return
        if test is False:
            failed.append(self.end())
            self.die()
            return
        yes, no = self.split(test)
        failed.append(End(no, dict(self.names)))
        self.enter(yes)

    def match_any(self, choices: list[ast.pattern], value: Value, failed: list[End]) -> None:
        """Pattern | pattern"""
        matched = []
        for choice in choices:
            missed: list[End] = []
            self.match(choice, value, missed)
            if not self.dead:
                matched.append(self.end())
            self.merge(missed)
            if self.dead:
                break
        if not self.dead:
            failed.append(self.end())
        self.merge(matched)

    def match_sequence(self, parts: list[ast.pattern], value: Value, failed: list[End]) -> None:
        """[a, b, *rest], (a, b)"""
        if general(value.shape) == RANGE:
            value = self.call_prelude("list_of", [value])
        shape = general(value.shape)
        stars = [place for place, one in enumerate(parts) if isinstance(one, ast.MatchStar)]
        if not (isinstance(shape, Seq | List) or self.is_tuple(shape)) or isinstance(shape, ByteArray):
            failed.append(self.end())
            self.die()
            return
        value = self.in_form(value) if isinstance(value.shape, Const) else value
        size = self.length(value)
        least = len(parts) - len(stars)
        if isinstance(size, int):
            fits: Any = size >= least if stars else size == least
        else:
            fits = self.op("b", "cmp", "ge" if stars else "eq", size, least)
        self.go_on(fits, failed)
        if self.dead:
            return
        for number, part in enumerate(parts):
            if isinstance(part, ast.MatchStar):
                end = constant(number + 1 - len(parts)) if number + 1 < len(parts) else constant(None)
                rest = self.call_prelude(
                    "list_of", [self.slice(value, constant(number), end, constant(None))]
                )
                if part.name is not None:
                    self.capture(part.name, rest)
                continue
            place = number if not stars or number < stars[0] else number - len(parts)
            self.match(part, self.index(value, constant(place)), failed)
            if self.dead:
                return  # type: ignore[unreachable]

    def match_class(
        self,
        cls: ast.expr,
        parts: list[ast.pattern],
        named: list[tuple[str, ast.pattern]],
        value: Value,
        failed: list[End],
    ) -> None:
        """Class(a, b, name=c)"""
        wanted = self.expression(cls)
        test = self.call_prelude("isinstance", [value, wanted])
        self.go_on(self.truth(test), failed)
        if self.dead:
            return
        known = wanted.shape.value if isinstance(wanted.shape, Const) else None
        if len(parts) == 1 and known in WHOLE:
            self.match(parts[0], value, failed)
            parts = []
        names = getattr(known, "__match_args__", None) or struct_names(known)  # type: ignore[arg-type]
        if len(parts) > len(names):
            self.fail(traps.code_of(TypeError))
            return
        for name, part in [*zip(names, parts, strict=False), *named]:
            self.match_attribute(name, part, value, failed)

    def match_attribute(self, name: str, part: ast.pattern, value: Value, failed: list[End]) -> None:
        """Class(name=part), if all before it fits."""
        if self.dead:
            return
        if _has(value, name):
            self.match(part, self.attribute(value, name), failed)
        else:
            failed.append(self.end())
            self.die()

    def match_mapping(
        self,
        keys: list[ast.expr],
        parts: list[ast.pattern],
        rest: str | None,
        value: Value,
        failed: list[End],
    ) -> None:
        """{key: pattern, **rest}"""
        known = value.shape.value if isinstance(value.shape, Const) else None
        if not isinstance(known, dict) and not isinstance(general(value.shape), Dict):
            failed.append(self.end())
            self.die()
            return
        if isinstance(value.shape, Dict) and value.shape.missing is not None:
            raise self.refuse("matches a dict with a default", "use if and elif")
        wanted = [self.expression(key) for key in keys]
        for key, part in zip(wanted, parts, strict=True):
            self.go_on(self.contains(value, key), failed)
            if not self.dead:
                self.match(part, self.index(value, key), failed)
            if self.dead:
                return
        if rest is not None:
            left = self.method(self.in_form(value), "copy", [], {})
            for key in wanted:
                self.method(left, "pop", [key], {})
            self.capture(rest, left)

    # Filled in by the other parts of the lowering.

    def assign_name(self, name: str, value: Value) -> None:
        """Name = value"""
        raise NotImplementedError


def _looks_inside(pattern: ast.pattern) -> bool:
    """Does it depend on the kind of a value whether a pattern fits?"""
    match pattern:
        case ast.MatchSequence() | ast.MatchClass() | ast.MatchMapping():
            return True
        case ast.MatchAs(pattern=inner):
            return inner is not None and _looks_inside(inner)
        case ast.MatchOr(patterns=choices):
            return any(map(_looks_inside, choices))
    return False


def _has(value: Value, name: str) -> bool:
    """Has a value an attribute, as far as its shape says? An object may get any."""
    if isinstance(value.shape, Object):
        return True
    if isinstance(value.shape, Const):
        return hasattr(value.shape.value, name)
    kind = python_type(value)
    known = struct_names(value.shape.cls) if isinstance(value.shape, Struct) else ()
    return name in known or hasattr(kind, name)
