"""Writing instructions: blocks, names, traps, and obstacles."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from perfectplay.compiler import traps
from perfectplay.compiler.ir import Block, Operand, Reg, Slot
from perfectplay.compiler.lowering.values import End, Frame, Iter, Loop, Names, Value
from perfectplay.compiler.reading import Obstacle, bound_in
from perfectplay.compiler.shapes import (
    BOOL,
    Shape,
    Struct,
    kinds,
)

if TYPE_CHECKING:
    from perfectplay.compiler.program import Instance, Program

REMEDY = "write it with what rules can use"


class Blocks:
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

    def loosen(self, name: str) -> None:
        """Note that a name may have no value at some point."""
        if name not in self.instance.loose:
            self.instance.loose.add(name)
            self.instance.unsettled = True

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

    def path(self) -> tuple[Any, ...]:
        """Which of the functions that are written into this one we are in."""
        return tuple(self.inlining)

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

    # Filled in by the other parts of the lowering.

    def merge(self, ends: Iterable[End]) -> Value | None:
        """Go on where several ways meet."""
        raise NotImplementedError

    def join(self, one: Shape, other: Shape) -> Shape:
        """A shape that holds both."""
        raise NotImplementedError

    def materialise(self, value: Any, shape: Shape | None) -> Value:
        """A constant in a shape."""
        raise NotImplementedError

    def coerce(self, value: Value, shape: Shape) -> Value:
        """The value in another shape, which holds it; where it may not, there is a trap."""
        raise NotImplementedError


def is_passing(shape: Shape) -> bool:
    """Is it, or does it hold, something to walk through once? Such a value never outlives its place."""
    if isinstance(shape, Struct):
        return any(map(is_passing, shape.fields))
    return isinstance(shape, Iter)
