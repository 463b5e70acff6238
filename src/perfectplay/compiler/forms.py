"""Forms: a state as a row of numbers (its leaves) and back, the same in every process.

States that are tuples of numbers are their own leaves. All others are laid out by the shapes that play has
shown: a tuple of any length is its length and room for its elements, a string likewise, a member of an enum
its place among all, a frozenset its elements in order. What does not fit is a Misfit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from numbers import Number
from struct import pack, unpack
from typing import Any, Protocol

from perfectplay.compiler.layouts import Layout, Lengths, PackedLayout
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    BYTES,
    CHAR,
    FLOAT,
    INT,
    STR,
    Atom,
    Const,
    Frozen,
    Mismatch,
    Seq,
    Shape,
    Struct,
    Union,
    family,
    fields_of,
    general,
    has_own_class,
    in_row,
    is_row,
    is_struct_class,
    join,
    kinds,
    member_count,
    member_of,
    number_of,
    struct_names,
)
from perfectplay.compiler.traps import Misfit
from perfectplay.compiler.values import built

__all__ = [
    "Form",
    "Misfit",
    "Numbers",
    "Packed",
    "Shaped",
    "form_from",
    "form_of",
    "holds",
    "is_of_numbers",
    "same_kind",
]

SIGN = 1 << 63
LETTERS = 0x110000
MOST_LEAVES = 1 << 16
ROOMS = (63, 64, 127)  # bits of a number in machine code: of one register, of one word, of two registers
Row = list[int]


class Form(Protocol):
    """How the states of a game are made of numbers."""

    count: int  # of the numbers
    layout: Layout | None  # for machine code, where it can have it
    data: Any  # for a manifest; None of tuples of numbers, which need none
    by_game: bool  # does the game pack states into numbers itself?

    def leaves(self, state: Any) -> Row:
        """The numbers of a state; Misfit if it is not made so."""

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of these numbers; Misfit if there is none."""

    def kinds(self) -> list[type]:
        """What each number is: an int, a float (by its bits), a bool."""


