"""Functions of `operator` and `functools` that are operators in disguise."""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, assert_never, cast

from perfectplay.compiler import traps
from perfectplay.compiler.lowering.intrinsics import INTRINSICS, intrinsic
from perfectplay.compiler.lowering.own_methods import class_of
from perfectplay.compiler.lowering.values import Value, constant
from perfectplay.compiler.number_classes import fraction_class
from perfectplay.compiler.prelude.ordered import Compared
from perfectplay.compiler.reading import Function
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    WIDE,
    Atom,
    Closure,
    Const,
    Dict,
    Frozen,
    List,
    Method,
    Object,
    Plain,
    Reference,
    Seq,
    Struct,
    Union,
    general,
    kept,
    struct_names,
)
from perfectplay.game import Game

BINARY: dict[Any, type[ast.operator]] = {
    operator.add: ast.Add,
    operator.sub: ast.Sub,
    operator.mul: ast.Mult,
    operator.floordiv: ast.FloorDiv,
    operator.truediv: ast.Div,
    operator.mod: ast.Mod,
    operator.pow: ast.Pow,
    operator.and_: ast.BitAnd,
    operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
    operator.lshift: ast.LShift,
    operator.rshift: ast.RShift,
    operator.concat: ast.Add,
}
COMPARED: dict[Any, type[ast.cmpop]] = {
    operator.lt: ast.Lt,
    operator.le: ast.LtE,
    operator.eq: ast.Eq,
    operator.ne: ast.NotEq,
    operator.gt: ast.Gt,
    operator.ge: ast.GtE,
    operator.is_: ast.Is,
    operator.is_not: ast.IsNot,
}
UNARY: dict[Any, type[ast.unaryop]] = {
    operator.neg: ast.USub,
    operator.pos: ast.UAdd,
    operator.invert: ast.Invert,
}


def truth_value(test: Any) -> Value:
    """A truth value, known or not."""
    return constant(test) if isinstance(test, bool) else Value(BOOL, (test,))


def _binary(op: type[ast.operator]) -> Callable[..., Value]:
    return lambda low, arguments, named: low.binary(op, *arguments)


def _compared(op: type[ast.cmpop]) -> Callable[..., Value]:
    return lambda low, arguments, named: truth_value(low.compared(op(), *arguments))


def _unary(op: type[ast.unaryop]) -> Callable[..., Value]:
    return lambda low, arguments, named: low.unary(op, *arguments)


for _function, _binary_op in BINARY.items():
    INTRINSICS[_function] = _binary(_binary_op)
for _function, _compared_op in COMPARED.items():
    INTRINSICS[_function] = _compared(_compared_op)
for _function, _unary_op in UNARY.items():
    INTRINSICS[_function] = _unary(_unary_op)


@intrinsic(operator.not_)
def _not(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.negated(low.truth(arguments[0])))


@intrinsic(operator.truth)
def _truth(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.truth(arguments[0]))


@intrinsic(operator.contains)
def _contains(low: Any, arguments: list[Value], named: Any) -> Value:
    return truth_value(low.contains(*arguments))


