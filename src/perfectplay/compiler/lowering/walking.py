"""Walking: loops over whatever can be walked through, generators and comprehensions among them.

A generator is no object: its statements are written into the function that walks through it. At every
`yield` control goes to the body of the loop, which is written once, and from its end back to where it
came from.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from perfectplay.compiler import traps
from perfectplay.compiler.cells import cells_in
from perfectplay.compiler.hashing import table_of
from perfectplay.compiler.ir import Block, Operand
from perfectplay.compiler.lowering.blocks import is_passing
from perfectplay.compiler.lowering.comparisons import is_text_enum
from perfectplay.compiler.lowering.growing_dicts import as_whole
from perfectplay.compiler.lowering.hash_tables import element_of
from perfectplay.compiler.lowering.hashes import require_known_order
from perfectplay.compiler.lowering.own_methods import own_method
from perfectplay.compiler.lowering.sequences import Sequences
from perfectplay.compiler.lowering.sets import any_order, folded_set, single
from perfectplay.compiler.lowering.tables import constant_row
from perfectplay.compiler.lowering.values import End, Frame, Iter, Loop, Value
from perfectplay.compiler.reading import Function, nodes_in
from perfectplay.compiler.shapes import (
    BOTTOM,
    BYTES,
    INT,
    RANGE,
    STR,
    Const,
    Deque,
    Dict,
    Frozen,
    List,
    Seq,
    Set,
    Struct,
    Union,
    family,
    general,
)

Produce = Callable[[Callable[[Value], None]], None]
Body = Callable[[Value], None]


class Walking(Sequences):
    """Loops."""

    def walk(self, value: Value, body: Body) -> tuple[End | None, Loop]:
        """Write a loop over a value; where it ends of itself, and who broke out of it."""
        shape = value.shape
        if isinstance(shape, Union):
            value = self.each_member(value, lambda one: self.in_row(one) if self.is_walkable(one) else None)
            shape = value.shape
            if isinstance(shape, Union):
                return self.walk_elements(value, body)
        if (method := own_method(shape, "__iter__")) is not None:
            return self.walk(self.call_python(method, [value], {}), body)
        if is_text_enum(shape):
            return self.walk(self.as_text(value), body)
        if isinstance(shape, Const):
            return self.walk(self.constant_to_walk(shape.value), body)
        if isinstance(shape, Iter):
            return shape.each(body)  # type: ignore[return-value]
        if isinstance(shape, Dict):
            return self.walk_dict(value, "keys", body)
        if isinstance(shape, Set | Frozen):
            require_known_order(self, element_of(value))
            return self.walk_set(value, body)
        if shape == RANGE:
            return self.walk_range(value, body)
        if isinstance(shape, Struct) and issubclass(shape.cls, tuple):
            value = self.in_memory(value)
        elif family(shape) == "str":
            value = self.coerce(value, STR)
        elif not isinstance(shape, Seq | List) and shape is not BOTTOM and shape != BYTES:
            raise self.refuse(f"walks through {shape!r}", "walk through tuples, lists, ranges, strings")
        if shape is BOTTOM or self.element_shape(value.shape) is BOTTOM:
            return self.end(), Loop()
        return self.walk_elements(value, body)

    def is_walkable(self, value: Value) -> bool:
        """Can it be walked through?"""
        shape = general(value.shape)
        return isinstance(shape, Seq | List | Set | Frozen | Dict | Iter) or (
            shape in (RANGE, BYTES)
            or family(shape) == "str"
            or self.is_tuple(shape)
            or is_text_enum(value.shape)
        )

    def constant_to_walk(self, value: Any) -> Value:
        """A constant as something that lies in memory."""
        if isinstance(value, range):
            return self.materialise(value, RANGE)
        if isinstance(value, str):
            return self.materialise(value, STR)
        try:
            items = tuple(as_whole(self, value))
            if isinstance(value, set | frozenset):
                self.program.lasting &= table_of(value, self.program.exact).is_plain
        except TypeError:
            raise self.refuse(f"walks through {value!r}", "walk through a tuple or a list") from None
        if not items:
            return Value(Seq(BOTTOM), (0,))
        return constant_row(self, items)

    def in_row(self, value: Value) -> Value:
        """What can be walked through as a sequence in memory; a list as it is."""
        value = self.as_text(value)
        shape = general(value.shape)
        if isinstance(shape, Seq) or type(shape) is List:
            return self.in_form(value)
        if shape == BYTES:
            return Value(Seq(INT), self.in_form(value).regs)
        if family(shape) == "str":
            return self.coerce(value, STR)
        if self.is_tuple(shape):
            return self.in_memory(self.in_form(value))
        return self.as_tuple(self.call_prelude("list_of", [value]))

    def size_of(self, value: Value) -> Operand:
        """How many elements a sequence in memory has, of whichever kind it is."""
        if isinstance(value.shape, Union):
            return self.each_member(value, lambda one: Value(INT, (self.length(one),))).regs[0]
        return self.length(value)

    def item_of(self, value: Value, place: Operand) -> Value:
        """An element of such a sequence."""
        if isinstance(value.shape, Union):
            return self.each_member(value, lambda one: self.element(one, place))
        return self.element(value, place)

    def walk_elements(self, value: Value, body: Body) -> tuple[End | None, Loop]:
        """A loop over a sequence in memory; a list may grow meanwhile."""
        held = self.fresh("%walked")
        self.set_name(held, value)
        place = self.fresh("%place")
        self.set_name(place, Value(INT, (0,)))
        changes = self.fresh("%changes") if isinstance(value.shape, Deque) else None
        if changes is not None:
            self.set_name(changes, Value(INT, (self.op("i", "load", value.regs[0], 3),)))

        def test() -> Operand:
            items = self.get_name(held)
            if changes is not None:
                same = self.op(
                    "b", "cmp", "eq", self.op("i", "load", items.regs[0], 3), self.get_name(changes).regs[0]
                )
                self.require(same, traps.code_of(RuntimeError))
            return self.op("b", "cmp", "lt", self.get_name(place).regs[0], self.size_of(items))

        def inside() -> None:
            body(self.item_of(self.get_name(held), self.get_name(place).regs[0]))

        def step() -> None:
            now = self.get_name(place).regs[0]
            self.set_name(place, Value(INT, (self.op("i", "bin", "add", now, 1),)))

        return self.loop(self.here("walk"), test, inside, step)

    def walk_range(self, value: Value, body: Body) -> tuple[End | None, Loop]:
        """A loop over a range."""
        start, _, step = value.regs
        place, left = self.fresh("%place"), self.fresh("%left")
        self.set_name(left, Value(INT, (self.range_length(value),)))
        self.set_name(place, Value(INT, (start,)))

        def test() -> Operand:
            return self.op("b", "cmp", "gt", self.get_name(left).regs[0], 0)

        def inside() -> None:
            body(self.get_name(place))

        def next_one() -> None:
            now, more = self.get_name(place).regs[0], self.get_name(left).regs[0]
            self.set_name(place, Value(INT, (self.op("i", "bin", "add", now, step),)))
            self.set_name(left, Value(INT, (self.op("i", "bin", "sub", more, 1),)))

        return self.loop(self.here("range"), test, inside, next_one)

    def walk_set(self, value: Value, body: Body) -> tuple[End | None, Loop]:
        """A loop over a set, in the order of its table; nobody may add or take elements meanwhile."""
        if element_of(value) is BOTTOM:
            return self.end(), Loop()
        held, place, count = (self.fresh(what) for what in ("%walked", "%place", "%count"))
        self.set_name(held, value)
        self.set_name(place, Value(INT, (0,)))
        self.set_name(count, Value(INT, (self.length(value),)))

        def test() -> Operand:
            items = self.get_name(held)
            if isinstance(items.shape, Set):
                same = self.op("b", "cmp", "eq", self.length(items), self.get_name(count).regs[0])
                self.require(same, traps.code_of(RuntimeError))
            at = self.integer(self.call_prelude("next_slot", [items, self.get_name(place)]))
            self.set_name(place, Value(INT, (at,)))
            return self.op("b", "cmp", "ge", at, 0)

        def inside() -> None:
            body(self.call_prelude("slot_item", [self.get_name(held), self.get_name(place)]))

        return self.loop(self.here("set"), test, inside, lambda: self.go_further(place))

    def go_further(self, place: str) -> None:
        """Count a place on."""
        now = self.get_name(place).regs[0]
        self.set_name(place, Value(INT, (self.op("i", "bin", "add", now, 1),)))

    def walk_dict(self, value: Value, side: str, body: Body) -> tuple[End | None, Loop]:
        """A loop over the keys, values or items of a dict; its keys may not change meanwhile."""
        assert isinstance(value.shape, Dict)
        if value.shape.cells[0].elem is BOTTOM:
            return self.end(), Loop()
        held, place = self.fresh("%walked"), self.fresh("%place")
        before = [
            (self.fresh("%before"), word) for word in (0, 1, 3)
        ]  # used, fill, and where the entries are
        self.set_name(held, value)
        self.set_name(place, Value(INT, (0,)))
        for name, word in before:
            self.set_name(name, Value(INT, (self.op("i", "load", value.regs[0], word),)))

        def test() -> Operand:
            items = self.get_name(held)
            for name, word in before:
                now = self.op("i", "load", items.regs[0], word)
                same = self.op("b", "cmp", "eq", now, self.get_name(name).regs[0])
                self.require(same, traps.code_of(RuntimeError) if word == 0 else traps.UNDECIDED)
            at = self.integer(self.call_prelude("next_entry", [items, self.get_name(place)]))
            self.set_name(place, Value(INT, (at,)))
            return self.op("b", "cmp", "ge", at, 0)

        def inside() -> None:
            given = [self.get_name(held), self.get_name(place)]
            names = {"keys": ["entry_key"], "values": ["entry_value"], "items": ["entry_key", "entry_value"]}[
                side
            ]
            parts = [self.call_prelude(name, given) for name in names]
            body(parts[0] if len(parts) == 1 else self.struct(tuple, parts))

        return self.loop(self.here("dict"), test, inside, lambda: self.go_further(place))

    def single(self, value: Value) -> Value:
        """Something to take the first of; of a set whose order nobody knows, only if there is but one."""
        return single(self, value)

    def here(self, what: str) -> Any:
        """A name for this place of the text that is the same in every round."""
        return (what, self.node, self.path(), self.ordinal(what))

    def ordinal(self, what: str) -> int:
        """Loops of one kind at one place of the text are told apart by their number."""
        key = (what, self.node, self.path())
        self.ordinals[key] = self.ordinals.get(key, -1) + 1  # type: ignore[attr-defined]
        return self.ordinals[key]  # type: ignore[attr-defined]

    def numbered_place(self, what: str) -> str:
        """A name that begins like this, and that nobody has but this place of the text, in every round."""
        place = self.here(what)
        return f"{what}{self.instance.places.setdefault(place, len(self.instance.places))}'"

    def drive(self, produce: Produce, body: Body, frames: list[Frame]) -> tuple[End | None, Loop]:
        """Write a producer in its own frames, and what is done with each of its items after it, once."""
        key = self.here("drive")
        yielded: list[End] = []
        resumed: list[Block] = []
        resume = self.ir.slot("i", "resume")

        def at_yield(item: Value) -> None:
            number = len(resumed)
            self.emit("set", resume, number)
            yielded.append(self.end(item))
            resumed.append(self.ir.block())
            names = self.instance.assumptions.setdefault((*key, number), dict(self.names))
            for name, shape in self.names.items():
                known = names.setdefault(name, shape)
                if known is not shape and not (is_passing(known) or is_passing(shape)):
                    names[name] = self.join(known, shape)  # nothing of what follows is written yet
            self.enter(resumed[-1])
            now = self.names
            self.names = {
                name: now[name] if name in now and is_passing(now[name]) else shape
                for name, shape in names.items()
            }

        mine, self.frames = self.frames, frames
        produce(at_yield)
        self.frames = mine
        done = None if self.dead else self.end()
        item = self.merge(yielded)
        loop = Loop()
        if item is None:
            if done:
                self.block, self.dead, self.names = done.block, False, done.names
            return done, loop
        self.frames[-1].loops.append(loop)
        body(item)
        self.frames[-1].loops.pop()
        if not self.dead:
            loop.continues.append(self.end())
        if loop.continues:
            self.merge(loop.continues)
            self.go_back(key, resume, resumed)
        return done, loop

    def go_back(self, key: Any, resume: Any, resumed: list[Block]) -> None:
        """From the end of a loop's body to the yield that it came from."""
        after = dict(self.names)
        ways = []
        number = self.op("i", "get", resume)
        here = self.block
        for place, block in enumerate(resumed):
            names = self.instance.assumptions[*key, place]
            for name in after:
                if name not in names:
                    names[name] = after[name]
                    self.instance.unsettled = True
            self.learn((*key, place), after)
            way = self.ir.block()
            ways.append((place, way))
            self.block, self.names = way, dict(after)
            if not self.instance.unsettled:
                self.settle({name: shape for name, shape in names.items() if not is_passing(shape)})
            self.close("br", block)
        self.block = here
        self.close("switch", number, ways, ways[0][1])
        self.die()

    # Generators.

    def generator(self, function: Function, arguments: dict[str, Value]) -> Value:
        """A call of a function that yields: its statements are written where it is walked through."""
        call = self.node
        prefix = self.numbered_place(f"{function.name}'")
        given: dict[str, Value | str] = dict(arguments)

        def each(body: Body) -> tuple[End | None, Loop]:
            frame = Frame(function, prefix, {}, inlined=True)

            def produce(at_yield: Callable[[Value], None]) -> None:
                frame.yields = at_yield
                self.inlining.append((function.node, call))
                self.open(frame, self.given(given))
                self.statements(function.body)
                ends = [End(end.block, end.names) for end in frame.returns]
                if not self.dead:
                    ends.append(self.end())
                self.merge(ends)
                self.inlining.pop()

            done, loop = self.drive(produce, body, [*self.frames, frame])
            return done, loop

        return Value(Iter(each, f"generator {function.name}", given))  # type: ignore[arg-type]

    def comprehension(self, node: Any, item: Callable[[], None], first: Value | None = None) -> None:
        """Write the loops of a comprehension, and in the innermost what is done."""
        scope: dict[str, str] = {}
        frame = self.frames[-1]
        late = used_by_functions(node)

        def nested(number: int) -> None:
            if number == len(node.generators):
                item()
                return
            part: ast.comprehension = node.generators[number]
            iterable = first if number == 0 and first is not None else self.walked(part.iter)
            if part in self.program.any_order:
                iterable = any_order(self, iterable)
            if number == 0:
                frame.scopes.append(scope)
            for target in nodes_in(part.target):
                if isinstance(target, ast.Name) and target.id not in scope:
                    scope[target.id] = self.numbered_place(f"{target.id}'")
                    if target.id in late:
                        self.make_box(scope[target.id], f"{scope[target.id]} of a comprehension")

            def body(value: Value) -> None:
                self.assign(part.target, value)
                for test in part.ifs:
                    self.go_on_if(test)
                nested(number + 1)

            before = self.node
            self.node = part.target
            done, loop = self.walk(iterable, body)
            self.node = before
            self.merge([*([done] if done else []), *loop.breaks])

        nested(0)
        if frame.scopes and frame.scopes[-1] is scope:
            frame.scopes.pop()
        for name in scope.values():
            self.names.pop(name, None)

    def walked(self, node: ast.expr) -> Value:
        """What is to be walked through: Python makes a constant of a set that is written out."""
        if isinstance(node, ast.Set) and (folded := folded_set(self, node)) is not None:
            return Value(Const(folded))
        return self.expression(node)

    def go_on_if(self, test: ast.expr) -> None:
        """Leave this round of the innermost loop unless it is so."""
        yes, no = self.condition(test)
        self.frames[-1].loops[-1].continues.extend(no)
        self.merge(yes)

    def generator_expression(self, node: ast.GeneratorExp) -> Value:
        """A generator expression: written where it is walked through, but for what it walks through first."""
        given: dict[str, Value | str] = {"first": self.walked(node.generators[0].iter)}
        frames = list(self.frames)
        path = list(self.inlining)

        def each(body: Body) -> tuple[End | None, Loop]:
            def produce(at_yield: Callable[[Value], None]) -> None:
                mine, self.inlining = self.inlining, path
                before, self.node = self.node, node
                first = self.given(given)["first"]
                self.comprehension(node, lambda: at_yield(self.expression(node.elt)), first)
                self.inlining, self.node = mine, before

            return self.drive(produce, body, frames)

        made = Iter(each, "generator expression", given)  # type: ignore[arg-type]
        made.settled = not any(map(self.may_change, names_in(node)))
        return Value(made)

    def may_change(self, name: str) -> bool:
        """May a name stand for something else later, or be something that changes?"""
        frame = self.frames[-1]
        shape = self.names.get(frame.key(name), BOTTOM)
        often = frame.function.bindings.get(name, 0) > 1 or name in frame.function.bound_in_loops
        return often or any(not cell.frozen for cell in cells_in(shape))

    # Filled in by the other parts of the lowering.

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def condition(self, node: ast.expr) -> tuple[list[End], list[End]]:
        """Where control goes if an expression is true, and where if not."""
        raise NotImplementedError

    def statements(self, body: list[ast.stmt]) -> None:
        """Write statements."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Value) -> None:
        """Give a target a value."""
        raise NotImplementedError

    def open(self, frame: Frame, given: dict[str, Value]) -> None:
        """Begin a function."""
        raise NotImplementedError

    def make_box(self, key: str, name: str) -> None:
        """A variable that closures share."""
        raise NotImplementedError


def names_in(node: ast.GeneratorExp) -> set[str]:
    """The names of a generator expression that are not its own."""
    names = [one for one in nodes_in(node) if isinstance(one, ast.Name)]
    own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    return {one.id for one in names if one.id not in own}


def used_by_functions(node: ast.AST) -> set[str]:
    """Names that functions within a comprehension use: they see the value that a name has when called."""
    return {
        one.id
        for inner in nodes_in(node)
        if isinstance(inner, ast.Lambda)
        for one in nodes_in(inner.body)
        if isinstance(one, ast.Name) and one.id not in {parameter.arg for parameter in inner.args.args}
    }
