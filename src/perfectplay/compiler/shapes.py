"""Shapes: what is known of a value before the rules run, as a small lattice.

A shape says how a value lies in registers. `join` is the least shape that holds the values of two; where
it has to be a union, a tag tells which member a value is of. Lists, sets and dicts are references, as in
Python: all aliases of one share a `Cell`, which says what is in it, wherever it was put.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, Flag
from types import BuiltinMethodType, MethodType, NoneType
from typing import Any

from perfectplay.compiler.number_classes import kind_of_number, number_fields
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.value_classes import kept_fields, value_fields

MOST_FLAGS = 1024  # joined in all ways, for which there are tables
INTEGER, TRUTH, REAL, POINTER, LONG = "i", "b", "f", "p", "w"  # the kinds of registers


class Shape:
    """What is known of a value."""


@dataclass(frozen=True)
class Plain(Shape):
    """A value that is one register, or none."""

    name: str
    kinds: str

    def __repr__(self) -> str:
        return PYTHON.get(self.name, self.name)


PYTHON = {"letter": "str", "long int": "int", "word": "int"}  # what Python calls what we keep apart
BOTTOM = Plain("nothing", "")  # no value: this point is never reached
INT = Plain("int", INTEGER)
BOOL = Plain("bool", TRUTH)
WIDE = Plain("long int", LONG)  # 128 bits, while rules compute with it
LARGE = Plain("large int", 2 * INTEGER)  # the same where it is kept: the lower word, then the higher
FLOAT = Plain("float", REAL)
WORD = Plain("word", INTEGER)  # 64 bits without a sign that wrap around: the search's own
CHAR = Plain("letter", INTEGER)  # a string of length one, by its code point
STR = Plain("str", POINTER)
BYTES = Plain("bytes", POINTER)  # in memory as a tuple of numbers is
RANGE = Plain("range", 3 * INTEGER)


@dataclass(frozen=True)
class Const(Shape):
    """A value that is known when compiling."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and same_constant(self.value, other.value)

    def __hash__(self) -> int:
        return hash(("const", type(self.value).__name__))

    def __repr__(self) -> str:
        text = repr(self.value)
        return text if len(text) < 40 else text[:37] + "..."


@dataclass(frozen=True)
class Atom(Shape):
    """One of finitely many values of a kind: words, or the members of an enum."""

    kind: type

    def __repr__(self) -> str:
        return self.kind.__name__


@dataclass(frozen=True)
class Struct(Shape):
    """A tuple of known length, a named tuple or a dataclass: field by field."""

    cls: type
    fields: tuple[Shape, ...]

    def __repr__(self) -> str:
        inside = ", ".join(map(repr, self.fields))
        return f"({inside})" if self.cls is tuple else f"{self.cls.__name__}({inside})"


@dataclass(frozen=True)
class Keywords(Shape):
    """The arguments that a function takes by `**`: values by their names."""

    parts: tuple[tuple[str, Shape], ...]

    def __repr__(self) -> str:
        return f"**({', '.join(name for name, _ in self.parts)})"


@dataclass(frozen=True)
class Seq(Shape):
    """A tuple of any length, all of one shape."""

    elem: Shape

    def __repr__(self) -> str:
        return f"({self.elem!r}, ...)"


@dataclass(frozen=True)
class Frozen(Shape):
    """A frozenset."""

    elem: Shape

    def __repr__(self) -> str:
        return f"frozenset({self.elem!r})"


@dataclass(frozen=True)
class Union(Shape):
    """One of several shapes, each of another family."""

    members: tuple[Shape, ...]

    def __repr__(self) -> str:
        return " | ".join(dict.fromkeys(map(repr, self.members)))


class Cell:
    """What is in a list, a set, a dict or a variable that closures share: one for all of its aliases."""

    def __init__(self) -> None:
        self.parent: Cell | None = None
        self.elem: Shape = BOTTOM
        self.frozen = False  # a constant: nothing may change it
        self.fixed = False  # nothing else is ever put into it
        self.changers: set[Any] = set()  # who changes it: instances, functions by their syntax, and where
        self.cached = False  # is it in what a cached function gives?

    def root(self) -> Cell:
        """The cell that stands for all that were unified with this one."""
        cell = self
        while cell.parent is not None:
            cell = cell.parent
        return cell


