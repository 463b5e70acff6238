"""Writing instructions: blocks, names and where they meet, traps, memory, and one shape made another."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import Enum, Flag
from typing import TYPE_CHECKING, Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Block, Operand, Reg, Slot
from perfectplay.compiler.lowering.values import End, Frame, Iter, Loop, Names, Value
from perfectplay.compiler.reading import Obstacle, bound_in
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
    Array,
    Atom,
    Cell,
    Closure,
    Const,
    Frozen,
    List,
    Method,
    Object,
    Plain,
    Reference,
    Seq,
    Set,
    Shape,
    Struct,
    Union,
    family,
    fields_of,
    general,
    join,
    kept,
    kinds,
    unify,
    unify_attributes,
    width,
)

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance, Program

REMEDY = "write it with what rules can use"
HEADER = 1  # words before the elements of a tuple or a string: how many there are


class Builder:
    """Writes one function of the intermediate form."""

    def __init__(self, program: Program, instance: Instance) -> None:
        self.program = program
        self.instance = instance
        self.ir = instance.ir
        self.names: Names = {}
        self.slots: dict[tuple[str, Shape], tuple[Slot, ...]] = {}
        self.trap_blocks: dict[int, Block] = {}
        self.frames: list[Frame] = []
        self.handlers: list[Any] = []  # of the try statements that we are in
        self.watching: Any = None  # who wants to know of all traps
        self.finals: list[Any] = []  # finally clauses that we are in
        self.raised: list[Slot] = []  # exceptions that are being handled
        self.caught_names: dict[str, Slot] = {}  # those of them that have a name
        self.node: ast.AST | None = None  # what is being written
        self.freshened: dict[Any, int] = {}  # how many names were made at each place
        self.unordered = 0  # how many sets were walked through in an order that nobody knows
        self.dead = False
        self.block = self.ir.block()
        self.inlining: list[Any] = []  # functions that are being written into this one
        self.poisoned: set[str] = set()  # names whose values an obstacle has kept from us

    # Blocks.

    def emit(self, *step: Any) -> None:
        """Write an instruction."""
        self.block.code.append(step)

    def op(self, kind: str, *step: Any) -> Reg:
        """Write an instruction that has a result."""
        dst = self.ir.reg(kind)
        self.block.code.append((step[0], dst, *step[1:]))
        return dst

    def close(self, *step: Any) -> None:
        """Write the last instruction of a block."""
        if not self.block.closed:
            self.block.code.append(step)
            self.block.closed = True

    def enter(self, block: Block) -> None:
        """Go on writing in a block."""
        self.block = block
        self.dead = False

    def end(self, value: Value | None = None) -> End:
        """Here: to be joined with others."""
        return End(self.block, dict(self.names), value)

    def die(self) -> None:
        """Nothing gets past this point."""
        self.dead = True
        self.block = self.ir.block()  # what is still written goes nowhere

    def split(self, test: Operand, rare: str = "") -> tuple[Block, Block]:
        """Two blocks to go on in, if it is so and if not."""
        yes, no = self.ir.block(), self.ir.block()
        self.close("cbr", test, yes, no, rare)
        return yes, no

    def fresh(self, what: str) -> str:
        """A name that nobody else has, and that is the same whenever this place of the text is written."""
        place = (what, self.node, self.path())
        self.freshened[place] = self.freshened.get(place, 0) + 1
        names = self.instance.names
        return names.setdefault((*place, self.freshened[place]), f"{what}{len(names)}.")

    # Names.

    def slots_of(self, name: str, shape: Shape) -> tuple[Slot, ...]:
        """The variables that hold a name while it has a shape."""
        if (name, shape) not in self.slots:
            self.slots[name, shape] = tuple(self.ir.slot(kind, name) for kind in kinds(shape))
        return self.slots[name, shape]

    def set_name(self, name: str, value: Value) -> None:
        """Give a name a value."""
        self.names[name] = value.shape
        self.poisoned.discard(name)
        for slot, reg in zip(self.slots_of(name, value.shape), value.regs, strict=True):
            self.emit("set", slot, reg)
        if name in self.instance.loose:
            self.emit("set", self.bound_slot(name), True)

    def get_name(self, name: str) -> Value:
        """The value of a name."""
        shape = self.names[name]
        if name in self.instance.loose and not is_passing(shape):
            bound = self.op("b", "get", self.bound_slot(name))
            self.require(bound, self.unbound())
        return Value(shape, tuple(self.op(slot.kind, "get", slot) for slot in self.slots_of(name, shape)))

    def unbound(self) -> int:
        """Why a name without a value stops us: in a comprehension it depends on the version of Python."""
        inside = bool(self.frames) and bool(self.frames[-1].scopes)
        return traps.UNDECIDED if inside else traps.code_of(UnboundLocalError)

    def bound_slot(self, name: str) -> Slot:
        """Whether a name has a value, where that depends on the way here."""
        key = (f"{name}?", BOOL)
        if key not in self.slots:
            self.slots[key] = (self.ir.slot("b", f"{name}?"),)
            self.ir.blocks[0].code.insert(0, ("set", self.slots[key][0], False))
        return self.slots[key][0]

    def merge(self, ends: Iterable[End]) -> Value | None:
        """Go on where several ways meet: every name, and the value, in a shape that holds them all."""
        ends = [end for end in ends if end is not None]
        if not ends:
            self.die()
            return None
        if len(ends) == 1:
            self.block, self.dead, self.names = ends[0].block, False, dict(ends[0].names)
            return ends[0].value
        if any(end.value is not None and isinstance(end.value.shape, Iter) for end in ends):
            return self.merge_walks(ends)
        joined = self.joined_names(ends)
        shape: Shape = BOTTOM
        for end in ends:
            if end.value is not None:
                shape = self.join(shape, end.value.shape)
        result = self.fresh("%") if any(end.value is not None for end in ends) else ""
        target = self.ir.block()
        for end in ends:
            self.block, self.dead, self.names = end.block, False, dict(end.names)
            if end.value is not None:
                value = self.coerce(end.value, shape)
                for slot, reg in zip(self.slots_of(result, shape), value.regs, strict=True):
                    self.emit("set", slot, reg)
            self.settle(joined)
            self.close("br", target)
        self.enter(target)
        self.names = dict(joined)
        if not result:
            return None
        return Value(shape, tuple(self.op(slot.kind, "get", slot) for slot in self.slots_of(result, shape)))

    def merge_walks(self, ends: list[End]) -> Value:
        """Where several things to walk through meet: one of them, known by its number when it runs."""
        first = ends[0].value
        if first is not None and all(
            end.value is not None and end.value.shape is first.shape for end in ends
        ):
            self.merge([End(end.block, end.names) for end in ends])
            return first
        which = self.fresh("%which")
        ways: list[Iter | str] = []
        noted = []
        for number, end in enumerate(ends):
            self.block, self.dead, self.names = end.block, False, dict(end.names)
            self.set_name(which, Value(INT, (number,)))
            value = end.value or Value(Const(None))
            if isinstance(value.shape, Iter):
                self.hold_given(value.shape)
                ways.append(value.shape)
            else:
                held = self.fresh("%way")
                self.set_name(held, value)
                ways.append(held)
            noted.append(self.end())
        self.merge(noted)
        return Value(Iter(lambda body: self.walk_one_of(which, ways, body), "one of several generators"))

    def hold_given(self, walk: Iter) -> None:
        """Keep in names what something to walk through was made with, for use where other ways lead too."""
        for name, value in walk.given.items():
            if isinstance(value, Value) and isinstance(value.shape, Iter):
                self.hold_given(value.shape)
            elif isinstance(value, Value) and value.regs:
                held = self.fresh("%given")
                self.set_name(held, value)
                walk.given[name] = held

    def given(self, walk: dict[str, Value | str]) -> dict[str, Value]:
        """What something to walk through was made with."""
        return {name: self.get_name(one) if isinstance(one, str) else one for name, one in walk.items()}

    def walk_one_of(self, which: str, ways: list[Iter | str], body: Callable[[Value], None]) -> Any:
        """Loops over several things, of which one is walked through."""
        number = self.get_name(which).regs[0]
        names = dict(self.names)
        loop = Loop()
        ends = []
        for place, way in enumerate(ways):
            last = place == len(ways) - 1
            if not last:
                yes, no = self.split(self.op("b", "cmp", "eq", number, place))
                self.enter(yes)
            done, inner = self.walk(self.get_name(way) if isinstance(way, str) else Value(way), body)
            ends += [done] if done is not None else []
            loop.breaks += inner.breaks
            if not last:
                self.enter(no)
                self.names = dict(names)
        self.merge(ends)
        return (None if self.dead else self.end()), loop

    def joined_names(self, ends: list[End]) -> Names:
        """The names of all ways, in shapes that hold them; one that some way lacks may have no value."""
        joined: Names = {}
        first, *others = ends
        for name in {name: None for end in ends for name in end.names}:
            known = first.names.get(name)
            if known is not None and all(end.names.get(name) is known for end in others):
                joined[name] = known
                continue
            shape: Shape = BOTTOM
            for end in ends:
                if name in end.names:
                    shape = self.join(shape, end.names[name])
                elif name[:1] != "%":
                    self.loosen(name)
            joined[name] = shape
        return joined

    def loosen(self, name: str) -> None:
        """Note that a name may have no value at some point."""
        if name not in self.instance.loose:
            self.instance.loose.add(name)
            self.instance.unsettled = True

    def settle(self, wanted: Names) -> None:
        """Bring every name into the shape that is wanted of it."""
        for name, shape in wanted.items():
            old = self.names.get(name)
            if old is shape:
                continue
            if old is None or old == shape:
                continue
            after = None
            if name in self.instance.loose:  # what has no value has no shape either: nobody may look at it
                bound, after = self.split(self.op("b", "get", self.bound_slot(name)))
                self.enter(bound)
            regs = tuple(self.op(slot.kind, "get", slot) for slot in self.slots_of(name, old))
            value = self.coerce(Value(old, regs), shape)
            for slot, reg in zip(self.slots_of(name, shape), value.regs, strict=True):
                self.emit("set", slot, reg)
            if after is not None:
                self.close("br", after)
                self.enter(after)
        self.names = dict(wanted)

    def assumed(self, key: Any, names: Names) -> Names:
        """The shapes of names where a loop begins, as far as rounds before this one have shown."""
        known = self.instance.assumptions.get(key)
        if known is None:
            known = self.instance.assumptions[key] = dict(names)
        else:
            self.learn(key, names)
        return {
            name: names[name] if name in names and is_passing(names[name]) else shape
            for name, shape in known.items()
            if name in names or not (is_passing(shape) or name.startswith("%"))
        }

    def learn(self, key: Any, names: Names) -> None:
        """Widen what is assumed by what was found; if it had to be, all is written again."""
        known = self.instance.assumptions[key]
        for name, shape in names.items():
            if known.get(name) is shape:
                continue
            if is_passing(shape) or (name not in known and name.startswith("%")):
                known.setdefault(name, shape)
                continue
            if name not in known:
                self.loosen(name)
            wider = self.join(known.get(name, BOTTOM), shape)
            if wider != known.get(name):
                known[name] = wider
                self.instance.unsettled = True

    def loop(
        self,
        key: Any,
        test: Callable[[], Operand | None],
        body: Callable[[], None],
        step: Callable[[], None],
    ) -> tuple[End | None, Loop]:
        """Write a loop; where it ends of itself, and who broke out of it."""
        start = self.assumed(key, self.names)
        self.settle(start)
        head = self.ir.block()
        self.close("br", head)
        self.enter(head)
        going = test()
        done = None
        if going is not None:
            inside, outside = self.split(going)
            done = End(outside, dict(self.names))
            self.enter(inside)
        loop = Loop()
        self.frames[-1].loops.append(loop)
        body()
        self.frames[-1].loops.pop()
        if not self.dead:
            loop.continues.append(self.end())
        if loop.continues:
            self.merge(loop.continues)
            step()
            self.learn(key, self.names)
            if not self.instance.unsettled:
                self.settle(start)
            self.close("br", head)
        return done, loop

    # Traps.

    def trap_block(self, code: int) -> Block:
        """A block that leaves because of a trap, or goes to who catches it."""
        line = getattr(self.node, "lineno", 0)
        if code == traps.code_of(StopIteration) and self.ends_a_generator():
            code = traps.UNDECIDED  # Python makes another exception of it
        if self.handlers and code < traps.FIRST_LIMIT:
            block = self.ir.block()
            here, dead, names = self.block, self.dead, dict(self.names)
            self.block = block
            self.emit("set", self.handlers[-1].status, traps.status(code, line))
            self.handlers[-1].ends.append(self.end())
            self.block, self.dead, self.names = here, dead, names
            return block
        key = traps.status(code, line)
        if self.watching is not None and key not in self.trap_blocks:
            block = self.trap_blocks[key] = self.ir.block()
            block.code.append(("set", self.watching.status, key))
            self.watching.ends.append(End(block, {}))
        if key not in self.trap_blocks:
            block = self.ir.block()
            block.code.append(("trap", key))
            block.closed = True
            self.trap_blocks[key] = block
        return self.trap_blocks[key]

    def ends_a_generator(self) -> bool:
        """Would an exception that is raised here leave a generator of the rules?"""
        frame = next(
            (one for one in reversed(self.frames) if not one.function.space.get("__prelude__")), None
        )
        if frame is None or not (frame.yields is not None or frame.function.is_generator):
            return False
        return not (self.handlers and self.handlers[-1].frame is frame)

    def require(self, test: Operand, code: int) -> None:
        """Trap unless it is so."""
        if test is True:
            return
        going = self.ir.block()
        trap = self.trap_block(code)
        self.close("cbr", test, going, trap, "no")
        self.block = going

    def forbid(self, test: Operand, code: int) -> None:
        """Trap if it is so."""
        if test is False:
            return
        going = self.ir.block()
        trap = self.trap_block(code)
        self.close("cbr", test, trap, going, "yes")
        self.block = going

    def fail(self, code: int) -> None:
        """Trap, whatever happens."""
        self.close("br", self.trap_block(code))
        self.die()

    def refuse(self, what: str, remedy: str = "") -> Obstacle:
        """An obstacle at what is being written."""
        frames, calls, node = list(self.frames), [call for _, call in self.inlining], self.node
        while len(frames) > 1 and not frames[-1].function.is_of_rules and calls:
            library = not frames.pop().function.is_ours
            node = calls.pop()  # what a function of ours cannot do is said of the call of it
            if library and isinstance(node, ast.Call):
                what, remedy = f"calls {ast.unparse(node.func)}", REMEDY
        obstacle = Obstacle(what, remedy, node)
        obstacle.function = frames[-1].function if frames else self.instance.function
        return obstacle

    # All obstacles at once: after one, writing goes on with the next statement, if only to find more.

    def go_on_after(self, obstacle: Obstacle, node: ast.stmt, before: tuple[Any, ...]) -> None:
        """Note an obstacle, and poison the names that its statement would have bound."""
        if not obstacle.follows:
            self.instance.noted.append(obstacle)
        frames, stack, loops, scopes, inlining, handlers, finals, raised, names = before
        self.frames, self.inlining, self.names = frames, inlining, names
        self.frames[:] = stack
        self.frames[-1].loops, self.frames[-1].scopes = loops, scopes
        self.handlers, self.finals, self.raised = handlers, finals, raised
        self.block, self.dead = self.ir.block(), False
        for name in bound_in(node):
            key = self.frames[-1].key(name)
            self.poisoned.add(key)
            self.names.pop(key, None)

    def bookmark(self) -> tuple[Any, ...]:
        """What there is to go back to."""
        frame = self.frames[-1]
        nesting = list(frame.loops), list(frame.scopes), list(self.inlining)
        trying = list(self.handlers), list(self.finals), list(self.raised)
        return self.frames, list(self.frames), *nesting, *trying, dict(self.names)

    def follow_on(self) -> Obstacle:
        """An obstacle that only follows from another."""
        obstacle = self.refuse("follows from another obstacle")
        obstacle.follows = True
        return obstacle

    # Shapes.

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

    def path(self) -> tuple[Any, ...]:
        """Which of the functions that are written into this one we are in."""
        return tuple(self.inlining)

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

    def struct(self, cls: type, parts: Iterable[Value], shape: Shape | None = None) -> Value:
        """A tuple of known length, or a named one, of these parts."""
        parts = list(parts)
        regs = tuple(reg for part in parts for reg in part.regs)
        return Value(shape or Struct(cls, tuple(part.shape for part in parts)), regs)

    def fields(self, value: Value) -> list[Value]:
        """The parts of a tuple of known length."""
        shape = value.shape
        if isinstance(shape, Const):
            return [Value(Const(part)) for part in fields_of(shape.value)]
        assert isinstance(shape, Struct)
        found, at = [], 0
        for part in shape.fields:
            found.append(Value(part, value.regs[at : at + width(part)]))
            at += width(part)
        return found

    # Memory.

    def load(self, pointer: Operand, offset: int, shape: Shape) -> Value:
        """The value of a shape that lies in memory, so many words further on."""
        regs = tuple(
            self.op(kind, "load", pointer, offset + place) for place, kind in enumerate(kinds(shape))
        )
        return Value(shape, regs)

    def store(self, value: Value, pointer: Operand, offset: int) -> None:
        """Write a value to memory."""
        for place, (kind, reg) in enumerate(zip(kinds(value.shape), value.regs, strict=True)):
            self.emit("store", reg, kind, pointer, offset + place)

    def alloc(self, words: Operand) -> Reg:
        """So many words of memory."""
        return self.op("p", "alloc", words, self.trap_block(traps.MEMORY))

    def length(self, value: Value) -> Operand:
        """How many elements there are."""
        shape = value.shape
        if isinstance(shape, Struct):
            return len(shape.fields)
        if isinstance(shape, Const):
            return len(shape.value)
        if shape == CHAR:
            return 1
        if isinstance(shape, Array):
            return value.regs[1]
        if isinstance(shape, Set):
            return self.op("i", "load", self.op("p", "load", value.regs[0], 0), 0)
        return self.op("i", "load", value.regs[0], 0)

    def data(self, value: Value) -> tuple[Operand, int]:
        """Where the elements begin: an address, and words to skip."""
        if isinstance(value.shape, List):
            return self.op("p", "load", value.regs[0], 2), 0
        return value.regs[0], HEADER

    def element_shape(self, shape: Shape) -> Shape:
        """What the elements of a sequence in memory are."""
        if isinstance(shape, List):
            return shape.cells[0].elem
        if isinstance(shape, Seq):
            return shape.elem
        assert shape in (STR, BYTES)
        return CHAR if shape == STR else INT

    def element(self, value: Value, index: Operand) -> Value:
        """An element of a sequence in memory, whose index is known to be right."""
        shape = self.element_shape(value.shape)
        if shape is BOTTOM:
            return Value(BOTTOM)
        pointer, skipped = self.data(value)
        if isinstance(index, int):
            return self.load(pointer, skipped + index * width(shape), shape)
        place = self.op("p", "at", pointer, index, width(shape), skipped)
        return self.load(place, 0, shape)

    def tuple_of(self, items: list[Value], shape: Seq) -> Value:
        """A tuple in memory of these items."""
        size = width(shape.elem)
        pointer = self.alloc(HEADER + size * len(items))
        self.emit("store", len(items), "i", pointer, 0)
        for place, item in enumerate(items):
            self.store(self.coerce(item, shape.elem), pointer, HEADER + size * place)
        return Value(shape, (pointer,))

    def retuple(self, value: Value, shape: Seq) -> Value:
        """A tuple whose elements are brought into another shape."""
        return self.copied(value, shape, 0, self.length(value))

    def copied(self, value: Value, shape: Shape, first: Operand, count: Operand) -> Value:
        """A new tuple or string of so many elements of a sequence, from the first one on."""
        elem = self.element_shape(shape)
        size = width(elem)
        words = self.op("i", "bin", "mul", count, size)
        pointer = self.alloc(self.op("i", "bin", "add", words, HEADER))
        self.emit("store", count, "i", pointer, 0)
        self.copy_elements(value, first, count, elem, pointer, HEADER)
        return Value(shape, (pointer,))

    def copy_elements(
        self, value: Value, first: Operand, count: Operand, elem: Shape, pointer: Operand, skipped: int
    ) -> None:
        """Write so many elements of a sequence to memory, each in the shape that is wanted."""
        if self.element_shape(value.shape) is BOTTOM:
            return

        def body(index: Operand) -> None:
            at = self.op("i", "bin", "add", index, first)
            item = self.coerce(self.element(value, at), elem)
            place = self.op("p", "at", pointer, index, width(elem), skipped)
            self.store(item, place, 0)

        self.counted(count, body)

    def counted(self, count: Operand, body: Callable[[Operand], None]) -> None:
        """Do something for every number below a count; nothing of it changes the shape of a name."""
        index = self.ir.slot("i", "index")
        self.emit("set", index, 0)
        head, inside, after = self.ir.block(), self.ir.block(), self.ir.block()
        self.close("br", head)
        self.enter(head)
        now = self.op("i", "get", index)
        self.close("cbr", self.op("b", "cmp", "lt", now, count), inside, after, "")
        self.enter(inside)
        body(now)
        self.emit("set", index, self.op("i", "bin", "add", now, 1))
        self.close("br", head)
        self.enter(after)

    # Text.

    def coerce_text(self, value: Value, shape: Shape) -> Value:
        """A string in another form."""
        old = value.shape
        if shape == STR:
            if old == CHAR:
                pointer = self.alloc(2)
                self.emit("store", 1, "i", pointer, 0)
                self.emit("store", value.regs[0], "i", pointer, 1)
                return Value(STR, (pointer,))
            table = self.program.word_table()  # an atom: the string that it stands for
            place = self.op("p", "at", table, value.regs[0], 1, 0)
            return Value(STR, (self.op("p", "load", place, 0),))
        if shape == CHAR:
            text = self.coerce(value, STR)
            self.require(self.op("b", "cmp", "eq", self.length(text), 1), traps.UNSEEN)
            return self.element(text, 0) if old != CHAR else value
        return self.find_word(self.coerce(value, STR))

    def find_word(self, text: Value) -> Value:
        """The word that a string is, among those that are known."""
        found = self.ir.slot("i", "word")
        self.emit("set", found, -1)

        def body(number: Operand) -> None:
            word = self.coerce_text(Value(Atom(str), (number,)), STR)
            same = self.is_equal(word, text)
            old = self.op("i", "get", found)
            self.emit("set", found, self.op("i", "select", same, number, old))

        self.instance.uses_words = True
        self.counted(self.program.word_count(), body)
        number = self.op("i", "get", found)
        self.require(self.op("b", "cmp", "ge", number, 0), traps.UNSEEN)
        return Value(Atom(str), (number,))

    def enum_value(self, value: Value) -> Value:
        """The value of a member of an enum, by its number."""
        assert isinstance(value.shape, Atom)
        if issubclass(value.shape.kind, Flag):
            return Value(INT, value.regs)
        members: list[Enum] = list(value.shape.kind)  # type: ignore[call-overload]
        if [member.value for member in members] == list(range(len(members))):
            return Value(INT, value.regs)
        table = self.materialise(tuple(member.value for member in members), None)
        return self.element(self.in_memory(table), value.regs[0])

    def in_memory(self, value: Value) -> Value:
        """A tuple whose elements can be indexed while running."""
        if isinstance(value.shape, Struct):
            elem: Shape = BOTTOM
            for part in value.shape.fields:
                elem = self.join(elem, kept(part))
            return self.coerce(value, Seq(elem))
        return value

    def materialise(self, value: Any, shape: Shape | None) -> Value:
        """A constant as a value of a shape, in memory where it has to be."""
        shape = shape if shape is not None else general(Const(value))
        return self.program.constants.value(self, value, shape)

    # Filled in by the other parts of the lowering.

    def walk(self, value: Value, body: Callable[[Value], None]) -> tuple[End | None, Loop]:
        """Write a loop over a value."""
        raise NotImplementedError

    def is_equal(self, one: Value, other: Value) -> Operand:
        """Are two values equal, as Python has it?"""
        raise NotImplementedError

    def call_prelude(self, name: str, arguments: list[Value]) -> Value:
        """Call a function of the prelude."""
        raise NotImplementedError

    def as_tuple(self, value: Value) -> Value:
        """A list as a tuple of what is in it."""
        raise NotImplementedError

    def object_attribute(self, value: Value, name: str) -> Value:
        """What an object has by that name."""
        raise NotImplementedError

    def as_value(self, made: Value) -> Value:
        """What is in an object that changes no more."""
        raise NotImplementedError

    def super_attribute(self, above: Any, name: str) -> Value:
        """super().name"""
        raise NotImplementedError


def is_passing(shape: Shape) -> bool:
    """Is it, or does it hold, something to walk through once? Such a value never outlives its place."""
    if isinstance(shape, Struct):
        return any(map(is_passing, shape.fields))
    return isinstance(shape, Iter)


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


def cells_in(shape: Shape) -> list[Cell]:
    """The cells that a shape refers to."""
    match shape:
        case Reference():
            return list(shape.cells)
        case Struct(fields=parts):
            return [cell for part in parts for cell in cells_in(part)]
        case Union(members=parts):
            return [cell for part in parts for cell in cells_in(part)]
        case Seq(elem=elem) | Frozen(elem=elem):
            return cells_in(elem)
        case Closure(captured=captured):
            return [cell for _, part in captured for cell in cells_in(part)]
    return []
