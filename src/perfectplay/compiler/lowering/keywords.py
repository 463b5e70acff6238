"""Arguments by name: those of `**`, from dicts that are known when compiling and from dicts that are not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.reading import Function, nodes_in
from perfectplay.compiler.shapes import Const, Dict, Keywords, Shape, Union, family, general

UNPACKED = "**"  # among named arguments: a dict of further ones

Default = Callable[[], Value | None]


def take(low: Any, named: dict[str, Value], node: ast.expr) -> None:
    """Add the arguments of **node to those that are named."""
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        pairs = zip(node.keys, node.values, strict=True)
        found = {key.value: low.expression(part) for key, part in pairs}  # type: ignore[union-attr]
        _add(low, named, found)
        return
    value = low.expression(node)
    if isinstance(value.shape, Union):
        value = low.each_member(
            value, lambda one: low.in_form(one) if isinstance(general(one.shape), Dict) else None
        )
    if isinstance(value.shape, Keywords):
        _add(low, named, low.by_name(value.shape.parts, value))
    elif isinstance(value.shape, Const) and isinstance(value.shape.value, dict):
        _add(low, named, {name: constant(part) for name, part in value.shape.value.items()})
    elif isinstance(value.shape, Dict):
        if UNPACKED in named:
            both = low.call(constant(dict), [named[UNPACKED]], {})
            low.method(both, "update", [value], {})
            sizes = [low.length(one) for one in (named[UNPACKED], value)]
            whole = low.op("b", "cmp", "eq", low.length(both), low.op("i", "bin", "add", *sizes))
            low.require(whole, traps.code_of(TypeError))
            value = both
        named[UNPACKED] = value
    else:
        raise low.refuse(f"calls with ** of {value.shape!r}", "write the arguments out")


def _add(low: Any, named: dict[str, Value], found: dict[Any, Value]) -> None:
    if any(name in named or not isinstance(name, str) for name in found):
        low.fail(traps.code_of(TypeError))
    named |= found


def found_in(
    low: Any,
    items: Value,
    wanted: Mapping[str, Default],
    others: Iterable[str] = (),
    *,
    all_used: bool = True,
) -> dict[str, Value] | None:
    """The values that a dict has for parameters, or their defaults; None where one has neither.

    `others` are parameters that have a value already; unless the dict may have more, all of it is used.
    """
    found: dict[str, Value] = {}
    count = low.ir.slot("i", "found")
    low.emit("set", count, 0)
    for name in () if all_used else others:
        low.forbid(low.contains(items, low.in_form(constant(name))), traps.code_of(TypeError))
    for name, default in wanted.items():
        key = low.in_form(constant(name))
        yes, no = low.split(low.contains(items, key))
        names = dict(low.names)
        low.enter(yes)
        value = low.index(items, key)
        low.emit("set", count, low.op("i", "bin", "add", low.op("i", "get", count), 1))
        ends = [low.end(value)]
        low.enter(no)
        low.names = names
        other = default()
        if other is None:
            low.fail(traps.code_of(TypeError))
        elif not low.dead:
            ends.append(low.end(other))
        found[name] = low.merge(ends)
    if all_used:
        used = low.op("b", "cmp", "eq", low.op("i", "get", count), low.length(items))
        low.require(used, traps.code_of(TypeError))
    return None if low.dead else found


def narrowed(low: Any, value: Value, shape: Shape) -> Value:
    """A value of several kinds as what play has shown in its place, where that is one of them."""
    if not isinstance(value.shape, Union) or value.shape == shape:
        return value
    wanted = {family(one) for one in (shape.members if isinstance(shape, Union) else (shape,))}
    kinds = {family(general(one)) for one in value.shape.members}
    return low.coerce(value, shape) if wanted and wanted <= kinds else value


def rest(low: Any, function: Function, extra: dict[str, Value], items: Value | None) -> Value:
    """What the parameter ** of a function holds: a dict, or values by name if it only hands them on."""
    given = function.node.args
    assert given.kwarg is not None
    if items is None and _is_handed_on(function, given.kwarg.arg):
        shape = Keywords(tuple((name, low.plain(value).shape) for name, value in extra.items()))
        return Value(shape, tuple(reg for value in extra.values() for reg in value.regs))
    made: Value = low.call(constant(dict), [] if items is None else [items], {})
    if items is not None:
        for parameter in (*given.args, *given.kwonlyargs):
            low.method(made, "pop", [low.in_form(constant(parameter.arg)), constant(None)], {})
    for name, value in extra.items():
        low.set_index(made, low.in_form(constant(name)), low.in_form(low.plain(value)))
    return made


def _is_handed_on(function: Function, name: str) -> bool:
    """Is a parameter used for nothing but **name, and to ask whether there is anything in it?"""
    fine: set[ast.AST] = set()
    for node in nodes_in(function.node):
        match node:
            case ast.Call(keywords=words):
                fine.update(word.value for word in words if word.arg is None)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
                fine.add(test)
    return all(
        node in fine for node in nodes_in(function.node) if isinstance(node, ast.Name) and node.id == name
    )