class Reference(Shape):
    """A value with an identity: it is shared, and may be changed."""

    kinds = POINTER
    name = "reference"

    def __init__(self, *cells: Cell) -> None:
        self._cells = cells

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What is in it: of a dict, keys and values."""
        return tuple(cell.root() for cell in self._cells)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        known = [repr(cell.elem) for cell in self.cells if cell.elem is not BOTTOM]
        return f"{self.name}[{', '.join(known)}]" if known else self.name


class List(Reference):
    """A list."""

    name = "list"


class Set(Reference):
    """A set."""

    name = "set"


class Dict(Reference):
    """A dict; `missing` says what a place without a value has: a function to call, or 0 for a counter."""

    name = "dict"

    def __init__(self, *cells: Cell, missing: Shape | None = None) -> None:
        super().__init__(*cells)
        self.missing = missing

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.missing == other.missing  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.name)


class Deque(List):
    """A deque: a list that may lose its first element quickly."""

    name = "deque"


class ByteArray(List):
    """A bytearray: a list of numbers below 256."""

    name = "bytearray"


class Box(Reference):
    """A variable that closures share and change."""

    name = "variable"


class Object(Reference):
    """An object of a class of the rules that is made while they run, and may be changed: its attributes."""

    name = "object"

    def __init__(self, cls: type, attributes: Attributes) -> None:
        self.cls = cls
        self._attributes = attributes

    @property
    def attributes(self) -> Attributes:
        """What it has: one for all aliases."""
        return self._attributes.root()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of its attributes."""
        attributes = self.attributes
        return (attributes.marker.root(), *(cell.root() for cell in attributes.cells.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and self.cls is other.cls and self.attributes is other.attributes

    def __hash__(self) -> int:
        return hash(self.cls)

    def __repr__(self) -> str:
        return self.cls.__name__


class Attributes:
    """The attributes of an object, by name, in the order in which they were first seen."""

    def __init__(self) -> None:
        self.parent: Attributes | None = None
        self.marker = Cell()  # so that there is a cell where there is no attribute yet
        self.cells: dict[str, Cell] = {}

    def root(self) -> Attributes:
        """What stands for all that were unified with this."""
        here = self
        while here.parent is not None:
            here = here.parent
        return here


@dataclass(frozen=True)
class Closure(Shape):
    """A function with what it found around it: `captured` names values that travel with it."""

    node: Any  # its syntax
    scope: Any  # the Function (reading) that it is written in
    captured: tuple[tuple[str, Shape], ...]

    def __repr__(self) -> str:
        return f"function {getattr(self.node, 'name', 'lambda')}"


@dataclass(frozen=True)
class Method(Shape):
    """A function with the value that it is a method of."""

    function: Any  # or the name of a method of Python's own
    receiver: Shape

    def __repr__(self) -> str:
        return f"method {getattr(self.function, '__name__', self.function)}"


@dataclass(frozen=True)
class Array(Shape):
    """A row of numbers that a caller hands over: an address and a length."""

    kind: str  # "numbers", "words", "reals", "bytes", "shorts"

    def __repr__(self) -> str:
        return f"array of {self.kind}"


@dataclass(frozen=True)
class Record(Shape):
    """A record of the search's own: the address of its fields (`records.py`)."""

    cls: type

    def __repr__(self) -> str:
        return self.cls.__name__


@dataclass(frozen=True)
class Elements(Shape):
    """An array that a record holds: the address of its first element."""

    kind: Any  # of an element (`records.FieldKind`)

    def __repr__(self) -> str:
        return f"array of {getattr(self.kind.of, '__name__', self.kind.name)}"


def same_constant(one: Any, other: Any) -> bool:
    """Are two constants the same, types included?"""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same_constant, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, frozenset):
        return len(one) == len(other) and all(map(same_constant, one, other))
    if isinstance(one, MethodType | BuiltinMethodType):  # of an object: another one at every look
        return one.__name__ == other.__name__ and same_constant(one.__self__, other.__self__)
    if kind_of_number(type(one)):
        return repr(one) == repr(other)
    return isinstance(one, int | str | bytes) and one == other


def kinds(shape: Shape) -> str:
    """The registers that a value of a shape takes, a letter each."""
    match shape:
        case Plain() | Reference():
            return shape.kinds
        case Const():
            return ""
        case Atom():
            return INTEGER
        case Struct(fields=parts):
            return "".join(map(kinds, parts))
        case Seq() | Frozen() | Record() | Elements():
            return POINTER
        case Array():
            return POINTER + INTEGER
        case Union(members=members):
            return INTEGER + "".join(map(kinds, members))
        case Closure(captured=captured) | Keywords(parts=captured):
            return "".join(kinds(part) for _, part in captured)
        case Method(receiver=receiver):
            return kinds(receiver)
    return ""  # what is gone when the program runs, such as a generator


def width(shape: Shape) -> int:
    """The words that a value of a shape takes in memory."""
    return len(kinds(shape))


def number_of(member: Enum) -> int:
    """What a member of an enum is in a register: its place, or the bits of a flag."""
    return int(member.value) if isinstance(member, Flag) else list(type(member)).index(member)


def member_count(kind: Any) -> int:
    """The numbers that members of an enum have in a register are below this."""
    return sum({member.value for member in kind}) + 1 if issubclass(kind, Flag) else len(kind)


def members_of(kind: Any) -> list[Enum]:
    """The members of an enum by their numbers in a register; of flags, all that can be joined of them."""
    if not issubclass(kind, Flag):
        return list(kind)
    every = sum({member.value for member in kind})
    if every >= MOST_FLAGS:
        raise Obstacle(f"asks what flags of {kind.__name__} are, which has many", "use whole numbers")
    return [kind(number if number & ~every == 0 else 0) for number in range(every + 1)]


def member_of(kind: Any, number: int) -> Enum:
    """The member of an enum that a register stands for."""
    return kind(number) if issubclass(kind, Flag) else list(kind)[number]


LIMITS = ("start", "stop", "step")  # of a slice


def struct_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a named tuple or a dataclass."""
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    if cls is slice:
        return LIMITS
    own = tuple(getattr(cls, "_fields", ())) or number_fields(cls) or value_fields(cls)
    return own or kept_fields(cls) or ()


KEPT = (list, set, dict)  # what may change: kept in states as one part, a row of what is in it


def is_kept(shape: Shape) -> bool:
    """Is it the form in which something is kept that may change: a list, a set, a dict, an object?"""
    return isinstance(shape, Struct) and (
        shape.cls in KEPT or not (issubclass(shape.cls, tuple) or is_struct_class(shape.cls))
    )


def holds_kept(shape: Shape) -> bool:
    """Is there such a thing in a state or an action?"""
    if isinstance(shape, Struct | Union):
        parts = shape.fields if isinstance(shape, Struct) else shape.members
        return is_kept(shape) or any(map(holds_kept, parts))
    return isinstance(shape, Seq | Frozen) and holds_kept(shape.elem)


def is_astray(shape: Shape) -> bool:
    """Has inference lost its way: is there a list, a set, a dict or an object among values of other kinds?

    Rules that keep values of many kinds in one dict come to that. What play has shown is better known then.
    """
    if isinstance(shape, Struct | Union):
        parts = shape.fields if isinstance(shape, Struct) else shape.members
        mixed = isinstance(shape, Union) and any(isinstance(part, Reference) for part in parts)
        return mixed or any(map(is_astray, parts))
    return isinstance(shape, Seq | Frozen) and is_astray(shape.elem)


def as_played(found: Shape, seen: Shape) -> Shape:
    """What is known of the states or actions that rules give: as inferred, or where that is lost, as seen."""
    return seen if seen is not BOTTOM and is_astray(found) and not holds_kept(seen) else found


def shown(value: Any) -> Shape:
    """The shape in which a value is kept as a state or an action, or in one."""
    if type(value) is dict:
        pair = join_all(map(shown, value)), join_all(map(shown, value.values()))
        return Struct(dict, (Seq(Struct(tuple, tuple(map(kept, pair))) if value else BOTTOM),))
    if type(value) is list:
        return Struct(list, (Seq(kept(join_all(map(shown, value)))),))
    if type(value) is set:
        return Struct(set, (shown(frozenset(value)),))
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        parts = tuple(map(shown, value))
        if type(value) is tuple and len(parts) > 8 and all(part == parts[0] for part in parts):
            return Seq(parts[0])
        return Struct(type(value), parts)
    if isinstance(value, frozenset):
        return Frozen(join_all(map(shown, value)))
    names = struct_names(type(value))
    if names and not isinstance(value, Enum) and not kind_of_number(type(value)):
        return Struct(type(value), tuple(map(shown, fields_of(value))))
    return general(Const(value))


def family_of(value: Any) -> Any:
    """What the shape of a value that is kept is a kind of."""
    cls = type(value)
    if cls in KEPT or (struct_names(cls) and not is_struct_class(cls)):
        return family(Struct(cls, ()))
    return family(general(Const(value)))


def fields_of(value: Any) -> list[Any]:
    """The parts of a tuple or a dataclass, or of what is kept as one."""
    if type(value) in KEPT:
        return [tuple(value.items()) if type(value) is dict else _KEPT_AS[type(value)](value)]
    return (
        list(value)
        if isinstance(value, tuple)
        else [getattr(value, name) for name in struct_names(type(value))]
    )


_KEPT_AS: dict[type, Any] = {list: tuple, set: frozenset}


def is_struct_class(cls: Any) -> bool:
    """Is it a class whose objects are plain values: a named tuple, a dataclass, or one that works like it?"""
    return isinstance(cls, type) and (
        (issubclass(cls, tuple) and hasattr(cls, "_fields"))
        or (is_dataclass(cls) and not hasattr(cls, "initial") and _is_value(cls))
        or cls is slice
        or kind_of_number(cls) != ""
        or value_fields(cls) is not None
    )


def _is_value(cls: Any) -> bool:
    """Is a dataclass one whose objects never change, and may be kept in sets?"""
    own = next((vars(one)["__hash__"] for one in cls.__mro__ if "__hash__" in vars(one)), None)
    return cls.__dataclass_params__.frozen or (own is not None and own is not object.__hash__)


OWN = (bool, int, float, str, bytes, tuple, frozenset)


def has_own_class(value: Any) -> bool:
    """Is it a number, a text, a tuple or a frozenset of a class that is derived from Python's own?

    It may do anything else by its methods. Members of enums and named tuples are none of these.
    """
    cls = type(value)
    return (
        isinstance(value, OWN)
        and cls not in OWN
        and not isinstance(value, Enum)
        and not hasattr(cls, "_fields")
        and cls.__module__ != "numpy"
    )


def general(shape: Shape) -> Shape:
    """The shape of values like a constant: what it is stored as."""
    if not isinstance(shape, Const):
        return shape
    value = shape.value
    if value is None:
        return shape
    if isinstance(value, Enum):
        return Atom(type(value))
    if has_own_class(value):
        return shape
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT if -(2**63) <= value < 2**63 else LARGE if -(2**127) <= value < 2**127 else shape
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, str):
        return CHAR if len(value) == 1 else Atom(str)
    if isinstance(value, bytes):
        return BYTES
    if isinstance(value, tuple):
        parts = tuple(general(Const(part)) for part in value)
        if type(value) is tuple and len(parts) > 8 and all(part == parts[0] for part in parts):
            return Seq(parts[0])
        return Struct(type(value), parts)
    if isinstance(value, range):
        return RANGE
    if is_struct_class(type(value)):
        return Struct(
            type(value), tuple(general(Const(getattr(value, n))) for n in struct_names(type(value)))
        )
    if isinstance(value, frozenset):
        return Frozen(join_all(general(Const(part)) for part in value))
    if type(value) in (list, set, dict):
        return _constant_reference(value)
    return shape


_constant_references: dict[int, tuple[Any, Shape]] = {}  # one cell for each, as long as a program is made


def forget_constants() -> None:
    """Begin anew: the cells of constant lists belong to one program."""
    _constant_references.clear()


def _constant_reference(value: Any) -> Shape:
    """The shape of a list, set or dict that is a constant: a cell for each that nobody may change."""
    if id(value) not in _constant_references:
        try:
            parts = [join_all(general(Const(part)) for part in value)]
            if isinstance(value, dict):
                parts.append(join_all(general(Const(part)) for part in value.values()))
        except Mismatch:
            return Const(value)
        cells = []
        for part in parts:
            cell = Cell()
            cell.elem = part
            cell.frozen = True
            cells.append(cell)
        kind = List if isinstance(value, list) else Set if isinstance(value, set) else Dict
        _constant_references[id(value)] = value, kind(*cells)
    return _constant_references[id(value)][1]


def kept(shape: Shape) -> Shape:
    """The shape in which a value is put into memory, by words of 64 bits."""
    shape = general(shape)
    if shape == WIDE:
        return LARGE
    if isinstance(shape, Struct):
        return Struct(shape.cls, tuple(map(kept, shape.fields)))
    if isinstance(shape, Union):
        return Union(tuple(map(kept, shape.members)))
    return shape


def join_all(shapes: Any) -> Shape:
    """The least shape that holds the values of all."""
    joined: Shape = BOTTOM
    for shape in shapes:
        joined = join(joined, shape)
    return joined


def join(one: Shape, other: Shape) -> Shape:
    """The least shape that holds the values of both; lists that meet here are one from now on."""
    if one is BOTTOM or one == other:
        return other
    if other is BOTTOM:
        return one
    if isinstance(one, Const) and isinstance(other, Const) and is_text(one.value) and is_text(other.value):
        return CHAR if len(one.value) == len(other.value) == 1 else Atom(str)
    if isinstance(one, Const) and is_text(one.value) and other == Atom(str):
        return other
    if isinstance(other, Const) and is_text(other.value) and one == Atom(str):
        return one
    one, other = general(one), general(other)
    if one == other:
        return one
    members = [*(one.members if isinstance(one, Union) else (one,))]
    for shape in other.members if isinstance(other, Union) else (other,):
        for place, member in enumerate(members):
            if family(member) == family(shape):
                members[place] = _joined(member, shape)
                break
        else:
            members.append(shape)
    if len(members) == 1:
        return members[0]
    return Union(tuple(sorted(members, key=lambda member: str(family(member)))))


def is_text(value: Any) -> bool:
    """Is it a string, and no member of an enum of strings?"""
    return isinstance(value, str) and not isinstance(value, Enum)


def family(shape: Shape) -> Any:
    """What a shape is a kind of: a union has at most one member of each."""
    match shape:
        case Plain(name="int" | "long int" | "large int"):
            return "int"
        case Plain(name="letter" | "str"):
            return "str"
        case Atom(kind=kind):
            return "str" if kind is str else ("enum", kind.__qualname__, kind.__module__)
        case Struct(cls=cls):
            return "tuple" if cls is tuple else ("struct", cls.__qualname__, cls.__module__)
        case Seq():
            return "tuple"
        case Frozen():
            return "frozenset"
        case Const(value=value):
            if isinstance(value, MethodType | BuiltinMethodType):
                return ("const", value.__name__, id(value.__self__))
            return "none" if value is None else ("const", type(value).__qualname__, id(value))
        case Object(cls=cls):
            return ("object", cls.__qualname__, cls.__module__)
        case Plain(name=name) | Reference(name=name):
            return name
        case Closure(node=node, scope=scope):
            return ("function", id(node), id(scope))
        case Method(function=function):
            return ("method", function if isinstance(function, str) else id(function))
    return repr(type(shape))


def _joined(one: Shape, other: Shape) -> Shape:
    """The same for two shapes of one family."""
    if one == other:
        return one
    pair = {one, other}
    if family(one) == "int":
        return WIDE if WIDE in pair else LARGE
    if family(one) == "str":
        return STR
    if isinstance(one, Struct) and isinstance(other, Struct) and len(one.fields) == len(other.fields):
        return Struct(one.cls, tuple(map(join, one.fields, other.fields)))
    if family(one) == "tuple":
        return Seq(join(elements(one), elements(other)))
    if isinstance(one, Frozen) and isinstance(other, Frozen):
        return Frozen(join(one.elem, other.elem))
    if isinstance(one, Closure) and isinstance(other, Closure) and len(one.captured) == len(other.captured):
        parts = zip(one.captured, other.captured, strict=True)
        return Closure(one.node, one.scope, tuple((name, join(a, b)) for (name, a), (_, b) in parts))
    if isinstance(one, Method) and isinstance(other, Method):
        return Method(one.function, join(one.receiver, other.receiver))
    if isinstance(one, Object) and isinstance(other, Object):
        unify_attributes(one.attributes, other.attributes)
        return one
    if isinstance(one, Reference) and isinstance(other, Reference):
        if getattr(one, "missing", None) != getattr(other, "missing", None):
            raise Mismatch(one, other)
        for mine, theirs in zip(one.cells, other.cells, strict=True):
            unify(mine, theirs)
        return one
    raise Mismatch(one, other)


def is_row(shape: Shape) -> bool:
    """Is it something in a row that never changes: a tuple of any length, a string, bytes?"""
    return isinstance(shape, Seq) or shape in (STR, BYTES)


def in_row(shape: Shape) -> Shape:
    """What is in such a row."""
    return shape.elem if isinstance(shape, Seq) else CHAR if shape == STR else INT


def elements(shape: Shape) -> Shape:
    """What is in a tuple of whatever length."""
    if isinstance(shape, Seq):
        return shape.elem
    assert isinstance(shape, Struct)
    return join_all(map(kept, shape.fields))


def unify(one: Cell, other: Cell) -> None:
    """Two cells are one from now on: what is in either may be in both."""
    one, other = one.root(), other.root()
    if one is other:
        return
    other.parent = one
    one.frozen |= other.frozen
    one.changers |= other.changers
    one.cached |= other.cached
    one.elem = join(one.elem, other.elem)


def unify_attributes(one: Attributes, other: Attributes) -> None:
    """Objects that meet have the same attributes from now on."""
    if one is other:
        return
    other.parent = one
    for name, cell in other.cells.items():
        if name in one.cells:
            unify(one.cells[name], cell)
        else:
            one.cells[name] = cell


class Mismatch(Exception):  # noqa: N818 - it becomes an obstacle with a line
    """Two shapes that no shape holds together."""

    def __init__(self, one: Shape, other: Shape) -> None:
        super().__init__(f"{one!r} and {other!r}")
        self.shapes = one, other


NONE = Const(None)
assert NoneType is type(None)
