"""One shape made another, and what is put into lists, sets and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.cells import cells_in
from perfectplay.compiler.ir import Operand
from perfectplay.compiler.lowering.representation import Representation
from perfectplay.compiler.lowering.values import Iter, Value
from perfectplay.compiler.reading import Obstacle
from perfectplay.compiler.shapes import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LARGE,
    WIDE,
    WORD,
    Atom,
    Cell,
    Closure,
    Const,
    Frozen,
    Method,
    Object,
    Plain,
    Reference,
    Seq,
    Shape,
    Struct,
    Union,
    family,
    general,
    join,
    kept,
    kinds,
    unify,
    unify_attributes,
    width,
)


class Coercion(Representation):
    """Values in other shapes."""

    def join(self, one: Shape, other: Shape) -> Shape:
        """The least shape that holds both; what cannot be joined is an obstacle."""
        if one is other or other is BOTTOM:
            return one
        if one is BOTTOM or (type(one) is Plain and one == other):
            return other
        if self.instance.trusted and (one, other) in ((INT, BOOL), (BOOL, INT)):
            return INT  # our own code does not ask which of the two a number is
        if self.instance.trusted and WORD in (one, other):
            constants = [shape for shape in (one, other) if isinstance(shape, Const)]
            if constants and type(constants[0].value) is int:
                return WORD
        if isinstance(one, Iter) or isinstance(other, Iter):
            if one is BOTTOM:
                return other
            raise self.refuse("keeps a generator in a name that has other values too", "make a list of it")
        before = self._versions(one, other)
        try:
            joined = join(one, other)
        except Exception as error:
            raise self.refuse(f"mixes {one!r} and {other!r} in one place", "keep them apart") from error
        if before != self._versions(one, other):
            self.program.cells_changed(self.instance)
        return joined

    def _versions(self, *shapes: Shape) -> list[Any]:
        found: list[Any] = []
        for shape in shapes:
            found += [(id(cell), cell.elem, cell.frozen) for cell in cells_in(shape)]
        return found

    def put_into(self, cell: Cell, shape: Shape) -> Shape:
        """Note that a value of a shape is put into a list, set or dict; the shape it is stored in."""
        cell = cell.root()
        if isinstance(shape, Iter):
            raise self.refuse("keeps a generator in a list", "make a list or a tuple of it")
        wider = self.join(cell.elem, kept(shape))
        if wider != cell.elem:
            assert not cell.fixed, (cell.elem, shape)
            cell.elem = wider
            self.program.cells_changed(self.instance)
        return cell.elem

    def change(self, *cells: Cell) -> None:
        """Note that a list, set or dict is changed here."""
        for cell in cells:
            cell = cell.root()
            self.note_change(cell)
            if cell.frozen:
                raise self.refuse(
                    "changes a list, set or dict that is a constant", "change a copy: list(...)"
                )

    def note_change(self, *cells: Cell, by_value: bool = False) -> None:
        """Note who changes a list, or a variable that is shared: the function, and where.

        What a function of ours changes is noted where it is called, unless it was handed the method itself.
        """
        function = self.frames[-1].function if self.frames else self.instance.function
        if not function.space.get("__prelude__"):
            for cell in cells:
                cell.root().changers.add((self.instance, function.node, self.node))
        elif by_value:
            for cell in cells:
                cell.root().changers.add((self.instance, function.node, None))

    def cell(self, *key: Any) -> Cell:
        """The cell of a list that is made at this place of the text."""
        place = (*key, self.path())
        self.instance.uses_cells = True
        if place not in self.instance.cells:
            self.instance.cells[place] = Cell()
        return self.instance.cells[place].root()

    def coerce(self, value: Value, shape: Shape) -> Value:
        """The value in another shape, which holds it; where it may not, there is a trap."""
        old = value.shape
        if old == shape:
            return Value(shape, value.regs)
        if isinstance(old, Iter) or isinstance(shape, Iter):
            raise self.refuse("keeps a generator in a name that has other values too", "make a list of it")
        if old is BOTTOM:
            return self.zero(shape)
        if isinstance(old, Const):
            return self.materialise(old.value, shape)
        if isinstance(old, Union):
            return self.from_union(value, shape)
        match shape:
            case Union(members=members):
                return self.into_union(value, shape, members)
            case Const(value=wanted):
                self.require(self.is_equal(value, Value(shape)), traps.UNSEEN)
                return Value(Const(wanted))
        if old == BOOL and shape in (INT, WORD):
            return Value(shape, (self.op("i", "cast", "zext", value.regs[0]),))
        if old == LARGE:
            low = self.op("w", "cast", "widen_count", value.regs[0])  # only the higher word has a sign
            upper = self.op("w", "bin", "shl", self.op("w", "cast", "widen", value.regs[1]), 64)
            return self.coerce(Value(WIDE, (self.op("w", "bin", "or", upper, low),)), shape)
        if shape == LARGE and old in (INT, BOOL, WIDE):
            whole = self.coerce(value, WIDE).regs[0]
            upper = self.op("w", "bin", "ashr", whole, 64)
            return Value(LARGE, tuple(self.op("i", "cast", "narrow", part) for part in (whole, upper)))
        if old == WIDE and shape in (INT, BOOL, WORD, FLOAT):
            low = self.op("i", "cast", "narrow", value.regs[0])
            same = self.op("b", "cmp", "eq", self.op("w", "cast", "widen", low), value.regs[0])
            self.require(same, traps.OVERFLOW)
            return self.coerce(Value(INT, (low,)), shape)
        if shape == WIDE and old in (INT, BOOL):
            return Value(WIDE, (self.op("w", "cast", "widen", self.coerce(value, INT).regs[0]),))
        if {old, shape} == {INT, WORD}:
            return Value(shape, value.regs)
        if shape == FLOAT and old in (INT, BOOL):
            whole = self.coerce(value, INT).regs[0]
            return Value(FLOAT, (self.op("f", "cast", "sitofp", whole),))
        if old == INT and shape == BOOL:
            self.require(self.op("b", "cmp", "ult", value.regs[0], 2), traps.UNSEEN)
            return Value(BOOL, (self.op("b", "cast", "trunc", value.regs[0]),))
        if family(old) == family(shape) == "str":
            return self.coerce_text(value, shape)
        if isinstance(old, Struct) and isinstance(shape, Struct) and len(old.fields) == len(shape.fields):
            return self.struct(shape.cls, map(self.coerce, self.fields(value), shape.fields), shape)
        if isinstance(old, Struct) and isinstance(shape, Seq):
            return self.tuple_of(self.fields(value), shape)
        if isinstance(old, Seq) and isinstance(shape, Struct):
            self.require(self.op("b", "cmp", "eq", self.length(value), len(shape.fields)), traps.UNSEEN)
            items = [self.element(value, place) for place in range(len(shape.fields))]
            return self.struct(shape.cls, map(self.coerce, items, shape.fields), shape)
        if isinstance(old, Seq) and isinstance(shape, Seq):
            return self.retuple(value, shape)
        if isinstance(old, Atom) and shape == INT and issubclass(old.kind, int):
            return self.enum_value(value)
        if isinstance(old, Frozen) and isinstance(shape, Frozen):
            return self.call_prelude("refrozen", [value, Value(Const(shape))])
        if isinstance(old, Object) and isinstance(shape, Struct) and old.cls is shape.cls:
            return self.coerce(self.as_value(value), shape)
        if isinstance(old, Object) and isinstance(shape, Object) and old.cls is shape.cls:
            if old.attributes is not shape.attributes:
                unify_attributes(shape.attributes, old.attributes)
                self.program.cells_changed(self.instance)
            return Value(shape, value.regs)
        if isinstance(old, Reference) and type(old) is type(shape) and not isinstance(old, Object):
            for mine, theirs in zip(old.cells, shape.cells, strict=True):
                if mine is not theirs:
                    unify(mine, theirs)
                    self.program.cells_changed(self.instance)
            return Value(shape, value.regs)
        if isinstance(old, Closure) and isinstance(shape, Closure) and old.node is shape.node:
            regs: list[Operand] = []
            at = 0
            for (_, mine), (_, theirs) in zip(old.captured, shape.captured, strict=True):  # type: ignore[assignment]
                regs += self.coerce(Value(mine, value.regs[at : at + width(mine)]), theirs).regs  # type: ignore[arg-type]
                at += width(mine)  # type: ignore[arg-type]
            return Value(shape, tuple(regs))
        if isinstance(old, Method) and isinstance(shape, Method) and old.function == shape.function:
            return Value(shape, self.coerce(Value(old.receiver, value.regs), shape.receiver).regs)
        raise self.refuse(f"uses {old!r} where {shape!r} is wanted", "give both the same kind of value")

    def materialise(self, value: Any, shape: Shape | None) -> Value:
        """A constant as a value of a shape, in memory where it has to be."""
        shape = shape if shape is not None else general(Const(value))
        return self.program.constants.value(self, value, shape)

    def zero(self, shape: Shape) -> Value:
        """Any value of a shape: it is never looked at."""
        zeros = {"i": 0, "b": False, "f": 0.0, "p": 0, "w": 0}
        return Value(shape, tuple(zeros[kind] for kind in kinds(shape)))

    def into_union(self, value: Value, shape: Shape, members: tuple[Shape, ...]) -> Value:
        """A value as a member of a union."""
        for tag, member in enumerate(members):
            if family(member) == family(general(value.shape)):
                regs: list[Operand] = [tag]
                for place, other in enumerate(members):
                    regs += self.coerce(value, other).regs if place == tag else self.zero(other).regs
                return Value(shape, tuple(regs))
        raise self.refuse(
            f"uses {value.shape!r} where {shape!r} is wanted", "give both the same kind of value"
        )

    def members(self, value: Value) -> list[Value]:
        """The value as each member of its union."""
        assert isinstance(value.shape, Union)
        found, at = [], 1
        for member in value.shape.members:
            found.append(Value(member, value.regs[at : at + width(member)]))
            at += width(member)
        return found

    def from_union(self, value: Value, shape: Shape) -> Value:
        """A value of a union in another shape: each member that fits, a trap for the others."""

        def convert(member: Value) -> Value | None:
            wanted = shape.members if isinstance(shape, Union) else (shape,)
            if any(self.fits(member.shape, one) for one in wanted):
                return self.coerce(member, shape)
            return None

        return self.each_member(value, convert, traps.UNSEEN)

    def fits(self, old: Shape, new: Shape) -> bool:
        """May a value of one shape be one of another?"""
        same = family(general(old)) == family(general(new))
        numbers = {INT, BOOL, FLOAT}
        if new == INT and old == BOOL:
            return True
        return (
            same
            or (new == FLOAT and old in numbers)
            or (new == INT and isinstance(old, Atom) and issubclass(old.kind, int))
        )

    def each_member(
        self, value: Value, do: Callable[[Value], Value | None], code: int = traps.code_of(TypeError)
    ) -> Value:
        """What becomes of a value, whichever member of its union it is; None traps."""
        if not isinstance(value.shape, Union):
            done = do(value)
            if done is None:
                self.fail(code)
                return Value(BOTTOM)
            return done
        ends = []
        start = self.end()
        tag = value.regs[0]
        obstacles: list[Obstacle] = []
        for number, member in enumerate(self.members(value)):
            self.names = dict(start.names)
            yes, no = self.split(self.op("b", "cmp", "eq", tag, number))
            self.enter(yes)
            done = self.attempt(lambda member=member: do(member), obstacles)  # type: ignore[misc]
            if done is None:
                self.fail(traps.UNDECIDED if obstacles else code)
            elif not self.dead:
                ends.append(self.end(done))
            self.enter(no)
            self.names = dict(start.names)
        if obstacles and not ends:
            raise obstacles[-1]
        self.close("br", self.trap_block(traps.UNSEEN))
        return self.merge(ends) or Value(BOTTOM)

    def attempt(self, do: Callable[[], Value | None], obstacles: list[Obstacle]) -> Value | None:
        """Write something for one kind of value; what cannot be written is taken back, and noted."""
        block, blocks, trap_blocks = self.block, len(self.ir.blocks), dict(self.trap_blocks)
        code, names, node = len(block.code), dict(self.names), self.node
        frames, inlining, handlers = list(self.frames), list(self.inlining), list(self.handlers)
        lists = [
            *(one.ends for one in handlers),
            *(self.watching.ends for _ in "1" if self.watching is not None),
            *(part for frame in frames for part in (frame.returns, frame.loops, frame.scopes)),
            *(part for frame in frames for loop in frame.loops for part in (loop.breaks, loop.continues)),
        ]
        lengths = [len(one) for one in lists]
        calls = set(self.instance.calls)
        try:
            return do()
        except Obstacle as obstacle:
            obstacles.append(obstacle)
        for one, length in zip(lists, lengths, strict=True):
            del one[length:]
        self.frames[:], self.inlining[:], self.handlers[:] = frames, inlining, handlers
        self.instance.calls = calls
        self.trap_blocks, self.names, self.node = trap_blocks, names, node
        for made in self.ir.blocks[blocks:]:
            made.code[:] = [("trap", traps.UNDECIDED)]
            made.closed = True
        del block.code[code:]
        block.closed = False
        self.enter(block)
        return None


def alike(one: Shape, other: Shape, known: tuple[Any, ...] = ()) -> bool:
    """Do two shapes differ at most in the cells of lists, which may be unified?"""
    if one is BOTTOM or other is BOTTOM or one == other:
        return True
    match one, other:
        case Object(), Object():
            if one.cls is not other.cls or (one.cells, other.cells) in known:
                return one.cls is other.cls
            known = (*known, (one.cells, other.cells))
            mine_, theirs_ = one.attributes.cells, other.attributes.cells
            return all(
                alike(mine_[name].root().elem, theirs_[name].root().elem, known)
                for name in mine_
                if name in theirs_
            )
        case Reference(), Reference():
            if type(one) is not type(other) or len(one.cells) != len(other.cells):
                return False
            if family(one) != family(other) or (one.cells, other.cells) in known:
                return family(one) == family(other)
            known = (*known, (one.cells, other.cells))
            return all(alike(a.elem, b.elem, known) for a, b in zip(one.cells, other.cells, strict=True))
        case (Struct(cls=cls, fields=mine), Struct(cls=their_cls, fields=theirs)):
            same = cls is their_cls
        case (Union(members=mine), Union(members=theirs)):
            same = True
        case (Seq(elem=a), Seq(elem=b)) | (Frozen(elem=a), Frozen(elem=b)):
            return alike(a, b, known)
        case (Closure(node=node, captured=a), Closure(node=their_node, captured=b)):
            same = node is their_node
            mine, theirs = tuple(part for _, part in a), tuple(part for _, part in b)
        case (Method(function=function, receiver=a), Method(function=their_function, receiver=b)):
            return function is their_function and alike(a, b, known)
        case _:
            return False
    return (
        same
        and len(mine) == len(theirs)
        and all(alike(a, b, known) for a, b in zip(mine, theirs, strict=True))
    )