class Numbers:
    """Numbers, or tuples of nothing else, all made as one of them is."""

    data = None
    by_game = False

    def __init__(self, like: Any) -> None:
        self.like = like
        self._kinds = [*_leaf_kinds(like)]
        self.count = len(self._kinds)
        self.layout: Layout | None = _number_layout(like)

    def kinds(self) -> list[type]:
        """What each number is."""
        return self._kinds

    def leaves(self, state: Any) -> Row:
        """The numbers of a state: floats by their bits."""
        row: Row = []
        _put_numbers(row, state, self.like)
        return row

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of these numbers."""
        return _made(iter(leaves), self.like)


class Packed:
    """States that their game packs into numbers: what else they are made of is another form's."""

    by_game = True

    def __init__(self, inner: Form, bits: int) -> None:
        self.inner = inner
        self.most = next((room for room in ROOMS if bits <= room), bits)  # bits that numbers can have
        self.count = inner.count
        self.data: Any = inner.data
        known = inner.layout if self.most in ROOMS else None
        self.layout: Layout | None = known and PackedLayout(
            known.shape, known.words, known.parts, known.room, bits > ROOMS[0]
        )

    def kinds(self) -> list[type]:
        """What each number is."""
        return self.inner.kinds()

    def leaves(self, state: Any) -> Row:
        """The numbers of a state."""
        return self.inner.leaves(state)

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of these numbers."""
        return self.inner.state(leaves)


class Shaped:
    """States of any plain shape."""

    by_game = False

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.layout: Layout | None = None if _has(layout, Frozen) else layout
        self.count = layout.words
        self.data: Any = _described(layout)

    def kinds(self) -> list[type]:
        """What each number is."""
        return [*_word_kinds(self._layout)]

    def leaves(self, state: Any) -> Row:
        """The numbers of a state."""
        try:
            return _flat(state, self._layout)
        except (OverflowError, AttributeError, TypeError):
            raise Misfit(state) from None

    def state(self, leaves: Sequence[int]) -> Any:
        """The state of these numbers."""
        return _restored(leaves, 0, self._layout)


def form_of(states: Iterable[Any], like: Any) -> Form | None:
    """The form of states, of which `like` is one; None if they have none."""
    states = [*states]
    if is_of_numbers(like):
        numbers = Numbers(like)
        if all(holds(numbers, state) for state in states):
            return numbers
    shape: Shape = BOTTOM
    lengths = Lengths()
    for state in states:
        try:
            shape = join(shape, _textual(general(Const(state))))
        except (Mismatch, RecursionError, TypeError):
            return None
        shape = _whole(shape)
        if not _is_plain(shape):
            return None
        lengths.note(state)
    made = Shaped(_laid_out(shape, lengths))
    if made.count > MOST_LEAVES:
        return None
    try:
        same = all(made.state(made.leaves(state)) == state for state in states)
    except Exception:  # what the class of a state says of its parts
        return None
    return made if same else None


def form_from(data: Any, game: Any, like: Any) -> Form:
    """The form that a manifest describes; Misfit if it describes none, or one of other classes."""
    if data is None:
        return Numbers(like)
    try:
        layout = _read(data, game, 0)
        return Shaped(layout)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Misfit(data) from None


def holds(form: Form, state: Any) -> bool:
    """Is a state made so?"""
    try:
        form.leaves(state)
    except Misfit:
        return False
    return True


def same_kind(one: Any, other: Any) -> bool:
    """Are two values of one kind: both strings, say, or both tuples?"""
    return bool(family(general(Const(one))) == family(general(Const(other))))


def is_of_numbers(state: Any) -> bool:
    """Is it a number of 64 bits, or a tuple of nothing else?"""
    if has_own_class(state):
        return False
    if isinstance(state, tuple):
        return all(map(is_of_numbers, state))
    if isinstance(state, float):
        return True
    return _is_whole(state) and -SIGN <= int(state) < SIGN


def _is_whole(value: Any) -> bool:
    """An integer of Python's or of numpy's; no member of an enum."""
    if isinstance(value, Enum) or has_own_class(value):
        return False
    return isinstance(value, int) or getattr(getattr(value, "dtype", None), "kind", "") in ("i", "u", "b")


# Tuples of numbers.


def _leaf_kinds(like: Any) -> Iterator[type]:
    if isinstance(like, tuple):
        for field in like:
            yield from _leaf_kinds(field)
    else:
        yield float if isinstance(like, float) else bool if _is_flag(like) else int


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b"


def _put_numbers(row: Row, state: Any, like: Any) -> None:
    if isinstance(like, tuple):
        if not isinstance(state, tuple) or len(state) != len(like):
            raise Misfit(state)
        for field, one in zip(state, like, strict=True):
            _put_numbers(row, field, one)
    elif isinstance(like, float):
        row.append(_bits(state) if isinstance(state, float) else _misfit(state))
    else:
        number = int(state) if _is_whole(state) else _misfit(state)
        least, most = (0, 2) if _is_flag(like) else (-SIGN, SIGN)
        row.append(number if least <= number < most else _misfit(state))


def _made(leaves: Iterator[int], like: Any) -> Any:
    if isinstance(like, tuple):
        fields = [_made(leaves, field) for field in like]
        return type(like)(*fields) if hasattr(like, "_fields") else tuple(fields)
    leaf = int(next(leaves))
    return _float(leaf) if isinstance(like, float) else type(like)(leaf)


def _number_layout(like: Any) -> Layout | None:
    if isinstance(like, tuple):
        if type(like) is not tuple and not hasattr(like, "_fields"):
            return None
        parts = [_number_layout(field) for field in like]
        known = tuple(part for part in parts if part is not None)
        if len(known) < len(parts):
            return None
        return Layout(
            Struct(type(like), tuple(part.shape for part in known)), sum(p.words for p in known), known
        )
    shape = {int: INT, bool: BOOL, float: FLOAT}.get(type(like))
    return None if shape is None else Layout(shape, 1)


# Other shapes.


def _textual(shape: Shape) -> Shape:
    """The same with strings by their letters: words are not numbered."""
    match shape:
        case Atom(kind=kind) if kind is str:
            return STR
        case Struct(cls=cls, fields=fields):
            return Struct(cls, tuple(map(_textual, fields)))
        case Seq(elem=elem):
            return Seq(_textual(elem))
        case Frozen(elem=elem):
            return Frozen(_textual(elem))
        case Union(members=members):
            return Union(tuple(map(_textual, members)))
    return shape


def _whole(shape: Shape) -> Shape:
    """The same with one number where there is a number or a truth value: the states are equal."""
    match shape:
        case Union(members=members) if INT in members and BOOL in members:
            others = tuple(member for member in members if member != BOOL)
            return others[0] if len(others) == 1 else Union(others)
        case Struct(cls=cls, fields=fields):
            return Struct(cls, tuple(map(_whole, fields)))
        case Seq(elem=elem):
            return Seq(_whole(elem))
    return shape


def _is_plain(shape: Shape) -> bool:
    match shape:
        case Const(value=value):
            return value is None
        case Atom():
            return True
        case Union(members=parts):
            return all(map(_is_plain, parts)) and not _may_be_equal(parts)
        case Struct(fields=parts):
            return all(map(_is_plain, parts))
        case Seq(elem=elem) | Frozen(elem=elem):
            return _is_plain(elem)
    return shape in (INT, BOOL, FLOAT, CHAR, STR, BYTES, BOTTOM)


def _may_be_equal(members: tuple[Shape, ...]) -> bool:
    """May values of two of these be equal, as 5 and 5.0 are? They would be one state, with two rows."""
    kinds = ((Number,), (str,), (tuple,))
    classes = [_class_of(member) for member in members]
    return any(sum(issubclass(cls, kind) for cls in classes) > 1 for kind in kinds)


def _class_of(shape: Shape) -> type:
    match shape:
        case Struct(cls=cls) | Atom(kind=cls):
            return cls
        case Seq():
            return tuple
    return (
        str if shape in (CHAR, STR) else int if shape in (INT, BOOL) else float if shape == FLOAT else object
    )


def _laid_out(shape: Shape, lengths: Lengths, path: tuple[Any, ...] = ()) -> Layout:
    """How values of a shape lie: as in `layouts`, but for frozensets, whose elements are in order here."""
    if isinstance(shape, Struct):
        parts = tuple(_laid_out(part, lengths, (*path, place)) for place, part in enumerate(shape.fields))
        return Layout(shape, sum(part.words for part in parts), parts)
    if isinstance(shape, Union):
        parts = tuple(_laid_out(part, lengths, path) for part in shape.members)
        return Layout(shape, 1 + sum(part.words for part in parts), parts)
    if isinstance(shape, Frozen) or is_row(shape):
        elem = _laid_out(shape.elem if isinstance(shape, Frozen) else in_row(shape), lengths, (*path, "*"))
        return _row(shape, elem, lengths.room(path))
    return Layout(shape, len(kinds(shape)))


def _row(shape: Shape, elem: Layout, room: int) -> Layout:
    return Layout(shape, 1 + room * elem.words, (elem,), room)


def _has(layout: Layout, kind: type) -> bool:
    return isinstance(layout.shape, kind) or any(_has(part, kind) for part in layout.parts)


def _word_kinds(layout: Layout) -> Iterator[type]:
    shape = layout.shape
    if isinstance(shape, Frozen) or is_row(shape):
        yield int
        for _ in range(layout.room):
            yield from _word_kinds(layout.parts[0])
    elif isinstance(shape, Struct | Union):
        if isinstance(shape, Union):
            yield int
        for part in layout.parts:
            yield from _word_kinds(part)
    elif layout.words:
        yield float if shape == FLOAT else bool if shape == BOOL else int


def _flat(value: Any, layout: Layout) -> Row:
    shape = layout.shape
    if isinstance(shape, Struct):
        named = issubclass(shape.cls, tuple) and isinstance(value, tuple)
        parts = fields_of(value) if named or type(value) is shape.cls else _misfit(value)
        if len(parts) != len(layout.parts):
            raise Misfit(value)
        return [leaf for part, one in zip(parts, layout.parts, strict=True) for leaf in _flat(part, one)]
    if isinstance(shape, Union):
        return _flat_member(value, layout)
    if isinstance(shape, Frozen) or is_row(shape):
        kind: Any = KINDS.get(shape) or (frozenset if isinstance(shape, Frozen) else tuple)
        if not isinstance(value, kind) or isinstance(value, Enum) or len(value) > layout.room:
            raise Misfit(value)
        rows = [_flat(item, layout.parts[0]) for item in value]
        row = [len(value), *(leaf for each in (sorted(rows) if kind is frozenset else rows) for leaf in each)]
        return row + [0] * (layout.words - len(row))
    return _flat_word(value, shape)


def _flat_member(value: Any, layout: Layout) -> Row:
    wanted = family(general(Const(value)))
    row: Row = [-1]
    for number, one in enumerate(layout.parts):
        if family(one.shape) == wanted:
            row[0] = number
            row += _flat(value, one)
        else:
            row += [0] * one.words
    return row if row[0] >= 0 else _misfit(value)


def _flat_word(value: Any, shape: Shape) -> Row:
    if isinstance(shape, Const):
        return [] if value is None else _misfit(value)
    if isinstance(shape, Atom):
        return [number_of(value)] if isinstance(value, shape.kind) else _misfit(value)  # type: ignore[arg-type]
    if shape in (INT, BOOL) and _is_whole(value):
        least, most = (0, 2) if shape == BOOL else (-SIGN, SIGN)
        return [int(value)] if least <= int(value) < most else _misfit(value)
    if shape == FLOAT and isinstance(value, float):
        return [_bits(value)]
    if shape == CHAR and isinstance(value, str) and len(value) == 1 and not isinstance(value, Enum):
        return [ord(value)]
    raise Misfit(value)


def _restored(row: Sequence[int], at: int, layout: Layout) -> Any:
    shape = layout.shape
    if isinstance(shape, Struct):
        parts = []
        for one in layout.parts:
            parts.append(_restored(row, at, one))
            at += one.words
        return built(shape.cls, parts)
    if isinstance(shape, Union):
        if not 0 <= row[at] < len(layout.parts):
            raise Misfit(row[at])
        skipped = sum(one.words for one in layout.parts[: row[at]])
        return _restored(row, at + 1 + skipped, layout.parts[row[at]])
    if isinstance(shape, Frozen) or is_row(shape):
        if not 0 <= row[at] <= layout.room:
            raise Misfit(row[at])
        elem = layout.parts[0]
        items = [_restored(row, at + 1 + place * elem.words, elem) for place in range(row[at])]
        if shape == STR:
            return "".join(items)
        if shape == BYTES:
            return bytes(items) if all(0 <= item < 256 for item in items) else _misfit(items)
        return frozenset(items) if isinstance(shape, Frozen) else tuple(items)
    if isinstance(shape, Const):
        return shape.value
    leaf = int(row[at])
    if isinstance(shape, Atom):
        return member_of(shape.kind, leaf) if 0 <= leaf < member_count(shape.kind) else _misfit(leaf)
    if shape == CHAR:
        return chr(leaf) if 0 <= leaf < LETTERS else _misfit(leaf)
    return _float(leaf) if shape == FLOAT else bool(leaf) if shape == BOOL else leaf


# A form in a manifest.

PLAIN: dict[str, Shape] = {"int": INT, "bool": BOOL, "float": FLOAT, "letter": CHAR, "none": Const(None)}
EMPTY = "nothing"
KINDS: dict[Shape, type] = {STR: str, BYTES: bytes}


def _described(layout: Layout) -> Any:
    shape = layout.shape
    parts = [_described(part) for part in layout.parts]
    match shape:
        case Struct(cls=cls):
            return {"tuple": parts} if cls is tuple else {"class": cls.__qualname__, "fields": parts}
        case Union():
            return {"one of": parts}
        case Seq():
            return {"row": parts[0], "room": layout.room}
        case Frozen():
            return {"set": parts[0], "room": layout.room}
        case Atom(kind=kind):
            return {"enum": kind.__qualname__, "members": [member.name for member in kind]}  # type: ignore[attr-defined]
    if shape in KINDS:
        return {"text" if shape == STR else "bytes": layout.room}
    return next((name for name, plain in PLAIN.items() if plain == shape), EMPTY)


def _read(data: Any, game: Any, depth: int) -> Layout:
    """A layout by its description, of no more numbers than a state may have."""
    if depth > 50:
        raise ValueError(depth)
    found = _read_any(data, game, depth)
    if found.words > MOST_LEAVES:
        raise ValueError(found.words)
    return found


def _read_any(data: Any, game: Any, depth: int) -> Layout:
    """A layout by its description: the inverse of `_described`."""
    if isinstance(data, str):
        shape = BOTTOM if data == EMPTY else PLAIN[data]
        return Layout(shape, len(kinds(shape)))
    if "text" in data:
        return _row(STR, Layout(CHAR, 1), _room(data["text"]))
    if "bytes" in data:
        return _row(BYTES, Layout(INT, 1), _room(data["bytes"]))
    if "row" in data or "set" in data:
        elem = _read(data["row" if "row" in data else "set"], game, depth + 1)
        return _row(Seq(elem.shape) if "row" in data else Frozen(elem.shape), elem, _room(data["room"]))
    if "enum" in data:
        kind = _class(data["enum"], game)
        if not issubclass(kind, Enum) or [member.name for member in kind] != data["members"]:
            raise ValueError(data)
        return Layout(Atom(kind), 1)
    if "one of" in data:
        parts = tuple(_read(part, game, depth + 1) for part in data["one of"])
        return Layout(
            Union(tuple(part.shape for part in parts)), 1 + sum(part.words for part in parts), parts
        )
    cls = tuple if "tuple" in data else _class(data["class"], game)
    parts = tuple(_read(part, game, depth + 1) for part in data["tuple" if cls is tuple else "fields"])
    if cls is not tuple and (names := struct_names(cls)) and len(names) != len(parts):
        raise ValueError(data)
    return Layout(Struct(cls, tuple(part.shape for part in parts)), sum(part.words for part in parts), parts)


def _room(data: Any) -> int:
    if not isinstance(data, int) or not 0 <= data <= MOST_LEAVES:
        raise ValueError(data)
    return data


def _class(name: str, game: Any) -> Any:
    """The class of that name, one of those that the rules depend on."""
    from perfectplay.compiler.cache import Subject

    found = Subject(game).storing.classes.get(name) or _seen_classes(game).get(name)
    if not (is_struct_class(found) or (isinstance(found, type) and issubclass(found, Enum))):
        raise ValueError(name)
    return found


def _seen_classes(game: Any) -> dict[str, type]:
    """Those of the states that play shows."""
    from perfectplay.compiler.observing import observe
    from perfectplay.compiler.stored_shapes import classes_in

    return {cls.__qualname__: cls for state in observe(game).states for cls in classes_in(state)}


def _bits(value: float) -> int:
    return int(unpack("<q", pack("<d", value))[0])


def _float(bits: int) -> float:
    return float(unpack("<d", pack("<q", bits))[0])


def _misfit(value: Any) -> Any:
    raise Misfit(value)