@intrinsic(operator.getitem)
def _getitem(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.index(*arguments)


@intrinsic(operator.setitem)
def _setitem(low: Any, arguments: list[Value], named: Any) -> Value:
    low.set_index(*arguments)
    return constant(None)


@intrinsic(object.__setattr__)
def _setattr(low: Any, arguments: list[Value], named: Any) -> Value:
    holder, name, value = arguments
    if not isinstance(holder.shape, Object) or not isinstance(name.shape, Const):
        raise low.refuse("changes an attribute of an object", "make a new object")
    low.set_object_attribute(holder, name.shape.value, low.plain(value), by_object=True)
    return constant(None)


@intrinsic(getattr)
def _getattr(low: Any, arguments: list[Value], named: Any) -> Value:
    holder, name, *default = arguments
    if isinstance(holder.shape, Union):
        return low.each_member(
            holder, lambda one: _getattr(low, [one, name, *default], {}), traps.code_of(AttributeError)
        )
    if not isinstance(name.shape, Const):
        return _getattr_by_text(low, holder, name, default)
    cls = class_of(holder.shape) or (type(holder.shape.value) if isinstance(holder.shape, Const) else None)
    missing = isinstance(holder.shape, Const) and not hasattr(holder.shape.value, name.shape.value)
    if missing and default:
        return default[0]
    if default and not missing and not isinstance(holder.shape, Const):
        has = cls is not None and (name.shape.value in struct_names(cls) or hasattr(cls, name.shape.value))
        if not has:
            raise low.refuse("calls getattr with a default", "ask hasattr first")
    return low.attribute(holder, name.shape.value)


def _getattr_by_text(low: Any, holder: Value, name: Value, default: list[Value]) -> Value:
    """getattr(object, text): one of its fields, or of the methods that the classes of the rules have."""
    shape = general(holder.shape)
    if isinstance(shape, Struct | Object) and struct_names(shape.cls):
        return _field_by_text(low, low.in_form(holder), name, default)
    if not isinstance(holder.shape, Const) or default:
        raise low.refuse("calls getattr with a name that is not known", "keep the methods in a dict")
    known = holder.shape.value
    owner = known if isinstance(known, type) else type(known)
    names = [
        one
        for one in dir(owner)
        if not one.startswith("__")
        and not hasattr(Game, one)
        and isinstance(inspect.getattr_static(owner, one), FunctionType | staticmethod | classmethod)
    ]
    if not names:
        raise low.refuse("calls getattr with a name that is not known", "keep the methods in a dict")
    number = low.key_number(names, name)
    low.require(low.op("b", "cmp", "ge", number, 0), traps.code_of(AttributeError))
    return low.numbered([getattr(known, one) for one in names], number)


def _field_by_text(low: Any, holder: Value, name: Value, default: list[Value]) -> Value:
    """getattr(object, text), of the fields that an object of its class has."""
    fields = struct_names(holder.shape.cls)  # type: ignore[attr-defined]
    number = low.key_number(fields, name)
    if not default:
        low.require(low.op("b", "cmp", "ge", number, 0), traps.UNDECIDED)  # it may have other attributes
    (held,) = [low.fresh("%holder")]
    low.set_name(held, holder)
    ends = []
    for place, field in enumerate(fields):
        yes, no = low.split(low.op("b", "cmp", "eq", number, place))
        names = dict(low.names)
        low.enter(yes)
        ends.append(low.end(low.attribute(low.get_name(held), field)))
        low.enter(no)
        low.names = names
    if default and not hasattr(holder.shape.cls, "__dict__"):  # type: ignore[attr-defined]
        ends.append(low.end(default[0]))
    else:
        low.fail(traps.UNDECIDED)
    return low.merge(ends) or Value(BOTTOM)


def fields_by_name(low: Any, value: Value) -> Value:
    """A dict of the fields of a named tuple or a dataclass."""
    value = low.in_form(value)
    names = struct_names(value.shape.cls)  # type: ignore[attr-defined]
    parts = dict(zip(names, low.fields(value), strict=True))
    return INTRINSICS[dict](low, [], parts)


@intrinsic(dataclasses.asdict)
def _asdict(low: Any, arguments: list[Value], named: Any) -> Value:
    """A dict of the fields of a dataclass, where nothing in them has to be taken apart or copied."""
    (value,) = arguments
    _require_simple_fields(low, value, "a dict")
    return fields_by_name(low, value)


@intrinsic(vars)
def _vars(low: Any, arguments: list[Value], named: Any) -> Value:
    """The attributes of an object that never changes: a dict that nobody may change either."""
    shape = general(arguments[0].shape) if arguments else None
    if not isinstance(shape, Struct) or issubclass(shape.cls, tuple):
        raise low.refuse("asks for the variables of something that may change", "name its attributes")
    made = fields_by_name(low, arguments[0])
    cells = low.cell(low.node, "vars", "keys"), low.cell(low.node, "vars", "values")
    for cell, inside in zip(cells, made.shape.cells, strict=True):  # type: ignore[attr-defined]
        cell.elem, cell.frozen = inside.elem, True
    return Value(Dict(*cells), made.regs)


@intrinsic(callable)
def _callable(low: Any, arguments: list[Value], named: Any) -> Value:
    shape = arguments[0].shape
    if isinstance(shape, Union):
        raise low.refuse("asks whether one of several values can be called", "compare with None")
    if isinstance(shape, Const):
        return constant(callable(shape.value))
    lineage = getattr(class_of(shape), "__mro__", ())
    return constant(isinstance(shape, Closure | Method) or any("__call__" in vars(one) for one in lineage))


@intrinsic(issubclass)
def _issubclass(low: Any, arguments: list[Value], named: Any) -> Value:
    if not all(isinstance(value.shape, Const) for value in arguments):
        raise low.refuse("asks for the classes of a class that is not known", "name the class")
    return constant(issubclass(*(value.shape.value for value in arguments)))  # type: ignore[attr-defined]


@intrinsic(assert_never)
def _assert_never(low: Any, arguments: list[Value], named: Any) -> Value:
    low.fail(traps.code_of(AssertionError))
    return Value(BOTTOM)


@intrinsic(cast)
def _cast(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    return [*arguments, *named.values()][1]


@intrinsic(operator.abs)
def _absolute(low: Any, arguments: list[Value], named: Any) -> Value:
    return INTRINSICS[abs](low, arguments, {})


@intrinsic(operator.index)
def _index(low: Any, arguments: list[Value], named: Any) -> Value:
    return Value(INT, (low.integer(arguments[0]),))


def _made_getter(kind: Any) -> Callable[..., Value]:
    def write(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
        if named or not all(isinstance(value.shape, Const) for value in arguments):
            if kind is not operator.itemgetter or named:
                raise low.refuse("makes a getter of what is not known", "write it as a lambda")
            return _getter_of(low, arguments)
        given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
        return constant(low.program.hashed_keys.setdefault((kind, *map(repr, given)), kind(*given)))

    return write


def _getter_of(low: Any, places: list[Value]) -> Value:
    """itemgetter(...) of places that are known only when it is made: a lambda that has them around it."""
    names = [f"place{number}" for number in range(len(places))]
    return _around(low, f"lambda items: {', '.join(f'items[{name}]' for name in names)}", names, places)


def _around(low: Any, text: str, names: list[str], values: list[Value]) -> Value:
    """A function that has values around it."""
    if text not in low.program.nested:
        node = ast.parse(f"({text})", mode="eval").body
        if isinstance(node, ast.Tuple):  # lambda items: a, b
            (first, *rest) = node.elts
            assert isinstance(first, ast.Lambda)
            first.body = ast.Tuple([first.body, *rest], ast.Load())
            node = ast.fix_missing_locations(first)
        assert isinstance(node, ast.Lambda)
        low.program.nested[text] = Function(node, {"__inlined__": {"lambda"}})
    function = low.program.nested[text]
    plain = [low.plain(value) for value in values]
    captured = tuple((name, value.shape) for name, value in zip(names, plain, strict=True))
    return Value(
        Closure(function.node, function, captured), tuple(reg for value in plain for reg in value.regs)
    )


for _kind in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
    INTRINSICS[_kind] = _made_getter(_kind)


def call_getter(low: Any, known: Any, arguments: list[Value]) -> Value | None:
    """A call of itemgetter(...) and the like; None if it is something else."""
    if not isinstance(known, operator.itemgetter | operator.attrgetter | operator.methodcaller):
        return None
    made, wanted, *_ = tuple(known.__reduce__())
    (value,) = arguments
    if isinstance(known, operator.methodcaller):
        named = made.keywords if isinstance(made, functools.partial) else {}
        name, *given = (*made.args, *wanted) if isinstance(made, functools.partial) else wanted
        more = {word: constant(part) for word, part in named.items()}
        return low.method(value, name, [constant(part) for part in given], more)
    found = [_gotten(low, known, value, one) for one in wanted]
    return found[0] if len(found) == 1 else low.struct(tuple, found)


def _gotten(low: Any, known: Any, value: Value, wanted: Any) -> Value:
    if isinstance(known, operator.itemgetter):
        return low.index(value, constant(wanted))
    for name in wanted.split("."):
        value = low.attribute(value, name)
    return value


@intrinsic(functools.cmp_to_key)
def _cmp_to_key(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    values = [constant(Compared), *arguments, *named.values()]
    return _around(low, "lambda value: made(value, compare)", ["made", "compare"], values)


@intrinsic(dataclasses.astuple)
def _astuple(low: Any, arguments: list[Value], named: Any) -> Value:
    """The fields of a dataclass, with all that is in them taken apart and copied."""
    (value,) = arguments
    shape = value.shape
    if named or (class_of(shape) is None and not isinstance(shape, Union)):
        raise low.refuse(f"makes a tuple of {shape!r}", "name its fields")
    return _taken_apart(low, value)


def _taken_apart(low: Any, value: Value) -> Value:
    """A value without dataclasses: a tuple for each of them, wherever it is."""
    shape = value.shape
    if isinstance(shape, Union):
        return low.each_member(value, lambda one: _taken_apart(low, one))
    if isinstance(shape, Const) and dataclasses.is_dataclass(shape.value):
        return constant(dataclasses.astuple(shape.value))  # type: ignore[arg-type]
    cls: Any = getattr(shape, "cls", None)
    if isinstance(shape, Struct | Object) and dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls)]
        return low.struct(tuple, [_taken_apart(low, low.attribute(value, name)) for name in names])
    if isinstance(shape, Struct) and issubclass(shape.cls, tuple):
        return low.struct(shape.cls, [_taken_apart(low, part) for part in low.fields(value)])
    if not _has_dataclass(shape):
        return INTRINSICS[copy.deepcopy](low, [value], {})
    if isinstance(shape, Seq) or type(shape) is List:
        held = low.fresh("%apart")
        low.set_name(held, low.new_list(low.cell(low.node, "apart", low.ordinal("apart")), 0))
        done, loop = low.walk(value, lambda item: low.append(low.get_name(held), _taken_apart(low, item)))
        low.merge([*([done] if done else []), *loop.breaks])
        made = low.taken(held)
        return low.as_tuple(made) if isinstance(shape, Seq) else made
    raise low.refuse(f"makes a tuple of a dataclass that holds {shape!r}", "name its fields")


def _has_dataclass(shape: Any) -> bool:
    """May there be an object of a dataclass in a value?"""
    match shape:
        case Struct(cls=cls, fields=parts):
            return dataclasses.is_dataclass(cls) or any(map(_has_dataclass, parts))
        case Union(members=parts):
            return any(map(_has_dataclass, parts))
        case Seq(elem=elem) | Frozen(elem=elem):
            return _has_dataclass(elem)
        case Object(cls=cls):
            return dataclasses.is_dataclass(cls)
        case Reference():
            return any(_has_dataclass(cell.elem) for cell in shape.cells)
    return False


def _require_simple_fields(low: Any, value: Value, what: str) -> None:
    shape = general(value.shape)
    plain = isinstance(shape, Struct) and dataclasses.is_dataclass(shape.cls)
    if not plain or any(not _is_simple(part) for part in shape.fields):  # type: ignore[attr-defined]
        raise low.refuse(f"makes {what} of a dataclass with more than plain fields", "name its fields")


def _is_simple(shape: Any) -> bool:
    value = general(shape)
    if isinstance(value, Seq) or (isinstance(value, Struct) and value.cls is tuple):
        return all(map(_is_simple, value.fields if isinstance(value, Struct) else (value.elem,)))
    return isinstance(value, Plain | Atom) or value == Const(None)


@intrinsic(functools.partial)
def _partial(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """partial(function, ...): a lambda that has these arguments around it."""
    if all(isinstance(value.shape, Const) for value in (*arguments, *named.values())):
        given = [value.shape.value for value in arguments]  # type: ignore[attr-defined]
        more = {name: value.shape.value for name, value in named.items()}  # type: ignore[attr-defined]
        made = functools.partial(*given, **more)  # type: ignore[misc, operator]
        key = ("partial", *map(_identity, (*given, *more.items())))
        return constant(low.program.hashed_keys.setdefault(key, made))
    names = ["function", *(f"given{number}" for number in range(1, len(arguments)))]
    key = ("partial", len(arguments), *named)
    if key not in low.program.nested:
        handed = ", ".join([*names[1:], "*rest", *(f"{name}=named_{name}" for name in named), "**more"])
        node = ast.parse(f"lambda *rest, **more: function({handed})", mode="eval").body
        assert isinstance(node, ast.Lambda)
        low.program.nested[key] = Function(node, {"__inlined__": {"lambda"}})
    function = low.program.nested[key]
    names += [f"named_{name}" for name in named]
    values = [low.plain(value) for value in (*arguments, *named.values())]
    captured = tuple((name, value.shape) for name, value in zip(names, values, strict=True))
    return Value(
        Closure(function.node, function, captured), tuple(reg for value in values for reg in value.regs)
    )


def _identity(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_identity, value))
    return repr(value) if isinstance(value, str | int | float) or value is None else id(value)


# Numbers.


@intrinsic("made_complex")
def _made_complex(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.struct(complex, [Value(FLOAT, (low.real(part),)) for part in arguments])


@intrinsic("made_fraction")
def _made_fraction(low: Any, arguments: list[Value], named: Any) -> Value:
    parts = [low.as_number(part) for part in arguments]
    return low.struct(fraction_class(), [low.coerce(part, kept(part.shape)) for part in parts])


@intrinsic("widened")
def _widened(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.coerce(low.as_number(arguments[0]), WIDE)


@intrinsic("narrowed")
def _narrowed(low: Any, arguments: list[Value], named: Any) -> Value:
    return low.coerce(low.as_number(arguments[0]), INT)


@intrinsic("undecided")
def _undecided(low: Any, arguments: list[Value], named: Any) -> Value:
    """Leave it to Python."""
    low.fail(traps.UNDECIDED)
    return Value(BOTTOM)


@intrinsic(pow)
def _pow(low: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    given = [*arguments, *named.values()]
    if len(given) == 2:
        return low.binary(ast.Pow, *given)
    if all(isinstance(value.shape, Const) for value in given):
        return constant(pow(*(value.shape.value for value in given)))  # type: ignore[attr-defined]
    return low.call_prelude("power_modulo", given)
